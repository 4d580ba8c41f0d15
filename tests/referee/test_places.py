"""Where a tile could lie, and what would have earned more."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import FIRST, FIRST_SPOT, PLAYED, Lamp, begun, beside, played, say


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
