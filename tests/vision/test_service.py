"""The vision room over real sockets on this machine: told once, told again, facts heard, ended in time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import zmq

from calibration.profile import load
from referee.config import Places
from referee.sighting import CameraStatus, Facts, SeenTile, Sighting
from referee.wire import Beat, decode, encode
from vision.frames import Frame
from vision.kinds import kinds
from vision.service import GRACE_S, REPEAT_S, Line, Room
from vision.watch import Watcher

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
WAIT_MS = 20_000


class Reel:
    """A source that plays given pictures, each for five frames."""

    def __init__(self, *files: str, status: CameraStatus = CameraStatus.OK) -> None:
        images = [np.asarray(cv2.imread(str(PICTURES / file))) for file in files]
        self._frames = iter(Frame(image, n / 15, n) for n, image in enumerate(i for i in images for _ in range(5)))
        self.status = status

    def read(self) -> Frame | None:
        return next(self._frames, None)

    def close(self) -> None:
        self._frames = iter(())


class Clock:
    """Seconds that pass by a hundredth each time somebody looks."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 0.01
        return self.now_s


class Told:
    """A line that only writes down what is told, and when."""

    def __init__(self, clock: Clock, *facts: Facts) -> None:
        self.clock = clock
        self.sightings: list[tuple[float, Sighting]] = []
        self.beats: list[tuple[float, int]] = []
        self._facts = list(facts)

    def tell(self, sighting: Sighting) -> None:
        self.sightings.append((self.clock.now_s, sighting))

    def beat(self, epoch: str, progress: int) -> None:
        self.beats.append((self.clock.now_s, progress))

    def heard(self, wait_ms: int = 0) -> Facts | None:
        self.clock.now_s += wait_ms / 1000
        return self._facts.pop(0) if self._facts else None


def watcher() -> Watcher:
    return Watcher(load(f"{PICTURES / 'sequences.json'}#d1"), 6, kinds()["domino"])


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", Path(tmp_path)).make()


class House:
    """The other ends of the room's sockets."""

    def __init__(self, places: Places) -> None:
        self._context = zmq.Context()
        self.sightings = self._bound(zmq.PULL, places.endpoint("sightings"), conflate=True)
        self.facts = self._bound(zmq.PUB, places.endpoint("facts"))
        self.beats = self._bound(zmq.PULL, places.endpoint("beats"))

    def _bound(self, kind: int, endpoint: str, conflate: bool = False) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.CONFLATE, int(conflate))
        socket.bind(endpoint)
        return socket

    def hear(self) -> Sighting:
        """The next sighting."""
        assert self.sightings.poll(WAIT_MS)
        return decode(self.sightings.recv(), Sighting)

    def close(self) -> None:
        for socket in (self.sightings, self.facts, self.beats):
            socket.close()
        self._context.term()


@pytest.fixture
def house(places: Places) -> Iterator[House]:
    house = House(places)
    yield house
    house.close()


def test_what_is_seen_is_told_and_repeated_until_the_grace_is_over() -> None:
    clock = Clock()
    line = Told(clock)
    Room(line, Reel("d1_00.jpg", "d1_01.jpg"), watcher(), clock=clock).run()  # type: ignore[arg-type]
    settles = [sighting.settle for _, sighting in line.sightings]
    assert settles == sorted(settles)
    assert [tile.values for tile in line.sightings[-1][1].tiles] == [(6, 6)]
    last = [at_s for at_s, sighting in line.sightings if sighting == line.sightings[-1][1]]
    assert last[-1] - last[0] > GRACE_S - 2 * REPEAT_S
    assert all(later - earlier < 2 * REPEAT_S for (earlier, _), (later, _) in pairwise(line.sightings))


def test_the_beat_goes_on_and_its_progress_grows() -> None:
    clock = Clock()
    line = Told(clock)
    Room(line, Reel("d1_00.jpg"), watcher(), clock=clock).run()  # type: ignore[arg-type]
    progress = [progress for _, progress in line.beats]
    assert len(progress) >= 3
    assert progress == sorted(set(progress))


def test_a_stopped_room_does_not_linger() -> None:
    clock = Clock()
    line = Told(clock)
    room = Room(line, Reel("d1_00.jpg"), watcher(), clock=clock)  # type: ignore[arg-type]
    room.stop()
    room.run()
    assert line.sightings == []
    assert clock.now_s < 1.0


def test_the_cameras_own_trouble_is_told_with_the_sighting() -> None:
    clock = Clock()
    line = Told(clock)
    source = Reel("d1_00.jpg", status=CameraStatus.FROZEN)
    room = Room(line, source, watcher(), clock=clock)  # type: ignore[arg-type]
    frame = source.read()
    assert frame is not None
    room.look(frame)
    source.status = CameraStatus.OK
    room.look(frame)
    assert [sighting.camera for _, sighting in line.sightings] == [CameraStatus.FROZEN, CameraStatus.OK]


def test_a_recording_plays_at_its_own_pace_once_the_table_was_heard() -> None:
    clock = Clock()
    line = Told(clock, Facts("table", 1, "double-six", "domino", None))
    Room(line, Reel("d1_00.jpg", "d1_01.jpg"), watcher(), pace=1.0, clock=clock).run()  # type: ignore[arg-type]
    settled = next(at_s for at_s, sighting in line.sightings if sighting.settle == 2)
    assert 8 / 15 <= settled < 1.5


def test_a_table_hears_sightings_and_its_facts_come_back(places: Places, house: House) -> None:
    eye = watcher()
    line = Line(places)
    room = Room(line, Reel("d1_00.jpg", "d1_01.jpg"), eye)
    running = threading.Thread(target=room.run)
    running.start()
    try:
        seen = house.hear()
        while not seen.tiles:
            seen = house.hear()
        assert seen.tiles[0].values == (6, 6)
        assert seen.epoch == eye.epoch
        assert house.beats.poll(WAIT_MS)
        assert decode(house.beats.recv(), Beat).room == "vision"
        sure = SeenTile("domino", (4, 4), seen.tiles[0].x_mm, seen.tiles[0].y_mm, seen.tiles[0].angle_deg)
        while eye.tiles[0].values != (4, 4) and running.is_alive():
            house.facts.send(encode(Facts("table", 1, "double-six", "domino", 1, (sure,))))
            running.join(0.05)
        assert eye.tiles[0].values == (4, 4)
    finally:
        room.stop()
        running.join(WAIT_MS / 1000)
        line.close()
    assert not running.is_alive()


def test_the_command_watches_a_folder_until_it_is_told_to_stop(places: Places, house: House) -> None:
    command = [sys.executable, "-m", "referee", "vision", "--runtime", str(places.runtime), "--pace", "0"]
    command += ["--camera", f"folder:{PICTURES}?match=d1_*&hold=5", "--calibration", f"{PICTURES}/sequences.json#d1"]
    with subprocess.Popen(command, env={**os.environ}) as process:
        try:
            seen = house.hear()
            while len(seen.tiles) < 3:
                seen = house.hear()
            assert sorted(tile.values for tile in seen.tiles) == [(0, 6), (5, 6), (6, 6)]
            process.send_signal(signal.SIGTERM)
            assert process.wait(WAIT_MS / 1000) == 0
        finally:
            process.kill()


def test_a_camera_without_calibration_is_refused_in_one_line() -> None:
    command = [sys.executable, "-m", "referee", "vision", "--camera", "folder:."]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert result.returncode == 64
    assert result.stderr.count("\n") == 1
    assert "--calibration" in result.stderr
