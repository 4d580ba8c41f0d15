"""`referee quiet`: every pin that a referee drives goes low, for one that was killed and could not see to it."""

from __future__ import annotations

import argparse

from referee.commands import configured, run, wired


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "quiet",
        help="buzzer and lights off, after a referee that was killed",
        description="Drives the pins of buzzer and lights low and gives them back. systemd does this after every end.",
        epilog="example:\n  referee quiet --config /etc/referee.toml",
    )
    wired.add(parser)
    configured.add_file(parser, run.options)
    parser.set_defaults(run=quieten)


def quieten(args: argparse.Namespace) -> int:
    """Open what is wired, all of it low, and give it back; fails where a referee holds the pins or they fail."""
    from hardware.signals import NO_LIBRARY, NO_PINS, OK, open_signals
    from referee.__main__ import Exit

    signals = open_signals(args.wiring)
    signals.close()
    print("quiet" if signals.status == OK else f"no pins to drive: {signals.status}")
    return Exit.DONE if signals.status in (OK, NO_LIBRARY, NO_PINS) else Exit.FAILED
