"""Labelled pictures, and the counting of what was found in them; pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

from referee.tiles import DOMINO, TRIOMINO, smallest_rotation

Point = tuple[float, float]
Matrix = Sequence[Sequence[float]]
# A find belongs to a labelled tile when its centre is within this part of the tile's longest side.
NEAR = 0.25
# A tile that a picture cuts off by more than this part of its longest side is left out of account.
CUT = 0.05
DOUBLE_SIX, LARGER = "double-six", "larger"


@dataclass(frozen=True, slots=True)
class Found:
    """A face-up tile that was found: numbers, centre and longest side in pixels, whether it is sure, outline."""

    values: tuple[int, ...]
    centre: Point
    size: float
    sure: bool
    corners: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """A tile as a person saw it; `size` (the longest side in pixels) is None where it was not labelled."""

    values: tuple[int, ...]
    centre: Point
    size: float | None
    face_up: bool
    glyph: str | None
    corners: tuple[Point, ...] = ()

    @property
    def extent(self) -> tuple[Point, ...]:
        """Its corners; where they were not labelled, points around the centre that are surely on the tile."""
        (x, y), arm = self.centre, 0.25 * (self.size or 0.0)
        return self.corners or ((x - arm, y), (x, y - arm), (x + arm, y), (x, y + arm))


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture's right answers; `about` holds its other labels: view, kind, set, style."""

    file: str
    tiles: tuple[LabelledTile, ...]
    ignore: tuple[tuple[Point, ...], ...]
    about: tuple[tuple[str, str], ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of pictures that it belongs to: by its labels, by its range of pips, by view and range."""
        labels = dict(self.about)
        groups = [f"{name}={value}" for name, value in self.about]
        if "set" in labels:
            size = f"range={DOUBLE_SIX if labels['set'] == DOUBLE_SIX else LARGER}"
            groups += [size, *([f"view={labels['view']} {size}"] if "view" in labels else [])]
        return tuple(groups)

    def carried(self, matrix: Matrix, width: int, height: int) -> LabelledPicture:
        """The labels of a picture of this size into which a (3, 3) matrix carried the pixels.

        What that cuts off is neither right nor wrong.
        """
        moved = [_moved(tile, matrix) for tile in self.tiles]
        cut = [tile.face_up and _is_cut(tile, width, height) for tile in moved]
        ignored = [tile.extent for tile, is_cut in zip(moved, cut, strict=True) if is_cut]
        regions = [tuple(_carried(point, matrix) for point in region) for region in self.ignore]
        whole = tuple(tile for tile, is_cut in zip(moved, cut, strict=True) if not is_cut)
        return replace(self, tiles=whole, ignore=(*regions, *ignored))


def _carried(point: Point, matrix: Matrix) -> Point:
    x, y, w = (row[0] * point[0] + row[1] * point[1] + row[2] for row in matrix)
    return (x / w, y / w)


def _moved(tile: LabelledTile, matrix: Matrix) -> LabelledTile:
    """A tile where the matrix carries it; its size by what becomes of a square in its place."""
    (x, y), centre = tile.centre, _carried(tile.centre, matrix)
    growth = max(_away(centre, _carried(beside, matrix)) for beside in ((x + 1, y), (x, y + 1)))
    corners = tuple(_carried(corner, matrix) for corner in tile.corners)
    return replace(tile, centre=centre, corners=corners, size=tile.size and tile.size * growth)


def _is_cut(tile: LabelledTile, width: int, height: int) -> bool:
    room = CUT * (tile.size or 0.0)
    return not all(-room <= x <= width - 1 + room and -room <= y <= height - 1 + room for x, y in tile.extent)


@dataclass(frozen=True, slots=True)
class Labels:
    """A labels file: the kind of tile and the pictures."""

    kind: str
    pictures: tuple[LabelledPicture, ...]

    @classmethod
    def read(cls, path: Path) -> Labels:
        """Read a labels file of either format.

        Raises:
            ValueError: if it is not a labels file.
        """
        try:
            images = json.loads(path.read_text(encoding="utf-8"))["images"]
            kinds = {DOMINO if "pips" in tile else TRIOMINO for image in images for tile in image["tiles"]}
            if len(kinds) != 1:
                raise ValueError(f"tiles of one kind, got {len(kinds)} kinds")
            return cls(kinds.pop(), tuple(map(_picture, images)))
        except OSError as error:
            why = error.strerror or error
            raise ValueError(f"expected a folder with labels.json beside its pictures, got {path} ({why})") from None
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise ValueError(f"expected labels of pictures with tiles in {path}: {error!r}") from None


def _picture(image: dict[str, Any]) -> LabelledPicture:
    about = tuple((name, str(image[name])) for name in ("view", "kind", "set", "style") if image.get(name))
    return LabelledPicture(
        image["file"], tuple(map(_tile, image["tiles"])), tuple(map(_region, image.get("ignore", ()))), about
    )


def _tile(tile: dict[str, Any]) -> LabelledTile:
    corners = tile.get("corners")
    size = tile.get("approx_length")
    if corners:
        size = max(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(corners))
    values = tile["pips"] if "pips" in tile else tile["values"]
    glyph = "pips" if "pips" in tile else tile.get("glyph")
    x, y = tile["center"]
    return LabelledTile(tuple(values or ()), (x, y), size, bool(tile["face_up"]), glyph, _points(corners or ()))


def _points(points: Iterable[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in points)


def _region(region: list[Any]) -> tuple[Point, ...]:
    """A polygon, or the box [x0, y0, x1, y1]."""
    if len(region) == 4 and not isinstance(region[0], list):
        x0, y0, x1, y1 = region
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return _points(region)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over some pictures.

    Attributes:
        tiles: labelled face-up tiles; of these
        located: were found,
        exact: were found, sure and right,
        asked: were found but reported as unsure. Those found, sure and wrong are the rest.
        false: sure finds that are no labelled tile.
        perfect: pictures with all tiles exact and nothing false.
    """

    pictures: int = 0
    tiles: int = 0
    located: int = 0
    exact: int = 0
    asked: int = 0
    false: int = 0
    perfect: int = 0
    seconds: float = field(default=0.0)

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def wrong(self) -> int:
        """Tiles that were found and surely misread."""
        return self.located - self.exact - self.asked

    @property
    def seconds_per_picture(self) -> float:
        """How long a picture takes, on average."""
        return round(self.seconds / self.pictures, 3) if self.pictures else 0.0

    def as_json(self) -> dict[str, int | float]:
        """The counts by name, seconds as an average."""
        counts = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "seconds"}
        return {**counts, "wrong": self.wrong, "seconds_per_picture": self.seconds_per_picture}


