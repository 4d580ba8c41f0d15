"""The lens: a camera's inner geometry, from pictures of the lens board held in many ways.

The board is OpenCV's ChArUco board (`sheets.lens_board`); corners are refined to parts of a pixel and the camera is
fitted with Zhang's method (`cv2.calibrateCameraExtended`). A picture that would spoil the result is refused, with
the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Matrix
from calibration.sheets import BOARD_SQUARES, lens_board

Grey = NDArray[np.uint8]

ENOUGH_VIEWS = 10
FEWEST_CORNERS = 12  # of 40; fewer say little about the lens
LEAST_COVERAGE = 0.6
COVERAGE_GRID = (6, 4)
LEAST_TILT = 4  # views in which the board leans; without them distance and focal length cannot be told apart
TILT = 0.08
WORST_RESIDUAL_PX = 0.6
WORST_FOCAL_ERROR = 0.01
WIDEST_EDGE_PX = 6.0  # from black to white across a square's edge; a picture in focus has two or three
GLARE = 0.25  # of the black squares' brightness between black and white: a reflection lies on them
SAME_VIEW = 0.03  # of the picture's width: the board has hardly moved


class Fault(StrEnum):
    """Why a picture, or all of them, cannot be used."""

    NO_BOARD = "no-board"
    OLD_BOARD = "old-board"
    CUT_OFF = "cut-off"
    BLURRED = "blurred"
    GLARE = "glare"
    SAME_VIEW = "same-view"
    OTHER_SIZE = "other-size"
    FEW_VIEWS = "few-views"
    LITTLE_COVERED = "little-covered"
    NOT_TILTED = "not-tilted"
    BAD_FIT = "bad-fit"


class LensError(ValueError):
    """What is wrong with a picture of the board, or with the lens worked out from them."""

    def __init__(self, fault: Fault, told: str) -> None:
        super().__init__(told)
        self.fault = fault


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one picture: its corners on the board (n, 2), in squares, and where they are seen (n, 2), pixels."""

    size_px: tuple[int, int]
    on_board: Matrix
    pixels: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A camera as it was worked out, and how well: root mean square misfit, part of the picture that was covered."""

    camera: Camera
    residual_px: float
    coverage: float
    focal_error: float
    views: int


def look(grey: Grey, before: Sequence[BoardView] = ()) -> BoardView:
    """The board in one picture.

    Args:
        grey: (height, width).
        before: the views that are there already; one that is almost like the last is refused.

    Raises:
        LensError: if the picture cannot be used.
    """
    size = grey.shape[1], grey.shape[0]
    if before and before[0].size_px != size:
        wide, high = before[0].size_px
        raise LensError(
            Fault.OTHER_SIZE, f"expected pictures of {wide} x {high} as before, got one of {size[0]} x {size[1]}"
        )
    corners, numbers, markers = _detected(grey)
    if numbers is None or len(numbers) < FEWEST_CORNERS:
        _explain(grey, markers, 0 if numbers is None else len(numbers))
    assert numbers is not None
    view = BoardView(size, np.asarray(lens_board().getChessboardCorners())[numbers.ravel(), :2], corners)
    _check_focus(edge_width_px(grey, view))
    _check_glare(grey, view)
    if any(_moved(view, other) < SAME_VIEW * size[0] for other in before):
        raise LensError(Fault.SAME_VIEW, "the board is where it was in a picture before: hold it another way")
    return view


def solve(views: Sequence[BoardView]) -> Lens:
    """The lens that explains all views.

    Raises:
        LensError: if there are too few of them, or the lens they give is not to be relied upon.
    """
    if len(views) < ENOUGH_VIEWS:
        raise LensError(Fault.FEW_VIEWS, f"expected at least {ENOUGH_VIEWS} pictures of the board, got {len(views)}")
    covered = coverage(views)
    if covered < LEAST_COVERAGE:
        raise LensError(
            Fault.LITTLE_COVERED,
            f"the board was seen in {covered:.0%} of the picture only, expected {LEAST_COVERAGE:.0%}: "
            "hold it into the corners too",
        )
    tilted = sum(tilt(view) > TILT for view in views)
    if tilted < LEAST_TILT:
        raise LensError(
            Fault.NOT_TILTED, f"the board leaned in {tilted} pictures, expected at least {LEAST_TILT}: tilt it more"
        )
    points = [np.column_stack([view.on_board, np.zeros(len(view.on_board))]).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views]
    size = views[0].size_px
    start = cv2.initCameraMatrix2D(points, pixels, size)
    residual, matrix, distortion, _, _, spread, _, _ = cv2.calibrateCameraExtended(
        points, pixels, size, start, np.zeros(5), flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    )
    focal_error = float(spread.ravel()[0] / matrix[0, 0])
    if residual > WORST_RESIDUAL_PX or focal_error > WORST_FOCAL_ERROR:
        raise LensError(
            Fault.BAD_FIT,
            f"the pictures do not agree: off by {residual:.2f} pixels (at most {WORST_RESIDUAL_PX:g} expected), focal "
            f"length known to {focal_error:.1%} (at most {WORST_FOCAL_ERROR:.0%} expected). Is the board flat?",
        )
    camera = Camera(size[0], size[1], np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).ravel()[:5])
    return Lens(camera, float(residual), covered, focal_error, len(views))


def coverage(views: Sequence[BoardView]) -> float:
    """The part of the picture, in a coarse grid, in which corners of the board have been seen; 0 to 1."""
    seen = np.zeros(COVERAGE_GRID, bool)
    for view in views:
        cells = (view.pixels / view.size_px * COVERAGE_GRID).astype(int)
        columns, rows = np.clip(cells, 0, np.array(COVERAGE_GRID) - 1).T
        seen[columns, rows] = True
    return float(seen.mean())


def tilt(view: BoardView) -> float:
    """How much the board leans away: by how much its scale differs from one part to another, as a share."""
    homography, _ = cv2.findHomography(view.on_board, view.pixels)
    columns, rows = BOARD_SQUARES
    corners = np.array([(0, 0, 1), (columns, 0, 1), (columns, rows, 1), (0, rows, 1)], float)
    depth = corners @ np.asarray(homography)[2]
    return float(np.ptp(depth) / np.abs(depth).mean())


def edge_width_px(grey: Grey, view: BoardView) -> float:
    """How many pixels it takes from black to white beside the board's corners, the middle one of all."""
    slope, widths = _slope(grey), []
    for x, y in view.pixels.astype(int).tolist():
        part = slice(max(y - 8, 0), y + 9), slice(max(x - 8, 0), x + 9)
        widths.append(_width(grey[part], slope[part]))
    return float(np.median(widths))


