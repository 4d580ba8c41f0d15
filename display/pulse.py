"""A room's sign of life, and what it asks of the supervisor."""

from __future__ import annotations

import time
from collections.abc import Callable

import zmq

from referee.config import Places
from referee.wire import Beat, Errand, encode

BEAT_S = 1.0


class Pulse:
    """A room's sign of life for the supervisor, once a second; nobody need be listening."""

    def __init__(
        self, places: Places, epoch: str, clock: Callable[[], float] = time.monotonic, room: str = "screen"
    ) -> None:
        self._room = room
        self._epoch = epoch
        self._clock = clock
        self._progress = 0
        self._due_s = clock()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.SNDHWM, 2)
        self._socket.connect(places.endpoint("beats"))

    def beat(self) -> None:
        """Count one round of the loop, and tell when a second has passed."""
        self._progress += 1
        if self._clock() < self._due_s:
            return
        self._due_s = self._clock() + BEAT_S
        self._send(Beat(self._room, self._epoch, self._progress))

    def ask(self, errand: Errand) -> None:
        """Ask the supervisor for something."""
        self._send(errand)

    def _send(self, message: Beat | Errand) -> None:
        try:
            self._socket.send(encode(message), zmq.NOBLOCK)
        except zmq.Again:
            return  # nobody watches

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
        self._context.term()
