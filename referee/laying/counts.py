"""Tiles that are counted: a hand, the stock, the tiles of a turn or of the deal, and what a wrong count means."""

from __future__ import annotations

from dataclasses import replace

from referee import audit, slots
from referee.laying.course import Course, ended, first, in_reach, is_in_play, refused, with_seat
from referee.laying.outcome import accepted
from referee.moves import CountDeal, CountStock, ExposeStock, Recount, SayDrawn
from referee.rulings import Award, Proof, Reason, Ruling
from referee.state import Claim, InStock, Phase, State, changed


def recount(course: Course, state: State, move: Recount) -> Ruling:
    """A hand has more tiles than the record says: somebody drew; it has fewer: some went back to the stock."""
    seat, more = move.seat, move.tiles - state.hands[move.seat]
    if state.phase is Phase.SHOW_HANDS and state.out == seat and more > 0:
        # who still holds tiles after his last possible one was dealt too many
        return count_deal(course, state, CountDeal(seat, slots.dealt(state, seat) + more))
    is_dealing = state.phase is Phase.DEAL or (state.phase is Phase.PLAY and not state.layout)
    is_showing = state.phase is Phase.SHOW_HANDS and state.shown[seat] is None
    is_turn = state.turn == seat and state.drawn > 0
    refusal = first(
        # a wrong deal is put right with the tiles themselves: the record already says what it should be
        (is_dealing and more != 0, Reason.WRONG_DEAL),
        (not is_dealing and not is_in_play(state) and not is_showing, Reason.NOT_NOW),
        # whose hand is empty has gone out, unless his last tile is missing
        (move.tiles < (0 if is_showing and move.confirmed else 1), Reason.HAND_COUNT_WRONG),
        (more > in_reach(state, seat), Reason.TILE_COUNT_WRONG),
        (more < 0 and is_turn and _stays(course, state, seat, -more), Reason.DRAWN_TILE_STAYS),
    )
    if refusal:
        return refused(course, state, refusal)
    if not more:
        return accepted(course, state, state, Reason.OK_RECOUNT)
    back = min(-more, state.drawn) if more < 0 and is_turn else 0
    booked = min(-more - back, _refundable(course, state, seat)) if more < 0 else 0
    what, count = (slots.FOUND, more) if more > 0 else (slots.RETURNED, booked)
    claims = (Claim(what, seat, len(state.layout), state.taken[seat], count),) if count else ()
    after = changed(
        _with_hand(state, seat, more),
        drawn=state.drawn - back,
        claims=(*state.claims, *claims),
        # nobody knows which tile went back
        known=state.known if more > 0 else with_seat(state.known, seat, None),
        exposed=tuple(replace(each, duty=each.duty and (more > 0 or each.seat != seat)) for each in state.exposed),
    )
    if is_in_play(after) and more > 0 and course.is_blocked(after):  # it was the last tile of the stock
        after = changed(ended(after), blocked=True)
    back += booked
    awards = [Award(seat, "draws", course.draw_cost * (back - max(more, 0)))]
    awards.append(Award(seat, "draw_too_many", course.penalty_sign * course.remedies.draw_too_many_penalty * back))
    return accepted(course, state, after, Reason.OK_RECOUNT, tuple(awards))


def _refundable(course: Course, state: State, seat: int) -> int:
    """How many of the tiles that were found in a hand, and paid for, may still go back from it."""
    own = [claim for claim in state.claims if claim.seat == seat]
    back = sum(claim.tiles for claim in own if claim.what == slots.RETURNED)
    return slots.found(state, seat) - back if course.remedies.draw_too_many_remedy == "return" else 0


def _stays(course: Course, state: State, seat: int, back: int) -> bool:
    """Whether tiles drawn in this turn may not go back: by the house rules, or because all have seen them."""
    known = state.known[seat] or ()
    seen = {each.tile for each in state.exposed if each.seat == seat and each.layout == len(state.layout)}
    unseen = state.drawn - len(seen.intersection(known))
    return course.remedies.draw_too_many_remedy == "stays" or (back <= state.drawn and back > unseen)


