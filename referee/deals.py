"""The course of a deal in a game of tricks: bids as `bidding` has them, tricks, what they prove, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee import audit, bidding, trick
from referee.bidding import MOON, PASS
from referee.course import first, is_elsewhere, is_laid, with_seat
from referee.moves import (
    Adjust,
    Begin,
    Bid,
    Clear,
    CountStock,
    Exchange,
    Expose,
    FirstBidder,
    Loose,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
    Recount,
    Redeal,
    SetTurn,
)
from referee.rulings import Award, Cite, Proof, Reason, Ruling
from referee.state import Claim, Exposed, Phase, Placed
from referee.tiles import Tile
from referee.trick import Step, TrickState

# What even the people at the table cannot let stand: there is no such tile, or it is not the time.
IMPOSSIBLE = (Reason.NOT_NOW, Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED, Reason.MUST_DISCARD)


@dataclass(frozen=True, slots=True)
class Pack:
    """What a game of tricks is played with: the whole set, tiles in each hand by the number of players, and
    the paragraph of the rule sheet behind each reason, each way to take a trick, `lead`, `score` and `end`."""

    tiles: frozenset[Tile]
    dealt: Mapping[int, int]
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Answer:
    """A reason, the state as the move alone leaves it, and what the move itself earns and proves."""

    reason: Reason
    state: TrickState
    awards: tuple[Award, ...] = ()
    proven: tuple[Proof, ...] = ()


def dealt(pack: Pack, state: TrickState, bids_first: int | None) -> TrickState:
    """The next deal."""
    count = state.players
    hand = pack.dealt[count]
    return TrickState(
        game=state.game,
        settings=state.settings,
        names=state.names,
        scores=state.scores,
        round=state.round + 1,
        turn=bids_first,
        hands=(hand,) * count,
        taken=(hand,) * count,
        stock=len(pack.tiles) - hand * count,
        known=(None,) * count,
        announced=(None,) * count,
        heard=(False,) * count,
        shown=(None,) * count,
        round_winner=state.round_winner,
        carried=state.scores,
        first=bids_first,
    )


def rule(pack: Pack, state: TrickState, move: Move) -> Ruling:
    """The answer to a move; total."""
    if not 0 <= getattr(move, "seat", 0) < state.players:
        return _refused(pack, state, Reason.NO_SUCH_SEAT)
    answer = _ordinary(pack, state, move) or _remedy(pack, state, move)
    return _accepted(pack, state, answer) if answer.reason.is_legal else _refused(pack, state, answer.reason)


def bids(pack: Pack, state: TrickState) -> tuple[int, ...]:
    """All that may be bid."""
    return (*range(state.settings.least_bid, pack.dealt[state.players] + 1), MOON)


def _ordinary(pack: Pack, state: TrickState, move: Move) -> _Answer | None:
    """The answer to what players do, None for what people enter about an irregularity."""
    answer: _Answer | None = None
    match move:
        case Begin() if state.phase is Phase.DEAL:
            answer = _Answer(Reason.OK_BEGIN, replace(state, phase=Phase.PLAY))
        case FirstBidder():
            answer = _Answer(*bidding.set_first(state, move.seat))
        case Bid():
            bid = move.tricks if move.tricks in bids(pack, state) else -1
            answer = _Answer(*bidding.call(state, move.seat, bid))
        case Pass():
            answer = _Answer(*bidding.call(state, move.seat, PASS))
            answer = _void(pack, answer) if answer.reason is Reason.ALL_PASS_REDEAL else answer
        case Exchange():
            answer = _Answer(*bidding.exchange(state, move.seat, move.discard, pack.tiles))
        case NameTrump():
            answer = _Answer(*bidding.name_trump(state, move.seat, move.trump))
        case Play():
            answer = _play(pack, state, move)
        case Place():  # wherever a tile is laid in a trick, it is played
            answer = _play(pack, state, Play(move.seat, move.tile, None, move.overruled))
        case Clear() if state.phase is Phase.CLEARING:
            answer = _Answer(Reason.OK_CLEAR, dealt(pack, state, _next_first(state)))
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


def _play(pack: Pack, state: TrickState, move: Play) -> _Answer:
    seat, tile = move.seat, move.tile
    reason = refusal(pack, state, move) or Reason.OK_PLAY
    has_played = any(placed.seat == seat for placed in trick.open_trick(state))
    if move.overruled and reason not in IMPOSSIBLE and not has_played:
        reason = Reason.OK_OVERRULED
    if not reason.is_legal:
        return _Answer(reason, state)
    assert state.trump is not None
    suits = trick.suits_of(tile, state.trump)
    led = () if trick.asked(state) is not None else (move.suit if move.suit in suits else suits[0],)
    is_void = not move.overruled and not _follows(state, tile)
    claim = (Claim(trick.VOID, seat, len(state.layout), state.taken[seat]),) if is_void else ()
    known = state.known if tile in (state.known[seat] or ()) else with_seat(state.known, seat, _unsure(state, seat))
    after = replace(
        state,
        layout=(*state.layout, Placed(tile, Loose(), seat, overruled=move.overruled)),
        hands=with_seat(state.hands, seat, state.hands[seat] - 1),
        known=tuple(hand and (tuple(each for each in hand if each != tile) or None) for hand in known),
        suits=(*state.suits, *led),
        claims=(*state.claims, *claim),
    )
    return _Answer(reason, _gathered(after, seat))


def _unsure(state: TrickState, seat: int) -> tuple[Tile, ...] | None:
    """What is known of a hand that has played a tile nobody knew of: nothing, if all of it was known."""
    known = state.known[seat]
    return known if known is not None and len(known) < state.hands[seat] else None


def _gathered(state: TrickState, seat: int) -> TrickState:
    """After a seat has played: the next seat's turn, or the whole trick to the seat that takes it."""
    tiles = trick.open_trick(state)
    if len(tiles) < state.players:
        return replace(state, turn=trick.next_seat(state, seat))
    assert state.trump is not None
    index, _ = trick.taken(tuple(placed.tile for placed in tiles), state.suits[-1], state.trump)
    return replace(state, turn=tiles[index].seat, won=(*state.won, tiles[index].seat))


