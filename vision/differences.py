"""How two pictures of the table differ: shadows told from things, the bare mat imagined."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.kinds import Image

GRID = 8
LEAST_LEVELS, MOST_LEVELS = 16.0, 40.0
DARKEST_SHADOW, BRIGHTEST_LIGHT = 0.5, 1.25
LIT = 0.95  # no shadow is so faint
INK_MM = 7.0  # a tile's dark marks can look like the mat, or like a shadow on it; holes this wide are closed


def difference(picture: Image, before: Image) -> Image:
    """How far two BGR pictures of the same exposure differ: the largest channel, 0..255."""
    blue, green, red = cv2.split(cv2.absdiff(picture, before))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def difference_beyond_light(picture: Image, before: Image, brightest: float = BRIGHTEST_LIGHT) -> Image:
    """The difference that no shadow and no brighter light explains: the largest channel, 0..255.

    Light scales all channels of a pixel alike, and not by any amount.
    """
    now, then = (cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32) + 2.0 for part in (picture, before))
    scale = np.clip(now / then, DARKEST_SHADOW, brightest)
    lit = before * cv2.merge([scale, scale, scale])
    return difference(picture, np.asarray(cv2.convertScaleAbs(lit), dtype=np.uint8))


def shadow(picture: Image, before: Image) -> Image:
    """The mask (0 or 255) of what is as before, but darker."""
    now, then = (cv2.blur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (5, 5)) for part in (picture, before))
    darker = now < LIT * then
    same = difference_beyond_light(picture, before, brightest=1.0) <= LEAST_LEVELS
    return np.where(darker & same, 255, 0).astype(np.uint8)


def noise_level(differing: Image) -> float:
    """Grey levels above which a difference is more than noise, told from where most has not changed."""
    return float(np.clip(6.0 * np.median(differing[::GRID, ::GRID]), LEAST_LEVELS, MOST_LEVELS))


def mask_above(differing: Image, level: float) -> Image:
    """The mask (0 or 255) of what differs by more than a level, single pixels left out."""
    mask = cv2.threshold(differing, level, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def closed(mask: Image, px_per_mm: float) -> Image:
    """A mask with the holes closed that a tile's own dark marks leave in it."""
    size = round(INK_MM * px_per_mm)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)


def likeness(first: Image, second: Image, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> float:
    """The correlation (-1..1) of two BGR pictures at some pixels; light alone hardly changes it."""
    one, two = (part[rows, columns].mean(axis=1) for part in (first, second))
    one, two = one - one.mean(), two - two.mean()
    scale = float(np.sqrt((one @ one) * (two @ two)))
    return float(one @ two) / scale if scale > 0.0 else 0.0


def bare_mat(flat: Image) -> Image:
    """What the mat alone would look like: a smooth surface through its commonest colours, (height, width, 3)."""
    height, width = flat.shape[:2]
    rows, columns = np.mgrid[GRID // 2 : height : GRID, GRID // 2 : width : GRID].reshape(2, -1)
    colours = flat[rows, columns].astype(np.float64)

    def terms(row: Matrix, column: Matrix) -> Matrix:
        y, x = row / height - 0.5, column / width - 0.5
        return np.stack([np.ones(x.shape), x, y, x * y, x * x, y * y], axis=-1)

    grid = terms(rows.astype(np.float64), columns.astype(np.float64))
    away = np.abs(colours - np.median(colours, axis=0)).max(axis=1)
    weights = np.zeros((6, 3))
    for _ in range(4):
        keep = away <= max(12.0, 2.5 * float(np.median(away)))
        weights, *_ = np.linalg.lstsq(grid[keep], colours[keep], rcond=None)
        away = np.abs(colours - grid @ weights).max(axis=1)
    knots = np.meshgrid(np.arange(0, height + GRID, GRID), np.arange(0, width + GRID, GRID), indexing="ij")
    surface = np.clip(terms(*(knot - 0.5 + GRID / 2 for knot in knots)) @ weights, 0, 255)
    size = (surface.shape[1] * GRID, surface.shape[0] * GRID)
    fine = cv2.resize(surface.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.round(fine[:height, :width]).astype(np.uint8)
