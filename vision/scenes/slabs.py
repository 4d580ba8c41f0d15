"""Flat things that lie on a table, and how a camera sees one: a lit top on its plane, side walls below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.kinds import Image
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics, Plane

FOOT_TONE = 0.62  # how bright a side wall is where it meets the table
BAND_PX, MOST_BANDS = 12.0, 6  # a wall is drawn in bands, each darker than the one above
FIXED_BITS = 4  # corners are drawn to a sixteenth of a pixel
_ONE = 1 << FIXED_BITS


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A part of a picture: `colour` is laid over what is there, which is first dimmed to `keep`.

    Both are BGR (height, width, 3) uint8; keep 255 lets all of the ground through.
    """

    box: Box
    colour: Image
    keep: Image

    def onto(self, picture: Image) -> None:
        """Lay the sprite over a picture."""
        part = picture[self.box.slices]
        cv2.multiply(part, self.keep, part, 1 / 255)
        cv2.add(part, self.colour, part)


class Relief:
    """The shape of a plate's top, from the alpha of its picture: its outline and the slope of its rim."""

    def __init__(self, alpha: Image, top_from_frame: Matrix, bevel_px: float) -> None:
        smooth = cv2.GaussianBlur(alpha.astype(np.float32) / np.float32(255), (0, 0), bevel_px)
        slopes = (-bevel_px * cv2.Sobel(smooth, cv2.CV_32F, *axis) for axis in ((1, 0), (0, 1)))
        self.slope_x, self.slope_y = (np.asarray(slope, np.float32) for slope in slopes)
        self.outline_mm = _outline(alpha, top_from_frame)

    @cached_property
    def reach_mm(self) -> float:
        """How far the farthest point of the outline is from the origin."""
        return float(np.linalg.norm(self.outline_mm, axis=1).max())


@dataclass(frozen=True, slots=True, eq=False)
class Slab:
    """A plate of some thickness: the picture on its top, the colour of its sides.

    `top` is premultiplied BGRA with an empty border; `top_from_frame` takes mm of the slab's own frame
    (origin about its middle) to pixels of `top`. A `foot` other than 1 is the size of the lower face.
    """

    top: Image
    top_from_frame: Matrix
    relief: Relief
    thickness_mm: float
    side: tuple[float, float, float]
    gloss: float = 0.5
    foot: float = 1.0


def slab(
    painted: Plane,
    top_from_frame: Matrix,
    thickness_mm: float,
    side: tuple[float, float, float],
    gloss: float = 0.5,
    foot: float = 1.0,
    relief: Relief | None = None,
) -> Slab:
    """A slab whose top bears a painted picture, BGRA 0..255 with an empty border; see `Slab`."""
    alpha = painted[..., 3:] / np.float32(255)
    top = np.concatenate([painted[..., :3] * alpha, painted[..., 3:]], axis=2)
    rounded = np.asarray(cv2.convertScaleAbs(top), np.uint8)
    if relief is None:
        scale = float(np.sqrt(abs(np.linalg.det(top_from_frame[:2, :2]))))
        relief = Relief(rounded[..., 3], top_from_frame, max(0.3 * scale, 0.8))
    return Slab(rounded, top_from_frame, relief, thickness_mm, side, gloss, foot)


