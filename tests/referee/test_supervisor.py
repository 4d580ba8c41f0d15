"""The supervisor keeps rooms alive."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq

from referee.config import Places
from referee.supervisor import STUCK_S, Supervisor
from referee.wire import Beat, encode

FOREVER = "import time; time.sleep(60)"
PYTHON = (sys.executable, "-c")


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def house(places: Places, clock: Clock, said: list[str]) -> Iterator[Callable[..., Supervisor]]:
    opened: list[Supervisor] = []

    def build(*rooms: tuple[str, str]) -> Supervisor:
        arguments = [(name, [code]) for name, code in rooms]
        supervisor = Supervisor(places, arguments, dict(os.environ), said.append, clock, PYTHON)
        opened.append(supervisor)
        return supervisor

    yield build
    for supervisor in opened:
        supervisor.stop()


def until(true: Callable[[], bool], supervisor: Supervisor) -> None:
    """Let the supervisor watch until something is true, for ten seconds of wall time at most."""
    deadline_s = time.monotonic() + 10.0
    while not true():
        assert time.monotonic() < deadline_s, "it never came true"
        supervisor.watch()
        time.sleep(0.02)


def test_a_room_that_died_is_started_again_after_a_growing_pause(
    house: Callable[..., Supervisor], clock: Clock, said: list[str]
) -> None:
    supervisor = house(("eye", "raise SystemExit(3)"))
    room = supervisor.rooms["eye"]
    until(lambda: room.restarts == 1, supervisor)
    assert room.process is None
    first_pause_s = room.pause_s
    clock.now_s += first_pause_s
    until(lambda: room.restarts == 2, supervisor)
    assert room.pause_s > first_pause_s
    assert "eye ended with 3" in said[0]


def test_a_room_that_has_done_its_work_stays_down(house: Callable[..., Supervisor]) -> None:
    supervisor = house(("eye", "raise SystemExit(0)"))
    until(lambda: not supervisor.running("eye"), supervisor)
    assert supervisor.rooms["eye"].restarts == 0


def test_a_wrong_configuration_does_not_loop(house: Callable[..., Supervisor]) -> None:
    supervisor = house(("eye", "raise SystemExit(78)"))
    until(lambda: not supervisor.running("eye"), supervisor)
    assert supervisor.rooms["eye"].code == 78


def test_a_room_that_is_alive_but_stuck_is_started_again(
    house: Callable[..., Supervisor], clock: Clock, said: list[str]
) -> None:
    supervisor = house(("eye", FOREVER))
    supervisor.watch()
    clock.now_s += STUCK_S + 1.0
    until(lambda: supervisor.rooms["eye"].restarts == 1, supervisor)
    assert "stuck" in said[0]


def test_only_beats_that_show_progress_count(house: Callable[..., Supervisor], clock: Clock, places: Places) -> None:
    supervisor = house(("eye", FOREVER))
    supervisor.watch()
    room = supervisor.rooms["eye"]
    with zmq.Context() as context, context.socket(zmq.PUSH) as beats:
        beats.setsockopt(zmq.LINGER, 1000)
        beats.connect(places.endpoint("beats"))
        beats.send(b"not a beat")
        beats.send(encode(Beat("eye", "e", 1)))
        clock.now_s += 5.0
        until(lambda: room.progress == 1, supervisor)
        heard_s = room.heard_s
        clock.now_s += 5.0
        beats.send(encode(Beat("eye", "e", 1)))
        beats.send(encode(Beat("stranger", "e", 9)))
        time.sleep(0.1)
        supervisor.watch()
    assert room.heard_s == heard_s == 105.0


def test_stopping_ends_every_process(house: Callable[..., Supervisor]) -> None:
    supervisor = house(("eye", FOREVER), ("mouth", FOREVER))
    supervisor.watch()
    processes = [room.process for room in supervisor.rooms.values()]
    supervisor.stop()
    assert all(process is not None and process.poll() is not None for process in processes)
