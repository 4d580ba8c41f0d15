"""Triominoes: a triangle with a numeral from 0 to 9, or none to five pips, in each corner.

Drawing honours `Style` thus: `pips` gives a colour per number (number modulo their count), else `ink`;
`mark_size` scales the marks; `variant` is a sum of 1 (rounded instead of flat-ended numerals), 2 (feet
to the centre instead of to the corner), 4 (wood), 8 (pips instead of numerals) and 16 (pips are drilled).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import TRIOMINO, Shape
from vision.kinds import NOTHING_EXPECTED, Expectation, FaceReading, Feet, Image, Marks, Points, Style
from vision.kinds.dots import count_chances
from vision.kinds.numerals import Numerals, flat_numerals, rounded_numerals
from vision.kinds.paint import Canvas, blend, finished, pip, plate, stud
from vision.kinds.plate import Plate
from vision.kinds.verdict import clipped, tempered, verdict, washed_out
from vision.models import FOLDER, network

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Shift = tuple[float, float]
Colour = tuple[int, int, int]

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
# How far from its corner's direction the foot of a numeral may point, degrees clockwise, for each corner.
_FEET_DEG: dict[Feet, tuple[tuple[float, float, float], ...]] = {
    Feet.CORNER: ((0.0, 0.0, 0.0),),
    Feet.CENTRE: ((180.0, 180.0, 180.0),),
    Feet.UPRIGHT: ((180.0, 60.0, -60.0), (-60.0, 180.0, 60.0), (60.0, -60.0, 180.0)),
}
_CLEAR = 0.9  # from here on a reading needs no second look
_DOUBT = 2.0  # the power by which a face that needed one is believed less
_HOPELESS = 0.3  # below it, a second look would not help
_ABOUT_PX: tuple[Shift, ...] = ((1.5, 1.5), (-1.5, 1.5), (1.5, -1.5), (-1.5, -1.5))  # where the second look is taken
_LEAST = 1e-6  # the least chance a network is taken to give
_NO_EDGE = 0.5  # the most a back is believed that ends nowhere: it may be the table
_RARITY = 2.0  # by how much, as a logarithm, pips must be likelier than numerals: what is bare is no 0-0-0
_PIPS_TEMPER = 2.0  # pips were seen on few real sets: on photographs the networks may be surer of them than right
_LEARNT_TEMPER = 1.5  # the same once the set was shown
_MISCOUNTED = 0.02  # the chance by which pips may be any other number than counted
_LOST_PIPS = 0.4  # a chance of more pips from which on counting fewer makes nothing surer: paint gets lost
_BACK_OR_NONE = 0.5  # the most a face without any pips is believed
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
    grain_deg: float = 0.0  # which way it runs, clockwise from the tile's angle
    pores: float = 0.0  # by how much the short dark streaks of open wood are darker than the face
    seed: int = 0
    # Of each number of pips: how much farther from the centre they sit, how far they are turned, how much wider
    # across they stand.
    pips_outward: tuple[float, ...] = (0.0,) * 6
    pips_turned_deg: tuple[float, ...] = (0.0,) * 6
    pips_across: tuple[float, ...] = (1.0,) * 6
    uneven: float = 0.0  # how uneven the paint of pips is, as a part; the more so, the oftener a pip has lost it


def corner_deg(corner: int) -> float:
    """The direction of a corner as seen from the centre, degrees clockwise from the picture's right."""
    return 120.0 * corner


