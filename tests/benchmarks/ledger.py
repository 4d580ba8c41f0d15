"""The one table that all benchmarks fill in, and where it is written: the section of NUMBERS.md between two marks."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from pytest_benchmark.fixture import BenchmarkFixture

from tests.benchmarks.yardstick import decoding_s, quickest_s

PARTS = ("rules", "reading", "eye", "whole picture", "screen", "phone", "journal", "start-up", "memory")
BEGIN, END = "<!-- written by make bench -->\n", "<!-- end of what make bench writes -->\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, what came of it, and what it may be at most."""

    part: str
    what: str
    measured: str
    most: str
    here: str


class Ledger:
    """Takes down what is measured, and holds it against what was promised."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def time(self, part: str, what: str, spent_s: float, most: float) -> bool:
        """Take down a time in units of the yardstick, which is measured now; whether it is below the `most` of them."""
        ratio, spent_ms = spent_s / decoding_s(), spent_s * 1000
        here = f"{spent_ms:.0f} ms" if spent_ms >= 10 else f"{spent_ms:.2g} ms"
        return self._note(
            part, what, f"{ratio:.0f} x" if ratio >= 10 else f"{ratio:.2g} x", f"{most:g} x", here, ratio < most
        )

    def benchmark(self, part: str, what: str, benchmark: BenchmarkFixture, most: float) -> bool:
        """Take down the quickest rounds of a benchmark."""
        return self.time(part, what, quickest_s(benchmark.stats.stats.data), most)

    def memory(self, part: str, what: str, megabytes: float, most: float) -> bool:
        """Take down what lies in memory; whether it is less than `most`."""
        return self._note(part, what, f"{megabytes:.0f} MB", f"{most:g} MB", "", megabytes < most)

    def _note(self, part: str, what: str, measured: str, most: str, here: str, is_kept: bool) -> bool:
        self.rows.append(Row(part, what, measured if is_kept else f"**{measured}**", most, here))
        return is_kept

    def table(self, now: datetime | None = None) -> str:
        """Everything as Markdown, with what it was measured on."""
        yardstick = f"{decoding_s() * 1000:.1f} ms"
        with_what = ", ".join(f"{name} {version(name)}" for name in ("opencv-python", "numpy", "pyzmq", "tornado"))
        lines = [
            f"{(now or datetime.now(UTC)):%Y-%m-%d}, Python {platform.python_version()}, {_drawing()}, {with_what}; "
            f"{platform.machine()}, {os.cpu_count()} processors; the yardstick took {yardstick}.",
            "",
            "| part | what | measured | at most | here |",
            "| --- | --- | ---: | ---: | ---: |",
        ]
        rows = sorted(self.rows, key=lambda row: PARTS.index(row.part))
        lines += (f"| {row.part} | {row.what} | {row.measured} | {row.most} | {row.here} |" for row in rows)
        return "\n".join(lines) + "\n"


def _drawing() -> str:
    import pygame

    return f"pygame{'-ce' if getattr(pygame, 'IS_CE', False) else ''} {pygame.version.ver}"


def write(path: Path, table: str) -> None:
    """Put the table between its marks.

    Raises:
        ValueError: if the file has no such marks.
    """
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"expected the lines {BEGIN.strip()} and {END.strip()} in {path}")
    path.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
