"""The table process: sightings and orders in, views and facts out, over ZeroMQ.

It binds every socket; all others connect. Nothing here blocks on a peer: a room that is dead or slow
misses messages and is healed by the next whole one.
"""

from __future__ import annotations

import logging
import signal
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import zmq

from hardware.buttons import Buttons
from hardware.signals import Signals
from referee import games
from referee.config import ConfigurationError, Places, held
from referee.evidence import Evidence
from referee.journal import Journal
from referee.outside import joining, keys
from referee.outside.gate import MOST_AT_ONCE, Gate, Opening
from referee.outside.guests import Guests, Reply, Request
from referee.outside.joining import GuestBook
from referee.outside.seldom import Seldom
from referee.pins import Pins
from referee.seen.zones import Zones
from referee.sighting import CameraStatus, Sighting
from referee.table import Table
from referee.tiles import Shape
from referee.umpire import Match
from referee.wire import LARGEST_MESSAGE_BYTES, Answer, Ask, Beat, Order, Told, WireError, decode, encode

_LOG = logging.getLogger(__name__)

HEARTBEAT_S = 1.0
CAMERA_SILENT_S = 3.0
TURN_MS = 50


@dataclass(frozen=True, slots=True)
class Setting:
    """What a table process is started with.

    `match` is begun unless a match that is not over is resumed (with `fresh`, it is begun all the same);
    None resumes or waits. `camera` tells whether sightings are to be expected at all. In `training` each tile
    that is laid is compared with the best place it could have had. `copies` is how often the set has each tile.
    `zones` are where the boneyard and shown hands lie on it. With `evidence` pictures of what is ruled on are kept.
    With `gate`, programs across the network come in. If it `leaves` other tiles, a match that is played with another
    kind of tile than the calibration is for is not gone on with; else that is an error.
    """

    match: Match | None = None
    fresh: bool = False
    shape: Shape | None = None
    mat_mm: tuple[float, float] = (600.0, 400.0)
    camera: bool = True
    phones: str = ""
    training: bool = False
    copies: int | None = 1
    zones: Zones | None = None
    evidence: bool = True
    gate: Opening | None = None
    leaves: bool = False


class Sockets:
    """The table's side of every connection.

    Raises:
        ConfigurationError: if one of them cannot be bound.
    """

    def __init__(self, places: Places) -> None:
        self.context = zmq.Context()
        self.sightings = self._bind(zmq.PULL, places.endpoint("sightings"), conflate=True)
        self.facts = self._bind(zmq.PUB, places.endpoint("facts"))
        self.orders = self._bind(zmq.ROUTER, places.endpoint("orders"))
        self.guests = self._bind(zmq.ROUTER, places.endpoint("guests"))
        self.views = self._bind(zmq.XPUB, places.endpoint("views"))
        self.beats = self.context.socket(zmq.PUSH)
        self.beats.setsockopt(zmq.LINGER, 0)
        self.beats.setsockopt(zmq.SNDHWM, 2)
        self.beats.connect(places.endpoint("beats"))
        self.poller = zmq.Poller()
        for socket in (self.sightings, self.orders, self.guests, self.views):
            self.poller.register(socket, zmq.POLLIN)

    def _bind(self, kind: int, endpoint: str, conflate: bool = False) -> zmq.Socket[bytes]:
        socket = self.context.socket(kind)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SNDHWM, 20)
        socket.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE_BYTES)
        if conflate:
            socket.setsockopt(zmq.CONFLATE, 1)
        if kind == zmq.XPUB:
            socket.setsockopt(zmq.XPUB_VERBOSE, 1)
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            self.context.destroy(linger=0)
            raise ConfigurationError(f"cannot make the socket {endpoint} ({error.strerror})") from None
        return socket

    def close(self) -> None:
        """Close everything; what was not sent is dropped."""
        for socket in (self.sightings, self.facts, self.orders, self.guests, self.views, self.beats):
            socket.close()
        self.context.term()


