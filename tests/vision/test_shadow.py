"""The straight edge of a shadow: found and taken back, and not seen where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.disturb import TRIALS
from vision.still.shadow import unshadowed


def table() -> np.ndarray:
    """Pale and dark things in many colours on a cloth, (400, 600, 3)."""
    random = np.random.default_rng(3)
    picture = np.full((400, 600, 3), (120, 150, 140), np.uint8)
    for place in range(24):
        centre = (50 + place % 6 * 100, 50 + place // 6 * 100)
        box = cv2.boxPoints((centre, (60, 30), place * 11.0)).round().astype(np.int32)
        cv2.fillPoly(picture, [box], random.integers(60, 230, 3).tolist(), lineType=cv2.LINE_AA)
    return picture


def shaded(picture: np.ndarray, turn_deg: float, light: float, soft_px: float = 0.0) -> np.ndarray:
    """With a shadow over what lies beyond a line through its middle."""
    y, x = np.mgrid[-200:200, -300:300]
    beyond = x * np.cos(np.deg2rad(turn_deg)) + y * np.sin(np.deg2rad(turn_deg))
    part = np.clip(beyond / max(soft_px, 1e-6) + 0.5, 0, 1)
    return np.rint(picture * (1 - (1 - light) * part)[..., None]).astype(np.uint8)


@pytest.mark.parametrize(
    ("turn_deg", "light", "soft_px"), [(0.0, 0.5, 0), (37.0, 0.6, 0), (90.0, 0.4, 0), (65.0, 0.5, 6)]
)
def test_a_shadow_with_a_straight_edge_is_taken_back(turn_deg, light, soft_px):
    picture = table()
    lit = unshadowed(shaded(picture, turn_deg, light, soft_px))
    assert lit is not None
    assert np.abs(lit.astype(int) - picture).mean() < 5


def test_the_hard_half_shadow_of_the_trials_is_taken_back():
    worse, _ = TRIALS["half-shadow"].change(table(), np.random.default_rng(0))
    lit = unshadowed(worse)
    assert lit is not None
    assert np.abs(lit.astype(int) - table()).mean() < 5


def test_where_no_shadow_falls_none_is_seen():
    assert unshadowed(table()) is None
    assert unshadowed(np.full((50, 40, 3), 90, np.uint8)) is None


def test_the_edge_of_a_coloured_cloth_is_no_shadow():
    picture = table()
    picture[:, 300:] = (picture[:, 300:] * np.array([0.5, 0.7, 0.9])).astype(np.uint8)
    assert unshadowed(picture) is None


def test_the_edge_of_one_thing_is_no_shadow():
    picture = table()
    picture[150:330, 200:420] //= 2
    assert unshadowed(picture) is None
