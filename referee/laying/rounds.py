"""The course of a round that all games of laying tiles share: deal, opening, turns, hands shown, clearing."""

from __future__ import annotations

from referee import audit, houserules
from referee.laying.course import (
    MISPLACED,
    Course,
    Laid,
    counted,
    dealt,
    drawable,
    drawn_from_stock,
    ended,
    first,
    is_able,
    is_elsewhere,
    is_in_play,
    is_laid,
    is_ruled,
    refused,
    with_seat,
)
from referee.laying.irregularities import duties, remedy
from referee.laying.mustshow import unshown
from referee.laying.openings import announce, draw_for_opener, opening_refusal
from referee.laying.outcome import accepted
from referee.moves import (
    Announce,
    Begin,
    Bid,
    ClaimPoints,
    Clear,
    Draw,
    Exchange,
    FirstBidder,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
    ShowHand,
)
from referee.rulings import Award, Reason, Ruling
from referee.state import Claim, Phase, Placed, State, changed

# What even the people at the table cannot let stand: there is no such tile, or no room for it.
IMPOSSIBLE = (
    Reason.NO_SUCH_SEAT,
    Reason.NOT_NOW,
    Reason.NO_SUCH_TILE,
    Reason.TILE_ALREADY_PLAYED,
    Reason.CELL_OCCUPIED,
)


def start(course: Course, preset: str, names: tuple[str, ...], settings: object, players: tuple[int, int]) -> State:
    """The state before the first deal.

    Raises:
        ValueError: for a wrong number of players, or more tiles to deal than there are.
    """
    count = len(names)
    if not players[0] <= count <= players[1] or count not in course.dealt:
        raise ValueError(f"expected {houserules.players(settings)} for {preset}, got {count}")
    if count * course.dealt[count] > len(course.tiles):
        raise ValueError(
            f"expected at most {len(course.tiles)} tiles to deal, got {count} hands of {course.dealt[count]}"
        )
    return dealt(course, State(preset, settings, names, (0,) * count, round=0))


def rule(course: Course, state: State, move: Move) -> Ruling:
    """The answer to a move; total."""
    seat = getattr(move, "seat", None)
    if seat is not None and not 0 <= seat < state.players:
        return refused(course, state, Reason.NO_SUCH_SEAT)
    match move:
        case Begin():
            ruling = _begin(course, state)
        case Announce():
            ruling = announce(course, state, move)
        case Place():
            ruling = _place(course, state, move)
        case Draw():
            ruling = _draw(course, state, move)
        case Pass():
            ruling = _pass(course, state, move)
        case ShowHand():
            ruling = _show_hand(course, state, move)
        case ClaimPoints():
            ruling = _claim_points(course, state, move)
        case Clear():
            ruling = _clear(course, state)
        case FirstBidder() | Bid() | Exchange() | NameTrump() | Play():  # a move of another game
            ruling = refused(course, state, Reason.NOT_NOW)
        case _:
            ruling = remedy(course, state, move)
    return ruling


# --- the deal ---------------------------------------------------------------------------------------


def _begin(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.DEAL:
        return refused(course, state, Reason.NOT_NOW)
    turn = 0 if state.turn is None and not is_ruled(course, state) else state.turn
    return accepted(course, state, changed(state, phase=Phase.PLAY, turn=turn), Reason.OK_BEGIN)


# --- a turn -----------------------------------------------------------------------------------------


def _placing_refusal(course: Course, state: State, move: Place) -> Reason | None:
    """Why this seat may not lay this tile now, wherever it lies."""
    seat, tile = move.seat, move.tile
    known = state.known[seat]
    is_whole_hand = known is not None and len(known) == state.hands[seat]
    is_opening = not state.layout and is_ruled(course, state)
    duty = duties(course, state, seat)
    refusal = first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in course.tiles, Reason.NO_SUCH_TILE),
        (is_laid(state.layout, tile), Reason.TILE_ALREADY_PLAYED),
        (is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (is_whole_hand and tile not in (known or ()), Reason.NOT_IN_HAND),
        (not is_opening and state.turn != seat, Reason.OUT_OF_TURN),
        (bool(duty) and tile not in duty, Reason.MUST_PLAY_EXPOSED),
    )
    return opening_refusal(course, state, move) if is_opening and not refusal else refusal


def _place(course: Course, state: State, move: Place) -> Ruling:
    seat, tile = move.seat, move.tile
    laid = course.lay(state, move)
    reason = _placing_refusal(course, state, move) or laid.reason
    if move.overruled:
        # the tile's own faults may hide behind a turn that people do not mind
        reason = laid.reason if laid.reason in IMPOSSIBLE and reason not in IMPOSSIBLE else reason
        # a tile that was laid well, only out of turn, keeps its score
        keeps = reason is Reason.OUT_OF_TURN and laid.reason.is_legal
        if reason not in IMPOSSIBLE:
            reason, laid = Reason.OK_OVERRULED, laid if keeps else Laid(Reason.OK_OVERRULED, course.worth(tile))
    if not reason.is_legal:
        penalty = course.penalty_sign * course.remedies.wrong_tile_penalty if reason in MISPLACED else 0
        return refused(course, state, reason, (Award(seat, "wrong_tile", penalty),) if penalty else ())
    placed = Placed(tile, move.spot, seat, overruled=move.overruled, spins=course.spins(state, move))
    after = changed(
        state,
        layout=(*state.layout, placed),
        hands=with_seat(state.hands, seat, state.hands[seat] - 1),
        known=tuple(hand and tuple(each for each in hand if each != tile) for hand in state.known),
        turn=(seat + 1) % state.players,
        drawn=0,
        last_drawn=counted(state, seat),
        stuck=0,
        bonus=state.bonus if state.layout else dict(laid.points).get("opening", 0),
        unclaimed=laid.unclaimed,
    )
    if after.hands[seat] == 0:
        after = changed(ended(after), out=seat, shown=with_seat(after.shown, seat, ()))
    elif course.is_blocked(after):
        after = changed(ended(after), blocked=True)
        reason = Reason.FISH if reason is not Reason.OK_OVERRULED else reason
    awards = tuple(Award(seat, what, points) for what, points in laid.points)
    return accepted(course, state, after, reason, awards, unshown(course, state, seat))


