"""Live cameras: a thread that keeps the newest picture, notices silence, and opens the device again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import numpy as np

from hardware.camera import CameraError, CameraLibraryError, Device, PiCamera, UsbCamera, picamera_class
from referee.sighting import CameraStatus
from vision.frames import SYNTAX, Frame, Image, SourceError

SILENCE_S = 5.0
LATE_S = 0.5
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
REPEAT_S = 1.0
BLANK_SIZE = (640, 480)

log = logging.getLogger(__name__)


def open_camera(spec: str, size: tuple[int, int] | None = None) -> LiveSource:
    """Open `pi` or `usb:N` and begin to read it.

    Raises:
        SourceError: if the name is wrong, or what drives the camera is not installed.
    """
    scheme, _, rest = spec.partition(":")
    opener: Callable[[], Device]
    if spec == "pi":
        try:
            picamera_class()
        except CameraLibraryError as error:
            raise SourceError(f"expected picamera2 to be installed for the source 'pi': {error}") from None
        opener = lambda: PiCamera(size)  # noqa: E731  # both openers read best side by side
    elif scheme == "usb" and rest.isascii() and rest.isdigit():
        opener = lambda: UsbCamera(int(rest), size)  # noqa: E731
    else:
        raise SourceError(f"expected a source such as {SYNTAX}, got {spec!r}")
    source = LiveSource(opener, size)
    source.start()
    return source


class LiveSource:
    """A camera's newest frame, whatever becomes of the camera.

    `step` is one breath of the capture thread: open the device when it is closed and its pause is over,
    else take one picture. `start` runs it in a thread; a test may call it by hand instead.
    """

    def __init__(
        self,
        opener: Callable[[], Device],
        size: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
        repeat_s: float = REPEAT_S,
    ) -> None:
        self._opener = opener
        self._size = size
        self._repeat_s = repeat_s
        self._clock = clock
        self._device: Device | None = None
        self._failures = 0
        self._open_at_s = clock()
        self._alive_s = clock()
        self._changed_s = clock()
        width, height = size or BLANK_SIZE
        blank = np.zeros((height, width, 3), np.uint8)
        blank.flags.writeable = False
        self._newest = Frame(blank, clock(), 0)
        self._is_late = False
        self._given = 0
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def status(self) -> CameraStatus:
        """`lost` after five seconds without a picture, `frozen` after five with one and the same, `late` while they
        come half a second after they were taken, else `ok`."""
        now = self._clock()
        if now - self._alive_s > SILENCE_S or self._newest.number == 0:
            return CameraStatus.LOST
        if now - self._changed_s > SILENCE_S:
            return CameraStatus.FROZEN
        return CameraStatus.LATE if self._is_late else CameraStatus.OK

    def start(self) -> None:
        """Begin to read the camera in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The newest frame, waiting up to a second for one that was not given yet; None once closed.

        Number 0 is a black picture that stands for a camera from which none has come so far.
        """
        with self._news:
            self._news.wait_for(lambda: self._newest.number != self._given or self._closed.is_set(), self._repeat_s)
            self._given = self._newest.number
            return None if self._closed.is_set() else self._newest

    def close(self) -> None:
        """Stop the thread and give the device back; a device that hangs is left to its thread."""
        self._closed.set()
        with self._news:
            self._news.notify_all()
        if self._thread is None:
            self._drop()
        else:
            self._thread.join(REPEAT_S)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._closed.wait(self.step())
        self._drop()

    def step(self) -> float:
        """Open the device or take one picture; return how many seconds to wait before the next step."""
        now = self._clock()
        if self._device is None:
            return self._open() if now >= self._open_at_s else self._open_at_s - now
        taken = self._device.read()
        if taken is not None and self._fits(taken[0]):
            self._keep(*taken)
            if self._clock() - max(self._changed_s, self._open_at_s) > SILENCE_S:
                self._retry("gives one and the same picture")
            return 0.0
        if self._clock() - max(self._alive_s, self._open_at_s) > SILENCE_S:
            self._retry("gives no picture" if taken is None else f"gives pictures of a wrong size {taken[0].shape}")
        return 0.05

    def _fits(self, image: Image) -> bool:
        """False for a picture that a profile of another size would measure wrongly."""
        return image.size > 0 and (self._size is None or self._size == (image.shape[1], image.shape[0]))

    def _open(self) -> float:
        try:
            self._device = self._opener()
        except CameraError as error:
            self._retry(str(error))
        else:
            self._open_at_s = self._clock()
        return 0.0

    def _keep(self, image: Image, time_s: float) -> None:
        now = self._clock()
        same = self._newest.number > 0 and _same(image, self._newest.image)
        image.flags.writeable = False
        with self._news:
            self._alive_s = now
            self._is_late = now - time_s > LATE_S
            if not same:
                self._changed_s = now
                self._failures = 0
            self._newest = Frame(image, time_s, self._newest.number + 1)
            self._news.notify_all()

    def _retry(self, trouble: str) -> None:
        """Close the device and set when to open it again: later each time, until a picture comes."""
        pause = PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1
        log.warning("camera %s; opening it again in %g s", trouble, pause)
        self._drop()
        self._open_at_s = self._clock() + pause

    def _drop(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None


def _same(image: Image, other: Image) -> bool:
    """True when two pictures agree in every byte; a few rows tell most pictures apart."""
    if image.shape != other.shape:
        return False
    return bool(np.array_equal(image[::64], other[::64]) and np.array_equal(image, other))
