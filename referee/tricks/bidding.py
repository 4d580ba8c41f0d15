"""From the deal to the first lead in a game of tricks: auction, centre tile and discard, trumps.

Every function answers a move with a reason and the state after it; where the move does not stand that is
the state passed in.
"""

from __future__ import annotations

from collections.abc import Collection

from referee.laying.course import first, is_elsewhere, with_seat
from referee.moves import DOUBLES, NO_TRUMP, Trump
from referee.rulings import Reason
from referee.state import Claim, Phase, changed
from referee.tiles import Tile
from referee.tricks.trick import DISCARD, Step, TrickState

MOON = 21
REDEAL = "redeal"
PASS = 0  # the bid of a seat that passes

Outcome = tuple[Reason, TrickState]


def set_first(state: TrickState, seat: int) -> Outcome:
    """A seat is drawn or set to bid first, as long as nobody has called."""
    is_auction = state.phase is Phase.PLAY and state.step is Step.AUCTION and not state.calls
    if state.phase is not Phase.DEAL and not is_auction:
        return Reason.NOT_NOW, state
    return Reason.OK_FIRST_BIDDER, changed(state, first=seat, turn=seat)


def call(state: TrickState, seat: int, bid: int) -> Outcome:
    """A seat bids or passes; a bid below 0 is none that there is."""
    settings = state.settings
    has_called = any(caller == seat for caller, _ in state.calls)
    is_turn = state.turn == seat or (state.turn is None and settings.opening == "any")
    refusal = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (state.step is not Step.AUCTION, Reason.BID_CLOSED),
        (bid < PASS, Reason.BID_RANGE),
        (has_called, Reason.OUT_OF_TURN),
        (state.turn is None and not is_turn, Reason.NOT_NOW),
        (not is_turn and settings.out_of_turn_bid == "void", Reason.OUT_OF_TURN),
        (is_turn and bid != PASS and bid <= state.bid, Reason.BID_TOO_LOW),
    )
    if refusal:
        return refusal, state
    if not is_turn:
        return Reason.OK_FORCED_PASS, changed(state, calls=(*state.calls, (seat, PASS)))
    is_last = len(state.calls) + 1 == state.players
    is_forced = is_last and bid == PASS and state.bid == PASS and settings.all_pass != REDEAL
    reason = Reason.OK_PASS if bid == PASS else Reason.OK_BID
    if is_forced:
        reason, bid = Reason.OK_FORCED_BID, settings.least_bid
    after = changed(
        state,
        first=seat if state.first is None else state.first,
        calls=(*state.calls, (seat, bid)),
        bidder=seat if bid else state.bidder,
        bid=bid or state.bid,
    )
    if bid != MOON and not is_last:
        callers = {caller for caller, _ in after.calls}
        others = ((seat + step) % state.players for step in range(1, state.players))
        return reason, changed(after, turn=next(other for other in others if other not in callers))
    if after.bidder is None:
        return Reason.ALL_PASS_REDEAL, after
    return reason, _go_on(changed(after, turn=after.bidder))


def exchange(state: TrickState, seat: int, tile: Tile | None, tiles: Collection[Tile]) -> Outcome:
    """The bidder, who holds the centre tile too, lays one tile face down.

    Args:
        tile: which, None when nobody else has seen it.
        tiles: the whole set.
    """
    known = state.known[seat] or ()
    is_whole_hand = len(known) == state.hands[seat]
    refusal = first(
        (state.phase is not Phase.PLAY or state.step is not Step.EXCHANGE, Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (tile is not None and tile not in tiles, Reason.NO_SUCH_TILE),
        (tile is not None and is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile is not None and is_whole_hand and tile not in known, Reason.NOT_IN_HAND),
    )
    if refusal:
        return refusal, state
    # whichever tile went unseen may be one that was known
    left = None if tile is None else tuple(each for each in known if each != tile) or None
    after = changed(
        state,
        hands=with_seat(state.hands, seat, state.hands[seat] - 1),
        stock=state.stock + 1,
        known=with_seat(state.known, seat, left),
        discard=tile,
        claims=(*state.claims, Claim(DISCARD, seat, len(state.layout), state.taken[seat], 1)),
    )
    return Reason.OK_EXCHANGE, _go_on(after)


def name_trump(state: TrickState, seat: int, trump: Trump) -> Outcome:
    """The bidder names trumps."""
    is_number = isinstance(trump, int) and 0 <= trump <= state.settings.max_number
    refusal = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (state.step in (Step.EXCHANGE, Step.TRUMP) and state.turn != seat, Reason.OUT_OF_TURN),
        (state.step is Step.EXCHANGE and state.trump is None, Reason.MUST_DISCARD),
        (state.step is not Step.TRUMP, Reason.NOT_NOW),
        (not is_number and trump not in (DOUBLES, NO_TRUMP), Reason.NO_SUCH_TRUMP),
    )
    if refusal:
        return refusal, state
    return Reason.OK_TRUMP, _go_on(changed(state, trump=trump))


def _go_on(state: TrickState) -> TrickState:
    """The next step of the deal; the bidder takes the centre tile when its turn comes."""
    steps = [Step.AUCTION, Step.EXCHANGE, Step.TRUMP, Step.TRICKS]
    if state.settings.trump_before_widow:
        steps = [Step.AUCTION, Step.TRUMP, Step.EXCHANGE, Step.TRICKS]
    after = changed(state, step=steps[steps.index(state.step) + 1])
    if after.step is not Step.EXCHANGE:
        return after
    seat = after.bidder
    assert seat is not None
    return changed(
        after,
        hands=with_seat(after.hands, seat, after.hands[seat] + after.stock),
        taken=with_seat(after.taken, seat, after.taken[seat] + after.stock),
        stock=0,
    )
