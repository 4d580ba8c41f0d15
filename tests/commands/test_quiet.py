"""Nothing that was switched on stays on: after SIGTERM, after a kill, and while a second copy is tried."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from referee.__main__ import main
from tests.hardware import recorded_pins

PROJECT = Path(__file__).parents[2]
LONGEST_S = 30.0
BUZZER = "GPIO17"
# A table whose buzzer is on for as long as it lives.
LOUD = """
import sys
from hardware import signals
signals.LONGEST_BUZZ_S = 60.0
signals.BUZZES[signals.ILLEGAL] = (60.0, 0.0, 1)
open_signals = signals.open_signals
def loud(*arguments, **more):
    opened = open_signals(*arguments, **more)
    opened._quiet_until_s = 0.0
    opened.buzz()
    return opened
signals.open_signals = loud
from referee.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    places = {"REFEREE_STATE": str(tmp_path / "state"), "REFEREE_RUNTIME": str(tmp_path / "run")}
    return {**recorded_pins.installed(tmp_path), **places}


def until(true: Callable[[], bool], what: str) -> None:
    deadline_s = time.monotonic() + LONGEST_S
    while not true():
        assert time.monotonic() < deadline_s, what
        time.sleep(0.01)


@contextmanager
def loud_table(tmp_path: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A table process in the middle of a buzz."""
    command = [sys.executable, "-c", LOUD, "table", "--no-camera"]
    with subprocess.Popen(command, env=environment, cwd=PROJECT) as process:
        try:
            until((tmp_path / "run" / "views").exists, "the table never opened")
            until(lambda: recorded_pins.levels(tmp_path)[BUZZER][0] == 1, "the buzzer never sounded")
            yield process
        finally:
            process.kill()


def on(tmp_path: Path) -> list[str]:
    return [pin for pin, (level, _, _) in recorded_pins.levels(tmp_path).items() if level]


def test_a_second_copy_touches_no_pin_and_half_a_second_after_sigterm_all_pins_are_low(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with loud_table(tmp_path, environment) as table:
        command = [sys.executable, "-m", "referee", "table", "--no-camera"]
        second = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=False)
        assert second.returncode == 78
        assert second.stderr == f"referee table: a referee is already running on {tmp_path / 'run'}\n"
        assert recorded_pins.levels(tmp_path)[BUZZER][:2] == (1, table.pid)
        assert on(tmp_path) == [BUZZER]
        told_s = time.time()
        table.send_signal(signal.SIGTERM)
        assert table.wait(LONGEST_S) == 0
    assert on(tmp_path) == []
    quiet_s = max(when_s for _, _, when_s in recorded_pins.levels(tmp_path).values())
    assert quiet_s - told_s < 0.5


def test_after_a_kill_the_hook_drives_all_pins_low(tmp_path: Path, environment: dict[str, str]) -> None:
    with loud_table(tmp_path, environment) as table:
        table.kill()
        table.wait(LONGEST_S)
    assert on(tmp_path) == [BUZZER], "a process that is killed sees to nothing"
    command = [sys.executable, "-m", "referee", "quiet", "--config", str(PROJECT / "systemd" / "referee.toml")]
    done = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "quiet\n", "")
    assert on(tmp_path) == []


def test_after_a_kill_the_next_table_is_quiet_before_anything_else(tmp_path: Path, environment: dict[str, str]) -> None:
    with loud_table(tmp_path, environment) as table:
        table.kill()
    for file in (tmp_path / "state").glob("journal*"):
        file.unlink()
    (tmp_path / "state" / "journal.sqlite3").mkdir()
    command = [sys.executable, "-m", "referee", "table", "--no-camera"]
    done = subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, timeout=LONGEST_S, check=False)
    assert done.returncode == 78
    assert on(tmp_path) == []


def test_a_house_whose_table_was_killed_is_quiet_before_the_table_is_back(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    from referee.config import Places
    from referee.supervisor import Supervisor

    places = Places(tmp_path / "state", tmp_path / "run").make()
    clock = time.monotonic()
    supervisor = Supervisor(
        places,
        [("table", ["table", "--no-camera"])],
        environment,
        lambda text: None,
        lambda: clock,
        (sys.executable, "-c", LOUD),
        after={"table": ("quiet", "--wiring", "buzzer=17 led=27")},
    )
    # the hook is the plain program: only the table is loud
    supervisor._after = {"table": (sys.executable, "-m", "referee", "quiet")}
    with supervisor:
        supervisor.watch()
        until(lambda: recorded_pins.levels(tmp_path).get(BUZZER, (0,))[0] == 1, "the buzzer never sounded")
        process = supervisor.rooms["table"].process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait(LONGEST_S)
        supervisor.watch()
        assert on(tmp_path) == []
        assert supervisor.rooms["table"].process is None, "it is started again after a pause"


def test_other_pins_are_quietened_as_they_are_wired(tmp_path: Path) -> None:
    settings = tmp_path / "referee.toml"
    settings.write_text("[wiring]\nbuzzer = 5\nled = 6\nrgb = [20, 21, 22]\n")
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    try:
        assert main(["quiet", "--config", str(settings)]) == 0
        levels = {info.name: pin.state for info, pin in Device.pin_factory.pins.items()}
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = before
    assert levels == dict.fromkeys(("GPIO5", "GPIO6", "GPIO20", "GPIO21", "GPIO22"), 0)


def test_a_machine_without_pins_is_quiet_already(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "GPIOZERO_PIN_FACTORY": "lgpio", "PYTHONPATH": str(PROJECT)})  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "no pins to drive: no-gpio\n")
