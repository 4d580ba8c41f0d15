"""Measuring a camera while it looks: the lens from a board that somebody holds, the table once it lies still."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import ENOUGH_VIEWS, BoardView, Fault, Lens, LensError, coverage, look, solve
from calibration.profile import Camera, Mat, Matrix
from calibration.survey import Fault as SurveyFault
from calibration.survey import Survey, SurveyError, survey
from calibration.table import marker_corners, project
from referee.tiles import Shape

VIEWS = 15
PAUSE_S = 0.4  # between two pictures of the board that are looked at
STEADY = 3  # pictures of the mat that must agree
STEADY_PX = 0.5

Image = NDArray[np.uint8]
Pictures = Iterable[tuple[Image, float]]  # BGR (height, width, 3), and the time in seconds by the camera's own clock
Tell = Callable[[str], None]


def lens(pictures: Pictures, tell: Tell) -> Lens:
    """Collect pictures of the board until they make a lens that can be relied upon.

    Args:
        tell: hears each sentence that differs from the last.

    Raises:
        LensError: if the pictures end before.
    """
    views: list[BoardView] = []
    last = LensError(Fault.NO_BOARD, "expected pictures of the lens board, got no picture")
    tell = _once(tell)
    for image in _spaced(pictures):
        try:
            views.append(look(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), views))
            tell(f"picture {len(views)}: {coverage(views):.0%} of the view covered")
            if len(views) >= VIEWS:
                return solve(views)
        except LensError as error:
            last = error
            if error.fault is not Fault.SAME_VIEW:
                tell(str(error))
    if not views:
        raise last
    if len(views) < ENOUGH_VIEWS:
        told = f"expected at least {ENOUGH_VIEWS} good pictures of the board, got {len(views)}; last: {last}"
        raise LensError(Fault.FEW_VIEWS, told)
    return solve(views)


def table(pictures: Pictures, camera: Camera, mat: Mat, shape: Shape, tell: Tell) -> Survey:
    """Look at the mat until a few pictures in a row agree about it.

    Raises:
        SurveyError: if the pictures end before.
    """
    last = SurveyError(SurveyFault.NO_MARKERS, "expected pictures of the mat, got no picture")
    steady: list[Survey] = []
    tell = _once(tell)
    for image, _ in pictures:
        try:
            seen = survey(image, camera, mat, shape)
        except SurveyError as error:
            last, steady = error, []
            tell(str(error))
            continue
        if steady and _apart_px(steady[-1], seen, camera, mat) > STEADY_PX:
            steady = []
        steady.append(seen)
        if len(steady) == STEADY:
            return seen
    raise last


def _spaced(pictures: Pictures) -> Iterator[Image]:
    """Pictures with a pause between them."""
    due = -np.inf
    for image, time_s in pictures:
        if time_s >= due:
            yield image
            due = time_s + PAUSE_S


def _once(tell: Tell) -> Tell:
    """Say nothing twice in a row."""
    told: list[str] = []

    def once(text: str) -> None:
        if told[-1:] != [text]:
            told[:] = [text]
            tell(text)

    return once


def _apart_px(one: Survey, other: Survey, camera: Camera, mat: Mat) -> float:
    """How far apart two surveys see the mat's markers, at most."""
    corners: Matrix = np.concatenate(list(marker_corners(mat).values()))
    seen = [project(corners, 0.0, camera, each.pose) for each in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1], axis=1).max())
