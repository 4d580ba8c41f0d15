"""The bridge in hostile company: a crowd of connections, rubbish, and nobody who would be kept out by it."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import Callable

import pytest
from tornado.websocket import WebSocketClosedError

from display.phone.crowd import MOST_CONNECTIONS, MOST_OF_ONE
from referee.outside.doorway import Here
from tests.display.phones import House, hear


def test_a_thousand_connections_of_one_address_leave_room_for_others_and_write_one_line(
    in_house: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    async def story(house: House) -> None:
        crowd = []
        try:
            for number in range(1000):
                crowd.append(socket.socket())
                crowd[-1].setblocking(False)
                crowd[-1].bind(("127.0.0.2", 0))
                crowd[-1].connect_ex(("127.0.0.1", house.port))
                if number % 50 == 0:
                    await asyncio.sleep(0)
            watcher = await house.watch()
            await hear(watcher, "view")
        finally:
            for each in crowd:
                each.close()

    in_house(story)
    assert MOST_OF_ONE < MOST_CONNECTIONS
    assert len([line for line in caplog.messages if "connection too many" in line]) == 1


def rubbish(chance: random.Random) -> str | bytes:
    """Something that a phone would not say."""
    deep = "[" * 2000
    words = ("order", "join", "hello", "ask", "here", "view", "", 7, None)
    wrong = {"type": chance.choice(words), "id": chance.choice(("1", "", "../..", 5, "x" * 99)), "seq": -(2**60)}
    wrong |= {"seat": chance.choice((-1, 10**9, "0", 1.5)), "line": "A draws -1", "epoch": "first", "code": "²" * 6}
    texts = (
        deep,
        '{"type":"order","x":' + deep,
        "NaN",
        "{",
        json.dumps(wrong),
        '{"type":"join","id":"1","seat":1e999}',
    )
    return chance.choice((*texts, json.dumps(wrong).encode(), chance.randbytes(chance.randrange(300))))


def test_rubbish_of_every_kind_ends_nothing_and_says_nothing_to_the_table(
    in_house: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(5)

    async def story(house: House) -> None:
        for _ in range(30):
            watcher = await house.watch()
            try:
                for _ in range(12):
                    data = rubbish(chance)
                    await watcher.write_message(data, binary=isinstance(data, bytes))
            except WebSocketClosedError:
                continue  # it was sent away for what it said
        assert await hear(await house.watch(), "view")
        said = [request for request in house.door.said if not isinstance(request, Here)]
        assert all(getattr(request, "token", "") == "" for request in said), "nobody has joined by it"

    in_house(story)
    kinds = [line.split(":")[0] for line in caplog.messages]
    assert len(kinds) == len(set(kinds))


def test_a_connection_that_never_ends_its_request_is_closed_in_time(
    in_house: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("display.phone.bridge.IDLE_S", 0.2)

    async def story(house: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert await asyncio.wait_for(reader.read(), 5.0) == b""
        writer.close()

    in_house(story)
