"""How thick tiles are: what lies higher shifts farther when it is seen once more from another place.

For this the same tiles lie in two pictures, and in between the camera, or the mat with the tiles on it, was pushed
aside. The marks on a tile fall onto each other at one height alone; a side wall or a shadow plays no part in that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Matrix, TablePose
from calibration.table import project, unproject
from referee.tiles import DOMINO, Shape
from vision.kinds import Image, Kind, Points
from vision.learn.shown import OVERLAP, Face
from vision.still.candidate import shared_area
from vision.still.reading import cut_face

HEIGHTS_MM = np.arange(0.5, 20.1, 0.5)
PLAUSIBLE_MM = (4.0, 14.0)  # as thick as any tiles are
ALIKE = 0.8  # correlation from which on two cuts show the same tile
STANDS_OUT = 0.02  # by how much the right height must fit better than those far from it: a bare tile tells nothing
ENOUGH = 3  # tiles
LEAST_SHIFT = 0.1  # millimetres for each millimetre of height: with less, a small error of the pose counts for much
NEAR_PEAK_MM = 0.4  # of shift, as far as a fit near the best one falls like a parabola
MOST_SPREAD_MM = 1.0
RIM_PX = 9  # of a canonical face, where a bevel may shine


@dataclass(frozen=True, slots=True)
class Thickness:
    """What tiles seen twice tell of their thickness.

    Attributes:
        thickness_mm: the middle of what they tell; NaN where fewer than `ENOUGH` of them tell anything.
        spread_mm: how far single tiles are from it, as a standard deviation.
        tiles: how many tell it.
        seen_again: how many tiles were seen twice.
    """

    thickness_mm: float = float("nan")
    spread_mm: float = float("nan")
    tiles: int = 0
    seen_again: int = 0

    @property
    def is_clear(self) -> bool:
        """Whether the tiles agree, and on what tiles may be."""
        least, most = PLAUSIBLE_MM
        return self.tiles >= ENOUGH and self.spread_mm <= MOST_SPREAD_MM and least <= self.thickness_mm <= most


@dataclass(frozen=True, slots=True, eq=False)
class _Twice:
    """A face that another picture shows too: where, how well it fits at the best height, and what height that tells."""

    corners: Points
    alike: float
    height_mm: float


def measured(
    kind: Kind, faces: Sequence[Face], images: Sequence[Image], camera: Camera, poses: Sequence[TablePose]
) -> tuple[list[Face], Thickness]:
    """The faces, each tile in its first picture only, and how thick the tiles are.

    Args:
        poses: of the table in each picture.
    """
    kept, heights, seen_again = list(faces), [], 0
    for first, second in combinations(range(len(images)), 2):
        ours = [face for face in kept if face.picture == first]
        again = [_again(kind, face, images[second], camera, (poses[first], poses[second])) for face in ours]
        there = [each for each in again if each is not None]
        alike = [each for each in there if each.alike >= ALIKE]
        if len(alike) < max(ENOUGH, len(there) / 2):
            continue
        seen_again += len(alike)
        heights += [each.height_mm for each in alike if np.isfinite(each.height_mm)]
        kept = [face for face in kept if face.picture != second or _is_new(face, alike)]
    if len(heights) < ENOUGH:
        return kept, Thickness(tiles=len(heights), seen_again=seen_again)
    middle = float(np.median(heights))
    spread = 1.4826 * float(np.median(np.abs(np.array(heights) - middle)))
    return kept, Thickness(round(middle, 2), round(spread, 2), len(heights), seen_again)


def _is_new(face: Face, known: Sequence[_Twice]) -> bool:
    return all(shared_area(face.corners, each.corners) < OVERLAP for each in known)


def _again(kind: Kind, face: Face, image: Image, camera: Camera, poses: tuple[TablePose, TablePose]) -> _Twice | None:
    """What another picture shows where a face lies; None where that is not in the picture as a whole."""
    size = np.array(image.shape[1::-1])
    inside = _inside(kind)
    plain = _normal(face.cut, inside)
    corners, fits = [], []
    for height_mm in HEIGHTS_MM:
        there = project(unproject(face.corners, height_mm, camera, poses[0]), height_mm, camera, poses[1])
        if not ((there >= 0) & (there <= size - 1)).all():
            return None
        corners.append(there)
        fits.append(float(plain @ _normal(cut_face(image, kind, there), inside)))
    best = int(np.argmax(fits))
    height_mm = _peak(np.array(fits), best, _shift(face.corners.mean(0), camera, poses))
    return _Twice(corners[best], fits[best], height_mm)


def _peak(fits: Matrix, best: int, shift: float) -> float:
    """The height that fits best, between those that were tried; NaN where that cannot be told."""
    near = np.abs(HEIGHTS_MM - HEIGHTS_MM[best]) * shift <= NEAR_PEAK_MM
    ends = HEIGHTS_MM[near][[0, -1]]
    if shift < LEAST_SHIFT or near.sum() < 3 or fits[best] - max(fits[0], fits[-1]) < STANDS_OUT:
        return float("nan")
    bend, slope, _ = np.polyfit(HEIGHTS_MM[near], fits[near], 2)
    height_mm = float(-slope / (2 * bend)) if bend < 0 else float("nan")
    return height_mm if ends[0] < height_mm < ends[1] else float("nan")


def _shift(pixel: Points, camera: Camera, poses: tuple[TablePose, TablePose]) -> float:
    """By how many millimetres what is seen at a pixel shifts on the table for each millimetre of its height."""
    low, high = (unproject(pixel[None], height_mm, camera, poses[0]) for height_mm in (0.0, 10.0))
    seen = unproject(project(high, 10.0, camera, poses[1]), 0.0, camera, poses[1])
    return float(np.linalg.norm(seen - low)) / 10.0


def _inside(kind: Kind) -> NDArray[np.bool_]:
    """Where a canonical face shows the tile's top without its rim."""
    shape = Shape.domino() if kind.name == DOMINO else Shape.triomino()
    way, (width, height) = kind.face_from_tile(shape), kind.face_size_px
    outline = kind.outline(shape) @ way[:2, :2].T + way[:2, 2]
    mask = np.zeros((height + 2 * RIM_PX, width + 2 * RIM_PX), np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline + RIM_PX).astype(np.int32), 1)
    rim = np.ones((2 * RIM_PX + 1,) * 2, np.uint8)
    return np.asarray(cv2.erode(mask, rim)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] > 0, np.bool_)


def _normal(cut: Image, inside: NDArray[np.bool_]) -> Matrix:
    """A face's grey levels in its inside, about 0 and of length 1, so that light and exposure do not count."""
    grey = cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY)[inside].astype(np.float64)
    grey -= grey.mean()
    return np.asarray(grey / max(float(np.linalg.norm(grey)), 1e-6), np.float64)
