"""Outlines that are tried where a face is not read surely."""

from __future__ import annotations

import numpy as np

from vision.kinds.triomino import corner_deg
from vision.still.reading import SIDE_WALL, _near

TURNS = np.deg2rad([corner_deg(corner) for corner in range(3)])
TRIANGLE = 100.0 * np.stack([np.cos(TURNS), np.sin(TURNS)], 1) + (300.0, 200.0)


def test_each_side_of_a_triomino_is_also_tried_nearer_and_farther():
    moved = [near - TRIANGLE for near in _near(TRIANGLE)]
    for corner in range(3):
        alone = [each for each in moved if np.allclose(each[corner], 0)]
        steps = sorted(float(each[(corner + 1) % 3] @ (TRIANGLE[corner] - (300.0, 200.0)) / 100.0) for each in alone)
        assert np.allclose(steps, [-SIDE_WALL * 100, SIDE_WALL * 100])


def test_no_outline_is_tried_twice():
    for outline in (TRIANGLE, np.array([(0, 40), (0, 0), (80, 0), (80, 40)], float)):
        tried = [outline, *_near(outline)]
        assert len(np.unique(np.round(tried, 6).reshape(len(tried), -1), axis=0)) == len(tried)
