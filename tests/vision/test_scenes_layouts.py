"""How made-up tiles lie: never through one another, and as the layout's name says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tiles import DOMINO, TRIOMINO, Shape
from vision.kinds import kinds
from vision.scenes.layouts import LAYOUTS, Area, Ground
from vision.scenes.slabs import motion

SHAPES = {DOMINO: Shape.domino(), TRIOMINO: Shape.triomino()}
AREA = Area(-200.0, -150.0, 200.0, 150.0)
NAMES = [(kind, name) for kind, known in LAYOUTS.items() for name in known]


def laid(kind: str, name: str, seed: int, count: int = 12) -> Ground:
    ground = Ground(SHAPES[kind])
    LAYOUTS[kind][name](np.random.default_rng(seed), ground, AREA, count)
    return ground


def outlines(ground: Ground) -> list[np.ndarray]:
    corners = kinds()[ground.shape.kind].outline(ground.shape)
    moves = [motion(*spot) for spot in ground.spots]
    return [(corners @ move[:2, :2].T + move[:2, 2]).astype(np.float32) for move in moves]


def nearest_mm(ground: Ground) -> list[float]:
    """How far each tile's middle is from that of its nearest neighbour."""
    places = np.array([spot[:2] for spot in ground.spots])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
    return list(apart.min(axis=1))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 10**6))
def test_tiles_lie_in_the_area_and_not_through_one_another(which: tuple[str, str], seed: int) -> None:
    ground = laid(*which, seed)
    assert 1 <= len(ground.spots) <= 12
    assert all(AREA.left <= x <= AREA.right and AREA.top <= y <= AREA.bottom for x, y, _ in ground.spots)
    shapes = outlines(ground)
    for number, one in enumerate(shapes):
        for other in shapes[number + 1 :]:
            assert cv2.intersectConvexConvex(one, other)[0] < 1.0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_a_lattice_joins_sides_and_a_chain_joins_ends(seed: int) -> None:
    lattice, chain = laid(TRIOMINO, "lattice", seed), laid(DOMINO, "chain", seed)
    inner_mm = SHAPES[TRIOMINO].length_mm / 3**0.5
    assert all(inner_mm - 2 < apart < inner_mm + 6 for apart in nearest_mm(lattice))
    # From across at a double's side to end against end, in millimetres.
    assert all(22 < apart < 56 for apart in nearest_mm(chain))


def test_a_layout_goes_on_around_what_lies_there_already() -> None:
    ground = Ground(SHAPES[DOMINO], [(0.0, 0.0, 0.0)])
    for name in LAYOUTS[DOMINO]:
        LAYOUTS[DOMINO][name](np.random.default_rng(3), ground, AREA, 5)
    assert len(ground.spots) > 8
    shapes = outlines(ground)
    assert all(cv2.intersectConvexConvex(shapes[0], other)[0] < 1.0 for other in shapes[1:])


def test_a_place_is_free_up_to_its_neighbours_and_no_further() -> None:
    ground = Ground(SHAPES[DOMINO], [(0.0, 0.0, 0.0)])
    assert ground.is_free((0.0, 24.1, 0.0))
    assert not ground.is_free((0.0, 23.0, 0.0))
    assert not ground.is_free((0.0, 24.1, 0.0), gap_mm=3.0)


@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
def test_a_block_packs_tiles_side_by_side(kind: str) -> None:
    closest = [float(np.median(nearest_mm(laid(kind, "block", seed)))) for seed in range(8)]
    side_by_side = {DOMINO: 24.0, TRIOMINO: 40.0 / 3**0.5}[kind]
    assert sum(side_by_side - 2 < apart < side_by_side + 5 for apart in closest) >= 6
