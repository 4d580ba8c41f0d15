"""Pictures made worse on purpose, always in the same way, and where their pixels went."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.profile import Camera, Mat, TablePose
from calibration.table import project
from vision.disturb import CORNER_PX, DISTURBANCES, JPEG_QUALITY, Disturber, carried

SIZE = (240, 320)


def dotted() -> np.ndarray:
    picture = np.full((*SIZE, 3), 60, np.uint8)
    cv2.circle(picture, (100, 80), 6, (200, 210, 220), -1, cv2.LINE_AA)
    return np.asarray(picture)


def middle_of_dot(picture: np.ndarray) -> np.ndarray:
    soft = cv2.GaussianBlur(picture[..., 1].astype(np.float32), (0, 0), 2.0)
    weight = np.clip(soft - (soft.max() + np.median(soft)) / 2, 0, None)
    y, x = np.mgrid[: SIZE[0], : SIZE[1]]
    return np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum()


@pytest.mark.parametrize("name", DISTURBANCES)
def test_every_disturbance_tells_where_the_pixels_went_and_can_be_repeated(name: str) -> None:
    picture, matrix = Disturber((name,), 5)(dotted(), 3)
    again, _ = Disturber((name,), 5)(dotted(), 3)
    assert np.array_equal(picture, again)
    assert picture.shape == (*SIZE, 3)
    assert picture.dtype == np.uint8
    if name == "corners":
        assert np.array_equal(picture, dotted())
        away = matrix @ [100.0, 80.0, 1.0]
        assert 0.0 < np.linalg.norm(away[:2] / away[2] - [100.0, 80.0]) < 2 * CORNER_PX
        return
    assert not np.array_equal(picture, dotted())
    there = matrix @ np.append(middle_of_dot(dotted()), 1.0)
    np.testing.assert_allclose(middle_of_dot(picture), there[:2], atol=0.6)


@pytest.mark.parametrize(("name", "alike"), [("shift", True), ("shade", True), ("shake", False), ("noise", False)])
def test_a_sequence_shares_one_push_and_no_two_pictures_share_a_tremor(name: str, alike: bool) -> None:
    disturb = Disturber((name,), 2)
    assert np.array_equal(disturb(dotted(), 1)[0], disturb(dotted(), 2)[0]) is alike


def test_disturbances_are_applied_one_after_the_other() -> None:
    both, matrix = Disturber(("shift", "dim"), 4)(dotted(), 0)
    shifted, where = Disturber(("shift",), 4)(dotted(), 0)
    assert np.array_equal(both, Disturber(("dim",))(shifted, 0)[0])
    np.testing.assert_allclose(matrix, where)
    assert 30 < JPEG_QUALITY < 60


def test_an_unknown_disturbance_is_named() -> None:
    with pytest.raises(ValueError, match="fog"):
        Disturber(("dim", "fog"))


def test_a_pose_is_carried_along_with_the_pixels() -> None:
    camera = Camera(320, 240, np.array([[400.0, 0, 160], [0, 400.0, 120], [0, 0, 1]]), np.zeros(5))
    mat, pose = Mat(), TablePose(np.eye(3), np.array([-300.0, -200.0, 900.0]))
    matrix = np.vstack([cv2.getRotationMatrix2D((160.0, 120.0), 0.5, 1.0), [0.0, 0.0, 1.0]])
    matrix[:2, 2] += (3.0, -2.0)
    spots = np.array([[20.0, 30.0], [500.0, 100.0], [300.0, 380.0]])
    moved = project(spots, 0.0, camera, carried(pose, matrix, camera, mat))
    expected = cv2.perspectiveTransform(project(spots, 0.0, camera, pose)[None], matrix)[0]
    np.testing.assert_allclose(moved, expected, atol=0.1)
