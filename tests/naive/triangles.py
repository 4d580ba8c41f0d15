"""A second judge of triominoes that looks at points in the plane and compares everything with everything.

It knows nothing of the referee's own rules and is slow on purpose: no lattice, no lookup, only distances.
A triangle is its three corners, clockwise as seen from above, each a point and a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist

Point = tuple[float, float]
Numbers = tuple[int, int, int]

# How far apart two points may be drawn and still be one; the side of a tile is 1.
SAME = 0.1


@dataclass(frozen=True)
class Book:
    """The points of one printed rule: bonus for 1, 2 and 3 hexagons, and None for what it does not allow.

    The numbers of its tiles go up to `highest`, and rise clockwise or the other way; or there are both sorts.
    """

    hexagon: tuple[int, int, int] = (50, 100, 150)
    bridge: int = 40
    two_sides: int = 40
    three_sides: int = 40
    two_corners: int | None = None
    three_corners: int | None = None
    highest: int = 5
    rises: bool = True
    mirrored: bool = False


@dataclass(frozen=True)
class Triangle:
    """A tile as it lies: three corners clockwise, and the numbers at them."""

    corners: tuple[Point, Point, Point]
    numbers: Numbers

    @property
    def middle(self) -> Point:
        """The point of balance."""
        return (sum(x for x, _ in self.corners) / 3, sum(y for _, y in self.corners) / 3)


def triangle(x: int, y: int, half: str, numbers: Numbers) -> Triangle:
    """A tile in a cell that is named as the records name it: column, row and the way it points."""
    grid = [(x, y), (x, y + 1), (x + 1, y)] if half == "U" else [(x + 1, y), (x, y + 1), (x + 1, y + 1)]
    a, b, c = [(column + row / 2, row * 3**0.5 / 2) for column, row in grid]
    return Triangle((a, b, c), numbers)


def is_printed(book: Book, numbers: Numbers) -> bool:
    """Whether there is such a tile: read from some corner on its numbers rise, in the way the set is printed."""
    a, b, c = numbers
    clockwise = is_rising(book, (a, b, c))
    other_way = is_rising(book, (c, b, a))
    if book.mirrored:
        return clockwise or other_way
    return clockwise if book.rises else other_way


def is_rising(book: Book, numbers: Numbers) -> bool:
    """Whether the numbers rise in this order, beginning with any of them."""
    a, b, c = numbers
    return any(0 <= low <= mid <= high <= book.highest for low, mid, high in ((a, b, c), (b, c, a), (c, a, b)))


def is_same_tile(one: Numbers, other: Numbers) -> bool:
    """Whether one tile can be turned into the other."""
    return any(one == other[at:] + other[:at] for at in range(3))


def is_same_point(one: Point, other: Point) -> bool:
    """Whether two points are one."""
    return dist(one, other) < SAME


def judge(book: Book, table: list[Triangle], new: Triangle) -> tuple[str, int]:
    """The code of a placement on a table that is not empty, and its points (0 for an illegal one)."""
    if not is_printed(book, new.numbers):
        return "no-such-tile", 0
    if any(is_same_tile(old.numbers, new.numbers) for old in table):
        return "tile-already-played", 0
    if any(is_same_point(old.middle, new.middle) for old in table):
        return "cell-occupied", 0
    there = [_numbers_at(table, corner) for corner in new.corners]
    touched = [index for index in range(3) if there[index]]
    shared = [[index for index in range(3) if _touches(old, new.corners[index])] for old in table]
    sides = [each for each in shared if len(each) == 2]
    differing = [index for index in touched if any(number != new.numbers[index] for number in there[index])]
    if not touched:
        return "not-connected", 0
    if any(index in side for index in differing for side in sides):
        return "edge-mismatch", 0
    if differing:
        return "corner-mismatch", 0
    hexagons = sum(len(numbers) == 5 for numbers in there)
    code, points = _kind(book, len(sides), len(touched), hexagons)
    return code, points + sum(new.numbers) if code.startswith("ok-") else 0


def fitting(book: Book, table: list[Triangle], cells: Iterable[tuple[int, int, str]]) -> list[Gap]:
    """The empty ones of some cells that touch a tile by enough to lay another there, with what they ask for."""
    numbers: dict[Point, set[int]] = {}
    for old in table:
        for corner, number in zip(old.corners, old.numbers, strict=True):
            numbers.setdefault(_rounded(corner), set()).add(number)
    laid = {_rounded(old.middle) for old in table}
    sides = {_rounded(middle) for old in table for middle in _middles_of_sides(old)}
    found = []
    for cell in cells:
        empty = triangle(*cell, (0, 0, 0))
        there = [numbers.get(_rounded(corner), set()) for corner in empty.corners]
        if _rounded(empty.middle) in laid or any(len(each) > 1 for each in there):
            continue
        touched = sum(_rounded(middle) in sides for middle in _middles_of_sides(empty))
        corners = sum(map(bool, there))
        by_corners = {2: book.two_corners, 3: book.three_corners}.get(corners)
        if touched or by_corners is not None:
            found.append(Gap(cell, tuple(min(each, default=None) for each in there), touched))
    return found


@dataclass(frozen=True)
class Gap:
    """A cell where a tile may be laid: the numbers it asks for, and how many sides it would share."""

    cell: tuple[int, int, str]
    asks: tuple[int | None, ...]
    sides: int

    def takes(self, numbers: Numbers) -> bool:
        """Whether the tile fits in one of its three turns."""
        return any(self.takes_as_it_lies(numbers[at:] + numbers[:at]) for at in range(3))

    def takes_as_it_lies(self, numbers: tuple[int, ...]) -> bool:
        """Whether the tile fits in this turn."""
        return all(asked is None or asked == number for asked, number in zip(self.asks, numbers, strict=True))


def _middles_of_sides(each: Triangle) -> list[Point]:
    a, b, c = each.corners
    return [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in ((a, b), (b, c), (c, a))]


def _rounded(point: Point) -> Point:
    """The same for two drawings of one point."""
    return round(point[0], 3) + 0.0, round(point[1], 3) + 0.0


def _kind(book: Book, sides: int, corners: int, hexagons: int) -> tuple[str, int]:
    """What kind of place it is where all numbers agree, and its bonus."""
    only_corners = {
        1: ("one-corner-only", None),
        2: ("ok-two-corner", book.two_corners),
        3: ("ok-three-corner", book.three_corners),
    }
    if sides == 0:
        code, points = only_corners[corners]
        is_refused = points is None and corners > 1
        return ("corner-contact-not-allowed" if is_refused else code), points or 0
    if hexagons:
        return ("ok-hexagon" if hexagons == 1 else "ok-multi-hexagon"), book.hexagon[hexagons - 1]
    by_sides = {2: ("ok-two-sided", book.two_sides), 3: ("ok-three-sided", book.three_sides)}
    return by_sides.get(sides, ("ok-bridge", book.bridge) if corners == 3 else ("ok-edge", 0))


def _numbers_at(table: list[Triangle], point: Point) -> list[int]:
    """The numbers of all tiles that have a corner at a point."""
    return [
        number
        for old in table
        for corner, number in zip(old.corners, old.numbers, strict=True)
        if is_same_point(corner, point)
    ]


def _touches(old: Triangle, corner: Point) -> bool:
    return any(is_same_point(point, corner) for point in old.corners)
