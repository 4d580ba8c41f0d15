"""What it takes to start each room, what each then holds in memory, and how long a view is on its way to a phone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zmq

from display.link import Link
from referee.config import Places
from referee.wire import Beat, decode
from tests.benchmarks.ledger import Ledger
from tests.benchmarks.yardstick import quickest_s
from tests.load.measuring import Plan, measure
from tests.serving import until
from vision.virtual.stage import Lay, encode

WITHIN_S = 60.0
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
STARTS = {"table": 150.0, "vision": 400.0, "phone": 250.0, "screen": 400.0}  # at most, in units of the yardstick
MEMORY_MB = {"table": 80.0, "vision": 250.0, "phone": 80.0, "screen": 120.0}
FRONT_DOOR = 60.0
VIEW_TO_PHONE = 4.0


class House:
    """The four rooms as processes, started one after another, and what each had spent when it began its work."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder / "state", folder / "run").make()
        self.stage = f"ipc://{self.places.runtime / 'stage'}"
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.started_s: dict[str, float] = {}
        camera = f"virtual:stage={self.stage}&kind=triomino&seed=7&size=1600x1100"
        game = ("--game", "ro-trimino/manufacturer", "--players", "Ana,Bo", "--option", "opening=any")
        self.commands = {
            "table": game,
            "vision": ("--camera", camera, "--kind", "triomino", "--highest", "5"),
            "phone": ("--port", "0"),
            "screen": ("--shots", str(folder / "shots")),
        }

    def start(self, beats: zmq.Socket[bytes]) -> None:
        """Start every room and wait for its first beat."""
        environment = {
            **os.environ,
            "REFEREE_STATE": str(self.places.state),
            "REFEREE_RUNTIME": str(self.places.runtime),
            "GPIOZERO_PIN_FACTORY": "mock",
        }
        for name, arguments in self.commands.items():
            command = [sys.executable, "-m", "referee", name, *arguments]
            self.running[name] = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
            until_s = time.monotonic() + WITHIN_S
            while not (beats.poll(1000) and decode(beats.recv(), Beat).room == name):
                assert self.running[name].poll() is None, f"{name} has ended"
                assert time.monotonic() < until_s, f"{name} does not start"
            self.started_s[name] = spent_s(self.running[name].pid)

    def stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            process.wait(WITHIN_S)


def spent_s(process_id: int) -> float:
    """The processor time that a process has taken so far, all its threads together."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def memory_mb(process_id: int) -> float:
    """What a process holds, with its share of what it has in common with others."""
    lines = Path(f"/proc/{process_id}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


@contextmanager
def house() -> Iterator[tuple[House, Link]]:
    """A house in which a tile has been laid before the camera, ruled on and shown."""
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as folder,
        zmq.Context() as context,
        context.socket(zmq.PULL) as beats,
        context.socket(zmq.PUSH) as people,
    ):
        built = House(Path(folder))
        beats.bind(built.places.endpoint("beats"))
        people.setsockopt(zmq.LINGER, 0)
        people.connect(built.stage)
        try:
            built.start(beats)
            with Link(built.places, "bench") as link:
                people.send(encode(Lay("triomino", (0, 3, 5), 300.0, 200.0, -90.0, 90.0)))
                until(link, lambda: link.view is not None and len(link.view.layout) == 1, WITHIN_S)
                yield built, link
        finally:
            built.stop()


def test_every_room_starts_soon_and_holds_little(ledger: Ledger) -> None:
    with house() as (built, _):
        held = {name: memory_mb(process.pid) for name, process in built.running.items()}
    started = built.started_s.items()
    kept = [ledger.time("start-up", f"{name}, until its first beat", spent, STARTS[name]) for name, spent in started]
    kept += [ledger.memory("memory", f"{name}, a tile on the table", held[name], MEMORY_MB[name]) for name in held]
    kept += [ledger.memory("memory", "all four rooms", sum(held.values()), 450.0)]
    assert all(kept)


@pytest.mark.parametrize("command", ["--version", "quiet"])
def test_the_front_door_opens_quickly(ledger: Ledger, command: str) -> None:
    environment = os.environ | {"GPIOZERO_PIN_FACTORY": "mock"}

    def opened_s() -> float:
        before = os.times()
        run = [sys.executable, "-m", "referee", command]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, env=environment)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    spent = quickest_s([opened_s() for _ in range(10)])
    assert ledger.time("start-up", f"`referee {command}`", spent, FRONT_DOOR)


def test_a_view_is_soon_on_a_phone(ledger: Ledger, tmp_path: Path) -> None:
    measured = measure(Plan(web=4, native=1, views_per_s=20, seconds=5, reconnects=10), tmp_path)
    assert measured.web.all_current
    what = "from a sighting to the view on each of 4 phones, by the clock"
    assert ledger.time("phone", what, measured.web.quick_ms / 1000, VIEW_TO_PHONE)
