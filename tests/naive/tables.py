"""Random tables and moves for the naive judges: enough of everything that is rare at real tables."""

from __future__ import annotations

import random
from itertools import product

from tests.naive.triangles import (
    Book,
    Numbers,
    Point,
    Triangle,
    is_printed,
    is_same_point,
    is_same_tile,
    judge,
    triangle,
)

Cell = tuple[int, int, str]
Laid = tuple[Cell, Numbers]

FAR_AWAY = 1000  # a cell where nothing else lies: so lie tiles that join nothing


def any_tile(chance: random.Random, book: Book) -> Numbers:
    """A tile of the set, turned somehow."""
    a, b, c = chance.choice([each for each in product(range(book.highest + 1), repeat=3) if is_printed(book, each)])
    return a, b, c


def grown(chance: random.Random, book: Book, size: int) -> list[Laid]:
    """A table on which every tile was laid legally, one after the other, as far as it goes."""
    x, y = chance.randrange(-40, 40), chance.randrange(-40, 40)
    table: list[Laid] = [((x, y, chance.choice("UD")), any_tile(chance, book))]
    for _ in range(size * 6):
        cell, numbers = candidate(chance, book, table, fitting=0.9)
        if judge(book, triangles(table), triangle(*cell, numbers))[0].startswith("ok-"):
            table.append((cell, numbers))
        if len(table) == size:
            break
    return table


def painted(chance: random.Random, book: Book) -> tuple[list[Laid], Laid]:
    """A gap among painted numbers and the tile that fits it: hexagons, bridges and gaps of every kind.

    Round the gap lie up to twelve tiles; a tile may lie there twice, which no real table has, but never the
    one that fits.
    """
    every = range(book.highest + 1)
    numbers = chance.sample(every, chance.choice((1, 2, 3, len(every))))
    painting: dict[Point, int] = {}

    def paint(cell: Cell) -> Numbers:
        corners = [(round(x, 3), round(y, 3)) for x, y in triangle(*cell, (0, 0, 0)).corners]
        a, b, c = (painting.setdefault(corner, chance.choice(numbers)) for corner in corners)
        return a, b, c

    gap = (chance.randrange(-9, 9), chance.randrange(-9, 9), chance.choice("UD"))
    fitting = paint(gap)
    numbers = list(every) if len(numbers) == 1 else numbers
    around = [(gap[0] + i, gap[1] + j, half) for i in (-1, 0, 1) for j in (-1, 0, 1) for half in "UD"]
    kept = chance.choice((0.4, 0.7, 0.9, 1.0, 1.0))
    laid = [(cell, paint(cell)) for cell in around if cell != gap and chance.random() < kept]
    table = [each for each in laid if is_printed(book, each[1]) and not is_same_tile(each[1], fitting)]
    return table or [((*gap[:2], "D" if gap[2] == "U" else "U"), (0, 0, 0))], (gap, fitting)


def candidate(chance: random.Random, book: Book, table: list[Laid], fitting: float) -> Laid:
    """A move on a table: near the tiles, and with this probability with numbers that match where they touch."""
    (x, y, _), _ = chance.choice(table)
    cell = (x + chance.randrange(-2, 3), y + chance.randrange(-2, 3), chance.choice("UD"))
    if chance.random() < fitting:
        empty = triangle(*cell, (0, 0, 0))
        asked = [number_at(table, corner) for corner in empty.corners]
        a, b, c = (chance.randrange(book.highest + 1) if number is None else number for number in asked)
        return cell, (a, b, c)
    if chance.random() < 0.1:  # a mirrored tile or a number there is not
        a, b, c = (chance.randrange(book.highest + 2) for _ in range(3))
        return cell, (a, b, c)
    return cell, any_tile(chance, book)


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
    """A table of either kind, and random moves on it.

    On some tables people have let a tile stand that does not match, or that joins nothing.
    """
    if chance.random() < 0.1:
        table = grown(chance, book, chance.choice((1, 3, 8, 15, 28, 45)))
        tried = [candidate(chance, book, table, fitting=0.6) for _ in range(moves)]
    else:
        table, (gap, numbers) = painted(chance, book)
        at = chance.randrange(3)
        altered = (*numbers[:at], chance.randrange(book.highest + 1), *numbers[at + 1 :])
        tried = [(gap, numbers), (gap, turned(numbers, 1)), (gap, altered), candidate(chance, book, table, fitting=0.5)]
    if chance.random() < 0.1:
        let_stand = chance.randrange(len(table))
        table[let_stand] = (table[let_stand][0], any_tile(chance, book))
    if chance.random() < 0.1:
        table.append(((FAR_AWAY, FAR_AWAY, "U"), any_tile(chance, book)))
    return table, tried
