"""The table as the camera sees it: pose, how well it fits, how finely tiles are seen, whether the light will do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Mat, Matrix, TablePose
from calibration.table import (
    MARKER_DICTIONARY,
    MARKER_IDS,
    find_markers,
    marker_corners,
    pose_from_points,
    project,
)
from referee.tiles import DOMINO, Shape

Image = NDArray[np.uint8]

WORST_RESIDUAL_PX = 1.0
CLIPPED, DARK = 250, 20  # grey levels at which a tile's marks drown
MOST_LOST = 0.02  # of the mat
NEEDED_PX_PER_MM = {DOMINO: 1.5}  # pips
NEEDED_FOR_NUMERALS = 2.5
STEP_MM = 10.0


class Fault(StrEnum):
    """Why a picture of the mat cannot be used."""

    NO_MARKERS = "no-markers"
    SOME_HIDDEN = "some-hidden"
    OTHER_MAT = "other-mat"
    MISFIT = "misfit"
    MIRRORED = "mirrored"


class Advice(StrEnum):
    """What could be better though it can be played so."""

    COARSE = "coarse"
    CLIPPED = "clipped"
    DARK = "dark"
    LEANING = "leaning"


class SurveyError(ValueError):
    """What is wrong with a picture of the mat."""

    def __init__(self, fault: Fault, told: str) -> None:
        super().__init__(told)
        self.fault = fault


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The mat in one picture.

    `px_per_mm` are those at the mat's four corners, clockwise from the far left one, at the height of the tiles' tops;
    `tilt_deg` is how far the camera leans from looking straight down; `lost` the parts of the mat that are too bright
    and too dark.
    """

    pose: TablePose
    residual_px: float
    px_per_mm: tuple[float, float, float, float]
    tilt_deg: float
    lost: tuple[float, float]
    advice: tuple[Advice, ...]


def survey(image: Image, camera: Camera, mat: Mat, shape: Shape) -> Survey:
    """Look at the mat, empty or not.

    Args:
        image: BGR (height, width, 3), as large as the camera's pictures.
        shape: of the tiles that will lie on it.

    Raises:
        SurveyError: if the mat cannot be made out, or is another one.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = find_markers(grey, camera, mat)
    missing = [number for number in MARKER_IDS if number not in found]
    if missing:
        _explain(grey, missing)
    pixels = np.concatenate([found[number] for number in MARKER_IDS])
    return from_points(grey, np.concatenate(list(marker_corners(mat).values())), pixels, camera, mat, shape)


def from_corners(image: Image, corners_px: Matrix, camera: Camera, mat: Mat, shape: Shape) -> Survey:
    """The same from the mat's corners where somebody has pointed at them, (4, 2) pixels, clockwise from the far left.

    Raises:
        SurveyError: if they cannot be the corners of the mat.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]) * (mat.width_mm, mat.height_mm)
    return from_points(grey, corners, corners_px, camera, mat, shape, worst_px=8.0)


def from_points(
    grey: Image,
    points_mm: Matrix,
    pixels: Matrix,
    camera: Camera,
    mat: Mat,
    shape: Shape,
    worst_px: float = WORST_RESIDUAL_PX,
) -> Survey:
    """The survey that points (n, 2) of the mat and where they are seen, (n, 2) pixels, give.

    Raises:
        SurveyError: if no camera over the mat sees them so.
    """
    pose = pose_from_points(points_mm, pixels, camera)
    residual = np.inf
    if pose is not None:
        misfit = np.linalg.norm(project(points_mm, 0.0, camera, pose) - pixels, axis=1)
        residual = float(np.sqrt(np.mean(misfit**2)))
    if pose is None or residual > worst_px:
        off = "far" if pose is None else f"{residual:.1f} pixels"
        raise SurveyError(
            Fault.MISFIT,
            f"the markers are {off} from where a mat of {mat.width_mm:g} x {mat.height_mm:g} mm has them: "
            "is the size right, is the mat flat, does the lens fit the camera?",
        )
    if pose.rotation[2, 2] < 0:
        raise SurveyError(Fault.MIRRORED, "the mat is seen mirrored: switch off the camera's mirroring")
    scales = _px_per_mm(camera, mat, pose, shape)
    tilt_deg = float(np.degrees(np.arccos(np.clip(pose.rotation[2, 2], -1, 1))))
    lost = _lost(grey, camera, mat, pose)
    return Survey(pose, residual, scales, tilt_deg, lost, _advice(scales, tilt_deg, lost, shape))


def _explain(grey: Image, missing: list[int]) -> None:
    """Say why markers were not found.

    Raises:
        SurveyError: always.
    """
    parameters = cv2.aruco.DetectorParameters()
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)
    _, ids, _ = detector.detectMarkers(grey)
    seen = sorted({int(number) for number in ids.ravel()}) if ids is not None else []
    others = [number for number in seen if number not in MARKER_IDS]
    if others:
        raise SurveyError(
            Fault.OTHER_MAT, f"expected the markers 0 to 3, got {', '.join(map(str, others))}: is this another mat?"
        )
    if len(missing) == len(MARKER_IDS):
        raise SurveyError(Fault.NO_MARKERS, "expected the mat's four markers in the picture, found none")
    names = ("far left", "far right", "near right", "near left")
    told = " and ".join(names[number] for number in missing)
    raise SurveyError(Fault.SOME_HIDDEN, f"expected the mat's four markers, found none in its {told} corner")


def _px_per_mm(camera: Camera, mat: Mat, pose: TablePose, shape: Shape) -> tuple[float, float, float, float]:
    """How many pixels a millimetre has at each corner of the mat, the worse way."""
    scales = []
    for x, y in ((0.0, 0.0), (mat.width_mm, 0.0), (mat.width_mm, mat.height_mm), (0.0, mat.height_mm)):
        points = np.array([(x, y), (x + 1.0, y), (x, y + 1.0)])
        at, right, near = project(points, shape.thickness_mm, camera, pose)
        scales.append(float(min(np.linalg.norm(right - at), np.linalg.norm(near - at))))
    first, second, third, fourth = scales
    return first, second, third, fourth


def _lost(grey: Image, camera: Camera, mat: Mat, pose: TablePose) -> tuple[float, float]:
    """The parts of the mat, its markers left out, that are too bright and too dark to show anything."""
    rim = mat.marker_mm + 10.0
    x, y = np.meshgrid(np.arange(0.0, mat.width_mm, STEP_MM), np.arange(rim, mat.height_mm - rim, STEP_MM))
    pixels = np.rint(project(np.column_stack([x.ravel(), y.ravel()]), 0.0, camera, pose)).astype(int)
    inside = (pixels >= 0).all(1) & (pixels < (grey.shape[1], grey.shape[0])).all(1)
    levels = grey[pixels[inside, 1], pixels[inside, 0]]
    return float((levels >= CLIPPED).mean()), float((levels <= DARK).mean())


def _advice(scales: tuple[float, ...], tilt_deg: float, lost: tuple[float, float], shape: Shape) -> tuple[Advice, ...]:
    told = (
        (Advice.COARSE, min(scales) < NEEDED_PX_PER_MM.get(shape.kind, NEEDED_FOR_NUMERALS)),
        (Advice.CLIPPED, lost[0] > MOST_LOST),
        (Advice.DARK, lost[1] > 0.5),
        (Advice.LEANING, tilt_deg > 15.0),
    )
    return tuple(advice for advice, holds in told if holds)
