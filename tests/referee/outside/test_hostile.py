"""Hostile input: whatever anybody sends, the table lives on, its record is what it was, and its log stays short."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from display.guest import GuestLink, Invitation
from display.link import Link
from hardware.signals import SilentSignals
from referee.config import Places
from referee.journal import Journal
from referee.outside.gate import AT_ONCE
from referee.outside.guests import Guests, Request
from referee.outside.joining import GuestBook
from referee.sighting import Facts, Sighting
from referee.table import Table
from referee.wire import LARGEST_MESSAGE_BYTES, Answer, Ask, Beat, Order, Told, View, WireError, decode, encode
from tests.serving import MATCH, serving, status_of, two_free_ports, until

KINDS: tuple[Any, ...] = (Request, Order | Ask, Answer | Told, View, Sighting, Facts, Beat)
STATUSES = {"done", "refused", "stale", "repeated", "confirm", "asked"}
LINES = (
    *("begin", "A lays 3-3-3 at 0,0,U", "B draws 1", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U"),
    *("B draws 1", "B draws 1"),
)
WORDS = st.sampled_from(
    (
        *(
            "A",
            "B",
            "C",
            "Z",
            "a",
            "",
            "-1",
            "0",
            "1",
            "3",
            "-3",
            "007",
            "1e999",
            "NaN",
            "Infinity",
            "9" * 400,
            "²",
            "٣",
        ),
        *(
            "lays",
            "draws",
            "passes",
            "plays",
            "bids",
            "names",
            "shows",
            "announces",
            "exposes",
            "counts",
            "calls",
            "takes",
        ),
        *("1-2-3", "3-3-3", "9-9-9", "-1-2-3", "3-3", "6-6", "1-2-3-4", "3-", "at", "left", "right", "0,0,U", "1,0,D"),
        *(
            "0,0,X",
            "9999999999999999999999,0,U",
            "NaN,0,U",
            "undo",
            "undo!",
            "overrule",
            "correct",
            "answer",
            "q1",
            "w1-1",
        ),
        *(
            "match",
            "match!",
            "ro-trimino/manufacturer",
            "A=Ana",
            "B=Bo",
            "seats=A-Ana",
            "players=-3",
            "target=-5",
            "=",
            "forget",
        ),
        *(
            "drop",
            "host",
            "g1",
            "new",
            "code",
            "begin",
            "clear",
            "redeal",
            "adjust",
            "turn",
            "stock",
            "\0",
            "\n",
            "�",
            "🁫",
        ),
    )
)
SAID = st.lists(WORDS, max_size=7).map(" ".join) | st.text(max_size=40)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ("type", "id", "epoch", "seq", "by", "line", "token", "what", "args", "code", "seat", "phones")
)
MESSAGE = st.fixed_dictionaries(
    {"type": st.sampled_from(("order", "ask", "join", "here")), "id": st.text(min_size=1, max_size=9)},
    optional={
        "epoch": st.sampled_from(("one", "two")),
        "seq": st.integers(-1, 99),
        "by": st.just("screen"),
        "line": SAID,
        "what": st.sampled_from(("history", "moves", "places", "matches", "sheet", "players", "begun", "joining", "x")),
        "args": st.lists(WORDS, max_size=3),
        "code": st.sampled_from(("", "0", "999999", "²²²²²²")),
        "token": st.text(max_size=9),
        "seat": st.integers(-3, 9) | st.just(2**62),
        "phones": st.lists(st.fixed_dictionaries({"key": st.text(min_size=1, max_size=5)}), max_size=3),
    },
)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table in the middle of a round."""
    journal = Journal(tmp_path_factory.mktemp("hostile") / "journal.sqlite3")
    table = Table(journal, SilentSignals("no pins", "test"), "one")
    table.begin(MATCH)
    for number, line in enumerate(LINES):
        assert (
            table.order(Order(id=f"s{number}", epoch="one", seq=table.view.seq, by="screen", line=line)).status
            == "done"
        )
    yield table
    journal.close()


# --- the decoder ------------------------------------------------------------------------------------------


def understood(data: bytes, kind: Any) -> Any:
    """The message, or the words in which it is refused; any other error comes through."""
    try:
        return decode(data, kind)
    except WireError as error:
        return str(error)


@given(st.sampled_from(KINDS), st.binary(max_size=200) | ANYTHING.map(lambda each: json.dumps(each).encode()))
def test_bytes_are_a_message_or_refused_in_words(kind: Any, data: bytes) -> None:
    message = understood(data, kind)
    if isinstance(message, str):
        assert message.startswith("expected")
    else:
        assert decode(encode(message), kind) == message


