"""The umpire: a journal of entries folds into one record.

State is never stored; it is what the entries say. Undo, overrule and correction are entries too, and
refold everything after the entry they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.games import game
from referee.moves import Move, Place, Play
from referee.rulings import Cite, Reason, Ruling
from referee.sighting import SeenTile
from referee.state import Claim, Phase, Placed, State

Item = TypeVar("Item", bound=Placed | Claim)

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Match:
    """A match begins: the preset, the names by seat, and the house rules that differ from the preset."""

    game: str
    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The entry with this number no longer counts; `confirmed` although the match is over."""

    entry: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Overrule:
    """The people let the illegal placement of this entry stand; `confirmed` although the match is over."""

    entry: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Correct:
    """The entry with this number should have been this move; `confirmed` although the match is over."""

    entry: int
    move: Move
    confirmed: bool = False


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
    """What a journal amounts to: the entries, the ruling on each (None: it was undone), the state."""

    entries: tuple[Entry, ...]
    rulings: tuple[Ruling | None, ...]
    state: State


def opened(match: Match) -> State:
    """The state in which a match begins.

    Raises:
        ValueError: for an unknown game, a wrong number of players, names that do not tell them apart, or an
            impossible house rule.
    """
    preset = game(match.game)
    names = [name.strip() for name in match.names]
    if not all(names) or len(set(names)) < len(names) or any(len(name) > LONGEST_NAME for name in names):
        raise ValueError(f"expected different names of 1 to {LONGEST_NAME} letters, got {', '.join(match.names)!r}")
    settings = preset.vary(preset.settings, dict(match.options))
    return preset.start(preset, match.names, settings)


def judge(record: Record | None, act: Act) -> Ruling:
    """What the ruling on this act would be now.

    A match is opened only while none is under way; undo names an entry that counts and is no match,
    overrule an illegal placement, correct a move; anything else is `no-such-entry`. A correction to a
    move that would be illegal itself is answered with that reason. A match that is over is changed only
    by an act that is confirmed. The state of a legal undo, overrule or correction is the refolded one.

    Raises:
        ValueError: for a match that cannot be opened, and for any other act before the first match.
    """
    if record is None:
        if not isinstance(act, Match):
            raise ValueError(f"expected a match to begin, got {type(act).__name__}")
        return _open(act)
    state = record.state
    match act:
        case Match():
            ruling = _open(act)
            return ruling if state.phase is Phase.OVER else Ruling(Reason.NOT_NOW, state)
        case Undo() | Overrule() | Correct():
            return _change(record, Entry(len(record.entries) + 1, 0, "", None, act, Reason.OK_UNDO))[0]
    return game(state.game).rule(state, act)


def append(record: Record | None, entry: Entry) -> Record:
    """The record with one more entry.

    Raises:
        ValueError: if the entry does not follow the last one, or as for `judge`.
    """
    entries = () if record is None else record.entries
    if entry.seq != len(entries) + 1:
        raise ValueError(f"expected entry {len(entries) + 1}, got entry {entry.seq}")
    if record is not None and isinstance(entry.what, Undo | Overrule | Correct):
        return _change(record, entry)[1]
    ruling = stamped(judge(record, entry.what), entry.seq)
    rulings = () if record is None else record.rulings
    return Record((*entries, entry), (*rulings, ruling), ruling.state)


