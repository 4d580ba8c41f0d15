"""The course of a deal in a game of tricks: bids as `bidding` has them, tricks, what they prove, the score."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.laying.course import first, is_elsewhere, is_laid, with_seat
from referee.moves import (
    Begin,
    Bid,
    Clear,
    Exchange,
    FirstBidder,
    Loose,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
)
from referee.rulings import Cite, Reason, Ruling
from referee.state import Claim, Phase, Placed, changed
from referee.tiles import Tile
from referee.tricks import bidding, trick
from referee.tricks import score as trickscore
from referee.tricks.bidding import MOON, PASS
from referee.tricks.faults import SCORED, remedy
from referee.tricks.pack import Answer, Pack, dealt, next_first, void
from referee.tricks.trick import Step, TrickState

# What even the people at the table cannot let stand: there is no such tile, or it is not the time.
IMPOSSIBLE = (Reason.NOT_NOW, Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED, Reason.MUST_DISCARD)


def rule(pack: Pack, state: TrickState, move: Move) -> Ruling:
    """The answer to a move; total."""
    if not 0 <= getattr(move, "seat", 0) < state.players:
        return _refused(pack, state, Reason.NO_SUCH_SEAT)
    answer = _ordinary(pack, state, move) or remedy(pack, state, move)
    return _accepted(pack, state, answer) if answer.reason.is_legal else _refused(pack, state, answer.reason)


def bids(pack: Pack, state: TrickState) -> tuple[int, ...]:
    """All that may be bid."""
    return (*range(state.settings.least_bid, pack.dealt[state.players] + 1), MOON)


def _ordinary(pack: Pack, state: TrickState, move: Move) -> Answer | None:
    """The answer to what players do, None for what people enter about an irregularity."""
    answer: Answer | None = None
    match move:
        case Begin() if state.phase is Phase.DEAL:
            answer = Answer(Reason.OK_BEGIN, changed(state, phase=Phase.PLAY))
        case FirstBidder():
            answer = Answer(*bidding.set_first(state, move.seat))
        case Bid():
            bid = move.tricks if move.tricks in bids(pack, state) else -1
            answer = Answer(*bidding.call(state, move.seat, bid))
        case Pass():
            answer = Answer(*bidding.call(state, move.seat, PASS))
            answer = void(pack, answer) if answer.reason is Reason.ALL_PASS_REDEAL else answer
        case Exchange():
            answer = Answer(*bidding.exchange(state, move.seat, move.discard, pack.tiles))
        case NameTrump():
            answer = Answer(*bidding.name_trump(state, move.seat, move.trump))
        case Play():
            answer = _play(pack, state, move)
        case Place():  # wherever a tile is laid in a trick, it is played
            answer = _play(pack, state, Play(move.seat, move.tile, None, move.overruled))
        case Clear() if state.phase is Phase.CLEARING:
            answer = Answer(Reason.OK_CLEAR, dealt(pack, state, next_first(state)))
    return answer


# --- tricks ------------------------------------------------------------------------------------------


def refusal(pack: Pack, state: TrickState, move: Play) -> Reason | None:
    """Why this seat may not play this tile now, as far as anything is known."""
    seat, tile, known = move.seat, move.tile, state.known[move.seat] or ()
    reason = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in pack.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (state.step is Step.EXCHANGE and state.turn == seat, Reason.MUST_DISCARD),
        (state.step is not Step.TRICKS, Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (tile == state.discard or is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (len(known) == state.hands[seat] and tile not in known, Reason.NOT_IN_HAND),
    )
    if reason:
        return reason
    is_following = _follows(state, tile)
    duties = {each.tile for each in state.exposed if each.seat == seat and each.duty}.intersection(known)
    is_duty = any(not is_following or _follows(state, each) for each in duties)
    return first(
        (not _may_ask(state, move), Reason.NO_SUCH_SUIT),
        (not is_following and any(_follows(state, each) for each in known), Reason.REVOKE),
        (is_duty and tile not in duties, Reason.MUST_PLAY_EXPOSED),
    )


def _follows(state: TrickState, tile: Tile) -> bool:
    """True when the tile is of the suit asked for now; any tile may be led."""
    suit = trick.asked(state)
    assert state.trump is not None
    return suit is None or trick.follows(tile, suit, state.trump)


def _may_ask(state: TrickState, move: Play) -> bool:
    """True when the leader may ask for the number that he has named, if he has."""
    assert state.trump is not None
    suits = trick.suits_of(move.tile, state.trump)
    free = suits if state.settings.leader_names_suit else suits[:1]
    return move.suit is None or (move.suit in free and trick.asked(state) is None)


def _play(pack: Pack, state: TrickState, move: Play) -> Answer:
    seat, tile = move.seat, move.tile
    fault = refusal(pack, state, move)
    reason = fault or Reason.OK_PLAY
    has_played = any(placed.seat == seat for placed in trick.open_trick(state))
    if move.overruled and reason not in IMPOSSIBLE and not has_played:
        reason = Reason.OK_OVERRULED
    if not reason.is_legal:
        return Answer(reason, state)
    assert state.trump is not None
    suits = trick.suits_of(tile, state.trump)
    led = () if trick.asked(state) is not None else (move.suit if move.suit in suits else suits[0],)
    # a tile that was only played out of turn says as much of the hand as any other
    is_void = not _follows(state, tile) and (not move.overruled or fault is Reason.OUT_OF_TURN)
    claim = (Claim(trick.VOID, seat, len(state.layout), state.taken[seat]),) if is_void else ()
    known = state.known if tile in (state.known[seat] or ()) else with_seat(state.known, seat, _unsure(state, seat))
    after = changed(
        state,
        layout=(*state.layout, Placed(tile, Loose(), seat, overruled=move.overruled)),
        hands=with_seat(state.hands, seat, state.hands[seat] - 1),
        known=tuple(hand and (tuple(each for each in hand if each != tile) or None) for hand in known),
        suits=(*state.suits, *led),
        claims=(*state.claims, *claim),
    )
    return Answer(reason, _gathered(after, seat))


def _unsure(state: TrickState, seat: int) -> tuple[Tile, ...] | None:
    """What is known of a hand that has played a tile nobody knew of: nothing, if all of it was known."""
    known = state.known[seat]
    return known if known is not None and len(known) < state.hands[seat] else None


def _gathered(state: TrickState, seat: int) -> TrickState:
    """After a seat has played: the next seat's turn, or the whole trick to the seat that takes it."""
    tiles = trick.open_trick(state)
    if len(tiles) < state.players:
        return changed(state, turn=trick.next_seat(state, seat))
    assert state.trump is not None
    index, _ = trick.taken(tuple(placed.tile for placed in tiles), state.suits[-1], state.trump)
    return changed(state, turn=tiles[index].seat, won=(*state.won, tiles[index].seat))