def _draw(course: Course, state: State, move: Draw) -> Ruling:
    seat, count = move.seat, move.count
    if state.phase is Phase.PLAY and not state.layout and course.uniform_only and is_ruled(course, state):
        return draw_for_opener(course, state, move)
    too_many = course.draw_limit is not None and state.drawn + count > course.draw_limit
    refusal = first(
        (count < 1 or not is_in_play(state), Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (bool(duties(course, state, seat)), Reason.MUST_PLAY_EXPOSED),
        (count > drawable(course, state, seat), Reason.STOCK_EMPTY),
        (too_many, Reason.DRAW_LIMIT),
        (course.drawing_claims and is_able(course, state, seat), Reason.DRAW_WHILE_ABLE),
    )
    if refusal:
        return refused(course, state, refusal)
    after = changed(drawn_from_stock(state, seat, count), drawn=state.drawn + count, unclaimed=0)
    award = Award(seat, "draws", -course.draw_cost * count)
    is_blocked = course.is_blocked(after)  # it was the last tile of the stock, and none can ever fit
    after = changed(ended(after), blocked=True) if is_blocked else after
    reason = Reason.FISH if is_blocked else Reason.OK_DRAW
    return accepted(course, state, after, reason, (award,), unshown(course, state, seat))


def _pass(course: Course, state: State, move: Pass) -> Ruling:
    seat, stock = move.seat, drawable(course, state, move.seat)
    at_limit = course.draw_limit is not None and state.drawn >= course.draw_limit
    declines = course.may_decline and state.drawn > 0
    refusal = first(
        (not is_in_play(state), Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (bool(duties(course, state, seat)), Reason.MUST_PLAY_EXPOSED),
        (stock > 0 and not at_limit and not declines, Reason.PASS_WITH_STOCK),
        (course.passing_claims and not declines and is_able(course, state, seat), Reason.PASS_WHILE_ABLE),
    )
    if refusal:
        return refused(course, state, refusal)
    is_claim = course.passing_claims and not declines
    claims = (Claim(audit.PASS, seat, len(state.layout), state.taken[seat]),) if is_claim else ()
    after = changed(
        state,
        turn=(seat + 1) % state.players,
        drawn=0,
        last_drawn=counted(state, seat),
        stuck=0 if stock and course.draw_limit != 0 else state.stuck + 1,
        claims=(*state.claims, *claims),
        unclaimed=0,
    )
    if after.stuck == state.players:
        after = changed(ended(after), blocked=True)
    cost = 0 if declines and stock else course.pass_cost(state)
    awards = (Award(seat, "empty_stock", -cost),)
    return accepted(course, state, after, Reason.OK_PASS, awards, unshown(course, state, seat))


def _claim_points(course: Course, state: State, move: ClaimPoints) -> Ruling:
    """The points of the newest tile go to whoever names them before the next player acts."""
    if state.phase not in (Phase.PLAY, Phase.SHOW_HANDS) or not course.claims_points:
        return refused(course, state, Reason.NOT_NOW)
    if not state.unclaimed or move.points != state.unclaimed:
        return refused(course, state, Reason.NOTHING_TO_CLAIM)
    what = "ends" if state.layout[-1].seat == move.seat else "muggins"
    award = Award(move.seat, what, move.points)
    return accepted(course, state, changed(state, unclaimed=None), Reason.OK_CLAIM, (award,))


# --- the end of a round -----------------------------------------------------------------------------


def _show_hand(course: Course, state: State, move: ShowHand) -> Ruling:
    """A hand counts only when it agrees with the table, the other hands, and what was known of it.

    The stock is the rest of the set: once all hands agree, table, hands and stock make up the whole of it.
    """
    seat, tiles = move.seat, move.tiles
    seen = {placed.tile for placed in state.layout} | {tile for hand in state.shown for tile in hand or ()}
    refusal = first(
        (state.phase is not Phase.SHOW_HANDS or state.shown[seat] is not None, Reason.NOT_NOW),
        (len(tiles) != state.hands[seat], Reason.HAND_COUNT_WRONG),
        (not course.tiles.issuperset(tiles), Reason.NO_SUCH_TILE),
        (bool(seen.intersection(tiles)) or len(set(tiles)) < len(tiles), Reason.TILE_ALREADY_PLAYED),
        (any(is_elsewhere(state, seat, tile) for tile in tiles), Reason.NOT_IN_HAND),
        (not set(tiles).issuperset(state.known[seat] or ()), Reason.NOT_IN_HAND),
    )
    if refusal:
        return refused(course, state, refusal)
    after = changed(state, shown=with_seat(state.shown, seat, tiles), known=with_seat(state.known, seat, tiles))
    return accepted(course, state, after, Reason.OK_SHOW_HAND)


def _clear(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.CLEARING:
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, dealt(course, state), Reason.OK_CLEAR)
