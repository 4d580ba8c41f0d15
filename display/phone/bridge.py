"""The bridge between the table and the phones: serves the page, and the newest view to whoever watches.

Browsers cannot speak ZeroMQ, so this is a client of the table like the screen, and a web server for the
phones. It only shows: nothing that a phone sends reaches the table.
"""

from __future__ import annotations

import asyncio
import json
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol

import zmq
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from display import languages, sentences
from display.phone.texts import PAGE_TEXTS
from referee.config import Places
from referee.wire import Beat, View, encode

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104  # only where the people asked for it with --lan
MOST_PHONES = 64
LONGEST_SAYING_BYTES = 4096
POLL_MS = 40
BEAT_MS = 1000
MOST_TILES = 200
SILENT_PHONE_S = 20.0
TRY_AGAIN_LATER = 1013
READ_ONLY = "This page only shows the game. Play on the table, and use the screen there for the rest."

PAGE = Path(__file__).parent
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "app.js": ("app.js", "text/javascript; charset=utf-8"),
    "table.js": ("table.js", "text/javascript; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    "manifest.webmanifest": ("manifest.webmanifest", "application/manifest+json"),
}
TABLES = {
    "page": PAGE_TEXTS,
    "reasons": sentences.REASONS,
    "awards": sentences.AWARDS,
    "questions": sentences.QUESTIONS,
    "options": sentences.OPTIONS,
    "actions": sentences.ACTIONS,
    "statuses": sentences.STATUSES,
    "phases": sentences.PHASES,
    "camera": sentences.CAMERA,
    "signals": sentences.SIGNALS,
    "games": sentences.GAMES,
}
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class TableLink(Protocol):
    """What the bridge needs of `display.link.Link`."""

    @property
    def view(self) -> View | None:
        """The newest view, None before the first."""

    @property
    def live(self) -> bool:
        """True while the table is heard."""

    def poll(self, timeout_s: float) -> bool:
        """Take in what has come; True when something is new."""


def words(language: str) -> dict[str, Any]:
    """All that the page says in a language: the words for every code, its own texts, and numbers of tiles."""
    say = sentences.Words(language)
    tables = {name: {str(code): say.code(table, code) for code in table} for name, table in TABLES.items()}
    counts = [say.count(tiles) for tiles in range(MOST_TILES + 1)]
    known = [{"code": each.code, "name": each.name} for each in languages.available()]
    return {"language": say.language, "languages": known, "counts": counts, **tables}


def is_ours(host: str) -> bool:
    """True for a name that only this machine goes by: a page from elsewhere cannot have made a browser use it.

    Numbers are no names, so nobody can have pointed them here; `.local` is given within the local network.
    """
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return host in ("localhost", socket.gethostname().lower()) or host.endswith(".local")
    return True


class OurHandler(RequestHandler):
    """Answers those who ask for this machine by a name of its own, and nobody else."""

    def prepare(self) -> None:
        """Refuse any other name."""
        if not is_ours(self.request.host_name.lower()):
            self.send_error(403)


