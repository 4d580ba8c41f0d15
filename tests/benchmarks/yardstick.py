"""What every time is held against: how long this machine takes, just now, to decode a picture of its camera.

Both are processor time of one thread, and of many rounds one of the quickest, so what else the machine does hardly
matters. A machine half as fast takes twice as long for both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import cv2
import numpy as np

from referee.tiles import DOMINO, TRIOMINO, Shape
from vision.kinds import Image
from vision.virtual.pieces import Piece, render, shade
from vision.virtual.scene import set_style
from vision.virtual.table import room

SIZE = (1920, 1080)
SEED = 21
SHAPES = {DOMINO: Shape.domino(), TRIOMINO: Shape.triomino()}
MIDDLE_MM, OUT_MM, STEP_DEG = (300.0, 200.0), 105.0, 50.0
QUICKEST_PERCENT = 10


@cache
def photographs(kind: str) -> tuple[bytes, ...]:
    """A table on which a tile more lies in each of eight pictures, as 1080p JPEGs."""
    here, noise = room(SIZE, SEED), np.random.default_rng(4)
    picture, packed = here.empty.copy(), []
    for number in range(8):
        if number:
            _lay(picture, kind, number)
        noisy = np.clip(picture + noise.normal(0.0, 2.0, picture.shape), 0, 255).astype(np.uint8)
        packed.append(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
    return tuple(packed)


def _lay(picture: Image, kind: str, number: int) -> None:
    here, shape, style = room(SIZE, SEED), SHAPES[kind], set_style(kind, SEED)
    turn = np.radians(number * STEP_DEG)
    values = (number % 4, 5) if kind == DOMINO else (number % 4, 4, 5)
    x_mm, y_mm = MIDDLE_MM[0] + OUT_MM * np.cos(turn), MIDDLE_MM[1] + OUT_MM * np.sin(turn)
    piece = Piece(kind, values, float(x_mm), float(y_mm), number * STEP_DEG + 20.0)
    shadow = shade(piece, shape, style, here.optics, here.light)
    sprite = render(piece, shape, style, here.optics, here.light)
    assert shadow is not None
    assert sprite is not None
    part = picture[shadow.box.slices]
    part[:] = cv2.multiply(part, cv2.merge([shadow.left] * 3), scale=1 / 255)
    sprite.onto(picture)


def decoded(packed: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def quickest_s(spent_s: Sequence[float]) -> float:
    """A time that has hardly been disturbed."""
    return float(np.percentile(spent_s, QUICKEST_PERCENT))


def spent_s(act: Callable[[], object]) -> float:
    """The processor time of this thread for one round."""
    start_s = time.thread_time()
    act()
    return time.thread_time() - start_s


def rounds_s(act: Callable[[], object], rounds: int = 15) -> Iterator[float]:
    return (spent_s(act) for _ in range(rounds))


def decoding_s() -> float:
    """The yardstick, measured now: decoding a 1080p JPEG of a table with seven tiles."""
    packed = photographs(DOMINO)[-1]
    return quickest_s(list(rounds_s(lambda: decoded(packed))))
