"""The record as the table has it, told again from its history: the rules that hold, the layout, what has been named.

A view has all that most pages need. What is entered by hand needs more: which tiles are left, and where the others
lie when no camera sees them.
"""

from __future__ import annotations

from typing import Protocol

from referee import notation, umpire
from referee.entries import Entry, Record
from referee.rulings import Reason
from referee.state import State
from referee.wire import Told, View

WAIT_S = 0.5


class Asked(Protocol):
    """What a replica needs of `display.link.Link`."""

    def ask(self, what: str, *args: str, timeout_s: float = ...) -> Told:
        """Ask for something that is not in a view."""
        ...


class Replica:
    """Follows the record of a table, asking for it only when the view says that it has changed."""

    def __init__(self) -> None:
        self._lines: tuple[str, ...] = ()
        self._record: Record | None = None
        self._of: object = None

    def state(self, table: Asked, view: View) -> State | None:
        """The state that a view was made from, None while the table does not tell."""
        of = (view.epoch, view.game, view.log)
        if of != self._of:
            told = table.ask("history", timeout_s=WAIT_S)
            self._follow(told.lines)  # none where the table does not answer: asked again when the view changes
            self._of = of
        return None if self._record is None else self._record.state

    def _follow(self, lines: tuple[str, ...]) -> None:
        known = len(self._lines)
        is_longer = lines[:known] == self._lines
        record = self._record if is_longer else None
        try:
            for line in lines[known:] if is_longer else lines:
                record = umpire.append(record, _entry(line))
        except ValueError:  # a newer table has words that are not known here
            lines, record = (), None
        self._lines, self._record = lines, record


def _entry(line: str) -> Entry:
    seq, by, reason, said = line.split(" ", 3)
    return Entry(int(seq), 0, by, None, notation.parse(said), Reason(reason))