# --- what people enter about an irregularity ------------------------------------------------------------


def _remedy(pack: Pack, state: TrickState, move: Move) -> _Answer:
    is_playing = state.phase is Phase.PLAY
    match move:
        case Expose():
            return _expose(pack, state, move)
        case Recount() if is_playing or state.phase is Phase.CLEARING:
            return _recount(pack, state, move)
        case CountStock() if is_playing or state.phase is Phase.CLEARING:
            proof = audit.tile_count(len(pack.tiles), len(state.layout), move.tiles, state.hands)
            answer = _Answer(Reason.OK_COUNT_STOCK, state, proven=(proof,) if proof else ())
            is_void = proof and is_playing and state.settings.tile_missing_remedy == "void"
            return _void(pack, answer) if is_void else answer
        case Adjust() if state.phase is not Phase.OVER and move.points:
            return _Answer(Reason.OK_ADJUST, state, (Award(move.seat, "adjusted", move.points),))
        case SetTurn() if is_playing:
            return _set_turn(state, move.seat)
        case Redeal() if is_playing:
            return _void(pack, _Answer(Reason.OK_REDEAL, state))
    return _Answer(Reason.NOT_NOW, state)


def _void(pack: Pack, answer: _Answer) -> _Answer:
    """The deal does not count and is dealt again; what it has brought is taken back, the first bid moves on."""
    state = answer.state
    pairs = zip(state.carried, state.scores, strict=True)
    awards = tuple(Award(seat, "void", then - now) for seat, (then, now) in enumerate(pairs))
    again = dealt(pack, replace(state, round=state.round - 1, scores=state.carried), _next_first(state))
    # the awards are added when the ruling is made
    return replace(answer, state=replace(again, scores=state.scores), awards=awards)


