"""Cameras: USB through Video4Linux, the ribbon camera through picamera2.

A device gives `(image, time_s)` pairs, BGR and monotonic seconds, or None when it had nothing to give.
Losing a device is the caller's to notice and to cure by opening it again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Clock = Callable[[], float]

PI_SIZE = (2304, 1296)
PI_FPS = 15
METERING_S = 2.0

PICAMERA_CURE = (
    "picamera2 comes with the system, not with our packages: run 'sudo apt install python3-picamera2' "
    "and make the virtual environment with 'python3 -m venv --system-site-packages'"
)


class CameraError(OSError):
    """A camera that cannot be opened now."""


class CameraLibraryError(CameraError):
    """What drives the camera is not installed; trying again will not help."""


class Device(Protocol):
    """An open camera."""

    def read(self) -> tuple[Image, float] | None:
        """Wait for the next picture; None when the camera gave none."""
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


class UsbCamera:
    """A USB camera by its number, as Motion JPEG so that large pictures fit through the cable."""

    def __init__(self, index: int, size: tuple[int, int] | None = None, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._capture = cv2.VideoCapture(index, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"no camera answers as /dev/video{index}")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> tuple[Image, float] | None:
        """Wait for the next picture; None when the camera gave none."""
        good, image = self._capture.read()
        if not good or image is None or image.size == 0:
            return None
        return np.asarray(image, np.uint8), self._clock()

    def close(self) -> None:
        """Give the camera back."""
        self._capture.release()


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
    """The ribbon camera, its exposure, colours and focus locked after two seconds on the empty table.

    Written after picamera2's manual and tried against a stand-in only: no ribbon camera was at hand.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        driver = picamera_class()
        self._clock = clock
        frame_us = 1_000_000 // PI_FPS
        try:
            self._camera = driver()
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(f"no ribbon camera answers ({error}); check with 'rpicam-hello --list-cameras'") from None
        try:
            configuration = self._camera.create_video_configuration(
                main={"size": size or PI_SIZE, "format": "RGB888"},  # BGR in memory
                controls={"FrameDurationLimits": (frame_us, frame_us)},
                buffer_count=4,
            )
            self._camera.configure(configuration)
            self._camera.start()
            sleep(METERING_S)
            self._lock()
        except (RuntimeError, OSError) as error:
            self._camera.close()
            raise CameraError(f"the ribbon camera does not start ({error})") from None

    def _lock(self) -> None:
        """Hold focus, exposure and white balance where they have settled."""
        if "AfMode" in self._camera.camera_controls:
            self._camera.autofocus_cycle()
        settled = self._camera.capture_metadata()
        locked = {key: settled[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains") if key in settled}
        if "AfMode" in self._camera.camera_controls and "LensPosition" in settled:
            locked |= {"AfMode": 0, "LensPosition": settled["LensPosition"]}  # 0 is manual
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False} | locked)

    def read(self) -> tuple[Image, float] | None:
        """Wait for the next picture; None when the camera gave none."""
        try:
            image = self._camera.capture_array("main")
        except (RuntimeError, OSError, TimeoutError):
            return None
        return None if image is None else (np.ascontiguousarray(image[..., :3], np.uint8), self._clock())

    def close(self) -> None:
        """Give the camera back."""
        self._camera.stop()
        self._camera.close()
