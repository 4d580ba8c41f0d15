"""How long the eye takes that looks on all the time."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from calibration.profile import Mat, Profile
from referee.tiles import DOMINO, TRIOMINO
from tests.benchmarks.ledger import Ledger
from tests.benchmarks.yardstick import SEED, SHAPES, SIZE, decoded, photographs, quickest_s, spent_s
from vision.frames import Frame
from vision.kinds import Image, kinds
from vision.virtual.table import room
from vision.watch import Watcher

HIGHEST = {DOMINO: 6, TRIOMINO: 5}
MOST_IDLE, MOST_DECISION = 0.02, 4.0

pytestmark = pytest.mark.benchmark(timer=time.thread_time)


class Table:
    """A watcher that is shown one frame after another."""

    def __init__(self, kind: str) -> None:
        camera = room(SIZE, SEED).optics.camera
        self.watcher = Watcher(Profile("bench", camera, Mat(), SHAPES[kind]), HIGHEST[kind], kinds()[kind])
        self.number = 0

    def see(self, image: Image) -> None:
        self.watcher.see(Frame(image, self.number / 15, self.number))
        self.number += 1

    def decisions_s(self, pictures: tuple[bytes, ...]) -> Iterator[float]:
        """For each new tile the time from the first still frame that shows it to the sighting."""
        for packed in pictures:
            image, settled, spent = decoded(packed), self.watcher.settle, 0.0
            self.see(image)  # this frame still moves
            while self.watcher.settle == settled:
                spent += spent_s(lambda image=image: self.see(image))
            yield spent


@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
def test_an_idle_frame(benchmark: BenchmarkFixture, ledger: Ledger, kind: str) -> None:
    table, image = Table(kind), decoded(photographs(kind)[0])
    for _ in range(6):
        table.see(image)
    assert table.watcher.settle == 1
    benchmark.pedantic(table.see, (image,), rounds=200)
    assert table.watcher.settle == 1
    assert ledger.benchmark("eye", f"a frame in which nothing moves, {kind}", benchmark, MOST_IDLE)


@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
def test_from_the_first_still_frame_of_a_change_to_the_sighting(
    benchmark: BenchmarkFixture, ledger: Ledger, kind: str
) -> None:
    pictures = photographs(kind)
    rounds: list[list[float]] = []

    def whole() -> int:
        table = Table(kind)
        rounds.append(list(table.decisions_s(pictures)))
        return len(table.watcher.tiles)

    assert benchmark.pedantic(whole, rounds=5) == len(pictures) - 1
    _, *tiles = (quickest_s(times) for times in zip(*rounds, strict=True))  # the first is the empty table
    what = f"from the first still frame to the sighting, {kind}"
    kept = [
        ledger.time("eye", f"{what}, usual", float(np.median(tiles)), MOST_DECISION),
        ledger.time("eye", f"{what}, slowest of {len(tiles)}", max(tiles), 2 * MOST_DECISION),
    ]
    assert all(kept)
