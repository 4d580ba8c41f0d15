"""A hand with its sleeve: modelled as a relief of rounded bones, lit once, then laid over pictures.

The hand's own frame, in mm as seen from above: the origin is where the fingertips pinch, the arm lies
along -x, y is 90 degrees clockwise from x.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.kinds import Image
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics, Plane
from vision.scenes.slabs import Sprite

PX_PER_MM = 2.0
BEHIND_MM, AHEAD_MM, ASIDE_MM = 900.0, 40.0, 85.0
SEAT_STEP_DEG = 15
HAND_MM = 230.0  # the part of the arm that is modelled bone by bone

Bone = tuple[float, float, float, float, float, float]  # x, y, radius; x, y, radius

# A right hand: holding a tile between finger and thumb, and flat for sweeping.
_PINCH: tuple[Bone, ...] = (
    (-6, 1, 7.5, -30, 14, 8.5), (-30, 14, 8.5, -66, 22, 10.5), (-66, 22, 10.5, -158, 8, 20),  # forefinger
    (-9, -9, 8, -36, -26, 9.5), (-36, -26, 9.5, -76, -34, 13), (-76, -34, 13, -158, -8, 20),  # thumb
    (-22, 24, 7.5, -44, 32, 8.5), (-44, 32, 8.5, -72, 36, 10.5), (-72, 36, 10.5, -158, 10, 21),
    (-40, 43, 7.5, -58, 48, 8.5), (-58, 48, 8.5, -80, 49, 10.5), (-80, 49, 10.5, -160, 14, 20),
    (-58, 58, 7, -72, 61, 7.5), (-72, 61, 7.5, -90, 60, 9.5), (-90, 60, 9.5, -160, 16, 19),
    (-84, 6, 17, -160, 0, 24), (-158, 4, 24, -260, 0, 27),
)  # fmt: skip
_FLAT: tuple[Bone, ...] = (
    (-10, -26, 7.5, -78, -26, 10.5), (-78, -26, 10.5, -165, -10, 21),
    (0, -6, 7.5, -75, -6, 11), (-75, -6, 11, -165, -4, 22),
    (-6, 14, 7.5, -76, 13, 10.5), (-76, 13, 10.5, -165, 4, 21),
    (-26, 34, 7, -84, 30, 9.5), (-84, 30, 9.5, -165, 8, 20),
    (-62, -62, 8.5, -98, -44, 11), (-98, -44, 11, -160, -10, 20),
    (-100, 0, 18, -165, 0, 24), (-160, 0, 24, -260, 0, 27),
)  # fmt: skip
_NAILS = {"pinch": ((-4.0, 2.0, 4.6, 3.4, -28.0),), "flat": ((1.5, -6.0, 5.0, 3.8, 0.0), (-8.5, -26.0, 5.0, 3.8, 0.0),
          (-4.5, 14.0, 5.0, 3.8, 0.0), (-24.5, 34.0, 4.4, 3.4, 0.0))}  # fmt: skip
_SKINS = ((150, 178, 222), (126, 156, 205), (92, 124, 176), (64, 88, 132))  # BGR
_SLEEVES = ((104, 58, 34), (52, 46, 112), (70, 84, 60), (84, 84, 88), (44, 74, 100))


@dataclass(frozen=True, slots=True)
class Arm:
    """Where a hand is: its fingertips, the way it points, how high it is held, what it does."""

    x_mm: float
    y_mm: float
    pointing_deg: float
    height_mm: float
    flat: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Painted:
    """A lit hand: BGRA premultiplied, and its cover at a quarter of the scale for the shadow."""

    texture: Image
    cover: Image


@lru_cache(maxsize=8)
def _painted(flat: bool, person: int, towards_deg: int) -> _Painted:
    chance = np.random.default_rng([person, 5])
    relief, is_sleeve = _relief(flat, chance)
    slope_x, slope_y = (
        np.clip(cv2.Sobel(relief, cv2.CV_32F, *axis, scale=PX_PER_MM / 8), -2.5, 2.5)  # the cuff's rim is a step
        for axis in ((1, 0), (0, 1))
    )
    normal_z = 1 / np.sqrt(1 + slope_x**2 + slope_y**2)
    angle = np.deg2rad(towards_deg)
    facing = -(slope_x * np.cos(angle) + slope_y * np.sin(angle)) * normal_z
    hollow = cv2.GaussianBlur(relief, (0, 0), 7 * PX_PER_MM) - relief
    bright = (0.42 + 0.5 * normal_z + 0.3 * facing) * np.clip(1 - 0.02 * np.maximum(hollow, 0), 0.6, 1)
    skin = np.asarray(_SKINS[int(chance.integers(len(_SKINS)))], np.float32)
    sleeve = np.asarray(_SLEEVES[int(chance.integers(len(_SLEEVES)))], np.float32)
    blotches = chance.standard_normal((40, 200), np.float32)
    mottle = np.asarray(cv2.resize(blotches, relief.shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)[..., None]
    tone = np.where(is_sleeve[..., None], sleeve, skin * (1 + 0.02 * mottle * _per_colour(0.6, 1.0, 0.3)))
    tone = tone * np.where(
        is_sleeve[..., None], 1.0, _per_colour(0.86, 0.9, 1.0) ** np.clip(2 - 2 * normal_z[..., None], 0, 1)
    )
    _paint_nails(tone, flat)
    alpha = cv2.GaussianBlur(np.clip(relief * 0.6, 0, 1), (0, 0), 0.8)[..., None]
    texture = np.concatenate([np.clip(tone * bright[..., None], 0, 255) * alpha, 255 * alpha], axis=2)
    cover = cv2.resize(alpha[..., 0], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return _Painted(np.rint(texture).astype(np.uint8), np.rint(255 * cover).astype(np.uint8))


def _per_colour(blue: float, green: float, red: float) -> Plane:
    return np.array([blue, green, red], np.float32)


def _grid() -> tuple[Plane, Plane]:
    x = (np.arange(round((BEHIND_MM + AHEAD_MM) * PX_PER_MM), dtype=np.float32) + 0.5) / PX_PER_MM - BEHIND_MM
    y = (np.arange(round(2 * ASIDE_MM * PX_PER_MM), dtype=np.float32) + 0.5) / PX_PER_MM - ASIDE_MM
    return x[None, :], y[:, None]


def _relief(flat: bool, chance: np.random.Generator) -> tuple[Plane, NDArray[np.bool_]]:
    """The height of hand and sleeve above their lower side, mm, and where it is sleeve."""
    x, y = _grid()
    near = x[0] > -HAND_MM - 40
    powers = np.zeros((y.size, int(near.sum())), np.float32)
    for bone in _FLAT if flat else _PINCH:
        powers += _bone(x[:, near], y, bone) ** 5
    relief = np.zeros((y.size, x.size), np.float32)
    relief[:, near] = cv2.GaussianBlur(powers**0.2, (0, 0), 1.1 * PX_PER_MM)
    cuff = -HAND_MM + 30 + 3 * np.sin(y / 9)
    folds = np.sin(x / 13 + 0.9 * np.sin(y / 21) + chance.uniform(0, 6)) + 0.6 * np.sin(x / 29 + y / 17)
    radius = 37 + 0.012 * (cuff - x) + 0.9 * folds
    tube = np.sqrt(np.clip(radius**2 - y**2, 0, None)) + 1.8 * folds
    is_sleeve = (x < cuff) & (np.abs(y) < radius)
    return np.where(is_sleeve, tube, np.where(x < cuff - 6, 0, relief)).astype(np.float32), is_sleeve


def _bone(x: Plane, y: Plane, bone: Bone) -> Plane:
    """The height of one rounded, tapering bone covered with flesh."""
    x0, y0, r0, x1, y1, r1 = bone
    dx, dy = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    radius = r0 + along * (r1 - r0)
    aside = (x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2
    return np.asarray(np.sqrt(np.clip(radius**2 - aside, 0, None)), np.float32)


def _paint_nails(tone: NDArray[np.float32], flat: bool) -> None:
    for x, y, length, width, turn_deg in _NAILS["flat" if flat else "pinch"]:
        centre = (round((x + BEHIND_MM) * PX_PER_MM), round((y + ASIDE_MM) * PX_PER_MM))
        nail = np.zeros(tone.shape[:2], np.float32)
        axes = (round(length * PX_PER_MM), round(width * PX_PER_MM))
        cv2.ellipse(nail, centre, axes, turn_deg, 0, 360, 1.0, -1, cv2.LINE_AA)
        tone *= 1 + 0.1 * nail[..., None] * _per_colour(1.1, 1.0, 0.6)


def _image_from_table(optics: Optics, height_mm: float, tip_mm: Matrix) -> Matrix:
    """The (3, 3) homography from a plane to the picture, exact at the fingertips (a hand may bend elsewhere)."""
    ideal = optics.camera.matrix @ np.linalg.inv(optics.table_from_ray(height_mm))
    tip = ideal @ np.append(tip_mm, 1.0)
    shift_x, shift_y = optics.project(tip_mm[None], height_mm)[0] - tip[:2] / tip[2]
    return np.array([(1.0, 0.0, shift_x), (0.0, 1.0, shift_y), (0.0, 0.0, 1.0)]) @ ideal


def _seen_on(arm: Arm, px_per_mm: float, optics: Optics, height_mm: float, tip_mm: Matrix) -> Matrix:
    """The (3, 3) homography from a hand texture's pixels to the picture."""
    step = 1 / px_per_mm
    hand_from_texture = np.array(
        [(step, 0.0, 0.5 * step - BEHIND_MM), (0.0, step, 0.5 * step - ASIDE_MM), (0.0, 0.0, 1.0)]
    )
    angle = np.deg2rad(arm.pointing_deg)
    cosine, sine = np.cos(angle), np.sin(angle)
    table_from_hand = np.array([(cosine, -sine, tip_mm[0]), (sine, cosine, tip_mm[1]), (0.0, 0.0, 1.0)])
    return np.asarray(_image_from_table(optics, height_mm, tip_mm) @ table_from_hand @ hand_from_texture)


