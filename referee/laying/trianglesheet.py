"""The rule sheet of a triangle game: what its settings say in words, under the paragraphs of its book."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from referee import houserules, remedies
from referee.laying.triangles import Settings
from referee.rulings import Reason

_TOPICS = (
    *("set", "players", "hands", "opener", "zero", "no_triple", "turn", "placing", "corners", "sum", "hexagon"),
    *("several", "bridge", "two_side", "three_side", "draw", "may_draw", "unable", "out", "blocked", "gain"),
    *("rounds", "counts", "target", "end", "past_target", "stock"),
)


def _book(chapter: str, paragraphs: str) -> Mapping[str, str]:
    """The paragraph of each topic, in the order of the topics; a bare number is one of the chapter's."""
    numbers = (f"{chapter}.{each}" if each.isdigit() else each for each in paragraphs.split())
    return MappingProxyType(dict(zip(_TOPICS, numbers, strict=True)))


# The fourth book is a table, counted in rows.
BOOKS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "2.1": _book("2.1", "1 2 3 4 5 6 7 8 9 10 10 10 10 10 10 12 13 14 15 16 16 17 18 19 19 19 20"),
        "2.2": _book("2.2", "1 1 2 3 3 4 5 5 5 6 6 6 6 6 6 7 7 7 8 8 8 8 10 9 9 9 A38"),
        "2.3": _book("2.3", "1 1 3 4 5 6 7 7 7 7 10 10 11 11 10 8 8 9 12 13 13 1 2 14 14 14 A38"),
        "2.4": _book("2.4", "1.G2 1 2 3 5 6 A67 1.G4 15 1.G5 10 11 12 13 14 7 8 9 16 17 18 A36 2.1.18 19 20 21 A38"),
    }
)
REMEDIES = "7.2"
PROOF = "7.1"
CHANGES = "7.3"

TOPICS: Mapping[str, tuple[Reason, ...]] = MappingProxyType(
    {
        "set": (Reason.NO_SUCH_TILE, Reason.TILE_ALREADY_PLAYED),
        "players": (Reason.NO_SUCH_SEAT,),
        "hands": (Reason.OK_BEGIN, Reason.OK_CLEAR, Reason.WRONG_DEAL, Reason.WRONG_DEAL_PROVEN),
        "opener": (
            *(Reason.OK_OPENING, Reason.OK_ANNOUNCE, Reason.WRONG_OPENER),
            *(Reason.WRONG_OPENER_PROVEN, Reason.WRONG_OPENING_TILE),
        ),
        "zero": (Reason.TRIPLE_NOT_SHOWN,),
        "no_triple": (Reason.NEEDS_TRIPLE, Reason.LAP_NOT_OVER),
        "turn": (Reason.OUT_OF_TURN, Reason.NOT_NOW),
        "placing": (Reason.NOT_CONNECTED, Reason.CELL_OCCUPIED, Reason.EDGE_MISMATCH, Reason.CORNER_MISMATCH),
        "corners": (
            *(Reason.ONE_CORNER_ONLY, Reason.CORNER_CONTACT_NOT_ALLOWED),
            *(Reason.OK_TWO_CORNER, Reason.OK_THREE_CORNER),
        ),
        "sum": (Reason.OK_EDGE,),
        "hexagon": (Reason.OK_HEXAGON,),
        "several": (Reason.OK_MULTI_HEXAGON,),
        "bridge": (Reason.OK_BRIDGE,),
        "two_side": (Reason.OK_TWO_SIDED,),
        "three_side": (Reason.OK_THREE_SIDED,),
        "draw": (Reason.OK_DRAW, Reason.STOCK_EMPTY, Reason.DRAW_LIMIT, Reason.OK_DRAW_TOTAL, Reason.DRAW_TOTAL_WRONG),
        "may_draw": (Reason.DRAW_WHILE_ABLE, Reason.FALSE_DRAW_PROVEN),
        "unable": (Reason.OK_PASS, Reason.PASS_WITH_STOCK, Reason.PASS_WHILE_ABLE, Reason.FALSE_PASS_PROVEN),
        "out": (Reason.OK_SHOW_HAND,),
        "blocked": (Reason.FISH, Reason.NOT_BLOCKED, Reason.BLOCK_WITH_STOCK, Reason.OK_BLOCK_CALLED),
        "counts": (Reason.HAND_COUNT_WRONG, Reason.NOT_IN_HAND, Reason.OK_RECOUNT, Reason.OK_COUNT_STOCK),
    }
)
IRREGULAR = (
    *(Reason.OK_OVERRULED, Reason.OK_EXPOSE, Reason.OK_ADJUST, Reason.OK_TURN, Reason.OK_REDEAL),
    *(Reason.MUST_PLAY_EXPOSED, Reason.DRAWN_TILE_STAYS, Reason.TILE_COUNT_WRONG, Reason.DRAW_NOT_BOOKED),
    *(Reason.OK_STOCK_EXPOSED, Reason.NOT_IN_STOCK, Reason.OK_WRONG_DEAL),
)


