"""`python -m display text`: follow a table from a terminal, on its own machine or elsewhere."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from display import joining
from display.guest import GuestLink, Invitation
from display.link import Link
from display.text import follow
from referee.config import ConfigurationError, Places
from referee.words import SEATS

USAGE, CONFIGURATION, INTERRUPTED = 64, 78, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the client; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m display", description="A client of the referee for a terminal.")
    clients = parser.add_subparsers(dest="client", required=True)
    text = clients.add_parser("text", help="print what happens at a table, and say to it what is typed")
    text.add_argument(
        "invitation", nargs="?", help="what the QR code on the screen says; without it, this machine's table"
    )
    text.add_argument("--seat", choices=tuple(SEATS), help="the player who types; without it, only look on")
    text.add_argument("--device", default=socket.gethostname(), help="the name that the table's screen shows")
    text.add_argument("--state", type=Path, metavar="DIR", help="where the journal of this machine's table is")
    text.add_argument("--runtime", type=Path, metavar="DIR", help="where its sockets are")
    text.add_argument("--invite", action="store_true", help="print the invitation of this machine's table and end")
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigurationError as error:
        _complain(f"display text: {error}")
        return CONFIGURATION
    except ValueError as error:
        _complain(f"display text: {error}")
        return USAGE


def _run(options: argparse.Namespace) -> int:
    if options.invitation is None:
        with Link(Places.from_environment(options.state, options.runtime).make(), by="terminal") as link:
            return _invite(link) if options.invite else follow(link, _say, sys.stdin.buffer)
    seat = SEATS.index(options.seat) if options.seat else None
    with closing(GuestLink(Invitation.parse(options.invitation), options.device, seat)) as link:
        return follow(link, _say, sys.stdin.buffer)


def _invite(link: Link) -> int:
    """Print what other programs need to join."""
    invitation = link.ask("joining").invitation
    if invitation is None or not invitation.native:
        _complain("display text: no table is running here that lets other programs in (--native PORT)")
        return 1
    link.poll(1.0)
    address = link.view.phones if link.view and link.view.phones else "http://127.0.0.1/"
    _say(joining.link(address, invitation))
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _complain(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
