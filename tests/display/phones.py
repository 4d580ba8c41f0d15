"""A bridge that serves on loopback, between a table that says what a test wants and phones that are websockets."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

from display.phone.bridge import Bridge
from display.phone.door import Reply, Request
from referee.config import Places
from referee.outside.doorway import Gone, Here, Join, Joined
from referee.wire import Answer, Ask, Guest, Seat, Told, View

LONGEST_S = 15.0
CODE = "123456"  # and the token that the fake door gives
VIEW = View(epoch="first", seq=1, game="fr-domino", seats=(Seat("Ana", 12, 12, 5), Seat("<i>Bo</i>", 7, 7, 4)), turn=1)
LISTED = replace(VIEW, seq=2, guests=(Guest("g1", "Pixel", "player", 0),))


@dataclass
class FakeLink:
    """A table that says what the test wants."""

    view: View | None = VIEW
    live: bool = True
    news: list[View] = field(default_factory=list)

    def poll(self, timeout_s: float) -> bool:
        """Take in the next piece of news."""
        if self.news:
            self.view = self.news.pop(0)
            return True
        return False


@dataclass
class FakeDoor:
    """A guest door that lets in whoever says the code, and remembers what was said."""

    said: list[Request] = field(default_factory=list)
    drop: tuple[str, ...] = ()
    is_silent: bool = False

    def say(self, request: Request, tell: Callable[[Reply], None]) -> None:
        """Answer at once, or never."""
        self.said.append(request)
        if not self.is_silent:
            tell(self._reply(request))

    def _reply(self, request: Request) -> Reply:
        if isinstance(request, Join):
            if CODE in (request.code, request.token):
                return Joined(id=request.id, token=CODE, guest="g1", role="player", seat=0, epoch="first", seq=2)
            return Joined(id=request.id, reason="wrong-code" if request.code else "not-joined")
        if isinstance(request, Here):
            return Gone(request.id, self.drop)
        if isinstance(request, Ask):
            return Told(request.id, ("a line",))
        return Answer(request.id, "done" if request.token else "refused", "" if request.token else "not-joined")

    def poll(self) -> None:
        """Nothing comes later."""

    def close(self) -> None:
        """Nothing to close."""

    def of(self, kind: type[Request]) -> list[Any]:
        """What was said of one kind."""
        return [request for request in self.said if isinstance(request, kind)]


@dataclass
class House:
    """A bridge that serves on loopback, and its fake table."""

    bridge: Bridge
    link: FakeLink
    door: FakeDoor
    port: int
    watchers: list[WebSocketClientConnection] = field(default_factory=list)

    async def fetch(self, path: str, **options: Any) -> HTTPResponse:
        """Ask for a page."""
        return await AsyncHTTPClient().fetch(f"http://127.0.0.1:{self.port}/{path}", raise_error=False, **options)

    async def say(self, watcher: WebSocketClientConnection, kind: str, **fields: Any) -> None:
        """Say something as a phone does."""
        await watcher.write_message(json.dumps({"type": kind, "id": "one", **fields}))

    async def join(self, device: str = "Pixel") -> WebSocketClientConnection:
        """A phone that joins with the code, and is listed in the next view."""
        watcher = await self.watch()
        await self.say(watcher, "join", code=CODE, device=device, seat=0)
        await hear(watcher, "joined")
        self.link.news.append(LISTED)
        await hear(watcher, "seat")
        return watcher

    async def watch(self, **headers: str) -> WebSocketClientConnection:
        """Open the live socket as a phone does."""
        request = HTTPRequest(f"ws://127.0.0.1:{self.port}/live", headers=headers)
        self.watchers.append(await websocket_connect(request))
        return self.watchers[-1]


@asynccontextmanager
async def house(places: Places, link: FakeLink) -> AsyncIterator[House]:
    """Serve on a free port of this machine."""
    door = FakeDoor()
    bridge = Bridge(link, places, door=door)
    try:
        with bridge.serving(0) as port:
            serving = House(bridge, link, door, port)
            try:
                yield serving
            finally:
                await leave(*serving.watchers)
    finally:
        bridge.close()


async def leave(*watchers: WebSocketClientConnection) -> None:
    """Close the sockets and wait until they are closed."""
    for watcher in watchers:
        watcher.close(1000)
        while watcher.close_code is None and await watcher.read_message() is not None:
            pass


async def hear(phone_socket: WebSocketClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        text = await phone_socket.read_message()
        assert text is not None, f"the socket was closed before a {kind} came"
        message: dict[str, Any] = json.loads(text)
        if message["type"] == kind:
            return message
