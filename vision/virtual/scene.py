"""What a virtual table looks like before anything lies on it: its light, its cloth, its wood, its set."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import draw
from calibration.profile import Mat
from referee.tiles import TRIOMINO
from vision.kinds import Image, Style
from vision.scenes.grounds import CLOTH_MARGIN_MM, FELTS, WOODS, Surface, felt, photograph_ground, wood
from vision.scenes.light import Light
from vision.scenes.optics import Box, Optics, through

TEXTURE_PX_PER_MM = 4.5
TABLE_MARGIN_MM = 91.0  # with the cloth's margin taken off, a whole number of texture pixels

_FACES: tuple[tuple[int, int, int], ...] = ((205, 225, 232), (214, 226, 228), (188, 214, 224))
_SIDES: tuple[tuple[int, int, int], ...] = ((150, 175, 185), (168, 182, 186), (132, 166, 180))


def light_over(mat: Mat, seed: int) -> Light:
    """A lamp or window drawn from the seed."""
    chance = np.random.default_rng([seed, 2])
    towards = chance.uniform(0, 360)
    slope = chance.uniform(0.45, 0.85)
    samples = []
    for turn, stretch in ((-8, 0.85), (8, 0.95), (-4, 1.1), (5, 1.2)):
        angle = np.deg2rad(towards + turn)
        samples.append((float(slope * stretch * np.cos(angle)), float(slope * stretch * np.sin(angle)), 0.085))
    around = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    samples += [(float(1.1 * np.cos(angle)), float(1.1 * np.sin(angle)), 0.04) for angle in around]
    away, far = np.deg2rad(towards), chance.uniform(120, 260)
    middle = (mat.width_mm / 2, mat.height_mm / 2)
    return Light(
        float(towards),
        tuple(samples),
        middle,
        reach_mm=mat.width_mm,
        gradient=float(chance.uniform(0.08, 0.2)),
        falloff=float(chance.uniform(0.05, 0.14)),
        tint=(float(chance.uniform(0.94, 1.02)), 1.0, float(chance.uniform(0.97, 1.05))),
        spot_mm=(float(middle[0] + far * np.cos(away)), float(middle[1] + far * np.sin(away))),
        spot_reach_mm=130.0,
        glare=float(chance.uniform(6, 16)),
    )


def set_style(kind: str, seed: int) -> Style:
    """How the set in play looks."""
    chance = np.random.default_rng([seed, 3])
    colour = int(chance.integers(len(_FACES)))
    pinned = chance.random() < 0.6
    variant = 0 if kind == TRIOMINO else int(chance.integers(8))
    return Style(
        face=_FACES[colour],
        side=_SIDES[colour],
        ink=(34, 30, 30),
        pin=(70, 150, 190) if pinned else None,
        mark_size=float(chance.uniform(0.95, 1.05)),
        variant=variant,
    )


def empty_table(mat: Mat, optics: Optics, light: Light, seed: int) -> Image:
    """Photograph the mat on its table, without noise: BGR (height, width, 3)."""
    bare = photograph_ground(_table(mat, seed), optics, oversample=2)
    strip = 128
    picture = np.empty_like(bare)
    for top in range(0, bare.shape[0], strip):  # a whole picture of floats is a lot for a small computer
        rows = slice(max(top - 4, 0), min(top + strip + 4, bare.shape[0]))  # strips overlap by what the blur needs
        seen = bare[rows].astype(np.float32)
        seen *= _brightness(optics, light, rows)[..., None] * np.array(light.tint, np.float32)
        soft = cv2.GaussianBlur(seen, (0, 0), optics.blur_px)[top - rows.start :][:strip]
        picture[top : top + strip] = np.clip(np.rint(soft), 0, 255)
    return picture


def _brightness(optics: Optics, light: Light, rows: slice) -> NDArray[np.float32]:
    box = Box(0, rows.start, optics.camera.width, rows.stop - rows.start)
    return light.brightness(through(optics.table_from_ray(0.0), optics.rays(box)))


def _table(mat: Mat, seed: int) -> Surface:
    """The table with the mat on it, seen from straight above."""
    chance = np.random.default_rng([seed, 4])
    scale = TEXTURE_PX_PER_MM
    size = [round((side + 2 * TABLE_MARGIN_MM) * scale) for side in (mat.width_mm, mat.height_mm)]
    half = (size[0] // 2, size[1] // 2)  # wood needs no finer detail, and memory is scarce on a small computer
    boards = wood(*half, scale / 2, WOODS[int(chance.integers(len(WOODS)))], chance)
    cloth_size = [round((side + 2 * CLOTH_MARGIN_MM) * scale) for side in (mat.width_mm, mat.height_mm)]
    cloth = felt(cloth_size[0], cloth_size[1], scale, FELTS[int(chance.integers(len(FELTS)))], chance)
    printed = draw(mat, scale, CLOTH_MARGIN_MM, cloth)
    paper = cv2.addWeighted(printed, 0.83, np.full_like(printed, 30), 1.0, -8)  # ink is not black, paper not white
    on_paper = cv2.absdiff(printed, cloth).max(axis=2, keepdims=True) > 0
    left = round((TABLE_MARGIN_MM - CLOTH_MARGIN_MM) * scale)
    area = (slice(left, left + cloth_size[1]), slice(left, left + cloth_size[0]))
    lit = np.full(half[::-1], 255, np.uint8)
    lit[left // 2 : -(left // 2), left // 2 : -(left // 2)] = 140
    lit = cv2.GaussianBlur(lit, (0, 0), 0.75 * scale)
    texture = np.asarray(cv2.resize(cv2.multiply(boards, cv2.merge([lit] * 3), scale=1 / 255), size), np.uint8)
    texture[area] = np.where(on_paper, paper, cloth)
    offset = TABLE_MARGIN_MM * scale - 0.5
    return Surface(texture, np.array([(scale, 0.0, offset), (0.0, scale, offset), (0.0, 0.0, 1.0)]), 0.05)
