"""`referee say`: a match is played by lines of text, without screen or camera."""

from __future__ import annotations

import io
import random
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.signals import SilentSignals
from referee import notation
from referee.__main__ import main
from referee.config import Places
from referee.games import game, moon
from referee.journal import Journal
from referee.service import Service, Sockets
from referee.table import Table
from referee.tiles import Tile
from referee.tricks.trick import TrickState
from referee.umpire import Match


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table for Moon, in a thread of its own."""
    started = threading.Event()
    holder: list[tuple[Table, Service]] = []

    def work() -> None:
        places = Places(tmp_path / "state", tmp_path / "run").make()
        journal, sockets = Journal(places.state / "journal.sqlite3"), Sockets(places)
        table = Table(journal, SilentSignals("no pins", "test"), "one", chance=random.Random(1))
        table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
        holder.append((table, Service(table, sockets, "one", camera=False)))
        started.set()
        holder[0][1].run()
        sockets.close()
        journal.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert started.wait(5.0)
    yield holder[0][0]
    holder[0][1].running = False
    thread.join(5.0)
    assert not thread.is_alive()


def say(folder: Path, *lines: str) -> int:
    return main(["say", *lines, "--state", str(folder / "state"), "--runtime", str(folder / "run")])


def test_each_line_is_told_with_its_ruling(table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert say(tmp_path, "first bidder B", "begin", "B bids 4", "C passes", "A passes") == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["2", "3", "4", "5", "6"]
    assert "Bo bids 4" in rows[2]
    assert table.view.actions[0] == "discards"


def test_what_is_refused_is_told_with_what_could_be_said_instead(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert say(tmp_path, "first bidder B", "begin", "C bids 4", "B bids four", "B bids 5") == 1
    out = capsys.readouterr().out
    assert "! C bids 4" in out
    assert "It is another player's turn" in out
    assert "or: turn C" in out
    assert "expected how many tricks, got 'four' at word 3" in out
    assert table.view.tricks is not None
    assert table.view.tricks.bid == 5


def test_a_deal_is_played_from_standard_input_to_its_score(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(a_deal())))
    assert say(tmp_path) == 0
    out = capsys.readouterr().out
    assert out.count("takes the trick") == 7
    assert "Ana -4" in out
    assert table.view.phase == "clearing"


def a_deal() -> list[str]:
    """What is said in a deal in which Ana, who leads, has no good tile."""
    words = "1-2 1-3 1-4 1-5 2-3 2-4 3-4", "6-6 5-5 4-4 3-3 2-2 1-1 0-0", "5-6 4-6 3-6 2-6 1-6 4-5 3-5"
    hands = [list(map(Tile.parse, hand.split())) for hand in words]
    lines = ["first bidder A", "begin", "A bids 4", "B passes", "C passes", "A discards 2-5", "A names none"]
    preset = game("kk-moon")
    state = preset.start(preset, ("Ana", "Bo", "Cy"), preset.settings)
    for line in lines:
        state = preset.rule(state, notation.parse(line)).state  # type: ignore[arg-type]  # moves, as the lines are
    for _ in range(21):
        assert isinstance(state, TrickState)
        assert state.turn is not None
        play = moon.plays(state, hands[state.turn])[0]
        hands[state.turn].remove(play.tile)
        lines.append(notation.write(play))
        state = preset.rule(state, play).state
    return lines


def test_without_a_table_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.commands.say.PATIENCE_S", 0.2)
    assert say(tmp_path, "begin") == 1
    assert "no table is running" in capsys.readouterr().err
