"""The drawn mat: its markers are found, and their corners are the mat's corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.mat import QUIET_ZONE_MM, draw
from calibration.profile import Mat
from calibration.table import MARKER_DICTIONARY, marker_corners


def found_on(picture: np.ndarray) -> dict[int, np.ndarray]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    return {int(marker): corner[0] for marker, corner in zip(ids.ravel(), corners, strict=True)}


@pytest.mark.parametrize(("px_per_mm", "mat"), [(2.4, Mat()), (3.0, Mat(500.0, 350.0, 30.0)), (4.37, Mat())])
def test_markers_lie_where_the_mat_says(px_per_mm: float, mat: Mat) -> None:
    found = found_on(draw(mat, px_per_mm, margin_mm=15.0))
    assert sorted(found) == [0, 1, 2, 3]
    for marker, corners in marker_corners(mat).items():
        np.testing.assert_allclose((found[marker] + 0.5) / px_per_mm - 15.0, corners, atol=0.06)


def test_the_outer_black_corners_are_exactly_the_mats_corners() -> None:
    mat, scale = Mat(), 3
    black = draw(mat, scale, margin_mm=10.0)[..., 0] < 128
    rows, columns = np.flatnonzero(black.any(1)), np.flatnonzero(black.any(0))
    assert (rows[0], rows[-1] + 1) == (10 * scale, 410 * scale)
    assert (columns[0], columns[-1] + 1) == (10 * scale, 610 * scale)


def test_a_white_field_surrounds_each_marker_on_any_ground() -> None:
    mat, scale = Mat(), 2
    ground = np.full((430 * scale, 630 * scale, 3), 90, np.uint8)
    picture = draw(mat, scale, 15.0, ground)
    rim = round(QUIET_ZONE_MM * scale)
    corner = 15 * scale
    assert (picture[corner - rim : corner, corner - rim : corner] == 255).all()
    assert (picture[: corner - rim] == 90).all()
    assert (ground == 90).all()


def test_a_margin_that_cuts_the_white_rim_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 8\.0 mm around the markers, got 5"):
        draw(Mat(), 2.0, margin_mm=5.0)


def test_a_ground_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a ground of 860 x 1260 x 3"):
        draw(Mat(), 2.0, 15.0, np.zeros((10, 10, 3), np.uint8))
