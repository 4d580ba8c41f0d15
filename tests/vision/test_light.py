"""Light told from things: even or not, of any colour; and what is still there under it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.light import Light, same_texture

SIZE = (220, 320)
EVERYWHERE = np.full(SIZE, 255, np.uint8)


def table(seed: int = 1) -> np.ndarray:
    """A cloth with some printed squares on it."""
    chance = np.random.default_rng(seed)
    picture = np.full((*SIZE, 3), (90, 100, 80), np.float32) + chance.normal(0, 3, (*SIZE, 1))
    for _ in range(30):
        x, y = chance.integers(10, 290), chance.integers(10, 190)
        picture[y : y + 12, x : x + 16] = chance.integers(30, 190)
    return np.clip(picture, 0, 255).astype(np.uint8)


def off(one: np.ndarray, other: np.ndarray) -> float:
    """By how many grey levels two pictures differ, but for a few pixels."""
    return float(np.percentile(np.abs(one.astype(float) - other), 95))


@pytest.mark.parametrize("gain", [(0.6, 0.6, 0.6), (1.25, 1.25, 1.25), (0.8, 1.0, 1.15)])
def test_an_even_light_of_any_colour_is_told_and_put_on(gain: tuple[float, float, float]) -> None:
    before = table()
    now = np.clip(before * np.array(gain), 0, 255).astype(np.uint8)
    light = Light.between(before, now)
    np.testing.assert_allclose(light.gain, gain, rtol=0.04)
    assert light.weights is None
    assert light.plain == (len(set(gain)) == 1)
    assert off(light.on(before), now) <= 6


def test_a_lamp_at_one_side_is_told_and_put_on_the_whole_and_on_a_part() -> None:
    before = table()
    ramp = np.linspace(1.3, 0.7, SIZE[1])[None, :, None]
    now = np.clip(before * ramp, 0, 255).astype(np.uint8)
    light = Light.between(before, now)
    assert light.weights is not None
    assert not light.plain
    assert off(light.on(before), now) <= 8
    part = np.s_[110:220, 0:80]
    assert off(light.on(before[part], (0.0, 0.5, 0.25, 0.5)), now[part]) <= 8
    assert off(Light.between(before, now, even=True).on(before), now) > 15


def test_a_thing_is_no_light() -> None:
    before = table()
    now = before.copy()
    now[40:120, 100:180] = (120, 150, 200)
    light = Light.between(before, now)
    assert light.plain
    np.testing.assert_allclose(light.gain, 1.0, atol=0.02)


def test_the_edge_of_a_shadow_is_no_smooth_light() -> None:
    before = table()
    shade = np.where(np.arange(SIZE[1]) < 150, 1.0, 0.55)[None, :, None]
    light = Light.between(before, (before * shade).astype(np.uint8))
    assert light.plain


def test_only_what_a_mask_shows_counts() -> None:
    before, mask = table(), np.zeros(SIZE, np.uint8)
    mask[:, 200:] = 255
    now = before.copy()
    now[:, :196] = 40
    np.testing.assert_allclose(Light.between(before, now, mask).gain, 1.0, atol=0.02)


def test_where_all_is_clipped_or_dark_light_is_still_told() -> None:
    before, now = np.full((*SIZE, 3), 6, np.uint8), np.full((*SIZE, 3), 13, np.uint8)
    np.testing.assert_allclose(Light.between(before, now).gain, 2.0, atol=0.01)


def test_what_is_printed_is_the_same_in_another_light_and_not_under_a_cloth() -> None:
    before = table()
    ramp = np.linspace(1.4, 0.6, SIZE[1])[None, :, None] * np.array([0.8, 1.0, 1.15])
    assert same_texture(before, np.clip(before * ramp, 0, 255).astype(np.uint8), EVERYWHERE)
    assert not same_texture(before, np.full_like(before, 120), EVERYWHERE)
    assert not same_texture(before, table(seed=2), EVERYWHERE)


def test_a_table_without_anything_on_it_tells_nothing_of_texture() -> None:
    plain = np.asarray(cv2.blur(np.full((*SIZE, 3), 90, np.uint8), (3, 3)))
    assert not same_texture(plain, plain, EVERYWHERE)
