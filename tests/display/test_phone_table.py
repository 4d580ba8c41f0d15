"""Phones at a real table: they join with the code of the screen, and what they do stands in the journal as theirs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tornado.websocket import WebSocketClientConnection, websocket_connect

from display.link import Link
from display.phone.bridge import Bridge
from referee.config import Places
from referee.journal import Journal
from tests.display.phones import LONGEST_S, hear, leave
from tests.serving import serving

Socket = WebSocketClientConnection


@asynccontextmanager
async def bridged(places: Places) -> AsyncIterator[int]:
    """A bridge to the table of these places."""
    with Link(places, by="phone") as link:
        bridge = Bridge(link, places)
        try:
            with bridge.serving(0) as port:
                yield port
        finally:
            bridge.close()


async def say(phone: Socket, kind: str, answer: str, number: str = "n", **fields: Any) -> dict[str, Any]:
    """Say something and wait for what is said in return."""
    await phone.write_message(json.dumps({"type": kind, "id": number, **fields}))
    while (message := await hear(phone, answer))["id"] != number:
        pass
    return message


async def joined(port: int, places: Places, seat: int, device: str) -> tuple[Socket, dict[str, Any]]:
    """A phone that has joined with the code, once the table is heard."""
    phone = await websocket_connect(f"ws://127.0.0.1:{port}/live")
    while not (await hear(phone, "beat"))["live"]:
        pass
    return phone, await say(phone, "join", "joined", code=code_of(places), device=device, seat=seat)


def code_of(places: Places) -> str:
    """The code that the screen shows."""
    with Link(places, by="screen") as screen:
        invitation = screen.ask("joining").invitation
    assert invitation is not None
    return invitation.code


def order(phone: Socket, view: dict[str, Any], line: str, number: str = "n") -> Any:
    """Say a line to a view."""
    return say(phone, "order", "answer", number, epoch=view["epoch"], seq=view["seq"], line=line)


def house(places: Places, *lines: str) -> None:
    """The screen says some lines."""
    with Link(places, by="screen") as screen:
        for line in lines:
            while screen.view is None:
                screen.poll(0.05)
            seq, number = screen.view.seq, screen.order(line)
            while not any(answer.id == number and answer.status == "done" for answer in screen.answers()):
                screen.poll(0.05)
            while screen.view.seq <= seq:
                screen.poll(0.05)


def told(story: Any) -> None:
    """Run a story for a limited time."""

    async def limited() -> None:
        async with asyncio.timeout(LONGEST_S):
            await story

    asyncio.run(limited())


async def a_phone_acts(places: Places) -> None:
    """Bo's phone draws; Ana's, which had looked at the same view, is too late and sees what is so now."""
    async with bridged(places) as port:
        (bo, _), (ana, _) = [await joined(port, places, 1, "Bo's"), await joined(port, places, 1, "Bo's tablet")]
        house(places, "begin", "A lays 3-3-3 at 0,0,U")
        view = await hear(bo, "view")
        while not view["log"] or view["log"][-1]["line"] != "A lays 3-3-3 at 0,0,U":
            view = await hear(bo, "view")
        first, second = await order(bo, view, "B draws 1"), await order(ana, view, "B draws 1")
        assert (first["status"], second["status"]) == ("done", "stale")
        while (now := await hear(ana, "view"))["seq"] < second["seq"]:
            pass
        assert now["drawn"] == 1
        await leave(bo, ana)


def test_of_two_phones_on_the_same_view_the_first_acts_and_the_other_is_shown_what_is_so_now(places: Places) -> None:
    with serving(places):
        told(a_phone_acts(places))
    journal = Journal(places.state / "journal.sqlite3")
    assert [entry.by for entry in journal.entries()] == ["referee", "screen", "screen", "phone:B:Bo's"]
    journal.close()


async def a_phone_repeats(places: Places) -> None:
    """An order whose answer was lost is said again after the table and the bridge have started anew."""
    with serving(places, "one"):
        async with bridged(places) as port:
            bo, known = await joined(port, places, 1, "Bo's")
            house(places, "begin", "A lays 3-3-3 at 0,0,U")
            view = await hear(bo, "view")
            while view["turn"] != 1:
                view = await hear(bo, "view")
            assert (await order(bo, view, "B draws 1", "same"))["status"] == "done"
            await leave(bo)
    with serving(places, "two"):
        async with bridged(places) as port:
            again = await websocket_connect(f"ws://127.0.0.1:{port}/live")
            while not (await hear(again, "beat"))["live"]:
                pass
            back = await say(again, "hello", "joined", token=known["token"], device="Bo's")
            assert (back["guest"], back["seat"], back["role"]) == (known["guest"], 1, "player")
            assert (await order(again, view, "B draws 1", "same"))["status"] == "repeated"
            assert (await order(again, view, "B draws 1", "other"))["status"] == "stale"
            await leave(again)


def test_what_is_said_again_after_everything_has_started_anew_is_done_once(places: Places) -> None:
    told(a_phone_repeats(places))
    journal = Journal(places.state / "journal.sqlite3")
    assert len(journal.entries()) == 4
    journal.close()


async def a_phone_is_sent_away(places: Places) -> None:
    """The screen sees Bo's phone in the view, and sends it away."""
    async with bridged(places) as port:
        bo, known = await joined(port, places, 1, "Bo's")
        view = await hear(bo, "view")
        while [(each["id"], each["here"]) for each in view["guests"]] != [(known["guest"], True)]:
            view = await hear(bo, "view")
        assert view["phones"] == f"http://127.0.0.1:{port}/"
        house(places, f"drop {known['guest']}")
        while await bo.read_message() is not None:
            pass
        assert bo.close_code == 4003
        back = await websocket_connect(f"ws://127.0.0.1:{port}/live")
        assert (await say(back, "hello", "joined", token=known["token"]))["reason"] == "not-joined"
        await leave(back, bo)


def test_a_phone_that_is_sent_away_is_closed_and_its_token_is_worth_nothing(places: Places) -> None:
    with serving(places):
        told(a_phone_is_sent_away(places))
