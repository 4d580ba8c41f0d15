"""The one front door: `referee COMMAND`, cheap to open, every room behind it loaded only when asked for."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module
from io import TextIOWrapper
from types import TracebackType
from typing import NoReturn

from referee import __version__
from referee.config import ConfigurationError

PARENT = "REFEREE_PARENT"  # the process id of the supervisor, in the environment of the rooms that it starts
COMMANDS = (
    "demo",
    "run",
    "table",
    "vision",
    "phone",
    "screen",
    "quiet",
    "network",
    "say",
    "mat",
    "calibrate",
    "doctor",
    "learn-set",
    "judge",
    "accuracy",
    "robustness",
    "sequence",
    "torture",
    "hands",
    "record",
    "check-rules",
    "replay",
    "export",
    "games",
    "rules",
)


class Exit(IntEnum):
    """What the command `referee` says with its exit code."""

    DONE = 0
    FAILED = 1
    CANNOT_TELL = 2
    USAGE = 64
    INTERNAL = 70
    CONFIGURATION = 78
    INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors exit with `Exit.USAGE`."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and what was wrong with it, then exit."""
        self.print_usage(sys.stderr)
        self.exit(Exit.USAGE, f"{self.prog}: {message}\n")


class LastResort:
    """Turns an error that nobody expected into its traceback and `Exit.INTERNAL`."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if kind is not None and issubclass(kind, Exception):
            traceback.print_exception(error)
            raise SystemExit(Exit.INTERNAL)


def build_parser() -> Parser:
    """Every command's name, help and arguments; imports the command files, which import no room."""
    parser = Parser(prog="referee", description="A camera referee for triominoes and dominoes on a real table.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"referee.commands.{name.replace('-', '_')}").add(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    with LastResort():
        try:
            _prepare()
            try:
                return _run(arguments)
            finally:
                sys.stdout.flush()
        except KeyboardInterrupt:
            return Exit.INTERRUPTED
        except BrokenPipeError:
            _discard_output()  # the reader of our output left early (`referee rules | head`)
            return Exit.DONE
        except OSError as error:
            if not _output_is_stuck():
                raise
            _discard_output()
            sys.stderr.write(f"referee: cannot write the output: {error.strerror}\n")
            return Exit.FAILED
    return Exit.INTERNAL


def _run(arguments: Sequence[str] | None) -> int:
    command = ""
    try:
        options = build_parser().parse_args(arguments)
        command = f" {options.command}"
        return int(options.run(options))
    except ConfigurationError as error:
        sys.stderr.write(f"referee{command}: {error}\n")
        return Exit.CONFIGURATION


def _prepare() -> None:
    """Make sure that there are streams, that they can show any text, and that a room ends with its supervisor."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        # A file of ours that took the place of a closed stream would be written to by mistake.
        while os.open(os.devnull, os.O_RDWR) < 2:
            continue
        sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115  # open as long as the process runs
        sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115  # the same
        sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115  # the same
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if parent := os.environ.get(PARENT):
        _end_with(int(parent))


def _end_with(parent: int) -> None:
    """Have Linux ask this process to end as soon as its parent has, even if that was killed."""
    import ctypes

    tell_me_of_its_death = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(tell_me_of_its_death, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(Exit.DONE)  # it was gone before we asked


def _output_is_stuck() -> bool:
    """True when nothing can be printed: then it was the output that failed, and no other file."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _discard_output() -> None:
    """Send what is still to be printed nowhere, so that nothing complains about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
