"""What the terminal tells of a match, view by view."""

from __future__ import annotations

import msgspec

from referee.commands.narrator import Narrator
from referee.wire import Award, Better, Option, Proven, Question, Ruled, Seat, View

FIRST = Ruled(3, 0, "A lays 3-3-3 at 0,0,U", "ok-opening", True, (Award(0, "tile", 9),))
SECOND = Ruled(4, 1, "B lays 3-3-5 at 0,0,D", "ok-edge", True, (Award(1, "tile", 11),))
VIEW = View(epoch="one", seq=1, seats=(Seat("Ana", 9, 9, 6), Seat("Bo", 11, 11, 6)), log=(FIRST, SECOND), last=SECOND)


def told(*views: View) -> list[str]:
    """All lines that these views give, blanks drawn together."""
    lines: list[str] = []
    narrator = Narrator(lambda text: lines.append(" ".join(text.split())))
    for view in views:
        narrator.hear(view)
    return lines


def test_each_ruling_is_told_once() -> None:
    assert told(VIEW, VIEW) == [
        "3 Ana lays 3-3-3 at 0,0,U Opening tile 9",
        "4 Bo lays 3-3-5 at 0,0,D Joins by one side 11",
    ]


def test_fixed_a_line_that_does_not_begin_with_the_seat_still_names_the_player() -> None:
    bids = Ruled(5, 1, "first bidder B", "ok-first-bidder", True)
    assert told(msgspec.structs.replace(VIEW, log=(bids,)))[0].startswith("5 first bidder Bo")


def test_what_a_ruling_proves_is_told_below_it() -> None:
    proof = Proven("false-pass-proven", 0, 2, ("3-3-5",))
    view = msgspec.structs.replace(VIEW, log=(FIRST, msgspec.structs.replace(SECOND, proven=(proof,))))
    assert told(view, view)[2:] == ["! Ana (2): An earlier pass was wrong: a tile fitted (3-3-5)"]


def test_a_ruling_that_a_correction_has_changed_is_told_again() -> None:
    corrected = msgspec.structs.replace(SECOND, line="B lays 3-3-4 at 0,0,D", awards=(Award(1, "tile", 10),))
    undone = msgspec.structs.replace(SECOND, void=True, awards=())
    lines = told(VIEW, *(msgspec.structs.replace(VIEW, log=(FIRST, ruled)) for ruled in (corrected, undone, undone)))
    assert lines[2:] == ["~ now 4 Bo lays 3-3-4 at 0,0,D Joins by one side 10", "~ 4 undone"]


def test_a_question_about_a_move_names_it_with_its_reason() -> None:
    about = msgspec.structs.replace(SECOND, reason="edge-mismatch", legal=False, awards=())
    question = Question("e4", "no-longer-stands", (Option("undo 4", "take-out"),), None, about)
    asking = msgspec.structs.replace(VIEW, questions=(question,))
    assert told(VIEW, asking, asking)[2:] == [
        "? This move no longer stands. What now? (4: Bo 3-3-5 · The touching sides do not match)"
    ]


def test_what_could_have_been_laid_is_told_once() -> None:
    better = Better(4, 1, "B lays 3-5-3 at 0,-1,D", 51, 11, ("3-3-3", "3-4-5"))
    training = msgspec.structs.replace(VIEW, training=True, better=better)
    after = msgspec.structs.replace(VIEW, missed=(better,), phase="clearing")
    assert told(VIEW, training, training, after, after)[2:] == [
        "* Better for 3-3-5: beside 3-3-3 and 3-4-5, 51 instead of 11 (entry 4)",
        "* Bo could have laid 3-3-5 beside 3-3-3 and 3-4-5: 51 instead of 11 (entry 4)",
    ]
