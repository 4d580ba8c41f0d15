"""A client's link: right again after whatever it missed, and never taking an old picture for a live one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import zmq
from msgspec import structs

from display.link import Link
from referee.config import Places
from referee.wire import View, encode
from tests.serving import serving, status_of, until

VIEW = View(epoch="one", seq=1)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.mark.parametrize("seed", range(4))
def test_whichever_updates_a_client_missed_it_has_the_tables_own_view_in_the_end(places: Places, seed: int) -> None:
    chance = random.Random(seed)
    with serving(places) as service, Link(places, "screen") as screen, Link(places, "phone") as phone:
        until(screen, lambda: screen.view is not None)
        for line in ("begin", "A lays 3-3-3 at 0,0,U", "B draws 1", "B draws 1", "B lays 3-3-5 at 0,0,D", "A draws 1"):
            assert status_of(screen, line).startswith("done")
            if chance.random() < 0.5:
                phone.poll(0.05)
        with Link(places, "late") as late:
            for link in (phone, late):
                until(link, lambda link=link: link.live and link.view == service._table.view, within_s=3.0)


def test_what_lay_in_the_buffers_of_a_client_that_slept_is_not_shown_as_live(places: Places) -> None:
    now_s = [0.0]
    with Link(places, "phone", clock=lambda: now_s[0]) as phone:
        with serving(places, "one"), Link(places, "screen") as screen:
            until(phone, lambda: phone.live)
            until(screen, lambda: screen.view is not None)
            assert status_of(screen, "begin") == "done ok-begin"  # this view waits in the buffers of the sleeper
        now_s[0] += 600.0
        phone.poll(0.2)
        assert not phone.live
        with serving(places, "two"):
            until(phone, lambda: phone.live, within_s=3.0)
            assert phone.view is not None
            assert (phone.view.epoch, phone.view.phase) == ("two", "play")


def test_a_client_that_sleeps_while_it_waits_for_news_does_not_take_old_news(places: Places) -> None:
    now_s = [0.0]

    class Sleepy(zmq.Poller):
        """Waits as any poller, and is away for ten minutes meanwhile."""

        def poll(self, timeout: float | None = None) -> list[tuple[object, int]]:
            ready = super().poll(timeout)
            now_s[0] += 600.0
            return ready

    with Link(places, "phone", clock=lambda: now_s[0]) as phone, serving(places):
        until(phone, lambda: phone.live)
        poller, phone._poller = phone._poller, Sleepy()
        for socket, events in poller.sockets:
            phone._poller.register(socket, events)
        phone.poll(2.0)
        assert not phone.live


def test_a_table_of_another_protocol_is_not_shown_and_the_client_knows_why(places: Places) -> None:
    with zmq.Context() as context, context.socket(zmq.XPUB) as table, Link(places, "phone") as phone:
        table.setsockopt(zmq.LINGER, 0)
        table.bind(places.endpoint("views"))
        assert table.poll(3000)
        newer = encode(structs.replace(VIEW, protocol=2)).replace(b'"phase":""', b'"phase":{"name":"play"}')
        table.send(newer)
        until(phone, lambda: phone.trouble == "protocol")
        assert phone.view is None
        assert not phone.live
        table.send(encode(VIEW))
        until(phone, lambda: phone.live)
        assert phone.trouble == ""


def test_what_is_no_view_is_as_good_as_silence(places: Places) -> None:
    with zmq.Context() as context, context.socket(zmq.XPUB) as table, Link(places, "phone") as phone:
        table.setsockopt(zmq.LINGER, 0)
        table.bind(places.endpoint("views"))
        assert table.poll(3000)
        for rubbish in (
            b"",
            b"\xff\xfe",
            b"[" * 100_000,
            b'{"type":"view","epoch":"one"}',
            b'{"type":"answer","id":""}',
        ):
            table.send(rubbish)
            phone.poll(0.1)
        assert not phone.live
        table.send(encode(VIEW))
        until(phone, lambda: phone.view == VIEW)
