"""People who draw and show their hands by camera, on a table whose camera sees at once what they have done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.commands.zone_company import ZoneCompany
from referee.journal import Journal
from referee.seen.zones import WATCHED, usual
from referee.sighting import Reading, SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.commands.test_trick_company import Parlour
from tests.referee.seeing import Camera, Lamp
from vision.virtual import Direction, Spread

NAMES = ("Ana", "Bo", "Cy", "Dee")


class ZoneParlour(Parlour):
    """A table with zones."""

    def __init__(self, journal: Journal, match: Match) -> None:
        self.lamp = Lamp()
        self.table = Table(journal, self.lamp, "one", zones=usual(600.0, 400.0, 40.0))
        self.table.begin(match)
        self.camera = Camera(self.table)
        self.lying: list[SeenTile] = []
        self.asked: list[str] = []
        self._answers = []
        self.camera.rest()

    def direct(self, direction: Direction) -> None:
        if not isinstance(direction, Spread):
            super().direct(direction)
            return
        for each in direction.tiles:
            readings = (Reading(each.values, 1.0),) if each.values else ()
            place = (each.x_mm, each.y_mm, each.angle_deg)
            self.lying.append(SeenTile(direction.kind, each.values, *place, bool(each.values), readings=readings))
        self.camera.reached(direction.from_deg)
        self.camera.rest(*self.lying)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


@pytest.mark.parametrize(
    ("game", "players", "target"),
    [("fr-domino", 2, "60"), ("ro-trimino/manufacturer", 4, "100"), ("official-goliath", 4, "100")],
)
def test_whole_matches_are_played_without_a_word_about_draws_or_hands(
    journal: Journal, game: str, players: int, target: str
) -> None:
    seats_deg = tuple(round(ZoneCompany.side_deg(seat, players)) for seat in range(players))
    match = Match(game, NAMES[:players], (("target", target),), seats_deg, WATCHED)
    parlour = ZoneParlour(journal, match)
    company = ZoneCompany(parlour, parlour.direct, 3)
    company.watched = WATCHED
    for _ in range(4000):
        if company.finished or company.at_a_loss:
            break
        company.act()
    assert company.finished, company.account.summary()
    assert company.account.all_right, company.account.summary()
    assert parlour.lamp.buzzes == company.account.illegal > 0
    assert set(parlour.asked) <= {"stock-short"}, "what has no room in the boneyard lies elsewhere"
    record = parlour.table.record
    assert record is not None
    by_camera = [entry.by for entry in record.entries if type(entry.what).__name__ in ("Draw", "ShowHand")]
    assert by_camera.count("camera") == company.drawn_by_camera + company.shown_by_camera > 5
