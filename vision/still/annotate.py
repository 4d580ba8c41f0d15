"""A photograph with what was seen in it: outlines, numbers, and a sign on every join."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.still import Still, StillTile
from vision.still.candidate import shared_area

Colour = tuple[int, int, int]

GOOD: Colour = (96, 174, 39)
BAD: Colour = (60, 50, 215)
UNCLEAR: Colour = (20, 160, 245)
ASIDE: Colour = (170, 140, 110)
PAPER: Colour = (255, 255, 255)
DARK: Colour = (40, 34, 30)
LONGEST_PX = 1600
SHADE = 0.22
FONT = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True, slots=True)
class Mark:
    """A join between two tiles, by their places in `Still.tiles`: legal, illegal or (None) unclear."""

    a: int
    b: int
    legal: bool | None


def annotate(image: Image, still: Still, marks: Sequence[Mark], aside: Collection[int], title: str) -> Image:
    """Draw tiles and joins over a copy of the photograph, under a strip with the title.

    Args:
        image: the photograph, BGR.
        still: what was seen in it.
        marks: the joins to sign.
        aside: tiles that take no part.
        title: a few words for the strip.
    """
    scale = LONGEST_PX / max(image.shape[:2])
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    canvas = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    outlines = [(tile.corners + 0.5) * scale - 0.5 for tile in still.tiles]
    size = _tile_size(outlines)
    colours = [_tile_colour(index, tile, marks, aside) for index, tile in enumerate(still.tiles)]
    shaded = canvas.copy()
    for outline, colour in zip(outlines, colours, strict=True):
        cv2.fillConvexPoly(shaded, np.round(outline).astype(np.int32), colour, cv2.LINE_AA)
    canvas = np.asarray(cv2.addWeighted(shaded, SHADE, canvas, 1 - SHADE, 0), np.uint8)
    thick = max(2, round(size / 28))
    for outline, colour in zip(outlines, colours, strict=True):
        cv2.polylines(canvas, [np.round(outline).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
    for tile, outline, colour in zip(still.tiles, outlines, colours, strict=True):
        _numbers(canvas, tile, outline, colour, size)
    for mark in sorted(marks, key=lambda one: (one.legal is False, one.legal is None)):
        _sign(canvas, _between(outlines[mark.a], outlines[mark.b]), mark.legal, size)
    return _titled(canvas, title, _colour([mark.legal for mark in marks]))


def _tile_size(outlines: list[Points]) -> float:
    sides = [np.hypot(*(outline[0] - outline[1])) for outline in outlines]
    return float(np.clip(np.median(sides), 24, 220)) if sides else 60.0


def _colour(legal: Collection[bool | None]) -> Colour:
    """Red for anything illegal, else amber for anything unclear (also for nothing at all), else green."""
    if any(one is False for one in legal):
        return BAD
    return GOOD if legal and all(legal) else UNCLEAR


def _tile_colour(index: int, tile: StillTile, marks: Sequence[Mark], aside: Collection[int]) -> Colour:
    if index in aside:
        return ASIDE
    colour = _colour([mark.legal for mark in marks if index in (mark.a, mark.b)])
    return colour if colour == BAD or tile.is_sure else UNCLEAR


def _numbers(canvas: Image, tile: StillTile, outline: Points, colour: Colour, size: float) -> None:
    """A label in the middle of a tile: its numbers, with a question mark where they are not sure."""
    text = "-".join(map(str, tile.seen.values)) if tile.seen.values else ("?" if tile.seen.face_up else "back")
    if tile.seen.values and not tile.is_sure:
        text += "?"
    letter = size / 150
    stroke = max(1, round(size / 80))
    (width, height), _ = cv2.getTextSize(text, FONT, letter, stroke)
    x, y = outline.mean(0)
    corner = (round(float(x) - width / 2), round(float(y) + height / 2))
    pad = round(0.45 * height)
    low, high = (corner[0] - pad, corner[1] - height - pad), (corner[0] + width + pad, corner[1] + pad)
    cv2.rectangle(canvas, low, high, DARK, -1, cv2.LINE_AA)
    cv2.rectangle(canvas, low, high, colour, max(1, stroke), cv2.LINE_AA)
    cv2.putText(canvas, text, corner, FONT, letter, PAPER, stroke, cv2.LINE_AA)


def _between(one: Points, other: Points) -> tuple[int, int]:
    """The middle of where two outlines, made a little larger, overlap."""
    for growth in (1.06, 1.12, 1.25, 1.5):
        a, b = (outline.mean(0) + (outline - outline.mean(0)) * growth for outline in (one, other))
        if shared_area(a, b) > 0:
            _, shared = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
            x, y = np.asarray(shared).reshape(-1, 2).mean(0)
            return round(float(x)), round(float(y))
    x, y = (one.mean(0) + other.mean(0)) / 2
    return round(float(x)), round(float(y))


def _sign(canvas: Image, centre: tuple[int, int], legal: bool | None, size: float) -> None:
    """A round sign: a tick, a cross or a question mark."""
    radius = max(9, round(size / 6))
    cv2.circle(canvas, centre, radius + max(2, radius // 6), PAPER, -1, cv2.LINE_AA)
    cv2.circle(canvas, centre, radius, _colour([legal]), -1, cv2.LINE_AA)
    stroke = max(2, radius // 4)
    arm = radius / 2

    def line(*points: tuple[float, float]) -> None:
        path: NDArray[np.int32] = np.round(np.array(centre) + arm * np.array(points)).astype(np.int32)
        cv2.polylines(canvas, [path], False, PAPER, stroke, cv2.LINE_AA)

    if legal:
        line((-0.95, 0.05), (-0.25, 0.75), (1.0, -0.75))
    elif legal is False:
        line((-0.8, -0.8), (0.8, 0.8))
        line((-0.8, 0.8), (0.8, -0.8))
    else:
        line((-0.55, -0.6), (-0.3, -1.0), (0.3, -1.0), (0.6, -0.6), (0.5, -0.15), (0.0, 0.2), (0.0, 0.5))
        line((0.0, 1.0), (0.0, 1.05))


def _titled(canvas: Image, title: str, colour: Colour) -> Image:
    height = max(44, canvas.shape[0] // 22)
    strip = np.empty((height, canvas.shape[1], 3), np.uint8)
    strip[:] = colour
    letter = height / 48
    (width, tall), _ = cv2.getTextSize(title, FONT, letter, 2)
    letter *= min(1.0, 0.94 * canvas.shape[1] / max(width, 1))
    cv2.putText(strip, title, (round(height * 0.4), (height + tall) // 2), FONT, letter, PAPER, 2, cv2.LINE_AA)
    return np.asarray(np.vstack([strip, canvas]), np.uint8)
