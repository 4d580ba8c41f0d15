"""Eye and table opened again over real pictures of tiles that are not quite those of the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee import wire
from referee.journal import Journal
from referee.sighting import SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import FIRST, FITTING, Lamp, begun, say
from tests.referee.seen.test_reconciling import FAR, THIRD
from vision.kinds import kinds
from vision.virtual import VirtualTable, Wait, profile_for
from vision.virtual.pieces import Piece
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

NAME = "stage=unused&kind=triomino&seed=5&size=1280x880&stills=3"
ELSEWHERE = replace(THIRD, x_mm=120.0, y_mm=280.0, angle_deg=25.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal in which three tiles were accepted."""
    path = tmp_path / "journal.sqlite3"
    journal = Journal(path)
    table = Table(journal, Lamp(), "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    camera = begun(table)
    camera.rest(FIRST, FITTING)
    view = camera.rest(FIRST, FITTING, THIRD)
    assert [tile.status for tile in view.layout] == ["placed"] * 3
    journal.close()
    return path


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


@pytest.fixture
def table(path: Path, lamp: Lamp) -> Iterator[Table]:
    """The table, opened again."""
    journal = Journal(path)
    yield Table(journal, lamp, "two")
    journal.close()


def looked_at(table: Table, lying: Sequence[SeenTile]) -> wire.View:
    """What everybody is told once an eye was opened over a table with these tiles."""
    pieces = [Piece(tile.kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg) for tile in lying]
    camera = VirtualTable(Setting.parse(NAME), ScriptStage((Wait(10),)), at_rest=pieces)
    eye = Watcher(profile_for(NAME), 5, kinds()["triomino"])
    eye.facts(table.facts())
    for frame in iter(camera.read, None):
        sighting = eye.see(frame)
        if sighting is not None:
            table.see(sighting)
            eye.facts(table.facts())
    return table.view


def test_the_tiles_of_the_record_are_gone_on_with_and_nothing_is_asked(table: Table, lamp: Lamp) -> None:
    view = looked_at(table, (THIRD, FIRST, FITTING))
    assert [tile.status for tile in view.layout] == ["placed"] * 3
    assert (view.questions, view.dispute, lamp.buzzes) == ((), None, 0)


def test_what_was_taken_moved_and_laid_while_nobody_looked_is_asked_about_one_by_one(table: Table, lamp: Lamp) -> None:
    view = looked_at(table, (FIRST, ELSEWHERE, FAR))
    asked = []
    while view.questions:
        (question,) = view.questions
        asked.append((question.what, question.tile.values if question.tile is not None else ()))
        said = next(option for option in question.options if option.what in ("it-lies-there", "not-a-move"))
        assert say(table, said.line).status == "done"
        view = table.view
    assert sorted(asked) == [("missing", (3, 5, 5)), ("moved", (3, 4, 5)), ("not-in-record", FAR.values)]
    assert (view.dispute, lamp.buzzes) == (None, 0)
