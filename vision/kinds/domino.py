"""Dominoes: two halves with pips from none to twelve, a divider between them.

Drawing honours `Style` thus: `pips` gives a colour per number (number modulo their count), else `ink`;
`mark_size` scales the pips; `variant` is a sum of 1 (the 2 on the other diagonal), 2 (the 3 on the
other diagonal), 4 (drilled pips), 8 (a divider that does not reach the sides) and 16 (wood).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import DOMINO, Shape
from vision.kinds import NOTHING_EXPECTED, Expectation, FaceReading, Feet, Image, Marks, Points, Style
from vision.kinds.paint import Canvas, blend, finished, pip, plate, rounded_depth, stud
from vision.kinds.verdict import verdict, washed_out
from vision.models import FOLDER, network

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Place = tuple[float, float]

FACE_PX = (160, 80)
TWO_MIRRORED, THREE_MIRRORED, DRILLED, SHORT_DIVIDER, WOOD = 1, 2, 4, 8, 16

# Places of the pips on one half in steps from its centre: (along the tile, across it).
_RING = tuple((u, v) for u in (-1.0, 0.0, 1.0) for v in (-1.0, 0.0, 1.0) if (u, v) != (0.0, 0.0))
_CENTRE = ((0.0, 0.0),)
_FALLING, _RISING = ((-1.0, -1.0), (1.0, 1.0)), ((-1.0, 1.0), (1.0, -1.0))
_ROWS_OF_THREE = tuple((u, v) for u in (-1.0, 0.0, 1.0) for v in (-1.0, 1.0))
_FOURTHS = (-1.2, -0.4, 0.4, 1.2)  # rows of four stand a little closer
_FRAME_OF_TEN = tuple((u, v) for u in _FOURTHS for v in (-1.0, 0.0, 1.0) if v or abs(u) > 1)
ARRANGEMENTS: tuple[tuple[Place, ...], ...] = (
    (),
    _CENTRE,
    _FALLING,
    _FALLING + _CENTRE,
    _FALLING + _RISING,
    _FALLING + _RISING + _CENTRE,
    _ROWS_OF_THREE,
    _ROWS_OF_THREE + _CENTRE,
    _RING,
    _RING + _CENTRE,
    _FRAME_OF_TEN,
    _FRAME_OF_TEN + _CENTRE,
    tuple((u, v) for u in _FOURTHS for v in (-1.0, 0.0, 1.0)),
)
_GRID: tuple[Place, ...] = ARRANGEMENTS[9]
_GRID_OF_FOURS: tuple[Place, ...] = ARRANGEMENTS[12]
_PLACES = _GRID + _GRID_OF_FOURS
_BACK, _NONE = 13, 14  # the networks' classes of a half with neither pips nor divider, and of none of these
_FAINTEST = 7.0  # the least contrast, in grey levels, taken for a pip
_OVERLOOKED = 0.02  # the chance that the places of the pips mislead, whatever they say
_CLEAR = 0.98  # from so sure on two of the three ways to read a half need no third
_MARKED = 0.9  # from here on a half surely bears pips
_UNKNOWN = 1e-3  # the weight of "something else", against 1 for a perfect fit


@dataclass(frozen=True, slots=True)
class Make:
    """How a set is made, in parts of the tile's width; what `Style` leaves open."""

    pip: float = 0.17
    pitch_along: float = 0.28
    pitch_across: float = 0.28
    divider: float = 0.045
    divider_reach: float = 0.86
    pin: float = 0.13
    radius: float = 0.1
    divider_ink: tuple[int, int, int] | None = None  # None: the style's ink
    light_deg: float = -120.0
    outward: float = 0.0  # by how much the pips sit farther from the divider than in the middle of their half
    grain: float = 0.05  # by how much the grain of wood is darker and brighter than the face
    grain_deg: float = 0.0  # which way it runs, clockwise from the tile's angle
    seed: int = 0


def places(number: int, variant: int = 0) -> tuple[tuple[float, float], ...]:
    """Where the pips of a number sit on a half: steps along and across the tile from the half's centre."""
    mirrored = (number == 2 and variant & TWO_MIRRORED) or (number == 3 and variant & THREE_MIRRORED)
    return tuple((u, -v) for u, v in ARRANGEMENTS[number]) if mirrored else ARRANGEMENTS[number]


