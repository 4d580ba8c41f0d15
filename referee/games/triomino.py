"""Triominoes: triangles laid side by side, one game with many printed rules.

Everything in which the rules differ is a setting (`referee.laying.triangles`); a preset is a value of the settings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType

from referee import houserules
from referee.games import Game, Placement
from referee.laying import boards, course, offers, openings, rounds, triangles, trianglesheet
from referee.laying.course import Course, Laid
from referee.laying.lattice import Board, Cell, Contact
from referee.laying.triangles import Settings
from referee.moves import CellSpot, Move, Place, Spot
from referee.rulings import Award, Offer, Reason, Ruling
from referee.state import Phase, State
from referee.tiles import TRIOMINO, Tile, rotations, triomino_set

FIRST_CELL = Cell(0, 0, "U")
ANY = (None, None, None)
ZERO = Tile((0, 0, 0))
# What is ruled on a draw, be it for a tile that fits or for one to open with.
_DRAWS = (Reason.OK_DRAW, Reason.STOCK_EMPTY, Reason.DRAW_LIMIT, Reason.DRAW_WHILE_ABLE)


def start(game: Game, names: tuple[str, ...], settings: Settings) -> State:
    """The state before the first deal."""
    return rounds.start(_course(settings), game.id, names, settings, settings.players)


def rule(state: State, move: Move) -> Ruling:
    """The answer to a move."""
    return rounds.rule(_course(state.settings), state, move)


def remedies_for(state: State, move: Move, has_gone_on: bool) -> tuple[Offer, ...]:
    """What can be done about a refused placement."""
    return offers.offers(_course(state.settings), state, move, has_gone_on)


def places(state: State, tile: Tile) -> tuple[Spot, ...]:
    """All spots where a tile could be laid legally now; the first tile of a round anywhere, here in one cell."""
    return tuple(placement.spot for placement in placements(state, (tile,)))


def placements(state: State, tiles: Collection[Tile]) -> tuple[Placement, ...]:
    """All that `places` lists for some tiles, with what each would earn.

    What a place earns besides the tile's own sum depends on the gap alone, and so does which tiles fit.
    """
    settings: Settings = state.settings
    every = tile_set(settings)
    wanted = every.intersection(tiles).difference(placed.tile for placed in state.layout)
    if state.phase is not Phase.PLAY or not wanted:
        return ()
    board = boards.board(state.layout)
    if openings.must_wait(_course(settings), state):
        return ()
    if not board:
        return tuple(
            _first_placement(state, tile, turned) for tile, turned in boards.takers(every, ANY) if tile in wanted
        )
    by_corners = _by_corners(settings)
    found: list[Placement] = []
    for gap in board.gaps():
        if gap.sides or gap.corners in by_corners:
            reason, _, bonus = _special(settings, gap.sides, gap.corners, gap.hexagons)
            found += [
                Placement(tile, CellSpot(gap.cell, turned), reason, tile.total + bonus)
                for tile, turned in boards.takers(every, gap.asks)
                if tile in wanted
            ]
    return tuple(found)


def is_dead(state: State) -> bool:
    """True when tiles lie and none of those left can join them."""
    return state.phase is Phase.PLAY and bool(state.layout) and not placements(state, tile_set(state.settings))


def _first_placement(state: State, tile: Tile, turned: tuple[int, ...]) -> Placement:
    spot = CellSpot(FIRST_CELL, turned)
    laid = _lay(state, Place(0, tile, spot))
    return Placement(tile, spot, laid.reason, sum(points for _, points in laid.points))


def tile_set(settings: Settings) -> frozenset[Tile]:
    """The tiles that are played with."""
    return _course(settings).tiles


def asks(state: State) -> tuple[Offer, ...]:
    """What whoever opened with 0-0-0 may answer when he is asked for the triple that he passed over."""
    return offers.asks(_course(state.settings), state)


# --- where a tile may lie and what it earns -----------------------------------------------------------


@lru_cache(maxsize=boards.REMEMBERED)
def _fitting(tiles: frozenset[Tile], by_corners: frozenset[int], board: Board) -> frozenset[Tile]:
    """The tiles that make their holder able to play: by a side, or without one by so many corners."""
    asked = (asks for asks, has_side in board.asked() if has_side or 3 - asks.count(None) in by_corners)
    return boards.fitting(tiles, asked)


def _by_corners(settings: Settings) -> frozenset[int]:
    """By how many corners without a side the rules let a tile lie."""
    points = {2: settings.two_corner, 3: settings.three_corner}
    return frozenset(corners for corners, earned in points.items() if earned is not None)


def _lay(state: State, move: Place) -> Laid:
    """Classify a placement in the order of the rule specification (G5)."""
    settings: Settings = state.settings
    spot, tile = move.spot, move.tile
    if not isinstance(spot, CellSpot):
        return Laid(Reason.NOT_CONNECTED)
    if len(spot.values) != 3 or spot.values not in rotations(tile.values):
        return Laid(Reason.NO_SUCH_TILE)
    board = boards.board(state.layout)
    if spot.cell in board:
        return Laid(Reason.CELL_OCCUPIED)
    value = ("tile", tile.total)
    if not state.layout:
        return Laid(Reason.OK_OPENING, (value, ("opening", _opening_bonus(state, tile))))
    if not board:  # the tiles laid so far were let stand apart from any layout
        return Laid(Reason.OK_EDGE, (value,))
    facts = board.contact(spot.cell, spot.values)
    refusal = _refusal(settings, facts)
    if refusal:
        return Laid(refusal)
    reason, what, bonus = _special(settings, facts.sides, len(facts.corners), facts.hexagons)
    return Laid(reason, (value, (what, bonus)))


def _refusal(settings: Settings, facts: Contact) -> Reason | None:
    corners = len(facts.corners)
    if corners == 0:
        return Reason.NOT_CONNECTED
    if facts.side_clash:
        return Reason.EDGE_MISMATCH
    if facts.corner_clash:
        return Reason.CORNER_MISMATCH
    if facts.sides == 0 and corners == 1:
        return Reason.ONE_CORNER_ONLY
    if facts.sides == 0 and (settings.two_corner if corners == 2 else settings.three_corner) is None:
        return Reason.CORNER_CONTACT_NOT_ALLOWED
    return None


def _special(settings: Settings, sides: int, corners: int, hexagons: int) -> tuple[Reason, str, int]:
    """The class of a legal placement, and what its bonus is for."""
    if sides == 0:
        if corners == 2:
            return Reason.OK_TWO_CORNER, "two_corner", settings.two_corner or 0
        return Reason.OK_THREE_CORNER, "three_corner", settings.three_corner or 0
    if hexagons:
        reason = Reason.OK_HEXAGON if hexagons == 1 else Reason.OK_MULTI_HEXAGON
        return reason, "hexagon", settings.hexagon[hexagons - 1]
    if sides == 3:
        return Reason.OK_THREE_SIDED, "three_side", settings.three_side
    if sides == 2:
        return Reason.OK_TWO_SIDED, "two_side", settings.two_side
    if corners == 3:
        return Reason.OK_BRIDGE, "bridge", settings.bridge
    return Reason.OK_EDGE, "edge", 0


def _opening_bonus(state: State, tile: Tile) -> int:
    settings: Settings = state.settings
    is_free = course.is_free_opening(settings.next_opener == "winner", state)
    if settings.opening == "any" or is_free or not tile.is_uniform:
        return 0
    return settings.open_zero_total if tile == ZERO else settings.open_triple


def _rank(settings: Settings, tile: Tile) -> tuple[int, ...]:
    """Triples before all others, then the higher sum, then the larger numbers."""
    larger = sorted(tile.values, reverse=True) if settings.open_tiebreak == "larger_numbers" else ()
    return (int(tile.is_uniform), tile.total, *larger)


# --- the end of a round and of the match --------------------------------------------------------------


def _pass_cost(state: State) -> int:
    settings: Settings = state.settings
    at_limit = settings.draw_limit is not None and state.drawn >= settings.draw_limit
    return settings.limit_extra if at_limit else settings.empty_stock


def _score(state: State) -> tuple[int | None, tuple[Award, ...]]:
    """The winner of a round and what it earns and costs."""
    settings: Settings = state.settings
    value = [sum(tile.total for tile in hand or ()) for hand in state.shown]
    if state.out is not None:
        winner: int | None = state.out
        awards = [Award(state.out, "out", settings.out_bonus)]
        if settings.out_takes_others:
            awards.append(Award(state.out, "others", sum(value)))
        if settings.others_lose_own:
            awards += [Award(seat, "own", -points) for seat, points in enumerate(value)]
        return winner, tuple(awards)
    winner = _block_winner(state, value)
    return winner, _block_awards(settings.blocked_points, winner, value)


def _block_awards(how: str, winner: int | None, value: list[int]) -> tuple[Award, ...]:
    """What a blocked round earns and costs; `value` is the sum of each hand."""
    if how == "each_loses_own":
        return tuple(Award(seat, "own", -points) for seat, points in enumerate(value))
    if winner is None or how == "none":
        return ()
    if how == "pairwise":
        paid = tuple(Award(seat, "difference", value[winner] - points) for seat, points in enumerate(value))
        return (*paid, Award(winner, "others", -sum(award.points for award in paid)))
    others = sum(value) - value[winner]
    return (Award(winner, "others", others), Award(winner, "own", -value[winner]))


def _block_winner(state: State, value: list[int]) -> int | None:
    """Who wins a blocked round; nobody on a tie, and nobody who plays alone."""
    settings: Settings = state.settings
    if settings.blocked == "none" or state.players == 1:
        return None
    counts = [len(hand or ()) for hand in state.shown]
    ranks = [(count, points) for count, points in zip(counts, value, strict=True)]
    if settings.blocked == "lowest_value":
        ranks = [(points, 0) for points in value]
    elif settings.blocked_tie == "nobody":
        ranks = [(count, 0) for count in counts]
    best = min(ranks)
    return ranks.index(best) if ranks.count(best) == 1 else None


def _ranking(state: State, winner: int | None) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last once the match is over; the winner of the round goes before higher scores."""
    scores = state.scores
    settings: Settings = state.settings
    reached = [seat for seat, score in enumerate(scores) if score >= settings.target]
    if settings.rounds is not None:
        reached = list(range(state.players)) if state.round >= settings.rounds else []
    if not reached:
        return ()
    best = [seat for seat in reached if scores[seat] == max(scores)]
    if winner in reached and settings.rounds is None and settings.past_target == "round_winner":
        best = [seat for seat in reached if seat == winner]
    if len(best) > 1:
        return ()  # equal at the top: one more round
    rest = sorted({scores[seat] for seat in range(state.players) if seat not in best}, reverse=True)
    groups = (tuple(s for s in range(state.players) if scores[s] == score and s not in best) for score in rest)
    return (tuple(best), *groups)


