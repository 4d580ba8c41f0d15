"""Random tables and moves for the naive judges: enough of everything that is rare at real tables."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

from tests.naive.triangles import Book, Numbers, Point, Triangle, is_printed, is_same_point, judge, triangle

Cell = tuple[int, int, str]
Laid = tuple[Cell, Numbers]

TRIANGLES: tuple[Numbers, ...] = tuple(combinations_with_replacement(range(6), 3))


def grown(chance: random.Random, book: Book, size: int) -> list[Laid]:
    """A table on which every tile was laid legally, one after the other, as far as it goes."""
    x, y = chance.randrange(-40, 40), chance.randrange(-40, 40)
    first = chance.choice(TRIANGLES)
    table: list[Laid] = [((x, y, chance.choice("UD")), turned(first, chance.randrange(3)))]
    for _ in range(size * 6):
        cell, numbers = candidate(chance, table, fitting=0.9)
        if judge(book, triangles(table), triangle(*cell, numbers))[0].startswith("ok-"):
            table.append((cell, numbers))
        if len(table) == size:
            break
    return table


def painted(chance: random.Random) -> tuple[list[Laid], Laid]:
    """A gap among painted numbers and the tile that fits it: hexagons, bridges and gaps of every kind.

    Round the gap lie up to twelve tiles; a tile may lie there twice, which no real table has, but never the
    one that fits.
    """
    numbers = chance.sample(range(6), chance.choice((1, 2, 3, 6)))
    painting: dict[Point, int] = {}

    def paint(cell: Cell) -> Numbers:
        corners = [(round(x, 3), round(y, 3)) for x, y in triangle(*cell, (0, 0, 0)).corners]
        a, b, c = (painting.setdefault(corner, chance.choice(numbers)) for corner in corners)
        return a, b, c

    gap = (chance.randrange(-9, 9), chance.randrange(-9, 9), chance.choice("UD"))
    fitting = paint(gap)
    numbers = list(range(6)) if len(numbers) == 1 else numbers
    around = [(gap[0] + i, gap[1] + j, half) for i in (-1, 0, 1) for j in (-1, 0, 1) for half in "UD"]
    kept = chance.choice((0.4, 0.7, 0.9, 1.0, 1.0))
    laid = [(cell, paint(cell)) for cell in around if cell != gap and chance.random() < kept]
    table = [each for each in laid if is_printed(each[1]) and sorted(each[1]) != sorted(fitting)]
    return table or [((*gap[:2], "D" if gap[2] == "U" else "U"), (0, 0, 0))], (gap, fitting)


def candidate(chance: random.Random, table: list[Laid], fitting: float) -> Laid:
    """A move on a table: near the tiles, and with this probability with numbers that match where they touch."""
    (x, y, _), _ = chance.choice(table)
    cell = (x + chance.randrange(-2, 3), y + chance.randrange(-2, 3), chance.choice("UD"))
    if chance.random() < fitting:
        empty = triangle(*cell, (0, 0, 0))
        asked = [number_at(table, corner) for corner in empty.corners]
        a, b, c = (chance.randrange(6) if number is None else number for number in asked)
        return cell, (a, b, c)
    if chance.random() < 0.1:  # a mirrored tile or a number there is not
        return cell, (chance.randrange(7), chance.randrange(7), chance.randrange(7))
    return cell, turned(chance.choice(TRIANGLES), chance.randrange(3))


def number_at(table: list[Laid], point: Point) -> int | None:
    """The number of any tile that has a corner at a point."""
    for cell, numbers in table:
        lying = triangle(*cell, numbers)
        for corner, number in zip(lying.corners, numbers, strict=True):
            if is_same_point(corner, point):
                return number
    return None


def turned(numbers: Numbers, shift: int) -> Numbers:
    """The numbers from another corner on."""
    a, b, c = numbers[shift:] + numbers[:shift]
    return a, b, c


def triangles(table: list[Laid]) -> list[Triangle]:
    """A table as points in the plane."""
    return [triangle(*cell, numbers) for cell, numbers in table]


def scene(chance: random.Random, book: Book, moves: int) -> tuple[list[Laid], list[Laid]]:
    """A table of either kind, and random moves on it."""
    if chance.random() < 0.1:
        table = grown(chance, book, chance.choice((1, 3, 8, 15, 28, 45)))
        return table, [candidate(chance, table, fitting=0.6) for _ in range(moves)]
    table, (gap, numbers) = painted(chance)
    at = chance.randrange(3)
    altered = (*numbers[:at], chance.randrange(6), *numbers[at + 1 :])
    return table, [(gap, numbers), (gap, turned(numbers, 1)), (gap, altered), candidate(chance, table, fitting=0.5)]
