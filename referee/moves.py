"""The things players do, as frozen values; seats are numbered from 0."""

from __future__ import annotations

from dataclasses import dataclass

from referee.lattice import Cell
from referee.tiles import Tile


@dataclass(frozen=True, slots=True)
class CellSpot:
    """A triangle cell, and the tile's numbers in the clockwise order of the cell's vertices."""

    cell: Cell
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineSpot:
    """An end of the domino line (`left` or `right`) and the number on the half that touches it.

    `inner` None means: whichever half fits. The first tile of a line lies at `left`.
    """

    end: str
    inner: int | None = None


@dataclass(frozen=True, slots=True)
class Loose:
    """Lies on the table and joins nothing."""


Spot = CellSpot | LineSpot | Loose


@dataclass(frozen=True, slots=True)
class Begin:
    """The deal is over and the table is empty: play begins."""


@dataclass(frozen=True, slots=True)
class Announce:
    """A player names the best tile he could open with (None: he holds none that would open)."""

    seat: int
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Place:
    """A tile is laid. `overruled` means that the people at the table let it stand whatever the rules say."""

    seat: int
    tile: Tile
    spot: Spot
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """A player takes `count` tiles from the stock."""

    seat: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Pass:
    """A player says that he cannot play."""

    seat: int


@dataclass(frozen=True, slots=True)
class ShowHand:
    """At the end of a round a player's remaining tiles are counted."""

    seat: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Clear:
    """After a round has been scored the table has been cleared."""


Move = Begin | Announce | Place | Draw | Pass | ShowHand | Clear
