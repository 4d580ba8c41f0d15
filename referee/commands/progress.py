"""How far a long command has come, on standard error: a line that changes at a terminal, else a line now and then.

Nothing of it is ever on standard output, where programs read.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO, TypeVar

Thing = TypeVar("Thing")

BAR = 24
ANEW_S = 0.1  # a terminal's line is not written more often
SELDOM_S = 30.0  # nor one for a file or another program


class Progress:
    """Counts what is done and tells it.

    Args:
        whole: how much there is to do; None where nobody knows.
        stream: where to tell it; None: standard error.
        clock: seconds that only grow.
    """

    def __init__(
        self, whole: int | None, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._whole, self._stream, self._clock = whole, sys.stderr if stream is None else stream, clock
        self._done = 0
        self._is_terminal = self._stream.isatty()
        self._began_s = clock()
        self._told_s = self._began_s - (ANEW_S if self._is_terminal else 0.0)

    def step(self, name: Callable[[], str]) -> None:
        """The next thing is begun; its name is asked for only where it is told."""
        now_s = self._clock()
        if now_s - self._told_s >= (ANEW_S if self._is_terminal else SELDOM_S):
            self._told_s = now_s
            spent_s, whole = now_s - self._began_s, self._whole
            told = f"{clock(spent_s)}  {name()}" if whole is None else line(self._done, whole, spent_s, name())
            self._write(told)
        self._done += 1

    def end(self) -> None:
        """All is done, or the work broke off: a terminal's line is taken away."""
        if self._is_terminal:
            self._write("")

    def _write(self, text: str) -> None:
        """Replace a terminal's line, or add one elsewhere."""
        room = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\x1b[K{text[:room]}" if self._is_terminal else f"{text}\n")
        self._stream.flush()


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
        stream: where to tell it; None: standard error.
        clock: seconds that only grow.
    """
    progress = Progress(len(things), stream, clock)
    try:
        for thing in things:
            progress.step(lambda: name(thing))  # noqa: B023  # called at once or never
            yield thing
    finally:
        progress.end()


def line(done: int, whole: int, spent_s: float, name: str) -> str:
    """A bar, the count, the time left as far as it can be known, and a name."""
    full = BAR * done // max(whole, 1)
    left = f"{clock(spent_s / done * (whole - done))} left" if done else "-:-- left"
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{whole}  {left}  {name}"


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{round(seconds) // 60}:{round(seconds) % 60:02d}"
