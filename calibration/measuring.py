"""Measuring a camera while it looks: the lens from a board that somebody holds, the table once it lies still.

Each step takes one picture after another, from a terminal's loop or a screen's, and says how far it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import ENOUGH_VIEWS, BoardView, Fault, Lens, LensError, coverage, look, solve
from calibration.profile import Camera, Mat, Matrix
from calibration.survey import Fault as SurveyFault
from calibration.survey import Survey, SurveyError, from_corners, survey
from calibration.table import marker_corners, project
from referee.tiles import Shape

VIEWS = 15
PAUSE_S = 0.4  # between two pictures of the board that are looked at
STEADY = 3  # pictures of the mat that must agree
STEADY_PX = 0.5

Image = NDArray[np.uint8]  # BGR (height, width, 3)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a step is: good pictures so far and how many are wanted, the part of the view that they cover.

    `fault` is what was wrong with the last picture, empty for a good one; `told` says it, or how far it is.
    """

    good: int
    wanted: int
    covered: float
    fault: str
    told: str


class LensStep:
    """Collects pictures of the board until they make a lens that can be relied upon: `lens` is there then."""

    def __init__(self) -> None:
        self.lens: Lens | None = None
        told = "expected pictures of the lens board, got no picture"
        self._last = LensError(Fault.NO_BOARD, told)
        self._views: list[BoardView] = []
        self._due_s = -np.inf
        self.standing = Standing(0, VIEWS, 0.0, Fault.NO_BOARD, told)

    def take(self, image: Image, time_s: float) -> None:
        """Look at a picture; the time is that of the camera's own clock, and most pictures are passed over."""
        if self.lens is not None or time_s < self._due_s:
            return
        self._due_s = time_s + PAUSE_S
        views = self._views
        try:
            views.append(look(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), views))
            told = f"picture {len(views)}: {coverage(views):.0%} of the view covered"
            self.standing = self._stands("", told)
            if len(views) >= VIEWS:
                self.lens = solve(views)
        except LensError as error:
            self._last = error
            self.standing = self._stands(error.fault, str(error))

    def finish(self) -> Lens:
        """The lens from what there is.

        Raises:
            LensError: if that is not enough.
        """
        if self.lens is not None:
            return self.lens
        if not self._views:
            raise self._last
        if len(self._views) < ENOUGH_VIEWS:
            told = f"expected at least {ENOUGH_VIEWS} good pictures of the board, got {len(self._views)}"
            raise LensError(Fault.FEW_VIEWS, f"{told}; last: {self._last}")
        return solve(self._views)

    def _stands(self, fault: str, told: str) -> Standing:
        covered = coverage(self._views) if self._views else 0.0
        return Standing(len(self._views), VIEWS, covered, fault, told)


class TableStep:
    """Looks at the mat until a few pictures in a row agree about it: `seen` is there then."""

    def __init__(self, camera: Camera, mat: Mat, shape: Shape) -> None:
        self.seen: Survey | None = None
        self._about = camera, mat, shape
        self._steady: list[Survey] = []
        self._last = SurveyError(SurveyFault.NO_MARKERS, "expected pictures of the mat, got no picture")
        self.standing = self._stands()

    def take(self, image: Image, time_s: float) -> None:  # noqa: ARG002  # as every step is given pictures
        """Look at a picture."""
        if self.seen is not None:
            return
        camera, mat, shape = self._about
        try:
            seen = survey(image, camera, mat, shape)
        except SurveyError as error:
            self._last, self._steady = error, []
            self.standing = self._stands(error.fault, str(error))
            return
        if self._steady and _apart_px(self._steady[-1], seen, camera, mat) > STEADY_PX:
            self._steady = []
        self._steady.append(seen)
        self.standing = self._stands()
        if len(self._steady) == STEADY:
            self.seen = seen

    def point(self, image: Image, corners_px: Matrix) -> None:
        """Take the mat's corners as somebody has pointed at them, (4, 2) pixels, clockwise from the far left one.

        Raises:
            SurveyError: if they cannot be that.
        """
        camera, mat, shape = self._about
        self.seen = from_corners(image, corners_px, camera, mat, shape)

    def finish(self) -> Survey:
        """The table as it was seen.

        Raises:
            SurveyError: if it was not seen well enough.
        """
        if self.seen is None:
            raise self._last
        return self.seen

    def _stands(self, fault: str = "", told: str = "") -> Standing:
        return Standing(len(self._steady), STEADY, 0.0, fault, told)


def _apart_px(one: Survey, other: Survey, camera: Camera, mat: Mat) -> float:
    """How far apart two surveys see the mat's markers, at most."""
    corners: Matrix = np.concatenate(list(marker_corners(mat).values()))
    seen = [project(corners, 0.0, camera, each.pose) for each in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1], axis=1).max())
