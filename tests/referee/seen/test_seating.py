"""Who played: the side from which the hand came, where players have told where they sit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import wire
from referee.journal import Journal
from referee.seen import seating
from referee.table import Table
from referee.umpire import Match
from tests.referee.entering import written
from tests.referee.seeing import CLASHING, FIRST, FITTING, Camera, Lamp, begun, say


@pytest.fixture
def table(tmp_path: Path, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(tmp_path / "journal.sqlite3")
    table = Table(journal, lamp, "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo", "Cy"), (("opening", "any"),), (90, 210, 330)))
    yield table
    journal.close()


def asked(view: wire.View) -> list[str]:
    return [question.what for question in view.questions]


def test_the_player_to_move_who_reaches_in_from_his_side_has_played(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.reached(214.0)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.last.seat, lamp.buzzes) == ("ok-edge", 1, 0)


def test_a_tile_that_clearly_came_from_another_seat_is_out_of_turn(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.reached(325.0)
    view = camera.rest(FIRST, FITTING)
    assert view.dispute is not None
    assert (view.dispute.reason, view.dispute.seat, lamp.buzzes, lamp.lit) == ("out-of-turn", 2, 1, True)
    assert view.turn == 1
    view = camera.rest(FIRST)
    assert (view.dispute, lamp.buzzes, lamp.lit) == (None, 1, False)


def test_a_hand_from_between_two_seats_is_asked_about_and_never_buzzed(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.reached(285.0)
    view = camera.rest(FIRST, FITTING)
    assert (asked(view), lamp.buzzes) == (["who-played"], 0)
    assert [option.seat for option in view.questions[0].options] == [1, 2, None]
    assert say(table, view.questions[0].options[0].line).status == "done"
    assert table.view.last is not None
    assert (table.view.last.reason, table.view.last.seat, lamp.buzzes) == ("ok-edge", 1, 0)


def test_whoever_says_that_the_other_one_played_has_it_ruled_so(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.reached(285.0)
    view = camera.rest(FIRST, FITTING)
    assert say(table, view.questions[0].options[1].line).reason == "out-of-turn"
    assert lamp.buzzes == 1


@pytest.mark.parametrize("reach", [(None,), (20.0, 330.0), (), (265.0,)])
def test_where_the_direction_tells_nothing_it_is_the_player_to_move(
    table: Table, lamp: Lamp, reach: tuple[float | None, ...]
) -> None:
    camera = begun(table)
    camera.reached(*reach)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert (view.last.reason, view.last.seat, lamp.buzzes) == ("ok-edge", 1, 0)


def test_the_direction_of_an_earlier_hand_tells_nothing_of_a_later_tile(table: Table) -> None:
    camera = begun(table)
    camera.reached(330.0)
    camera.rest(FIRST)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert view.last.seat == 1


def test_two_tiles_of_one_visit_are_ruled_in_turn_whatever_the_direction(table: Table, lamp: Lamp) -> None:
    camera = begun(table)
    camera.reached(330.0)
    view = camera.rest(FIRST, CLASHING, FITTING)
    assert all(ruled.reason != "out-of-turn" for ruled in view.log)


def test_without_seats_only_the_turn_counts(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "other.sqlite3")
    other = Table(journal, Lamp(), "two")
    other.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    camera: Camera = begun(other)
    camera.reached(12.0)
    view = camera.rest(FIRST, FITTING)
    assert view.last is not None
    assert view.last.seat == 1
    journal.close()


@pytest.mark.parametrize(
    ("reach_deg", "told"),
    [(0.0, (0, None)), (80.0, (0, None)), (300.0, (0, None)), (102.0, (0, 1)), (130.0, (1, None)), (-175.0, (1, None))],
)
def test_two_who_sit_across_are_told_apart_by_how_much_nearer_the_hand_came(
    reach_deg: float, told: tuple[int, int | None]
) -> None:
    record = written("match fr-domino A=Ana B=Bo seats=0,180 opening=any", "begin")
    assert seating.who_played(record, reach_deg, 0) == told
