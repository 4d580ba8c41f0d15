"""A whole house under load: a table, its bridge and its gate as processes, a camera that never rests, many clients."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import zmq

from display import joining
from display.link import Link
from referee.config import Places
from referee.sighting import SeenTile, Sighting
from referee.tiles import triomino_set
from referee.wire import encode
from tests.load.clients import Notes
from tests.serving import two_free_ports

LYING = 30  # tiles on the table: about as much as a view holds in the middle of a game
PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How many clients of which kind, how often something changes, and for how long."""

    web: int = 50
    native: int = 20
    views_per_s: float = 25.0
    seconds: float = 20.0
    reconnects: int = 1000


@dataclass(frozen=True, slots=True)
class Late:
    """How late views came to the clients of one kind, and whether all had the newest in the end."""

    clients: int
    views: int
    quick_ms: float  # the 10th percentile: what it takes where nothing else is in the way
    p50_ms: float
    p99_ms: float
    worst_ms: float
    missed: int
    all_current: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """The outcome; `ratio` is the 99th percentile of each kind to that of bare subscribers beside it."""

    web: Late
    native: Late
    bare: Late
    ratio_web: float
    ratio_native: float
    view_bytes: int
    reconnects: int
    bridge_growth_mb: float
    table_growth_mb: float


@dataclass(frozen=True, slots=True)
class House:
    """The processes, and where they are."""

    places: Places
    table: int
    bridge: int
    port: int
    invitation: str


