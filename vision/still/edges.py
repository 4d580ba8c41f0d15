"""Moving the sides of outlines onto the edges of the picture, for all tiles at once."""

from __future__ import annotations

from functools import cache, reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points

Floats = NDArray[np.float32]

ALONG = np.linspace(-0.82, 0.82, 16)  # places along a side, from its middle in halves of it
PARTS = 4  # of a side: an edge has to be there in the weaker half of them, as pips stand in rows too
OFFSETS = np.linspace(-1, 1, 33)  # distances that are tried, in parts of the reach
SLANTS = np.linspace(-0.5, 0.5, 9)  # by which the ends of a side differ, in parts of the reach
# How far a side may be off, in parts of the distance from the centre to the nearest side, and what step between
# grey levels is a full edge: first where it may be anywhere near, then where exactly.
PASSES = ((0.4, 20.0), (0.15, 30.0), (0.07, 60.0))
PULL, SLANT_COST = 0.25, 0.1
# A step counts by the ratio of what it parts, as that is the same in light and shadow: so much as at this brightness.
BRIGHT, DARKEST = 200.0, 60.0
_RELATIVE = np.rint((BRIGHT + DARKEST) * np.log1p(np.arange(256) / DARKEST)).astype(np.uint16)


def onto_edges(image: Image, corners: Points) -> tuple[Points, NDArray[np.float64]]:
    """Move the sides of outlines (n, k, 2) onto the nearest straight edges.

    Returns:
        The corners moved, and how well edges support each outline, (n,), 0..1.
    """
    support = np.zeros(len(corners))
    if len(corners):
        for reach, full_edge in PASSES:
            corners, found = _moved(image, corners, reach, full_edge)
            support = np.maximum(support, found)
    return corners, support


def _moved(image: Image, corners: Points, reach: float, full_edge: float) -> tuple[Points, NDArray[np.float64]]:
    start, end = corners, np.roll(corners, -1, 1)
    middle, half = (start + end) / 2, (end - start) / 2
    length = np.hypot(half[..., 0], half[..., 1])
    outward = np.stack([half[..., 1], -half[..., 0]], -1) / length[..., None]  # corners run clockwise as seen
    away = ((middle - corners.mean(1, keepdims=True)) * outward).sum(-1)
    room = reach * away.min(1, keepdims=True)  # (n, 1)
    on_side = middle[:, :, None] + ALONG[:, None] * half[:, :, None]  # (n, k, along, 2)
    aside = room[..., None, None] * OFFSETS[:, None] * outward[:, :, None]  # (n, k, offsets, 2)
    x, y = (on_side[..., None, axis] + aside[:, :, None, :, axis] for axis in (0, 1))  # (n, k, along, offsets)
    score = _lines(_edges(image, x, y, full_edge))  # (n, k, slants, offsets)
    score = score - PULL * OFFSETS**2 - SLANT_COST * np.abs(SLANTS)[:, None]
    flat = score.reshape(*score.shape[:2], -1)
    best = flat.argmax(2)
    slant, offset = np.unravel_index(best, score.shape[2:])
    shift = _between(score, slant, offset)
    moved = room * shift
    lean = room * SLANTS[slant]
    a = middle + outward * (moved - lean)[..., None] - half
    b = middle + outward * (moved + lean)[..., None] + half
    return _crossings(np.roll(a, 1, 1), np.roll(b, 1, 1), a, b), np.clip(flat.max(2), 0, 1).mean(1)


def _edges(image: Image, x: Points, y: Points, full_edge: float) -> Floats:
    """How strong an edge runs between neighbouring offsets, 0..1, at places (n, k, along, offsets)."""
    rows = (-1, x.shape[-1])
    at = x.astype(np.float32).reshape(rows), y.astype(np.float32).reshape(rows)
    seen = cv2.remap(image, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blue, green, red = cv2.split(cv2.LUT(seen, _RELATIVE))
    steps = (cv2.absdiff(colour[:, 2:], colour[:, :-2]) for colour in (blue, green, red))
    strength = np.zeros(x.shape, np.float32)
    strength.reshape(rows)[:, 1:-1] = reduce(cv2.max, steps)
    return np.asarray(np.minimum(strength / np.float32(full_edge), 1), np.float32)


@cache
def _line_places() -> NDArray[np.intp]:
    """For each place in a part of a side where all lines run, (places, parts, slants, offsets)."""
    steps = np.round(SLANTS[:, None] * ALONG * (len(OFFSETS) - 1) / 2).astype(int)  # (slants, along)
    offsets = np.clip(steps[..., None] + np.arange(len(OFFSETS)), 0, len(OFFSETS) - 1)
    places = np.arange(len(ALONG))[:, None] * len(OFFSETS) + offsets  # (slants, along, offsets)
    return places.reshape(len(SLANTS), PARTS, -1, len(OFFSETS)).transpose(2, 1, 0, 3)


def _lines(edges: Floats) -> NDArray[np.float64]:
    """How strong an edge is along lines of all slants and offsets, (n, k, slants, offsets)."""
    sides = edges.shape[:2]
    by_place = np.ascontiguousarray(edges.reshape(sides[0] * sides[1], -1).T)
    places = _line_places()
    one, two, three, four = sum(by_place[each] for each in places)  # of each part (slants, offsets, sides)
    # The two weakest of the four, without sorting.
    low, other_low = np.minimum(one, two), np.minimum(three, four)
    high = np.minimum(np.maximum(one, two), np.maximum(three, four))
    second = np.minimum(np.maximum(low, other_low), high)
    weaker = (np.minimum(low, other_low) + second) / (2 * len(places))
    return np.asarray(weaker.transpose(2, 0, 1).reshape(*sides, *weaker.shape[:2]), np.float64)


def _between(score: NDArray[np.float64], slant: NDArray[np.intp], offset: NDArray[np.intp]) -> NDArray[np.float64]:
    """The best offset to a part of a step, by the parabola through its neighbours."""
    tile, side = np.indices(offset.shape)
    inner = np.clip(offset, 1, len(OFFSETS) - 2)
    before, here, after = (score[tile, side, slant, inner + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * here + after, -1e-6)
    part = np.where(inner == offset, np.clip((before - after) / (2 * bend), -0.5, 0.5), 0.0)
    return np.asarray(OFFSETS[offset] + part * (OFFSETS[1] - OFFSETS[0]), np.float64)


def _crossings(a: Points, b: Points, c: Points, d: Points) -> Points:
    """Where the lines a-b and c-d cross, (..., 2)."""
    u, v, w = b - a, d - c, c - a
    down = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    part = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / np.where(np.abs(down) < 1e-9, 1e-9, down)
    crossing: Points = a + part[..., None] * u
    return crossing
