"""Labelled pictures, and the counting of what was found in them; pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

from referee.tiles import DOMINO, TRIOMINO, smallest_rotation

Point = tuple[float, float]
# A find belongs to a labelled tile when its centre is within this part of the tile's longest side.
NEAR = 0.25


@dataclass(frozen=True, slots=True)
class Found:
    """A face-up tile that was found: numbers, centre and longest side in pixels, and whether it is sure."""

    values: tuple[int, ...]
    centre: Point
    size: float
    sure: bool


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """A tile as a person saw it; `size` (the longest side in pixels) is None where it was not labelled."""

    values: tuple[int, ...]
    centre: Point
    size: float | None
    face_up: bool
    glyph: str | None


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture's right answers; `about` holds its other labels: view, kind, set, style."""

    file: str
    tiles: tuple[LabelledTile, ...]
    ignore: tuple[tuple[Point, ...], ...]
    about: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """A labels file: the kind of tile and the pictures."""

    kind: str
    pictures: tuple[LabelledPicture, ...]

    @classmethod
    def read(cls, path: Path) -> Labels:
        """Read a labels file of either format.

        Raises:
            OSError: if it cannot be opened.
            ValueError: if it is not a labels file.
        """
        try:
            images = json.loads(path.read_text(encoding="utf-8"))["images"]
            kinds = {DOMINO if "pips" in tile else TRIOMINO for image in images for tile in image["tiles"]}
            if len(kinds) != 1:
                raise ValueError(f"tiles of one kind, got {len(kinds)} kinds")
            return cls(kinds.pop(), tuple(map(_picture, images)))
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
    return LabelledTile(
        tuple(values or ()), (tile["center"][0], tile["center"][1]), size, bool(tile["face_up"]), tile.get("glyph")
    )


def _region(region: list[Any]) -> tuple[Point, ...]:
    """A polygon, or the box [x0, y0, x1, y1]."""
    if len(region) == 4 and not isinstance(region[0], list):
        x0, y0, x1, y1 = region
        return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return tuple((x, y) for x, y in region)


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
        return {**counts, "seconds_per_picture": self.seconds_per_picture}


def score_picture(picture: LabelledPicture, found: Iterable[Found], seconds: float) -> dict[str, Score]:
    """Count one picture: under `` as a whole, under each of its labels, and per glyph by its tiles."""
    matched: dict[int, list[Found]] = {}
    false = 0
    for one in found:
        owner = _owner(picture, one)
        if owner is not None:
            matched.setdefault(owner, []).append(one)
        elif one.sure and not any(_inside(one.centre, region) for region in picture.ignore):
            false += 1
    glyphs = {tile.glyph for tile in picture.tiles if tile.face_up}
    scores = {"": _score(picture, matched, false, seconds, glyphs)}
    for name, value in picture.about:
        scores[f"{name}={value}"] = scores[""]
    for glyph in glyphs - {None}:
        # A find that is no tile has no glyph: it counts where the picture has only one.
        scores[f"glyph={glyph}"] = _score(picture, matched, false if len(glyphs) == 1 else 0, seconds, {glyph})
    return scores


def _score(
    picture: LabelledPicture,
    matched: dict[int, list[Found]],
    false: int,
    seconds: float,
    glyphs: set[str | None],
) -> Score:
    tiles = located = exact = asked = 0
    for index, tile in enumerate(picture.tiles):
        if not tile.face_up or tile.glyph not in glyphs:
            continue
        tiles += 1
        finds = sorted(matched.get(index, ()), key=lambda one: _away(one.centre, tile.centre))
        if finds:
            located += 1
            asked += not finds[0].sure
            exact += finds[0].sure and _same(finds[0].values, tile.values)
    return Score(1, tiles, located, exact, asked, false, int(exact == tiles and not false), seconds)


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
