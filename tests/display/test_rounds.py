"""What the game's page shows of a round: the deal, drawing, the hands, the result."""

from __future__ import annotations

import msgspec
import pytest

from display import draw, lettering, theme
from display.keys import keys, one_less
from display.pages import page
from display.sentences import Words
from display.widgets import Face, Label
from referee import umpire, views
from referee.entries import Record
from referee.seen.memory import Memory
from referee.sighting import CameraStatus
from referee.tiles import Shape
from referee.umpire import Correct, Undo
from referee.wire import View
from tests.display.conftest import SCENES
from tests.referee.entering import written

WORDS = Words()
TRIANGLES = ("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A announces 5-5-5", "B announces 0-0-1")
GOAT = ("match fr-domino A=Ana B=Bo rounds=2 hands=2:2", "begin", "A lays 0-0 at left", "B lays 0-1 at left")


def seen(record: Record, shape: Shape) -> View:
    """What a table without a camera tells."""
    around = views.Circumstances(camera=CameraStatus.NONE.value)
    return views.view(record, Memory(), shape, around, "e", 1)


def texts(view: View) -> str:
    """All texts of the page, a line each."""
    return "\n".join(part.text for part in draw.parts(page(view)) if isinstance(part, Label))


def orders(view: View) -> dict[str, str]:
    """The small print of each key by what it says."""
    return {order: note for _, order, _, note in keys(view, None, WORDS)}


def test_the_deal_says_how_many_tiles_each_takes_and_how_many_stay() -> None:
    told = texts(seen(written(TRIANGLES[0]), Shape.triomino()))
    assert "Each player takes 9 tiles" in told
    assert "38 tiles stay" in told


def test_what_was_drawn_is_counted_with_its_cost_and_can_be_made_one_less() -> None:
    record = written(*TRIANGLES, "A lays 5-5-5 at 0,0,U", "B draws 1", "B draws 1")
    view = seen(record, Shape.triomino())
    assert (view.drawn, view.drawn_points) == (2, -10)
    assert orders(view)["B draws 1"] == "2 drawn: −10"
    assert one_less(view) == "undo 7"
    assert umpire.judge(record, Undo(7)).state.drawn == 1


def test_of_several_tiles_drawn_at_once_one_is_taken_back() -> None:
    record = written(*TRIANGLES, "A lays 5-5-5 at 0,0,U", "B draws 2")
    view = seen(record, Shape.triomino())
    assert view.drawn_points == -10
    assert one_less(view) == "correct 6: B draws 1"
    act = umpire.judge(record, Correct(6, type(record.entries[5].what)(1, 1)))
    assert (act.is_legal, act.state.drawn, act.state.scores[1]) == (True, 1, -5)


def test_once_a_tile_is_laid_what_was_drawn_is_no_longer_one_tap_away() -> None:
    view = seen(written(*TRIANGLES, "A lays 5-5-5 at 0,0,U", "B draws 1", "B lays 5-5-4 at 0,0,D"), Shape.triomino())
    assert view.turn == 0
    assert (view.drawn_points, one_less(view)) == (0, "")


@pytest.mark.parametrize(("names", "order"), [("A=Ana B=Bo", "turn B"), ("A=Ana B=Bo C=Cy", "@open turn")])
def test_a_player_says_with_a_tap_that_it_is_not_his_turn(names: str, order: str) -> None:
    view = seen(written(f"match fr-domino {names}", "begin", "turn A"), Shape.domino())
    assert order in orders(view)


def test_the_hands_that_were_shown_are_drawn_and_the_others_counted() -> None:
    record = written(GOAT[0].replace("2:2", "2:1"), *GOAT[1:3], "B shows 5-6")
    shown = msgspec.structs.replace(seen(record, Shape.domino()), phase="show-hands", sheet=())
    assert shown.seats[1].hand == ("5-6",)
    assert Face in {type(widget) for widget in page(shown).widgets}
    assert (5, 6) in {widget.values for widget in page(shown).widgets if isinstance(widget, Face)}
    waiting = msgspec.structs.replace(
        shown, seats=(shown.seats[0], msgspec.structs.replace(shown.seats[1], shown=False))
    )
    assert "1 tile to show" in texts(waiting)


def test_a_round_that_is_over_tells_how_it_ended_and_what_it_brought() -> None:
    view = seen(written(GOAT[0].replace("2:2", "2:1"), *GOAT[1:3], "B shows 5-6"), Shape.domino())
    assert view.phase == "clearing"
    told = texts(view)
    assert "Ana goes out" in told
    assert "+11 tiles in hand" in told
    assert "@sheet" in orders(view)


def test_without_a_camera_the_layout_is_drawn_from_the_record_with_its_last_tile_marked() -> None:
    view = seen(written(*TRIANGLES, "A lays 5-5-5 at 0,0,U", "B lays 5-5-4 at 0,0,D"), Shape.triomino())
    assert [(tile.values, tile.status, tile.entry, tile.seat) for tile in view.layout] == [
        ((5, 5, 5), "placed", 5, 0),
        ((4, 5, 5), "placed", 6, 1),
    ]
    assert seen(written(*TRIANGLES), Shape.triomino()).layout == ()
    assert SCENES["play"].layout, "with a camera it is what the camera sees"


def test_the_places_of_many_players_once_were_too_small_beside_what_they_could_have_laid() -> None:
    view = SCENES["over-missed"]
    names = {seat.name for seat in view.seats}
    results = [
        label for label in page(view).widgets if isinstance(label, Label) and label.rect.x > 264 and label.text in names
    ]
    assert "could have laid" in texts(view)
    assert len(results) >= 4
    assert all(lettering.fit(label.text, label)[0] >= theme.LEAST_SIZE for label in results)
