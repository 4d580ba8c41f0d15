"""The learned detector: where tiles lie in a picture, which way they point and how large they look.

For every place of a coarse grid a small network tells the chance that a tile of either kind has its
centre there, and the tile's outline as an affine map of the kind's own: in complex numbers
`corner = centre + a * p + b * conj(p)`, where `p` are the corners of the untilted tile and `|a|` is half the length
of a domino, the circumradius of a triomino. A tile looks the same after half a turn, a triomino after a third;
`a ** turns / |a| ** turns` and `a * b / |a| ** 2` do not change with such a turn, so they are what is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import DOMINO, TRIOMINO
from vision.kinds import Image, Points
from vision.models import FOLDER, Network

Floats = NDArray[np.float32]

KINDS = (DOMINO, TRIOMINO)
TURNS = {DOMINO: 2, TRIOMINO: 3}  # turns after which the outline looks the same
# Corners of the untilted tile, clockwise as seen, in the order of the kind's outline.
CORNERS = {
    DOMINO: np.array([-1 + 0.5j, -1 - 0.5j, 1 - 0.5j, 1 + 0.5j]),
    TRIOMINO: np.exp(2j * np.pi / 3 * np.arange(3)),
}
_AFFINE_FROM_ARMS = {kind: np.linalg.pinv(np.stack([unit, unit.conj()], 1)) for kind, unit in CORNERS.items()}
STRIDE_PX = 4  # of the grid
COARSEST_PX = 16  # sides of the picture are made a multiple of this
SIZE_PX = 22.0  # |a| is told as a logarithm in this unit
# What the network was trained to find: |a| from the smallest to the largest.
SMALLEST_PX, LARGEST_PX = 11.0, 44.0
OUTPUTS = len(KINDS) + 7  # chances, centre in cells (x, y), size, direction (2), tilt (2)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Tiles found in a picture, the likeliest first.

    Attributes:
        corners: (n, 4, 2) for dominoes, (n, 3, 2) for triominoes: pixels, clockwise as seen; which half or
            corner comes first is not known.
        chance: (n,), 0..1.
        size_px: (n,), |a|.
    """

    corners: Points
    chance: NDArray[np.float64]
    size_px: NDArray[np.float64]


def joined(every: Sequence[Detections]) -> Detections:
    """What was found in several looks at one picture, one after the other."""
    return Detections(
        np.concatenate([each.corners for each in every]),
        np.concatenate([each.chance for each in every]),
        np.concatenate([each.size_px for each in every]),
    )


class DetectorMaps(Network):
    """The network and what it tells of a picture."""

    def of(self, image: Image) -> Floats:
        """The outputs at every cell, (OUTPUTS, rows, columns), for a picture with sides that fit."""
        self._net.setInput(cv2.dnn.blobFromImage(image, 1 / 255))
        return np.asarray(self._net.forward()[0], np.float32)


@cache
def _network() -> DetectorMaps:
    return DetectorMaps(FOLDER / "detector.onnx")


def detect(image: Image, kind: str, threshold: float) -> Detections:
    """Find the tiles of a kind in a BGR picture, at the picture's own scale."""
    height, width = image.shape[:2]
    right, below = -width % COARSEST_PX, -height % COARSEST_PX
    if right or below:
        image = np.asarray(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    return decoded(_network().of(image), kind, threshold)


def decoded(maps: Floats, kind: str, threshold: float) -> Detections:
    """The tiles of a kind that the network's outputs, (OUTPUTS, rows, columns), tell of."""
    scores = maps[KINDS.index(kind)]
    peaks = (scores >= cv2.dilate(scores, np.ones((3, 3), np.uint8))) & (scores > np.log(threshold / (1 - threshold)))
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-scores[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    x, y, size, cos, sin, tilt_x, tilt_y = maps[len(KINDS) :, rows, columns].astype(np.float64)
    centres = STRIDE_PX * ((columns + 0.5 + x) + 1j * (rows + 0.5 + y)) - (0.5 + 0.5j)
    turn = np.exp(1j * np.angle(cos + 1j * sin) / TURNS[kind])
    radius = SIZE_PX * np.exp(size)
    unit = CORNERS[kind]
    arms = (turn * radius)[:, None] * unit + ((tilt_x + 1j * tilt_y) * turn.conj() * radius)[:, None] * unit.conj()
    corners = centres[:, None] + arms
    chance = 1 / (1 + np.exp(-scores[rows, columns].astype(np.float64)))
    return Detections(np.stack([corners.real, corners.imag], -1), chance, radius)


def encoded(corners: Points, kind: str) -> tuple[complex, NDArray[np.float64]]:
    """An outline's centre as a complex number, and what the network has to say of it: size, direction, tilt (5,)."""
    places = corners[:, 0] + 1j * corners[:, 1]
    centre = complex(places.sum() / len(places))
    a, b = _AFFINE_FROM_ARMS[kind] @ (places - centre)
    turned, tilt = (a / abs(a)) ** TURNS[kind], a * b / abs(a) ** 2
    return centre, np.array([np.log(abs(a) / SIZE_PX), turned.real, turned.imag, tilt.real, tilt.imag])
