"""The two kinds of camera, each against a stand-in for its library."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera import (
    CameraError,
    CameraLibraryError,
    Locks,
    PiCamera,
    UsbCamera,
    UsbSocket,
    is_same_light,
    without_flicker,
)

PICTURE = np.ones((4, 6, 3), np.uint8)


class Ticks:
    """A clock on which each look at it takes a quarter of a second."""

    now = 12.5

    def __call__(self) -> float:
        self.now += 0.25
        return self.now


class FakeCapture:
    """Stands in for cv2.VideoCapture; `values` are a driver's that lets all of them be set."""

    opened = True
    answers: ClassVar[list[tuple[bool, Any]]] = []
    values: ClassVar[dict[int, float]] = {}

    def __init__(self, index: int, backend: int) -> None:
        self.index, self.backend = index, backend
        self.settings: dict[int, float] = {}
        self.reads = 0
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
        return self.opened

    def set(self, key: int, value: float) -> bool:
        if key not in FORMAT and key not in self.values:
            return False
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        return self.settings.get(key, self.values.get(key, -1.0))

    def read(self) -> tuple[bool, Any]:
        self.reads += 1
        return self.answers.pop(0) if self.answers else (True, PICTURE)

    def release(self) -> None:
        self.released = True


FORMAT = (cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_BUFFERSIZE)
DRIVER = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 200.0,
    cv2.CAP_PROP_GAIN: 32.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
    cv2.CAP_PROP_FOCUS: 40.0,
}


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> list[FakeCapture]:
    made: list[FakeCapture] = []

    def make(index: int, backend: int) -> FakeCapture:
        made.append(FakeCapture(index, backend))
        return made[-1]

    monkeypatch.setattr(cv2, "VideoCapture", make)
    monkeypatch.delenv("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", raising=False)
    return made


def test_a_usb_camera_is_asked_for_motion_jpeg_the_profiles_size_and_no_queue(capture: list[FakeCapture]) -> None:
    UsbCamera(2, (1600, 1200), Ticks())
    (device,) = capture
    assert (device.index, device.backend) == (2, cv2.CAP_V4L2)
    assert device.settings == {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
        cv2.CAP_PROP_FRAME_WIDTH: 1600,
        cv2.CAP_PROP_FRAME_HEIGHT: 1200,
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }
    assert os.environ["OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"] == "2"


def test_a_usb_camera_holds_what_has_settled_and_tells_what_its_driver_took(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeCapture, "values", DRIVER)
    camera = UsbCamera(0, None, Ticks())
    assert camera.locks == Locks(20_000, 32.0, None, 4600, 40.0)
    (device,) = capture
    assert device.reads > 1  # it settles while pictures are taken
    automatic = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
    assert [device.settings[key] for key in automatic] == [1, 0, 0]


def test_a_usb_camera_whose_driver_takes_nothing_holds_nothing(capture: list[FakeCapture]) -> None:
    assert UsbCamera(0, None, Ticks()).locks == Locks()


@pytest.mark.parametrize(
    ("kept_us", "held_us"),
    [(30_000, 30_000), (90_000, 20_000)],  # about as light as it is now, and far lighter
)
def test_a_usb_camera_takes_over_the_profiles_focus_and_its_light_if_that_is_the_same(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch, kept_us: int, held_us: int
) -> None:
    monkeypatch.setattr(FakeCapture, "values", DRIVER)
    camera = UsbCamera(0, None, Ticks(), Locks(kept_us, lens_position=25.0))
    assert (camera.locks.exposure_us, camera.locks.lens_position) == (held_us, 25.0)


