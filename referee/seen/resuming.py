"""What is known of the table after a restart, before anybody has looked at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee import umpire
from referee.games import game
from referee.moves import Begin, Place
from referee.seen import tabletop, tricking
from referee.seen.memory import Lying, Memory
from referee.sighting import SeenTile
from referee.umpire import Correct, Overrule, Record, Undo


@dataclass(frozen=True, slots=True)
class Ignored:
    """A tile of which people have said that it is no move, or that it still lies where it is not seen.

    `after` is the last entry at that time, `entry` that of a tile of the record.
    """

    after: int
    seen: SeenTile
    entry: int | None = None


def resumed(record: Record, ignored: Sequence[Ignored]) -> Memory:
    """The memory to go on with: the accepted tiles, those that were judged or taken back since the last of them or
    are asked about and may still lie there, and what people have said of tiles since the round began."""
    laid = {placed.entry for placed in record.state.layout}
    last = max((entry for entry in laid if entry is not None), default=0)
    changed = {e.what.entry for e in record.entries if isinstance(e.what, Undo) and e.seq > last}
    changed |= set(umpire.unsettled(record))
    begun = max((e.seq for e in record.entries if isinstance(e.what, Begin)), default=0)
    said = [each for each in ignored if each.after >= begun]
    in_tricks = game(record.state.game).in_tricks
    known = {each.entry for each in said} | (_taken_before(record) if in_tricks else set())
    tiles = [(entry.seen, entry.seq) for entry in record.entries if entry.seen and isinstance(entry.what, Place)]
    # of tricks that are over nothing needs to lie there
    still = {placed.entry for placed in tricking.last_played(record)} if in_tricks else laid
    accepted = [Lying(seen, "placed", seq, answered=seq in known) for seen, seq in tiles if seq in still]
    recent = [(seen, seq) for seen, seq in reversed(tiles) if seq not in laid and (seq > last or seq in changed)]
    others = [Lying(seen, "illegal", seq) for seen, seq in recent]
    nothing = [Lying(each.seen, "seen") for each in said if each.entry is None]
    memory = tabletop.reconcile(record, Memory(lying=(*accepted, *others)))
    return replace(memory, lying=(*memory.lying, *nothing))


def _taken_before(record: Record) -> set[int | None]:
    """The tiles of tricks that were over before something was changed: they may have been taken up."""
    begun = min((placed.entry or 0 for placed in tricking.under_way(record)), default=len(record.entries))
    changes = [each.seq for each in record.entries[begun:] if isinstance(each.what, Undo | Overrule | Correct)]
    before = (umpire.fold(record.entries[: seq - 1]) for seq in changes)
    return {placed.entry for each in before for placed in tricking.finished(each)}
