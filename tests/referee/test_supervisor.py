"""The supervisor keeps rooms alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq

from display.pulse import Pulse
from referee.config import AlreadyRunningError, Places
from referee.supervisor import STEADY_S, STUCK_S, Supervisor
from referee.wire import Beat, Errand, encode

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

    def build(*rooms: tuple[str, str], once: tuple[str, ...] = ()) -> Supervisor:
        arguments = [(name, [code]) for name, code in rooms]
        supervisor = Supervisor(places, arguments, dict(os.environ), said.append, clock, PYTHON, once)
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


@pytest.mark.parametrize("code", [64, 78])
def test_a_room_that_was_started_wrongly_ends_the_house_with_its_code(
    house: Callable[..., Supervisor], code: int
) -> None:
    supervisor = house(("eye", f"raise SystemExit({code})"))
    assert not supervisor.over
    until(lambda: supervisor.over, supervisor)
    assert (supervisor.verdict, supervisor.rooms["eye"].restarts) == (code, 0)
    assert not supervisor.running("eye")


def test_a_recording_whose_eye_died_is_not_begun_again_and_has_failed(
    house: Callable[..., Supervisor], said: list[str]
) -> None:
    supervisor = house(("eye", "raise SystemExit(70)"), once=("eye",))
    until(lambda: not supervisor.running("eye"), supervisor)
    assert (supervisor.verdict, supervisor.rooms["eye"].restarts) == (1, 0)
    assert said == ["eye ended with 70; what it showed cannot be gone on with"]


def test_a_house_fails_whose_room_keeps_dying_until_that_room_has_run_steadily(
    house: Callable[..., Supervisor], clock: Clock, tmp_path: Path
) -> None:
    died = tmp_path / "died"
    first_dies = f"import os, time; p = {str(died)!r}; os.path.exists(p) and time.sleep(60); open(p, 'w'); 1 / 0"
    supervisor = house(("table", first_dies))
    room = supervisor.rooms["table"]
    until(lambda: room.restarts == 1, supervisor)
    clock.now_s += room.pause_s
    until(lambda: room.process is not None, supervisor)
    assert supervisor.verdict == 1
    clock.now_s += STEADY_S + 1.0
    assert supervisor.verdict == 0


def test_a_room_that_is_alive_but_stuck_is_started_again(
    house: Callable[..., Supervisor], clock: Clock, said: list[str]
) -> None:
    supervisor = house(("eye", FOREVER))
    supervisor.watch()
    clock.now_s += STUCK_S + 1.0
    until(lambda: supervisor.rooms["eye"].restarts == 1, supervisor)
    assert "stuck" in said[0]


def test_what_a_killed_room_left_is_cleared_up_at_once_and_nothing_is_after_one_that_was_stopped(
    places: Places, clock: Clock, tmp_path: Path
) -> None:
    done = tmp_path / "done"
    after = {"table": [f"open({str(done)!r}, 'a').write('x')"]}
    rooms = [("table", [FOREVER]), ("eye", [FOREVER])]
    supervisor = Supervisor(places, rooms, dict(os.environ), lambda text: None, clock, PYTHON, after=after)
    try:
        supervisor.watch()
        for name in ("eye", "table"):
            process = supervisor.rooms[name].process
            assert process is not None
            process.kill()
            until(lambda name=name: supervisor.rooms[name].restarts == 1, supervisor)
            assert done.exists() == (name == "table")
        assert supervisor.standing == "about to be started: table, eye; started again: table 1 times, eye 1 times"
        clock.now_s += 10.0
        supervisor.watch()
        assert supervisor.standing == "running: table, eye; started again: table 1 times, eye 1 times"
    finally:
        supervisor.stop()
    assert done.read_text() == "x"


def test_a_hook_that_cannot_be_run_keeps_no_room_down(places: Places, clock: Clock) -> None:
    rooms = [("table", ["raise SystemExit(3)"])]
    supervisor = Supervisor(places, rooms, dict(os.environ), lambda text: None, clock, PYTHON)
    supervisor._after = {"table": ("/no/such/program",)}
    try:
        until(lambda: supervisor.rooms["table"].restarts == 1, supervisor)
        assert supervisor.running("table")
    finally:
        supervisor.stop()


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


def test_a_second_signal_does_not_cut_the_stopping_short(house: Callable[..., Supervisor], tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    slow = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), sys.exit(0)))\n"
        f"open({str(ready)!r}, 'w')\n"
        "time.sleep(60)"
    )
    supervisor = house(("mouth", slow))
    with supervisor:
        until(ready.exists, supervisor)
        os.kill(os.getpid(), signal.SIGTERM)
        assert supervisor.over
        killer = subprocess.Popen(
            [*PYTHON, f"import os, time; time.sleep(0.2); os.kill({os.getpid()}, {signal.SIGTERM:d})"]
        )
    assert killer.wait() == 0
    assert (supervisor.rooms["mouth"].code, supervisor.verdict) == (0, 0)


def test_an_interrupt_is_what_the_house_ends_with(house: Callable[..., Supervisor]) -> None:
    with house(("eye", FOREVER)) as supervisor:
        os.kill(os.getpid(), signal.SIGINT)
        assert supervisor.over
        assert supervisor.verdict == 130


def test_a_second_supervisor_on_one_runtime_directory_is_refused(
    house: Callable[..., Supervisor], places: Places
) -> None:
    house(("eye", FOREVER))
    with pytest.raises(AlreadyRunningError, match=str(places.runtime)):
        Supervisor(places, [], {}, print)


def test_rooms_end_when_their_supervisor_was_killed(places: Places, tmp_path: Path) -> None:
    supervise = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from referee.config import Places\n"
        "from referee.supervisor import Supervisor\n"
        "state, runtime = sys.argv[1:]\n"
        "arguments = ['table', '--state', state, '--runtime', runtime, '--no-camera']\n"
        "supervisor = Supervisor(Places(Path(state), Path(runtime)), [('table', arguments)], {}, print)\n"
        "supervisor.watch()\n"
        "print(supervisor.rooms['table'].process.pid, flush=True)\n"
        "time.sleep(60)"
    )
    command = [*PYTHON, supervise, str(places.state), str(places.runtime)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        room = int(parent.stdout.readline())
        deadline_s = time.monotonic() + 20.0
        while not (places.runtime / "views").exists():
            assert time.monotonic() < deadline_s, "the table never opened"
            time.sleep(0.05)
        parent.kill()
    while Path(f"/proc/{room}").exists() and "Z" not in Path(f"/proc/{room}/stat").read_text().rsplit(")")[1][:3]:
        assert time.monotonic() < deadline_s, "the table outlived its supervisor"
        time.sleep(0.05)


def test_rooms_change_places_and_those_that_stay_are_left_alone(house: Callable[..., Supervisor]) -> None:
    supervisor = house(("table", FOREVER), ("eye", FOREVER), ("phone", FOREVER))
    until(lambda: all(room.process for room in supervisor.rooms.values()), supervisor)
    table, eye, phone = (room.process for room in supervisor.rooms.values())
    assert table is not None
    assert eye is not None
    supervisor.change([("table", [FOREVER]), ("ruler", ["pass"]), ("phone", [FOREVER])])
    assert eye.poll() is not None, "it has given its camera away before the other begins"
    until(lambda: not supervisor.running("ruler"), supervisor)
    assert [supervisor.rooms[name].process for name in ("table", "phone")] == [table, phone]
    assert not supervisor.over
    supervisor.change([("table", [FOREVER]), ("eye", [FOREVER]), ("phone", [FOREVER])], again=("table",))
    assert table.poll() is not None
    until(lambda: all(room.process for room in supervisor.rooms.values()), supervisor)
    assert list(supervisor.rooms) == ["table", "eye", "phone"]
    assert supervisor.rooms["phone"].process is phone
    assert [room.restarts for room in supervisor.rooms.values()] == [0, 0, 0]


def test_what_the_screen_asks_for_is_heard_and_nothing_else(house: Callable[..., Supervisor], places: Places) -> None:
    supervisor = house()
    pulse = Pulse(places, "e")
    pulse.ask(Errand("calibrate"))
    with zmq.Context() as context, context.socket(zmq.PUSH) as socket:
        socket.setsockopt(zmq.LINGER, 100)
        socket.connect(places.endpoint("beats"))
        socket.send(b'{"type":"errand","what":"format-the-disk"}')
        until(lambda: supervisor.errands == {"calibrate"}, supervisor)
        supervisor.errands.clear()
        socket.send(encode(Errand("calibrate")))  # comes after the other one
        until(lambda: supervisor.errands == {"calibrate"}, supervisor)
    pulse.close()
