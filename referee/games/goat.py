"""The goat: dominoes in one line, each player alone; whoever first gathers the target in pips has lost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from referee.houserules import choice, flag, span, table, whole, whole_or_none
from referee.laying import dominoes, dominosheet
from referee.laying.course import Course
from referee.remedies import Remedies
from referee.rulings import Award
from referee.state import State
from referee.tiles import Tile

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


def _rank(tile: Tile) -> tuple[int, ...]:
    """0-0, then the doubles from the highest down, then the higher sum, then the higher half."""
    return (2 if tile == ZERO else int(tile.is_uniform), tile.total, *sorted(tile.values, reverse=True))


def _is_blocked(state: State) -> bool:
    settings: Settings = state.settings
    return (settings.fish_with_stock or state.stock <= settings.stock_floor) and dominoes.is_dead(state)


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


# --- the sheet ----------------------------------------------------------------------------------------

PARAGRAPHS = MappingProxyType(
    {
        **{"set": "3.1", "deal": "3.2", "opening": "3.3", "line": "3.4", "draw": "3.6", "pass": "3.7"},
        **{"blocked": "3.8", "score": "3.10", "counts": "3.12"},
    }
)
CLAUSES = dominosheet.clauses(PARAGRAPHS)


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    s = settings
    best = "The holder of 0-0 opens with it; where nobody has it the highest double, then the highest sum."
    makers = {"last_layer": "Whoever laid the last tile", "lowest_hand": "The lowest hand, of equals nobody,"}
    empty = dominosheet.empty(s.stock_floor)
    lines = {
        "3.1": dominosheet.tiles(len(_course(s).tiles), s),
        "3.2": dominosheet.deal(s),
        "3.3": dominosheet.opening(s.opening, s.next_opener, best),
        "3.4": "Clockwise, one tile a turn, at the left or right end, equal halves touching.",
        "3.5": "Where a tile fits both ends, its player chooses.",
        "3.6": dominosheet.drawing(s.stock_floor),
        "3.7": dominosheet.passing(s.stock_floor, s.voluntary_pass),
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
        "3.12": dominosheet.PUBLIC,
        **dominosheet.common(s),
    }
    return tuple(lines.items())


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    return dominoes.course(
        settings,
        CLAUSES,
        _score,
        _ranking,
        penalty_sign=1,  # points count against a player
        rank=_rank,
        is_blocked=_is_blocked,
    )


GAMES = (dominoes.preset("fr-domino", Settings(), _course, sheet),)