def paint(values: tuple[int, ...], style: Style, make: Make, scale: int, numerals: Numerals) -> Canvas:
    """Draw a triomino's face of the given make, BGRA, not yet rounded to whole numbers."""
    middle = (CENTRE_PX + 0.5) * scale - 0.5
    turns = np.deg2rad([corner_deg(corner) for corner in range(3)])
    corners = middle + CIRCUMRADIUS_PX * scale * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    side_px = SIDE_PX * scale
    size = (FACE_PX[0] * scale, FACE_PX[1] * scale)
    grain = make.grain if style.variant & WOOD else 0.0
    canvas = plate(corners, size, make.radius * side_px, style, grain, style.variant + make.seed, make.grain_deg)
    if style.variant & WOOD and make.pores:
        canvas[..., :3] *= 1 - np.float32(make.pores) * open_wood(make.seed, size, scale, make.grain_deg)[..., None]
    if not values:
        return canvas
    for corner, number in enumerate(values):
        colour = style.pips[number % len(style.pips)] if style.pips else style.ink
        if style.variant & PIPS:
            radius = make.pip * style.mark_size * side_px / 2
            light_deg = make.light_deg if style.variant & DRILLED else None
            paints = _paints(colour, style.face if style.variant & DRILLED else colour, make, corner)
            for (x, y), paint in zip(middle + side_px * pip_places(number, corner, make), paints, strict=False):
                pip(canvas, (float(x), float(y)), radius, paint, light_deg)
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
    turn = towards + np.deg2rad(make.turns_deg[corner] + make.pips_turned_deg[number])
    steps = make.pitch * np.array(ARRANGEMENTS[number]).reshape(-1, 2) * (1.0, make.pips_across[number])
    middle = (make.pips_reach + make.pips_outward[number]) * np.array([np.cos(towards), np.sin(towards)])
    places: Points = middle + steps @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    return places


def _paints(colour: Colour, hole: Colour, make: Make, corner: int) -> list[Colour]:
    """What each pip of a corner is painted with: never quite alike, and a dark hole where the paint is lost."""
    if not make.uneven:
        return [colour] * MOST_PIPS
    random = np.random.default_rng((make.seed, corner))
    paints: list[Colour] = []
    for _ in range(MOST_PIPS):
        tone, lost = random.normal(1, make.uneven), random.random() < make.uneven / 3
        blue, green, red = (int(np.clip(part * (0.4 if lost else tone), 0, 255)) for part in (hole if lost else colour))
        paints.append((blue, green, red))
    return paints


def open_wood(seed: int, size: tuple[int, int], scale: int, turn_deg: float) -> Canvas:
    """Where open wood shows its pores, short dark streaks along the grain: (height, width), 0..1."""
    width, height = size
    side = int(np.ceil(np.hypot(width, height)))
    cells = np.random.default_rng(seed).standard_normal((round(side / (1.3 * scale)), round(side / (12 * scale))))
    streaks = np.clip(cv2.resize(cells.astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR) - 0.7, 0, 1)
    turn = np.asarray(cv2.getRotationMatrix2D((side / 2, side / 2), -turn_deg, 1.0), float)
    turn[:, 2] += np.array([width - side, height - side]) / 2
    return np.asarray(cv2.warpAffine(streaks, turn, size), np.float32)


@cache
def plate_seen() -> Plate:
    """Where a face shows what, apart from its marks."""
    turns = np.deg2rad([corner_deg(corner) for corner in range(3)])
    corners = CENTRE_PX + CIRCUMRADIUS_PX * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return Plate.of(corners, FACE_PX, 0.05 * SIDE_PX)


@cache
def _cut(corner: int, foot_deg: float) -> Points:
    """The (2, 3) map from a corner's crop, upright for a foot that points so far past the corner, to the face."""
    towards = np.deg2rad(corner_deg(corner))
    turn = towards + np.deg2rad(foot_deg)
    foot = np.array([(np.sin(turn), np.cos(turn)), (-np.cos(turn), np.sin(turn))])
    centre = CENTRE_PX + CROP_REACH_PX * np.array([np.cos(towards), np.sin(towards)])
    return np.column_stack([foot, centre - foot @ np.full(2, (CROP_PX - 1) / 2)])


def corners_upright(
    face: Image, feet_deg: tuple[float, float, float] = (0.0, 0.0, 0.0), shift_px: tuple[float, float] = (0.0, 0.0)
) -> Floats:
    """The three corners turned upright: difference from the tile's colour, (3, 3, 48, 48).

    What lies beside the tile is blotted out: it says nothing about the tile.

    Args:
        feet_deg: for each corner, how far from the corner's direction the foot of its numeral points, clockwise.
        shift_px: by how much beside its place everything is looked for.
    """
    tile = plate_seen()
    plain = np.array([*np.median(tile.own(face, every=3), axis=0), 0.0])
    alone = cv2.subtract(face, plain, mask=tile.mask, dtype=cv2.CV_32F)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    aside = np.array([(0.0, 0.0, shift_px[0]), (0.0, 0.0, shift_px[1])])
    cuts = [_cut(corner, foot) + aside for corner, foot in enumerate(feet_deg)]
    crops = np.stack([cv2.warpAffine(alone, cut, (CROP_PX, CROP_PX), flags=flags) for cut in cuts])
    return np.asarray(crops.transpose(0, 3, 1, 2) / np.float32(100), np.float32)