@contextmanager
def process(*arguments: str, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process that is ended with the block."""
    with subprocess.Popen((sys.executable, "-m", *arguments), text=True, **options) as running:  # type: ignore[call-overload]  # as they come
        try:
            yield running
        finally:
            running.terminate()


@contextmanager
def house(folder: Path) -> Iterator[tuple[House, Link]]:
    """A table with a camera, a gate and a bridge, and a link of the house's own."""
    places = Places(folder / "state", folder / "run").make()
    native = two_free_ports()
    port = two_free_ports()
    at = ("--state", str(places.state), "--runtime", str(places.runtime))
    game = ("--game", "ro-trimino/manufacturer", "--players", "Ana,Bo")
    environment = {**os.environ, "REFEREE_STATE": str(places.state), "REFEREE_RUNTIME": str(places.runtime)}
    with (
        process("referee", "table", *game, *at, "--native", str(native)) as table,
        process("referee", "phone", "--port", str(port), env=environment, stdout=subprocess.DEVNULL) as bridge,
        Link(places, "load") as link,
    ):
        until_s = time.monotonic() + PATIENCE_S
        while link.view is None or not link.view.phones:
            assert time.monotonic() < until_s, "the house does not start"
            link.poll(0.1)
        told = link.ask("joining").invitation
        assert told is not None
        yield House(places, table.pid, bridge.pid, port, joining.link(f"http://127.0.0.1:{port}/", told)), link


class Camera:
    """Sees tiles lying and a hand that comes and goes, so that every sighting makes another view."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], places: Places) -> None:
        self._socket = context.socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.connect(places.endpoint("sightings"))
        tiles = enumerate(tile.values for tile in triomino_set(6)[:LYING])
        at = ((50.0 * (number % 10) + 60, 60.0 * (number // 10) + 120, values) for number, values in tiles)
        self._tiles = tuple(SeenTile("triomino", values, x_mm, y_mm, 12.5) for x_mm, y_mm, values in at)
        self._busy = False

    def look(self) -> None:
        """Send another sighting."""
        self._busy = not self._busy
        self._socket.send(encode(Sighting("load", 1, time.monotonic(), self._tiles, busy=self._busy)))

    def close(self) -> None:
        """Look no more."""
        self._socket.close()


def measure(plan: Plan, folder: Path) -> Measured:
    """Put a house under load and tell how it fared."""
    with ExitStack() as stack:
        built, link = stack.enter_context(house(folder))
        context = stack.enter_context(zmq.Context())
        camera = Camera(context, built.places)
        stack.callback(camera.close)
        bare = context.socket(zmq.PUB)
        bare.setsockopt(zmq.LINGER, 0)
        stack.callback(bare.close)
        endpoint = f"tcp://127.0.0.1:{bare.bind_to_random_port('tcp://127.0.0.1')}"
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        asked = (
            ("web", str(built.port), plan.web),
            ("native", built.invitation, plan.native),
            ("bare", endpoint, plan.native),
        )
        clients = [
            stack.enter_context(process("tests.load.clients", kind, where, str(count), **pipes))
            for kind, where, count in asked
        ]
        bare.send(b"%010d" % 0)
        _wait_until_ready(clients, camera, link, bare)
        sent, sent_bare = _play(plan, camera, link, bare)
        time.sleep(0.5)
        web, native, plain = (_late(each, sent_bare if number == 2 else sent) for number, each in enumerate(clients))
        view = link.view
        assert view is not None
        growth = _reconnected(plan, built, camera)
        ratios = (round(each.p99_ms / plain.p99_ms, 1) for each in (web, native))
        return Measured(web, native, plain, *ratios, len(encode(view)), plan.reconnects, *growth)


def _wait_until_ready(
    clients: list[subprocess.Popen[str]], camera: Camera, link: Link, bare: zmq.Socket[bytes]
) -> None:
    """Until every client has heard something; nothing is measured yet."""
    for each in clients:
        assert each.stdout is not None
        os.set_blocking(each.stdout.fileno(), False)
    waiting, until_s = list(clients), time.monotonic() + PATIENCE_S
    while waiting:
        assert time.monotonic() < until_s, "the clients do not start"
        waiting = [each for each in waiting if "ready" not in (each.stdout.readline() if each.stdout else "")]
        bare.send(b"%010d" % 0)
        camera.look()
        link.poll(0.05)
    for each in clients:
        assert each.stdout is not None
        os.set_blocking(each.stdout.fileno(), True)


def _play(plan: Plan, camera: Camera, link: Link, bare: zmq.Socket[bytes]) -> tuple[dict[int, float], dict[int, float]]:
    """Have the table make views; when what led to each was sent, by its number."""
    link.poll(0.3)
    sent: dict[int, float] = {}
    sent_bare: dict[int, float] = {}
    payload = b"x" * len(encode(link.view))
    start_s = time.monotonic()
    for number in range(1, int(plan.seconds * plan.views_per_s) + 1):
        while link.poll(0.0):
            continue  # what is still to be told of the sighting before
        newest = link.view.seq if link.view else 0
        at_s = time.monotonic()
        camera.look()
        while not link.poll(0.5) or link.view is None or link.view.seq == newest:  # a heartbeat tells nothing new
            assert time.monotonic() - at_s < PATIENCE_S, "the table tells nothing new"
        sent[link.view.seq] = at_s
        sent_bare[number] = time.monotonic()
        bare.send(b"%010d" % number + payload)
        time.sleep(max(0.0, start_s + number / plan.views_per_s - time.monotonic()))
    return sent, sent_bare


def _late(client: subprocess.Popen[str], sent: dict[int, float]) -> Late:
    """Tell the clients to end, and read what they noted."""
    said, _ = client.communicate(timeout=PATIENCE_S)
    notes: list[Notes] = json.loads(said.strip().splitlines()[-1])
    late = sorted((at_s - sent[seq]) * 1000 for each in notes for seq, at_s in each if seq in sent)
    newest = max(sent)
    missed = sum(len(sent.keys() - {seq for seq, _ in each}) for each in notes)
    current = all(each and each[-1][0] >= newest for each in notes)
    points = (late[len(late) // 10], late[len(late) // 2], late[int(len(late) * 0.99)], late[-1])
    return Late(len(notes), len(sent), *(round(each, 2) for each in points), missed, current)


def _reconnected(plan: Plan, built: House, camera: Camera) -> tuple[float, float]:
    """How much bridge and table have grown (MB) by phones that come and go, while one never reads."""
    with _phone(built.port) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        before: tuple[float, float] | None = None
        for number in range(plan.reconnects + plan.reconnects // 10):
            if number == plan.reconnects // 10:  # by then whatever is loaded once has been loaded
                before = _resident_mb(built.bridge), _resident_mb(built.table)
            with _phone(built.port) as phone:
                assert phone.recv(4096)
            if number % 4 == 0:
                camera.look()
        assert before is not None
        after = _resident_mb(built.bridge), _resident_mb(built.table)
    return round(after[0] - before[0], 1), round(after[1] - before[1], 1)


@contextmanager
def _phone(port: int) -> Iterator[socket.socket]:
    """A phone that opens its websocket and does nothing more by itself."""
    lines = (
        "GET /live HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    with socket.create_connection(("127.0.0.1", port), timeout=5.0) as phone:
        phone.sendall("\r\n".join((*lines, "", "")).encode())
        assert b"101" in phone.recv(300)
        yield phone


def _resident_mb(process_id: int) -> float:
    lines = Path(f"/proc/{process_id}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def table_of(measured: Measured) -> str:
    """The outcome for people."""
    rows = [f"{'':8}{'clients':>8}{'views':>7}{'p50 ms':>9}{'p99 ms':>9}{'worst':>9}{'missed':>8}  all current"]
    for name, each in (("web", measured.web), ("native", measured.native), ("bare", measured.bare)):
        figures = (
            f"{each.clients:8}{each.views:7}{each.p50_ms:9.1f}{each.p99_ms:9.1f}{each.worst_ms:9.1f}{each.missed:8}"
        )
        rows.append(f"{name:8}{figures}  {'yes' if each.all_current else 'NO'}")
    rows.append(f"p99 to that of bare subscribers: web {measured.ratio_web}, native {measured.ratio_native}")
    rows.append(f"a view has {measured.view_bytes} bytes")
    grown = f"bridge {measured.bridge_growth_mb:+.1f} MB, table {measured.table_growth_mb:+.1f} MB"
    rows.append(f"after {measured.reconnects} reconnects, with one phone that never reads: {grown}")
    return "\n".join(rows)


def as_json(measured: Measured) -> str:
    """The outcome for programs."""
    return json.dumps(asdict(measured))
