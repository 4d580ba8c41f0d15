"""One way in for fingers and mice: whatever mix of events a tap arrives as, it is one press and one release.

SDL tells of a finger, and again of a mouse that the finger moved; a compositor may add a mouse of its own a moment
later, and a panel may send mice only. Whichever comes first is the press; the others are its echoes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot

import pygame

ECHO_S = 0.6
NEAR_PX = 40


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger comes down on a pixel of the picture, or leaves it."""

    is_down: bool
    pixel: tuple[int, int]


class Touches:
    """Makes touches of the window's events, in pixels of the picture as people see it.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._finger: object = None
        self._is_down = False
        self._finger_s = float("-inf")
        self._finger_at = (0, 0)

    def take(self, event: pygame.event.Event, size: tuple[int, int], rotate_deg: int = 0) -> Touch | None:
        """The touch that an event is; None for an echo, and for what is no touch.

        Args:
            size: the window's width and height in pixels.
            rotate_deg: how far the picture is turned clockwise in the window.
        """
        if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
            at = (min(size[0] - 1, int(event.x * size[0])), min(size[1] - 1, int(event.y * size[1])))
            which: object = (getattr(event, "touch_id", 0), event.finger_id)
            is_down = event.type == pygame.FINGERDOWN
            self._finger_s, self._finger_at = self._clock(), at
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == 1:
            at, which, is_down = event.pos, None, event.type == pygame.MOUSEBUTTONDOWN
            if is_down and not self._is_down and self._is_echo(at):
                return None
        else:
            return None
        if not (self._is_press(which) if is_down else self._is_release(which)):
            return None
        self._is_down = is_down
        self._finger = which if is_down else None
        return Touch(is_down, unturned(at, size, rotate_deg))

    def _is_press(self, which: object) -> bool:
        """Whether a finger (None: a mouse) comes down by itself, as no echo of what is down already."""
        if not self._is_down or which == self._finger:
            return True  # if it was down, its release was lost
        if self._finger is None:
            self._finger = which  # the mouse was the echo of this finger
        return False

    def _is_release(self, which: object) -> bool:
        """Whether this is the finger that came down, or the mouse that echoes it."""
        return self._is_down and (which is None or self._finger in (None, which))

    def _is_echo(self, at: tuple[int, int]) -> bool:
        """Whether a mouse was pressed where a finger has just been."""
        away = hypot(at[0] - self._finger_at[0], at[1] - self._finger_at[1])
        return self._clock() - self._finger_s < ECHO_S and away < NEAR_PX


def seen(size: tuple[int, int], rotate_deg: int) -> tuple[int, int]:
    """The size of the picture that fills a window of this size when it is turned."""
    return size if rotate_deg in (0, 180) else (size[1], size[0])


def unturned(at: tuple[int, int], size: tuple[int, int], rotate_deg: int) -> tuple[int, int]:
    """The pixel of the picture that is seen at a pixel of the window, the picture being turned clockwise."""
    x, y = at
    width, height = size
    return {
        90: (y, width - 1 - x),
        180: (width - 1 - x, height - 1 - y),
        270: (height - 1 - y, x),
    }.get(rotate_deg, (x, y))
