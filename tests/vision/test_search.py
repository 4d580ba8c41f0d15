"""Where a tile may lie beside those that are known."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.profile import Matrix
from referee.sighting import SeenTile
from referee.tiles import Shape
from vision.faces import pose_of
from vision.kinds import kinds
from vision.outlines import cell_starts
from vision.search import Search

LYING = SeenTile("triomino", (0, 2, 4), 260.0, 150.0, -27.0)


def search() -> Search:
    return Search(kinds()["triomino"], Shape.triomino(), 5)


def reaching_over(by_mm: float) -> Matrix:
    """A pose beside the tile that lies there, so far moved towards its middle."""
    beside = cell_starts(search().template, pose_of(LYING)[None])[0]
    way = pose_of(LYING)[:2] - beside[:2]
    return np.array([*(beside[:2] + way / np.linalg.norm(way) * by_mm), beside[2]])


@pytest.mark.parametrize(("by_mm", "is_found"), [(0.0, True), (3.2, True), (6.0, False)])
def test_fixed_a_tile_told_a_little_over_its_neighbour_is_found_beside_it(by_mm: float, is_found: bool) -> None:
    looking, pose = search(), reaching_over(by_mm)
    pushed = looking._pushed_out(pose, [LYING])
    assert looking.is_free(pushed, [LYING]) == is_found
    assert float(np.hypot(*(pushed[:2] - pose[:2]))) <= 1.0
