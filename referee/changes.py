"""What the entries of a record amount to: which are undone, overruled or corrected, and what they are now.

Later undos decide over earlier ones; the last correction of an entry counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.entries import Act, Change, Correct, Entry, Match, Overrule, Record, Undo
from referee.moves import Move, Place, Play
from referee.rulings import Ruling


def void(record: Record) -> frozenset[int]:
    """The numbers of the entries that were undone."""
    return frozenset(entry.seq for entry, ruling in _ruled(record) if ruling is None)


def effective(record: Record) -> tuple[Entry, ...]:
    """The matches and moves that count, if only for their penalty, corrected and overruled as the people said."""
    now = acts(record)
    return tuple(
        replace(entry, what=now[entry.seq], reason=ruling.reason)
        for entry, ruling in _ruled(record)
        if ruling is not None and (ruling.is_legal or ruling.awards) and entry.seq in now
    )


def unsettled(record: Record) -> tuple[int, ...]:
    """The moves that stood when they were written, overruled or corrected, and do not stand any more."""
    if all(ruling is None or ruling.is_legal for ruling in record.rulings):
        return ()
    now = acts(record)
    return tuple(
        entry.seq
        for entry, ruling in _ruled(record)
        if ruling is not None and not ruling.is_legal and entry.seq in now and stood(entry, now[entry.seq])
    )


def acts(record: Record) -> dict[int, Match | Move]:
    """What the matches and moves that are not undone amount to after all changes, by entry number."""
    changes = accepted_changes(record)
    return acts_after(record.entries, changes, undone_by(changes))


def stood(entry: Entry, act: Act) -> bool:
    """Whether a move that now amounts to this act has ever been accepted."""
    return entry.reason.is_legal or act != entry.what


def accepted_changes(record: Record) -> tuple[Entry, ...]:
    """The undos, overrules and corrections that were accepted, void ones included."""
    return tuple(
        entry
        for entry, ruling in _ruled(record)
        if isinstance(entry.what, Undo | Overrule | Correct) and (ruling is None or ruling.is_legal)
    )


def applies(record: Record, act: Change) -> bool:
    """Whether there is an entry that can be changed so."""
    if not 1 <= act.entry <= len(record.entries):
        return False
    target, ruling = record.entries[act.entry - 1].what, record.rulings[act.entry - 1]
    if ruling is None or isinstance(target, Match):
        return False
    match act:
        case Undo():
            return ruling.is_legal or bool(ruling.awards) or act.entry in unsettled(record)
        case Overrule():
            is_placement = isinstance(acts(record).get(act.entry), Place | Play)
            return is_placement and not ruling.is_legal
        case Correct():
            return not isinstance(target, Undo | Overrule | Correct)


def acts_after(
    entries: tuple[Entry, ...], changes: tuple[Entry, ...], undone: frozenset[int]
) -> dict[int, Match | Move]:
    """What the matches and moves that are not undone amount to after these changes, by entry number."""
    found: dict[int, Match | Move] = {
        entry.seq: entry.what
        for entry in entries
        if entry.seq not in undone and not isinstance(entry.what, Undo | Overrule | Correct)
    }
    for change in changes:
        act = change.what
        if change.seq in undone or not isinstance(act, Overrule | Correct) or act.entry not in found:
            continue
        old = found[act.entry]
        if isinstance(act, Correct):
            found[act.entry] = act.move
        elif isinstance(old, Place | Play):
            found[act.entry] = replace(old, overruled=True)
    return found


def undone_by(changes: tuple[Entry, ...]) -> frozenset[int]:
    """The entries that an undo names which is not itself undone; later undos decide over earlier ones."""
    undone: set[int] = set()
    for change in reversed(changes):
        if isinstance(change.what, Undo) and change.seq not in undone:
            undone.add(change.what.entry)
    return frozenset(undone)


def stays_refused(record: Record, entry: Entry, changes: tuple[Entry, ...], undone: frozenset[int]) -> bool:
    """Whether a move refused when it was written stays so although it would be legal now.

    It does once play has gone on: the tile was taken back. Only a change made before that revives it.
    """
    if entry.reason.is_legal:
        return False
    moves = (
        each.seq
        for each in record.entries[entry.seq :]
        if each.reason.is_legal and not isinstance(each.what, Match | Undo | Overrule | Correct)
    )
    went_on = next(moves, len(record.entries) + 2)
    return not any(entry.seq < change.seq < went_on for change in changes if change.seq not in undone)


def _ruled(record: Record) -> Iterator[tuple[Entry, Ruling | None]]:
    return zip(record.entries, record.rulings, strict=True)
