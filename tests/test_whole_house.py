"""All rooms at once: rendered pictures in, rulings, signals and screens out."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from display.draw import draw
from display.link import Link
from display.pages import page
from hardware.signals import open_signals
from hardware.wiring import Wiring
from referee import wire
from referee.config import SIDES, Places
from referee.evidence import Evidence
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.table import Table
from referee.tiles import Shape, Tile
from referee.umpire import Match
from vision import kinds
from vision.frames import Frame
from vision.virtual import Clear, Direction, Hover, Lay, Take, VirtualTable, open_table, profile_for
from vision.virtual import stage as stages
from vision.watch import Watcher
from vision.witness import Witness

BUZZER, LED = 17, 27


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


def history(pins: MockFactory, pin: int) -> list[bool]:
    return [bool(state.state) for state in pins.pin(pin).states]


class House:
    """Camera, eye, table, signals and screen in one process, frame by frame."""

    def __init__(self, directory: Path, game: str, kind: str, directions: list[Direction]) -> None:
        script = directory / "script.json"
        script.write_bytes(b"[" + b",".join(stages.encode(direction) for direction in directions) + b"]")
        spec = f"{script}?kind={kind}&size=1280x880"
        profile = profile_for(spec)
        self.camera: VirtualTable = open_table(spec)
        self.places = Places(directory / "state", directory / "run").make()
        witness = Witness(self.places, profile)
        self.eye = Watcher(profile, 6 if kind == "domino" else 5, kinds.kinds()[kind], witness=witness)
        self.journal = Journal(directory / "journal.sqlite3")
        self.signals = open_signals(Wiring(BUZZER, LED))
        self.table = Table(self.journal, self.signals, "one", profile.shape, evidence=Evidence(self.places))
        self.table.begin(Match(game, ("Ana", "Bo"), (("opening", "any"),)))
        self.lines: list[str] = []

    def play(self) -> None:
        """Until the camera's script ends."""
        while (frame := self.camera.read()) is not None:
            self.step(frame)
        self.camera.close()

    def step(self, frame: Frame) -> None:
        sighting = self.eye.see(frame)
        if sighting is None:
            return
        self.table.see(sighting)
        self.eye.facts(self.table.facts())
        view = self.table.view
        if view.last is not None and (not self.lines or self.lines[-1] != view.last.line):
            self.lines.append(view.last.line)
            assert draw(page(view), (800, 480)).get_size() == (800, 480)


def laid(pose: SeenTile, from_deg: float = 90.0) -> Lay:
    return Lay(pose.kind, pose.values, pose.x_mm, pose.y_mm, pose.angle_deg, from_deg)


def next_to(first: SeenTile, at: Spot, tile: str, spot: Spot, shape: Shape) -> SeenTile:
    anchor = Anchor(Placed(Tile(first.values), at, 0), first)
    return next(placing.poses_of((anchor,), Tile.parse(tile), spot, shape))


def test_triangles_are_seen_ruled_signalled_and_shown(tmp_path: Path, pins: MockFactory) -> None:
    shape = Shape.triomino()
    first = SeenTile("triomino", (0, 3, 5), 300.0, 200.0, -90.0)
    at = CellSpot(placing.FIRST_CELL, (0, 3, 5))
    fits = next_to(first, at, "3-5-5", CellSpot(Cell(0, 0, "D"), (5, 3, 5)), shape)
    clashes = next_to(first, at, "1-1-2", CellSpot(Cell(-1, 0, "D"), (1, 1, 2)), shape)
    house = House(
        tmp_path,
        "ro-trimino/manufacturer",
        "triomino",
        [laid(first), laid(clashes, 210.0), Take(clashes.x_mm, clashes.y_mm, 210.0), laid(fits, 330.0)],
    )
    house.play()
    reasons = [ruled.reason for ruled in house.table.view.log]
    assert reasons == ["ok-begin", "ok-opening", "edge-mismatch", "ok-edge"]
    assert [seat.score for seat in house.table.view.seats] == [8, 13]
    kept = [ruled.evidence for ruled in house.table.view.log if " lays " in ruled.line]
    assert len(set(kept)) == 3
    assert all(house.places.picture(name, side).stat().st_size > 1000 for name in kept for side in SIDES)
    time.sleep(0.05)
    assert history(pins, BUZZER) == [False, True, False]
    assert history(pins, LED) == [False, True, False]
    house.signals.close()
    house.journal.close()