def _warped(texture: Image, way: Matrix, optics: Optics) -> tuple[Box, Image] | None:
    """A texture laid into the picture: the part of the picture that it can reach, and what is there."""
    height, width = texture.shape[:2]
    corners = np.array([[(0.0, 0.0)], [(width, 0.0)], [(width, height)], [(0.0, height)]])
    seen = cv2.perspectiveTransform(corners, way).reshape(-1, 2)
    left, top = np.maximum(np.floor(seen.min(0)).astype(int), 0)
    right, bottom = np.ceil(seen.max(0)).astype(int) + 1
    right, bottom = min(int(right), optics.camera.width), min(int(bottom), optics.camera.height)
    if right <= left or bottom <= top:
        return None
    move = np.array([(1.0, 0.0, -left), (0.0, 1.0, -top), (0.0, 0.0, 1.0)])
    image = cv2.warpPerspective(texture, move @ way, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR)
    return Box(int(left), int(top), int(right - left), int(bottom - top)), np.asarray(image, np.uint8)


def _light_on(person: int, light: Light) -> int:
    """Where the lamp is for the hand of a seat; all its gestures share one lit hand, as lighting one takes long."""
    return round(light.towards_deg - person * SEAT_STEP_DEG - 180) % 360


def photograph_hand(arm: Arm, person: int, optics: Optics, light: Light) -> Sprite | None:
    """A hand as a camera sees it; None when it is out of the picture."""
    painted = _painted(arm.flat, person, _light_on(person, light))
    tip = np.array([arm.x_mm, arm.y_mm])
    seen = _warped(painted.texture, _seen_on(arm, PX_PER_MM, optics, arm.height_mm, tip), optics)
    if seen is None:
        return None
    box, image = seen
    keep = 255 - image[..., 3]
    return Sprite(box, np.ascontiguousarray(image[..., :3]), np.asarray(cv2.merge([keep, keep, keep]), np.uint8))


def lay_over(picture: Image, arm: Arm, person: int, optics: Optics, light: Light) -> None:
    """Lay a hand over a picture."""
    sprite = photograph_hand(arm, person, optics, light)
    if sprite is not None:
        sprite.onto(picture)


def shade_under(picture: Image, arm: Arm, person: int, optics: Optics, light: Light) -> None:
    """Darken a picture by a hand's soft shadow on the mat."""
    height = arm.height_mm + 8
    slope_x, slope_y, _ = light.samples[0]
    tip = np.array([arm.x_mm - slope_x * height, arm.y_mm - slope_y * height])
    cover = cv2.GaussianBlur(
        _painted(arm.flat, person, _light_on(person, light)).cover, (0, 0), 2.0 + arm.height_mm / 15
    )
    shadow = _warped(np.asarray(cover, np.uint8), _seen_on(arm, PX_PER_MM / 4, optics, 0.0, tip), optics)
    if shadow is not None:
        box, dark = shadow
        left = cv2.convertScaleAbs(dark, alpha=-0.42, beta=255)
        part = picture[box.slices]
        cv2.multiply(part, cv2.merge([left, left, left]), part, 1 / 255)
