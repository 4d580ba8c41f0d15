"""The journal on disk: one SQLite file, append-only, durable before anyone hears of an entry.

A line of notation per entry, so that the file can be read by eye. WAL with synchronous=FULL: once
`append` returns, the entry survives a pulled plug. While the disk takes nothing, be it from the start, play goes on in
memory and `is_saved` is false; what the disk has missed is written as soon as it can be.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from referee import keeping, notation
from referee.rulings import Reason
from referee.seen.resuming import Ignored
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

_IGNORED = """
CREATE TABLE IF NOT EXISTS ignored (match INTEGER NOT NULL, after INTEGER NOT NULL, entry INTEGER, seen TEXT NOT NULL)
STRICT;
"""
_FORGOTTEN = """
CREATE TABLE IF NOT EXISTS forgotten (
    match INTEGER PRIMARY KEY, utc_ms INTEGER NOT NULL, by TEXT NOT NULL, order_id TEXT UNIQUE
) STRICT;
CREATE TRIGGER IF NOT EXISTS what_is_forgotten_stays_so BEFORE DELETE ON forgotten
BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER IF NOT EXISTS what_is_forgotten_is_never_changed BEFORE UPDATE ON forgotten
BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""
_TABLES = ("entry", "ignored", "forgotten")
_DISK_FAULTS = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
_ORDERED = "SELECT 1 FROM entry WHERE order_id = ? UNION ALL SELECT 1 FROM forgotten WHERE order_id = ?"
_NEWEST = """
SELECT line FROM entry WHERE seq = 1 AND match NOT IN (SELECT match FROM forgotten) ORDER BY match DESC LIMIT ?
"""


class JournalError(ValueError):
    """A journal file that cannot be used; the message says what was expected and what came."""


