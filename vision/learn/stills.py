"""Pictures of a table at rest, out of what a camera gives: one whenever something else lies there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision.frames import FrameSource
from vision.kinds import Image
from vision.motion import shrink

REST_S = 1.0  # so long nothing must have moved
DIFFERENT_LEVELS = 18  # a pixel of the small copy that differs so much shows something else
DIFFERENT_PIXELS = 40


def stills(source: FrameSource, enough: Callable[[], bool]) -> Iterator[Image]:
    """A picture each time the table has come to rest in another state, until the source ends or it is enough.

    Args:
        enough: asked after every frame.
    """
    taken: Image | None = None
    before: Image | None = None
    since_s = 0.0
    while not enough():
        frame = source.read()
        if frame is None:
            return
        small = shrink(frame.image)
        if before is None or _differ(small, before):
            since_s = frame.time_s
        elif frame.time_s - since_s >= REST_S and (taken is None or _differ(small, taken)):
            taken = small
            yield frame.image
        before = small


def _differ(small: Image, other: Image) -> bool:
    away = cv2.absdiff(small, other).max(axis=2)
    return int(np.count_nonzero(away > DIFFERENT_LEVELS)) > DIFFERENT_PIXELS
