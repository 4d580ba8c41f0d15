"""A table seen in single photographs: what is new from one to the next, each with its own pose."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from calibration.profile import load
from calibration.table import find_pose
from referee.sighting import Facts
from vision.album import Album
from vision.kinds import kinds

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
