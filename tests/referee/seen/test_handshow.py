"""Hands by camera: laid into the show zone at the end of a round, read, and checked."""

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
from tests.referee.zoning import ZONES, faces, unread

GAME = "uk-tridomino"
ANA = ("0-0-1", "0-0-2", "1-1-2")
BO = ("2-2-3", "4-4-5")


@pytest.fixture
def camera(path: Path, lamp: Lamp) -> Iterator[Camera]:
    """A round that is over: Célia has gone out, Ana holds three tiles and Bo two."""
    journal = Journal(path)
    table = Table(journal, lamp, "one", zones=ZONES)
    options = (("hands", "3:3"), ("opening", "any"))
    table.begin(Match(GAME, ("Ana", "Bo", "Célia"), options, (90, 210, 330), ("hands",)))
    camera = Camera(table)
    camera.rest()
    camera.rest(FIRST)
    assert lay(camera, "A holds 3", "B lays 5-3-5 at 0,0,D", "C holds 1", "C lays 1-2-3 at 5,5,U overruled")
    yield camera
    journal.close()


def lay(camera: Camera, *lines: str) -> bool:
    return all(say(camera.table, line).status == "done" for line in lines)


def asked(view: wire.View) -> list[str]:
    return [each.what for each in view.questions]


def choose(camera: Camera, what: str, tile: str | None = None) -> wire.Answer:
    options = camera.table.view.questions[0].options
    return say(camera.table, next(each.line for each in options if (each.what, each.tile) == (what, tile)))


def last(view: wire.View) -> tuple[str, str]:
    assert view.last is not None
    return view.last.line, view.last.reason


LAID = (FIRST, FITTING)


