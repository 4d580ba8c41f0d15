"""What can be said instead of a move that was refused, the remedy of the rules first, and what has to be asked."""

from __future__ import annotations

from dataclasses import replace

from referee import slots
from referee.laying import mustshow, rounds
from referee.laying.course import Course, best_known
from referee.laying.outcome import may_be_undone
from referee.moves import Announce, CountDeal, CountStock, Expose, Move, Place, Recount, Redeal, ShowHand
from referee.rulings import Offer, Reason
from referee.state import State


def offers(course: Course, state: State, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
    """The remedies in the order in which the rules prefer them; none for a legal move, or where there is no choice.

    Args:
        state: the state in which the move was refused.
        has_gone_on: the next player has acted since, so an error is no longer repaired but stands.
    """
    match move:
        case Place():
            return _about_a_tile(course, state, move, has_gone_on)
        case ShowHand() | Recount():
            return _about_a_count(course, state, move)
        case CountStock():
            is_asked = rounds.rule(course, state, move).reason is Reason.NEEDS_CONFIRMING
            return _offer(course, state, "void", replace(move, confirmed=True)) if is_asked else ()
    return ()


def asks(course: Course, state: State) -> tuple[Offer, ...]:
    """What whoever opened with a tile of choice may answer while the tile that he passed over is asked for.

    It is asked for where it must be shown, and wherever somebody else has named a tile that would have opened.
    """
    if not may_be_undone(course, state):
        return ()
    opener = state.layout[0]
    if opener.tile not in course.choices or mustshow.has_answered(course, state):
        return ()
    rivals = [best_known(course, state, seat) for seat in range(state.players) if seat != opener.seat]
    is_disputed = any(tile is not None and course.rank(tile) > course.rank(opener.tile) for tile in rivals)
    if not course.unshown and not is_disputed:
        return ()
    shows = [Announce(opener.seat, tile) for tile in mustshow.higher(course, state)]
    found = [offer for move in shows for offer in _offer(course, state, "shows-triple", move)]
    return (*found, *_offer(course, state, "is-highest", Announce(opener.seat, opener.tile)))


def _about_a_tile(course: Course, state: State, move: Place, has_gone_on: bool) -> tuple[Offer, ...]:
    reason = rounds.rule(course, state, move).reason
    if reason.is_legal or reason in (Reason.NO_SUCH_SEAT, Reason.NOT_NOW):
        return ()
    back = Offer("take-back")
    if reason in (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED):  # a tile of another set
        return (back, *_offer(course, state, "redeal", Redeal()))
    stands = _offer(course, state, "stands", replace(move, overruled=True))
    found = (*stands, back) if has_gone_on else (back, *stands)
    if reason is not Reason.OUT_OF_TURN or course.remedies.out_of_turn_remedy != "stays_open":
        return found
    open_tile = _offer(course, state, "stays-open", Expose(move.seat, move.tile, laid=True))
    return (*found, *open_tile) if has_gone_on else (*open_tile, *found)


def _about_a_count(course: Course, state: State, move: ShowHand | Recount) -> tuple[Offer, ...]:
    """A hand that does not add up is counted again, or really has so many tiles: drawn since, or dealt."""
    if rounds.rule(course, state, move).reason is not Reason.HAND_COUNT_WRONG:
        return ()
    seat = move.seat
    tiles = len(move.tiles) if isinstance(move, ShowHand) else move.tiles
    dealt = slots.dealt(state, seat) + tiles - state.hands[seat]
    if tiles == 0:
        holds = _offer(course, state, "missing", Recount(seat, 0, confirmed=True))
    else:
        holds = _offer(course, state, "holds", Recount(seat, tiles))
    was_dealt = _offer(course, state, "dealt", CountDeal(seat, dealt)) if dealt > 0 else ()
    return (Offer("count-again"), *holds, *was_dealt)


def _offer(course: Course, state: State, what: str, move: Move) -> tuple[Offer, ...]:
    ruling = rounds.rule(course, state, move)
    return (Offer(what, move, ruling),) if ruling.is_legal else ()
