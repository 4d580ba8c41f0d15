"""Layouts of triominoes as boards, and the tiles that a gap of a board takes; remembered, because rulings ask again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.laying.lattice import Asks, Board
from referee.moves import CellSpot
from referee.state import Placed
from referee.tiles import Tile, rotations

REMEMBERED = 512  # boards

_boards: dict[tuple[int, ...], tuple[tuple[Placed, ...], Board]] = {}


def board(layout: tuple[Placed, ...]) -> Board:
    """The tiles of a layout that lie in cells, grown from the layout without its last tile if that is remembered.

    Remembered by the identity of the tiles (which are kept, so that no other object can take it): to hash
    them would cost more than the board itself.
    """
    key = tuple(map(id, layout))
    known = _boards.get(key)
    if known:
        return known[1]
    before = _boards.get(key[:-1])
    if before and layout and isinstance(spot := layout[-1].spot, CellSpot):
        found = before[1].with_tile(spot.cell, spot.values)
    else:
        found = Board({each.spot.cell: each.spot.values for each in layout if isinstance(each.spot, CellSpot)})
    if len(_boards) >= REMEMBERED:
        _boards.clear()
    _boards[key] = layout, found
    return found


@lru_cache(maxsize=4096)
def takers(tiles: frozenset[Tile], asks: Asks) -> tuple[tuple[Tile, tuple[int, ...]], ...]:
    """The tiles that match the numbers a gap asks for (None: any), in order, and their numbers as they are turned.

    A tile that matches in several turns comes several times.
    """
    turned = ((tile, values) for tile in sorted(tiles) for values in dict.fromkeys(rotations(tile.values)))
    return tuple(
        (tile, values)
        for tile, values in turned
        if all(asked in (None, value) for asked, value in zip(asks, values, strict=True))
    )


def fitting(tiles: frozenset[Tile], asked: Iterable[Asks]) -> frozenset[Tile]:
    """The tiles that match what some gap asks for."""
    return frozenset().union(*(_taking(tiles, asks) for asks in set(asked)))


@lru_cache(maxsize=4096)
def _taking(tiles: frozenset[Tile], asks: Asks) -> frozenset[Tile]:
    return frozenset(tile for tile, _ in takers(tiles, asks))
