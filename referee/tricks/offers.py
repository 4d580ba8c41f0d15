"""What can be done about a call or a tile of a game of tricks that was refused, the remedy of the rules first."""

from __future__ import annotations

from dataclasses import replace

from referee.moves import Bid, Expose, Move, Pass, Place, Play, Redeal, SetTurn
from referee.rulings import Offer, Reason
from referee.tricks import deals
from referee.tricks.pack import Pack
from referee.tricks.trick import TrickState


def offers(pack: Pack, state: TrickState, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
    """The remedies in the order in which the rules prefer them; none for what is no call or tile, or stands.

    Where a call out of turn stands, the turn is set to its seat, which then calls.

    Args:
        has_gone_on: the next in turn has called or played since; after a lead out of turn, two have followed.
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
    found = (*stands, back) if is_turn and has_gone_on else (back, *stands)
    if isinstance(move, Bid | Pass) or not is_turn or state.settings.out_of_turn_remedy != "stays_open":
        return found
    open_tile = _offer(pack, state, "stays-open", Expose(move.seat, move.tile, laid=True))
    return (*found, *open_tile) if has_gone_on else (*open_tile, *found)


def _offer(pack: Pack, state: TrickState, what: str, move: Move) -> tuple[Offer, ...]:
    ruling = deals.rule(pack, state, move)
    return (Offer(what, move, ruling),) if ruling.is_legal else ()
