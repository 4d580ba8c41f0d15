"""A broken record, a full disk, a card that has become read-only: play goes on, people are told, nothing is lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee import keeping
from referee.journal import Journal
from referee.moves import Begin
from referee.rulings import Reason
from referee.seen.resuming import Ignored
from referee.sighting import SeenTile
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import Lamp

MATCH = Match("fr-domino", ("Ana", "Bo"), (("opening", "any"),))


def said(table: Table, line: str) -> str:
    from referee.wire import Order

    view = table.view
    said.count += 1  # type: ignore[attr-defined]
    return table.order(Order(id=f"o{said.count}", epoch=view.epoch, seq=view.seq, by="screen", line=line)).status  # type: ignore[attr-defined]


said.count = 0  # type: ignore[attr-defined]


def lines(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("SELECT line FROM entry ORDER BY match, seq")]


FAULTS = {"a full disk": "PRAGMA max_page_count = 1", "a card that is read-only": "PRAGMA query_only = ON"}
CURES = {"a full disk": "PRAGMA max_page_count = 1000000", "a card that is read-only": "PRAGMA query_only = OFF"}


def fill(journal: Journal, fault: str) -> None:
    """Let the disk take nothing more."""
    database = journal._database
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute(FAULTS[fault])
    if fault == "a full disk":
        with pytest.raises(sqlite3.OperationalError, match="full"):
            database.execute("CREATE TABLE more (text TEXT)")


@pytest.mark.parametrize("fault", FAULTS)
def test_play_goes_on_with_a_warning_and_is_saved_when_it_can_be(path: Path, fault: str) -> None:
    journal = Journal(path)
    table = Table(journal, Lamp(), "one")
    table.begin(MATCH)
    disk = journal._database
    fill(journal, fault)
    assert said(table, "begin") == "done"
    # a page may have room for one entry yet, so it goes on until the disk refuses
    moves = ["A lays 6-6 at left", "B draws 2", "B lays 4-6 at right by 6", "A lays 4-4 at right by 4"]
    assert [said(table, move) for move in moves] == ["done"] * 4
    for number in range(400):
        journal.ignore(Ignored(number, SeenTile("domino", (1, 2), 0.0, 0.0, 0.0, True, 1.0), None))
    assert said(table, "B draws 1") == "done"
    assert not journal.is_saved
    assert not table.view.saved
    table.save_again()
    assert not table.view.saved

    disk.execute(CURES[fault])
    table.save_again()
    assert journal.is_saved
    assert table.view.saved
    journal.close()
    assert lines(path)[1:] == ["begin", *moves, "B draws 1"]
    again = Journal(path)
    assert len(again.ignored()) == 400
    assert len(again.entries()) == 7
    again.close()


def test_what_the_disk_has_missed_is_written_at_the_latest_with_the_next_entry(path: Path) -> None:
    journal = Journal(path)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    disk = journal._database
    fill(journal, "a card that is read-only")
    journal.append(Begin(), Reason.OK_BEGIN, "screen", "tap-1")
    assert journal.has_order("tap-1"), "a repeated order is known in memory as well"
    disk.execute(CURES["a card that is read-only"])
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    assert journal.is_saved
    journal.close()
    assert len(lines(path)) == 3


def test_a_journal_that_somebody_else_holds_is_no_broken_disk(path: Path) -> None:
    journal = Journal(path, patience_s=0.05)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            journal.append(Begin(), Reason.OK_BEGIN, "screen")
        other.execute("ROLLBACK")
    assert journal.is_saved
    journal.append(Begin(), Reason.OK_BEGIN, "screen")
    journal.close()


@pytest.mark.parametrize("damage", [b"", b"scrambled" * 900, None])
def test_a_damaged_record_is_kept_aside_and_its_backup_goes_on(path: Path, damage: bytes | None) -> None:
    journal = Journal(path)
    table = Table(journal, Lamp(), "one")
    table.begin(MATCH)
    said(table, "begin")
    journal.back_up()
    said(table, "A lays 6-6 at left")
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage or b"\0" * 4096)
    again = Journal(path)
    assert again.damaged is not None
    assert again.damaged.exists()
    assert again.is_restored
    table = Table(again, Lamp(), "two")
    assert table.view.kept == "restored"
    assert table.view.resumed
    assert said(table, "A lays 6-6 at left") == "done"
    again.close()


def test_without_a_backup_a_new_record_begins_and_that_is_told(path: Path) -> None:
    path.write_bytes(b"scrambled" * 900)
    journal = Journal(path)
    assert Table(journal, Lamp(), "one").view.kept == "anew"
    journal.close()
    again = Journal(path)
    assert Table(again, Lamp(), "two").view.kept == "ok"
    again.close()


def test_a_backup_is_kept_at_each_rounds_end(path: Path) -> None:
    journal = Journal(path)
    table = Table(journal, Lamp(), "one")
    table.begin(MATCH)
    said(table, "begin")
    assert not journal.backup.exists()
    for move in ("A lays 6-6 at left", "B draws 14", "B passes", "A passes"):
        assert said(table, move) == "done", move
    assert table.view.phase != "play"
    assert lines(journal.backup) == lines(path)
    journal.close()


def test_half_a_backup_never_takes_the_place_of_a_whole_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(path)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    journal.back_up()
    before = journal.backup.read_bytes()

    def full(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(keeping, "check", full)
    journal.append(Begin(), Reason.OK_BEGIN, "screen")
    journal.back_up()
    assert journal.backup.read_bytes() == before
    journal.close()


class Refusing:
    """A disk that takes nothing from the start: a journal on it cannot be opened, copies elsewhere can."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_well = False
        really = sqlite3.connect

        def connect(database: object, *args: object, **options: object) -> sqlite3.Connection:
            if database == path and not self.is_well:
                really("/nowhere/at/all")
            return really(database, *args, **options)  # type: ignore[arg-type, call-overload, no-any-return]

        monkeypatch.setattr("sqlite3.connect", connect)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_start_on_a_disk_that_takes_nothing_goes_on_in_memory_and_is_saved_later(
    path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """It once ended with 78: a box whose card had become read-only did not start any more."""
    killed = Journal(path) if is_there else None  # what is in its write-ahead log alone is read too
    if killed is not None:
        killed.append(MATCH, Reason.OK_MATCH, "referee")
        killed.append(Begin(), Reason.OK_BEGIN, "screen")
    disk = Refusing(path, monkeypatch)
    journal = Journal(path)
    table = Table(journal, Lamp(), "two")
    if killed is None:
        table.begin(MATCH)
        assert said(table, "begin") == "done"
    assert not table.view.saved
    assert table.view.kept == "ok"
    assert said(table, "A lays 6-6 at left") == "done"
    journal.back_up()
    table.save_again()
    assert not table.view.saved
    disk.is_well = True
    table.save_again()
    assert table.view.saved
    assert said(table, "B draws 14") == "done"
    journal.close()
    assert lines(path)[1:] == ["begin", "A lays 6-6 at left", "B draws 14"]
    assert not list(path.parent.glob("tmp*")), "what was copied to be read is gone"
    if killed is not None:
        killed.close()


def test_a_broken_record_on_a_disk_that_takes_nothing_is_said_and_left_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"scrambled" * 900)
    Refusing(path, monkeypatch)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        Journal(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
