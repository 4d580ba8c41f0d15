"""A tile that may lie in a photograph, before and after it has been read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points

_LARGEST_WINDOW_PX = 49
ROUNDING = 1e-6  # square pixels: what spans less is parallel


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
        return float(sizes_px(self.corners))


def sizes_px(corners: Points) -> NDArray[np.float64]:
    """What `Candidate.size_px` says of outlines (..., corners, 2)."""
    arms = corners - corners.mean(-2, keepdims=True)
    sizes: NDArray[np.float64] = np.hypot(arms[..., 0], arms[..., 1]).mean(-1)
    return sizes * (0.8944 if corners.shape[-2] == 4 else 1.0)


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
    return float(_shared(one[None], other[None])[0])


def _shared(ones: Points, others: Points) -> NDArray[np.float64]:
    """The overlap of convex outlines (n, corners, 2), clockwise as seen, with as many others, as shares of the smaller.

    What they share is bounded by the sides of each as far as they run inside the other.
    """
    both = _bounded(ones, others, touching=True) + _bounded(others, ones, touching=False)
    smaller = np.minimum(*(_cross(each, np.roll(each, -1, 1)).sum(1) for each in (ones, others)))
    shares: NDArray[np.float64] = both / np.maximum(smaller, 1e-9)
    return shares


def _bounded(ones: Points, others: Points, touching: bool) -> NDArray[np.float64]:
    """Twice the area under the sides of outlines as far as they run inside others, (n,).

    Args:
        touching: whether a side that lies on a side of the other counts as inside.
    """
    along, sides = np.roll(ones, -1, 1) - ones, np.roll(others, -1, 1) - others
    depth = _cross(sides[:, None], ones[:, :, None] - others[:, None])  # (n, sides, sides of the other)
    deeper = _cross(sides[:, None], along[:, :, None])
    slants = np.abs(deeper) > ROUNDING
    crossed = -depth / np.where(slants, deeper, 1.0)
    begin = np.where(slants & (deeper > 0), crossed, 0.0).max(2).clip(0, 1)
    end = np.where(slants & (deeper < 0), crossed, 1.0).min(2).clip(0, 1)
    outside = (~slants & (depth < (-ROUNDING if touching else ROUNDING))).any(2)
    bounded: NDArray[np.float64] = (np.where(outside, 0.0, (end - begin).clip(0)) * _cross(ones, along)).sum(1)
    return bounded


def _cross(one: Points, other: Points) -> NDArray[np.float64]:
    """The area that two arrows (..., 2) span; positive where the second is clockwise from the first."""
    spanned: NDArray[np.float64] = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return spanned


def apart(candidates: Sequence[Candidate], worth: NDArray[np.float64], limit: float) -> list[int]:
    """Which candidates to keep so that no two overlap by more than `limit` of the smaller.

    The worthiest come first, but one that stands in the way of several worth more together gives way.
    """
    outlines = [one.corners for one in candidates]
    clash = overlapping(outlines, outlines, limit)
    kept: list[int] = []
    order = np.argsort(-worth, kind="stable").tolist()
    for index in order:
        if not clash[index, kept].any():
            kept.append(index)
    for index in reversed(kept.copy()):
        rivals = [rival for rival in order if clash[rival, index]]
        if sum(worth[rival] for rival in rivals) <= worth[index]:
            continue
        others = [other for other in kept if other != index]
        instead: list[int] = []
        for rival in rivals:
            if not clash[rival, [*others, *instead]].any():
                instead.append(rival)
        if sum(worth[rival] for rival in instead) > worth[index]:
            kept = [*others, *instead]
    return kept


def overlapping(ones: Sequence[Points], others: Sequence[Points], limit: float) -> NDArray[np.bool_]:
    """Which convex outlines overlap which others by more than `limit` of the smaller, (ones, others).

    No outline overlaps itself where `ones` and `others` are the same.
    """
    clash = np.zeros((len(ones), len(others)), bool)
    if not clash.size:
        return clash
    first, second = np.asarray(ones), np.asarray(others)
    near = ((first.min(1)[:, None] < second.max(1)) & (first.max(1)[:, None] > second.min(1))).all(2)
    i, j = np.nonzero(np.tril(near, -1) if ones is others else near)  # each pair once
    clash[i, j] = _shared(first[i], second[j]) > limit
    return clash | clash.T if ones is others else clash