def paint(values: tuple[int, ...], style: Style, make: Make, scale: int) -> Canvas:
    """Draw a domino's face of the given make, BGRA, not yet rounded to whole numbers."""
    width, height = FACE_PX[0] * scale, FACE_PX[1] * scale
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) - 0.5
    grain = make.grain if style.variant & WOOD else 0.0
    canvas = plate(
        corners, (width, height), make.radius * height, style, grain, style.variant + make.seed, make.grain_deg
    )
    if not values:
        return canvas
    middle = ((width - 1) / 2, (height - 1) / 2)
    _divide(canvas, middle, style, make)
    outward = make.outward * height
    halves_x = (height / 2 - 0.5 - outward, width - height / 2 - 0.5 + outward)
    for number, centre_x in zip(values, halves_x, strict=True):
        colour = style.pips[number % len(style.pips)] if style.pips else style.ink
        for u, v in places(number, style.variant):
            along = min(make.pitch_along, 0.3) if number >= 10 else make.pitch_along
            centre = (centre_x + u * along * height, middle[1] + v * make.pitch_across * height)
            radius = make.pip * style.mark_size * (0.82 if number >= 10 else 1.0) * height / 2
            pip(canvas, centre, radius, colour, make.light_deg if style.variant & DRILLED else None)
    if style.pin is not None:
        stud(canvas, middle, make.pin / 2 * height, style.pin)
    return canvas


def _divide(canvas: Canvas, middle: tuple[float, float], style: Style, make: Make) -> None:
    height = canvas.shape[0]
    reach = (0.62 if style.variant & SHORT_DIVIDER else make.divider_reach) * height / 2
    x, y = np.arange(canvas.shape[1], dtype=np.float32), np.arange(height, dtype=np.float32)
    across = np.clip(make.divider * height / 2 + 0.5 - np.abs(x - middle[0]), 0, 1)
    along = np.clip(reach + 0.5 - np.abs(y - middle[1]), 0, 1)
    blend(canvas, 0.9 * np.outer(along, across).astype(np.float32), make.divider_ink or style.ink)


def halves(face: Image) -> Floats:
    """What the network sees: the halves with the divider, outer ends to the left, (2, 3, 48, 48).

    It is their difference from the tile's own colour.
    """
    past_divider = (face[:, :88], cv2.flip(face[:, 72:], -1))
    shrunk = [cv2.resize(half, (48, 48), interpolation=cv2.INTER_AREA) for half in past_divider]
    seen: Floats = (np.stack(shrunk).astype(np.float32) - _usual(face[4:-4, 4:-4])) / np.float32(100)
    return seen.transpose(0, 3, 1, 2)


def _usual(picture: Image) -> Floats:
    """The median of each colour, (3,), of a BGR picture with an even number of pixels."""
    half = picture.shape[0] * picture.shape[1] // 2
    counts = [cv2.calcHist([picture], [colour], None, [256], [0, 256]).ravel() for colour in range(3)]
    return np.array([each.cumsum().searchsorted((half, half + 1)).mean() for each in counts], np.float32)


def _split(face: Image) -> tuple[Image, Image]:
    """The two halves, each with its outer end to the left."""
    return face[:, :80], np.asarray(cv2.flip(face[:, 80:], -1), np.uint8)


def position_chances(face: Image, highest: int) -> Chances:
    """The chance of every number on either half by the contrast at the places of the pips, (2, 13)."""
    each = [_places_shown(half) for half in _split(face)]
    scores = _scores(np.array([shown for shown, _ in each]), highest)
    clear = np.array([clear for _, clear in each])
    scores -= np.logaddexp(0, -clear)[:, None]
    scores[:, 0] = -np.logaddexp(0, clear)
    chances: Chances = np.exp(scores)
    chances /= chances.sum(axis=1, keepdims=True) + _UNKNOWN
    return chances


def _places_shown(half: Image) -> tuple[Chances, float]:
    """How much each place looks like the one most like a pip, and how clearly that is one."""
    contrast = _contrast(half)
    strength = np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(contrast, contrast), np.ones((1, 3)))), np.float32)
    rows, columns = _pixels()
    near = cv2.dilate(strength, np.ones((7, 7), np.uint8))[rows, columns]
    strongest = int(near[: len(_GRID)].argmax())
    top, left = rows[strongest] - 3, columns[strongest] - 3
    row, column = divmod(int(strength[top : top + 7, left : left + 7].argmax()), 7)
    ink = contrast[top + row, left + column]
    reach = float(np.linalg.norm(ink))
    along_ink = cv2.transform(contrast, ink[None] / max(reach, 1e-6))
    shown = cv2.dilate(along_ink, np.ones((7, 7), np.uint8))[rows, columns] / max(reach, 1e-6)
    threshold = max(_FAINTEST, 1.5 * _quarter(strength[_shown()]))
    return shown.astype(np.float64), (reach - threshold) / (0.15 * threshold)


def _quarter(strength: Floats) -> float:
    """What a quarter of the ground stays below: what it looks like without a pip."""
    place, part = divmod((len(strength) - 1) / 4, 1)
    low, high = np.partition(strength, (int(place), int(place) + 1))[int(place) : int(place) + 2].tolist()
    return float(low + part * (high - low))