class Service:
    """The loop that carries messages between the sockets and the `Table`; `book` knows the guests."""

    def __init__(  # what it serves, and the world that it does so in
        self,
        table: Table,
        sockets: Sockets,
        epoch: str,
        camera: bool,
        clock: Callable[[], float] = time.monotonic,
        book: GuestBook | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._table = table
        self._sockets = sockets
        self._epoch = epoch
        self._clock = clock
        self._camera = camera
        self._guests = Guests(table, book or GuestBook(clock=clock), clock)
        self._log = Seldom(_LOG, clock)
        self._gate = gate
        if gate is not None:
            self._guests.key, self._guests.native = gate.public.decode(), str(gate.port)
            for socket in gate.sockets:
                sockets.poller.register(socket, zmq.POLLIN)
        self._heard_s = clock()
        self._told_s = float("-inf")
        self._sent: tuple[str, int] | None = None
        self._beats = 0
        self.pins: Pins | None = None
        self.running = True

    def run(self) -> None:
        """Serve until `running` is set to False."""
        while self.running:
            self.turn(TURN_MS)

    def turn(self, wait_ms: int) -> None:
        """One round: take in what has come, publish what has changed."""
        ready = {socket for socket, _ in self._sockets.poller.poll(wait_ms)}
        if self._sockets.sightings in ready:
            self._take_sighting()
        if self._sockets.orders in ready:
            self._take_orders(self._sockets.orders, self._of_house)
        if self._sockets.guests in ready:
            self._take_orders(self._sockets.guests, self._of_guest)
        self._guests.follow()
        subscribed = self._sockets.views in ready and self._take_subscriptions()
        if self._gate is not None:
            subscribed |= self._tend(self._gate)
        if self._camera and self._clock() - self._heard_s > CAMERA_SILENT_S:
            self._table.camera(CameraStatus.LOST)
        if self.pins is not None:
            self.pins.turn()
        now_s = self._clock()
        due = now_s - self._told_s >= HEARTBEAT_S
        view = self._table.view
        if due or subscribed or (view.epoch, view.seq) != self._sent:
            message = encode(view)
            self._send(self._sockets.views, message)
            if self._gate is not None:
                self._send(self._gate.views, message)
            self._send(self._sockets.facts, encode(self._table.facts()))
            self._sent = (view.epoch, view.seq)
        if due:
            self._told_s = now_s
            self._table.save_again()
            self._beats += 1
            self._send(self._sockets.beats, encode(Beat("table", self._epoch, self._beats)))

    def _take_sighting(self) -> None:
        try:
            sighting = decode(self._sockets.sightings.recv(zmq.NOBLOCK), Sighting)
        except zmq.Again:
            return
        except WireError as error:
            self._log.note("a sighting that is not understood", str(error)[:200])
            return  # the next one is whole again
        self._heard_s = self._clock()
        self._table.see(sighting)

    def _tend(self, gate: Gate) -> bool:
        """Let in, and reply to, whoever is at the gate; True when somebody new is to be shown the view."""
        gate.admit(self._guests.code)
        for peer, source, message in gate.requests():
            self._reply(gate.guests, peer, message, partial(self._of_guest, source=source))
        return gate.has_new_watchers()

    def _take_orders(self, door: zmq.Socket[bytes], reply: Callable[[bytes, bytes], Any]) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                sender, message = door.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            except ValueError:
                continue  # not two parts: nobody to answer
            self._reply(door, sender, message, reply)

    def _reply(
        self, door: zmq.Socket[bytes], sender: bytes, message: bytes, reply: Callable[[bytes, bytes], Any]
    ) -> None:
        try:
            answer = reply(message, sender)
        except WireError as error:
            self._log.note("a message that is not understood", str(error)[:200])
            answer = Answer("", "refused", "wire", str(error)[:200])
        self._send(door, encode(answer), sender)

    def _of_house(self, message: bytes, _sender: bytes) -> Answer | Told:
        return self._guests.from_house(decode(message, Order | Ask))  # type: ignore[arg-type]  # a union is no class

    def _of_guest(self, message: bytes, sender: bytes, source: str = "") -> Reply:
        return self._guests.from_guest(decode(message, Request), sender, source)  # type: ignore[arg-type]  # a union is no class

    def _take_subscriptions(self) -> bool:
        subscribed = False
        while True:
            try:
                subscribed |= self._sockets.views.recv(zmq.NOBLOCK)[:1] == b"\x01"
            except zmq.Again:
                return subscribed

    @staticmethod
    def _send(socket: zmq.Socket[bytes], message: bytes, to: bytes | None = None) -> None:
        try:
            socket.send_multipart([to, message] if to is not None else [message], zmq.NOBLOCK)
        except zmq.Again:
            return  # a slow peer: the next whole message heals it


def serve(places: Places, setting: Setting, signals: Signals, buttons: Buttons | None = None) -> None:
    """Run the table until SIGTERM or SIGINT; however it ends, the pins go low before anything else is put away.

    Raises:
        ConfigurationError: if another table runs on one of the directories, or the journal cannot be used.
        ValueError: if the match cannot be begun.
    """
    epoch = uuid.uuid4().hex
    with (
        closing(signals),
        held(places.state / "lock"),
        held(places.runtime / "table.lock"),
        _opened(places, setting, signals, epoch) as table,
        closing(Sockets(places)) as sockets,
        _gate(places, setting) as gate,
    ):
        if not setting.camera:
            table.camera(CameraStatus.NONE)
        book = GuestBook(places.state / joining.FILE)
        service = Service(table, sockets, epoch, setting.camera, book=book, gate=gate)
        service.pins = Pins(signals, buttons, lambda: table.view, table.order)

        def stop(_signal: int, _frame: FrameType | None) -> None:
            service.running = False

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        try:
            service.run()
        finally:
            signals.close()


@contextmanager
def _gate(places: Places, setting: Setting) -> Iterator[Gate | None]:
    """The gate, if it is to be open; closed after the block."""
    if setting.gate is None:
        yield None
        return
    with closing(Gate(setting.gate, keys.of_table(places.state / keys.FILE))) as gate:
        yield gate


@contextmanager
def _opened(places: Places, setting: Setting, signals: Signals, epoch: str) -> Iterator[Table]:
    """The table with the match it goes on with or begins; its journal is closed after the block."""
    path = places.state / "journal.sqlite3"
    try:
        journal = Journal(path, scratch=places.runtime)
    except (sqlite3.Error, OSError, ValueError) as error:
        raise _unusable(path, error) from error
    with closing(journal):
        try:
            table = Table(
                journal,
                signals,
                epoch,
                setting.shape,
                setting.mat_mm,
                setting.phones,
                training=setting.training,
                copies=setting.copies,
                zones=setting.zones,
                evidence=Evidence(places) if setting.evidence else None,
                resumes=not (setting.leaves and _is_for_others(setting, *journal.begun(1))),
            )
        except (sqlite3.Error, ValueError) as error:
            raise _unusable(path, error) from error
        if table.record is None and journal.newest:
            _LOG.warning("the match from before is played with other tiles than the calibration is for: it is left")
        running = table.record is not None and not table.record.state.ranking
        asked = setting.match if setting.fresh or not running else None
        if asked is not None and setting.leaves and _is_for_others(setting, asked):
            _LOG.warning("%s is played with other tiles than the calibration is for: it is not begun", asked.game)
            asked = None
        if asked is not None:
            _check_kind(asked.game, setting)
            table.begin(asked)
        elif running and table.record is not None:
            _check_kind(table.record.state.game, setting)
        yield table


def _unusable(path: Path, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"the journal {path} cannot be used ({error}); move it away to begin a new one")


def _is_for_others(setting: Setting, *matches: Match) -> bool:
    """Whether a match is played with other tiles than the calibration is for."""
    return any(setting.shape is not None and games.game(each.game).kind != setting.shape.kind for each in matches)


def _check_kind(game: str, setting: Setting) -> None:
    """Refuse a calibration for other tiles than the game's."""
    kind = games.game(game).kind
    if setting.shape is not None and setting.shape.kind != kind:
        raise ConfigurationError(
            f"{game} is played with {kind} tiles, but the calibration is for {setting.shape.kind} tiles; "
            "name another calibration, or begin another match with --game and --new"
        )
