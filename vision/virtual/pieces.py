"""The tiles of the set in play as the live table photographs them: once each, to be laid over many frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.tiles import Shape
from vision.kinds import Image, Style, kinds
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics, through
from vision.scenes.shadows import light_left
from vision.scenes.slabs import Placed, Slab, Sprite, motion, view
from vision.scenes.slabs import render as render_slab
from vision.scenes.tiles import Piece, plain_set, slab_of
from vision.virtual.things import THINGS, thing

__all__ = ["Piece", "Shade", "Sprite", "footprint", "render", "shade"]

FACE_SCALE = 2
SHADOW_REACH = 1.6  # of the thickness: as far as the lowest light throws a tile's shadow


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """A shadow in a part of a picture: the share of light that is left, (height, width) uint8."""

    box: Box
    left: Image


def footprint(piece: Piece, shape: Shape, margin_mm: float = 0.0) -> Matrix:
    """The tile's outline on the table, (n, 2) mm, pushed outward by a margin."""
    outline = kinds()[piece.kind].outline(shape)
    outline = outline * (1 + margin_mm / np.linalg.norm(outline, axis=1, keepdims=True))
    move = motion(piece.x_mm, piece.y_mm, piece.angle_deg)
    return np.asarray(outline @ move[:2, :2].T + move[:2, 2])


def render(piece: Piece, shape: Shape, style: Style, optics: Optics, light: Light) -> Sprite | None:
    """Photograph one tile, without its shadow, under this light; None when it is out of view."""
    placed = _placed(piece, shape, style)
    seen = view(placed, optics, margin_px=4)
    if seen is None:
        return None
    plain = render_slab(placed, seen, light)
    cover = 255 - plain.keep.astype(np.float32)
    bright = light.brightness(placed.centre_mm[None])[0] * np.array(light.tint, np.float32)
    shine = light.shine(through(optics.table_from_ray(placed.top_mm), optics.rays(seen.box)))
    lit = plain.colour * bright + shine[..., None] * (cover / 255)
    soft = cv2.GaussianBlur(np.concatenate([lit, cover[..., :1]], axis=2), (0, 0), optics.blur_px)
    whole = np.clip(np.rint(soft), 0, 255).astype(np.uint8)
    keep = 255 - whole[..., 3]
    colour = np.ascontiguousarray(whole[..., :3])
    return Sprite(seen.box, colour, np.asarray(cv2.merge([keep, keep, keep]), np.uint8))


def shade(piece: Piece, shape: Shape, style: Style, optics: Optics, light: Light) -> Shade | None:
    """The soft shadow that a tile throws on the mat; None when it is out of view."""
    placed = _placed(piece, shape, style)
    box = optics.box(_around(placed, SHADOW_REACH * placed.top_mm + 2.0), (0.0,))
    if box is None:
        return None
    left = light_left([placed], optics, light, 0.0, 0.6 + 0.3 * piece.lift_mm, box)
    return Shade(box, np.asarray(cv2.convertScaleAbs(left, alpha=255), np.uint8))


def _around(placed: Placed, margin_mm: float) -> Matrix:
    """The outline on the table, (n, 2) mm, pushed outward by a margin."""
    away = placed.outline_mm() - placed.centre_mm
    return np.asarray(placed.centre_mm + away * (1 + margin_mm / np.linalg.norm(away, axis=1, keepdims=True)))


def _placed(piece: Piece, shape: Shape, style: Style) -> Placed:
    if piece.kind in THINGS:
        return Placed(thing(piece.kind), piece.x_mm, piece.y_mm, piece.angle_deg, piece.lift_mm)
    return Placed(_slab(piece.values, shape, style), piece.x_mm, piece.y_mm, piece.angle_deg, piece.lift_mm)


@lru_cache(maxsize=128)
def _slab(values: tuple[int, ...], shape: Shape, style: Style) -> Slab:
    tiles = plain_set(shape, style)
    return slab_of(tiles.paint(values, FACE_SCALE, 0.0, np.random.default_rng(0)), tiles, FACE_SCALE)
