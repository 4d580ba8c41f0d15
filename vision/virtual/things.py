"""Things on a table that are no tiles, as the live table photographs them."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.scenes.slabs import Slab, slab

BORDER_PX = 4
PX_PER_MM = 4.0
# Length, width, thickness, mm; colours of the rim, of what is inside, of the sides (BGR).
Looks = tuple[float, float, float, tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
THINGS: dict[str, Looks] = {
    "cup": (74.0, 74.0, 60.0, (232, 238, 240), (30, 48, 78), (205, 210, 214)),
    "phone": (148.0, 72.0, 8.0, (70, 66, 64), (22, 20, 20), (60, 56, 54)),
    "pen": (138.0, 10.0, 9.0, (140, 60, 30), (150, 70, 40), (90, 40, 20)),
    "card": (88.0, 58.0, 0.4, (238, 240, 242), (214, 222, 228), (220, 222, 224)),
}
ROUND = ("cup",)


@lru_cache(maxsize=len(THINGS))
def thing(what: str) -> Slab:
    """A thing as a plate with a picture on top."""
    length, width, thickness, rim, inside, side = THINGS[what]
    columns, rows = (round(size * PX_PER_MM) + 2 * BORDER_PX for size in (length, width))
    canvas = np.zeros((rows, columns, 4), np.float32)
    middle = ((columns - 1) / 2, (rows - 1) / 2)
    for colour, inset in ((rim, BORDER_PX), (inside, BORDER_PX + round(min(3.0, width / 4) * PX_PER_MM))):
        if what in ROUND:
            at = (round(middle[0]), round(middle[1]))
            cv2.circle(canvas, at, columns // 2 - inset, (*colour, 255), -1, cv2.LINE_AA)
        else:
            cv2.rectangle(canvas, (inset, inset), (columns - 1 - inset, rows - 1 - inset), (*colour, 255), -1)
    way = np.array([(PX_PER_MM, 0.0, middle[0]), (0.0, PX_PER_MM, middle[1]), (0.0, 0.0, 1.0)])
    return slab(canvas, way, thickness, side)
