"""A program across the network as a guest of the table: in by the gate, with what the QR code on the screen says."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import zmq
from zmq.utils.monitor import recv_monitor_message

from display.link import Link, waking_s
from referee.outside import keys
from referee.outside.doorway import Gone, Here, Join, Joined, Phone
from referee.wire import Answer, Told

HERE_S = 2.0
REFUSED, STRANGER, SENT_AWAY = "refused", "stranger", "sent-away"  # troubles, besides the reasons of `Joined`
TROUBLES = {
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: REFUSED,
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: STRANGER,
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: STRANGER,
    zmq.EVENT_HANDSHAKE_SUCCEEDED: "",
}
_DEAD_MS = 1500  # a connection that says nothing for so long is made anew


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the QR code says: where the gate is, the table's public key, and the code of the game."""

    host: str
    port: int
    key: bytes
    code: str

    @classmethod
    def parse(cls, text: str) -> Invitation:
        """Read the text of the QR code, such as `http://192.168.1.23:8420/#code=482913&key=...&native=8421`.

        Raises:
            ValueError: if it is not one, or the gate is closed.
        """
        address = urlsplit(text)
        said = {name: values[-1] for name, values in parse_qs(address.fragment).items()}
        if not address.hostname or "code" not in said:
            raise ValueError(f"expected the address in the QR code, http://...#code=..., got {text[:80]!r}")
        if "key" not in said or not said.get("native", "").isdecimal():
            raise ValueError("expected an address with key= and native=: the table lets no other programs in now")
        keys.check(said["key"].encode())
        return cls(address.hostname, int(said["native"]), said["key"].encode(), said["code"])

    def endpoint(self, name: str) -> str:
        """The address of the socket for `views` or `orders`."""
        return f"tcp://{self.host}:{self.port + (name != 'views')}"


class GuestLink(Link):
    """A link by the gate: it joins by itself, says that it is there, and knows why it is not let in.

    Args:
        invitation: where to go, and with which keys.
        device: the name that the screen shows for this guest.
        seat: the player who uses it; None for one who only looks on.
        clock: seconds that also pass while the machine sleeps.

    `trouble` may also be `refused` (another code), `stranger` (what answers there has not the table's key),
    `sent-away`, or a reason of `referee.outside.doorway.Joined`. `joined` tells who this guest is.
    """

    _replies: Any = Answer | Told | Joined | Gone

    def __init__(
        self, invitation: Invitation, device: str, seat: int | None = None, clock: Callable[[], float] = waking_s
    ) -> None:
        self._invitation = invitation
        self._device = device
        self._seat = seat
        self._keys = keys.of_guest(invitation.code, invitation.key)
        self._key = uuid.uuid4().hex
        self._said_s = float("-inf")
        self._join_id = ""
        self.joined: Joined | None = None
        super().__init__(invitation, "guest", clock)
        self._events = self._orders.get_monitor_socket(sum(TROUBLES))

    def _secure(self, socket: zmq.Socket[bytes]) -> None:
        for option, value in (
            (zmq.CURVE_SERVERKEY, self._invitation.key),
            (zmq.CURVE_PUBLICKEY, self._keys.public),
            (zmq.CURVE_SECRETKEY, self._keys.secret),
            (zmq.HANDSHAKE_IVL, _DEAD_MS),
            (zmq.HEARTBEAT_IVL, _DEAD_MS // 3),
            (zmq.HEARTBEAT_TIMEOUT, _DEAD_MS),
        ):
            socket.setsockopt(option, value)

    def poll(self, timeout_s: float = 0.0) -> bool:
        """As any link; also joins, and tells the table every two seconds that this guest is there."""
        news = super().poll(timeout_s)
        while self._events.poll(0):
            trouble = TROUBLES.get(zmq.Event(recv_monitor_message(self._events)["event"]), "")
            if trouble or self.trouble in (REFUSED, STRANGER):
                self.trouble = trouble
        if self.trouble != SENT_AWAY and self._clock() - self._said_s >= HERE_S:
            self._said_s = self._clock()
            self._say_here()
        return news

    def close(self) -> None:
        """Close the sockets; what was not sent is dropped."""
        self._orders.disable_monitor()
        self._events.close(0)
        super().close()

    def _say_here(self) -> None:
        if not self._token and self._join_id not in self._pending and not self.trouble:
            self._join_id = uuid.uuid4().hex
            code = self._invitation.code
            self._send(self._join_id, Join(id=self._join_id, device=self._device, code=code, seat=self._seat))
        self._send(self._key, Here(id=self._key, phones=(Phone(self._key, self._device, self._token),)))

    def _take(self, reply: Any) -> bool:
        match reply:
            case Gone():
                if self._key in reply.keys:
                    self._token, self.joined, self.trouble = "", None, SENT_AWAY
                return False
            case Joined():
                self.joined, self._token = (reply, reply.token) if reply.token else (None, "")
                self.trouble = reply.reason
                self._said_s = float("-inf")  # say at once who it is that is there
                return True
            case Answer(reason="not-joined"):
                self._token, self.joined = "", None  # another game has begun: join it
        return super()._take(reply)
