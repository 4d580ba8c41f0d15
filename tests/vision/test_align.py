"""One picture laid over an earlier one of the same table, by what has stayed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load
from vision.align import aligned
from vision.disturb import carried
from vision.kinds import kinds
from vision.rectify import Look, Still
from vision.search import Search
from vision.settle import Survey

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#d1")
assert PROFILE.pose is not None
LOOK = Look(PROFILE.camera, PROFILE.pose, PROFILE.shape.thickness_mm)
SPOTS = np.array([[50.0, 50.0], [550.0, 60.0], [300.0, 200.0], [60.0, 350.0], [540.0, 340.0]])


@lru_cache(maxsize=4)
def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def still(image: np.ndarray, look: Look) -> Still:
    return Survey(Search(kinds()["domino"], PROFILE.shape, 6), PROFILE.mat).still(image, look)


def told_wrongly(shift: tuple[float, float], turn_deg: float = 0.0) -> Look:
    """The pose as someone would tell it who is some pixels off."""
    matrix = np.vstack([cv2.getRotationMatrix2D((800.0, 550.0), turn_deg, 1.0), [0.0, 0.0, 1.0]])
    matrix[:2, 2] += shift
    assert PROFILE.pose is not None
    return Look(PROFILE.camera, carried(PROFILE.pose, matrix, PROFILE.camera, PROFILE.mat), LOOK.height_mm)


@pytest.mark.parametrize(("shift", "turn"), [((1.5, -1.0), 0.0), ((-4.0, 3.0), 0.2), ((0.0, 6.0), -0.3)])
@pytest.mark.parametrize("light", [1.0, 0.6])
def test_a_pose_that_is_some_pixels_off_is_corrected(shift: tuple[float, float], turn: float, light: float) -> None:
    earlier = still(picture("d1_01.jpg"), LOOK)
    wrong = told_wrongly(shift, turn)
    now = still(np.asarray(cv2.convertScaleAbs(picture("d1_04.jpg"), alpha=light)), wrong)  # with two tiles more
    better = aligned(wrong, now.flat, earlier.flat)
    before, after = (np.linalg.norm(look.pixels(SPOTS) - LOOK.pixels(SPOTS), axis=1) for look in (wrong, better))
    assert before.max() > 1.5
    assert after.max() < 0.5


def test_pictures_that_share_nothing_correct_nothing() -> None:
    now = still(picture("d1_04.jpg"), LOOK)
    chance = np.random.default_rng(3).integers(0, 255, now.flat.shape, np.uint8)
    assert aligned(LOOK, now.flat, np.asarray(cv2.blur(chance, (5, 5)))) is LOOK
    assert aligned(LOOK, now.flat, np.full_like(now.flat, 90)) is LOOK
