"""What the rules cost on the hot paths."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from referee import audit, notation, transcript, umpire
from referee.games import game, triomino
from referee.laying import boards
from referee.moves import Place
from referee.placements import legal_placements
from referee.state import Phase, Placed, State
from tests.benchmarks.ledger import Ledger

TESTS = Path(__file__).parents[1]
PRESET = "ro-trimino/manufacturer"

pytestmark = pytest.mark.benchmark(timer=time.thread_time)


def forget() -> None:
    """Every round starts without anything remembered."""
    boards._boards.clear()
    triomino._fitting.cache_clear()


def frozen_table(tiles: int) -> State:
    """The first frozen position of triominoes with so many tiles."""
    frozen = json.loads((TESTS / "frozen" / "placements.json").read_text(encoding="utf-8"))
    layout = next(each["layout"] for each in frozen if len(each["layout"]) == tiles and PRESET in each["counts"])
    moves = [notation.parse(f"B lays {line}") for line in layout]
    placed = tuple(Placed(move.tile, move.spot, move.seat) for move in moves if isinstance(move, Place))
    each = game(PRESET)
    return replace(each.start(each, ("Ana", "Bo"), each.settings), phase=Phase.PLAY, turn=0, layout=placed)


def record(name: str) -> umpire.Record:
    return transcript.played(transcript.read((TESTS / "records" / name).read_text(encoding="utf-8")))[0]


def test_all_legal_placements_with_scores_on_a_table_of_28_tiles(benchmark: BenchmarkFixture, ledger: Ledger) -> None:
    state = frozen_table(28)
    left = tuple(set(game(PRESET).tiles) - {placed.tile for placed in state.layout})
    assert len(left) == 28
    found = benchmark.pedantic(legal_placements, (state, left), setup=forget, rounds=200, warmup_rounds=3)
    assert len(found) == 35
    assert ledger.benchmark("rules", "all legal placements with scores, 28 tiles on the table", benchmark, 0.2)


def test_folding_a_match_of_60_entries(benchmark: BenchmarkFixture, ledger: Ledger) -> None:
    entries = record("ro-trimino-two-players.txt").entries[:60]
    folded = benchmark.pedantic(umpire.fold, (entries,), setup=forget, rounds=50, warmup_rounds=3)
    assert len(folded.rulings) == 60
    assert ledger.benchmark("rules", "a match of 60 entries folded", benchmark, 1.5)


def test_proving_all_hidden_hands_of_a_round(benchmark: BenchmarkFixture, ledger: Ledger) -> None:
    rulings = record("ro-trimino-two-players.txt").rulings
    over = [ruling.state for ruling in rulings if ruling and ruling.state.phase in (Phase.CLEARING, Phase.OVER)]
    state = max(over, key=lambda each: len(each.claims))
    fitting = triomino._course(state.settings).fitting

    def prove() -> int:
        return sum(len(audit.false_claims(state, seat, fitting)) for seat in range(state.players))

    assert len(state.claims) > 20
    benchmark.pedantic(prove, setup=forget, rounds=50, warmup_rounds=3)
    assert ledger.benchmark("rules", "all hidden hands of a round proven", benchmark, 2)