def _outline(alpha: Image, top_from_frame: Matrix) -> Matrix:
    """The convex outline of what is covered, (n, 2) mm of the slab's frame, clockwise as seen."""
    contours, _ = cv2.findContours((alpha > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(contours, key=len)
    hull = cv2.convexHull(cv2.approxPolyDP(longest, 0.35, True), clockwise=False).reshape(-1, 2).astype(np.float64)
    middle = hull.mean(0)
    away = hull - middle
    grown = middle + away * (1 + 0.4 / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
    found = cv2.perspectiveTransform(grown[None], np.linalg.inv(top_from_frame))[0]
    area = cv2.contourArea(found.astype(np.float32), oriented=True)
    return np.asarray(found if area > 0 else found[::-1], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A slab somewhere on or above the table; the pose is that of its own frame."""

    slab: Slab
    x_mm: float
    y_mm: float
    angle_deg: float
    lift_mm: float = 0.0

    @property
    def centre_mm(self) -> Matrix:
        """Where it is on the table, (2,)."""
        return np.array([self.x_mm, self.y_mm])

    @property
    def top_mm(self) -> float:
        """The height of its top above the table."""
        return self.lift_mm + self.slab.thickness_mm

    @property
    def table_from_frame(self) -> Matrix:
        """The (3, 3) motion from its own frame to the table."""
        return motion(self.x_mm, self.y_mm, self.angle_deg)

    def outline_mm(self, size: float = 1.0) -> Matrix:
        """Its outline on the table, (n, 2)."""
        move = self.table_from_frame
        return np.asarray(size * self.slab.relief.outline_mm @ move[:2, :2].T + move[:2, 2])


def motion(x_mm: float, y_mm: float, angle_deg: float) -> Matrix:
    """The (3, 3) motion from a frame at a place, turned by an angle, to the table."""
    angle = np.deg2rad(angle_deg)
    cosine, sine = float(np.cos(angle)), float(np.sin(angle))
    return np.array([(cosine, -sine, x_mm), (sine, cosine, y_mm), (0.0, 0.0, 1.0)])


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Where a camera sees a placed slab: outlines in pixels, and the picture from the slab's frame at its top."""

    box: Box
    top_px: Matrix
    foot_px: Matrix
    picture_from_frame: Matrix


def view(placed: Placed, optics: Optics, margin_px: int = 3) -> View | None:
    """Where a slab is seen; None when it is out of the picture."""
    part, reach = placed.slab, placed.slab.relief.reach_mm
    from_table = optics.near(placed.centre_mm, reach, placed.top_mm)
    picture_from_frame = from_table @ placed.table_from_frame
    top = cv2.perspectiveTransform(part.relief.outline_mm[None], picture_from_frame)[0]
    below = optics.near(placed.centre_mm, reach, placed.lift_mm)
    foot = cv2.perspectiveTransform(placed.outline_mm(part.foot)[None], below)[0]
    both = np.concatenate([top, foot])
    left, upper = (max(int(np.floor(edge)) - margin_px, 0) for edge in both.min(0))
    right, lower = (int(np.ceil(edge)) + margin_px + 1 for edge in both.max(0))
    right, lower = min(right, optics.camera.width), min(lower, optics.camera.height)
    if right <= left or lower <= upper:
        return None
    return View(Box(left, upper, right - left, lower - upper), top, foot, picture_from_frame)


def render(placed: Placed, seen: View, light: Light, oversample: int = 2) -> Sprite:
    """Photograph a slab without its shadow, as bright as if the light were even."""
    box = seen.box
    canvas = np.zeros((box.height * oversample, box.width * oversample, 4), np.uint8)
    to_canvas = np.array(
        [
            (oversample, 0.0, (oversample - 1) / 2 - box.left * oversample),
            (0.0, oversample, (oversample - 1) / 2 - box.top * oversample),
            (0.0, 0.0, 1.0),
        ]
    )
    if placed.slab.thickness_mm > 0.5:
        top, foot = (cv2.perspectiveTransform(px[None], to_canvas)[0] for px in (seen.top_px, seen.foot_px))
        _draw_walls(canvas, top, foot, placed, light)
    way = to_canvas @ seen.picture_from_frame @ np.linalg.inv(placed.slab.top_from_frame)
    lit = lit_top(placed.slab, light, placed.angle_deg)
    top_layer = cv2.warpPerspective(lit, way, (canvas.shape[1], canvas.shape[0]), flags=cv2.INTER_LINEAR)
    whole = over(np.asarray(top_layer, np.uint8), canvas)
    if oversample > 1:
        whole = np.asarray(cv2.resize(whole, (box.width, box.height), interpolation=cv2.INTER_AREA), np.uint8)
    keep = 255 - whole[..., 3]
    return Sprite(box, np.ascontiguousarray(whole[..., :3]), np.asarray(cv2.merge([keep, keep, keep]), np.uint8))


def over(layer: Image, ground: Image) -> Image:
    """One premultiplied BGRA picture laid over another."""
    keep = 255 - layer[..., 3]
    return np.asarray(cv2.add(layer, cv2.multiply(ground, cv2.merge([keep] * 4), scale=1 / 255)), np.uint8)


def lit_top(part: Slab, light: Light, angle_deg: float) -> Image:
    """A slab's top under the light: its rim is brighter towards the lamp, darker away from it."""
    towards_x, towards_y = light.direction_in(angle_deg)
    facing = cv2.addWeighted(part.relief.slope_x, 0.55 * towards_x, part.relief.slope_y, 0.55 * towards_y, 1.0)
    bright = np.clip(facing, 0.7, 1.25)
    layers = cv2.merge([bright, bright, bright, np.ones_like(bright)])
    return np.asarray(cv2.multiply(part.top, layers, dtype=cv2.CV_8U), np.uint8)


def _draw_walls(canvas: Image, top: Matrix, foot: Matrix, placed: Placed, light: Light) -> None:
    """Draw the sides that the camera sees, each as bright as it faces the lamp, darker towards the foot."""
    side = np.array(placed.slab.side)
    cv2.fillConvexPoly(canvas, _fixed(hull_of(top, foot)), (*(0.6 * side), 255), cv2.LINE_AA, FIXED_BITS)
    outline = placed.outline_mm()
    towards_x, towards_y = light.direction_in(0.0)
    next_top, next_foot = np.roll(top, -1, axis=0), np.roll(foot, -1, axis=0)
    edges, down = next_top - top, foot - top
    outward = edges[:, 0] * down[:, 1] - edges[:, 1] * down[:, 0] < 0
    along = np.roll(outline, -1, axis=0) - outline
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.maximum(np.linalg.norm(along, axis=1), 1e-6)[:, None]
    tones = np.clip(0.72 + 0.4 * (normal[:, 0] * towards_x + normal[:, 1] * towards_y), 0.35, 1.1)
    bands = int(np.clip(np.abs(down).max() / BAND_PX, 1, MOST_BANDS))
    for index in np.flatnonzero(outward):
        for band in range(bands):
            upper, lower = 1 - band / bands, 1 - (band + 1) / bands
            depth = FOOT_TONE + (1 - FOOT_TONE) * (upper + lower) / 2
            quad = np.array(
                [
                    foot[index] + upper * (top[index] - foot[index]),
                    next_foot[index] + upper * (next_top[index] - next_foot[index]),
                    next_foot[index] + lower * (next_top[index] - next_foot[index]),
                    foot[index] + lower * (top[index] - foot[index]),
                ]
            )
            colour = np.minimum(side * tones[index] * depth, 255)
            cv2.fillConvexPoly(canvas, _fixed(quad), (*colour, 255), cv2.LINE_8, FIXED_BITS)


def hull_of(*outlines_px: Matrix) -> Matrix:
    """The convex hull of outlines, (n, 2)."""
    every = np.concatenate(outlines_px).astype(np.float32)
    return np.asarray(cv2.convexHull(every), np.float64).reshape(-1, 2)


def _fixed(points: Matrix) -> NDArray[np.int32]:
    return np.round(points * _ONE).astype(np.int32)


def fill(mask: NDArray[Any], points_px: Matrix, value: float, smooth: bool = False) -> None:
    """Fill a convex outline in a picture of one channel."""
    cv2.fillConvexPoly(mask, _fixed(points_px), value, cv2.LINE_AA if smooth else cv2.LINE_8, FIXED_BITS)
