"""Live cameras: a thread that keeps the newest picture, notices silence, and opens the device again.

A driver can hang for good, when its camera is pulled out at the wrong moment: the thread that waits for it is left
behind then and another one opens the camera anew.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from hardware.camera import (
    NOTHING,
    CameraError,
    CameraLibraryError,
    Device,
    Locks,
    PiCamera,
    UsbCamera,
    UsbSocket,
    picamera_class,
)
from referee.sighting import CameraStatus
from vision.frames import SYNTAX, Frame, Image, SourceError
from vision.thrift import Thrift

SILENCE_S = 5.0
HUNG_S = 20.0  # longer than opening a camera takes: two seconds of metering, a few for focus
LATE_S = 0.5
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
REPEAT_S = 1.0
TOLD_AGAIN_S = 600.0  # the same trouble is logged once in this time, however often it comes
MOST_TOLD = 5  # different ones in this time: a driver may word its trouble anew each time
BLANK_SIZE = (640, 480)

log = logging.getLogger(__name__)


def open_camera(
    spec: str, size: tuple[int, int] | None = None, kept: Locks = NOTHING, is_thrifty: bool = False
) -> LiveSource:
    """Open `pi`, `usb:N` or `usb:NAME`, part of a camera's lasting name, and begin to read it.

    Args:
        size: of its pictures.
        kept: what a profile says that it held.
        is_thrifty: leave out pictures that show what the last one did, where the camera lets that be told cheaply.

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
        opener = partial(PiCamera, size, kept=kept)
    elif scheme == "usb" and rest:
        opener = partial(_open_usb, UsbSocket(rest), size, kept)
    else:
        raise SourceError(f"expected a source such as {SYNTAX}, got {spec!r}")
    source = LiveSource(opener, size, is_thrifty=is_thrifty)
    source.start()
    return source


def _open_usb(socket: UsbSocket, size: tuple[int, int] | None, kept: Locks) -> UsbCamera:
    index = socket.index()
    camera = UsbCamera(index, size, kept=kept)
    socket.remember(index)
    return camera


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
        is_thrifty: bool = False,
    ) -> None:
        self._opener = opener
        self._thrift = Thrift() if is_thrifty else None
        self._small: Image | None = None
        self._is_spared = False  # the newest picture was left out
        self._size = size
        self._repeat_s = repeat_s
        self._clock = clock
        self._device: Device | None = None
        self._life = 0  # goes up when a thread that hangs is left behind
        self._busy_from_s: float | None = None
        self._failures = 0
        self._told_s: dict[str, float] = {}
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

    @property
    def locks(self) -> Locks:
        """What the camera holds."""
        device = self._device
        return NOTHING if device is None else device.locks

    def start(self) -> None:
        """Begin to read the camera in a thread of its own."""
        self._thread = threading.Thread(target=self._run, args=(self._life,), name="camera", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The newest frame, waiting up to a second for one that was not given yet; None once closed.

        Number 0 is a black picture that stands for a camera from which none has come so far.
        """
        self._leave_what_hangs()
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

    def _run(self, life: int) -> None:
        while life == self._life and not self._closed.is_set():
            self._closed.wait(self.step(life))
        if life == self._life:
            self._drop()

    def step(self, life: int = 0) -> float:
        """Open the device or take one picture; return how many seconds to wait before the next step.

        Args:
            life: that of the thread; what it comes back with from a camera that hung is thrown away.
        """
        now = self._clock()
        device = self._device
        if device is None:
            return self._open(life) if now >= self._open_at_s else self._open_at_s - now
        self._busy_from_s = now
        self._is_spared = False
        taken = device.read() if self._thrift is None else device.read(partial(self._worth, life, self._thrift))
        if life != self._life:
            device.close()
            return 0.0
        self._busy_from_s = None
        if self._is_spared or (taken is not None and self._fits(taken[0])):
            if taken is not None:
                self._keep(*taken)
            if self._clock() - max(self._changed_s, self._open_at_s) > SILENCE_S:
                self._retry("gives one and the same picture")
            return 0.0
        if self._clock() - max(self._alive_s, self._open_at_s) > SILENCE_S:
            self._retry("gives no picture" if taken is None else f"gives pictures of a wrong size {taken[0].shape}")
        return 0.05

    def _worth(self, life: int, thrift: Thrift, small: Image) -> bool:
        """Whether a picture is to be taken; one that is left out shows all the same that the camera lives."""
        if life != self._life:
            return False
        now = self._clock()
        before, self._small = self._small, small
        self._is_spared = not thrift.worth(small, now)
        if self._is_spared:
            self._alive_s = now
            if before is None or not _same(small, before):
                self._changed_s = now
        return not self._is_spared

    def _leave_what_hangs(self) -> None:
        """Leave a thread behind whose camera does not come back to it, and begin with another one."""
        busy_from_s = self._busy_from_s
        if self._thread is None or busy_from_s is None or self._clock() - busy_from_s < HUNG_S:
            return
        self._life += 1
        self._device = self._busy_from_s = None  # the thread that was left closes it, if it ever can
        self._retry("hangs")
        self.start()

    def _fits(self, image: Image) -> bool:
        """False for a picture that a profile of another size would measure wrongly."""
        return image.size > 0 and (self._size is None or self._size == (image.shape[1], image.shape[0]))

    def _open(self, life: int) -> float:
        self._busy_from_s = self._clock()
        device, trouble = None, ""
        try:
            device = self._opener()
        except CameraError as error:
            trouble = str(error)
        if life != self._life:
            if device is not None:
                device.close()
            return 0.0
        self._busy_from_s = None
        if device is None:
            self._retry(trouble)
        else:
            self._device = device
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
        now = self._clock()
        self._told_s = {told: at_s for told, at_s in self._told_s.items() if now - at_s < TOLD_AGAIN_S}
        if trouble not in self._told_s and len(self._told_s) < MOST_TOLD:
            self._told_s[trouble] = now
            log.warning("camera %s; opening it again in %g s", trouble, pause)
        self._drop()
        self._open_at_s = now + pause

    def _drop(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None


def _same(image: Image, other: Image) -> bool:
    """True when two pictures agree in every byte; a few rows tell most pictures apart."""
    if image.shape != other.shape:
        return False
    return bool(np.array_equal(image[::64], other[::64]) and np.array_equal(image, other))
