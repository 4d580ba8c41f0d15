"""What years of play do to a face."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds.paint import Canvas

Floats = NDArray[np.float32]
Random = np.random.Generator


def worn(painted: Canvas, bare: Canvas, wear: float, random: Random) -> Canvas:
    """Rub the marks off in places, so that the bare plate shows: faded patches, chips and scratches."""
    if wear == 0:
        return painted
    height, width = painted.shape[:2]
    cells = int(random.integers(10, 40))
    rough = random.standard_normal((cells, cells)).astype(np.float32)
    patches = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    rubbed = np.clip(patches - 1.1, 0, 0.6) / 0.6
    if random.random() < 0.5:  # sharp-edged chips instead of a fading
        rubbed = np.clip((patches - random.uniform(1.0, 1.6)) * 8, 0, 1)
    rubbed = np.maximum(np.float32(wear) * rubbed, _scratches((width, height), wear, random))
    mixed: Canvas = painted + rubbed[..., None] * (bare - painted)
    return mixed


def _scratches(size_px: tuple[int, int], wear: float, random: Random) -> Floats:
    """Where lines have been scraped off, 0..1, (height, width)."""
    lines = np.zeros((size_px[1], size_px[0]), np.uint8)
    for _ in range(int(random.poisson(6 * wear))):
        start, way = random.uniform(0, size_px), random.uniform(0, 2 * np.pi)
        end = start + random.uniform(0.05, 0.5) * min(size_px) * np.array([np.cos(way), np.sin(way)])
        width = max(round(float(random.uniform(0.008, 0.035)) * min(size_px)), 1)
        ends = [(round(float(x)), round(float(y))) for x, y in (start, end)]
        cv2.line(lines, ends[0], ends[1], int(random.uniform(100, 255)), width, cv2.LINE_AA)
    return (lines / np.float32(255)).astype(np.float32)
