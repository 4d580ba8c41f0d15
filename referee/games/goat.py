"""The goat: dominoes in one line, each player alone; whoever first gathers the target in pips has lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from referee import houserules, remedies
from referee.games import Game, Placement
from referee.houserules import choice, flag, span, table, whole, whole_or_none
from referee.laying import line, offers, rounds
from referee.laying.course import Course, Laid
from referee.moves import LineSpot, Move, Place, Spot
from referee.remedies import Remedies
from referee.rulings import Award, Offer, Reason, Ruling
from referee.state import Phase, State
from referee.tiles import DOMINO, Tile, domino_set

ZERO = Tile((0, 0))


@dataclass(frozen=True, slots=True)
class Settings(Remedies):
    """The numbers of the rule.

    Attributes:
        players, hands: how many may play; tiles dealt to each, by number of players.
        max_number: the set: numbers from 0 up to this.
        opening: `rule`, or `any` for any first tile.
        next_opener: who opens later rounds: the same rule, or the winner of the last round with any tile.
        stock_floor: how many tiles of the stock are never drawn.
        voluntary_pass: whether a seat may pass although a tile fits, once nothing may be drawn any more.
        fish_with_stock: whether a dead line ends the round although the stock is not empty.
        fish_winner: who writes nothing after a fish: whoever laid the last tile, or the lowest hand.
        double_blank_pips: what a 0-0 left in hand counts.
        target: the score that ends the match.
        rounds: how many rounds are played instead of up to a target, None for a target.
    """

    players: tuple[int, int] = span((2, 4))
    hands: tuple[tuple[int, int], ...] = table(((2, 7), (3, 7), (4, 7)))
    max_number: int = whole(6, least=1, most=18)
    opening: str = choice("rule", "any")
    next_opener: str = choice("rule", "winner")
    stock_floor: int = whole(0)
    voluntary_pass: bool = flag(False)
    fish_with_stock: bool = flag(True)
    fish_winner: str = choice("last_layer", "lowest_hand")
    double_blank_pips: int = whole(0)
    target: int = whole(101, least=1)
    rounds: int | None = whole_or_none(None, least=1)

    @property
    def lowest_wins(self) -> bool:
        """Pips count against a player."""
        return True


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
    """All ends where a tile could be laid legally now; the first tile of a round lies at `left`."""
    laid = {placed.tile for placed in state.layout}
    if state.phase is not Phase.PLAY or tile not in _course(state.settings).tiles or tile in laid:
        return ()
    both = line.ends(state.layout)
    if both is None:
        return (LineSpot(line.LEFT),)
    return tuple(LineSpot(end) for end, opened in zip(line.ENDS, both, strict=True) if opened in tile.values)


def placements(state: State, tiles: Collection[Tile]) -> tuple[Placement, ...]:
    """All that `places` lists for some tiles; a domino earns nothing where it lies."""
    reason = Reason.OK_PLACE if state.layout else Reason.OK_OPENING
    return tuple(Placement(tile, spot, reason, 0) for tile in dict.fromkeys(tiles) for spot in places(state, tile))


@lru_cache(maxsize=512)
def _bearing(numbers: tuple[int, ...], highest: int) -> frozenset[Tile]:
    """All tiles of a set up to this number that bear one of these."""
    return frozenset(Tile((number, other)) for number in numbers for other in range(highest + 1))


def is_dead(state: State) -> bool:
    """True when tiles lie and none of those left can join them."""
    return state.phase is Phase.PLAY and line.is_dead(state.layout, state.settings.max_number)


def _lay(state: State, move: Place) -> Laid:
    spot, tile = move.spot, move.tile
    if not isinstance(spot, LineSpot) or spot.end not in line.ENDS or len(tile.values) != 2:
        return Laid(Reason.NOT_CONNECTED)
    both = line.ends(state.layout)
    if spot.inner is not None and spot.inner not in tile.values:
        return Laid(Reason.END_MISMATCH)
    if both is None:
        return Laid(Reason.OK_PLACE if state.layout else Reason.OK_OPENING)
    opened = both[line.ENDS.index(spot.end)]
    return Laid(Reason.OK_PLACE if line.inner_half(tile, spot, opened) == opened else Reason.END_MISMATCH)


def _rank(tile: Tile) -> tuple[int, ...]:
    """0-0, then the doubles from the highest down, then the higher sum, then the higher half."""
    return (2 if tile == ZERO else int(tile.is_uniform), tile.total, *sorted(tile.values, reverse=True))


def _is_blocked(state: State) -> bool:
    settings: Settings = state.settings
    return (settings.fish_with_stock or state.stock <= settings.stock_floor) and line.is_dead(
        state.layout, settings.max_number
    )


def _score(state: State) -> tuple[int | None, tuple[Award, ...]]:
    """Everybody writes his pips but the one who went out or won the fish."""
    blank: int = state.settings.double_blank_pips
    pips = [sum(blank if tile == ZERO else tile.total for tile in hand or ()) for hand in state.shown]
    winner = _fish_winner(state, pips) if state.out is None else state.out
    return winner, tuple(Award(seat, "hand", points) for seat, points in enumerate(pips) if seat != winner)


def _fish_winner(state: State, pips: list[int]) -> int | None:
    """Whoever laid the last tile; where the lowest hand wins, nobody of equals."""
    if state.settings.fish_winner == "last_layer":
        return state.layout[-1].seat
    return pips.index(min(pips)) if pips.count(min(pips)) == 1 else None


def _ranking(state: State, _: int | None) -> tuple[tuple[int, ...], ...]:
    """Seats by points, fewest first, once somebody has reached the target; equal scores share a place."""
    scores = state.scores
    settings: Settings = state.settings
    if (max(scores) < settings.target) if settings.rounds is None else (state.round < settings.rounds):
        return ()
    return tuple(tuple(seat for seat, score in enumerate(scores) if score == points) for points in sorted(set(scores)))


def tile_set(settings: Settings) -> frozenset[Tile]:
    """The tiles that are played with."""
    return _course(settings).tiles


# --- the sheet ----------------------------------------------------------------------------------------

CLAUSES: Mapping[str, tuple[Reason, ...]] = MappingProxyType(
    {
        "3.1": (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED, Reason.NO_SUCH_SEAT),
        "3.2": (Reason.OK_BEGIN, Reason.OK_CLEAR, Reason.WRONG_DEAL, Reason.WRONG_DEAL_PROVEN),
        "3.3": (
            *(Reason.OK_OPENING, Reason.OK_ANNOUNCE, Reason.WRONG_OPENER, Reason.WRONG_OPENER_PROVEN),
            Reason.WRONG_OPENING_TILE,
        ),
        "3.4": (Reason.OK_PLACE, Reason.OUT_OF_TURN, Reason.NOT_NOW, Reason.NOT_CONNECTED, Reason.END_MISMATCH),
        "3.6": (
            *(Reason.OK_DRAW, Reason.STOCK_EMPTY, Reason.DRAW_WHILE_ABLE),
            *(Reason.FALSE_DRAW_PROVEN, Reason.PASS_WITH_STOCK, Reason.OK_DRAW_TOTAL, Reason.DRAW_TOTAL_WRONG),
        ),
        "3.7": (Reason.OK_PASS, Reason.PASS_WHILE_ABLE, Reason.FALSE_PASS_PROVEN),
        "3.8": (Reason.FISH, Reason.NOT_BLOCKED, Reason.BLOCK_WITH_STOCK, Reason.OK_BLOCK_CALLED),
        "3.10": (Reason.OK_SHOW_HAND,),
        "3.12": (Reason.HAND_COUNT_WRONG, Reason.NOT_IN_HAND, Reason.OK_RECOUNT, Reason.OK_COUNT_STOCK),
        "7.2": (
            *(Reason.OK_OVERRULED, Reason.OK_EXPOSE, Reason.OK_ADJUST, Reason.OK_TURN, Reason.OK_REDEAL),
            *(Reason.MUST_PLAY_EXPOSED, Reason.DRAWN_TILE_STAYS, Reason.TILE_COUNT_WRONG, Reason.DRAW_NOT_BOOKED),
            *(Reason.OK_STOCK_EXPOSED, Reason.NOT_IN_STOCK, Reason.OK_WRONG_DEAL),
        ),
    }
)


CLAUSES_BY_REASON = MappingProxyType({reason: clause for clause, reasons in CLAUSES.items() for reason in reasons})


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    s = settings
    dealt = ", ".join(f"{tiles} with {count}" for count, tiles in houserules.deals(s).items())
    opens = "The holder of 0-0 opens with it; where nobody has it the highest double, then the highest sum."
    opens = opens if s.opening == "rule" else "The first seat opens with any tile."
    later = "with any tile of the winner of the last one; where nobody won it, like the first"
    later = "like the first" if s.next_opener == "rule" else later
    makers = {"last_layer": "Whoever laid the last tile", "lowest_hand": "The lowest hand, of equals nobody,"}
    floor = f" The last {s.stock_floor} tiles of the stock are not drawn." if s.stock_floor else ""
    empty = f"at most {s.stock_floor} tiles in the stock" if s.stock_floor else "an empty stock"
    lines = {
        "3.1": f"{len(_course(s).tiles)} tiles, numbers 0 to {s.max_number}; {houserules.players(s)}, each alone.",
        "3.2": f"Tiles dealt to each: {dealt} players. The rest is the stock.",
        "3.3": f"{opens} Later rounds open {later}.",
        "3.4": "Clockwise, one tile a turn, at the left or right end, equal halves touching.",
        "3.5": "Where a tile fits both ends, its player chooses.",
        "3.6": "Whoever has no fitting tile draws one by one, free of charge, until one fits, and lays it." + floor,
        "3.7": f"With {empty} whoever cannot play passes. "
        f"A seat that could play may {'pass as well' if s.voluntary_pass else 'not pass'}.",
        "3.8": f"Fish: all {s.max_number + 1} tiles of each open number lie on the table"
        + ("" if s.fish_with_stock else f", with {empty}")
        + ", or all seats in a row have passed.",
        "3.9": f"{makers[s.fish_winner]} has made the fish.",
        "3.10": "Whoever goes out or has the fish writes 0, every other player the pips left in hand; "
        f"0-0 counts {s.double_blank_pips}.",
        "3.11": (
            f"The match ends when somebody has {s.target}"
            if s.rounds is None
            else f"The match is over after {s.rounds} rounds, no target ends it"
        )
        + "; the fewest points win, equal points share a place.",
        "3.12": "How many tiles a hand holds is public, the faces are not.",
        "7.1": "A pass or draw that claimed what tiles shown later disprove is reported as soon as it is proven.",
        "7.2": " ".join(remedies.sentences(s, _matter(s))),
        "7.3": "Undo, overruling and correction are written down like moves; what follows is judged anew.",
    }
    return tuple(lines.items())


def _matter(s: Settings) -> remedies.Matter:
    return remedies.Matter(
        passing_claims=not s.voluntary_pass,
        drawing_claims=True,
        opens_by_rule=s.opening == "rule",
        opening_bonus=False,
        tile_points=False,
        draw_cost=False,
    )


def vary(settings: Settings, options: dict[str, str]) -> Settings:
    """Settings with house rules changed.

    Raises:
        HouseRuleError: for a house rule that does not exist or a value that it cannot have, also beside the others.
    """
    changed = houserules.vary(settings, options)
    houserules.check_hands(changed, len(_course(changed).tiles))
    return changed


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    return Course(
        tiles=frozenset(domino_set(settings.max_number)),
        dealt=MappingProxyType(dict(settings.hands)),
        remedies=settings,
        penalty_sign=1,
        rank=_rank,
        choices=(),
        unshown=0,
        opens_by_rule=settings.opening == "rule",
        winner_opens=settings.next_opener == "winner",
        uniform_only=False,
        fitting=lambda layout: _bearing(line.ends(layout) or (), settings.max_number),
        lay=_lay,
        worth=lambda _: (),
        draw_cost=0,
        draw_limit=None,
        drawing_claims=True,
        may_decline=False,
        passing_claims=not settings.voluntary_pass,
        private_stock=False,
        stock_floor=settings.stock_floor,
        pass_cost=lambda _: 0,
        is_blocked=_is_blocked,
        score=_score,
        ranking=_ranking,
        ends_at_once=False,
        clause=lambda _, reason: CLAUSES_BY_REASON[reason],
    )


def _preset(preset: str, settings: Settings) -> Game:
    low, high = settings.players
    tiles = tuple(sorted(_course(settings).tiles))
    about = (start, rule, places, vary, sheet, _rank, tile_set, placements, is_dead)
    return Game(preset, DOMINO, tiles, settings, low, high, *about, offers=remedies_for)


GAMES = (_preset("fr-domino", Settings()),)
