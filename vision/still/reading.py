"""Reading what may be tiles: cutting faces out, trying again where there is doubt, keeping what does not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.tiles import DOMINO, Shape
from vision.kinds import FaceReading, Image, Kind, Points
from vision.kinds.verdict import tempered
from vision.still import pairs
from vision.still.candidate import Candidate, apart, overlapping
from vision.still.clear import levelled
from vision.still.edges import onto_edges

# A reading at least this probable counts as sure.
SURE = 0.9
OVERLAP = 0.15
WIGGLE, SIDE_WALL = 0.05, 0.1  # of the distance from the centre to a corner, or to a domino's side
# A poorly supported outline is a tile only if it reads like one.
MIN_CONFIDENCE = 0.25
MIN_SCORE_UNREAD = 0.4
# A triangle between edges as clear as a drawing's that the detector takes for a tile is one even if it cannot be read.
CLEAR_EDGES, MIN_SCORE_CLEAR = 0.9, 0.5
# Half a tile beside bare ground reads like a tile with an empty half, but there the ground has no sides: with edges
# that support an outline less than this, 0..1, it is believed no more than so much.
LEAST_EDGES, UNSUPPORTED = 0.45, 0.5
MOSTLY = 1 / 3  # of the dominoes that were read surely
ALIKE = 0.3  # logarithm of brightness: by which faces of one set, or the halves of one face, may differ


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A candidate and what its face shows."""

    candidate: Candidate
    reading: FaceReading

    @property
    def worth(self) -> float:
        """How much it counts where it overlaps with others."""
        return self.candidate.score * (0.15 + self.reading.confidence)

    @property
    def is_sure(self) -> bool:
        """Whether both readers are sure of the same numbers."""
        return self.reading.face_up and self.reading.agreed and self.reading.confidence >= SURE

    @property
    def is_tile(self) -> bool:
        """Whether it is a tile at all."""
        if not self.reading.face_up and self.reading.confidence >= MIN_CONFIDENCE:
            return self.candidate.score >= MIN_SCORE_UNREAD
        clear = self.candidate.edges >= CLEAR_EDGES and self.candidate.score >= MIN_SCORE_CLEAR
        if clear and len(self.candidate.corners) == 3:
            return True
        return self.reading.confidence >= MIN_CONFIDENCE or (
            self.candidate.score >= MIN_SCORE_UNREAD and bool(self.reading.readings)
        )


def read_all(image: Image, kind: Kind, found: Sequence[Candidate], highest: int) -> list[Read]:
    """Read all candidates and keep those that are tiles and do not overlap."""
    whole = [one for one in found if inside(one.corners, image)]
    read = [read_one(image, kind, one, highest) for one in whole]
    read = without_overlap([one for one in read if one.is_tile])
    return _paired(image, kind, read, highest) if kind.name == DOMINO else read


def read_again(image: Image, kind: Kind, read: list[Read], highest: int) -> list[Read]:
    """The same, with what was not sure read again for a set that is known better."""
    again = [one if one.is_sure else read_one(image, kind, one.candidate, highest) for one in read]
    return _paired(image, kind, again, highest) if kind.name == DOMINO else again


def without_overlap(read: Sequence[Read]) -> list[Read]:
    """Those worth most that do not overlap."""
    kept = apart([one.candidate for one in read], np.array([one.worth for one in read]), OVERLAP)
    return [read[index] for index in kept]


def read_one(image: Image, kind: Kind, candidate: Candidate, highest: int, is_placed: bool = False) -> Read:
    """Read a candidate; where that leaves doubt, also with a slightly different outline.

    Two other outlines must be read surely and alike, else the doubt stands.

    Args:
        is_placed: whether more than edges tells that a tile lies in this place, even if half of it is empty.
    """
    first = _read_as_it_is(image, kind, candidate, highest, is_placed)
    if first.is_sure or candidate.score < MIN_SCORE_UNREAD:
        return first
    others = []
    for corners in _near(candidate.corners):
        again = _read_as_it_is(image, kind, Candidate(corners, candidate.score), highest, is_placed)
        if again.is_sure:
            others.append(again)
    if len(others) < 2 or len({one.reading.values for one in others}) != 1:
        return first
    return max(others, key=lambda one: one.reading.confidence)


def _read_as_it_is(image: Image, kind: Kind, candidate: Candidate, highest: int, is_placed: bool = False) -> Read:
    face = cut_face(image, kind, candidate.corners)
    read = Read(candidate, kind.read(face, highest))
    if kind.name != DOMINO:
        return read
    # An empty half may be one whose pips were lost in the shadow: even light shows it no better.
    if not read.is_sure and 0 not in read.reading.values and (even := levelled(face)) is not None:
        again = Read(candidate, kind.read(even, highest))
        if again.is_sure and again.reading.values == read.reading.values:
            read = again
    if read.is_sure and 0 in read.reading.values and not is_placed:
        edges = candidate.edges or float(onto_edges(image, candidate.corners[None])[1][0])
        if edges < LEAST_EDGES:
            return _unsupported(read)
    return read


