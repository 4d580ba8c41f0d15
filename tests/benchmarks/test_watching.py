"""How long the eye takes, beside the time that decoding the same JPEG takes on the same machine."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from calibration.profile import load
from vision.frames import Frame
from vision.kinds import kinds
from vision.watch import Watcher

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"


def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def watching(name: str, *files: str) -> tuple[Watcher, int]:
    """A watcher that has seen pictures at rest, and the number of the next frame."""
    profile = load(f"{PICTURES / 'sequences.json'}#{name}")
    watcher = Watcher(profile, 6 if name == "d1" else 5, kinds()[profile.shape.kind])
    number = 0
    for file in files:
        for _ in range(5):
            watcher.see(Frame(picture(file), number / 15, number))
            number += 1
    return watcher, number


@pytest.mark.benchmark(group="watching")
def test_decoding_the_picture(benchmark: BenchmarkFixture) -> None:
    data = np.fromfile(PICTURES / "d1_01.jpg", np.uint8)
    assert benchmark(cv2.imdecode, data, cv2.IMREAD_COLOR).shape == (1100, 1600, 3)


@pytest.mark.benchmark(group="watching")
def test_an_idle_frame(benchmark: BenchmarkFixture) -> None:
    watcher, number = watching("d1", "d1_01.jpg")
    image = picture("d1_01.jpg")
    numbers = iter(range(number, 1_000_000))

    def idle() -> object:
        now = next(numbers)
        return watcher.see(Frame(image, now / 15, now))

    assert benchmark(idle) is None


@pytest.mark.benchmark(group="watching")
@pytest.mark.parametrize(
    ("name", "before", "after"), [("d1", "d1_00.jpg", "d1_01.jpg"), ("t1", "t1_00.jpg", "t1_04.jpg")]
)
def test_from_the_first_frame_of_a_change_to_the_sighting(
    benchmark: BenchmarkFixture, name: str, before: str, after: str
) -> None:
    image = picture(after)

    def setup() -> tuple[tuple[Watcher, int], dict[str, object]]:
        return watching(name, before), {}

    def settle(watcher: Watcher, number: int) -> int:
        for now in range(number, number + 4):
            watcher.see(Frame(image, now / 15, now))
        return len(watcher.tiles)

    assert benchmark.pedantic(settle, setup=setup, rounds=5) == (1 if name == "d1" else 3)
