"""The numbers of the printed rules, copied from the rule specification by hand, and house rules read over them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

from tests.naive.reading import Tile
from tests.naive.triangles import Book as Places

Rules = dict[str, Any]

REMEDIES: Rules = {
    "wrong_tile_penalty": 0,
    "false_pass_penalty": 0,
    "false_pass_remedy": "stands",
    "wrong_deal_remedy": "void",
    "wrong_deal_penalty": 0,
    "needless_draw_penalty": 0,
    "draw_too_many_remedy": "return",
    "draw_too_many_penalty": 0,
    "out_of_turn_remedy": "take_back",
    "exposed_tile_remedy": "to_hand",
    "wrong_opener_remedy": "bonus",
    "tile_missing_remedy": "report",
}
MANUFACTURER: Rules = REMEDIES | {
    "players": (1, 6),
    "hands": {1: 9, 2: 9, 3: 7, 4: 7, 5: 6, 6: 6},
    "max_number": 5,
    "ascending": True,
    "mirrored": False,
    "opening": "rule",
    "next_opener": "rule",
    "open_triple": 10,
    "open_zero_total": 40,
    "zero_choice": True,
    "zero_must_show": False,
    "no_triple": "best_sum",
    "open_tiebreak": "larger_numbers",
    "draw_cost": 5,
    "draw_limit": None,
    "draw_while_able": False,
    "draw_then_decline": False,
    "private_stock": False,
    "stock_floor": 0,
    "empty_stock": 10,
    "limit_extra": 0,
    "voluntary_pass": False,
    "hexagon": (50, 100, 150),
    "bridge": 40,
    "two_side": 40,
    "three_side": 40,
    "two_corner": None,
    "three_corner": None,
    "corner_move_is_move": True,
    "out_bonus": 25,
    "out_takes_others": True,
    "others_lose_own": False,
    "blocked": "fewest_tiles",
    "blocked_tie": "lower_value",
    "blocked_points": "others_minus_own",
    "target": 400,
    "rounds": None,
    "end": "round",
    "past_target": "round_winner",
}
CLUB: Rules = MANUFACTURER | {
    "open_zero_total": 30,
    "draw_while_able": True,
    "two_corner": -5,
    "three_corner": 30,
    "out_takes_others": False,
    "others_lose_own": True,
    "target": 200,
}
BLOCK: Rules = REMEDIES | {
    "players": (2, 4),
    "hands": {2: 7, 3: 5, 4: 5},
    "max_number": 6,
    "opening": "rule",
    "next_opener": "rule",
    "drawing": False,
    "stock_floor": 0,
    "voluntary_pass": False,
    "blocked_points": "others_minus_own",
    "target": 100,
    "rounds": None,
}
BOOKS: Mapping[str, Rules] = {
    "ro-trimino/manufacturer": MANUFACTURER,
    "ro-trimino/club": CLUB,
    "cs-triomino": MANUFACTURER
    | {
        "players": (2, 6),
        "open_triple": 0,
        "open_zero_total": 30,
        "zero_choice": False,
        "no_triple": "draw_until_triple",
        "empty_stock": 0,
        "two_side": 0,
        "three_side": 0,
        "out_bonus": 0,
        "out_takes_others": False,
        "blocked": "none",
        "end": "at_once",
    },
    "uk-tridomino": MANUFACTURER
    | {
        "players": (2, 6),
        "zero_must_show": True,
        "hexagon": (60, 60, 60),
        "three_side": 60,
        "blocked": "lowest_value",
    },
    "official-pressman": MANUFACTURER | {"players": (2, 4), "zero_must_show": True},
    "official-goliath": MANUFACTURER
    | {
        "players": (1, 4),
        "draw_limit": 3,
        "limit_extra": 10,
        "draw_while_able": True,
        "empty_stock": 0,
        "hexagon": (50, 60, 70),
        "blocked": "lowest_value",
        "past_target": "highest",
    },
    "fr-domino": REMEDIES
    | {
        "players": (2, 4),
        "hands": {2: 7, 3: 7, 4: 7},
        "max_number": 6,
        "opening": "rule",
        "next_opener": "rule",
        "voluntary_pass": False,
        "stock_floor": 0,
        "fish_with_stock": True,
        "fish_winner": "last_layer",
        "double_blank_pips": 0,
        "target": 101,
        "rounds": None,
    },
    "block": BLOCK,
    "all-fives": {name: rule for name, rule in BLOCK.items() if name != "drawing"}
    | {"spinner": True, "muggins": False, "rounding": "nearest", "end": "round"},
    "kk-moon": {
        "players": (3, 3),
        "hands": {3: 7},
        "max_number": 6,
        "opening": "rule",
        "least_bid": 4,
        "all_pass": "redeal",
        "trump_before_widow": False,
        "moon_made": "wins",
        "bidder_goes_out": False,
        "leader_names_suit": False,
        "revoke_remedy": "stop",
        "out_of_turn_bid": "void",
        "out_of_turn_remedy": "take_back",
        "exposed_tile_remedy": "to_hand",
        "tile_missing_remedy": "report",
        "target": 21,
    },
}
# What a game of laying dominoes does as the triangle games do without asking.
LINE: Rules = {
    "open_tiebreak": "larger_numbers",
    "no_triple": "best_sum",
    "zero_choice": False,
    "zero_must_show": False,
    "draw_cost": 0,
    "draw_limit": None,
    "draw_while_able": False,
    "draw_then_decline": False,
    "private_stock": False,
    "empty_stock": 0,
    "limit_extra": 0,
    "end": "round",
    "past_target": "highest",
    "fish_with_stock": True,
    "spinner": False,
    "muggins": False,
    "rounding": "none",
}


def counts_ends(preset: str) -> bool:
    """Whether open ends that come to a multiple of five score."""
    return preset == "all-fives"


def is_goat(preset: str) -> bool:
    """Whether points are bad, and 0-0 opens."""
    return preset == "fr-domino"


def is_line(preset: str) -> bool:
    """Whether tiles are laid in one line."""
    return preset in ("fr-domino", "block", "all-fives")


def rules_of(preset: str, options: Mapping[str, str]) -> Rules:
    """The rules of a preset with house rules over them; a name or a value nobody knows is an error."""
    others = dict(options)
    base = BOOKS[preset]
    mode = others.pop("mode", None)
    if mode:
        base = {"manufacturer": MANUFACTURER, "club": CLUB}[mode]
    rules = (LINE | base) if is_line(preset) else dict(base)
    for name, text in others.items():
        if name not in base:
            raise KeyError(name)
        rules[name] = text if isinstance(base[name], str) else value(text)
    if not rules.get("drawing", True):
        rules["draw_limit"] = 0
    return rules


def value(text: str) -> Any:
    """What the text of a house rule means."""
    known = {"yes": True, "no": False, "none": None}
    if text in known:
        return known[text]
    if text.lstrip("-").isdigit():
        return int(text)
    if ":" in text:
        return {int(key): int(count) for key, count in (pair.split(":") for pair in text.split(","))}
    if "," in text:
        return tuple(map(int, text.split(",")))
    if "-" in text:
        low, high = text.split("-")
        return int(low), int(high)
    return text


def tiles_of(preset: str, rules: Rules) -> set[Tile]:
    """The set that is played with."""
    numbers = range(rules["max_number"] + 1)
    if preset == "kk-moon":
        return {pair for pair in combinations_with_replacement(numbers, 2) if 0 not in pair or pair == (0, 0)}
    if is_line(preset):
        return set(combinations_with_replacement(numbers, 2))
    rising = set(combinations_with_replacement(numbers, 3))
    falling = {min((a, c, b), (c, b, a), (b, a, c)) for a, b, c in rising}
    if rules["mirrored"]:
        return rising | falling
    return rising if rules["ascending"] else falling


def places(rules: Rules) -> Places:
    """What triangles earn by how they lie."""
    return Places(
        rules["hexagon"],
        rules["bridge"],
        rules["two_side"],
        rules["three_side"],
        rules["two_corner"],
        rules["three_corner"],
        rules["max_number"],
        rules["ascending"],
        rules["mirrored"],
    )
