"""Block: dominoes in one line without drawing; whoever goes out, or has the lowest hand, gains the others' pips."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from referee.houserules import choice, flag, span, table, whole, whole_or_none
from referee.laying import dominoes, dominosheet
from referee.laying.course import Course
from referee.remedies import Remedies


@dataclass(frozen=True, slots=True)
class Settings(Remedies):
    """The numbers of the rule.

    Attributes:
        players, hands: how many may play; tiles dealt to each, by number of players.
        max_number: the set: numbers from 0 up to this.
        opening: `rule`, or `any` for any first tile.
        next_opener: who opens later rounds: the same rule, or the winner of the last round with any tile.
        drawing: whether whoever cannot play draws, which is the game of Draw.
        stock_floor: how many tiles of the stock are never drawn.
        voluntary_pass: whether a seat may pass although a tile fits, once nothing may be drawn any more.
        blocked_points: what the lowest hand gains of a blocked round.
        target: the score that ends the match.
        rounds: how many rounds are played instead of up to a target, None for a target.
    """

    players: tuple[int, int] = span((2, 4))
    hands: tuple[tuple[int, int], ...] = table(((2, 7), (3, 5), (4, 5)))
    max_number: int = whole(6, least=1, most=18)
    opening: str = choice("rule", "any")
    next_opener: str = choice("rule", "winner")
    drawing: bool = flag(False)
    stock_floor: int = whole(0)
    voluntary_pass: bool = flag(False)
    blocked_points: str = choice("others_minus_own", "differences")
    target: int = whole(100, least=1)
    rounds: int | None = whole_or_none(None, least=1)

    @property
    def lowest_wins(self) -> bool:
        """Points are good."""
        return False


PARAGRAPHS = MappingProxyType(
    {
        **{"set": "8.2.1", "deal": "8.2.2", "opening": "8.2.3", "line": "8.2.4", "draw": "8.2.5", "pass": "8.2.6"},
        **{"blocked": "8.2.7", "score": "8.2.8", "counts": "8.2.10"},
    }
)
CLAUSES = dominosheet.clauses(PARAGRAPHS)


def sheet(settings: Settings) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings."""
    s = settings
    lines = {
        "8.2.1": dominosheet.tiles(len(_course(s).tiles), s),
        "8.2.2": dominosheet.deal(s),
        "8.2.3": dominosheet.opening(s.opening, s.next_opener, dominosheet.HIGHEST_DOUBLE),
        "8.2.4": dominosheet.LINE,
        "8.2.5": dominosheet.drawing(s.stock_floor) if s.drawing else dominosheet.NO_DRAWING,
        "8.2.6": dominosheet.passing(s.stock_floor, s.voluntary_pass, s.drawing),
        "8.2.7": dominosheet.blocking(s.max_number),
        "8.2.8": dominosheet.gains(s.blocked_points),
        "8.2.9": dominosheet.ending(s.target, s.rounds),
        "8.2.10": dominosheet.PUBLIC,
        **dominosheet.common(s),
    }
    return tuple(lines.items())


@lru_cache(maxsize=32)
def _course(settings: Settings) -> Course:
    return dominoes.course(
        settings,
        CLAUSES,
        lambda state: dominoes.score(state, settings.blocked_points),
        lambda state, _: dominoes.ranking(state, settings.target, settings.rounds),
        draw_limit=None if settings.drawing else 0,
    )


GAMES = (dominoes.preset("block", Settings(), _course, sheet),)
