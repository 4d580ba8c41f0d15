"""The pose of the mat: where the camera stands, worked out from the mat's four markers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Mat, Matrix, TablePose

MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50
MARKER_IDS = (0, 1, 2, 3)
ENOUGH_MARKERS = 3  # two leave the tilt across their common line weak
WORST_FIT_PX = 3.0  # a marker that lies elsewhere than the mat says spoils the fit far beyond this
MOVED_PX = 2.0

Corners = dict[int, Matrix]


@dataclass(frozen=True, slots=True)
class MarkerCheck:
    """What the markers say about a pose we hold: how many were seen, how far they lie off, in pixels.

    `shift_px` is the smallest shift among the visible markers: one marker under a sleeve or a tile
    moves alone, a bumped camera moves them all. `most_px` is the middle one: most have moved so far.
    """

    seen: int
    shift_px: float
    most_px: float = 0.0

    @property
    def moved(self) -> bool:
        """True when every visible marker, and at least two, has moved."""
        return self.seen >= 2 and self.shift_px > MOVED_PX


def marker_corners(mat: Mat) -> Corners:
    """The four corners of each marker on the mat, (4, 2) mm, clockwise from its far left corner."""
    size = mat.marker_mm
    left_top = {
        0: (0.0, 0.0),
        1: (mat.width_mm - size, 0.0),
        2: (mat.width_mm - size, mat.height_mm - size),
        3: (0.0, mat.height_mm - size),
    }
    square = np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]])
    return {marker: square + np.array(corner) for marker, corner in left_top.items()}


def project(points_mm: Matrix, height_mm: float, camera: Camera, pose: TablePose) -> Matrix:
    """Where table points at a height above the mat are seen: (n, 2) mm -> (n, 2) pixels."""
    points = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
    rotation, _ = cv2.Rodrigues(pose.rotation)
    pixels, _ = cv2.projectPoints(points, rotation, pose.translation, camera.matrix, camera.distortion)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)


def unproject(pixels: Matrix, height_mm: float, camera: Camera, pose: TablePose) -> Matrix:
    """Which table points at a height above the mat are seen at pixels: (n, 2) pixels -> (n, 2) mm."""
    flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2).astype(np.float64), camera.matrix, camera.distortion)
    rays = np.column_stack([flat.reshape(-1, 2), np.ones(len(pixels))]) @ pose.rotation
    eye = -pose.translation @ pose.rotation
    return np.asarray((eye + rays * ((-height_mm - eye[2]) / rays[:, 2:]))[:, :2])


def find_markers(grey: NDArray[np.uint8], camera: Camera, mat: Mat, guess: TablePose | None = None) -> Corners:
    """Find the mat's markers with sub-pixel corners.

    Args:
        grey: the camera image, (height, width).
        guess: a pose that is nearly right; the search then looks only where it expects the markers.

    Returns:
        For each marker found its corners, (4, 2) pixels, in the order of `marker_corners`.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerDistanceRate = 0.05  # a marker and its white rim, cut by the picture's border, are two things
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)
    found: Corners = {}
    for left, top, part in _windows(grey, camera, mat, guess):
        corners, ids, _ = detector.detectMarkers(part)
        if ids is None:
            continue
        for marker, pixels in zip(map(int, ids.ravel()), corners, strict=True):
            if marker in MARKER_IDS:
                found[marker] = np.asarray(pixels, dtype=np.float64).reshape(4, 2) + np.array([left, top])
    return found


def _windows(
    grey: NDArray[np.uint8], camera: Camera, mat: Mat, guess: TablePose | None
) -> list[tuple[int, int, NDArray[np.uint8]]]:
    """The parts of the image to search, each with its left and top in the whole image."""
    if guess is None:
        return [(0, 0, grey)]
    height, width = grey.shape
    windows = []
    for corners in marker_corners(mat).values():
        pixels = project(corners, 0.0, camera, guess)
        margin = 0.6 * float(np.ptp(pixels, axis=0).max())  # the white rim, and room for a bump
        left, top = np.maximum(np.floor(pixels.min(axis=0) - margin), 0).astype(int).tolist()
        right, bottom = np.ceil(pixels.max(axis=0) + margin).astype(int).tolist()
        part = grey[top : min(bottom, height), left : min(right, width)]
        if part.size:
            windows.append((left, top, np.ascontiguousarray(part)))
    return windows


def pose_from_markers(found: Corners, camera: Camera, mat: Mat) -> TablePose | None:
    """The pose that explains the markers found, None when there are too few or they contradict the mat."""
    if len(found) < ENOUGH_MARKERS:
        return None
    on_mat = marker_corners(mat)
    flat = np.concatenate([on_mat[marker] for marker in found])
    pixels = np.concatenate(list(found.values()))
    return pose_from_points(flat, pixels, camera)


def pose_from_points(points_mm: Matrix, pixels: Matrix, camera: Camera, height_mm: float = 0.0) -> TablePose | None:
    """The pose in which points (n, 2) mm at a height are seen at pixels (n, 2), None when none fits them all."""
    points = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
    good, rotation, translation = cv2.solvePnP(
        points, pixels, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_ITERATIVE
    )
    if not good:
        return None
    turned, _ = cv2.Rodrigues(rotation)
    pose = TablePose(np.asarray(turned, dtype=np.float64), np.asarray(translation, dtype=np.float64).reshape(3))
    misfit = np.linalg.norm(project(points_mm, height_mm, camera, pose) - pixels, axis=1)
    return pose if float(np.sqrt(np.mean(misfit**2))) < WORST_FIT_PX else None


def find_pose(image: NDArray[np.uint8], camera: Camera, mat: Mat, guess: TablePose | None = None) -> TablePose | None:
    """The pose of the mat in a BGR camera image (height, width, 3), None when it cannot be told."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return pose_from_markers(find_markers(grey, camera, mat, guess), camera, mat)


def check_markers(found: Corners, camera: Camera, mat: Mat, pose: TablePose) -> MarkerCheck:
    """Compare the markers found with where a pose expects them."""
    on_mat = marker_corners(mat)
    shifts = [
        float(np.linalg.norm((pixels - project(on_mat[marker], 0.0, camera, pose)).mean(axis=0)))
        for marker, pixels in found.items()
    ]
    return MarkerCheck(len(shifts), min(shifts, default=0.0), float(np.median(shifts)) if shifts else 0.0)
