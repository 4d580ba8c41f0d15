"""Printed marks: dark blobs on a bright face, such as the digits in the corners of a triomino."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.still.candidate import darker_than_around

Glyphs = NDArray[np.float64]  # (n, 3): centre x, y and the longer side
Gray = NDArray[np.uint8]

WINDOWS = (25, 49, 97, 193)
DARKNESS = (0.85, 0.72, 0.55)
HEIGHT_PX = (7.0, 130.0)
SLENDEREST = 7.0
MIN_CONTRAST = 30.0
MOST = 700
MOST_BLOBS = 4000  # at one threshold, the longest outlines first: more are noise, and specks are no marks


def glyphs(gray: Gray) -> Glyphs:
    """The marks of a picture, the most contrasting first, each once."""
    rows: list[tuple[float, ...]] = []
    for dark, small, scale, window in darker_than_around(gray, WINDOWS, DARKNESS):
        # Outer outlines of all blobs, also of those that lie inside a dark surround.
        contours, levels = cv2.findContours(dark, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        outer = [one for one, level in zip(contours, levels[0], strict=True) if level[3] < 0] if contours else []
        if len(outer) > MOST_BLOBS:
            outer = sorted(outer, key=len, reverse=True)[:MOST_BLOBS]
        rows.extend(row for contour in outer if (row := _as_glyph(small, np.asarray(contour, np.int32), scale, window)))
    found = np.array(rows, np.float64).reshape(-1, 4)
    found = found[np.argsort(-found[:, 3], kind="stable")]
    return _each_once(found)


def _as_glyph(small: Gray, contour: NDArray[np.int32], scale: float, window: int) -> tuple[float, ...] | None:
    """Centre, height and contrast of a mark that a ring of bright face surrounds."""
    if len(contour) < 6:
        return None
    _, _, width, height = cv2.boundingRect(contour)
    longest = min(1.1 * window, HEIGHT_PX[1]) * scale
    if not HEIGHT_PX[0] * min(scale, 0.7) <= max(width, height) <= longest:
        return None
    (x, y), size, turn = cv2.minAreaRect(contour)
    size = (size[0] + 1, size[1] + 1)
    tall = max(size)
    if tall > SLENDEREST * min(size):
        return None
    rim = cv2.boxPoints(((x, y), (size[0] + 0.3 * tall, size[1] + 0.3 * tall), turn))
    ring = np.concatenate([rim, (rim + np.roll(rim, 1, 0)) / 2]).round().astype(int)
    ring[:, 0], ring[:, 1] = ring[:, 0].clip(0, small.shape[1] - 1), ring[:, 1].clip(0, small.shape[0] - 1)
    around = np.sort(small[ring[:, 1], ring[:, 0]])
    on = contour[:, 0, :]
    ink = float(np.sort(small[on[:, 1], on[:, 0]])[: len(on) // 2 + 1].mean())
    contrast = float(around[2]) - ink
    if contrast < MIN_CONTRAST or contrast < 0.15 * around[2]:
        return None
    shift = 0.5 / scale - 0.5
    return (x / scale + shift, y / scale + shift, tall / scale, contrast)


def _each_once(found: NDArray[np.float64]) -> Glyphs:
    kept = np.empty((0, 4))
    for row in found:
        if len(kept) == MOST:
            break
        away = np.hypot(kept[:, 0] - row[0], kept[:, 1] - row[1])
        same = (away < 0.3 * np.minimum(kept[:, 2], row[2])) & (np.abs(np.log(kept[:, 2] / row[2])) < 0.35)
        if not same.any():
            kept = np.vstack([kept, row])
    return kept[:, :3]
