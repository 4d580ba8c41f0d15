"""A set of tiles: how many there are of each, how large they are, what is printed on them and which way round.

A table's profile tells of camera and mat; several sets may be played with on one table, so each has a JSON
file of its own. What a game allows is not in it. A set that was shown to the eye has a picture of its faces beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from calibration import disk
from referee.tiles import DOMINO, TRIOMINO, Shape, smallest_rotation

VERSION = 1
Marks = Literal["numerals", "pips"]
Feet = Literal["corner", "centre", "upright"]


class TileSetError(ValueError):
    """A file of a set of tiles that is missing, broken or contradicts itself."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colour of the tiles, and of the mark of each number from 0 up, as #rrggbb; None where it was not seen."""

    face: str
    marks: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The picture file of a set's faces, and the numbers of each, in the order in which they stand in it."""

    picture: Path
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class TileSet:
    """What is known of a set before any of its tiles is seen.

    `copies` says how many there are of each tile, None that there is no telling. `marks` says what the tiles
    of a triomino set show, and `feet` where the foot of their numerals points, each None where it is not
    known. The numbers of an `ascending` set of triominoes rise clockwise; in one that is not, any three
    numbers may meet. `colours` and `shown` are there once the set was shown to the eye.
    """

    name: str
    shape: Shape
    highest: int
    copies: int | None = 1
    marks: Marks | None = None
    feet: Feet | None = None
    ascending: bool = True
    colours: Colours | None = None
    shown: Shown | None = None

    @property
    def tiles(self) -> tuple[tuple[int, ...], ...]:
        """Every tile of the set, once, by its smallest rotation."""
        return _tiles(self)

    def holds(self, values: tuple[int, ...]) -> bool:
        """True when the set has a tile with these numbers, clockwise as seen from any corner."""
        first = smallest_rotation(values)
        in_order = not self.ascending or len(values) == 2 or list(first) == sorted(first)
        return len(values) == (2 if self.shape.kind == DOMINO else 3) and max(first) <= self.highest and in_order

    def unseen(self, lying: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
        """How many there are of each tile beside those that lie there, by its smallest rotation.

        1 of each where they are unlimited; what the set has not is left out.
        """
        left = dict.fromkeys(_tiles(self), self.copies or 1)
        for values in lying if self.copies is not None else ():
            first = smallest_rotation(values) if values else ()
            if left.get(first, 0):
                left[first] -= 1
        return left


@cache
def _tiles(tileset: TileSet) -> tuple[tuple[int, ...], ...]:
    """The tiles of a set, each by its smallest rotation."""
    each = product(range(tileset.highest + 1), repeat=2 if tileset.shape.kind == DOMINO else 3)
    return tuple(values for values in each if smallest_rotation(values) == values and tileset.holds(values))


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Millimetres = Annotated[float, msgspec.Meta(ge=5, le=200)]
Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]
Beside = Annotated[str, msgspec.Meta(pattern=r"^[^/\\]{1,120}\.png$")]
Numbers = Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=18)], ...], msgspec.Meta(min_length=2, max_length=3)]


class _ColoursLines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    face: Colour
    marks: Annotated[tuple[Colour | None, ...], msgspec.Meta(max_length=19)]


class _ShownLines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The picture is a file beside this one."""

    picture: Beside
    values: Annotated[tuple[Numbers, ...], msgspec.Meta(min_length=1, max_length=2000)]


class _Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file. Triominoes have a `side_mm`, dominoes `length_mm` and `width_mm`."""

    version: int
    name: Name
    kind: Literal["domino", "triomino"]
    highest: Annotated[int, msgspec.Meta(ge=1, le=18)]
    copies: Annotated[int, msgspec.Meta(ge=1, le=99)] | Literal["unlimited"] = 1
    side_mm: Millimetres | None = None
    length_mm: Millimetres | None = None
    width_mm: Millimetres | None = None
    thickness_mm: Annotated[float, msgspec.Meta(gt=0, le=50)]
    marks: Marks | None = None
    feet: Feet | None = None
    ascending: bool = True
    colours: _ColoursLines | None = None
    shown: _ShownLines | None = None


def load(path: str | Path) -> TileSet:
    """Read a set of tiles.

    Raises:
        TileSetError: if the file cannot be read, lacks something or contradicts itself.
    """
    file = Path(path)
    try:
        lines = msgspec.json.decode(file.read_bytes(), type=_Lines)
    except OSError as error:
        raise TileSetError(f"expected a file of a set of tiles, got {file} ({error.strerror})") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise TileSetError(f"expected a set of tiles in {file} as its format says, got: {error}") from None
    if lines.version != VERSION:
        raise TileSetError(f"expected a set of tiles of version {VERSION} in {file}, got version {lines.version}")
    if lines.kind == DOMINO and (lines.marks is not None or lines.feet is not None or not lines.ascending):
        raise TileSetError(f"expected marks, feet and ascending for {TRIOMINO} sets only, got a {DOMINO} set in {file}")
    if lines.marks == "pips" and lines.feet is not None:
        raise TileSetError(f"expected feet for numerals only, got a set with pips in {file}")
    parts = 2 if lines.kind == DOMINO else 3
    if lines.shown and any(len(each) != parts or max(each) > lines.highest for each in lines.shown.values):
        raise TileSetError(f"expected {parts} numbers up to {lines.highest} for every shown face in {file}")
    return TileSet(
        lines.name,
        _shape(lines, file),
        lines.highest,
        None if isinstance(lines.copies, str) else lines.copies,
        lines.marks,
        lines.feet,
        lines.ascending,
        None if lines.colours is None else Colours(lines.colours.face, lines.colours.marks),
        None if lines.shown is None else Shown(file.parent / lines.shown.picture, lines.shown.values),
    )


def save(tiles: TileSet, path: Path) -> None:
    """Write a set of tiles so that a power cut leaves the old file or the new one, never half of either.

    The picture of its faces has to lie in the same folder.
    """
    shape = tiles.shape
    is_domino = shape.kind == DOMINO
    lines = {
        "version": VERSION,
        "name": tiles.name,
        "kind": shape.kind,
        "highest": tiles.highest,
        "copies": "unlimited" if tiles.copies is None else tiles.copies,
        **({"length_mm": shape.length_mm, "width_mm": shape.width_mm} if is_domino else {"side_mm": shape.length_mm}),
        "thickness_mm": shape.thickness_mm,
        **({} if is_domino else {"marks": tiles.marks, "feet": tiles.feet, "ascending": tiles.ascending}),
        **({"colours": tiles.colours} if tiles.colours else {}),
        **({"shown": {"picture": tiles.shown.picture.name, "values": tiles.shown.values}} if tiles.shown else {}),
    }
    disk.write(lines, path)


def _shape(lines: _Lines, file: Path) -> Shape:
    """The size of the tiles.

    Raises:
        TileSetError: if it is not given in the way that is right for the kind.
    """
    if lines.kind == TRIOMINO and lines.side_mm is not None and lines.length_mm is None and lines.width_mm is None:
        return Shape.triomino(lines.side_mm, lines.thickness_mm)
    if lines.kind == DOMINO and lines.length_mm is not None and lines.width_mm is not None and lines.side_mm is None:
        return Shape.domino(lines.length_mm, lines.width_mm, lines.thickness_mm)
    wanted = "side_mm alone" if lines.kind == TRIOMINO else "length_mm and width_mm"
    raise TileSetError(f"expected {wanted} for the {lines.kind} set in {file}")
