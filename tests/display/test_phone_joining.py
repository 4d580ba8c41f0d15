"""Phones that take part: what they say comes to the guest door as theirs, and the answer comes back to them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from display.phone import bridge as bridges
from display.phone import phone
from referee.outside.doorway import Here, Join
from referee.wire import Ask, Order
from tests.display.phones import CODE, LISTED, VIEW, House, hear

NAME = "3-12-19aa02f31c7"


def test_with_the_code_a_phone_joins_and_is_told_its_part(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        assert (await hear(watcher, "view"))["seq"] == 1
        await house.say(watcher, "join", code=CODE, device="Ana's", seat=0)
        joined = await hear(watcher, "joined")
        assert (joined["id"], joined["guest"], joined["token"], joined.get("reason", "")) == ("one", "g1", CODE, "")
        house.link.news.append(LISTED)
        part = await hear(watcher, "seat")
        assert (part["guest"], part["role"], part["seat"]) == ("g1", "player", 0)
        (request,) = house.door.of(Join)
        assert (request.device, request.seat, request.source) == ("Ana's", 0, "127.0.0.1")

    in_house(story)


def test_with_a_wrong_code_it_is_told_why_and_goes_on_looking(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        await house.say(watcher, "join", code="000000", device="Eve")
        assert (await hear(watcher, "joined"))["reason"] == "wrong-code"
        await house.say(watcher, "order", epoch="first", seq=1, line="A draws 1")
        assert (await hear(watcher, "answer"))["reason"] == "not-joined"
        assert house.bridge.phones == 1

    in_house(story)


def test_a_phone_that_comes_back_says_its_token_and_needs_no_code(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        house.link.view = LISTED
        watcher = await house.watch()
        await house.say(watcher, "hello", token=CODE, device="Ana's")
        assert (await hear(watcher, "joined"))["guest"] == "g1"
        stranger = await house.watch()
        await house.say(stranger, "hello", token=CODE[:-1], device="Ana's")
        assert (await hear(stranger, "joined"))["reason"] == "not-joined"

    in_house(story)


def test_an_order_goes_to_the_table_with_the_token_and_the_view_that_it_was_said_to(
    in_house: Callable[..., None],
) -> None:
    async def story(house: House) -> None:
        watcher = await house.join()
        await house.say(watcher, "order", epoch="older", seq=77, line="A draws 1")
        answer = await hear(watcher, "answer")
        assert (answer["id"], answer["status"]) == ("one", "done")
        (order,) = house.door.of(Order)
        assert (order.token, order.epoch, order.seq, order.line) == (CODE, "older", 77, "A draws 1")
        assert order.id == "g1/one", "always the same for the same guest, so that it is applied once"

    in_house(story)


def test_a_question_is_answered_to_the_phone_that_has_asked(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        await house.say(watcher, "ask", what="sheet", args=[])
        told = await hear(watcher, "told")
        assert (told["id"], told["lines"]) == ("one", ["a line"])
        assert house.door.of(Ask)[0].what == "sheet"

    in_house(story)


def test_the_table_hears_who_is_there_and_where_the_page_is(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        await house.join("Ana's")
        house.bridge.beat()
        here = house.door.of(Here)[-1]
        assert [(each.device, each.token) for each in here.phones] == [("Ana's", CODE)]
        assert here.address == f"http://127.0.0.1:{house.port}/"

    in_house(story)


def test_another_address_is_told_within_ten_seconds(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        now_s = [0.0]
        found = [("http://192.168.1.23:8420/", "http://referee.local:8420/")]
        house.bridge.clock = lambda: now_s[0]
        house.bridge._addresses = lambda _port: found[0]
        house.bridge._found = (float("-inf"), "", "")
        house.bridge.beat()
        found[0] = ("http://10.42.0.1:8420/", "http://referee.local:8420/")
        addresses = []
        for _ in range(10):
            now_s[0] += 1
            house.bridge.beat()
            addresses.append(house.door.of(Here)[-1].address)
        assert addresses[0] == "http://192.168.1.23:8420/"
        assert addresses[-1] == "http://10.42.0.1:8420/"

    in_house(story)


def test_a_phone_that_is_sent_away_at_the_table_is_closed_with_that_reason(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        house.bridge.beat()
        house.door.drop = (house.door.of(Here)[-1].phones[0].key,)
        while await watcher.read_message() is not None:
            pass
        assert watcher.close_code == bridges.SENT_AWAY

    in_house(story)


def test_who_is_no_longer_listed_has_no_part_any_more(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.join()
        house.link.news.append(msgspec.structs.replace(VIEW, seq=3))
        part = await hear(watcher, "seat")
        assert (part.get("guest", ""), part.get("role", "watcher")) == ("", "watcher")
        await house.say(watcher, "order", epoch="first", seq=3, line="A draws 1")
        assert (await hear(watcher, "answer"))["reason"] == "not-joined"

    in_house(story)


def test_a_view_from_before_the_joining_takes_no_part_away(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        watcher = await house.watch()
        await house.say(watcher, "join", code=CODE, seat=0)
        await hear(watcher, "joined")
        house.link.news.append(msgspec.structs.replace(VIEW, seq=1, busy=True))
        assert (await hear(watcher, "view"))["busy"] is True
        house.link.news.append(LISTED)
        assert (await hear(watcher, "seat"))["guest"] == "g1"

    in_house(story)


def test_who_says_too_much_is_told_so_and_then_closed(
    in_house: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone, "MOST_TOO_MANY", 10)

    async def story(house: House) -> None:
        watcher = await house.watch()
        for number in range(int(phone.AT_ONCE)):
            await house.say(watcher, "order", id=f"n{number}", epoch="first", seq=1, line="A draws 1")
            await hear(watcher, "answer")
        assert len(house.door.of(Order)) == phone.AT_ONCE
        for _ in range(12):
            await house.say(watcher, "order", epoch="first", seq=1, line="A draws 1")
        assert (await hear(watcher, "refused"))["reason"] == "too-fast"
        while await watcher.read_message() is not None:
            pass
        assert watcher.close_code == phone.MISBEHAVED
        assert len(house.door.of(Order)) < phone.AT_ONCE + 5

    in_house(story)


def test_pictures_of_a_ruling_are_for_those_who_have_joined(in_house: Callable[..., None]) -> None:
    async def story(house: House) -> None:
        folder = house.bridge._places.state / "evidence"
        folder.mkdir()
        (folder / f"{NAME}.before.jpg").write_bytes(b"jpeg")
        (folder / "secret.before.jpg").write_bytes(b"no")
        path, bearer = f"evidence/{NAME}/before.jpg", {"Authorization": f"Bearer {CODE}"}
        assert (await house.fetch(path)).code == 403
        assert (await house.fetch(path, headers=bearer)).code == 403, "not while nobody has joined with it"
        await house.join()
        answer = await house.fetch(path, headers=bearer)
        assert (answer.code, answer.headers["Content-Type"], answer.body) == (200, "image/jpeg", b"jpeg")
        assert (await house.fetch(path, headers={"Authorization": "Bearer x"})).code == 403
        assert (await house.fetch(f"evidence/{NAME}/after.jpg", headers=bearer)).code == 404
        for wrong in ("evidence/secret/before.jpg", "evidence/..%2fguests/before.jpg", f"evidence/{NAME}/x.jpg"):
            assert (await house.fetch(wrong, headers=bearer)).code == 404

    in_house(story)
