"""Which of a camera's pictures are worth looking at, told by the small one that comes with each.

A large picture is copied out of the camera's memory before anybody can look at it. On a table that has lain still for
a while the next one shows nothing that the last did not: then only a few a second are taken, to see that the camera
stands and the light is as it was. The moment anything differs every picture is taken again, that one first, and for
longer than the motion gate waits for a hand that rests: what still frames agree on is told as soon as ever.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.kinds import Image
from vision.motion import PATIENCE_S

IDLE_S = 0.3  # between two pictures of a table that lies still
STILL_S = PATIENCE_S + 2.0  # for which every picture is taken after the last that differed
SMOOTHED = 3  # pixels of the small picture at half its size, along and across
DIFFERENT_LEVELS = 4  # less than the motion gate asks for, so that it is never kept from seeing what it would see
DIFFERENT_PIXELS = 6


class Thrift:
    """Judges small pictures, one after another; of those that are the same it lets few through."""

    def __init__(self) -> None:
        self._taken: Image | None = None
        self._taken_s = self._differed_s = 0.0

    def worth(self, small: Image, now_s: float) -> bool:
        """Whether the large picture that comes with this small one is worth taking.

        Args:
            small: one channel, or several side by side, (height, width).
        """
        halved = cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA)
        smooth = np.asarray(cv2.blur(halved, (SMOOTHED, SMOOTHED)), np.uint8)
        if self._taken is None or _differ(smooth, self._taken):
            self._differed_s = now_s
        elif now_s - self._differed_s > STILL_S and now_s - self._taken_s < IDLE_S:
            return False
        self._taken, self._taken_s = smooth, now_s
        return True


def _differ(one: Image, other: Image) -> bool:
    if one.shape != other.shape:
        return True
    _, differing = cv2.threshold(cv2.absdiff(one, other), DIFFERENT_LEVELS, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(differing) > DIFFERENT_PIXELS
