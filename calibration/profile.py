"""The profile of a table: its camera, its mat, the pose between them, and the size of the tiles.

Conventions (OpenCV's): pixel centres are whole numbers; a table point (x_mm, y_mm) at height h above
the mat is the 3-D point (x_mm, y_mm, -h), seen through `rotation`, `translation`, `matrix` and
`distortion`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Shape

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera's inner geometry: picture size in pixels, matrix (3, 3), distortion (5,)."""

    width: int
    height: int
    matrix: Matrix
    distortion: Matrix


@dataclass(frozen=True, slots=True)
class Mat:
    """The mat: the rectangle through the outer black corners of its four markers, in millimetres."""

    width_mm: float = 600.0
    height_mm: float = 400.0
    marker_mm: float = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class TablePose:
    """How the camera sees the mat: rotation (3, 3) and translation (3,) of OpenCV's extrinsics, mm."""

    rotation: Matrix
    translation: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """All that is known of one table before anything lies on it.

    `pose` None means: find it from the mat's markers.
    """

    name: str
    camera: Camera
    mat: Mat
    shape: Shape
    pose: TablePose | None = None