def test_a_hand_in_the_show_zone_is_read_and_counted(camera: Camera) -> None:
    assert (camera.table.view.phase, camera.table.view.showing) == ("show-hands", 0)
    view = camera.rest(*LAID, *faces(ANA))
    assert last(view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")
    assert (view.seats[0].hand, view.showing, view.questions) == (ANA, 1, ())


def test_the_next_hand_is_read_beside_the_one_that_still_lies_there(camera: Camera) -> None:
    camera.rest(*LAID, *faces(ANA))
    pushed = tuple(SeenTile(each.kind, each.values, each.x_mm + 8.0, each.y_mm, 80.0) for each in faces(ANA))
    view = camera.rest(*LAID, *pushed, *faces(BO, 130.0))
    assert last(view) == ("B shows 2-2-3 4-4-5", "ok-show-hand")
    assert (view.phase, view.showing) == ("clearing", None)
    assert [seat.score for seat in view.seats][2] > 25, "the others' tiles are Célia's"


def test_a_hand_that_is_taken_back_is_not_shown_again_before_it_is_laid_anew(camera: Camera) -> None:
    view = camera.rest(*LAID, *faces(ANA))
    assert view.last is not None
    assert say(camera.table, f"undo {view.last.entry}").status == "done"
    assert camera.rest(*LAID, *faces(ANA)).seats[0].shown is False
    camera.rest(*LAID)
    assert camera.rest(*LAID, *faces(ANA)).seats[0].shown is True


def test_the_next_hand_is_read_where_the_last_one_was_taken_away(camera: Camera) -> None:
    camera.rest(*LAID, *faces(ANA))
    camera.rest(*LAID)
    assert last(camera.rest(*LAID, *faces(BO))) == ("B shows 2-2-3 4-4-5", "ok-show-hand")


def test_a_hand_from_the_side_of_another_player_is_that_players(camera: Camera) -> None:
    camera.reached(210.0)
    assert last(camera.rest(*LAID, *faces(BO))) == ("B shows 2-2-3 4-4-5", "ok-show-hand")
    assert camera.table.view.showing == 0


def test_when_it_is_not_clear_whose_hand_it_is_it_is_asked(camera: Camera) -> None:
    camera.reached(165.0)
    view = camera.rest(*LAID, *faces(BO))
    assert asked(view) == ["whose-hand"]
    assert [option.seat for option in view.questions[0].options] == [0, 1]
    say(camera.table, view.questions[0].options[1].line)
    assert last(camera.table.view) == ("B shows 2-2-3 4-4-5", "ok-show-hand")


def test_a_hand_of_another_number_of_tiles_is_asked_about_and_never_taken(camera: Camera) -> None:
    view = camera.rest(*LAID, *faces(ANA[:2]))
    assert asked(view) == ["hand-count"]
    assert [option.what for option in view.questions[0].options] == ["holds", "dealt"]
    view = camera.rest(*LAID, *faces(ANA))
    assert (last(view)[1], view.questions) == ("ok-show-hand", ()), "the last tile was only late"


def test_a_hand_that_really_has_fewer_tiles_is_taken_as_the_rules_offer(camera: Camera) -> None:
    camera.rest(*LAID, *faces(ANA[:2]))
    assert choose(camera, "holds").status == "done"
    assert last(camera.table.view) == ("A shows 0-0-1 0-0-2", "ok-show-hand")


def test_a_tile_that_is_not_certain_is_asked_about_with_what_it_may_be(camera: Camera) -> None:
    one, two, three = faces(ANA)
    doubtful = unread(three, ("1-1-2", 0.6), ("1-1-3", 0.3), ("0-3-5", 0.1))
    view = camera.rest(*LAID, one, two, doubtful)
    assert asked(view) == ["which-tile"]
    options = [(option.what, option.tile) for option in view.questions[0].options]
    assert options == [
        ("tile", "1-1-2"),
        ("tile", "1-1-3"),
        ("tile", "0-3-5"),  # lies on the table: the least likely
        ("any-tile", None),
        ("not-a-tile", None),
    ]
    choose(camera, "tile", "1-1-2")
    assert last(camera.table.view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")


def test_a_tile_that_none_of_the_readings_names_may_be_said(camera: Camera) -> None:
    one, two, three = faces(ANA)
    view = camera.rest(*LAID, one, two, unread(three, ("1-1-4", 0.6), ("1-1-3", 0.4)))
    line = next(option.line for option in view.questions[0].options if option.what == "any-tile")
    assert say(camera.table, f"{line} 1-2").status == "refused", "a domino is no triomino"
    assert say(camera.table, f"{line} 1-2-1").status == "done"
    assert last(camera.table.view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")


def test_the_tiles_still_unseen_settle_a_doubtful_one(camera: Camera) -> None:
    one, two, three = faces(ANA)
    view = camera.rest(*LAID, one, two, unread(three, ("1-1-2", 0.7), ("0-3-5", 0.3)))
    assert last(view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")


def test_something_that_is_no_tile_is_left_out(camera: Camera) -> None:
    crumb = SeenTile("triomino", (), 560.0, 300.0, 0.0, confidence=0.0)
    view = camera.rest(*LAID, *faces(ANA), crumb)
    assert set(asked(view)) == {"which-tile", "hand-count"}
    choose(camera, "not-a-tile")
    assert last(camera.table.view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")


def test_a_tile_that_lies_on_the_table_already_is_asked_about_first_and_then_refused(camera: Camera) -> None:
    hand = faces((*ANA[:2], "0-3-5"))
    view = camera.rest(*LAID, *hand)
    assert asked(view) == ["already-laid"]
    assert last(view)[1] == "ok-overruled"
    choose(camera, "stands", "0-3-5")
    assert last(camera.table.view) == ("A shows 0-0-1 0-0-2 0-3-5", "tile-already-played")
    assert camera.table.view.showing == 0
    refused = camera.table.view.log
    assert camera.rest(*LAID, *hand).log == refused, "it is refused once"
    view = camera.rest(*LAID, *faces(ANA))
    assert last(view) == ("A shows 0-0-1 0-0-2 1-1-2", "ok-show-hand")


def test_tiles_in_the_show_zone_are_no_placements_while_play_goes_on(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "two", zones=ZONES)
    table.begin(Match(GAME, ("Ana", "Bo"), (("opening", "any"),), (), ("draws", "hands")))
    camera = Camera(table)
    camera.rest()
    view = camera.rest(FIRST, *faces(ANA))
    assert [ruled.line for ruled in view.log] == ["begin", "A lays 0-3-5 at 0,0,U"]
    assert (view.dispute, view.showing) == (None, None)
    assert {each.what for each in view.questions} <= {"stock-short"}
    journal.close()


def test_a_tile_of_the_layout_that_was_pushed_into_a_zone_still_counts(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "two", zones=ZONES)
    table.begin(Match(GAME, ("Ana", "Bo"), (("opening", "any"),), (), ("hands",)))
    camera = Camera(table)
    camera.rest()
    near = SeenTile("triomino", (0, 3, 5), ZONES.show.left_mm - 4.0, 200.0, -90.0)
    camera.rest(near)
    view = camera.rest(SeenTile("triomino", (0, 3, 5), ZONES.show.left_mm + 4.0, 200.0, -90.0))
    assert [tile.status for tile in view.layout] == ["placed"]
    assert not view.questions
    journal.close()


def test_the_table_is_not_clear_while_shown_hands_lie_there(camera: Camera) -> None:
    camera.rest(*LAID, *faces(ANA))
    camera.rest(*LAID, *faces(ANA), *faces(BO, 130.0))
    assert camera.rest(*faces(BO, 130.0)).phase == "clearing"
    assert camera.rest().phase == "deal"
