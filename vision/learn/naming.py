"""Which tile every face of a set is: what is read surely tells how the set's marks look, and each tile is there once.

Nothing is invented: a face that might as well be another tile stays open, for people to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.tiles import rotations, smallest_rotation
from vision.learn.assignment import FORBIDDEN, assigned, total
from vision.learn.evidence import Evidence, Logs, Numbers

ROUNDS = 4
# By how much, as logarithms, a face must be likelier to be this tile than any other; how much unlikelier than what it
# looks like by itself it may be; and how sure all faces together must be of one mark against another.
CLEAR, CONTRADICTED, MARKS_APART = 3.0, 5.0, 8.0
TURN_APART = 2.0  # and how much likelier a tile must lie this way round than any other
NO_TILE = 12.0  # the cost of a face that is none of the tiles


@dataclass(frozen=True, slots=True)
class Named:
    """What a face is.

    `values` are in the order of the face's parts, () when it is none of the tiles; `is_open` when people have
    to say what it is, `values` then being the best guess; `others` are further tiles that it may be. `turn_is_clear`
    tells whether it is sure which of the numbers is in which part.
    """

    values: Numbers
    is_open: bool
    others: tuple[Numbers, ...] = ()
    turn_is_clear: bool = True

    @property
    def tile(self) -> Numbers:
        """The numbers in their smallest rotation."""
        return smallest_rotation(self.values) if self.values else ()


@dataclass(frozen=True, slots=True)
class Stock:
    """The tiles that there are, and how many of each at most in one picture, or in all of them together.

    `pictures` says of each face in which picture it is, all the same number where every tile is there once only.
    `odd` are tiles that only people can say are there.
    """

    tiles: tuple[Numbers, ...]
    copies: int
    pictures: tuple[int, ...]
    odd: tuple[Numbers, ...] = ()


def name(evidence: Evidence, stock: Stock, said: Mapping[int, Numbers]) -> list[Named]:
    """Say of every face which tile it is.

    Args:
        said: what people said, by the face's number; () means that it is no tile.
    """
    plain = evidence.logs()
    logs = plain
    values: list[Numbers] = []
    for _ in range(ROUNDS):
        before, values = values, _assigned(logs, stock, said)
        if values == before:
            break
        logs = evidence.logs(values)
    return _checked(values, plain, logs, stock, said)


def _costs(logs: Logs, tiles: Sequence[Numbers]) -> tuple[Logs, list[list[Numbers]]]:
    """What it costs to take each face for each tile, (faces, tiles), and which way round it lies then."""
    turned = [list(dict.fromkeys(rotations(tile))) for tile in tiles]
    parts = np.arange(logs.shape[2])
    costs = np.empty((len(logs), len(tiles)))
    best = [list(tiles) for _ in logs]
    for column, turns in enumerate(turned):
        each = np.stack([logs[:, :, parts, list(turn)].sum(axis=2).max(axis=1) for turn in turns])
        costs[:, column] = -each.max(axis=0)
        for face, turn in enumerate(each.argmax(axis=0)):
            best[face][column] = turns[turn]
    return costs, best


def _assigned(logs: Logs, stock: Stock, said: Mapping[int, Numbers]) -> list[Numbers]:
    """The cheapest way for all faces of a picture to be different tiles."""
    costs, turned = _costs(logs, stock.tiles)
    costs = _with_said(costs, stock, said)
    values: list[Numbers] = [()] * len(costs)
    for faces in _groups(stock):
        columns = assigned(_table(costs[faces], stock.copies))
        for face, column in zip(faces, columns, strict=True):
            if column < len(stock.tiles) * stock.copies:
                values[face] = turned[face][column // stock.copies]
    return values


def _with_said(costs: Logs, stock: Stock, said: Mapping[int, Numbers]) -> Logs:
    """The same where people have said what a face is: it costs nothing, anything else cannot be."""
    costs = costs.copy()
    for face, values in said.items():
        costs[face] = FORBIDDEN
        if values:
            costs[face, stock.tiles.index(smallest_rotation(values))] = 0.0
    return costs


def _table(costs: Logs, copies: int) -> Logs:
    """Costs with a column for each copy of each tile, and one for each face that is no tile."""
    return np.hstack([np.repeat(costs, copies, axis=1), np.full((len(costs), len(costs)), NO_TILE)])


def _groups(stock: Stock) -> list[NDArray[np.int64]]:
    """The faces of each picture."""
    pictures = np.array(stock.pictures)
    return [np.flatnonzero(pictures == picture) for picture in dict.fromkeys(stock.pictures)]


def _checked(values: list[Numbers], plain: Logs, logs: Logs, stock: Stock, said: Mapping[int, Numbers]) -> list[Named]:
    """The same with what may as well be otherwise left open."""
    everything = (*stock.tiles, *stock.odd)
    alone, _ = _costs(logs, everything)
    costs = _with_said(alone[:, : len(stock.tiles)], stock, said)
    doubtful = _alike(values, plain, said)
    named = [Named(each, False, (), _turn_is_clear(face, each)) for face, each in zip(logs, values, strict=True)]
    for faces in _groups(stock):
        table = _table(costs[faces], stock.copies)
        before = total(table, assigned(table))
        for row, face in enumerate(faces):
            if int(face) in said:
                continue
            values_of = values[face]
            column = stock.tiles.index(smallest_rotation(values_of)) if values_of else None
            margin = _margin(table, row, column, stock.copies, before)
            contradicted = column is not None and alone[face, column] - alone[face].min() > CONTRADICTED
            is_open = column is None or margin < CLEAR or contradicted or bool(doubtful & set(values_of))
            others = tuple(everything[each] for each in np.argsort(alone[face])[:4] if each != column)[:3]
            named[face] = replace(named[face], is_open=is_open, others=others)
    return named


def _margin(table: Logs, row: int, column: int | None, copies: int, before: float) -> float:
    """By how much more all faces of a picture cost if one of them is another tile; 0 where it is no tile."""
    if column is None:
        return 0.0
    other = table.copy()
    other[row, column * copies : (column + 1) * copies] = FORBIDDEN
    return total(other, assigned(other)) - before


def _turn_is_clear(logs: Logs, values: Numbers) -> bool:
    """Whether a face, (ways, parts, numbers), is clearly likelier to lie this way round than any other."""
    parts = np.arange(len(values))
    chance = {
        turn: float(logs[:, parts, list(turn)].sum(axis=1).max()) for turn in (rotations(values) if values else ())
    }
    return all(chance[values] - other >= TURN_APART for turn, other in chance.items() if turn != values)


def _alike(values: Sequence[Numbers], plain: Logs, said: Mapping[int, Numbers]) -> set[int]:
    """The numbers whose marks might have been taken for each other in all faces.

    The tiles of a set are the same when two numbers change places in all of them: only the readers' opinion of the
    marks themselves, and what people have said, tell which is which.
    """
    numbers = plain.shape[-1]
    for_it = np.zeros((numbers, numbers))  # how much speaks for a number against another
    seen: Counter[int] = Counter()
    for face, each in enumerate(values):
        if not each:
            continue
        way = int(plain[face][:, np.arange(len(each)), list(each)].sum(axis=1).argmax())
        for part, number in enumerate(each):
            worth = MARKS_APART if face in said else 0.0
            for_it[number] += plain[face, way, part, number] - plain[face, way, part] + worth
            seen[number] += 1
    swapped = for_it + for_it.T
    return {one for one in seen for other in seen if one != other and swapped[one, other] < MARKS_APART}
