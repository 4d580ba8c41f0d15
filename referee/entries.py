"""What a journal is made of: matches, moves, and changes of what was entered before; and what it amounts to."""

from __future__ import annotations

from dataclasses import dataclass

from referee.moves import Move
from referee.rulings import Reason, Ruling
from referee.sighting import SeenTile
from referee.state import State


@dataclass(frozen=True, slots=True)
class Match:
    """A match begins: the preset, the names by seat, and the house rules that differ from the preset.

    `seats_deg` says where each sits, as seen from the middle of the mat: 0 along +x, clockwise from above, 90 at
    the near side; empty where nobody has said. `zones` says what besides the tiles that are laid is seen by camera, in
    zones of the mat: `draws`, `hands`.
    """

    game: str
    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    seats_deg: tuple[int, ...] = ()
    zones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The entry with this number no longer counts; `confirmed` whatever else that changes."""

    entry: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Overrule:
    """The people let the illegal placement of this entry stand; `confirmed` whatever else that changes."""

    entry: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Correct:
    """The entry with this number should have been this move; `confirmed` whatever else that changes."""

    entry: int
    move: Move
    confirmed: bool = False


Change = Undo | Overrule | Correct
Act = Match | Move | Change


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
    """What a journal amounts to: the entries, the ruling on each (None: it was undone), the state."""

    entries: tuple[Entry, ...]
    rulings: tuple[Ruling | None, ...]
    state: State