class Verdict(Enum):
    """What became of a labelled tile."""

    EXACT = "exact"
    ASKED = "asked"
    WRONG = "wrong"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A labelled face-up tile and the find that belongs to it, if any."""

    tile: LabelledTile
    find: Found | None

    @property
    def verdict(self) -> Verdict:
        """Exact, asked, surely wrong or missed."""
        if self.find is None:
            return Verdict.MISSED
        if not self.find.sure:
            return Verdict.ASKED
        return Verdict.EXACT if _same(self.find.values, self.tile.values) else Verdict.WRONG


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found in a picture held against its labels; `false` are sure finds that are no labelled tile."""

    outcomes: tuple[Outcome, ...]
    false: tuple[Found, ...]


def compare(picture: LabelledPicture, found: Iterable[Found]) -> Comparison:
    """Give every find to the labelled tile it belongs to; the nearest one counts."""
    nearest: dict[int, Found] = {}
    false = []
    for one in found:
        owner = _owner(picture, one)
        if owner is not None:
            centre, before = picture.tiles[owner].centre, nearest.get(owner, one)
            nearest[owner] = one if _away(one.centre, centre) < _away(before.centre, centre) else before
        elif one.sure and not any(_inside(one.centre, region) for region in picture.ignore):
            false.append(one)
    outcomes = (Outcome(tile, nearest.get(index)) for index, tile in enumerate(picture.tiles) if tile.face_up)
    return Comparison(tuple(outcomes), tuple(false))


def score_picture(picture: LabelledPicture, comparison: Comparison, seconds: float) -> dict[str, Score]:
    """Count one picture: under `` as a whole, under each of its groups, and per glyph by its tiles."""
    outcomes, false = comparison.outcomes, len(comparison.false)
    scores = {"": _score(outcomes, false, seconds)}
    for group in picture.groups:
        scores[group] = scores[""]
    glyphs = {one.tile.glyph for one in outcomes}
    for glyph in glyphs - {None}:
        # A find that is no tile has no glyph: it counts where the picture has only one.
        own = [one for one in outcomes if one.tile.glyph == glyph]
        scores[f"glyph={glyph}"] = _score(own, false if len(glyphs) == 1 else 0, seconds)
    return scores


def _score(outcomes: Sequence[Outcome], false: int, seconds: float) -> Score:
    came = Counter(one.verdict for one in outcomes)
    exact = came[Verdict.EXACT]
    perfect = int(exact == len(outcomes) and not false)
    located = len(outcomes) - came[Verdict.MISSED]
    return Score(1, len(outcomes), located, exact, came[Verdict.ASKED], false, perfect, seconds)


def _owner(picture: LabelledPicture, one: Found) -> int | None:
    """The nearest face-up tile that a find belongs to."""
    near = [
        (_away(one.centre, tile.centre), index)
        for index, tile in enumerate(picture.tiles)
        if tile.face_up and _away(one.centre, tile.centre) <= NEAR * (tile.size or one.size)
    ]
    return min(near)[1] if near else None


def _same(values: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return bool(values) and bool(wanted) and smallest_rotation(values) == smallest_rotation(wanted)


def _away(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _inside(point: Point, region: tuple[Point, ...]) -> bool:
    """Whether a point lies in a polygon, by the number of edges to its right."""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(region, region[1:] + region[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
