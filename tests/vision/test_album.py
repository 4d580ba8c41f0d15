"""A table seen in single photographs: what is new from one to the next, each with its own pose."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load
from calibration.table import find_pose
from referee.sighting import Facts
from vision.album import Album
from vision.disturb import carried
from vision.kinds import Style, kinds
from vision.outlines import Template
from vision.rectify import Look

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#d1")


def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def album() -> Album:
    return Album(PROFILE, 6, kinds()["domino"])


def values(album: Album) -> list[tuple[int, ...]]:
    return sorted(tile.values for tile in album.tiles)


def test_tiles_come_and_go_from_photograph_to_photograph() -> None:
    assert PROFILE.pose is not None
    photographs = album()
    photographs.facts(Facts("table", 1, "double-six", "domino", 1))
    photographs.begin(picture("d1_00.jpg"), PROFILE.pose)
    assert values(photographs) == []
    photographs.see(picture("d1_04.jpg"), PROFILE.pose)
    assert values(photographs) == [(0, 6), (5, 6), (6, 6)]
    assert all(tile.confidence > 0.9 for tile in photographs.tiles)
    photographs.see(picture("d1_01.jpg"), PROFILE.pose)
    assert values(photographs) == [(6, 6)]


def test_a_camera_that_stands_elsewhere_for_every_photograph_is_no_change() -> None:
    assert PROFILE.pose is not None
    photographs = album()
    photographs.begin(picture("d1_00.jpg"), PROFILE.pose)
    for number, file in enumerate(("d1_01.jpg", "d1_04.jpg"), 1):
        shift = np.array([[1.0, 0.0, 7.0 * number], [0.0, 1.0, -5.0 * number]])
        moved = np.asarray(cv2.warpAffine(picture(file), shift, (1600, 1100), borderMode=cv2.BORDER_REPLICATE))
        pose = find_pose(moved, PROFILE.camera, PROFILE.mat, PROFILE.pose)
        assert pose is not None
        photographs.see(moved, pose)
    assert values(photographs) == [(0, 6), (5, 6), (6, 6)]


@pytest.mark.parametrize("off_px", [(1.5, -1.5), (-4.0, 3.0)])
def test_a_pose_that_is_told_some_pixels_off_is_no_change_either(off_px: tuple[float, float]) -> None:
    assert PROFILE.pose is not None
    photographs = album()
    photographs.begin(picture("d1_00.jpg"), PROFILE.pose)
    for number, file in enumerate(("d1_01.jpg", "d1_04.jpg"), 1):
        wrong = np.array([[1.0, 0.0, off_px[number % 2]], [0.0, 1.0, off_px[0]], [0.0, 0.0, 1.0]])
        photographs.see(picture(file), carried(PROFILE.pose, wrong, PROFILE.camera, PROFILE.mat))
    assert values(photographs) == [(0, 6), (5, 6), (6, 6)]
    true = {(0, 6): (269.6, 250.99), (5, 6): (342.94, 246.01), (6, 6): (306.18, 247.72)}
    for tile in photographs.tiles:
        assert tile.confidence > 0.9
        assert np.hypot(tile.x_mm - true[tile.values][0], tile.y_mm - true[tile.values][1]) < 1.0


def with_pictures_of_tiles(image: np.ndarray) -> np.ndarray:
    """The same photograph of a mat on which two dominoes and a letter are printed."""
    look, template = Look(PROFILE.camera, PROFILE.pose, 0.0), Template.of(kinds()["domino"], PROFILE.shape)
    image = image.copy()
    for values, (x_mm, y_mm, turn) in {(3, 5): (150.0, 120.0, 20.0), (1, 4): (420.0, 130.0, -60.0)}.items():
        face = kinds()["domino"].draw(values, Style(), 2)
        height, width = face.shape[:2]
        there = look.pixels(template.corners(np.array([x_mm, y_mm, turn]))).astype(np.float32)
        here = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(here, there)
        seen = cv2.warpPerspective(face, matrix, (image.shape[1], image.shape[0])).astype(np.float32)
        cover = seen[..., 3:] / 255
        image = (seen[..., :3] * cover + image * (1 - cover)).astype(np.uint8)
    cv2.putText(image, "R", (400, 760), cv2.FONT_HERSHEY_DUPLEX, 4.0, (210, 220, 225), 18, cv2.LINE_AA)
    return np.asarray(image)


def test_printed_pictures_of_tiles_are_no_tiles_also_while_two_are_laid_and_the_light_changes() -> None:
    assert PROFILE.pose is not None
    photographs = album()
    photographs.begin(with_pictures_of_tiles(picture("d1_01.jpg")), PROFILE.pose)
    ramp = np.linspace(1.25, 0.75, 1600)[None, :, None]
    now = np.clip(with_pictures_of_tiles(picture("d1_04.jpg")) * ramp, 0, 255).astype(np.uint8)
    photographs.see(now, PROFILE.pose)
    assert values(photographs) == [(0, 6), (5, 6)]  # the one that lay there at the start was not told
