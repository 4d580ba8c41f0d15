"""One still photograph: every tile found and read without a mat, a marker or an earlier picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.sighting import Reading, SeenTile
from referee.tiles import DOMINO, Shape, smallest_rotation
from vision.kinds import FaceReading, Image, Kind, Points, kinds
from vision.still.candidate import Candidate, apart, shared_area, working_copy
from vision.still.dominoes import DominoFinder
from vision.still.plane import flatten
from vision.still.triominoes import TriominoFinder

# A reading at least this probable counts as sure.
SURE = 0.9
OVERLAP = 0.15
MOST_LOOKS = 3
WIGGLE = 0.05
# A poorly supported outline is a tile only if it reads like one.
MIN_CONFIDENCE = 0.25
MIN_SCORE_UNREAD = 0.5
STRONG = 0.6
MANY = 4
MOST_GUESSES = 5
# A photograph in which nothing was read surely among so many outlines is a pattern, no layout.
MOST_OUTLINES = 150
# The sets that dominoes come in, by their highest number; triominoes end at five.
DOMINO_SETS = (6, 9, 12)
TRIOMINO_SETS = (5,)


@dataclass(frozen=True, slots=True, eq=False)
class StillTile:
    """A tile in a photograph.

    Attributes:
        seen: what it shows and its pose on the straightened table (in that table's pixels).
        corners: (n, 2) pixels of the photograph, clockwise as seen: for a triomino in the order of
            `seen.values`, for a domino beginning with the short edge at the half of `values[0]`.
        agreed: two independent readers came to the same numbers.
    """

    seen: SeenTile
    corners: Points
    agreed: bool

    @property
    def is_sure(self) -> bool:
        """Whether the numbers may be relied on without asking."""
        return self.seen.face_up and bool(self.seen.values) and self.agreed and self.seen.confidence >= SURE


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """All tiles of a photograph, and the size they have on the straightened table."""

    tiles: tuple[StillTile, ...]
    shape: Shape
    highest: int


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    candidate: Candidate
    reading: FaceReading

    @property
    def worth(self) -> float:
        return self.candidate.score * (0.15 + self.reading.confidence)

    @property
    def is_sure(self) -> bool:
        return self.reading.face_up and self.reading.agreed and self.reading.confidence >= SURE

    @property
    def is_tile(self) -> bool:
        if not self.reading.face_up:
            return self.candidate.score >= MIN_SCORE_UNREAD
        return self.reading.confidence >= MIN_CONFIDENCE or (
            self.candidate.score >= MIN_SCORE_UNREAD and bool(self.reading.readings)
        )


def look(image: Image, kind_name: str, highest: int | None = None) -> Still:
    """Find and read every tile of a photograph.

    Args:
        image: BGR, (height, width, 3).
        kind_name: `domino` or `triomino`.
        highest: the highest number of the set; None: the smallest usual set that explains what is seen.
    """
    kind = kinds()[kind_name]
    small, scale = working_copy(image)
    finder: DominoFinder | TriominoFinder
    finder, sets = (DominoFinder(small), DOMINO_SETS) if kind_name == DOMINO else (TriominoFinder(small), TRIOMINO_SETS)
    if highest is not None:
        sets = (highest,)
    best: list[_Read] = []
    looked_at = 0
    for number, guess in enumerate(finder.guesses(), 1):
        read = _read(small, kind, guess, sets[-1])
        read = _look_again(small, kind, finder, read, sets[-1])
        if _explained(read) > _explained(best):
            best = read
        looked_at += len(guess)
        enough = looked_at >= MOST_OUTLINES or any(one.is_sure for one in best)
        if _settled(best, guess) or (number >= MOST_GUESSES and enough):
            break
    largest = max((max(one.reading.values) for one in best if one.is_sure), default=0)
    fitting = next((last for last in sets if last >= largest), sets[-1])
    if fitting != sets[-1]:
        best = _read(small, kind, [one.candidate for one in best], fitting)
    return _still(kind_name, best, scale, fitting)


def _look_again(
    image: Image, kind: Kind, finder: DominoFinder | TriominoFinder, read: list[_Read], highest: int
) -> list[_Read]:
    """With the table as the tiles just read show it, look for those that were missed or badly outlined."""
    sure = [one for one in read if one.is_sure]
    for _ in range(MOST_LOOKS):
        if not sure:
            break
        second = _read(image, kind, finder.around([one.candidate.corners for one in sure]), highest)
        together = [*read, *second]
        kept = apart([one.candidate for one in together], np.array([one.worth for one in together]), OVERLAP)
        read = [together[index] for index in kept]
        before, sure = len(sure), [one for one in read if one.is_sure]
        if len(sure) == before or len(sure) == len(read):
            break
    return read


def _read(image: Image, kind: Kind, guess: list[Candidate], highest: int) -> list[_Read]:
    """Read all candidates and keep those that are tiles and do not overlap."""
    whole = [one for one in guess if _inside(one.corners, image)]
    read = [_read_one(image, kind, one, highest) for one in whole]
    read = [one for one in read if one.is_tile]
    kept = apart([one.candidate for one in read], np.array([one.worth for one in read]), OVERLAP)
    return [read[index] for index in kept]


def _read_one(image: Image, kind: Kind, candidate: Candidate, highest: int) -> _Read:
    """Read a candidate; where that leaves doubt, also with a slightly different outline.

    Two other outlines must be read surely and alike, else the doubt stands.
    """
    first = _Read(candidate, kind.read(cut_face(image, kind, candidate.corners), highest))
    if first.is_sure or candidate.score < MIN_SCORE_UNREAD:
        return first
    others = []
    for corners in _near(candidate.corners):
        again = _Read(Candidate(corners, candidate.score), kind.read(cut_face(image, kind, corners), highest))
        if again.is_sure:
            others.append(again)
    if len(others) < 2 or len({one.reading.values for one in others}) != 1:
        return first
    return max(others, key=lambda one: one.reading.confidence)


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


def _inside(corners: Points, image: Image) -> bool:
    """Whether a tile is not cut off by the picture's border, but for a twentieth of its size."""
    room = 0.05 * float(np.hypot(*(corners[1] - corners[0])))
    return bool((corners > -room).all() and (corners < (image.shape[1] + room, image.shape[0] + room)).all())


def _explained(read: list[_Read]) -> float:
    """How much of the picture a guess explains: larger and surer tiles count for more, as patterns are small."""
    sizes = [float(np.hypot(*(one.candidate.corners[0] - one.candidate.corners[1]))) for one in read]
    return sum(size * one.candidate.score * one.reading.confidence**2 for size, one in zip(sizes, read, strict=True))


def _settled(read: list[_Read], guess: list[Candidate]) -> bool:
    """Whether another guess need not be looked at: nearly everything that has an outline is read."""
    missed = [
        one
        for one in guess
        if one.score >= STRONG and all(shared_area(one.corners, other.candidate.corners) < OVERLAP for other in read)
    ]
    sure = sum(one.is_sure for one in read)
    # Among many tiles that were read, other strong outlines are patterns; next to one or two they may be tiles.
    return bool(read) and sure >= 0.8 * (len(read) + (0 if sure >= MANY else len(missed)))


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


def _still(kind_name: str, read: list[_Read], scale: float, highest: int) -> Still:
    """Put the tiles on the straightened table, numbers in their smallest rotation."""
    if not read:
        empty = Shape.domino() if kind_name == DOMINO else Shape.triomino()
        return Still((), empty, highest)
    read = sorted(read, key=lambda one: (round(one.candidate.centre[1]), round(one.candidate.centre[0])))
    outlines = [_turned(one) for one in read]
    flat = flatten(kind_name, [(corners + 0.5) / scale - 0.5 for corners, _ in outlines])
    tiles = []
    for one, (corners, shift), pose in zip(read, outlines, flat.poses, strict=True):
        readings = tuple(
            Reading(each.values[shift:] + each.values[:shift], each.probability) for each in one.reading.readings
        )
        seen = SeenTile(
            kind=kind_name,
            values=readings[0].values if readings else (),
            x_mm=float(pose[0]),
            y_mm=float(pose[1]),
            angle_deg=float(pose[2]),
            face_up=one.reading.face_up,
            confidence=one.reading.confidence,
            readings=readings,
        )
        tiles.append(StillTile(seen, (corners + 0.5) / scale - 0.5, one.reading.agreed))
    return Still(tuple(tiles), flat.shape, highest)


def _turned(one: _Read) -> tuple[Points, int]:
    """The corners in the order of the numbers' smallest rotation, and by how much that turns the numbers."""
    values = one.reading.values
    wanted = smallest_rotation(values) if values else values
    shift = next((n for n in range(len(values)) if values[n:] + values[:n] == wanted), 0)
    per_value = 2 if len(one.candidate.corners) == 4 else 1
    return np.roll(one.candidate.corners, -shift * per_value, 0), shift