def _next_first(state: TrickState) -> int | None:
    return None if state.first is None else (state.first + 1) % state.players


def _expose(pack: Pack, state: TrickState, move: Expose) -> _Answer:
    seat, tile, settings = move.seat, move.tile, state.settings
    known = state.known[seat] or ()
    reason = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in pack.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (tile == state.discard or is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile not in known and len(known) >= state.hands[seat], Reason.NOT_IN_HAND),
    )
    if reason:
        return _Answer(reason, state)
    is_open = move.laid and settings.out_of_turn_remedy == "stays_open"
    seen = Exposed(seat, tile, len(state.layout), is_open or settings.exposed_tile_remedy == "must_play")
    known = known if tile in known else (*known, tile)
    after = replace(state, known=with_seat(state.known, seat, known), exposed=(*state.exposed, seen))
    return _Answer(Reason.OK_EXPOSE, after)


def _recount(pack: Pack, state: TrickState, move: Recount) -> _Answer:
    """A hand has been counted; one tile more than it should have is the bidder's discard that he has kept."""
    seat, more = move.seat, move.tiles - state.hands[move.seat]
    discards = [claim for claim in state.claims if claim.what == trick.DISCARD]
    is_kept = more == 1 and seat == state.bidder and bool(discards)
    if not more:
        return _Answer(Reason.OK_RECOUNT, state)
    if not state.layout:  # put right with the tiles themselves: the record already says what it should be
        return _Answer(Reason.MUST_DISCARD if is_kept else Reason.WRONG_DEAL, state)
    if not is_kept and state.phase is Phase.PLAY:
        proof = Proof(Reason.TILE_COUNT_WRONG, seat, None, (str(state.hands[seat]), str(move.tiles)))
        return _void(pack, _Answer(Reason.OK_RECOUNT, state, proven=(proof,)))
    if not is_kept:
        return _Answer(Reason.HAND_COUNT_WRONG, state)
    kept = replace(
        state,
        hands=with_seat(state.hands, seat, move.tiles),
        stock=state.stock - 1,
        no_discard=True,
        discard=None,
        claims=tuple(claim for claim in state.claims if claim.what != trick.DISCARD),
    )
    awards: tuple[Award, ...] = ()
    if state.phase is Phase.CLEARING:  # the deal has been scored as if the bid might be made
        lost = _points(kept)[seat] - _points(state)[seat]
        awards = (Award(seat, "no_discard", lost),)
    proof = Proof(Reason.NO_DISCARD_PROVEN, seat, discards[0].entry, (str(move.tiles),))
    return _Answer(Reason.OK_RECOUNT, kept, awards, (proof,))


def _set_turn(state: TrickState, seat: int) -> _Answer:
    called = {caller for caller, _ in state.calls}
    played = {placed.seat for placed in trick.open_trick(state)}
    may = {Step.AUCTION: seat not in called, Step.TRICKS: seat not in played}.get(state.step, False)
    return _Answer(Reason.OK_TURN, replace(state, turn=seat)) if may else _Answer(Reason.NOT_NOW, state)


# --- what a move that stands brings about ----------------------------------------------------------------


