"""What breaks in mid-game: an eye that is killed, a camera that is unplugged, freezes or comes late."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import zmq

from display.link import Link
from hardware.camera import CameraError
from referee.config import Places
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import Facts, SeenTile, Sighting
from referee.state import Placed
from referee.supervisor import Supervisor
from referee.table import Table
from referee.tiles import Shape, Tile
from referee.umpire import Match
from tests.referee.seeing import Lamp
from vision.kinds import Image, kinds
from vision.live import LiveSource
from vision.service import Room
from vision.virtual import Direction, Lay, VirtualTable, profile_for
from vision.virtual.stage import encode
from vision.virtual.table import Setting
from vision.watch import Watcher

LONGEST_S = 60.0
FIRST = SeenTile("triomino", (0, 3, 5), 300.0, 200.0, -90.0)
ANCHOR = Anchor(Placed(Tile((0, 3, 5)), CellSpot(placing.FIRST_CELL, (0, 3, 5)), 0), FIRST)


class Cues:
    """A stage that waits until it is told what to do."""

    def __init__(self) -> None:
        self.waiting: list[Direction] = []

    def next(self, patience_s: float) -> Direction | None:  # nobody waits here
        return self.waiting.pop(0) if self.waiting else None

    def close(self) -> None:
        """Nothing is held."""


def pose(cell: Cell, *values: int) -> SeenTile:
    return next(placing.poses_of((ANCHOR,), Tile(values), CellSpot(cell, values), Shape.triomino()))


SECOND, THIRD = pose(Cell(0, 0, "D"), 5, 3, 5), pose(Cell(0, -1, "D"), 0, 0, 5)


@dataclass(slots=True)
class House:
    """Table and eye in processes of their own, and people who look and lay."""

    supervisor: Supervisor
    link: Link
    stage: zmq.Socket[bytes]
    cameras: list[str] = field(default_factory=list)

    def do(self, direction: Direction) -> None:
        self.stage.send(encode(direction))

    def until(self, is_so: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + LONGEST_S
        while not is_so():
            assert time.monotonic() < deadline_s, f"it never came true: {self.link.view}"
            self.supervisor.watch()
            if self.link.poll(0.05) and self.link.view is not None and self.link.view.camera not in self.cameras[-1:]:
                self.cameras.append(self.link.view.camera)

    def shown(self, *reasons: str) -> Callable[[], bool]:
        """Whether these are the rulings that everybody is shown."""

        def is_so() -> bool:
            view = self.link.view
            return view is not None and [ruled.reason for ruled in view.log] == list(reasons)

        return is_so


@contextmanager
def house(directory: Path) -> Iterator[House]:
    places = Places(directory / "state", directory / "run").make()
    endpoint = f"ipc://{places.runtime / 'stage'}"
    camera = f"virtual:stage={endpoint}&kind=triomino&size=1280x880&keep={directory / 'lying.json'}"
    match = ("--game", "ro-trimino/manufacturer", "--players", "Ana,Bo", "--option", "opening=any")
    rooms = [("table", ("table", *match)), ("vision", ("vision", "--camera", camera))]
    environment = {
        **os.environ,
        "REFEREE_STATE": str(places.state),
        "REFEREE_RUNTIME": str(places.runtime),
        "GPIOZERO_PIN_FACTORY": "mock",
    }
    context = zmq.Context()
    stage = context.socket(zmq.PUSH)
    stage.setsockopt(zmq.LINGER, 0)
    stage.connect(endpoint)
    program = (sys.executable, "-m", "referee")
    try:
        with (
            Supervisor(places, rooms, environment, lambda _: None, program=program) as supervisor,
            Link(places, "people") as link,
        ):
            yield House(supervisor, link, stage)
    finally:
        stage.close()
        context.term()


def laid(tile: SeenTile, from_deg: float) -> Lay:
    return Lay(tile.kind, tile.values, tile.x_mm, tile.y_mm, tile.angle_deg, from_deg)


def test_an_eye_that_is_killed_in_mid_game_is_started_again_and_nothing_is_lost(tmp_path: Path) -> None:
    with house(tmp_path) as rooms:
        rooms.until(rooms.shown("ok-begin"))
        rooms.do(laid(FIRST, 90.0))
        rooms.do(laid(SECOND, 270.0))
        rooms.until(rooms.shown("ok-begin", "ok-opening", "ok-edge"))
        view = rooms.link.view
        assert view is not None
        eye = rooms.supervisor.rooms["vision"]
        assert eye.process is not None
        killed = eye.process.pid
        eye.process.kill()
        rooms.until(lambda: eye.process is not None and eye.process.pid != killed)
        rooms.do(laid(THIRD, 90.0))
        rooms.until(rooms.shown("ok-begin", "ok-opening", "ok-edge", "ok-edge"))
        after = rooms.link.view
        assert after is not None
        assert (eye.restarts, rooms.supervisor.rooms["table"].restarts) == (1, 0)
        assert after.epoch == view.epoch, "the table never stopped"
        assert after.log[:3] == view.log
        assert (after.questions, after.dispute, after.camera) == ((), None, "ok")
        assert [tile.status for tile in after.layout] == ["placed"] * 3
        assert [tile.values for tile in after.layout] == [(0, 3, 5), (3, 5, 5), (0, 0, 5)]


# --- a camera that fails ------------------------------------------------------------------------------


class Plug:
    """A camera over a virtual table that can be pulled out, can freeze and can be late."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.now_s = 100.0
        self.is_plugged_in = True
        self.is_frozen = False
        self.late_s = 0.0
        self._picture: Image | None = None

    def open(self) -> Plug:
        if not self.is_plugged_in:
            raise CameraError("no camera")
        return self

    def read(self) -> tuple[Image, float] | None:
        if not self.is_plugged_in:
            return None
        if not self.is_frozen or self._picture is None:
            frame = self._table.read()
            assert frame is not None
            self._picture = frame.image
        return self._picture.copy(), self.now_s - self.late_s

    def close(self) -> None:
        """The device is given back."""


