"""One still photograph: every tile found and read without a mat, a marker or an earlier picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.sighting import Reading, SeenTile
from referee.tiles import DOMINO, Shape, smallest_rotation
from vision.kinds import Image, Kind, Points, kinds
from vision.still import aslant, dominoes, pips
from vision.still.candidate import Candidate, overlapping
from vision.still.clear import cleared, sharpened
from vision.still.finder import LIKELY, SIZES_ALIKE, find
from vision.still.plane import flatten
from vision.still.reading import OVERLAP, SURE, Read, read_again, read_all
from vision.still.shadow import unshadowed

# The sets that dominoes come in, by their highest number; triominoes end at five.
DOMINO_SETS = (6, 9, 12)
TRIOMINO_SETS = (5,)
MANY = 4  # tiles that show how the others look


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
    quick: bool = False,
) -> Still:
    """Find and read every tile of a photograph.

    Args:
        image: BGR, (height, width, 3).
        kind_name: `domino` or `triomino`.
        highest: the highest number of the set; None: the smallest usual set that explains what is seen.
        length_px: how long the tiles' longest sides look, where that is known and the same everywhere.
        known: the kind as it reads a set that is known.
        quick: what is not found at once is not looked for in ways that take ten times as long.
    """
    kind = known or kinds()[kind_name]
    sets = (highest,) if highest is not None else DOMINO_SETS if kind_name == DOMINO else TRIOMINO_SETS
    image = cleared(image)
    found, read = _seen(image, kind, sets[-1], length_px)
    if not quick:
        image, read = _sought(image, kind, sets[-1], length_px, found, read)
    largest = max((max(one.reading.values) for one in read if one.is_sure), default=0)
    fitting = next((last for last in sets if last >= largest), sets[-1])
    if fitting != sets[-1]:
        read = read_again(image, kind, read, fitting)
    return _still(kind_name, [one for one in read if one.is_tile], fitting)


def _sought(
    image: Image, kind: Kind, highest: int, length_px: float | None, found: list[Candidate], read: list[Read]
) -> tuple[Image, list[Read]]:
    """The picture, perhaps mended, and what is read where tiles are also looked for in ways that take long."""
    other = _mended(image) if _doubts(found, read) else None
    if other is not None:
        others, again = _seen(other, kind, highest, length_px)
        if _sure(again) > _sure(read):
            image, other, found, read, again = other, image, others, again, read
        read = _together(read, again)
    if kind.name == DOMINO and (other is not None or _doubts(found, read)):
        # Divider bars take long to look for, and are seldom missed, even where the detector sees nothing.
        if _sure(read) >= MANY:
            read = dominoes.search_beside(image, kind, read, highest)
        else:
            read = _together(*sorted((read, dominoes.search(image, kind, highest)), key=_sure, reverse=True))
        for picture in (image, other):
            if picture is not None:
                read = pips.search(picture, kind, read, highest)
    if kind.name != DOMINO and length_px is None and _doubts([one for one in found if one.score >= LIKELY], read):
        read = aslant.search(image, kind, found, read, highest)
    return image, read


def _mended(image: Image) -> Image | None:
    """The picture without what may hide tiles in it, a shadow's edge or blur; None where neither is seen."""
    return next((better for mend in (unshadowed, sharpened) if (better := mend(image)) is not None), None)


def _seen(image: Image, kind: Kind, highest: int, length_px: float | None) -> tuple[list[Candidate], list[Read]]:
    """What may be tiles, and what is read of them."""
    found = find(image, kind.name, length_px)
    return found, read_all(image, kind, [one for one in found if one.score >= LIKELY], highest)


def _sure(read: list[Read]) -> int:
    return sum(one.is_sure for one in read)


def _together(read: list[Read], others: list[Read]) -> list[Read]:
    """What was read, and what others add to it: sure readings where there is none."""
    sure = [one for one in others if one.is_sure]
    more = [one for one, taken in zip(sure, _covered(sure, read), strict=True) if not taken]
    return [one for one, taken in zip(read, _covered(read, more), strict=True) if not taken] + more


def _covered(ones: Sequence[Read | Candidate], read: list[Read]) -> NDArray[np.bool_]:
    """Which of them overlap with what was read surely."""
    sure = [one.candidate.corners for one in read if one.is_sure]
    corners = [one.candidate.corners if isinstance(one, Read) else one.corners for one in ones]
    return np.asarray(overlapping(corners, sure, OVERLAP).any(1), np.bool_)


def _doubts(found: list[Candidate], read: list[Read]) -> bool:
    """Whether there may be tiles that were not read surely, or there seem to be none at all.

    Only what is about as large as the tiles read surely may be another; and beside many of them, only what is likely.
    """
    sure = [one.candidate.size_px for one in read if one.is_sure]
    if not sure:
        return True
    least, size = (LIKELY if len(sure) >= MANY else 0.0), float(np.median(sure))
    return any(
        one.score >= least and abs(np.log(one.size_px / size)) < SIZES_ALIKE
        for one, taken in zip(found, _covered(found, read), strict=True)
        if not taken
    )


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
