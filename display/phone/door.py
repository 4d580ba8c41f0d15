"""The bridge's way to the guest door of the table: what a phone says goes in, the reply comes back to that phone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import zmq

from referee.config import Places
from referee.outside.doorway import Gone, Here, Join, Joined
from referee.wire import Answer, Ask, Order, Told, WireError, decode, encode

GIVE_UP_S = 5.0
MOST_WAITING = 500
NO_ANSWER = "no-answer"

Request = Join | Order | Ask | Here
Reply = Joined | Answer | Told | Gone


class GuestDoor(Protocol):
    """What the bridge needs of a `Door`."""

    def say(self, request: Request, tell: Callable[[Reply], None]) -> None:
        """Say something; the reply comes some time later."""

    def poll(self) -> None:
        """Take in the replies that have come."""

    def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    request: Request
    tell: Callable[[Reply], None]
    until_s: float


class Door:
    """A connection to the guest door that never blocks; every request is answered, if need be that nobody answers.

    Args:
        places: where the table's sockets are.
        clock: monotonic seconds.
    """

    def __init__(self, places: Places, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[str, _Waiting] = {}
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        for option, value in ((zmq.LINGER, 0), (zmq.SNDHWM, MOST_WAITING), (zmq.IMMEDIATE, 1)):
            self._socket.setsockopt(option, value)
        self._socket.connect(places.endpoint("guests"))

    def say(self, request: Request, tell: Callable[[Reply], None]) -> None:
        """Say something; `tell` gets the reply. Ids must differ as long as requests wait."""
        try:
            if len(self._waiting) >= MOST_WAITING:
                raise zmq.Again
            self._socket.send(encode(request), zmq.NOBLOCK)
        except zmq.Again:  # no table is there, or it is far behind
            tell(_nobody(request))
            return
        self._waiting[request.id] = _Waiting(request, tell, self._clock() + GIVE_UP_S)

    def poll(self) -> None:
        """Take in the replies that have come, and give up what has waited for too long."""
        while True:
            try:
                reply: Reply = decode(self._socket.recv(zmq.NOBLOCK), Reply)  # type: ignore[arg-type]  # a union is no class
            except zmq.Again:
                break
            except WireError:
                continue  # not a reply of this protocol: as good as none
            waiting = self._waiting.pop(reply.id, None)
            if waiting is not None:
                waiting.tell(reply)
        now_s = self._clock()
        for late in [each for each in self._waiting.values() if each.until_s < now_s]:
            del self._waiting[late.request.id]
            late.tell(_nobody(late.request))

    def close(self) -> None:
        """Close the socket; what was not sent is dropped."""
        self._socket.close()
        self._context.term()


def _nobody(request: Request) -> Reply:
    """The reply where there is none."""
    match request:
        case Join():
            return Joined(id=request.id, reason=NO_ANSWER)
        case Order():
            return Answer(request.id, "refused", NO_ANSWER)
        case Ask():
            return Told(request.id, error="the table does not answer")
    return Gone(request.id)
