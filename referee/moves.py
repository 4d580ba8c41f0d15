"""The things players do, as frozen values; seats are numbered from 0."""

from __future__ import annotations

from dataclasses import dataclass

from referee.laying.lattice import Cell
from referee.tiles import Tile


@dataclass(frozen=True, slots=True)
class CellSpot:
    """A triangle cell, and the tile's numbers in the clockwise order of the cell's vertices."""

    cell: Cell
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineSpot:
    """An end of the domino line (`left`, `right`; of an arm `up`, `down`) and the number on the half that touches it.

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


@dataclass(frozen=True, slots=True)
class Expose:
    """The face of a tile in hand has been seen by all, or is shown on purpose.

    `laid` when it was laid out of turn and lies open before its player since.
    """

    seat: int
    tile: Tile
    laid: bool = False


@dataclass(frozen=True, slots=True)
class Recount:
    """The tiles in a hand have been counted: there are so many, whatever the record says.

    `confirmed` when it is empty although its player has not gone out: what he should hold is missing.
    """

    seat: int
    tiles: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class CountStock:
    """The tiles of the stock have been counted; `confirmed` even if that voids the last round of a match."""

    tiles: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class ExposeStock:
    """The face of a tile of the stock has been seen by all."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class SayDrawn:
    """A player names the number of tiles he has drawn in his turn."""

    seat: int
    tiles: int


@dataclass(frozen=True, slots=True)
class CountDeal:
    """It is found that a seat was dealt so many tiles."""

    seat: int
    tiles: int


@dataclass(frozen=True, slots=True)
class CallBlock:
    """A player says that nobody can move any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimPoints:
    """A player names what the newest tile has earned, where points go to whoever names them."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Adjust:
    """The people give a seat points, or take some."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class SetTurn:
    """The people say whose turn it is."""

    seat: int


@dataclass(frozen=True, slots=True)
class Redeal:
    """The round does not count: the tiles are dealt again."""


DOUBLES = "doubles"
NO_TRUMP = "none"
# a number from 0 up, DOUBLES or NO_TRUMP
Trump = int | str


@dataclass(frozen=True, slots=True)
class FirstBidder:
    """This seat bids first: drawn by lot, or set by the people."""

    seat: int


@dataclass(frozen=True, slots=True)
class Bid:
    """A player undertakes to take so many tricks."""

    seat: int
    tricks: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """The bidder, who has taken the centre tile, lays one tile face down (None: nobody saw which)."""

    seat: int
    discard: Tile | None = None


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The bidder names trumps: a number, doubles, or none."""

    seat: int
    trump: Trump


@dataclass(frozen=True, slots=True)
class Play:
    """A tile is played to a trick; `suit` is the number its leader asks for, where he may choose.

    `overruled` means that the people at the table let it stand whatever the rules say.
    """

    seat: int
    tile: Tile
    suit: int | None = None
    overruled: bool = False


Tricks = FirstBidder | Bid | Exchange | NameTrump | Play
Remedy = Expose | ExposeStock | Recount | CountStock | SayDrawn | CountDeal | CallBlock | Adjust | SetTurn | Redeal
Move = Begin | Announce | Place | Draw | Pass | ShowHand | Clear | Tricks | Remedy | ClaimPoints
