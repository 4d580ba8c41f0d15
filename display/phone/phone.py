"""One phone: what it says is passed on, what it is told is sent as fast as it reads, and nothing piles up."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from msgspec import structs
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from display.phone.door import Reply
from display.phone.sayings import Asked, Hello, JoinIn, Said, Saying
from display.phone.seat import Mine
from display.phone.server import OurHandler
from referee.outside.doorway import Join, Joined
from referee.outside.pace import Pace
from referee.wire import Answer, Ask, Order, Told, View, WireError, decode, encode

if TYPE_CHECKING:
    from display.phone.bridge import Bridge

MOST_BYTES = 4096  # that a phone says at once
MOST_WAITING = 40  # of different kinds, for a phone that does not read
AT_ONCE, A_SECOND = 20.0, 5.0  # messages of one phone
MOST_TOO_MANY = 200
TRY_AGAIN_LATER, MISBEHAVED = 1013, 1008


class LivePhone(OurHandler, WebSocketHandler):
    """The websocket of one phone. At most one message of each kind waits for it: the newest."""

    def initialize(self, bridge: Bridge) -> None:
        """Remember the bridge."""
        self._bridge = bridge
        self._waiting: dict[str, bytes] = {}
        self._sender: asyncio.Task[None] | None = None
        self._pace, self._too_many = Pace(AT_ONCE, A_SECOND, bridge.clock), 0
        self._part: Mine | None = None
        self._since: tuple[str, int, View | None] = ("", 0, None)
        self.key = self.device = self.token = self.guest = ""

    def open(self, *_: str, **__: str) -> None:
        """Show the whole picture at once, or say that the house is full."""
        self.set_nodelay(True)
        if not self._bridge.welcome(self):
            self.close(TRY_AGAIN_LATER, "too many phones are watching")

    def on_close(self) -> None:
        """Forget the phone."""
        self._bridge.forget(self)

    # --- what it says -------------------------------------------------------------------------------

    def on_message(self, message: str | bytes) -> None:
        """Pass on what can be understood, if it is not too much; refuse all else in words."""
        if not self._pace.allows():
            self._refuse("too-fast")
            self._too_many += 1
            if self._too_many >= MOST_TOO_MANY:
                self._bridge.log.note("a phone said too much", self.request.remote_ip or "")
                self.close(MISBEHAVED, "too much was said")
            return
        try:
            data = message.encode() if isinstance(message, str) else message
            said: Saying = decode(data, Saying)  # type: ignore[arg-type]  # a union is no class
        except WireError as error:
            self._bridge.log.note("a phone said what is not understood", str(error)[:100])
            self._refuse("not-understood")
            return
        self._pass_on(said)

    def _refuse(self, reason: str) -> None:
        self.offer("refused", json.dumps({"type": "refused", "reason": reason}).encode())

    def _pass_on(self, said: Saying) -> None:
        """To the guest door, under an id that no other phone has and that the same guest has always."""
        number = f"{self.guest or self.key}/{said.id}"
        source = self.request.remote_ip or ""
        request: Join | Order | Ask
        match said:
            case Hello():
                self.device = said.device
                request = Join(id=number, device=said.device, token=said.token, source=source)
            case JoinIn():
                self.device = said.device or self.device
                token = "" if said.code else self.token
                request = Join(
                    id=number, device=self.device, code=said.code, token=token, seat=said.seat, source=source
                )
            case Said():
                request = Order(id=number, epoch=said.epoch, seq=said.seq, by="phone", line=said.line, token=self.token)
            case Asked():
                request = Ask(id=number, what=said.what, args=said.args, token=self.token)
        self._bridge.door.say(request, lambda reply: self._told(said, reply))

    # --- what it is told ----------------------------------------------------------------------------

    def _told(self, said: Saying, reply: Reply) -> None:
        """A reply has come, under the id that the phone had given."""
        if self.ws_connection is None:
            return
        if isinstance(reply, Joined):
            self._joined(reply)
            self.offer(said.id, _with_id(reply, said.id))
            self._bridge.tell_part(self)
        elif isinstance(reply, Answer | Told):
            self.offer(said.id, _with_id(reply, said.id))

    def _joined(self, reply: Joined) -> None:
        if reply.guest:
            self.token, self.guest, self._part = reply.token, reply.guest, None
            self._since = (reply.epoch, reply.seq, self._bridge.view)
        elif reply.reason == "not-joined":
            self.leave()

    def is_before(self, view: View) -> bool:
        """Whether a view is older than the phone's joining."""
        epoch, seq, last = self._since
        return view is last or (epoch == view.epoch and view.seq < seq)

    def leave(self) -> None:
        """It has not joined, or not any more."""
        self.token = self.guest = ""

    def tell_part(self, part: Mine) -> None:
        """Tell its part in the game, unless it knows."""
        if part != self._part:
            self._part = part
            self.offer("seat", encode(part))

    def offer(self, kind: str, message: bytes) -> None:
        """Send a message as soon as the phone takes it; it replaces one of its kind that still waits."""
        self._waiting[kind] = message
        if len(self._waiting) > MOST_WAITING:
            self._waiting.clear()
            self.close(MISBEHAVED, "nothing is read")
        elif self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send_waiting())

    async def _send_waiting(self) -> None:
        try:
            while self._waiting:
                kind = next(iter(self._waiting))
                await self.write_message(self._waiting.pop(kind).decode())
        except (WebSocketClosedError, StreamClosedError):
            self._waiting.clear()


def _with_id(reply: Joined | Answer | Told, number: str) -> bytes:
    """The reply under the phone's own id."""
    return encode(structs.replace(reply, id=number))
