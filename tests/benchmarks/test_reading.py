"""What reading one face costs."""

import time

import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO
from vision.kinds import Style, kinds

VALUES = {DOMINO: (5, 3), TRIOMINO: (1, 3, 5)}


@pytest.mark.benchmark(timer=time.thread_time)
@pytest.mark.parametrize("name", [DOMINO, TRIOMINO])
def test_reading_a_face_costs_less_than_decoding_a_frame(benchmark, ledger, name: str) -> None:
    kind = kinds()[name]
    drawn = kind.draw(VALUES[name], Style(), 1)
    cover = drawn[..., 3:] / 255
    face = (drawn[..., :3] * cover + np.array([70, 95, 60]) * (1 - cover)).astype(np.uint8)
    reading = benchmark(kind.read, face, 6)
    assert reading.values == VALUES[name]
    assert ledger.benchmark("reading", f"one face of a {name}", benchmark, 0.9)
