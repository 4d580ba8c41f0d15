"""The journal on disk: one SQLite file, append-only, durable before anyone hears of an entry.

A line of notation per entry, so that the file can be read by eye. WAL with synchronous=FULL: once
`append` returns, the entry survives a pulled plug.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from referee import notation
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.umpire import Act, Entry, Match

_LOG = logging.getLogger(__name__)

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE entry (
    match INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    utc_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    order_id TEXT UNIQUE,
    line TEXT NOT NULL,
    reason TEXT NOT NULL,
    seen TEXT,
    evidence TEXT,
    PRIMARY KEY (match, seq)
) STRICT;
CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""


class JournalError(ValueError):
    """A journal file that cannot be used; the message says what was expected and what came."""


class Journal:
    """The entries of all matches; the last match is the running one.

    Args:
        path: the database file; it is created where there is none. A damaged file is set aside beside
            it (`damaged` names it) and a new one begun, so that play can go on.
        clock_ms: the wall clock, milliseconds since 1970.
        patience_s: how long to wait for another process to let go of the file.
        read_only: look at a journal that may be in use; then nothing is created, repaired or written.

    Raises:
        JournalError: for a journal of another version; to read only, also where there is none or it is damaged.
    """

    def __init__(
        self,
        path: Path,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        patience_s: float = 5.0,
        read_only: bool = False,
    ) -> None:
        self._path = path
        self._patience_s = patience_s
        self._clock_ms = clock_ms
        self._is_read_only = read_only
        self.damaged: Path | None = None
        try:
            self._database = self._open_to_read() if read_only else self._open()
        except sqlite3.OperationalError as error:
            if not read_only:
                raise  # locked, or the disk is full or cannot be written: the file itself may be whole
            raise JournalError(f"{path}: expected a journal that can be read, got {error}") from error
        except sqlite3.DatabaseError as error:
            if read_only:
                raise JournalError(f"{path}: expected a journal that can be read, got {error}") from error
            self.damaged = self._set_aside()
            _LOG.warning("the journal was damaged (%s); it is kept as %s and a new one begins", error, self.damaged)
            self._database = self._open()
        self._match = self._database.execute("SELECT coalesce(max(match), 0) FROM entry").fetchone()[0]

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, self._patience_s, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                database.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
            elif version != SCHEMA_VERSION:
                raise JournalError(f"{self._path}: expected a journal of version {SCHEMA_VERSION}, got {version}")
            found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(found)
        except (sqlite3.DatabaseError, JournalError):
            database.close()
            raise
        return database

    def _open_to_read(self) -> sqlite3.Connection:
        database = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version != SCHEMA_VERSION:
                raise JournalError(f"{self._path}: expected a journal of version {SCHEMA_VERSION}, got {version}")
            database.execute("SELECT max(seq) FROM entry").fetchone()
        except (sqlite3.DatabaseError, JournalError):
            database.close()
            raise
        return database

    def _set_aside(self) -> Path:
        aside = self._path.with_name(f"{self._path.name}.damaged-{self._clock_ms()}")
        for suffix in ("", "-wal", "-shm"):
            part = self._path.with_name(self._path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        return aside

    def append(
        self,
        what: Act,
        reason: Reason,
        by: str,
        order_id: str | None = None,
        seen: SeenTile | None = None,
        evidence: str | None = None,
    ) -> Entry:
        """Write one entry and return it once it is on the disk; a `Match` begins a new one.

        Raises:
            sqlite3.Error: if it could not be written; then nothing has changed.
        """
        match = self._match + 1 if isinstance(what, Match) else self._match
        if match == 0:
            raise JournalError(f"expected a match to begin first, got {notation.write(what)!r}")
        last = self._database.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE match = ?", (match,)).fetchone()[0]
        entry = Entry(last + 1, self._clock_ms(), by, order_id, what, reason, seen, evidence)
        seen_json = msgspec.json.encode(seen).decode() if seen else None
        self._database.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (match, entry.seq, entry.utc_ms, by, order_id, notation.write(what), reason.value, seen_json, evidence),
        )
        self._match = match
        return entry

    def matches(self) -> tuple[int, ...]:
        """The numbers of all matches, oldest first."""
        return tuple(row[0] for row in self._database.execute("SELECT DISTINCT match FROM entry ORDER BY match"))

    def entries(self, match: int | None = None) -> tuple[Entry, ...]:
        """The entries of a match (the running one where none is named), oldest first.

        Raises:
            JournalError: if a line cannot be understood; it says which.
        """
        number = self._match if match is None else match
        rows = self._database.execute(
            "SELECT seq, utc_ms, by, order_id, line, reason, seen, evidence FROM entry WHERE match = ? ORDER BY seq",
            (number,),
        )
        return tuple(self._entry(number, row) for row in rows)

    def _entry(self, match: int, row: tuple[int, int, str, str | None, str, str, str | None, str | None]) -> Entry:
        seq, utc_ms, by, order_id, line, reason, seen, evidence = row
        try:
            tile = msgspec.json.decode(seen, type=SeenTile) if seen else None
            return Entry(seq, utc_ms, by, order_id, notation.parse(line), Reason(reason), tile, evidence)
        except ValueError as error:
            raise JournalError(f"{self._path}, match {match}, entry {seq}: {error}") from error

    def has_order(self, order_id: str) -> bool:
        """True when an order with this id has been applied already, in whatever run or match."""
        return self._database.execute("SELECT 1 FROM entry WHERE order_id = ?", (order_id,)).fetchone() is not None

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it."""
        if not self._is_read_only:
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._database.close()