def marks_on(seen: Chances, told: Chances) -> Marks:
    """What marks a face bears.

    A tile bears numerals or pips, never both; which, all corners and both readers say together. A corner
    without a mark is bare: no corner of a tile with numerals, none on a tile with pips.

    Args:
        seen: (3, 17), the classes of the networks, by the first reader.
        told: the same by the second reader.
    """
    both = np.concatenate([seen, told])
    numerals = np.log(both[:, :BLANK].sum(axis=1) + both[:, BLANK] + _UNSURE).sum()
    pips = np.log(both[:, FIRST_PIP:].sum(axis=1) + both[:, BLANK] + _UNSURE).sum()
    return Marks.PIPS if pips > numerals + _RARITY else Marks.NUMERALS


def _all_bare(chances: Chances) -> bool:
    """Whether every corner may well be one without a mark, and is hardly one with a mark."""
    bare, marked = chances[:, BLANK], 1 - chances[:, BLANK] - chances[:, NONE]
    return bool((bare > 0.01).all() and (marked < 0.2).all())


def numbers_of(chances: Chances, marks: Marks) -> Chances:
    """The chances of the numbers on a face that bears such marks, (3, 12): 0-9, bare, no corner."""
    return _by_pips(chances) if marks is Marks.PIPS else _by_numerals(chances)


def _by_numerals(chances: Chances) -> Chances:
    numbers: Chances = chances[:, :FIRST_PIP].copy()
    numbers[:, NONE] += chances[:, FIRST_PIP:].sum(axis=1)
    return numbers


def _by_pips(chances: Chances) -> Chances:
    numbers = np.zeros((len(chances), FIRST_PIP))
    numbers[:, 0] = chances[:, BLANK]
    numbers[:, 1 : MOST_PIPS + 1] = chances[:, FIRST_PIP:]
    numbers[:, NONE] = chances[:, NONE] + chances[:, :BLANK].sum(axis=1)
    return numbers


def _one_reader(face: Image, seen: Chances, told: Chances, lost: float) -> Chances:
    """What both networks see of the pips of a tile, (3, 12); a corner without pips is known by what it is made of.

    Args:
        lost: how far pips may be lost to too much light, 0..1.
    """
    together = np.sqrt(numbers_of(seen, Marks.PIPS) * numbers_of(told, Marks.PIPS))
    if together[:, NONE].max() > _UNSURE:
        own = plate_seen().own_corners(face)
        together[own, 0] += (1 - lost) * together[own, NONE]
        together[own, NONE] *= lost
    together /= together.sum(axis=1, keepdims=True)
    return together


def _counted(face: Image) -> Chances:
    """The chances of the numbers by counting pips, (3, 12), as `numbers_of` has them."""
    turns = (corner_deg(0), corner_deg(1), corner_deg(2))
    counts = np.full((3, FIRST_PIP), _LEAST)
    counts[:, : MOST_PIPS + 1] = count_chances(face, plate_seen().inside, turns, SIDE_PX) + _MISCOUNTED
    counts /= counts.sum(axis=1, keepdims=True)
    return counts


def may_be_more(values: tuple[int, ...], seen: Chances, told: Chances) -> bool:
    """Whether a network sees more pips in a corner than these: pips may have lost their paint, none come by chance."""
    most = np.maximum(*(numbers_of(chances, Marks.PIPS)[:, : MOST_PIPS + 1] for chances in (seen, told)))
    more = np.arange(MOST_PIPS + 1) > np.array(values)[:, None]
    return bool((most * more).max() > _LOST_PIPS)


