"""Recorded and random whole matches before a naive second judge that reads them as text and shares no code.

It re-derives every ruling, every award, what was proven, all scores, the ends of rounds and matches, and the
ranking. `make prove` compares many random matches; the tests here are the same with fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from referee import transcript
from referee.games import games
from tests.naive import reading
from tests.naive.replay import Replay
from tests.walking import Walk, a_match

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
# How many random matches are compared for each preset.
MATCHES = max(1, int(os.environ.get("REFEREE_PROVE", "500")) // 500)


def compared(text: str) -> Counter[str]:
    """Both judges agree on every line of a match; what was said, tallied by code."""
    replay, said = Replay(), Counter[str]()
    for line in reading.lines(text):
        step = replay.read(line)
        where = f"line {line.seq}: {line.reason}, and the naive judge: {step.said}"
        if step.said.faults:
            assert line.reason in step.said.faults, where
        else:
            assert line.reason == step.said.reason, where
        assert line.awards == step.said.awards, where
        assert line.proofs == step.said.proofs, where
        assert line.scores is None or list(line.scores) == step.scores, (where, step.scores)
        assert line.scores is not None or not (step.is_end or step.is_change), where
        said.update((line.reason, *(name for name, _, _ in line.proofs)))
    assert replay.match is not None
    if replay.match.phase == "over":
        assert reading.ranking(text) == replay.match.ranking
    return said


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_naive_judge_says_the_same_of_every_line_of_a_record(path: Path) -> None:
    said = compared(path.read_text(encoding="utf-8"))
    assert said.total() >= 20


@pytest.mark.parametrize("preset", sorted(games()))
def test_a_naive_judge_says_the_same_of_random_matches(preset: str) -> None:
    game, said = games()[preset], Counter[str]()
    for number in range(MATCHES):
        chance = random.Random(f"{preset} {number}")
        walk = Walk(game, a_match(game, chance), chance.randrange(2**32), (0, 10, 30)[number % 3])
        said += compared(str(transcript.of_entries(walk.play().entries)))
    assert len(said) > 5


@pytest.mark.parametrize("wrong", ["ok-bridge, A tile +7", "ok-edge, A tile +9", "ok-edge, A tile +7, A bridge +40"])
def test_a_line_that_was_ruled_wrongly_is_noticed(wrong: str) -> None:
    lines = [
        "  1  match ro-trimino/manufacturer A=Ana B=Bo opening=any  # ok-match",
        "  2  begin  # ok-begin",
        "  3  A lays 0-1-2 at 0,0,U  # ok-opening, A tile +3",
        "  4  B lays 2-1-1 at 0,0,D  # ok-edge, B tile +4",
        "  5  A lays 1-5-1 at 0,1,U  # ",
    ]
    compared("\n".join(lines) + "ok-edge, A tile +7\n")
    with pytest.raises(AssertionError, match="line 5"):
        compared("\n".join(lines) + wrong + "\n")