# --- what a move that stands brings about ----------------------------------------------------------------


def _accepted(pack: Pack, before: TrickState, answer: Answer) -> Ruling:
    """The ruling on a move that stands: what it proves, what it earns, and whether it ends deal or match."""
    reason, after = answer.reason, answer.state
    revokes = trick.revokes(after)
    known = trick.revokes(before) if revokes else ()
    proven = answer.proven + tuple(proof for proof in revokes if proof not in known)
    cites = [_cite(pack, after, reason), *_trick_cites(pack, before, after)]
    cites += [Cite(_cite(pack, after, proof.reason).clause, proof.entry) for proof in proven]
    remedy = after.settings.revoke_remedy
    is_stopped = bool(revokes) and remedy != "report" and bool(trick.revokes(after, is_closed=True))
    is_over = after.phase is Phase.PLAY and (is_stopped or len(after.won) == pack.dealt[after.players])
    if is_over and is_stopped and remedy == "replay":
        answer = void(pack, replace(answer, state=after))
        is_over, after = False, answer.state
    if is_over:
        cites.append(Cite(f"{after.game} §{pack.clauses['score']}"))
        after = changed(after, phase=Phase.CLEARING, turn=None)
        after = changed(after, round_winner=after.bidder if trickscore.is_made(after) else None)
    awards = answer.awards + (trickscore.score(after) if is_over else ())
    awards = tuple(award for award in awards if award.points)
    if awards:
        totals = Counter(dict(enumerate(before.scores)))
        for award in awards:
            totals[award.seat] += award.points
        after = changed(after, scores=tuple(totals[seat] for seat in range(after.players)))
    if after.phase in SCORED and (ranking := trickscore.ranking(after)) != after.ranking:
        cites.append(Cite(f"{after.game} §{pack.clauses['end']}"))
        after = changed(after, phase=Phase.OVER if ranking else Phase.CLEARING, ranking=ranking)
    return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)


def _trick_cites(pack: Pack, before: TrickState, after: TrickState) -> list[Cite]:
    """The one paragraph that says why a trick went where it did, and the entry of the tile that took it."""
    if len(after.won) <= len(before.won):
        return []
    tiles = trick.last_trick(after)
    assert after.trump is not None
    index, why = trick.taken(tuple(placed.tile for placed in tiles), after.suits[-1], after.trump)
    return [Cite(f"{after.game} §{pack.clauses[why]}", tiles[index].entry)]


def _cite(pack: Pack, state: TrickState, reason: Reason) -> Cite:
    """The paragraph behind a reason; whose turn it is and what comes next, the paragraph of the step says."""
    is_step = reason in (Reason.OUT_OF_TURN, Reason.NOT_NOW) and state.phase is Phase.PLAY
    return Cite(f"{state.game} §{pack.clauses[state.step if is_step else reason]}")


def _refused(pack: Pack, state: TrickState, reason: Reason) -> Ruling:
    return Ruling(reason, state, cites=(_cite(pack, state, reason),))
