"""Where tiles lie: a table of triangles in the plane, or one line of dominoes, and what fits there next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tests.naive import books
from tests.naive.books import Rules
from tests.naive.reading import Act, Tile
from tests.naive.triangles import Book, Gap, Triangle, fitting, judge, triangle


@dataclass(frozen=True)
class Laid:
    """A tile on the table: whose, how it lies, since which line, and whether people let it stand."""

    seat: int
    tile: Tile
    numbers: Tile
    place: str
    inner: int | None
    line: int
    is_overruled: bool


@dataclass(frozen=True)
class Lies:
    """How a tile would lie: the code, and the points of the place by what they are for."""

    code: str
    points: Counter[str]


class Triangles:
    """A table of triangles, judged by distances in the plane."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.book = books.places(rules)

    def lies(self, table: list[Laid], act: Act, opening_bonus: int) -> Lies:
        """How the tile of an act would lie."""
        value = Counter(tile=sum(act.tiles[0]))
        if act.place == "loose" or "," not in act.place:
            return Lies("not-connected", Counter())
        there = self.drawn(table)
        new = self.triangle(act.place, act.numbers)
        if not table:
            return Lies("ok-opening", value + Counter(opening=opening_bonus))
        if not there:  # all that was laid lies apart
            return Lies("ok-edge", value)
        code, points = judge(self.book, there, new)
        names = {"hexagon": "hexagon", "multi-hexagon": "hexagon", "two-sided": "two_side", "three-sided": "three_side"}
        kind = code.removeprefix("ok-")
        if code.startswith("ok-"):
            value[names.get(kind, kind.replace("-", "_"))] += points - sum(act.tiles[0])
        return Lies(code, value)

    def fits(self, table: list[Laid], tile: Tile) -> bool:
        """Whether the tile could be laid somewhere."""
        a, b, c = tile
        lie = tuple((cell(laid.place), laid.numbers) for laid in table if laid.place != "loose")
        found = gaps(self.book, lie)
        return any(gap.takes((a, b, c)) for gap in found if gap.sides or self.rules["corner_move_is_move"])

    def is_dead(self, table: list[Laid], tiles: set[Tile]) -> bool:
        """Nobody calls a table of triangles dead before all have passed."""
        return False

    def drawn(self, table: list[Laid]) -> list[Triangle]:
        """The table as points in the plane."""
        return [self.triangle(laid.place, laid.numbers) for laid in table if laid.place != "loose"]

    @staticmethod
    def triangle(place: str, numbers: Tile) -> Triangle:
        """A tile as points in the plane."""
        a, b, c = numbers
        return triangle(*cell(place), (a, b, c))


@lru_cache(maxsize=4096)
def gaps(book: Book, table: tuple[tuple[tuple[int, int, str], Tile], ...]) -> tuple[Gap, ...]:
    """The places where a tile may be laid."""
    shifts = [(i, j) for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2)]
    near = {(x + i, y + j, half) for (x, y, _), _ in table for i, j in shifts for half in "UD"}
    return tuple(fitting(book, [triangle(*where, (a, b, c)) for where, (a, b, c) in table], near))


def cell(place: str) -> tuple[int, int, str]:
    """A cell by its name."""
    x, y, half = place.split(",")
    return int(x), int(y), half


class Line:
    """Dominoes in one line, written out half by half."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def row(self, table: list[Laid]) -> list[int]:
        """All halves from left to right."""
        row: list[int] = []
        for laid in table:
            if laid.place == "left":
                inner = self.inner(laid.tile, laid.inner, row[0] if row else max(laid.tile))
                row = [self.other(laid.tile, inner), inner, *row]
            elif laid.place == "right":
                inner = self.inner(laid.tile, laid.inner, row[-1] if row else min(laid.tile))
                row = [*row, inner, self.other(laid.tile, inner)]
        return row

    @staticmethod
    def inner(tile: Tile, said: int | None, asked: int) -> int:
        """The half that faces the line: the one that was said, else the one that fits, else the smaller."""
        if said in tile:
            return int(said or 0)
        return asked if asked in tile else min(tile)

    @staticmethod
    def other(tile: Tile, half: int) -> int:
        """The other half."""
        return sum(tile) - half

    def lies(self, table: list[Laid], act: Act, opening_bonus: int) -> Lies:
        """How the tile of an act would lie; a domino earns nothing."""
        tile, row = act.tiles[0], self.row(table)
        if act.place not in ("left", "right"):
            return Lies("not-connected", Counter())
        if act.inner is not None and act.inner not in tile:
            return Lies("end-mismatch", Counter())
        if not row:
            return Lies("ok-place" if table else "ok-opening", Counter())
        asked = row[0] if act.place == "left" else row[-1]
        touching = asked if act.inner is None and asked in tile else act.inner
        return Lies("ok-place" if touching == asked else "end-mismatch", Counter())

    def fits(self, table: list[Laid], tile: Tile) -> bool:
        """Whether the tile fits at either end."""
        row = self.row(table)
        return bool(row) and (row[0] in tile or row[-1] in tile)

    def is_dead(self, table: list[Laid], tiles: set[Tile]) -> bool:
        """Whether no tile that is not on the table fits at either end."""
        there = {laid.tile for laid in table}
        return bool(self.row(table)) and not any(self.fits(table, tile) for tile in tiles - there)
