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
from referee.config import ConfigurationError

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


def test_without_a_command_the_commands_are_shown_and_it_is_64() -> None:
    done = referee()
    assert (done.returncode, done.stdout) == (64, "")
    assert done.stderr == referee("--help").stdout


MISSPELT = {
    ("judgee",): "referee: expected a command, got 'judgee'; did you mean judge?",
    ("xyzzy",): "expected a command, got 'xyzzy' (`referee --help` explains it)",
    ("demo", "--gaem", "fr-domino"): "referee demo: expected no '--gaem fr-domino'; did you mean --game?",
    ("games", "--no-such-option"): "expected no '--no-such-option' (`referee games --help` explains it)",
    ("demo", "--seed"): "referee demo: argument --seed: expected a value after it",
    ("judge", "photograph.jpg"): "referee judge: expected --game (",
    ("mat", "--paper", "A5"): "expected one of A4, A3, A2, got 'A5'",  # with the same marks on every Python
    ("rules", "fr-dominos"): "got 'fr-dominos'; did you mean fr-domino?",
    ("rules", "Moon"): "got 'Moon'; did you mean kk-moon?",
    ("rules", "fr-domino", "--option", "targt=100"): "got 'targt'; did you mean target?",
    ("run",): "expected --camera pi, usb:N, usb:NAME, video:FILE, folder:DIR, virtual:SCRIPT or none, got ''; none k",
    ("sequence", "no-such-folder"): "expected a folder with sequences.json, got no-such-folder (No such file",
    ("export", "last", "--state", "/proc/none"): "nothing has been played yet, or elsewhere (--state DIR)",
}


@pytest.mark.parametrize("arguments", MISSPELT, ids=" ".join)
def test_what_was_misspelt_is_said_in_one_line_with_what_was_meant(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = door.main(arguments)
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]  # the parser's errors end with a number
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (64, "", 1)
    assert MISSPELT[arguments] in said.err


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


def test_a_bad_configuration_is_one_line_and_78(
    open_door_to: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    def misconfigured(args: argparse.Namespace) -> int:
        raise ConfigurationError("the lock is a directory")

    assert open_door_to(misconfigured) == door.Exit.CONFIGURATION
    assert capsys.readouterr().err == "referee example: the lock is a directory\n"


def test_another_file_that_fails_is_not_taken_for_the_output(open_door_to: Callable[..., int]) -> None:
    def disk_full(args: argparse.Namespace) -> int:
        raise OSError(28, "No space left on device")

    with pytest.raises(SystemExit) as end:
        open_door_to(disk_full)
    assert end.value.code == door.Exit.INTERNAL


@pytest.mark.parametrize("arguments", [("rules", "fr-domino"), ("games",)])
def test_output_that_cannot_be_written_is_one_line_and_a_failure(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            cwd=PROJECT,
        )
    assert done.returncode == door.Exit.FAILED
    assert done.stderr == "referee: cannot write the output: No space left on device\n"


def test_a_closed_output_is_no_error() -> None:
    shell = ["sh", "-c", 'exec "$0" -m referee games >&-', sys.executable]
    done = subprocess.run(shell, capture_output=True, text=True, timeout=60, check=False, cwd=PROJECT)
    assert (done.returncode, done.stderr) == (door.Exit.DONE, "")


def test_an_interrupt_while_commands_are_loaded_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(door, "import_module", interrupted)
    assert door.main(["games"]) == door.Exit.INTERRUPTED
    assert capsys.readouterr().err == ""


MISTAKES = {
    "no names": ("table", "--game", "fr-domino", "--players", "Ana,"),
    "one name twice": ("table", "--game", "fr-domino", "--players", "Ana,Ana"),
    "bytes that are no text": ("table", "--game", "fr-domino", "--players", os.fsdecode(b"A,\xff")),
    "fewer than no players": ("table", "--game", "fr-domino", "--players=-1"),
    "a digit that is none": ("table", "--game", "fr-domino", "--players", "\u00b2"),
    "very many players": ("demo", "--players", "9" * 5000),
    "no points": ("demo", "--target", "0"),
    "too many points": ("table", "--game", "fr-domino", "--target", "1000001"),
    "a house rule of no game": ("table", "--opening", "any"),
    "players of no game": ("run", "--camera", "none", "--players", "Ana,Bo"),
    "a game without a name": ("run", "--camera", "none", "--game", ""),
    "a room twice": ("run", "--camera", "none", "--rooms", "table,table"),
    "a port that is none": ("run", "--camera", "none", "--port", "70000"),
    "another port that is none": ("demo", "--port", "-1"),
    "a seed below nought": ("demo", "--seed", "-1"),
    "a wait without end": ("demo", "--linger", "inf"),
    "pictures in a file": ("demo", "--output", "README.md"),
    "pictures of the screen in a file": ("screen", "--shots", "README.md"),
    "pictures where no folder can be": ("demo", "--output", "/proc/no-such-folder"),
    "a number below nought": ("accuracy", ".", "--highest=-1"),
    "no number": ("vision", "--camera", "none", "--pace", "nan"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_in_the_arguments_is_said_in_a_line_and_is_64(
    what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    try:
        code = door.main(MISTAKES[what])
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]  # the parser's errors end with a number
    said = capsys.readouterr().err
    assert code == 64
    assert "expected" in said.splitlines()[-1]
    assert "Traceback" not in said


def test_a_calibration_nested_without_end_is_64(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert door.main(["table", "--calibration", str(tmp_path / "deep.json")]) == 64
    assert "deep.json" in capsys.readouterr().err


def test_the_written_table_of_exit_codes_is_the_one_in_force() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\d+)` \| (\w+) \|", text, re.MULTILINE)
    assert [(int(code), name) for code, name in rows] == [(code.value, code.name) for code in door.Exit]
