"""Reading what may be tiles: cutting faces out, trying again where there is doubt, keeping what does not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import DOMINO, Shape
from vision.kinds import FaceReading, Image, Kind, Points
from vision.kinds.verdict import tempered
from vision.still.candidate import Candidate, apart
from vision.still.clear import levelled
from vision.still.edges import onto_edges

# A reading at least this probable counts as sure.
SURE = 0.9
OVERLAP = 0.15
WIGGLE = 0.05
# A poorly supported outline is a tile only if it reads like one.
MIN_CONFIDENCE = 0.25
MIN_SCORE_UNREAD = 0.4
# A triangle between edges as clear as a drawing's that the detector takes for a tile is one even if it cannot be read.
CLEAR_EDGES, MIN_SCORE_CLEAR = 0.9, 0.5
# Half a tile beside bare ground reads like a tile with an empty half, but there the ground has no sides: with edges
# that support an outline less than this, 0..1, it is believed no more than so much.
LEAST_EDGES, UNSUPPORTED = 0.45, 0.5
# Of a divider on a canonical face: its width at most, by how much it is shorter, how far it may be off, how clear it
# is, on how much of its length (per cent) it need not be; and how much longer a face is cut to see what is at its ends.
DIVIDER_PX, DIVIDER_SHORT_PX, DIVIDER_OFF_PX, DIVIDER_LEVELS, NOT_ALONG, BEYOND = 6, 12, 8, 20.0, 20, 1.25


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
    return without_overlap([one for one in read if one.is_tile])


def without_overlap(read: Sequence[Read]) -> list[Read]:
    """Those worth most that do not overlap."""
    kept = apart([one.candidate for one in read], np.array([one.worth for one in read]), OVERLAP)
    return [read[index] for index in kept]


def read_one(image: Image, kind: Kind, candidate: Candidate, highest: int) -> Read:
    """Read a candidate; where that leaves doubt, also with a slightly different outline.

    Two other outlines must be read surely and alike, else the doubt stands.
    """
    first = _read_as_it_is(image, kind, candidate, highest)
    if first.is_sure or candidate.score < MIN_SCORE_UNREAD:
        return first
    others = []
    for corners in _near(candidate.corners):
        again = _read_as_it_is(image, kind, Candidate(corners, candidate.score), highest)
        if again.is_sure:
            others.append(again)
    if len(others) < 2 or len({one.reading.values for one in others}) != 1:
        return first
    return max(others, key=lambda one: one.reading.confidence)


def _read_as_it_is(image: Image, kind: Kind, candidate: Candidate, highest: int) -> Read:
    face = cut_face(image, kind, candidate.corners)
    read = Read(candidate, kind.read(face, highest))
    if kind.name != DOMINO:
        return read
    # An empty half may be one whose pips were lost in the shadow: even light shows it no better.
    if not read.is_sure and 0 not in read.reading.values and (even := levelled(face)) is not None:
        again = Read(candidate, kind.read(even, highest))
        if again.is_sure and again.reading.values == read.reading.values:
            read = again
    if read.reading.agreed and _halves_of_two(image, kind, candidate.corners):
        return Read(candidate, tempered(read.reading, 1.0, UNSUPPORTED))
    if read.is_sure and 0 in read.reading.values:
        _, support = onto_edges(image, candidate.corners[None])
        if support[0] < LEAST_EDGES:
            return Read(candidate, tempered(read.reading, 1.0, UNSUPPORTED))
    return read


def _halves_of_two(image: Image, kind: Kind, corners: Points) -> bool:
    """Whether a domino's divider is at an end of an outline rather than in its middle: halves of two neighbours."""
    along = (corners[[3, 2]] - corners[[0, 1]]) * (BEYOND - 1) / 2
    longer = np.stack([corners[0] - along[0], corners[1] - along[1], corners[2] + along[1], corners[3] + along[0]])
    clear = _lines_across(cut_face(image, kind, longer))
    places = [(0.5 + part / BEYOND) * len(clear) for part in (-0.5, 0.0, 0.5)]
    left, middle, right = (
        float(clear[round(place) - DIVIDER_OFF_PX : round(place) + DIVIDER_OFF_PX + 1].max()) for place in places
    )
    return max(left, right) > max(DIVIDER_LEVELS, 2 * middle)


def _lines_across(face: Image) -> NDArray[np.float32]:
    """By how many grey levels a line across a face is darker, or brighter, than what is on either side of it."""
    rows = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)[DIVIDER_SHORT_PX:-DIVIDER_SHORT_PX]
    seen = cv2.copyMakeBorder(cv2.blur(rows, (3, 3)), 0, 0, DIVIDER_PX, DIVIDER_PX, cv2.BORDER_REPLICATE)
    line, one, other = (
        part.astype(np.float32)
        for part in (seen[:, DIVIDER_PX:-DIVIDER_PX], seen[:, : -2 * DIVIDER_PX], seen[:, 2 * DIVIDER_PX :])
    )
    clear = np.stack([np.minimum(one, other) - line, line - np.maximum(one, other)])
    return np.asarray(np.percentile(clear, NOT_ALONG, axis=1).max(0), np.float32)


def _near(corners: Points) -> list[Points]:
    """The same outline a little larger and smaller; that of a domino along either axis."""
    centre = corners.mean(0)
    arms = corners - centre
    if len(corners) == 3:
        return [centre + arms * growth for growth in (1 - WIGGLE, 1 + WIGGLE)]
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
