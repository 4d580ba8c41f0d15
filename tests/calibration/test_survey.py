"""The table is looked at once before play: where the mat lies, whether tiles can be read there, what is wrong."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.profile import Camera, Mat
from calibration.survey import Advice, Fault, SurveyError, from_corners, survey
from calibration.table import MARKER_IDS, find_markers, project
from referee.tiles import Shape
from tests.calibration.boards import over_mat
from vision.scenes.cameras import camera_over
from vision.scenes.optics import Optics

TILE = Shape.triomino(29.0, 6.0)
CORNERS = np.array([(0.0, 0.0), (600.0, 0.0), (600.0, 400.0), (0.0, 400.0)])


def over(seed: int, width: int = 1920, height: int = 1280, mat: Mat | None = None) -> Optics:
    return camera_over(mat or Mat(), width, height, seed)


def fault_of(image: np.ndarray, camera: Camera, mat: Mat | None = None) -> tuple[Fault, str]:
    with pytest.raises(SurveyError) as caught:
        survey(image, camera, mat or Mat(), TILE)
    return caught.value.fault, str(caught.value)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_pose_is_right_to_a_millimetre_at_the_mats_corners(seed: int) -> None:
    optics = over(seed)
    seen = survey(over_mat(optics.camera, optics.pose, Mat()), optics.camera, Mat(), TILE)
    shift_px = project(CORNERS, 6.0, optics.camera, seen.pose) - optics.project(CORNERS, 6.0)
    scale = min(seen.px_per_mm)
    assert np.linalg.norm(shift_px, axis=1).max() / scale <= 1.0
    assert np.linalg.norm(shift_px, axis=1).max() <= 0.3
    assert seen.residual_px < 0.3
    assert seen.advice == ()


def test_a_hidden_marker_is_named_by_its_corner() -> None:
    optics = over(1)
    image = over_mat(optics.camera, optics.pose, Mat())
    middle = optics.project(np.array([[580.0, 20.0]]))[0].astype(int).tolist()
    cv2.circle(image, middle, 40, (30, 60, 90), -1)
    fault, told = fault_of(image, optics.camera)
    assert fault is Fault.SOME_HIDDEN
    assert "far right corner" in told


def test_markers_of_another_mat_are_told() -> None:
    optics = over(2)
    other = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 17, 120)
    image = np.full((1280, 1920, 3), 200, np.uint8)
    image[300:420, 400:520] = other[..., None]
    fault, told = fault_of(image, optics.camera)
    assert (fault, "got 17" in told) == (Fault.OTHER_MAT, True)


def test_a_mat_of_another_size_than_was_said_does_not_fit() -> None:
    optics = over(1)
    image = over_mat(optics.camera, optics.pose, Mat(), shown=Mat(600.0, 380.0))
    assert fault_of(image, optics.camera)[0] is Fault.MISFIT


def test_an_empty_picture_has_no_markers() -> None:
    optics = over(1)
    assert fault_of(np.full((1280, 1920, 3), 90, np.uint8), optics.camera)[0] is Fault.NO_MARKERS


def test_a_coarse_camera_is_advised_against_for_numerals_not_for_pips() -> None:
    optics = over(1, 960, 640)
    image = over_mat(optics.camera, optics.pose, Mat())
    assert survey(image, optics.camera, Mat(), TILE).advice == (Advice.COARSE,)
    assert survey(image, optics.camera, Mat(), Shape.domino()).advice == (Advice.COARSE,) * (
        min(survey(image, optics.camera, Mat(), Shape.domino()).px_per_mm) < 1.5
    )


def test_light_that_drowns_the_mat_is_told() -> None:
    optics = over(1)
    image = over_mat(optics.camera, optics.pose, Mat())
    spot = np.zeros(image.shape[:2], np.float32)
    cv2.circle(spot, (960, 640), 220, 255.0, -1)
    bright = np.clip(image + cv2.GaussianBlur(spot, (0, 0), 20)[..., None], 0, 255).astype(np.uint8)
    assert survey(bright, optics.camera, Mat(), TILE).advice == (Advice.CLIPPED,)


def test_corners_that_somebody_points_at_are_enough() -> None:
    optics = over(3)
    image = over_mat(optics.camera, optics.pose, Mat())
    pointed = optics.project(CORNERS) + np.array([(1.5, -1.0), (-1.0, 1.0), (1.0, 1.0), (-1.5, 0.5)])
    seen = from_corners(image, pointed, optics.camera, Mat(), TILE)
    middle = np.array([[300.0, 200.0]])
    assert np.linalg.norm(project(middle, 6.0, optics.camera, seen.pose) - optics.project(middle, 6.0)) < 2.0


def test_corners_in_the_wrong_order_are_refused() -> None:
    optics = over(3)
    pointed = optics.project(CORNERS)[[0, 3, 2, 1]]
    with pytest.raises(SurveyError) as caught:
        from_corners(over_mat(optics.camera, optics.pose, Mat()), pointed, optics.camera, Mat(), TILE)
    assert caught.value.fault in (Fault.MIRRORED, Fault.MISFIT)


def test_two_hundred_pictures_without_a_mat_have_no_marker() -> None:
    camera = over(1, 640, 427).camera
    random = np.random.default_rng(5)
    for _ in range(200):
        coarse = random.integers(0, 256, (random.integers(4, 60), random.integers(4, 60), 3), np.uint8)
        way = int(random.choice([cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        image = cv2.resize(coarse, (640, 427), interpolation=way)
        for _ in range(12):  # tiles, cups, cards: light shapes with dark marks
            x, y, side = random.integers(20, 400, 3).tolist()
            cv2.rectangle(image, (x, y), (x + side // 4 + 8, y + side // 4 + 8), (235, 240, 240), -1)
            cv2.circle(image, (x + side // 8 + 4, y + side // 8 + 4), side // 20 + 2, (20, 20, 20), -1)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        assert not set(find_markers(grey, camera, Mat())) & set(MARKER_IDS)
