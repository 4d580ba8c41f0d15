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
    """A line of dominoes, written as the numbers of all its halves in a row, and of each arm outward."""

    def __init__(self, rules: Rules, counts_ends: bool = False) -> None:
        self.rules = rules
        self.counts_ends = counts_ends

    def row(self, table: list[Laid]) -> list[int]:
        """The halves from the left end to the right end."""
        return [half for _, halves in self.tiles(table) for half in halves]

    def tiles(self, table: list[Laid]) -> list[tuple[Tile, list[int]]]:
        """The tiles from the left end to the right end, and their halves in this order."""
        found: list[tuple[Tile, list[int]]] = []
        for laid in table:
            if laid.place == "left":
                inner = self.inner(laid.tile, laid.inner, found[0][1][0] if found else max(laid.tile))
                found.insert(0, (laid.tile, [self.other(laid.tile, inner), inner]))
            elif laid.place == "right":
                inner = self.inner(laid.tile, laid.inner, found[-1][1][1] if found else min(laid.tile))
                found.append((laid.tile, [inner, self.other(laid.tile, inner)]))
        return found

    def spinner(self, table: list[Laid]) -> Laid | None:
        """The first double of the line, where arms may grow from it."""
        doubles = [laid for laid in table if laid.place in ("left", "right") and len(set(laid.tile)) == 1]
        return doubles[0] if doubles and self.rules["spinner"] else None

    def arm(self, table: list[Laid], place: str) -> list[tuple[Tile, int]]:
        """The tiles of an arm outward, and the half of each that points away."""
        spinner = self.spinner(table)
        found: list[tuple[Tile, int]] = []
        if spinner is None:
            return found
        for laid in table[table.index(spinner) :]:
            if laid.place == place:
                inner = self.inner(laid.tile, laid.inner, found[-1][1] if found else spinner.tile[0])
                found.append((laid.tile, self.other(laid.tile, inner)))
        return found

    def open_ends(self, table: list[Laid]) -> dict[str, int]:
        """The number that a tile has to show at each place where one may be laid."""
        tiles, spinner = self.tiles(table), self.spinner(table)
        if not tiles:
            return {}
        ends = {"left": tiles[0][1][0], "right": tiles[-1][1][1]}
        inside = [tile for tile, _ in tiles[1:-1]]
        for place in ("up", "down"):
            arm = self.arm(table, place)
            if arm:
                ends[place] = arm[-1][1]
            elif spinner is not None and spinner.tile in inside:
                ends[place] = spinner.tile[0]
        return ends

    def count(self, table: list[Laid]) -> int:
        """What the open ends come to, doubles with both halves; one tile alone with all of it."""
        tiles = self.tiles(table)
        if len(tiles) <= 1:
            return sum(sum(tile) for tile, _ in tiles)
        tips = [(tiles[0][0], tiles[0][1][0]), (tiles[-1][0], tiles[-1][1][1])]
        tips += [arm[-1] for arm in (self.arm(table, "up"), self.arm(table, "down")) if arm]
        return sum(2 * number if len(set(tile)) == 1 else number for tile, number in tips)

    def earned(self, table: list[Laid]) -> int:
        """What the newest tile has brought by the ends it leaves open."""
        return self.count(table) if self.counts_ends and self.count(table) % 5 == 0 else 0

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
        """How the tile of an act would lie, and what the ends would come to."""
        tile, ends = act.tiles[0], self.open_ends(table)
        if act.place not in ("left", "right", *(("up", "down") if self.spinner(table) else ())):
            return Lies("not-connected", Counter())
        if act.place not in ends and ends:
            return Lies("arm-closed", Counter())
        if act.inner is not None and act.inner not in tile:
            return Lies("end-mismatch", Counter())
        asked = ends.get(act.place)
        touching = asked if act.inner is None and asked in tile else act.inner
        if ends and touching != asked:
            return Lies("end-mismatch", Counter())
        laid = Laid(act.seat, tile, act.numbers, act.place, act.inner, 0, is_overruled=False)
        what = "unclaimed" if self.rules["muggins"] else "ends"
        return Lies("ok-place" if table else "ok-opening", Counter({what: self.earned([*table, laid])}))

    def fits(self, table: list[Laid], tile: Tile) -> bool:
        """Whether the tile fits at any end."""
        return any(number in tile for number in self.open_ends(table).values())

    def is_dead(self, table: list[Laid], tiles: set[Tile]) -> bool:
        """Whether no tile that is not on the table fits at any end."""
        there = {laid.tile for laid in table}
        return bool(self.row(table)) and not any(self.fits(table, tile) for tile in tiles - there)
