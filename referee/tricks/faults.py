"""What people enter when a deal of tricks does not go as it should: seen and counted tiles, turns, a new deal."""

from __future__ import annotations

from referee import audit
from referee.laying.course import first, is_elsewhere, is_laid, with_seat
from referee.moves import Adjust, CountStock, Expose, Move, Recount, Redeal, SetTurn, ShowHand
from referee.rulings import Award, Proof, Reason
from referee.state import Exposed, Phase, changed
from referee.tricks import score as trickscore
from referee.tricks import trick
from referee.tricks.pack import Answer, Pack, void
from referee.tricks.trick import Step, TrickState

SCORED = (Phase.CLEARING, Phase.OVER)


def remedy(pack: Pack, state: TrickState, move: Move) -> Answer:
    """The answer to what people enter about an irregularity; total."""
    is_playing = state.phase is Phase.PLAY
    match move:
        case Expose():
            return _expose(pack, state, move)
        case ShowHand():
            return _show_hand(pack, state, move)
        case Recount():
            return _recount(pack, state, move)
        case CountStock() if is_playing or state.phase in SCORED:
            proof = audit.tile_count(len(pack.tiles), len(state.layout), move.tiles, state.hands)
            answer = Answer(Reason.OK_COUNT_STOCK, state, proven=(proof,) if proof else ())
            return void(pack, answer) if proof and state.settings.tile_missing_remedy == "void" else answer
        case Adjust() if state.phase is not Phase.OVER and move.points:
            return Answer(Reason.OK_ADJUST, state, (Award(move.seat, "adjusted", move.points),))
        case SetTurn() if is_playing:
            return _set_turn(state, move.seat)
        case Redeal() if is_playing:
            return void(pack, Answer(Reason.OK_REDEAL, state))
    return Answer(Reason.NOT_NOW, state)


def _expose(pack: Pack, state: TrickState, move: Expose) -> Answer:
    """A tile that was seen in a hand; in the trick on the table it may lie by now, where it puts a revoke right."""
    seat, tile, settings = move.seat, move.tile, state.settings
    if state.phase is Phase.PLAY and any(each.tile == tile and each.seat == seat for each in trick.last_trick(state)):
        return Answer(Reason.OK_EXPOSE, state)
    known = state.known[seat] or ()
    reason = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in pack.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (tile == state.discard or is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile not in known and len(known) >= state.hands[seat], Reason.NOT_IN_HAND),
    )
    if reason:
        return Answer(reason, state)
    is_open = move.laid and settings.out_of_turn_remedy == "stays_open"
    seen = Exposed(seat, tile, len(state.layout), is_open or settings.exposed_tile_remedy == "must_play")
    known = known if tile in known else (*known, tile)
    after = changed(state, known=with_seat(state.known, seat, known), exposed=(*state.exposed, seen))
    return Answer(Reason.OK_EXPOSE, after)


def _show_hand(pack: Pack, state: TrickState, move: ShowHand) -> Answer:
    """What is left in a hand when a deal has been stopped: it decides every claim that was still open."""
    seat, tiles = move.seat, move.tiles
    reason = first(
        (state.phase not in SCORED or state.shown[seat] is not None or not state.hands[seat], Reason.NOT_NOW),
        (len(tiles) != state.hands[seat], Reason.HAND_COUNT_WRONG),
        (not pack.tiles.issuperset(tiles), Reason.NO_SUCH_TILE),
        (
            len(set(tiles)) < len(tiles) or any(is_laid(state.layout, tile) for tile in tiles),
            Reason.TILE_ALREADY_PLAYED,
        ),
        (state.discard in tiles or any(is_elsewhere(state, seat, tile) for tile in tiles), Reason.NOT_IN_HAND),
        (not set(tiles).issuperset(state.known[seat] or ()), Reason.NOT_IN_HAND),
    )
    if reason:
        return Answer(reason, state)
    after = changed(
        state,
        known=with_seat(state.known, seat, tiles),
        shown=with_seat(state.shown, seat, tiles),
        exposed=(*state.exposed, *(Exposed(seat, tile, len(state.layout)) for tile in tiles)),
    )
    return Answer(Reason.OK_SHOW_HAND, after, trickscore.lost(state, after, "revoke"))


def _recount(pack: Pack, state: TrickState, move: Recount) -> Answer:
    """A hand has been counted; one tile more than it should have is the bidder's discard that he has kept."""
    seat, more = move.seat, move.tiles - state.hands[move.seat]
    is_kept = more == 1 and seat == state.bidder and any(claim.what == trick.DISCARD for claim in state.claims)
    if not more and state.phase is not Phase.OVER:
        return Answer(Reason.OK_RECOUNT, state)
    if not 0 <= move.tiles <= len(pack.tiles):
        return Answer(Reason.HAND_COUNT_WRONG, state)
    if not state.layout:  # put right with the tiles themselves: the record already says what it should be
        return Answer(Reason.MUST_DISCARD if is_kept else Reason.WRONG_DEAL, state)
    if is_kept:
        return _kept_discard(state, move)
    if state.phase is not Phase.PLAY:
        return Answer(Reason.HAND_COUNT_WRONG if more else Reason.NOT_NOW, state)
    proof = Proof(Reason.TILE_COUNT_WRONG, seat, None, (str(state.hands[seat]), str(move.tiles)))
    return void(pack, Answer(Reason.OK_RECOUNT, state, proven=(proof,)))


def _kept_discard(state: TrickState, move: Recount) -> Answer:
    """The bidder has laid nothing aside: his bid is lost, even if the deal has been scored as if it might be made."""
    claim = next(claim for claim in state.claims if claim.what == trick.DISCARD)
    after = changed(
        state,
        hands=with_seat(state.hands, move.seat, move.tiles),
        stock=state.stock - 1,
        no_discard=True,
        discard=None,
        claims=tuple(each for each in state.claims if each is not claim),
    )
    awards = trickscore.lost(state, after, "no_discard") if state.phase in SCORED else ()
    proof = Proof(Reason.NO_DISCARD_PROVEN, move.seat, claim.entry, (str(move.tiles),))
    return Answer(Reason.OK_RECOUNT, after, awards, (proof,))


def _set_turn(state: TrickState, seat: int) -> Answer:
    called = {caller for caller, _ in state.calls}
    played = {placed.seat for placed in trick.open_trick(state)}
    may = {Step.AUCTION: seat not in called, Step.TRICKS: seat not in played}.get(state.step, False)
    return Answer(Reason.OK_TURN, changed(state, turn=seat)) if may else Answer(Reason.NOT_NOW, state)
