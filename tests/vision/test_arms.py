"""From which side a hand came, told by its arm over the mat's edge."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arms import Arm, Presence, Rim

RIM = Rim(np.array([[1 / 300, 0.0, -1.0], [0.0, 1 / 200, -1.0], [0.0, 0.0, 1.0]]), np.array([600.0, 400.0]))
NEAR_SIDE = Arm((0.1, 0.55), (5.0, 90.0))
HAND_AT_THE_LEFT = Arm((-0.8, 0.2), (-80.0, 10.0))
SHADOW_AT_THE_LEFT = Arm((-0.8, 0.2), (-80.0, 10.0), is_thing=False)


def reach_deg(*frames: tuple[Arm, ...]) -> float | None:
    presence = Presence(1.0)
    for number, arms in enumerate(frames):
        presence.note(1.0 + number, arms)
    visit = presence.ended(3)
    assert (visit.number, visit.from_s, visit.to_s) == (3, 1.0, float(len(frames)))
    return visit.reach_deg


@pytest.mark.parametrize(
    ("hand_mm", "over_mm", "from_deg"),
    [
        ((300.0, 340.0), (300.0, 400.0), 90.0),
        ((480.0, 60.0), (421.0, 400.0), 90.0),
        ((60.0, 330.0), (200.0, 0.0), 270.0),
        ((560.0, 40.0), (600.0, 70.0), 0.0),
    ],
)
def test_an_arm_points_back_to_the_shoulder_whatever_edge_it_crosses_where(
    hand_mm: tuple[float, float], over_mm: tuple[float, float], from_deg: float
) -> None:
    pixels = np.linspace(hand_mm, over_mm, 50)
    arm = RIM.arm(pixels, pixels[-3:], is_thing=True)
    assert arm is not None
    towards = np.degrees(np.arctan2(arm.way[1], arm.way[0]))
    assert abs((towards - from_deg + 180.0) % 360.0 - 180.0) < 15.0


def test_what_is_all_round_the_mat_is_no_arm() -> None:
    rim = np.array([[0.0, 0.0], [600.0, 0.0], [600.0, 400.0], [0.0, 400.0]])
    assert RIM.arm(rim, rim, is_thing=False) is None


def test_fixed_a_hand_that_reaches_over_another_edge_than_its_arm_is_known_by_the_arm() -> None:
    assert reach_deg((NEAR_SIDE,), (HAND_AT_THE_LEFT,), (HAND_AT_THE_LEFT,), (NEAR_SIDE,)) == pytest.approx(86.8)


def test_fixed_a_shadow_tells_less_than_the_arm_that_casts_it() -> None:
    assert reach_deg((NEAR_SIDE, SHADOW_AT_THE_LEFT), (NEAR_SIDE,)) == pytest.approx(86.8)
    assert reach_deg((SHADOW_AT_THE_LEFT,)) == pytest.approx(172.9)


def test_from_where_a_hand_came_is_not_clear_where_there_were_two_or_none_was_seen() -> None:
    assert reach_deg((NEAR_SIDE,), (NEAR_SIDE, HAND_AT_THE_LEFT), (NEAR_SIDE,)) is None
    assert reach_deg((NEAR_SIDE,), (HAND_AT_THE_LEFT,)) is None
    assert reach_deg(()) is None
