"""Small pictures of tiles that came: the place before and after, the tile outlined. The table keeps what it needs.

They show the table round the tile and nothing beyond the mat. They are left in the runtime directory, so many of them
at a time, and are taken only when the table comes to rest with a new tile on it.
"""

from __future__ import annotations

import logging
import shutil
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import cv2
import numpy as np

from calibration.profile import Matrix, Profile
from referee.config import SIDES, Places
from referee.sighting import SeenTile
from vision.faces import pose_of
from vision.kinds import Image
from vision.outlines import Template
from vision.rectify import Still, Window, place

WIDTH_PX, HEIGHT_PX = 320, 240
WIDE_TILES = 4.0  # so many tiles' lengths are seen from left to right
MOST_AT_ONCE = 6  # tiles that come in one rest: more are a hand of tiles, or the table being set up
MOST_LEFT = 60  # the newest stay for the table
LARGEST_BYTES = 20 * 1024
QUALITIES = (80, 60, 40, 20)
RIM_MM = 1.5  # between a tile's edge and the line round it
OUTLINE = ((0, 0, 0), 4), ((40, 235, 255), 2)  # a dark rim makes the bright line seen on every ground

log = logging.getLogger(__name__)


class Witness:
    """Takes the pictures of each tile that came.

    Args:
        places: where the table looks for them.
        profile: the mat, beyond which nothing is shown, and the size of the tiles.
    """

    def __init__(self, places: Places, profile: Profile) -> None:
        self._places = places
        mat, length_mm = profile.mat, profile.shape.length_mm
        width_mm = min(WIDE_TILES * length_mm, mat.width_mm, mat.height_mm * WIDTH_PX / HEIGHT_PX)
        self._mat_mm = (mat.width_mm, mat.height_mm)
        self._size_mm = (width_mm, width_mm * HEIGHT_PX / WIDTH_PX)
        self._name = uuid4().hex[:16]  # another eye's pictures are called otherwise
        self._taken = 0
        self._left: deque[str] = deque()
        self._is_failing = False
        shutil.rmtree(places.runtime / "pictures", ignore_errors=True)  # what an earlier eye left

    def seen(self, before: Still, now: Still, tiles: Sequence[SeenTile], template: Template) -> tuple[SeenTile, ...]:
        """The tiles that came, each with the name of its pictures where they could be taken.

        Args:
            before: the table as it last lay at rest; what lay there when the eye began has no pictures.
            now: the table with the tiles.
            tiles: what is new on it.
            template: the outline of such a tile.
        """
        if len(tiles) > MOST_AT_ONCE or before.image is None:
            return tuple(tiles)
        try:
            named = tuple(replace(tile, picture=self._take(before, now, tile, template)) for tile in tiles)
        except OSError as error:
            if not self._is_failing:
                log.warning("pictures of tiles cannot be taken (%s)", error)
            self._is_failing = True
            return tuple(tiles)
        self._is_failing = False
        return named

    def _take(self, before: Still, now: Still, tile: SeenTile, template: Template) -> str:
        name = f"{self._name}-{self._taken}"
        self._taken += 1
        self._left.append(name)
        window = self.window(tile)
        rim = template.outline_mm * (1.0 + RIM_MM / template.inner_mm)
        outline = window.to_pixels(place(rim, *pose_of(tile)))
        (self._places.runtime / "pictures").mkdir(mode=0o700, exist_ok=True)
        for side, still in zip(SIDES, (before, now), strict=True):
            self._places.fresh_picture(name, side).write_bytes(packed(outlined(still.window(window), outline)))
        while len(self._left) > MOST_LEFT:
            oldest = self._left.popleft()
            for side in SIDES:
                self._places.fresh_picture(oldest, side).unlink(missing_ok=True)
        return name

    def window(self, tile: SeenTile) -> Window:
        """The part of the mat round a tile, moved inward where it would reach beyond the mat."""
        width_mm, height_mm = self._size_mm
        left_mm = np.clip(tile.x_mm - width_mm / 2, 0.0, self._mat_mm[0] - width_mm)
        top_mm = np.clip(tile.y_mm - height_mm / 2, 0.0, self._mat_mm[1] - height_mm)
        return Window(float(left_mm), float(top_mm), width_mm, height_mm, WIDTH_PX / width_mm)


def outlined(picture: Image, outline: Matrix) -> Image:
    """The picture with a tile's outline, (n, 2) pixels, drawn on it."""
    corners = (outline * 8).round().astype(np.int32)  # in eighths of a pixel
    for colour, thickness in OUTLINE:
        cv2.polylines(picture, [corners], True, colour, thickness, cv2.LINE_AA, shift=3)
    return picture


def packed(picture: Image) -> bytes:
    """The picture as a JPEG, as good as its largest size lets it be."""
    for quality in QUALITIES:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if len(data) <= LARGEST_BYTES:
            break
    return data.tobytes()
