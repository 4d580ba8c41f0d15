"""PROTOCOL.md says what is so: its examples are messages, and a client that knows nothing but the page can play."""

from __future__ import annotations

import hashlib
import json
import re
import time
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
import zmq
from zmq.utils import z85

import display
from display.__main__ import main
from display.phone.phone import A_SECOND, AT_ONCE, MOST_BYTES
from referee.config import Places
from referee.outside import gate, guests, keys
from referee.wire import LARGEST_MESSAGE_BYTES, PROTOCOL, View, decode
from tests.serving import serving, two_free_ports

PAGE = (Path(display.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
MESSAGES = guests.Request | guests.Reply | View


def missing(example: Any, message: Any, at: str = "$") -> list[str]:
    """What an example says that the message read from it does not know."""
    if isinstance(example, dict):
        unknown = [f"{at}.{key}" for key in example if key not in message]
        return unknown + [
            found for key in example if key in message for found in missing(example[key], message[key], at)
        ]
    if isinstance(example, list):
        return [found for one, other in zip(example, message, strict=True) for found in missing(one, other, at)]
    return [] if example == message else [at]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: json.loads(example)["type"])
def test_every_example_is_a_message_and_all_of_it_is_understood(example: str) -> None:
    message = decode(example.encode(), MESSAGES)  # type: ignore[arg-type]  # a union is no class
    assert missing(json.loads(example), msgspec.to_builtins(message)) == []


def test_every_message_has_an_example() -> None:
    tags = {kind.__struct_config__.tag for kind in get_args(MESSAGES)}
    assert {json.loads(example)["type"] for example in EXAMPLES} == tags


def test_the_page_tells_the_version_and_the_limits_that_are_in_force() -> None:
    assert f"`protocol` is {PROTOCOL}." in PAGE
    assert f"views {LARGEST_MESSAGE_BYTES // 1024} KiB" in PAGE
    assert f"{gate.LARGEST_REQUEST_BYTES // 1024} KiB at\nthe gate, {MOST_BYTES // 1024} KiB from a browser" in PAGE
    assert (gate.AT_ONCE, gate.A_SECOND) == (AT_ONCE, A_SECOND) == (20.0, 5.0)
    assert "20 requests at once and 5 a second after that" in PAGE
    assert (gate.VIEWS_WAITING, "newest three views" in PAGE) == (3, True)


def test_the_example_of_a_guests_key_is_the_key() -> None:
    table, public = re.findall(r"`(?:KEY = )?(\S{40})`", PAGE)
    assert keys.of_guest("482913", table.encode()).public.decode() == public


def test_a_client_that_knows_nothing_but_the_page_joins_and_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Written with ZeroMQ, JSON and a hash alone, as it would be in any other language."""
    places = Places(tmp_path / "state", tmp_path / "run").make()
    with serving(places, port=two_free_ports()):
        assert main(["text", "--invite", "--state", str(places.state), "--runtime", str(places.runtime)]) == 0
        address = urlsplit(capsys.readouterr().out.strip())
        said = {name: value[0] for name, value in parse_qs(address.fragment).items()}
        three_lines = f"tabletop-referee gate 1\n{said['key']}\n{said['code']}".encode()
        secret = z85.encode(hashlib.sha256(three_lines).digest())
        with zmq.Context() as context, context.socket(zmq.SUB) as views, context.socket(zmq.DEALER) as door:
            views.setsockopt(zmq.CONFLATE, 1)
            views.setsockopt(zmq.SUBSCRIBE, b"")
            for socket, port in ((views, int(said["native"])), (door, int(said["native"]) + 1)):
                socket.setsockopt(zmq.LINGER, 0)
                socket.setsockopt(zmq.RCVTIMEO, 3000)
                socket.setsockopt(zmq.CURVE_SERVERKEY, said["key"].encode())
                socket.setsockopt(zmq.CURVE_SECRETKEY, secret)
                socket.setsockopt(zmq.CURVE_PUBLICKEY, zmq.curve_public(secret))
                socket.connect(f"tcp://{address.hostname}:{port}")

            def asked(**message: Any) -> Any:
                door.send(json.dumps(message).encode())
                return json.loads(door.recv())

            view = json.loads(views.recv())
            joined = asked(type="join", id="1", device="other", code=said["code"], seat=0, protocol=1)
            line = {"type": "order", "epoch": view["epoch"], "by": "-", "token": joined["token"]}
            answer = asked(**line, id="2", seq=view["seq"], line="A announces 3-3-3")
            assert (answer["id"], answer["status"]) == ("2", "done")
            assert asked(**line, id="2", seq=view["seq"], line="A announces 3-3-3")["status"] == "repeated"
            deadline_s = time.monotonic() + 3.0
            while view.get("seq") < answer["seq"] and time.monotonic() < deadline_s:
                view = json.loads(views.recv())
            assert view["last"]["line"] == "A announces 3-3-3"
            told = asked(type="ask", id="3", what="history", args=[], token=joined["token"])
            assert told["lines"][-1].split()[1] == "phone:A:other"
            gone = asked(type="here", id="4", phones=[{"key": "k", "device": "other", "token": joined["token"]}])
            assert gone == {"type": "gone", "id": "4", "keys": []}
