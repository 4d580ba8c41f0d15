"""A client's link to the table: the newest view comes in, orders go out, answers come back.

The touchscreen, the phone bridge and the demo's people all use it; none of them has another way in. What goes over
the wire is written down in PROTOCOL.md, for a client in any language.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

import msgspec
import zmq

from referee.wire import PROTOCOL, Answer, Ask, Order, Told, View, WireError, decode, encode

LIVE_S = 3.0
RESEND_S = 1.0
GIVE_UP_S = 5.0
OTHER_PROTOCOL = "protocol"


def waking_s() -> float:
    """Seconds that also pass while the machine sleeps, where the system counts them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class _Version(msgspec.Struct):
    """All that can be read of a view of another protocol."""

    protocol: int = PROTOCOL


class Where(Protocol):
    """What tells a link where the table is, as `referee.config.Places` does."""

    def endpoint(self, name: str) -> str:
        """The address of the socket for `views` or `orders`."""


@dataclass(slots=True)
class _Pending:
    message: bytes
    first_s: float
    sent_s: float


class Link:
    """A connection to the table that never blocks and heals itself.

    A view that was missed is healed by the next. A client that was asleep asks for views anew: what still lies in
    its buffers is old, and must not pass for news. An order that gets no answer is sent again with the
    same id, which the table applies once; after five seconds it is given up and answered here.

    Args:
        where: the table's sockets.
        by: who this client is, as it will stand in the journal.
        clock: monotonic seconds.

    `trouble` is a code for what keeps this client from being live, if it is known (`protocol`).
    """

    _replies: Any = Answer | Told

    def __init__(self, where: Where, by: str, clock: Callable[[], float] = waking_s) -> None:
        self._where = where
        self._by = by
        self._token = ""
        self._clock = clock
        self._heard_s: float | None = None
        self._awake_s = clock()
        self._pending: dict[str, _Pending] = {}
        self._answers: list[Answer] = []
        self._told: dict[str, Told] = {}
        self.view: View | None = None
        self.trouble = ""
        self._context = zmq.Context()
        self._poller = zmq.Poller()
        self._views = self._watching()
        self._orders = self._connected(zmq.DEALER, "orders", ((zmq.SNDHWM, 100),))

    def _watching(self) -> zmq.Socket[bytes]:
        return self._connected(zmq.SUB, "views", ((zmq.CONFLATE, 1), (zmq.SUBSCRIBE, b"")))

    def _connected(self, kind: int, name: str, options: tuple[tuple[int, int | bytes], ...]) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        for option, value in ((zmq.LINGER, 0), *options):
            socket.setsockopt(option, value)
        self._secure(socket)
        socket.connect(self._where.endpoint(name))
        self._poller.register(socket, zmq.POLLIN)
        return socket

    def _secure(self, socket: zmq.Socket[bytes]) -> None:
        """Make ready what needs keys; within one machine nothing does."""

    def __enter__(self) -> Link:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def live(self) -> bool:
        """True when the table was heard within the last three seconds."""
        return self._heard_s is not None and self._clock() - self._heard_s < LIVE_S

    def poll(self, timeout_s: float = 0.0) -> bool:
        """Take in what has come, waiting at most `timeout_s`; True when a view or an answer is new."""
        if self._clock() - self._awake_s > LIVE_S:
            self._wake()
        started_s = self._clock()
        ready = self._poller.poll(max(0, int(timeout_s * 1000)))
        self._awake_s = self._clock()
        if self._awake_s - started_s > timeout_s + LIVE_S:
            self._wake()
            return False
        news = False
        for socket, _ in ready:
            news |= self._take_view() if socket is self._views else self._take_answers()
        self._resend()
        return news

    def _wake(self) -> None:
        """Forget what came while nobody looked: the table tells a new watcher everything at once."""
        self._heard_s = None
        self._poller.unregister(self._views)
        self._views.close()
        self._views = self._watching()

    def order(self, line: str, about: View | Answer | None = None) -> str:
        """Say a line; returns the order's id. The answer comes with `answers`.

        Args:
            line: what is said.
            about: the view or the answer that it was said to; the newest view unless told otherwise.
        """
        said_to = about or self.view
        order_id = uuid.uuid4().hex
        epoch, seq = (said_to.epoch, said_to.seq) if said_to else ("", 0)
        order = Order(id=order_id, epoch=epoch, seq=seq, by=self._by, line=line, token=self._token)
        self._send(order_id, order)
        return order_id

    def answers(self) -> list[Answer]:
        """The answers that have come since this was last called."""
        taken, self._answers = self._answers, []
        return taken

    def ask(self, what: str, *args: str, timeout_s: float = GIVE_UP_S) -> Told:
        """Ask for something that is not in a view and wait for the reply.

        Returns:
            The reply; after `timeout_s` one whose `error` says so.
        """
        ask_id = uuid.uuid4().hex
        until_s = self._clock() + timeout_s
        self._send(ask_id, Ask(id=ask_id, what=what, args=args, token=self._token))
        while ask_id not in self._told and self._clock() < until_s:
            self.poll(0.1)
        self._pending.pop(ask_id, None)
        return self._told.pop(ask_id, Told(id=ask_id, error="the table does not answer"))

    def close(self) -> None:
        """Close the sockets; what was not sent is dropped."""
        self._views.close()
        self._orders.close()
        self._context.term()

    def _send(self, message_id: str, message: Any) -> None:
        now_s = self._clock()
        self._pending[message_id] = _Pending(encode(message), now_s, now_s)
        self._send_now(encode(message))

    def _send_now(self, message: bytes) -> None:
        try:
            self._orders.send(message, zmq.NOBLOCK)
        except zmq.Again:
            return  # the queue is full: the order stays pending and is sent again

    def _resend(self) -> None:
        now_s = self._clock()
        for message_id, pending in list(self._pending.items()):
            if now_s - pending.first_s > GIVE_UP_S:
                del self._pending[message_id]
                self._answers.append(Answer(message_id, "refused", "no-answer", "the table does not answer"))
            elif now_s - pending.sent_s > RESEND_S:
                pending.sent_s = now_s
                self._send_now(pending.message)

    def _take_view(self) -> bool:
        try:
            message = self._views.recv(zmq.NOBLOCK)
        except zmq.Again:
            return False
        try:
            if decode(message, _Version).protocol != PROTOCOL:
                self.trouble = OTHER_PROTOCOL
                return False
            view = decode(message, View)
        except WireError:
            return False  # not a view of this protocol: as good as silence, and shown as such
        if self.trouble == OTHER_PROTOCOL:
            self.trouble = ""
        self._heard_s = self._clock()
        if self.view and (view.epoch, view.seq) == (self.view.epoch, self.view.seq):
            return False
        self.view = view
        return True

    def _take_answers(self) -> bool:
        news = False
        while True:
            try:
                reply = decode(self._orders.recv(zmq.NOBLOCK), self._replies)
            except zmq.Again:
                return news
            except WireError:
                continue
            news |= self._pending.pop(reply.id, None) is not None and self._take(reply)

    def _take(self, reply: Any) -> bool:
        if isinstance(reply, Told):
            self._told[reply.id] = reply
            return False
        self._answers.append(reply)
        return True
