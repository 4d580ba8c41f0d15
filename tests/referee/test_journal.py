"""The journal: nothing that was said is ever lost, changed or applied twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from referee import umpire
from referee.journal import Journal, JournalError
from referee.moves import Begin, CellSpot, Draw, Place
from referee.rulings import Reason
from referee.seen.placing import FIRST_CELL
from referee.sighting import Reading, SeenTile
from referee.tiles import Tile
from referee.umpire import Match

MATCH = Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),))


def test_entries_come_back_as_they_were_written(path: Path) -> None:
    seen = SeenTile("triomino", (0, 3, 5), 1.5, 2.5, -90.0, True, 0.98, (Reading((0, 3, 5), 0.98),))
    place = Place(0, Tile((0, 3, 5)), CellSpot(FIRST_CELL, (0, 3, 5)))
    journal = Journal(path, clock_ms=lambda: 1234)
    written = (
        journal.append(MATCH, Reason.OK_MATCH, "referee"),
        journal.append(Begin(), Reason.OK_BEGIN, "screen", "tap-1"),
        journal.append(place, Reason.OK_OPENING, "camera", None, seen, "picture-1"),
    )
    journal.close()
    again = Journal(path)
    assert again.entries() == written
    assert [entry.seq for entry in written] == [1, 2, 3]
    assert umpire.fold(again.entries()).state.layout[0].entry == 3
    again.close()


def test_an_entry_cannot_be_changed_or_deleted(path: Path) -> None:
    journal = Journal(path)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    journal.close()
    database = sqlite3.connect(path)
    for sql in ("UPDATE entry SET line = 'clear'", "DELETE FROM entry"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            database.execute(sql)
    database.close()


def test_an_order_is_known_again_in_whatever_match(path: Path) -> None:
    journal = Journal(path)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    journal.append(Begin(), Reason.OK_BEGIN, "screen", "tap-1")
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    assert journal.has_order("tap-1")
    assert not journal.has_order("tap-2")
    assert len(journal.entries()) == 1, "the new match is the running one"
    assert len(journal.entries(1)) == 2, "the old one is kept"
    journal.close()


def test_a_move_before_any_match_is_refused(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(JournalError, match="expected a match"):
        journal.append(Draw(0), Reason.OK_DRAW, "screen")
    journal.close()


@pytest.mark.parametrize("damage", [b"", b"not a database at all, not even nearly" * 40])
def test_a_damaged_file_is_set_aside_and_play_goes_on(path: Path, damage: bytes) -> None:
    path.write_bytes(damage)
    journal = Journal(path)
    assert journal.entries() == ()
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    if damage:
        assert journal.damaged is not None
        assert journal.damaged.read_bytes() == damage
    journal.close()


def test_a_truncated_file_is_set_aside_and_kept(path: Path) -> None:
    journal = Journal(path)
    for _ in range(200):
        journal.append(MATCH, Reason.OK_MATCH, "referee")
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    again = Journal(path)
    assert again.damaged is not None
    assert again.damaged.stat().st_size == len(whole) // 2
    again.close()


def test_a_journal_of_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    Journal(path).close()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version=99")
    database.close()
    with pytest.raises(JournalError, match="version 1, got 99"):
        Journal(path)
    assert path.exists()


_WRITER = """
import sys
from pathlib import Path
from referee.journal import Journal
from referee.rulings import Reason
from referee.umpire import Match
from referee.moves import Draw
journal = Journal(Path(sys.argv[1]))
if not journal.entries():
    journal.append(Match("ro-trimino/manufacturer", ("Ana", "Bo")), Reason.OK_MATCH, "referee")
while True:
    print(journal.append(Draw(0), Reason.OK_DRAW, "screen").seq, flush=True)
"""


def test_a_killed_process_loses_no_entry_it_has_spoken_of(path: Path) -> None:
    for round_number in range(3):
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            last = 0
            for _ in range(10 + 7 * round_number):
                last = int(process.stdout.readline())
            os.kill(process.pid, signal.SIGKILL)
        journal = Journal(path)
        assert journal.damaged is None
        assert [entry.seq for entry in journal.entries()][:last] == list(range(1, last + 1))
        journal.close()


def test_a_journal_that_is_only_locked_is_not_set_aside(path: Path) -> None:
    journal = Journal(path)
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    journal.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode=DELETE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        Journal(path, patience_s=0.1)
    other.close()
    again = Journal(path)
    assert len(again.entries()) == 1
    assert again.damaged is None
    again.close()
