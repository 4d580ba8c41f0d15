"""Triominoes: a triangle with a numeral from 0 to 9, or none to five pips, in each corner.

Drawing honours `Style` thus: `pips` gives a colour per number (number modulo their count), else `ink`;
`mark_size` scales the marks; `variant` is a sum of 1 (rounded instead of flat-ended numerals), 2 (feet
to the centre instead of to the corner), 4 (wood), 8 (pips instead of numerals) and 16 (pips are drilled).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import TRIOMINO, Shape
from vision.kinds import FaceReading, Image, Points, Style
from vision.kinds.paint import Canvas, blend, finished, pip, plate, rounded_depth, stud
from vision.kinds.verdict import tempered, verdict, washed_out
from vision.models import FOLDER, network, numeral_outlines

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]

FACE_PX = (144, 144)
CENTRE_PX = 71.5
CIRCUMRADIUS_PX = 70.0
SIDE_PX = CIRCUMRADIUS_PX * 3**0.5
CROP_PX = 48
CROP_REACH_PX = 33.5  # from the tile's centre to the middle of a corner's crop
# The networks' classes: numerals 0-9, a corner with no mark, what is no corner, one pip to five pips.
BLANK, NONE, FIRST_PIP, CLASSES = 10, 11, 12, 17
ROUNDED, FEET_TO_CENTRE, WOOD, PIPS, DRILLED = 1, 2, 4, 8, 16
MOST_PIPS = 5
_RARITY = 2.0  # by how much, as a logarithm, pips must be likelier than numerals: what is bare is no 0-0-0
_PIPS_TEMPER = 4.2  # pips were seen on few real sets: on photographs the networks are surer of them than right
_UNSURE = 0.02  # the weight of the other kind of marks, against 1 for the kind a face seems to have

# Where pips sit in a corner, in steps from their middle: (towards the corner, across).
ARRANGEMENTS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((0.0, 0.0),),
    ((-0.6, 0.0), (0.6, 0.0)),
    ((0.6, 0.0), (-0.6, -1.0), (-0.6, 1.0)),
    ((1.1, 0.0), (0.0, -1.0), (0.0, 1.0), (-1.1, 0.0)),
    ((1.1, 0.0), (0.0, -1.0), (0.0, 1.0), (-1.1, 0.0), (0.0, 0.0)),
)

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

    `turns_deg` turns each numeral, or the pips of a corner, about their middle (0: as `variant` says).
    """

    height: float = 0.19
    reach: float = 0.2774  # from the tile's centre to the numeral's; the corner is at 0.5774
    pin: float = 0.1
    radius: float = 0.05
    turns_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pip: float = 0.075
    pitch: float = 0.102
    pips_reach: float = 0.225  # from the tile's centre to the middle of the pips
    light_deg: float = -120.0
    grain: float = 0.05  # by how much the grain of wood is darker and brighter than the face
    seed: int = 0


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
    grain = make.grain if style.variant & WOOD else 0.0
    canvas = plate(corners, size, make.radius * side_px, style, grain, style.variant + make.seed)
    if not values:
        return canvas
    for corner, number in enumerate(values):
        colour = style.pips[number % len(style.pips)] if style.pips else style.ink
        if style.variant & PIPS:
            for x, y in middle + side_px * pip_places(number, corner, make):
                radius = make.pip * style.mark_size * side_px / 2
                pip(canvas, (float(x), float(y)), radius, colour, make.light_deg if style.variant & DRILLED else None)
            continue
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
        blend(canvas, 0.97 * numerals(canvas, number, pen, make.height * style.mark_size * side_px), colour)
    if style.pin is not None:
        stud(canvas, (middle, middle), make.pin / 2 * side_px, style.pin)
    return canvas


def pip_places(number: int, corner: int, make: Make) -> Points:
    """Where the pips of a number sit in a corner, from the tile's centre in parts of its side, (number, 2)."""
    towards = np.deg2rad(corner_deg(corner))
    turn = towards + np.deg2rad(make.turns_deg[corner])
    steps = make.pitch * np.array(ARRANGEMENTS[number]).reshape(-1, 2)
    middle = make.pips_reach * np.array([np.cos(towards), np.sin(towards)])
    places: Points = middle + steps @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    return places


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
    plain = np.median(face[inside][::3], axis=0).astype(np.float32)
    alone = (face - plain) * inside[..., None]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.stack([cv2.warpAffine(alone, cut, (CROP_PX, CROP_PX), flags=flags) for cut in maps]).astype(np.float32)


def differences(crops: Floats) -> Floats:
    """What the first reader sees of upright corners: their pictures, (3, 3, 48, 48)."""
    seen: Floats = crops.transpose(0, 3, 1, 2) / np.float32(100)
    return seen


