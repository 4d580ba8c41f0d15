"""Corrections that reach far: told whole before they are made, and what became of the moves after them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from referee import transcript, wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import FIRST, FIRST_SPOT, FITTING, PLAYED, Camera, Lamp, begun, beside, played, say

MISREAD = "correct 4: B lays 3-3-4 at 0,0,D"


def test_an_order_that_reaches_far_is_answered_with_all_that_it_would_change_and_nothing_is_written(
    table: Table, path: Path
) -> None:
    before = played(table, *PLAYED)
    answer = say(table, MISREAD)
    assert (answer.status, answer.reason) == ("confirm", "reaches-far")
    told = answer.outlook
    assert told is not None
    assert [(each.before.entry, each.before.line, each.after.line, each.asked) for each in told.changes] == [
        (4, "B lays 3-3-5 at 0,0,D", "B lays 3-3-4 at 0,0,D", False),
        (5, "A lays 3-5-5 at 1,0,U", "A lays 3-5-5 at 1,0,U", True),
    ]
    assert [each.after.reason for each in told.changes] == ["ok-edge", "edge-mismatch"]
    assert [sum(award.points for award in each.after.awards) for each in told.changes] == [10, 0]
    assert (told.scores, told.becomes, told.more) == ((22, 11), (9, 10), 0)
    assert wire.decode(wire.encode(answer), wire.Answer) == answer
    assert table.view == before
    with closing(Journal(path)) as journal:
        assert len(journal.entries()) == 5


def test_the_confirmed_order_is_carried_out_and_what_became_illegal_is_asked_about(table: Table) -> None:
    played(table, *PLAYED)
    told = say(table, MISREAD).outlook
    assert told is not None
    view = played(table, told.line)
    assert [seat.score for seat in view.seats] == [9, 10]
    (question,) = view.questions
    assert (question.id, question.what) == ("e5", "no-longer-stands")
    assert [(option.line, option.what) for option in question.options] == [
        ("overrule 5", "stands"),
        ("undo 5", "take-out"),
    ]
    assert question.about is not None
    assert (question.about.entry, question.about.reason) == (5, "edge-mismatch")
    assert view.log[2].line == "B lays 3-3-4 at 0,0,D", "the log tells the entry as it was corrected"


def test_a_question_about_a_move_outlives_a_restart_and_other_moves_until_it_is_answered(
    table: Table, path: Path
) -> None:
    played(table, *PLAYED, MISREAD.replace("correct", "correct!"))
    journal = Journal(path)
    again = Table(journal, Lamp(), "two")
    assert again.view.questions == table.view.questions
    view = played(again, "A draws 1")
    assert [question.id for question in view.questions] == ["e5"]
    assert played(again, "undo 5").questions == ()
    assert played(again, "undo 8").questions != (), "taken out by mistake: it is asked again"
    journal.close()


def test_letting_a_move_stand_that_was_asked_about_asks_first_when_it_changes_later_ones(table: Table) -> None:
    played(table, *PLAYED, "B draws 1", MISREAD.replace("correct", "correct!"))
    assert [question.id for question in table.view.questions] == ["e5", "e6"]
    answer = say(table, "overrule 5")
    assert answer.status == "confirm"
    assert answer.outlook is not None
    view = played(table, answer.outlook.line)
    assert view.questions == ()
    assert [seat.score for seat in view.seats] == [22, 5]


def test_to_undo_the_newest_entry_is_one_tap_and_so_is_taking_that_back(table: Table) -> None:
    before = played(table, *PLAYED)
    played(table, "undo 5", "undo 6")
    assert table.view.seats == before.seats
    assert say(table, "undo 4").status == "confirm"


def test_an_order_answered_by_a_question_can_be_given_again_and_grows_stale_with_the_table(table: Table) -> None:
    played(table, *PLAYED)
    first = say(table, MISREAD, order_id="tap")
    assert say(table, MISREAD, order_id="tap") == first
    assert first.outlook is not None
    played(table, "B draws 1")
    assert say(table, first.outlook.line, seq=first.seq).status == "stale"


def test_a_match_that_is_over_is_changed_only_when_that_is_confirmed(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("opening", "any"), ("target", "1"), ("hands", "2:2"))))
    played(table, "begin", "A lays 0-1 at left", "B lays 1-1 at right", "A lays 1-2 at right", "B shows 5-6")
    assert table.view.phase == "over"
    answer = say(table, "undo 6")
    assert (answer.status, answer.reason) == ("confirm", "needs-confirming")
    assert answer.outlook is not None
    assert (answer.outlook.line, answer.outlook.scores, answer.outlook.becomes) == ("undo! 6", (0, 11), (0, 0))
    assert table.view.phase == "over"
    assert played(table, answer.outlook.line).phase == "show-hands"
    journal.close()


def test_what_an_order_would_change_is_told_in_a_bounded_message(path: Path, lamp: Lamp) -> None:
    record = Path(__file__).parents[1] / "records" / "ro-trimino-two-players.txt"
    journal = Journal(path)
    for line in transcript.read(record.read_text(encoding="utf-8")).lines:
        assert line.said is not None
        journal.append(line.act, line.said.reason, "people")
    table = Table(journal, lamp, "one")
    answer = say(table, "undo 4")
    assert answer.outlook is not None
    assert len(answer.outlook.changes) == wire.MOST_CHANGES
    assert answer.outlook.more > 20
    assert len(wire.encode(answer)) < wire.LARGEST_MESSAGE_BYTES
    view = played(table, answer.outlook.line)
    assert len(view.questions) == wire.MOST_QUESTIONS
    assert view.unasked > 0
    assert len(wire.encode(view)) < wire.LARGEST_MESSAGE_BYTES
    assert wire.decode(wire.encode(view), wire.View) == view
    journal.close()


@pytest.mark.parametrize(
    "line",
    ["undo! x", "undo", "undo!! 3", "overrule! 3 4", "correct 4 B lays 3-3-4 at 0,0,D", "correct! 4:", "undo! -3"],
)
def test_a_malformed_change_is_refused_in_words_and_nothing_is_half_applied(table: Table, line: str) -> None:
    before = played(table, *PLAYED)
    answer = say(table, line)
    assert (answer.status, answer.reason) == ("refused", "notation")
    assert "expected" in answer.message
    assert table.view == before


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("undo! 99", "no-such-entry"),
        ("undo! 1", "no-such-entry"),
        ("overrule! 4", "no-such-entry"),
        ("correct! 4: B lays 3-4-4 at 0,0,D", "edge-mismatch"),
        ("correct 4: B passes", "pass-with-stock"),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_its_reason(table: Table, line: str, reason: str) -> None:
    before = played(table, *PLAYED)
    answer = say(table, line)
    assert (answer.status, answer.reason, answer.outlook) == ("refused", reason, None)
    assert table.view == before


def test_a_tile_whose_move_does_not_stand_any_more_is_asked_about_and_no_dispute(
    table: Table, path: Path, lamp: Lamp
) -> None:
    camera = begun(table)
    third_spot = CellSpot(Cell(0, 1, "U"), (3, 4, 5))
    third = beside(third_spot, (FIRST, FIRST_SPOT), (FITTING, CellSpot(Cell(0, 0, "D"), (5, 3, 5))))
    camera.rest(FIRST, FITTING, third)
    assert len(table.view.log) == 4
    view = played(table, "undo! 4")
    assert [question.what for question in view.questions] == ["no-longer-stands", "awaiting-removal"]
    assert {tile.entry: tile.status for tile in view.layout} == {3: "placed", 4: "removal", 5: "doubt"}
    assert (view.dispute, lamp.lit, lamp.buzzes) == (None, False, 0)
    journal = Journal(path)
    again = Table(journal, lamp, "two")
    view = Camera(again, "new camera").rest(FIRST, FITTING, third)
    assert {tile.entry: tile.status for tile in view.layout} == {3: "placed", 4: "removal", 5: "doubt"}
    assert (view.dispute, lamp.lit, lamp.buzzes) == (None, False, 0)
    assert {question.what for question in view.questions} == {"no-longer-stands", "awaiting-removal"}
    journal.close()