def test_dominoes_are_seen_ruled_signalled_and_cleared_away(tmp_path: Path, pins: MockFactory) -> None:
    shape = Shape.domino()
    first = SeenTile("domino", (6, 6), 300.0, 200.0, 90.0)
    at = LineSpot("left")
    fits = next_to(first, at, "4-6", LineSpot("right", 6), shape)
    clashes = next_to(first, at, "0-3", LineSpot("left", 3), shape)
    house = House(
        tmp_path,
        "fr-domino",
        "domino",
        [laid(first), laid(fits, 0.0), laid(clashes, 180.0), Take(clashes.x_mm, clashes.y_mm, 180.0), Clear(90.0)],
    )
    house.play()
    view = house.table.view
    assert [ruled.reason for ruled in view.log] == ["ok-begin", "ok-opening", "ok-place", "end-mismatch"]
    assert sorted(view.ends) == [4, 6]
    assert [question.what for question in view.questions] == ["missing"], "nobody said the round is over"
    time.sleep(0.05)
    assert history(pins, BUZZER) == [False, True, False]
    house.signals.close()
    house.journal.close()


def test_what_people_say_of_a_tile_holds_while_it_lies_there_however_clearly_it_is_read(
    tmp_path: Path, pins: MockFactory
) -> None:
    shape = Shape.triomino()
    first = SeenTile("triomino", (0, 3, 5), 300.0, 200.0, -90.0)
    at = CellSpot(placing.FIRST_CELL, (0, 3, 5))
    second = next_to(first, at, "3-5-5", CellSpot(Cell(0, 0, "D"), (5, 3, 5)), shape)
    third = next_to(first, at, "0-0-3", CellSpot(Cell(-1, 0, "D"), (0, 0, 3)), shape)
    house = House(
        tmp_path,
        "ro-trimino/manufacturer",
        "triomino",
        [laid(first), laid(second, 330.0), Hover(330.0, second.x_mm, second.y_mm, 10), laid(third, 210.0)],
    )
    while (frame := house.camera.read()) is not None:
        house.step(frame)
        view = house.table.view
        if view.last is not None and view.last.line == "B lays 5-3-5 at 0,0,D":
            order = wire.Order(id="1", epoch="one", seq=view.seq, by="screen", line="correct 4: B lays 5-3-4 at 0,0,D")
            assert house.table.order(order).status == "done"
        assert view.questions == ()
    view = house.table.view
    assert [tile.values for tile in view.layout] == [(0, 3, 5), (3, 4, 5), (0, 0, 3)]
    assert [tile.status for tile in view.layout] == ["placed"] * 3
    assert [seat.score for seat in view.seats] == [8 + 3, 12]
    assert history(pins, BUZZER) == [False]
    house.camera.close()
    house.signals.close()
    house.journal.close()


def referee(places: Places, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "REFEREE_STATE": str(places.state), "REFEREE_RUNTIME": str(places.runtime)}
    return subprocess.Popen(
        [sys.executable, "-m", "referee", *arguments], env=environment, stdout=subprocess.PIPE, text=True
    )


def test_a_table_killed_in_mid_game_resumes_with_every_confirmed_move(tmp_path: Path) -> None:
    places = Places(tmp_path / "state", tmp_path / "run").make()
    match = ("--game", "fr-domino", "--players", "Ana,Bo", "--option", "opening=any", "--no-camera")
    lines = ["begin", "A lays 6-6 at left", "B draws 2", "B lays 4-6 at right by 6", "A lays 4-4 at right by 4"]
    with Link(places, "test") as link:
        for count, line in enumerate(lines):
            process = referee(places, "table", *match)
            try:
                done = settled(link, line)
                assert done, f"{line}: {link.view}"
                history = link.ask("history").lines
                assert [entry.split(" ", 3)[3] for entry in history[1:]] == lines[: count + 1]
            finally:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate(timeout=10)


def settled(link: Link, line: str) -> bool:
    """Say a line to whatever table answers within ten seconds, looking again when the view was old."""
    deadline_s = time.monotonic() + 10.0
    order_id = link.order(line)
    while time.monotonic() < deadline_s:
        link.poll(0.05)
        for answer in link.answers():
            if answer.id == order_id and answer.status in ("done", "repeated"):
                return True
            if answer.id == order_id:
                order_id = link.order(line)
    return False


def test_the_demo_plays_a_match_through_every_room(tmp_path: Path) -> None:
    places = Places(tmp_path / "state", tmp_path / "run").make()
    shots = tmp_path / "shots"
    process = referee(places, "demo", "--target", "20", "--seed", "11", "--port", "0", "--output", str(shots))
    output, _ = process.communicate(timeout=150)
    assert process.returncode == 0, output
    counts = re.search(r"(\d+) tiles laid, (\d+) read right, (\d+) ruled right", output)
    assert counts is not None
    assert counts[1] == counts[2] == counts[3]
    assert re.search(r"([1-9]\d*) illegal tiles laid, \1 flagged, \1 taken away", output)
    assert "result: " in output
    assert re.search(r"Phone page: http://127\.0\.0\.1:\d+/", output)
    assert sorted(shots.glob("*.png")), "without a display the screen leaves pictures"