@cache
def _plain() -> Floats:
    """Where a half shows only its own face, 1 inside, (80, 80, 3): not the bevel, the divider, the pin."""
    box = np.array([(-0.5, -0.5), (90, -0.5), (90, 79.5), (-0.5, 79.5)])
    plain = (rounded_depth(box, (80, 80), 12.0) > 5.5).astype(np.float32)
    plain[:, 72:] = 0
    return np.dstack([plain] * 3)


@cache
def _shown() -> NDArray[np.bool_]:
    """The same as yes and no, (80, 80)."""
    shown: NDArray[np.bool_] = _plain()[..., 0] > 0
    return shown


def _contrast(half: Image) -> Floats:
    """How each spot's colour differs from its surroundings on the plain face, (80, 80, 3)."""
    kept = cv2.multiply(half, _plain(), dtype=cv2.CV_32F)
    near = cv2.multiply(cv2.GaussianBlur(kept, (0, 0), 2.5), _weight(2.5, 1))
    quarter = cv2.resize(kept, (40, 40), interpolation=cv2.INTER_AREA)
    around = cv2.multiply(cv2.GaussianBlur(quarter, (0, 0), 4.5), _weight(4.5, 2))
    contrast = cv2.subtract(near, cv2.resize(around, (80, 80), interpolation=cv2.INTER_LINEAR))
    return np.asarray(cv2.multiply(contrast, _plain()), np.float32)


