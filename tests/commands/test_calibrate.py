"""`referee mat` and `referee calibrate`, as somebody would use them at a new table."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Mat, load
from calibration.table import find_pose, project
from display import window
from display.calibrating import CANCEL, SAVE, Window
from display.window import NoDisplayError
from referee.__main__ import Exit, main
from tests.calibration.boards import camera, held, many, over_mat, photograph

MAT = Mat(560.0, 380.0, 40.0)
CORNERS = np.array([(0.0, 0.0), (560.0, 0.0), (560.0, 380.0), (0.0, 380.0)])
TILE = ("--tile", "triomino,29,6")


def over_the_mat() -> tuple[np.ndarray, np.ndarray]:
    """The empty mat under the camera of the boards, and where its corners are seen."""
    pose = held((-0.23, -0.13), (0.5, -0.7), 0.0, 900.0)
    return over_mat(camera(), pose, MAT), project(CORNERS, 0.0, camera(), pose)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of the board, held in many ways."""
    folder = tmp_path_factory.mktemp("boards")
    for number, pose in enumerate(many(3, 16)):
        cv2.imwrite(str(folder / f"{number:02}.png"), photograph(camera(), pose))
    return folder


@pytest.fixture(scope="module")
def mats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of the empty mat."""
    folder = tmp_path_factory.mktemp("mats")
    cv2.imwrite(str(folder / "mat.png"), over_the_mat()[0])
    return folder


def calibrate(mats: Path, output: Path, *more: str) -> int:
    return main(["calibrate", "--camera", f"folder:{mats}", "--size", "560x380", "--output", str(output), *more])


def test_board_and_mat_make_a_profile_that_sees_the_table_rightly(
    boards: Path, mats: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "table.json"
    assert calibrate(mats, output, "--board", f"folder:{boards}?hold=1&fps=1", *TILE) == Exit.DONE
    told = capsys.readouterr().out
    assert "15 pictures" in told
    assert f"--calibration {output}" in told
    profile = load(output)
    picture, corners = over_the_mat()
    pose = find_pose(picture, profile.camera, profile.mat)
    assert pose is not None
    np.testing.assert_allclose(project(CORNERS, 0.0, profile.camera, pose), corners, atol=0.5)
    assert profile.shape.thickness_mm == 6.0

    # the camera has moved: its lens is kept
    again = tmp_path / "again.json"
    assert calibrate(mats, again, "--lens", str(output), *TILE) == Exit.DONE
    np.testing.assert_array_equal(load(again).camera.matrix, profile.camera.matrix)


def test_a_mat_printed_smaller_is_taken_as_large_as_it_is(boards: Path, mats: Path, tmp_path: Path) -> None:
    output = tmp_path / "table.json"
    more = ("--board", f"folder:{boards}?hold=1&fps=1", "--line", "97", *TILE)
    assert calibrate(mats, output, *more) == Exit.DONE
    assert load(output).mat.width_mm == pytest.approx(543.2)


def test_without_a_board_it_says_so_and_writes_nothing(
    mats: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "table.json"
    assert calibrate(mats, output, *TILE) == Exit.FAILED
    assert "expected the lens board in the picture" in capsys.readouterr().err
    assert not output.exists()


def test_corners_can_be_pointed_at(boards: Path, mats: Path, tmp_path: Path) -> None:
    first, output = tmp_path / "lens.json", tmp_path / "table.json"
    assert calibrate(mats, first, "--board", f"folder:{boards}?hold=1&fps=1", *TILE) == Exit.DONE
    corners = ",".join(f"{value:.0f}" for value in over_the_mat()[1].ravel())
    assert calibrate(mats, output, "--lens", str(first), "--corners", corners, *TILE) == Exit.DONE
    assert load(output).pose is not None


def tapping(order: str) -> Callable[[Window, Callable[[], bool]], None]:
    """Somebody at the screen who taps a key once everything is measured."""

    def run(shown: Window, is_over: Callable[[], bool]) -> None:
        until_s = time.monotonic() + 60
        while shown._shown().stage.step != "result" and time.monotonic() < until_s:
            shown.step()
            time.sleep(0.01)
        shown._say(order)
        while not is_over() and time.monotonic() < until_s:
            time.sleep(0.01)

    return run


@pytest.mark.parametrize(("order", "ends", "is_written"), [(SAVE, Exit.DONE, True), (CANCEL, Exit.FAILED, False)])
def test_the_same_is_done_on_the_screen(
    boards: Path, mats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str, ends: int, is_written: bool
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(Window, "run", tapping(order))
    first, output = tmp_path / "lens.json", tmp_path / "table.json"
    assert calibrate(mats, first, "--board", f"folder:{boards}?hold=1&fps=1", *TILE) == Exit.DONE
    more = ("--lens", str(first), "--screen", "--state", str(tmp_path), *TILE)
    assert calibrate(mats, output, *more) == ends
    assert output.exists() == is_written
    if is_written:
        np.testing.assert_array_equal(load(output).camera.matrix, load(first).camera.matrix)


def test_a_screen_without_a_display_says_what_to_do(
    mats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(*_: object) -> None:
        raise NoDisplayError("SDL found no display")

    monkeypatch.setattr(window, "open_window", nothing)
    output = tmp_path / "table.json"
    assert calibrate(mats, output, "--screen", "--state", str(tmp_path), *TILE) == 78
    assert "without --screen it goes in the terminal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "expected the size of the tiles"),
        ((*TILE, "--line", "10"), "expected a printed line of 50 to 200 mm, got 10"),
        ((*TILE, "--lens", "nowhere.json"), "expected a calibration file, got nowhere.json"),
    ],
)
def test_what_cannot_be_done_is_told(
    mats: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], told: str
) -> None:
    assert calibrate(mats, tmp_path / "table.json", *more) == Exit.USAGE
    assert told in capsys.readouterr().err


def test_a_mat_is_printed_in_the_language_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "mat.pdf"
    assert main(["mat", "--paper", "A4", "--language", "kk", "--output", str(output)]) == Exit.DONE
    assert "4 sheets of A4" in capsys.readouterr().out
    assert output.read_bytes().startswith(b"%PDF")


def test_a_mat_that_is_too_small_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mat", "--size", "100x400", "--output", str(tmp_path / "mat.pdf")]) == Exit.USAGE
    assert "expected a mat 180 to 2000 mm wide" in capsys.readouterr().err
