"""What is a player's own to say from a phone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.outside.rights import Right, of_player
from referee.wire import Option, Question

DOUBT = Question("q1", "which-tile", (Option("answer q1 0", "tile", "2-3-4", 1), Option("answer q1 1", "not-a-move")))
OPENER = Question("q2", "who-opens", tuple(Option(f"answer q2 {seat}", "opens", "5-5-5", seat) for seat in range(3)))
MISSING = Question("q3", "missing", (Option("answer q3 0", "it-lies-there"), Option("answer q3 1", "take-out")))
WISH = Question(
    "w4-1", "undo-asked", (Option("answer w4-1 0", "grant", seat=1), Option("answer w4-1 1", "deny", seat=1))
)
OPEN = (DOUBT, OPENER, MISSING, WISH)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("B draws 1", Right.YES),
        ("B passes", Right.YES),
        ("B calls block", Right.YES),
        ("B bids 5", Right.YES),
        ("B names doubles", Right.YES),
        ("B discards hidden", Right.YES),
        ("B announces 5-5-5", Right.YES),
        ("B shows 1-2-3", Right.YES),
        ("B says 3 drawn", Right.YES),
        ("B lays 1-2-3 at 0,0,U", Right.YES),
        ("B lays 1-2-3 at 0,0,U overruled", Right.ASK_THE_TABLE),
        ("B plays 6-6", Right.YES),
        ("B plays 6-6 overruled", Right.ASK_THE_TABLE),
        ("B exposes 3-5 laid", Right.YES),
        ("A draws 1", Right.NOT_YOURS),
        ("C bids 5", Right.NOT_YOURS),
        ("B gets 50", Right.ASK_THE_TABLE),
        ("B holds 0", Right.ASK_THE_TABLE),
        ("B dealt 7", Right.ASK_THE_TABLE),
        ("turn B", Right.ASK_THE_TABLE),
        ("stock 11", Right.ASK_THE_TABLE),
        ("redeal", Right.ASK_THE_TABLE),
        ("begin", Right.ASK_THE_TABLE),
        ("undo 3", Right.WISH),
        ("undo! 3", Right.WISH),
        ("overrule 3", Right.WISH),
        ("correct 3: B draws 1", Right.ASK_THE_TABLE),
        ("forget 2", Right.ASK_THE_TABLE),
        ("match! fr-domino A=Ana B=Bo", Right.ASK_THE_TABLE),
        ("drop g1", Right.ASK_THE_TABLE),
        ("host g2", Right.ASK_THE_TABLE),
        ("new code", Right.ASK_THE_TABLE),
    ],
)
def test_a_player_says_his_own_moves_and_asks_for_the_rest(line: str, right: Right) -> None:
    assert of_player(line, 1, OPEN) is right


@pytest.mark.parametrize(
    ("line", "seats"),
    [
        ("answer q1 0", {1}),
        ("answer q1 1", {1}),
        ("answer q1 is 2-3-4", {1}),
        ("answer q2 0", {0}),
        ("answer q2 2", {2}),
        ("answer q3 1", {0, 1, 2}),
        ("answer w4-1 0", {0, 2}),
        ("answer w4-1 1", {0, 1, 2}),
        ("answer q99 0", {0, 1, 2}),
    ],
)
def test_a_question_is_answered_by_those_whom_it_is_about(line: str, seats: set[int]) -> None:
    assert {seat for seat in range(3) if of_player(line, seat, OPEN) is Right.YES} == seats


@given(st.text(max_size=60), st.integers(0, 5))
def test_any_line_has_a_right_or_says_nothing(line: str, seat: int) -> None:
    try:
        right = of_player(line, seat, OPEN)
    except ValueError:
        return
    assert right in Right
