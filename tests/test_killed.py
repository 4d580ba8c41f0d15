"""The table's process is killed at random moments of whole matches: nothing that was confirmed is lost or doubled.

`make kills` does so 200 times.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee import umpire
from referee.commands.progress import Progress
from referee.journal import Journal
from tests.test_records import RECORDS

KILLS = int(os.environ.get("REFEREE_KILLS", "6"))
LONGEST_S = 30.0


def test_a_table_killed_at_random_moments_has_every_confirmed_entry_once_and_the_same_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random_ = random.Random(KILLS)
    killed = 0
    with capsys.disabled():
        progress = Progress(KILLS)
    for match in range(KILLS):
        record = random_.choice(RECORDS)
        path = tmp_path / f"{match}.sqlite3"
        confirmed: dict[str, tuple[int, str]] = {}
        while killed < KILLS:
            told, has_ended = play_on(path, record, random_.uniform(0.0, 0.12))
            confirmed |= told
            check(path, confirmed)
            if has_ended:
                break
            killed += 1
            with capsys.disabled():
                progress.step(lambda: "kills")
        if killed == KILLS:
            progress.end()
            return
    raise AssertionError(f"expected {KILLS} kills before all matches were over, got {killed}")


def play_on(path: Path, record: Path, after_s: float) -> tuple[dict[str, tuple[int, str]], bool]:
    """Let the table play, kill it so long after it began; what it had confirmed, and whether the match was over."""
    command = [sys.executable, "-m", "tests.killed", str(path), str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # it has started
        time.sleep(after_s)
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate(timeout=LONGEST_S)
    assert first, f"the table did not start on {record.name}"
    heard = [line.split() for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]
    told = {parts[0]: (int(parts[2]), parts[3]) for parts in heard if parts[1:2] == ["done"]}
    return told, ["end"] in heard


def check(path: Path, confirmed: dict[str, tuple[int, str]]) -> None:
    """Every confirmed order stands in the journal once, and the turn is the one that was told with the last of them."""
    journal = Journal(path)
    assert journal.damaged is None
    entries = journal.entries()
    orders = [entry.order_id for entry in entries if entry.order_id]
    assert len(set(orders)) == len(orders)
    assert set(confirmed) <= set(orders)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    if confirmed:
        count, turn = max(confirmed.values(), key=lambda each: each[0])
        assert str(umpire.fold(entries[:count]).state.turn) == turn
    journal.close()
