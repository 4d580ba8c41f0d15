"""Draws by camera: what leaves the boneyard, and who has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import wire
from referee.journal import Journal
from referee.sighting import SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import FIRST, FITTING, Camera, Lamp, say
from tests.referee.zoning import ZONES, backs

GAME = "official-goliath"  # at most three tiles are drawn in a turn, also with one that fits
OPTIONS = (("opening", "any"),)


@pytest.fixture
def table(path: Path, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(path)
    table = Table(journal, lamp, "one", zones=ZONES)
    table.begin(Match(GAME, ("Ana", "Bo"), OPTIONS, (90, 270), ("draws",)))
    yield table
    journal.close()


def opened(table: Table, *more: SeenTile) -> Camera:
    """A camera over a table on which the first tile lies and the boneyard is whole: 38 tiles."""
    camera = Camera(table)
    camera.rest()
    camera.rest(*backs(38))
    view = camera.rest(FIRST, *backs(38), *more)
    assert (view.phase, view.turn, view.stock, view.boneyard) == ("play", 1, 38, 38)
    assert not view.questions
    return camera


def lines(view: wire.View) -> list[str]:
    return [ruled.line for ruled in view.log]


def asked(view: wire.View) -> list[tuple[str, list[tuple[str, int | None]]]]:
    return [(each.what, [(option.what, option.seat) for option in each.options]) for each in view.questions]


def choose(table: Table, what: str, seat: int | None = None) -> wire.Answer:
    options = table.view.questions[0].options
    return say(table, next(each.line for each in options if (each.what, each.seat) == (what, seat)))


def test_a_tile_that_leaves_the_boneyard_is_a_draw_of_the_player_to_move(table: Table) -> None:
    camera = opened(table)
    view = camera.rest(FIRST, *backs(37))
    assert lines(view)[-1] == "B draws 1"
    assert (view.stock, view.boneyard, view.seats[1].tiles, view.seats[1].score) == (37, 37, 10, -5)
    assert not view.questions


def test_tiles_pushed_about_in_the_boneyard_are_no_draw(table: Table) -> None:
    camera = opened(table)
    before = camera.table.view
    view = camera.rest(FIRST, *backs(38, first=3))
    assert (lines(view), view.stock) == (lines(before), 38)


def test_a_tile_pushed_a_little_over_the_edge_still_lies_in_the_boneyard(table: Table) -> None:
    camera = opened(table)
    over = SeenTile("triomino", (), ZONES.boneyard.right_mm + 25.0, 200.0, 0.0, face_up=False)
    assert camera.rest(FIRST, *backs(37), over).stock == 38
    away = SeenTile("triomino", (), ZONES.boneyard.right_mm + 60.0, 200.0, 0.0, face_up=False)
    assert camera.rest(FIRST, *backs(37), away).stock == 37


def test_while_a_hand_is_over_the_boneyard_nothing_is_drawn(table: Table) -> None:
    camera = opened(table)
    camera.tiles = (FIRST, *backs(20))
    assert camera.busy().stock == 38
    assert camera.rest(FIRST, *backs(38)).stock == 38


def test_a_tile_in_the_boneyard_is_never_a_placement(table: Table) -> None:
    camera = opened(table)
    shown = SeenTile("triomino", (1, 1, 1), 60.0, 200.0, 0.0)
    view = camera.rest(FIRST, *backs(37), shown)
    assert (view.stock, view.dispute, view.questions) == (38, None, ())


def test_a_tile_that_goes_straight_from_the_boneyard_to_the_layout_is_a_draw_and_a_placement(table: Table) -> None:
    camera = opened(table)
    view = camera.rest(FIRST, FITTING, *backs(37))
    assert lines(view)[-2:] == ["B draws 1", "B lays 5-3-5 at 0,0,D"]
    assert (view.turn, view.seats[1].tiles) == (0, 9)


def test_two_tiles_that_leave_at_once_are_asked_about(table: Table) -> None:
    camera = opened(table)
    view = camera.rest(FIRST, *backs(36))
    assert asked(view) == [("who-drew", [("drew", 1), ("drew", 0), ("elsewhere", None)])]
    assert choose(table, "drew", 1).status == "done"
    view = table.view
    assert (lines(view)[-1], view.stock, view.questions) == ("B draws 2", 36, ())


def test_a_tile_laid_in_the_same_breath_waits_for_the_answer_who_drew(table: Table) -> None:
    camera = opened(table)
    view = camera.rest(FIRST, FITTING, *backs(36))
    assert lines(view)[-1] != "B lays 5-3-5 at 0,0,D"
    choose(table, "drew", 1)
    assert lines(table.view)[-2:] == ["B draws 2", "B lays 5-3-5 at 0,0,D"]


def test_tiles_that_people_say_lie_elsewhere_are_no_draw_and_the_next_one_is(table: Table) -> None:
    camera = opened(table)
    camera.rest(FIRST, *backs(36))
    assert choose(table, "elsewhere").status == "done"
    assert (table.view.stock, table.view.questions) == (38, ())
    view = camera.rest(FIRST, *backs(35))
    assert (lines(view)[-1], view.stock, view.questions) == ("B draws 1", 37, ())


def test_a_draw_that_the_rules_do_not_allow_is_ruled_so_and_then_asked_about(table: Table, lamp: Lamp) -> None:
    camera = opened(table)
    for left in (37, 36, 35):
        camera.rest(FIRST, *backs(left))
    view = camera.rest(FIRST, *backs(34))
    assert view.last is not None
    assert (view.last.line, view.last.reason, view.last.legal) == ("B draws 1", "draw-limit", False)
    assert (view.stock, lamp.buzzes) == (35, 0)
    assert asked(view)[0][0] == "stock-short"
    refused = lines(view)
    assert lines(camera.rest(FIRST, *backs(34))) == refused, "it is refused once"
    view = camera.rest(FIRST, *backs(35))
    assert (view.questions, view.stock) == ((), 35), "it was put back"


def test_a_tile_drawn_too_many_may_be_kept(table: Table) -> None:
    camera = opened(table)
    for left in (37, 36, 35, 34):
        camera.rest(FIRST, *backs(left))
    assert choose(table, "drew", 1).status == "done"
    assert (lines(table.view)[-1], table.view.stock) == ("B holds 13", 34)


def test_who_clearly_reaches_from_another_seat_has_drawn_out_of_turn(table: Table) -> None:
    camera = opened(table)
    camera.reached(90.0)  # Ana's side, but it is Bo's turn
    view = camera.rest(FIRST, *backs(37))
    assert view.last is not None
    assert (view.last.line, view.last.reason) == ("A draws 1", "out-of-turn")


def test_when_it_is_not_clear_whose_hand_it_was_it_is_asked(table: Table) -> None:
    camera = opened(table)
    camera.reached(164.0)
    view = camera.rest(FIRST, *backs(37))
    assert asked(view)[0][0] == "who-drew"
    assert view.stock == 38


def test_when_two_hands_came_before_the_rest_it_is_asked(table: Table) -> None:
    camera = opened(table)
    camera.reached(270.0, 270.0)
    assert asked(camera.rest(FIRST, *backs(37)))[0][0] == "who-drew"


def test_a_boneyard_that_is_not_what_the_record_says_is_asked_about_and_never_assumed(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    camera.rest(*backs(30))
    view = camera.rest(FIRST, *backs(30))
    assert (view.stock, view.boneyard) == (38, 30)
    assert asked(view)[0][0] == "stock-short"
    choose(table, "elsewhere")
    view = camera.rest(FIRST, *backs(29))
    assert (lines(view)[-1], view.stock, view.questions) == ("B draws 1", 37, ())


def test_a_draw_that_is_taken_back_is_not_drawn_again_by_the_camera(table: Table) -> None:
    camera = opened(table)
    view = camera.rest(FIRST, *backs(37))
    assert view.last is not None
    assert say(table, f"undo {view.last.entry}").status == "done"
    assert (table.view.stock, table.view.questions) == (38, ())
    view = camera.rest(FIRST, *backs(37))
    assert (view.stock, asked(view)[0][0]) == (38, "stock-short")
    assert camera.rest(FIRST, *backs(38)).questions == ()


def test_a_draw_that_was_said_first_is_not_counted_twice(table: Table) -> None:
    camera = opened(table)
    say(table, "B draws 1")
    view = camera.rest(FIRST, *backs(37))
    assert (view.stock, view.questions) == (37, ())
    assert [line for line in lines(view) if "draws" in line] == ["B draws 1"]


def test_a_tile_that_comes_back_is_asked_about_and_its_draw_may_be_undone(table: Table) -> None:
    camera = opened(table)
    camera.rest(FIRST, *backs(37))
    view = camera.rest(FIRST, *backs(38))
    assert asked(view)[0][0] == "stock-over"
    assert choose(table, "take-back", 1).status == "done"
    assert (table.view.stock, table.view.questions) == (38, ())


def test_dealing_is_no_drawing(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    for left in (56, 47, 38, 39, 38, 37, 38):
        assert [ruled.line for ruled in camera.rest(*backs(left)).log] == ["begin"]
    assert camera.rest(FIRST, *backs(38)).questions == ()


def test_an_eye_that_begins_anew_books_no_draws_for_what_it_did_not_see(table: Table) -> None:
    camera = opened(table)
    camera.epoch = "another"
    view = camera.rest(FIRST, *backs(37))
    assert (view.stock, asked(view)[0][0]) == (38, "stock-short")


def test_in_a_match_that_does_not_watch_it_the_boneyard_means_nothing(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one", zones=ZONES)
    table.begin(Match(GAME, ("Ana", "Bo"), OPTIONS))
    camera = Camera(table)
    camera.rest()
    camera.rest(FIRST, *backs(38))
    view = camera.rest(FIRST, *backs(30))
    assert (view.stock, view.boneyard, view.questions) == (38, None, ())
    assert table.facts().zones == ()
    journal.close()


def test_where_nobody_can_open_each_draws_a_tile_from_the_boneyard(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one", zones=ZONES)
    table.begin(Match("cs-triomino", ("Ana", "Bo"), (), (90, 270), ("draws",)))
    camera = Camera(table)
    camera.rest()
    camera.rest(*backs(38))
    say(table, "A announces nothing")
    say(table, "B announces nothing")
    view = camera.rest(*backs(37))
    assert asked(view) == [("who-drew", [("drew", 0), ("drew", 1), ("elsewhere", None)])]
    choose(table, "drew", 0)
    view = camera.rest(*backs(36))
    assert lines(view)[-2:] == ["A draws 1", "B draws 1"], "the order of that lap is known now"
    journal.close()


def test_the_match_is_begun_without_zones_where_the_mat_has_no_room(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    answer = say(table, "match fr-domino A=Ana B=Bo zones=draws")
    assert (answer.status, answer.reason) == ("refused", "no-zones")
    assert say(table, "match fr-domino A=Ana B=Bo").status == "done"
    journal.close()
