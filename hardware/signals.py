"""The buzzer and the LED, or their absence: a table without pins plays on in silence."""

from __future__ import annotations

import atexit
import contextlib
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, Protocol

BUZZ_S = 0.35
LONGEST_BUZZ_S = 1.0
QUIET_S = 1.0

OK = "ok"
NO_LIBRARY = "no-gpiozero"
NO_PINS = "no-gpio"
PIN_IN_USE = "pin-in-use"
FAILED = "gpio-failed"


class Signals(Protocol):
    """What the table can do to be heard and seen without a screen."""

    @property
    def status(self) -> str:
        """`ok`, or a stable code that says why nothing will be heard or seen."""
        ...

    def buzz(self) -> None:
        """Say once that an illegal tile has come to rest; returns at once."""
        ...

    def chirp(self) -> None:
        """Say briefly that a tile was accepted, where people have asked for that."""
        ...

    def led(self, on: bool) -> None:
        """Light the LED as long as an illegal tile lies on the table."""
        ...

    def close(self) -> None:
        """Drive both pins low and give them back; may be called twice."""
        ...


class SilentSignals:
    """Signals of a machine without pins; `detail` is what the library said, for the log."""

    def __init__(self, status: str, detail: str = "") -> None:
        self.status = status
        self.detail = detail

    def buzz(self) -> None:
        """Make no sound."""

    def chirp(self) -> None:
        """Make no sound."""

    def led(self, on: bool) -> None:
        """Light nothing."""

    def close(self) -> None:
        """Have nothing to give back."""


class GpioSignals:
    """An active buzzer and an LED on two output pins of gpiozero.

    A buzz is a single pulse of limited length on gpiozero's own thread. A buzz that is asked for while
    the last one sounds, or within `quiet_s` of its start, is dropped and never queued.

    Args:
        buzzer: an output device with `blink`, `off` and `close`.
        lamp: an output device with `on`, `off` and `close`.
        failures: what the devices raise when the hardware fails.
        buzz_s: length of a buzz, at most `LONGEST_BUZZ_S`.
        chirp_s: length of the sound for an accepted tile, 0 for none.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        buzzer: Any,
        lamp: Any,
        *,
        failures: tuple[type[Exception], ...] = (OSError,),
        buzz_s: float = BUZZ_S,
        chirp_s: float = 0.0,
        quiet_s: float = QUIET_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._buzzer = buzzer
        self._lamp = lamp
        self._failures = failures
        self._buzz_s = min(buzz_s, LONGEST_BUZZ_S)
        self._chirp_s = min(chirp_s, LONGEST_BUZZ_S)
        self._quiet_s = max(quiet_s, self._buzz_s)
        self._clock = clock
        self._quiet_until_s = clock()
        self._closed = False
        self.status = OK

    def buzz(self) -> None:
        """Pulse the buzzer once, unless it has just sounded."""
        self._pulse(self._buzz_s, self._quiet_s)

    def chirp(self) -> None:
        """Pulse the buzzer briefly, if it was opened with a chirp; never cuts a buzz short."""
        if self._chirp_s > 0:
            self._pulse(self._chirp_s, self._chirp_s)

    def led(self, on: bool) -> None:
        """Drive the LED's pin high or low."""
        if not self._closed:
            self._try(self._lamp.on if on else self._lamp.off)

    def close(self) -> None:
        """Drive both pins low, wherever a buzz stands, and give them back."""
        if self._closed:
            return
        self._closed = True
        for device in (self._buzzer, self._lamp):
            self._try(device.off)
            self._try(device.close)

    def _pulse(self, length_s: float, quiet_s: float) -> None:
        now_s = self._clock()
        if self._closed or now_s < self._quiet_until_s:
            return
        self._quiet_until_s = now_s + quiet_s
        self._try(lambda: self._buzzer.blink(on_time=length_s, off_time=0, n=1, background=True))

    def _try(self, action: Callable[[], None]) -> None:
        """The table must live when a lamp dies: a failing device changes the status and nothing else."""
        try:
            action()
        except self._failures:
            self.status = FAILED


def open_signals(
    buzzer_pin: int = 17,
    led_pin: int = 27,
    *,
    buzz_s: float = BUZZ_S,
    chirp_s: float = 0.0,
    quiet_s: float = QUIET_S,
    clock: Callable[[], float] = time.monotonic,
) -> Signals:
    """Open buzzer and LED (BCM pin numbers), both low, or say why there are none.

    The pins go low when the program ends: at `close`, at a normal end and, as long as nobody else
    handles it, at SIGTERM. Which pins there are is gpiozero's affair.
    """
    try:
        from gpiozero import BadPinFactory, DigitalOutputDevice, GPIOPinInUse, GPIOZeroError, PinFactoryFallback
    except ImportError as error:
        return SilentSignals(NO_LIBRARY, str(error))
    opened: list[Any] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)
            for pin in (buzzer_pin, led_pin):
                opened.append(DigitalOutputDevice(pin, initial_value=False))  # noqa: PERF401  # those opened so far must be closed when the next one fails
    except GPIOPinInUse as error:
        _close_all(opened)
        return SilentSignals(PIN_IN_USE, str(error))
    except (BadPinFactory, ImportError, OSError, GPIOZeroError) as error:
        _close_all(opened)
        return SilentSignals(NO_PINS, str(error))
    signals = GpioSignals(
        *opened, failures=(OSError, GPIOZeroError), buzz_s=buzz_s, chirp_s=chirp_s, quiet_s=quiet_s, clock=clock
    )
    atexit.register(signals.close)
    _end_normally_at_sigterm()
    return signals


def _close_all(devices: list[Any]) -> None:
    for device in devices:
        device.close()


def _end_normally_at_sigterm() -> None:
    """Python dies of an unhandled SIGTERM without its exit functions, which would leave the buzzer on."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        with contextlib.suppress(ValueError):  # not the main interpreter
            signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
