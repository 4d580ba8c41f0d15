"""What people enter when a round does not go as it should: seen and counted tiles, turns, points, a new deal."""

from __future__ import annotations

from dataclasses import replace

from referee import audit
from referee.course import Course, first, in_reach, is_elsewhere, is_in_play, is_laid, refused, with_seat
from referee.moves import Adjust, CallBlock, CountStock, Expose, Recount, Redeal, Remedy, SetTurn
from referee.outcome import accepted, annulled
from referee.rulings import Award, Proof, Reason, Ruling
from referee.state import Claim, Exposed, Phase, State
from referee.tiles import Tile


def remedy(course: Course, state: State, move: Remedy) -> Ruling:
    """The answer to what people enter about an irregularity; total."""
    match move:
        case Expose():
            return _expose(course, state, move)
        case Recount():
            return _recount(course, state, move)
        case CountStock():
            return _count_stock(course, state, move)
        case CallBlock():
            return _call_block(course, state)
        case Adjust():
            return _adjust(course, state, move)
        case SetTurn():
            return _set_turn(course, state, move)
        case Redeal():
            return _redeal(course, state)


def duties(course: Course, state: State, seat: int) -> frozenset[Tile]:
    """The tiles that a seat must play before any other, for they fit and lie open."""
    open_tiles = {each.tile for each in state.exposed if each.seat == seat and each.duty}
    if not open_tiles:
        return frozenset()
    return frozenset(tile for tile in open_tiles & course.fitting(state.layout) if not is_laid(state.layout, tile))


def unshown(course: Course, state: State, seat: int | None) -> tuple[Proof, ...]:
    """Whether play goes on (by this seat) although the opener has not shown the tile he passed over."""
    if not course.unshown or not state.bonus or len(state.layout) != 1:
        return ()
    opener = state.layout[0]
    if opener.overruled or opener.tile not in course.choices or seat in (None, opener.seat):
        return ()
    # who has named his best tile has shown it, even if that is the very tile he opened with
    has_shown = state.heard[opener.seat] or any(
        each.seat == opener.seat and each.tile.is_uniform for each in state.exposed
    )
    return () if has_shown else (Proof(Reason.TRIPLE_NOT_SHOWN, opener.seat, opener.entry, (str(opener.tile),)),)


def _expose(course: Course, state: State, move: Expose) -> Ruling:
    seat, tile = move.seat, move.tile
    known = state.known[seat] or ()
    refusal = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in course.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (tile not in known and len(known) >= state.hands[seat], Reason.NOT_IN_HAND),
    )
    if refusal:
        return refused(course, state, refusal)
    remedies = course.remedies
    is_open = move.laid and remedies.out_of_turn_remedy == "stays_open"
    seen = Exposed(seat, tile, len(state.layout), is_open or remedies.exposed_tile_remedy == "must_play")
    known = known if tile in known else (*known, tile)
    after = replace(state, known=with_seat(state.known, seat, known), exposed=(*state.exposed, seen))
    return accepted(course, state, after, Reason.OK_EXPOSE)


def _recount(course: Course, state: State, move: Recount) -> Ruling:
    """A hand has more tiles than the record says: somebody drew; it has fewer: some went back to the stock."""
    seat, more = move.seat, move.tiles - state.hands[move.seat]
    is_dealing = state.phase is Phase.DEAL or (state.phase is Phase.PLAY and not state.layout)
    may_change = is_in_play(state) or (state.phase is Phase.SHOW_HANDS and state.shown[seat] is None)
    is_turn = state.turn == seat and state.drawn > 0
    refusal = first(
        # a wrong deal is put right with the tiles themselves: the record already says what it should be
        (is_dealing and more != 0, Reason.WRONG_DEAL),
        (not is_dealing and not may_change, Reason.NOT_NOW),
        (move.tiles < 1, Reason.HAND_COUNT_WRONG),
        (more > in_reach(state, seat), Reason.TILE_COUNT_WRONG),
        (more < 0 and is_turn and course.remedies.draw_too_many_remedy == "stays", Reason.DRAWN_TILE_STAYS),
    )
    if refusal:
        return refused(course, state, refusal)
    if not more:
        return accepted(course, state, state, Reason.OK_RECOUNT)
    back = min(-more, state.drawn) if more < 0 and is_turn else 0
    found = (Claim(audit.FOUND, seat, len(state.layout), state.taken[seat], more),) if more > 0 else ()
    after = replace(
        state,
        hands=with_seat(state.hands, seat, move.tiles),
        stock=state.stock - more,
        stocks=with_seat(state.stocks, seat, state.stocks[seat] - more) if state.stocks else (),
        drawn=state.drawn - back,
        claims=(*state.claims, *found),
        # nobody knows which tile went back
        known=state.known if more > 0 else with_seat(state.known, seat, None),
        exposed=tuple(replace(each, duty=each.duty and (more > 0 or each.seat != seat)) for each in state.exposed),
    )
    awards = [Award(seat, "draws", course.draw_cost * (back - max(more, 0)))]
    awards.append(Award(seat, "draw_too_many", course.penalty_sign * course.remedies.draw_too_many_penalty * back))
    return accepted(course, state, after, Reason.OK_RECOUNT, tuple(awards))


def _count_stock(course: Course, state: State, move: CountStock) -> Ruling:
    """The stock is what the table and the hands leave of the set, if no tile is missing."""
    if state.phase not in (Phase.PLAY, Phase.SHOW_HANDS, Phase.CLEARING):
        return refused(course, state, Reason.NOT_NOW)
    hands = state.hands if state.phase is Phase.PLAY else _held(state)
    proof = audit.tile_count(len(course.tiles), len(state.layout), move.tiles, hands)
    return accepted(course, state, state, Reason.OK_COUNT_STOCK, proven=(proof,) if proof else ())


def _held(state: State) -> tuple[int, ...]:
    """How many tiles each hand holds, as shown where it has been shown."""
    pairs = zip(state.hands, state.shown, strict=True)
    return tuple(count if shown is None else len(shown) for count, shown in pairs)


def _call_block(course: Course, state: State) -> Ruling:
    """Where the rules end a blocked round it has ended already; so play goes on."""
    reason = Reason.NOT_BLOCKED if is_in_play(state) else Reason.NOT_NOW
    return refused(course, state, reason)


def _adjust(course: Course, state: State, move: Adjust) -> Ruling:
    if state.phase is Phase.OVER or not move.points:
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, state, Reason.OK_ADJUST, (Award(move.seat, "adjusted", move.points),))


def _set_turn(course: Course, state: State, move: SetTurn) -> Ruling:
    if state.phase is not Phase.PLAY:
        return refused(course, state, Reason.NOT_NOW)
    after = replace(state, turn=move.seat, drawn=0, stuck=0)
    return accepted(course, state, after, Reason.OK_TURN)


def _redeal(course: Course, state: State) -> Ruling:
    if state.phase not in (Phase.PLAY, Phase.SHOW_HANDS):
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, annulled(course, state), Reason.OK_REDEAL)
