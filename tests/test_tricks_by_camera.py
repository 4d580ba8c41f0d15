"""Moon through rendered frames: the eye sees tiles laid in the middle, tricks taken, and a tile that must go back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.journal import Journal
from referee.sighting import CameraStatus
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import Lamp, say
from tests.test_proving_ground import Evening
from vision.kinds import kinds
from vision.virtual import Direction, Gather, Lay, Move, Take, VirtualTable, Wait, profile_for
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

SEATS = (90, 210, 330)
BEFORE = ("first bidder A", "begin", "A bids 4", "B passes", "C passes", "A discards hidden", "A names 6")
PLACES = ((290.0, 262.0, 80.0), (240.0, 175.0, 15.0), (362.0, 180.0, -35.0))


def played(directory: Path, *script: Direction) -> Evening:
    """What came of a script; Ana is about to lead when it begins."""
    name = "stage=unused&kind=domino&seed=7&size=1280x880"
    camera, profile = VirtualTable(Setting.parse(name), ScriptStage(script)), profile_for(name)
    journal, lamp = Journal(directory / "journal.sqlite3"), Lamp()
    table = Table(journal, lamp, "one", profile.shape)
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy"), (), SEATS))
    for line in BEFORE:
        assert say(table, line).status == "done"
    evening = Evening(table, lamp, Watcher(profile, 6, kinds()["domino"]))
    while (frame := camera.read()) is not None:
        sighting = evening.eye.see(frame)
        if sighting is not None:
            table.see(replace(sighting, camera=CameraStatus.OK))
            evening.eye.facts(table.facts())
    journal.close()
    return evening


def lay(seat: int, *values: int) -> Lay:
    return Lay("domino", values, *PLACES[seat], float(SEATS[seat]))


def trick(seat: int, *leave: int) -> Gather:
    """The winner takes all tiles of a trick but those of some seats."""
    taken = [(x_mm, y_mm) for each, (x_mm, y_mm, _) in enumerate(PLACES) if each not in leave]
    return Gather(tuple(taken), float(SEATS[seat]))


def test_tricks_are_seen_taken_and_led_to_and_what_lies_face_down_is_no_play(tmp_path: Path) -> None:
    centre = Lay("domino", (), 300.0, 205.0, 5.0, 90.0)
    first = (lay(0, 5, 5), lay(1, 4, 5), lay(2, 1, 6))
    out_of_turn = Lay("domino", (2, 4), 210.0, 240.0, 40.0, float(SEATS[1]))
    back = Take(out_of_turn.x_mm, out_of_turn.y_mm, float(SEATS[1]))
    second = (lay(2, 3, 3), out_of_turn, Wait(8), back, lay(0, 3, 4), lay(1, 1, 3))
    # Cy leaves a tile lying when he leads again, pushes it aside, and takes it later
    aside = Move(PLACES[0][0], PLACES[0][1], 500.0, 210.0, 60.0, float(SEATS[2]))
    late = Lay("domino", (1, 1), 330.0, 120.0, 12.0, float(SEATS[2]))
    third = (late, aside, lay(0, 1, 5), Take(500.0, 210.0, float(SEATS[2])), lay(1, 1, 2))
    script = (centre, *first, trick(2), *second, trick(2, 0), *third, Wait(8))
    evening = played(tmp_path, *script)
    view = evening.table.view
    lays = [(each.line.split()[2], each.seat, each.reason) for each in view.log if " lays " in each.line]
    assert [(tile, seat) for tile, seat, reason in lays if reason == "ok-play"] == [
        *(("5-5", 0), ("4-5", 1), ("1-6", 2)),
        *(("3-3", 2), ("3-4", 0), ("1-3", 1)),
        *(("1-1", 2), ("1-5", 0), ("1-2", 1)),
    ]
    assert [each for each in lays if each[2] != "ok-play"] == [("2-4", 1, "out-of-turn")]
    assert (evening.questions, evening.lamp.buzzes, evening.lamp.lit) == ([], 1, False)
    assert view.tricks is not None
    assert view.tricks.taken == (0, 0, 3)
