"""Texts set into their boxes: smaller if need be, in several lines, and cut as a last resort."""

from __future__ import annotations

from math import floor

import pygame

from display import pieces, theme
from display.bidi import shaped
from display.widgets import Label

ENLARGED = 1.35  # large text, where its box has room for it
_LEAST_SHRINK = 0.72
_KEPT_TOGETHER = "\u00a0\u202f"  # spaces at which no line may end


def fit(text: str, label: Label, scale: float = 1.0, enlarged: float = 1.0) -> tuple[int, list[str]]:
    """Set a label's text into its box: smaller if need be, in several lines if allowed, cut as a last resort.

    Returns:
        The font size in pixels and the lines; each line is no wider than the box, and together they are
        no higher, unless the box is too low for the smallest size.
    """
    path = theme.BOLD if label.bold else theme.REGULAR
    width, height = label.rect.w * scale, label.rect.h * scale
    text = "".join(letter if letter.isprintable() or letter in _KEPT_TOGETHER else " " for letter in shaped(text))
    largest = min(label.size * scale * enlarged, height / theme.LINE)
    smallest = min(largest, floor(max(theme.LEAST_SIZE, label.size * _LEAST_SHRINK)) * scale)
    size = floor(largest)
    while size >= max(1, floor(smallest)):
        rows = min(label.lines, max(1, floor(height / (size * theme.LINE))))
        lines = _wrapped(text, pieces.font(path, size), width)
        if len(lines) <= rows and all(pieces.font(path, size).size(line)[0] <= width for line in lines):
            return size, lines
        size -= 1
    size += 1
    face = pieces.font(path, size)
    rows = min(label.lines, max(1, floor(height / (size * theme.LINE))))
    lines = _wrapped(text, face, width) if rows > 1 else [text]
    kept = lines[:rows]
    if len(lines) > rows:
        kept[-1] += "…"
    return size, [_cut(line, face, width) for line in kept]


def _wrapped(text: str, face: pygame.font.Font, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        if lines and face.size(f"{lines[-1]} {word}")[0] <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _cut(text: str, face: pygame.font.Font, width: float) -> str:
    if face.size(text)[0] <= width:
        return text
    while text and face.size(text.rstrip() + "…")[0] > width:
        text = text[:-1]
    return text.rstrip() + "…"
