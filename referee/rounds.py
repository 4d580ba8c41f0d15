"""The course of a round that all games of laying tiles share: deal, opening, turns, hands shown, clearing.

A game says in a `Course` what is its own: where a tile fits, what it earns, who opens, how a round scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from referee import audit
from referee.moves import Announce, Begin, Clear, Draw, Move, Pass, Place, ShowHand
from referee.rulings import Award, Cite, Proof, Reason, Ruling
from referee.state import Claim, Phase, Placed, State
from referee.tiles import Tile

Item = TypeVar("Item")

# What even the people at the table cannot let stand: there is no such tile, or no room for it.
IMPOSSIBLE = (
    Reason.NO_SUCH_SEAT,
    Reason.NOT_NOW,
    Reason.NO_SUCH_TILE,
    Reason.TILE_ALREADY_PLAYED,
    Reason.CELL_OCCUPIED,
)


@dataclass(frozen=True, slots=True)
class Laid:
    """What a game says of a tile laid at a spot: the reason, and the points by what they are for."""

    reason: Reason
    points: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """What is a game's own in the course of a round.

    Attributes:
        tiles: the whole set.
        dealt: tiles in each hand, by the number of players.
        rank: the tile of the highest rank opens.
        choices: tiles that the right opener may lay instead of his best one.
        opens_by_rule: False when any tile of the first seat may open.
        uniform_only: True when nothing but a double or triple opens and seats draw until they have one.
        fitting: the tiles that could be laid next on a layout.
        lay: what a tile earns at a spot, or why it may not lie there.
        worth: what an overruled tile earns.
        opening_bonus: what the first tile earned besides its own value.
        draw_cost, draw_limit: of one tile; tiles in one turn (None: no limit).
        drawing_claims: True when only a seat that cannot play may draw.
        pass_cost: what being unable costs the seat to move.
        is_blocked: whether nobody will be able to move after this placement.
        score: the winner of a round that is over (None: nobody) and the awards of that round.
        ranking: seats from first to last when the match is over after a round with this winner, else ().
        ends_at_once: whether the match may end in mid-round.
        clauses: the paragraph of the rule sheet that stands behind each reason.
    """

    tiles: frozenset[Tile]
    dealt: Mapping[int, int]
    rank: Callable[[Tile], tuple[int, ...]]
    choices: tuple[Tile, ...]
    opens_by_rule: bool
    uniform_only: bool
    fitting: audit.Fitting
    lay: Callable[[State, Place], Laid]
    worth: Callable[[Tile], tuple[tuple[str, int], ...]]
    opening_bonus: Callable[[Tile], int]
    draw_cost: int
    draw_limit: int | None
    drawing_claims: bool
    pass_cost: Callable[[State], int]
    is_blocked: Callable[[State], bool]
    score: Callable[[State], tuple[int | None, tuple[Award, ...]]]
    ranking: Callable[[State, int | None], tuple[tuple[int, ...], ...]]
    ends_at_once: bool
    clauses: Mapping[Reason, str]


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
    return _dealt(course, State(preset, settings, names, (0,) * count, round=0))


def rule(course: Course, state: State, move: Move) -> Ruling:
    """The answer to a move; total."""
    if not isinstance(move, Begin | Clear) and not 0 <= move.seat < state.players:
        return _refused(course, state, Reason.NO_SUCH_SEAT)
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
    return ruling


def best_known(course: Course, state: State, seat: int) -> Tile | None:
    """The best tile to open with that a seat is known to hold."""
    return max(state.known[seat] or (), key=course.rank, default=None)


# --- deal and opening -------------------------------------------------------------------------------


def _dealt(course: Course, state: State) -> State:
    """The next round, dealt."""
    count = state.players
    hand = course.dealt[count]
    return State(
        game=state.game,
        settings=state.settings,
        names=state.names,
        scores=state.scores,
        round=state.round + 1,
        turn=0 if count == 1 else None,
        hands=(hand,) * count,
        taken=(hand,) * count,
        stock=len(course.tiles) - hand * count,
        known=(None,) * count,
        announced=(None,) * count,
        heard=(False,) * count,
        shown=(None,) * count,
        round_winner=state.round_winner,
    )


def _begin(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.DEAL:
        return _refused(course, state, Reason.NOT_NOW)
    turn = 0 if state.turn is None and not course.opens_by_rule else state.turn
    return _accepted(course, state, replace(state, phase=Phase.PLAY, turn=turn), Reason.OK_BEGIN)


def _announce(course: Course, state: State, move: Announce) -> Ruling:
    seat, tile = move.seat, move.tile
    refusal = _first(
        (state.phase not in (Phase.DEAL, Phase.PLAY) or bool(state.layout), Reason.NOT_NOW),
        (tile is not None and tile not in course.tiles, Reason.NO_SUCH_TILE),
        (tile is not None and _is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
    )
    if refusal:
        return _refused(course, state, refusal)
    # what a seat says anew replaces what it said before
    others = [each for each in state.known[seat] or () if each != state.announced[seat]]
    known = (*others, *([tile] if tile and tile not in others else [])) or None
    after = replace(
        state,
        announced=_set(state.announced, seat, tile),
        heard=_set(state.heard, seat, True),
        known=_set(state.known, seat, known),
    )
    named = [(course.rank(each), other) for other, each in enumerate(after.announced) if each is not None]
    if all(after.heard):
        after = replace(after, turn=max(named)[1] if named else None)
    return _accepted(course, state, after, Reason.OK_ANNOUNCE)


def _opening_refusal(course: Course, state: State, move: Place) -> Reason | None:
    """Why this seat may not open the round with this tile, as far as anything is known."""
    rank, seat, tile = course.rank, move.seat, move.tile
    own = max((best_known(course, state, seat) or tile, tile), key=rank)
    rivals = [best_known(course, state, other) for other in range(state.players) if other != seat]
    rival = max((each for each in rivals if each is not None), key=rank, default=None)
    # whoever lays a tile of choice may hold a better one that nobody has seen
    is_choice = tile in course.choices
    is_hidden = is_choice and not state.heard[seat] and not set(state.known[seat] or ()) - {tile}
    return _first(
        (rival is not None and rank(rival) > rank(own) and not is_hidden, Reason.WRONG_OPENER),
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
    is_opening = not state.layout and course.opens_by_rule
    refusal = _first(
        (state.phase is not Phase.PLAY, Reason.NOT_NOW),
        (tile not in course.tiles, Reason.NO_SUCH_TILE),
        (any(placed.tile == tile for placed in state.layout), Reason.TILE_ALREADY_PLAYED),
        (_is_elsewhere(state, seat, tile), Reason.NOT_IN_HAND),
        (is_whole_hand and tile not in (known or ()), Reason.NOT_IN_HAND),
        (not is_opening and state.turn != seat, Reason.OUT_OF_TURN),
    )
    return _opening_refusal(course, state, move) if is_opening and not refusal else refusal


def _place(course: Course, state: State, move: Place) -> Ruling:
    seat, tile = move.seat, move.tile
    laid = course.lay(state, move)
    reason = _placing_refusal(course, state, move) or laid.reason
    if move.overruled:
        # the tile's own faults may hide behind a turn that people do not mind
        reason = laid.reason if laid.reason in IMPOSSIBLE and reason not in IMPOSSIBLE else reason
        if reason not in IMPOSSIBLE:
            reason, laid = Reason.OK_OVERRULED, Laid(Reason.OK_OVERRULED, course.worth(tile))
    if not reason.is_legal:
        return _refused(course, state, reason)
    after = replace(
        state,
        layout=(*state.layout, Placed(tile, move.spot, seat, overruled=move.overruled)),
        hands=_set(state.hands, seat, state.hands[seat] - 1),
        known=tuple(hand and tuple(each for each in hand if each != tile) for hand in state.known),
        turn=(seat + 1) % state.players,
        drawn=0,
        stuck=0,
    )
    if after.hands[seat] == 0:
        after = replace(_ended(after), out=seat, shown=_set(after.shown, seat, ()))
    elif course.is_blocked(after):
        after = replace(_ended(after), blocked=True)
        reason = Reason.FISH if reason is not Reason.OK_OVERRULED else reason
    awards = tuple(Award(seat, what, points) for what, points in laid.points)
    return _accepted(course, state, after, reason, awards)


def _draw(course: Course, state: State, move: Draw) -> Ruling:
    seat, count = move.seat, move.count
    before_opening = not state.layout and course.uniform_only and state.phase is Phase.PLAY
    too_many = course.draw_limit is not None and state.drawn + count > course.draw_limit
    refusal = _first(
        (count < 1 or not (before_opening or _is_in_play(state)), Reason.NOT_NOW),
        (state.turn != seat and not (before_opening and state.turn is None), Reason.OUT_OF_TURN),
        (count > state.stock, Reason.STOCK_EMPTY),
        (too_many and not before_opening, Reason.DRAW_LIMIT),
        (course.drawing_claims and not before_opening and _is_able(course, state, seat), Reason.DRAW_WHILE_ABLE),
    )
    if refusal:
        return _refused(course, state, refusal)
    claim = Claim(audit.DRAW, seat, len(state.layout), state.taken[seat], count)
    after = replace(
        state,
        hands=_set(state.hands, seat, state.hands[seat] + count),
        taken=_set(state.taken, seat, state.taken[seat] + count),
        stock=state.stock - count,
        drawn=0 if before_opening else state.drawn + count,
        claims=(*state.claims, claim),
    )
    cost = 0 if before_opening else course.draw_cost * count
    return _accepted(course, state, after, Reason.OK_DRAW, (Award(seat, "draws", -cost),))


def _pass(course: Course, state: State, move: Pass) -> Ruling:
    seat = move.seat
    at_limit = course.draw_limit is not None and state.drawn >= course.draw_limit
    refusal = _first(
        (not _is_in_play(state), Reason.NOT_NOW),
        (state.turn != seat, Reason.OUT_OF_TURN),
        (state.stock > 0 and not at_limit, Reason.PASS_WITH_STOCK),
        (_is_able(course, state, seat), Reason.PASS_WHILE_ABLE),
    )
    if refusal:
        return _refused(course, state, refusal)
    claim = Claim(audit.PASS, seat, len(state.layout), state.taken[seat])
    after = replace(
        state,
        turn=(seat + 1) % state.players,
        drawn=0,
        stuck=0 if state.stock else state.stuck + 1,
        claims=(*state.claims, claim),
    )
    if after.stuck == state.players:
        after = replace(_ended(after), blocked=True)
    return _accepted(course, state, after, Reason.OK_PASS, (Award(seat, "empty_stock", -course.pass_cost(state)),))


# --- the end of a round -----------------------------------------------------------------------------


def _show_hand(course: Course, state: State, move: ShowHand) -> Ruling:
    seat, tiles = move.seat, move.tiles
    seen = {placed.tile for placed in state.layout} | {tile for hand in state.shown for tile in hand or ()}
    refusal = _first(
        (state.phase is not Phase.SHOW_HANDS or state.shown[seat] is not None, Reason.NOT_NOW),
        (len(tiles) != state.hands[seat], Reason.HAND_COUNT_WRONG),
        (not course.tiles.issuperset(tiles), Reason.NO_SUCH_TILE),
        (bool(seen.intersection(tiles)) or len(set(tiles)) < len(tiles), Reason.TILE_ALREADY_PLAYED),
    )
    if refusal:
        return _refused(course, state, refusal)
    after = replace(state, shown=_set(state.shown, seat, tiles), known=_set(state.known, seat, tiles))
    return _accepted(course, state, after, Reason.OK_SHOW_HAND)


def _clear(course: Course, state: State) -> Ruling:
    if state.phase is not Phase.CLEARING:
        return _refused(course, state, Reason.NOT_NOW)
    return _accepted(course, state, _dealt(course, state), Reason.OK_CLEAR)


def _ended(state: State) -> State:
    return replace(state, phase=Phase.SHOW_HANDS, turn=None)


def _accepted(course: Course, before: State, after: State, reason: Reason, awards: tuple[Award, ...] = ()) -> Ruling:
    """The ruling on a move that stands: what it proves, what it earns, and whether it ends round or match."""
    cites = [_cite(course, after, reason)]
    opens = (course.rank, course.choices) if course.opens_by_rule else None
    proven = audit.newly_proven(before, after, course.fitting, course.drawing_claims, opens)
    awards += _bonus_withdrawn(course, before, proven)
    cites += [Cite(_cite(course, after, proof.reason).clause, proof.entry) for proof in proven]
    winner: int | None = None
    is_over = after.phase is Phase.SHOW_HANDS and None not in after.shown
    if is_over:
        winner, gained = course.score(after)
        cites.append(_cite(course, after, Reason.FISH if after.blocked else Reason.OK_SHOW_HAND))
        awards += gained
    awards = tuple(award for award in awards if award.points or award.what == "tile")
    totals = Counter(dict(enumerate(before.scores)))
    for award in awards:
        totals[award.seat] += award.points
    after = replace(after, scores=tuple(totals[seat] for seat in range(after.players)))
    if is_over:
        ranking = course.ranking(after, winner)
        phase = Phase.OVER if ranking else Phase.CLEARING
        after = replace(after, round_winner=winner, phase=phase, ranking=ranking)
    elif course.ends_at_once and (ranking := course.ranking(after, None)):
        after = replace(after, phase=Phase.OVER, turn=None, ranking=ranking)
    return Ruling(reason, after, awards, tuple(dict.fromkeys(cites)), proven)


def _bonus_withdrawn(course: Course, before: State, proven: tuple[Proof, ...]) -> tuple[Award, ...]:
    """The wrong opener keeps the points of his tile and loses the bonus, once."""
    wrong = [proof for proof in proven if proof.reason is Reason.WRONG_OPENER_PROVEN]
    earlier = audit.wrong_openers(before, course.rank, course.choices) if wrong else ()
    if not wrong or any(proof.reason is Reason.WRONG_OPENER_PROVEN for proof in earlier):
        return ()
    return (Award(wrong[0].seat, "opening", -course.opening_bonus(before.layout[0].tile)),)


# --- small things -----------------------------------------------------------------------------------


def _first(*checks: tuple[bool, Reason]) -> Reason | None:
    """The reason of the first check that is true."""
    return next((reason for broken, reason in checks if broken), None)


def _cite(course: Course, state: State, reason: Reason) -> Cite:
    return Cite(f"{state.game} §{course.clauses[reason]}")


def _refused(course: Course, state: State, reason: Reason) -> Ruling:
    return Ruling(reason, state, cites=(_cite(course, state, reason),))


def _is_in_play(state: State) -> bool:
    return state.phase is Phase.PLAY and bool(state.layout)


def _is_able(course: Course, state: State, seat: int) -> bool:
    """True when the seat is known to hold a tile that fits."""
    return not course.fitting(state.layout).isdisjoint(state.known[seat] or ())


def _is_elsewhere(state: State, seat: int, tile: Tile) -> bool:
    """True when another seat is known to hold the tile."""
    return any(tile in (hand or ()) for other, hand in enumerate(state.known) if other != seat)


def _set(items: tuple[Item, ...], seat: int, item: Item) -> tuple[Item, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