class Journal:
    """The entries of all matches; the last match is the running one.

    Args:
        path: the database file; it is created where there is none. A damaged file is set aside beside
            it (`damaged` names it) and its backup put in its place (`is_restored`), or a new one begun.
        clock_ms: the wall clock, milliseconds since 1970.
        patience_s: how long to wait for another process to let go of the file.
        read_only: look at a journal that may be in use; then nothing is created, repaired or written.
        scratch: a folder that can be written to even if the journal's cannot.

    Raises:
        JournalError: for a journal of another version; to read only, also where there is none or it is damaged.
    """

    def __init__(
        self,
        path: Path,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        patience_s: float = 5.0,
        read_only: bool = False,
        scratch: Path | None = None,
    ) -> None:
        self._path = path
        self._patience_s = patience_s
        self._clock_ms = clock_ms
        self._is_read_only = read_only
        self.is_saved = True  # whether everything is on the disk
        self._disk: sqlite3.Connection | None = None  # what cannot be written to now, if it could be opened
        self.damaged: Path | None = None
        self.is_restored = False
        try:
            self._database = self._open_to_read() if read_only else self._open()
        except sqlite3.OperationalError as error:
            if read_only:
                raise JournalError(f"{path}: expected a journal that can be read, got {error}") from error
            if not _is_of_the_disk(error) or not path.parent.is_dir():
                raise  # locked: the file is whole, and somebody else's
            self._database, self.is_saved = self._rescued(scratch), False
            _LOG.warning("the journal cannot be written (%s): play begins in memory", error)
        except sqlite3.DatabaseError as error:
            if read_only:
                raise JournalError(f"{path}: expected a journal that can be read, got {error}") from error
            self.damaged = self._set_aside()
            self.is_restored = keeping.restore(self.backup, self._path)
            goes_on = "its backup takes its place" if self.is_restored else "a new one begins"
            _LOG.warning("the journal was damaged (%s); it is kept as %s and %s", error, self.damaged, goes_on)
            self._database = self._open()
        self._match = self._database.execute("SELECT coalesce(max(match), 0) FROM entry").fetchone()[0]

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=self._patience_s, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            self._furnish(database)
            keeping.check(database)
        except (sqlite3.DatabaseError, JournalError):
            database.close()
            raise
        return database

    def _rescued(self, scratch: Path | None) -> sqlite3.Connection:
        """What can be read of a journal that cannot be written.

        Raises:
            JournalError, sqlite3.Error, OSError: if nothing can.
        """
        memory = keeping.rescued(self._path, scratch)
        self._furnish(memory)
        return memory

    def _furnish(self, database: sqlite3.Connection) -> None:
        """Make the tables that are not there yet.

        Raises:
            JournalError: for a journal of another version.
        """
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            database.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
        elif version != SCHEMA_VERSION:
            raise JournalError(f"{self._path}: expected a journal of version {SCHEMA_VERSION}, got {version}")
        database.execute(_IGNORED)  # a journal of before has none
        database.executescript(_FORGOTTEN)

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
        when_ms = self._clock_ms()
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{when_ms}")).exists():
            when_ms += 1  # a clock that was set back: what was set aside before stays there
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
            sqlite3.Error: if it could be neither written nor kept in memory; then nothing has changed.
        """
        match = self._match + 1 if isinstance(what, Match) else self._match
        if match == 0:
            raise JournalError(f"expected a match to begin first, got {notation.write(what)!r}")
        last = self._database.execute("SELECT coalesce(max(seq), 0) FROM entry WHERE match = ?", (match,)).fetchone()[0]
        entry = Entry(last + 1, self._clock_ms(), by, order_id, what, reason, seen, evidence)
        seen_json = msgspec.json.encode(seen).decode() if seen else None
        self._write(
            "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (match, entry.seq, entry.utc_ms, by, order_id, notation.write(what), reason.value, seen_json, evidence),
        )
        self._match = match
        return entry

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        """Add a row; when the disk does not take it, go on in memory."""
        self.save_again()
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            if not self.is_saved or not _is_of_the_disk(error):
                raise
            memory = keeping.in_memory(self._database)
            self._disk, self._database, self.is_saved = self._database, memory, False
            _LOG.warning("the journal cannot be written (%s): play goes on in memory", error)
            self._database.execute(statement, values)

    def save_again(self) -> bool:
        """Try to write what the disk has missed; whether everything is on the disk now."""
        if self.is_saved:
            return True
        try:
            self._disk = self._disk or self._open()
            keeping.add_missing(self._database, self._disk, _TABLES)
        except sqlite3.OperationalError:
            return False
        self._database.close()
        self._database, self._disk, self.is_saved = self._disk, None, True
        _LOG.warning("the journal can be written again: nothing is missing")
        return True

    @property
    def backup(self) -> Path:
        """Where the last good copy lies."""
        return self._path.with_name(f"{self._path.name}.backup")

    def back_up(self) -> None:
        """Keep a copy, should the file be damaged one day; a disk that does not take it is only told of."""
        if not self.is_saved:
            return
        try:
            keeping.back_up(self._database, self.backup)
        except (sqlite3.Error, OSError) as error:
            _LOG.warning("no backup of the journal could be written: %s", error)

    @property
    def newest(self) -> int:
        """The number of the newest match, the one that runs or ran last; 0 before the first."""
        return int(self._match)

    def matches(self) -> tuple[int, ...]:
        """The numbers of all matches that are not forgotten, oldest first."""
        known = (row[0] for row in self._database.execute("SELECT DISTINCT match FROM entry ORDER BY match"))
        forgotten = self._forgotten()
        return tuple(number for number in known if number not in forgotten)

    def begun_ms(self, match: int) -> int:
        """When a match began by the wall clock, milliseconds since 1970; 0 where there is no such match."""
        found = self._database.execute("SELECT utc_ms FROM entry WHERE match = ? AND seq = 1", (match,)).fetchone()
        return int(found[0]) if found else 0

    def length(self, match: int) -> int:
        """How many entries a match has."""
        row = self._database.execute("SELECT count(*) FROM entry WHERE match = ?", (match,)).fetchone()
        return int(row[0])

    def forget(self, match: int, by: str, order_id: str | None = None) -> None:
        """Delete a past match: from now on it is neither listed nor counted.

        The journal is append-only, so this is one more line in it, durable like any other, in a table of its own:
        who forgot which match, and when. The entries of the match stay in the file for whoever opens it by hand; no
        other match is touched, and numbers are never given twice.

        Raises:
            JournalError: for the newest match, which may run, and for one that is not there or forgotten already.
            sqlite3.Error: if it could not be written; then nothing has changed.
        """
        past = [number for number in self.matches() if number != self._match]
        if match not in past:
            raise JournalError(f"expected a match that is past, got match {match}")
        self._write("INSERT INTO forgotten VALUES (?, ?, ?, ?)", (match, self._clock_ms(), by, order_id))

    def _forgotten(self) -> frozenset[int]:
        """The matches that were deleted; a journal that an older program wrote and is only read knows of none."""
        is_there = self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'forgotten'").fetchone()
        rows = self._database.execute("SELECT match FROM forgotten") if is_there else ()
        return frozenset(row[0] for row in rows)

    def entries(self, match: int | None = None) -> tuple[Entry, ...]:
        """The entries of a match (the running one where none is named), oldest first; none of a forgotten one.

        Raises:
            JournalError: if a line cannot be understood; it says which.
        """
        number = self._match if match is None else match
        if number in self._forgotten():
            return ()
        rows = self._database.execute(
            "SELECT seq, utc_ms, by, order_id, line, reason, seen, evidence FROM entry WHERE match = ? ORDER BY seq",
            (number,),
        )
        return tuple(self._entry(number, row) for row in rows)

    def ignore(self, tile: Ignored) -> None:
        """Remember what people have said of a tile that is no move; it is beside the record, not in it.

        Raises:
            sqlite3.Error: if it could not be written.
        """
        seen = msgspec.json.encode(tile.seen).decode()
        self._write("INSERT INTO ignored VALUES (?, ?, ?, ?)", (self._match, tile.after, tile.entry, seen))

    def ignored(self) -> tuple[Ignored, ...]:
        """What has been said of tiles in the running match, oldest first."""
        rows = self._database.execute("SELECT after, seen, entry FROM ignored WHERE match = ?", (self._match,))
        return tuple(Ignored(after, msgspec.json.decode(seen, type=SeenTile), entry) for after, seen, entry in rows)

    def begun(self, most: int = 100) -> tuple[Match, ...]:
        """How the newest matches began, newest first; one that a newer program wrote is left out."""
        rows = self._database.execute(_NEWEST, (most,))
        found = []
        for (line,) in rows:
            try:
                act = notation.parse(line)
            except ValueError:
                continue
            if isinstance(act, Match):
                found.append(act)
        return tuple(found)

    def _entry(self, match: int, row: tuple[int, int, str, str | None, str, str, str | None, str | None]) -> Entry:
        seq, utc_ms, by, order_id, line, reason, seen, evidence = row
        try:
            tile = msgspec.json.decode(seen, type=SeenTile) if seen else None
            return Entry(seq, utc_ms, by, order_id, notation.parse(line), Reason(reason), tile, evidence)
        except ValueError as error:
            raise JournalError(f"{self._path}, match {match}, entry {seq}: {error}") from error

    def has_order(self, order_id: str) -> bool:
        """True when an order with this id has been applied already, in whatever run or match."""
        return self._database.execute(_ORDERED, (order_id, order_id)).fetchone() is not None

    def close(self) -> None:
        """Fold the write-ahead log into the file and close it."""
        if self.save_again() and not self._is_read_only:
            with suppress(sqlite3.OperationalError):  # a full disk: the log is as good
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for database in (self._database, self._disk):
            if database is not None:
                database.close()


def _is_of_the_disk(error: sqlite3.OperationalError) -> bool:
    """Whether it is the disk that takes nothing, and not somebody else who holds the file."""
    return error.sqlite_errorcode & 0xFF in _DISK_FAULTS
