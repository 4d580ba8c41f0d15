"""The two kinds of camera, each against a stand-in for its library."""

from __future__ import annotations

import sys
import types
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, CameraLibraryError, PiCamera, UsbCamera


class FakeCapture:
    """Stands in for cv2.VideoCapture."""

    opened = True
    answers: ClassVar[list[tuple[bool, Any]]] = []

    def __init__(self, index: int, backend: int) -> None:
        self.index, self.backend = index, backend
        self.settings: dict[int, float] = {}
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
        return self.opened

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def read(self) -> tuple[bool, Any]:
        return self.answers.pop(0)

    def release(self) -> None:
        self.released = True


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> list[FakeCapture]:
    made: list[FakeCapture] = []

    def make(index: int, backend: int) -> FakeCapture:
        made.append(FakeCapture(index, backend))
        return made[-1]

    monkeypatch.setattr(cv2, "VideoCapture", make)
    return made


def test_a_usb_camera_is_asked_for_motion_jpeg_the_profiles_size_and_no_queue(capture: list[FakeCapture]) -> None:
    UsbCamera(2, (1600, 1200))
    (device,) = capture
    assert (device.index, device.backend) == (2, cv2.CAP_V4L2)
    assert device.settings == {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
        cv2.CAP_PROP_FRAME_WIDTH: 1600,
        cv2.CAP_PROP_FRAME_HEIGHT: 1200,
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }


def test_a_usb_camera_gives_pictures_with_their_time_or_nothing(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    image = np.ones((4, 6, 3), np.uint8)
    empty = np.zeros((0, 0, 3), np.uint8)
    monkeypatch.setattr(FakeCapture, "answers", [(True, image), (False, None), (True, None), (True, empty)])
    camera = UsbCamera(0, clock=lambda: 12.5)
    taken = camera.read()
    assert taken is not None
    assert taken[1] == 12.5
    np.testing.assert_array_equal(taken[0], image)
    assert [camera.read() for _ in range(3)] == [None, None, None]
    camera.close()
    assert capture[0].released


def test_a_usb_camera_that_does_not_open_is_given_back(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeCapture, "opened", False)
    with pytest.raises(CameraError, match="no camera answers as /dev/video3"):
        UsbCamera(3)
    assert capture[0].released


class FakePicamera:
    """Stands in for picamera2.Picamera2 and writes down what it was told."""

    camera_controls: ClassVar[dict[str, Any]] = {"AfMode": (0, 2, 0)}
    fails: str = ""

    def __init__(self) -> None:
        if self.fails == "open":
            raise IndexError("list index out of range")
        self.told: list[Any] = []

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        self.told.append(("configure", configuration))

    def start(self) -> None:
        if self.fails == "start":
            raise RuntimeError("camera in use")
        self.told.append("start")

    def autofocus_cycle(self) -> None:
        self.told.append("focus")

    def capture_metadata(self) -> dict[str, Any]:
        self.told.append("look")
        return {"ExposureTime": 10_000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "LensPosition": 1.6, "Lux": 90}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.told.append(("lock", controls))

    def capture_array(self, stream: str) -> np.ndarray:
        if self.fails == "read":
            raise RuntimeError("camera frontend has timed out")
        assert stream == "main"
        return np.full((4, 6, 4), 9, np.uint8)

    def stop(self) -> None:
        self.told.append("stop")

    def close(self) -> None:
        self.told.append("close")


@pytest.fixture
def picamera(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = FakePicamera  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return FakePicamera


def test_exposure_colours_and_focus_are_locked_where_they_settled(picamera: type[FakePicamera]) -> None:
    slept: list[float] = []
    camera = PiCamera(sleep=slept.append)
    told = camera._camera.told
    assert slept == [2.0]
    assert told[0][1]["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert told[1:4] == ["start", "focus", "look"]
    assert told[4] == (
        "lock",
        {
            "AeEnable": False, "AwbEnable": False, "ExposureTime": 10_000, "AnalogueGain": 1.5,
            "ColourGains": (1.9, 1.4), "AfMode": 0, "LensPosition": 1.6,
        },
    )  # fmt: skip


def test_a_camera_without_focus_is_not_focused(picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera, "camera_controls", {})
    told = PiCamera(sleep=lambda _: None)._camera.told
    assert "focus" not in told
    assert "AfMode" not in told[-1][1]


def test_the_ribbon_camera_gives_three_colours_and_its_time(picamera: type[FakePicamera]) -> None:
    camera = PiCamera((64, 48), clock=lambda: 3.0, sleep=lambda _: None)
    taken = camera.read()
    assert taken is not None
    assert taken[0].shape == (4, 6, 3)
    assert taken[1] == 3.0
    camera.close()
    assert camera._camera.told[-2:] == ["stop", "close"]


@pytest.mark.parametrize(("fails", "says"), [("open", "no ribbon camera answers"), ("start", "does not start")])
def test_a_ribbon_camera_that_fails_to_open_says_so(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch, fails: str, says: str
) -> None:
    monkeypatch.setattr(picamera, "fails", fails)
    with pytest.raises(CameraError, match=says):
        PiCamera(sleep=lambda _: None)


def test_a_ribbon_camera_that_times_out_gives_nothing(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = PiCamera(sleep=lambda _: None)
    monkeypatch.setattr(picamera, "fails", "read")
    assert camera.read() is None


def test_a_missing_picamera2_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLibraryError, match="sudo apt install python3-picamera2"):
        PiCamera()
