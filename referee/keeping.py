"""Keeping a database through a broken file and a full disk: backups, and going on in memory meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory


def back_up(database: sqlite3.Connection, path: Path) -> None:
    """Copy a database so that a power cut leaves the backup before or this one, both whole.

    Raises:
        sqlite3.Error, OSError: if it cannot be written; the backup before is still there then.
    """
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as copy:
        copy.execute("PRAGMA synchronous=OFF")  # it is synced as a whole below
        database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        check(copy)
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(path)
    _sync_folder(path.parent)


def restore(backup: Path, path: Path) -> bool:
    """Put a backup where the database was; False where there is none that is whole."""
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as database:
            check(database)
            back_up(database, path)
    except (sqlite3.Error, OSError):
        return False
    return True


def check(database: sqlite3.Connection) -> None:
    """Look through a whole database.

    Raises:
        sqlite3.DatabaseError: if it is damaged.
    """
    (told,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise sqlite3.DatabaseError(told)


def in_memory(database: sqlite3.Connection) -> sqlite3.Connection:
    """A copy that no disk can take away.

    Raises:
        sqlite3.Error: if the database cannot even be read.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        database.backup(memory)
    except sqlite3.Error:
        memory.close()
        raise
    return memory


def rescued(path: Path, scratch: Path | None) -> sqlite3.Connection:
    """A copy in memory of a database whose disk takes nothing, with what its write-ahead log holds; empty for no file.

    Args:
        scratch: a folder that can be written to, for as long as this takes; None for the system's own.

    Raises:
        sqlite3.Error, OSError: if it cannot be read, or is damaged.
    """
    with TemporaryDirectory(dir=scratch) as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            part = path.with_name(path.name + suffix)
            if part.exists():
                shutil.copyfile(part, copy.with_name(copy.name + suffix))
        with closing(sqlite3.connect(copy)) as database:
            check(database)
            return in_memory(database)


def add_missing(memory: sqlite3.Connection, disk: sqlite3.Connection, tables: tuple[str, ...]) -> None:
    """Write what a copy in memory has got since, all of it or nothing; rows are never changed, only added.

    Raises:
        sqlite3.Error: if the disk does not take it; then nothing has changed.
    """
    disk.execute("BEGIN IMMEDIATE")
    try:
        for table in tables:
            columns = ["rowid", *(row[1] for row in memory.execute(f"PRAGMA table_info({table})"))]
            names = ", ".join(columns)
            marks = ", ".join("?" * len(columns))
            rows = memory.execute(f"SELECT {names} FROM {table}").fetchall()  # noqa: S608  # names of our own tables
            disk.executemany(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608  # the same
        disk.execute("COMMIT")
    except sqlite3.Error:
        if disk.in_transaction:
            disk.execute("ROLLBACK")
        raise


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
