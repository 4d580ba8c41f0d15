"""The umpire: a journal of entries folds into one record.

State is never stored; it is what the entries say. Undo, overrule and correction are entries too, and
refold everything after the entry they name: what follows is judged anew, as if it had been played so.

A move that stood and does not stand any more is not decided here. It is *unsettled*: until people say what
to do with it it does not count, costs nothing, and those after it are judged without it. That it is can be
told from the entries alone, so the question outlives a restart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from referee.changes import (
    accepted_changes,
    acts,
    acts_after,
    applies,
    effective,
    stays_refused,
    stood,
    undone_by,
    unsettled,
    void,
)
from referee.entries import Act, Change, Correct, Entry, Match, Overrule, Record, Undo
from referee.games import game
from referee.rulings import Cite, Reason, Ruling
from referee.state import Claim, Phase, Placed, State, changed

__all__ = [
    "Act",
    "Change",
    "Consequence",
    "Correct",
    "Entry",
    "Match",
    "Overrule",
    "Record",
    "Undo",
    "acts",
    "append",
    "changed_by",
    "consequences",
    "differences",
    "effective",
    "fold",
    "judge",
    "opened",
    "reaches_far",
    "stamped",
    "unsettled",
    "void",
]

Item = TypeVar("Item", bound=Placed | Claim)

LONGEST_NAME = 60
# Kinds of characters that are no letters: controls, marks of direction and of no width, ends of lines, unknown ones.
_NO_LETTERS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Letters that leave a blank.
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

_ACCEPTED: Mapping[type, Reason] = MappingProxyType(
    {Undo: Reason.OK_UNDO, Overrule: Reason.OK_OVERRULED, Correct: Reason.OK_CORRECT}
)


def opened(match: Match) -> State:
    """The state in which a match begins.

    Raises:
        ValueError: for an unknown game, a wrong number of players, names that do not tell them apart, or an
            impossible house rule.
    """
    preset = game(match.game)
    _check_names(match.names)
    if match.zones and preset.in_tricks:
        raise ValueError(f"expected a game with a boneyard to be watched in zones, got {match.game}")
    settings = preset.vary(preset.settings, dict(match.options))
    return preset.start(preset, match.names, settings)


def _check_names(names: tuple[str, ...]) -> None:
    """Refuse names that could not be told apart on a screen, or that write over what stands beside them."""
    seen: dict[str, str] = {}
    for name in names:
        strange = next((each for each in name if unicodedata.category(each) in _NO_LETTERS or each in _BLANK), None)
        if strange is not None:
            raise ValueError(
                f"expected a name of letters that can be seen, got U+{ord(strange):04X} in {name[:LONGEST_NAME]!r}"
            )
        # as people read it: capitals, and other forms of the same letters, make no other name
        read = " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())
        if not read or len(name) > LONGEST_NAME:
            raise ValueError(f"expected names of 1 to {LONGEST_NAME} letters, got {name[: 2 * LONGEST_NAME]!r}")
        if read in seen:
            raise ValueError(f"expected names that differ, got {seen[read]!r} and {name!r}")
        seen[read] = name


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


def consequences(record: Record, act: Change) -> tuple[Consequence, ...]:
    """All entries whose ruling or points would change; empty when the act would be refused."""
    return differences(record, changed_by(record, act))


def differences(record: Record, becomes: Record) -> tuple[Consequence, ...]:
    """All entries of a record whose ruling or points are others in what it becomes by one more entry."""
    pairs = zip(record.entries, record.rulings, becomes.rulings[:-1], strict=True)
    return tuple(
        Consequence(entry.seq, before, after) for entry, before, after in pairs if _gist(before) != _gist(after)
    )


def changed_by(record: Record, act: Change) -> Record:
    """The record as it would be with this change, or with its refusal."""
    return append(record, Entry(len(record.entries) + 1, 0, "", None, act, Reason.OK_UNDO))


def reaches_far(record: Record, act: Change) -> bool:
    """Whether a change that would be accepted reaches into a match that is over, or beyond the entries it is about.

    It is about the entry that it names, and where that is a change itself, about what that one is about.
    """
    becomes = changed_by(record, replace(act, confirmed=True))
    ruling = becomes.rulings[-1]
    if ruling is None or not ruling.is_legal:
        return False
    about: set[int] = set()
    named: Act | None = act
    while isinstance(named, Undo | Overrule | Correct):
        about.add(named.entry)
        named = record.entries[named.entry - 1].what
    is_over = record.state.phase is Phase.OVER
    return is_over or any(each.entry not in about for each in differences(record, becomes))


def _gist(ruling: Ruling | None) -> object:
    return ruling and (ruling.reason, ruling.awards, ruling.proven)


def _open(match: Match) -> Ruling:
    state = opened(match)
    return Ruling(Reason.OK_MATCH, state)


def _change(record: Record, entry: Entry) -> tuple[Ruling, Record]:
    """The ruling on an undo, overrule or correction, and the record with it."""
    act = entry.what
    assert isinstance(act, Undo | Overrule | Correct)
    refusal: Ruling | None = Ruling(Reason.NO_SUCH_ENTRY, record.state)
    if applies(record, act) and record.state.phase is Phase.OVER and not act.confirmed:
        refusal = Ruling(Reason.NEEDS_CONFIRMING, record.state)
    elif applies(record, act):
        refolded = _refolded(record, entry)
        now = refolded.rulings[act.entry - 1]
        # what is only proposed costs nothing
        refusal = None if now is None or now.is_legal else replace(now, state=record.state, awards=())
    if refusal is not None:
        return refusal, Record((*record.entries, entry), (*record.rulings, refusal), record.state)
    ruling = refolded.rulings[-1]
    assert ruling is not None
    return ruling, refolded


def _refolded(record: Record, entry: Entry) -> Record:
    """The record with a change in force: everything from the first entry that it touches is judged anew."""
    entries = (*record.entries, entry)
    old_changes = accepted_changes(record)
    changes = (*old_changes, entry)
    old_undone, undone = undone_by(old_changes), undone_by(changes)
    old, new = acts_after(entries, old_changes, old_undone), acts_after(entries, changes, undone)
    touched = (
        each.seq
        for each in entries
        if old.get(each.seq) != new.get(each.seq) or (each.seq in old_undone) != (each.seq in undone)
    )
    start = next(touched, entry.seq) - 1
    rulings = list(record.rulings[:start])
    state = next(ruling.state for ruling in reversed(rulings) if ruling is not None)
    for each in entries[start:]:
        ruling: Ruling | None = None
        if each.seq in new:
            ruling = stamped(judge(Record((), (), state), new[each.seq]), each.seq)
            if ruling.is_legal and new[each.seq] == each.what and stays_refused(record, each, changes, undone):
                ruling = Ruling(each.reason, state)
            elif not ruling.is_legal and stood(each, new[each.seq]):
                ruling = replace(ruling, state=state, awards=())
        elif each.seq not in undone:
            before = None if each is entry else record.rulings[each.seq - 1]
            ruling = _accepted(each, state) if before is None or before.is_legal else replace(before, state=state)
        rulings.append(ruling)
        state = state if ruling is None else ruling.state
    return Record(entries, tuple(rulings), state)


def _accepted(entry: Entry, state: State) -> Ruling:
    """The ruling on an undo, overrule or correction that is in force."""
    assert isinstance(entry.what, Undo | Overrule | Correct)
    cite = Cite(f"{state.game} §7.3", entry.what.entry)
    return Ruling(_ACCEPTED[type(entry.what)], state, cites=(cite,))


def stamped(ruling: Ruling, seq: int) -> Ruling:
    """A ruling with the entry's number on the tile and the claim that it has added."""
    if not ruling.is_legal:
        return ruling
    layout, claims = _numbered(ruling.state.layout, seq), _numbered(ruling.state.claims, seq)
    if layout is ruling.state.layout and claims is ruling.state.claims:
        return ruling
    state = changed(ruling.state, layout=layout, claims=claims)
    return Ruling(ruling.reason, state, ruling.awards, ruling.cites, ruling.proven)


def _numbered(items: tuple[Item, ...], seq: int) -> tuple[Item, ...]:
    """The same items, the last with this entry if it had none: no move adds more than one."""
    if not items or items[-1].entry is not None:
        return items
    last = items[-1]
    if isinstance(last, Placed):
        return (*items[:-1], Placed(last.tile, last.spot, last.seat, seq, last.overruled, last.spins))
    return (*items[:-1], Claim(last.what, last.seat, last.layout, last.drawn, last.tiles, seq))
