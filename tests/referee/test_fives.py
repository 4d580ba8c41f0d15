"""All Fives: the spinner and its arms, points for open ends, and points that go to whoever names them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import notation, placements, views, wire
from referee.games import game
from referee.moves import ClaimPoints, LineSpot, Place
from referee.rulings import Award, Reason, Ruling
from referee.seen.memory import Memory
from referee.state import Phase, State
from referee.tiles import Shape
from referee.umpire import Record
from tests.referee.entering import last, ruled, written

START = "match all-fives A=Ana B=Bo C=Cy hands=3:7"
CROSS = ("begin", "A lays 5-5 at left", "B lays 0-5 at right", "C lays 5-6 at left", "A lays 4-5 at up")


def fives(*lines: str, options: str = "") -> Ruling:
    """The ruling on the last of these lines of a match of three."""
    return ruled(f"{START} {options}", *lines)


def shown(record: Record) -> wire.View:
    """The view of a record."""
    return views.view(record, Memory(), Shape.domino(), views.Circumstances(), "epoch", 1)


def test_only_the_first_double_of_the_line_is_a_spinner() -> None:
    layout = fives(*CROSS, "B lays 0-0 at right", "C lays 6-6 at left").state.layout
    assert [str(placed.tile) for placed in layout if placed.spins] == ["5-5"]
    assert not any(placed.spins for placed in fives(*CROSS[:4], options="spinner=no").state.layout)


def test_a_double_that_lies_apart_from_the_line_is_no_spinner() -> None:
    ruling = fives("begin", "A lays 1-5 at left", "B lays 6-6 loose overruled", "C lays 5-5 at right")
    assert [str(placed.tile) for placed in ruling.state.layout if placed.spins] == ["5-5"]


def test_the_ruling_says_what_the_ends_count_and_by_which_paragraph() -> None:
    ruling = fives(*CROSS)
    assert ruling.awards == (Award(0, "ends", 10),)
    assert [cite.clause for cite in ruling.cites] == ["all-fives §8.3.4", "all-fives §8.3.6"]
    assert [cite.clause for cite in fives(*CROSS[:4]).cites] == ["all-fives §8.3.4"]


def test_both_arms_are_open_once_both_long_sides_are_covered() -> None:
    assert set(shown(written(START, *CROSS[:3])).ends) == {5, 0}
    view = shown(written(START, *CROSS))
    assert (view.ends, view.count) == ((6, 0, 4, 5), 10)


def test_in_training_the_end_is_told_at_which_a_tile_would_have_earned_more() -> None:
    lines = ("begin", "A lays 0-1 at left", "B lays 1-5 at right", "C lays 0-5 at right")  # 0 + 0; at the left 5 + 5
    found = placements.better(written(START, *lines))
    assert found is not None
    assert (found.earned, found.best.points, found.best.spot) == (0, 10, LineSpot("left"))
    view = views.view(written(START, *lines), Memory(), Shape.domino(), views.Circumstances(training=True), "epoch", 1)
    assert view.better is not None
    assert view.better.beside == ("0-1",)


def test_a_tile_laid_against_the_rules_earns_nothing_and_one_laid_out_of_turn_keeps_its_points() -> None:
    assert fives(*CROSS[:3], "C lays 1-2 at left by 1 overruled").awards == ()
    ruling = fives(*CROSS[:4], "B lays 4-5 at up overruled")
    assert (ruling.reason, ruling.awards) == (Reason.OK_OVERRULED, (Award(1, "ends", 10),))


def test_a_wrong_opening_that_is_taken_back_gives_its_points_back() -> None:
    ruling = fives("begin", "A lays 5-5 at left", "B announces 6-6")
    assert [proof.reason for proof in ruling.proven] == [Reason.WRONG_OPENER_PROVEN]
    assert ruling.awards == (Award(0, "ends", -10),)
    assert (ruling.state.layout, ruling.state.scores) == ((), (0, 0, 0))


def test_a_wrong_tile_costs_points_where_the_house_says_so() -> None:
    ruling = fives(*CROSS[:3], "C lays 4-5 at up", options="wrong_tile_penalty=4")
    assert (ruling.reason, ruling.awards) == (Reason.ARM_CLOSED, (Award(2, "wrong_tile", -4),))


# --- the end of a match -----------------------------------------------------------------------------------


def before_the_end(options: str, *scores: int) -> State:
    """The cross is about to bring its ten points."""
    state = fives(*CROSS[:4], options=options).state
    return replace(state, scores=scores)


def laid(state: State) -> State:
    """After the tile that brings ten points."""
    move = notation.parse(CROSS[4])
    assert isinstance(move, Place)
    return game("all-fives").rule(state, move).state


def test_the_match_ends_when_the_round_is_over_or_at_once_as_the_house_says() -> None:
    assert laid(before_the_end("", 90, 50, 40)).phase is Phase.PLAY
    over = laid(before_the_end("end=at_once", 90, 50, 40))
    assert (over.phase, over.ranking) == (Phase.OVER, ((0,), (1,), (2,)))
    assert laid(before_the_end("end=at_once", 80, 50, 40)).phase is Phase.PLAY


def test_several_at_the_target_the_highest_wins_and_equals_at_the_top_play_on() -> None:
    assert laid(before_the_end("end=at_once", 95, 120, 40)).ranking == ((1,), (0,), (2,))
    assert laid(before_the_end("end=at_once", 95, 105, 40)).phase is Phase.PLAY


# --- muggins ----------------------------------------------------------------------------------------------

MUGGINS = "muggins=yes"


def test_whoever_laid_the_tile_may_name_its_points() -> None:
    assert fives(*CROSS, options=MUGGINS).awards == ()
    ruling = fives(*CROSS, "A claims 10", options=MUGGINS)
    assert (ruling.reason, ruling.awards) == (Reason.OK_CLAIM, (Award(0, "ends", 10),))
    assert next(cite.clause for cite in ruling.cites) == "all-fives §8.3.6"


def test_another_who_names_them_first_gets_them() -> None:
    assert fives(*CROSS, "C claims 10", options=MUGGINS).awards == (Award(2, "muggins", 10),)


@pytest.mark.parametrize(
    "lines",
    [
        ("A claims 15",),  # they count ten
        ("A claims 10", "B claims 10"),  # once is enough
        ("B lays 2-5 at down", "A claims 10"),  # the next player has acted
        ("B draws 1", "A claims 10"),
    ],
)
def test_points_that_are_not_there_or_no_longer_cannot_be_claimed(lines: tuple[str, ...]) -> None:
    assert fives(*CROSS, *lines, options=MUGGINS).reason is Reason.NOTHING_TO_CLAIM


def test_the_points_of_a_last_tile_may_be_named_until_the_hands_are_counted() -> None:
    one = ("begin", "A lays 5-5 at left", "A claims 10")
    ruling = ruled("match all-fives A=Ana B=Bo hands=2:1 muggins=yes", *one)
    assert (ruling.state.phase, ruling.state.scores) == (Phase.SHOW_HANDS, (10, 0))


def test_an_opening_whose_points_were_named_is_no_longer_taken_back() -> None:
    ruling = fives("begin", "A lays 5-5 at left", "A claims 10", "B announces 6-6", options=MUGGINS)
    assert (ruling.reason, ruling.state.scores) == (Reason.NOT_NOW, (10, 0, 0))


def test_where_the_referee_counts_and_in_other_games_nothing_is_claimed() -> None:
    assert fives(*CROSS, "A claims 10").reason is Reason.NOT_NOW
    for preset in ("block", "fr-domino", "ro-trimino/manufacturer", "kk-moon"):
        chosen = game(preset)
        state = chosen.start(chosen, ("Ana", "Bo", "Cy"), chosen.settings)
        assert chosen.rule(state, ClaimPoints(0, 5)).reason is Reason.NOT_NOW


def test_the_count_is_not_told_to_those_who_have_to_find_it() -> None:
    view = shown(written(f"{START} {MUGGINS}", *CROSS))
    assert (view.count, "claims" in view.actions) == (None, True)
    assert "claims" not in shown(written(START, *CROSS)).actions


def test_a_correction_of_an_earlier_tile_counts_all_ends_anew() -> None:
    record = written(START, *CROSS, "correct 6: A lays 2-5 at up")
    assert last(record).reason is Reason.OK_CORRECT
    assert record.state.scores == (10, 10, 0)
    again = written("correct! 6: A lays 4-5 at down", record=record)
    spot = again.state.layout[-1].spot
    assert isinstance(spot, LineSpot)
    assert (again.state.scores, spot.end) == ((20, 10, 0), "down")
