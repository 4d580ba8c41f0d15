"""A table without markers: a board with a printed grid of squares, its corners known in each picture.

The grid gives the pose of the board; the height of tiles above it shifts them by a few pixels only, so
that the camera's focal length need not be known well.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Camera, Mat, Matrix, Profile, TablePose
from calibration.table import pose_from_points
from referee.tiles import Shape

CELLS = 15
CELL_MM = 24.0
FOCAL_WIDTHS = 1.2  # a telephone's main camera: the focal length as a part of the picture's width
THICKNESS = 1 / 3  # of a tile, as a part of its width


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A board as it is seen by one camera: the profile of its table, and where the grid's corners lie on it.

    The table's origin is the far left corner of the rectangle round the board.
    """

    profile: Profile
    grid_mm: Matrix

    @classmethod
    def seen(cls, name: str, grid_px: Matrix, outline_px: Matrix, size_px: tuple[int, int]) -> Board:
        """The board from the corners of its grid and of itself in one picture, (4, 2) pixels, clockwise from far left.

        A printed grid need not be quite square: the camera tells how long it is for its width.
        """
        width, height = size_px
        focal = FOCAL_WIDTHS * width
        matrix = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
        unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        image_from_unit = cv2.getPerspectiveTransform(unit.astype(np.float32), grid_px.astype(np.float32))
        across, down = np.linalg.norm((np.linalg.inv(matrix) @ image_from_unit)[:, :2], axis=0)
        grid = unit * np.array([across, down]) * (2 * CELLS * CELL_MM / (across + down))
        table_from_image = cv2.getPerspectiveTransform(grid_px.astype(np.float32), grid.astype(np.float32))
        outline = cv2.perspectiveTransform(outline_px.astype(np.float64)[None], table_from_image)[0]
        origin, size = outline.min(axis=0), np.ptp(outline, axis=0)
        profile = Profile(
            name,
            Camera(width, height, matrix, np.zeros(5)),
            Mat(float(size[0]), float(size[1]), CELL_MM),
            Shape.domino(2 * CELL_MM, CELL_MM, THICKNESS * CELL_MM),
        )
        return cls(profile, grid - origin)

    def pose(self, grid_px: Matrix) -> TablePose:
        """How the camera sees the board, from the corners of its grid in one picture, (4, 2) pixels.

        Raises:
            ValueError: if these are no corners of a grid seen from above.
        """
        pose = pose_from_points(self.grid_mm, grid_px, self.profile.camera)
        if pose is None:
            raise ValueError(f"expected the four corners of a grid seen from above, got {grid_px.tolist()}")
        return pose

    def cell(self, name: str) -> tuple[float, float]:
        """The middle of a cell such as `7H`: row 7 from the far side, column H from the left; mm on the table.

        Raises:
            ValueError: if there is no such cell.
        """
        row, column = name[:-1], ord(name[-1:] or " ") - ord("A")
        if not (row.isdecimal() and 1 <= int(row) <= CELLS and 0 <= column < CELLS):
            raise ValueError(f"expected a cell such as 7H, got {name!r}")
        part = np.array([column + 0.5, int(row) - 0.5]) / CELLS
        x_mm, y_mm = self.grid_mm[0] + part * (self.grid_mm[2] - self.grid_mm[0])
        return float(x_mm), float(y_mm)
