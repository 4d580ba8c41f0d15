"""How numerals are drawn: with flat ends as a typeface has them, or with a round pen."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.kinds import Points
from vision.kinds.paint import Canvas
from vision.models import numeral_outlines

Numerals = Callable[[Canvas, int, Points, float], Canvas]

# Numerals as strokes: lines through points of a box one unit high, and how thick they are.
_STROKE = 0.17
_ARC_STEPS = 15


def _arc(x: float, y: float, rx: float, ry: float, from_deg: float, to_deg: float) -> list[tuple[float, float]]:
    turns = np.deg2rad(np.linspace(from_deg, to_deg, _ARC_STEPS))
    return [(x + rx * float(np.cos(turn)), y + ry * float(np.sin(turn))) for turn in turns]


STROKES: tuple[tuple[list[tuple[float, float]], ...], ...] = (
    (_arc(0, 0, 0.25, 0.415, 0, 360),),
    ([(-0.14, -0.24), (0.06, -0.415), (0.06, 0.415)],),
    ([*_arc(0, -0.19, 0.235, 0.225, 190, 385), (-0.25, 0.415), (0.25, 0.415)],),
    (_arc(0, -0.205, 0.21, 0.21, 200, 450), _arc(0, 0.2, 0.245, 0.215, -90, 165)),
    ([(0.13, 0.415), (0.13, -0.415), (-0.27, 0.2), (0.28, 0.2)],),
    ([(0.2, -0.415), (-0.17, -0.415), (-0.21, -0.03), *_arc(0, 0.15, 0.245, 0.265, -140, 150)],),
    (_arc(0, 0.16, 0.235, 0.255, 0, 360), _arc(0.08, 0.1, 0.315, 0.515, 172, 292)),
    ([(-0.24, -0.415), (0.24, -0.415), (-0.06, 0.415)],),
    (_arc(0, -0.21, 0.205, 0.205, 0, 360), _arc(0, 0.2, 0.24, 0.215, 0, 360)),
    (_arc(0, -0.16, 0.235, 0.255, 0, 360), _arc(-0.08, -0.1, 0.315, 0.515, -8, 112)),
)


def flat_numerals(canvas: Canvas, number: int, pen: Points, size_px: float) -> Canvas:
    """The cover of a numeral with flat ends (the DejaVu Sans Bold outline); `pen` as in `rounded_numerals`."""
    return cover_of(canvas, numeral_outlines()[number], pen, size_px)


def cover_of(canvas: Canvas, outline: tuple[Points, ...], pen: Points, size_px: float) -> Canvas:
    """The cover (height, width), 0..1, of a numeral given as closed contours."""
    contours = [contour @ pen[:, :2].T * size_px + pen[:, 2] for contour in outline]
    cover = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(cover, [np.round(contour * 16).astype(np.int32) for contour in contours], 255, cv2.LINE_AA, 4)
    return (cover / np.float32(255)).astype(np.float32)


def rounded_numerals(canvas: Canvas, number: int, pen: Points, size_px: float) -> Canvas:
    """The cover of a numeral drawn with a round pen.

    Args:
        pen: (2, 3), turns numeral units (x to the right, y down, one unit high) and moves them to the place.
        size_px: the numeral's height.
    """
    cover = np.zeros(canvas.shape[:2], np.uint8)
    thickness = max(round(_STROKE * size_px), 1)
    for stroke in STROKES[number]:
        line = np.array(stroke) @ pen[:, :2].T * size_px + pen[:, 2]
        points = np.round(line * 16).astype(np.int32)
        cv2.polylines(cover, [points], False, 255, thickness, cv2.LINE_AA, 4)
    return (cover / np.float32(255)).astype(np.float32)
