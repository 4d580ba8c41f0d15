"""The table straightened: where tiles lie relative to each other, whatever side the photograph was taken from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.tiles import DOMINO, Shape
from vision.kinds import Points

# How strongly a table is taken to be seen from straight above where the tiles do not say otherwise.
PRIOR = 0.15
TILES_FOR_PERSPECTIVE = 4
ROUNDS, SETTLED = 30, 0.005  # at most; and the part by which a round must still change what is left of errors


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Tiles on the straightened table, in its pixels.

    Attributes:
        shape: the size all tiles share.
        poses: (n, 3): centre x, y and angle in degrees of each tile, as `SeenTile` has them.
        table_from_image: (3, 3) homography.
        residual: how far outlines are from those poses, root mean square, in widths.
    """

    shape: Shape
    poses: Points
    table_from_image: Points
    residual: float


def flatten(kind: str, outlines: list[Points]) -> Flat:
    """Find the view of the table from straight above under which all tiles are the same size.

    Args:
        kind: the kind of tile.
        outlines: at least one, in pixels, corners in the order of the kind's outline.
    """
    flat = _fit(kind, outlines, _affine(kind, outlines))
    if len(outlines) < TILES_FOR_PERSPECTIVE:
        return flat
    bent = flat
    for _ in range(ROUNDS):
        wanted = _placed(bent.shape, bent.poses).reshape(-1, 2)
        homography, _ = cv2.findHomography(np.concatenate(outlines), wanted)
        if homography is None:
            return flat
        before, bent = bent, _fit(kind, outlines, np.asarray(homography, np.float64))
        if abs(before.residual - bent.residual) < SETTLED * before.residual:
            break
    return bent if bent.residual < 0.8 * flat.residual else flat


def _affine(kind: str, outlines: list[Points]) -> Points:
    """The affinity under which corners are square and lengths agree, by linear least squares on its metric."""
    rows = []
    scale = float(np.mean([np.hypot(*(outline[1] - outline[0])) for outline in outlines]))

    def metric(a: Points, b: Points) -> list[float]:
        a, b = a / scale, b / scale
        return [a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[1] * b[1]]

    for outline in outlines:
        sides = np.roll(outline, -1, 0) - outline
        if kind == DOMINO:
            across, along = (sides[0] - sides[2]) / 2, (sides[1] - sides[3]) / 2
            rows += [
                [*metric(across, along), 0.0, 0.0],
                [*metric(across, across), -1.0, 0.0],
                [*metric(along, along), 0.0, -1.0],
            ]
        else:
            rows += [[*metric(side, side), -1.0, 0.0] for side in sides]
    pull = PRIOR * len(outlines) ** 0.5
    rows += [[pull, 0.0, -pull, 0.0, 0.0], [0.0, pull, 0.0, 0.0, 0.0]]
    matrix = np.array(rows) if kind == DOMINO else np.array(rows)[:, :4]
    solution = np.linalg.svd(matrix)[2][-1]
    a, b, c = solution[:3] * np.sign(solution[0])
    values, vectors = np.linalg.eigh(np.array([[a, b], [b, c]]))
    if values[0] <= 0.02 * values[1]:
        return np.eye(3)
    root = np.diag((values / np.sqrt(values[0] * values[1])) ** 0.5)
    affine = np.eye(3)
    affine[:2, :2] = vectors @ root @ vectors.T
    return affine


def _fit(kind: str, outlines: list[Points], table_from_image: Points) -> Flat:
    """Lay tiles of one size onto the outlines."""
    corners = np.stack(outlines)
    seen = cv2.perspectiveTransform(corners.reshape(1, -1, 2), table_from_image).reshape(corners.shape)
    sides = np.linalg.norm(np.roll(seen, -1, 1) - seen, axis=2)
    if kind == DOMINO:
        shape = Shape.domino(float(np.median(sides[:, 1::2])), float(np.median(sides[:, 0::2])), 0.0)
    else:
        shape = Shape.triomino(float(np.median(sides)), 0.0)
    centres, wanted = seen.mean(1), _model(shape) @ (1, 1j)
    arms = (seen - centres[:, None]) @ (1, 1j)
    angles = np.angle(arms @ wanted.conj())
    errors = np.abs(arms - wanted * np.exp(1j * angles[:, None]))
    residual = float(np.sqrt(np.mean(np.square(errors))) / shape.width_mm)
    return Flat(shape, np.column_stack([centres, np.rad2deg(angles)]), table_from_image, residual)


def _model(shape: Shape) -> Points:
    if shape.kind == DOMINO:
        x, y = shape.length_mm / 2, shape.width_mm / 2
        return np.array([(-x, y), (-x, -y), (x, -y), (x, y)])
    turns = 2 * np.pi / 3 * np.arange(3)
    return shape.length_mm / 3**0.5 * np.stack([np.cos(turns), np.sin(turns)], 1)


def _placed(shape: Shape, poses: Points) -> Points:
    """The corners of tiles at poses (n, 3), (n, corners, 2)."""
    arms = np.exp(1j * np.deg2rad(poses[:, 2:])) * (_model(shape) @ (1, 1j))
    return np.stack([arms.real, arms.imag], 2) + poses[:, None, :2]
