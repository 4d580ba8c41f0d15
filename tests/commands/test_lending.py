"""The camera measured from the touchscreen of a running house, by somebody who has no keyboard."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest

from calibration.profile import Mat, Profile, load, save
from calibration.table import project
from display import calibrating, pages
from display.calibrating import BEGIN, CANCEL, CORNERS, SAVE
from display.link import Link
from display.measuring import Measuring
from display.outlines import buttons
from display.preparing import KEEP, LESS, MORE
from display.pulse import Pulse
from display.screen import FIRST_TOUCH_S, Screen
from display.sentences import Words
from display.shots import Shots
from referee.commands.measuring import Pointing
from referee.config import Places
from referee.tiles import Shape
from referee.wire import Errand
from tests.calibration.boards import camera, held, over_mat

PROJECT = Path(__file__).parents[2]
LONGEST_S = 60.0
MAT = Mat(560.0, 380.0, 40.0)
OUTLINE = np.array([(0.0, 0.0), (560.0, 0.0), (560.0, 380.0), (0.0, 380.0)])
POSE = held((-0.23, -0.13), (0.5, -0.7), 0.0, 900.0)


class Box:
    """A running house without a window of its own, and its touchscreen: a finger, and eyes that find the keys."""

    def __init__(self, folder: Path, places: Places) -> None:
        self._surface = pygame.Surface((800, 480))
        self._places = places
        self._link, self.pulse = Link(places, by="screen"), Pulse(places, "test")
        window = lambda: self._surface  # noqa: E731  # as pygame gives it
        shots = Shots(folder / "shots", every=False)
        self.screen = Screen(self._link, window, shots, flip=lambda: None, places=places, measure=self._measure)

    def _measure(self) -> Measuring:
        self.pulse.ask(Errand("calibrate"))
        return Measuring(self._places)

    def close(self) -> None:
        self._link.close()
        self.pulse.close()

    @property
    def stage(self) -> calibrating.Stage | None:
        """What is shown of measuring, None while the game is shown."""
        return None if self.screen._measuring is None else self.screen._measuring[0].shown.stage

    @property
    def epoch(self) -> str:
        return self._link.view.epoch if self._link.view else ""

    @property
    def camera(self) -> str:
        return self._link.view.camera if self._link.view else ""

    def until(self, true: Callable[[], bool]) -> None:
        """Let the screen run until something is true."""
        until_s = time.monotonic() + LONGEST_S
        while not true():
            assert time.monotonic() < until_s, f"it never came true: {self.stage}, {self.camera}"
            self.screen.step()
            time.sleep(0.01)

    def tap(self, order: str) -> None:
        """Tap a key as a finger does, once it has been there for a moment."""
        self.until(lambda: self._key(order) is not None)
        seen_s = time.monotonic()
        self.until(lambda: time.monotonic() > seen_s + FIRST_TOUCH_S)
        rect = self._key(order)
        assert rect is not None
        self.touch(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def touch(self, x: float, y: float) -> None:
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            self.screen.handle(pygame.event.Event(kind, finger_id=1, touch_id=1, x=x / 800, y=y / 480))
            self.screen.step()

    def point(self, corner: tuple[float, float]) -> None:
        """Tap a corner of the mat on the picture as a finger does: near it, then, enlarged, on it."""
        size = np.array([camera().width, camera().height])
        near = np.array(corner) + np.array([25.0, -18.0])
        left, top, wide, high = Pointing((), tuple(((near + 0.5) / size).tolist())).window((1280, 720))
        for at, is_close in (
            ((near + 0.5) / size, False),
            ((np.array(corner) + 0.5 - (left, top)) / (wide, high), True),
        ):
            self.until(lambda is_close=is_close: self.stage is not None and self.stage.is_close == is_close)
            assert self.screen._measuring is not None
            picture = self.screen._measuring[0].shown.picture
            assert picture is not None
            frame = calibrating.picture_box(picture)
            self.touch(frame.x + at[0] * frame.w, frame.y + at[1] * frame.h)

    def _key(self, order: str) -> pages.Rect | None:
        stage = self.stage
        page = self.screen.page if stage is None else calibrating.page(stage, Words())
        return next((key.rect for key in buttons(page) if key.order == order), None)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The empty mat, whole, and with white paper on its black squares but for their outer corners."""
    folder = tmp_path_factory.mktemp("pictures")
    whole = over_mat(camera(), POSE, MAT)
    cv2.imwrite(str(folder / "whole.png"), whole)
    for x, y in project(OUTLINE * 0.93 + np.array([20.0, 13.0]), 0.0, camera(), POSE).astype(int).tolist():
        cv2.circle(whole, (x, y), 12, (255, 255, 255), -1)
    cv2.imwrite(str(folder / "covered.png"), whole)
    return folder


