"""One still photograph: every tile found and read without a mat, a marker or an earlier picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.sighting import Reading, SeenTile
from referee.tiles import DOMINO, Shape, smallest_rotation
from vision.kinds import Image, Kind, Points, kinds
from vision.still import aslant, dominoes
from vision.still.candidate import Candidate, shared_area
from vision.still.clear import cleared, sharpened
from vision.still.finder import LIKELY, find
from vision.still.plane import flatten
from vision.still.reading import OVERLAP, SURE, Read, read_all, read_one

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


def look(
    image: Image,
    kind_name: str,
    highest: int | None = None,
    length_px: float | None = None,
    known: Kind | None = None,
) -> Still:
    """Find and read every tile of a photograph.

    Args:
        image: BGR, (height, width, 3).
        kind_name: `domino` or `triomino`.
        highest: the highest number of the set; None: the smallest usual set that explains what is seen.
        length_px: how long the tiles' longest sides look, where that is known and the same everywhere.
        known: the kind as it reads a set that is known.
    """
    kind = known or kinds()[kind_name]
    sets = (highest,) if highest is not None else DOMINO_SETS if kind_name == DOMINO else TRIOMINO_SETS
    image = cleared(image)
    found, read = _seen(image, kind, sets[-1], length_px)
    if _is_doubtful(found, read) and (sharper := sharpened(image)) is not None:
        others, again = _seen(sharper, kind, sets[-1], length_px)
        if _sure(again) > _sure(read):
            image, found, read = sharper, others, _together(again, read)
        else:
            read = _together(read, again)
    if kind_name == DOMINO and _is_doubtful(found, read):
        # Divider bars take long to look for, and are seldom missed.
        read = _together(*sorted((read, dominoes.search(image, kind, sets[-1])), key=_sure, reverse=True))
        if _is_doubtful(found, read):
            unmoved = find(image, kind_name, length_px, on_edges=False)
            read = dominoes.search_in_white(image, kind, unmoved, read, sets[-1])
    if kind_name != DOMINO and length_px is None and _is_doubtful([one for one in found if one.score >= LIKELY], read):
        read = aslant.search(image, kind, found, read, sets[-1])
    largest = max((max(one.reading.values) for one in read if one.is_sure), default=0)
    fitting = next((last for last in sets if last >= largest), sets[-1])
    if fitting != sets[-1]:
        # Knowing the set helps where there was doubt.
        read = [one if one.is_sure else read_one(image, kind, one.candidate, fitting) for one in read]
    return _still(kind_name, [one for one in read if one.is_tile], fitting)


def _seen(image: Image, kind: Kind, highest: int, length_px: float | None) -> tuple[list[Candidate], list[Read]]:
    """What may be tiles, and what is read of them."""
    found = find(image, kind.name, length_px)
    return found, read_all(image, kind, [one for one in found if one.score >= LIKELY], highest)


def _sure(read: list[Read]) -> int:
    return sum(one.is_sure for one in read)


def _together(read: list[Read], others: list[Read]) -> list[Read]:
    """What was read, and what others add to it: sure readings where there is none."""
    sure = [one.candidate.corners for one in read if one.is_sure]
    more = [
        one
        for one in others
        if one.is_sure and all(shared_area(one.candidate.corners, corners) < OVERLAP for corners in sure)
    ]
    added = [one.candidate.corners for one in more]
    return [
        one for one in read if all(shared_area(one.candidate.corners, corners) < OVERLAP for corners in added)
    ] + more


def _is_doubtful(found: list[Candidate], read: list[Read]) -> bool:
    """Whether there may be tiles that were not read surely, or there seem to be none at all."""
    sure = [one.candidate.corners for one in read if one.is_sure]
    return not sure or any(all(shared_area(one.corners, other) < OVERLAP for other in sure) for one in found)


def _still(kind_name: str, read: list[Read], highest: int) -> Still:
    """Put the tiles on the straightened table, numbers in their smallest rotation."""
    if not read:
        empty = Shape.domino() if kind_name == DOMINO else Shape.triomino()
        return Still((), empty, highest)
    read = sorted(read, key=lambda one: (round(one.candidate.centre[1]), round(one.candidate.centre[0])))
    outlines = [_turned(one) for one in read]
    flat = flatten(kind_name, [corners for corners, _ in outlines])
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
        tiles.append(StillTile(seen, corners, one.reading.agreed))
    return Still(tuple(tiles), flat.shape, highest)


def _turned(one: Read) -> tuple[Points, int]:
    """The corners in the order of the numbers' smallest rotation, and by how much that turns the numbers."""
    values = one.reading.values
    wanted = smallest_rotation(values) if values else values
    shift = next((n for n in range(len(values)) if values[n:] + values[:n] == wanted), 0)
    per_value = 2 if len(one.candidate.corners) == 4 else 1
    return np.roll(one.candidate.corners, -shift * per_value, 0), shift
