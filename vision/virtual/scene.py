"""What a virtual table looks like before anything lies on it: its light, its cloth, its wood, its set."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import draw
from calibration.profile import Mat, Matrix
from referee.tiles import TRIOMINO
from vision.kinds import Image, Style
from vision.virtual.optics import CLOTH_MARGIN_MM, Box, Optics, Plane, sampled, through

TEXTURE_PX_PER_MM = 4.5
TABLE_MARGIN_MM = 91.0  # with the cloth's margin taken off, a whole number of texture pixels

Colour = tuple[float, float, float]

# BGR under white light.
_CLOTHS: tuple[Colour, ...] = ((96, 88, 84), (66, 92, 40), (92, 62, 40), (62, 48, 98), (78, 82, 70))
_WOODS: tuple[Colour, ...] = ((92, 138, 178), (58, 82, 118), (118, 158, 190), (46, 60, 84))
_FACES: tuple[tuple[int, int, int], ...] = ((205, 225, 232), (214, 226, 228), (188, 214, 224))
_SIDES: tuple[tuple[int, int, int], ...] = ((150, 175, 185), (168, 182, 186), (132, 166, 180))


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The light over the table.

    `towards_deg` points to the lamp, 0 = +x, clockwise. `samples` are directions of light with their
    weights: how far light moves aside, in mm along x and y, per mm of height. `spot_mm` is where a
    glossy plane on the table mirrors the lamp.
    """

    mat: Mat
    towards_deg: float
    gradient: float
    falloff: float
    tint: NDArray[np.float32]
    samples: tuple[tuple[float, float, float], ...]
    spot_mm: tuple[float, float]
    gloss: float
    blur_px: float

    def direction_in(self, angle_deg: float) -> tuple[float, float]:
        """The direction to the lamp in a frame turned by an angle."""
        angle = np.deg2rad(self.towards_deg - angle_deg)
        return float(np.cos(angle)), float(np.sin(angle))

    def brightness(self, points_mm: Matrix | Plane) -> NDArray[np.float32]:
        """How bright table points (..., 2) are, about 1."""
        x = points_mm[..., 0] / self.mat.width_mm - 0.5
        y = points_mm[..., 1] / self.mat.width_mm - 0.5 * self.mat.height_mm / self.mat.width_mm
        towards_x, towards_y = self.direction_in(0.0)
        bright = 1 + self.gradient * (x * towards_x + y * towards_y) - self.falloff * (x * x + y * y)
        return np.asarray(bright, np.float32)

    def shine(self, points_mm: Matrix | Plane) -> NDArray[np.float32]:
        """How much a glossy tile top mirrors of the lamp at table points (..., 2), 0..255."""
        x, y = points_mm[..., 0] - self.spot_mm[0], points_mm[..., 1] - self.spot_mm[1]
        return np.asarray(self.gloss * np.exp(-(x * x + y * y) / (2 * 130.0**2)), np.float32)


