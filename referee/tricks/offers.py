"""What can be done about a call or a tile of a game of tricks that was refused, the remedy of the rules first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from referee.moves import Bid, Expose, Move, Pass, Place, Play, Redeal, SetTurn
from referee.rulings import Offer, Reason
from referee.tricks import deals, trick
from referee.tricks.pack import Pack
from referee.tricks.trick import Step, TrickState

FOLLOWERS = 2  # a lead out of turn stands when so many have followed


def offers(pack: Pack, state: TrickState, move: Move, is_late: bool) -> tuple[Offer, ...]:
    """The remedies in the order in which the rules prefer them; none for what is no call or tile, or stands.

    Where a call out of turn stands, the turn is set to its seat, which then calls.

    Args:
        is_late: whether play has gone on since (see `has_gone_on`).
    """
    if not isinstance(move, Bid | Pass | Place | Play):
        return ()
    reason = deals.rule(pack, state, move).reason
    is_turn, is_call = reason is Reason.OUT_OF_TURN, isinstance(move, Bid | Pass)
    if reason.is_legal or reason in (Reason.NO_SUCH_SEAT, Reason.NOT_NOW) or (is_call and not is_turn):
        return ()
    back = Offer("take-back")
    if isinstance(move, Bid | Pass):
        stands = _offer(pack, state, "stands", SetTurn(move.seat))
    elif reason in (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED):  # a tile of another set
        return (back, *_offer(pack, state, "redeal", Redeal()))
    else:
        stands = _offer(pack, state, "stands", replace(move, overruled=True))
    found = (*stands, back) if is_turn and is_late else (back, *stands)
    if isinstance(move, Bid | Pass) or not is_turn or state.settings.out_of_turn_remedy != "stays_open":
        return found
    open_tile = _offer(pack, state, "stays-open", Expose(move.seat, move.tile, laid=True))
    return (*found, *open_tile) if is_late else (*open_tile, *found)


def has_gone_on(state: TrickState, move: Move, since: Collection[int]) -> bool:
    """Whether a refused call or tile is no longer repaired: the next in turn has acted, or two have followed a lead.

    Args:
        since: the seats that have called or played since.
    """
    if not isinstance(move, Bid | Pass | Place | Play):
        return False
    is_tile = isinstance(move, Place | Play) and state.step is Step.TRICKS
    if is_tile and trick.asked(state) is None:
        return len(set(since) - {move.seat}) >= FOLLOWERS
    return (trick.next_seat(state, move.seat) if is_tile else (move.seat + 1) % state.players) in since


def _offer(pack: Pack, state: TrickState, what: str, move: Move) -> tuple[Offer, ...]:
    ruling = deals.rule(pack, state, move)
    return (Offer(what, move, ruling),) if ruling.is_legal else ()