def clauses(settings: Settings) -> Mapping[Reason, str]:
    """The paragraph behind each reason."""
    book = BOOKS[settings.book]
    found = {reason: book[topic] for topic, reasons in TOPICS.items() for reason in reasons}
    return MappingProxyType(found | dict.fromkeys(IRREGULAR, REMEDIES))


def sheet(settings: Settings, tiles: int) -> tuple[tuple[str, str], ...]:
    """The rules in words, with the numbers of the settings; `tiles` is the size of the set."""
    book = BOOKS[settings.book]
    lines: dict[str, str] = {}
    said = {**_opening(settings, tiles), **_playing(settings), **_ending(settings)}
    for topic, sentence in said.items():
        lines[book[topic]] = f"{lines.get(book[topic], '')} {sentence}".strip()
    ordered = dict(sorted(lines.items(), key=lambda line: _order(line[0])))
    ordered[PROOF] = "A pass or draw that claimed what tiles shown later disprove is reported as soon as it is proven."
    ordered[REMEDIES] = " ".join(remedies.sentences(settings, _matter(settings)))
    ordered[CHANGES] = "Undo, overruling and correction are written down like moves; what follows is judged anew."
    return tuple(ordered.items())


def _matter(s: Settings) -> remedies.Matter:
    return remedies.Matter(
        passing_claims=not s.voluntary_pass,
        drawing_claims=not s.draw_while_able and s.draw_limit != 0,
        opens_by_rule=s.opening == "rule",
        opening_bonus=bool(s.open_triple or s.open_zero_total),
        tile_points=True,
        draw_cost=bool(s.draw_cost),
    )


def _order(clause: str) -> tuple[tuple[int, str], ...]:
    """Paragraphs in the order of their numbers; what is not of the book comes after."""
    parts = re.findall(r"\d+|[A-Z]+", clause)
    return tuple((int(part) if part.isdigit() else 1000, part) for part in parts)


def _opening(s: Settings, tiles: int) -> dict[str, str]:
    rising = "rising clockwise" if s.ascending else "rising counter-clockwise"
    mirror = " and their mirror images" if s.mirrored else ""
    dealt = ", ".join(f"{count} with {players}" for players, count in houserules.deals(s).items())
    own = ", split evenly: each seat draws from its own part" if s.private_stock else ", common to all"
    later = (
        "like the first"
        if s.next_opener == "rule"
        else "with any tile of the winner of the last one, without bonus; where nobody won it, like the first"
    )
    lines = {
        "set": f"{tiles} tiles, numbers 0 to {s.max_number}, {rising}{mirror}.",
        "players": f"{houserules.players(s)}, each alone.",
        "hands": f"Tiles dealt to each: {dealt} players. The rest is the stock.",
    }
    if s.opening == "any":
        lines |= {
            "opener": "The first seat opens with any tile, for its sum alone.",
            "zero": "No tile has to open.",
            "no_triple": "A triple is not needed to open.",
        }
    else:
        show = ", and shows that triple before play goes on, or loses what it earned above that" * s.zero_must_show
        best = "of equal sums the larger numbers" if s.open_tiebreak == "larger_numbers" else "any of equal sums"
        lines |= {
            "opener": f"The holder of the highest triple opens with it, for its sum and {s.open_triple} more.",
            "zero": (f"That seat may open with 0-0-0 instead{show}. " if s.zero_choice else "No other tile opens. ")
            + f"Opening with 0-0-0 earns {s.open_zero_total} in all.",
            "no_triple": f"Where nobody has a triple, the highest sum opens without bonus; {best}."
            if s.no_triple == "best_sum"
            else "Where nobody has a triple, all draw one tile in turn, free of charge, until one has; the others draw "
            "theirs of that lap, and the highest triple opens.",
        }
    return lines | {"rounds": f"Later rounds open {later}.", "stock": f"The stock is face down{own}."}


