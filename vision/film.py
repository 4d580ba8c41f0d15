"""A film of a demo: what the camera sees, the screen beside it, the red light and the buzzer below."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.frames import Image

KINDS = (".webp", ".png", ".gif")
TABLE_PX, SCREEN_PX = (582, 400), (667, 400)  # width, height
GAP_PX, STRIP_PX = 6, 44
QUALITY = 72  # of 100, for WebP
CHANGED_LEVELS, CHANGED_AROUND_PX = 5, 7  # what differs by more is taken anew, and so much round it
PAPER, INK = (32, 29, 22), (216, 236, 244)
LAMP, LAMP_OFF, GLOW = (32, 48, 255), (24, 26, 70), (26, 30, 120)
LAMP_RADIUS_PX, GLOW_RADIUS_PX, RINGS = 15, 20, 3
LAST_MS = 4000


class Film:
    """Pictures with the time for which each is shown; a picture like the one before makes that one longer.

    Args:
        picture_ms: how long each is shown.
    """

    def __init__(self, picture_ms: int) -> None:
        self._picture_ms = picture_ms
        self._pictures: list[Image] = []
        self._durations_ms: list[int] = []
        self._table: Image | None = None

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return sum(self._durations_ms) / 1000

    def take(self, table: Image, screen: Image, light: bool, buzz: bool) -> None:
        """Add a picture.

        Args:
            table: the camera's picture of the table.
            screen: what the screen shows, of the size `SCREEN_PX`.
            light: whether the red light is on.
            buzz: whether the buzzer sounds.
        """
        self._table = _steady(
            np.asarray(cv2.resize(table, TABLE_PX, interpolation=cv2.INTER_AREA), np.uint8), self._table
        )
        picture = _beside(self._table, screen, light, buzz)
        if self._pictures and np.array_equal(picture, self._pictures[-1]):
            self._durations_ms[-1] += self._picture_ms
        else:
            self._pictures.append(picture)
            self._durations_ms.append(self._picture_ms)

    def write(self, file: Path) -> None:
        """Write it as an animated picture of the kind that the file's suffix says, one of `KINDS`.

        Raises:
            OSError: if it cannot be written.
        """
        animation = cv2.Animation()
        animation.frames = self._pictures
        animation.durations = [*self._durations_ms[:-1], LAST_MS]
        _, data = cv2.imencodeanimation(file.suffix, animation, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
        file.write_bytes(data.tobytes())


def _steady(picture: Image, before: Image | None) -> Image:
    """The picture as before wherever it shows the same: noise of a camera would only make the film large."""
    if before is None:
        return picture
    differs = (cv2.absdiff(picture, before).max(axis=2) > CHANGED_LEVELS).astype(np.uint8)
    differs = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    anew = cv2.dilate(differs, np.ones((CHANGED_AROUND_PX, CHANGED_AROUND_PX), np.uint8))
    return np.where(anew[..., None] > 0, picture, before)


def _beside(table: Image, screen: Image, light: bool, buzz: bool) -> Image:
    """One picture of all."""
    height, width = GAP_PX + TABLE_PX[1] + STRIP_PX, 3 * GAP_PX + TABLE_PX[0] + SCREEN_PX[0]
    picture = np.full((height, width, 3), PAPER, np.uint8)
    for part, left in ((table, GAP_PX), (screen, 2 * GAP_PX + TABLE_PX[0])):
        picture[GAP_PX : GAP_PX + part.shape[0], left : left + part.shape[1]] = part
    middle = (GAP_PX + TABLE_PX[0] // 2, height - STRIP_PX // 2)
    if light:
        cv2.circle(picture, middle, GLOW_RADIUS_PX, GLOW, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(picture, middle, LAMP_RADIUS_PX, LAMP if light else LAMP_OFF, cv2.FILLED, cv2.LINE_AA)
    for ring in range(RINGS if buzz else 0):
        radius = GLOW_RADIUS_PX + 9 * (ring + 1)
        for towards_deg in (0, 180):
            cv2.ellipse(picture, middle, (radius, radius), towards_deg, -25, 25, INK, 3, cv2.LINE_AA)
    return picture
