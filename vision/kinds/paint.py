"""The bare plate of a tile, drawn for the virtual table and for training; the kinds paint their marks on it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points, Style

Canvas = NDArray[np.float32]


def plate(
    outline_px: Points,
    size_px: tuple[int, int],
    radius_px: float,
    style: Style,
    grain_depth: float = 0.0,
    seed: int = 0,
    grain_deg: float = 0.0,
) -> Canvas:
    """Draw a tile without marks: rounded corners, a bevel in the side's colour, plastic or wood.

    Args:
        outline_px: the sharp-cornered outline, (n, 2), pixel centres are whole numbers.
        size_px: width and height of the picture.
        grain_depth: by how much the grain of wood is darker and brighter than the face, as a part; 0 is plastic.
        seed: of the grain and the cloudiness.
        grain_deg: which way the grain of wood runs, clockwise from the picture's right.

    Returns:
        BGRA, (height, width, 4), 0..255, not yet rounded to whole numbers.
    """
    width, height = size_px
    depth = rounded_depth(outline_px, size_px, radius_px)
    canvas = np.empty((height, width, 4), np.float32)
    canvas[..., :3] = style.face
    noise = np.random.default_rng(seed).standard_normal((2, 48, 48)).astype(np.float32)
    if grain_depth:
        canvas[..., :3] *= 1 + np.float32(grain_depth) * grain(noise[0], size_px, grain_deg)[..., None]
    cloudy = cv2.resize(noise[1, :6, :6], size_px, interpolation=cv2.INTER_CUBIC)
    canvas[..., :3] *= 1 + 0.006 * cloudy[..., None]
    bevel_px = max(radius_px * 0.45, 1.0)
    edge = np.clip(1 - depth / bevel_px, 0, 1)[..., None] ** 1.5 * 0.7
    canvas[..., :3] += edge * (np.array(style.side, np.float32) - canvas[..., :3])
    canvas[..., 3] = 255 * np.clip(depth + 0.5, 0, 1)
    return canvas


def rounded_depth(outline_px: Points, size_px: tuple[int, int], radius_px: float) -> Canvas:
    """How far, in pixels, each pixel lies inside the outline once its corners are rounded; not to be written to."""
    return _rounded_depth(tuple((float(x), float(y)) for x, y in outline_px), size_px, radius_px)


@lru_cache(maxsize=16)
def _rounded_depth(corners: tuple[tuple[float, float], ...], size_px: tuple[int, int], radius_px: float) -> Canvas:
    outline_px = np.array(corners)
    width, height = size_px
    mask = np.zeros((height + 4, width + 4), np.uint8)
    cv2.fillPoly(mask, [np.round((outline_px + 2) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    mask[[0, 1, -2, -1]] = 0
    mask[:, [0, 1, -2, -1]] = 0
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) - 0.5
    core = (inside > radius_px).astype(np.uint8)
    beyond = cv2.distanceTransform(1 - core, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    depth = np.where(core > 0, inside, radius_px - beyond)
    depth = depth[2:-2, 2:-2].astype(np.float32)
    depth.flags.writeable = False
    return depth


def grain(noise: Canvas, size_px: tuple[int, int], turn_deg: float = 0.0) -> Canvas:
    """Stretch noise along the picture's width, or so far clockwise from it, into wood grain of about -1..1."""
    width, height = size_px
    if turn_deg:
        side = int(np.ceil(np.hypot(width, height)))
        turn = np.asarray(cv2.getRotationMatrix2D((side / 2, side / 2), -turn_deg, 1.0), float)
        turn[:, 2] += np.array([width - side, height - side]) / 2
        return np.asarray(cv2.warpAffine(grain(noise, (side, side)), turn, size_px), np.float32)
    fine = cv2.resize(noise[:, :4], (width, height), interpolation=cv2.INTER_CUBIC)
    rows = np.linspace(0, 9, height, dtype=np.float32)[:, None] * 2.0 * np.float32(np.pi)
    waves = np.sin(rows + 2.5 * cv2.resize(noise[:5, :3], (width, height), interpolation=cv2.INTER_CUBIC))
    return np.clip(0.5 * fine + 0.5 * waves, -1.5, 1.5).astype(np.float32)


def blend(canvas: Canvas, cover: Canvas, colour: tuple[float, float, float]) -> None:
    """Lay a colour (BGR) over the canvas where `cover` (height, width), 0..1, says so."""
    canvas[..., :3] += cover[..., None] * (np.array(colour, np.float32) - canvas[..., :3])


def spot(
    canvas: Canvas,
    centre_px: tuple[float, float],
    radius_px: float,
    colour: tuple[float, float, float],
    strength: float = 1.0,
    without_px: tuple[float, float] | None = None,
) -> None:
    """Draw a round spot with a soft edge, less an equal disc centred at `without_px` (leaving a crescent)."""
    height, width = canvas.shape[:2]
    left, top = (max(int(at - radius_px - 1), 0) for at in centre_px)
    right, bottom = min(int(centre_px[0] + radius_px + 3), width), min(int(centre_px[1] + radius_px + 3), height)
    x, y = np.arange(left, right, dtype=np.float32)[None, :], np.arange(top, bottom, dtype=np.float32)[:, None]

    def cover(x_px: float, y_px: float) -> Canvas:
        return np.clip(radius_px + 0.5 - np.hypot(x - x_px, y - y_px), 0, 1).astype(np.float32)

    shown = cover(*centre_px)
    if without_px is not None:
        shown -= np.minimum(shown, cover(*without_px))
    blend(canvas[top:bottom, left:right], strength * shown, colour)


def pip(
    canvas: Canvas,
    centre_px: tuple[float, float],
    radius_px: float,
    colour: tuple[int, int, int],
    light_deg: float | None = None,
) -> None:
    """Draw a pip: printed flat, or drilled and lit from a direction, with a dark and a bright crescent."""
    spot(canvas, centre_px, radius_px, colour)
    if light_deg is not None:
        blue, green, red = colour
        light = np.deg2rad(light_deg)
        x, y = float(0.3 * radius_px * np.cos(light)), float(0.3 * radius_px * np.sin(light))
        shade, shine = (blue * 0.35, green * 0.35, red * 0.35), (blue * 0.6 + 100, green * 0.6 + 100, red * 0.6 + 100)
        spot(canvas, centre_px, radius_px, shade, 0.55, (centre_px[0] - x, centre_px[1] - y))
        spot(canvas, centre_px, radius_px, shine, 0.4, (centre_px[0] + x, centre_px[1] + y))


def stud(canvas: Canvas, centre_px: tuple[float, float], radius_px: float, colour: tuple[int, int, int]) -> None:
    """Draw a domed metal pin: a dark rim, the metal, a highlight."""
    blue, green, red = colour
    spot(canvas, centre_px, radius_px, (blue * 0.55, green * 0.55, red * 0.55))
    spot(canvas, centre_px, radius_px * 0.85, colour)
    glint = (centre_px[0] - radius_px * 0.25, centre_px[1] - radius_px * 0.25)
    for step, part in enumerate((0.45, 0.35, 0.2)):
        light = 90 + 40 * step
        shine = (min(blue * 0.6 + light, 255), min(green * 0.6 + light, 255), min(red * 0.6 + light, 255))
        spot(canvas, glint, radius_px * part, shine, 0.5)


def finished(canvas: Canvas) -> Image:
    """Round the canvas to a BGRA picture."""
    return np.clip(np.rint(canvas), 0, 255).astype(np.uint8)
