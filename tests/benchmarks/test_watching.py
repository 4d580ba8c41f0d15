"""How long the eye takes, beside the time that decoding the same 1080p JPEG takes in the same run.

Processor time of one thread: what else the machine does at the moment hardly matters then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import lru_cache

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from calibration.profile import Mat, Profile
from referee.tiles import DOMINO, TRIOMINO, Shape
from vision.frames import Frame
from vision.kinds import Image, kinds
from vision.virtual.pieces import Piece, render, shade
from vision.virtual.scene import set_style
from vision.virtual.table import room
from vision.watch import Watcher

SIZE = (1920, 1080)
SEED = 21
SHAPES = {DOMINO: Shape.domino(), TRIOMINO: Shape.triomino()}
HIGHEST = {DOMINO: 6, TRIOMINO: 5}
MOST_IDLE, MOST_DECISION = 0.02, 4.0
STEP_DEG, OUT_MM = 50.0, 105.0


@lru_cache(maxsize=2)
def photographs(kind: str) -> tuple[bytes, ...]:
    """A table on which a tile more lies in each of eight pictures, as 1080p JPEGs."""
    here, shape, style = room(SIZE, SEED), SHAPES[kind], set_style(kind, SEED)
    noise = np.random.default_rng(4)
    picture, packed = here.empty.copy(), []
    for number in range(8):
        if number:
            turn = np.radians(number * STEP_DEG)
            values = (number % 4, 5) if kind == DOMINO else (number % 4, 4, 5)
            x_mm, y_mm = 300.0 + OUT_MM * np.cos(turn), 200.0 + OUT_MM * np.sin(turn)
            piece = Piece(kind, values, float(x_mm), float(y_mm), number * STEP_DEG + 20.0)
            shadow = shade(piece, shape, style, here.optics, here.light)
            sprite = render(piece, shape, style, here.optics, here.light)
            assert shadow is not None and sprite is not None  # noqa: PT018  # all are in view
            part = picture[shadow.box.slices]
            part[:] = cv2.multiply(part, cv2.merge([shadow.left] * 3), scale=1 / 255)
            sprite.onto(picture)
        noisy = np.clip(picture + noise.normal(0.0, 2.0, picture.shape), 0, 255).astype(np.uint8)
        packed.append(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
    return tuple(packed)


def decoded(packed: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def spent_s(act: Callable[[], object]) -> float:
    start = time.thread_time()
    act()
    return time.thread_time() - start


def decoding_s(packed: bytes) -> float:
    """The median time of decoding one picture."""
    return float(np.median([spent_s(lambda: decoded(packed)) for _ in range(15)]))


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


def told(benchmark: BenchmarkFixture, spent: float, decoding: float) -> float:
    """Note a time and what it is in decodes; the latter."""
    ratio = spent / decoding
    benchmark.extra_info["jpeg_decode_1080p_s"] = decoding
    benchmark.extra_info["ratio_to_jpeg_decode"] = round(ratio, 4)
    print(f"\n{benchmark.name}: {spent * 1000:.2f} ms = {ratio:.3f} x decoding ({decoding * 1000:.2f} ms)")  # noqa: T201  # that is what it is run for
    return ratio


@pytest.mark.benchmark(group="watching")
@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
def test_an_idle_frame(benchmark: BenchmarkFixture, kind: str) -> None:
    table, packed = Table(kind), photographs(kind)[0]
    image = decoded(packed)
    for _ in range(6):
        table.see(image)
    assert table.watcher.settle == 1
    benchmark.pedantic(table.see, (image,), rounds=200)
    idle = float(np.median([spent_s(lambda: table.see(image)) for _ in range(200)]))
    assert table.watcher.settle == 1
    assert told(benchmark, idle, decoding_s(packed)) < MOST_IDLE


@pytest.mark.benchmark(group="watching")
@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
def test_from_the_first_still_frame_of_a_change_to_the_sighting(benchmark: BenchmarkFixture, kind: str) -> None:
    pictures = photographs(kind)
    times: list[float] = []

    def whole() -> int:
        table = Table(kind)
        times.extend(list(table.decisions_s(pictures))[1:])  # the first is the empty table
        return len(table.watcher.tiles)

    assert benchmark.pedantic(whole, rounds=3) == len(pictures) - 1
    assert told(benchmark, float(np.median(times)), decoding_s(pictures[-1])) < MOST_DECISION
