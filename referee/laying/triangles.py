"""The printed rules of triangle games as values: everything in which they differ is a setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from referee.houserules import choice, flag, points, span, table, whole, whole_numbers, whole_or_none
from referee.remedies import Remedies


@dataclass(frozen=True, slots=True)
class Settings(Remedies):
    """The numbers of one printed rule.

    Attributes:
        book: the chapter of the rule specification whose paragraphs the sheet goes by; no house rule.
        mode: which of the two rule sets of the first book this is, empty for all others; no field of its own
            among the house rules, since it changes all of them.
        players, hands: how many may play; tiles dealt to each, by number of players.
        max_number, ascending, mirrored: the set: numbers from 0 up to this; they rise clockwise (else the
            other way); whether the mirror images are played with as well.
        opening: `rule`, or `any` for any first tile without bonus.
        next_opener: who opens later rounds: the same rule, or the winner of the last round with any tile.
        open_triple, open_zero_total: bonus of an opening triple; what opening with 0-0-0 earns in all.
        zero_choice: whether the right opener may lay 0-0-0 instead of his highest triple.
        zero_must_show: whether he then has to show that triple.
        no_triple: what happens when nobody holds a triple.
        open_tiebreak: which of several tiles with the highest sum opens.
        draw_cost, draw_limit, draw_while_able: of one tile; in one turn; whether one may though able.
        draw_then_decline: whether a seat that has drawn may end its turn although a tile fits.
        private_stock: whether the stock is split, each seat drawing from its own part.
        stock_floor: how many tiles of the stock, or of each part of it, are never drawn.
        empty_stock, limit_extra: cost of being unable with an empty stock; after the last allowed draw.
        voluntary_pass: whether a seat may pass although a tile fits, where passing is possible at all.
        hexagon: bonus for one, two and three hexagons closed by one tile.
        bridge, two_side, three_side: bonus of the other special places.
        two_corner, three_corner: points for touching corners only, None where that is not allowed.
        corner_move_is_move: whether a seat that can play by corners only counts as able.
        out_bonus, out_takes_others, others_lose_own: what going out earns, and costs the others.
        blocked, blocked_tie, blocked_points: who wins a blocked round, also of equals, and what he gets.
        target, end: the score to reach, and whether the round is played out.
        rounds: how many rounds are played instead of up to a target, None for a target.
        past_target: who wins of several at the target.
    """

    book: str = "2.1"
    mode: str = ""
    players: tuple[int, int] = span((1, 6))
    hands: tuple[tuple[int, int], ...] = table(((1, 9), (2, 9), (3, 7), (4, 7), (5, 6), (6, 6)))
    max_number: int = whole(5, least=1, most=18)
    ascending: bool = flag(True)
    mirrored: bool = flag(False)
    opening: str = choice("rule", "any")
    next_opener: str = choice("rule", "winner")
    open_triple: int = whole(10)
    open_zero_total: int = whole(40)
    zero_choice: bool = flag(True)
    zero_must_show: bool = flag(False)
    no_triple: str = choice("best_sum", "draw_until_triple")
    open_tiebreak: str = choice("larger_numbers", "any")
    draw_cost: int = whole(5)
    draw_limit: int | None = whole_or_none(None)
    draw_while_able: bool = flag(False)
    draw_then_decline: bool = flag(False)
    private_stock: bool = flag(False)
    stock_floor: int = whole(0)
    empty_stock: int = whole(10)
    limit_extra: int = whole(0)
    voluntary_pass: bool = flag(False)
    hexagon: tuple[int, ...] = whole_numbers((50, 100, 150))
    bridge: int = whole(40)
    two_side: int = whole(40)
    three_side: int = whole(40)
    two_corner: int | None = points(None)
    three_corner: int | None = points(None)
    corner_move_is_move: bool = flag(True)
    out_bonus: int = whole(25)
    out_takes_others: bool = flag(True)
    others_lose_own: bool = flag(False)
    blocked: str = choice("fewest_tiles", "lowest_value", "none")
    blocked_tie: str = choice("lower_value", "nobody")
    blocked_points: str = choice("others_minus_own", "pairwise", "each_loses_own", "none")
    target: int = whole(400, least=1)
    end: str = choice("round", "at_once")
    rounds: int | None = whole_or_none(None, least=1)
    past_target: str = choice("round_winner", "highest")

    @property
    def lowest_wins(self) -> bool:
        """The highest score wins."""
        return False

    @property
    def modes(self) -> Mapping[str, Settings]:
        """The rule sets that the house rule `mode` chooses from."""
        return MODES if self.mode else {}


MANUFACTURER = Settings(mode="manufacturer")
CLUB = replace(
    MANUFACTURER,
    mode="club",
    open_zero_total=30,
    draw_while_able=True,
    two_corner=-5,
    three_corner=30,
    out_takes_others=False,
    others_lose_own=True,
    target=200,
)
# The two rule sets of the first book, as the house rule `mode` names them.
MODES: Mapping[str, Settings] = MappingProxyType({"manufacturer": MANUFACTURER, "club": CLUB})
CZECH = Settings(
    book="2.2",
    players=(2, 6),
    open_triple=0,
    open_zero_total=30,
    zero_choice=False,
    no_triple="draw_until_triple",
    empty_stock=0,
    two_side=0,
    three_side=0,
    out_bonus=0,
    out_takes_others=False,
    blocked="none",
    end="at_once",
)
BRITISH = Settings(
    book="2.3", players=(2, 6), zero_must_show=True, hexagon=(60, 60, 60), three_side=60, blocked="lowest_value"
)
PRESSMAN = replace(MANUFACTURER, mode="", book="2.4", players=(2, 4), zero_must_show=True)
GOLIATH = replace(
    MANUFACTURER,
    mode="",
    book="2.4",
    players=(1, 4),
    hands=((1, 9), (2, 9), (3, 7), (4, 7)),
    draw_limit=3,
    limit_extra=10,
    draw_while_able=True,
    empty_stock=0,
    hexagon=(50, 60, 70),
    blocked="lowest_value",
    past_target="highest",
)
PRESETS = MappingProxyType(
    {
        "ro-trimino/manufacturer": MANUFACTURER,
        "ro-trimino/club": CLUB,
        "cs-triomino": CZECH,
        "uk-tridomino": BRITISH,
        "official-pressman": PRESSMAN,
        "official-goliath": GOLIATH,
    }
)
