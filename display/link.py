"""A client's link to the table: the newest view comes in, orders go out, answers come back.

The touchscreen, the phone bridge and the demo's people all use it; none of them has another way in.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

import zmq

from referee.config import Places
from referee.wire import Answer, Ask, Order, Told, View, WireError, decode, encode

LIVE_S = 3.0
RESEND_S = 1.0
GIVE_UP_S = 5.0


@dataclass(slots=True)
class _Pending:
    message: bytes
    first_s: float
    sent_s: float


class Link:
    """A connection to the table that never blocks and heals itself.

    A view that was missed is healed by the next. An order that gets no answer is sent again with the
    same id, which the table applies once; after five seconds it is given up and answered here.

    Args:
        places: where the table's sockets are.
        by: who this client is, as it will stand in the journal.
        clock: monotonic seconds.
    """

    def __init__(self, places: Places, by: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._by = by
        self._clock = clock
        self._heard_s: float | None = None
        self._pending: dict[str, _Pending] = {}
        self._answers: list[Answer] = []
        self._told: dict[str, Told] = {}
        self.view: View | None = None
        self._context = zmq.Context()
        self._views = self._context.socket(zmq.SUB)
        self._views.setsockopt(zmq.CONFLATE, 1)
        self._orders = self._context.socket(zmq.DEALER)
        for socket in (self._views, self._orders):
            socket.setsockopt(zmq.LINGER, 0)
        self._orders.setsockopt(zmq.SNDHWM, 100)
        self._views.setsockopt(zmq.SUBSCRIBE, b"")
        self._views.connect(places.endpoint("views"))
        self._orders.connect(places.endpoint("orders"))
        self._poller = zmq.Poller()
        self._poller.register(self._views, zmq.POLLIN)
        self._poller.register(self._orders, zmq.POLLIN)

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
        news = False
        for socket, _ in self._poller.poll(max(0, int(timeout_s * 1000))):
            news |= self._take_view() if socket is self._views else self._take_answers()
        self._resend()
        return news

    def order(self, line: str, about: View | Answer | None = None) -> str:
        """Say a line; returns the order's id. The answer comes with `answers`.

        Args:
            line: what is said.
            about: the view or the answer that it was said to; the newest view unless told otherwise.
        """
        said_to = about or self.view
        order_id = uuid.uuid4().hex
        epoch, seq = (said_to.epoch, said_to.seq) if said_to else ("", 0)
        self._send(order_id, encode(Order(id=order_id, epoch=epoch, seq=seq, by=self._by, line=line)))
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
        self._send(ask_id, encode(Ask(id=ask_id, what=what, args=args)))
        while ask_id not in self._told and self._clock() < until_s:
            self.poll(0.1)
        self._pending.pop(ask_id, None)
        return self._told.pop(ask_id, Told(id=ask_id, error="the table does not answer"))

    def close(self) -> None:
        """Close the sockets; what was not sent is dropped."""
        self._views.close()
        self._orders.close()
        self._context.term()

    def _send(self, message_id: str, message: bytes) -> None:
        now_s = self._clock()
        self._pending[message_id] = _Pending(message, now_s, now_s)
        self._send_now(message)

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
            view = decode(self._views.recv(zmq.NOBLOCK), View)
        except zmq.Again:
            return False
        except WireError:
            return False  # not a view of this protocol: as good as silence, and shown as such
        self._heard_s = self._clock()
        if self.view and (view.epoch, view.seq) == (self.view.epoch, self.view.seq):
            return False
        self.view = view
        return True

    def _take_answers(self) -> bool:
        news = False
        while True:
            try:
                answer = decode(self._orders.recv(zmq.NOBLOCK), Answer | Told)  # type: ignore[arg-type]  # a union is no class
            except zmq.Again:
                return news
            except WireError:
                continue
            known = self._pending.pop(answer.id, None)
            if known and isinstance(answer, Told):
                self._told[answer.id] = answer
            elif known and isinstance(answer, Answer):
                self._answers.append(answer)
                news = True
