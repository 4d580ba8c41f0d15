"""From marks to the outlines of triominoes: three marks on the corners of an equal-sided triangle.

The same triangle of marks is formed around every point where tiles meet. Only where three straight
edges run parallel to it, all at the one distance that suits the whole photograph, lies a tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.still.candidate import Candidate, apart, sampled
from vision.still.glyphs import Glyphs

Floats = NDArray[np.float32]
Triples = NDArray[np.float64]  # (n, 4): centre x, y, distance between two marks, direction of one in radians

# Distance of two marks of a tile, in mark heights, and how unequal the marks and distances may be.
SPACING = (1.6, 4.2)
UNEQUAL_MARKS = 0.45
OFF_APEX = 0.16
# Distance from the centre to a side, in distances between marks.
REACH = np.arange(0.44, 0.74, 0.01)
STRIP_T = np.linspace(-0.62, 0.62, 25)
STRIP_RHO = np.arange(0.36, 0.84, 0.0125)
FLOOR = 0.3
SAME_SIZE = 0.07
SIZES_TRIED = 12


def triples(marks: Glyphs) -> Triples:
    """All equal-sided triangles of marks that could be the numbers of one tile."""
    found: dict[tuple[int, ...], tuple[float, float, float, float]] = {}
    places, height = marks[:, :2], marks[:, 2]
    for i in range(len(marks)):
        offset = places - places[i]
        away = np.hypot(offset[:, 0], offset[:, 1])
        size = np.sqrt(height * height[i])
        alike = np.abs(np.log(height / height[i])) < UNEQUAL_MARKS
        for j in np.flatnonzero(alike & (away > SPACING[0] * size) & (away < SPACING[1] * size)):
            # The third corner, 60 degrees clockwise from j as seen from i.
            apex = places[i] + offset[j] @ np.array([[0.5, 3**0.5 / 2], [-(3**0.5) / 2, 0.5]])
            miss = np.hypot(*(places - apex).T)
            miss[np.abs(np.log(height / size[j])) > UNEQUAL_MARKS] = np.inf
            k = int(miss.argmin())
            key = tuple(sorted((i, int(j), k)))
            if miss[k] < OFF_APEX * away[j] and key not in found:
                found[key] = _triple(places[np.array([i, j, k])])
    return np.array(list(found.values()), np.float64).reshape(-1, 4)


def _triple(marks: Points) -> tuple[float, float, float, float]:
    centre = marks.mean(0)
    arms = marks - centre
    # The mean of the three arms, each turned back onto the first.
    turns = np.exp(-2j * np.pi / 3 * np.arange(3))
    arm = ((arms[:, 0] + 1j * arms[:, 1]) * turns).mean()
    return (float(centre[0]), float(centre[1]), float(abs(arm) * 3**0.5), float(np.angle(arm)))


def strips(levels: list[Image], triple: NDArray[np.float64], seen: Points, twist: float = 0.0) -> Floats:
    """Edge strength (3, len(STRIP_RHO)), 0..1, parallel to the three sides by distance from the centre.

    Strip k lies opposite the k-th mark. `seen` (3, 3) takes the straightened table of the triples to the picture.
    """
    x, y, spacing, turn = triple
    outward = turn + twist + np.pi + 2 * np.pi / 3 * np.arange(3)
    normal = np.stack([np.cos(outward), np.sin(outward)], 1)
    tangent = np.stack([-normal[:, 1], normal[:, 0]], 1)
    points = (
        np.array([x, y])
        + spacing * STRIP_RHO[None, None, :, None] * normal[:, None, None, :]
        + spacing * STRIP_T[None, :, None, None] * tangent[:, None, None, :]
    )
    points = np.asarray(cv2.perspectiveTransform(points.reshape(-1, len(STRIP_RHO), 2), seen), np.float64)
    step = np.hypot(*(points[0, -1] - points[0, 0])) / len(STRIP_RHO)
    level = int(np.clip(np.floor(np.log2(max(1.5 * step, 1.0))), 0, len(levels) - 1))
    patch = sampled(levels[level], (points + 0.5) / 2**level - 0.5)
    soft = patch.reshape(3, len(STRIP_T), len(STRIP_RHO), 3).astype(np.float32)
    slope = np.zeros(soft.shape[:3], np.float32)
    slope[:, :, 1:-1] = np.abs(soft[:, :, 2:] - soft[:, :, :-2]).max(3)
    slope[:, :, 1:-1] = np.maximum(slope[:, :, 1:-1], np.maximum(slope[:, :, 2:], slope[:, :, :-2]))
    parts = np.sort(slope.reshape(3, 5, 5, -1).mean(2), 1)
    result: Floats = np.minimum(parts[:, :3].mean(1) / 24.0, 1.0)
    return result


def common_size(found: Triples, edges: Floats) -> tuple[float, float, float]:
    """What most tiles of a photograph agree on.

    Of several sizes at which outlines lie on edges, the right one is that which gives the most tiles
    that do not overlap: larger triangles of marks run along the same straight rows.

    Args:
        found: n triples.
        edges: their strips, (n, 3, len(STRIP_RHO)).

    Returns:
        How many well-supported tiles there are, the distance from centre to side in distances between
        marks, and the distance between marks on the flat table.
    """
    columns = np.clip(np.searchsorted(STRIP_RHO, REACH), 0, len(STRIP_RHO) - 1)
    at = edges[:, :, columns]
    worth = np.clip(0.5 * (at.mean(1) + at.min(1)) - FLOOR, 0, None)
    alike = np.abs(np.log(found[:, None, 2] / found[None, :, 2])) < SAME_SIZE
    total = alike.astype(float) @ (worth * found[:, 2, None])
    best = (-1.0, 0.0, 0.0)
    for _ in range(SIZES_TRIED):
        reference, reach = np.unravel_index(int(total.argmax()), total.shape)
        if total[reference, reach] <= 0:
            break
        members = np.flatnonzero(alike[reference])
        weights = worth[members, reach]
        spacing = float(np.average(found[members, 2], weights=weights + 1e-9))
        tiles = [Candidate(corners(found[m], float(REACH[reach])), 0.0) for m in members]
        explained = float(weights[apart(tiles, weights, 0.15)].sum())
        if explained > best[0]:
            best = (explained, float(REACH[reach]), spacing)
        near = np.abs(REACH - REACH[reach]) < 0.05
        total[np.ix_(alike[reference], near)] = 0
    return best


def corners(triple: NDArray[np.float64], reach: float) -> Points:
    """The three corners on the flat table, (3, 2), clockwise as seen, in the order of the marks."""
    turns = triple[3] + 2 * np.pi / 3 * np.arange(3)
    points: Points = triple[:2] + 2 * reach * triple[2] * np.stack([np.cos(turns), np.sin(turns)], 1)
    return points


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A triple moved and turned to fit the edges around it: its corners on the straightened table, its score."""

    triple: NDArray[np.float64]
    corners: Points
    score: float


