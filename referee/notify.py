"""What systemd is told of a house: that it is ready, how it stands, that the table gets on, that it stops."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable

VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")  # systemd's, for one process and not for its children


def notify(text: str, address: str | None = None) -> None:
    """Send lines of `NAME=value` to systemd; nothing where it did not start us.

    Args:
        address: its socket (default: what systemd put into the environment).
    """
    address = address or os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]  # of Linux's abstract names
    # systemd that does not listen is no reason to end a game
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.connect(address)
        out.send(text.encode())


class Report:
    """Tells systemd what is new about a house, and nothing twice.

    Its watchdog is fed by the table's progress alone: a house whose table does nothing is not alive.
    """

    def __init__(self, send: Callable[[str], None] = notify) -> None:
        self._send = send
        self._progress = -1
        self._standing = ""

    def hear(self, progress: int, standing: str) -> None:
        """Take in how far the table has got (-1: not begun) and how the rooms stand, in words."""
        news = []
        if progress != self._progress and progress >= 0:
            news += ["WATCHDOG=1", *(["READY=1"] if self._progress < 0 else [])]
            self._progress = progress
        if standing != self._standing:
            news.append(f"STATUS={standing}")
            self._standing = standing
        if news:
            self._send("\n".join(news))

    def stopping(self) -> None:
        """Say that the house comes to its end."""
        self._send("STOPPING=1\nSTATUS=stopping")
