"""How long one still photograph takes."""

from pathlib import Path

import cv2
import pytest

from vision.still import look

PICTURES = Path(__file__).parents[1] / "fixtures"


@pytest.mark.parametrize(
    ("picture", "kind"), [("dominoes_legal.jpg", "domino"), ("triominoes_corner_mismatch.jpg", "triomino")]
)
def test_time_to_find_and_read_all_tiles_of_a_photograph(benchmark, picture, kind):
    image = cv2.imread(str(PICTURES / picture))
    still = benchmark.pedantic(look, (image, kind), rounds=3, warmup_rounds=1)
    assert len(still.tiles) >= 12
