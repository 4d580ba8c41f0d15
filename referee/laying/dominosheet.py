"""The rule sheets of games in which dominoes are laid in a line: what their paragraphs say, and what stands in which.

A game numbers the paragraphs as the rules it is taken from do, and leaves out those that it has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from referee import houserules, remedies
from referee.rulings import Reason

REMEDIES, PROOF, CHANGES = "7.2", "7.1", "7.3"

HIGHEST_DOUBLE = "The holder of the highest double opens with it; where nobody has a double, the highest sum."
LINE = (
    "Clockwise, one tile a turn, at the left or right end, equal halves touching. Where a tile fits both ends, its "
    "player chooses."
)
NO_DRAWING = "Nobody draws: the stock stays where it is."
PUBLIC = "How many tiles a hand holds is public, the faces are not."

_PARAGRAPHS: Mapping[str, tuple[Reason, ...]] = MappingProxyType(
    {
        "set": (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED, Reason.NO_SUCH_SEAT),
        "deal": (Reason.OK_BEGIN, Reason.OK_CLEAR, Reason.WRONG_DEAL, Reason.WRONG_DEAL_PROVEN),
        "opening": (
            *(Reason.OK_OPENING, Reason.OK_ANNOUNCE, Reason.WRONG_OPENER, Reason.WRONG_OPENER_PROVEN),
            Reason.WRONG_OPENING_TILE,
        ),
        "line": (Reason.OK_PLACE, Reason.OUT_OF_TURN, Reason.NOT_NOW, Reason.NOT_CONNECTED, Reason.END_MISMATCH),
        "spinner": (Reason.ARM_CLOSED,),
        "ends": (Reason.OK_CLAIM, Reason.NOTHING_TO_CLAIM),
        "draw": (
            *(Reason.OK_DRAW, Reason.STOCK_EMPTY, Reason.DRAW_WHILE_ABLE, Reason.DRAW_LIMIT),
            *(Reason.FALSE_DRAW_PROVEN, Reason.PASS_WITH_STOCK, Reason.OK_DRAW_TOTAL, Reason.DRAW_TOTAL_WRONG),
        ),
        "pass": (Reason.OK_PASS, Reason.PASS_WHILE_ABLE, Reason.FALSE_PASS_PROVEN),
        "blocked": (Reason.FISH, Reason.NOT_BLOCKED, Reason.BLOCK_WITH_STOCK, Reason.OK_BLOCK_CALLED),
        "score": (Reason.OK_SHOW_HAND,),
        "counts": (Reason.HAND_COUNT_WRONG, Reason.NOT_IN_HAND, Reason.OK_RECOUNT, Reason.OK_COUNT_STOCK),
        REMEDIES: (
            *(Reason.OK_OVERRULED, Reason.OK_EXPOSE, Reason.OK_ADJUST, Reason.OK_TURN, Reason.OK_REDEAL),
            *(Reason.MUST_PLAY_EXPOSED, Reason.DRAWN_TILE_STAYS, Reason.TILE_COUNT_WRONG, Reason.DRAW_NOT_BOOKED),
            *(Reason.OK_STOCK_EXPOSED, Reason.NOT_IN_STOCK, Reason.OK_WRONG_DEAL),
        ),
    }
)


def clauses(numbers: Mapping[str, str]) -> Mapping[Reason, str]:
    """The paragraph of a rule sheet behind each reason.

    Args:
        numbers: the number of each paragraph of a game, by what it is about.
    """
    every = {REMEDIES: REMEDIES, **numbers}
    return MappingProxyType(
        {reason: every[what] for what, reasons in _PARAGRAPHS.items() if what in every for reason in reasons}
    )


def common(rules: Any) -> dict[str, str]:
    """The last paragraphs, which all these games have in common but for the numbers."""
    matter = remedies.Matter(
        passing_claims=not rules.voluntary_pass,
        drawing_claims=getattr(rules, "drawing", True),
        opens_by_rule=rules.opening == "rule",
        opening_bonus=False,
        tile_points=False,
        draw_cost=False,
    )
    return {
        PROOF: "A pass or draw that claimed what tiles shown later disprove is reported as soon as it is proven.",
        REMEDIES: " ".join(remedies.sentences(rules, matter)),
        CHANGES: "Undo, overruling and correction are written down like moves; what follows is judged anew.",
    }


def tiles(count: int, settings: Any) -> str:
    """How many tiles there are, and who plays."""
    return f"{count} tiles, numbers 0 to {settings.max_number}; {houserules.players(settings)}, each alone."


def deal(settings: Any) -> str:
    """What everybody is dealt."""
    dealt = ", ".join(f"{tiles} with {count}" for count, tiles in houserules.deals(settings).items())
    return f"Tiles dealt to each: {dealt} players. The rest is the stock."


def opening(rule: str, next_opener: str, best: str) -> str:
    """Who opens a round.

    Args:
        best: who opens where the rule says so.
    """
    first = best if rule == "rule" else "The first seat opens with any tile."
    later = "with any tile of the winner of the last one; where nobody won it, like the first"
    return f"{first} Later rounds open {'like the first' if next_opener == 'rule' else later}."


def empty(stock_floor: int) -> str:
    """What counts as an empty stock."""
    return f"at most {stock_floor} tiles in the stock" if stock_floor else "an empty stock"


def drawing(stock_floor: int) -> str:
    """What whoever has no fitting tile draws."""
    floor = f" The last {stock_floor} tiles of the stock are not drawn." if stock_floor else ""
    return f"Whoever has no fitting tile draws one by one, free of charge, until one fits, and lays it.{floor}"


def passing(stock_floor: int, voluntary_pass: bool, draws: bool = True) -> str:
    """Who passes."""
    who = f"With {empty(stock_floor)} whoever cannot play passes." if draws else "Whoever has no fitting tile passes."
    return f"{who} A seat that could play may {'pass as well' if voluntary_pass else 'not pass'}."


def blocking(max_number: int) -> str:
    """When nobody can play any more."""
    return (
        f"It is blocked when all {max_number + 1} tiles of each open number lie on the table, or all seats in a row "
        "have passed."
    )


def gains(blocked_points: str) -> str:
    """What the winner of a round gains."""
    what = "its difference with each other hand"
    what = "the pips of the others less its own" if blocked_points == "others_minus_own" else what
    return (
        "Whoever goes out gains the pips left in the other hands. Of a blocked round the lowest hand, of equals "
        f"nobody, gains {what}."
    )


def ending(target: int, rounds: int | None, end: str = "round") -> str:
    """When the match is over, where the highest score wins."""
    if rounds is not None:
        return f"The match is over after {rounds} rounds, the highest score wins; no target ends it."
    when = "at once" if end == "at_once" else "when the round is over"
    return f"The match ends at {target}, {when}. Then the highest score wins; equals at the top play one more round."