def directions(crops: Floats) -> Floats:
    """What the second reader sees of upright corners: how much edge of what differs from the tile's colour,
    by however much, runs in each of eight directions, in 8 x 8 cells, (3, 512)."""
    below = crops.reshape(-1, CROP_PX, 3)  # the corners one below the other, to take all at once
    ink = cv2.GaussianBlur(np.sqrt(np.einsum("yxc,yxc->yx", below, below) / 3), (0, 0), 0.8)
    inner, places = _cells(len(crops))
    x, y = (cv2.Sobel(ink, cv2.CV_32F, *axis) * inner for axis in ((1, 0), (0, 1)))
    strength, turn = cv2.cartToPolar(x, y)
    sector = turn * np.float32(4 / np.pi)
    low = sector.astype(np.int64)
    upper = strength * (sector - low)
    at = np.concatenate([places + 64 * (low & 7), places + 64 * (low + 1 & 7)], axis=None)
    weights = np.concatenate([strength - upper, upper], axis=None)
    cells = np.bincount(at, weights, 512 * len(crops)).reshape(-1, 8, 8, 8) / (CROP_PX / 8) ** 2
    around = np.stack([cv2.blur(edges, (3, 3)) for edges in cells.sum(axis=1)])[:, None]
    seen: Floats = np.sqrt(cells / (around + 0.15 * around.max(axis=(2, 3), keepdims=True) + 12.0)).astype(np.float32)
    return seen.reshape(-1, 512)


@cache
def _cells(crops: int) -> tuple[Floats, NDArray[np.int64]]:
    """Of crops one below the other, (48 * crops, 48): 0 at their seams, else 1; and the cell of each pixel."""
    inner = np.ones((crops, CROP_PX, CROP_PX), np.float32)
    inner[:, :3] = inner[:, -3:] = 0
    row = np.arange(CROP_PX, dtype=np.int64) * 8 // CROP_PX
    cell = 512 * np.arange(crops)[:, None, None] + row[:, None] * 8 + row
    return inner.reshape(-1, CROP_PX), cell.reshape(-1, CROP_PX)


def bears_pips(seen: Chances, told: Chances) -> bool:
    """Whether the marks on a face are pips.

    A tile bears numerals or pips, never both; which, all corners and both readers say together. A corner
    without a mark is bare: no corner of a tile with numerals, none on a tile with pips.

    Args:
        seen: (3, 17), the classes of the networks, by the first reader.
        told: the same by the second reader.
    """
    both = np.concatenate([seen, told])
    numerals = np.log(both[:, :BLANK].sum(axis=1) + both[:, BLANK] + _UNSURE).sum()
    pips = np.log(both[:, FIRST_PIP:].sum(axis=1) + both[:, BLANK] + _UNSURE).sum()
    return bool(pips > numerals + _RARITY)


def numbers_of(seen: Chances, told: Chances) -> tuple[Chances, Chances]:
    """The chances of the numbers on a face, whichever kind of marks it bears: for each reader (3, 12)."""
    by_marks = _by_pips if bears_pips(seen, told) else _by_numerals
    return by_marks(seen), by_marks(told)


def _by_numerals(chances: Chances) -> Chances:
    """The chances of the numbers of a tile with numerals, (3, 12): 0-9, bare, no corner."""
    numbers: Chances = chances[:, :FIRST_PIP].copy()
    numbers[:, NONE] += chances[:, FIRST_PIP:].sum(axis=1)
    return numbers


def _by_pips(chances: Chances) -> Chances:
    """The same of a tile with pips."""
    numbers = np.zeros((len(chances), FIRST_PIP))
    numbers[:, 0] = chances[:, BLANK]
    numbers[:, 1 : MOST_PIPS + 1] = chances[:, FIRST_PIP:]
    numbers[:, NONE] = chances[:, NONE] + chances[:, :BLANK].sum(axis=1)
    return numbers


class Triomino:
    """The triomino as a kind of tile, read by the networks of a folder."""

    name = TRIOMINO
    face_size_px = FACE_PX

    def __init__(self, networks: Path = FOLDER) -> None:
        self._networks = networks

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
        crops = corners_upright(face)
        seen = network("triomino-corners", self._networks).probabilities(differences(crops))
        told = network("triomino-directions", self._networks).probabilities(directions(crops))
        lost = washed_out(face[_cuts()[1]])
        for chances in (seen, told):
            chances[:, NONE] += lost * chances[:, BLANK]
            chances[:, BLANK] *= 1 - lost
        reading = verdict(*numbers_of(seen, told), highest)
        return tempered(reading, _PIPS_TEMPER) if bears_pips(seen, told) else reading


KIND = Triomino()
