"""Counting the pips in the corners of a triomino by their places: a reader that has learnt nothing.

A pip differs from its surroundings on all sides, a streak of the wood or a scratch only on two. The pips
of a corner are painted alike and stand in the arrangement of their number, at its corner.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Marked = NDArray[np.bool_]

MOST = 5
_CANDIDATES = 8  # in a corner
_NEAR, _AROUND, _FINE = 2.0, 4.5, 0.8  # sigmas in pixels: of a pip, of what is around it, against noise
_RADII_PX = (5.0, 6.5, 8.0)  # of the rings in which a pip must have ended
_DIRECTIONS = 16
_SPARED = 3  # of them may hold another pip
_PIN_PX = 6.0  # so far from the middle nothing is counted
# A spot is a pip as likely as not at this contrast in grey levels, for what contrast the face has anyway.
_LIMIT, _NOISE_POWER = 5.2, 0.77
_STEEP = 3.5  # the power by which more contrast makes it likelier
# Places, in parts of the tile's side: where the middle of a corner's pips is (along the bisector from the tile's
# centre, across it), how far apart neighbours are, and what these may differ by.
_MIDDLE, _MIDDLE_BY = (0.245, 0.0), (0.05, 0.035)
_PITCH, _PITCH_BY = 0.14, 0.035
_SHAPE_BY = 0.13
_ALIKE_BY = 0.5  # logarithm of contrast
# By how much likelier, as a logarithm, it gets that so many spots are pips, as they would hardly stand so by chance.
_NO_CHANCE = (0.0, 0.0, 0.0, 0.4, 2.4, 4.0)

# How pips may stand, in any unit, turned anyhow.
_SHAPES: tuple[tuple[tuple[tuple[float, float], ...], ...], ...] = (
    (((0, 0),),),
    (((-1, 0), (1, 0)),),
    (
        ((0.6, 0), (-0.6, -0.9), (-0.6, 0.9)),
        ((0.6, 0), (-0.6, -1.2), (-0.6, 1.2)),
        ((0.5, 0), (-0.5, -1.3), (-0.5, 1.3)),
    ),
    (((1, 0), (0, -1), (0, 1), (-1, 0)), ((1.2, 0), (0, -1), (0, 1), (-1.2, 0))),
    (((1, 0), (0, -1), (0, 1), (-1, 0), (0, 0)), ((1.2, 0), (0, -1), (0, 1), (-1.2, 0), (0, 0))),
)


def _gaps(places: Chances) -> Chances:
    """All distances between places (..., n, 2), the smallest first."""
    one, other = np.triu_indices(places.shape[-2], 1)
    apart = places[..., one, :] - places[..., other, :]
    return np.sort(np.hypot(apart[..., 0], apart[..., 1]), axis=-1)


@cache
def _known_gaps(number: int) -> Chances:
    """The gaps of all ways in which so many pips stand, in parts of their mean, (ways, gaps)."""
    gaps = np.stack([_gaps(np.array(shape, float)) for shape in _SHAPES[number - 1]])
    return gaps / gaps.mean(axis=1, keepdims=True) if number > 1 else gaps


@cache
def _ring() -> Floats:
    """The points of all rings, (rings, directions, 2)."""
    turns = np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False)
    way = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return np.asarray(np.array(_RADII_PX)[:, None, None] * way, np.float32)


def spots(face: Image, inside: Marked) -> tuple[Chances, Chances]:
    """What may be pips: their places (n, 2) and how much likelier than not, as a logarithm."""
    picture = face.astype(np.float32)
    near = cv2.GaussianBlur(picture, (0, 0), _NEAR)
    around = cv2.GaussianBlur(picture, (0, 0), _AROUND)
    stands_out = np.sqrt(np.square(near - around).sum(axis=2))
    peaks = (stands_out >= cv2.dilate(stands_out, np.ones((5, 5), np.uint8))) & inside
    rows, columns = np.nonzero(peaks)
    if not len(rows):
        return np.zeros((0, 2)), np.zeros(0)
    places = np.stack([columns, rows], axis=1).astype(np.float32)
    points = (places[:, None, None] + _ring()).reshape(len(places), -1, 2)
    fine = cv2.GaussianBlur(picture, (0, 0), _FINE)
    ring = cv2.remap(fine, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = near[rows, columns][:, None, None] - ring.reshape(len(places), len(_RADII_PX), _DIRECTIONS, 3)
    mean = steps.mean(axis=2, keepdims=True)
    along = (steps * mean).sum(axis=3) / np.maximum(np.sqrt(np.square(mean).sum(axis=3)), 1e-3)
    ended = np.partition(along, _SPARED, axis=2)[..., _SPARED].max(axis=1)
    half = _DIRECTIONS // 2  # a line goes on in some direction and in the opposite one
    alone = np.maximum(along[..., :half], along[..., half:]).min(axis=2).max(axis=1)
    contrast = np.minimum(ended, alone).clip(1e-3)
    limit = _LIMIT * (float(np.median(stands_out[inside])) + 0.5) ** _NOISE_POWER
    return places.astype(np.float64), _STEEP * np.log(contrast / limit)


def count_chances(face: Image, inside: Marked, corners_deg: tuple[float, ...], side_px: float) -> Chances:
    """The chances of none to five pips in each corner, (corners, 6).

    Args:
        face: canonical, BGR.
        inside: (height, width), where it shows the tile's own stuff.
        corners_deg: where the corners are as seen from the middle.
        side_px: of the tile.
    """
    places, chance = spots(face, inside)
    middle = (np.array(face.shape[1::-1]) - 1) / 2
    arms = places - middle
    ways = np.deg2rad(corners_deg)
    along = arms @ np.stack([np.cos(ways), np.sin(ways)])
    across = arms @ np.stack([-np.sin(ways), np.cos(ways)])
    nearest = along.argmax(axis=1) if len(arms) else np.zeros(0, int)
    counts = np.empty((len(ways), MOST + 1))
    for corner in range(len(ways)):
        here = np.flatnonzero((nearest == corner) & (np.hypot(*arms.T) > _PIN_PX))
        here = here[np.argsort(-chance[here], kind="stable")[:_CANDIDATES]]
        at = np.stack([along[here, corner], across[here, corner]], axis=1) / side_px
        counts[corner] = _counts(at, chance[here])
    return counts


def _counts(places: Chances, chance: Chances) -> Chances:
    """The chances of none to five, of spots at places in a corner (along its bisector, across)."""
    none = float(-np.logaddexp(0, chance).sum())  # all of them are something else
    likely = [none]
    for number in range(1, MOST + 1):
        chosen = np.array(list(combinations(range(len(places)), number)), int).reshape(-1, number)
        if not len(chosen):
            likely.append(none - 30)
            continue
        own = chance[chosen]
        cost = _misplaced(places[chosen], number) + np.square((own.max(1) - own.min(1)) / _STEEP / _ALIKE_BY) / 4
        likely.append(float((none + own.sum(axis=1) - cost).max()) + _NO_CHANCE[number])
    weights = np.exp(np.array(likely) - max(likely))
    return np.asarray(weights / weights.sum(), np.float64)


def _misplaced(places: Chances, number: int) -> Chances:
    """How ill these sets of places, (sets, number, 2), suit a number, as a logarithm."""
    away = (places.mean(axis=1) - _MIDDLE) / _MIDDLE_BY
    cost = np.square(away).sum(axis=1) / 2
    if number > 1:
        gaps = _gaps(places)
        mean = gaps.mean(axis=1, keepdims=True)
        shape = np.square((gaps / mean)[:, None] - _known_gaps(number)).sum(axis=2).min(axis=1) / (2 * _SHAPE_BY**2)
        nearest = gaps[:, : number - 1].mean(axis=1) / (0.72 if number == MOST else 1.0)
        cost = cost + shape + np.square((nearest - _PITCH) / _PITCH_BY) / 2
    return np.asarray(cost, np.float64)