def _playing(s: Settings) -> dict[str, str]:
    corners = [
        f"a tile on {count} corners without a side is allowed and earns {points} besides its sum"
        for count, points in (("two", s.two_corner), ("three", s.three_corner))
        if points is not None
    ]
    if corners:
        able = "counts" if s.corner_move_is_move else "does not count"
        corners.append(f"who can play by corners only {able} as able to play")
    may_pass = "may pass as well" if s.voluntary_pass else "may not pass"
    one, two, three = s.hexagon
    return {
        "turn": "Clockwise, one tile a turn.",
        "placing": "A tile lies against another by a whole side; every corner that touches has the same number.",
        "corners": ("; ".join(corners) or "a tile that touches by corners only is not allowed").capitalize() + ".",
        "sum": "A tile earns the sum of its numbers.",
        "hexagon": f"Closing a hexagon earns {one} more.",
        "several": f"Closing two at once earns {two} more, three {three}.",
        "bridge": f"A bridge, one side and the opposite corner, earns {s.bridge} more.",
        "two_side": f"Two sides without a hexagon earn {s.two_side} more.",
        "three_side": f"Three sides without a hexagon earn {s.three_side} more.",
        **_drawing(s),
        "unable": f"{_unable(s)}. A seat that could play {may_pass}.",
        "counts": "How many tiles a hand and the stock hold is public, the faces are not.",
    }


def _drawing(s: Settings) -> dict[str, str]:
    if s.draw_limit == 0:
        return {"draw": "After the opening nobody draws."}
    limit = "as often as needed" if s.draw_limit is None else f"at most {s.draw_limit} in a turn"
    kept = f"; the last {s.stock_floor} tiles of the stock are not drawn" if s.stock_floor else ""
    may = "may draw too" if s.draw_while_able else "may not draw"
    declines = f"may lay it or end the turn, free of charge except with {_empty(s)}"
    return {
        "draw": f"Whoever cannot lay a tile draws, {limit}, for {s.draw_cost} each, until one fits{kept}.",
        "may_draw": f"A seat that could play {may}; "
        f"after drawing it {declines if s.draw_then_decline else 'lays one that fits'}.",
    }


def _unable(s: Settings) -> str:
    """What whoever cannot play does and loses."""
    if s.draw_limit == 0:
        return f"Whoever cannot play passes and loses {s.limit_extra}"
    unable = f"With {_empty(s)} whoever cannot play passes and loses {s.empty_stock}"
    if s.draw_limit is None:
        return unable
    # who may end the turn anyway is charged with an empty stock only
    return f"{unable}{',' if s.draw_then_decline else ';'} after the last allowed draw {s.limit_extra}"


def _empty(s: Settings) -> str:
    """A stock from which nothing may be drawn."""
    return f"at most {s.stock_floor} tiles in the stock" if s.stock_floor else "an empty stock"


def _ending(s: Settings) -> dict[str, str]:
    out = [f"{s.out_bonus} for going out"]
    out += ["the sum of all other hands"] if s.out_takes_others else []
    out += ["each other seat loses the sum of its own hand"] if s.others_lose_own else []
    by_value = s.blocked == "fewest_tiles" and s.blocked_tie == "lower_value"
    ties = "of equals the lower value, then nobody" if by_value else "of equals nobody"
    winner = "Nobody wins it." if s.blocked == "none" else f"The {s.blocked.replace('_', ' ')} in hand wins it, {ties}."
    if s.blocked != "none" and 1 in houserules.deals(s):
        winner += " Whoever plays alone does not win it."
    gains = {
        "others_minus_own": "The winner gains the sum of the other hands and loses that of its own.",
        "pairwise": "Each other seat pays the winner the difference of their hands.",
        "each_loses_own": "Every seat loses the sum of its own hand.",
        "none": "It earns nothing.",
    }
    several = "of several there the winner of the round" if s.past_target == "round_winner" else "the highest score"
    earned = "none" if s.blocked == "none" and s.blocked_points != "each_loses_own" else s.blocked_points
    stuck = f" with {_empty(s)}" if s.draw_limit != 0 else ""
    return {
        "out": f"The round ends when a hand is empty: {'; '.join(out)}.",
        "blocked": f"It is blocked when all seats in a row have passed{stuck}. {winner}",
        "gain": gains[earned],
        "target": f"The match ends at {s.target}, {'at once' if s.end == 'at_once' else 'when the round is over'}."
        if s.rounds is None
        else f"The match is over after {s.rounds} rounds, the highest score wins; no target ends it.",
        "end": "Totals may be negative.",
        "past_target": f"Then {several} wins; equals at the top play one more round."
        if s.rounds is None
        else "Equals at the top play one more round.",
    }
