"""What tables are covered with: wood, felt, woven cloth, marble, plain stuffs, prints, the mat with its markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import draw as draw_mat
from calibration.profile import Mat, Matrix
from vision.kinds import Image
from vision.scenes.layouts import Area
from vision.scenes.optics import Box, Optics, sampled, through

Floats = NDArray[np.float32]
Random = np.random.Generator
Colour = tuple[float, float, float]

CLOTH_MARGIN_MM = 15.0
LARGEST_PX = 1.6e6  # of a texture

# BGR under white light.
FELTS: tuple[Colour, ...] = ((96, 88, 84), (66, 92, 40), (92, 62, 40), (62, 48, 98), (78, 82, 70))
WOODS: tuple[Colour, ...] = ((92, 138, 178), (58, 82, 118), (118, 158, 190), (46, 60, 84))


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A table's cover seen from straight above, BGR, and the way from table mm to its pixels."""

    texture: Image
    from_table: Matrix
    gloss: float


def _surface(area: Area, px_per_mm: float, paint: Callable[[int, int, float], tuple[Image, float]]) -> Surface:
    width, height = area.right - area.left, area.bottom - area.top
    scale = min(px_per_mm, (LARGEST_PX / (width * height)) ** 0.5)
    texture, gloss = paint(max(round(width * scale), 8), max(round(height * scale), 8), scale)
    offset = (-area.left * scale - 0.5, -area.top * scale - 0.5)
    way = np.array([(scale, 0.0, offset[0]), (0.0, scale, offset[1]), (0.0, 0.0, 1.0)])
    return Surface(texture, way, gloss)


