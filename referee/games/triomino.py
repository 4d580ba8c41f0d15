"""Triominoes: triangles laid side by side, one game with many printed rules.

Everything in which the rules differ is a setting; a preset is a value of the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any

from referee import houserules, rounds
from referee.games import Game
from referee.houserules import choice, flag, points, span, table, whole, whole_numbers, whole_or_none
from referee.lattice import Cell, Contact, Gap, contact, gaps
from referee.moves import CellSpot, Move, Place, Spot
from referee.rounds import Course, Laid
from referee.rulings import Award, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import TRIOMINO, Tile, rotations, triomino_set

FIRST_CELL = Cell(0, 0, "U")
ZERO = Tile((0, 0, 0))


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of one printed rule.

    Attributes:
        players, hands: how many may play; tiles dealt to each, by number of players.
        max_number, ascending: the set: numbers from 0 up to this; they rise clockwise (else the other way).
        opening: `rule`, or `any` for any first tile without bonus.
        open_triple, open_zero_total: bonus of an opening triple; what opening with 0-0-0 earns in all.
        zero_choice: whether the right opener may lay 0-0-0 instead of his highest triple.
        zero_must_show: whether he then has to show that triple.
        no_triple: what happens when nobody holds a triple.
        draw_cost, draw_limit, draw_while_able: of one tile; in one turn; whether one may though able.
        empty_stock, limit_extra: cost of being unable with an empty stock; after the last allowed draw.
        hexagon: bonus for one, two and three hexagons closed by one tile.
        bridge, two_side, three_side: bonus of the other special places.
        two_corner, three_corner: points for touching corners only, None where that is not allowed.
        out_bonus, out_takes_others, others_lose_own: what going out earns, and costs the others.
        blocked, blocked_points: who wins a blocked round, and what he gets.
        target, end: the score to reach, and whether the round is played out.
    """

    players: tuple[int, int] = span((1, 6))
    hands: tuple[tuple[int, int], ...] = table(((1, 9), (2, 9), (3, 7), (4, 7), (5, 6), (6, 6)))
    max_number: int = whole(5, least=1)
    ascending: bool = flag(True)
    opening: str = choice("rule", "any")
    open_triple: int = whole(10)
    open_zero_total: int = whole(40)
    zero_choice: bool = flag(True)
    zero_must_show: bool = flag(False)
    no_triple: str = choice("best_sum", "draw_until_triple")
    draw_cost: int = whole(5)
    draw_limit: int | None = whole_or_none(None)
    draw_while_able: bool = flag(False)
    empty_stock: int = whole(10)
    limit_extra: int = whole(0)
    hexagon: tuple[int, ...] = whole_numbers((50, 100, 150))
    bridge: int = whole(40)
    two_side: int = whole(40)
    three_side: int = whole(40)
    two_corner: int | None = points(None)
    three_corner: int | None = points(None)
    out_bonus: int = whole(25)
    out_takes_others: bool = flag(True)
    others_lose_own: bool = flag(False)
    blocked: str = choice("fewest_tiles", "lowest_value", "none")
    blocked_points: str = choice("others_minus_own", "none")
    target: int = whole(400, least=1)
    end: str = choice("round", "at_once")

    @property
    def lowest_wins(self) -> bool:
        """The highest score wins."""
        return False


def start(game: Game, names: tuple[str, ...], settings: Settings) -> State:
    """The state before the first deal."""
    return rounds.start(_course(settings), game.id, names, settings, settings.players)


def rule(state: State, move: Move) -> Ruling:
    """The answer to a move."""
    return rounds.rule(_course(state.settings), state, move)


def places(state: State, tile: Tile) -> tuple[Spot, ...]:
    """All spots where a tile could be laid legally now; the first tile of a round anywhere, here in one cell."""
    laid = {placed.tile for placed in state.layout}
    if state.phase is not Phase.PLAY or tile not in tile_set(state.settings) or tile in laid:
        return ()
    if not _board(state.layout):
        return tuple(CellSpot(FIRST_CELL, turned) for turned in dict.fromkeys(rotations(tile.values)))
    return tuple(
        CellSpot(gap.cell, turned)
        for gap in _gaps(state.layout)
        if _is_open(state.settings, gap)
        for turned in dict.fromkeys(rotations(tile.values))
        if gap.takes(turned)
    )


