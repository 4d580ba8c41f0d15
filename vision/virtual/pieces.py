"""One tile as the virtual camera sees it: a lit face on its plane, side walls below, a soft shadow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.tiles import Shape
from vision.kinds import Image, Style, kinds
from vision.virtual.optics import Box, Optics, Plane, sampled, through
from vision.virtual.scene import Light

FACE_SCALE = 2
FACE_BORDER_PX = 6
FOOT_TONE = 0.62  # how bright a side wall is where it meets the table
SHADOW_STEP_PX = 2  # shadows are soft: every second pixel will do
SHADOW_REACH = 1.6  # of the thickness: as far as the lowest light throws a tile's shadow


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


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """A shadow in a part of a picture: the share of light that is left, (height, width) uint8."""

    box: Box
    left: Image


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile somewhere on or above the table; the pose is that of its top face."""

    kind: str
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    lift_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """A face prepared for lighting: premultiplied BGRA with an empty border, and the slope of its rim."""

    texture: Plane
    slope_x: Plane
    slope_y: Plane
    from_tile: Matrix


@lru_cache(maxsize=128)
def _face(kind: str, values: tuple[int, ...], style: Style, shape: Shape) -> _Face:
    border = FACE_BORDER_PX
    drawn = np.pad(kinds()[kind].draw(values, style, FACE_SCALE), ((border, border), (border, border), (0, 0)))
    texture = drawn.astype(np.float32)
    texture[..., :3] *= texture[..., 3:] / np.float32(255)
    smooth = cv2.GaussianBlur(texture[..., 3] / 255, (0, 0), FACE_SCALE * 1.0)
    slope_x, slope_y = (np.asarray(-cv2.Sobel(smooth, cv2.CV_32F, *axis), np.float32) for axis in ((1, 0), (0, 1)))
    offset = (FACE_SCALE - 1) / 2 + border
    enlarge = np.array([(FACE_SCALE, 0.0, offset), (0.0, FACE_SCALE, offset), (0.0, 0.0, 1.0)])
    return _Face(texture, slope_x, slope_y, enlarge @ kinds()[kind].face_from_tile(shape))


def _tile_from_table(piece: Piece) -> Matrix:
    """The (3, 3) motion from table mm to the tile's own frame."""
    angle = np.deg2rad(piece.angle_deg)
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([(cosine, sine, 0.0), (-sine, cosine, 0.0), (0.0, 0.0, 1.0)])
    move = np.array([(1.0, 0.0, -piece.x_mm), (0.0, 1.0, -piece.y_mm), (0.0, 0.0, 1.0)])
    return np.asarray(turn @ move, np.float64)


def footprint(piece: Piece, shape: Shape, margin_mm: float = 0.0) -> Matrix:
    """The tile's outline on the table, (n, 2) mm, pushed outward by a margin."""
    outline = kinds()[piece.kind].outline(shape)
    outline = outline * (1 + margin_mm / np.linalg.norm(outline, axis=1, keepdims=True))
    motion = np.linalg.inv(_tile_from_table(piece))
    return np.asarray(outline @ motion[:2, :2].T + motion[:2, 2])


def render(
    piece: Piece, shape: Shape, style: Style, optics: Optics, light: Light, oversample: int = 2
) -> Sprite | None:
    """Photograph one tile without its shadow; None when it is out of view."""
    bottom, top = piece.lift_mm, piece.lift_mm + shape.thickness_mm
    outline = footprint(piece, shape, 1.0)
    box = optics.box(outline, (bottom, top))
    if box is None:
        return None
    face = _face(piece.kind, piece.values, style, shape)
    lit, wall = _lit(face, style, light, piece.angle_deg)
    rays = optics.rays(box, oversample)
    from_table = face.from_tile @ _tile_from_table(piece)

    def at(texture: Image, height_mm: float) -> Image:
        return sampled(texture, through(from_table @ optics.table_from_ray(height_mm), rays))

    travel_px = np.abs(optics.project(outline, top) - optics.project(outline, bottom)).max()
    steps = max(2, round(travel_px * oversample / 1.5))
    seen = np.zeros((box.height * oversample, box.width * oversample, 4), np.uint8)
    for share in np.arange(steps) / steps:
        layer = at(wall, bottom + share * shape.thickness_mm)
        tone = FOOT_TONE + (1 - FOOT_TONE) * share
        seen = _over(np.asarray(cv2.multiply(layer, np.array([tone, tone, tone, 1.0])), np.uint8), seen)
    return _developed(_over(at(lit, top), seen), box, piece, optics, light, top)


