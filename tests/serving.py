"""A table process in a thread of its own, for tests that come to it by its sockets."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from display.link import Link
from hardware.signals import SilentSignals
from referee.config import Places
from referee.journal import Journal
from referee.outside import joining, keys
from referee.outside.gate import Gate, Opening
from referee.outside.joining import GuestBook
from referee.service import Service, Sockets
from referee.table import Table
from referee.umpire import Match
from referee.wire import Answer

MATCH = Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),))


@contextmanager
def serving(places: Places, epoch: str = "one", port: int | None = None, match: Match = MATCH) -> Iterator[Service]:
    """Serve a match while the block runs, one that is on the journal or else this; with a port, by the gate too."""
    started = threading.Event()
    holder: list[Service] = []

    def work() -> None:
        with closing(Journal(places.state / "journal.sqlite3")) as journal, closing(Sockets(places)) as sockets:
            table = Table(journal, SilentSignals("no pins", "test"), epoch)
            if table.record is None:
                table.begin(match)
            gate = Gate(Opening(port), keys.of_table(places.state / keys.FILE)) if port is not None else None
            book = GuestBook(places.state / joining.FILE)
            holder.append(Service(table, sockets, epoch, camera=False, book=book, gate=gate))
            started.set()
            holder[0].run()
            if gate is not None:
                gate.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert started.wait(5.0)
    try:
        yield holder[0]
    finally:
        holder[0].running = False
        thread.join(5.0)
        assert not thread.is_alive()


def two_free_ports() -> int:
    """The first of two ports side by side that nobody listens on."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = int(first.getsockname()[1])
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def until(link: Link, true: Callable[[], bool], within_s: float = 5.0) -> None:
    """Poll a link until something is so."""
    deadline_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline_s, f"it never came true; trouble {link.trouble!r}, the view is {link.view}"
        link.poll(0.05)


def status_of(link: Link, line: str) -> str:
    """Say a line; what became of it, with the reason. What came of it is in the link's view by then."""
    order_id = link.order(line)
    found: list[Answer] = []
    until(link, lambda: bool(found.extend(each for each in link.answers() if each.id == order_id) or found))
    until(link, lambda: not link.live or (link.view is not None and link.view.seq >= found[0].seq))
    return f"{found[0].status} {found[0].reason}".strip()