def test_a_usb_camera_gives_pictures_with_their_time_or_nothing(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = np.zeros((0, 0, 3), np.uint8)
    answers = [(True, PICTURE), (False, None), (True, None), (True, empty)]
    clock = Ticks()
    camera = UsbCamera(0, clock=clock)
    monkeypatch.setattr(FakeCapture, "answers", answers)
    taken = camera.read()
    assert taken is not None
    assert taken[1] == clock.now
    np.testing.assert_array_equal(taken[0], PICTURE)
    assert [camera.read() for _ in range(3)] == [None, None, None]
    camera.close()
    assert capture[0].released


def test_half_a_picture_that_cannot_be_unpacked_is_none_and_ends_nothing(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = UsbCamera(0, clock=Ticks())

    def broken(_capture: FakeCapture) -> tuple[bool, Any]:
        raise cv2.error("imdecode")

    monkeypatch.setattr(FakeCapture, "read", broken)
    assert camera.read() is None
    monkeypatch.undo()
    assert camera.read() is not None


def test_a_usb_camera_that_does_not_open_is_given_back(
    capture: list[FakeCapture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeCapture, "opened", False)
    with pytest.raises(CameraError, match="no camera answers as /dev/video3"):
        UsbCamera(3)
    assert capture[0].released


Plug = Callable[..., Path]


@pytest.fixture
def plug(tmp_path: Path) -> Plug:
    """Plugs cameras in: their lasting names, and the numbers they got."""
    by_id = tmp_path / "by-id"

    def plugged(**numbers: int) -> Path:
        by_id.mkdir(exist_ok=True)
        for link in by_id.iterdir():
            link.unlink()
        for name, number in numbers.items():
            for part in (0, 1):
                node = tmp_path / f"video{number + part}"
                node.touch()
                (by_id / f"usb-{name}-video-index{part}").symlink_to(f"../{node.name}")
        return by_id

    return plugged


def test_a_usb_camera_is_found_by_a_part_of_its_lasting_name(plug: Plug) -> None:
    folder = plug(Maker_C920_77=2, Other_Eye=0)
    assert UsbSocket("c920", folder).index() == 2
    assert UsbSocket("eye", folder).index() == 0


@pytest.mark.parametrize(("wanted", "says"), [("usb", "found 2 of usb-Maker"), ("zoom", "found 0 of usb-Maker")])
def test_a_name_that_fits_no_camera_or_several_says_what_there_is(plug: Plug, wanted: str, says: str) -> None:
    with pytest.raises(CameraError, match=f"expected one camera with '{wanted}' in its name, {says}"):
        UsbSocket(wanted, plug(Maker_C920=2, Other_Eye=0)).index()


def test_a_camera_that_comes_back_under_another_number_is_found_again(plug: Plug) -> None:
    socket = UsbSocket("0", plug(Maker_C920=0, Other_Eye=2))
    assert socket.index() == 0
    socket.remember(0)
    plug(Other_Eye=0)
    with pytest.raises(CameraError, match="the camera usb-Maker_C920 is not plugged in"):
        socket.index()
    plug(Other_Eye=0, Maker_C920=4)
    assert socket.index() == 4


def test_a_camera_without_a_lasting_name_is_found_by_its_number(tmp_path: Path) -> None:
    socket = UsbSocket("3", tmp_path / "nowhere")
    socket.remember(3)
    assert socket.index() == 3


@given(st.integers(1, 66_000), st.floats(1.0, 16.0))
def test_an_exposure_against_flicker_is_as_light_as_it_was(exposure_us: int, gain: float) -> None:
    held_us, held_gain = without_flicker(exposure_us, gain)
    assert held_us * held_gain == pytest.approx(exposure_us * gain)
    assert held_us % 10_000 == 0 or held_us == exposure_us < 10_000
    assert is_same_light(Locks(exposure_us, gain), Locks(held_us, held_gain))


class FakeRequest:
    """Stands in for picamera2.request.CompletedRequest, whose rows may be longer than the picture is wide."""

    def __init__(self, camera: FakePicamera) -> None:
        self.camera = camera

    def make_array(self, stream: str) -> np.ndarray:
        assert self.camera.out == 1, "a request that was given back shows nothing"
        self.camera.made.append(stream)
        if self.camera.fails == "array":
            raise RuntimeError("format not supported")
        if stream == "lores":
            return self.camera.planes()
        assert stream == "main"
        return self.camera.large()

    def get_metadata(self) -> dict[str, Any]:
        return {} if self.camera.stamp_ns is None else {"SensorTimestamp": self.camera.stamp_ns}

    def release(self) -> None:
        self.camera.out -= 1


class FakePicamera:
    """Stands in for picamera2.Picamera2 and writes down what it was told."""

    camera_controls: ClassVar[dict[str, Any]] = {"AfMode": (0, 2, 0)}
    fails: str = ""
    stamp_ns: int | None = 2_900_000_000

    def __init__(self) -> None:
        if self.fails == "open":
            raise IndexError("list index out of range")
        self.told: list[Any] = []
        self.made: list[str] = []
        self.jobs = 0
        self.out = 0

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        self.size = configuration["main"]["size"]
        self.small = configuration["lores"]["size"]
        self.told.append(("configure", configuration))

    def large(self) -> np.ndarray:
        """The large stream, its rows filled up."""
        width, height = self.size
        return np.full((height, width + 32, 3), 9, np.uint8)

    def planes(self) -> np.ndarray:
        """The small stream as documented: half as many rows again as the picture has, each filled up to 64 bytes."""
        width, height = self.small
        stride = -(-width // 64) * 64
        whole = np.full((height * 3 // 2, stride), 255, np.uint8)
        whole[:height, :width] = 100  # brightness
        colours = whole[height:].reshape(2, height // 2, stride // 2)
        colours[0, :, : width // 2], colours[1, :, : width // 2] = 60, 180
        return whole

    def start(self) -> None:
        if self.fails == "start":
            raise RuntimeError("camera in use")
        self.told.append("start")

    def autofocus_cycle(self) -> bool:
        self.told.append("focus")
        return True

    def capture_metadata(self) -> dict[str, Any]:
        self.told.append("look")
        return {"ExposureTime": 33_000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.4), "LensPosition": 1.6, "Lux": 90}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.told.append(("lock", controls))

    def capture_request(self, wait: bool) -> int:
        assert not wait
        self.jobs += 1
        return self.jobs

    def wait(self, job: int, timeout: float) -> FakeRequest:
        assert (job, timeout) == (self.jobs, 2.0)
        if self.fails == "wait":
            raise TimeoutError
        if self.fails == "read":
            raise RuntimeError("camera frontend has timed out")
        self.out += 1
        return FakeRequest(self)

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


def opened(size: tuple[int, int] | None = None, kept: Locks | None = None) -> PiCamera:
    return PiCamera(size, lambda: 3.0, lambda _: None, kept or Locks())


def test_exposure_colours_and_focus_are_locked_where_they_settled_without_flicker(
    picamera: type[FakePicamera],
) -> None:
    slept: list[float] = []
    camera = PiCamera(sleep=slept.append)
    told = camera._camera.told
    assert slept == [2.0]
    assert told[0][1]["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert told[0][1]["lores"] == {"size": (576, 324), "format": "YUV420"}
    assert told[1:4] == ["start", "focus", "look"]
    assert told[4] == (
        "lock",
        {
            "AeEnable": False, "AwbEnable": False, "ExposureTime": 30_000, "AnalogueGain": 2.2,
            "ColourGains": (1.9, 1.4), "AfMode": 0, "LensPosition": 1.6,
        },
    )  # fmt: skip
    assert camera.locks == Locks(30_000, 2.2, (1.9, 1.4), None, 1.6)


def test_what_a_profile_held_is_held_again_and_nothing_is_focused(picamera: type[FakePicamera]) -> None:
    kept = Locks(20_000, 2.5, (1.7, 1.5), None, 1.4)
    camera = opened(kept=kept)
    assert camera.locks == kept
    assert "focus" not in camera._camera.told
    assert camera._camera.told[-1][1]["LensPosition"] == 1.4


def test_under_another_light_only_the_focus_of_a_profile_is_held(picamera: type[FakePicamera]) -> None:
    camera = opened(kept=Locks(10_000, 1.0, (1.7, 1.5), None, 1.4))  # by day; now it is evening
    assert camera.locks == Locks(30_000, 2.2, (1.9, 1.4), None, 1.4)


def test_a_camera_without_focus_is_not_focused(picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera, "camera_controls", {})
    camera = opened()
    told = camera._camera.told
    assert "focus" not in told
    assert not {"AfMode", "LensPosition"} & set(told[-1][1])
    assert camera.locks.lens_position is None


@pytest.mark.parametrize(("stamp_ns", "time_s"), [(2_900_000_000, 2.9), (9_000_000_000, 3.0), (None, 3.0)])
def test_the_ribbon_camera_gives_three_colours_and_when_it_saw_them(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch, stamp_ns: int | None, time_s: float
) -> None:
    monkeypatch.setattr(picamera, "stamp_ns", stamp_ns)
    camera = opened((64, 48))
    taken = camera.read()
    assert taken is not None
    assert taken[0].shape == (48, 64, 3)  # what fills its rows up is cut off
    assert taken[0].flags.c_contiguous
    assert taken[1] == time_s
    assert camera._camera.out == 0
    camera.close()
    assert camera._camera.told[-2:] == ["stop", "close"]


@pytest.mark.parametrize("is_worth", [True, False])
def test_the_small_stream_of_the_same_request_says_whether_the_large_one_is_copied(
    picamera: type[FakePicamera], is_worth: bool
) -> None:
    camera = opened((200, 152))
    shown: list[np.ndarray] = []

    def worth(small: np.ndarray) -> bool:
        shown.append(small)
        return is_worth

    assert (camera.read(worth) is not None) is is_worth
    assert camera._camera.made == (["lores", "main"] if is_worth else ["lores"])
    assert (camera._camera.out, camera._camera.jobs) == (0, 1)
    (small,) = shown
    assert small.shape == (38, 50 + 25)  # what fills its rows up is cut off
    assert {*small[:, :50].flat} == {100}
    assert {*small[:19, 50:].flat} == {60}
    assert {*small[19:, 50:].flat} == {180}


def test_a_small_stream_that_cannot_be_read_is_a_picture_that_did_not_come(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = opened()
    monkeypatch.setattr(picamera, "fails", "array")
    assert camera.read(lambda _: True) is None
    assert camera._camera.made == ["lores"]
    assert camera._camera.out == 0


@pytest.mark.parametrize(("fails", "says"), [("open", "no ribbon camera answers"), ("start", "does not start")])
def test_a_ribbon_camera_that_fails_to_open_says_so(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch, fails: str, says: str
) -> None:
    monkeypatch.setattr(picamera, "fails", fails)
    with pytest.raises(CameraError, match=says):
        opened()


@pytest.mark.parametrize(("fails", "jobs"), [("wait", 1), ("read", 2), ("array", 2)])
def test_a_ribbon_camera_that_fails_to_give_a_picture_keeps_no_request(
    picamera: type[FakePicamera], monkeypatch: pytest.MonkeyPatch, fails: str, jobs: int
) -> None:
    camera = opened()
    monkeypatch.setattr(picamera, "fails", fails)
    assert camera.read() is None
    assert camera._camera.out == 0
    monkeypatch.setattr(picamera, "fails", "")
    assert camera.read() is not None
    assert camera._camera.jobs == jobs  # one that is late is waited for again
    assert camera._camera.out == 0


def test_a_missing_picamera2_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLibraryError, match="sudo apt install python3-picamera2"):
        PiCamera()
