"""Numerals of the installed typefaces as outlines: what the training pictures are printed with."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen  # type: ignore[import-untyped]  # has no types
from fontTools.ttLib import TTFont, TTLibError  # type: ignore[import-untyped]  # has no types
from numpy.typing import NDArray

Contours = tuple[NDArray[np.float64], ...]
FOLDERS = (Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype"))
_UNSUITABLE = ("Italic", "Oblique", "Symbol", "Math", "Emoji", "D050000L", "Dingbat", "Ornament", "Icon", "Looped")
_PICTURES = ("Biolinum_K", "Libertine_I")  # keys of a keyboard, initials
_PLAIN_WEIGHTS = ("Thin", "Light", "Hairline", "Ultra-Light")
logging.getLogger("fontTools").setLevel(logging.ERROR)  # many fonts have harmless oddities


@cache
def typeface_files() -> tuple[Path, ...]:
    """The installed fonts fit for tiles, sorted; thin weights are left out."""
    files = sorted(file for folder in FOLDERS for file in folder.rglob("*") if file.suffix.lower() in (".ttf", ".otf"))
    return tuple(
        file for file in files if not any(word in file.stem for word in _UNSUITABLE + _PICTURES + _PLAIN_WEIGHTS)
    )


def family(file: Path) -> str:
    """A name that all weights of one family share."""
    name = file.stem.split("-")[0].split("[")[0].split("_")[0].removesuffix("Bold").removesuffix("Condensed").lower()
    for shared in ("notosans", "notoserif", "courier prime"):  # the same numerals under many names
        if name.startswith(shared):
            return shared
    return name


def is_fancy(file: Path) -> bool:
    """Whether the typeface is one that tiles are seldom printed with: serifs or typewriter numerals."""
    words = ("serif", "mono", "slab", "roman", "tribun", "libertine", "tinos", "code", "courier", "garamond", "caladea")
    return any(word in file.stem.lower() for word in (*words, "c059", "p052", "bookman", "cousine", "hack"))


def numerals(file: Path) -> tuple[Contours, ...] | None:
    """The numerals 0-9: x to the right, y down, one unit high, centred; None when the font has none of one height."""
    try:
        with TTFont(file, lazy=True) as font:
            names, glyphs = font.getBestCmap() or {}, font.getGlyphSet()
            drawn = [_flatten(glyphs, names[ord(digit)]) for digit in "0123456789"]
    except (TTLibError, KeyError):
        return None
    if any(not contours for contours in drawn):
        return None
    points = [np.concatenate(contours) for contours in drawn]
    lows, highs = np.array([p[:, 1].min() for p in points]), np.array([p[:, 1].max() for p in points])
    height = highs[1] - lows[1]
    if height <= 0 or np.ptp(lows) > 0.12 * height or np.ptp(highs) > 0.12 * height:
        return None  # old-style numerals of unequal height
    middle_y = (highs[1] + lows[1]) / 2
    return tuple(
        tuple(
            np.stack([contour[:, 0] - (p[:, 0].min() + p[:, 0].max()) / 2, middle_y - contour[:, 1]], axis=1) / height
            for contour in contours
        )
        for contours, p in zip(drawn, points, strict=True)
    )


def _flatten(glyphs: object, name: str) -> list[NDArray[np.float64]]:
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)  # type: ignore[index]
    contours: list[NDArray[np.float64]] = []
    line: list[tuple[float, float]] = []
    for step, points in pen.value:
        if step == "moveTo":
            line = [points[0]]
        elif step == "lineTo":
            line.append(points[0])
        elif step == "curveTo":
            line.extend(_curve([line[-1], *points]))
        elif step == "qCurveTo" and points[-1] is not None:
            for control, end in _quadratics(points):
                line.extend(_curve([line[-1], control, end]))
        elif step in ("closePath", "endPath") and len(line) > 2:
            contours.append(np.array(line, float))
    return contours


def _quadratics(points: Iterable[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """TrueType leaves out the points midway between two control points; put them back."""
    *controls, end = points
    if not controls:
        return [(end, end)]
    ends = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(controls)]
    return list(zip(controls, [*ends, end], strict=True))


def _curve(points: list[tuple[float, float]], steps: int = 4) -> list[tuple[float, float]]:
    """Points on a Bezier curve, the first left out."""
    line = []
    for step in range(1, steps + 1):
        t, left = step / steps, [np.array(point, float) for point in points]
        while len(left) > 1:
            left = [(1 - t) * a + t * b for a, b in pairwise(left)]
        line.append((float(left[0][0]), float(left[0][1])))
    return line
