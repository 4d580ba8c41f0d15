"""What reading a face costs, beside the cost of decoding one 1080p JPEG in the same run."""

import time

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO
from vision.kinds import Style, kinds

VALUES = {DOMINO: (5, 3), TRIOMINO: (1, 3, 5)}


def decoding_s(rounds: int = 15) -> float:
    """The median processor time to decode a 1080p colour JPEG of a cloth with tiles."""
    random = np.random.default_rng(3)
    table = np.full((1080, 1920, 3), (70, 95, 60), np.uint8)
    table = np.clip(table + random.normal(0, 5, table.shape), 0, 255).astype(np.uint8)
    tile = kinds()[DOMINO].draw((6, 4), Style(), 1)[..., :3]
    for top in range(40, 1000, 120):
        for left in range(40, 1700, 240):
            table[top : top + 80, left : left + 160] = tile
    _, packed = cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, 90])
    spent = []
    for _ in range(rounds):
        started = time.process_time()
        cv2.imdecode(packed, cv2.IMREAD_COLOR)
        spent.append(time.process_time() - started)
    return float(np.median(spent))


@pytest.mark.benchmark(timer=time.process_time)  # others may be busy on the machine
@pytest.mark.parametrize("name", [DOMINO, TRIOMINO])
def test_reading_a_face_costs_a_fraction_of_decoding_a_frame(benchmark, name: str) -> None:
    kind = kinds()[name]
    drawn = kind.draw(VALUES[name], Style(), 1)
    cover = drawn[..., 3:] / 255
    face = (drawn[..., :3] * cover + np.array([70, 95, 60]) * (1 - cover)).astype(np.uint8)
    reading = benchmark(kind.read, face, 6)
    decoding = decoding_s()
    benchmark.extra_info["jpeg_decode_1080p_s"] = decoding
    benchmark.extra_info["ratio_to_jpeg_decode"] = benchmark.stats.stats.median / decoding
    assert reading.values == VALUES[name]
    assert benchmark.stats.stats.median < 0.4 * decoding
