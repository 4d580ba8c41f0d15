"""How tiles come to lie on a table: lattices, chains, loose heaps, dense rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.tiles import DOMINO, Shape
from vision.kinds import kinds
from vision.scenes.slabs import motion

Random = np.random.Generator
Spot = tuple[float, float, float]  # x, y in mm, angle in degrees
TOUCHING_MM2 = 0.5  # outlines may share so much: real corners are rounded
TRIES = 60


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the table, mm."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, spot: Spot) -> bool:
        """Whether the middle of a tile at that spot lies in it."""
        return self.left <= spot[0] <= self.right and self.top <= spot[1] <= self.bottom

    def any_spot(self, random: Random) -> Spot:
        """A random place and angle."""
        x, y = random.uniform((self.left, self.top), (self.right, self.bottom))
        return float(x), float(y), float(random.uniform(0, 360))

    def near_middle(self, random: Random) -> Spot:
        """A random place about the middle, and an angle."""
        (x, y), width, height = self.middle, self.right - self.left, self.bottom - self.top
        return (
            float(x + random.uniform(-0.2, 0.2) * width),
            float(y + random.uniform(-0.2, 0.2) * height),
            float(random.uniform(0, 360)),
        )


class Ground:
    """Tiles of one shape that lie somewhere already; a further one may not overlap them."""

    def __init__(self, shape: Shape, spots: Sequence[Spot] = ()) -> None:
        self.shape = shape
        self.outline = kinds()[shape.kind].outline(shape)
        self.reach = float(np.linalg.norm(self.outline, axis=1).max())
        self.spots: list[Spot] = list(spots)
        self._outlines = [self._at(spot) for spot in spots]

    def is_free(self, spot: Spot, gap_mm: float = 0.0) -> bool:
        """Whether a tile could lie there, with a gap around it."""
        here: Matrix | None = None
        for other, outline in zip(self.spots, self._outlines, strict=True):
            if np.hypot(spot[0] - other[0], spot[1] - other[1]) < 2 * self.reach + gap_mm:
                here = self._at(spot, 1 + gap_mm / self.reach) if here is None else here
                if cv2.intersectConvexConvex(here, outline)[0] > TOUCHING_MM2:
                    return False
        return True

    def put(self, spot: Spot) -> None:
        """Lay a tile."""
        self.spots.append(spot)
        self._outlines.append(self._at(spot))

    def _at(self, spot: Spot, size: float = 1.0) -> Matrix:
        move = motion(*spot)
        return np.asarray(size * self.outline @ move[:2, :2].T + move[:2, 2], np.float32)


def scatter(random: Random, ground: Ground, area: Area, count: int) -> None:
    """Loose tiles anywhere, turned anyhow, some of them nearly touching."""
    gap = float(random.choice([0.0, 2.0, 8.0, 20.0]))
    for _ in range(count):
        for _ in range(TRIES):
            spot = area.any_spot(random)
            if ground.is_free(spot, gap):
                ground.put(spot)
                break


def lattice(random: Random, ground: Ground, area: Area, count: int) -> None:
    """Triominoes side by side, as a game grows: gaps, drift, a little turned."""
    spread = _Spread(random)
    start = _start(random, ground, area)
    if start is None:
        return
    ground.put(start)
    first = len(ground.spots) - 1
    for _ in range(TRIES * count):
        if len(ground.spots) - first >= count:
            break
        dense = random.random() < 0.7  # near the middle of what lies there
        choices = range(first, len(ground.spots))
        x, y, angle = ground.spots[min(choices) + int(len(choices) * random.random() ** (2 if dense else 1))]
        way = angle + 60 + 120 * int(random.integers(3))
        step = ground.shape.length_mm / 3**0.5 + spread.gap()  # twice the inner radius
        spot = spread.about(_ahead((x, y, way), step), way + 120 * int(random.integers(3)))
        if area.holds(spot) and ground.is_free(spot):
            ground.put(spot)


def chain(random: Random, ground: Ground, area: Area, count: int) -> None:
    """Dominoes end to end, with bends and tiles across; both ends grow."""
    spread = _Spread(random)
    length, width = ground.shape.length_mm, ground.shape.width_mm
    start = _start(random, ground, area)
    if start is None:
        return
    ground.put(start)
    x, y, way = start
    ends = [_ahead((x, y, way), length / 2), _ahead((x, y, way + 180), length / 2)]
    crosswise, bending = random.uniform(0, 0.35), random.uniform(0.05, 0.4)
    left = count - 1
    for _ in range(TRIES * count):
        if not left:
            return
        which = int(random.integers(2))
        x, y, way = ends[which]
        gap, style = spread.gap(), random.random()
        if style < crosswise:
            centre, angle = _ahead((x, y, way), gap + width / 2), way + 90
            end = _ahead((x, y, way), gap + width)
        elif style < crosswise + bending:
            turn = way + float(random.choice([-90, 90]))
            corner = _ahead((x, y, way), gap + width / 2)
            centre = _ahead((corner[0], corner[1], turn), length / 2 - width / 2)
            angle, end = turn, _ahead((*centre[:2], turn), length / 2)
        else:
            centre, angle, end = _ahead((x, y, way), gap + length / 2), way, _ahead((x, y, way), gap + length)
        spot = spread.about(centre, angle + 180 * int(random.integers(2)))
        if area.holds(spot) and ground.is_free(spot):
            ground.put(spot)
            ends[which] = (end[0], end[1], end[2] + float(random.normal(0, spread.turn_deg / 2)))
            left -= 1


def block(random: Random, ground: Ground, area: Area, count: int) -> None:
    """Tiles packed side by side in rows, as they are set out, boxed or compared."""
    spread = _Spread(random)
    start = _start(random, ground, area)
    if start is None:
        return
    x, y, way = start
    across = max(int(random.integers(2, 8)), -(-count // 6))
    domino = ground.shape.kind == DOMINO
    length, width = ground.shape.length_mm, ground.shape.width_mm
    step = width if domino else length / 2
    between_rows = float(random.choice([0.0, 0.6, 10.0]))
    missing = random.uniform(0, 0.25)
    row_mm, number = 0.0, 0
    while count > 0 and row_mm < 2 * (area.bottom - area.top):
        for column in range(across):
            aside = _ahead((x, y, way), (column - (across - 1) / 2) * (step + spread.gap()))
            pointing_up = not domino and (column + number) % 2
            deep = row_mm + (length / (2 * 3**0.5) if pointing_up else 0.0)
            at = _ahead((aside[0], aside[1], way + 90), deep)
            turn = 180 * int(random.integers(2)) if domino else 60 * pointing_up + 120 * int(random.integers(3))
            spot = spread.about(at, way + 90 + turn)
            if random.random() > missing and area.holds(spot) and ground.is_free(spot):
                ground.put(spot)
                count -= 1
                if not count:
                    return
        row_mm += (length if domino else length * 3**0.5 / 2) + between_rows + spread.gap()
        number += 1


def row(random: Random, ground: Ground, area: Area, count: int) -> None:
    """A hand of tiles in front of a player, with gaps as wide as fingers."""
    start = _start(random, ground, area)
    if start is None:
        return
    x, y, way = start
    spread = _Spread(random)
    wide = ground.shape.width_mm if ground.shape.kind == DOMINO else ground.shape.length_mm
    step = wide + float(random.uniform(0.5, 12))
    for column in range(count):
        at = _ahead((x, y, way), (column - (count - 1) / 2) * step)
        spot = spread.about(at, way + 90 + 180 * int(random.integers(2)))
        if area.holds(spot) and ground.is_free(spot):
            ground.put(spot)


def _start(random: Random, ground: Ground, area: Area) -> Spot | None:
    """Where the first tile of a layout lies, near the middle if there is room; half of them lie straight."""
    straight = float(random.choice([0, 90, 180, 270]) + random.normal(0, 3))
    is_straight = random.random() < 0.5
    for number in range(TRIES):
        x, y, way = area.near_middle(random) if number < TRIES // 2 else area.any_spot(random)
        spot = (x, y, straight if is_straight else way)
        if ground.is_free(spot):
            return spot
    return None


class _Spread:
    """How carefully somebody lays tiles: one draw for a whole layout."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.gap_mm = float(random.choice([0.1, 0.5, 1.0, 1.6]))
        self.off_mm = float(random.uniform(0.05, 0.8))
        self.turn_deg = float(random.uniform(0.1, 2.2))

    def gap(self) -> float:
        return float(self._random.uniform(0, 2 * self.gap_mm))

    def about(self, spot: Spot, angle_deg: float) -> Spot:
        x, y = np.clip(self._random.normal(0, self.off_mm, 2), -1.5, 1.5)
        turn = float(np.clip(self._random.normal(0, self.turn_deg), -4, 4))
        return float(spot[0] + x), float(spot[1] + y), float((angle_deg + turn) % 360)


def _ahead(spot: Spot, by_mm: float) -> Spot:
    """The place so far from a spot in the way it points, and that way."""
    angle = np.deg2rad(spot[2])
    return float(spot[0] + by_mm * np.cos(angle)), float(spot[1] + by_mm * np.sin(angle)), spot[2]


Layout = Callable[[Random, Ground, Area, int], None]
LAYOUTS: dict[str, dict[str, Layout]] = {
    "domino": {"scatter": scatter, "chain": chain, "block": block, "row": row},
    "triomino": {"scatter": scatter, "lattice": lattice, "block": block, "row": row},
}
