"""Fitting outlines: drawn tiles are found where they were drawn, also beside others."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tiles import Shape
from vision import outlines
from vision.kinds import kinds
from vision.outlines import Scene, Template
from vision.rectify import Window

SHAPES = {"domino": Shape.domino(), "triomino": Shape.triomino()}
WINDOW = Window(230.0, 130.0, 150.0, 150.0, 2.5)
names = st.sampled_from(sorted(SHAPES))


def template(name: str) -> Template:
    return Template.of(kinds()[name], SHAPES[name])


def drawn(name: str, poses: np.ndarray, bright: bool = True) -> np.ndarray:
    """A rectified picture with plain rounded tiles on felt."""
    ground, face = ((80, 85, 80), (215, 225, 228)) if bright else ((150, 160, 150), (40, 40, 45))
    picture = np.full((*WINDOW.size_px[::-1], 3), ground, np.uint8)
    for pose in poses:
        corners = WINDOW.to_pixels(template(name).corners(pose))
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), face, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0))


def scene(name: str, before: np.ndarray, now: np.ndarray, bright: bool = True) -> Scene:
    old, new = drawn(name, before, bright), drawn(name, now, bright)
    return Scene.of(new, np.asarray(cv2.absdiff(old, new).max(axis=2)), WINDOW)


@given(name=names, x=st.floats(298, 312), y=st.floats(198, 212), angle=st.floats(0, 180), bright=st.booleans())
@settings(max_examples=40)
def test_a_tile_lying_alone_is_found_where_it_lies(name: str, x: float, y: float, angle: float, bright: bool) -> None:
    here = scene(name, np.empty((0, 3)), np.array([[x, y, angle]]), bright)
    starts = outlines.free_starts(template(name), 305.0, 205.0)
    totals = outlines.score(template(name), here, starts).total(0)
    best = outlines.distinct(template(name), starts, totals, 6)
    poses, totals = outlines.refine(template(name), here, starts[best], 0)
    found = poses[totals.argmax()]
    assert np.hypot(found[0] - x, found[1] - y) < 1.0
    assert outlines.turn_between(found[2], angle, template(name).symmetry_deg) < 2.0
    assert np.sign(outlines.score(template(name), here, found[None]).edge[0]) == (1 if bright else -1)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_a_tile_pushed_against_another_is_found_from_the_cells_beside_it(name: str) -> None:
    lying = np.array([[300.0, 200.0, 20.0]])
    cells = outlines.cell_starts(template(name), lying)
    cell = cells[0] + np.array([0.8, -0.6, 2.0])
    here = scene(name, lying, np.vstack([lying, cell]))
    poses, totals = outlines.refine(template(name), here, cells, 1)
    found = poses[totals.argmax()]
    assert np.hypot(*(found[:2] - cell[:2])) < 1.0
    assert outlines.overlap(template(name), found, lying[0]) < 0.05


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_cells_touch_their_neighbour_and_do_not_cover_it(name: str) -> None:
    lying = np.array([300.0, 200.0, -35.0])
    for cell in outlines.cell_starts(template(name), lying[None]):
        assert outlines.overlap(template(name), cell, lying) == 0.0
        grown = lying + np.append(0.1 * (cell[:2] - lying[:2]), 0.0)
        assert outlines.overlap(template(name), cell, grown) > 0.0


@given(name=names, x=st.floats(0, 600), y=st.floats(0, 400), angle=st.floats(-360, 360))
def test_a_tile_covers_itself_wholly_in_each_of_its_symmetries(name: str, x: float, y: float, angle: float) -> None:
    pose = np.array([x, y, angle])
    turned = pose + np.array([0, 0, template(name).symmetry_deg])
    assert outlines.overlap(template(name), pose, turned) == pytest.approx(1.0, abs=0.01)


def test_only_poses_that_differ_are_kept() -> None:
    poses = np.array([[300.0, 200.0, 0.0], [301.0, 200.0, 5.0], [300.0, 200.0, 178.0], [300.0, 209.0, 0.0]])
    kept = outlines.distinct(template("domino"), poses, np.array([1.0, 0.9, 0.8, 0.7]), 4)
    assert kept.tolist() == [0, 3]


@given(first=st.floats(-720, 720), second=st.floats(-720, 720), symmetry=st.sampled_from([120.0, 180.0, 360.0]))
def test_turns_are_symmetric_and_never_more_than_half_way_round(first: float, second: float, symmetry: float) -> None:
    turn = outlines.turn_between(first, second, symmetry)
    assert 0 <= turn <= symmetry / 2
    assert turn == pytest.approx(outlines.turn_between(second, first, symmetry), abs=1e-6)
