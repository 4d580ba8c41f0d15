"""Clients in a process of their own, which note when each view reaches them: `python -m tests.load.clients KIND ...`.

They say `ready` when all have heard something, and print their notes as JSON when their input ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing

import zmq
from tornado.websocket import websocket_connect

from display.guest import GuestLink, Invitation

SEQ = re.compile(rb'"seq":(\d+)')
Notes = list[tuple[int, float]]


def seq_of(message: bytes) -> int | None:
    """The number of a view, None for any other message."""
    found = SEQ.search(message, 0, 200) if message.startswith(b'{"type":"view"') else None
    return int(found.group(1)) if found else None


async def web(port: int, count: int) -> list[Notes]:
    """Phones at the bridge, as long as the input is open."""
    sockets = [await websocket_connect(f"ws://127.0.0.1:{port}/live") for _ in range(count)]
    notes: list[Notes] = [[] for _ in sockets]
    first = asyncio.Event()

    async def listen(number: int) -> None:
        while (message := await sockets[number].read_message()) is not None:
            seq = seq_of(message.encode() if isinstance(message, str) else message)
            if seq is not None:
                notes[number].append((seq, time.monotonic()))
                if all(notes):
                    first.set()

    listeners = [asyncio.create_task(listen(number)) for number in range(count)]
    await first.wait()
    print("ready", flush=True)  # noqa: T201  # to whoever started this
    await asyncio.to_thread(sys.stdin.read)
    for socket in sockets:
        socket.close()
    await asyncio.wait(listeners, timeout=2.0)
    return notes


def in_threads(count: int, watch: Callable[[Notes, threading.Event], None]) -> list[Notes]:
    """Clients that wait each in a thread of its own, as long as the input is open."""
    notes: list[Notes] = [[] for _ in range(count)]
    over = threading.Event()
    threads = [threading.Thread(target=watch, args=(each, over)) for each in notes]
    for thread in threads:
        thread.start()
    while not all(notes):
        time.sleep(0.01)
    print("ready", flush=True)  # noqa: T201  # to whoever started this
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
    return notes


def native(invitation: str) -> Callable[[Notes, threading.Event], None]:
    """A program that joins by the gate and follows."""

    def watch(notes: Notes, over: threading.Event) -> None:
        with closing(GuestLink(Invitation.parse(invitation), "load")) as link:
            while not over.is_set():
                if link.poll(0.2) and link.view is not None and (not notes or notes[-1][0] != link.view.seq):
                    notes.append((link.view.seq, time.monotonic()))

    return watch


def bare(endpoint: str) -> Callable[[Notes, threading.Event], None]:
    """A subscriber and nothing else: what ZeroMQ takes by itself, to compare with."""

    def watch(notes: Notes, over: threading.Event) -> None:
        with zmq.Context() as context, context.socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.CONFLATE, 1)
            socket.setsockopt(zmq.LINGER, 0)
            socket.setsockopt(zmq.SUBSCRIBE, b"")
            socket.connect(endpoint)
            while not over.is_set():
                if socket.poll(200):
                    notes.append((int(socket.recv()[:10]), time.monotonic()))

    return watch


def main(kind: str, where: str, count: str) -> None:
    """Run clients of one kind and print what they noted."""
    if kind == "web":
        notes = asyncio.run(web(int(where), int(count)))
    else:
        notes = in_threads(int(count), native(where) if kind == "native" else bare(where))
    print(json.dumps(notes), flush=True)  # noqa: T201  # to whoever started this


if __name__ == "__main__":
    main(*sys.argv[1:])
