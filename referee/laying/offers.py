"""What can be done about a tile that was refused, the remedy of the rules first."""

from __future__ import annotations

from dataclasses import replace

from referee.laying import rounds
from referee.laying.course import Course
from referee.moves import Expose, Move, Place, Redeal
from referee.rulings import Offer, Reason
from referee.state import State


def offers(course: Course, state: State, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
    """The remedies in the order in which the rules prefer them; none for what is no placement, or a legal one.

    Args:
        state: the state in which the tile was refused.
        has_gone_on: the next player has acted since, so an error is no longer repaired but stands.
    """
    if not isinstance(move, Place):
        return ()
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


def _offer(course: Course, state: State, what: str, move: Move) -> tuple[Offer, ...]:
    ruling = rounds.rule(course, state, move)
    return (Offer(what, move, ruling),) if ruling.is_legal else ()
