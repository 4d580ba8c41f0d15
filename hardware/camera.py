"""Cameras: USB through Video4Linux, the ribbon camera through picamera2.

A device gives `(image, time_s)` pairs, BGR and monotonic seconds, or None when it had nothing to give.
Losing a device is the caller's to notice and to cure by opening it again.

Light, colours and focus settle while nobody plays and are then held: a camera that goes on adjusting itself brightens
when a dark sleeve comes in, and looks for focus when a hand does. What a profile says is taken over: its focus always,
because the lens was measured with it, its light and colours only while the room is about as light as it was then.

The ribbon camera gives a second, small stream of the same moment. Whoever reads is shown it first and says whether the
large picture is worth copying out of the camera's memory, which takes longer than all else on a table that lies still.
A USB camera has one stream: each of its pictures is given.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]
Worth = Callable[[Image], bool]

PI_SIZE = (2304, 1296)
PI_FPS = 15
SMALLER = 4  # times, the small stream of the ribbon camera
METERING_S = 2.0
READ_S = 2.0  # a picture that takes longer than this is no picture
FLICKER_US = 10_000  # lamps brighten a hundred times a second: whole multiples of this see none of it
LIGHT_FACTOR = 2.0  # light that differs more than this from the profile's is another light
BY_ID = Path("/dev/v4l/by-id")
MANUAL_EXPOSURE = 1  # V4L2_EXPOSURE_MANUAL
EXPOSURE_UNIT_US = 100  # of V4L2_CID_EXPOSURE_ABSOLUTE

PICAMERA_CURE = (
    "picamera2 comes with the system, not with our packages: run 'sudo apt install python3-picamera2' "
    "and make the virtual environment with 'python3 -m venv --system-site-packages'"
)

log = logging.getLogger(__name__)


class CameraError(OSError):
    """A camera that cannot be opened now."""


class CameraLibraryError(CameraError):
    """What drives the camera is not installed; trying again will not help."""


@dataclass(frozen=True, slots=True)
class Locks:
    """What a camera holds, or is to hold; None where it does not, or nothing is known.

    Gain, colours and focus are in the camera's own units, so that they mean something to that camera only. A ribbon
    camera has colour gains (red, blue), a USB camera a colour temperature in kelvins.
    """

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    colour_k: int | None = None
    lens_position: float | None = None

    @property
    def held(self) -> tuple[str, ...]:
        """The names of what is held."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name) is not None)


NOTHING = Locks()


def always(_small: Image) -> bool:
    """Every picture is worth taking."""
    return True


class Device(Protocol):
    """An open camera."""

    @property
    def locks(self) -> Locks:
        """What it holds."""
        ...

    def read(self, worth: Worth = always) -> tuple[Image, float] | None:
        """Wait for the next picture; None when the camera gave none, or it was not worth taking.

        Args:
            worth: is shown the small picture first, where the camera gives one: brightness on the left, the two
                differences of colour one above the other on the right, (height, 1.5 width).
        """
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


def is_same_light(one: Locks, other: Locks) -> bool:
    """Whether two exposures, each with its gain, are for about the same light; unknown ones are taken for it."""
    if one.exposure_us is None or other.exposure_us is None:
        return True
    ratio = (one.exposure_us * (one.gain or 1.0)) / max(other.exposure_us * (other.gain or 1.0), 1e-6)
    return 1 / LIGHT_FACTOR <= ratio <= LIGHT_FACTOR


def without_flicker(exposure_us: int, gain: float) -> tuple[int, float]:
    """An exposure of whole multiples of 10 ms as light as another one; one shorter than that is left as it is."""
    whole_us = exposure_us // FLICKER_US * FLICKER_US
    return (whole_us, gain * exposure_us / whole_us) if whole_us else (exposure_us, gain)