@given(st.sampled_from(KINDS), MESSAGE, st.dictionaries(FIELDS, ANYTHING, max_size=2))
def test_a_message_with_wrong_types_in_it_is_a_message_or_refused_in_words(
    kind: Any, message: dict[str, Any], wrong: dict[str, Any]
) -> None:
    said = understood(json.dumps({**message, **wrong}).encode(), kind)
    assert not isinstance(said, str) or said.startswith("expected")


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"type":"order","x":[', b'[{"type":'], ids=repr)
def test_a_message_nested_too_deep_is_refused_and_no_longer_ends_the_table(kind: Any, opening: bytes) -> None:
    with pytest.raises(WireError, match="expected"):
        decode(opening * (LARGEST_MESSAGE_BYTES // len(opening)), kind)


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 500])
def test_a_number_that_is_none_is_in_no_sighting(number: bytes) -> None:
    with pytest.raises(WireError):
        decode(b'{"epoch":"e","settle":1,"time_s":%s,"tiles":[],"busy":false}' % number, Sighting)


# --- the doors --------------------------------------------------------------------------------------------


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGE, min_size=1, max_size=10))
def test_whatever_somebody_says_who_has_not_joined_changes_nothing(
    table: Table, messages: list[dict[str, Any]]
) -> None:
    guests, record, score = Guests(table, GuestBook()), table.record, table.view.seats
    for message in messages:
        try:
            request = decode(json.dumps(message).encode(), Request)  # type: ignore[arg-type]  # a union is no class
        except WireError:
            continue
        guests.from_guest(request, b"stranger")
    assert table.record is record
    assert table.view.seats == score


@given(st.lists(SAID, min_size=1, max_size=8), st.integers(-(2**62), 2**62))
def test_every_line_at_the_houses_own_door_has_an_answer_and_what_is_not_done_changes_nothing(
    table: Table, lines: list[str], seq: int
) -> None:
    guests = Guests(table, GuestBook())
    for line in lines:
        before = table.record
        seen = seq if line.startswith("A draws") else table.view.seq
        order = Order(id=random.randbytes(8).hex(), epoch="one", seq=seen, by="screen", line=line)
        answer = guests.from_house(order)
        assert isinstance(answer, Answer)
        assert answer.status in STATUSES
        assert answer.status == "done" or table.record is before
        assert len(encode(table.view)) < LARGEST_MESSAGE_BYTES


def test_an_order_that_is_replayed_is_carried_out_once_also_after_a_restart(places: Places) -> None:
    with zmq.Context() as context, context.socket(zmq.DEALER) as replayer:
        replayer.setsockopt(zmq.LINGER, 0)
        replayer.setsockopt(zmq.RCVTIMEO, 3000)
        replayer.connect(places.endpoint("orders"))
        statuses: list[str] = []
        for epoch in ("one", "two"):
            with serving(places, epoch):
                for _ in range(3):
                    replayer.send(encode(Order(id="r1", epoch="one", seq=99, by="screen", line="begin")))
                    statuses.append(decode(replayer.recv(), Answer).status)
    assert statuses == ["done", *["repeated"] * 5]


@pytest.mark.parametrize("door", ["orders", "guests", "sightings"])
def test_random_bytes_at_a_door_end_nothing_and_write_one_line(
    places: Places, door: str, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(1)
    kind = zmq.PUSH if door == "sightings" else zmq.DEALER
    with serving(places), zmq.Context() as context, context.socket(kind) as hostile, Link(places, "screen") as screen:
        hostile.setsockopt(zmq.LINGER, 0)
        hostile.connect(places.endpoint(door))
        for size in [*range(200), 1000, 100_000, LARGEST_MESSAGE_BYTES]:
            try:
                hostile.send(chance.randbytes(size), zmq.NOBLOCK)
                hostile.send_multipart([b"", b"x"] * chance.randrange(1, 4), zmq.NOBLOCK)
            except zmq.Again:  # the queue is full: enough was said
                time.sleep(0.001)
        until(screen, lambda: screen.view is not None)
        assert status_of(screen, "begin") == "done ok-begin"
    assert len([line for line in caplog.messages if "not understood" in line]) == 1


# --- the gate ---------------------------------------------------------------------------------------------


def invited(screen: Link) -> Invitation:
    told = screen.ask("joining").invitation
    assert told is not None
    return Invitation("127.0.0.1", int(told.native), told.key.encode(), told.code)


def resident_kib() -> int:
    """The memory of this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def test_a_thousand_connections_at_the_gate_keep_nobody_out(places: Places) -> None:
    port = two_free_ports()
    chance = random.Random(2)
    with serving(places, port=port), Link(places, "screen") as screen:
        until(screen, lambda: screen.view is not None)
        invitation, before_kib, crowd = invited(screen), resident_kib(), []
        try:
            for number in range(1000):
                crowd.append(socket.socket())
                crowd[-1].setblocking(False)
                crowd[-1].connect_ex(("127.0.0.1", port + number % 2))
                if number % 3 == 0:
                    try:
                        crowd[-1].send(chance.randbytes(200) if number % 2 else b"GET / HTTP/1.1\r\n\r\n")
                    except OSError:
                        continue  # it was not let in yet, or is closed already
            link = GuestLink(invitation, "honest", seat=0)
            try:
                until(link, lambda: link.joined is not None and link.live)
                assert status_of(screen, "begin") == "done ok-begin"
            finally:
                link.close()
            assert resident_kib() - before_kib < 50_000
        finally:
            for each in crowd:
                each.close()


def test_a_guest_that_says_too_much_is_heard_less_and_the_others_as_always(
    places: Places, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(places, port=two_free_ports()), Link(places, "screen") as screen:
        until(screen, lambda: screen.view is not None)
        loud = GuestLink(invited(screen), "loud")
        try:
            until(loud, lambda: loud.joined is not None)
            for _ in range(2000):
                loud.order("begin")
            started_s = time.monotonic()
            assert status_of(screen, "begin") == "done ok-begin"
            assert time.monotonic() - started_s < 2.0
            until(loud, lambda: loud.view is not None and loud.view.phase == "play")
            assert len(loud.answers()) <= AT_ONCE + 20
        finally:
            loud.close()
    assert len([line for line in caplog.messages if "says too much" in line]) == 1
