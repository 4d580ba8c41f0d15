"""What all games share in which dominoes are laid in a line: where a tile fits, who opens, what a round is worth.

A game of its own is a `Course` and a rule sheet (`dominosheet`), put together by `preset`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from referee import houserules
from referee.games import Game, Placement
from referee.laying import line, offers, rounds
from referee.laying.course import Course, Laid
from referee.moves import LineSpot, Move, Place, Spot
from referee.rulings import Award, Offer, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import DOMINO, Tile, domino_set


def preset(
    name: str,
    settings: Any,
    course: Callable[[Any], Course],
    sheet: Callable[[Any], tuple[tuple[str, str], ...]],
    counts: Callable[[State], int | None] = lambda _state: None,
) -> Game:
    """A preset of a game in which dominoes are laid in a line, by the course of its rounds and its rule sheet."""

    def start(game: Game, names: tuple[str, ...], chosen: Any) -> State:
        return rounds.start(course(chosen), game.id, names, chosen, chosen.players)

    def rule(state: State, move: Move) -> Ruling:
        return rounds.rule(course(state.settings), state, move)

    def remedies_for(state: State, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
        return offers.offers(course(state.settings), state, move, has_gone_on)

    def vary(chosen: Any, options: dict[str, str]) -> Any:
        changed = houserules.vary(chosen, options)
        houserules.check_hands(changed, len(course(changed).tiles))
        return changed

    low, high = settings.players
    return Game(
        id=name,
        kind=DOMINO,
        tiles=tuple(sorted(course(settings).tiles)),
        settings=settings,
        min_players=low,
        max_players=high,
        start=start,
        rule=rule,
        places=lambda state, tile: _places(course(state.settings), state, tile),
        vary=vary,
        sheet=sheet,
        rank=course(settings).rank,
        tiles_of=lambda chosen: course(chosen).tiles,
        placements=lambda state, tiles: _placements(course(state.settings), state, tiles),
        is_dead=lambda state: state.phase is Phase.PLAY and is_dead(state),
        offers=remedies_for,
        counts=counts,
    )


def course(
    settings: Any,
    clauses: Mapping[Reason, str],
    score: Callable[[State], tuple[int | None, tuple[Award, ...]]],
    ranking: Callable[[State, int | None], tuple[tuple[int, ...], ...]],
    **own: Any,
) -> Course:
    """The course of a round: what these games have in common, and whatever of it is a game's own.

    Args:
        clauses: the paragraph of the rule sheet behind each reason.
        score, ranking, own: as in `Course`.
    """
    usual: dict[str, Any] = {
        "tiles": frozenset(domino_set(settings.max_number)),
        "dealt": MappingProxyType(dict(settings.hands)),
        "remedies": settings,
        "penalty_sign": -1,
        "rank": rank,
        "choices": (),
        "unshown": 0,
        "opens_by_rule": settings.opening == "rule",
        "winner_opens": settings.next_opener == "winner",
        "uniform_only": False,
        "fitting": lambda layout: fitting(layout, settings.max_number),
        "lay": lambda state, move: Laid(joined(state, move)),
        "worth": lambda _tile: (),
        "draw_cost": 0,
        "draw_limit": None,
        "drawing_claims": True,
        "may_decline": False,
        "passing_claims": not settings.voluntary_pass,
        "private_stock": False,
        "stock_floor": settings.stock_floor,
        "pass_cost": lambda _state: 0,
        "is_blocked": is_dead,
        "score": score,
        "ranking": ranking,
        "ends_at_once": False,
        "clause": lambda _state, reason: clauses[reason],
    }
    return Course(**(usual | own))


# --- where a tile may lie -----------------------------------------------------------------------------


def joined(state: State, move: Place) -> Reason:
    """Whether a tile may lie at its end of the line, and why not."""
    spot, tile = move.spot, move.tile
    if not isinstance(spot, LineSpot) or spot.end not in line.EVERY_END or len(tile.values) != 2:
        return Reason.NOT_CONNECTED
    numbers = line.open_numbers(state.layout)
    if spot.end in line.ARMS and spot.end not in numbers:
        return Reason.NOT_CONNECTED if line.spinner(state.layout) is None else Reason.ARM_CLOSED
    if spot.inner is not None and spot.inner not in tile.values:
        return Reason.END_MISMATCH
    if not numbers:
        return Reason.OK_PLACE if state.layout else Reason.OK_OPENING
    opened = numbers[spot.end]
    return Reason.OK_PLACE if line.inner_half(tile, spot, opened) == opened else Reason.END_MISMATCH


def fitting(layout: tuple[Placed, ...], highest: int) -> frozenset[Tile]:
    """All tiles of a set up to this number that bear an open one."""
    return _bearing(tuple(sorted(set(line.open_numbers(layout).values()))), highest)


@lru_cache(maxsize=512)
def _bearing(numbers: tuple[int, ...], highest: int) -> frozenset[Tile]:
    return frozenset(Tile((number, other)) for number in numbers for other in range(highest + 1))


def is_dead(state: State) -> bool:
    """True when tiles lie and none of those left can join them."""
    return line.is_dead(state.layout, state.settings.max_number)


def _places(course: Course, state: State, tile: Tile) -> tuple[Spot, ...]:
    """All ends where a tile could be laid legally now; the first tile of a round lies at `left`."""
    laid = {placed.tile for placed in state.layout}
    if state.phase is not Phase.PLAY or tile not in course.tiles or tile in laid:
        return ()
    numbers = line.open_numbers(state.layout)
    if not numbers:
        return (LineSpot(line.LEFT),)
    return tuple(LineSpot(end) for end, opened in numbers.items() if opened in tile.values)


def _placements(course: Course, state: State, tiles: Collection[Tile]) -> tuple[Placement, ...]:
    """All that `places` lists for some tiles, with what each would earn."""
    return tuple(
        Placement(tile, spot, laid.reason, sum(points for _, points in laid.points))
        for tile in dict.fromkeys(tiles)
        for spot in _places(course, state, tile)
        for laid in (course.lay(state, Place(0, tile, spot)),)
    )


# --- games that the winner of a round scores in -------------------------------------------------------


def rank(tile: Tile) -> tuple[int, ...]:
    """Doubles from the highest down, then the higher sum, then the higher half."""
    return (int(tile.is_uniform), tile.total, *sorted(tile.values, reverse=True))


def score(state: State, blocked_points: str) -> tuple[int | None, tuple[Award, ...]]:
    """The winner of a round gains the pips of the others; of a blocked one the lowest hand, of equals nobody.

    Args:
        blocked_points: `others_minus_own`, or `differences`: what the winner of a blocked round gains.
    """
    pips = [sum(tile.total for tile in hand or ()) for hand in state.shown]
    if state.out is not None:
        return state.out, (Award(state.out, "others", sum(pips)),)
    if pips.count(min(pips)) > 1:
        return None, ()
    winner = pips.index(min(pips))
    if blocked_points == "differences":
        return winner, (Award(winner, "difference", sum(each - pips[winner] for each in pips)),)
    others = sum(pips) - pips[winner]
    return winner, (Award(winner, "others", others), Award(winner, "own", -pips[winner]))


def ranking(state: State, target: int, rounds_played: int | None) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last once somebody has reached the target, the highest score first; () on a tie for it.

    Args:
        rounds_played: after so many rounds instead, if any.
    """
    scores = state.scores
    if (max(scores) < target) if rounds_played is None else (state.round < rounds_played):
        return ()
    groups = tuple(tuple(seat for seat in range(state.players) if scores[seat] == each) for each in distinct(scores))
    return groups if len(groups[0]) == 1 else ()


def distinct(scores: tuple[int, ...]) -> list[int]:
    """The different scores, highest first."""
    return sorted(set(scores), reverse=True)
