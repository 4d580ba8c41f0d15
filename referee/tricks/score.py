"""What a deal of tricks is worth to each seat, and who has won the match."""

from __future__ import annotations

from referee.rulings import Award
from referee.tricks import trick
from referee.tricks.bidding import MOON
from referee.tricks.trick import TrickState


def offenders(state: TrickState) -> set[int]:
    """The seats whose revoke bears on the score."""
    if state.settings.revoke_remedy == "report":
        return set()
    return {proof.seat for proof in trick.revokes(state, is_closed=True)}


def is_made(state: TrickState) -> bool:
    """Whether the bid is made: by enough tricks, or because another seat has revoked."""
    seats = offenders(state)
    if state.no_discard or state.bidder in seats:
        return False
    tricks = min(state.taken) if state.bid == MOON else state.bid
    return bool(seats) or state.won.count(state.bidder or 0) >= tricks


def points(state: TrickState) -> dict[int, int]:
    """What a finished deal is worth to each seat."""
    seats = offenders(state)
    tricks = {seat: 0 if seat in seats else state.won.count(seat) for seat in range(state.players)}
    assert state.bidder is not None
    return tricks | {state.bidder: state.bid if is_made(state) else -state.bid}


def score(state: TrickState) -> tuple[Award, ...]:
    """The bidder's bid, won or lost; every other seat scores its tricks."""
    words = {state.bidder: "moon" if state.bid == MOON else "bid"}
    return tuple(Award(seat, words.get(seat, "tricks"), worth) for seat, worth in points(state).items())


def lost(before: TrickState, after: TrickState, what: str) -> tuple[Award, ...]:
    """What a deal that has been scored is worth to each seat now more or less than it was."""
    were = points(before)
    return tuple(Award(seat, what, worth - were[seat]) for seat, worth in points(after).items())


def ranking(state: TrickState) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last once one of them has won the match."""
    settings, scores, bidder = state.settings, state.scores, state.bidder
    leaders = [seat for seat, total in enumerate(scores) if total == max(scores)]
    is_moon = state.bid == MOON and settings.moon_made == "wins" and is_made(state)
    winner: int | None = None
    if is_moon or (settings.bidder_goes_out and bidder is not None and scores[bidder] >= settings.target):
        winner = bidder
    elif max(scores) >= settings.target and len(leaders) == 1:
        winner = leaders[0]
    if winner is None:
        return ()
    others = sorted({total for seat, total in enumerate(scores) if seat != winner}, reverse=True)
    groups = (tuple(seat for seat, total in enumerate(scores) if total == each and seat != winner) for each in others)
    return ((winner,), *groups)
