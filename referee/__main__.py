"""The one front door: `referee COMMAND`, cheap to open, every room behind it loaded only when asked for."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from importlib import import_module
from io import TextIOWrapper
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap
from types import TracebackType
from typing import Any, NoReturn

from referee import __version__, nearest
from referee.config import ConfigurationError

PARENT = "REFEREE_PARENT"  # the process id of the supervisor, in the environment of the rooms that it starts
HELP_COLUMN, HELP_WIDTH = 15, 100
GROUPS = {
    "see it work, and play": ("demo", "run", "say", "games", "rules"),
    "judge and look back": ("judge", "replay", "export"),
    "set a table up": ("mat", "calibrate", "learn-set", "doctor", "completion"),
    "measure how well it sees and rules": (
        *("accuracy", "robustness", "sequence", "layouts", "hands", "torture", "record", "check-rules"),
    ),
    "parts of the appliance, started by `run` and by systemd": (
        *("table", "vision", "screen", "phone", "quiet", "network"),
    ),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
EXAMPLES = """examples:
  referee demo                                      a whole simulated match, no hardware needed
  referee judge photograph.jpg --game fr-domino     is the layout on a photograph legal?
  referee run --camera none                         keep the score of a real game by touch
  referee COMMAND --help                            what a command does, with examples"""


def _bare(choices: str) -> str:
    """Choices without the quotation marks that argparse of older Pythons puts around them."""
    return choices.replace("'", "")


WORDINGS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (  # what argparse says, and how we say it
    ("the following arguments are required:", "expected"),
    ("expected one argument", "expected a value after it"),
    (r"invalid choice: (.+) \(choose from (.+)\)", lambda told: f"expected one of {_bare(told[2])}, got {told[1]}"),
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


class Help(argparse.HelpFormatter):
    """Fills paragraphs, and leaves lines that are set in, such as examples, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        blocks = (block.split("\n") for block in text.strip("\n").split("\n\n"))
        return "\n\n".join("\n".join(self._filled(lines, width, indent)) for lines in blocks)

    def _filled(self, lines: list[str], width: int, indent: str) -> Iterator[str]:
        for is_set_in, group in groupby(lines, key=lambda line: line.startswith("  ")):
            if is_set_in:
                yield from group
            else:
                yield super()._fill_text(" ".join(group), width, indent)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line that says what would be right, and exit with `Exit.USAGE`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"formatter_class": Help, **settings})

    def error(self, message: str) -> NoReturn:
        """Print what was wrong, and where to read what is right, then exit."""
        for pattern, ours in WORDINGS:
            message = re.sub(pattern, ours, message)
        self.exit(Exit.USAGE, f"{self.prog}: {message} (`{self.prog} --help` explains it)\n")


class FrontDoor(Parser):
    """The parser of `referee` itself: its help lists the commands by what they are for."""

    commands: argparse._SubParsersAction[Parser]

    def format_help(self) -> str:
        """Usage, the commands in groups, and examples."""
        told = {each.dest: each.help or "" for each in self.commands._get_subactions()}
        width = min(HELP_WIDTH, get_terminal_size().columns)
        lines = [self.format_usage(), self.description or ""]
        for title, names in GROUPS.items():
            lines += ["", f"{title}:"]
            for name in names:
                first, *rest = wrap(told[name], width - HELP_COLUMN)
                lines.append(f"  {name:<{HELP_COLUMN - 2}}{first}")
                lines += [" " * HELP_COLUMN + line for line in rest]
        return "\n".join([*lines, "", EXAMPLES, ""])

    def error(self, message: str) -> NoReturn:
        """Print what was wrong, with the command that was probably meant, then exit."""
        if unknown := re.match(r"argument COMMAND: invalid choice: '([^']*)'", message):
            name = unknown[1]
            message = f"expected a command, got {name!r}{nearest.meant(name, self.commands.choices)}"
        super().error(message)

    def read(self, arguments: Sequence[str] | None = None) -> argparse.Namespace:
        """Read a command line; what a command does not know is an error of that command."""
        options, unknown = self.parse_known_args(arguments)
        if options.command is None:
            self.print_help(sys.stderr)
            self.exit(Exit.USAGE)
        if unknown:
            command = self.commands.choices[options.command]
            known = [text for action in command._actions for text in action.option_strings]
            named = unknown[0].partition("=")[0]
            hint = nearest.meant(named, known) if named.startswith("--") else ""
            command.error(f"expected no {' '.join(unknown)[:80]!r}{hint}")
        return options


class LastResort:
    """Turns an error that nobody expected into its traceback and `Exit.INTERNAL`."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if kind is not None and issubclass(kind, Exception):
            traceback.print_exception(error)
            raise SystemExit(Exit.INTERNAL)


def build_parser(names: Sequence[str] = COMMANDS) -> FrontDoor:
    """The commands' names, help and arguments; imports the command files, which import no room."""
    parser = FrontDoor(prog="referee", description="A camera referee for triominoes and dominoes on a real table.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name in names:
        import_module(f"referee.commands.{name.replace('-', '_')}").add(parser.commands)
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
    asked = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Where one command is named no other is imported: a hook that silences a buzzer must not wait for them.
        options = build_parser(asked[:1] if asked[:1] and asked[0] in COMMANDS else COMMANDS).read(asked)
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
