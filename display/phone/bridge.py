"""The bridge between the table and the phones: the newest view goes out, and what phones say goes to the guest door.

Browsers cannot speak ZeroMQ, so this is a client of the table like the screen, and a web server for the phones. It
decides nothing: who has joined, and what they may say, is known to the table alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import zmq
from tornado.netutil import bind_sockets
from tornado.web import Application

from display.phone import seat
from display.phone.crowd import CrowdedServer
from display.phone.door import Door, GuestDoor, Reply
from display.phone.phone import MOST_BYTES, LivePhone
from display.phone.server import PageHandler, PictureHandler
from referee.config import Places
from referee.outside.doorway import Gone, Here, Phone
from referee.outside.seldom import Seldom
from referee.wire import Beat, Guest, View, encode

_LOG = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104  # only where the people asked for it with --lan
MOST_PHONES = 64
POLL_MS = 15
BEAT_MS = 1000
LOOK_UP_S = 3.0
SILENT_PHONE_S = 20.0
SENT_AWAY = 4003
IDLE_S = 30.0

Addresses = Callable[[int], tuple[str, str]]


class Timer:
    """Does something again and again in the running loop, by its clock.

    Tornado's own goes by the wall clock: set back by a day, it would do nothing for a day.
    """

    def __init__(self, act: Callable[[], None], every_s: float) -> None:
        self._act, self._every_s = act, every_s
        self._loop = asyncio.get_running_loop()
        self._next = self._loop.call_later(every_s, self._turn)

    def stop(self) -> None:
        """Do it no more."""
        self._next.cancel()

    def _turn(self) -> None:
        self._next = self._loop.call_later(self._every_s, self._turn)  # first: an error is told, and ends nothing
        self._act()


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


def loopback_addresses(port: int) -> tuple[str, str]:
    """Where the page is for this machine alone: by number, and by no name."""
    return f"http://{LOOPBACK}:{port}/", ""


class Bridge:
    """Takes views from the table and hands them to every phone, and takes to the table what the phones say.

    Args:
        link: the connection to the table; belongs to the caller.
        places: where the sockets are, and the pictures.
        addresses: where the page is found on a port, by number and by name; asked again every few seconds.
        door: the way to the guest door of the table; a `Door` of its own unless one is given.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        link: TableLink,
        places: Places,
        addresses: Addresses = loopback_addresses,
        door: GuestDoor | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._link = link
        self._places = places
        self._addresses = addresses
        self.door = door or Door(places, clock)
        self.clock = clock
        self.log = Seldom(_LOG, clock)
        self._phones: set[LivePhone] = set()
        self._epoch = uuid.uuid4().hex
        self._polls = self._met = self._port = 0
        self._was_live = False
        self._found: tuple[float, str, str] = (float("-inf"), "", "")
        self._context = zmq.Context()
        self._beats = self._context.socket(zmq.PUSH)
        for option, value in ((zmq.LINGER, 0), (zmq.SNDHWM, 1), (zmq.IMMEDIATE, 1)):
            self._beats.setsockopt(option, value)
        self._beats.connect(places.endpoint("beats"))

    @property
    def phones(self) -> int:
        """How many phones are watching."""
        return len(self._phones)

    @property
    def view(self) -> View | None:
        """The newest view, None before the first."""
        return self._link.view

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
        self._port = sockets[0].getsockname()[1]
        options = {"max_body_size": MOST_BYTES, "idle_connection_timeout": IDLE_S}
        server = CrowdedServer(self._application(), log=self.log, **options)
        server.add_sockets(sockets)
        timers = [Timer(self.look, POLL_MS / 1000), Timer(self.beat, BEAT_MS / 1000)]
        try:
            yield self._port
        finally:
            for timer in timers:
                timer.stop()
            server.stop()
            for phone in tuple(self._phones):
                phone.close(1001, "the referee stops")

    def close(self) -> None:
        """Close the sockets to the table and to the supervisor."""
        self.door.close()
        self._beats.close()
        self._context.term()

    def look(self) -> None:
        """Take in what the table said; pass on a new view, and at once that the table fell silent or came back."""
        before = self._link.view
        self._link.poll(0.0)
        self.door.poll()
        self._polls += 1
        view = self._link.view
        if view is not None and view is not before:
            self._tell("view", encode(view))
            for phone in self._phones:
                self._tell_part(phone, view)
        if self._link.live != self._was_live:
            self._tell("beat", self._pulse())

    def beat(self) -> None:
        """Tell every phone, the table and the supervisor that the bridge lives."""
        self._tell("beat", self._pulse())
        now_s = self.clock()
        if now_s - self._found[0] >= LOOK_UP_S:
            self._found = (now_s, *self._addresses(self._port))
        phones = tuple(Phone(each.key, each.device, each.token) for each in self._phones)
        _, address, named = self._found
        self.door.say(Here(id=uuid.uuid4().hex, phones=phones, address=address, named=named), self._send_away)
        try:
            self._beats.send(encode(Beat("phone", self._epoch, self._polls)), zmq.NOBLOCK)
        except zmq.Again:
            return  # nobody supervises

    def welcome(self, phone: LivePhone) -> bool:
        """Show a new phone the whole picture; False when too many are watching."""
        if len(self._phones) >= MOST_PHONES:
            self.log.note("phones sent away", f"{MOST_PHONES} are watching already")
            return False
        self._met += 1
        phone.key = f"p{self._epoch[:6]}-{self._met}"
        self._phones.add(phone)
        if self._link.view is not None:
            phone.offer("view", encode(self._link.view))
        phone.offer("beat", self._pulse())
        return True

    def forget(self, phone: LivePhone) -> None:
        """A phone has gone."""
        self._phones.discard(phone)

    def has_joined(self, token: str) -> bool:
        """Whether a phone that is here has joined with this token and was not sent away."""
        return bool(token) and any(each.token == token and self._guest(each) for each in self._phones)

    def tell_part(self, phone: LivePhone) -> None:
        """Tell a phone what part it has in the game, when that has changed by itself."""
        if self.view is not None:
            self._tell_part(phone, self.view)

    def _tell_part(self, phone: LivePhone, view: View) -> None:
        guest = self._guest(phone)
        if phone.guest and guest is None:
            if phone.is_before(view):
                return
            phone.leave()  # sent away, or another game has begun
        phone.tell_part(seat.mine(view, guest))

    def _guest(self, phone: LivePhone) -> Guest | None:
        guests = self.view.guests if self.view is not None and phone.guest else ()
        return next((each for each in guests if each.id == phone.guest), None)

    def _send_away(self, reply: Reply) -> None:
        if not isinstance(reply, Gone):
            return
        for phone in [each for each in self._phones if each.key in reply.keys]:
            phone.close(SENT_AWAY, "sent away at the table")

    def _pulse(self) -> bytes:
        self._was_live = self._link.live
        return json.dumps({"type": "beat", "live": self._was_live}).encode()

    def _tell(self, kind: str, message: bytes) -> None:
        for phone in self._phones:
            phone.offer(kind, message)

    def _application(self) -> Application:
        settings: dict[str, Any] = {
            "websocket_max_message_size": MOST_BYTES,
            "websocket_ping_interval": SILENT_PHONE_S,
            "websocket_ping_timeout": SILENT_PHONE_S / 2,
            "log_function": lambda _: None,
        }
        pictures = {"places": self._places, "has_joined": self.has_joined}
        handlers: list[Any] = [
            (r"/live", LivePhone, {"bridge": self}),
            (r"/evidence/([^/]+)/(before|after)\.jpg", PictureHandler, pictures),
            (r"/(.*)", PageHandler),
        ]
        return Application(handlers, **settings)