# --- the preset ---------------------------------------------------------------------------------------


def vary(settings: Settings, options: dict[str, str]) -> Settings:
    """Settings with house rules changed; `mode` names one of the two rule sets of the first book.

    Raises:
        HouseRuleError: for a house rule that does not exist or a value that it cannot have, also beside the others.
    """
    changed = houserules.vary(settings, options)
    houserules.check_hands(changed, len(tile_set(changed)))
    return changed


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    return trianglesheet.sheet(settings, len(tile_set(settings)))


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    tiles = triomino_set(settings.max_number)
    mirrored = tuple(Tile(tile.values[::-1]) for tile in tiles)
    if settings.mirrored:
        tiles += mirrored
    elif not settings.ascending:
        tiles = mirrored
    every = frozenset(tiles)
    moves = _by_corners(settings) if settings.corner_move_is_move else frozenset()
    clauses = trianglesheet.clauses(settings)
    return Course(
        tiles=every,
        dealt=MappingProxyType(dict(settings.hands)),
        remedies=settings,
        penalty_sign=-1,
        rank=lambda tile: _rank(settings, tile),
        choices=(ZERO,) if settings.zero_choice else (),
        unshown=max(settings.open_zero_total - settings.open_triple, 0) if settings.zero_must_show else 0,
        opens_by_rule=settings.opening == "rule",
        winner_opens=settings.next_opener == "winner",
        uniform_only=settings.no_triple == "draw_until_triple" and settings.opening == "rule",
        fitting=lambda layout: _fitting(every, moves, boards.board(layout)),
        lay=_lay,
        worth=lambda tile: (("tile", tile.total),),
        draw_cost=settings.draw_cost,
        draw_limit=settings.draw_limit,
        drawing_claims=not settings.draw_while_able,
        may_decline=settings.draw_then_decline,
        passing_claims=not settings.voluntary_pass,
        private_stock=settings.private_stock,
        stock_floor=settings.stock_floor,
        pass_cost=_pass_cost,
        is_blocked=lambda _: False,
        score=_score,
        ranking=_ranking,
        ends_at_once=settings.end == "at_once" and settings.rounds is None,
        clause=lambda state, reason: _clause(settings, clauses, state, reason),
    )


def _clause(settings: Settings, clauses: Mapping[Reason, str], state: State, reason: Reason) -> str:
    """The paragraph behind a reason; that of an opening goes by its tile, that of a draw by what it is for."""
    book = trianglesheet.BOOKS[settings.book]
    if reason is Reason.OK_OPENING and state.layout and settings.opening == "rule":
        tile = state.layout[0].tile
        if course.is_free_opening(settings.next_opener == "winner", state):
            return book["rounds"]
        return clauses[reason] if tile.is_uniform and tile != ZERO else book["zero" if tile == ZERO else "no_triple"]
    if reason in _DRAWS and state.phase is Phase.PLAY and not state.layout:
        return book["no_triple"]
    return clauses[reason]


def _preset(preset: str, settings: Settings) -> Game:
    low, high = settings.players
    tiles = tuple(sorted(tile_set(settings)))
    rank = _course(settings).rank
    about = (start, rule, places, vary, sheet, rank, tile_set, placements, is_dead)
    return Game(preset, TRIOMINO, tiles, settings, low, high, *about, asks=asks, offers=remedies_for)


GAMES = tuple(_preset(name, settings) for name, settings in triangles.PRESETS.items())
