"""The way from the bridge to the guest door: every request is answered, by the table or for want of one."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import zmq

from display.phone.door import GIVE_UP_S, NO_ANSWER, Door, Reply
from referee.config import Places
from referee.outside.doorway import Gone, Here, Join, Joined
from referee.wire import Answer, Ask, Order, Told, encode

ORDER = Order(id="1", epoch="e", seq=1, by="phone", line="A draws 1")
REQUESTS = (Join(id="1"), ORDER, Ask("1", "sheet"), Here(id="1"))


@pytest.fixture
def table(places: Places) -> Iterator[zmq.Socket[bytes]]:
    """The table's side of the door."""
    context = zmq.Context()
    socket = context.socket(zmq.ROUTER)
    socket.bind(places.endpoint("guests"))
    yield socket
    socket.close(linger=0)
    context.term()


def said(door: Door, request: Join | Order | Ask | Here) -> list[Reply]:
    """Say something as soon as the door is connected; the reply will be added to the list."""
    replies: list[Reply] = []
    until_s = time.monotonic() + 5
    door.say(request, replies.append)
    while replies:
        assert time.monotonic() < until_s, "never connected"
        time.sleep(0.01)
        replies.clear()
        door.say(request, replies.append)
    return replies


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: type(each).__name__)
def test_without_a_table_the_door_itself_says_that_nobody_answers(
    places: Places, request_: Join | Order | Ask | Here
) -> None:
    door = Door(places)
    replies: list[Reply] = []
    door.say(request_, replies.append)
    door.close()
    (reply,) = replies
    assert reply.id == "1"
    assert isinstance(reply, {Join: Joined, Order: Answer, Ask: Told, Here: Gone}[type(request_)])
    assert isinstance(reply, Gone) or NO_ANSWER in (getattr(reply, "reason", ""),) or getattr(reply, "error", "")


def test_a_reply_comes_to_whoever_has_asked(places: Places, table: zmq.Socket[bytes]) -> None:
    door = Door(places)
    replies = said(door, ORDER)
    sender, _ = table.recv_multipart()
    for message in (b"nonsense", encode(Answer("other", "done")), encode(Answer("1", "done"))):
        table.send_multipart([sender, message])
    until_s = time.monotonic() + 5
    while not replies and time.monotonic() < until_s:
        door.poll()
        time.sleep(0.005)
    door.close()
    assert replies == [Answer("1", "done")]


def test_what_is_not_answered_in_time_is_given_up(places: Places, table: zmq.Socket[bytes]) -> None:
    now_s = [0.0]
    door = Door(places, lambda: now_s[0])
    replies = said(door, ORDER)
    door.poll()
    assert replies == []
    now_s[0] += GIVE_UP_S + 0.1
    door.poll()
    door.close()
    assert replies == [Answer("1", "refused", NO_ANSWER)]
