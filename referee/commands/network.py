"""`referee network`: a network of the table's own, where no known one is there; phones then work anywhere.

NetworkManager does the work. The connection is not saved: it is gone with the next power-on, and a known network
that is there then comes first.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

from referee.commands import configured, run, setting

CONNECTION = "referee-hotspot"
LONGEST_WAIT_S = 30
_ASK_S = 20
_UP_S = 30
_PAUSE_S = 1.0


class NetworkError(RuntimeError):
    """NetworkManager could not do what it was asked."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "network",
        help="open a network of the table's own where no known one is there",
        description="Waits for a known network. If none comes, NetworkManager opens one under the name and password\n"
        "that --hotspot and --hotspot-password say; without them nothing is done. Needs the rights to do so.",
        epilog="example:\n  referee network --config /etc/referee.toml",
    )
    setting.add_hotspot(parser)
    parser.add_argument("--wait", type=_wait, default=LONGEST_WAIT_S, metavar="S", help="for a known one (default 30)")
    configured.add_file(parser, run.options)
    parser.set_defaults(run=open_network)


def open_network(args: argparse.Namespace) -> int:
    """Open a network unless one is there, or none was asked for."""
    from referee.__main__ import Exit

    try:
        named = setting.hotspot(args)
    except ValueError as error:
        print(f"referee network: {error}", file=sys.stderr)
        return Exit.CONFIGURATION if args.config else Exit.USAGE
    if named is None:
        print("no network of its own is asked for (hotspot)")
        return Exit.DONE
    if shutil.which("nmcli") is None:
        print("referee network: NetworkManager (nmcli) is not installed; phones need another network", file=sys.stderr)
        return Exit.FAILED
    try:
        known = _known(args.wait)
        if known:
            print(f"connected by {known}: no network of its own is needed")
            return Exit.DONE
        _open(*named)
    except NetworkError as error:
        print(f"referee network: {error}", file=sys.stderr)
        return Exit.FAILED
    print(f"opened the network {named[0]}")
    return Exit.DONE


def _known(
    wait_s: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
) -> str:
    """The device that is connected, once one is; "" when the time is over."""
    until_s = clock() + wait_s
    while True:
        told = _nmcli("--terse", "--fields", "TYPE,STATE", "device")
        for kind, state in (line.partition(":")[::2] for line in told.splitlines()):
            if kind in ("wifi", "ethernet") and state.startswith("connected"):  # also "connected (externally)"
                return kind
        if clock() >= until_s:
            return ""
        sleep(_PAUSE_S)


def _open(name: str, password: str) -> None:
    """Have NetworkManager open the network, anew if it was open already."""
    subprocess.run(  # noqa: S603  # our own words; it fails where there was none, which is as good
        ["nmcli", "connection", "delete", CONNECTION],  # noqa: S607  # found on the path by the caller
        capture_output=True,
        timeout=_ASK_S,
        check=False,
    )
    own = ("type", "wifi", "ifname", "*", "con-name", CONNECTION, "autoconnect", "no", "ssid", name)
    access_point = ("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg")
    addresses = ("ipv4.method", "shared", "ipv6.method", "disabled")  # NetworkManager then gives addresses to phones
    key = ("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.proto", "rsn", "wifi-sec.psk", password)
    _nmcli("connection", "add", "save", "no", *own, *access_point, *addresses, *key)
    _nmcli("--wait", str(_ASK_S), "connection", "up", CONNECTION)


def _nmcli(*arguments: str) -> str:
    """What NetworkManager's own program answers.

    Raises:
        NetworkError: if it fails or does not answer.
    """
    try:
        done = subprocess.run(["nmcli", *arguments], capture_output=True, text=True, timeout=_UP_S, check=False)  # noqa: S603, S607  # our own words; found on the path by the caller
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NetworkError(f"NetworkManager does not answer ({type(error).__name__})") from None
    if done.returncode:
        told = done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}"
        raise NetworkError(f"NetworkManager: {told}")
    return done.stdout


def _wait(text: str) -> float:
    return setting.number(text, "seconds", 600)
