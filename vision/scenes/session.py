"""A session: one set under one light in front of one camera, and how to make one up.

Arrangement and geometry vary first, light and camera second, texture last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import Mat
from vision.kinds import Image
from vision.scenes.cameras import area_inside, area_seen, draw_camera
from vision.scenes.grounds import GROUNDS, draw_ground, photograph_ground
from vision.scenes.layouts import Area
from vision.scenes.light import Light, draw_light
from vision.scenes.optics import Optics
from vision.scenes.sensor import Sensor, draw_sensor
from vision.scenes.tiles import TileSet

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Brief:
    """What kind of session is wanted.

    Either the picture's size is given, or 0 x 0 and how large a part of the table it is to show.
    `harsh` is the share of sessions with bad light and a bad camera, `tilt_deg` the most a camera leans.
    """

    px_per_mm: tuple[float, float] = (0.7, 6.0)
    size_px: tuple[int, int] = (960, 720)
    area_mm: tuple[float, float] = (0.0, 0.0)
    tilt_deg: tuple[float, float] = (0.0, 5.0)
    harsh: float = 0.25
    grounds: tuple[str, ...] = GROUNDS
    worn: float = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """What stays the same while a set is photographed.

    `empty` is the bare table through this lens in even light; `exposure` is what white comes to, in parts
    of the sensor's range. `inside` is a rectangle that is seen as a whole, `seen` one that holds all that is.
    """

    tiles: TileSet
    optics: Optics
    light: Light
    empty: Image
    ground_gloss: float
    exposure: float
    sensor: Sensor
    harsh: bool
    px_per_mm: float
    ground: str
    inside: Area
    seen: Area


def draw_session(random: Random, tiles: TileSet, brief: Brief = Brief()) -> Session:
    """Make up a session for a set of tiles."""
    harsh = bool(random.random() < brief.harsh)
    px_per_mm = float(np.exp(random.uniform(*np.log(brief.px_per_mm))))
    size = brief.size_px if not brief.area_mm[0] else _size(brief.area_mm, px_per_mm)
    ground = str(random.choice(brief.grounds))
    mat = Mat()
    centre = random.uniform(0.2, 0.8, 2) * (mat.width_mm, mat.height_mm)
    aim = (float(centre[0]), float(centre[1]))
    optics = draw_camera(random, px_per_mm, size, aim, float(random.uniform(*brief.tilt_deg)), harsh)
    seen, inside = area_seen(optics), area_inside(optics, tiles.shape.thickness_mm)
    surface = draw_ground(ground, seen, 1.1 * px_per_mm, random, mat)
    reach = max(seen.right - seen.left, seen.bottom - seen.top) / 2
    worn = float(random.uniform(0.2, 1.0)) if random.random() < brief.worn * (1 if harsh else 0.5) else tiles.wear
    return Session(
        tiles=replace(tiles, wear=worn, gloss=float(random.uniform(0.1, 1.0))),
        optics=optics,
        light=draw_light(random, seen.middle, reach, harsh),
        empty=photograph_ground(surface, optics),
        ground_gloss=surface.gloss,
        exposure=_exposure(random, harsh),
        sensor=draw_sensor(random, harsh),
        harsh=harsh,
        px_per_mm=px_per_mm,
        ground=ground,
        inside=inside,
        seen=seen,
    )


def _size(area_mm: tuple[float, float], px_per_mm: float) -> tuple[int, int]:
    return max(round(area_mm[0] * px_per_mm), 48), max(round(area_mm[1] * px_per_mm), 48)


def _exposure(random: Random, harsh: bool) -> float:
    if harsh and random.random() < 0.6:
        return float(random.uniform(1.1, 1.9))
    return float(random.uniform(0.6 if harsh else 0.65, 1.08))
