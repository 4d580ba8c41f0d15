"""The table: what lies there, what the record says, and what people are told when they differ."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from display.pages import page
from display.widgets import Button
from referee import transcript, wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.sighting import Reading, SeenTile, Sighting
from referee.table import Table
from referee.tiles import Shape
from referee.umpire import Match
from tests.referee.seeing import CLASHING, FIRST, FIRST_SPOT, FITTING, Camera, Lamp, begun, beside, say


def test_a_legal_tile_is_accepted_scored_and_the_turn_goes_on(table: Table, lamp: Lamp) -> None:
    view = begun(table).rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.last.seat) == ("ok-edge", 1)
    assert [seat.score for seat in view.seats] == [8, 13]
    assert view.turn == 0
    assert lamp.buzzes == 0


def test_an_illegal_tile_buzzes_once_and_lights_the_lamp_until_it_is_taken_away(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert view.dispute.reason == "edge-mismatch"
    camera.rest(FIRST, replace(CLASHING, x_mm=CLASHING.x_mm + 0.4))
    assert (lamp.buzzes, lamp.lit) == (1, True)
    camera.busy()
    view = camera.rest(FIRST)
    assert view.dispute is None
    assert (lamp.buzzes, lamp.lit) == (1, False)
    assert view.turn == 1, "an illegal tile costs no turn"


def test_nothing_is_concluded_while_a_hand_is_over_the_table(table: Table) -> None:
    camera = begun(table)
    camera.tiles = (FIRST, FITTING)
    view = camera.busy()
    assert view.busy
    assert [seat.score for seat in view.seats] == [8, 0]


def test_an_overruled_tile_stands_and_the_lamp_goes_out(table: Table, lamp: Lamp) -> None:
    view = begun(table).rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert say(table, f"overrule {view.dispute.entry}").status == "done"
    assert table.view.dispute is None
    assert not lamp.lit
    assert {tile.status for tile in table.view.layout} == {"placed"}
    assert table.view.turn == 0


def test_a_tile_taken_back_on_the_screen_is_ignored_until_it_has_gone(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    entry = camera.rest(FIRST, FITTING).last
    assert entry is not None
    assert say(table, f"undo {entry.entry}").status == "done"
    assert [tile.status for tile in table.view.layout] == ["placed", "removal"]
    camera.rest(FIRST, FITTING)
    assert (lamp.buzzes, lamp.lit) == (0, False)
    assert table.view.turn == 1
    camera.rest(FIRST)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert view.last.reason == "ok-edge", "laid anew after it had gone, it counts again"


def test_an_accepted_tile_that_vanishes_changes_nothing_and_is_asked_about_once(table: Table) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    view = camera.rest(FIRST)
    assert [question.what for question in view.questions] == ["missing"]
    assert [seat.score for seat in view.seats] == [8, 13]
    view = camera.rest(FIRST)
    assert len(view.questions) == 1
    view = camera.rest(FIRST, FITTING)
    assert view.questions == ()
    assert view.last is not None
    assert view.last.entry == 4, "lifted and put back is no move"


def test_a_doubtful_tile_is_asked_about_never_buzzed(table: Table, lamp: Lamp) -> None:
    readings = (Reading((1, 1, 1), 0.5), Reading((1, 1, 2), 0.3))
    view = begun(table).rest(FIRST, replace(CLASHING, confidence=0.5, readings=readings))
    assert [question.what for question in view.questions] == ["which-tile"]
    assert [option.tile for option in view.questions[0].options[:2]] == ["1-1-1", "1-1-2"]
    assert [option.what for option in view.questions[0].options[2:]] == ["any-tile", "missed-one", "not-a-tile"]
    assert (lamp.buzzes, lamp.lit) == (0, False)
    assert say(table, view.questions[0].options[0].line).status == "refused"
    assert lamp.buzzes == 1, "once people confirm the reading it is an illegal tile"


def test_the_tiles_still_unseen_may_settle_a_doubtful_reading(table: Table) -> None:
    readings = (Reading(FITTING.values, 0.55), Reading((0, 3, 5), 0.4))
    view = begun(table).rest(FIRST, replace(FITTING, confidence=0.55, readings=readings))
    assert view.last is not None
    assert view.last.reason == "ok-edge"
    assert view.questions == ()


def test_a_tile_that_already_lies_there_is_a_doubt_first(table: Table, lamp: Lamp) -> None:
    twin = replace(CLASHING, values=(0, 3, 5), readings=(Reading((0, 3, 5), 0.97),), confidence=0.97)
    view = begun(table).rest(FIRST, twin)
    assert [question.what for question in view.questions] == ["already-laid"]
    assert lamp.buzzes == 0


def test_a_dismissed_tile_means_nothing_any_more(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(CLASHING, confidence=0.4))
    (none,) = (option for option in view.questions[0].options if option.what == "not-a-tile")
    assert say(table, none.line).status == "done"
    view = camera.rest(FIRST, replace(CLASHING, confidence=0.4))
    assert view.questions == ()
    assert lamp.buzzes == 0


def test_what_lies_on_the_table_during_the_deal_means_nothing(table: Table) -> None:
    camera = Camera(table)
    view = camera.rest(FIRST)
    assert view.phase == "deal"
    assert [tile.status for tile in view.layout] == ["seen"]
    assert camera.rest().phase == "play"


def test_face_down_tiles_are_neither_moves_nor_questions(table: Table) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, SeenTile("triomino", (), 500.0, 80.0, 0.0, face_up=False))
    assert view.questions == ()
    assert view.last is not None
    assert view.last.entry == 3


def test_an_order_about_an_older_view_is_refused(table: Table) -> None:
    camera = begun(table)
    old = table.view.seq
    camera.rest(FIRST, FITTING)
    assert say(table, "B draws 1", seq=old).status == "stale"
    assert say(table, "A draws 1").status == "done"


def test_a_repeated_order_is_applied_once_also_across_a_restart(table: Table, path: Path) -> None:
    begun(table)
    assert say(table, "B draws 1", order_id="tap").status == "done"
    assert say(table, "B draws 1", order_id="tap").status == "repeated"
    journal = Journal(path)
    again = Table(journal, Lamp(), "two")
    assert say(again, "B draws 1", order_id="tap").status == "repeated"
    assert again.view.drawn == 1
    journal.close()


def test_an_impossible_order_is_refused_with_its_reason_and_leaves_no_trace(table: Table) -> None:
    begun(table)
    before = table.record
    assert say(table, "A draws 1").reason == "out-of-turn"
    assert say(table, "B passes").reason == "pass-with-stock"
    assert say(table, "B juggles").reason == "notation"
    assert table.record == before


def test_after_a_restart_the_same_player_is_to_move_and_no_tile_is_judged_twice(
    table: Table, path: Path, lamp: Lamp
) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    before = table.view
    journal = Journal(path)
    again = Table(journal, lamp, "two")
    view = Camera(again, "new camera").rest(FIRST, FITTING)
    assert (view.turn, view.seats, view.last) == (before.turn, before.seats, before.last)
    assert view.epoch != before.epoch
    assert lamp.buzzes == 0
    journal.close()


def test_a_dispute_survives_a_restart_without_a_second_buzz(table: Table, path: Path) -> None:
    begun(table).rest(FIRST, CLASHING)
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    assert not lamp.lit, "nobody has looked at the table yet"
    camera = Camera(again, "new camera")
    assert camera.rest(FIRST, CLASHING).dispute is not None
    assert (lamp.buzzes, lamp.lit) == (0, True)
    assert camera.rest(FIRST).dispute is None
    assert not lamp.lit
    journal.close()


def test_an_illegal_tile_taken_away_while_the_table_was_down_is_no_dispute(table: Table, path: Path) -> None:
    begun(table).rest(FIRST, CLASHING)
    journal, lamp = Journal(path), Lamp()
    view = Camera(Table(journal, lamp, "two"), "new camera").rest(FIRST)
    assert view.dispute is None
    assert (lamp.buzzes, lamp.lit) == (0, False)
    journal.close()


def test_a_tile_taken_back_before_a_restart_still_awaits_removal(table: Table, path: Path) -> None:
    entry = begun(table).rest(FIRST, FITTING).last
    assert entry is not None
    say(table, f"undo {entry.entry}")
    journal, lamp = Journal(path), Lamp()
    view = Camera(Table(journal, lamp, "two"), "new camera").rest(FIRST, FITTING)
    assert [tile.status for tile in view.layout] == ["placed", "removal"]
    assert lamp.buzzes == 0
    journal.close()


def test_a_missing_tile_that_people_know_of_is_not_asked_about_again(table: Table) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    view = camera.rest(FIRST)
    assert say(table, view.questions[0].options[0].line).status == "done"
    assert camera.rest(FIRST).questions == ()


def test_a_tile_entered_by_hand_is_the_unread_one_that_lies_there(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    unread = replace(FITTING, values=(), confidence=0.1)
    camera.rest(FIRST, unread)
    assert say(table, "B lays 5-3-5 at 0,0,D").status == "done"
    assert [tile.status for tile in table.view.layout] == ["placed", "placed"]
    assert table.view.questions == ()
    third = beside(
        CellSpot(Cell(0, 1, "U"), (3, 4, 5)), (FIRST, FIRST_SPOT), (FITTING, CellSpot(Cell(0, 0, "D"), (5, 3, 5)))
    )
    view = camera.rest(FIRST, unread, third)
    assert view.last is not None
    assert view.last.reason == "ok-edge"
    assert lamp.buzzes == 0


def test_a_tile_entered_by_hand_is_known_again_when_the_camera_sees_it(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    assert say(table, "A lays 0-3-5 at 0,0,U").status == "done"
    view = camera.rest(FIRST)
    assert [tile.status for tile in view.layout] == ["placed"]
    assert view.questions == ()
    assert camera.rest(FIRST, FITTING).turn == 0


def test_beside_a_tile_entered_by_hand_and_out_of_sight_nothing_is_certain(table: Table, lamp: Lamp) -> None:
    camera = Camera(table)
    camera.rest()
    say(table, "A lays 0-3-5 at 0,0,U")
    view = camera.rest(FITTING)
    assert [question.what for question in view.questions] == ["unclear-place"]
    assert lamp.buzzes == 0


def test_an_unread_tile_is_judged_once_it_can_be_read(table: Table) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(FITTING, values=(), confidence=0.1))
    assert [question.what for question in view.questions] == ["which-tile"]
    view = camera.rest(FIRST, FITTING)
    assert view.questions == ()
    assert view.last is not None
    assert view.last.reason == "ok-edge"


def test_tiles_of_another_game_and_impossible_numbers_harm_nothing(table: Table) -> None:
    camera = begun(table)
    other = SeenTile("domino", (1, 2), 100.0, 100.0, 0.0)
    broken = SeenTile("triomino", (-1, 2), 500.0, 100.0, 0.0)
    view = camera.rest(FIRST, other, broken)
    assert [tile.status for tile in view.layout] == ["placed", "doubt"]


def test_a_match_cannot_be_begun_over_a_running_one(table: Table) -> None:
    assert say(table, "match fr-domino A=Ana B=Bo").reason == "not-now"
    assert say(table, "match no-such-game A=Ana").reason == "not-now"


def test_a_match_is_begun_over_a_running_one_when_that_is_said(table: Table) -> None:
    camera = begun(table)
    camera.rest(FIRST)
    assert say(table, "match! no-such-game A=Ana").reason == "notation"
    assert say(table, "match! fr-domino A=Ana B=Bo seats=0,180 target=51").status == "done"
    assert (table.view.game, table.view.phase, table.view.target) == ("fr-domino", "deal", 51)
    assert table.record is not None
    first = table.record.entries[0].what
    assert isinstance(first, Match)
    assert first.seats_deg == (0, 180)
    assert [tile.status for tile in table.view.layout] == ["seen"]
    told = table.ask(wire.Ask("a", "begun")).lines
    assert told[0] == "match fr-domino A=Ana B=Bo seats=0,180 target=51"
    assert len(told) == 2


def test_a_match_with_other_tiles_than_the_table_is_set_up_for_is_refused(path: Path, lamp: Lamp) -> None:
    with closing(Journal(path)) as journal:
        table = Table(journal, lamp, "e", Shape.triomino())
        assert say(table, "match fr-domino A=Ana B=Bo").reason == "other-tiles"
        assert table.view.game == ""
        assert say(table, "match cs-triomino A=Ana B=Bo").status == "done"


def test_a_match_from_an_earlier_run_is_said_to_be_one_until_something_happens(path: Path, lamp: Lamp) -> None:
    with closing(Journal(path)) as journal:
        table = Table(journal, lamp, "one")
        assert not table.view.resumed
        say(table, "match fr-domino A=Ana B=Bo")
        assert not table.view.resumed
        again = Table(journal, lamp, "two")
        assert again.view.resumed
        again.see(Sighting("camera", 1, 0.5, (), busy=False))
        assert again.view.resumed
        say(again, "A lays 6-6 at right")
        assert not again.view.resumed
        third = Table(journal, lamp, "three")
        say(third, "match! kk-moon A=Ana B=Bo C=Cy")
        assert not third.view.resumed


def test_tiles_that_were_let_stand_apart_are_no_layout_to_measure_from(table: Table) -> None:
    camera = begun(table)
    apart = SeenTile("triomino", (1, 2, 4), 100.0, 300.0, 0.0)
    view = camera.rest(FIRST, apart)
    assert view.dispute is not None
    assert view.dispute.reason == "not-connected"
    say(table, f"overrule {view.dispute.entry}")
    say(table, "undo 3")
    camera.rest(apart)
    view = camera.rest(apart, SeenTile("triomino", (2, 2, 2), 400.0, 200.0, 0.0))
    assert view.last is not None
    assert view.last.legal


def test_two_tiles_in_one_settle_are_recorded_in_a_legal_order(table: Table) -> None:
    camera = begun(table)
    third = beside(
        CellSpot(Cell(0, 1, "U"), (3, 4, 5)), (FIRST, FIRST_SPOT), (FITTING, CellSpot(Cell(0, 0, "D"), (5, 3, 5)))
    )
    view = camera.rest(FIRST, third, FITTING)
    assert [ruled.reason for ruled in view.log][-2:] == ["ok-edge", "ok-edge"]
    assert [ruled.seat for ruled in view.log][-2:] == [1, 0]


def test_two_illegal_tiles_at_once_are_asked_about_never_buzzed(table: Table, lamp: Lamp) -> None:
    other = SeenTile("triomino", (2, 2, 2), 100.0, 300.0, 0.0)
    view = begun(table).rest(FIRST, CLASHING, other)
    assert [question.what for question in view.questions] == ["two-at-once", "two-at-once"]
    assert lamp.buzzes == 0


def test_the_eye_is_told_what_was_accepted_and_nothing_else(table: Table) -> None:
    begun(table).rest(FIRST, CLASHING)
    assert [tile.values for tile in table.facts().confirmed] == [(0, 3, 5)]


def test_asking_for_the_history_gives_one_line_an_entry(table: Table) -> None:
    begun(table)
    told = table.ask(wire.Ask("a", "history"))
    assert told.lines[1].split(" ", 3)[2:] == ["ok-begin", "begin"]
    assert table.ask(wire.Ask("a", "secrets")).error


def test_what_cannot_be_saved_does_not_count_and_the_view_says_so(
    table: Table, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = begun(table)

    def full(*_args: object, **_more: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", full)
        assert say(table, "B draws 1").reason == "not-saved"
        view = camera.rest(FIRST, FITTING)
        assert not view.saved
        assert view.turn == 1
    view = camera.rest(FIRST, FITTING)
    assert view.saved
    assert view.last is not None
    assert view.last.reason == "ok-edge"


# --- corrections that reach far -----------------------------------------------------------------------

PLAYED = ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")
MISREAD = "correct 4: B lays 3-3-4 at 0,0,D"


def played(table: Table, *lines: str) -> wire.View:
    for line in lines:
        answer = say(table, line)
        assert answer.status == "done", (line, answer)
    return table.view


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
    assert len(Journal(path).entries()) == 5


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


# --- remedies -----------------------------------------------------------------------------------------


def test_a_dispute_offers_the_remedies_of_the_rules_with_what_they_earn(table: Table) -> None:
    view = begun(table).rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert [(option.line, option.what) for option in view.dispute.options] == [
        ("", "take-back"),
        (f"overrule {view.dispute.entry}", "stands"),
    ]
    assert view.dispute.options[1].awards == (wire.Award(1, "tile", 3),)


def test_once_the_next_player_has_acted_the_rules_let_the_tile_stand_first(table: Table) -> None:
    begun(table).rest(FIRST, CLASHING)
    view = played(table, "B draws 1", "turn A", "A draws 1")
    assert view.dispute is not None
    assert [option.what for option in view.dispute.options] == ["stands", "take-back"]


def test_a_tile_that_lies_open_from_now_on_is_no_dispute_and_moving_it_about_no_move(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    options = (("opening", "any"), ("out_of_turn_remedy", "stays_open"))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), options))
    camera = begun(table)
    assert camera.rest(FIRST, CLASHING).dispute is not None
    view = played(table, "A exposes 1-1-1 laid")
    assert (view.dispute, lamp.lit, lamp.buzzes) == (None, False, 1)
    assert [tile.status for tile in view.layout] == ["placed", "seen"]
    aside = replace(CLASHING, x_mm=500.0, y_mm=320.0)
    camera.rest(FIRST, aside)
    view = Camera(Table(journal, lamp, "two"), "new camera").rest(FIRST, aside)
    assert (view.dispute, view.questions, lamp.lit, lamp.buzzes) == (None, (), False, 1)
    journal.close()


def test_a_wrong_tile_that_costs_points_is_told_so_and_undoing_it_gives_them_back(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    options = (("opening", "any"), ("wrong_tile_penalty", "20"))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), options))
    view = begun(table).rest(FIRST, CLASHING)
    assert view.last is not None
    assert view.last.awards == (wire.Award(1, "wrong_tile", -20),)
    assert (view.seats[1].score, view.seats[1].round_points) == (-20, -20)
    assert view.dispute is not None
    assert [key.order for key in page(view).widgets if isinstance(key, Button) and "undo" in key.order] == ["undo 4"]
    view = played(table, f"undo {view.dispute.entry}")
    assert (view.seats[1].score, view.seats[1].round_points, view.dispute) == (0, 0, None)
    journal.close()


def test_a_match_of_so_many_rounds_has_no_target(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("rounds", "5"),)))
    assert (table.view.target, table.view.rounds) == (0, 5)
    assert any(getattr(widget, "text", "") == "Round 1 of 5" for widget in page(table.view).widgets)
    journal.close()


# --- where tiles could lie ----------------------------------------------------------------------------


def ask(table: Table, *words: str) -> wire.Told:
    return table.ask(wire.Ask("a", "places", words))


def test_the_places_of_a_tile_are_told_in_notation_best_first(table: Table) -> None:
    played(table, *PLAYED[:3])
    lines = ask(table, "3-5-5").lines
    assert lines
    points = []
    for line in lines:
        worth, reason, order = line.split(" ", 2)
        points.append(int(worth))
        assert order.startswith("A lays ")
        before = table.view.seats[0].score
        answer = say(table, order)
        assert (answer.status, answer.reason) == ("done", reason)
        assert table.view.seats[0].score - before == int(worth)
        entry = table.view.last
        assert entry is not None
        played(table, f"undo {entry.entry}")
    assert points == sorted(points, reverse=True)
    assert ask(table, "0-0-0").lines == ()
    assert ask(table, "3-5-5", "B").lines == (), "it is not B's turn"
    before = table.view
    assert ask(table, "3-5-5").lines == lines
    assert table.view == before


@pytest.mark.parametrize(
    "words",
    [(), ("3-5-5", "A", "now"), ("three",), ("3-5-5", "Z"), ("3-5-5", "AB"), ("9-9-9",), ("3-3-3",), ("3-5",), ("",)],
)
def test_a_question_for_places_that_cannot_be_answered_says_what_was_expected(
    table: Table, words: tuple[str, ...]
) -> None:
    played(table, *PLAYED[:3])
    told = ask(table, *words)
    assert told.lines == ()
    assert told.error.startswith("expected ")


def test_in_training_a_better_place_for_the_last_tile_is_told(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one", training=True)
    assert ask(table, "3-5-5").error
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    ring = ("4-3-3 at 0,-1,D", "5-3-4 at 0,-1,U", "5-3-3 at -1,-1,D", "3-0-3 at -1,0,U", "3-0-0 at -2,0,D")
    ring += ("0-0-0 at -2,1,U", "0-0-1 at -2,1,D", "0-1-2 at -1,1,U")
    view = played(table, "begin", *(f"{'AB'[turn % 2]} lays {tile}" for turn, tile in enumerate(ring)))
    assert view.better is None
    view = played(table, "A lays 3-2-3 at 3,3,U overruled")
    assert view.training
    assert view.better is not None
    assert (view.better.seat, view.better.line, view.better.points) == (0, "A lays 3-2-3 at 0,0,U", 48)
    assert set(view.better.beside) == {"3-3-4"}
    assert view.better.earned == 8
    assert played(table, "B draws 1").better is None
    journal.close()


def test_in_training_the_right_place_of_a_wrong_tile_is_told(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one", training=True)
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    turned = beside(CellSpot(Cell(0, 0, "D"), (5, 5, 3)), (FIRST, FIRST_SPOT))
    view = begun(table).rest(FIRST, turned)
    assert view.dispute is not None
    assert view.better == wire.Better(4, 1, "B lays 5-3-5 at 0,0,D", 13, 0, ("0-3-5",))
    journal.close()


def test_without_training_no_better_place_is_told_and_before_a_round_is_scored_nothing_that_was_missed(
    table: Table,
) -> None:
    played(table, *PLAYED)
    assert (table.view.training, table.view.better, table.view.missed) == (False, None, ())


def test_after_a_round_each_seat_is_told_the_best_that_it_let_pass(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    options = (("opening", "any"), ("hands", "2:2"), ("target", "40"))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), options))
    view = played(table, "begin", "A lays 0-1-1 at 0,0,U", "B lays 1-1-1 at 0,0,D", "A lays 0-0-1 at 0,-1,D")
    assert (view.phase, view.missed) == ("show-hands", ()), "hands are not yet known"
    view = played(table, "B shows 1-1-5")
    assert view.phase == "clearing"
    (missed,) = view.missed
    assert (missed.entry, missed.seat, missed.points, missed.earned, missed.beside) == (4, 1, 7, 3, ("0-1-1",))
    assert missed.line.startswith("B lays 1-")
    assert played(table, "clear").missed == ()
    journal.close()


# --- tricks -------------------------------------------------------------------------------------------

BID = ("first bidder A", "begin", "A bids 5", "B passes", "C passes", "A discards hidden", "A names 2", "A plays 6-6")


@pytest.fixture
def moon(path: Path, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
    played(table, *BID)
    yield table
    journal.close()


def test_a_refused_order_is_answered_with_what_the_rules_offer(moon: Table) -> None:
    answer = say(moon, "C plays 6-5")
    assert (answer.status, answer.reason) == ("refused", "out-of-turn")
    assert [(option.line, option.what) for option in answer.options] == [
        ("", "take-back"),
        ("C plays 5-6 overruled", "stands"),
    ]
    assert say(moon, "C shows 6-5").options == ()
    assert say(moon, answer.options[1].line).status == "done"


def test_a_tile_that_should_have_followed_suit_can_be_put_right_while_its_trick_lies_there(moon: Table) -> None:
    view = played(moon, "B plays 5-4")
    assert view.questions == (), "nothing is proven yet"
    view = played(moon, "B exposes 6-1")
    (question,) = view.questions
    assert (question.what, question.about and question.about.line) == ("open-revoke", "B plays 4-5")
    assert [(option.line, option.what) for option in question.options] == [
        (f"correct {view.log[-2].entry}: B plays 1-6", "put-right")
    ]
    asked = say(moon, question.options[0].line).outlook
    assert asked is not None, "the proof goes with it"
    assert [(each.before.proven[0].reason, each.after.proven) for each in asked.changes if each.before.proven] == [
        ("revoke-proven", ())
    ]
    view = played(moon, asked.line)
    assert view.questions == ()
    assert view.tricks is not None
    assert view.tricks.trick == (wire.Played(0, "6-6"), wire.Played(1, "1-6"))


# --- what is asked about openings and counts ------------------------------------------------------------


@pytest.mark.parametrize(
    ("mirrored", "status", "name"), [("no", "doubt", "triomino-56"), ("yes", "placed", "triomino-76")]
)
def test_fixed_a_doubtful_reading_is_settled_by_the_set_that_the_house_rules_play_with(
    table: Table, mirrored: str, status: str, name: str
) -> None:
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("mirrored", mirrored), ("opening", "any"))))
    assert table.facts().set_id == name
    turned = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 1)), (FIRST, FIRST_SPOT))
    readings = (Reading(turned.values, 0.55), Reading((0, 3, 5), 0.4))
    view = begun(table).rest(FIRST, replace(turned, confidence=0.55, readings=readings))
    assert [tile.status for tile in view.layout] == ["placed", status]


def test_fixed_whoever_opens_with_0_0_0_is_asked_for_his_triple_and_his_answer_is_an_order(table: Table) -> None:
    table.begin(Match("uk-tridomino", ("Ana", "Bo")))
    (question,) = played(table, "begin", "A lays 0-0-0 at 0,0,U").questions
    assert (question.id, question.what, question.about and question.about.reason) == ("o3", "show-triple", "ok-opening")
    assert [(option.line, option.what, option.tile, option.seat) for option in question.options[-2:]] == [
        ("A announces 1-1-1", "shows-triple", "1-1-1", 0),
        ("A announces 0-0-0", "is-highest", "0-0-0", 0),
    ]
    view = played(table, question.options[-1].line, "B draws 1")
    assert (view.questions, [seat.score for seat in view.seats]) == ((), [40, -5])


OVER = ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")


def test_fixed_a_hand_that_does_not_add_up_is_answered_with_what_it_may_mean(table: Table) -> None:
    options = (("hands", "2:2"), ("opening", "any"), ("wrong_deal_remedy", "report"))
    table.begin(Match("uk-tridomino", ("Ana", "Bo"), options))
    played(table, *OVER)
    answer = say(table, "B shows 1-1-2 1-1-3")
    assert (answer.status, answer.reason) == ("refused", "hand-count-wrong")
    assert [(option.line, option.what) for option in answer.options] == [
        *(("", "count-again"), ("B holds 2", "holds"), ("B dealt 3", "dealt"))
    ]
    assert answer.options[1].awards == (wire.Award(1, "draws", -5),)
    for empty in ("B shows nothing", "B holds 0"):
        answer = say(table, empty)
        assert (answer.status, answer.reason) == ("refused", "hand-count-wrong")
        assert [option.what for option in answer.options] == ["count-again", "missing", "dealt"]
    assert say(table, answer.options[1].line).status == "done"
    assert played(table, "B shows nothing").phase == "clearing"


def test_fixed_the_stock_can_be_counted_after_the_last_round_and_asks_before_it_voids_that(table: Table) -> None:
    options = (("hands", "2:2"), ("opening", "any"), ("target", "40"))
    for remedy, status in (("report", "done"), ("void", "refused")):
        match = Match("uk-tridomino", ("Ana", "Bo"), (*options, ("tile_missing_remedy", remedy)))
        table.begin(match)
        assert played(table, *OVER, "B shows 1-1-2").phase == "over"
        assert say(table, "stock 52").status == "done"
        answer = say(table, "stock 51")
        assert (answer.status, table.view.phase) == (status, "over")
    assert (answer.reason, [option.line for option in answer.options]) == ("needs-confirming", ["stock! 51"])
    view = played(table, "stock! 51")
    assert (view.phase, view.round, [seat.score for seat in view.seats]) == ("deal", 1, [0, 0])
    assert played(table, f"undo {view.log[-1].entry}").phase == "over"


def test_fixed_only_what_the_next_player_plays_draws_or_passes_goes_on_after_a_refused_tile(table: Table) -> None:
    begun(table).rest(FIRST, CLASHING)
    for line in ("A exposes 5-5-5", "A holds 8", "A gets 5", "A says 0 drawn"):
        view = played(table, line)
        assert view.dispute is not None
        assert view.dispute.options[0].what == "take-back"
