"""A line that tells how far a long command has come, on standard error and only where a person looks at it."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO, TypeVar

Thing = TypeVar("Thing")

BAR = 24
ANEW_S = 0.1  # the line is not written more often


def told(
    things: Sequence[Thing],
    name: Callable[[Thing], str],
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Thing]:
    """Give things one after another, telling which one is being worked on and how long the rest will take.

    Args:
        things: what is to be done.
        name: what to call one of them.
        stream: where to tell it, if that is a terminal; None: standard error.
        clock: seconds that only grow.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield from things
        return
    began_s = told_s = clock()
    try:
        for done, thing in enumerate(things):
            now_s = clock()
            if done == 0 or now_s - told_s >= ANEW_S:
                told_s = now_s
                _write(stream, line(done, len(things), now_s - began_s, name(thing)))
            yield thing
    finally:
        _write(stream, "")


def line(done: int, whole: int, spent_s: float, name: str) -> str:
    """A bar, the count, the time left as far as it can be known, and a name."""
    full = BAR * done // max(whole, 1)
    left = f"{_clock(spent_s / done * (whole - done))} left" if done else "-:-- left"
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{whole}  {left}  {name}"


def _write(stream: TextIO, text: str) -> None:
    """Replace the line."""
    room = shutil.get_terminal_size().columns - 1
    stream.write(f"\r\x1b[K{text[:room]}")
    stream.flush()


def _clock(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02d}"
