"""Triominoes: a triangle with a number from none to nine in each corner.

Drawing honours `Style` thus: `pips` gives a colour per number (number modulo their count), else `ink`;
`mark_size` scales the numerals; `variant` is a sum of 1 (rounded instead of flat-ended numerals), 2 (feet
to the centre instead of to the corner) and 4 (wood).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import TRIOMINO, Shape
from vision.kinds import FaceReading, Image, Points, Style
from vision.kinds.paint import Canvas, blend, finished, plate, rounded_depth, stud
from vision.kinds.verdict import verdict, washed_out
from vision.models import network, numeral_outlines

Floats = NDArray[np.float32]

FACE_PX = (144, 144)
CENTRE_PX = 71.5
CIRCUMRADIUS_PX = 70.0
SIDE_PX = CIRCUMRADIUS_PX * 3**0.5
CROP_PX = 48
CROP_REACH_PX = 36.0  # from the tile's centre to the middle of a corner's crop
_BLANK, _NONE = 10, 11  # the networks' classes of a corner without a numeral and of what is no corner
ROUNDED, FEET_TO_CENTRE, WOOD = 1, 2, 4

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

Numerals = Callable[[Canvas, int, Points, float], Canvas]


@dataclass(frozen=True, slots=True)
class Make:
    """How a set is made, in parts of the tile's side; what `Style` leaves open.

    `turn_deg` turns each numeral about its middle (0: as `variant` says).
    """

    height: float = 0.19
    reach: float = 0.2774  # from the tile's centre to the numeral's; the corner is at 0.5774
    pin: float = 0.1
    radius: float = 0.05
    turns_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)


def corner_deg(corner: int) -> float:
    """The direction of a corner as seen from the centre, degrees clockwise from the picture's right."""
    return 120.0 * corner


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


def paint(values: tuple[int, ...], style: Style, make: Make, scale: int, numerals: Numerals) -> Canvas:
    """Draw a triomino's face of the given make, BGRA, not yet rounded to whole numbers."""
    middle = (CENTRE_PX + 0.5) * scale - 0.5
    turns = np.deg2rad([corner_deg(corner) for corner in range(3)])
    corners = middle + CIRCUMRADIUS_PX * scale * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    side_px = SIDE_PX * scale
    size = (FACE_PX[0] * scale, FACE_PX[1] * scale)
    canvas = plate(corners, size, make.radius * side_px, style, bool(style.variant & WOOD))
    if not values:
        return canvas
    for corner, number in enumerate(values):
        turn = corner_deg(corner) + (180.0 if style.variant & FEET_TO_CENTRE else 0.0) + make.turns_deg[corner]
        foot = np.deg2rad(turn)
        towards = turns[corner]
        reach = make.reach * side_px
        pen = np.array(
            [
                (np.sin(foot), np.cos(foot), middle + reach * np.cos(towards)),
                (-np.cos(foot), np.sin(foot), middle + reach * np.sin(towards)),
            ]
        )
        colour = style.pips[number % len(style.pips)] if style.pips else style.ink
        blend(canvas, 0.97 * numerals(canvas, number, pen, make.height * style.mark_size * side_px), colour)
    if style.pin is not None:
        stud(canvas, (middle, middle), make.pin / 2 * side_px, style.pin)
    return canvas


@cache
def _cuts() -> tuple[tuple[Points, ...], NDArray[np.bool_]]:
    """For each corner the (2, 3) map from its upright crop to the face, and where the tile's plastic is."""
    turns = np.deg2rad([corner_deg(corner) for corner in range(3)])
    maps = []
    for turn in turns:
        foot = np.array([(np.sin(turn), np.cos(turn)), (-np.cos(turn), np.sin(turn))])
        centre = CENTRE_PX + CROP_REACH_PX * np.array([np.cos(turn), np.sin(turn)])
        maps.append(np.column_stack([foot, centre - foot @ np.full(2, (CROP_PX - 1) / 2)]))
    corners = CENTRE_PX + CIRCUMRADIUS_PX * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    inside = rounded_depth(corners, FACE_PX, 0.05 * SIDE_PX) > 2.5
    return tuple(maps), inside


def corners_upright(face: Image) -> Floats:
    """The three corners turned upright, foot to the corner: difference from the tile's colour, (3, 48, 48, 3).

    What lies beside the tile is blotted out: it says nothing about the tile.
    """
    maps, inside = _cuts()
    alone = face.astype(np.float32) - np.median(face[inside], axis=0).astype(np.float32)
    alone[~inside] = 0
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.stack([cv2.warpAffine(alone, cut, (CROP_PX, CROP_PX), flags=flags) for cut in maps]).astype(np.float32)


def differences(face: Image) -> Floats:
    """What the first reader sees: the pictures of the corners, (3, 3, 48, 48)."""
    seen: Floats = corners_upright(face) / np.float32(100)
    return seen.transpose(0, 3, 1, 2)


def directions(face: Image) -> Floats:
    """What the second reader sees: how much edge runs in each of eight directions, in 8 x 8 cells, (3, 512)."""
    rows = []
    for crop in corners_upright(face):
        smooth = cv2.GaussianBlur(crop, (0, 0), 0.8)
        x, y = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
        strongest = np.argmax(x * x + y * y, axis=2)[..., None]
        x, y = (np.take_along_axis(part, strongest, axis=2)[..., 0] for part in (x, y))
        strength, turn = cv2.cartToPolar(x, y)
        sector = turn * np.float32(8 / (2 * np.pi))
        planes = [strength * np.clip(1 - np.abs((sector - k + 4) % 8 - 4), 0, 1) for k in range(8)]
        cells = np.stack([cv2.resize(plane, (8, 8), interpolation=cv2.INTER_AREA) for plane in planes])
        around = cv2.blur(cells.sum(axis=0), (3, 3))
        rows.append(np.sqrt(cells / (around + 0.15 * around.max() + 12.0)).ravel())
    return np.stack(rows).astype(np.float32)


class Triomino:
    """The triomino as a kind of tile."""

    name = TRIOMINO
    face_size_px = FACE_PX

    def outline(self, shape: Shape) -> Points:
        """The three corners in the order of `values`, (3, 2) mm, tile frame, clockwise as seen."""
        turns = np.deg2rad([corner_deg(corner) for corner in range(3)])
        corners: Points = shape.length_mm / 3**0.5 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        return corners

    def face_from_tile(self, shape: Shape) -> Points:
        """The (3, 3) similarity from tile-frame mm to canonical face pixels."""
        scale = SIDE_PX / shape.length_mm
        return np.array([(scale, 0.0, CENTRE_PX), (0.0, scale, CENTRE_PX), (0.0, 0.0, 1.0)])

    def draw(self, values: tuple[int, ...], style: Style, scale: int = 4) -> Image:
        """Draw the face, BGRA (144 * scale, 144 * scale, 4); `values` () draws the back."""
        numerals = rounded_numerals if style.variant & ROUNDED else flat_numerals
        return finished(paint(values, style, Make(), scale, numerals))

    def read(self, face: Image, highest: int) -> FaceReading:
        """Read a canonical face by the pictures of its corners and by the directions of their edges."""
        seen = network("triomino-corners").probabilities(differences(face))
        told = network("triomino-directions").probabilities(directions(face))
        lost = washed_out(face[_cuts()[1]])
        for chances in (seen, told):
            chances[:, _NONE] += lost * chances[:, _BLANK]
            chances[:, _BLANK] *= 1 - lost
        return verdict(seen, told, highest)


KIND = Triomino()
