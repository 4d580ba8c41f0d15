"""The bridge: what phones are served, what they are told, and how what they say comes to the table."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable

import msgspec
import pytest
import zmq
from tornado.httpclient import HTTPClientError
from tornado.websocket import websocket_connect

from display.link import Link
from display.phone import bridge as bridges
from display.phone import phone, server
from display.phone.bridge import Bridge
from display.sentences import Words
from referee.config import Places
from referee.wire import Beat, Order, Seat, View, decode, encode
from tests.display.phones import LONGEST_S, VIEW, FakeLink, House, hear, leave


def test_a_phone_that_joins_is_shown_the_whole_view_at_once(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        first = await watcher.read_message()
        assert msgspec.json.decode(first or "", type=View) == VIEW

    in_house(story)


def test_each_new_view_reaches_every_phone(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watchers = [await house.watch(), await house.watch()]
        for watcher in watchers:
            await hear(watcher, "view")
        house.link.news.append(msgspec.structs.replace(VIEW, seq=2))
        assert [(await hear(watcher, "view"))["seq"] for watcher in watchers] == [2, 2]

    in_house(story)


def test_a_beat_comes_every_second_and_says_that_the_table_is_heard(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        start = asyncio.get_running_loop().time()
        assert [(await hear(watcher, "beat"))["live"] for _ in range(3)] == [True, True, True]
        assert asyncio.get_running_loop().time() - start < 2.9

    in_house(story)


@pytest.mark.parametrize("jump_s", [48 * 365 * 86_400.0, -14 * 86_400.0])
def test_a_wall_clock_that_jumps_stops_no_beat_and_no_view(
    in_house: Callable[..., None], monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    """Set back by some days, the page once stood still for so long, until its process was taken for stuck."""

    async def story(house: House) -> None:
        watcher, wall = await house.watch(), time.time
        await hear(watcher, "beat")
        monkeypatch.setattr(time, "time", lambda: wall() + jump_s)
        house.link.news.append(msgspec.structs.replace(VIEW, seq=2))
        assert (await hear(watcher, "view"))["seq"] == 2
        assert [(await hear(watcher, "beat"))["live"] for _ in range(2)] == [True, True]

    in_house(story)


def test_an_error_in_a_turn_of_the_bridge_does_not_end_it(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        turns: list[int] = []

        def stumble() -> None:
            turns.append(len(turns))
            raise ValueError("a bug")

        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        timer = bridges.Timer(stumble, 0.001)
        while len(turns) < 3:
            await asyncio.sleep(0.001)
        timer.stop()
        await asyncio.sleep(0.01)
        assert turns == [0, 1, 2]

    in_house(story)


def test_a_table_that_falls_silent_is_told_at_once(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        await hear(watcher, "beat")
        house.link.live = False
        while (await hear(watcher, "beat"))["live"]:
            pass
        house.link.live = True
        assert (await hear(watcher, "beat"))["live"]

    in_house(story)


def test_before_the_first_view_a_phone_is_told_that_there_is_no_table(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        assert json.loads(await watcher.read_message() or "") == {"type": "beat", "live": False}

    in_house(story, FakeLink(view=None, live=False))


@pytest.mark.parametrize(
    "said", ["draws", '{"type":"order","id":"1","epoch":"first","line":"A draws 1"}', b"\x00\xff", "[" * 4000, "NaN"]
)
def test_what_is_not_understood_is_refused_in_words_and_the_phone_may_stay(
    in_house: Callable[..., None], said: str | bytes
) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        await watcher.write_message(said, binary=isinstance(said, bytes))
        assert (await hear(watcher, "refused"))["reason"] == "not-understood"
        assert not house.door.of(Order)
        house.link.news.append(msgspec.structs.replace(VIEW, seq=2))
        assert (await hear(watcher, "view"))["seq"] in (1, 2)
        assert house.bridge.phones == 1

    in_house(story)


def test_a_page_from_elsewhere_may_not_open_the_socket(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        with pytest.raises(HTTPClientError) as refused:
            await house.watch(Origin="http://elsewhere.example")
        assert refused.value.code == 403
        assert await house.watch(Origin=f"http://127.0.0.1:{house.port}")

    in_house(story)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]:80", "192.168.1.20:8420", "LOCALHOST", "raspberrypi.local"])
def test_a_name_that_only_this_machine_goes_by_is_answered(in_house: Callable[..., None], host: str) -> None:
    async def story(house: House) -> None:
        assert (await house.fetch("", headers={"Host": host})).code == 200

    in_house(story)


def test_a_name_from_elsewhere_that_was_pointed_here_is_refused(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        evil = f"evil.example:{house.port}"
        assert (await house.fetch("", headers={"Host": evil})).code == 403
        with pytest.raises(HTTPClientError, match="403"):
            await house.watch(Host=evil, Origin=f"http://{evil}")
        assert house.bridge.phones == 0

    in_house(story)


def test_the_phone_after_the_last_that_has_room_is_sent_away(
    in_house: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridges, "MOST_PHONES", 3)

    async def story(house: House) -> None:
        watchers = [await house.watch() for _ in range(3)]
        late = await house.watch()
        assert await late.read_message() is None
        assert late.close_code == phone.TRY_AGAIN_LATER
        watchers[0].close(1000)
        while house.bridge.phones > 2:
            await asyncio.sleep(0.01)
        assert (await hear(await house.watch(), "view"))["seq"] == 1

    in_house(story)


def test_a_phone_that_does_not_read_is_kept_no_more_than_the_newest_view(in_house: Callable[..., None]) -> None:
    names = tuple(Seat("x" * 50_000, 0, 0, 0) for _ in range(4))

    async def story(house: House) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1024)
        writer.write(
            b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        quick = await house.watch()
        (slow,) = (sleeper for sleeper in house.bridge._phones if sleeper.request.headers["Host"] == "127.0.0.1")
        for seq in range(2, 120):
            house.link.view = msgspec.structs.replace(VIEW, seq=seq, seats=names)
            house.bridge._tell("view", encode(house.link.view))
            await asyncio.sleep(0)
        assert set(slow._waiting) <= {"view", "beat"}
        assert json.loads(slow._waiting["view"])["seq"] == 119
        while (await hear(quick, "view"))["seq"] != 119:
            pass
        writer.close()

    in_house(story)


def test_the_page_is_served_whole_and_strict(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        for path, (_, kind) in server.FILES.items():
            answer = await house.fetch(path)
            assert (answer.code, answer.headers["Content-Type"]) == (200, kind)
            assert len(answer.body) > 100
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert (await house.fetch("", method="HEAD")).code == 200

    in_house(story)


@pytest.mark.parametrize(
    "path", ["bridge.py", "../link.py", "..%2flink.py", "%2e%2e/sentences.py", "__init__.py", "live.json"]
)
def test_nothing_but_the_page_is_served(in_house: Callable[..., None], path: str) -> None:
    async def story(house: House) -> None:
        answer = await house.fetch(path)
        assert answer.code == 404
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")

    in_house(story)


def test_nothing_can_be_written_over_http(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        assert (await house.fetch("", method="POST", body="A draws")).code == 405

    in_house(story)


def test_a_phone_gets_the_language_of_its_browser_unless_another_was_chosen_on_it(
    in_house: Callable[..., None],
) -> None:
    async def story(house: House) -> None:
        headers = {"Accept-Language": "de-DE,uk-UA;q=0.8,en;q=0.5"}
        words = json.loads((await house.fetch("words.json", headers=headers)).body)
        assert words == server.words("uk")
        assert words["counts"][1:6] == [Words("uk").count(tiles) for tiles in range(1, 6)]
        assert [each["name"] for each in words["languages"]][-1] == "Қазақша"
        words = json.loads((await house.fetch("words.json?language=ro", headers=headers)).body)
        assert words == server.words("ro")
        words = json.loads((await house.fetch("words.json?language=%3Cscript%3E", headers=headers)).body)
        assert words == server.words("en")

    in_house(story)


def test_the_words_are_those_of_the_screen(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        words = json.loads((await house.fetch("words.json")).body)
        assert words == server.words("en")
        assert words["reasons"]["edge-mismatch"] == Words().reason("edge-mismatch")
        assert words["counts"][:3] == ["0 tiles", "1 tile", "2 tiles"]

    in_house(story)


def test_the_supervisor_hears_the_bridge(in_house: Callable[..., None], places: Places) -> None:
    context = zmq.Context()
    beats = context.socket(zmq.PULL)
    beats.bind(places.endpoint("beats"))

    async def story(house: House) -> None:
        heard: list[Beat] = []
        while len(heard) < 2:
            await asyncio.sleep(0.02)
            if beats.poll(0):
                heard.append(decode(beats.recv(), Beat))
        assert [beat.room for beat in heard] == ["phone", "phone"]
        assert heard[1].progress > heard[0].progress

    try:
        in_house(story)
    finally:
        beats.close(linger=0)
        context.term()


def test_a_view_travels_from_the_table_socket_to_the_phone(places: Places) -> None:
    context = zmq.Context()
    views = context.socket(zmq.XPUB)
    views.bind(places.endpoint("views"))
    link = Link(places, by="phone")
    bridge = Bridge(link, places)

    async def story() -> None:
        async with asyncio.timeout(LONGEST_S):
            with bridge.serving(0) as port:
                watcher = await websocket_connect(f"ws://127.0.0.1:{port}/live")
                while not views.poll(0):
                    await asyncio.sleep(0.02)
                views.send(encode(VIEW))
                assert (await hear(watcher, "view"))["epoch"] == "first"
                while not (await hear(watcher, "beat"))["live"]:
                    pass
                await leave(watcher)

    try:
        asyncio.run(story())
    finally:
        bridge.close()
        link.close()
        views.close(linger=0)
        context.term()


def test_only_this_machine_is_listened_to_unless_the_network_is_let_in(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def bind(port: int, address: str) -> list[socket.socket]:
        asked.append(address)
        raise OSError("not in a test")

    monkeypatch.setattr(bridges, "bind_sockets", bind)
    bridge = Bridge(FakeLink(), places)
    for lan in (False, True):
        with pytest.raises(OSError, match="not in a test"), bridge.serving(0, lan):
            pass
    bridge.close()
    assert asked == [bridges.LOOPBACK, bridges.EVERYWHERE] == ["127.0.0.1", ".".join("0000")]
