"""How much one client may say: some at once, and so much a second after that."""

from __future__ import annotations

from collections.abc import Callable


class Pace:
    """An allowance that fills up again as time passes.

    Args:
        at_once: how many messages may come together.
        a_second: how many more are allowed for each second that has passed.
        clock: monotonic seconds.
    """

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float]) -> None:
        self._most, self._a_second, self._clock = at_once, a_second, clock
        self._left, self._since_s = at_once, clock()

    def allows(self) -> bool:
        """Whether one more is allowed now; it is counted if so."""
        now_s = self._clock()
        self._left = min(self._most, self._left + (now_s - self._since_s) * self._a_second)
        self._since_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True