class Wire:
    """The line between eye and table without a socket."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def tell(self, sighting: Sighting) -> None:
        self.table.see(sighting)

    def beat(self, epoch: str, progress: int) -> None:
        """Nobody watches."""

    def heard(self, wait_ms: int = 0) -> Facts:  # nobody waits here
        return self.table.facts()


def test_a_camera_that_is_unplugged_freezes_or_comes_late_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    name = "stage=unused&kind=triomino&size=1280x880"
    script = [laid(FIRST, 90.0), laid(SECOND, 270.0), laid(THIRD, 90.0)]
    stage = Cues()
    plug = Plug(VirtualTable(Setting.parse(name), stage))
    source = LiveSource(plug.open, (1280, 880), lambda: plug.now_s, repeat_s=0.0)
    profile = profile_for(name)
    journal = Journal(tmp_path / "journal.sqlite3")
    table = Table(journal, Lamp(), "one", profile.shape)
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    room = Room(Wire(table), source, Watcher(profile, 5, kinds()["triomino"]), clock=lambda: plug.now_s)  # type: ignore[arg-type]  # it needs no more of a line
    told: list[str] = []

    def pass_by(seconds: float) -> None:
        for _ in range(round(seconds * 15)):
            plug.now_s += max(1 / 15, source.step())
            frame = source.read()
            assert frame is not None
            room.look(frame)
            if table.view.camera not in told[-1:]:
                told.append(table.view.camera)

    def trouble(camera: str, seconds: float, lays: Lay) -> None:
        pass_by(seconds)
        assert told == [*before, camera]
        plug.is_plugged_in, plug.is_frozen, plug.late_s = True, False, 0.0
        pass_by(12.0)
        assert told == [*before, camera, "ok"]
        stage.waiting.append(lays)
        pass_by(3.0)

    pass_by(2.0)
    before = list(told)
    assert before[-1] == "ok"
    plug.is_plugged_in = False
    trouble("lost", 8.0, script[0])
    before, plug.is_frozen = list(told), True
    trouble("frozen", 8.0, script[1])
    before, plug.late_s = list(told), 1.0
    trouble("late", 1.0, script[2])
    assert [ruled.reason for ruled in table.view.log] == ["ok-begin", "ok-opening", "ok-edge", "ok-edge"]
    assert table.view.questions == ()
    journal.close()