@cache
def _weight(sigma: float, shrink: int) -> Floats:
    """What makes a blur of the kept part a mean over the kept part, (height, width, 3)."""
    plain = cv2.resize(_plain(), (80 // shrink, 80 // shrink), interpolation=cv2.INTER_AREA)
    return np.asarray(1 / np.maximum(cv2.GaussianBlur(plain, (0, 0), sigma), 0.02), np.float32)


@cache
def _pixels() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns of all places in a picture of a half, for the usual pitch."""
    along, across = np.array(_PLACES).T
    return np.rint(39.5 + across * 23).astype(np.intp), np.rint(39.5 + along * 23).astype(np.intp)


@cache
def _patterns() -> tuple[NDArray[np.intp], Chances, Chances]:
    """Numbers, (patterns,), and at which places they have a pip and at which they have none, (places, patterns)."""
    mirrored = [(2, places(2, TWO_MIRRORED)), (3, places(3, THREE_MIRRORED))]
    known = [*enumerate(ARRANGEMENTS)][1:] + mirrored
    looked_at = {10: _GRID_OF_FOURS + _CENTRE, 11: ARRANGEMENTS[11], 12: _GRID_OF_FOURS}
    there = np.array([[place in pips for _, pips in known] for place in _PLACES])
    asked = np.array([[place in looked_at.get(number, _GRID) for number, _ in known] for place in _PLACES])
    return np.array([number for number, _ in known]), there.astype(np.float64), (asked & ~there).astype(np.float64)


def _scores(shown: Chances, highest: int) -> Chances:
    """How well what the places show, (halves, places), fits every number but none, (halves, 13), as a logarithm."""
    numbers, there, bare = _patterns()
    fits = _log_chance(shown - 0.5) @ there + _log_chance(0.5 - shown) @ bare
    scores = np.full((len(shown), 13), -np.inf)
    np.maximum.at(scores.T, numbers, fits.T)
    if highest <= 9:
        scores[:, 10:] = -np.inf
        return scores
    # 10 to 12 are told from 6 to 9 by where the rows along the sides are strongest, and from each other by the middle.
    column = {place: shown[:, index] for index, place in enumerate(_PLACES)}
    more_inside = (column[-0.4, 0.0] + column[0.4, 0.0]) / 2 - column[0.0, 0.0]
    threes = (column[0.0, -1.0] + column[0.0, 1.0]) / 2
    fours = (column[-0.4, -1.0] + column[-0.4, 1.0] + column[0.4, -1.0] + column[0.4, 1.0]) / 4
    scores[:, 11] += _log_chance(-more_inside)
    scores[:, 12] += _log_chance(more_inside)
    scores[:, 6:10] += _log_chance(threes - fours)[:, None]
    scores[:, 10:] += _log_chance(fours - threes)[:, None]
    return scores


def _log_chance(margin: Chances) -> Chances:
    """The logarithm of the chance of what a contrast so much above the limit tells."""
    chances: Chances = -np.logaddexp(0, -margin / 0.08)
    return chances


class Domino:
    """The domino as a kind of tile, read by the networks of a folder."""

    name = DOMINO
    face_size_px = FACE_PX
    readers = ("domino-halves", "domino-directions")
    nothing = _NONE

    def __init__(self, networks: Path = FOLDER) -> None:
        self._networks = networks

    def outline(self, shape: Shape) -> Points:
        """The four corners, (4, 2) mm, tile frame, clockwise as seen, beginning with
        the short side of `values[0]`."""
        x, y = shape.length_mm / 2, shape.width_mm / 2
        return np.array([(-x, y), (-x, -y), (x, -y), (x, y)])

    def face_from_tile(self, shape: Shape) -> Points:
        """The (3, 3) affinity from tile-frame mm to canonical face pixels."""
        width, height = FACE_PX
        return np.array(
            [
                (width / shape.length_mm, 0.0, (width - 1) / 2),
                (0.0, height / shape.width_mm, (height - 1) / 2),
                (0.0, 0.0, 1.0),
            ]
        )

    def draw(self, values: tuple[int, ...], style: Style, scale: int = 4) -> Image:
        """Draw the face, BGRA (80 * scale, 160 * scale, 4); `values` () draws the back."""
        return finished(paint(values, style, Make(), scale))

    def crops(self, face: Image, feet: Feet | None = None) -> Floats:  # noqa: ARG002  # pips have no feet
        """What the networks are shown of a face, (1, 2, 3, 48, 48)."""
        return halves(face)[None]

    def classes(self, values: tuple[int, ...], marks: Marks | None = None) -> tuple[int, ...]:  # noqa: ARG002  # pips
        """The networks' classes, which are the numbers themselves."""
        return values

    def numbers(self, chances: Chances, marks: Marks | None = None) -> Chances:  # noqa: ARG002  # always pips
        """The chances of the numbers, (2, 13); half of a face that bears no pip is empty."""
        numbers = chances[:, :_BACK].copy()
        numbers[:, 0] += chances[:, _BACK]
        numbers /= numbers.sum(axis=1, keepdims=True)
        return numbers

    def read(self, face: Image, highest: int, expected: Expectation = NOTHING_EXPECTED) -> FaceReading:
        """Read a canonical face by its picture, and by the directions of its edges and the places of the pips."""
        crops = halves(face)
        by_picture, by_edges = self.readers
        seen = network(by_picture, self._networks).probabilities(crops, expected.learnt.get(by_picture))
        told = _borne_out(position_chances(face, highest))
        if not _settled(seen, told):
            edges = network(by_edges, self._networks).probabilities(crops, expected.learnt.get(by_edges))
            told = edges * (told + _OVERLOOKED)
        told /= told.sum(axis=1, keepdims=True)
        divider = _divider(face)
        parts = [half[_shown()] for half in _split(face)]
        marked = 1 - np.minimum(*(chances[:, [0, _BACK, _NONE]].sum(axis=1) for chances in (seen, told)))
        for part, other in ((0, 1), (1, 0)):  # where the picture is all white, pale pips may have vanished
            lost = washed_out(parts[part], divider, parts[other] if marked[other] > _MARKED else None)
            for chances in (seen[part], told[part]):
                bare = chances[[0, _BACK]]
                chances[_NONE] += lost * bare.sum()
                chances[[0, _BACK]] = (1 - lost) * bare
        return verdict(_back_or_none(seen), _back_or_none(told), highest, expected.unseen)


def _divider(face: Image) -> float:
    """How bright the darkest line across the middle is, 0..1; 1 where there is none."""
    blue, green, red = cv2.split(face[14:-14, 73:87])
    lines = np.sort(cv2.max(cv2.max(blue, green), red), axis=0)
    middle = len(lines) // 2
    return float(lines[middle - 1 : middle + 1].mean(axis=0).min()) / 255


def _borne_out(places: Chances) -> Chances:
    """What the places of the pips say of all classes, (2, 15); they do not tell an empty half from a back."""
    return np.column_stack([places, places[:, 0], np.maximum(1 - places.sum(axis=1), 0)])


def _settled(seen: Chances, places: Chances) -> bool:
    """Whether the edges need not be asked: there is no tile, or picture and places are sure of the same pips.

    Of thousands of halves that both were so sure of, the edges never told another number.
    """
    if seen[:, _NONE].min() > _CLEAR:
        return True
    numbers = seen.argmax(axis=1)
    both = np.minimum(seen, places)[range(len(numbers)), numbers]
    return bool(((numbers > 0) & (numbers < _BACK) & (both > _CLEAR)).all())


def _back_or_none(chances: Chances) -> Chances:
    """The same, a half without pips taken for a back only as far as the other half is one too.

    The divider between them may lie on either side of the cut.
    """
    settled = chances.copy()
    settled[:, _BACK] = chances[:, _BACK] * chances[::-1, _BACK]
    settled[:, 0] += chances[:, _BACK] - settled[:, _BACK]
    return settled


KIND = Domino()
