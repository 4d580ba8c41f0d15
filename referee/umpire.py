"""The umpire: a journal of entries folds into one record.

State is never stored; it is what the entries say. Undo, overrule and correction are entries too, and
refold everything after the entry they name.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.moves import Move
from referee.rulings import Reason, Ruling
from referee.sighting import SeenTile
from referee.state import State


@dataclass(frozen=True, slots=True)
class Match:
    """A match begins: the preset, the names by seat, and the house rules that differ from the preset."""

    game: str
    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The entry with this number no longer counts."""

    entry: int


@dataclass(frozen=True, slots=True)
class Overrule:
    """The people let the illegal placement of this entry stand."""

    entry: int


@dataclass(frozen=True, slots=True)
class Correct:
    """The entry with this number should have been this move."""

    entry: int
    move: Move


Act = Match | Move | Undo | Overrule | Correct


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal.

    `seq` counts from 1. `utc_ms` is the wall clock, for people only. `by` is who wrote it (`camera`,
    `screen`, `button:2`, `phone:...`, `referee`). `order_id` makes a repeated order harmless. `reason`
    is what was ruled when it was written. `seen` is the tile with its pose on the table.
    """

    seq: int
    utc_ms: int
    by: str
    order_id: str | None
    what: Act
    reason: Reason
    seen: SeenTile | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What a journal amounts to: the entries, the ruling on each (None: void or not a move), the state."""

    entries: tuple[Entry, ...]
    rulings: tuple[Ruling | None, ...]
    state: State
