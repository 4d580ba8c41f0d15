"""Cutting the plane of the tile tops from the camera image."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profile import load
from vision.kinds import kinds
from vision.rectify import FLAT_PX_PER_MM, Look, Still, Window, place, reproject

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
coordinates = st.floats(-500.0, 1000.0)


def look(name: str = "t1") -> Look:
    profile = load(f"{PICTURES / 'sequences.json'}#{name}")
    assert profile.pose is not None
    return Look(profile.camera, profile.pose, profile.shape.thickness_mm)


def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


@given(x=coordinates, y=coordinates, scale=st.floats(0.5, 6.0))
def test_a_windows_pixels_and_table_points_are_inverse(x: float, y: float, scale: float) -> None:
    window = Window(10.0, -20.0, 100.0, 80.0, scale)
    point = np.array([[x, y]])
    np.testing.assert_allclose(window.to_table(window.to_pixels(point)), point, atol=1e-6)


@pytest.mark.parametrize("window", [Window(0, 0, 600, 400, 1.0), Window(520, 310, 80, 90, 2.5)])
def test_the_maps_agree_with_the_camera_model_to_a_small_part_of_a_pixel(window: Window) -> None:
    coarse, fraction = look().maps(window)
    width, height = window.size_px
    spots = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1], [width // 2, height // 3]])
    expected = look().pixels(window.to_table(spots.astype(np.float64)))
    for (column, row), pixel in zip(spots, expected, strict=True):
        part = int(fraction[row, column])
        np.testing.assert_allclose(coarse[row, column] + np.array([part % 32, part // 32]) / 32, pixel, atol=0.05)


def test_a_tile_is_seen_where_its_top_is_and_not_where_it_stands() -> None:
    on_mat, on_top = look(), look()
    on_mat = Look(on_mat.camera, on_mat.pose, 0.0)
    far = np.array([[560.0, 40.0]])
    shift = on_top.pixels(far) - on_mat.pixels(far)
    assert 5.0 < np.linalg.norm(shift) < 10.0  # 2 to 4 mm at the mat's corner
    assert shift[0, 0] > 0 > shift[0, 1]  # away from the middle


def test_a_face_is_cut_upright_from_the_camera_image() -> None:
    profile = load(f"{PICTURES / 'sequences.json'}#d1")
    kind = kinds()["domino"]
    face = look("d1").face(picture("d1_01.jpg"), kind, profile.shape, *_pose_of_double_six())
    assert face.shape == (80, 160, 3)
    brightness = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(float)
    assert (
        brightness[36:44, 78:82].mean() < brightness[36:44, 20:60].mean() - 40
    )  # the divider stands upright in the middle
    assert brightness[5:75, 5:155].mean() > 120


def _pose_of_double_six() -> tuple[float, float, float]:
    import json

    sequences = json.loads((PICTURES / "sequences.json").read_text())["sequences"]
    tile = next(s for s in sequences if s["name"] == "d1")["frames"][0]["tile"]
    assert tile["values"] == [6, 6]
    return tile["x_mm"], tile["y_mm"], tile["angle_deg"]


def test_the_imagined_mat_is_cut_from_its_flat_picture() -> None:
    flat = np.zeros((400, 600, 3), np.uint8)
    flat[100:120, 200:230] = 200
    window = Window(195.0, 95.0, 40.0, 30.0, 2.0)
    cut = Still(None, look(), flat).window(window)
    assert FLAT_PX_PER_MM == 1.0
    assert cut.shape == (60, 80, 3)
    assert cut[30, 40].min() == 200
    assert cut[4, 4].max() == 0


def test_placing_turns_clockwise_as_seen_from_above() -> None:
    np.testing.assert_allclose(place(np.array([[10.0, 0.0]]), 100.0, 50.0, 90.0), [[100.0, 60.0]], atol=1e-9)


def test_a_reprojected_picture_moves_with_its_corners() -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    image[20:30, 20:30] = 255
    corners = np.array([[0.0, 0.0], [80, 0], [80, 60], [0, 60]])
    moved = reproject(image, corners, corners + np.array([7.0, -4.0]))
    assert moved[21, 32].min() == 255
    assert moved[27, 22].max() == 0
