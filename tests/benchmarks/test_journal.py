"""What it costs to write down what has been ruled."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from referee.journal import Journal
from referee.moves import Draw
from referee.rulings import Reason
from referee.umpire import Match
from tests.benchmarks.ledger import Ledger
from tests.benchmarks.yardstick import quickest_s

MATCH = Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),))


@pytest.mark.benchmark(timer=time.thread_time)
def test_an_entry_is_on_the_disk_before_anyone_hears_of_it(
    benchmark: BenchmarkFixture, ledger: Ledger, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.append(MATCH, Reason.OK_MATCH, "referee")
    by_clock: list[float] = []

    def append() -> None:
        start_s = time.perf_counter()
        journal.append(Draw(0), Reason.OK_DRAW, "screen")
        by_clock.append(time.perf_counter() - start_s)

    benchmark.pedantic(append, rounds=200, warmup_rounds=5)
    assert journal.length(journal.newest) == 206
    journal.close()
    kept = [
        ledger.benchmark("journal", "an entry appended and synced, without waiting for the disk", benchmark, 0.2),
        ledger.time("journal", "the same by the clock, the disk's own time included", quickest_s(by_clock), 10),
    ]
    assert all(kept)
