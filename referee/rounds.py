"""The course of a round that all games of laying tiles share: deal, opening, turns, hands shown, clearing."""

from __future__ import annotations

from dataclasses import replace

from referee import audit
from referee.course import (
    Course,
    Laid,
    best_known,
    dealt,
    ended,
    first,
    in_reach,
    is_able,
    is_elsewhere,
    is_in_play,
    is_laid,
    is_ruled,
    refused,
    with_seat,
)
from referee.irregularities import duties, remedy, unshown
from referee.moves import (
    Adjust,
    Announce,
    Begin,
    CallBlock,
    Clear,
    CountStock,
    Draw,
    Expose,
    Move,
    Pass,
    Place,
    Recount,
    Redeal,
    SetTurn,
    ShowHand,
)
from referee.outcome import accepted
from referee.rulings import Award, Reason, Ruling
from referee.state import Claim, Phase, Placed, State

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
        raise ValueError(f"expected {players[0]} to {players[1]} players for {preset}, got {count}")
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
            ruling = _announce(course, state, move)
        case Place():
            ruling = _place(course, state, move)
        case Draw():
            ruling = _draw(course, state, move)
        case Pass():
            ruling = _pass(course, state, move)
        case ShowHand():
            ruling = _show_hand(course, state, move)
        case Clear():
            ruling = _clear(course, state)
        case Expose() | Recount() | CountStock() | CallBlock() | Adjust() | SetTurn() | Redeal():
            ruling = remedy(course, state, move)
        case _:  # a move of another game
            ruling = refused(course, state, Reason.NOT_NOW)
    return ruling


# --- deal and opening -------------------------------------------------------------------------------