def _paired(image: Image, kind: Kind, read: list[Read], highest: int) -> list[Read]:
    """The same, but two halves of neighbours that were taken for a domino are paired otherwise, or doubted."""
    sure = [one for one in read if one.is_sure]
    outlines = [one.candidate.corners for one in sure]
    shown = pairs.middles(image, outlines)
    strange = (shown.whole < pairs.WHOLE) | ~shown.divided | pairs.divided_at_end(image, outlines, shown)
    if not strange.any():
        return read
    every = sure + _paired_otherwise(image, kind, [sure[index] for index in np.flatnonzero(strange)], sure, highest)
    outlines = [one.candidate.corners for one in every]
    shown = pairs.middles(image, outlines)
    at_end = pairs.divided_at_end(image, outlines, shown)
    worth = shown.like_dominoes * np.where(at_end, 0.5, 1.0)
    kept = apart([one.candidate for one in every], pairs.COVERED + worth, OVERLAP)
    parted = shown.whole < pairs.WHOLE
    bare = parted & ~np.array([any(one.reading.values) for one in every])
    doubted = at_end | bare
    doubted[pairs.contested(outlines, worth, kept)] = True
    printed = [index for index in kept if not bare[index]]
    if printed and parted[printed].mean() <= 1 - MOSTLY:  # dividers of this set end before the sides do
        doubted |= parted
        # Two squares of a cloth look like two empty halves.
        cloth = bare & (np.abs(np.log(shown.bright / np.median(shown.bright[printed]))) > ALIKE)
        kept = [index for index in kept if not cloth[index]]
    paired = [_unsupported(every[index]) if doubted[index] else every[index] for index in kept]
    unsure = [one for one in read if not one.is_sure]
    clash = overlapping([one.candidate.corners for one in unsure], [outlines[index] for index in kept], OVERLAP)
    return paired + [one for one, taken in zip(unsure, clash, strict=True) if not taken.any()]


def _paired_otherwise(image: Image, kind: Kind, halves: list[Read], sure: list[Read], highest: int) -> list[Read]:
    """What is read surely where halves may belong to other dominoes than they were taken for."""
    near = [
        corners for one in halves if any(one.reading.values) for corners in pairs.other_pairs(one.candidate.corners)
    ]
    others = pairs.distinct(near, [one.candidate.corners for one in sure])
    outlines = [corners for corners in others if inside(corners, image)]
    if not outlines:
        return []
    moved, edges = onto_edges(image, np.stack(outlines))
    score = max(one.candidate.score for one in halves)
    found = [Candidate(corners, score, float(support)) for corners, support in zip(moved, edges, strict=True)]
    read = [_read_as_it_is(image, kind, one, highest) for one in found if _halves_alike(image, kind, one.corners)]
    return [one for one in read if one.is_sure]


def _halves_alike(image: Image, kind: Kind, corners: Points) -> bool:
    """Whether both halves of an outline are about as bright: half a tile and bare ground beside it mostly are not."""
    face = cv2.cvtColor(cut_face(image, kind, corners), cv2.COLOR_BGR2GRAY)
    one, other = (float(np.median(half)) + 1 for half in np.hsplit(face, 2))
    return abs(float(np.log(one / other))) <= ALIKE


def _unsupported(read: Read) -> Read:
    return Read(read.candidate, tempered(read.reading, 1.0, UNSUPPORTED))


def _near(corners: Points) -> list[Points]:
    """The same outline a little larger and smaller; that of a domino along either axis.

    That of a triomino also a little aside, and with one side moved: it may have been laid onto the foot of a side wall.
    """
    centre = corners.mean(0)
    arms = corners - centre
    if len(corners) == 3:
        sizes = [centre + arms * (1 + size) for size in (-WIGGLE, WIGGLE)]
        aside = [corners + size * arm for arm in arms for size in (-WIGGLE, WIGGLE)]
        ends = 1 - np.eye(3)  # of the side opposite each corner
        moved = [
            corners + size * np.outer(end, arm)
            for end, arm in zip(ends, arms, strict=True)
            for size in (-SIDE_WALL, SIDE_WALL)
        ]
        return sizes + moved + aside
    across, along = (corners[0] - corners[1]) / 2, (corners[2] - corners[1]) / 2
    signs = np.array([(1, -1), (-1, -1), (-1, 1), (1, 1)])
    return [
        corners + size * np.outer(signs[:, axis], step)
        for axis, step in ((0, across), (1, along))
        for size in (-WIGGLE, WIGGLE)
    ]


def inside(corners: Points, image: Image) -> bool:
    """Whether a tile is not cut off by the picture's border, but for a twentieth of its size."""
    room = 0.05 * float(np.hypot(*(corners[1] - corners[0])))
    return bool((corners > -room).all() and (corners < (image.shape[1] + room, image.shape[0] + room)).all())


def cut_face(image: Image, kind: Kind, corners: Points) -> Image:
    """The canonical face of the tile with these corners."""
    width, height = kind.face_size_px
    unit = Shape.domino(2, 1, 0) if kind.name == DOMINO else Shape.triomino(1, 0)
    on_face = cv2.transform(kind.outline(unit)[None], kind.face_from_tile(unit)[:2])[0]
    source, target = corners.astype(np.float32), np.asarray(on_face, np.float32)
    shrink = float(np.hypot(*(corners[1] - corners[2])) / np.hypot(*(on_face[1] - on_face[2])))
    if shrink > 1.5:
        # Large tiles are reduced by area first, else their printing turns to noise.
        low = np.floor(corners.min(0) - 4).clip(0).astype(int)
        high = np.ceil(corners.max(0) + 5).astype(int)
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            image = np.asarray(
                cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
            source = ((corners - low + 0.5) / shrink - 0.5).astype(np.float32)
    if len(source) == 3:
        face = cv2.warpAffine(
            image, cv2.getAffineTransform(source, target), (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    else:
        face = cv2.warpPerspective(
            image, cv2.getPerspectiveTransform(source, target), (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(face, np.uint8)