def cloud(width: int, height: int, across: float, down: float, random: Random) -> Floats:
    """Smooth noise of unit spread with about `across` x `down` humps."""
    humps = random.standard_normal((max(round(down), 2), max(round(across), 2)), np.float32)
    return np.asarray(cv2.resize(humps, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def dyed(tone: Floats, colour: Colour) -> Image:
    """A pattern of brightness about 1 in a colour."""
    return np.asarray(cv2.merge([cv2.convertScaleAbs(tone, alpha=float(channel)) for channel in colour]), np.uint8)


def felt(width: int, height: int, scale: float, colour: Colour, random: Random) -> Image:
    """Felt: blotches, fibres, a fine grain."""
    mm_wide, mm_high = width / scale, height / scale
    tone = 1 + 0.022 * cloud(width, height, mm_wide / 45, mm_high / 45, random)
    tone += 0.02 * cloud(width, height, mm_wide / 9, mm_high / 9, random)
    tone += 0.035 * cloud(width, height, min(width / 3, mm_wide * 1.5), min(height / 3, mm_high * 1.5), random)
    return dyed(tone, colour)


def wood(width: int, height: int, scale: float, colour: Colour, random: Random) -> Image:
    """Boards that run along x: grain, rings, gaps between the boards."""
    board = max(round(float(random.uniform(60, 200)) * scale), 8)
    rows = np.arange(height, dtype=np.float32)[:, None] / np.float32(scale)
    rings = np.sin(rows * random.uniform(0.2, 0.5) + 3.0 * cloud(width, height, 4, height / scale / 60, random))
    tone = 1 + 0.05 * rings + 0.06 * cloud(width, height, 6, height / 3, random)
    tone += 0.04 * cloud(width, height, width / 30, height, random)
    tone *= np.float32(1 + 0.05 * random.standard_normal())
    for top in range(-int(random.integers(board)), height, board):
        lower = max(top, 0)
        tone[lower : max(top + board, 0)] *= 1 + 0.06 * float(random.standard_normal())
        tone[lower : max(top + round(0.6 * scale) + 1, 0)] *= 0.65
    return dyed(tone, colour)


def woven(width: int, height: int, scale: float, colour: Colour, random: Random) -> Image:
    """A coarse cloth of threads crossing, each a little different."""
    thread_px = max(float(random.uniform(0.8, 3.0)) * scale, 2.0)
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    warp, weft = np.pi * x / np.float32(thread_px), np.pi * y / np.float32(thread_px)
    depth = float(random.uniform(0.04, 0.16))
    tone = 1 + depth * np.sin(warp) * np.sin(weft)
    tone += 0.03 * cloud(width, 1, width / thread_px, 2, random) + 0.03 * cloud(
        1, height, 2, height / thread_px, random
    )
    tone += 0.02 * cloud(width, height, width / scale / 30, height / scale / 30, random)
    return dyed(tone.astype(np.float32), colour)


def marble(width: int, height: int, scale: float, colour: Colour, random: Random) -> Image:
    """Stone with veins."""
    tone = 1 + 0.05 * cloud(width, height, width / scale / 50, height / scale / 50, random)
    for size in (110, 40):
        ridge = cloud(width, height, width / scale / size + 2, height / scale / size + 2, random)
        ridge += 0.25 * cloud(width, height, width / scale / 12, height / scale / 12, random)
        strong = np.clip(
            0.5 + 0.6 * cloud(width, height, width / scale / 150 + 2, height / scale / 150 + 2, random), 0, 1
        )
        tone -= np.float32(random.uniform(0.03, 0.22)) * strong * np.clip(1 - np.abs(ridge) * 8, 0, 1)
    return dyed(np.maximum(tone, 0.1).astype(np.float32), colour)


def plain(width: int, height: int, scale: float, colour: Colour, random: Random) -> Image:
    """Paper, lacquer, laminate: nearly even."""
    tone = 1 + 0.012 * cloud(width, height, width / scale / 200 + 2, height / scale / 200 + 2, random)
    tone += float(random.uniform(0, 0.02)) * cloud(width, height, width / 2, height / 2, random)
    return dyed(tone, colour)


def any_colour(random: Random, dark: float = 20, bright: float = 225) -> Colour:
    """A colour, BGR: mostly greyish or brownish, sometimes a strong one."""
    spread = 0.3 if random.random() < 0.35 else 0.08
    tone = random.uniform(dark, bright) * random.uniform(1 - spread, 1 + spread, 3)
    warm = 1 + random.uniform(-0.02, 0.12) * np.array([-1.0, 0.0, 1.0])
    blue, green, red = np.clip(tone * warm, 4, 250)
    return float(blue), float(green), float(red)


def printed(canvas: Image, scale: float, random: Random) -> None:
    """Print a cloth or paper with shapes as large as tiles: boxes, dots, stripes, triangles, letters."""
    height, width = canvas.shape[:2]
    sort, size = random.integers(6), float(random.uniform(8, 60)) * scale
    inks = [any_colour(random) for _ in range(int(random.integers(1, 4)))]
    step = size * random.uniform(1.2, 3)
    turn = np.deg2rad(random.uniform(0, 90))
    along, aside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    reach = round(float(np.hypot(width, height)) / step / 2) + 1
    for i in range(-min(reach, 14), min(reach, 14) + 1):
        for j in range(-min(reach, 14), min(reach, 14) + 1):
            centre = np.array([width, height]) / 2 + step * (i * along + j * aside)
            ink = inks[(i + 2 * j) % len(inks)]
            spot = (round(float(centre[0])), round(float(centre[1])))
            if sort == 0:
                cv2.circle(canvas, spot, max(round(size / 2.4), 1), ink, -1, cv2.LINE_AA)
            elif sort == 1:
                box = cv2.boxPoints((spot, (size, size / 2), float(random.uniform(0, 360))))
                cv2.fillConvexPoly(canvas, np.round(box).astype(np.int32), ink, cv2.LINE_AA)
            elif sort == 2:
                turns = random.uniform(0, 2 * np.pi) + np.array([0.0, 2.094, 4.189])
                triangle = centre + size / 1.7 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
                cv2.fillConvexPoly(canvas, np.round(triangle).astype(np.int32), ink, cv2.LINE_AA)
            elif sort == 3:
                letter = "ABCDEGHKMNPRSTXZ0123456789"[int(random.integers(26))]
                cv2.putText(canvas, letter, spot, cv2.FONT_HERSHEY_DUPLEX, size / 25, ink, max(round(size / 10), 1),
                            cv2.LINE_AA)  # fmt: skip
            elif sort == 4:
                ends = [centre - size * along, centre + size * along]
                a, b = ((round(float(p[0])), round(float(p[1]))) for p in ends)
                cv2.line(canvas, a, b, ink, max(round(size / 8), 1), cv2.LINE_AA)
            else:
                axes = (max(round(size / 2), 1), max(round(size / 4), 1))
                cv2.ellipse(canvas, spot, axes, float(random.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)


def grid(canvas: Image, scale: float, random: Random) -> None:
    """Print the lines of a board."""
    step, ink = float(random.uniform(18, 30)) * scale, any_colour(random, 60, 200)
    thick = max(round(float(random.uniform(0.4, 1.6)) * scale), 1)
    for place in np.arange(random.uniform(0, step), max(canvas.shape[:2]), step):
        at = round(float(place))
        cv2.line(canvas, (at, 0), (at, canvas.shape[0]), ink, thick)
        cv2.line(canvas, (0, at), (canvas.shape[1], at), ink, thick)


def blotches(canvas: Image, random: Random) -> Image:
    """Coloured blotches of all sizes, as on batik or a game's own board."""
    height, width = canvas.shape[:2]
    picture = canvas.astype(np.float32)
    for _ in range(int(random.integers(1, 4))):
        across, down = np.exp(random.uniform(np.log(3), np.log(70), 2))
        if random.random() < 0.5:
            picture += np.float32(random.uniform(10, 50)) * cloud(width, height, across, down, random)[..., None]
        else:
            for channel in range(3):
                humps = cloud(width, height, across, down, random)
                picture[..., channel] += np.float32(random.uniform(4, 30)) * humps
    return np.clip(picture, 0, 255).astype(np.uint8)


STUFFS = ("felt", "wood", "woven", "marble", "plain")
GROUNDS = (*STUFFS, "printed", "grid", "blotches", "mat")


def draw_ground(name: str, area: Area, px_per_mm: float, random: Random, mat: Mat | None = None) -> Surface:
    """A table's cover of that name over an area; `mat` lays the mat with its markers, its corner at (0, 0)."""

    def paint(width: int, height: int, scale: float) -> tuple[Image, float]:
        stuff = name if name in STUFFS else str(random.choice(STUFFS))
        if stuff == "wood" and random.random() < 0.5:
            canvas = np.ascontiguousarray(_stuff(stuff, height, width, scale, random).transpose(1, 0, 2))
        else:
            canvas = _stuff(stuff, width, height, scale, random)
        if name == "printed":
            for _ in range(int(random.integers(1, 3))):
                printed(canvas, scale, random)
        elif name == "grid":
            grid(canvas, scale, random)
        elif name == "blotches":
            canvas = blotches(canvas, random)
        elif name == "mat":
            lay_mat(canvas, area, scale, random, mat or Mat())
        return canvas, float(random.uniform(0.2, 1.0)) if stuff in ("marble", "plain", "wood") else 0.05

    return _surface(area, px_per_mm, paint)


def _stuff(name: str, width: int, height: int, scale: float, random: Random) -> Image:
    if name == "felt":
        colour = FELTS[int(random.integers(len(FELTS)))] if random.random() < 0.6 else any_colour(random, 20, 170)
        return felt(width, height, scale, colour, random)
    if name == "wood":
        return wood(width, height, scale, WOODS[int(random.integers(len(WOODS)))], random)
    if name == "woven":
        return woven(width, height, scale, any_colour(random), random)
    if name == "marble":
        tone = random.uniform(60, 235) * random.uniform(0.92, 1.06, 3)
        return marble(width, height, scale, (float(tone[0]), float(tone[1]), float(tone[2])), random)
    bright = random.random() < 0.5  # white tables are many, and hard for white tiles
    return plain(width, height, scale, any_colour(random, 170, 240) if bright else any_colour(random), random)


def lay_mat(canvas: Image, area: Area, scale: float, random: Random, mat: Mat) -> None:
    """Lay the mat, felt with the four markers, over the part of a table that shows it."""
    margin, colour = CLOTH_MARGIN_MM, FELTS[int(random.integers(len(FELTS)))]
    size = [max(round((side + 2 * margin) * scale), 8) for side in (mat.width_mm, mat.height_mm)]
    left, top = round((-margin - area.left) * scale), round((-margin - area.top) * scale)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + size[0], canvas.shape[1]), min(top + size[1], canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    even = np.empty((size[1], size[0], 3), np.uint8)
    even[:] = np.round(colour)
    sheet = draw_mat(mat, scale, margin, even)[y0 - top : y1 - top, x0 - left : x1 - left]
    ink = cv2.addWeighted(sheet, 0.83, np.full_like(sheet, 30), 1.0, -8)  # ink is not black, paper not white
    printed_on = cv2.absdiff(sheet, even[: sheet.shape[0], : sheet.shape[1]]).max(axis=2, keepdims=True) > 0
    cloth = felt(x1 - x0, y1 - y0, scale, colour, random)
    canvas[y0:y1, x0:x1] = np.where(printed_on, ink, cloth)


def photograph_ground(surface: Surface, optics: Optics, oversample: int = 1) -> Image:
    """The bare table through the lens, as bright as if the light were even: BGR (height, width, 3)."""
    picture = np.empty((optics.camera.height, optics.camera.width, 3), np.uint8)
    way = surface.from_table @ optics.table_from_ray(0.0)
    strip = 128
    for top in range(0, optics.camera.height, strip):
        box = Box(0, top, optics.camera.width, min(strip, optics.camera.height - top))
        fine = sampled(surface.texture, through(way, optics.rays(box, oversample)), cv2.BORDER_REFLECT_101)
        if oversample > 1:
            fine = np.asarray(cv2.resize(fine, (box.width, box.height), interpolation=cv2.INTER_AREA), np.uint8)
        picture[box.slices] = fine
    return picture
