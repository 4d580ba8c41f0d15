"""What is a game's own in the course of a round, and the small things that every ruling needs.

A game says in a `Course` where a tile fits, what it earns, who opens, how a round scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from referee import audit
from referee.moves import Place
from referee.remedies import Remedies
from referee.rulings import Award, Cite, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import Tile

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Laid:
    """What a game says of a tile laid at a spot: the reason, and the points by what they are for."""

    reason: Reason
    points: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """What is a game's own in the course of a round.

    Attributes:
        tiles: the whole set.
        dealt: tiles in each hand, by the number of players.
        remedies: what follows from an irregularity.
        penalty_sign: -1 where a penalty takes points away, 1 where points count against a player.
        rank: the tile of the highest rank opens.
        choices: tiles that the right opener may lay instead of his best one.
        unshown: what such a tile loses when the best one has not been shown before play goes on.
        opens_by_rule: False when any tile of the first seat may open.
        winner_opens: True when the winner of a round opens the next one with any tile.
        uniform_only: True when nothing but a double or triple opens and seats draw until they have one.
        fitting: the tiles that could be laid next on a layout.
        lay: what a tile earns at a spot, or why it may not lie there.
        worth: what an overruled tile earns.
        draw_cost, draw_limit: of one tile; tiles in one turn (None: no limit).
        drawing_claims: True when only a seat that cannot play may draw.
        may_decline: True when a seat that has drawn need not lay a tile.
        passing_claims: True when only a seat that cannot play may pass.
        private_stock: True when the stock is split, and each seat draws from its own part.
        pass_cost: what being unable costs the seat to move.
        is_blocked: whether nobody will be able to move after this placement.
        score: the winner of a round that is over (None: nobody) and the awards of that round.
        ranking: seats from first to last when the match is over after a round with this winner, else ().
        ends_at_once: whether the match may end in mid-round.
        clauses: the paragraph of the rule sheet that stands behind each reason.
    """

    tiles: frozenset[Tile]
    dealt: Mapping[int, int]
    remedies: Remedies
    penalty_sign: int
    rank: Callable[[Tile], tuple[int, ...]]
    choices: tuple[Tile, ...]
    unshown: int
    opens_by_rule: bool
    winner_opens: bool
    uniform_only: bool
    fitting: audit.Fitting
    lay: Callable[[State, Place], Laid]
    worth: Callable[[Tile], tuple[tuple[str, int], ...]]
    draw_cost: int
    draw_limit: int | None
    drawing_claims: bool
    may_decline: bool
    passing_claims: bool
    private_stock: bool
    pass_cost: Callable[[State], int]
    is_blocked: Callable[[State], bool]
    score: Callable[[State], tuple[int | None, tuple[Award, ...]]]
    ranking: Callable[[State, int | None], tuple[tuple[int, ...], ...]]
    ends_at_once: bool
    clauses: Mapping[Reason, str]


def is_free_opening(winner_opens: bool, state: State) -> bool:
    """True when this round is opened with any tile by the winner of the last one."""
    return winner_opens and state.round > 1 and state.round_winner is not None


def is_ruled(course: Course, state: State) -> bool:
    """True when the rule says which seat opens this round, and with what."""
    return course.opens_by_rule and not is_free_opening(course.winner_opens, state)


def best_known(course: Course, state: State, seat: int) -> Tile | None:
    """The best tile to open with that a seat is known to hold."""
    return max(state.known[seat] or (), key=course.rank, default=None)


def dealt(course: Course, state: State) -> State:
    """The next round, dealt."""
    count = state.players
    hand = course.dealt[count]
    stock = len(course.tiles) - hand * count
    # who plays alone opens; so does the winner of a round where that is the rule
    turn = 0 if count == 1 else state.round_winner if course.winner_opens and state.round else None
    return State(
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
        carried=state.scores,
        stocks=(stock // count,) * count if course.private_stock else (),
    )


def ended(state: State) -> State:
    """The round is over: hands are to be shown."""
    return replace(state, phase=Phase.SHOW_HANDS, turn=None)


def in_reach(state: State, seat: int) -> int:
    """How many tiles a seat could draw."""
    return state.stocks[seat] if state.stocks else state.stock


def is_in_play(state: State) -> bool:
    """True from the opening to the end of a round."""
    return state.phase is Phase.PLAY and bool(state.layout)


def is_able(course: Course, state: State, seat: int) -> bool:
    """True when the seat is known to hold a tile that fits."""
    known = state.known[seat]
    return bool(known) and not course.fitting(state.layout).isdisjoint(known or ())


def is_elsewhere(state: State, seat: int, tile: Tile) -> bool:
    """True when another seat is known to hold the tile."""
    return any(tile in (hand or ()) for other, hand in enumerate(state.known) if other != seat)


def is_laid(layout: tuple[Placed, ...], tile: Tile) -> bool:
    """True when the tile lies on the table."""
    return any(placed.tile.values == tile.values for placed in layout)


def first(*checks: tuple[bool, Reason]) -> Reason | None:
    """The reason of the first check that is true."""
    return next((reason for broken, reason in checks if broken), None)


def cite(course: Course, state: State, reason: Reason) -> Cite:
    """The paragraph behind a reason."""
    return Cite(f"{state.game} §{course.clauses[reason]}")


def refused(course: Course, state: State, reason: Reason) -> Ruling:
    """The ruling on a move that does not stand."""
    return Ruling(reason, state, cites=(cite(course, state, reason),))


def with_seat(items: tuple[Item, ...], seat: int, item: Item) -> tuple[Item, ...]:
    """The items by seat with one of them changed."""
    return (*items[:seat], item, *items[seat + 1 :])
