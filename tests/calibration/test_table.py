"""The mat's pose from its markers: on pictures with a known pose, with markers hidden, with a camera pushed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profile import Camera, Mat, Profile, TablePose, load
from calibration.table import (
    check_markers,
    find_markers,
    find_pose,
    marker_corners,
    pose_from_markers,
    project,
)

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
EVERYWHERE = np.array([[0.0, 0.0], [600.0, 0.0], [600.0, 400.0], [0.0, 400.0], [300.0, 200.0]])


def profile(name: str) -> Profile:
    return load(f"{PICTURES / 'sequences.json'}#{name}")


def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def grey(file: str) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture(file), cv2.COLOR_BGR2GRAY))


@pytest.mark.parametrize(("name", "file"), [("t1", "t1_00.jpg"), ("t1", "t1_04.jpg"), ("d1", "d1_03.jpg")])
def test_the_pose_found_sees_tile_tops_where_the_known_pose_does(name: str, file: str) -> None:
    known = profile(name)
    assert known.pose is not None
    pose = find_pose(picture(file), known.camera, known.mat)
    assert pose is not None
    shift = project(EVERYWHERE, 8.0, known.camera, pose) - project(EVERYWHERE, 8.0, known.camera, known.pose)
    assert np.abs(shift).max() < 0.3


def test_looking_only_where_markers_are_expected_finds_the_same_corners() -> None:
    known = profile("d1")
    everywhere = find_markers(grey("d1_01.jpg"), known.camera, known.mat)
    expected = find_markers(grey("d1_01.jpg"), known.camera, known.mat, known.pose)
    assert sorted(everywhere) == sorted(expected) == [0, 1, 2, 3]
    for marker, corners in everywhere.items():
        np.testing.assert_allclose(expected[marker], corners, atol=0.1)


def test_a_hidden_marker_is_done_without() -> None:
    known = profile("t1")
    image = picture("t1_00.jpg").copy()
    image[:250, :300] = (90, 110, 150)
    pose = find_pose(image, known.camera, known.mat)
    assert pose is not None
    assert known.pose is not None
    shift = project(EVERYWHERE, 8.0, known.camera, pose) - project(EVERYWHERE, 8.0, known.camera, known.pose)
    assert np.abs(shift).max() < 1.0


def test_two_markers_are_not_enough_for_a_pose() -> None:
    known = profile("t1")
    found = find_markers(grey("t1_00.jpg"), known.camera, known.mat)
    assert pose_from_markers({marker: found[marker] for marker in (0, 1)}, known.camera, known.mat) is None


def test_markers_that_contradict_the_mat_give_no_pose() -> None:
    known = profile("t1")
    found = find_markers(grey("t1_00.jpg"), known.camera, known.mat)
    found[2] = found[2] + np.array([60.0, -40.0])
    assert pose_from_markers(found, known.camera, known.mat) is None


def test_a_pushed_camera_has_moved_and_one_pushed_marker_has_not() -> None:
    known = profile("d1")
    assert known.pose is not None
    found = find_markers(grey("d1_00.jpg"), known.camera, known.mat)
    assert not check_markers(found, known.camera, known.mat, known.pose).moved
    pushed = {marker: corners + np.array([5.0, -3.0]) for marker, corners in found.items()}
    assert check_markers(pushed, known.camera, known.mat, known.pose).moved
    one = found | {1: found[1] + np.array([5.0, -3.0])}
    assert not check_markers(one, known.camera, known.mat, known.pose).moved


def test_nothing_can_be_said_of_movement_without_markers() -> None:
    known = profile("d1")
    assert known.pose is not None
    check = check_markers({}, known.camera, known.mat, known.pose)
    assert (check.seen, check.moved) == (0, False)


angles = st.floats(-0.15, 0.15)


@given(tilt=st.tuples(angles, angles, angles), x=st.floats(-350, -250), y=st.floats(-250, -150), z=st.floats(600, 900))
def test_any_view_of_four_markers_gives_back_its_pose(
    tilt: tuple[float, float, float], x: float, y: float, z: float
) -> None:
    camera = Camera(
        1600, 1100, np.array([[1800.0, 0, 800], [0, 1800.0, 550], [0, 0, 1]]), np.array([-0.05, 0.01, 0, 0, 0])
    )
    rotation, _ = cv2.Rodrigues(np.array(tilt))
    pose = TablePose(np.asarray(rotation), np.array([x, y, z]))
    seen = {marker: project(corners, 0.0, camera, pose) for marker, corners in marker_corners(Mat()).items()}
    found = pose_from_markers(seen, camera, Mat())
    assert found is not None
    np.testing.assert_allclose(found.rotation, pose.rotation, atol=1e-4)
    np.testing.assert_allclose(found.translation, pose.translation, atol=0.1)