class UsbSocket:
    """Which USB camera is meant: `0` is /dev/video0, `C920` the one with that in its lasting name.

    Linux numbers cameras in the order in which they are plugged in. A camera that was found by its number is
    remembered by its lasting name, and is found by that from then on.
    """

    def __init__(self, wanted: str, folder: Path = BY_ID) -> None:
        self._wanted = wanted
        self._folder = folder
        self._name: str | None = None

    def index(self) -> int:
        """Its number now.

        Raises:
            CameraError: if there is no such camera, or there are several.
        """
        links = self._links()
        if self._name is not None:
            if self._name not in links:
                raise CameraError(f"the camera {self._name} is not plugged in")
            return links[self._name]
        if self._wanted.isascii() and self._wanted.isdigit():
            return int(self._wanted)
        fitting = [name for name in links if self._wanted.lower() in name.lower()]
        if len(fitting) != 1:
            there = ", ".join(links) or "none"
            raise CameraError(f"expected one camera with {self._wanted!r} in its name, found {len(fitting)} of {there}")
        return links[fitting[0]]

    def remember(self, index: int) -> None:
        """The camera at this number is the right one: look for it by its lasting name from now on."""
        self._name = next((name for name, number in self._links().items() if number == index), None)

    def _links(self) -> dict[str, int]:
        """The lasting names of all cameras, and their numbers now."""
        found = {}
        for link in sorted(self._folder.glob("*-index0")):  # the others give no pictures
            number = re.fullmatch(r"video(\d+)", link.resolve().name)
            if number and link.exists():
                found[link.name.removesuffix("-video-index0")] = int(number[1])
        return found


class UsbCamera:
    """A USB camera by its number, as Motion JPEG so that large pictures fit through the cable.

    Its exposure is held as it settled: drivers that know the mains' frequency have chosen it so that lamps do not
    flicker, and how gain makes up for another one is known to the camera alone.
    """

    def __init__(
        self,
        index: int,
        size: tuple[int, int] | None = None,
        clock: Clock = time.monotonic,
        kept: Locks = NOTHING,
        metering_s: float = METERING_S,
    ) -> None:
        self._clock = clock
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", f"{READ_S:.0f}")  # whole seconds; OpenCV waits ten
        # Of its own OpenCV would say twice at each attempt what we say once.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        self._capture = cv2.VideoCapture(index, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"no camera answers as /dev/video{index}")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        settled_s = clock() + metering_s
        while clock() < settled_s and self.read() is not None:
            pass  # exposure, colours and focus settle only while pictures are taken
        self.locks = self._lock(kept)
        log.info(
            "/dev/video%d holds %s", index, ", ".join(self.locks.held) or "nothing: its driver lets nothing be set"
        )

    def _lock(self, kept: Locks) -> Locks:
        """Hold what the driver lets be held, and say what that is."""
        seen = Locks(exposure_us=_whole(self._capture.get(cv2.CAP_PROP_EXPOSURE), EXPOSURE_UNIT_US))
        light = kept if is_same_light(seen, kept) else NOTHING
        wanted = None if light.exposure_us is None else light.exposure_us / EXPOSURE_UNIT_US
        exposure = self._hold(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE, wanted)
        gain = None if exposure is None else self._hold(None, 0, cv2.CAP_PROP_GAIN, light.gain)
        colour = self._hold(cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE, light.colour_k)
        focus = self._hold(cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS, kept.lens_position)
        return Locks(_whole(exposure, EXPOSURE_UNIT_US), gain, None, _whole(colour, 1), focus)

    def _hold(self, automatic: int | None, off: int, value: int, wanted: float | None) -> float | None:
        """Switch an automatic off and hold its value, the wanted one or the one it has; None if the driver does not."""
        now = self._capture.get(value)
        if automatic is not None and not self._capture.set(automatic, off):
            return None
        if not self._capture.set(value, now if wanted is None else wanted):
            return None
        return float(self._capture.get(value))

    def read(self, worth: Worth = always) -> tuple[Image, float] | None:  # noqa: ARG002  # there is no small one
        """Wait for the next picture; None when the camera gave none."""
        try:
            good, image = self._capture.read()
        except cv2.error:  # half a picture that cannot be unpacked
            return None
        if not good or image is None or image.size == 0:
            return None
        return np.asarray(image, np.uint8), self._clock()

    def close(self) -> None:
        """Give the camera back."""
        self._capture.release()


def _whole(value: float | None, unit: int) -> int | None:
    """A driver's number in our unit; what it does not know is 0 or below."""
    return None if value is None or value <= 0 else round(value * unit)


