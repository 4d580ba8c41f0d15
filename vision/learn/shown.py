"""All faces that pictures of one set show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat

import cv2
import numpy as np

from referee.tiles import DOMINO, TRIOMINO
from vision.kinds import Image, Kind, Points, kinds
from vision.still import look
from vision.still.candidate import Candidate, shared_area
from vision.still.finder import find as outlines_in
from vision.still.reading import cut_face, read_one

OVERLAP = 0.15
HIGHEST = {DOMINO: 12, TRIOMINO: 5}  # the numbers that tiles of the other kind are read with
STRANGERS = 3  # so many sure tiles of the other kind are no mistake
LIKELY = 0.4  # an outline that is so likely a tile's is one, whether or not anything can be read on it,
AS_LARGE = 1.25  # if its area is not so many times as large as the others', or as small


class NothingToLearnError(ValueError):
    """Pictures from which no set can be learnt."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face in a picture: the picture's number from 0, the corners in it, the canonical cut."""

    picture: int
    corners: Points
    cut: Image

    @property
    def centre(self) -> tuple[int, int]:
        """The pixel in its middle."""
        x, y = self.corners.mean(0)
        return round(float(x)), round(float(y))


def find(pictures: Iterable[Image], kind_name: str | None, highest: int | None) -> tuple[str, list[Face]]:
    """The kind of tile, and all faces.

    Args:
        pictures: BGR, (height, width, 3) each.
        kind_name: what the set is, None to find it out.
        highest: its highest number, None where it is not known.

    Raises:
        NothingToLearnError: if there are no tiles, or tiles of two kinds.
    """
    images = list(pictures)
    names = (kind_name,) if kind_name else (DOMINO, TRIOMINO)
    likely = {name: [_likely(image, name) for image in images] for name in names}
    chosen = max(likely, key=lambda name: sum(one.score for each in likely[name] for one in each))
    kind = kinds()[chosen]
    seen = [
        _with_unread([tile.corners for tile in look(image, chosen, highest).tiles], more)
        for image, more in zip(images, likely[chosen], strict=True)
    ]
    if not any(seen):
        raise NothingToLearnError(f"expected tiles of a set, found none in {len(images)} pictures")
    for other in likely.keys() - {chosen}:
        strange = sum(map(_strangers, images, likely[other], seen, repeat(kinds()[other])))
        if strange >= STRANGERS:
            raise NothingToLearnError(
                f"expected tiles of one kind, found {strange} {other} tiles among the {chosen} tiles"
            )
    return chosen, [
        Face(number, corners, cut_face(image, kind, corners))
        for number, (image, outlines) in enumerate(zip(images, seen, strict=True))
        for corners in outlines
    ]


def _likely(image: Image, kind_name: str) -> list[Candidate]:
    """The outlines that are very likely tiles of a kind, not at the picture's border."""
    size = np.array(image.shape[1::-1])
    inside = [one for one in outlines_in(image, kind_name) if ((one.corners > 0) & (one.corners < size)).all()]
    return [one for one in inside if one.score >= LIKELY]


def _with_unread(read: list[Points], likely: Sequence[Candidate]) -> list[Points]:
    """The outlines of the tiles that were read, and of others of their size of which nothing could be read."""
    if not read:
        return read
    usual = float(np.median([_area(corners) for corners in read]))
    more = [
        one.corners
        for one in likely
        if usual / AS_LARGE < _area(one.corners) < usual * AS_LARGE and _lies_alone(one.corners, read)
    ]
    return sorted(read + more, key=lambda corners: (round(corners[:, 1].mean()), round(corners[:, 0].mean())))


def _strangers(image: Image, likely: Sequence[Candidate], ours: Sequence[Points], kind: Kind) -> int:
    """How many outlines of another kind are surely read where none of the chosen kind lies."""
    return sum(
        _lies_alone(one.corners, ours) and read_one(image, kind, one, HIGHEST[kind.name]).is_sure for one in likely
    )


def _lies_alone(corners: Points, others: Sequence[Points]) -> bool:
    return all(shared_area(corners, other) < OVERLAP for other in others)


def _area(corners: Points) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))
