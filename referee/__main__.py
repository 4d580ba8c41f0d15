"""The one front door: `referee COMMAND`, cheap to open, every room behind it loaded only when asked for."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module
from types import TracebackType
from typing import NoReturn

from referee import __version__

COMMANDS = (
    "demo",
    "run",
    "table",
    "vision",
    "phone",
    "screen",
    "judge",
    "accuracy",
    "sequence",
    "check-rules",
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
        options = build_parser().parse_args(arguments)
        try:
            code = int(options.run(options))
            sys.stdout.flush()
        except KeyboardInterrupt:
            return Exit.INTERRUPTED
        except BrokenPipeError:
            # The reader of our output left early (`referee rules | head`); nothing to flush at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return Exit.DONE
        return code
    return Exit.INTERNAL


if __name__ == "__main__":
    sys.exit(main())
