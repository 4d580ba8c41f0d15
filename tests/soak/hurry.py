"""A room in a hurry: `python -m tests.soak.hurry FACTOR LOG ARGUMENTS` is `referee ARGUMENTS` with a faster clock.

Whatever a room does by its clock, beating, repeating, waiting, giving up, the next frame of its camera, it does so many
times as often; the wall clock jumps years ahead and days back meanwhile. Only the window is drawn at its usual pace,
which SDL keeps. What the room prints goes to the file LOG.
"""

from __future__ import annotations

import os
import selectors
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zmq

DAY_S = 86_400.0
JUMPS_S = (0.0, 48 * 365.25 * DAY_S, -14 * DAY_S)
JUMP_EVERY_S = 600.0  # of the faster clock


def faster(clock: Callable[..., float], factor: float) -> Callable[..., float]:
    """A clock that shows now what the other does, and goes faster from then on."""
    begun: dict[tuple[int, ...], float] = {}

    def read(*which: int) -> float:
        now = clock(*which)
        first = begun.setdefault(which, now)
        return float(first + (now - first) * factor)

    return read


def jumping(clock: Callable[[], float]) -> Callable[[], float]:
    """A wall clock that somebody sets far ahead, back, and right again, every now and then."""
    return lambda: clock() + JUMPS_S[int(time.monotonic() / JUMP_EVERY_S) % len(JUMPS_S)]


def shorter(wait: Callable[..., Any], factor: float) -> Callable[..., Any]:
    """A method that waits, with its time limit made shorter."""

    def waiting(self: Any, timeout: float | None = None) -> Any:
        return wait(self, None if timeout is None else timeout / factor)

    return waiting


def hurry(factor: float) -> None:
    """Make every clock of this process go faster; to be done before any room is imported."""
    for name in ("monotonic", "clock_gettime"):
        setattr(time, name, faster(getattr(time, name), factor))
    time.time = jumping(time.time)
    time.time_ns = lambda: round(time.time() * 1e9)
    sleep = time.sleep
    time.sleep = lambda seconds: sleep(float(seconds) / factor)
    selectors.EpollSelector.select = shorter(selectors.EpollSelector.select, factor)  # type: ignore[method-assign]  # meant
    zmq.Poller.poll = shorter(zmq.Poller.poll, factor)  # type: ignore[method-assign]  # meant


def main() -> int:
    """Be a room."""
    factor, log, *arguments = sys.argv[1:]
    with Path(log).open("ab", buffering=0) as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    hurry(float(factor))
    from referee.__main__ import main as referee

    return referee(arguments)


if __name__ == "__main__":
    sys.exit(main())