def fold(entries: Iterable[Entry]) -> Record:
    """The record that these entries amount to: the same as appending them one by one.

    Raises:
        ValueError: if there are none, or as for `append`.
    """
    record: Record | None = None
    for entry in entries:
        record = append(record, entry)
    if record is None:
        raise ValueError("expected at least one entry, got none")
    return record


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a change would make of an entry: its ruling as it is, and as it would be (None: it is undone)."""

    entry: int
    before: Ruling | None
    after: Ruling | None

    @property
    def is_question(self) -> bool:
        """True when a move that stands would not stand any more: the people are asked what to do with it."""
        was_legal = self.before is not None and self.before.is_legal
        return was_legal and self.after is not None and not self.after.is_legal


def consequences(record: Record, act: Undo | Overrule | Correct) -> tuple[Consequence, ...]:
    """All entries whose ruling or points would change; empty when the act would be refused."""
    seq = len(record.entries) + 1
    changed = append(record, Entry(seq, 0, "", None, act, judge(record, act).reason))
    pairs = zip(record.entries, record.rulings, changed.rulings[: seq - 1], strict=True)
    return tuple(
        Consequence(entry.seq, before, after) for entry, before, after in pairs if _gist(before) != _gist(after)
    )


def _gist(ruling: Ruling | None) -> object:
    return ruling and (ruling.reason, ruling.awards, ruling.proven)


def void(record: Record) -> frozenset[int]:
    """The numbers of the entries that were undone."""
    return frozenset(entry.seq for entry, ruling in _ruled(record) if ruling is None)


def effective(record: Record) -> tuple[Entry, ...]:
    """The matches and moves that count, corrected and overruled as the people said, in order."""
    acts = _acts(record.entries, _changes(record))
    return tuple(
        replace(entry, what=acts[entry.seq], reason=ruling.reason)
        for entry, ruling in _ruled(record)
        if ruling is not None and ruling.is_legal and entry.seq in acts
    )


def _open(match: Match) -> Ruling:
    state = opened(match)
    return Ruling(Reason.OK_MATCH, state)


def _ruled(record: Record) -> Iterator[tuple[Entry, Ruling | None]]:
    return zip(record.entries, record.rulings, strict=True)


def _changes(record: Record) -> tuple[Entry, ...]:
    """The undos, overrules and corrections that were accepted, void ones included."""
    codes = (Reason.OK_UNDO, Reason.OK_OVERRULED, Reason.OK_CORRECT)
    return tuple(
        entry
        for entry, ruling in _ruled(record)
        if isinstance(entry.what, Undo | Overrule | Correct) and (ruling is None or ruling.reason in codes)
    )


def _change(record: Record, entry: Entry) -> tuple[Ruling, Record]:
    """The ruling on an undo, overrule or correction, and the record with it."""
    act = entry.what
    assert isinstance(act, Undo | Overrule | Correct)
    refusal: Ruling | None = Ruling(Reason.NO_SUCH_ENTRY, record.state)
    if _applies(record, act) and record.state.phase is Phase.OVER and not act.confirmed:
        refusal = Ruling(Reason.NEEDS_CONFIRMING, record.state)
    elif _applies(record, act):
        refolded = _refolded(record, entry)
        changed = refolded.rulings[act.entry - 1]
        refusal = None if changed is None or changed.is_legal else replace(changed, state=record.state)
    if refusal is not None:
        return refusal, Record((*record.entries, entry), (*record.rulings, refusal), record.state)
    ruling = refolded.rulings[-1]
    assert ruling is not None
    return ruling, refolded


def _applies(record: Record, act: Undo | Overrule | Correct) -> bool:
    """Whether there is an entry that can be changed so."""
    if not 1 <= act.entry <= len(record.entries):
        return False
    target, ruling = record.entries[act.entry - 1].what, record.rulings[act.entry - 1]
    if ruling is None or isinstance(target, Match):
        return False
    match act:
        case Undo():
            return ruling.is_legal
        case Overrule():
            is_placement = isinstance(_acts(record.entries, _changes(record)).get(act.entry), Place | Play)
            return is_placement and not ruling.is_legal
        case Correct():
            return not isinstance(target, Undo | Overrule | Correct)


def _acts(entries: tuple[Entry, ...], changes: tuple[Entry, ...]) -> dict[int, Match | Move]:
    """What the matches and moves that are not void amount to after all changes, by entry number."""
    undone = _undone(changes)
    acts: dict[int, Match | Move] = {
        entry.seq: entry.what
        for entry in entries
        if entry.seq not in undone and not isinstance(entry.what, Undo | Overrule | Correct)
    }
    for change in changes:
        act = change.what
        if change.seq in undone or not isinstance(act, Overrule | Correct) or act.entry not in acts:
            continue
        old = acts[act.entry]
        if isinstance(act, Correct):
            acts[act.entry] = act.move
        elif isinstance(old, Place | Play):
            acts[act.entry] = replace(old, overruled=True)
    return acts


def _undone(changes: tuple[Entry, ...]) -> frozenset[int]:
    """The entries that an undo names which is not itself undone; later undos decide over earlier ones."""
    undone: set[int] = set()
    for change in reversed(changes):
        if isinstance(change.what, Undo) and change.seq not in undone:
            undone.add(change.what.entry)
    return frozenset(undone)


def _refolded(record: Record, entry: Entry) -> Record:
    """The record with a change in force: everything from the first entry that it touches is judged anew."""
    entries = (*record.entries, entry)
    old_changes = _changes(record)
    changes = (*old_changes, entry)
    old, acts = _acts(entries, old_changes), _acts(entries, changes)
    old_undone, undone = _undone(old_changes), _undone(changes)
    touched = (
        each.seq
        for each in entries
        if old.get(each.seq) != acts.get(each.seq) or (each.seq in old_undone) != (each.seq in undone)
    )
    start = next(touched, entry.seq) - 1
    rulings = list(record.rulings[:start])
    state = next(ruling.state for ruling in reversed(rulings) if ruling is not None)
    for each in entries[start:]:
        ruling: Ruling | None = None
        if each.seq in acts:
            ruling = stamped(judge(Record((), (), state), acts[each.seq]), each.seq)
            if ruling.is_legal and acts[each.seq] == each.what and _stays_refused(record, each, changes, undone):
                ruling = Ruling(each.reason, state)
        elif each.seq not in undone:
            before = None if each is entry else record.rulings[each.seq - 1]
            ruling = _accepted(each, state) if before is None or before.is_legal else replace(before, state=state)
        rulings.append(ruling)
        state = state if ruling is None else ruling.state
    return Record(entries, tuple(rulings), state)


def _stays_refused(record: Record, entry: Entry, changes: tuple[Entry, ...], undone: frozenset[int]) -> bool:
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


def _accepted(entry: Entry, state: State) -> Ruling:
    """The ruling on an undo, overrule or correction that is in force."""
    assert isinstance(entry.what, Undo | Overrule | Correct)
    reasons: dict[type, Reason] = {Undo: Reason.OK_UNDO, Overrule: Reason.OK_OVERRULED, Correct: Reason.OK_CORRECT}
    cite = Cite(f"{state.game} §7.3", entry.what.entry)
    return Ruling(reasons[type(entry.what)], state, cites=(cite,))


def stamped(ruling: Ruling, seq: int) -> Ruling:
    """A ruling with the entry's number on the tile and the claim that it has added."""
    if not ruling.is_legal:
        return ruling
    layout, claims = _numbered(ruling.state.layout, seq), _numbered(ruling.state.claims, seq)
    if layout is ruling.state.layout and claims is ruling.state.claims:
        return ruling
    state = replace(ruling.state, layout=layout, claims=claims)
    return Ruling(ruling.reason, state, ruling.awards, ruling.cites, ruling.proven)


def _numbered(items: tuple[Item, ...], seq: int) -> tuple[Item, ...]:
    """The same items, the last with this entry if it had none: no move adds more than one."""
    if not items or items[-1].entry is not None:
        return items
    return (*items[:-1], replace(items[-1], entry=seq))
