"""The opening of a round: who names which tile, who opens, and what undoes an opening that was wrong."""

from __future__ import annotations

from referee.laying.course import (
    Course,
    best_claimed,
    best_known,
    drawable,
    drawn_from_stock,
    first,
    is_elsewhere,
    is_laid,
    is_ruled,
    opening_seat,
    refused,
    was_in_stock,
    with_seat,
)
from referee.laying.outcome import accepted, may_be_undone
from referee.moves import Announce, Draw, Place
from referee.rulings import Reason, Ruling
from referee.state import Phase, State, changed


def announce(course: Course, state: State, move: Announce) -> Ruling:
    """The answer to a player who names his best tile; while nobody has acted since the opening he still may."""
    seat, tile = move.seat, move.tile
    # what a seat says anew replaces what it said before, but not what all have seen
    seen = {each.tile for each in state.exposed if each.seat == seat}
    others = [each for each in state.known[seat] or () if each != state.announced[seat] or each in seen]
    is_new = tile is not None and tile not in others and not is_laid(state.layout, tile)
    refusal = first(
        (state.phase not in (Phase.DEAL, Phase.PLAY), Reason.NOT_NOW),
        (bool(state.layout) and not may_be_undone(course, state), Reason.NOT_NOW),
        (tile is not None and tile not in course.tiles, Reason.NO_SUCH_TILE),
        (tile is not None and is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile is not None and was_in_stock(state, seat, tile), Reason.NOT_IN_HAND),
        (is_new and len(others) >= state.hands[seat], Reason.NOT_IN_HAND),
    )
    if refusal:
        return refused(course, state, refusal)
    known = (*others, *([tile] if tile and is_new else [])) or None
    after = changed(
        state,
        announced=with_seat(state.announced, seat, tile),
        heard=with_seat(state.heard, seat, True),
        known=with_seat(state.known, seat, known),
    )
    after = changed(after, turn=turn_to_open(course, after))
    return accepted(course, state, after, Reason.OK_ANNOUNCE)


def turn_to_open(course: Course, state: State) -> int | None:
    """Whose turn it is after something has been named or shown: that of the best tile once all have been heard."""
    is_open = not state.layout and is_ruled(course, state) and not _is_in_lap(course, state)
    return opening_seat(course, state) if is_open and all(state.heard) else state.turn


def must_wait(course: Course, state: State) -> bool:
    """True while nobody may open because seats are drawing a tile to open with."""
    return course.uniform_only and is_ruled(course, state) and _is_in_lap(course, state)


def _is_in_lap(course: Course, state: State) -> bool:
    """True while some seats have drawn a tile to open with and the others of that lap have not yet."""
    return not state.layout and state.stock > course.stock_floor and len(state.claims) % state.players != 0


def opening_refusal(course: Course, state: State, move: Place) -> Reason | None:
    """Why this seat may not open the round with this tile, as far as anything is known."""
    rank, seat, tile = course.rank, move.seat, move.tile
    own = best_claimed(course, state, seat, tile)
    rivals = [best_known(course, state, other) for other in range(state.players) if other != seat]
    rival = max((each for each in rivals if each is not None), key=rank, default=None)
    return first(
        (must_wait(course, state), Reason.LAP_NOT_OVER),
        (rival is not None and rank(rival) > rank(own), Reason.WRONG_OPENER),
        (state.turn not in (None, seat), Reason.WRONG_OPENER),
        (course.uniform_only and not tile.is_uniform, Reason.NEEDS_TRIPLE),
        (rank(own) > rank(tile) and tile not in course.choices, Reason.WRONG_OPENING_TILE),
    )


def draw_for_opener(course: Course, state: State, move: Draw) -> Ruling:
    """Where nobody can open, all draw one tile in turn, free of charge, until one can; each lap is drawn to its end."""
    seat, players = move.seat, state.players
    last = state.claims[-1].seat if state.claims else None
    holds = any(tile.is_uniform for hand in state.known for tile in hand or ())
    refusal = first(
        (move.count < 1, Reason.NOT_NOW),
        (last is not None and seat != (last + 1) % players, Reason.OUT_OF_TURN),
        (drawable(course, state, seat) == 0, Reason.STOCK_EMPTY),
        (move.count > 1, Reason.DRAW_LIMIT),
        (holds and not _is_in_lap(course, state), Reason.DRAW_WHILE_ABLE),
    )
    if refusal:
        return refused(course, state, refusal)
    # what a seat said of its hand before it drew says nothing of the new tile
    after = changed(drawn_from_stock(state, seat, 1), heard=with_seat(state.heard, seat, False))
    return accepted(course, state, after, Reason.OK_DRAW)