class PageHandler(OurHandler):
    """Serves the few files of the page, and nothing else."""

    def set_default_headers(self) -> None:
        """The same strict headers on every answer, errors too."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def get(self, name: str) -> None:
        """A file of the page, or the words."""
        if name == "words.json":
            self.set_header("Content-Type", "application/json; charset=utf-8")
            wanted = self.get_query_argument("language", "") or self.request.headers.get("Accept-Language")
            self.finish(json.dumps(words(languages.chosen(wanted)), ensure_ascii=False))
        elif name in FILES:
            file, kind = FILES[name]
            self.set_header("Content-Type", kind)
            self.finish((PAGE / file).read_bytes())
        else:
            self.send_error(404)

    def head(self, name: str) -> None:
        """What `get` would say, without its body."""
        self.get(name)


class LiveHandler(OurHandler, WebSocketHandler):
    """One phone. At most one message of each kind waits for it: the newest."""

    def initialize(self, bridge: Bridge) -> None:
        """Remember the bridge."""
        self._bridge = bridge
        self._waiting: dict[str, bytes] = {}
        self._sender: asyncio.Task[None] | None = None

    def open(self, *_: str, **__: str) -> None:
        """Show the whole picture at once, or say that the house is full."""
        self.set_nodelay(True)
        if not self._bridge.welcome(self):
            self.close(TRY_AGAIN_LATER, "too many phones are watching")

    def on_message(self, _message: str | bytes) -> None:
        """Whatever a phone says is refused in words."""
        self.offer("refused", json.dumps({"type": "refused", "message": READ_ONLY}).encode())

    def on_close(self) -> None:
        """Forget the phone."""
        self._bridge.forget(self)

    def offer(self, kind: str, message: bytes) -> None:
        """Send a message as soon as the phone takes it; it replaces one of its kind that still waits."""
        self._waiting[kind] = message
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send_waiting())

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                kind = next(iter(self._waiting))
                await self.write_message(self._waiting.pop(kind).decode())
        except (WebSocketClosedError, StreamClosedError):
            self._waiting.clear()


class Bridge:
    """Takes views from the table and hands them to every phone.

    Args:
        link: the connection to the table; belongs to the caller.
        places: where the supervisor hears the bridge's beats.
    """

    def __init__(self, link: TableLink, places: Places) -> None:
        self._link = link
        self._phones: set[LiveHandler] = set()
        self._epoch = uuid.uuid4().hex
        self._polls = 0
        self._was_live = False
        self._context = zmq.Context()
        self._beats = self._context.socket(zmq.PUSH)
        for option, value in ((zmq.LINGER, 0), (zmq.SNDHWM, 1), (zmq.IMMEDIATE, 1)):
            self._beats.setsockopt(option, value)
        self._beats.connect(places.endpoint("beats"))

    @property
    def phones(self) -> int:
        """How many phones are watching."""
        return len(self._phones)

    @contextmanager
    def serving(self, port: int, lan: bool = False) -> Iterator[int]:
        """Serve while the block runs, inside a running event loop; gives the port.

        Args:
            port: where to listen; 0 takes any that is free.
            lan: listen to other devices too, not only to this machine.

        Raises:
            OSError: if the port cannot be had.
        """
        sockets = bind_sockets(port, EVERYWHERE if lan else LOOPBACK)
        server = HTTPServer(self._application(), max_body_size=LONGEST_SAYING_BYTES, idle_connection_timeout=60)
        server.add_sockets(sockets)
        timers = [PeriodicCallback(self.look, POLL_MS), PeriodicCallback(self.beat, BEAT_MS)]
        for timer in timers:
            timer.start()
        try:
            yield sockets[0].getsockname()[1]
        finally:
            for timer in timers:
                timer.stop()
            server.stop()
            for phone in tuple(self._phones):
                phone.close(1001, "the referee stops")

    def close(self) -> None:
        """Close the socket to the supervisor."""
        self._beats.close()
        self._context.term()

    def look(self) -> None:
        """Take in what the table said; pass on a new view, and at once that the table fell silent or came back."""
        before = self._link.view
        self._link.poll(0.0)
        self._polls += 1
        view = self._link.view
        if view is not None and view is not before:
            self._tell("view", encode(view))
        if self._link.live != self._was_live:
            self._tell("beat", self._pulse())

    def beat(self) -> None:
        """Tell every phone, and the supervisor, that the bridge lives."""
        self._tell("beat", self._pulse())
        try:
            self._beats.send(encode(Beat("phone", self._epoch, self._polls)), zmq.NOBLOCK)
        except zmq.Again:
            return  # nobody supervises

    def welcome(self, phone: LiveHandler) -> bool:
        """Show a new phone the whole picture; False when too many are watching."""
        if len(self._phones) >= MOST_PHONES:
            return False
        self._phones.add(phone)
        if self._link.view is not None:
            phone.offer("view", encode(self._link.view))
        phone.offer("beat", self._pulse())
        return True

    def forget(self, phone: LiveHandler) -> None:
        """A phone has gone."""
        self._phones.discard(phone)

    def _pulse(self) -> bytes:
        self._was_live = self._link.live
        return json.dumps({"type": "beat", "live": self._was_live}).encode()

    def _tell(self, kind: str, message: bytes) -> None:
        for phone in self._phones:
            phone.offer(kind, message)

    def _application(self) -> Application:
        settings: dict[str, Any] = {
            "websocket_max_message_size": LONGEST_SAYING_BYTES,
            "websocket_ping_interval": SILENT_PHONE_S,
            "websocket_ping_timeout": SILENT_PHONE_S / 2,
            "log_function": lambda _: None,
        }
        return Application([(r"/live", LiveHandler, {"bridge": self}), (r"/(.*)", PageHandler)], **settings)