@pytest.fixture
def box(pictures: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Box]:
    """A house with a profile of another mat and other tiles, on pictures of this one."""
    places = Places(tmp_path / "state", tmp_path / "run").make()
    save(Profile("table", camera(), Mat(570.0, 380.0, 40.0), Shape.triomino(29.5, 6.0)), tmp_path / "table.json")
    command = [sys.executable, "-m", "referee", "run", "--headless", "--rooms", "table,vision"]
    command += [
        "--camera",
        f"folder:{pictures}?match={request.param}*&hold=60&fps=1",
        "--calibration",
        str(tmp_path / "table.json"),
    ]
    command += ["--state", str(places.state), "--runtime", str(places.runtime)]
    environment = {**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE, text=True) as house:
        try:
            with closing(Box(tmp_path, places)) as made:
                made.until(lambda: made.camera in ("ok", "moved") and made.screen.page.live)
                yield made
                house.send_signal(signal.SIGTERM)
                _, told = house.communicate(timeout=LONGEST_S)
                assert house.returncode == 0, told
                assert "Traceback" not in told
        finally:
            house.kill()


def begin(box: Box) -> None:
    for order in ("@settings", "@calibrate", BEGIN):
        box.tap(order)
    box.until(lambda: box.stage is not None and box.stage.step == "sizes")


@pytest.mark.parametrize("box", ["whole"], indirect=True)
def test_everything_is_measured_by_touch_and_the_game_goes_on_with_it(box: Box, tmp_path: Path) -> None:
    before, file = box.epoch, tmp_path / "table.json"
    was = file.read_bytes()
    begin(box)
    box.until(lambda: box.camera == "lost")
    box.tap(CANCEL)
    box.until(lambda: box.stage is None)
    box.until(lambda: box.camera == "ok")
    assert (box.epoch, file.read_bytes()) == (before, was), "who cancels has the old profile and the same table"
    begin(box)
    for order in (f"{LESS} across", f"{LESS} side", f"{MORE} thickness", KEEP):
        box.tap(order)
    box.until(lambda: box.stage is not None and box.stage.step == "result")
    assert box.stage is not None
    assert box.stage.measured is not None
    assert box.stage.measured.residual_px < 0.5
    assert box.screen._measuring is not None
    assert box.screen._measuring[0].shown.picture is not None
    box.tap(SAVE)
    box.until(lambda: box.stage is None and box.epoch not in ("", before))
    made = load(file)
    np.testing.assert_array_equal(made.camera.matrix, camera().matrix)
    assert (made.mat.width_mm, made.shape.length_mm, made.shape.thickness_mm) == (560.0, 29.0, 6.5)
    assert made.source is not None
    box.until(lambda: box.camera == "ok")


@pytest.mark.parametrize("box", ["covered"], indirect=True)
def test_corners_are_tapped_on_the_picture_of_the_other_room(box: Box, tmp_path: Path) -> None:
    begin(box)
    box.tap(f"{LESS} across")
    box.tap(KEEP)
    box.until(lambda: box.stage is not None and box.stage.missing == "no-markers")
    box.tap(CORNERS)
    box.until(lambda: box.stage is not None and box.stage.step == "corners")
    box.until(lambda: box.stage is not None and box.stage.step == "corners")
    for corner in project(OUTLINE, 0.0, camera(), POSE).tolist():
        box.point(corner)
    box.until(lambda: box.stage is not None and box.stage.step == "result")
    box.tap(SAVE)
    box.until(lambda: box.stage is None)
    made = load(tmp_path / "table.json").pose
    assert made is not None
    seen = project(OUTLINE, 0.0, camera(), made)
    # A pixel of the screen is 2.4 of the picture's.
    np.testing.assert_allclose(seen, project(OUTLINE, 0.0, camera(), POSE), atol=4.0)