def _accepted(pack: Pack, before: TrickState, answer: _Answer) -> Ruling:
    """The ruling on a move that stands: what it proves, what it earns, and whether it ends deal or match."""
    reason, after = answer.reason, answer.state
    known = trick.revokes(before)
    proven = answer.proven + tuple(proof for proof in trick.revokes(after) if proof not in known)
    cites = [_cite(pack, after, reason), *_trick_cites(pack, before, after)]
    cites += [Cite(_cite(pack, after, proof.reason).clause, proof.entry) for proof in proven]
    remedy = after.settings.revoke_remedy
    is_stopped = remedy != "report" and bool(trick.revokes(after, is_closed=True))
    is_over = after.phase is Phase.PLAY and (is_stopped or len(after.won) == pack.dealt[after.players])
    if is_over and is_stopped and remedy == "replay":
        answer = _void(pack, replace(answer, state=after))
        is_over, after = False, answer.state
    awards = answer.awards + (_score(after) if is_over else ())
    awards = tuple(award for award in awards if award.points)
    totals = Counter(dict(enumerate(before.scores)))
    for award in awards:
        totals[award.seat] += award.points
    after = replace(after, scores=tuple(totals[seat] for seat in range(after.players)))
    if is_over:
        cites.append(Cite(f"{after.game} §{pack.clauses['score']}"))
        winner = after.bidder if _is_made(after) else None
        after = replace(after, phase=Phase.CLEARING, turn=None, round_winner=winner)
    if after.phase is Phase.CLEARING and (ranking := _ranking(after)):
        cites.append(Cite(f"{after.game} §{pack.clauses['end']}"))
        after = replace(after, phase=Phase.OVER, ranking=ranking)
    return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)


def _trick_cites(pack: Pack, before: TrickState, after: TrickState) -> list[Cite]:
    """The one paragraph that says why a trick went where it did, and the entry of the tile that took it."""
    if len(after.won) <= len(before.won):
        return []
    tiles = trick.last_trick(after)
    assert after.trump is not None
    index, why = trick.taken(tuple(placed.tile for placed in tiles), after.suits[-1], after.trump)
    return [Cite(f"{after.game} §{pack.clauses[why]}", tiles[index].entry)]


def _is_made(state: TrickState) -> bool:
    """Whether the bid is made: by enough tricks, or because another seat has revoked."""
    offenders = _offenders(state)
    if state.no_discard or state.bidder in offenders:
        return False
    tricks = min(state.taken) if state.bid == MOON else state.bid
    return bool(offenders) or state.won.count(state.bidder or 0) >= tricks


def _offenders(state: TrickState) -> set[int]:
    """The seats whose revoke bears on the score."""
    if state.settings.revoke_remedy == "report":
        return set()
    return {proof.seat for proof in trick.revokes(state, is_closed=True)}


def _points(state: TrickState) -> dict[int, int]:
    """What a finished deal is worth to each seat."""
    offenders = _offenders(state)
    points = {seat: 0 if seat in offenders else state.won.count(seat) for seat in range(state.players)}
    assert state.bidder is not None
    return points | {state.bidder: state.bid if _is_made(state) else -state.bid}


def _score(state: TrickState) -> tuple[Award, ...]:
    """The bidder's bid, won or lost; every other seat scores its tricks."""
    words = {state.bidder: "moon" if state.bid == MOON else "bid"}
    return tuple(Award(seat, words.get(seat, "tricks"), points) for seat, points in _points(state).items())


def _ranking(state: TrickState) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last once one of them has won the match."""
    settings, scores, bidder = state.settings, state.scores, state.bidder
    leaders = [seat for seat, score in enumerate(scores) if score == max(scores)]
    is_moon = state.bid == MOON and settings.moon_made == "wins" and _is_made(state)
    winner: int | None = None
    if is_moon or (settings.bidder_goes_out and bidder is not None and scores[bidder] >= settings.target):
        winner = bidder
    elif max(scores) >= settings.target and len(leaders) == 1:
        winner = leaders[0]
    if winner is None:
        return ()
    others = sorted({score for seat, score in enumerate(scores) if seat != winner}, reverse=True)
    groups = (tuple(seat for seat, score in enumerate(scores) if score == each and seat != winner) for each in others)
    return ((winner,), *groups)


def _cite(pack: Pack, state: TrickState, reason: Reason) -> Cite:
    is_lead = reason is Reason.OUT_OF_TURN and state.step is Step.TRICKS
    return Cite(f"{state.game} §{pack.clauses['lead' if is_lead else reason]}")


def _refused(pack: Pack, state: TrickState, reason: Reason) -> Ruling:
    return Ruling(reason, state, cites=(_cite(pack, state, reason),))
