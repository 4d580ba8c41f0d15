"""What `referee export` writes.

JSON, in the schema `referee-match/1`; seats count from 0:

    schema, match (its number in the journal), game, options {name: text}, players [name by seat],
    scores [points by seat], phase, ranking [[seats that share a place] from first to last; empty while not over],
    entries [{
        seq (from 1), utc_ms (wall clock), by (who wrote it), line (the act in notation),
        reason, awards [{seat, what, points}], proven [{reason, seat, entry or null, evidence [text]}],
        cites [{clause, entry or null}], scores [after this entry]: the ruling as it was when it was written,
        final: the reason that holds now, after all corrections; null where the entry has been undone
        now {line, reason, awards, scores}: the act as corrected and overruled and its ruling; null likewise
    }],
    unsettled [number of each entry that stood and, since one before it was changed, does not any more]

CSV, one row for each entry after a row of headings: number, time (UTC), who wrote it, notation, reason, awards,
what was proven, the reason that holds now, and a column of scores for each seat. Quoted as RFC 4180 says. Text
that a spreadsheet would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from referee import notation, transcript, umpire
from referee.config import Places
from referee.journal import Journal
from referee.notation import SEATS
from referee.rulings import Ruling
from referee.umpire import Act, Entry, Match

LAST = "last"
SCHEMA = "referee-match/1"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def entries_of(name: str, state: Path | None) -> tuple[int, tuple[Entry, ...]]:
    """The number and the entries of a match.

    Raises:
        ValueError: if there is no such match, or the journal cannot be read.
    """
    path = (state or Places.from_environment().state) / "journal.sqlite3"
    if not path.exists():
        raise ValueError(f"expected a journal, got no {path}: nothing has been played yet, or elsewhere (--state DIR)")
    journal = Journal(path, read_only=True)
    try:
        known = journal.matches()
        wanted = known[-1:] if name == LAST else [number for number in known if str(number) == name]
        if not wanted:
            nothing = "a match in the journal, in which nothing has been played yet"
            range_ = f"a match from {known[0]} to {known[-1]}, or {LAST}" if known else nothing
            raise ValueError(f"{path}: expected {range_}, got {name!r}")
        return wanted[0], journal.entries(wanted[0])
    finally:
        journal.close()


def as_text(match: int, entries: tuple[Entry, ...]) -> str:
    """The text that `referee replay` reads, with the match and its beginning noted above it."""
    begun = _moment(entries[0])[:16].replace("T", " ")
    return str(transcript.of_entries(entries, (f"# Match {match}, begun {begun} UTC.", "")))


def as_json(match: int, entries: tuple[Entry, ...]) -> str:
    """The match in the schema `referee-match/1`."""
    written, record = _ruled(entries)
    final, state, acts = record.rulings, record.state, umpire.acts(record)
    opening = entries[0].what
    assert isinstance(opening, Match)  # a journal lets nothing else begin a match
    content = {
        "schema": SCHEMA,
        "match": match,
        "game": opening.game,
        "options": dict(opening.options),
        "players": opening.names,
        "scores": state.scores,
        "phase": state.phase,
        "ranking": state.ranking,
        "entries": [_object(*row, acts) for row in zip(entries, written, final, strict=True)],
        "unsettled": umpire.unsettled(record),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def as_csv(match: int, entries: tuple[Entry, ...]) -> str:  # noqa: ARG001  # the writers are called alike
    """The match as a table."""
    written, record = _ruled(entries)
    rows = io.StringIO()
    table = csv.writer(rows)
    names = [f"{SEATS[seat]} {name}" for seat, name in enumerate(record.state.names)]
    head = ["number", "time", "by", "act", "ruling", "points", "proven", "ruling now", *names]
    table.writerow(map(_cell, head))
    for entry, ruling, now in zip(entries, written, record.rulings, strict=True):
        told = transcript.said(ruling)
        texts = [_moment(entry), entry.by, notation.write(entry.what), told.reason.value]
        texts += [", ".join(told.points), ", ".join(told.proven), now.reason.value if now else "undone"]
        table.writerow([entry.seq, *map(_cell, texts), *ruling.state.scores])
    return rows.getvalue()


WRITERS: dict[str, Callable[[int, tuple[Entry, ...]], str]] = {"text": as_text, "json": as_json, "csv": as_csv}


def otherwise(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """The entries that the rules see differently from when they were written, in words."""
    written, _ = _ruled(entries)
    return tuple(
        f"entry {entry.seq}: the journal says {entry.reason}, the rules now say {ruling.reason}"
        for entry, ruling in zip(entries, written, strict=True)
        if entry.reason is not ruling.reason
    )


def _ruled(entries: tuple[Entry, ...]) -> tuple[list[Ruling], umpire.Record]:
    """The rulings as they were when the entries were written, and the record that they amount to."""
    record: umpire.Record | None = None
    written: list[Ruling] = []
    for entry in entries:
        record = umpire.append(record, entry)
        ruling = record.rulings[-1]
        assert ruling is not None  # an entry is not undone by itself
        written.append(ruling)
    assert record is not None  # a match has at least the entry that began it
    return written, record


def _object(entry: Entry, ruling: Ruling, now: Ruling | None, acts: Mapping[int, Act]) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "utc_ms": entry.utc_ms,
        "by": entry.by,
        "line": notation.write(entry.what),
        "reason": ruling.reason,
        "awards": _awards(ruling),
        "proven": [
            {"reason": proof.reason, "seat": proof.seat, "entry": proof.entry, "evidence": proof.evidence}
            for proof in ruling.proven
        ],
        "cites": [{"clause": cite.clause, "entry": cite.entry} for cite in ruling.cites],
        "scores": ruling.state.scores,
        "final": now.reason if now else None,
        "now": now
        and {
            "line": notation.write(acts.get(entry.seq, entry.what)),
            "reason": now.reason,
            "awards": _awards(now),
            "scores": now.state.scores,
        },
    }


def _awards(ruling: Ruling) -> list[dict[str, Any]]:
    return [{"seat": award.seat, "what": award.what, "points": award.points} for award in ruling.awards]


def _moment(entry: Entry) -> str:
    return datetime.fromtimestamp(entry.utc_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if text.startswith(FORMULA) else text
