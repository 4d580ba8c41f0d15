"""What the sheet of a triangle game says of openings, places and ends is what happens under many house rules."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from referee.laying.lattice import Cell
from referee.moves import Announce, CellSpot, Place
from referee.state import Phase
from referee.tiles import Tile
from tests.referee.sheetplay import (
    BOARDS,
    FIRST,
    OF_ENDS,
    OF_PLACES,
    answers,
    begun,
    board,
    counts,
    ended,
    group,
    points,
    tiles,
    words,
)

# --- triangles: opening, special places -----------------------------------------------------------------


@pytest.mark.parametrize("options", OF_PLACES)
def test_an_opening_earns_what_the_sheet_says(options: str) -> None:
    for played in group("triangles", options):
        text = words(played)
        state = begun(played)
        others = [Announce(seat, Tile((0, 0, seat))) for seat in range(1, min(state.players, 5))]
        others += [Announce(5, Tile((0, 1, 2)))] * (state.players == 6)
        high, zero = Tile((5, 5, 5)), Tile((0, 0, 0))
        cell = Cell(0, 0, "U")
        lays_high, lays_zero = (Place(0, tile, CellSpot(cell, tile.values)) for tile in (high, zero))
        earned = answers(played, state, Announce(0, high), *others, lays_high).points(0)
        only = answers(played, state, Announce(0, zero), *others, lays_zero).points(0)
        instead = answers(played, state, Announce(0, high), *others, lays_zero).is_legal
        if "opens with any tile, for its sum alone" in text:
            assert (earned, only, instead) == (15, 0, True)
            continue
        assert f"for its sum and {earned - 15} more" in text
        assert f"Opening with 0-0-0 earns {only} in all" in text
        assert instead == ("may open with 0-0-0 instead" in text)


PLACES = {
    "T034": "A tile earns the sum of its numbers.",
    "T001": "Closing a hexagon earns {} more.",
    "T020": "Closing two at once earns {} more",
    "T024": "at once earns {1} more, three {0}.",
    "T006": "opposite corner, earns {} more.",
    "T011": "Two sides without a hexagon earn {} more.",
    "T026": "Three sides without a hexagon earn {} more.",
    "T029": "a tile on two corners without a side is allowed and earns {} besides its sum",
    "T032": "a tile on three corners without a side is allowed and earns {} besides its sum",
}


@pytest.mark.parametrize("options", OF_PLACES)
def test_every_place_earns_what_the_sheet_says(options: str) -> None:
    for played in group("triangles", options):
        text = words(played).replace("A tile on", "a tile on")
        for name, sentence in PLACES.items():
            example = BOARDS[name]
            state = begun(played, layout=board(*example["state"]["board"]), turn=0)
            move = example["move"]
            tile = Tile.parse(move["tile"])
            ruling = played.rule(state, Place(0, tile, CellSpot(Cell(*move["cell"]), tuple(move["cw"]))))
            more = ruling.points(0) - tile.total
            two = re.search(r"two at once earns (\d+)", text)
            expected = sentence.format(more, two[1] if two else "")
            if ruling.is_legal:
                assert expected in text, name
            else:
                assert sentence.partition(" is allowed")[0] not in text, name


# --- triangles: the ends ----------------------------------------------------------------------------------

WINNERS: dict[str, Callable[[list[int], list[int]], list[tuple[int, int]]]] = {
    "The fewest tiles in hand wins it, of equals the lower value, then nobody.": lambda n, value: list(
        zip(n, value, strict=True)
    ),
    "The fewest tiles in hand wins it, of equals nobody.": lambda n, _: [(count, 0) for count in n],
    "The lowest value in hand wins it, of equals nobody.": lambda _, value: [(each, 0) for each in value],
    "Nobody wins it.": lambda n, _: [(0, 0) for _ in n],
}
GAINS: dict[str, Callable[[list[int], int | None, int], int]] = {
    "The winner gains the sum of the other hands and loses that of its own.": lambda value, winner, seat: (
        (sum(value) - 2 * value[seat]) if seat == winner else 0
    ),
    "Each other seat pays the winner the difference of their hands.": lambda value, winner, seat: (
        0
        if winner is None
        else value[winner] - value[seat]
        if seat != winner
        else sum(each - value[winner] for each in value)
    ),
    "Every seat loses the sum of its own hand.": lambda value, _, seat: -value[seat],
    "It earns nothing.": lambda *_: 0,
}
HANDS = ("5-5-5", "0-0-1 0-1-1", "4-4-5 0-0-3", "1-1-3", "0-0-5", "0-2-3 0-2-4 0-3-4")


def the_one(sentences: dict[str, Callable[..., object]], text: str) -> Callable[..., object]:
    """What the one of some sentences says that is on the sheet."""
    (found,) = [meaning for sentence, meaning in sentences.items() if sentence in text]
    return found


@pytest.mark.parametrize("options", OF_ENDS)
def test_fixed_a_blocked_round_is_won_and_earns_as_the_sheet_says(options: str) -> None:
    for played in group("triangles", options):
        text = words(played)
        assert not ("Nobody wins it." in text and re.search("The winner gains|pays the winner", text))
        for players in counts(played):
            for turn in range(0, len(HANDS), 2):
                hands = (*HANDS[turn:], *HANDS[:turn])[:players]
                value = [sum(tile.total for tile in tiles(hand)) for hand in hands]
                ranks = the_one(WINNERS, text)([len(tiles(hand)) for hand in hands], value)
                assert isinstance(ranks, list)
                winner = ranks.index(min(ranks)) if ranks.count(min(ranks)) == 1 else None
                if players == 1:
                    assert ("Whoever plays alone does not win it." in text) != ("Nobody wins it." in text)
                    winner = None
                ruling = ended(played, hands)
                assert ruling.state.round_winner == winner
                assert points(ruling) == [the_one(GAINS, text)(value, winner, seat) for seat in range(players)]


@pytest.mark.parametrize("options", OF_ENDS)
def test_going_out_earns_what_the_sheet_says(options: str) -> None:
    for played in group("triangles", options):
        text = words(played)
        bonus = re.search(r"when a hand is empty: (\d+) for going out", text)
        assert bonus
        for players in counts(played):
            hands = ("", *HANDS)[:players]
            value = [sum(tile.total for tile in tiles(hand)) for hand in hands]
            others = sum(value) if "the sum of all other hands" in text else 0
            loses = int("each other seat loses the sum of its own hand" in text)
            expected = [int(bonus[1]) + others, *(-loses * each for each in value[1:])]
            if players > 1:
                assert points(ended(played, hands)) == expected


@pytest.mark.parametrize("options", OF_ENDS)
def test_fixed_the_match_ends_and_is_won_as_the_sheet_says(options: str) -> None:
    for played in group("triangles", options):
        text = words(played)
        players = max(counts(played))
        target = re.search(r"The match ends at (\d+), (at once|when the round is over)", text)
        last = re.search(r"The match is over after (\d+) rounds, the highest score wins; no target ends it", text)
        assert bool(target) != bool(last)
        goal = int(target[1]) if target else 500
        ends_at_once = bool(target and target[2] == "at once")
        # in mid-round
        state = begun(played, layout=FIRST, turn=0, scores=(goal - 1,) + (0,) * (players - 1))
        tile = Tile((3, 3, 5))
        fits = Place(0, tile, played.places(state, tile)[0])
        assert (answers(played, state, fits).state.phase is Phase.OVER) == ends_at_once
        # when the round is over: the last seat has gone out, the first has the highest score
        if players == 1 or ends_at_once:
            continue
        hands = (*HANDS[: players - 1], "")
        scores = (goal + 500, *(0,) * (players - 2), goal)
        for number in (1, 2, 3, 4):
            ruling = ended(played, hands, scores=scores, round=number)
            is_over = number >= int(last[1]) if last else True
            assert (ruling.state.phase is Phase.OVER) == is_over
            if is_over:
                by_round = "of several there the winner of the round wins" in text
                assert ruling.state.ranking[0] == ((players - 1,) if by_round else (0,))