def count_deal(course: Course, state: State, move: CountDeal) -> Ruling:
    """A wrong deal is put right before the first play; found later, the round is void or the count is corrected."""
    seat = move.seat
    dealt = slots.dealt(state, seat)
    more = move.tiles - dealt
    is_dealing = state.phase is Phase.DEAL or (state.phase is Phase.PLAY and not state.layout)
    is_showing = state.phase is Phase.SHOW_HANDS and (state.shown[seat] is None or state.out == seat)
    left = state.hands[seat] + more
    refusal = first(
        (is_dealing and more != 0, Reason.WRONG_DEAL),
        (not is_dealing and not is_in_play(state) and not is_showing, Reason.NOT_NOW),
        (left < len(state.known[seat] or ()), Reason.HAND_COUNT_WRONG),
        (more > in_reach(state, seat), Reason.TILE_COUNT_WRONG),
    )
    if refusal:
        return refused(course, state, refusal)
    if not more:
        return accepted(course, state, state, Reason.OK_RECOUNT)
    shifted = (replace(claim, drawn=claim.drawn + more * (claim.seat == seat)) for claim in state.claims)
    after = changed(
        _with_hand(state, seat, more),
        taken=with_seat(state.taken, seat, state.taken[seat] + more),
        claims=tuple(shifted),
        exposed=tuple(
            replace(each, taken=each.taken + more) if each.seat == seat and each.taken is not None else each
            for each in state.exposed
        ),
        in_stock=tuple(
            replace(each, taken=with_seat(each.taken, seat, each.taken[seat] + more)) for each in state.in_stock
        ),
    )
    if left == 0 and is_in_play(state):
        after = changed(ended(after), out=seat, shown=with_seat(after.shown, seat, ()))
    elif state.out == seat:  # he has not gone out: play goes on
        turn = (seat + 1) % state.players
        after = changed(after, phase=Phase.PLAY, turn=turn, out=None, shown=(None,) * state.players)
    proof = Proof(Reason.WRONG_DEAL_PROVEN, seat, None, (str(dealt), str(move.tiles)))
    return accepted(course, state, after, Reason.OK_WRONG_DEAL, proven=(proof,))


def _with_hand(state: State, seat: int, more: int) -> State:
    """So many more tiles in a hand, and as many fewer in the stock."""
    return changed(
        state,
        hands=with_seat(state.hands, seat, state.hands[seat] + more),
        stock=state.stock - more,
        stocks=with_seat(state.stocks, seat, state.stocks[seat] - more) if state.stocks else (),
    )


def count_stock(course: Course, state: State, move: CountStock) -> Ruling:
    """The stock is what table and hands leave of the set: fewer while the hands are hidden means that somebody drew."""
    if state.phase is Phase.DEAL:
        return refused(course, state, Reason.NOT_NOW)
    hands = tuple(count if shown is None else len(shown) for count, shown in zip(state.hands, state.shown, strict=True))
    proof = audit.tile_count(len(course.tiles), len(state.layout), move.tiles, hands)
    is_open = None not in state.shown
    if proof and not is_open and move.tiles < state.stock:
        proof = Proof(Reason.DRAW_NOT_BOOKED, -1, None, (str(state.stock), str(move.tiles)))
    is_over = state.phase is Phase.OVER and not move.confirmed
    if proof and is_open and is_over and course.remedies.tile_missing_remedy == "void":
        return refused(course, state, Reason.NEEDS_CONFIRMING)  # the match would not be over any more
    return accepted(course, state, state, Reason.OK_COUNT_STOCK, proven=(proof,) if proof else ())


def expose_stock(course: Course, state: State, move: ExposeStock) -> Ruling:
    """A tile of the stock was seen: the stock is mixed again, and that tile was in no hand at this time."""
    tile = move.tile
    refusal = first(
        (state.phase not in (Phase.DEAL, Phase.PLAY), Reason.NOT_NOW),
        (tile not in course.tiles, Reason.NO_SUCH_TILE),
        (any(placed.tile == tile for placed in state.layout), Reason.TILE_ALREADY_PLAYED),
        (any(tile in (hand or ()) for hand in state.known), Reason.NOT_IN_STOCK),
        (state.stock == 0, Reason.STOCK_EMPTY),
    )
    if refusal:
        return refused(course, state, refusal)
    after = state
    if not any(each.tile == tile for each in state.exposed):  # else it was in a hand before, and went back
        others = tuple(each for each in state.in_stock if each.tile != tile)
        after = changed(state, in_stock=(*others, InStock(tile, state.taken)))
    return accepted(course, state, after, Reason.OK_STOCK_EXPOSED)


def say_drawn(course: Course, state: State, move: SayDrawn) -> Ruling:
    """A player names the number of tiles he drew in this turn or his last; where it differs, the count rules."""
    if not is_in_play(state) and state.phase is not Phase.SHOW_HANDS:
        return refused(course, state, Reason.NOT_NOW)
    is_turn = state.turn == move.seat and state.drawn > 0
    counted = state.drawn if is_turn else state.last_drawn[move.seat]
    wrong = Proof(Reason.DRAW_TOTAL_WRONG, move.seat, None, (str(counted), str(move.tiles)))
    return accepted(course, state, state, Reason.OK_DRAW_TOTAL, proven=(wrong,) if counted != move.tiles else ())
