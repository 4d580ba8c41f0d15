"""Drawing the mat: four markers whose outer black corners are exactly the mat's corners.

The markers are ArUco DICT_4X4_50, ids 0..3 clockwise as seen from above, id 0 far left, all upright,
each on a white field that reaches `QUIET_ZONE_MM` past it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Mat, Matrix
from calibration.table import MARKER_DICTIONARY, marker_corners

QUIET_ZONE_MM = 8.0
_CELLS = 6  # four data cells between two black border cells

Image = NDArray[np.uint8]


def draw(mat: Mat, px_per_mm: float, margin_mm: float = 15.0, ground: Image | None = None) -> Image:
    """Draw the mat as seen from straight above.

    Args:
        px_per_mm: scale of the picture; edges that fall between pixels are blended exactly.
        margin_mm: how far the picture reaches past the markers' outer corners, at least the white rim.
        ground: BGR picture of the cloth in the size of the result; white paper when None.

    Returns:
        BGR, (height, width, 3); pixel (column, row) is centred on the table point
        ((column + 0.5) / px_per_mm - margin_mm, (row + 0.5) / px_per_mm - margin_mm).

    Raises:
        ValueError: if the margin would cut the white rim, or the ground has another size.
    """
    if margin_mm < QUIET_ZONE_MM:
        raise ValueError(f"expected a margin of at least {QUIET_ZONE_MM} mm around the markers, got {margin_mm}")
    width, height = (round((side + 2 * margin_mm) * px_per_mm) for side in (mat.width_mm, mat.height_mm))
    if ground is None:
        picture = np.full((height, width, 3), 255, np.uint8)
    elif ground.shape == (height, width, 3):
        picture = ground.copy()
    else:
        raise ValueError(f"expected a ground of {height} x {width} x 3, got {ground.shape}")
    for marker_id, corners in marker_corners(mat).items():
        _print_marker(picture, marker_id, corners + margin_mm, px_per_mm)
    return picture


def marker_cells(marker_id: int) -> NDArray[np.bool_]:
    """A marker's pattern with its black border, (6, 6), true where white."""
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, _CELLS)) > 0


def _print_marker(picture: Image, marker_id: int, corners_mm: Matrix, px_per_mm: float) -> None:
    """Lay one marker and its white field over the picture."""
    white = marker_cells(marker_id)
    (left, top), (right, _) = corners_mm[0], corners_mm[1]
    steps = np.linspace(0, right - left, _CELLS + 1)
    x, y = ((first + steps) * px_per_mm for first in (left, top))
    rim = QUIET_ZONE_MM * px_per_mm
    columns, cover_x = _cover(np.concatenate([[x[0] - rim], x, [x[-1] + rim]]))
    rows, cover_y = _cover(np.concatenate([[y[0] - rim], y, [y[-1] + rim]]))
    cells = np.pad(white.astype(np.float64), 1, constant_values=1.0)
    field = cover_y.sum(1)[:, None] * cover_x.sum(1)[None, :]
    bright = 255 * (cover_y @ cells @ cover_x.T)
    area = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    area[:] = np.rint(area * (1 - field[..., None]) + bright[..., None]).astype(np.uint8)


def _cover(bounds: Matrix) -> tuple[NDArray[np.int64], Matrix]:
    """Which pixels a row of cells touches, and what part of each pixel each cell covers: (pixels, cells)."""
    pixels = np.arange(int(np.floor(bounds[0] + 1e-9)), int(np.ceil(bounds[-1] - 1e-9)))
    start = np.maximum(pixels[:, None], bounds[None, :-1])
    stop = np.minimum(pixels[:, None] + 1, bounds[None, 1:])
    return pixels, np.clip(stop - start, 0, None)
