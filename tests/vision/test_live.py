"""Live cameras that are lost, freeze, come back: a device that we play ourselves, on our own clock."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import count, pairwise

import numpy as np
import pytest

from calibration import profile as calibration
from calibration.profile import Camera, Mat, Profile
from hardware.camera import CameraError, Device, Locks, PiCamera, Worth, always
from referee.sighting import CameraStatus
from referee.tiles import Shape
from tests.hardware.test_camera import FakePicamera
from vision import live
from vision.frames import SourceError
from vision.live import HUNG_S, MOST_TOLD, PAUSES_S, LiveSource
from vision.sources import open_source
from vision.thrift import STILL_S

SIZE = (32, 24)
PROFILE = Profile("table", Camera(*SIZE, np.eye(3), np.zeros(5)), Mat(), Shape.domino())


def picture(shade: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    return np.full((size[1], size[0], 3), shade, np.uint8)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeDevice:
    """Gives what `supply` gives next, taken some time before; remembers that it was closed."""

    lag_s = 0.0
    locks = Locks(exposure_us=20_000)

    def __init__(self, clock: Callable[[], float], supply: Iterator[np.ndarray | None]) -> None:
        self.clock, self.supply, self.closed = clock, supply, False

    def read(self, worth: Worth = always) -> tuple[np.ndarray, float] | None:
        image = next(self.supply)
        if image is None or not worth(image[:, :, 0]):
            return None
        return image, self.clock() - self.lag_s

    def close(self) -> None:
        self.closed = True


class Bench:
    """A live source, its clock, and every device that it opened."""

    def __init__(self, supply: Callable[[], Iterator[np.ndarray | None]], is_thrifty: bool = False) -> None:
        self.clock = Clock()
        self.opened: list[tuple[float, FakeDevice]] = []
        self.absent = False
        self.supply = supply
        self.source = LiveSource(self.open, SIZE, self.clock, repeat_s=0.01, is_thrifty=is_thrifty)

    def open(self) -> Device:
        if self.absent:
            self.opened.append((self.clock.now, FakeDevice(self.clock, iter(()))))
            raise CameraError("no camera answers")
        device = FakeDevice(self.clock, self.supply())
        self.opened.append((self.clock.now, device))
        return device

    def run(self, seconds: float, step_s: float = 0.25) -> None:
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.source.step()
            self.clock.now += step_s


def changing() -> Iterator[np.ndarray | None]:
    number = 0
    while True:
        number += 1
        yield picture(number % 250)


def still() -> Iterator[np.ndarray | None]:
    while True:
        yield picture(77)


def nothing() -> Iterator[np.ndarray | None]:
    while True:
        yield None


def test_the_judged_frame_is_the_newest() -> None:
    bench = Bench(changing)
    bench.run(2.0)
    frame = bench.source.read()
    assert frame is not None
    assert frame.image[0, 0, 0] == frame.number == 7  # the first step opened the device
    assert frame.time_s == bench.clock.now - 0.25
    assert bench.source.status is CameraStatus.OK


def test_a_camera_that_opens_but_gives_nothing_is_lost_and_never_an_exception() -> None:
    bench = Bench(nothing)
    bench.run(60.0)
    assert bench.source.status is CameraStatus.LOST
    frame = bench.source.read()
    assert frame is not None
    assert frame.number == 0
    assert frame.image.shape == (24, 32, 3)
    assert not frame.image.any()


def test_a_camera_without_pictures_is_opened_again_with_growing_pauses() -> None:
    bench = Bench(nothing)
    bench.run(70.0, step_s=0.1)
    times = [at for at, _ in bench.opened]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == pytest.approx([5 + pause for pause in PAUSES_S[: len(gaps)]], abs=0.5)
    assert len(gaps) == 6
    assert all(device.closed for _, device in bench.opened[:-1])


def test_an_absent_camera_is_tried_again_with_growing_pauses_and_found() -> None:
    bench = Bench(changing)
    bench.absent = True
    bench.run(20.0, step_s=0.1)
    times = [at for at, _ in bench.opened]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == pytest.approx([0.5, 1, 2, 4, 8], abs=0.25)
    assert bench.source.status is CameraStatus.LOST
    bench.absent = False
    bench.run(16.0)
    assert bench.source.status is CameraStatus.OK


def test_a_camera_is_lost_five_seconds_after_its_last_picture_and_no_sooner() -> None:
    bench = Bench(lambda: iter([picture(1), picture(2)] + [None] * 1000))
    bench.run(0.75)
    bench.run(4.0)
    assert bench.source.status is CameraStatus.OK
    bench.run(1.5)
    assert bench.source.status is CameraStatus.LOST


def test_a_read_that_hangs_makes_the_camera_lost() -> None:
    bench = Bench(changing)
    bench.run(1.0)
    bench.clock.now += 5.5  # no step returned in this time
    assert bench.source.status is CameraStatus.LOST


def flickering() -> Iterator[np.ndarray | None]:
    """Pictures of a table that lies still: no two have the same bytes."""
    for number in count():
        image = picture(77)
        image[number % SIZE[1], 3] += 1
        yield image


def moving() -> Iterator[np.ndarray | None]:
    """A hand that goes to and fro."""
    for number in count():
        image = picture(77)
        image[:, number % SIZE[0]] = 30
        yield image


def numbers(bench: Bench, seconds: float) -> int:
    """How many pictures were taken meanwhile."""
    before = bench.source._newest.number
    bench.run(seconds, step_s=1 / 15)
    return bench.source._newest.number - before


def test_of_a_table_that_lies_still_a_thrifty_source_takes_few_pictures_and_the_camera_is_well() -> None:
    bench = Bench(flickering, is_thrifty=True)
    bench.run(STILL_S + 1.0, step_s=1 / 15)
    assert 20 <= numbers(bench, 10.0) <= 35
    assert bench.source.status is CameraStatus.OK
    assert len(bench.opened) == 1


def test_a_thrifty_source_takes_every_picture_in_which_something_moves() -> None:
    bench = Bench(moving, is_thrifty=True)
    assert numbers(bench, 20.0) == pytest.approx(300, abs=1)


@pytest.mark.parametrize(
    ("supply", "status"), [(still, CameraStatus.FROZEN), (nothing, CameraStatus.LOST), (flickering, CameraStatus.OK)]
)
def test_a_thrifty_source_notices_all_the_same_that_a_camera_fails(
    supply: Callable[[], Iterator[np.ndarray | None]], status: CameraStatus
) -> None:
    bench = Bench(flickering, is_thrifty=True)
    bench.run(STILL_S + 1.0, step_s=1 / 15)
    assert bench.source.status is CameraStatus.OK
    bench.opened[0][1].supply = supply()
    bench.run(5.3, step_s=1 / 15)
    assert bench.source.status is status
    assert (len(bench.opened) > 1 or bench.opened[0][1].closed) is (status is not CameraStatus.OK)


def test_the_same_bytes_for_five_seconds_are_frozen_and_the_camera_is_opened_again() -> None:
    bench = Bench(still)
    bench.run(4.5)
    assert bench.source.status is CameraStatus.OK
    bench.run(1.5)
    assert bench.source.status is CameraStatus.FROZEN
    bench.run(1.0)
    assert len(bench.opened) == 2
    bench.supply = changing
    bench.run(20.0)
    assert bench.source.status is CameraStatus.OK


def test_pictures_that_come_long_after_they_were_taken_are_late_until_they_come_in_time_again() -> None:
    bench = Bench(changing)
    bench.run(1.0)
    device = bench.opened[0][1]
    device.lag_s = 0.8
    bench.run(1.0)
    assert bench.source.status is CameraStatus.LATE
    device.lag_s = 0.1
    bench.run(1.0)
    assert bench.source.status is CameraStatus.OK


def test_pictures_of_another_size_than_the_profiles_count_as_none() -> None:
    bench = Bench(lambda: iter([picture(number % 200, (64, 48)) for number in range(1000)]))
    bench.run(6.0)
    assert bench.source.status is CameraStatus.LOST
    frame = bench.source.read()
    assert frame is not None
    assert frame.number == 0


def test_a_thread_reads_the_camera_and_stops_when_it_is_closed() -> None:
    read_once = threading.Event()

    def supply() -> Iterator[np.ndarray | None]:
        for shade in range(1, 200):
            yield picture(shade)
            read_once.set()
        while True:
            yield None

    device = FakeDevice(Clock(), supply())
    source = LiveSource(lambda: device, SIZE)
    source.start()
    assert read_once.wait(10)
    frame = source.read()
    assert frame is not None
    assert frame.number >= 1
    source.close()
    assert source.read() is None
    assert device.closed


def flapping() -> Iterator[np.ndarray | None]:
    """One picture, then none."""
    yield picture(next(SHADES) % 250)
    while True:
        yield None


SHADES = count(1)


@pytest.mark.parametrize("supply", [flapping, nothing, still])
def test_a_camera_that_fails_all_day_writes_few_lines(
    caplog: pytest.LogCaptureFixture, supply: Callable[[], Iterator[np.ndarray | None]]
) -> None:
    bench = Bench(supply)
    bench.run(86_400.0, step_s=1.0)
    assert len(bench.opened) > 1000
    assert 10 < len(caplog.records) < 200


def test_a_driver_that_words_its_trouble_anew_each_time_writes_few_lines_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench, numbers = Bench(nothing), count()

    def absent() -> Device:
        raise CameraError(f"no camera answers, request {next(numbers)}")

    bench.source._opener = absent
    bench.run(86_400.0, step_s=1.0)
    assert next(numbers) > 2000
    assert 10 < len(caplog.records) < 1000
    assert len(bench.source._told_s) <= MOST_TOLD, "and none is remembered for ever"


class HangingDevice(FakeDevice):
    """Its driver does not come back before it is let go."""

    def __init__(self) -> None:
        super().__init__(Clock(), changing())
        self.entered, self.let_go, self.gone = threading.Event(), threading.Event(), threading.Event()

    def read(self, worth: Worth = always) -> tuple[np.ndarray, float] | None:
        self.entered.set()
        assert self.let_go.wait(20)
        return picture(99), 0.0

    def close(self) -> None:
        self.gone.set()


def test_a_driver_that_hangs_is_left_behind_and_the_camera_opened_anew() -> None:
    clock, hung = Clock(), HangingDevice()
    devices: list[Device] = [hung, FakeDevice(clock, changing())]
    source = LiveSource(lambda: devices.pop(0), SIZE, clock, repeat_s=0.01)
    source.start()
    assert hung.entered.wait(10)
    clock.now += 6.0
    assert source.status is CameraStatus.LOST
    assert source.locks == Locks(exposure_us=20_000)
    clock.now += HUNG_S
    source.read()
    assert source.locks == Locks()
    clock.now += PAUSES_S[0]
    while (frame := source.read()) is not None and frame.number == 0:
        assert not hung.gone.is_set()
    assert source.status is CameraStatus.OK
    hung.let_go.set()
    assert hung.gone.wait(10)  # given back when it could be
    frame = source.read()
    assert frame is not None
    assert frame.image[0, 0, 0] != 99
    source.close()


def test_a_driver_that_hangs_does_not_hold_up_the_end() -> None:
    hung = HangingDevice()
    source = LiveSource(lambda: hung, SIZE)
    source.start()
    assert hung.entered.wait(10)
    source.close()
    assert source.read() is None
    hung.let_go.set()
    assert hung.gone.wait(10)


def test_what_a_profile_held_reaches_the_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = Locks(20_000, 1.5, (1.9, 1.4), None, 1.6)
    asked: list[tuple[object, ...]] = []

    def absent(*about: object, **more: object) -> Device:
        asked.append((*about, *more.values()))
        raise CameraError("gone")

    monkeypatch.setattr(live, "UsbCamera", absent)
    source = open_source("usb:3", replace(PROFILE, locks=calibration.Locks(**asdict(kept))))
    source.close()
    assert asked[0] == (3, SIZE, kept)


def test_an_absent_usb_camera_is_a_status_not_an_error() -> None:
    source = open_source("usb:99")
    try:
        assert source.status is CameraStatus.LOST
    finally:
        source.close()


def test_a_missing_picamera2_is_an_error_that_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match=r"sudo apt install python3-picamera2.*--system-site-packages"):
        open_source("pi")


@pytest.mark.parametrize(("fault", "status"), [("", "ok"), ("frozen", "frozen"), ("wait", "lost"), ("read", "lost")])
def test_the_ribbon_camera_copies_few_large_pictures_of_a_still_table_and_its_faults_are_noticed(
    monkeypatch: pytest.MonkeyPatch, fault: str, status: str
) -> None:
    ticks, clock, is_frozen = count(), Clock(), False

    class Living(FakePicamera):
        """A camera whose pictures have some noise."""

        stamp_ns = None

        def planes(self) -> np.ndarray:
            return noisy(super().planes())

        def large(self) -> np.ndarray:
            return noisy(super().large())

    def noisy(image: np.ndarray) -> np.ndarray:
        image[0, 0] += 0 if is_frozen else next(ticks) % 3
        return image

    library = types.ModuleType("picamera2")
    library.Picamera2 = Living  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "picamera2", library)
    cameras: list[PiCamera] = []

    def opener() -> Device:
        cameras.append(PiCamera((64, 48), clock, lambda _: None))
        return cameras[-1]

    def run(seconds: float) -> None:
        until_s = clock.now + seconds
        while clock.now < until_s:
            source.step()
            clock.now += 1 / 15

    source = LiveSource(opener, (64, 48), clock, is_thrifty=True)
    run(STILL_S + 10.0)
    made = cameras[0]._camera.made
    idle = made[-100:]
    assert 2 * idle.count("main") < idle.count("lores")
    assert source.status is CameraStatus.OK
    is_frozen = fault == "frozen"
    monkeypatch.setattr(Living, "fails", "" if is_frozen else fault)
    run(5.2)
    assert source.status.value == status
    assert len(cameras) == 1 or fault
    assert [camera._camera.out for camera in cameras] == [0] * len(cameras), "every request was given back"
