"""A tile that may lie in a photograph, before and after it has been read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points

_LARGEST_WINDOW_PX = 49


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """An outline that may be a tile's.

    Attributes:
        corners: (n, 2) pixels, clockwise as seen, in the order the kind's outline has.
        score: how likely it is a tile, 0..1.
        edges: how well the picture's edges support it, 0..1; 0 where they were not looked for.
    """

    corners: Points
    score: float
    edges: float = 0.0

    @property
    def centre(self) -> Points:
        """The middle of the face, (2,) pixels."""
        middle: Points = self.corners.mean(0)
        return middle

    @property
    def size_px(self) -> float:
        """From the centre to the middle of a domino's short side or to a triomino's corner, about."""
        arms = self.corners - self.centre
        return float(np.hypot(*arms.T).mean()) * (0.8944 if len(arms) == 4 else 1.0)


def working_copy(image: Image, longest_px: int = 1600) -> tuple[Image, float]:
    """A copy of a size that small and large photographs share, and its scale."""
    scale = longest_px / max(image.shape[:2])
    scale = 2.0 if scale >= 1.6 else min(1.0, scale)
    if scale == 1.0:
        return image, 1.0
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    resized: Image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    return resized, scale


def pyramid(image: Image) -> list[Image]:
    """The picture at full size, half, quarter ... down to about 200 pixels."""
    levels = [image]
    while min(levels[-1].shape[:2]) > 200:
        levels.append(reduced(levels[-1], 0.5))
    return levels


def reduced(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """A picture at a smaller scale; itself at scale 1."""
    if scale == 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def darker_than_around(
    gray: NDArray[np.uint8], windows: tuple[int, ...], darkness: tuple[float, ...]
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], float, int]]:
    """Where a picture is darker than its surround, in windows of several sizes and by several shares.

    Args:
        gray: (height, width).
        windows: sides of the surround in pixels; the larger ones look at a reduced picture, to stay quick.
        darkness: the shares of the surround's mean below which a pixel counts as dark.

    Returns:
        For each window and share: the mask (1 = dark), the picture it was made from, its scale, the window.
    """
    for window in windows:
        if window > min(gray.shape):
            return
        scale = min(1.0, _LARGEST_WINDOW_PX / window)
        small = reduced(gray, scale)
        size = int(window * scale) | 1
        around = cv2.blur(small, (size, size))
        for share in darkness:
            yield (small < around * np.float32(share)).astype(np.uint8), small, scale, window


def sampled(image: NDArray[np.uint8], points: Points) -> NDArray[np.uint8]:
    """The picture at points (rows, columns, 2), between pixels by bilinear weights."""
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def shared_area(one: Points, other: Points) -> float:
    """The overlap of two convex outlines as a share of the smaller."""
    smaller = min(cv2.contourArea(one.astype(np.float32)), cv2.contourArea(other.astype(np.float32)))
    if smaller <= 0 or np.any(one.max(0) < other.min(0)) or np.any(other.max(0) < one.min(0)):
        return 0.0
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area / smaller)


def apart(candidates: list[Candidate], worth: NDArray[np.float64], limit: float) -> list[int]:
    """Which candidates to keep so that no two overlap by more than `limit` of the smaller.

    The worthiest come first, but one that stands in the way of several worth more together gives way.
    """
    clash = _clashes(candidates, limit)
    kept: list[int] = []
    for index in np.argsort(-worth, kind="stable"):
        if not clash[index, kept].any():
            kept.append(int(index))
    for index in reversed(kept.copy()):
        others = [other for other in kept if other != index]
        instead: list[int] = []
        for rival in np.argsort(-worth, kind="stable"):
            if clash[rival, index] and not clash[rival, [*others, *instead]].any():
                instead.append(int(rival))
        if sum(worth[rival] for rival in instead) > worth[index]:
            kept = [*others, *instead]
    return kept


def _clashes(candidates: list[Candidate], limit: float) -> NDArray[np.bool_]:
    """Which candidates overlap, (n, n)."""
    clash = np.zeros((len(candidates),) * 2, bool)
    if not len(candidates):
        return clash
    outlines = [one.corners.astype(np.float32) for one in candidates]
    areas = [cv2.contourArea(outline) for outline in outlines]
    low, high = (np.array([end(outline, 0) for outline in outlines]) for end in (np.min, np.max))
    near = ((low[:, None] < high) & (high[:, None] > low)).all(2)
    for i, j in np.argwhere(np.tril(near, -1)).tolist():
        shared, _ = cv2.intersectConvexConvex(outlines[i], outlines[j])
        clash[i, j] = clash[j, i] = shared > limit * min(areas[i], areas[j])
    return clash
