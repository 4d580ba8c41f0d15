"""What the rules cost on the hot paths, beside the cost of decoding one 1080p JPEG in the same run.

A limit is meant for a machine that decodes in `DECODING_S`; on a slower or busier one it grows as decoding does.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from referee import audit, notation, transcript, umpire
from referee.games import game, triomino
from referee.laying import boards
from referee.moves import Place
from referee.placements import legal_placements
from referee.state import Phase, Placed, State

TESTS = Path(__file__).parents[1]
PRESET = "ro-trimino/manufacturer"
DECODING_S = 0.0055


@cache
def decoding_s() -> float:
    """The median time to decode a 1080p colour JPEG of noise on grey."""
    noise = np.random.default_rng(3).normal(110, 12, (1080, 1920, 3))
    _, packed = cv2.imencode(".jpg", np.clip(noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    spent = []
    for _ in range(15):
        started = time.perf_counter()
        cv2.imdecode(packed, cv2.IMREAD_COLOR)
        spent.append(time.perf_counter() - started)
    return float(np.median(spent))


def compare(benchmark: BenchmarkFixture, limit_s: float) -> None:
    """Note the ratio to the yardstick and hold it against what was promised."""
    ratio = benchmark.stats.stats.median / decoding_s()
    benchmark.extra_info["jpeg_decode_1080p_s"] = decoding_s()
    benchmark.extra_info["ratio_to_jpeg_decode"] = ratio
    assert ratio < limit_s / DECODING_S


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


def test_all_legal_placements_with_scores_on_a_table_of_28_tiles(benchmark: BenchmarkFixture) -> None:
    state = frozen_table(28)
    left = tuple(set(game(PRESET).tiles) - {placed.tile for placed in state.layout})
    assert len(left) == 28
    found = benchmark.pedantic(legal_placements, (state, left), setup=forget, rounds=200, warmup_rounds=3)
    assert len(found) == 35
    compare(benchmark, 0.001)


def test_folding_a_match_of_60_entries(benchmark: BenchmarkFixture) -> None:
    entries = record("ro-trimino-two-players.txt").entries[:60]
    folded = benchmark.pedantic(umpire.fold, (entries,), setup=forget, rounds=50, warmup_rounds=3)
    assert len(folded.rulings) == 60
    compare(benchmark, 0.003)


def test_proving_all_hidden_hands_of_a_round(benchmark: BenchmarkFixture) -> None:
    rulings = record("ro-trimino-two-players.txt").rulings
    over = [ruling.state for ruling in rulings if ruling and ruling.state.phase in (Phase.CLEARING, Phase.OVER)]
    state = max(over, key=lambda each: len(each.claims))
    fitting = triomino._course(state.settings).fitting

    def prove() -> int:
        return sum(len(audit.false_claims(state, seat, fitting)) for seat in range(state.players))

    assert len(state.claims) > 20
    benchmark.pedantic(prove, setup=forget, rounds=50, warmup_rounds=3)
    compare(benchmark, 0.020)
