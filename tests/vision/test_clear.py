"""What noise, blur and darkness are measured to be, and what is left when they are taken back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO
from vision.disturb import TRIALS
from vision.kinds import Style, kinds
from vision.still.clear import _bands, blur_px, cleared, levelled, noise_levels, sharpened


def shapes() -> np.ndarray:
    """Sharp dark shapes in all directions on grey, in no colour, (400, 600, 3)."""
    picture = np.full((400, 600, 3), 150, np.uint8)
    for place in range(24):
        centre = (50 + place % 6 * 100, 50 + place // 6 * 100)
        box = cv2.boxPoints((centre, (60, 30), place * 11.0)).round().astype(np.int32)
        cv2.fillPoly(picture, [box], (60, 60, 60), lineType=cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("levels", [8.0, 15.0])
def test_the_noise_of_a_picture_is_measured(levels):
    noisy = shapes() + np.random.default_rng(1).normal(0, levels, shapes().shape)
    measured = noise_levels(_bands(np.clip(np.rint(noisy), 0, 255).astype(np.uint8)))
    assert measured == pytest.approx(levels, rel=0.1)


@pytest.mark.parametrize("sigma_px", [1.5, 2.5])
def test_the_blur_of_a_picture_is_measured(sigma_px):
    assert blur_px(_bands(cv2.GaussianBlur(shapes(), (0, 0), sigma_px))) == pytest.approx(sigma_px, rel=0.2)


def test_a_sharp_clean_bright_picture_is_left_as_it_is():
    bright = cv2.convertScaleAbs(shapes(), alpha=1.5)
    assert cleared(bright) is bright
    assert sharpened(bright) is None


def test_a_picture_without_any_edge_or_light_is_left_alone():
    black = np.zeros((120, 90, 3), np.uint8)
    assert cleared(black).max() == 0
    assert sharpened(black) is None


def test_taking_blur_back_comes_closer_to_the_sharp_picture():
    sharp = shapes()
    blurred = cv2.GaussianBlur(sharp, (0, 0), 2.5)
    again = sharpened(blurred)
    assert again is not None
    assert again.shape == sharp.shape
    assert cv2.absdiff(again, sharp).mean() < 0.6 * cv2.absdiff(blurred, sharp).mean()


def test_noise_is_averaged_and_darkness_lifted():
    dark = cv2.convertScaleAbs(shapes(), alpha=0.4)
    assert np.percentile(cleared(dark), 99) > 200
    noisy, _ = TRIALS["noise"].change(shapes(), np.random.default_rng(2))
    assert cleared(noisy)[:20].std() < 0.5 * noisy[:20].std()


def test_a_face_in_the_edge_of_a_shadow_becomes_even():
    kind = kinds()[DOMINO]
    drawn = kind.draw((3, 5), Style(), 1)[..., :3].copy()
    shaded = drawn.copy()
    shaded[:, 110:] //= 2
    even = levelled(shaded)
    assert even is not None
    assert abs(int(even[12, 60, 1]) - int(even[40, 154, 1])) < 20
    assert kind.read(even, 6).values == (3, 5)


def test_a_dark_face_with_pale_pips_is_not_levelled():
    face = np.full((80, 160, 3), 40, np.uint8)
    for x in range(20, 160, 22):
        cv2.circle(face, (x, 40), 9, (230, 230, 230), -1)
    cv2.rectangle(face, (0, 0), (160, 6), (230, 230, 230), -1)
    assert levelled(face) is None
