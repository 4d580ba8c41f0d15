"""All Fives: dominoes whose open ends are counted after each tile; a multiple of five scores at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from referee.houserules import choice, flag, span, table, whole, whole_or_none
from referee.laying import dominoes, dominosheet, line
from referee.laying.course import Course, Laid
from referee.moves import LineSpot, Place
from referee.remedies import Remedies
from referee.rulings import Award
from referee.state import Phase, Placed, State

FIVE = 5


@dataclass(frozen=True, slots=True)
class Settings(Remedies):
    """The numbers of the rule.

    Attributes:
        players, hands: how many may play; tiles dealt to each, by number of players.
        max_number: the set: numbers from 0 up to this.
        opening: `rule`, or `any` for any first tile.
        next_opener: who opens later rounds: the same rule, or the winner of the last round with any tile.
        spinner: whether side arms may grow from the first double, once both its long sides are covered.
        muggins: whether a count that scores goes to whoever names it, instead of to who has laid the tile.
        stock_floor: how many tiles of the stock are never drawn.
        voluntary_pass: whether a seat may pass although a tile fits, once nothing may be drawn any more.
        blocked_points: what the lowest hand gains of a blocked round.
        rounding: how the pips that the winner of a round gains are rounded to five.
        target: the score that ends the match.
        end: whether it ends when the round is over, or at once.
        rounds: how many rounds are played instead of up to a target, None for a target.
    """

    players: tuple[int, int] = span((2, 4))
    hands: tuple[tuple[int, int], ...] = table(((2, 7), (3, 5), (4, 5)))
    max_number: int = whole(6, least=1, most=18)
    opening: str = choice("rule", "any")
    next_opener: str = choice("rule", "winner")
    spinner: bool = flag(True)
    muggins: bool = flag(False)
    stock_floor: int = whole(0)
    voluntary_pass: bool = flag(False)
    blocked_points: str = choice("others_minus_own", "differences")
    rounding: str = choice("nearest", "down", "up", "none")
    target: int = whole(100, least=1)
    end: str = choice("round", "at_once")
    rounds: int | None = whole_or_none(None, least=1)

    @property
    def lowest_wins(self) -> bool:
        """Points are good."""
        return False


def _spins(state: State, move: Place) -> bool:
    """Whether this double is the first of the line."""
    is_in_line = isinstance(move.spot, LineSpot) and move.spot.end in line.ENDS
    return state.settings.spinner and is_in_line and move.tile.is_uniform and line.spinner(state.layout) is None


def _lay(state: State, move: Place) -> Laid:
    reason = dominoes.joined(state, move)
    if not reason.is_legal:
        return Laid(reason)
    settings: Settings = state.settings
    count = line.count((*state.layout, Placed(move.tile, move.spot, move.seat, spins=_spins(state, move))))
    if not count or count % FIVE:
        return Laid(reason)
    return Laid(reason, unclaimed=count) if settings.muggins else Laid(reason, (("ends", count),))


def counts(state: State) -> int | None:
    """What the open ends count, unless that is for the players to say."""
    return None if state.settings.muggins or state.phase is not Phase.PLAY else line.count(state.layout)


def _score(state: State) -> tuple[int | None, tuple[Award, ...]]:
    """What the winner of a round gains, rounded to five."""
    settings: Settings = state.settings
    winner, awards = dominoes.score(state, settings.blocked_points)
    if winner is None:
        return None, ()
    gained = sum(award.points for award in awards)
    more = {"nearest": FIVE // 2, "down": 0, "up": FIVE - 1}.get(settings.rounding)
    rounded = gained if more is None else (gained + more) // FIVE * FIVE
    return winner, (*awards, Award(winner, "rounding", rounded - gained))


# --- the sheet ----------------------------------------------------------------------------------------

PARAGRAPHS = MappingProxyType(
    {
        **{"set": "8.3.1", "deal": "8.3.2", "opening": "8.3.3", "line": "8.3.4", "spinner": "8.3.5", "ends": "8.3.6"},
        **{"draw": "8.3.7", "pass": "8.3.8", "blocked": "8.3.9", "score": "8.3.10", "counts": "8.3.13"},
    }
)
ROUNDING = "8.3.11"
CLAUSES = dominosheet.clauses(PARAGRAPHS)
PAYS = MappingProxyType({"ends": PARAGRAPHS["ends"], "rounding": ROUNDING})


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    s = settings
    spinner = (
        "The first double is the spinner: once both its long sides are covered, tiles may join its short ends too."
    )
    scores = "scores at once"
    if s.muggins:
        scores = "goes to whoever names it first, before the next player acts"
    rounding = {
        "nearest": "These gains are rounded to the nearest multiple of five.",
        "down": "These gains are rounded down to a multiple of five.",
        "up": "These gains are rounded up to a multiple of five.",
    }
    lines = {
        "8.3.1": dominosheet.tiles(len(_course(s).tiles), s),
        "8.3.2": dominosheet.deal(s),
        "8.3.3": dominosheet.opening(s.opening, s.next_opener, dominosheet.HIGHEST_DOUBLE),
        "8.3.4": dominosheet.LINE,
        "8.3.5": spinner if s.spinner else "No double is a spinner: the line has two ends.",
        "8.3.6": "After each tile the open ends are added up, a double at an end with both its halves, an arm once it "
        f"has a tile; a multiple of five {scores}.",
        "8.3.7": dominosheet.drawing(s.stock_floor),
        "8.3.8": dominosheet.passing(s.stock_floor, s.voluntary_pass),
        "8.3.9": dominosheet.blocking(s.max_number),
        "8.3.10": dominosheet.gains(s.blocked_points),
        ROUNDING: rounding.get(s.rounding, "These gains are not rounded."),
        "8.3.12": dominosheet.ending(s.target, s.rounds, s.end),
        "8.3.13": dominosheet.PUBLIC,
        **dominosheet.common(s),
    }
    return tuple(lines.items())


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    return dominoes.course(
        settings,
        CLAUSES,
        _score,
        lambda state, _: dominoes.ranking(state, settings.target, settings.rounds),
        lay=_lay,
        spins=_spins,
        ends_at_once=settings.end == "at_once" and settings.rounds is None,
        claims_points=settings.muggins,
        pays=PAYS,
    )


GAMES = (dominoes.preset("all-fives", Settings(), _course, sheet, counts),)
