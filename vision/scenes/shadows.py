"""The soft shadows that things on a table throw, on the table and on what is as high as tiles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics
from vision.scenes.slabs import Placed, fill, hull_of

Floats = NDArray[np.float32]
SHADOW_STEP_PX = 2  # shadows are soft: every second pixel will do
OFF_THE_PLANE_MM = 0.5
TALL_MM = 16.0


def light_left(
    things: Sequence[Placed],
    optics: Optics,
    light: Light,
    height_mm: float = 0.0,
    soft_px: float = 0.6,
    box: Box | None = None,
) -> Floats:
    """The share of light that things leave of a plane at a height above the table, (height, width) of the box.

    Args:
        box: the part of the picture that is of interest; all of it when None.
    """
    box = box or Box(0, 0, optics.camera.width, optics.camera.height)
    throwing = [thing for thing in things if thing.top_mm > height_mm + OFF_THE_PLANE_MM]
    tall = [thing for thing in throwing if thing.top_mm - thing.lift_mm > TALL_MM]
    low = [thing for thing in throwing if thing not in tall]
    left = _under(low, optics, light, height_mm, soft_px, box)
    if tall:  # their shadows are the softer, the farther they reach
        left = left * _under(tall, optics, light, height_mm, 6 * soft_px, box)
    return left


def _under(
    throwing: Sequence[Placed], optics: Optics, light: Light, height_mm: float, soft_px: float, box: Box
) -> Floats:
    dark = np.zeros((-(-box.height // SHADOW_STEP_PX), -(-box.width // SHADOW_STEP_PX)), np.float32)
    struck = np.empty(dark.shape, np.uint8)
    planes = [_plane(thing, optics, height_mm, box) for thing in throwing]
    for slope_x, slope_y, weight in light.samples:
        struck[:] = 0
        for thing, (map_from_table, low, high) in zip(throwing, planes, strict=True):
            away = -np.array([slope_x, slope_y])
            outline = np.concatenate([thing.outline_mm(thing.slab.foot) + low * away, thing.outline_mm() + high * away])
            seen = cv2.perspectiveTransform(outline[None], map_from_table)[0]
            fill(struck, hull_of(seen), 255, smooth=True)
        dark += np.float32(weight / 255) * struck
    left = cv2.GaussianBlur(1 - dark, (0, 0), soft_px / SHADOW_STEP_PX + 0.3)
    full = cv2.resize(left, None, fx=SHADOW_STEP_PX, fy=SHADOW_STEP_PX, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(full[: box.height, : box.width], np.float32)


def _plane(thing: Placed, optics: Optics, height_mm: float, box: Box) -> tuple[Matrix, float, float]:
    """How the shadow map sees the plane around a thing, and how far above it the thing begins and ends."""
    low, high = max(thing.lift_mm - height_mm, 0.0), thing.top_mm - height_mm
    step = SHADOW_STEP_PX
    shrink = np.array(
        [
            (1 / step, 0.0, (0.5 - box.left) / step - 0.5),
            (0.0, 1 / step, (0.5 - box.top) / step - 0.5),
            (0.0, 0.0, 1.0),
        ]
    )
    return shrink @ optics.near(thing.centre_mm, thing.slab.relief.reach_mm + 1.2 * high, height_mm), low, high