class Triomino:
    """The triomino as a kind of tile, read by the networks of a folder."""

    name = TRIOMINO
    face_size_px = FACE_PX
    readers = ("triomino-corners", "triomino-directions")
    nothing = NONE

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

    def crops(self, face: Image, feet: Feet | None = None) -> Floats:
        """What the networks are shown of a face, (ways, 3, 3, 48, 48)."""
        return np.stack([corners_upright(face, turned) for turned in _FEET_DEG[feet or Feet.CORNER]])

    def classes(self, values: tuple[int, ...], marks: Marks | None = None) -> tuple[int, ...]:
        """The networks' classes of numbers that are shown by such marks; numerals unless told otherwise."""
        if marks is not Marks.PIPS:
            return values
        return tuple(FIRST_PIP + value - 1 if value else BLANK for value in values)

    def numbers(self, chances: Chances, marks: Marks | None = None) -> Chances:
        """The chances of the numbers, (3, 10), for a face that is face up."""
        numbers = numbers_of(chances, marks or Marks.NUMERALS)[:, :BLANK] + _LEAST
        numbers /= numbers.sum(axis=1, keepdims=True)
        return numbers

    def read(self, face: Image, highest: int, expected: Expectation = NOTHING_EXPECTED) -> FaceReading:
        """Read a canonical face by the pictures of its corners and by the directions of their edges."""
        reading = self._look(face, highest, expected, ((0.0, 0.0),))
        if not reading.values or reading.confidence < _HOPELESS or (reading.agreed and reading.confidence >= _CLEAR):
            return reading
        return tempered(self._look(face, highest, expected, _ABOUT_PX), _DOUBT)

    def _look(self, face: Image, highest: int, expected: Expectation, shifts_px: tuple[Shift, ...]) -> FaceReading:
        """What is read when the face is looked at in all these places, a little beside its own."""
        seen, told = self._chances(face, expected, shifts_px)
        lost = washed_out(plate_seen().own(face))
        bare = _all_bare(seen) and _all_bare(told)
        ends = bare and plate_seen().stands_out(face)
        for chances in (seen, told):
            if ends:  # a corner without a mark looks like a piece of table; but this one belongs to a tile
                chances[:, BLANK] += chances[:, NONE]
                chances[:, NONE] = 0
            chances[:, NONE] += lost * chances[:, BLANK]
            chances[:, BLANK] *= 1 - lost
        marks = expected.marks or marks_on(seen, told)
        reading = verdict(numbers_of(seen, marks), numbers_of(told, marks), highest, expected.unseen)
        if bare and not ends:
            return replace(reading, confidence=min(reading.confidence, _NO_EDGE))
        if marks is Marks.NUMERALS:
            return reading
        reading = tempered(reading, _LEARNT_TEMPER if expected.learnt else _PIPS_TEMPER)
        own = plate_seen().own(face)
        pale = clipped(own, 1)
        counted = verdict(_one_reader(face, seen, told, pale), _counted(face), highest, expected.unseen, apart=True)
        if 0 in counted.values:  # where colours are lost there is nothing to count
            counted = tempered(counted, 1.0, most=1 - pale)
        if counted.agreed and counted.confidence > reading.confidence and not may_be_more(counted.values, seen, told):
            reading = counted
        if 0 not in reading.values:
            return reading
        # A tile without any pips looks like the back of one, and in too much light pips of some colours vanish.
        return tempered(reading, 1.0, most=1 - clipped(own, 2) if any(reading.values) else _BACK_OR_NONE)

    def _chances(self, face: Image, expected: Expectation, shifts_px: tuple[Shift, ...]) -> tuple[Chances, Chances]:
        """The chances by either reader, for the way of standing that shows most of a number."""
        feet, learnt = _FEET_DEG[expected.feet or Feet.CORNER], expected.learnt
        crops = np.concatenate([corners_upright(face, turned, shift) for turned in feet for shift in shifts_px])
        readers = [(network(name, self._networks), learnt.get(name)) for name in self.readers]
        size = (len(feet), len(shifts_px), 3, CLASSES)
        looks = [np.log(reader.probabilities(crops, known).reshape(size) + _LEAST) for reader, known in readers]
        seen, told = (np.exp(each.mean(axis=1)) for each in looks)
        clear = np.log(seen[..., :BLANK].max(axis=2) * told[..., :BLANK].max(axis=2)).sum(axis=1)
        best = int(clear.argmax())
        return tuple(each[best] / each[best].sum(axis=1, keepdims=True) for each in (seen, told))


KIND = Triomino()
