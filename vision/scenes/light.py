"""The light over a table: where it comes from, what it leaves in shade, what it makes shine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.scenes.optics import Optics, Plane, through

Floats = NDArray[np.float32]
Random = np.random.Generator
FIELD_STEP_PX = 8  # light changes slowly: it is worked out for every eighth pixel


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """A lamp or window and the room around it.

    `towards_deg` points to the lamp, 0 = +x, clockwise. `samples` are directions of light with their
    weights: how far light moves aside, in mm along x and y, per mm of height. Brightness changes by
    `gradient` and `falloff` over `reach_mm` about `centre_mm`. `spot_mm` is where a glossy plane on the
    table mirrors the lamp; the spot is `spot_reach_mm` wide and adds `glare` (0..255) to what is glossy.
    """

    towards_deg: float
    samples: tuple[tuple[float, float, float], ...]
    centre_mm: tuple[float, float]
    reach_mm: float
    gradient: float
    falloff: float
    tint: tuple[float, float, float]
    spot_mm: tuple[float, float]
    spot_reach_mm: float
    glare: float

    def direction_in(self, angle_deg: float) -> tuple[float, float]:
        """The direction to the lamp in a frame turned by an angle."""
        angle = np.deg2rad(self.towards_deg - angle_deg)
        return float(np.cos(angle)), float(np.sin(angle))

    def brightness(self, points_mm: Matrix | Plane) -> Floats:
        """How bright table points (..., 2) are, about 1."""
        x = (points_mm[..., 0] - self.centre_mm[0]) / self.reach_mm
        y = (points_mm[..., 1] - self.centre_mm[1]) / self.reach_mm
        towards_x, towards_y = self.direction_in(0.0)
        slope = np.clip(x * towards_x + y * towards_y, -2, 2)
        return np.asarray(1 + self.gradient * slope - self.falloff * np.minimum(x * x + y * y, 2), np.float32)

    def shine(self, points_mm: Matrix | Plane) -> Floats:
        """How much a glossy plane mirrors of the lamp at table points (..., 2), 0..255."""
        x, y = points_mm[..., 0] - self.spot_mm[0], points_mm[..., 1] - self.spot_mm[1]
        return np.asarray(self.glare * np.exp(-(x * x + y * y) / (2 * self.spot_reach_mm**2)), np.float32)


def rays_of_light(
    towards_deg: float, slope: float, ambient: float, spread: float
) -> tuple[tuple[float, float, float], ...]:
    """Directions for `Light.samples`: some from the lamp, some from all around.

    Args:
        slope: how long a shadow is, in parts of the height of what throws it.
        ambient: the share of light that comes from all around.
        spread: how wide the lamp is seen, in parts of `slope`; it softens the shadow's edge.
    """
    lamp = []
    for turn, stretch in ((-1.0, -0.6), (1.0, -0.2), (-0.5, 0.4), (0.6, 0.8), (0.0, 0.1)):
        angle = np.deg2rad(towards_deg) + turn * spread * 0.8
        length = slope * (1 + stretch * spread)
        lamp.append((float(length * np.cos(angle)), float(length * np.sin(angle)), (1 - ambient) / 5))
    around = [
        (float(1.1 * np.cos(angle)), float(1.1 * np.sin(angle)), ambient * 0.55 / 6)
        for angle in np.linspace(0, 2 * np.pi, 6, endpoint=False)
    ]
    return (*lamp, *around)


def draw_light(random: Random, centre_mm: tuple[float, float], reach_mm: float, harsh: bool) -> Light:
    """Make up the light over a part of a table that reaches about so far from its centre."""
    towards = float(random.uniform(0, 360))
    samples = rays_of_light(
        towards,
        slope=float(random.uniform(0.25, 1.2)),
        ambient=float(random.uniform(0.45, 0.85)),
        spread=float(random.uniform(0.05, 0.5)),
    )
    tint = random.uniform(0.9, 1.1, 3) if harsh else random.uniform(0.95, 1.05, 3)
    warm = float(random.uniform(-0.08, 0.12))  # lamps are warm, windows cool
    away = random.uniform(0, 1.1) * reach_mm if harsh else random.uniform(0.6, 2.0) * reach_mm
    turn = np.deg2rad(towards) + random.normal(0, 0.3)
    glaring = random.random() < (0.45 if harsh else 0.3)
    return Light(
        towards,
        samples,
        centre_mm,
        reach_mm,
        gradient=float(random.uniform(0, 0.3 if harsh else 0.18)),
        falloff=float(random.uniform(0, 0.12)),
        tint=(float(tint[0] - warm), float(tint[1]), float(tint[2] + warm)),
        spot_mm=(float(centre_mm[0] + away * np.cos(turn)), float(centre_mm[1] + away * np.sin(turn))),
        spot_reach_mm=float(np.exp(random.uniform(np.log(8.0), np.log(max(0.6 * reach_mm, 60.0))))),
        glare=float(random.uniform(40, 200) if harsh and glaring else random.uniform(5, 40) if glaring else 0),
    )


def places_seen(optics: Optics) -> Plane:
    """The table point of every `FIELD_STEP_PX`th pixel, (rows, columns, 2): what light is worked out for."""
    rays = optics.coarse_rays(FIELD_STEP_PX)
    return through(optics.table_from_ray(0.0), rays)