def _slope(grey: Grey) -> NDArray[np.float32]:
    """How steeply the brightness changes, per pixel."""
    soft = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (1, 0))
    return np.asarray(np.hypot(across, down), np.float32)


def _width(grey: Grey, slope: NDArray[np.float32]) -> float:
    """How wide the sharpest edge is: across an edge of two levels, their difference by its steepest step."""
    contrast = float(np.percentile(grey, 95)) - float(np.percentile(grey, 5))
    return contrast / max(float(slope.max()), 1e-3)


def _detected(grey: Grey) -> tuple[Matrix, NDArray[np.int32] | None, int]:
    """The board's corners (n, 2), their numbers, and how many of its markers were seen."""
    corners, numbers, _, markers = cv2.aruco.CharucoDetector(lens_board()).detectBoard(grey)
    if numbers is None:
        return np.zeros((0, 2)), None, 0 if markers is None else len(markers)
    return np.asarray(corners, np.float64).reshape(-1, 2), np.asarray(numbers), len(markers)


def _explain(grey: Grey, markers: int, corners: int) -> None:
    """Say why no board, or too little of it, was found.

    Raises:
        LensError: always.
    """
    older = lens_board()
    older.setLegacyPattern(True)
    _, numbers, _, _ = cv2.aruco.CharucoDetector(older).detectBoard(grey)
    if numbers is not None and len(numbers) >= FEWEST_CORNERS:
        raise LensError(
            Fault.OLD_BOARD, "this board has the pattern of older programs: print the one of 'referee mat --board'"
        )
    if markers or corners:
        _check_focus(_width(grey, _slope(grey)))
        raise LensError(
            Fault.CUT_OFF,
            f"too little of the board is seen: {corners} of its corners, expected at least {FEWEST_CORNERS}",
        )
    raise LensError(Fault.NO_BOARD, "expected the lens board in the picture, found none of its markers")


def _check_focus(width_px: float) -> None:
    """Refuse a picture that is not in focus.

    Raises:
        LensError: if its edges are too wide.
    """
    if width_px > WIDEST_EDGE_PX:
        told = f"the board is blurred: its edges are {width_px:.1f} pixels wide, expected {WIDEST_EDGE_PX:g} at most"
        raise LensError(Fault.BLURRED, told)


def _check_glare(grey: Grey, view: BoardView) -> None:
    """Refuse a board on whose black squares light is reflected.

    Raises:
        LensError: if one of them is much brighter than the others.
    """
    homography, _ = cv2.findHomography(view.on_board, view.pixels)
    columns, rows = BOARD_SQUARES
    middles = np.array([(x + 0.5, y + 0.5) for y in range(rows) for x in range(columns) if (x + y) % 2 == 0])
    seen = cv2.perspectiveTransform(middles[None].astype(np.float64), np.asarray(homography))[0]
    inside = (seen >= 0).all(1) & (seen < view.size_px).all(1)
    black = grey[seen[inside, 1].astype(int), seen[inside, 0].astype(int)].astype(float)
    white = float(np.percentile(grey, 95))
    usual = float(np.median(black))
    if len(black) and black.max() > usual + max(GLARE * (white - usual) * 2, 40):
        raise LensError(Fault.GLARE, "light is reflected on the board: tilt it or move the lamp")


def _moved(view: BoardView, other: BoardView) -> float:
    """How far the board's corners have moved in the mean, in pixels; both views by their homographies."""
    columns, rows = BOARD_SQUARES
    corners = np.array([[(0.0, 0.0), (columns, 0.0), (columns, rows), (0.0, rows)]])
    places = []
    for each in (view, other):
        homography, _ = cv2.findHomography(each.on_board, each.pixels)
        places.append(cv2.perspectiveTransform(corners, np.asarray(homography))[0])
    return float(np.linalg.norm(places[0] - places[1], axis=1).mean())