def side_by_side(planes: Image, size: tuple[int, int]) -> Image:
    """The planes of a picture in YUV420 without what fills their rows up, as `Device.read` shows them.

    Args:
        planes: as they lie in memory: rows of brightness, then two rows of a quarter of the colour in each.
        size: width and height of the picture.
    """
    width, height = size
    colours = planes[height : height * 3 // 2].reshape(height, -1)
    return np.hstack([planes[:height, :width], colours[:, : width // 2]])


def picamera_class() -> Any:
    """The class that drives the ribbon camera.

    Raises:
        CameraLibraryError: with the cure, if picamera2 cannot be imported.
    """
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraLibraryError(f"{PICAMERA_CURE} ({error})") from None
    except ValueError as error:  # a numpy that picamera2's own libraries were not built for
        cure = "run 'pip install --upgrade --force-reinstall simplejpeg' in the virtual environment"
        raise CameraLibraryError(f"picamera2 does not fit the installed numpy: {cure} ({error})") from None
    return Picamera2


class PiCamera:
    """The ribbon camera.

    Written after picamera2's manual and tried against a stand-in only: no ribbon camera was at hand.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        kept: Locks = NOTHING,
    ) -> None:
        driver = picamera_class()
        self._clock = clock
        self._size = size or PI_SIZE
        self._small_size = (self._size[0] // SMALLER // 2 * 2, self._size[1] // SMALLER // 2 * 2)
        self._job: Any = None
        frame_us = 1_000_000 // PI_FPS
        try:
            self._camera = driver()
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(f"no ribbon camera answers ({error}); check with 'rpicam-hello --list-cameras'") from None
        try:
            configuration = self._camera.create_video_configuration(
                main={"size": self._size, "format": "RGB888"},  # BGR in memory
                lores={"size": self._small_size, "format": "YUV420"},
                controls={"FrameDurationLimits": (frame_us, frame_us)},
                buffer_count=4,
            )
            self._camera.configure(configuration)
            self._camera.start()
            sleep(METERING_S)  # what is locked earlier than this may be a black picture
            self.locks = self._lock(kept)
        except (RuntimeError, OSError) as error:
            self._camera.close()
            raise CameraError(f"the ribbon camera does not start ({error})") from None
        log.info("the ribbon camera holds %s", ", ".join(self.locks.held))

    def _lock(self, kept: Locks) -> Locks:
        """Hold focus, exposure and white balance where they have settled, or where the profile has them."""
        can_focus = "AfMode" in self._camera.camera_controls
        if can_focus and kept.lens_position is None:
            self._camera.autofocus_cycle()
        settled = self._camera.capture_metadata()
        seen = Locks(settled.get("ExposureTime"), settled.get("AnalogueGain"), settled.get("ColourGains"))
        if kept.exposure_us is not None and kept.gain is not None and is_same_light(seen, kept):
            light = kept
        elif seen.exposure_us is not None and seen.gain is not None:
            exposure_us, gain = without_flicker(seen.exposure_us, seen.gain)
            light = Locks(exposure_us, gain, seen.colour_gains)
        else:
            light = seen
        focus = kept.lens_position if kept.lens_position is not None else settled.get("LensPosition")
        locks = Locks(light.exposure_us, light.gain, light.colour_gains, None, focus if can_focus else None)
        told: dict[str, Any] = {"ExposureTime": locks.exposure_us, "AnalogueGain": locks.gain}
        told |= {"ColourGains": locks.colour_gains, "LensPosition": locks.lens_position}
        told |= {"AfMode": 0} if can_focus else {}  # manual
        held = {key: value for key, value in told.items() if value is not None}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False} | held)
        return locks

    def read(self, worth: Worth = always) -> tuple[Image, float] | None:
        """Wait for the next picture; None when the camera gave none within two seconds, or it was not worth taking."""
        request = None
        try:
            if self._job is None:
                self._job = self._camera.capture_request(wait=False)
            # One that is not done is waited for again: a request that came to nobody would never be given back.
            request = self._camera.wait(self._job, timeout=READ_S)
            self._job = None
            if not worth(side_by_side(request.make_array("lores"), self._small_size)):
                return None
            image = request.make_array("main")
            taken_ns = request.get_metadata().get("SensorTimestamp")
        except TimeoutError:
            return None
        except (RuntimeError, OSError):
            self._job = None
            return None
        finally:
            if request is not None:
                request.release()
        width, height = self._size  # rows may come back longer, filled up to what the memory likes
        picture = np.ascontiguousarray(image[:height, :width, :3], np.uint8)
        now_s = self._clock()
        return picture, now_s if taken_ns is None else min(now_s, taken_ns / 1e9)

    def close(self) -> None:
        """Give the camera back."""
        self._camera.stop()
        self._camera.close()
