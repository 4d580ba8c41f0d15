"""`referee phone`: the page on which phones follow the running game, and take part in it."""

from __future__ import annotations

import argparse
import asyncio
import errno
import signal
import socket
import sys
from contextlib import nullcontext
from typing import Any

from referee.commands import setting

USUAL_PORT = 8420


def add(subparsers: Any) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "phone",
        help="serve the phone page of the running game",
        epilog="example:\n  referee phone --lan --port 8420",
    )
    parser.add_argument("--port", type=setting.port, default=USUAL_PORT, help="where to listen (default: %(default)s)")
    parser.add_argument("--lan", action="store_true", help="let other devices in the network in, not only this machine")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted; 78 when the port cannot be had."""
    from display.link import Link
    from display.phone.bridge import Bridge
    from referee.config import Places

    places = Places.from_environment().make()
    link = Link(places, by="phone")
    bridge = Bridge(link, places, lan_addresses) if args.lan else Bridge(link, places)
    try:
        asyncio.run(serve(bridge, args.port, args.lan))
    except OSError as error:
        advice = "; is another referee running? --port N takes another" if error.errno == errno.EADDRINUSE else ""
        print(f"referee phone: cannot listen on port {args.port}: {error.strerror}{advice}", file=sys.stderr)
        return 78
    finally:
        bridge.close()
        link.close()
    return 0


async def serve(bridge: Any, port: int, lan: bool) -> None:
    """Serve until SIGTERM or Ctrl-C; prints the address."""
    from display.phone.discovery import announced
    from referee.commands.house import lan_address

    stop = asyncio.Event()
    for end in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(end, stop.set)
    with bridge.serving(port, lan) as bound:
        who = "everybody in this network" if lan else "this machine only; --lan lets others in"
        print(f"Phone page: http://{lan_address() if lan else '127.0.0.1'}:{bound}/ ({who})", flush=True)
        async with announced(lan_address(), bound, machine()) if lan else nullcontext():
            await stop.wait()


def lan_addresses(port: int) -> tuple[str, str]:
    """Where the page is found in the local network: by number, and by this machine's name."""
    from referee.commands.house import lan_address

    return f"http://{lan_address()}:{port}/", f"http://{machine()}.local:{port}/"


def machine() -> str:
    """This machine's own name."""
    return socket.gethostname().partition(".")[0].lower()
