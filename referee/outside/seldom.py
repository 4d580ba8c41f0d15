"""A log that nobody can flood: of each kind of thing one line a minute, and how often it was besides."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0
MOST_KINDS = 100


class Seldom:
    """Writes of a kind of thing at most once a minute.

    Args:
        log: where the lines go.
        clock: monotonic seconds.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._said_s: dict[str, float] = {}
        self._unsaid: dict[str, int] = {}

    def note(self, kind: str, text: str) -> None:
        """Say it, unless the same kind was said within the last minute; then it is counted."""
        now_s = self._clock()
        if now_s - self._said_s.get(kind, float("-inf")) < EVERY_S:
            self._unsaid[kind] += 1
            return
        if len(self._said_s) >= MOST_KINDS:
            self._said_s.clear()
        more = self._unsaid.get(kind, 0)
        self._said_s[kind], self._unsaid[kind] = now_s, 0
        self._log.warning("%s: %s%s", kind, text, f" (and {more} more of that kind)" if more else "")
