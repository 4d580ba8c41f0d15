"""The state of a match: all that is public, and what is known of the hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from referee.moves import Spot
from referee.tiles import Tile


class Phase(StrEnum):
    """Where a round stands. Only in `PLAY` does a tile that lies, comes or goes mean a placement."""

    DEAL = "deal"
    PLAY = "play"
    SHOW_HANDS = "show-hands"
    CLEARING = "clearing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile that lies on the table by right, in the order of laying; `entry` is its journal entry.

    `overruled` when the people at the table let it stand against the rules; `spins` when side arms may grow from it.
    """

    tile: Tile
    spot: Spot
    seat: int
    entry: int | None = field(default=None, compare=False)
    overruled: bool = False
    spins: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody said something about a hidden hand that later tiles may prove false.

    `what` is `pass` or `draw`; `layout` is how many tiles lay on the table then, `drawn` how many tiles
    the seat had been given (dealt and drawn) before it, `tiles` how many it took. `found` claims nothing:
    so many tiles were found in the hand that must have been drawn at some time before; nor does `returned`: so many
    of those went back.
    """

    what: str
    seat: int
    layout: int
    drawn: int
    tiles: int = 0
    entry: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Exposed:
    """A hand tile that all have seen when so many tiles lay on the table.

    `duty` when it must be played at the first chance; `taken` is how many tiles the seat had been given by then
    (None where that makes no difference).
    """

    seat: int
    tile: Tile
    layout: int
    duty: bool = False
    taken: int | None = None


@dataclass(frozen=True, slots=True)
class InStock:
    """A tile that was seen in the stock when each seat had been given so many tiles: nobody held it then."""

    tile: Tile
    taken: tuple[int, ...]


@dataclass(frozen=True)  # without slots: every ruling makes several copies, and copying a dict is far cheaper
class State:
    """One match at one moment. Tuples indexed by seat; counts of tiles are public, faces are not.

    `turn` is the seat to move, None while nobody knows who opens. `drawn` counts the tiles the seat to
    move has taken in this turn, `taken` all that each seat has been given in this round, `stuck` the
    seats in succession that were charged for being unable. `known` holds a seat's tiles where they are
    known (shown, announced, entered by hand, tests); it is the whole hand only when it has as many tiles
    as `hands` says. `shown` are the hands counted at the end of a round, `out` the seat that went out,
    `blocked` says that nobody can move, `round_winner` is the seat that won the last scored round, `last_winner`
    the one that had won the last when this one was dealt.
    `ranking` groups seats from first to last when the match is over. `carried` are the scores when this
    round was dealt, `bonus` what its opener has earned besides his tile and may yet lose, `exposed` the
    hand tiles that all have seen, `in_stock` the tiles of the stock that were, `stocks` what is left of
    each seat's own stock where everybody has one, `last_drawn` what each seat drew in its last finished turn.
    `told` is what has been proven in this round, each by its reason and the index of the claim (-1: the
    opening), `charged` how many false claims each seat has been charged for. `unclaimed` are the points of the newest
    tile that go to whoever names them, None once somebody has.
    """

    game: str
    settings: Any
    names: tuple[str, ...]
    scores: tuple[int, ...]
    round: int = 1
    phase: Phase = Phase.DEAL
    turn: int | None = None
    hands: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    stock: int = 0
    layout: tuple[Placed, ...] = ()
    known: tuple[tuple[Tile, ...] | None, ...] = ()
    announced: tuple[Tile | None, ...] = ()
    heard: tuple[bool, ...] = ()
    drawn: int = 0
    stuck: int = 0
    claims: tuple[Claim, ...] = ()
    shown: tuple[tuple[Tile, ...] | None, ...] = ()
    out: int | None = None
    blocked: bool = False
    round_winner: int | None = None
    last_winner: int | None = None
    ranking: tuple[tuple[int, ...], ...] = ()
    carried: tuple[int, ...] = ()
    bonus: int = 0
    exposed: tuple[Exposed, ...] = ()
    stocks: tuple[int, ...] = ()
    in_stock: tuple[InStock, ...] = ()
    last_drawn: tuple[int, ...] = ()
    told: tuple[tuple[str, int], ...] = ()
    charged: tuple[int, ...] = ()
    unclaimed: int | None = 0

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.names)


Deal = TypeVar("Deal", bound=State)


def changed(state: Deal, **changes: Any) -> Deal:
    """The state with some fields changed: `dataclasses.replace` at a fraction of its cost.

    Raises:
        TypeError: for a field that does not exist.
    """
    copy = object.__new__(type(state))
    copy.__dict__.update(state.__dict__, **changes)
    if len(copy.__dict__) != len(state.__dict__):
        raise TypeError(f"expected fields of a state, got {', '.join(changes.keys() - state.__dict__.keys())}")
    return copy


def next_deal(state: Deal, hand: int, stock: int, turn: int | None, **own: Any) -> Deal:
    """The next round, dealt: names, settings, scores and the last winner stay, all else is as it begins.

    Args:
        hand: tiles dealt to each seat.
        stock: tiles left over.
        turn: the seat to move first, None while nobody knows.
        own: what a game's own kind of state begins with.
    """
    count = state.players
    return type(state)(
        game=state.game,
        settings=state.settings,
        names=state.names,
        scores=state.scores,
        round=state.round + 1,
        turn=turn,
        hands=(hand,) * count,
        taken=(hand,) * count,
        stock=stock,
        known=(None,) * count,
        announced=(None,) * count,
        heard=(False,) * count,
        shown=(None,) * count,
        round_winner=state.round_winner,
        last_winner=state.round_winner,
        carried=state.scores,
        last_drawn=(0,) * count,
        **own,
    )
