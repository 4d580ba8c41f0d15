"""A table of triominoes for two, with a journal of its own and signals that remember."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.journal import Journal
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import Lamp


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def table(path: Path, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    yield table
    journal.close()
