"""House rules by name: what the screen calls each of them, and what it can be."""

from __future__ import annotations

import re

from display.sentences import N_, Words, number

_WHOLE = re.compile(r"-?\d+")

NAMES: dict[str, str] = {
    "mode": N_("The whole set of rules"),
    "opening": N_("First tile of a round"),
    "next_opener": N_("Who opens the next round"),
    "open_triple": N_("Bonus for opening with a triple"),
    "open_zero_total": N_("Opening with 0-0-0 earns"),
    "zero_choice": N_("0-0-0 may open instead of a higher triple"),
    "zero_must_show": N_("Who opens with 0-0-0 shows his highest triple"),
    "no_triple": N_("Where nobody has a triple"),
    "open_tiebreak": N_("Equal sums when opening"),
    "draw_cost": N_("Cost of a tile drawn"),
    "draw_limit": N_("Most tiles drawn in a turn"),
    "drawing": N_("Whoever cannot play draws"),
    "draw_while_able": N_("Drawing is allowed with a tile that fits"),
    "draw_then_decline": N_("A tile drawn that fits may be kept"),
    "private_stock": N_("Each has a stock of his own"),
    "stock_floor": N_("Tiles that stay in the stock"),
    "empty_stock": N_("Cost of a pass with nothing to draw"),
    "limit_extra": N_("Further cost at the last draw allowed"),
    "voluntary_pass": N_("Passing is allowed with a tile that fits"),
    "hexagon": N_("Bonus for one, two, three hexagons"),
    "bridge": N_("Bonus for a bridge"),
    "two_side": N_("Bonus for two sides"),
    "three_side": N_("Bonus for three sides"),
    "two_corner": N_("Bonus for two corners"),
    "three_corner": N_("Bonus for three corners"),
    "corner_move_is_move": N_("A place at corners counts as a move"),
    "out_bonus": N_("Bonus for going out"),
    "out_takes_others": N_("Going out earns the others' tiles"),
    "others_lose_own": N_("The others lose their own tiles"),
    "blocked": N_("Who wins a blocked round"),
    "blocked_tie": N_("Equals in a blocked round"),
    "blocked_points": N_("Points of a blocked round"),
    "target": N_("The match ends at"),
    "end": N_("When it ends"),
    "rounds": N_("The match ends after so many rounds"),
    "past_target": N_("Several reach the end"),
    "fish_with_stock": N_("Blocked although there are tiles to draw"),
    "fish_winner": N_("Who wins a blocked line"),
    "double_blank_pips": N_("Value of 0-0 left in hand"),
    "spinner": N_("Side arms grow from the first double"),
    "muggins": N_("Whoever names the points gets them"),
    "rounding": N_("Points of a round, in fives"),
    "least_bid": N_("Lowest bid"),
    "all_pass": N_("All pass"),
    "trump_before_widow": N_("Trumps are named before the centre tile is taken"),
    "moon_made": N_("All tricks bid and taken"),
    "bidder_goes_out": N_("Only the bidder can end the match"),
    "leader_names_suit": N_("The leader may name the suit"),
    "revoke_remedy": N_("A revoke"),
    "out_of_turn_bid": N_("A bid out of turn"),
    "players": N_("How many can play"),
    "hands": N_("Tiles dealt, by players"),
    "max_number": N_("Highest number of the set"),
    "ascending": N_("Numbers of the tiles rise clockwise"),
    "mirrored": N_("The set has mirrored tiles, too"),
    "wrong_tile_penalty": N_("Cost of an illegal tile"),
    "false_pass_penalty": N_("Cost of a false pass"),
    "false_pass_remedy": N_("A pass proven false"),
    "needless_draw_penalty": N_("Cost of a needless draw"),
    "draw_too_many_remedy": N_("A tile drawn too many"),
    "draw_too_many_penalty": N_("Cost of a tile drawn too many"),
    "out_of_turn_remedy": N_("A tile laid out of turn"),
    "exposed_tile_remedy": N_("A tile of a hand that was seen"),
    "wrong_opener_remedy": N_("Somebody else should have opened"),
    "wrong_deal_remedy": N_("A wrong deal found later"),
    "wrong_deal_penalty": N_("Cost of a wrong deal"),
    "tile_missing_remedy": N_("Tiles are missing"),
}

VALUES: dict[str, str] = {
    "yes": N_("Yes"),
    "no": N_("No"),
    "none": N_("None"),
    "any": N_("Any"),
    "rule": N_("By the rules"),
    "manufacturer": N_("As on the box"),
    "club": N_("As in the club"),
    "stands": N_("It stands"),
    "stops": N_("It stops the round"),
    "return": N_("It goes back"),
    "stays": N_("It stays in the hand"),
    "take_back": N_("It is taken back"),
    "stays_open": N_("It lies open until played"),
    "to_hand": N_("It goes back to the hand"),
    "must_play": N_("It must be played first"),
    "bonus": N_("The bonus is lost"),
    "replay": N_("It is played again"),
    "void": N_("The round does not count"),
    "report": N_("It is told, no more"),
    "winner": N_("The winner of the last one"),
    "best_sum": N_("The highest sum opens"),
    "draw_until_triple": N_("All draw until one has a triple"),
    "larger_numbers": N_("The larger numbers open"),
    "fewest_tiles": N_("Fewest tiles"),
    "lowest_value": N_("Lowest value in hand"),
    "lower_value": N_("Lower value in hand"),
    "nobody": N_("Nobody"),
    "others_minus_own": N_("The others' tiles less one's own"),
    "pairwise": N_("The difference with each other hand"),
    "each_loses_own": N_("Each loses his own tiles"),
    "differences": N_("The difference with each other hand"),
    "nearest": N_("Rounded to the nearest"),
    "down": N_("Rounded down"),
    "up": N_("Rounded up"),
    "round": N_("After the round"),
    "at_once": N_("At once"),
    "round_winner": N_("The winner of the round"),
    "highest": N_("The highest score"),
    "last_layer": N_("Who laid the last tile"),
    "lowest_hand": N_("The lowest hand"),
    "redeal": N_("Dealt again"),
    "forced": N_("The last one must bid"),
    "wins": N_("Wins the match"),
    "points": N_("Earns points"),
    "stop": N_("It stops the deal"),
    "pass": N_("It counts as a pass"),
}


def name(rule: str, words: Words) -> str:
    """What a house rule is called."""
    return words.code(NAMES, rule)


def value(text: str, words: Words) -> str:
    """What a house rule is, in words where it is a word and as it is written otherwise."""
    if text in VALUES:
        return words.say(VALUES[text])
    low, _, high = text.partition("-")
    if low and low == high:  # from so many to as many
        return number(int(low))
    return ", ".join(number(int(part)) if _WHOLE.fullmatch(part) else part for part in text.split(","))
