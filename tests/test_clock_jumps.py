"""The wall clock jumps far ahead and back, as on a board without a battery that finds a network: nothing goes by it.

Ages and durations come from clocks that only go forward; what is told of the wall clock is a date for people.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from referee import umpire, wire
from referee.chronicle import Chronicle, Here
from referee.journal import Journal
from referee.notify import Report
from referee.supervisor import Supervisor
from referee.table import Table
from referee.tiles import Shape
from referee.umpire import Entry
from tests.killed import order
from tests.referee.seeing import Lamp
from tests.test_records import RECORDS, lines

ROOT = Path(__file__).parents[1]
ROOMS = ("referee", "vision", "display", "hardware", "calibration")
DAY_MS = 86_400_000
START_MS = 1_790_000_000_000
JUMPS_MS = (0, 48 * 365 * DAY_MS + 12 * DAY_MS, 250, -48 * 365 * DAY_MS - 12 * DAY_MS, -14 * DAY_MS, 7, 14 * DAY_MS)
FOR_PEOPLE = (  # when something was, names that no other has, and whether the clock is right
    "referee/journal.py",
    "referee/evidence.py",
    "referee/commands/machine.py",
    "vision/models/train.py",
)
WALL = {
    ("time", "time"),
    ("time", "time_ns"),
    ("time", "localtime"),
    ("time", "gmtime"),
    ("time", "ctime"),
    ("time", "strftime"),
    ("time", "CLOCK_REALTIME"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}
HIDDEN = {("tornado.ioloop", "PeriodicCallback"), ("tornado.ioloop", "IOLoop")}  # libraries that go by it
AGES = {"st_mtime", "st_mtime_ns", "st_ctime", "st_ctime_ns", "getmtime", "getctime"}


class Wall:
    """A wall clock that jumps whenever somebody looks."""

    def __init__(self) -> None:
        self._jumps = cycle(JUMPS_MS)
        self._now_ms = START_MS

    def __call__(self) -> int:
        self._now_ms += next(self._jumps)
        return self._now_ms


def looks(path: Path) -> Iterator[str]:
    """Where a file looks at the wall clock, or at how old a file is by it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and any((node.module, each.name) in WALL | HIDDEN for each in node.names):
            yield f"{path.relative_to(ROOT)}:{node.lineno} imports from {node.module}"
        if not isinstance(node, ast.Attribute):
            continue
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if (owner, node.attr) in WALL or node.attr in AGES:
            yield f"{path.relative_to(ROOT)}:{node.lineno} {owner}.{node.attr}"


def test_nothing_looks_at_the_wall_clock_but_what_tells_people_a_date() -> None:
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found = {path.relative_to(ROOT).as_posix(): list(looks(path)) for path in files}
    assert all(found[name] for name in FOR_PEOPLE), "this test sees what it looks for"
    assert [each for name, all_of in found.items() if name not in FOR_PEOPLE for each in all_of] == []


def played(path: Path, records: list[Path], wall: Wall | None) -> list[tuple[Entry, ...]]:
    """Play matches, one after another with a restart in the middle of each; the entries of each."""
    matches = []
    for record in records:
        acts = [text for _, text, _ in lines(record)]
        for part in (range(len(acts) // 2), range(len(acts) // 2, len(acts))):
            journal = Journal(path, clock_ms=wall) if wall is not None else Journal(path)
            table = Table(journal, Lamp(), "epoch")
            for number in part:
                order(table, acts, f"{record.stem}-{number}")
            entries = journal.entries()
            journal.close()
        matches.append(entries)
    return matches


def test_entries_and_matches_keep_their_order_and_the_game_goes_on_as_it_would(tmp_path: Path) -> None:
    jumping, steady = tmp_path / "jumping.sqlite3", tmp_path / "steady.sqlite3"
    records = sorted(RECORDS, key=lambda record: record.stat().st_size)[:3]  # short ones are all told of in one reply
    mine, others = played(jumping, records, Wall()), played(steady, records, None)
    times_ms = [entry.utc_ms for match in mine for entry in match]
    assert times_ms != sorted(times_ms), "it has jumped back"
    for match, other in zip(mine, others, strict=True):
        assert [entry.seq for entry in match] == list(range(1, len(match) + 1))
        assert [entry.what for entry in match] == [entry.what for entry in other]
        assert umpire.fold(match).state == umpire.fold(other).state
    journal = Journal(jumping)
    try:
        assert journal.damaged is None
        assert [journal.entries(number) for number in journal.matches()] == mine
        told = Chronicle(journal).told(wire.Ask("1", "matches"), Here(None, (), Shape.domino(), is_blind=True))
        assert [each.number for each in told.matches] == [3, 2, 1]
        assert len(told.matches) == len({each.begun_ms for each in told.matches})
    finally:
        journal.close()


def test_what_was_set_aside_earlier_is_not_written_over_by_a_clock_that_says_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    aside = set()
    for number in range(3):
        path.write_bytes(b"no database %d" % number)
        journal = Journal(path, clock_ms=lambda: START_MS)
        assert journal.damaged is not None
        aside.add(journal.damaged)
        journal.close()
    assert {file.read_bytes() for file in aside} == {b"no database 0", b"no database 1", b"no database 2"}


def test_supervisor_and_watchdog_go_by_a_clock_that_only_goes_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = {name: function.__defaults__ or () for name, function in vars(Supervisor).items() if callable(function)}
    assert [each for each in clocks["__init__"] if callable(each)] == [time.monotonic]
    wall, sent = Wall(), list[str]()
    monkeypatch.setattr(time, "time", lambda: wall() / 1000)
    report = Report(sent.append)
    for progress in (1, 1, 2, 2, 3):
        report.hear(progress, "running: table")
    assert [line.splitlines()[0] for line in sent] == ["WATCHDOG=1"] * 3, "fed by progress alone, whatever the time"
