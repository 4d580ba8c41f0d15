"""Windows of stills: remembered while they are asked for again, alike in exposure, kept where a mask says so."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from calibration.profile import load
from referee.tiles import Shape
from vision.kinds import kinds
from vision.rectify import Glance, Look, Still, Window
from vision.search import Search
from vision.settle import Survey

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#d1")
assert PROFILE.pose is not None
LOOK = Look(PROFILE.camera, PROFILE.pose, PROFILE.shape.thickness_mm)
WINDOW = Window(250.0, 200.0, 100.0, 80.0, 2.5)


def still(file: str, light: float = 1.0) -> Still:
    image = np.asarray(cv2.convertScaleAbs(cv2.imread(str(PICTURES / file)), alpha=light))
    return Survey(Search(kinds()["domino"], Shape.domino(), 6), PROFILE.mat).still(image, LOOK)


def test_a_window_is_the_same_when_it_is_remembered() -> None:
    glance, now = Glance(), still("d1_04.jpg")
    first, again = glance.now(now, WINDOW), glance.now(now, WINDOW)
    assert np.array_equal(first, again)
    assert np.array_equal(first, now.window(WINDOW))


def test_an_earlier_window_comes_in_the_exposure_of_the_later_still() -> None:
    glance, before = Glance(), still("d1_04.jpg")
    for light in (0.7, 0.9):
        now = still("d1_04.jpg", light)
        assert np.abs(glance.before(before, now, WINDOW).astype(int) - glance.now(now, WINDOW)).mean() < 2.0


def test_a_still_keeps_of_an_earlier_one_what_a_mask_says() -> None:
    before, now = still("d1_00.jpg"), still("d1_04.jpg")
    mask = np.zeros(now.flat.shape[:2], np.uint8)
    mask[230:265, 290:330] = 255
    kept = now.keeping(before, mask)
    assert np.abs(kept.flat[235:260, 295:325].astype(int) - before.flat[235:260, 295:325]).mean() < 6.0
    assert np.array_equal(kept.flat[mask == 0], now.flat[mask == 0])
    part = Window(296.0, 236.0, 28.0, 22.0, 2.0)
    assert np.abs(kept.window(part).astype(int) - before.window(part)).mean() < 8.0
    other = Window(230.0, 236.0, 40.0, 22.0, 2.0)
    assert np.array_equal(kept.window(other), now.window(other))


def test_a_still_that_keeps_nothing_is_the_same_still() -> None:
    now = still("d1_04.jpg")
    assert now.keeping(still("d1_00.jpg"), np.zeros(now.flat.shape[:2], np.uint8)) is now