def tile_set(settings: Settings) -> frozenset[Tile]:
    """The tiles that are played with."""
    return _course(settings).tiles


def tile_to_show(state: State, move: Place) -> Tile | None:
    """The triple that must have been shown before its holder may open with 0-0-0, None where none must."""
    best = rounds.best_known(_course(state.settings), state, move.seat)
    return best if state.settings.zero_must_show and move.tile == ZERO and best != ZERO else None


# --- where a tile may lie and what it earns -----------------------------------------------------------


@lru_cache(maxsize=512)
def _board(layout: tuple[Placed, ...]) -> Mapping[Cell, tuple[int, ...]]:
    return MappingProxyType({each.spot.cell: each.spot.values for each in layout if isinstance(each.spot, CellSpot)})


@lru_cache(maxsize=512)
def _gaps(layout: tuple[Placed, ...]) -> tuple[Gap, ...]:
    return gaps(_board(layout))


@lru_cache(maxsize=512)
def _fitting(settings: Settings, layout: tuple[Placed, ...]) -> frozenset[Tile]:
    """All tiles that match the numbers some gap asks for, whether or not there are such tiles in the set."""
    every = range(settings.max_number + 1)
    return frozenset(
        Tile(values)
        for gap in _gaps(layout)
        if _is_open(settings, gap)
        for values in product(*(every if asked is None else (asked,) for asked in gap.asks))
    )


def _is_open(settings: Settings, gap: Gap) -> bool:
    """Whether the rules let a tile that matches lie in this gap."""
    if gap.sides:
        return True
    corners = sum(asked is not None for asked in gap.asks)
    return {2: settings.two_corner, 3: settings.three_corner}.get(corners) is not None


def _lay(state: State, move: Place) -> Laid:
    """Classify a placement in the order of the rule specification (G5)."""
    settings: Settings = state.settings
    spot, tile = move.spot, move.tile
    if not isinstance(spot, CellSpot):
        return Laid(Reason.NOT_CONNECTED)
    if spot.values not in rotations(tile.values):
        return Laid(Reason.NO_SUCH_TILE)
    board = _board(state.layout)
    if spot.cell in board:
        return Laid(Reason.CELL_OCCUPIED)
    value = ("tile", tile.total)
    if not state.layout:
        return Laid(Reason.OK_OPENING, (value, ("opening", _opening_bonus(settings, tile))))
    if not board:  # the tiles laid so far were let stand apart from any layout
        return Laid(Reason.OK_EDGE, (value,))
    facts = contact(board, spot.cell, spot.values)
    refusal = _refusal(settings, facts)
    if refusal:
        return Laid(refusal)
    reason, what, bonus = _special(settings, facts)
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


def _special(settings: Settings, facts: Contact) -> tuple[Reason, str, int]:
    """The class of a legal placement, and what its bonus is for."""
    if facts.sides == 0:
        if len(facts.corners) == 2:
            return Reason.OK_TWO_CORNER, "two_corner", settings.two_corner or 0
        return Reason.OK_THREE_CORNER, "three_corner", settings.three_corner or 0
    if facts.hexagons:
        reason = Reason.OK_HEXAGON if facts.hexagons == 1 else Reason.OK_MULTI_HEXAGON
        return reason, "hexagon", settings.hexagon[facts.hexagons - 1]
    is_bridge = facts.sides == 1 and len(facts.corners) == 3
    return {
        (3, False): (Reason.OK_THREE_SIDED, "three_side", settings.three_side),
        (2, False): (Reason.OK_TWO_SIDED, "two_side", settings.two_side),
        (1, True): (Reason.OK_BRIDGE, "bridge", settings.bridge),
        (1, False): (Reason.OK_EDGE, "edge", 0),
    }[facts.sides, is_bridge]


def _opening_bonus(settings: Settings, tile: Tile) -> int:
    if settings.opening == "any" or not tile.is_uniform:
        return 0
    return settings.open_zero_total if tile == ZERO else settings.open_triple


def _rank(tile: Tile) -> tuple[int, ...]:
    """Triples before all others, then the higher sum, then the larger numbers."""
    return (int(tile.is_uniform), tile.total, *sorted(tile.values, reverse=True))


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
    if winner is None or settings.blocked_points == "none":
        return winner, ()
    others = sum(value) - value[winner]
    return winner, (Award(winner, "others", others), Award(winner, "own", -value[winner]))


