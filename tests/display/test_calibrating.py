"""The window in which camera and table are measured."""

from __future__ import annotations

import pygame
import pytest

from display import draw, theme
from display.calibrating import AGAIN, CANCEL, CORNERS, SAVE, Measured, Picture, Shown, Stage, Window, page, picture_box
from display.outlines import buttons
from display.sentences import Words
from tests.display.calibrations import stages

SIZE = (800, 480)
RED = Picture(bytes((200, 30, 30)) * (64 * 36), (64, 36))
RESULT = Stage("result", measured=Measured(0.2, 3.1, 2.0))


class Bench:
    """A window without a display, and what was said in it."""

    def __init__(self, shown: Shown, size: tuple[int, int] = SIZE, rotate_deg: int = 0) -> None:
        self.shown = shown
        self.said: list[object] = []
        self.surface = pygame.Surface(size)
        self.size, self.flips = size, 0
        self.window = Window(
            lambda: self.shown,
            self.said.append,
            lambda x, y: self.said.append((round(x, 2), round(y, 2))),
            lambda: self.surface,
            Words(),
            rotate_deg,
            clock=lambda: 0.0,
            flip=self.flip,
        )

    def flip(self) -> None:
        self.flips += 1

    def tap(self, x: float, y: float) -> None:
        """Tap a point of the window."""
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            at = {"x": x / self.size[0], "y": y / self.size[1]}
            self.window.handle(pygame.event.Event(kind, finger_id=1, touch_id=1, **at))


def middle(stage: Stage, order: str) -> tuple[float, float]:
    """The middle of the key that says this."""
    (rect,) = [button.rect for button in buttons(page(stage, Words())) if button.order == order]
    return rect.x + rect.w / 2, rect.y + rect.h / 2


@pytest.mark.parametrize(
    ("stage", "order"), [(Stage("lens"), AGAIN), (Stage("lens"), CANCEL), (Stage("table"), CORNERS), (RESULT, SAVE)]
)
def test_a_tap_on_a_key_says_it(stage: Stage, order: str) -> None:
    bench = Bench(Shown(stage))
    bench.tap(*middle(stage, order))
    assert bench.said == [order]


def test_only_a_result_can_be_saved_and_only_the_table_step_asks_for_corners() -> None:
    for name, stage in stages():
        orders = {button.order for button in buttons(page(stage, Words()))}
        assert (SAVE in orders) == (stage.measured is not None), name
        assert (CORNERS in orders) == (stage.step == "table"), name
        assert {CANCEL, AGAIN} <= orders, name


def test_every_key_is_large_enough_for_a_fingertip_and_none_lies_over_another() -> None:
    for name, stage in stages():
        rects = [button.rect for button in buttons(page(stage, Words()))]
        for index, rect in enumerate(rects):
            assert min(rect.w, rect.h) >= theme.LEAST_TARGET, name
            for other in rects[index + 1 :]:
                apart = (
                    rect.right <= other.x or other.right <= rect.x or rect.bottom <= other.y or other.bottom <= rect.y
                )
                assert apart, name


def test_a_tap_on_the_picture_is_a_point_of_it_only_while_corners_are_asked_for() -> None:
    box = picture_box(RED)
    bench = Bench(Shown(Stage("corners"), RED))
    bench.tap(box.x + 0.25 * box.w, box.y + 0.75 * box.h)
    assert bench.said == [(0.25, 0.75)]
    bench = Bench(Shown(Stage("table"), RED))
    bench.tap(box.x + 0.25 * box.w, box.y + 0.75 * box.h)
    assert bench.said == []


def test_a_turned_picture_is_tapped_where_it_is_seen() -> None:
    box = picture_box(RED)
    bench = Bench(Shown(Stage("corners"), RED), rotate_deg=180)
    bench.tap(799 - (box.x + 0.25 * box.w), 479 - (box.y + 0.75 * box.h))
    assert bench.said == [(0.25, 0.75)]


def test_the_picture_is_drawn_in_its_box_with_the_corners_on_it() -> None:
    bench = Bench(Shown(Stage("corners", corners=((0.5, 0.5),)), RED))
    assert bench.window.step()
    box = draw.Frame.of(SIZE).pixels(picture_box(RED))
    assert bench.surface.get_at((box.left + 5, box.top + 5))[:3] == (200, 30, 30)
    ring = [bench.surface.get_at((box.centerx + x, box.centery))[:3] for x in range(12)]
    assert theme.TURN.paper in ring


def test_it_is_drawn_only_when_something_has_changed() -> None:
    bench = Bench(Shown(Stage("lens"), RED))
    assert [bench.window.step(), bench.window.step()] == [True, False]
    bench.shown = Shown(Stage("lens", good=1), RED)
    assert bench.window.step()
    assert bench.flips == 2


def test_a_window_that_is_closed_cancels() -> None:
    bench = Bench(Shown(Stage("lens")))
    bench.window.handle(pygame.event.Event(pygame.QUIT))
    assert bench.said == [CANCEL]
