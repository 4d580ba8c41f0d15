"""`referee quiet`: every pin that a referee drives goes low, for one that was killed and could not see to it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import configured, wired

if TYPE_CHECKING:
    from hardware.wiring import Wiring


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "quiet",
        help="buzzer and lights off, after a referee that was killed",
        description="Drives the pins of buzzer and lights low and gives them back. systemd does this after every end.",
        epilog="example:\n  referee quiet --config /etc/referee.toml",
    )
    wired.add(parser)
    parser.add_argument("--config", type=Path, metavar="FILE", help="the file of `referee run`: what is wired")
    parser.set_defaults(run=quieten)


def quieten(args: argparse.Namespace) -> int:
    """Open what is wired, all of it low, and give it back; fails where a referee holds the pins or they fail.

    A file that has gone wrong since the referee was started must not leave a buzzer on: then the usual pins go low.
    """
    from hardware.signals import NO_LIBRARY, NO_PINS, OK, open_signals
    from referee.__main__ import Exit
    from referee.config import ConfigurationError

    trouble = ""
    try:
        wiring = args.wiring or (None if args.config is None else _wired(args.config))
    except (ConfigurationError, argparse.ArgumentTypeError) as error:
        wiring, trouble = None, str(error)
    signals = open_signals(wiring)
    signals.close()
    print("quiet" if signals.status == OK else f"no pins to drive: {signals.status}")
    if trouble:
        print(f"referee quiet: the usual pins, since {args.config} does not tell: {trouble}", file=sys.stderr)
        return Exit.CONFIGURATION
    return Exit.DONE if signals.status in (OK, NO_LIBRARY, NO_PINS) else Exit.FAILED


def _wired(file: Path) -> Wiring | None:
    """What a file says is wired, whatever else stands in it."""
    option = "--wiring="
    told = (each for each in configured.arguments(file) if each.startswith(option))
    return next((wired.wiring(each.removeprefix(option)) for each in told), None)
