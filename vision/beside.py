"""Tiles lie beside each other, never in one another: a pose that says otherwise is set right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from calibration.profile import Matrix
from referee.sighting import SeenTile
from vision.faces import placed, pose_of
from vision.outlines import Template

KNOWN_MM = 0.8  # poses are hardly better known than this
MOST_MM = 6.0  # who would reach farther into another lies elsewhere
ROUNDS = 4


def pushed_out(template: Template, pose: Matrix, others: Iterable[Matrix]) -> Matrix:
    """A pose moved, the shortest way, out of others (n, 3) that it reaches into a little."""
    near = [other for other in others if _is_near(template, pose, other)]
    for _ in range(ROUNDS):
        ways = [_way_out(template, pose, other) for other in near]
        farthest = max(ways, key=lambda way: float(np.hypot(*way)), default=np.zeros(2))
        if not farthest.any():
            break
        pose = pose + np.array([*farthest, 0.0])
    return pose


def apart(template: Template, found: Sequence[SeenTile], there: Sequence[SeenTile]) -> list[SeenTile]:
    """Tiles just found moved out of those that lie there, and out of each other, each by half of what is too much."""
    poses, fixed = [pose_of(tile) for tile in found], [pose_of(tile) for tile in there]
    for _ in range(ROUNDS):
        before = [pose.copy() for pose in poses]
        for index, pose in enumerate(poses):
            for other in range(index):
                if _is_near(template, pose, poses[other]):
                    half = np.array([*_way_out(template, poses[index], poses[other]) / 2.0, 0.0])
                    poses[index], poses[other] = poses[index] + half, poses[other] - half
            poses[index] = pushed_out(template, poses[index], fixed)
        if all(np.array_equal(one, other) for one, other in zip(before, poses, strict=True)):
            break
    return [
        tile if np.array_equal(pose, pose_of(tile)) else placed(tile, pose)
        for tile, pose in zip(found, poses, strict=True)
    ]


def _is_near(template: Template, pose: Matrix, other: Matrix) -> bool:
    return float(np.hypot(*(pose[:2] - other[:2]))) < 2.0 * template.reach_mm


def _way_out(template: Template, pose: Matrix, other: Matrix) -> Matrix:
    """The shortest way (x_mm, y_mm) by which a tile no longer reaches into another one; zero where that is far."""
    one, two = template.corners(pose), template.corners(other)
    best_mm, way = np.inf, np.zeros(2)
    for corners, sign in ((one, -1.0), (two, 1.0)):
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = (end - start) / np.linalg.norm(end - start)
            outward = np.array([along[1], -along[0]])  # corners run clockwise as seen
            inner = (two if sign < 0 else one) @ outward
            depth_mm = float(start @ outward - inner.min())
            if depth_mm < best_mm:
                best_mm, way = depth_mm, sign * outward
    return way * (best_mm - KNOWN_MM) if KNOWN_MM < best_mm <= MOST_MM else np.zeros(2)
