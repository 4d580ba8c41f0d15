"""Games written as people would enter them, line by line."""

from __future__ import annotations

from referee import notation, umpire
from referee.rulings import Ruling
from referee.umpire import Entry, Record

TRIANGLES = "match ro-trimino/manufacturer A=Ana B=Bo C=Cy"
BEGUN = ("begin", "A lays 3-3-3 at 0,0,U")
DOMINOES = ("match fr-domino A=Ana B=Bo C=Cy D=Dee", "begin", "A lays 0-0 at left", "B lays 0-3 at right")


def written(*lines: str, record: Record | None = None) -> Record:
    """A record with these lines appended."""
    for line in lines:
        act = notation.parse(line)
        seq = len(record.entries) + 1 if record else 1
        record = umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))
    assert record is not None
    return record


def last(record: Record) -> Ruling:
    """The ruling on the last line."""
    ruling = record.rulings[-1]
    assert ruling is not None
    return ruling


def ruled(*lines: str) -> Ruling:
    """The ruling on the last of these lines."""
    return last(written(*lines))


def triangles(*lines: str, options: str = "") -> Ruling:
    """The ruling on the last of these lines, written after a round of triominoes has begun with 3-3-3."""
    return ruled(f"{TRIANGLES} opening=any {options}", *BEGUN, *lines)
