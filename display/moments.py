"""What lasts a while: the flash of a dispute, and a turn."""

from __future__ import annotations

from referee.wire import View

FLASH_S = 1.5


class Flash:
    """Lights the border once for each new dispute, for a table without a buzzer."""

    def __init__(self) -> None:
        self._entry: int | None = None
        self._until_s = float("-inf")

    def note(self, view: View, now_s: float) -> None:
        """Look at a view; the same dispute flashes once, however often it comes."""
        entry = view.dispute.entry if view.dispute else None
        if entry is not None and entry != self._entry:
            self._until_s = now_s + FLASH_S
        self._entry = entry

    def lit(self, now_s: float) -> bool:
        """Whether the border is lit now."""
        return now_s < self._until_s


class Turn:
    """How long the turn has lasted: it begins when another seat is to move, or the same one once more."""

    def __init__(self) -> None:
        self._of: object = None
        self._laid = 0
        self._since_s = 0.0

    def spent_s(self, view: View, now_s: float) -> int | None:
        """Whole seconds since the turn began; None while nobody is to move."""
        laid = view.last.entry if view.last and view.last.legal and " lays " in view.last.line else 0
        of = (view.epoch, view.round, view.phase, view.turn)
        if of != self._of or laid > self._laid:
            self._of, self._laid, self._since_s = of, laid, now_s
        return int(now_s - self._since_s) if view.phase == "play" and view.turn is not None else None
