"""Fitting a tile's outline to a change on the table: start poses, one score, coarse-to-fine search.

Poses are rows (x_mm, y_mm, angle_deg). Angles are found up to the outline's own symmetry; which way
round the tile lies is for the reader of its face to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from referee.tiles import TRIOMINO, Shape
from vision.kinds import Image, Kind
from vision.rectify import Window, place

CORNER_MM = 3.5  # real corners are rounded; the outline near them proves nothing
SAMPLE_MM = 1.5
INSIDE_STEP_MM = 3.6
GRADIENT_HALF = 8.0  # grey levels per millimetre at which an edge counts half
DIFFERENCE_FULL = 40.0  # grey levels of change that count fully
RING_COST = 0.6
GAP_MM = 0.6  # what people leave between tiles they push together
COARSE_STEPS = ((2.0, 4.0), (1.0, 2.0))  # millimetres, degrees
FINE_STEPS = ((0.5, 1.0), (0.25, 0.5))
POLISH = np.array([0.5, 0.5, 2.0])  # wider in angle: over half a degree the totals are mostly noise
FREE_STEP_DEG = 10.0
SLIDES_MM = (-12.0, -8.0, -4.0, 0.0, 4.0, 8.0, 12.0)
APART_MM, APART_DEG = 4.0, 14.0
MOST_AT_ONCE = 4096  # poses; `cv2.remap` takes no more than 32767 rows

Floats = NDArray[np.floating[Any]]

NEIGHBOURS = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Where to look for a tile, in its own frame: outline points with outward normals, inside, ring round it."""

    kind: str
    shape: Shape
    outline_mm: Matrix
    edge_mm: Matrix
    normals: Matrix
    inside_mm: Matrix
    ring_mm: Matrix

    @classmethod
    def of(cls, kind: Kind, shape: Shape) -> Template:
        """The template of a kind of tile in one set's size."""
        corners = np.asarray(kind.outline(shape), dtype=np.float64)
        edge, normals, sides = [], [], []
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            length = float(np.linalg.norm(end - start))
            along = (end - start) / length
            steps = np.arange(CORNER_MM, length - CORNER_MM + 0.01, SAMPLE_MM)
            edge.append(start + steps[:, None] * along)
            outward = np.array([along[1], -along[0]])  # corners run clockwise as seen
            normals.append(np.tile(outward, (len(steps), 1)))
            sides.append((start, outward))
        edge_mm, out = np.concatenate(edge), np.concatenate(normals)
        span = np.arange(-shape.length_mm, shape.length_mm + 0.1, INSIDE_STEP_MM)
        grid = np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2)
        depth = np.min([(start - grid) @ outward for start, outward in sides], axis=0)
        ring = np.concatenate([edge_mm[first::3] + out[first::3] * step for first, step in ((0, 2.0), (1, 3.5))])
        return cls(kind.name, shape, corners, edge_mm, out, grid[depth > 1.5], ring)

    def thinned(self, every: int) -> Template:
        """The same template with only so many of its points, to compare poses that differ widely."""
        return replace(
            self,
            edge_mm=self.edge_mm[::every],
            normals=self.normals[::every],
            inside_mm=self.inside_mm[::every],
            ring_mm=self.ring_mm[::every],
        )

    @property
    def symmetry_deg(self) -> float:
        """The turn after which the outline looks the same."""
        return 120.0 if self.kind == TRIOMINO else 180.0

    @property
    def reach_mm(self) -> float:
        """From the centre to the farthest corner."""
        return float(np.linalg.norm(self.outline_mm, axis=1).max())

    @property
    def inner_mm(self) -> float:
        """From the centre to the nearest side."""
        return float(np.min(np.sum(self.edge_mm * self.normals, axis=1)))

    @property
    def area_mm2(self) -> float:
        """The area inside the outline."""
        return float(cv2.contourArea(self.outline_mm.astype(np.float32)))

    def corners(self, pose: Matrix) -> Matrix:
        """The corners of the outline at a pose, (n, 2) mm on the table."""
        return place(self.outline_mm, *pose)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A window of the table made ready for fitting: grey-level slopes and what has changed.

    `slopes` (height, width, 2) are grey levels per millimetre along x and y, `change` (height, width) is
    0..1; both float32.
    """

    window: Window
    slopes: NDArray[np.float32]
    change: NDArray[np.float32]

    @classmethod
    def of(cls, picture: Image, difference: Image | None, window: Window) -> Scene:
        """Prepare a rectified BGR picture and its difference (0..255 grey levels) from what was there before."""
        grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 0.4 * window.px_per_mm)
        scale = window.px_per_mm / 32.0  # a Scharr kernel weighs a step by 32
        slope_x = cv2.Scharr(grey, cv2.CV_32F, 1, 0, scale=scale)
        slope_y = cv2.Scharr(grey, cv2.CV_32F, 0, 1, scale=scale)
        if difference is None:
            change = np.zeros(grey.shape, np.float32)
        else:
            change = np.minimum(difference.astype(np.float32) / DIFFERENCE_FULL, 1.0)
        return cls(window, np.asarray(cv2.merge([slope_x, slope_y]), dtype=np.float32), change)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """How well poses explain a scene; each (n,). `edge` is -1..1 along the normals: above 0 a bright tile."""

    edge: Matrix
    inside: Matrix
    ring: Matrix

    def total(self, polarity: int) -> Matrix:
        """The score to maximise; `polarity` +1 bright tiles, -1 dark ones, 0 not known yet."""
        edge = np.abs(self.edge) if polarity == 0 else self.edge * polarity
        return np.asarray(edge + self.inside - RING_COST * self.ring)


def score(template: Template, scene: Scene, poses: Matrix) -> Scores:
    """Score poses (n, 3) of a template in a scene."""
    if 0 < len(poses) <= MOST_AT_ONCE:
        return Scores(*(part.astype(np.float64) for part in _score_some(template, scene, poses)))
    parts = [
        _score_some(template, scene, poses[row : row + MOST_AT_ONCE]) for row in range(0, len(poses), MOST_AT_ONCE)
    ]
    if not parts:
        return Scores(*np.empty((3, 0)))
    return Scores(*(np.concatenate(part).astype(np.float64) for part in zip(*parts, strict=True)))


def _score_some(template: Template, scene: Scene, poses: Matrix) -> tuple[Floats, ...]:
    """The three scores of a few poses, (n,) each."""
    turn = np.radians(poses[:, 2:]).astype(np.float32)
    cos, sin = np.cos(turn), np.sin(turn)
    middle = scene.window.to_pixels(poses[:, :2]).astype(np.float32)
    spots = _spots(template, scene.window.px_per_mm)
    columns = cos * spots.along - sin * spots.across + middle[:, :1]
    rows = sin * spots.along + cos * spots.across + middle[:, 1:]
    edges = len(spots.normal_x)
    slopes = _picked(scene.slopes, columns[:, :edges], rows[:, :edges])
    fall = slopes[..., 0] * (cos * spots.normal_x - sin * spots.normal_y)
    fall += slopes[..., 1] * (sin * spots.normal_x + cos * spots.normal_y)
    edge = (fall / (np.abs(fall) + np.float32(GRADIENT_HALF))) @ spots.each_edge
    inside, ring = (_picked(scene.change, columns[:, edges:], rows[:, edges:]) @ spots.each_part).T
    return -edge, inside, ring


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """A template as it is looked up: its points in pixels, its normals, and the shares that make means of them.

    `each_edge` (edges,) is for the points of the outline, `each_part` (others, 2) for those inside and in the ring.
    """

    along: NDArray[np.float32]
    across: NDArray[np.float32]
    normal_x: NDArray[np.float32]
    normal_y: NDArray[np.float32]
    each_edge: NDArray[np.float32]
    each_part: NDArray[np.float32]


@lru_cache(maxsize=32)
def _spots(template: Template, px_per_mm: float) -> _Spots:
    points = np.concatenate([template.edge_mm, template.inside_mm, template.ring_mm]) * px_per_mm
    edges, inner, outer = (len(part) for part in (template.edge_mm, template.inside_mm, template.ring_mm))
    parts = np.zeros((inner + outer, 2), np.float32)
    parts[:inner, 0], parts[inner:, 1] = 1.0 / inner, 1.0 / outer
    along, across, normal_x, normal_y = (
        np.asarray(np.ascontiguousarray(part), np.float32) for part in (*points.T, *template.normals.T)
    )
    return _Spots(along, across, normal_x, normal_y, np.full(edges, 1.0 / edges, np.float32), parts)


def _picked(picture: NDArray[np.float32], columns: Floats, rows: Floats) -> NDArray[np.float32]:
    """The values of a picture between its pixels, at (n, points); its border goes on outside."""
    return np.asarray(cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def free_starts(template: Template, x_mm: float, y_mm: float) -> Matrix:
    """Start poses at a point for every angle, (n, 3); for a domino also slid along its axis."""
    angles = np.arange(0.0, template.symmetry_deg, FREE_STEP_DEG)
    slides = (0.0,) if template.kind == TRIOMINO else SLIDES_MM
    way = np.column_stack([np.cos(np.radians(angles)), np.sin(np.radians(angles)), np.zeros(len(angles))])
    here = np.column_stack([np.full(len(angles), x_mm), np.full(len(angles), y_mm), angles])
    return np.concatenate([here + slide * way for slide in slides])


def cell_starts(template: Template, neighbours: Matrix) -> Matrix:
    """Start poses next to tiles that already lie there, (m, 3) -> (n, 3): where people push tiles together."""
    if not len(neighbours):
        return np.empty((0, 3))
    shape = template.shape
    if template.kind == TRIOMINO:
        away = 2 * template.inner_mm + GAP_MM
        local = [(away * np.cos(turn), away * np.sin(turn), 180.0) for turn in np.radians([60.0, 180.0, 300.0])]
    else:
        long, short = shape.length_mm, shape.width_mm
        end, corner = long + GAP_MM, (long - short) / 2
        across = (long + short) / 2 + GAP_MM
        local = []
        for side in (1.0, -1.0):
            local += [(side * end, 0.0, 0.0), (side * across, 0.0, 90.0), (0.0, side * across, 90.0)]
            local += [(side * across, bend * corner, 90.0) for bend in (1.0, -1.0)]
            local += [(bend * corner, side * across, 90.0) for bend in (1.0, -1.0)]
            local += [(0.0, side * (short + GAP_MM), 0.0)]
    starts = []
    for x_mm, y_mm, angle in neighbours:
        offsets = np.array([(x, y) for x, y, _ in local])
        turned = place(offsets, x_mm, y_mm, angle)
        starts.append(np.column_stack([turned, angle + np.array([turn for _, _, turn in local])]))
    return np.concatenate(starts)


def rivals(template: Template, pose: Matrix) -> Matrix:
    """The poses (n, 3) in which a tile is most easily mistaken to lie: half a tile off, or turned."""
    if template.kind == TRIOMINO:
        way = np.radians(pose[2] + np.arange(0.0, 360.0, 60.0))
        slid = np.column_stack([np.cos(way), np.sin(way), np.zeros(6)]) * template.inner_mm + pose
        return np.concatenate([slid, slid + np.array([0.0, 0.0, 60.0]), pose[None] + np.array([0.0, 0.0, 60.0])])
    step = template.shape.length_mm / 8
    local = [(along * step, 0.0, 0.0) for along in (-4, -3, -2, -1, 1, 2, 3, 4)]
    local += [(along * step, across * step, 0.0) for along in (-2, 0, 2) for across in (-2, 2)]
    local += [(along * step, 0.0, 90.0) for along in (-4, -2, 0, 2, 4)]
    offsets = np.array([*local, (0.0, 0.0, 45.0), (0.0, 0.0, -45.0)])
    return np.column_stack([place(offsets[:, :2], *pose), pose[2] + offsets[:, 2]])


def distinct(template: Template, poses: Matrix, totals: Matrix, most: int) -> NDArray[np.intp]:
    """The rows of the best poses that differ from each other, best first."""
    chosen: list[int] = []
    for row in np.argsort(-totals):
        apart = all(
            np.hypot(*(poses[row, :2] - poses[other, :2])) > APART_MM
            or turn_between(poses[row, 2], poses[other, 2], template.symmetry_deg) > APART_DEG
            for other in chosen
        )
        if apart:
            chosen.append(int(row))
            if len(chosen) == most:
                break
    return np.array(chosen, dtype=np.intp)


def refine(
    template: Template,
    scene: Scene,
    starts: Matrix,
    polarity: int,
    steps: tuple[tuple[float, float], ...] = COARSE_STEPS + FINE_STEPS,
) -> tuple[Matrix, Matrix]:
    """Climb from start poses (n, 3) to the nearest best ones: poses (n, 3) and their totals (n,)."""
    poses = np.array(starts, dtype=np.float64)
    totals = score(template, scene, poses).total(polarity)
    for step_mm, step_deg in steps:
        moves = NEIGHBOURS * np.array([step_mm, step_mm, step_deg])
        climbing = np.arange(len(poses))
        for _ in range(3):
            tried = poses[climbing, None] + moves
            values = score(template, scene, tried.reshape(-1, 3)).total(polarity).reshape(len(climbing), len(moves))
            best = values.argmax(axis=1)
            higher = values[np.arange(len(climbing)), best] > totals[climbing] + 1e-9
            climbing, best = climbing[higher], best[higher]
            if not len(climbing):
                break
            poses[climbing] = tried[higher, best]
            totals[climbing] = values[higher, best]
    return poses, totals


def polish(template: Template, scene: Scene, poses: Matrix, polarity: int) -> Matrix:
    """Move refined poses (n, 3) to the top of the parabola through their neighbours' totals, axis by axis."""
    moves = np.concatenate([np.zeros((1, 3)), np.diag(POLISH), -np.diag(POLISH)])
    totals = score(template, scene, (poses[:, None] + moves).reshape(-1, 3)).total(polarity).reshape(-1, len(moves))
    here, ahead, behind = totals[:, :1], totals[:, 1:4], totals[:, 4:]
    bend = np.minimum(ahead - 2 * here + behind, -1e-6)
    return np.asarray(poses + POLISH * np.clip((behind - ahead) / (2 * bend), -0.5, 0.5))


def turn_between(first_deg: float, second_deg: float, symmetry_deg: float = 360.0) -> float:
    """The smallest turn from one angle to another, 0..symmetry/2."""
    return float(abs((first_deg - second_deg + symmetry_deg / 2) % symmetry_deg - symmetry_deg / 2))


def overlap(template: Template, first: Matrix, second: Matrix) -> float:
    """Which part of a tile's area lies under another tile's, 0..1."""
    if np.hypot(*(first[:2] - second[:2])) > 2 * template.reach_mm:
        return 0.0
    one, two = template.corners(first).astype(np.float32), template.corners(second).astype(np.float32)
    area, _ = cv2.intersectConvexConvex(one, two)
    return float(area) / float(cv2.contourArea(one))
