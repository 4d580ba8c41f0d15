"""A tap is one press and one release, whatever it arrives as and however the picture is turned."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.touch import ECHO_S, Touch, Touches, seen, unturned

SIZE = (800, 480)
AT = (200, 120)
KINDS = {
    "F+": (pygame.FINGERDOWN, 1),
    "F-": (pygame.FINGERUP, 1),
    "G+": (pygame.FINGERDOWN, 2),
    "G-": (pygame.FINGERUP, 2),
    "M+": (pygame.MOUSEBUTTONDOWN, 0),
    "M-": (pygame.MOUSEBUTTONUP, 0),
}


class Panel:
    """Events and a clock of our own."""

    def __init__(self) -> None:
        self.now_s = 10.0
        self.touches = Touches(lambda: self.now_s)

    def take(self, name: str, at: tuple[int, int] = AT, rotate_deg: int = 0) -> Touch | None:
        kind, finger = KINDS[name]
        if finger:
            place = {"x": (at[0] + 0.5) / SIZE[0], "y": (at[1] + 0.5) / SIZE[1]}
            event = pygame.event.Event(kind, **place, finger_id=finger, touch_id=7)
        else:
            event = pygame.event.Event(kind, pos=at, button=1, touch=False)
        return self.touches.take(event, SIZE, rotate_deg)

    def presses(self, names: Iterable[str]) -> str:
        """The touches that come of events, `+` for a press and `-` for a release."""
        found = [self.take(name) for name in names]
        return "".join("+" if touch.is_down else "-" for touch in found if touch)


ORDERS = [
    order
    for order in permutations(("F+", "F-", "M+", "M-"))
    if order.index("F+") < order.index("F-") and order.index("M+") < order.index("M-")
]


@pytest.mark.parametrize("order", [("M+", "M-"), ("F+", "F-"), *(order for order in ORDERS if order[0] == "F+")])
def test_a_tap_acts_once_whatever_its_echo(order: tuple[str, ...]) -> None:
    assert Panel().presses(order) == "+-"


def test_a_tap_that_begins_as_a_mouse_acts_once_when_both_overlap() -> None:
    assert Panel().presses(("M+", "F+", "M-", "F-")) == "+-"
    assert Panel().presses(("M+", "F+", "F-", "M-")) == "+-"


def test_two_quick_taps_are_two_taps() -> None:
    assert Panel().presses(("F+", "M+", "F-", "M-") * 2) == "+-+-"
    assert Panel().presses(("M+", "M-") * 2) == "+-+-"
    assert Panel().presses(("F+", "F-", "M+", "M-") * 2) == "+-+-"


def test_a_mouse_far_from_the_finger_or_long_after_it_is_a_hand_of_its_own() -> None:
    panel = Panel()
    assert panel.presses(("F+", "F-")) == "+-"
    assert panel.take("M+", (600, 400)) == Touch(True, (600, 400))
    panel.take("M-", (600, 400))
    panel.now_s += ECHO_S + 0.1
    assert panel.presses(("M+", "M-")) == "+-"


def test_a_second_finger_neither_presses_nor_releases() -> None:
    assert Panel().presses(("F+", "G+", "G-", "F-")) == "+-"
    assert Panel().presses(("M+", "F+", "G+", "G-", "M-", "F-")) == "+-"


def test_after_a_lost_release_the_next_tap_is_a_tap() -> None:
    assert Panel().presses(("M+", "M+", "M-")) == "++-"
    assert Panel().presses(("F+", "F+", "F-")) == "++-"


def test_other_buttons_and_other_events_are_no_touch() -> None:
    touches = Touches(lambda: 0.0)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        assert touches.take(pygame.event.Event(kind, pos=AT, button=3), SIZE) is None
    assert touches.take(pygame.event.Event(pygame.MOUSEMOTION, pos=AT), SIZE) is None


@given(st.lists(st.sampled_from(sorted(KINDS)), max_size=30))
def test_releases_follow_presses_in_any_mix(names: list[str]) -> None:
    told = Panel().presses(names)
    assert "--" not in told
    assert not told.startswith("-")


@pytest.mark.parametrize("rotate_deg", [0, 90, 180, 270])
def test_a_touch_lands_on_the_pixel_that_is_seen_there(rotate_deg: int) -> None:
    wide, high = seen(SIZE, rotate_deg)
    picture = pygame.Surface((wide, high))
    for spot in ((0, 0), (wide - 1, 0), (30, 100), (wide - 1, high - 1)):
        picture.fill((0, 0, 0))
        picture.set_at(spot, (255, 255, 255))
        turned = pygame.transform.rotate(picture, -rotate_deg)
        assert turned.get_size() == SIZE
        lit = [(x, y) for x in range(SIZE[0]) for y in range(SIZE[1]) if turned.get_at((x, y))[0]]
        assert [unturned(at, SIZE, rotate_deg) for at in lit] == [spot]


def test_a_finger_is_found_on_the_turned_picture() -> None:
    assert Panel().take("F+", (10, 20), 90) == Touch(True, (20, 789))