def _begin(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.DEAL:
        return refused(course, state, Reason.NOT_NOW)
    turn = 0 if state.turn is None and not is_ruled(course, state) else state.turn
    return accepted(course, state, replace(state, phase=Phase.PLAY, turn=turn), Reason.OK_BEGIN)


def _announce(course: Course, state: State, move: Announce) -> Ruling:
    seat, tile = move.seat, move.tile
    refusal = first(
        (state.phase not in (Phase.DEAL, Phase.PLAY), Reason.NOT_NOW),
        (bool(state.layout) and not _may_yet_show(course, state, seat), Reason.NOT_NOW),
        (tile is not None and tile not in course.tiles, Reason.NO_SUCH_TILE),
        (tile is not None and is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
    )
    if refusal:
        return refused(course, state, refusal)
    # what a seat says anew replaces what it said before
    others = [each for each in state.known[seat] or () if each != state.announced[seat]]
    is_new = tile is not None and tile not in others and not is_laid(state.layout, tile)
    known = (*others, *([tile] if tile and is_new else [])) or None
    after = replace(
        state,
        announced=with_seat(state.announced, seat, tile),
        heard=with_seat(state.heard, seat, True),
        known=with_seat(state.known, seat, known),
    )
    if all(after.heard) and not state.layout and is_ruled(course, state):
        after = replace(after, turn=_named_opener(course, after))
    return accepted(course, state, after, Reason.OK_ANNOUNCE)


def _may_yet_show(course: Course, state: State, seat: int) -> bool:
    """True for the opener who still has to name the tile that he passed over."""
    return bool(unshown(course, state, (seat + 1) % state.players)) and state.layout[0].seat == seat


def _named_opener(course: Course, state: State) -> int | None:
    """The seat that named the best tile; None when nobody named one that opens, or several named equals."""
    named = [
        (course.rank(tile), seat)
        for seat, tile in enumerate(state.announced)
        if tile is not None and (tile.is_uniform or not course.uniform_only)
    ]
    best = max((rank for rank, _ in named), default=None)
    seats = [seat for rank, seat in named if rank == best]
    return seats[0] if len(seats) == 1 else None


def _opening_refusal(course: Course, state: State, move: Place) -> Reason | None:
    """Why this seat may not open the round with this tile, as far as anything is known."""
    rank, seat, tile = course.rank, move.seat, move.tile
    own = max((best_known(course, state, seat) or tile, tile), key=rank)
    rivals = [best_known(course, state, other) for other in range(state.players) if other != seat]
    rival = max((each for each in rivals if each is not None), key=rank, default=None)
    # whoever lays a tile of choice may hold a better one that nobody has seen
    is_choice = tile in course.choices
    is_hidden = is_choice and not state.heard[seat] and not set(state.known[seat] or ()) - {tile}
    if is_hidden:
        own = max((each for each in course.tiles if not is_elsewhere(state, seat, each)), key=rank)
    return first(
        (rival is not None and rank(rival) > rank(own), Reason.WRONG_OPENER),
        (state.turn not in (None, seat), Reason.WRONG_OPENER),
        (course.uniform_only and not tile.is_uniform, Reason.NEEDS_TRIPLE),
        (rank(own) > rank(tile) and not is_choice, Reason.WRONG_OPENING_TILE),
    )


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
    return _opening_refusal(course, state, move) if is_opening and not refusal else refusal


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
        return refused(course, state, reason)
    after = replace(
        state,
        layout=(*state.layout, Placed(tile, move.spot, seat, overruled=move.overruled)),
        hands=with_seat(state.hands, seat, state.hands[seat] - 1),
        known=tuple(hand and tuple(each for each in hand if each != tile) for hand in state.known),
        turn=(seat + 1) % state.players,
        drawn=0,
        stuck=0,
        bonus=state.bonus if state.layout else dict(laid.points).get("opening", 0),
    )
    if after.hands[seat] == 0:
        after = replace(ended(after), out=seat, shown=with_seat(after.shown, seat, ()))
    elif course.is_blocked(after):
        after = replace(ended(after), blocked=True)
        reason = Reason.FISH if reason is not Reason.OK_OVERRULED else reason
    awards = tuple(Award(seat, what, points) for what, points in laid.points)
    return accepted(course, state, after, reason, awards, unshown(course, state, seat))


def _draw(course: Course, state: State, move: Draw) -> Ruling:
    seat, count = move.seat, move.count
    if state.phase is Phase.PLAY and not state.layout and course.uniform_only and is_ruled(course, state):
        return _draw_for_opener(course, state, move)
    too_many = course.draw_limit is not None and state.drawn + count > course.draw_limit
    refusal = first(
        (count < 1 or not is_in_play(state), Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (bool(duties(course, state, seat)), Reason.MUST_PLAY_EXPOSED),
        (count > in_reach(state, seat), Reason.STOCK_EMPTY),
        (too_many, Reason.DRAW_LIMIT),
        (course.drawing_claims and is_able(course, state, seat), Reason.DRAW_WHILE_ABLE),
    )
    if refusal:
        return refused(course, state, refusal)
    after = replace(_with_drawn(state, seat, count), drawn=state.drawn + count)
    award = Award(seat, "draws", -course.draw_cost * count)
    return accepted(course, state, after, Reason.OK_DRAW, (award,), unshown(course, state, seat))


def _draw_for_opener(course: Course, state: State, move: Draw) -> Ruling:
    """Where nobody can open, all draw one tile in turn, free of charge, until one can."""
    seat, players = move.seat, state.players
    last = state.claims[-1].seat if state.claims else None
    holds = any(tile.is_uniform for hand in state.known for tile in hand or ())
    refusal = first(
        (move.count < 1, Reason.NOT_NOW),
        (last is not None and seat != (last + 1) % players, Reason.OUT_OF_TURN),
        (state.stock == 0, Reason.STOCK_EMPTY),
        (move.count > 1, Reason.DRAW_LIMIT),
        (holds, Reason.DRAW_WHILE_ABLE),
    )
    if refusal:
        return refused(course, state, refusal)
    # what a seat said of its hand before it drew says nothing of the new tile
    after = replace(_with_drawn(state, seat, 1), heard=with_seat(state.heard, seat, False))
    return accepted(course, state, after, Reason.OK_DRAW)


def _with_drawn(state: State, seat: int, count: int) -> State:
    """The state after a seat has taken tiles from the stock."""
    claim = Claim(audit.DRAW, seat, len(state.layout), state.taken[seat], count)
    return replace(
        state,
        hands=with_seat(state.hands, seat, state.hands[seat] + count),
        taken=with_seat(state.taken, seat, state.taken[seat] + count),
        stock=state.stock - count,
        stocks=with_seat(state.stocks, seat, state.stocks[seat] - count) if state.stocks else (),
        claims=(*state.claims, claim),
    )


def _pass(course: Course, state: State, move: Pass) -> Ruling:
    seat, stock = move.seat, in_reach(state, move.seat)
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
    after = replace(
        state,
        turn=(seat + 1) % state.players,
        drawn=0,
        stuck=0 if stock else state.stuck + 1,
        claims=(*state.claims, *claims),
    )
    if after.stuck == state.players:
        after = replace(ended(after), blocked=True)
    cost = 0 if declines and stock else course.pass_cost(state)
    awards = (Award(seat, "empty_stock", -cost),)
    return accepted(course, state, after, Reason.OK_PASS, awards, unshown(course, state, seat))


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
    after = replace(state, shown=with_seat(state.shown, seat, tiles), known=with_seat(state.known, seat, tiles))
    return accepted(course, state, after, Reason.OK_SHOW_HAND)


def _clear(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.CLEARING:
        return refused(course, state, Reason.NOT_NOW)
    return accepted(course, state, dealt(course, state), Reason.OK_CLEAR)