def light_over(mat: Mat, seed: int) -> Light:
    """A lamp or window drawn from the seed."""
    chance = np.random.default_rng([seed, 2])
    towards = chance.uniform(0, 360)
    slope = chance.uniform(0.45, 0.85)
    samples = []
    for turn, stretch in ((-8, 0.85), (8, 0.95), (-4, 1.1), (5, 1.2)):
        angle = np.deg2rad(towards + turn)
        samples.append((slope * stretch * np.cos(angle), slope * stretch * np.sin(angle), 0.085))
    samples += [
        (1.1 * np.cos(angle), 1.1 * np.sin(angle), 0.04) for angle in np.linspace(0, 2 * np.pi, 6, endpoint=False)
    ]
    away = np.deg2rad(towards)
    spot = np.array([mat.width_mm, mat.height_mm]) / 2 + chance.uniform(120, 260) * np.array(
        [np.cos(away), np.sin(away)]
    )
    return Light(
        mat,
        float(towards),
        gradient=float(chance.uniform(0.08, 0.2)),
        falloff=float(chance.uniform(0.05, 0.14)),
        tint=np.array([chance.uniform(0.94, 1.02), 1.0, chance.uniform(0.97, 1.05)], np.float32),
        samples=tuple((float(x), float(y), weight) for x, y, weight in samples),
        spot_mm=(float(spot[0]), float(spot[1])),
        gloss=float(chance.uniform(6, 16)),
        blur_px=float(chance.uniform(0.6, 0.8)),
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
    texture = _table_texture(mat, seed)
    offset = TABLE_MARGIN_MM * TEXTURE_PX_PER_MM - 0.5
    scale = TEXTURE_PX_PER_MM
    texture_from_table = np.array([(scale, 0.0, offset), (0.0, scale, offset), (0.0, 0.0, 1.0)])
    picture = np.empty((optics.camera.height, optics.camera.width, 3), np.uint8)
    strip = 100
    for top in range(0, optics.camera.height, strip - 8):  # strips overlap by what the blur needs
        box = Box(0, top, optics.camera.width, min(strip, optics.camera.height - top))
        table = through(optics.table_from_ray(0.0), optics.rays(box, 2))
        fine = sampled(texture, through(texture_from_table, table), cv2.BORDER_REFLECT_101)
        seen = np.asarray(cv2.resize(fine, (box.width, box.height), interpolation=cv2.INTER_AREA), np.float32)
        seen *= light.brightness(table[::2, ::2])[..., None] * light.tint
        soft = cv2.GaussianBlur(seen, (0, 0), light.blur_px)
        inner = 4 if top else 0
        part = np.clip(np.rint(soft[inner:]), 0, 255).astype(np.uint8)
        picture[top + inner : top + box.height] = part
    return picture


def _table_texture(mat: Mat, seed: int) -> Image:
    """The table with the mat on it, seen from straight above."""
    chance = np.random.default_rng([seed, 4])
    scale = TEXTURE_PX_PER_MM
    size = [round((side + 2 * TABLE_MARGIN_MM) * scale) for side in (mat.width_mm, mat.height_mm)]
    half = (size[0] // 2, size[1] // 2)  # wood needs no finer detail, and memory is scarce on a small computer
    wood = _wood(*half, _WOODS[int(chance.integers(len(_WOODS)))], chance)
    cloth_size = [round((side + 2 * CLOTH_MARGIN_MM) * scale) for side in (mat.width_mm, mat.height_mm)]
    cloth = _cloth(cloth_size[0], cloth_size[1], _CLOTHS[int(chance.integers(len(_CLOTHS)))], chance)
    printed = draw(mat, scale, CLOTH_MARGIN_MM, cloth)
    paper = cv2.addWeighted(printed, 0.83, np.full_like(printed, 30), 1.0, -8)  # ink is not black, paper not white
    on_paper = cv2.absdiff(printed, cloth).max(axis=2, keepdims=True) > 0
    left = round((TABLE_MARGIN_MM - CLOTH_MARGIN_MM) * scale)
    area = (slice(left, left + cloth_size[1]), slice(left, left + cloth_size[0]))
    lit = np.full(half[::-1], 255, np.uint8)
    lit[left // 2 : -(left // 2), left // 2 : -(left // 2)] = 140
    lit = cv2.GaussianBlur(lit, (0, 0), 0.75 * scale)
    texture = np.asarray(cv2.resize(cv2.multiply(wood, cv2.merge([lit] * 3), scale=1 / 255), size), np.uint8)
    texture[area] = np.where(on_paper, paper, cloth)
    return texture


def _cloud(width: int, height: int, across: int, down: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """Smooth noise of unit spread with about `across` x `down` humps."""
    humps = chance.standard_normal((max(down, 2), max(across, 2)), np.float32)
    return np.asarray(cv2.resize(humps, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _dyed(tone: NDArray[np.float32], colour: Colour) -> Image:
    channels = [np.clip(tone * np.float32(channel), 0, 255).astype(np.uint8) for channel in colour]
    return np.asarray(cv2.merge(channels), np.uint8)


def _cloth(width: int, height: int, colour: Colour, chance: np.random.Generator) -> Image:
    """Felt: blotches, fibres, a fine grain."""
    tone = 1 + 0.022 * _cloud(width, height, 14, 10, chance) + 0.02 * _cloud(width, height, 70, 50, chance)
    tone += 0.02 * _cloud(width, height, width // 9, height // 9, chance)
    tone += 0.035 * _cloud(width, height, width // 3, height // 3, chance)
    return _dyed(tone, colour)


def _wood(width: int, height: int, colour: Colour, chance: np.random.Generator) -> Image:
    """Boards that run along x: grain, rings, gaps between the boards."""
    board = 280
    rows = np.arange(height, dtype=np.float32)[:, None]
    rings = np.sin(rows / 8.5 + 3.0 * _cloud(width, height, 4, 9, chance))
    tone = 1 + 0.05 * rings + 0.06 * _cloud(width, height, 6, height // 4, chance)
    tone += 0.04 * _cloud(width, height, width // 30, height, chance)
    first = int(chance.integers(board))
    for top in range(-first, height, board):
        lower = max(top, 0)
        tone[lower : max(top + board, 0)] *= 1 + 0.06 * float(chance.standard_normal())
        tone[lower : max(top + 2, 0)] *= 0.6
    return _dyed(tone, colour)
