"""What a sensor and a file make of the light that comes through a lens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image

Floats = NDArray[np.float32]
Random = np.random.Generator
NOISE_SIZE_PX = 1024


@dataclass(frozen=True, slots=True)
class Sensor:
    """A camera's faults: noise in levels at mid grey and its grain in pixels, sharpening, tone curve, JPEG."""

    noise: float
    shot_share: float
    noise_grain_px: float
    sharpen: float
    gamma: float
    jpeg_quality: int

    def picture(self, light: Floats, random: Random) -> Image:
        """The BGR picture of what comes through the lens, (height, width, 3), 255 where the sensor is full."""
        levels = np.asarray(cv2.convertScaleAbs(light), np.uint8)
        tone = np.asarray(cv2.LUT(levels, self._tone()), np.uint8)
        loud = np.asarray(cv2.LUT(tone, self._loudness()), np.float32)
        grain = noise_about(light.shape[:2], self.noise_grain_px, random)
        seen = cv2.add(cv2.multiply(grain, loud), tone, dtype=cv2.CV_32F)
        if self.sharpen:
            seen = cv2.addWeighted(seen, 1 + self.sharpen, cv2.GaussianBlur(seen, (0, 0), 1.2), -self.sharpen, 0)
        _, packed = cv2.imencode(
            ".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, self.jpeg_quality]
        )
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def _tone(self) -> Image:
        return np.rint(255 * (np.arange(256) / 255) ** self.gamma).astype(np.uint8)

    def _loudness(self) -> Floats:
        shot = np.sqrt(np.maximum(np.arange(256), 5) / 128)
        return (self.noise * (self.shot_share * shot + 1 - self.shot_share)).astype(np.float32)


def draw_sensor(random: Random, harsh: bool) -> Sensor:
    """Make up a camera: as one has it over a table, or a harsh one."""
    sharpened = random.random() < 0.5
    return Sensor(
        noise=float(random.uniform(0.5, 6 if harsh else 4)),
        shot_share=float(random.uniform(0.3, 0.9)),
        noise_grain_px=float(random.choice([0.0, 0.5, 0.8])),
        sharpen=float(random.uniform(0, 1.2 if harsh else 0.6)) if sharpened else 0.0,
        gamma=float(random.uniform(0.8, 1.2) if harsh else random.uniform(0.87, 1.15)),
        jpeg_quality=int(random.integers(65 if harsh else 75, 96)),
    )


def noise_about(size: tuple[int, int], grain_px: float, random: Random) -> Floats:
    """Noise of unit spread, (height, width, 3), mostly of brightness, a little of colour: a part of one kept field."""
    field = _field(round(10 * grain_px))
    reach = field.shape[0]
    y, x = random.integers(reach, size=2)
    if size[0] > reach or size[1] > reach:
        times = (-(-size[0] // reach) + 1, -(-size[1] // reach) + 1, 1)
        return np.ascontiguousarray(np.tile(field, times)[y : y + size[0], x : x + size[1]])
    down, right = y + size[0] - reach, x + size[1] - reach
    part = field[min(y, y - max(down, 0)) :, min(x, x - max(right, 0)) :][: size[0], : size[1]]
    turned = part[:: 1 if random.random() < 0.5 else -1, :: 1 if random.random() < 0.5 else -1]
    return np.ascontiguousarray(turned)


@lru_cache(maxsize=3)
def _field(grain_tenths: int) -> Floats:
    random = np.random.default_rng([grain_tenths, 8])
    size = (NOISE_SIZE_PX, NOISE_SIZE_PX)
    grey = random.standard_normal((*size, 1), np.float32)
    field = 0.8 * grey + 0.6 * random.standard_normal((*size, 3), np.float32)
    if grain_tenths:
        field = np.asarray(cv2.GaussianBlur(field, (0, 0), grain_tenths / 10), np.float32)
        field /= field.std()
    field.flags.writeable = False
    return field
