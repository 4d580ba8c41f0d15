"""What people enter when a round does not go as it should: seen and counted tiles, turns, points, a new deal."""

from __future__ import annotations

from itertools import chain

from referee.laying import counts
from referee.laying.course import (
    Course,
    drawable,
    first,
    is_elsewhere,
    is_in_play,
    is_laid,
    passed_over,
    refused,
    was_in_stock,
    with_seat,
)
from referee.laying.openings import turn_to_open
from referee.laying.outcome import accepted
from referee.moves import (
    Adjust,
    CallBlock,
    CountDeal,
    CountStock,
    Expose,
    ExposeStock,
    Recount,
    Redeal,
    Remedy,
    SayDrawn,
    SetTurn,
)
from referee.rulings import Award, Reason, Ruling
from referee.state import Exposed, Phase, State, changed
from referee.tiles import Tile


def remedy(course: Course, state: State, move: Remedy) -> Ruling:
    """The answer to what people enter about an irregularity; total."""
    match move:
        case Expose():
            ruling = _expose(course, state, move)
        case ExposeStock():
            ruling = counts.expose_stock(course, state, move)
        case Recount():
            ruling = counts.recount(course, state, move)
        case CountStock():
            ruling = counts.count_stock(course, state, move)
        case SayDrawn():
            ruling = counts.say_drawn(course, state, move)
        case CountDeal():
            ruling = counts.count_deal(course, state, move)
        case CallBlock():
            ruling = _call_block(course, state)
        case Adjust():
            ruling = _adjust(course, state, move)
        case SetTurn():
            ruling = _set_turn(course, state, move)
        case Redeal():
            ruling = _redeal(course, state)
    return ruling


def duties(course: Course, state: State, seat: int) -> frozenset[Tile]:
    """The tiles that a seat must play before any other, for they fit and lie open."""
    open_tiles = {each.tile for each in state.exposed if each.seat == seat and each.duty}
    if not open_tiles:
        return frozenset()
    return frozenset(tile for tile in open_tiles & course.fitting(state.layout) if not is_laid(state.layout, tile))


def _expose(course: Course, state: State, move: Expose) -> Ruling:
    seat, tile = move.seat, move.tile
    known = state.known[seat] or ()
    refusal = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in course.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile not in known and was_in_stock(state, seat, tile), Reason.NOT_IN_HAND),
        (tile not in known and len(known) >= state.hands[seat], Reason.NOT_IN_HAND),
    )
    if refusal:
        return refused(course, state, refusal)
    remedies = course.remedies
    is_open = move.laid and remedies.out_of_turn_remedy == "stays_open"
    duty = is_open or remedies.exposed_tile_remedy == "must_play"
    seen = Exposed(seat, tile, len(state.layout), duty, state.taken[seat])
    known = known if tile in known else (*known, tile)
    after = changed(state, known=with_seat(state.known, seat, known), exposed=(*state.exposed, seen))
    # a tile that is shown counts as named
    after = changed(after, turn=turn_to_open(course, after))
    return accepted(course, state, after, Reason.OK_EXPOSE)


def _call_block(course: Course, state: State) -> Ruling:
    """A call is right where nobody can ever play again; the round ends as its rules say, not by the call."""
    if state.phase is Phase.SHOW_HANDS and state.blocked:
        return accepted(course, state, state, Reason.OK_BLOCK_CALLED)
    has_stock = course.draw_limit != 0 and any(drawable(course, state, seat) for seat in range(state.players))
    refusal = first(
        (not is_in_play(state), Reason.NOT_NOW),
        (not _is_stuck(course, state, has_stock), Reason.NOT_BLOCKED),
        (has_stock, Reason.BLOCK_WITH_STOCK),
    )
    return refused(course, state, refusal) if refusal else accepted(course, state, state, Reason.OK_BLOCK_CALLED)


def _is_stuck(course: Course, state: State, has_stock: bool) -> bool:
    """True when every tile that fits lies on the table, or all hands are known and none of them holds one."""
    fitting = {tile for tile in course.fitting(state.layout) if not is_laid(state.layout, tile)}
    hands = [known or () for known in state.known]
    is_all_known = tuple(map(len, hands)) == state.hands
    return not fitting or (is_all_known and not has_stock and fitting.isdisjoint(chain(*hands)))


def _adjust(course: Course, state: State, move: Adjust) -> Ruling:
    if state.phase is Phase.OVER or not move.points:
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, state, Reason.OK_ADJUST, (Award(move.seat, "adjusted", move.points),))


def _set_turn(course: Course, state: State, move: SetTurn) -> Ruling:
    if state.phase is not Phase.PLAY:
        return refused(course, state, Reason.NOT_NOW)
    after = changed(state, turn=move.seat, drawn=0, stuck=0, last_drawn=passed_over(state))
    return accepted(course, state, after, Reason.OK_TURN)


def _redeal(course: Course, state: State) -> Ruling:
    if state.phase not in (Phase.PLAY, Phase.SHOW_HANDS):
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, state, Reason.OK_REDEAL)
