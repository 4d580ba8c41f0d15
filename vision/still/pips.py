"""Dominoes whose sides cannot be seen: their dividers and the pattern of their pips tell where they lie.

Too much light makes white tiles one with a pale table, the edge of a shadow outshines the edges of tiles. A divider
bar still tells centre, width and one direction; how the table leans is what makes the spots beside all bars
stand in rows and columns as pips do. Then the pips of a tile tell its outline more exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import DOMINO
from vision.kinds import Image, Kind, Points
from vision.kinds.domino import THREE_MIRRORED, TWO_MIRRORED, places
from vision.still import pairs
from vision.still.bars import Bars, divider_bars
from vision.still.candidate import Candidate, darker_than_around, working_copy
from vision.still.plane import flatten
from vision.still.quads import BAR_PX, TILT_DIRECTIONS, TILTS, View, patch_frame
from vision.still.reading import MIN_SCORE_UNREAD, Read, inside, read_one, without_overlap

Numbers = NDArray[np.float64]
Whole = NDArray[np.intp]

MOST_BARS = 90  # the longest: patterns are small
WINDOWS = (13, 25, 49, 97)
DARKNESS = (0.9, 0.75, 0.55)
# Of a spot that may be a pip: its larger diameter in lengths of the bar, how slender, how much of its box it fills.
DIAMETER, SLENDER, FILLS = (0.12, 0.5), 2.6, 0.6
ALIKE, SAME_PLACE = 0.4, 0.35  # spots whose sizes differ less (logarithm), as near as this part of it, are one
NEAREST, FAR = 32, 2.2  # so many spots beside a bar are looked at, so far away in lengths of the bar
# In widths of the tile: between rows of pips, from the rim where nothing is looked for, how far a pip may be off.
PITCH, RIM, OFF = 0.28, 0.05, 0.07
SIDES_PER_BAR = np.arange(1.08, 1.6, 0.08)
STRAY, MIXED, SCRAMBLED = 0.6, 0.3, 0.7  # what spots cost that are no pips, or pips that make no number
LEAST_WORTH = 0.5  # of spots, against 1 for a pip in its place, or there is no domino
PULL = 0.7  # of the view, against 1 for a pip
STRETCHES, SHEARS = (0.9, 1.0, 1.1), (-0.12, 0.0, 0.12)
KNOWN_FOR_VIEW = 4
# A bar so near a known tile's middle, in its lengths, is its divider; others are about as long (logarithm).
IN_MIDDLE, LENGTHS_ALIKE = 0.1, 0.18
MOST_LOOKS = 3

_GRID = [(u, v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
_CORNERS = np.array([(-1, 1), (-1, -1), (1, -1), (1, 1)])


def _numbers_as_bits() -> NDArray[np.bool_]:
    """Of every set of places on a half, as bits, whether it shows a number."""
    shows = np.zeros(1 << len(_GRID), bool)
    for number in range(10):
        for variant in (0, TWO_MIRRORED, THREE_MIRRORED):
            shows[sum(1 << _GRID.index((round(u), round(v))) for u, v in places(number, variant))] = True
    return shows


_SHOWS_NUMBER = _numbers_as_bits()


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Where spots lie on a domino, for every bar.

    Attributes:
        used: (bars, 2, 9), how well a spot fits each place of either half, 0..1.
        stray: (bars, 2), spots of either half at no place.
    """

    used: Numbers
    stray: Whole

    @classmethod
    def of(cls, on_tile: Numbers) -> Lattice:
        """From spots (bars, spots, 2), in widths of the tile from its middle: along it and across."""
        half, place, off = _nearest_places(on_tile)
        fit = np.exp(-((off / OFF) ** 2) / 2) * (off < 2 * OFF)
        halves = half[:, None] == np.array([-1, 1])[:, None]  # (bars, 2, spots)
        at = halves[:, :, None] & (place[:, None, None] == np.arange(len(_GRID))[:, None])
        return cls((at * fit[:, None, None]).max(-1), (halves & (fit == 0)[:, None]).sum(-1))

    @property
    def shows_numbers(self) -> NDArray[np.bool_]:
        """Whether each half shows a number and nothing else, (bars, 2)."""
        return np.asarray(_SHOWS_NUMBER[self._bits] & (self.stray == 0), bool)

    @property
    def counts(self) -> Whole:
        """The pips on each half, (bars, 2)."""
        return np.asarray((self.used > 0).sum(-1), np.intp)

    @property
    def worth(self) -> Numbers:
        """How well the spots beside each bar are the pips of a domino, (bars,)."""
        fit = self.used.sum(-1)
        each = np.where(_SHOWS_NUMBER[self._bits], fit, MIXED * fit - SCRAMBLED) - STRAY * self.stray
        return np.asarray(each.sum(-1), np.float64)

    @property
    def _bits(self) -> Whole:
        return np.asarray((self.used > 0) @ (1 << np.arange(len(_GRID))), np.intp)


