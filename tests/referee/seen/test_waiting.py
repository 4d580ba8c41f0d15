"""A tile that comes while it is asked what the one before it is waits, so that nobody is blamed or named wrongly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.sighting import Reading, SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import FIRST, FIRST_SPOT, FITTING, Camera, Lamp, begun, beside, say
from tests.referee.seen.test_reconciling import SECOND_SPOT, THIRD, asked

UNREAD = replace(FITTING, confidence=0.4, readings=(Reading((3, 5, 5), 0.4), Reading((3, 3, 5), 0.3)))
CUP = SeenTile("triomino", (), 80.0, 80.0, 10.0, confidence=0.2)


def answered(table: Table, what: str, tile: str | None = None) -> None:
    (question,) = table.view.questions
    option = next(each for each in question.options if (each.what, each.tile) == (what, tile))
    assert say(table, option.line).status == "done"


def laid(table: Table) -> list[tuple[str, int | None, str]]:
    return [(each.line.split()[2], each.seat, each.reason) for each in table.view.log if " lays " in each.line]


def test_fixed_a_tile_joined_to_one_that_cannot_be_read_is_judged_once_that_is_known(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, UNREAD)
    view = camera.rest(FIRST, UNREAD, THIRD)
    assert (asked(view), lamp.buzzes, len(laid(table))) == (["which-tile"], 0, 1)
    answered(table, "tile", "3-5-5")
    assert laid(table)[1:] == [("5-3-5", 1, "ok-edge"), ("3-4-5", 0, "ok-edge")]
    assert (table.view.questions, lamp.buzzes) == ((), 0)


def test_fixed_a_tile_joined_to_one_that_lies_askew_is_judged_once_that_is_pushed_into_place(
    table: Table, lamp: Lamp
) -> None:
    camera = begun(table)
    askew = replace(FITTING, x_mm=FITTING.x_mm + 12.0, angle_deg=FITTING.angle_deg + 30.0)
    camera.rest(FIRST, askew)
    view = camera.rest(FIRST, askew, THIRD)
    assert (asked(view), lamp.buzzes, len(laid(table))) == (["unclear-place"], 0, 1)
    view = camera.rest(FIRST, FITTING, THIRD)
    assert laid(table)[1:] == [("5-3-5", 1, "ok-edge"), ("3-4-5", 0, "ok-edge")]
    assert (view.questions, lamp.buzzes) == ((), 0)


def test_fixed_two_at_once_of_which_one_cannot_be_read_are_asked_about_one_after_the_other(
    table: Table, lamp: Lamp
) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, UNREAD, THIRD)
    assert (asked(view), lamp.buzzes) == (["which-tile"], 0)
    answered(table, "tile", "3-5-5")
    assert [each[2] for each in laid(table)] == ["ok-opening", "ok-edge", "ok-edge"]
    assert (table.view.questions, lamp.buzzes) == ((), 0)


def test_a_wrong_tile_that_waited_buzzes_only_when_it_is_sure(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    wrong = beside(CellSpot(Cell(0, 1, "U"), (3, 1, 2)), (FIRST, FIRST_SPOT), (FITTING, SECOND_SPOT))
    camera.rest(FIRST, UNREAD)
    camera.rest(FIRST, UNREAD, wrong)
    assert (lamp.buzzes, lamp.lit) == (0, False)
    answered(table, "tile", "3-5-5")
    assert [each[1:] for each in laid(table)[2:]] == [(0, "edge-mismatch")]
    assert (lamp.buzzes, lamp.lit) == (1, True)


def test_fixed_who_opened_is_answered_before_the_second_tile_is_judged(tmp_path: Path, lamp: Lamp) -> None:
    journal = Journal(tmp_path / "other.sqlite3")
    table = Table(journal, lamp, "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo")))
    camera = Camera(table)
    camera.rest()
    first = replace(FIRST, values=(5, 5, 5))
    assert asked(camera.rest(first)) == ["who-opens"]
    second = beside(CellSpot(Cell(0, 0, "D"), (5, 5, 4)), (first, CellSpot(FIRST_SPOT.cell, (5, 5, 5))))
    view = camera.rest(first, second)
    assert (asked(view), laid(table)) == (["who-opens"], [])
    opens = next(each for each in view.questions[0].options if each.seat == 1)
    assert say(table, opens.line).status == "done"
    assert [each[1:] for each in laid(table)] == [(1, "ok-opening"), (0, "ok-edge")]
    assert (table.view.questions, lamp.buzzes) == ((), 0)
    journal.close()


def test_what_lies_apart_and_cannot_be_read_keeps_nobody_waiting(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    assert asked(camera.rest(FIRST, CUP)) == ["which-tile"]
    view = camera.rest(FIRST, CUP, FITTING)
    assert (laid(table)[1:], asked(view), lamp.buzzes) == ([("5-3-5", 1, "ok-edge")], ["which-tile"], 0)


def test_a_tile_that_waited_and_was_taken_away_again_has_never_been_there(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, UNREAD)
    camera.rest(FIRST, UNREAD, THIRD)
    camera.rest(FIRST, UNREAD)
    answered(table, "tile", "3-5-5")
    assert laid(table)[1:] == [("5-3-5", 1, "ok-edge")]
    assert (table.view.questions, lamp.buzzes) == ((), 0)


def test_fixed_a_refused_tile_that_was_taken_away_is_not_laid_by_an_undo_of_what_it_clashed_with(
    tmp_path: Path, lamp: Lamp
) -> None:
    journal = Journal(tmp_path / "other.sqlite3")
    table = Table(journal, lamp, "one")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("opening", "any"),)))
    camera = Camera(table)
    camera.rest()
    first = SeenTile("domino", (6, 6), 300.0, 200.0, 90.0)
    second = SeenTile("domino", (4, 6), 336.4, 200.0, 180.0)
    third = SeenTile("domino", (1, 6), 263.6, 200.0, 0.0)
    clashing = SeenTile("domino", (3, 6), 336.4, 200.0, 180.0)
    beyond = replace(clashing, x_mm=384.8)
    for tiles in ((first,), (first, second), (first, second, third)):
        camera.rest(*tiles)
    view = camera.rest(first, second, third, beyond)
    assert [each[1:] for each in laid(table)][2:] == [(0, "ok-place"), (1, "end-mismatch")]
    assert lamp.buzzes == 1
    camera.rest(first, second, third)
    for _ in range(2):
        assert table.record is not None
        answer = say(table, f"undo {table.record.state.layout[-1].entry}")
        assert answer.status == "done" or (answer.outlook and say(table, answer.outlook.line).status == "done")
    view = camera.rest(first)
    assert [str(placed.tile) for placed in table.record.state.layout] == ["6-6"]
    assert (view.turn, view.questions) == (1, ())
    view = camera.rest(first, clashing)
    assert (laid(table)[-1], lamp.buzzes) == (("3-6", 1, "ok-place"), 1)
    journal.close()