def outline(
    levels: list[Image], triple: NDArray[np.float64], seen: Points, reach: float, spacing: float, free: bool = False
) -> Fitted:
    """Fit the outline of a tile to the edges near a triple.

    Args:
        levels, triple, seen: as for `strips`.
        reach, spacing: as from `common_size`.
        free: whether each side may turn by itself, as it does where the table is straightened roughly.
    """
    twists = np.deg2rad(np.arange(-6.0, 6.1, 2.0))
    start = np.array([*triple[:2], spacing, triple[3]])
    edges = np.array([strips(levels, start, seen, float(twist)) for twist in twists])  # (twist, side, rho)
    off = np.abs(STRIP_RHO - reach) / 0.09
    value = np.where(off < 1, edges - 0.25 * off**2, -1) - 0.29 * np.abs(twists)[:, None, None]
    best_rho = value.argmax(2)
    best = value.max(2)
    turn = best.argmax(0) if free else np.full(3, int((best.mean(1) + best.min(1)).argmax()))
    side = np.arange(3)
    rho, strength = STRIP_RHO[best_rho[turn, side]], best[turn, side]
    outward = triple[3] + twists[turn] + np.pi + 2 * np.pi / 3 * side
    normal = np.stack([np.cos(outward), np.sin(outward)], 1)
    score = float(0.5 * (strength.mean() + strength.min()))
    if free:
        # Corner k is where the two sides meet that do not lie opposite it.
        pairs = ((1, 2), (2, 0), (0, 1))
        found = np.array([np.linalg.solve(normal[[i, j]], spacing * rho[[i, j]]) for i, j in pairs]) + triple[:2]
        middle = found.mean(0)
        return Fitted(np.array([*middle, spacing, triple[3] + float(np.median(twists[turn]))]), found, score)
    # Sides keep near the common length: one tile's worn edge must not make it smaller.
    size = 0.5 * (rho.mean() / reach + 1) * spacing
    moved = np.array([*(triple[:2] + spacing * 2 / 3 * (rho @ normal)), size, triple[3] + twists[turn[0]]])
    return Fitted(moved, corners(moved, reach), score)
