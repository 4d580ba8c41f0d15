"""What a round is worth when all hands lie open, and who has won the match."""

from __future__ import annotations

from collections import Counter

from tests.naive.books import Rules
from tests.naive.reading import Award, Tile

Hands = list[list[Tile]]


def triangle_round(rules: Rules, hands: Hands, out: int | None) -> tuple[int | None, Counter[Award]]:
    """The winner of a round of triangles, and what it gives and takes."""
    sums = [sum(map(sum, hand)) for hand in hands]
    points: Counter[Award] = Counter()
    if out is not None:
        points[out, "out"] += rules["out_bonus"]
        if rules["out_takes_others"]:
            points[out, "others"] += sum(sums)
        if rules["others_lose_own"]:
            for seat, value in enumerate(sums):
                points[seat, "own"] -= value
        return out, points
    winner = block_winner(rules, hands, sums)
    how = rules["blocked_points"]
    if how == "each_loses_own":
        for seat, value in enumerate(sums):
            points[seat, "own"] -= value
    elif winner is not None and how == "others_minus_own":
        points[winner, "others"] += sum(value for seat, value in enumerate(sums) if seat != winner)
        points[winner, "own"] -= sums[winner]
    elif winner is not None and how == "pairwise":
        for seat, value in enumerate(sums):
            points[seat, "difference"] -= value - sums[winner]
            points[winner, "others"] += value - sums[winner]
    return winner, points


def block_winner(rules: Rules, hands: Hands, sums: list[int]) -> int | None:
    """Who has the fewest tiles or the lowest value, whichever counts; of equals nobody, unless a tie is settled."""
    if rules["blocked"] == "none" or len(hands) == 1:
        return None
    seats = set(range(len(hands)))
    if rules["blocked"] == "fewest_tiles":
        fewest = min(map(len, hands))
        seats = {seat for seat in seats if len(hands[seat]) == fewest}
        if len(seats) > 1 and rules["blocked_tie"] == "nobody":
            return None
    lowest = min(sums[seat] for seat in seats)
    best = [seat for seat in seats if sums[seat] == lowest]
    return best[0] if len(best) == 1 else None


def triangle_ranking(rules: Rules, scores: list[int], round_winner: int | None, number: int) -> list[set[int]]:
    """Seats from first to last if the match is over after this round, else none (A25)."""
    is_counted = rules["rounds"] is not None
    there = [seat for seat, score in enumerate(scores) if is_counted or score >= rules["target"]]
    if not there or (is_counted and number < rules["rounds"]):
        return []
    if not is_counted and rules["past_target"] == "round_winner" and round_winner in there:
        first = round_winner
    else:
        highest = [seat for seat in there if scores[seat] == max(scores)]
        if len(highest) > 1:
            return []
        first = highest[0]
    others = {seat: score for seat, score in enumerate(scores) if seat != first}
    return [{first}, *by_score(others, highest_first=True)] if first is not None else []


def line_round(rules: Rules, hands: Hands, out: int | None, last_layer: int) -> tuple[int | None, Counter[Award]]:
    """Who wins a round of dominoes, and the pips that the others write."""
    pips = [sum(rules["double_blank_pips"] if tile == (0, 0) else sum(tile) for tile in hand) for hand in hands]
    winner: int | None = out
    if out is None and rules["fish_winner"] == "last_layer":
        winner = last_layer
    elif out is None:
        lowest = [seat for seat, value in enumerate(pips) if value == min(pips)]
        winner = lowest[0] if len(lowest) == 1 else None
    return winner, Counter({(seat, "hand"): value for seat, value in enumerate(pips) if seat != winner})


def pips_round(rules: Rules, hands: Hands, out: int | None) -> tuple[int | None, Counter[Award]]:
    """Who wins a round of dominoes and takes the pips of the others, of a blocked one less his own, in fives or not."""
    pips = [sum(map(sum, hand)) for hand in hands]
    winner = out
    if out is None:
        lowest = [seat for seat, value in enumerate(pips) if value == min(pips)]
        if len(lowest) > 1:
            return None, Counter()
        (winner,) = lowest
    assert winner is not None
    points: Counter[Award] = Counter()
    if out is None and rules["blocked_points"] == "differences":
        points[winner, "difference"] = sum(value - pips[winner] for value in pips)
    else:
        points[winner, "others"] = sum(value for seat, value in enumerate(pips) if seat != winner)
        points[winner, "own"] = -pips[winner]
    gained = points.total()
    fives = {"none": [gained], "down": range(gained - 4, gained + 1), "up": range(gained, gained + 5)}
    near = fives.get(rules["rounding"], range(gained - 2, gained + 3))
    points[winner, "rounding"] = next((each for each in near if each % 5 == 0), gained) - gained
    return winner, points


def line_ranking(rules: Rules, scores: list[int], number: int) -> list[set[int]]:
    """Seats from the fewest points up once somebody has reached the target, or the last round is over."""
    is_over = max(scores) >= rules["target"] if rules["rounds"] is None else number >= rules["rounds"]
    if not is_over:
        return []
    return by_score(dict(enumerate(scores)), highest_first=False)


def by_score(scores: dict[int, int], highest_first: bool) -> list[set[int]]:
    """Seats in the order of their scores, equals together."""
    order = sorted(set(scores.values()), reverse=highest_first)
    return [{seat for seat, score in scores.items() if score == each} for each in order]
