"""The command `referee`: cheap to open, and its exit codes mean what ARCHITECTURE.md says."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee import __main__ as door
from referee import __version__

PROJECT = Path(__file__).parent.parent
HEAVY = {"cv2", "numpy", "zmq", "pygame", "gpiozero", "tornado", "vision", "display", "hardware", "calibration"}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=PROJECT)


def referee(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return python("-m", "referee", *arguments)


@pytest.fixture
def open_door_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], int]], int]:
    """Call a command that does what the test says, through the front door."""

    def call(run: Callable[[Any], int]) -> int:
        def add(subparsers: Any) -> None:
            subparsers.add_parser("example").set_defaults(run=run)

        monkeypatch.setattr(door, "COMMANDS", ("example",))
        monkeypatch.setattr(door, "import_module", lambda name: SimpleNamespace(add=add))
        return door.main(["example"])

    return call


def test_help_loads_no_room_and_no_large_package() -> None:
    script = (
        "import sys\n"
        "from referee.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"sys.exit(' '.join(sorted({HEAVY} & set(sys.modules))) or 0)"
    )
    done = python("-c", script)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(re.search(rf"^ +{name}\b", done.stdout, re.MULTILINE) for name in door.COMMANDS)


@pytest.mark.parametrize("name", door.COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    done = referee(name, "--help")
    assert done.returncode == door.Exit.DONE
    assert done.stdout.startswith(f"usage: referee {name}")


def test_the_version_is_told() -> None:
    assert referee("--version").stdout == f"referee {__version__}\n"


@pytest.mark.parametrize("arguments", [(), ("no-such-command",), ("games", "--no-such-option")])
def test_a_command_that_cannot_be_understood_exits_with_64(arguments: tuple[str, ...]) -> None:
    done = referee(*arguments)
    assert done.returncode == 64
    assert done.stderr.startswith("usage: referee")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("code", [0, 1, 2, 64, 78])
def test_a_command_decides_its_exit_code(code: int, open_door_to: Callable[..., int]) -> None:
    assert open_door_to(lambda args: code) == code


def test_an_error_nobody_expected_exits_with_70_and_shows_where(
    open_door_to: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(args: argparse.Namespace) -> int:
        raise KeyError("a tile nobody knows")

    with pytest.raises(SystemExit) as end:
        open_door_to(break_down)
    assert end.value.code == 70
    assert "in break_down" in capsys.readouterr().err


def test_an_interrupt_is_no_error(open_door_to: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    assert open_door_to(interrupted) == door.Exit.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_reader_that_leaves_early_is_no_error(
    open_door_to: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert open_door_to(lambda args: sys.stdout.write("a line\n") and 0) == door.Exit.DONE
        pipe.write("what is flushed at exit goes nowhere")


def test_the_written_table_of_exit_codes_is_the_one_in_force() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\d+)` \| (\w+) \|", text, re.MULTILINE)
    assert [(int(code), name) for code, name in rows] == [(code.value, code.name) for code in door.Exit]
