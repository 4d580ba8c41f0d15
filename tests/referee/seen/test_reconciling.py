"""Start and restart with tiles lying there, and tiles that are not where the record says: asked, never invented."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import pytest

from referee import notation, wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot, Place
from referee.sighting import Reading, SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import CLASHING, FIRST, FIRST_SPOT, FITTING, Camera, Lamp, begun, beside, say

SECOND_SPOT = CellSpot(Cell(0, 0, "D"), (5, 3, 5))
THIRD_SPOT = CellSpot(Cell(0, 1, "U"), (3, 4, 5))
THIRD = beside(THIRD_SPOT, (FIRST, FIRST_SPOT), (FITTING, SECOND_SPOT))
FAR = SeenTile("triomino", (1, 2, 4), 520.0, 320.0, 20.0)


def three(table: Table) -> Camera:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    view = camera.rest(FIRST, FITTING, THIRD)
    assert statuses(view) == ["placed"] * 3
    return camera


def statuses(view: wire.View) -> list[str]:
    return [tile.status for tile in view.layout]


def asked(view: wire.View) -> list[str]:
    return [question.what for question in view.questions]


def options(view: wire.View) -> dict[str, str]:
    (question,) = view.questions
    return {option.what: option.line for option in question.options}


def pushed(tile: SeenTile, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> SeenTile:
    """A tile after the whole table was turned about its middle and moved."""
    turn = radians(turn_deg)
    x, y = tile.x_mm - 300.0, tile.y_mm - 200.0
    return replace(
        tile,
        x_mm=300.0 + x_mm + x * cos(turn) - y * sin(turn),
        y_mm=200.0 + y_mm + x * sin(turn) + y * cos(turn),
        angle_deg=tile.angle_deg + turn_deg,
    )


# --- a restart ----------------------------------------------------------------------------------------


def test_after_a_restart_the_same_tiles_pushed_a_little_are_gone_on_with_silently(table: Table, path: Path) -> None:
    three(table)
    before = table.view
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    tiles = [pushed(tile, 4.0, -3.0, 2.0) for tile in (THIRD, FIRST, FITTING)]
    view = Camera(again, "new camera").rest(*tiles)
    assert (view.questions, statuses(view), view.turn) == ((), ["placed"] * 3, before.turn)
    assert (view.seats, lamp.buzzes) == (before.seats, 0)
    journal.close()


@pytest.mark.parametrize("push", [(60.0, 0.0, 0.0), (-35.0, 48.0, 12.0), (0.0, 0.0, -20.0), (23.0, 0.0, 0.0)])
def test_a_layout_that_was_pushed_as_a_whole_is_followed_silently(
    table: Table, lamp: Lamp, push: tuple[float, float, float]
) -> None:
    camera = three(table)
    tiles = [pushed(tile, *push) for tile in (FIRST, FITTING, THIRD)]
    view = camera.rest(*tiles)
    assert (view.questions, statuses(view)) == ((), ["placed"] * 3)
    fourth = CellSpot(Cell(0, 1, "D"), (5, 5, 4))
    laid = beside(fourth, *zip(tiles, (FIRST_SPOT, SECOND_SPOT, THIRD_SPOT), strict=True))
    view = camera.rest(*tiles, laid)
    assert view.last is not None
    assert (view.last.reason, lamp.buzzes) == ("edge-mismatch", 1), "what is beside it now is what it is judged by"


def test_a_tile_that_was_laid_while_nobody_looked_is_asked_about_and_counts_once_confirmed(
    table: Table, path: Path
) -> None:
    begun(table)
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    view = Camera(again, "new camera").rest(FIRST, FITTING)
    assert (asked(view), lamp.buzzes, view.turn) == (["not-in-record"], 0, 1)
    assert say(again, options(view)["stands"]).status == "done"
    view = again.view
    assert view.last is not None
    assert (view.last.reason, view.last.seat, view.questions, view.turn) == ("ok-edge", 1, (), 0)
    journal.close()


def test_an_eye_that_was_started_again_in_mid_game_changes_nothing(table: Table, lamp: Lamp) -> None:
    three(table)
    before = table.view
    anew = Camera(table, "another eye")
    anew.tiles = ()
    anew.busy()
    view = anew.rest(FIRST, FITTING, THIRD)
    assert (view.log, view.seats, view.turn, view.questions, lamp.buzzes) == (before.log, before.seats, 1, (), 0)
    view = anew.rest(FIRST, FITTING)
    assert asked(view) == ["missing"]


def test_an_illegal_tile_goes_on_being_disputed_when_the_eye_is_started_again(table: Table, lamp: Lamp) -> None:
    begun(table).rest(FIRST, CLASHING)
    view = Camera(table, "another eye").rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert (lamp.buzzes, lamp.lit) == (1, True)


def test_fixed_a_triple_that_was_laid_while_nobody_looked_is_measured_from_as_it_was_meant(
    table: Table, path: Path
) -> None:
    begun(table).rest(FIRST, FITTING)
    at = CellSpot(Cell(1, 0, "U"), (5, 5, 5))
    triple = beside(at, (FIRST, FIRST_SPOT), (FITTING, SECOND_SPOT))
    journal = Journal(path)
    again = Table(journal, Lamp(), "two")
    camera = Camera(again, "new camera")
    seen = replace(triple, angle_deg=triple.angle_deg + 120.0)
    view = camera.rest(FIRST, FITTING, seen)
    assert say(again, options(view)["stands"]).status == "done"
    next_to_it = beside(CellSpot(Cell(1, 0, "D"), (5, 5, 2)), (FITTING, SECOND_SPOT), (triple, at))
    view = camera.rest(FIRST, FITTING, seen, next_to_it)
    assert view.last is not None
    assert (view.last.line, view.last.legal) == ("B lays 5-5-2 at 1,0,D", True)
    journal.close()


def test_several_tiles_laid_while_nobody_looked_are_asked_about_one_by_one_in_an_order_that_fits(
    table: Table, path: Path
) -> None:
    begun(table)
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    view = Camera(again, "new camera").rest(THIRD, FAR, FIRST, FITTING)
    for tile in ("3-5-5", "3-4-5"):
        assert asked(view) == ["not-in-record"]
        assert view.questions[0].options[0].tile == tile
        assert say(again, options(view)["stands"]).status == "done"
        view = again.view
    assert view.questions[0].options[0].tile == "1-2-4"
    assert say(again, options(view)["not-a-move"]).status == "done"
    assert (again.view.questions, lamp.buzzes) == ((), 0)
    assert [ruled.reason for ruled in again.view.log][-2:] == ["ok-edge", "ok-edge"]
    journal.close()


def test_tiles_that_are_gone_after_a_restart_are_asked_about_one_by_one(table: Table, path: Path) -> None:
    three(table)
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    camera = Camera(again, "new camera")
    view = camera.rest(FIRST)
    assert (asked(view), statuses(view)) == (["missing"], ["placed", "missing", "missing"])
    assert say(again, options(view)["it-lies-there"]).status == "done"
    assert asked(again.view) == ["missing"]
    assert say(again, options(again.view)["take-back"]).status == "done"
    assert (again.view.questions, again.view.turn, lamp.buzzes) == ((), 0, 0)
    view = camera.rest(FIRST, FITTING)
    assert (view.questions, statuses(view)) == ((), ["placed", "placed"])
    journal.close()


def test_fixed_what_people_said_of_a_tile_is_not_asked_again_after_a_restart(table: Table, path: Path) -> None:
    camera = three(table)
    odd = replace(FAR, confidence=0.4, readings=(Reading((1, 2, 4), 0.4),))
    view = camera.rest(FIRST, THIRD, odd)
    assert sorted(asked(view)) == ["missing", "which-tile"]
    for question in view.questions:
        last = next(option for option in question.options if option.what in ("not-a-tile", "it-lies-there"))
        assert say(table, last.line).status == "done"
    journal, lamp = Journal(path), Lamp()
    again = Table(journal, lamp, "two")
    view = Camera(again, "new camera").rest(FIRST, THIRD, odd)
    assert (view.questions, lamp.buzzes) == ((), 0)
    journal.close()


def test_what_was_ignored_in_an_earlier_round_is_a_tile_like_any_other_in_the_next(table: Table, path: Path) -> None:
    camera = begun(table)
    odd = replace(FITTING, confidence=0.4, readings=(Reading(FITTING.values, 0.4),))
    view = camera.rest(FIRST, odd)
    assert say(table, view.questions[0].options[-1].line).status == "done"
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    camera.rest()
    camera.rest(FIRST)
    journal = Journal(path)
    view = Camera(Table(journal, Lamp(), "two"), "new camera").rest(FIRST, FITTING)
    assert asked(view) == ["not-in-record"]
    journal.close()


# --- moved, swapped, turned, replaced -----------------------------------------------------------------


def test_a_tile_that_now_lies_elsewhere_is_asked_about_and_no_move(table: Table, lamp: Lamp) -> None:
    camera = three(table)
    before = table.view
    away = replace(THIRD, x_mm=100.0, y_mm=100.0)
    view = camera.rest(FIRST, FITTING, away)
    assert (asked(view), view.seats, view.turn, lamp.buzzes) == (["moved"], before.seats, before.turn, 0)
    shown = view.questions[0].tile
    assert shown is not None
    assert (shown.x_mm, shown.y_mm) == (100.0, 100.0)
    view = camera.rest(FIRST, FITTING, THIRD)
    assert (view.questions, statuses(view)) == ((), ["placed"] * 3), "put back it is as if nothing had been"


def two_places(table: Table, tile: str) -> list[SeenTile]:
    """Two of the places beside the first two tiles where a tile fits, as it would lie there."""
    lines = table.ask(wire.Ask("a", "places", (tile,))).lines
    acts = [notation.parse(line.split(" ", 2)[2]) for line in lines]
    spots = [act.spot for act in acts if isinstance(act, Place) and isinstance(act.spot, CellSpot)]
    return [beside(spot, (FIRST, FIRST_SPOT), (FITTING, SECOND_SPOT)) for spot in (spots[0], spots[-1])]


def test_a_tile_moved_to_another_place_where_it_fits_can_be_corrected_to_it(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    one, other = two_places(table, "0-5-5")
    assert camera.rest(FIRST, FITTING, one).turn == 1
    view = camera.rest(FIRST, FITTING, other)
    assert (asked(view), view.turn, lamp.buzzes) == (["moved"], 1, 0)
    answer = say(table, options(view)["place"])
    assert answer.status == "done" or answer.outlook is not None
    if answer.outlook is not None:
        assert say(table, answer.outlook.line).status == "done"
    assert (table.view.questions, statuses(table.view), table.view.turn) == ((), ["placed"] * 3, 1)
    view = camera.rest(FIRST, FITTING, other)
    assert (view.questions, len(view.log), lamp.buzzes) == ((), 5, 0)


def test_a_tile_moved_away_and_taken_back_awaits_its_removal(table: Table, lamp: Lamp) -> None:
    camera = three(table)
    away = replace(THIRD, x_mm=100.0, y_mm=100.0)
    view = camera.rest(FIRST, FITTING, away)
    assert say(table, options(view)["take-back"]).status == "done"
    assert asked(table.view) == ["awaiting-removal"]
    assert camera.rest(FIRST, FITTING, away).turn == 0
    view = camera.rest(FIRST, FITTING)
    assert (view.questions, statuses(view), lamp.buzzes) == ((), ["placed", "placed"], 0)


def test_two_tiles_that_were_swapped_are_asked_about_one_by_one_and_swapped_back_forgotten(
    table: Table, lamp: Lamp
) -> None:
    camera = three(table)
    before = table.view
    third = replace(THIRD, x_mm=FIRST.x_mm, y_mm=FIRST.y_mm, angle_deg=FIRST.angle_deg)
    first = replace(FIRST, x_mm=THIRD.x_mm, y_mm=THIRD.y_mm, angle_deg=THIRD.angle_deg)
    view = camera.rest(third, FITTING, first)
    assert (asked(view), view.seats, view.turn, lamp.buzzes) == (["moved"], before.seats, before.turn, 0)
    assert say(table, options(view)["it-lies-there"]).status == "done"
    assert asked(table.view) == ["moved"]
    view = camera.rest(FIRST, FITTING, THIRD)
    assert (view.questions, statuses(view)) == ((), ["placed"] * 3)


def test_another_tile_in_the_place_of_one_that_was_laid_is_asked_about_never_judged(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    other = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 4)), (FIRST, FIRST_SPOT))
    view = camera.rest(FIRST, other)
    assert (asked(view), view.turn, lamp.buzzes) == (["another-tile"], 0, 0)
    assert "tile" in options(view)
    answer = say(table, options(view)["tile"])
    assert answer.status == "done"
    assert (table.view.questions, statuses(table.view), lamp.buzzes) == ((), ["placed", "placed"], 0)
    assert [seat.score for seat in table.view.seats] == [8, 12]


def test_a_tile_taken_back_by_hand_and_another_laid_instead_is_the_same_players(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    other = beside(CellSpot(Cell(0, -1, "D"), (0, 0, 5)), (FIRST, FIRST_SPOT))
    assert asked(camera.rest(FIRST)) == ["missing"]
    view = camera.rest(FIRST, other)
    assert (asked(view), view.turn, len(view.log), lamp.buzzes) == (["missing"], 0, 3, 0)
    assert say(table, options(view)["take-back"]).status == "done"
    view = table.view
    assert view.last is not None
    assert (view.last.seat, view.last.legal, view.turn, view.questions, lamp.buzzes) == (1, True, 0, (), 0)


def test_an_illegal_tile_that_is_turned_in_its_place_is_judged_anew(table: Table, lamp: Lamp) -> None:
    wrong = beside(CellSpot(Cell(0, 0, "D"), (5, 5, 3)), (FIRST, FIRST_SPOT))
    camera = begun(table)
    assert camera.rest(FIRST, wrong).dispute is not None
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.dispute, view.last.reason, lamp.buzzes, lamp.lit) == (None, "ok-edge", 1, False)


def test_an_illegal_tile_changed_for_another_in_one_go_is_judged_anew(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    assert camera.rest(FIRST, CLASHING).dispute is not None
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.dispute, view.last.reason, view.last.seat, lamp.buzzes) == (None, "ok-edge", 1, 1)


def test_an_accepted_tile_that_was_turned_in_its_place_is_asked_about(table: Table, lamp: Lamp) -> None:
    camera = three(table)
    view = camera.rest(FIRST, FITTING, replace(THIRD, angle_deg=THIRD.angle_deg + 120.0))
    assert (asked(view), view.turn, lamp.buzzes) == (["moved"], 1, 0)
    assert camera.rest(FIRST, FITTING, THIRD).questions == ()


def test_a_neighbour_that_was_pushed_off_is_followed_and_not_reported(table: Table, lamp: Lamp) -> None:
    camera = three(table)
    view = camera.rest(FIRST, FITTING, replace(THIRD, x_mm=THIRD.x_mm + 19.0, y_mm=THIRD.y_mm + 4.0))
    assert (view.questions, statuses(view), lamp.buzzes) == ((), ["placed"] * 3, 0)


def test_fixed_the_eye_is_told_how_often_the_set_has_each_tile(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "other.sqlite3")
    table = Table(journal, Lamp(), "one", copies=2)
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    assert table.facts().copies == 2
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    twin = replace(FITTING, x_mm=100.0, y_mm=100.0)
    view = camera.rest(FIRST, twin)
    assert "moved" not in asked(view), "it may be the other one of the two"
    journal.close()


# --- tiles taken back ---------------------------------------------------------------------------------


def test_five_moves_taken_back_and_left_lying_are_no_moves_and_vanish_in_any_order(table: Table, lamp: Lamp) -> None:
    camera = three(table)
    laid: list[tuple[SeenTile, CellSpot]] = [(FIRST, FIRST_SPOT), (FITTING, SECOND_SPOT), (THIRD, THIRD_SPOT)]
    for tile in ("0-0-5", "0-0-3", "3-3-4", "4-4-5"):
        lines = table.ask(wire.Ask("a", "places", (tile,))).lines
        act = notation.parse(lines[0].split(" ", 2)[2])
        assert isinstance(act, Place)
        assert isinstance(act.spot, CellSpot)
        laid.append((beside(act.spot, *laid), act.spot))
        view = camera.rest(*(seen for seen, _ in laid))
        assert view.last is not None
        assert view.last.legal
    tiles = [seen for seen, _ in laid]
    count = len(table.view.log)
    for _ in range(5):
        undo = latest_entry(table)
        assert say(table, f"undo {undo}").status == "done"
    assert statuses(table.view) == ["placed"] * 2 + ["removal"] * 5
    camera.busy()
    view = camera.rest(*tiles)
    assert (len(view.log), statuses(view).count("removal"), lamp.buzzes, lamp.lit) == (count + 5, 5, 0, False)
    for gone in (4, 2, 6, 3, 5):
        tiles = [tile for tile in tiles if tile is not laid[gone][0]]
        view = camera.rest(*tiles)
        assert (len(view.log), lamp.buzzes, view.dispute) == (count + 5, 0, None)
    assert (view.questions, statuses(view), view.turn) == ((), ["placed"] * 2, 0)
    view = camera.rest(*tiles, THIRD)
    assert view.last is not None
    assert (view.last.reason, view.last.seat) == ("ok-edge", 0)


def latest_entry(table: Table) -> int:
    assert table.record is not None
    placed = table.record.state.layout[-1].entry
    assert placed is not None
    return placed


def test_a_tile_taken_back_and_pushed_aside_still_awaits_its_removal(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    assert say(table, f"undo {latest_entry(table)}").status == "done"
    aside = replace(FITTING, x_mm=80.0, y_mm=330.0)
    for _ in range(2):
        view = camera.rest(FIRST, aside)
        assert (view.dispute, statuses(view), lamp.buzzes) == (None, ["placed", "removal"], 0)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.turn, view.questions) == ("ok-edge", 0, ()), "where it fits it is laid anew"


# --- what is no move ----------------------------------------------------------------------------------


def test_a_tile_lifted_and_laid_elsewhere_within_one_visit_is_one_move(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.busy()
    view = camera.rest(FIRST, FITTING)
    assert (len(view.log), view.turn, lamp.buzzes) == (3, 0, 0)


def test_a_tile_between_two_cells_is_a_question(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(FITTING, x_mm=FITTING.x_mm + 12.0, angle_deg=FITTING.angle_deg + 30.0))
    assert (asked(view), lamp.buzzes, view.turn) == (["unclear-place"], 0, 1)


def test_a_tile_on_top_of_another_is_a_question(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    on_top = replace(FITTING, x_mm=FIRST.x_mm + 3.0, y_mm=FIRST.y_mm + 2.0)
    view = camera.rest(on_top)
    assert (asked(view), lamp.buzzes, view.turn) == (["another-tile"], 0, 1)
    view = camera.rest(FIRST)
    assert (view.questions, statuses(view)) == ((), ["placed"])


def test_face_down_tiles_lie_there_and_mean_nothing(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    backs = [SeenTile("triomino", (), 60.0 + 45.0 * n, 60.0, 10.0 * n, face_up=False) for n in range(6)]
    view = camera.rest(FIRST, *backs)
    assert (view.questions, view.turn, lamp.buzzes) == ((), 1, 0)
    assert camera.rest(FIRST, *backs[:3], FITTING).turn == 0
