"""The motion gate: what moves, what is a hand, and from which side it comes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.motion import ARM_PATIENCE_S, PATIENCE_S, SHORT_PATIENCE_S, Gate, Stance, shrink

SIZE = (1600, 1100)
MAT = np.array([[50.0, 50.0], [1550, 50], [1550, 1050], [50, 1050]])
TILE = (48 * 24) / (600 * 400)
FELT = (110, 100, 90)
SKIN = (120, 150, 200)
CREAM = (205, 225, 232)


def table(*things: tuple[tuple[int, int, int, int], tuple[int, int, int]], light: float = 1.0) -> np.ndarray:
    """A mat with coloured rectangles (left, top, right, bottom) on it."""
    image = np.full((SIZE[1], SIZE[0], 3), FELT, np.uint8)
    for (left, top, right, bottom), colour in things:
        image[top:bottom, left:right] = colour
    return np.asarray(cv2.convertScaleAbs(image, alpha=light))


def gate() -> Gate:
    gate = Gate(MAT, SIZE, TILE)
    gate.step(table(), 0.0)
    gate.rest(table())
    return gate


def seen_twice(gate: Gate, image: np.ndarray, at_s: float = 1.0) -> Stance:
    """The stance once the same picture stands still."""
    gate.step(image, at_s)
    return gate.step(image, at_s + 0.03)


def test_a_table_that_does_not_change_is_still() -> None:
    assert gate().step(table(), 0.1) == Stance(moving=False, hand=False, changed=False)


def test_noise_is_no_motion() -> None:
    chance = np.random.default_rng(5)
    watching = Gate(MAT, SIZE, TILE)
    for number in range(10):
        noisy = np.clip(np.full((SIZE[1], SIZE[0], 3), FELT) + chance.normal(0, 4, (SIZE[1], SIZE[0], 3)), 0, 255)
        stance = watching.step(noisy.astype(np.uint8), number / 30)
        assert not stance.moving


def test_a_tile_that_appears_moves_once_and_is_then_a_change_at_rest() -> None:
    watching = gate()
    with_tile = table(((700, 500, 820, 560), CREAM))
    assert watching.step(with_tile, 1.0).moving
    assert watching.step(with_tile, 1.03) == Stance(moving=False, hand=False, changed=True)


def test_fixed_a_hand_that_has_left_the_mat_and_goes_on_beside_it_is_no_motion() -> None:
    watching = gate()
    watching.step(table(((0, 300, 45, 700), SKIN)), 1.0)
    assert watching.step(table(), 1.03) == Stance(moving=False, hand=False, changed=False)
    watching.step(table(((0, 300, 90, 700), SKIN)), 1.06)
    assert watching.step(table(), 1.1).moving


@pytest.mark.parametrize(
    ("arm", "side"),
    [
        ((0, 500, 700, 620), (-1.0, 0.0)),
        ((900, 500, 1600, 620), (1.0, 0.0)),
        ((760, 0, 880, 600), (0.0, -1.0)),
        ((760, 500, 880, 1100), (0.0, 1.0)),
    ],
)
def test_a_change_that_reaches_the_mats_edge_is_a_hand_from_that_side(
    arm: tuple[int, int, int, int], side: tuple[float, float]
) -> None:
    stance = seen_twice(gate(), table((arm, SKIN)))
    assert stance.hand
    (arm_seen,) = stance.arms
    assert np.dot(arm_seen.way, side) > 0.9 * np.hypot(*arm_seen.way)


@pytest.mark.parametrize(
    ("hand_mm", "from_deg"),
    [((480.0, 60.0), 90.0), ((90.0, 330.0), 270.0), ((120.0, 70.0), 0.0), ((300.0, 360.0), 90.0)],
)
def test_fixed_who_reaches_far_to_one_side_is_known_by_the_arm_and_not_by_the_edge_that_it_crosses(
    hand_mm: tuple[float, float], from_deg: float
) -> None:
    seat = np.radians(from_deg)
    shoulder = np.array([300.0, 200.0]) + 620.0 * np.array([np.cos(seat), np.sin(seat)])
    picture, arm = table(), np.array([hand_mm, shoulder]) * 2.5 + MAT[0]
    cv2.line(picture, *arm.round().astype(int).tolist(), SKIN, 130)
    stance = seen_twice(gate(), picture)
    (arm_seen,) = stance.arms
    towards = np.degrees(np.arctan2(arm_seen.way[1], arm_seen.way[0]))
    assert abs((towards - from_deg + 180.0) % 360.0 - 180.0) < 25.0


def test_a_hand_that_rests_is_still_a_hand() -> None:
    watching = gate()
    arm = table(((0, 500, 700, 620), SKIN))
    assert all(watching.step(arm, 1.0 + number / 15).hand for number in range(100))


def test_fixed_a_rim_that_does_not_fit_after_a_knock_is_no_arm_and_a_real_one_still_is() -> None:
    rim, arm = ((0, 500, 75, 560), SKIN), ((0, 500, 700, 620), SKIN)
    for is_carried, thing, is_hand in ((False, rim, True), (True, rim, False), (True, arm, True)):
        watching = Gate(MAT, SIZE, TILE)
        watching.step(table(), 0.0)
        watching.rest(table(), is_carried=is_carried)
        watching.step(table(thing), 1.0)
        assert watching.step(table(thing), 1.1 + SHORT_PATIENCE_S).hand == is_hand


def test_fixed_a_faint_shadow_that_has_left_a_table_that_rested_in_it_keeps_nobody_waiting() -> None:
    watching, shaded = Gate(MAT, SIZE, TILE), table()
    slope = np.linspace(0.86, 1.0, SIZE[0] // 2)[None, :, None]
    shaded[:, : SIZE[0] // 2] = np.rint(shaded[:, : SIZE[0] // 2] * slope)
    for number in range(3):
        watching.step(shaded, number / 15)
    watching.rest(shaded)
    for number in range(3, 20):
        assert not watching.step(table(), number / 15).changed
    assert watching._rest is not None
    assert np.array_equal(watching._rest[1], shrink(table()))
    stance = seen_twice(watching, table(((700, 500, 820, 560), CREAM)), 2.0)
    assert (stance.hand, stance.changed) == (False, True)


def test_what_lies_quite_still_for_very_long_is_no_hand() -> None:
    watching = gate()
    cloth = table(((20, 500, 700, 620), SKIN))
    watching.step(cloth, 1.0)
    assert watching.step(cloth, 0.9 + PATIENCE_S).hand
    assert not watching.step(cloth, 1.1 + PATIENCE_S).hand


def test_fixed_what_lies_quite_still_for_very_long_is_no_hand_however_often_the_pose_is_put_right() -> None:
    cloth = table(((20, 500, 700, 620), SKIN))
    watching = gate()
    watching.step(cloth, 1.0)
    for number in range(1, 13):
        watching = Gate(MAT, SIZE, TILE, watching)
        watching.rest(table())
        assert watching.step(cloth, 1.0 + number * 0.9 * PATIENCE_S / 12).hand
    assert not watching.step(cloth, 1.1 + PATIENCE_S).hand


def test_fixed_a_hand_at_rest_with_an_arm_behind_it_stays_a_hand_but_not_for_ever() -> None:
    watching = gate()
    arm = table(((0, 500, 150, 720), SKIN))
    watching.step(arm, 1.0)
    assert watching.step(arm, 0.9 + ARM_PATIENCE_S).hand
    assert not watching.step(arm, 1.1 + ARM_PATIENCE_S).hand


def test_a_tile_at_the_mats_edge_is_soon_no_hand() -> None:
    watching = gate()
    tile = table(((40, 500, 150, 560), CREAM))
    assert seen_twice(watching, tile).hand
    assert watching.step(tile, 1.1 + SHORT_PATIENCE_S) == Stance(moving=False, hand=False, changed=True)


def test_a_hand_whose_sleeve_looks_like_the_mat_is_a_hand() -> None:
    assert seen_twice(gate(), table(((500, 400, 800, 600), SKIN))).hand


def test_many_tiles_at_once_are_soon_no_hand_where_they_are_expected() -> None:
    heap = table(((90, 300, 260, 700), CREAM))
    assert seen_twice(gate(), heap, 1.0 + 1.1 * SHORT_PATIENCE_S).hand, "elsewhere they may be a hand with a sleeve"
    watching = gate()
    watching.expect_heaps([np.array([[-0.98, -0.7], [-0.6, -0.7], [-0.6, 0.7], [-0.98, 0.7]])])
    assert seen_twice(watching, heap).hand
    assert watching.step(heap, 1.1 + SHORT_PATIENCE_S).still
    hand = table(((90, 300, 700, 500), SKIN))
    seen_twice(watching, hand, 5.0)
    assert watching.step(hand, 5.1 + SHORT_PATIENCE_S).hand, "it reaches out of the zone"


def test_an_arm_over_a_place_for_many_tiles_is_a_hand() -> None:
    watching = gate()
    watching.expect_heaps([np.array([[-0.98, -0.7], [-0.6, -0.7], [-0.6, 0.7], [-0.98, 0.7]])])
    arm = table(((0, 500, 200, 640), SKIN))
    watching.step(arm, 1.0)
    assert watching.step(arm, 0.9 + ARM_PATIENCE_S).hand


def test_another_exposure_is_no_change() -> None:
    assert not seen_twice(gate(), table(light=1.15)).hand


def test_a_persons_shadow_that_stays_is_soon_no_hand() -> None:
    watching = gate()
    shaded = table(((0, 0, 700, 1100), tuple(round(part * 0.65) for part in FELT)))  # type: ignore[arg-type]
    assert seen_twice(watching, shaded).hand
    assert not watching.step(shaded, 1.1 + SHORT_PATIENCE_S).hand


def printed(table: np.ndarray) -> np.ndarray:
    """The same table with something printed in each of its corners."""
    chance = np.random.default_rng(2)
    for x, y in ((80, 80), (1380, 80), (80, 880), (1380, 880)):
        cells = chance.integers(0, 2, (5, 5, 1), np.uint8) * np.array([200, 205, 195], np.uint8)
        table[y : y + 125, x : x + 125] = cv2.resize(cells, (125, 125), interpolation=cv2.INTER_NEAREST)
    return table


def printed_gate() -> Gate:
    gate = Gate(MAT, SIZE, TILE)
    gate.step(printed(table()), 0.0)
    gate.rest(printed(table()))
    return gate


def under(light: str, image: np.ndarray) -> np.ndarray:
    ramp = np.linspace(1.3, 0.7, SIZE[0])[None, :, None]
    factor = {"warm": np.array([0.75, 1.0, 1.2]), "dim": np.array([0.5]), "ramp": ramp, "both": ramp * [0.8, 1.0, 1.15]}
    return np.clip(image * factor[light], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", ["warm", "dim", "ramp", "both"])
def test_a_lamp_that_is_switched_on_is_no_hand_and_a_tile_laid_then_is_seen(light: str) -> None:
    assert not seen_twice(printed_gate(), under(light, printed(table()))).hand
    with_tile = under(light, printed(table(((700, 500, 820, 560), CREAM))))
    assert seen_twice(printed_gate(), with_tile) == Stance(moving=False, hand=False, changed=True)


@pytest.mark.parametrize("light", ["warm", "dim", "ramp", "both"])
@pytest.mark.parametrize("arm", [(0, 400, 800, 640), (700, 0, 1000, 700), (0, 300, 1600, 1100)])
def test_an_arm_is_a_hand_in_any_light(light: str, arm: tuple[int, int, int, int]) -> None:
    image = printed(table())
    image[arm[1] : arm[3], arm[0] : arm[2]] = SKIN
    watching = printed_gate()
    image = under(light, image)
    assert all(watching.step(image, 1.0 + number / 15).hand for number in range(60))


def test_a_cloth_over_the_whole_table_is_a_hand_however_even() -> None:
    watching = printed_gate()
    cloth = np.full((SIZE[1], SIZE[0], 3), SKIN, np.uint8)
    assert all(watching.step(cloth, 1.0 + number / 15).hand for number in range(60))
