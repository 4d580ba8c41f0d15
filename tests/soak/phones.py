"""Phones in a process of their own: `python -m tests.soak.phones PORT`, until its input ends.

Some stay, one comes and goes all the time and says what it likes. Each line of input is a code to join with.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from random import Random

from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

STEADY = 3
RESTLESS_S = 0.4
QUIET_S = 3.0
RUBBISH = ("", "{", '{"type": "order"}', '{"type": "view", "seq": 1}', "x" * 3000)


class Crowd:
    """The phones of an evening."""

    def __init__(self, port: int) -> None:
        self._address = f"ws://127.0.0.1:{port}/live"
        self._chance = Random(port)  # a game, not a secret
        self._code = ""
        self._said = 0

    async def listen(self) -> None:
        """Take in codes until there are no more."""
        while line := await asyncio.to_thread(sys.stdin.readline):
            self._code = line.strip()

    async def steady(self) -> None:
        """A phone that stays, joins whenever there is another code, and comes again when it was cut off."""
        while True:
            with suppress(OSError, WebSocketClosedError):
                phone = await websocket_connect(self._address)
                joined = ""
                while (said := await phone.read_message()) is not None:
                    if self._code != joined and b'"beat"' in (said.encode() if isinstance(said, str) else said):
                        joined = self._code
                        await self._say(phone, "join", device="steady", code=joined)
            await asyncio.sleep(QUIET_S)

    async def restless(self) -> None:
        """A phone that comes, says something or nothing, and goes."""
        while True:
            with suppress(OSError, WebSocketClosedError):
                phone = await websocket_connect(self._address)
                await phone.read_message()
                await self._chatter(phone)
                await asyncio.sleep(self._chance.random() * RESTLESS_S)
                phone.close()
            await asyncio.sleep(self._chance.random() * RESTLESS_S)

    async def _chatter(self, phone: WebSocketClientConnection) -> None:
        match self._chance.randrange(6):
            case 0:
                await self._say(phone, "hello", device="restless")
            case 1:
                await self._say(phone, "join", device="restless", code="wrong")
            case 2:
                await self._say(phone, "join", device="restless", code=self._code)
                await self._say(phone, "ask", what="history")
            case 3:
                await self._say(phone, "order", epoch="none", seq=0, line="A lays a stone")
            case 4:
                await phone.write_message(self._chance.choice(RUBBISH))

    async def _say(self, phone: WebSocketClientConnection, kind: str, **what: object) -> None:
        self._said += 1
        await phone.write_message(json.dumps({"type": kind, "id": f"s{self._said}", **what}))


async def main(port: int) -> None:
    """Be there until the input ends."""
    crowd = Crowd(port)
    tasks = [asyncio.create_task(phone) for phone in (*(crowd.steady() for _ in range(STEADY)), crowd.restless())]
    await crowd.listen()
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