def _nearest_places(on_tile: Numbers) -> tuple[Whole, Whole, Numbers]:
    """For spots in widths from the middle: on which half (-1, 1; 0: beside the tile), at which place, how far off."""
    along, across = on_tile[..., 0], on_tile[..., 1]
    half = np.where(along < 0, -1, 1)
    u, v = (np.abs(along) - 0.5) / PITCH, across / PITCH * half
    row, column = (np.clip(np.rint(each), -1, 1).astype(int) for each in (u, v))
    off = np.hypot(u - row, v - column) * PITCH
    on = (np.abs(along) < 1 - RIM) & (np.abs(across) < 0.5 - RIM)
    return half * on, (row + 1) * 3 + column + 1, off


def search(image: Image, kind: Kind, read: list[Read], highest: int) -> list[Read]:
    """What was read, and the dominoes of a BGR picture that only their dividers and pips tell of."""
    small, scale = working_copy(image)
    bars = divider_bars(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
    bars = bars[np.argsort(-bars[:, 2], kind="stable")[:MOST_BARS]]
    every = [Read(_scaled(one.candidate, scale), one.reading) for one in read]
    if not len(bars) or not _open(bars, every).any():
        return read
    spots = _beside(bars, _spots(small, bars))
    frames, alike = _in_view(bars, spots), np.ones(len(bars), bool)
    for look in range(MOST_LOOKS):
        sure = sum(one.is_sure for one in every)
        found = [
            one
            for index in np.flatnonzero(alike & _open(bars, every))
            if (one := _read_by_pips(small, kind, bars[index], spots[index], frames[index], highest, bool(look)))
        ]
        whole = pairs.middles(small, [one.candidate.corners for one in found]).whole
        every = without_overlap([*every, *(one for one, part in zip(found, whole, strict=True) if part >= pairs.WHOLE)])
        known = [one.candidate.corners for one in every if one.is_sure]
        if len(known) < KNOWN_FOR_VIEW or (look and len(known) == sure):
            break
        frames, alike = _as_known(bars, known)
    return [Read(_scaled(one.candidate, 1 / scale), one.reading) for one in every]


def _scaled(one: Candidate, scale: float) -> Candidate:
    return Candidate((one.corners + 0.5) * scale - 0.5, one.score, one.edges)


def _open(bars: Bars, read: list[Read]) -> NDArray[np.bool_]:
    """Which bars lie on no tile that was read surely."""
    outlines = [one.candidate.corners.astype(np.float32) for one in read if one.is_sure]
    return np.array([all(cv2.pointPolygonTest(one, (x, y), False) < 0 for one in outlines) for x, y in bars[:, :2]])


def _spots(image: Image, bars: Bars) -> Numbers:
    """All spots that may be a pip beside any of the bars: x, y, larger diameter, (n, 3)."""
    smallest, largest = DIAMETER[0] * bars[:, 2].min(), DIAMETER[1] * bars[:, 2].max()
    rows = []
    # In white every ink is dark in one channel at least.
    for dark, _, scale, _ in darker_than_around(np.asarray(image.min(2)), WINDOWS, DARKNESS):
        contours, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            around = len(contour)
            if not 1.6 * smallest * scale < around < 3.6 * largest * scale:
                continue
            (x, y), box, _ = cv2.minAreaRect(contour)
            thin, wide = sorted(side + 1 for side in box)
            if wide < SLENDER * thin and cv2.contourArea(contour) + around / 2 > FILLS * thin * wide:
                shift = 0.5 / scale - 0.5
                rows.append((x / scale + shift, y / scale + shift, wide / scale))
    return _each_once(np.array(rows).reshape(-1, 3))


def _each_once(spots: Numbers) -> Numbers:
    """One of those that are about as large and lie in about the same place: each is seen in several windows."""
    size = np.rint(np.log(spots[:, 2]) / ALIKE)
    cell = SAME_PLACE * np.exp(size * ALIKE)[:, None]
    _, kept = np.unique(np.column_stack([np.rint(spots[:, :2] / cell), size]), axis=0, return_index=True)
    return spots[kept]


def _beside(bars: Bars, spots: Numbers) -> Points:
    """The spots next to each bar that may be its pips, (bars, n, 2); what is left over lies far away."""
    size = spots[:, 2] / bars[:, 2:3]
    away = np.hypot(*(bars[:, None, :2] - spots[:, :2]).transpose(2, 0, 1)) / bars[:, 2:3]
    away[(size < DIAMETER[0]) | (size > DIAMETER[1])] = np.inf
    order = np.argsort(away, axis=1)[:, :NEAREST]
    places: Points = spots[order, :2]
    places[np.take_along_axis(away, order, 1) > FAR] = 1e6
    return places


def _in_view(bars: Bars, spots: Points) -> Points:
    """The frames (bars, 2, 3) in the view under which spots stand most as pips do.

    A frame takes places on a tile to the picture: the middle is (0, 0), the corners are (-1, 1), (-1, -1) ...
    """
    best, frames = -1.0, np.zeros((len(bars), 2, 3))
    for tilt in TILTS:
        for tilt_deg in np.arange(TILT_DIRECTIONS if tilt > 1 else 1) * 180 / TILT_DIRECTIONS:
            seen = _frames(bars, View(1.0, 2.0, tilt, float(tilt_deg)))
            on_tile = _on_tile(seen, spots)
            for side in SIDES_PER_BAR:
                worth = float(np.clip(Lattice.of(on_tile / side).worth, 0, None).sum())
                if worth > best:
                    best = worth
                    frames = seen.copy()
                    frames[:, :, :2] *= side
    return frames


def _frames(bars: Bars, view: View) -> Points:
    """The frames of all bars in a view, (bars, 2, 3)."""
    frames = np.empty((len(bars), 2, 3))
    for frame, bar in zip(frames, bars, strict=True):
        shear, long_per_side = view.axes(bar[4])
        half = view.side_per_bar * BAR_PX / 2
        frame[:] = patch_frame(bar, shear)[:2]
        frame[:, :2] *= (half * long_per_side, half)
    return frames


def _as_known(bars: Bars, known: list[Points]) -> tuple[Points, NDArray[np.bool_]]:
    """The frames (bars, 2, 3) of tiles as large as those that are known, and which bars are as long as theirs."""
    flat = flatten(DOMINO, known)
    step = bars[:, 2:3] / 2 * np.stack([np.cos(bars[:, 4]), np.sin(bars[:, 4])], 1)
    tips = np.stack([bars[:, :2] - step, bars[:, :2] + step], 1)
    left, right = cv2.perspectiveTransform(tips, flat.table_from_image).transpose(1, 0, 2)
    middle, length = (left + right) / 2, np.hypot(*(right - left).T)
    across = (right - left) / length[:, None] * flat.shape.width_mm / 2
    along = np.stack([across[:, 1], -across[:, 0]], 1) * flat.shape.length_mm / flat.shape.width_mm
    ends = np.stack([middle - along, middle + along, middle - across, middle + across], 1)
    seen = cv2.perspectiveTransform(ends, np.linalg.inv(flat.table_from_image))
    arms = np.stack([seen[:, 1] - seen[:, 0], seen[:, 3] - seen[:, 2]], 2) / 2
    away = np.hypot(*(middle[:, None] - flat.poses[:, :2]).transpose(2, 0, 1)).min(1)
    theirs = length[away < IN_MIDDLE * flat.shape.length_mm]
    alike = np.abs(np.log(length / np.median(theirs))) < LENGTHS_ALIKE if len(theirs) else np.zeros(len(bars), bool)
    return np.concatenate([arms, bars[:, :2, None]], 2), alike


def _on_tile(frames: Points, spots: Points) -> Numbers:
    """Places in the picture (n, spots, 2) in widths of the tiles in these frames (n, 2, 3): along, across."""
    back = np.linalg.inv(frames[:, :, :2])
    return np.asarray((spots - frames[:, None, :, 2]) @ back.transpose(0, 2, 1) * (1.0, 0.5), np.float64)


def _read_by_pips(
    image: Image, kind: Kind, bar: Numbers, spots: Points, frame: Points, highest: int, is_exact: bool
) -> Read | None:
    """What is read of a bar's tile in the outline that suits its pips best, if it is sure.

    With an exact frame, pips that all lie in place on one half are enough for the other to be an empty one.
    """
    fitted = np.stack(
        [_onto_pips(bar, spots, _leant(frame, stretch, shear)) for stretch in STRETCHES for shear in SHEARS]
    )
    lattice = Lattice.of(_on_tile(fitted, np.broadcast_to(spots, (len(fitted), *spots.shape))))
    best = int(lattice.worth.argmax())
    corners = _CORNERS @ fitted[best, :, :2].T + fitted[best, :, 2]
    along, across = fitted[best, :, 0], fitted[best, :, 1]
    if along[0] * across[1] < along[1] * across[0]:
        corners = corners[[1, 0, 3, 2]]
    if lattice.worth[best] < LEAST_WORTH or not inside(corners, image):
        return None
    placed = is_exact and bool(lattice.shows_numbers[best].all())
    read = read_one(image, kind, Candidate(corners, MIN_SCORE_UNREAD), highest, placed)
    return read if read.is_sure else None


def _leant(frame: Points, stretch: float, shear: float) -> Points:
    """The frame with its long axis so much longer, and leaning so much across."""
    leant = frame.copy()
    leant[:, 0] = stretch * (frame[:, 0] + 2 * shear * frame[:, 1])
    return leant


def _onto_pips(bar: Numbers, spots: Points, frame: Points) -> Points:
    """The frame (2, 3) moved so that spots near places of pips lie on them, and the bar in the middle."""
    half, place, off = (each[0] for each in _nearest_places(_on_tile(frame[None], spots[None])))
    used = (half != 0) & (off < 2 * OFF)
    row, column = place[used] // 3 - 1, place[used] % 3 - 1
    pips = np.stack([half[used] * (0.5 + PITCH * row), 2 * PITCH * half[used] * column], 1)
    tip = bar[2] / 2 * np.array([np.cos(bar[4]), np.sin(bar[4])])
    reach = float(np.linalg.solve(frame[:, :2], tip)[1])
    ends = np.array([(1.0, 0.0), (-1.0, 0.0)])
    middle = bar[:2]
    on_tile = np.concatenate([[(0, 0), (0, reach), (0, -reach)], ends, pips])
    seen = np.concatenate([[middle, middle + tip, middle - tip], middle + ends @ frame[:, :2].T, spots[used]])
    weight = np.concatenate([np.ones(3), np.full(2, PULL), np.ones(len(pips))])[:, None]
    known = np.column_stack([on_tile, np.ones(len(on_tile))])
    solution, *_ = np.linalg.lstsq(known * weight, seen * weight, rcond=None)
    return np.asarray(solution.T, np.float64)
