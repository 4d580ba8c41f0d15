"""What a face shows apart from its marks: whether a tile ends where it should, and which corners are made of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.kinds.paint import rounded_depth

Floats = NDArray[np.float64]
Marked = NDArray[np.bool_]

_RIM_PX = 5  # how far from its outline a tile is sought to end
_WITHIN_PX = 4 * _RIM_PX  # how deep inside it should be plain
_PLAIN_PX = 2.5  # so far inside the outline a face surely shows the tile
_STEP = 1.5  # the least step in grey levels at an end
_ENDS, _CORNER_ENDS = 1.5, 2.0  # how much larger it is than those within, for a side and beside a corner
_MIDDLE_PX = 12.0  # so near the middle all corners look alike
_SHADE, _DARKEST = 0.2, 12.0  # by how much, as a logarithm, one piece of a tile differs from another; from so dark on
_STRANGE, _STRANGE_SHARE = 0.35, 0.2  # by how much no spot of more than such a share of it does
_BURNT, _BURNT_SHARE = 250, 0.15  # what is no more than such a share of a corner that is well lit


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """Where the face of a tile with straight sides shows what.

    Attributes:
        inside: (height, width), where it shows the tile itself.
        mask: the same as a mask, 0 or 255.
        shown: the numbers of those pixels, row after row.
        corners: (corners, height, width), where it shows each of them.
        bins: of every pixel, which side it is near to and how deep inside that, as one number.
        counts: how many pixels have each.
    """

    inside: Marked
    mask: Image
    shown: NDArray[np.intp]
    corners: Marked
    bins: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, corners: Points, size_px: tuple[int, int], radius_px: float) -> Plate:
        """The plate with these corners, (n, 2), clockwise as seen, so much rounded."""
        inside = rounded_depth(corners, size_px, radius_px) > _PLAIN_PX
        middle = corners.mean(axis=0)
        y, x = np.mgrid[0 : size_px[1], 0 : size_px[0]]
        away = np.stack([x, y], axis=-1) - middle
        ways = corners - middle
        near = (away @ ways.T).argmax(axis=-1)
        shown = inside & (np.hypot(away[..., 0], away[..., 1]) > _MIDDLE_PX)
        sides = (ways + np.roll(ways, -1, axis=0)) / 2
        out = away @ (sides / np.hypot(*sides.T)[:, None]).T
        side, depth = out.argmax(axis=2), np.floor(np.hypot(*sides[0]) - out.max(axis=2)).astype(np.int64)
        deep = np.where((depth >= -_RIM_PX) & (depth < _WITHIN_PX), depth + _RIM_PX, _WITHIN_PX + _RIM_PX)
        bins = (side * (_WITHIN_PX + _RIM_PX + 1) + deep).ravel()
        counts = np.bincount(bins, minlength=len(corners) * (_WITHIN_PX + _RIM_PX + 1))
        every = np.stack([shown & (near == each) for each in range(len(corners))])
        return cls(inside, inside.astype(np.uint8) * 255, np.flatnonzero(inside), every, bins, counts.clip(1))

    def own(self, face: Image, every: int = 1) -> Image:
        """One in so many of the pixels that show the tile itself, BGR (n, 3)."""
        return np.take(face.reshape(-1, 3), self.shown[::every], axis=0)

    def stands_out(self, face: Image) -> bool:
        """Whether along all sides but one something ends that is plain within: a tile, not the table."""
        rim, within = self._steps(face)
        return int((rim > _ENDS * within + _STEP).sum()) >= len(rim) - 1

    def own_corners(self, face: Image) -> Marked:
        """Which corners show the same stuff as the others, (corners,), and end at both sides: nothing is over them.

        None where the light is so strong that marks may be lost in it.
        """
        rim, within = self._steps(face)
        ends = rim > _CORNER_ENDS * within + _STEP
        shades = np.log(face.astype(np.float32) + np.float32(_DARKEST))
        usual = np.median(shades[self.inside], axis=0)
        each = np.stack([np.median(shades[corner], axis=0) for corner in self.corners])
        others = np.stack([np.median(np.delete(each, corner, axis=0), axis=0) for corner in range(len(each))])
        alike = np.abs(each - others).max(axis=1) < _SHADE
        strange = np.abs(shades - usual).max(axis=2) > _STRANGE
        spotless = np.array([strange[corner].mean() < _STRANGE_SHARE for corner in self.corners])
        burnt = np.median(face, axis=2) >= _BURNT  # where two colours are as bright as can be, pale marks are lost
        lit = np.array([burnt[corner].mean() < _BURNT_SHARE for corner in self.corners])
        return np.asarray(ends & np.roll(ends, 1) & alike & spotless & lit, np.bool_)

    def _steps(self, face: Image) -> tuple[Floats, Floats]:
        """The largest step of colour near the outline and the largest deeper inside, of each side."""
        bands = [np.bincount(self.bins, each.ravel(), len(self.counts)) / self.counts for each in cv2.split(face)]
        profiles = np.stack(bands).reshape(3, -1, _WITHIN_PX + _RIM_PX + 1)[..., :-1]  # colour, side, depth
        steps = np.abs(profiles[..., 2:] - profiles[..., :-2]).max(axis=0)
        return steps[:, : 2 * _RIM_PX].max(axis=1), steps[:, 2 * _RIM_PX + 2 :].max(axis=1)
