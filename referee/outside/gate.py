"""The gate: where programs across the network come to the table, over TCP; closed unless the house opens it.

Everything is encrypted and both sides know each other (CURVE): a client has the table's public key from the QR code,
and the table lets in only who has the key that is made of the code of this game. What they may say after that is the
guest door's to decide, as for phones. The gate has a context, and so a thread for its connections, of its own.
"""

from __future__ import annotations

import logging
import resource
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import zmq
from zmq.utils import z85

from referee.config import ConfigurationError
from referee.outside import keys
from referee.outside.joining import Tries
from referee.outside.keys import Keys
from referee.outside.pace import Pace
from referee.outside.seldom import Seldom

_LOG = logging.getLogger(__name__)

LARGEST_REQUEST_BYTES = 32 * 1024
MOST_AT_ONCE = 100  # requests that are taken in together, before views go out again
MOST_PEERS = 1024  # whose pace is remembered
AT_ONCE, A_SECOND = 20.0, 5.0  # requests of one peer
HANDSHAKE_MS = 2000
DEAD_MS = 6000
VIEWS_WAITING = 3  # for a client that does not read
_OPEN_FILES = 8192
_ZAP = "inproc://zeromq.zap.01"  # fixed by the ZeroMQ authentication protocol (RFC 27)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the gate is: views on a TCP port, the guest door on the next; with `lan`, for the whole network."""

    port: int
    lan: bool = False


class Gate:
    """The sockets of the gate, and who is let in.

    Args:
        opening: where to listen.
        own: the table's keys.
        clock: monotonic seconds.

    Raises:
        ConfigurationError: if a port cannot be had.
    """

    def __init__(self, opening: Opening, own: Keys, clock: Callable[[], float] = time.monotonic) -> None:
        self.public, self.port = own.public, opening.port
        self._clock = clock
        self._log = Seldom(_LOG, clock)
        self._tries = Tries(clock)
        self._refused: tuple[str, bytes] | None = None
        self._admitted = ("", b"")
        self._paces: OrderedDict[bytes, Pace] = OrderedDict()
        _allow_many_connections()
        self._context = zmq.Context()
        self._zap = self._context.socket(zmq.ROUTER)
        self._zap.setsockopt(zmq.LINGER, 0)
        self._zap.bind(_ZAP)
        host = "0.0.0.0" if opening.lan else "127.0.0.1"  # noqa: S104  # only where the people asked for it
        self.views = self._bind(zmq.XPUB, f"tcp://{host}:{opening.port}", own, VIEWS_WAITING)
        self.guests = self._bind(zmq.ROUTER, f"tcp://{host}:{opening.port + 1}", own, MOST_AT_ONCE)

    def _bind(self, kind: int, endpoint: str, own: Keys, waiting: int) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        for option, value in (
            (zmq.LINGER, 0),
            (zmq.SNDHWM, waiting),
            (zmq.RCVHWM, MOST_AT_ONCE),
            (zmq.MAXMSGSIZE, LARGEST_REQUEST_BYTES),
            (zmq.HANDSHAKE_IVL, HANDSHAKE_MS),
            (zmq.HEARTBEAT_IVL, DEAD_MS // 3),
            (zmq.HEARTBEAT_TIMEOUT, DEAD_MS),
        ):
            socket.setsockopt(option, value)
        if kind == zmq.XPUB:
            socket.setsockopt(zmq.XPUB_MANUAL, 1)
        socket.setsockopt(zmq.ZAP_DOMAIN, b"gate")
        socket.setsockopt(zmq.CURVE_SERVER, 1)
        socket.setsockopt(zmq.CURVE_SECRETKEY, own.secret)
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise ConfigurationError(f"cannot listen at {endpoint} ({error.strerror})") from None
        return socket

    @property
    def sockets(self) -> tuple[zmq.Socket[bytes], ...]:
        """The sockets that something may come in by."""
        return self._zap, self.guests, self.views

    def close(self) -> None:
        """Close everything; what was not sent is dropped."""
        self._context.destroy(linger=0)

    # --- who is let in ------------------------------------------------------------------------------

    def admit(self, code: str) -> None:
        """Let in those who wait and have the key of the code, and refuse all others."""
        if code != self._admitted[0]:
            self._admitted = (code, keys.of_guest(code, self.public).public)
        for _ in range(MOST_AT_ONCE):
            try:
                asked = self._zap.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            # sender, empty, version, request, domain, address, identity, mechanism, credentials ...
            address, credentials = asked[5].decode(errors="replace"), asked[8:]
            key = z85.encode(credentials[0]) if asked[7] == b"CURVE" and credentials else b""
            verdict = (b"200", b"OK") if self._knows(address, key) else (b"400", b"not the code of this game")
            self._zap.send_multipart([*asked[:4], *verdict, address.encode(), b""])

    def _knows(self, address: str, key: bytes) -> bool:
        if self._tries.are_too_many(address):
            self._log.note("too many wrong keys", address)
            return False
        if key == self._admitted[1]:
            return True
        self._log.note("a client with another key was refused", address)
        if self._refused != (address, key):  # a client tries the same key for each of its two connections
            self._refused = (address, key)
            self._tries.note(address)
        return False

    def has_new_watchers(self) -> bool:
        """Take in who wants views: whoever asks for some gets them all, so that nobody's wishes take up memory."""
        wanted = False
        for _ in range(MOST_AT_ONCE):
            try:
                wish = self.views.recv(zmq.NOBLOCK)
            except zmq.Again:
                break
            if wish[:1] == b"\x01":
                self.views.setsockopt(zmq.SUBSCRIBE, b"")
                wanted = True
        return wanted

    # --- what they say and are told -----------------------------------------------------------------

    def requests(self) -> Iterator[tuple[bytes, str, bytes]]:
        """What has come, not too much of it: the peer to reply to, where it comes from, and the message."""
        for _ in range(MOST_AT_ONCE):
            try:
                frames = self.guests.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            if len(frames) != 2:
                self._log.note("a message in parts", f"expected one, got {len(frames) - 1}")
                continue
            peer, address = frames[0].bytes, str(frames[1].get("User-Id"))
            if self._pace(peer).allows():
                yield peer, f"native:{address}", frames[1].bytes
            else:
                self._log.note("a client says too much", address)

    def _pace(self, peer: bytes) -> Pace:
        pace = self._paces.pop(peer, None) or Pace(AT_ONCE, A_SECOND, self._clock)
        self._paces[peer] = pace
        if len(self._paces) > MOST_PEERS:
            self._paces.popitem(last=False)
        return pace


def _allow_many_connections() -> None:
    """Each takes an open file; of those a process may have few unless it asks for more."""
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if most == resource.RLIM_INFINITY else min(_OPEN_FILES, most)
    if few != resource.RLIM_INFINITY and few < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
