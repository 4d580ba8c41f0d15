"""People who play Moon on a table whose camera sees at once what they have done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import hypot
from pathlib import Path

import pytest

from referee import wire
from referee.commands.trick_company import TrickCompany
from referee.journal import Journal
from referee.sighting import SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import Camera, Lamp
from vision.virtual import Clear, Direction, Gather, Lay, Take

NAMES = ("Ana", "Bo", "Cy")
SEATS = (90, 210, 330)


class Parlour:
    """A table, its camera, and the link of the people who sit there."""

    def __init__(self, journal: Journal, seed: int, target: str) -> None:
        self.lamp = Lamp()
        self.table = Table(journal, self.lamp, "one", chance=random.Random(seed))
        self.table.begin(Match("kk-moon", NAMES, (("target", target),), SEATS))
        self.camera = Camera(self.table)
        self.lying: list[SeenTile] = []
        self.asked: list[str] = []
        self._answers: list[wire.Answer] = []
        self.camera.rest()

    @property
    def view(self) -> wire.View:
        self.asked += [question.what for question in self.table.view.questions]
        return self.table.view

    def poll(self, _wait_s: float) -> bool:
        return True

    def order(self, line: str, _about: object = None) -> str:
        number = f"order {len(self.table.view.log)} {self.table.view.seq} {line}"
        view = self.table.view
        said = wire.Order(id=number, epoch=view.epoch, seq=view.seq, by="people", line=line)
        self._answers.append(self.table.order(said))
        return number

    def answers(self) -> list[wire.Answer]:
        told, self._answers = self._answers, []
        return told

    def ask(self, kind: str) -> wire.Told:
        return self.table.ask(wire.Ask("a", kind))

    def close(self) -> None:
        """Nothing is held."""

    def direct(self, direction: Direction) -> None:
        """What hands do is seen when they have gone."""
        if isinstance(direction, Lay):
            place = (direction.x_mm, direction.y_mm, direction.angle_deg)
            self.lying.append(SeenTile(direction.kind, direction.values, *place, bool(direction.values)))
        elif isinstance(direction, Take):
            self._take(direction.x_mm, direction.y_mm)
        elif isinstance(direction, Gather):
            for place_mm in direction.places_mm:
                self._take(*place_mm)
        else:
            assert isinstance(direction, Clear)
            self.lying.clear()
        self.camera.reached(direction.from_deg)
        self.camera.rest(*self.lying)

    def _take(self, x_mm: float, y_mm: float) -> None:
        nearest = min(self.lying, key=lambda each: hypot(each.x_mm - x_mm, each.y_mm - y_mm))
        assert hypot(nearest.x_mm - x_mm, nearest.y_mm - y_mm) < 1.0, "people take what lies there"
        self.lying.remove(nearest)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


@pytest.mark.parametrize("seed", range(3))
def test_whole_matches_are_played_and_every_slip_is_flagged_once_and_taken_back(journal: Journal, seed: int) -> None:
    parlour = Parlour(journal, seed, "7")
    company = TrickCompany(parlour, parlour.direct, seed)
    for _ in range(3000):
        if company.finished or company.at_a_loss:
            break
        company.act()
    account, view = company.account, parlour.table.view
    assert company.finished, account.summary()
    assert account.all_right, account.summary()
    assert (parlour.lamp.buzzes, parlour.lamp.lit, parlour.asked) == (account.illegal, False, [])
    assert account.illegal > 0
    assert account.laid > 20
    assert max(seat.score for seat in view.seats) >= 7
    assert {ruled.reason for ruled in view.log if not ruled.legal} <= {"out-of-turn", "revoke"}


def test_where_nothing_is_to_go_wrong_nobody_slips(journal: Journal) -> None:
    parlour = Parlour(journal, 0, "5")
    company = TrickCompany(parlour, parlour.direct, 0, faults=())
    for _ in range(3000):
        if company.finished or company.at_a_loss:
            break
        company.act()
    assert company.finished, company.account.summary()
    assert (company.account.illegal, parlour.lamp.buzzes) == (0, 0)
    assert company.account.all_right, company.account.summary()