def _block_winner(state: State, value: list[int]) -> int | None:
    """Who wins a blocked round; nobody on a tie, and nobody who plays alone."""
    if state.settings.blocked == "none" or state.players == 1:
        return None
    fewest = state.settings.blocked == "fewest_tiles"
    order = sorted((len(hand or ()) if fewest else 0, value[seat], seat) for seat, hand in enumerate(state.shown))
    return order[0][2] if order[0][:2] != order[1][:2] else None


def _ranking(state: State, winner: int | None) -> tuple[tuple[int, ...], ...]:
    """Seats from first to last once the match is over; the winner of the round goes before higher scores."""
    scores = state.scores
    reached = [seat for seat, score in enumerate(scores) if score >= state.settings.target]
    if not reached:
        return ()
    best = [seat for seat in reached if scores[seat] == max(scores)]
    if winner in reached:
        best = [seat for seat in reached if seat == winner]
    if len(best) > 1:
        return ()  # equal at the top: one more round
    rest = sorted({scores[seat] for seat in range(state.players) if seat not in best}, reverse=True)
    groups = (tuple(s for s in range(state.players) if scores[s] == score and s not in best) for score in rest)
    return (tuple(best), *groups)


# --- the sheet ----------------------------------------------------------------------------------------

CLAUSES: Mapping[str, tuple[Reason, ...]] = MappingProxyType(
    {
        "2.1.1": (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED, Reason.TILE_COUNT_WRONG),
        "2.1.2": (Reason.NO_SUCH_SEAT,),
        "2.1.3": (Reason.OK_BEGIN, Reason.OK_CLEAR),
        "2.1.4": (Reason.OK_OPENING, Reason.OK_ANNOUNCE, Reason.WRONG_OPENER, Reason.WRONG_OPENER_PROVEN),
        "2.1.5": (Reason.WRONG_OPENING_TILE,),
        "2.1.6": (Reason.NEEDS_TRIPLE,),
        "2.1.7": (Reason.OUT_OF_TURN, Reason.NOT_NOW),
        "2.1.8": (Reason.NOT_CONNECTED, Reason.CELL_OCCUPIED, Reason.EDGE_MISMATCH, Reason.CORNER_MISMATCH),
        "2.1.9": (
            *(Reason.ONE_CORNER_ONLY, Reason.CORNER_CONTACT_NOT_ALLOWED),
            *(Reason.OK_TWO_CORNER, Reason.OK_THREE_CORNER),
        ),
        "2.1.10": (
            *(Reason.OK_EDGE, Reason.OK_BRIDGE, Reason.OK_TWO_SIDED, Reason.OK_THREE_SIDED),
            *(Reason.OK_HEXAGON, Reason.OK_MULTI_HEXAGON),
        ),
        "2.1.12": (Reason.OK_DRAW, Reason.STOCK_EMPTY),
        "2.1.13": (Reason.DRAW_WHILE_ABLE, Reason.DRAW_LIMIT, Reason.FALSE_DRAW_PROVEN),
        "2.1.14": (Reason.OK_PASS, Reason.PASS_WITH_STOCK, Reason.PASS_WHILE_ABLE, Reason.FALSE_PASS_PROVEN),
        "2.1.15": (Reason.OK_SHOW_HAND,),
        "2.1.16": (Reason.FISH,),
        "2.1.18": (Reason.HAND_COUNT_WRONG, Reason.NOT_IN_HAND),
        "7.2": (Reason.OK_OVERRULED,),
    }
)


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    s = settings
    low, high = s.players
    dealt = ", ".join(f"{tiles} with {count}" for count, tiles in s.hands)
    limit = "as often as needed" if s.draw_limit is None else f"at most {s.draw_limit} in a turn"
    zero = f"That seat may open with 0-0-0 instead, for {s.open_zero_total} in all" if s.zero_choice else ""
    corners = [
        f"a tile on {count} corners without a side is allowed and earns {points}"
        for count, points in (("two", s.two_corner), ("three", s.three_corner))
        if points is not None
    ]
    out = [f"{s.out_bonus} for going out"]
    out += ["the sum of all other hands"] if s.out_takes_others else []
    out += ["each other seat loses the sum of its own hand"] if s.others_lose_own else []
    block = "Nobody wins it" if s.blocked == "none" else f"The seat with the {s.blocked.replace('_', ' ')} wins it"
    gains = ", gaining the others' sum and losing its own" if (s.blocked, s.blocked_points) != ("none", "none") else ""
    lines = {
        "2.1.1": f"{len(tile_set(s))} tiles, numbers 0 to {s.max_number}, rising "
        + ("clockwise." if s.ascending else "counter-clockwise."),
        "2.1.2": f"{low} to {high} players, each alone.",
        "2.1.3": f"Tiles dealt to each: {dealt} players. The rest is the stock.",
        "2.1.4": f"The holder of the highest triple opens with it, for its sum and {s.open_triple}."
        if s.opening == "rule"
        else "The first seat opens with any tile, for its sum alone.",
        "2.1.5": f"{zero}{', showing the triple' if zero and s.zero_must_show else ''}."
        if zero
        else "No other tile opens.",
        "2.1.6": "Where nobody has a triple, the highest sum opens without bonus; of equal sums the larger numbers."
        if s.no_triple == "best_sum"
        else "Where nobody has a triple, all draw one tile in turn, free of charge, until one has.",
        "2.1.7": "Clockwise, one tile a turn.",
        "2.1.8": "A tile lies against another by a whole side; every corner that touches has the same number.",
        "2.1.9": ("; ".join(corners) or "a tile that touches by corners only is not allowed").capitalize() + ".",
        "2.1.10": f"A tile earns its sum; closing hexagons {'/'.join(map(str, s.hexagon))} for one/two/three more, "
        f"a bridge {s.bridge}, two sides {s.two_side}, three sides {s.three_side}.",
        "2.1.12": f"Whoever cannot lay a tile draws, {limit}, for {s.draw_cost} each, until one fits, and lays it.",
        "2.1.13": "A seat that could play may draw too."
        if s.draw_while_able
        else "A seat that could play may not draw.",
        "2.1.14": f"With an empty stock whoever cannot play passes and loses {s.empty_stock}"
        + (f"; after the last allowed draw {s.limit_extra}." if s.draw_limit is not None else "."),
        "2.1.15": f"The round ends when a hand is empty: {'; '.join(out)}.",
        "2.1.16": f"It is blocked when all seats in a row have passed. {block}{gains}.",
        "2.1.17": "Each round opens like the first.",
        "2.1.18": "How many tiles a hand holds is public, the faces are not.",
        "2.1.19": f"The match ends at {s.target}, "
        + ("at once." if s.end == "at_once" else "when the round is over; of several there its winner wins."),
        "7.2": "What the people at the table let stand stays where it lies and earns its sum.",
        "7.3": "Undo, overruling and correction are written down like moves; what follows is judged anew.",
    }
    return tuple(lines.items())


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    tiles = triomino_set(settings.max_number)
    if not settings.ascending:
        tiles = tuple(Tile(tile.values[::-1]) for tile in tiles)
    return Course(
        tiles=frozenset(tiles),
        dealt=MappingProxyType(dict(settings.hands)),
        rank=_rank,
        choices=(ZERO,) if settings.zero_choice else (),
        opens_by_rule=settings.opening == "rule",
        uniform_only=settings.no_triple == "draw_until_triple" and settings.opening == "rule",
        fitting=lambda layout: _fitting(settings, layout),
        lay=_lay,
        worth=lambda tile: (("tile", tile.total),),
        opening_bonus=lambda tile: _opening_bonus(settings, tile),
        draw_cost=settings.draw_cost,
        draw_limit=settings.draw_limit,
        drawing_claims=not settings.draw_while_able,
        pass_cost=_pass_cost,
        is_blocked=lambda _: False,
        score=_score,
        ranking=_ranking,
        ends_at_once=settings.end == "at_once",
        clauses=MappingProxyType({reason: clause for clause, reasons in CLAUSES.items() for reason in reasons}),
    )


def _preset(preset: str, settings: Settings) -> Game:
    low, high = settings.players
    tiles = tuple(sorted(tile_set(settings)))
    vary: Any = houserules.vary
    return Game(preset, TRIOMINO, tiles, settings, low, high, start, rule, places, vary, sheet, _rank)


GAMES = (_preset("ro-trimino/manufacturer", Settings()),)
