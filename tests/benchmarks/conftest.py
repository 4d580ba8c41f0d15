"""All benchmarks fill in one table, which is told at the end; with --numbers FILE it is written there too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.ledger import Ledger, write

LEDGER = pytest.StashKey[Ledger]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--numbers", type=Path, metavar="FILE", help="write the table of benchmarks into this file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEDGER] = Ledger()


@pytest.fixture
def ledger(request: pytest.FixtureRequest) -> Ledger:
    return request.config.stash[LEDGER]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    table, file = config.stash[LEDGER].table(), config.getoption("--numbers")
    terminalreporter.section("numbers")
    terminalreporter.write(table)
    if file and exitstatus == pytest.ExitCode.OK:
        write(file, table)
    elif file:
        terminalreporter.write(f"{file} stays as it was, since not everything passed\n")
