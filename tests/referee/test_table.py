"""The table: what lies there, what the record says, and what people are told when they differ."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee import wire
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


def test_fixed_of_the_orders_in_which_two_tiles_may_have_been_laid_one_is_taken_that_is_legal_to_its_end(
    table: Table, lamp: Lamp
) -> None:
    camera = Camera(table)
    camera.rest()
    assert say(table, "B announces 3-5-5").status == "done"
    camera.rest(FIRST)
    other = beside(CellSpot(Cell(0, -1, "D"), (0, 0, 5)), (FIRST, FIRST_SPOT))
    view = camera.rest(FIRST, other, FITTING)
    assert [(ruled.seat, ruled.reason) for ruled in view.log][-2:] == [(1, "ok-edge"), (0, "ok-edge")]
    assert table.record is not None
    assert [str(placed.tile) for placed in table.record.state.layout] == ["0-3-5", "3-5-5", "0-0-5"]
    assert (view.questions, lamp.buzzes) == ((), 0)


def test_two_tiles_of_one_hand_in_one_settle_are_asked_about_as_either_may_have_been_laid_first(
    table: Table, lamp: Lamp
) -> None:
    camera = Camera(table)
    camera.rest()
    assert say(table, "B announces 3-5-5").status == "done"
    camera.rest(FIRST)
    assert say(table, "B exposes 0-0-5").status == "done"
    other = beside(CellSpot(Cell(0, -1, "D"), (0, 0, 5)), (FIRST, FIRST_SPOT))
    view = camera.rest(FIRST, other, FITTING)
    assert [question.what for question in view.questions] == ["two-at-once", "two-at-once"]
    assert (len(view.log), lamp.buzzes) == (4, 0)


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
