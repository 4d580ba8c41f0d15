"""The lens is worked out from pictures of its board, and a bad result is refused with the reason."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.lens import ENOUGH_VIEWS, BoardView, Fault, LensError, coverage, look, solve
from calibration.sheets import lens_board
from tests.calibration.boards import camera, drawing, held, many, photograph

STRAIGHT = held((0.0, 0.0), (6.0, 4.0), 3.0, 480.0)


@cache
def views(seed: int, count: int = 15) -> list[BoardView]:
    """What is seen of the board held in many ways, by a lens that is known."""
    found: list[BoardView] = []
    for pose in many(seed, count):
        try:
            found.append(look(photograph(camera(), pose), found))
        except LensError as error:
            if error.fault is not Fault.CUT_OFF:  # held too far aside: a person would see that and go on
                raise
    return found


@pytest.fixture(scope="module")
def seen() -> list[BoardView]:
    return views(1)


def fault_of(grey: np.ndarray, before: list[BoardView] | None = None) -> Fault:
    with pytest.raises(LensError) as caught:
        look(grey, before or [])
    assert str(caught.value)
    return caught.value.fault


@pytest.mark.parametrize("seed", [1, 2])
def test_the_focal_length_is_right_to_half_a_percent_and_corners_to_a_third_of_a_pixel(seed: int) -> None:
    lens, truth = solve(views(seed)), camera()
    for axis in (0, 1):
        assert lens.camera.matrix[axis, axis] == pytest.approx(truth.matrix[axis, axis], rel=0.005)
    assert lens.residual_px <= 0.3
    # where the true lens sees points all over the picture, against where the one that was worked out does
    columns, rows = np.meshgrid(np.linspace(40, 1240, 13), np.linspace(40, 680, 8))
    pixels = np.stack([columns, rows], -1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(pixels, truth.matrix, truth.distortion).reshape(-1, 2)
    # a turn of the camera takes up what a shifted middle does, so the best turn is taken out first
    points = np.column_stack([rays, np.ones(len(rays))])
    _, turn, place = cv2.solvePnP(points, pixels, lens.camera.matrix, lens.camera.distortion)
    again, _ = cv2.projectPoints(points, turn, place, lens.camera.matrix, lens.camera.distortion)
    assert np.sqrt(np.mean((again - pixels) ** 2)) <= 0.3


def test_too_few_pictures_are_refused(seen: list[BoardView]) -> None:
    with pytest.raises(LensError, match=f"at least {ENOUGH_VIEWS} pictures of the board, got 4") as caught:
        solve(seen[:4])
    assert caught.value.fault is Fault.FEW_VIEWS


def test_a_board_held_in_the_middle_only_is_refused(seen: list[BoardView]) -> None:
    middle = [BoardView(view.size_px, view.on_board, view.pixels * 0.3 + np.array([448, 252])) for view in seen]
    with pytest.raises(LensError, match="hold it into the corners too") as caught:
        solve(middle)
    assert caught.value.fault is Fault.LITTLE_COVERED
    assert coverage(middle) < coverage(seen)


def test_a_board_that_never_leaned_is_refused() -> None:
    flat = [
        look(photograph(camera(), held((x, y), (0.0, 0.0), 2.0, 480.0)))
        for x in (-0.15, -0.05, 0.05, 0.15)
        for y in (-0.1, 0.0, 0.1)
    ]
    with pytest.raises(LensError, match="tilt it more") as caught:
        solve(flat)
    assert caught.value.fault is Fault.NOT_TILTED


def test_a_bent_board_is_refused(seen: list[BoardView]) -> None:
    bent = []
    for number, view in enumerate(seen):
        wave = np.sin(view.on_board[:, :1] * (1.1 + 0.1 * number)) * 4.0
        bent.append(BoardView(view.size_px, view.on_board, view.pixels + wave))
    with pytest.raises(LensError, match="Is the board flat") as caught:
        solve(bent)
    assert caught.value.fault is Fault.BAD_FIT


def test_a_picture_without_a_board_is_refused() -> None:
    assert fault_of(np.full((720, 1280), 90, np.uint8)) is Fault.NO_BOARD


def test_a_blurred_board_is_refused() -> None:
    assert fault_of(photograph(camera(), STRAIGHT, blur_px=4.0)) is Fault.BLURRED


def test_a_board_with_a_reflection_is_refused() -> None:
    picture = photograph(camera(), STRAIGHT)
    spot = np.zeros(picture.shape, np.float32)
    cv2.circle(spot, (560, 300), 60, 255.0, -1)
    shiny = np.clip(picture + cv2.GaussianBlur(spot, (0, 0), 15), 0, 255).astype(np.uint8)
    assert fault_of(shiny) is Fault.GLARE


def test_a_board_that_is_cut_off_is_refused() -> None:
    assert fault_of(photograph(camera(), held((0.75, 0.25), (0.0, 0.0), 0.0, 480.0))) is Fault.CUT_OFF


def test_a_board_with_the_pattern_of_older_programs_is_refused() -> None:
    older = lens_board()
    older.setLegacyPattern(True)
    assert fault_of(photograph(camera(), STRAIGHT, picture=drawing(older))) is Fault.OLD_BOARD


def test_a_board_that_has_not_moved_is_not_counted_twice() -> None:
    picture = photograph(camera(), STRAIGHT)
    assert fault_of(picture, [look(picture)]) is Fault.SAME_VIEW


def test_a_picture_of_another_size_is_refused() -> None:
    before = look(photograph(camera(), STRAIGHT))
    assert fault_of(photograph(camera(960, 540, 810.0), STRAIGHT), [before]) is Fault.OTHER_SIZE
