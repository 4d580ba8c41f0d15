"""Calibrating as a screen shows it: pictures and taps in, how things stand out."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calibration.lens import Lens
from calibration.measuring import LensStep, TableStep
from calibration.profile import Camera, Mat
from calibration.survey import Survey, SurveyError
from display.calibrating import AGAIN, CANCEL, CORNERS, SAVE, Measured, Picture, Shown, Stage
from referee.tiles import Shape

if TYPE_CHECKING:
    from vision.frames import FrameSource, Image

WIDTH_PX = 560  # of the picture on the screen
CLOSE = 8  # a fingertip hits a corner to within a few pixels only when it is seen eight times larger
CORNERS_OF_A_MAT = 4
ENDED_S = 0.1

Write = Callable[[Camera, Survey, bool], bool]


@dataclass(slots=True)
class Pointing:
    """The corners that were tapped, as parts of the picture, and round which point it is enlarged now."""

    corners: tuple[tuple[float, float], ...] = ()
    close: tuple[float, float] | None = None

    def window(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """The part of a picture that is shown: left, top, width, height in pixels."""
        width, height = size
        if self.close is None:
            return 0, 0, width, height
        wide, high = width // CLOSE, height // CLOSE
        left = min(max(round(self.close[0] * width - wide / 2), 0), width - wide)
        top = min(max(round(self.close[1] * height - high / 2), 0), height - high)
        return left, top, wide, high

    def tap(self, x: float, y: float, size: tuple[int, int]) -> None:
        """A tap on what is shown: the first on a corner enlarges it, the second is the corner."""
        left, top, wide, high = self.window(size)
        at = ((left + x * wide) / size[0], (top + y * high) / size[1])
        if self.close is None:
            self.close = at
        else:
            self.corners, self.close = (*self.corners, at), None


class Course:
    """Lens, table, result: each picture and each tap takes it a little further.

    Taps come from the window's thread and are taken up between two pictures; `shown` is a value that the window may
    look at whenever it likes.

    Args:
        kept: the camera whose lens is kept, None to measure it.
        write: saves what was measured, the last argument says whether corners were pointed at; False if it could not.
        held: what the camera holds, in words of `display.calibrating.HELD`.
    """

    def __init__(
        self,
        kept: Camera | None,
        mat: Mat,
        shape: Shape,
        write: Write,
        held: Callable[[], tuple[str, ...]] = lambda: (),
    ) -> None:
        self._kept = kept
        self._mat, self._shape = mat, shape
        self._write = write
        self._held = held
        self._said: deque[str | tuple[float, float]] = deque()
        self._is_unsaved = False
        self.is_saved = False
        self.is_over = False
        self._begin()
        self.shown = Shown(self._stage("ok"))

    def _begin(self) -> None:
        self._lens_step = LensStep() if self._kept is None else None
        self._lens: Lens | None = None
        self._table_step: TableStep | None = None
        if self._kept is not None:
            self._table_step = TableStep(self._kept, self._mat, self._shape)
        self._pointing: Pointing | None = None
        self._fault = ""
        self._was_pointed_at = False

    @property
    def _camera(self) -> Camera | None:
        return self._kept if self._lens is None else self._lens.camera

    def say(self, word: str) -> None:
        """A key was tapped."""
        if word == CANCEL:
            self.is_over = True
        self._said.append(word)

    def point(self, x: float, y: float) -> None:
        """The picture was tapped, at parts of what is shown of it."""
        self._said.append((x, y))

    def take(self, image: Image, time_s: float, camera: str = "ok") -> None:
        """Look at a picture, BGR (height, width, 3); `camera` is the status of what it came from."""
        while self._said:
            self._heard(self._said.popleft(), image)
        if camera != "lost" and self._pointing is None:
            self._look(image, time_s)
        stage = self._stage(camera)
        self.shown = Shown(stage, _picture(image, self._pointing or Pointing()))

    def _look(self, image: Image, time_s: float) -> None:
        if self._lens_step is not None and self._lens is None:
            self._lens_step.take(image, time_s)
            self._lens = self._lens_step.lens
            if self._lens is not None:
                self._table_step = TableStep(self._lens.camera, self._mat, self._shape)
        elif self._table_step is not None and self._table_step.seen is None:
            self._table_step.take(image, time_s)

    def _heard(self, said: str | tuple[float, float], image: Image) -> None:
        if isinstance(said, tuple):
            self._tapped(said, image)
        elif said == AGAIN:
            self._again()
        elif said == CORNERS and self._table_step is not None:
            self._pointing, self._fault = Pointing(), ""
        elif said == SAVE and self._table_step is not None and self._camera is not None:
            self.is_saved = self._write(self._camera, self._table_step.finish(), self._was_pointed_at)
            self.is_over, self._is_unsaved = self.is_saved, not self.is_saved

    def _again(self) -> None:
        """Do the step anew that is under way; from the result, everything."""
        self._is_unsaved = False
        if self._pointing is not None:
            self._pointing, self._fault = None, ""
        elif self._camera is not None and self._table_step is not None and self._table_step.seen is None:
            self._table_step = TableStep(self._camera, self._mat, self._shape)
        else:
            self._begin()

    def _tapped(self, at: tuple[float, float], image: Image) -> None:
        import numpy as np

        if self._pointing is None or self._table_step is None:
            return
        size = image.shape[1], image.shape[0]
        self._pointing.tap(*at, size)
        if len(self._pointing.corners) < CORNERS_OF_A_MAT:
            return
        corners = np.array(self._pointing.corners) * size - 0.5
        try:
            self._table_step.point(image, corners)
            self._pointing, self._was_pointed_at = None, True
        except SurveyError as error:
            self._pointing, self._fault = Pointing(), error.fault

    def _stage(self, camera: str) -> Stage:
        stage = Stage("lens", camera=camera)
        if self._pointing is not None:
            close = self._pointing.close is not None
            return replace(stage, step="corners", corners=self._pointing.corners, is_close=close, missing=self._fault)
        table = self._table_step
        if table is not None and table.seen is not None:
            seen, lens_px = table.seen, None if self._lens is None else self._lens.residual_px
            told = Measured(seen.residual_px, min(seen.px_per_mm), seen.tilt_deg, lens_px, seen.advice, self._held())
            return replace(stage, step="result", measured=told, missing="not-saved" if self._is_unsaved else "")
        step = table or self._lens_step
        assert step is not None
        now = step.standing
        return replace(
            stage,
            step="lens" if table is None else "table",
            good=now.good,
            wanted=now.wanted,
            covered=now.covered,
            missing=now.fault,
        )


def _picture(image: Image, pointing: Pointing) -> Picture:
    """What the window shows of a picture."""
    import cv2

    left, top, wide, high = pointing.window((image.shape[1], image.shape[0]))
    part = image[top : top + high, left : left + wide]
    size = (WIDTH_PX, max(1, round(WIDTH_PX * high / wide)))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if wide > WIDTH_PX else cv2.INTER_LINEAR)
    return Picture(cv2.cvtColor(small, cv2.COLOR_BGR2RGB).tobytes(), size)


def watch(source: FrameSource, course: Course) -> threading.Thread:
    """Take the source's pictures in a thread until it is over; the last one of a recording stays."""

    def look() -> None:
        last = None
        while not course.is_over:
            frame = source.read()
            if frame is None:
                time.sleep(ENDED_S)
            last = frame or last
            if last is not None:
                course.take(last.image, last.time_s, str(source.status))

    thread = threading.Thread(target=look, name="measuring", daemon=True)
    thread.start()
    return thread
