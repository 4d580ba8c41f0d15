"""Calibrating as a screen shows it: from pictures and taps to a table that is measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration import lens, survey
from calibration.profile import Camera, Mat
from calibration.survey import Survey
from calibration.table import project
from display.calibrating import ADVICE, AGAIN, CANCEL, CORNERS, MISSING, SAVE
from referee.commands.measuring import CLOSE, Course, Pointing
from referee.tiles import Shape
from tests.calibration.boards import camera, held, many, over_mat, photograph

MAT = Mat(560.0, 380.0, 40.0)
POSE = held((-0.23, -0.13), (0.5, -0.7), 0.0, 900.0)
SHAPE = Shape.triomino(29.0, 6.0)
OUTLINE = np.array([(0.0, 0.0), (560.0, 0.0), (560.0, 380.0), (0.0, 380.0)])


@cache
def the_mat() -> np.ndarray:
    return over_mat(camera(), POSE, MAT)


@cache
def boards() -> tuple[np.ndarray, ...]:
    return tuple(cv2.cvtColor(photograph(camera(), pose), cv2.COLOR_GRAY2BGR) for pose in many(1, 15))


class Saved:
    """Remembers what was to be saved; a full card takes nothing."""

    def __init__(self) -> None:
        self.is_full = False
        self.given: list[tuple[Camera, Survey, bool]] = []

    def __call__(self, *measured: object) -> bool:
        if not self.is_full:
            self.given.append(measured)  # type: ignore[arg-type]  # as it is called
        return not self.is_full


def course(kept: Camera | None = None) -> tuple[Course, Saved]:
    saved = Saved()
    return Course(kept, MAT, SHAPE, saved), saved


def show(told: Course, *images: np.ndarray, camera: str = "ok") -> None:
    for number, image in enumerate(images):
        told.take(image, float(number), camera)


def test_boards_then_the_mat_then_a_tap_measure_everything() -> None:
    told, saved = course()
    assert told.shown.stage.step == "lens"
    show(told, *boards())
    assert told.shown.stage.step == "table"
    show(told, *[the_mat()] * 3)
    stage = told.shown.stage
    assert stage.step == "result"
    assert stage.measured is not None
    assert stage.measured.residual_px < 0.5
    assert stage.measured.lens_px is not None
    assert stage.measured.lens_px < 0.3
    assert stage.measured.advice == ("coarse",)
    told.say(SAVE)
    show(told, the_mat())
    assert told.is_over
    assert told.is_saved
    ((lens, seen, is_pointed_at),) = saved.given
    assert lens.matrix[0, 0] == pytest.approx(camera().matrix[0, 0], rel=0.005)
    assert not is_pointed_at
    np.testing.assert_allclose(project(OUTLINE, 0.0, lens, seen.pose), project(OUTLINE, 0.0, camera(), POSE), atol=0.5)


def test_what_is_wrong_and_how_far_it_is_are_told_with_each_picture() -> None:
    told, _ = course()
    show(told, the_mat())
    assert (told.shown.stage.missing, told.shown.stage.good) == ("no-board", 0)
    told.take(boards()[0], 1.0)
    assert (told.shown.stage.missing, told.shown.stage.good) == ("", 1)
    assert told.shown.stage.covered > 0
    told.take(boards()[0], 2.0)
    assert (told.shown.stage.missing, told.shown.stage.good) == ("same-view", 1)


def test_a_known_lens_is_kept() -> None:
    told, saved = course(camera())
    show(told, *[the_mat()] * 3)
    told.say(SAVE)
    show(told, the_mat())
    assert saved.given[0][0].matrix[0, 0] == camera().matrix[0, 0]
    assert told.shown.stage.measured is not None
    assert told.shown.stage.measured.lens_px is None


def test_a_card_that_is_full_is_told_and_can_be_tried_again() -> None:
    told, saved = course(camera())
    show(told, *[the_mat()] * 3)
    saved.is_full = True
    told.say(SAVE)
    show(told, the_mat())
    assert (told.is_over, told.shown.stage.missing) == (False, "not-saved")
    saved.is_full = False
    told.say(SAVE)
    show(told, the_mat())
    assert told.is_saved


def without_markers() -> np.ndarray:
    """The mat with white paper over its black squares, but for their outer corners."""
    image = the_mat().copy()
    for x, y in project(OUTLINE * 0.93 + np.array([20.0, 13.0]), 0.0, camera(), POSE).astype(int).tolist():
        cv2.circle(image, (x, y), 12, (255, 255, 255), -1)
    return image


def tap(told: Course, image: np.ndarray, at: np.ndarray) -> None:
    """Tap a corner as a finger does: somewhere near, then, enlarged, on it."""
    size = np.array([image.shape[1], image.shape[0]])
    near = at + np.array([25.0, -18.0])
    told.point(*((near + 0.5) / size).tolist())
    show(told, image)
    assert told.shown.stage.is_close
    left, top, wide, high = Pointing((), tuple(((near + 0.5) / size).tolist())).window((int(size[0]), int(size[1])))
    told.point((at[0] + 0.5 - left) / wide, (at[1] + 0.5 - top) / high)
    show(told, image)


def test_corners_can_be_tapped_where_markers_are_not_found() -> None:
    told, saved = course(camera())
    image = without_markers()
    show(told, image)
    assert told.shown.stage.missing == "no-markers"
    told.say(CORNERS)
    show(told, image)
    assert told.shown.stage.step == "corners"
    for corner in project(OUTLINE, 0.0, camera(), POSE):
        tap(told, image, corner + np.array([0.8, -0.6]))  # a fingertip is not exact
    assert told.shown.stage.step == "result"
    told.say(SAVE)
    show(told, image)
    _, seen, is_pointed_at = saved.given[0]
    assert is_pointed_at
    np.testing.assert_allclose(
        project(OUTLINE, 0.0, camera(), seen.pose), project(OUTLINE, 0.0, camera(), POSE), atol=2.0
    )


def test_corners_that_fit_no_mat_are_refused_and_asked_for_again() -> None:
    told, _ = course(camera())
    told.say(CORNERS)
    show(told, the_mat())
    for corner in project(OUTLINE, 0.0, camera(), POSE)[[0, 2, 1, 3]]:
        tap(told, the_mat(), corner)
    assert (told.shown.stage.step, told.shown.stage.corners) == ("corners", ())
    assert told.shown.stage.missing in ("misfit", "mirrored")


def test_again_goes_back_one_step_and_from_the_result_to_the_beginning() -> None:
    told, _ = course(camera())
    told.say(CORNERS)
    show(told, the_mat())
    told.say(AGAIN)
    show(told, the_mat())
    assert told.shown.stage.step == "table"
    show(told, *[the_mat()] * 2)
    assert told.shown.stage.step == "result"
    told.say(AGAIN)
    told.take(np.zeros_like(the_mat()), 0.0)
    assert told.shown.stage.step == "table"


def test_cancel_ends_it_without_saving() -> None:
    told, saved = course(camera())
    show(told, *[the_mat()] * 3)
    told.say(CANCEL)
    assert told.is_over
    assert (told.is_saved, saved.given) == (False, [])


def test_a_camera_that_is_lost_is_told_and_its_black_picture_not_looked_at() -> None:
    told, _ = course(camera())
    show(told, *[the_mat()] * 2)
    before = told.shown.stage
    show(told, np.zeros_like(the_mat()), camera="lost")
    assert told.shown.stage == replace(before, camera="lost")


def test_whatever_can_be_wrong_is_said_in_words() -> None:
    faults = {*lens.Fault, *survey.Fault, "not-saved"}
    assert {str(fault) for fault in faults} == set(MISSING)
    assert {str(advice) for advice in survey.Advice} == set(ADVICE)


def test_what_is_enlarged_stays_in_the_picture() -> None:
    for at in ((0.0, 0.0), (1.0, 1.0), (0.5, 0.02)):
        left, top, wide, high = Pointing((), at).window((1280, 720))
        assert (wide, high) == (1280 // CLOSE, 720 // CLOSE)
        assert 0 <= left <= 1280 - wide
        assert 0 <= top <= 720 - high
