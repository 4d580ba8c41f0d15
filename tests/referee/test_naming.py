"""Tiles in doubt: people say which one it is, that one was missed before, or lay it anew; corrections with an eye that
goes on misreading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import games, wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Place
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import Reading, SeenTile
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile
from referee.umpire import Match
from tests.referee.seeing import CLASHING, FIRST, FIRST_SPOT, FITTING, SHAPE, Camera, Lamp, begun, beside, say
from tests.referee.seen.test_reconciling import SECOND_SPOT, THIRD

# as the tile that fits lies there, with one number that cannot be told
DOUBTFUL = replace(
    FITTING,
    values=(1, 3, 5),
    confidence=0.5,
    readings=(Reading((1, 5, 5), 0.2), Reading((2, 5, 5), 0.45), Reading((4, 5, 5), 0.3), Reading((2, 5, 5), 0.05)),
)
UNREAD = replace(FITTING, values=(), confidence=0.1)


def question(view: wire.View) -> wire.Question:
    (asked,) = view.questions
    return asked


def lines(view: wire.View) -> dict[str, str]:
    return {option.what: option.line for option in question(view).options}


# --- what is offered ----------------------------------------------------------------------------------


def test_at_most_five_tiles_are_offered_the_likeliest_first_each_once_and_those_that_lie_there_last(
    table: Table,
) -> None:
    likely = ((1, 5, 5), (0, 3, 5), (2, 5, 5), (5, 1, 5), (4, 5, 5), (1, 1, 9), (0, 5, 5), (5, 5, 5), (3, 5, 5))
    readings = tuple(Reading(values, 0.3 - 0.02 * number) for number, values in enumerate(likely))
    view = begun(table).rest(FIRST, replace(CLASHING, values=(1, 5, 5), confidence=0.3, readings=readings))
    offered = [option.tile for option in question(view).options if option.what == "tile"]
    assert offered == ["1-5-5", "2-5-5", "4-5-5", "0-5-5", "5-5-5"]
    assert [option.what for option in question(view).options[5:]] == ["any-tile", "missed-one", "not-a-tile"]


def test_of_a_tile_that_seems_to_lie_there_twice_there_are_five_readings_with_its_own(table: Table) -> None:
    others = ((0, 3, 5), (0, 0, 5), (1, 3, 5), (0, 3, 4), (0, 2, 5), (0, 1, 5), (0, 5, 5))
    readings = tuple(Reading(values, 0.95 if not number else 0.01) for number, values in enumerate(others))
    view = begun(table).rest(FIRST, replace(CLASHING, values=(0, 3, 5), confidence=0.95, readings=readings))
    assert question(view).what == "already-laid"
    assert [option.what for option in question(view).options] == [
        *["tile"] * 4,
        *("stands", "any-tile", "missed-one", "not-a-tile"),
    ]


# --- any tile -----------------------------------------------------------------------------------------


def test_a_tile_that_people_name_is_laid_where_it_was_seen_turned_as_it_was_read(table: Table, lamp: Lamp) -> None:
    view = begun(table).rest(FIRST, DOUBTFUL)
    assert lines(view)["any-tile"] == f"answer {question(view).id} is"
    answer = say(table, f"{lines(view)['any-tile']} 3-5-5", "one")
    assert answer.status == "done"
    assert table.record is not None
    entry = table.record.entries[-1]
    assert (entry.what, entry.by, entry.order_id) == (Place(1, Tile((3, 5, 5)), SECOND_SPOT), "screen", "one")
    assert entry.seen is not None
    assert (entry.seen.x_mm, entry.seen.y_mm, entry.seen.confidence) == (FITTING.x_mm, FITTING.y_mm, 1.0)
    assert (entry.seen.angle_deg - FITTING.angle_deg) % 360 == pytest.approx(0.0, abs=1e-6)
    assert (table.view.questions, lamp.buzzes) == ((), 0)
    assert say(table, f"{lines(view)['any-tile']} 3-5-5", "one").status == "repeated"


def test_a_named_tile_of_which_nothing_could_be_read_is_turned_so_that_it_fits(table: Table) -> None:
    view = begun(table).rest(FIRST, UNREAD)
    assert [option.what for option in question(view).options] == ["any-tile", "missed-one", "not-a-tile"]
    assert say(table, f"{lines(view)['any-tile']} 3-5-5").status == "done"
    assert table.view.last is not None
    assert (table.view.last.line, table.view.last.reason) == ("B lays 5-3-5 at 0,0,D", "ok-edge")


def test_a_named_tile_lies_as_it_was_read_even_if_it_would_fit_otherwise(table: Table, lamp: Lamp) -> None:
    turned = beside(CellSpot(Cell(0, 0, "D"), (5, 5, 3)), (FIRST, FIRST_SPOT))
    clearly = replace(turned, confidence=0.5, readings=(Reading((3, 5, 5), 0.5), Reading((3, 4, 5), 0.4)))
    view = begun(table).rest(FIRST, clearly)
    assert say(table, f"{lines(view)['any-tile']} 3-5-5").reason == "edge-mismatch"
    assert table.view.dispute is not None
    assert lamp.buzzes == 1, "what was read and named is certain"


def test_a_named_tile_that_does_not_fit_is_illegal_and_one_that_lies_already_too(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, UNREAD)
    assert say(table, f"{lines(view)['any-tile']} 1-1-2").reason == "edge-mismatch"
    camera.rest(FIRST)
    view = camera.rest(FIRST, UNREAD)
    assert say(table, f"{lines(view)['any-tile']} 0-3-5").reason == "tile-already-played"
    assert table.view.dispute is not None
    assert lamp.buzzes == 2


@pytest.mark.parametrize("tile", ["1-1-9", "3-5"])
def test_a_tile_that_the_set_has_not_is_refused_and_leaves_no_trace(table: Table, lamp: Lamp, tile: str) -> None:
    view = begun(table).rest(FIRST, UNREAD)
    assert table.record is not None
    before = table.record.entries
    assert say(table, f"{lines(view)['any-tile']} {tile}").reason == "no-such-tile"
    assert (table.record.entries, table.view.questions, lamp.buzzes) == (before, view.questions, 0)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("answer q9 is 3-5-5", "stale"),
        ("answer {id} is", "refused"),
        ("answer {id} is blue", "refused"),
        ("answer {id} was 3-5-5", "refused"),
        ("answer {id} is 3-5-5 now", "refused"),
    ],
)
def test_an_answer_that_names_no_tile_or_an_old_question_changes_nothing(table: Table, line: str, status: str) -> None:
    view = begun(table).rest(FIRST, UNREAD)
    assert say(table, line.format(id=question(view).id)).status == status
    assert table.view.questions == view.questions


def test_who_laid_a_named_opening_tile_is_asked_next(table: Table) -> None:
    camera = Camera(table)
    camera.rest()
    table_of_three = Match("ro-trimino/manufacturer", ("Ana", "Bo", "Cy"))
    table.begin(table_of_three)
    camera.rest()
    view = camera.rest(replace(FIRST, values=(), confidence=0.1))
    assert question(view).what == "which-tile"
    assert say(table, f"{lines(view)['any-tile']} 5-5-5").status == "done"
    view = table.view
    assert question(view).what == "who-opens"
    assert {option.tile for option in question(view).options if option.what == "opens"} == {"5-5-5"}
    assert say(table, question(view).options[1].line).status == "done"
    assert table.view.last is not None
    assert (table.view.last.line, table.view.last.legal) == ("B lays 5-5-5 at 0,0,U", True)


def test_a_named_domino_joins_with_the_half_that_fits(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("opening", "any"),)))
    camera, shape = Camera(table), Shape.domino()
    first = SeenTile("domino", (2, 5), 300.0, 200.0, 0.0)
    camera.rest()
    view = camera.rest(first)
    if view.questions:
        say(table, view.questions[0].options[0].line)
    anchors = (Anchor(Placed(Tile((2, 5)), LineSpot("left"), 0), first),)
    pose = next(placing.poses_of(anchors, Tile((1, 5)), LineSpot("right", 5), shape))
    view = camera.rest(first, replace(pose, values=(), confidence=0.1))
    assert say(table, f"{lines(view)['any-tile']} 1-5").status == "done"
    assert table.view.last is not None
    assert table.view.last.reason.startswith("ok")
    assert table.view.ends == (2, 1)
    journal.close()


# --- one was missed before ----------------------------------------------------------------------------


def test_a_tile_in_doubt_is_judged_again_when_the_one_before_it_was_missed_and_is_entered(
    table: Table, lamp: Lamp
) -> None:
    camera = begun(table)
    doubtful = replace(THIRD, confidence=0.6, readings=(Reading(THIRD.values, 0.6), Reading((1, 4, 5), 0.02)))
    view = camera.rest(FIRST, doubtful)
    assert question(view).what == "which-tile"
    assert lines(view)["missed-one"] == ""
    assert say(table, "B lays 5-3-5 at 0,0,D").status == "done"
    view = table.view
    assert [ruled.line for ruled in view.log[-2:]] == ["B lays 5-3-5 at 0,0,D", "A lays 3-4-5 at 0,1,U"]
    assert (view.questions, view.turn, lamp.buzzes) == ((), 1, 0)
    assert {tile.status for tile in view.layout} == {"placed", "missing"}, "the one that was missed is drawn as well"
    view = camera.rest(FIRST, doubtful)
    assert view.questions == (), "people have said that it lies where it is not seen"
    view = camera.rest(FIRST, FITTING, THIRD)
    assert ([tile.status for tile in view.layout], view.questions) == (["placed"] * 3, ())


def test_a_tile_that_seemed_to_join_nothing_counts_once_the_missed_one_is_entered(table: Table, lamp: Lamp) -> None:
    view = begun(table).rest(FIRST, THIRD)
    assert view.dispute is not None
    assert (view.dispute.reason, lamp.buzzes, lamp.lit) == ("one-corner-only", 1, True)
    assert view.dispute.options[-1].what == "missed-one"
    assert say(table, "B lays 5-3-5 at 0,0,D").status == "done"
    view = table.view
    assert view.last is not None
    assert (view.last.line, view.last.legal, view.dispute) == ("A lays 3-4-5 at 0,1,U", True, None)
    assert (lamp.buzzes, lamp.lit) == (1, False)


@pytest.mark.parametrize("read", [(1, 1, 2), (0, 3, 5)])
def test_a_tile_that_was_misread_and_is_entered_by_hand_is_no_longer_in_dispute_nor_in_doubt(
    table: Table, lamp: Lamp, read: tuple[int, ...]
) -> None:
    camera = begun(table)
    misread = replace(FITTING, values=read)
    view = camera.rest(FIRST, misread)
    assert view.dispute is not None or question(view).what == "already-laid"
    assert say(table, "B lays 5-3-5 at 0,0,D").status == "done"
    for eye in (camera, Camera(table, "another eye")):
        view = eye.rest(FIRST, misread)
        assert ([tile.status for tile in view.layout], view.dispute, lamp.lit) == (["placed"] * 2, None, False)
        assert view.questions == (), "people have said what lies there, however it is read"


def test_a_doubt_that_is_as_it_was_when_it_is_judged_again_keeps_its_name(table: Table) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(CLASHING, confidence=0.4, readings=(Reading((1, 1, 1), 0.4),)))
    before = question(view)
    assert say(table, "B draws 1").status == "done"
    assert question(table.view) == before
    assert say(table, "B gets 5").status == "done"
    assert question(table.view) == before
    assert say(table, "turn A").status == "done"
    assert question(table.view).id != before.id, "now it would be another player's"


# --- laid anew ----------------------------------------------------------------------------------------


def test_a_tile_between_two_places_is_judged_when_it_is_pushed_into_one(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(FITTING, x_mm=FITTING.x_mm + 5.0, y_mm=FITTING.y_mm + 9.0))
    assert question(view).what == "unclear-place"
    assert [option.what for option in question(view).options][-2:] == ["missed-one", "not-a-move"]
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.questions, lamp.buzzes) == ("ok-edge", (), 0)


def test_a_tile_that_seemed_to_lie_there_twice_is_judged_when_it_reads_otherwise(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    view = camera.rest(FIRST, replace(FITTING, values=(0, 3, 5)))
    assert question(view).what == "already-laid"
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.questions, lamp.buzzes) == ("ok-edge", (), 0)


# --- corrected, with an eye that goes on misreading ---------------------------------------------------

MISREAD = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 4)), (FIRST, FIRST_SPOT))  # the tile that fits, a 5 taken for a 4


def twelve(table: Table, camera: Camera) -> list[SeenTile]:
    """Ten moves after one that was misread, none of which touches its misread corner."""
    tiles = [FIRST, MISREAD]
    camera.rest(*tiles)
    while len(tiles) < 12:
        tiles.append(next(_fitting(table, tiles)))
        view = camera.rest(*tiles)
        assert (view.questions, view.dispute) == ((), None)
    return tiles


def _fitting(table: Table, tiles: list[SeenTile]) -> Iterator[SeenTile]:
    assert table.record is not None
    state = table.record.state
    game = games.game(state.game)
    anchors = tuple(Anchor(placed, seen) for placed, seen in zip(state.layout, tiles, strict=True))
    laid = {placed.tile for placed in state.layout} | {Tile(FITTING.values)}
    for tile in (tile for tile in sorted(game.tiles) if tile not in laid):
        for spot in game.places(state, tile):
            if isinstance(spot, CellSpot) and (1, 1) not in spot.cell.vertices:
                yield next(placing.poses_of(anchors, tile, spot, SHAPE))


def test_a_reading_corrected_ten_moves_later_keeps_them_and_the_eye_may_go_on_misreading(
    table: Table, lamp: Lamp
) -> None:
    camera = begun(table)
    tiles = twelve(table, camera)
    before = table.view
    assert say(table, "correct 4: B lays 5-3-5 at 0,0,D").status == "done"
    view = table.view
    assert view.seats[1].score == before.seats[1].score + 1
    assert view.seats[0].score == before.seats[0].score
    assert [ruled.line for ruled in view.log if ruled.entry > 4][:-1] == [r.line for r in before.log if r.entry > 4]
    assert [tile.status for tile in view.layout] == ["placed"] * 12
    assert view.layout[1].values == (3, 5, 5)
    assert table.facts().confirmed[1].values == (3, 5, 5)
    for eye in (camera, Camera(table, "another eye")):  # a new one has never heard of the correction
        eye.settle = 20
        for shift_mm in (0.0, 4.0):
            view = eye.rest(*(replace(tile, x_mm=tile.x_mm + shift_mm) for tile in tiles))
            assert (view.questions, view.dispute, lamp.buzzes) == ((), None, 0)
            assert (view.seats, view.layout[1].values) == (table.view.seats, (3, 5, 5))


def test_the_tile_that_a_corrected_one_was_taken_for_can_still_be_laid(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    tiles = twelve(table, camera)
    say(table, "correct 4: B lays 5-3-5 at 0,0,D")
    assert table.record is not None
    corrected = [FIRST, FITTING, *tiles[2:]]
    anchors = tuple(Anchor(placed, seen) for placed, seen in zip(table.record.state.layout, corrected, strict=True))
    spot = next(iter(games.game(table.record.state.game).places(table.record.state, Tile(MISREAD.values))))
    pose = next(placing.poses_of(anchors, Tile(MISREAD.values), spot, SHAPE))
    view = camera.rest(*tiles, pose)
    assert view.last is not None
    assert (view.last.legal, view.questions, lamp.buzzes) == (True, (), 0)


def test_another_tile_in_the_place_of_a_corrected_one_is_still_noticed(table: Table) -> None:
    camera = begun(table)
    tiles = twelve(table, camera)
    say(table, "correct 4: B lays 5-3-5 at 0,0,D")
    swapped = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 1)), (FIRST, FIRST_SPOT))
    if Tile(swapped.values) in {Tile(tile.values) for tile in tiles}:
        swapped = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 2)), (FIRST, FIRST_SPOT))
    view = camera.rest(FIRST, swapped, *tiles[2:])
    assert question(view).what == "another-tile"


def test_a_doubt_about_a_tile_is_settled_by_the_correction_of_the_one_it_was_taken_for(
    table: Table, lamp: Lamp
) -> None:
    camera = begun(table)
    camera.rest(FIRST, MISREAD)
    view = camera.rest(FIRST, MISREAD, THIRD)
    assert question(view).what == "already-laid"
    assert say(table, "correct 4: B lays 5-3-5 at 0,0,D").status == "done"
    view = camera.rest(FIRST, MISREAD, THIRD)
    assert view.last is not None
    assert (view.last.line, view.last.reason) == ("A lays 3-4-5 at 0,1,U", "ok-edge")
    assert ([tile.status for tile in view.layout], view.questions, lamp.buzzes) == (["placed"] * 3, (), 0)


@pytest.mark.parametrize("turned_deg", [0.0, 120.0, 240.0])
def test_fixed_a_triple_that_was_in_doubt_can_be_measured_from_whichever_way_round_it_was_seen(
    table: Table, lamp: Lamp, turned_deg: float
) -> None:
    camera = Camera(table)
    camera.rest()
    first = replace(FIRST, values=(0, 5, 5))
    camera.rest(first)
    at = CellSpot(Cell(0, 0, "D"), (5, 5, 5))
    pose = beside(at, (first, CellSpot(FIRST_SPOT.cell, (0, 5, 5))))
    readings = (Reading((5, 5, 5), 0.5), Reading((4, 5, 5), 0.4))
    triple = replace(pose, angle_deg=pose.angle_deg + turned_deg, confidence=0.5, readings=readings)
    view = camera.rest(first, triple)
    line = next(option.line for option in question(view).options if option.tile == "5-5-5")
    assert say(table, line).status == "done"
    spot = CellSpot(Cell(0, 1, "U"), (5, 1, 5))
    view = camera.rest(first, triple, beside(spot, (first, CellSpot(FIRST_SPOT.cell, (0, 5, 5)))))
    assert table.record is not None
    assert table.record.entries[-1].what == Place(0, Tile((1, 5, 5)), spot)
    assert (view.last and view.last.reason, view.questions, lamp.buzzes) == ("ok-edge", (), 0)