def _over(layer: Image, ground: Image) -> Image:
    """One premultiplied BGRA picture laid over another."""
    keep = 255 - layer[..., 3]
    return np.asarray(cv2.add(layer, cv2.multiply(ground, cv2.merge([keep] * 4), scale=1 / 255)), np.uint8)


def _lit(face: _Face, style: Style, light: Light, angle_deg: float) -> tuple[Image, Image]:
    """A face and a slice of the side walls under the light: premultiplied BGRA."""
    towards_x, towards_y = light.direction_in(angle_deg)
    facing = cv2.addWeighted(face.slope_x, towards_x, face.slope_y, towards_y, 0)
    alpha = face.texture[..., 3]
    bright = np.clip(1 + 0.55 * facing, 0.7, 1.25)
    lit = cv2.multiply(face.texture, cv2.merge([bright, bright, bright, np.ones_like(bright)]), dtype=cv2.CV_8U)
    tone = np.clip(0.72 + 0.8 * facing, 0.35, 1.1) * (alpha / 255)
    wall = cv2.merge([*(tone * np.float32(channel) for channel in style.side), alpha])
    return np.asarray(lit, np.uint8), np.asarray(cv2.convertScaleAbs(wall), np.uint8)


def _developed(seen: Image, box: Box, piece: Piece, optics: Optics, light: Light, height_mm: float) -> Sprite:
    """From the oversampled tile to a sprite: shrunk, under this light, a little glossy, softened by the lens."""
    small = np.asarray(cv2.resize(seen, (box.width, box.height), interpolation=cv2.INTER_AREA), np.float32)
    small[..., :3] *= light.brightness(np.array([(piece.x_mm, piece.y_mm)]))[0] * light.tint
    shine = light.shine(through(optics.table_from_ray(height_mm), optics.rays(box)))
    small[..., :3] += shine[..., None] * (small[..., 3:] / 255)
    soft = cv2.GaussianBlur(small, (0, 0), light.blur_px)
    colour = np.clip(np.rint(soft[..., :3]), 0, 255).astype(np.uint8)
    keep = np.clip(np.rint(255 - soft[..., 3]), 0, 255).astype(np.uint8)
    return Sprite(box, colour, np.asarray(cv2.merge([keep, keep, keep]), np.uint8))


def shade(piece: Piece, shape: Shape, style: Style, optics: Optics, light: Light) -> Shade | None:
    """The soft shadow that a tile throws on the mat; None when it is out of view."""
    bottom, top = piece.lift_mm, piece.lift_mm + shape.thickness_mm
    box = optics.box(footprint(piece, shape, SHADOW_REACH * top + 2.0), (0.0,))
    if box is None:
        return None
    face = _face(piece.kind, piece.values, style, shape)
    from_table = face.from_tile @ _tile_from_table(piece)
    cover = np.rint(face.texture[..., 3]).astype(np.uint8)
    rays = np.ascontiguousarray(optics.rays(box)[::SHADOW_STEP_PX, ::SHADOW_STEP_PX])
    dark = np.zeros(rays.shape[:2], np.float32)
    for slope_x, slope_y, weight in light.samples:
        struck = np.zeros(dark.shape, np.uint8)
        for height in np.linspace(bottom, top, 3):
            shift = np.array([(1.0, 0.0, slope_x * height), (0.0, 1.0, slope_y * height), (0.0, 0.0, 1.0)])
            np.maximum(
                struck, sampled(cover, through(from_table @ shift @ optics.table_from_ray(0.0), rays)), out=struck
            )
        dark += np.float32(weight / 255) * struck
    soft = cv2.GaussianBlur(1 - dark, (0, 0), (0.6 + 0.3 * piece.lift_mm) / SHADOW_STEP_PX + 0.3)
    left = cv2.convertScaleAbs(cv2.resize(soft, None, fx=SHADOW_STEP_PX, fy=SHADOW_STEP_PX), alpha=255)
    return Shade(box, np.ascontiguousarray(left[: box.height, : box.width], np.uint8))
