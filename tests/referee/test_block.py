"""Block: dominoes without drawing, and with it the game of Draw."""

from __future__ import annotations

from referee import views
from referee.rulings import Award, Reason, Ruling
from referee.seen.memory import Memory
from referee.state import Phase
from referee.tiles import Shape
from tests.referee.entering import last, ruled, written

START = "match block A=Ana B=Bo"
BEGUN = ("begin", "A lays 6-6 at left", "B lays 3-6 at right")


def block(*lines: str, options: str = "") -> Ruling:
    """The ruling on the last of these lines, after two tiles have been laid."""
    return ruled(f"{START} {options}", *BEGUN, *lines)


def test_nobody_draws_and_whoever_is_unable_passes_with_tiles_left() -> None:
    assert block("A draws 1").reason is Reason.DRAW_LIMIT
    passed = block("A passes")
    assert (passed.reason, passed.state.turn, passed.state.stock) == (Reason.OK_PASS, 1, 14)


def test_the_key_for_drawing_is_there_only_where_tiles_are_drawn() -> None:
    for options, is_there in (("", False), ("drawing=yes", True)):
        record = written(f"{START} {options}", *BEGUN)
        view = views.view(record, Memory(), Shape.domino(), views.Circumstances(), "epoch", 1)
        assert ("draws" in view.actions) == is_there
        assert view.count is None


def test_the_round_is_blocked_when_all_in_a_row_have_passed() -> None:
    assert block("A passes").state.phase is Phase.PLAY
    assert block("A passes", "B passes").state.blocked
    assert not block("A passes", "B lays 3-3 at right", "A passes").state.blocked


def test_of_a_blocked_round_the_lowest_hand_gains_the_difference() -> None:
    few = ("begin", "A lays 6-6 at left", "B passes", "A passes", "A shows 1-3")
    ruling = ruled("match block A=Ana B=Bo hands=2:2", *few, "B shows 5-5 0-1")
    assert ruling.awards == (Award(0, "others", 11), Award(0, "own", -4))
    assert ruling.state.round_winner == 0


def test_equal_hands_score_nothing_and_nobody_wins_the_round() -> None:
    few = ("begin", "A lays 6-6 at left", "B passes", "A passes", "A shows 1-3")
    ruling = ruled("match block A=Ana B=Bo hands=2:2", *few, "B shows 0-3 0-1")
    assert (ruling.awards, ruling.state.round_winner) == ((), None)


def test_a_false_pass_is_proven_and_costs_points_that_are_good() -> None:
    record = written(f"{START} false_pass_penalty=10", *BEGUN, "A passes", "B lays 3-3 at right", "A lays 3-5 at right")
    ruling = last(record)
    assert [proof.reason for proof in ruling.proven] == [Reason.FALSE_PASS_PROVEN]
    assert ruling.awards == (Award(0, "false_pass", -10),)


def test_drawing_makes_it_the_game_of_draw() -> None:
    draw = "drawing=yes stock_floor=2"
    assert block("A passes", options=draw).reason is Reason.PASS_WITH_STOCK
    assert block("A draws 12", "A passes", options=draw).reason is Reason.OK_PASS
    assert block("A draws 13", options=draw).reason is Reason.STOCK_EMPTY


def test_the_highest_double_opens_and_0_0_is_the_lowest_of_them() -> None:
    named = ("A announces 0-0", "B announces 1-1", "begin")
    assert ruled(START, *named, "A lays 0-0 at left").reason is Reason.WRONG_OPENER
    assert ruled(START, *named, "B lays 1-1 at left").reason is Reason.OK_OPENING
