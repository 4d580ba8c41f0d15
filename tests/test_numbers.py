"""The table of benchmarks goes into its section of NUMBERS.md and touches nothing else there."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.benchmarks import ledger
from tests.benchmarks.yardstick import decoding_s

NUMBERS = Path(__file__).parent / "benchmarks" / "NUMBERS.md"


def test_the_table_takes_the_place_of_the_one_before_and_nothing_else_changes(tmp_path: Path) -> None:
    file = tmp_path / "NUMBERS.md"
    file.write_text(f"above\n{ledger.BEGIN}\n| old |\n\n{ledger.END}below\n", encoding="utf-8")
    ledger.write(file, "| new |\n")
    ledger.write(file, "| newer |\n")
    assert file.read_text(encoding="utf-8") == f"above\n{ledger.BEGIN}\n| newer |\n\n{ledger.END}below\n"


def test_a_file_without_a_place_for_the_table_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "NUMBERS.md"
    file.write_text("numbers\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the lines"):
        ledger.write(file, "| new |\n")
    assert file.read_text(encoding="utf-8") == "numbers\n"


def test_the_numbers_have_a_place_for_the_table() -> None:
    before, begin, rest = NUMBERS.read_text(encoding="utf-8").partition(ledger.BEGIN)
    assert before
    assert begin
    assert ledger.END in rest


def test_what_does_not_keep_to_its_limit_is_told_and_shown_in_bold() -> None:
    kept = ledger.Ledger()
    assert kept.time("rules", "quick", 0.5 * decoding_s(), 2.0)
    assert not kept.time("rules", "slow", 8.0 * decoding_s(), 2.0)
    assert not kept.memory("memory", "large", 120.0, 100.0)
    table = kept.table(datetime(2026, 1, 2, tzinfo=UTC))
    assert table.startswith("2026-01-02, Python ")
    assert [line.count("**") for line in table.splitlines() if line.startswith(("| rules", "| memory"))] == [0, 2, 2]
