"""What is a game's own in the course of a round, and the small things that every ruling needs.

A game says in a `Course` where a tile fits, what it earns, who opens, how a round scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from referee import audit
from referee.moves import Place
from referee.remedies import Remedies
from referee.rulings import Award, Cite, Reason, Ruling, charged
from referee.state import Claim, Phase, Placed, State, changed, next_deal
from referee.tiles import Tile

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Laid:
    """What a game says of a tile laid at a spot: the reason, and the points by what they are for.

    `unclaimed` are points that go to whoever names them.
    """

    reason: Reason
    points: tuple[tuple[str, int], ...] = ()
    unclaimed: int = 0


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
        stock_floor: how many tiles of the stock, or of each part of it, are never drawn.
        pass_cost: what being unable costs the seat to move.
        is_blocked: whether nobody will be able to move after this placement.
        score: the winner of a round that is over (None: nobody) and the awards of that round.
        ranking: seats from first to last when the match is over after a round with this winner, else ().
        ends_at_once: whether the match may end in mid-round.
        clause: the paragraph of the rule sheet that stands behind a reason; the state says what was opened with.
        spins: whether side arms may grow from a tile that is laid now.
        claims_points: whether points of a tile go to whoever names them.
        pays: the paragraphs that stand behind points, by what they are for, where the reason's own does not say it.
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
    stock_floor: int
    pass_cost: Callable[[State], int]
    is_blocked: Callable[[State], bool]
    score: Callable[[State], tuple[int | None, tuple[Award, ...]]]
    ranking: Callable[[State, int | None], tuple[tuple[int, ...], ...]]
    ends_at_once: bool
    clause: Callable[[State, Reason], str]
    spins: Callable[[State, Place], bool] = lambda _state, _move: False
    claims_points: bool = False
    pays: Mapping[str, str] = field(default_factory=dict)


# The paragraph about changes of what is over.
CONFIRMING = "7.3"

# A placement that the tile itself or its place forbids, whoever lays it.
MISPLACED = (
    *(Reason.NOT_CONNECTED, Reason.ONE_CORNER_ONLY, Reason.CORNER_CONTACT_NOT_ALLOWED),
    *(Reason.EDGE_MISMATCH, Reason.CORNER_MISMATCH, Reason.END_MISMATCH, Reason.ARM_CLOSED),
)


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
    after = next_deal(state, hand, stock, turn)
    return changed(after, stocks=(stock // count,) * count) if course.private_stock else after


def opening_seat(course: Course, state: State) -> int | None:
    """The seat that opens once all have named their best tiles, None before; who plays alone opens."""
    if state.players == 1:
        return 0
    return named_opener(course, state) if all(state.heard) else None


def named_opener(course: Course, state: State) -> int | None:
    """The seat that named or showed the best tile; None when nobody has one that opens, or several have equals."""
    best_tiles = (best_known(course, state, seat) for seat in range(state.players))
    named = [
        (course.rank(tile), seat)
        for seat, tile in enumerate(best_tiles)
        if tile is not None and (tile.is_uniform or not course.uniform_only)
    ]
    best = max((rank for rank, _ in named), default=None)
    seats = [seat for rank, seat in named if rank == best]
    return seats[0] if len(seats) == 1 else None


def best_claimed(course: Course, state: State, seat: int, tile: Tile) -> Tile:
    """The best tile that a seat opening with this one has, as far as anything is known."""
    rank, known = course.rank, set(state.known[seat] or ())
    best = max((tile, *known), key=rank)
    merely_seen = {each.tile for each in state.exposed if each.seat == seat}
    if tile not in course.choices or state.heard[seat] or best != tile or known - merely_seen - {tile}:
        return best
    if state.hands[seat] <= len(known - {tile}) + (not is_laid(state.layout, tile)):
        return best  # he has no tile that nobody has seen
    # whoever lays a tile of choice may hold a better one that nobody has seen
    unseen = (each for each in course.tiles if not is_elsewhere(state, seat, each))
    return max((each for each in unseen if not was_in_stock(state, seat, each)), key=rank, default=tile)


def was_in_stock(state: State, seat: int, tile: Tile) -> bool:
    """True when the tile was seen in the stock, and the seat has drawn nothing since."""
    return any(each.tile == tile and each.taken[seat] == state.taken[seat] for each in state.in_stock)


def drawn_from_stock(state: State, seat: int, count: int) -> State:
    """The state after a seat has taken tiles from the stock."""
    claim = Claim(audit.DRAW, seat, len(state.layout), state.taken[seat], count)
    return changed(
        state,
        hands=with_seat(state.hands, seat, state.hands[seat] + count),
        taken=with_seat(state.taken, seat, state.taken[seat] + count),
        stock=state.stock - count,
        stocks=with_seat(state.stocks, seat, state.stocks[seat] - count) if state.stocks else (),
        claims=(*state.claims, claim),
    )


def counted(state: State, seat: int) -> tuple[int, ...]:
    """What each seat drew in its last finished turn once this seat has laid a tile or passed, in its turn or not."""
    if state.turn in (None, seat):
        return with_seat(state.last_drawn, seat, state.drawn if state.turn == seat else 0)
    return with_seat(passed_over(state), seat, 0)


def passed_over(state: State) -> tuple[int, ...]:
    """What each seat drew in its last finished turn when the seat to move loses its turn."""
    if state.turn is None or not state.drawn:
        return state.last_drawn
    return with_seat(state.last_drawn, state.turn, state.drawn)


def ended(state: State) -> State:
    """The round is over: hands are to be shown."""
    return changed(state, phase=Phase.SHOW_HANDS, turn=None)


def in_reach(state: State, seat: int) -> int:
    """How many tiles a seat could take from the stock, allowed or not."""
    return state.stocks[seat] if state.stocks else state.stock


def drawable(course: Course, state: State, seat: int) -> int:
    """How many tiles of the stock a seat may draw before nothing but the last ones is left."""
    return max(in_reach(state, seat) - course.stock_floor, 0)


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
    return tile.values in [placed.tile.values for placed in layout]


def first(*checks: tuple[bool, Reason]) -> Reason | None:
    """The reason of the first check that is true."""
    return next((reason for broken, reason in checks if broken), None)


def cite(course: Course, state: State, reason: Reason) -> Cite:
    """The paragraph behind a reason."""
    clause = CONFIRMING if reason is Reason.NEEDS_CONFIRMING else course.clause(state, reason)
    return Cite(f"{state.game} §{clause}")


def paid(course: Course, state: State, awards: tuple[Award, ...]) -> list[Cite]:
    """The paragraphs behind points, where the reason's own does not say it."""
    return [Cite(f"{state.game} §{course.pays[award.what]}") for award in awards if award.what in course.pays]


def refused(course: Course, state: State, reason: Reason, awards: tuple[Award, ...] = ()) -> Ruling:
    """The ruling on a move that does not stand, and what it costs where the house rules say so."""
    return charged(reason, state, awards, (cite(course, state, reason),))


def with_seat(items: tuple[Item, ...], seat: int, item: Item) -> tuple[Item, ...]:
    """The items by seat with one of them changed."""
    return (*items[:seat], item, *items[seat + 1 :])
