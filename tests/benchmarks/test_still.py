"""How long one whole picture takes."""

import time
from itertools import combinations_with_replacement
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO, Shape
from tests.benchmarks.yardstick import decoded
from vision.kinds import Style
from vision.scenes import Brief, Piece, draw_session, photograph, plain_set
from vision.still import look

PICTURES = Path(__file__).parents[1] / "fixtures"


def double_six_in_a_block() -> bytes:
    """All 28 tiles of a double-six set pushed together, photographed in 1080p, as a JPEG."""
    random = np.random.default_rng(8)
    tiles = plain_set(Shape.domino(48, 24, 8), Style(), 6)
    session = draw_session(random, tiles, Brief((2.4, 2.4), (1920, 1080), tilt_deg=(0, 3), harsh=0.0, worn=0.0))
    x_mm, y_mm = session.inside.middle
    turn = np.deg2rad(17.0)
    pieces = []
    for place, values in enumerate(combinations_with_replacement(range(7), 2)):
        along, across = 48.5 * (place % 4 - 1.5), 24.5 * (place // 4 - 3)
        x, y = along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)
        pieces.append(Piece(DOMINO, values, float(x_mm + x), float(y_mm + y), 17.0))
    return cv2.imencode(".jpg", photograph(session, pieces, random).image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@pytest.mark.benchmark(timer=time.thread_time)
def test_a_picture_of_28_touching_tiles_costs_a_few_times_its_decoding(benchmark, ledger):
    image = decoded(double_six_in_a_block())
    still = benchmark.pedantic(look, (image, DOMINO), rounds=7, warmup_rounds=1)
    every = set(combinations_with_replacement(range(7), 2))
    assert {tile.seen.values for tile in still.tiles if tile.is_sure} == every
    assert ledger.benchmark("whole picture", "28 dominoes that touch, 1080p, no mat", benchmark, 25)


@pytest.mark.benchmark(timer=time.thread_time)
@pytest.mark.parametrize(
    ("picture", "kind"), [("dominoes_legal.jpg", DOMINO), ("triominoes_corner_mismatch.jpg", TRIOMINO)]
)
def test_a_photograph_that_is_hard_to_read_takes_no_second(benchmark, ledger, picture, kind):
    image = cv2.imread(str(PICTURES / picture))
    still = benchmark.pedantic(look, (image, kind), rounds=3, warmup_rounds=1)
    assert len(still.tiles) >= 12
    tall, wide = image.shape[:2]
    what = f"{len(still.tiles)} {'dominoes' if kind == DOMINO else 'triominoes'}, {wide}x{tall}, no mat"
    assert ledger.benchmark("whole picture", what, benchmark, 150)
