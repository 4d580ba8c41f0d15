"""Measuring that another room does, as this window sees it: what it shows comes in, taps go out.

The room that holds the camera binds the socket. The window asks several times a second, says what was tapped since,
and is given how things stand and, as a JPEG file, what the camera sees. Whoever hears nothing gives up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO

import msgspec
import pygame
import zmq

from display.calibrating import CANCEL, Picture, Shown, Stage
from referee.config import Places
from referee.wire import LARGEST_MESSAGE_BYTES

ENDPOINT = "measuring"
ASK_S = 0.1
BEGUN_S = 30.0  # until the room is there: the game's eye ends first, and a small computer is slow to begin
SILENT_S = 8.0


class Tapped(msgspec.Struct, frozen=True):
    """What was tapped since the window asked last: keys, and points of the picture as parts of its width and height."""

    said: tuple[str | tuple[float, float], ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """How things stand; the picture follows as a second part of the message."""

    stage: Stage
    is_over: bool = False


class Measuring:
    """The other room's stage and picture.

    Args:
        places: where its socket is.
        clock: monotonic seconds.
    """

    def __init__(self, places: Places, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: list[str | tuple[float, float]] = []
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        # Nothing waits for a room that is not there: it would be said twice, to a room that begins anew.
        for option, value in ((zmq.LINGER, 0), (zmq.IMMEDIATE, 1), (zmq.MAXMSGSIZE, LARGEST_MESSAGE_BYTES)):
            self._socket.setsockopt(option, value)
        self._socket.connect(places.endpoint(ENDPOINT))
        self._asked_s: float | None = None
        self._until_s = clock() + BEGUN_S
        self._is_begun = False
        self.shown = Shown(Stage("waiting"))
        self.is_over = False
        self.is_lost = False

    def say(self, word: str) -> None:
        """A key was tapped; to cancel is possible at any time, even if nobody answers."""
        self._said.append(word)
        if word == CANCEL and not self._is_begun:
            self.is_over = True

    def point(self, x: float, y: float) -> None:
        """The picture was tapped."""
        self._said.append((x, y))

    def poll(self) -> None:
        """Take in what has come, and ask again when it is time."""
        while self._socket.poll(0):
            self._take(self._socket.recv_multipart())
        now_s = self._clock()
        if now_s > self._until_s:
            self.is_lost = self.is_over = True
        if self._asked_s is not None and now_s - self._asked_s < ASK_S:
            return
        try:
            self._socket.send(msgspec.json.encode(Tapped(tuple(self._said))), zmq.NOBLOCK)
        except zmq.Again:
            return
        self._asked_s = now_s
        self._said.clear()

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
        self._context.term()

    def _take(self, parts: list[bytes]) -> None:
        try:
            standing = msgspec.json.decode(parts[0], type=Standing)
            picture = _picture(parts[1]) if len(parts) > 1 and parts[1] else None
        except (msgspec.MsgspecError, pygame.error):
            return  # the next one is whole again
        self._until_s, self._is_begun = self._clock() + SILENT_S, True
        if standing.is_over:
            self.is_over = True
        else:
            self.shown = Shown(standing.stage, picture)


def _picture(jpeg: bytes) -> Picture:
    """Unpack a JPEG file.

    Raises:
        pygame.error: if it is none.
    """
    taken = pygame.image.load(BytesIO(jpeg), "picture.jpg")
    return Picture(pygame.image.tobytes(taken, "RGB"), taken.get_size())
