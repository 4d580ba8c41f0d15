"""What lights and sounds tell of, and what a button means."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.heralding import happened, lasting, pressed
from referee.wire import Option, Question, Ruled, View

PLAY = View(epoch="e", seq=5, phase="play", turn=0, actions=("draws", "passes", "undo"))
LAID = Ruled(7, 0, "A lays 1-2-3", "ok-placed", True)
QUESTION = Question("q1", "which-tile", (Option("answer q1 0", "tile"),))


def changed(view: View = PLAY, **fields: Any) -> View:
    return msgspec.structs.replace(view, seq=view.seq + 1, **fields)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"last": LAID, "turn": 1}, "legal"),
        ({"last": msgspec.structs.replace(LAID, legal=False, reason="edge-differs")}, "illegal"),
        ({"turn": 1}, "turn"),
        ({"questions": (QUESTION,)}, "doubt"),
        ({"phase": "clearing", "last": LAID}, "round-end"),
        ({"camera": "lost", "turn": 1}, "camera-lost"),
        ({"camera": "late"}, ""),
        ({}, ""),
    ],
)
def test_the_most_important_thing_that_is_new_is_told(fields: dict[str, Any], what: str) -> None:
    after = changed(**fields)
    assert happened(PLAY, after) == what
    assert happened(after, changed(after)) == ""


def test_nothing_in_the_first_view_of_a_table_has_happened_just_now() -> None:
    assert happened(None, PLAY) == ""
    assert happened(PLAY, changed(epoch="another", turn=1)) == ""


def test_a_question_and_a_lost_camera_last() -> None:
    assert lasting(PLAY) == ""
    assert lasting(changed(questions=(QUESTION,))) == "doubt"
    assert lasting(changed(questions=(QUESTION,), camera="frozen")) == "camera-lost"


def test_a_seats_button_draws_while_he_may_and_then_passes() -> None:
    assert pressed(PLAY, "seat 0") == "A draws 1"
    assert pressed(changed(actions=("passes",)), "seat 0") == "A passes"
    assert pressed(changed(actions=()), "seat 0") is None


def test_a_button_of_somebody_who_is_not_to_move_means_nothing() -> None:
    assert pressed(PLAY, "seat 1") is None
    assert pressed(changed(turn=None), "seat 0") is None


def test_the_common_button_takes_back_what_can_be_taken_back() -> None:
    assert pressed(changed(last=LAID), "undo") == "undo 7"
    assert pressed(PLAY, "undo") is None
    assert pressed(changed(last=LAID, actions=()), "undo") is None
