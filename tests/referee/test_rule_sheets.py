"""What a rule sheet says is what happens: each game is played and measured against its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee import notation
from referee.games import Game, games
from referee.laying.lattice import Cell
from referee.laying.triangles import PRESETS
from referee.moves import Bid, CellSpot, Draw, FirstBidder, LineSpot, Move, Pass, Place, ShowHand
from referee.rulings import Ruling
from referee.state import Phase, State
from referee.tiles import Tile
from tests.referee.sheetplay import (
    EVERY,
    FIRST,
    GROUPS,
    LINE,
    OF_A_LINE,
    OF_TRICKS,
    STOCK,
    TURNS,
    answers,
    begun,
    counts,
    group,
    points,
    tiles,
    varied,
    words,
)

# --- what all games have --------------------------------------------------------------------------------


@pytest.mark.parametrize(("of", "options"), EVERY)
def test_fixed_the_sheet_names_the_players_that_can_really_play_and_what_they_get(of: str, options: str) -> None:
    for played in group(of, options):
        text, can = words(played), counts(played)
        dealt = re.search(r"Tiles dealt to each: (.*?) players\.", text)
        assert dealt
        assert {int(players): int(hand) for hand, players in re.findall(r"(\d+) with (\d+)", dealt[1])} == can
        said = re.search(r"(\d+)(?: (to|or) (\d+))? players?, each alone", text)
        assert said
        low, word, high = said.groups()
        assert set(range(int(low), int(high or low) + 1) if word == "to" else (int(low), int(high or low))) == set(can)
        assert f"{len(begun(played).hands) * begun(played).hands[0] + begun(played).stock} tiles" in text


@pytest.mark.parametrize(("of", "options"), TURNS)
def test_who_cannot_play_draws_as_often_as_the_sheet_says_and_for_as_much(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        draws = list(drawing(played, on_turn(played, can_play=False)))
        limit, cost = re.search(r"at most (\d+) in a turn", text), re.search(r"for (\d+) each", text)
        allowed = STOCK - floor(text) if limit is None else int(limit[1])
        assert len(draws) == (0 if "nobody draws" in text.lower() else allowed)
        assert {ruling.points(0) for ruling in draws} <= {-int(cost[1]) if cost else 0}


@pytest.mark.parametrize(("of", "options"), TURNS)
def test_who_can_play_may_draw_and_pass_where_the_sheet_says_so(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        assert answers(played, on_turn(played, can_play=True), Draw(0)).is_legal == ("may draw too" in text)
        empty = on_turn(played, can_play=True, stock=floor(text))
        assert answers(played, empty, Pass(0)).is_legal == ("may pass as well" in text)


@pytest.mark.parametrize(("of", "options"), TURNS)
def test_fixed_passing_is_possible_where_the_sheet_says_so_and_costs_what_it_says(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        full = on_turn(played, can_play=False)
        draws = [full, *(ruling.state for ruling in drawing(played, full))]
        loses = re.search(r"passes and loses (\d+)", text)
        empty = on_turn(played, can_play=False, stock=floor(text))
        assert answers(played, empty, Pass(0)).points(0) == -int(loses[1] if loses else 0)
        # with tiles left in the stock
        is_free, is_block = "end the turn, free of charge" in text, "nobody draws" in text.lower()
        assert answers(played, full, Pass(0)).is_legal == is_block
        extra = re.search(r"([;,]) after the last allowed draw (\d+)", text)
        if is_free and not is_block:
            left = draws[1:] if "at most" in text else draws[1:-1]
            assert {answers(played, state, Pass(0)).awards for state in left} == {()}
        elif extra:
            assert not any(answers(played, state, Pass(0)).is_legal for state in draws[:-1])
        if extra:
            at_limit = draws[-1] if extra[1] == ";" else replace(empty, drawn=draws[-1].drawn)
            assert answers(played, at_limit, Pass(0)).points(0) == -int(extra[2])


def on_turn(played: Game, can_play: bool, stock: int = STOCK) -> State:
    """The first seat is to move and has one tile, which fits or does not; there are so many tiles in each stock."""
    is_triangle = played.id in PRESETS
    tile = ("3-3-5" if can_play else "0-0-1") if is_triangle else ("5-6" if can_play else "2-3")
    state = begun(played, layout=FIRST if is_triangle else LINE, turn=0, stock=stock)
    known = (tiles(tile),) * state.players
    return replace(state, hands=(1,) * state.players, known=known, stocks=(stock,) * len(state.stocks))


def floor(text: str) -> int:
    """How many tiles of the stock are not drawn."""
    found = re.search(r"the last (\d+) tiles of the stock are not drawn", text, re.IGNORECASE)
    return int(found[1]) if found else 0


def drawing(played: Game, state: State) -> Iterator[Ruling]:
    """Draws of one tile after the other, as long as they stand."""
    while (ruling := played.rule(state, Draw(0))).is_legal:
        state = ruling.state
        yield ruling


@pytest.mark.parametrize(("of", "options"), TURNS)
def test_a_round_is_blocked_when_all_have_passed_as_the_sheet_says(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        state = begun(played, layout=FIRST if played.id in PRESETS else LINE, turn=0, stock=0)
        state = replace(state, stocks=(0,) * state.players if state.stocks else ())
        passes = [Pass(seat) for seat in range(state.players)]
        assert answers(played, state, *passes).state.blocked
        # with tiles left
        limit = 0 if not getattr(played.settings, "drawing", True) else getattr(played.settings, "draw_limit", None)
        left = replace(state, stock=60, stocks=(60,) * state.players if state.stocks else ())
        moves: list[Move] = []
        for seat in range(left.players):
            moves += [Draw(seat)] * (limit or ("end the turn" in text)) + [Pass(seat)]
        ruling = answers(played, left, *moves) if limit is not None or "end the turn" in text else None
        assert (ruling is not None and ruling.state.blocked) == (limit is not None and "have passed." in text)


@pytest.mark.parametrize(("of", "options"), TURNS)
def test_a_tile_that_does_not_fit_costs_what_the_sheet_says(of: str, options: str) -> None:
    for played in group(of, options):
        spot = CellSpot(Cell(0, 0, "D"), (0, 0, 1)) if played.id in PRESETS else LineSpot("right")
        layout, tile = (FIRST, Tile((0, 0, 1))) if played.id in PRESETS else (LINE, Tile((2, 3)))
        ruling = played.rule(begun(played, layout=layout, turn=0), Place(0, tile, spot))
        assert not ruling.is_legal
        assert f"where it does not fit is taken back and costs {abs(ruling.points(0))};" in words(played)


# --- dominoes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OF_A_LINE)
def test_a_fish_and_an_empty_hand_are_written_as_the_sheet_of_dominoes_says(options: str) -> None:
    played = varied("fr-domino", options)
    text = words(played)
    blank = re.search(r"0-0 counts (\d+)", text)
    assert blank
    hands = ("3-3", "0-0 2-3", "3-4")
    for players in set(counts(played)) & {2, 3}:
        pips = [6, int(blank[1]) + 5, 7][:players]
        state = begun(played, players, layout=LINE, phase=Phase.SHOW_HANDS, turn=None, blocked=True)
        state = replace(state, hands=tuple(len(tiles(hand)) for hand in hands[:players]))
        ruling = answers(played, state, *(ShowHand(seat, tiles(hand)) for seat, hand in enumerate(hands[:players])))
        maker = 0 if "Whoever laid the last tile has made the fish" in text else pips.index(min(pips))
        assert points(ruling) == [0 if seat == maker else each for seat, each in enumerate(pips)]
    state = begun(played, 2, layout=LINE, phase=Phase.SHOW_HANDS, turn=None, blocked=True, hands=(1, 1))
    equals = answers(played, state, ShowHand(0, tiles("2-5")), ShowHand(1, tiles("3-4")))
    assert points(equals) == ([7, 7] if "of equals nobody" in text else [0, 7])


@pytest.mark.parametrize("options", OF_A_LINE)
def test_the_match_of_dominoes_ends_as_its_sheet_says(options: str) -> None:
    played = varied("fr-domino", options)
    text = words(played)
    target = re.search(r"ends when somebody has (\d+)", text)
    last = re.search(r"over after (\d+) rounds, no target ends it", text)
    for number, score in ((1, 0), (3, 0), (1, int(target[1]) if target else 500)):
        state = begun(played, 2, layout=LINE, phase=Phase.SHOW_HANDS, turn=None, out=0, hands=(0, 1), round=number)
        state = replace(state, shown=((), None), scores=(score, 0))
        is_over = number >= int(last[1]) if last else bool(score)
        assert (answers(played, state, ShowHand(1, tiles("0-1"))).state.phase is Phase.OVER) == is_over


# --- Block and All Fives ----------------------------------------------------------------------------------

PIPS = [(of, options) for of, options in TURNS if of in ("block", "fives")]


def rounded(points: int, text: str) -> int:
    """A gain as a sheet has it rounded."""
    ways = {"nearest": (points + 2) // 5 * 5, "rounded down": points // 5 * 5, "rounded up": -(-points // 5) * 5}
    return next((gain for way, gain in ways.items() if way in text), points)


def of_pips(played: Game, hands: tuple[str, ...]) -> Ruling:
    """All hands of a round of dominoes shown; an empty one has gone out."""
    out = next((seat for seat, hand in enumerate(hands) if not hand), None)
    state = begun(played, len(hands), layout=LINE, phase=Phase.SHOW_HANDS, turn=None, out=out, blocked=out is None)
    shown = tuple(() if seat == out else None for seat in range(len(hands)))
    state = replace(state, hands=tuple(len(tiles(hand)) for hand in hands), shown=shown)
    return answers(played, state, *(ShowHand(seat, tiles(hand)) for seat, hand in enumerate(hands) if seat != out))


@pytest.mark.parametrize(("of", "options"), PIPS)
def test_the_winner_of_a_round_gains_what_the_sheet_says(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        assert points(of_pips(played, ("", "5-6"))) == [rounded(11, text), 0]
        assert points(of_pips(played, ("1-3", "5-6"))) == [rounded(7, text), 0]
        assert points(of_pips(played, ("1-3", "0-4"))) == [0, 0]
        if 3 in counts(played):
            blocked = 7 + 2 if "its difference with each other hand" in text else 11 + 6 - 4
            assert points(of_pips(played, ("1-3", "5-6", "2-4"))) == [rounded(blocked, text), 0, 0]


@pytest.mark.parametrize(("of", "options"), [each for each in PIPS if each[0] == "fives"])
def test_arms_are_open_and_ends_score_as_the_sheet_says(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        state = begun(played, 2, turn=0)
        moves = [notation.parse(f"{seat} lays {tile}") for seat, tile in zip("ABA", CROSS, strict=True)]
        before = answers(played, state, *moves).state  # type: ignore[arg-type]  # moves
        ruling = played.rule(before, notation.parse("B lays 4-5 at up"))  # type: ignore[arg-type]  # a move
        assert ruling.is_legal == ("the first double is the spinner" in text.lower())
        scores = ruling.is_legal and "a multiple of five scores at once" in text
        assert points(ruling)[1] == (10 if scores else 0)
        assert bool(ruling.state.unclaimed) == (ruling.is_legal and "whoever names it first" in text)


CROSS = ("5-5 at left", "0-5 at right", "5-6 at left")


@pytest.mark.parametrize(("of", "options"), PIPS)
def test_the_match_of_pips_ends_as_its_sheet_says(of: str, options: str) -> None:
    for played in group(of, options):
        text = words(played)
        target = re.search(r"ends at (\d+), (at once|when the round is over)", text)
        last = re.search(r"over after (\d+) rounds, the highest score wins", text)
        assert bool(target) != bool(last)
        for number, score in ((1, 0), (3, 0), (1, int(target[1]) if target else 500)):
            state = begun(played, 2, layout=LINE, phase=Phase.SHOW_HANDS, turn=None, out=0, hands=(0, 1), round=number)
            state = replace(state, shown=((), None), scores=(score, 0))
            is_over = number >= int(last[1]) if last else bool(score)
            assert (answers(played, state, ShowHand(1, tiles("4-6"))).state.phase is Phase.OVER) == is_over


# --- Moon -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OF_TRICKS)
def test_the_bids_that_stand_are_those_of_the_sheet(options: str) -> None:
    played = varied("kk-moon", options)
    said = re.search(r"from (\d+) to (\d+), or (\d+) for all (\d+) tricks", words(played))
    assert said
    state = answers(played, begun(played), FirstBidder(0)).state
    stand = {bid for bid in range(1, 40) if played.rule(state, Bid(0, bid)).is_legal}
    assert stand == {*range(int(said[1]), int(said[2]) + 1), int(said[3])}
    assert int(said[4]) == state.hands[0]
    passes = [Pass(seat) for seat in range(state.players)]
    forced = re.search(r"All pass: the last one has bid (\d+)", words(played))
    phase = answers(played, state, *passes).state.phase
    assert phase is (Phase.PLAY if forced else Phase.DEAL)


COUNTED = ("begin", "first bidder A", "A bids 4", "B passes", "C passes", "A discards hidden", "A names 6")


@pytest.mark.parametrize("remedy", ["report", "void"])
@pytest.mark.parametrize("line", ["B holds 9", "B holds 6", "stock 0", "stock 3"])
def test_fixed_a_wrong_count_does_what_the_sheet_of_moon_says(line: str, remedy: str) -> None:
    played = varied("kk-moon", f"tile_missing_remedy={remedy}")
    sheet = dict(played.sheet(played.settings))
    state = played.start(played, ("Ana", "Bo", "Cy"), played.settings)
    moves = [notation.parse(each) for each in (*COUNTED, "A plays 5-5", line)]
    ruling = answers(played, state, *moves)  # type: ignore[arg-type]  # moves
    cited = {cite.clause.partition("§")[2] for cite in ruling.cites}
    assert "7.2.5" in cited
    of_hand, of_all = sheet["7.2.5"].split(". ")
    promise = of_hand if "holds" in line else of_all
    assert (ruling.state.phase is Phase.DEAL) == ("the deal does not count" in promise)
    # and no other paragraph speaks of it
    assert [clause for clause, text in sheet.items() if "wrong number" in text] == ["7.2.5"]


def test_every_preset_is_among_those_that_are_played() -> None:
    assert {preset for presets in GROUPS.values() for preset in presets} == set(games())
