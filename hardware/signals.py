"""The buzzer and the lights, or their absence: a table without pins plays on in silence."""

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

from hardware.tone import Tone
from hardware.wiring import CAMERA_LOST, DOUBT, LEGAL, ROUND_END, TURN, Wiring

ILLEGAL = "illegal"
LONGEST_BUZZ_S = 1.0
QUIET_S = 1.0

OK = "ok"
NO_LIBRARY = "no-gpiozero"
NO_PINS = "no-gpio"
PIN_IN_USE = "pin-in-use"
FAILED = "gpio-failed"

Pulses = tuple[float, float, int]  # seconds on, seconds off, how often
BUZZES: dict[str, Pulses] = {
    ILLEGAL: (0.35, 0.0, 1),
    LEGAL: (0.05, 0.0, 1),
    TURN: (0.04, 0.06, 2),
    DOUBT: (0.08, 0.08, 3),
    ROUND_END: (0.12, 0.08, 4),
    CAMERA_LOST: (0.20, 0.15, 2),
}
FLASHES: dict[str, Pulses] = {LEGAL: (0.3, 0.0, 1), TURN: (0.12, 0.12, 2), ROUND_END: (0.25, 0.15, 4)}
BLINKS: dict[str, tuple[float, float]] = {DOUBT: (0.6, 0.6), CAMERA_LOST: (0.15, 0.15)}  # as long as it lasts
Colour = tuple[float, float, float]
COLOURS: dict[str, Colour] = {  # never red: that is the light of a dispute
    LEGAL: (0.0, 1.0, 0.0),
    TURN: (1.0, 1.0, 1.0),
    ROUND_END: (0.0, 1.0, 1.0),
    DOUBT: (1.0, 1.0, 0.0),
    CAMERA_LOST: (0.0, 0.0, 1.0),
}


class Signals(Protocol):
    """What the table can do to be heard and seen without a screen; everything returns at once."""

    @property
    def status(self) -> str:
        """`ok`, or a stable code that says why nothing will be heard or seen."""
        ...

    def buzz(self) -> None:
        """Say once that an illegal tile has come to rest."""
        ...

    def led(self, on: bool) -> None:
        """Light the red LED as long as an illegal tile lies on the table."""
        ...

    def tell(self, event: str) -> None:
        """Show that something has happened (`wiring.EVENTS`), and sound it where people have asked for that."""
        ...

    def lasts(self, state: str) -> None:
        """Show on the other light what lasts: `doubt`, `camera-lost`, or "" for nothing."""
        ...

    def close(self) -> None:
        """Drive all pins low and give them back; may be called twice."""
        ...


class SilentSignals:
    """Signals of a machine without pins; `detail` is what the library said, for the log."""

    def __init__(self, status: str, detail: str = "") -> None:
        self.status = status
        self.detail = detail

    def buzz(self) -> None:
        """Make no sound."""

    def led(self, on: bool) -> None:
        """Light nothing."""

    def tell(self, event: str) -> None:
        """Show nothing."""

    def lasts(self, state: str) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Have nothing to give back."""


class GpioSignals:
    """A buzzer, the red LED and another light on gpiozero's output devices.

    Sounds are pulses of limited length on gpiozero's own threads. A sound that is asked for while the last one sounds,
    or a buzz within `quiet_s` of the start of the last, is dropped and never queued.

    Args:
        buzzer: an output device with `blink`, `off` and `close`, None for none.
        lamp: an output device with `on`, `off` and `close`, None for none.
        other: a light with `blink`, `off` and `close`; None for none. A `coloured` one takes `on_color`.
        failures: what the devices raise when the hardware fails.
        sounds: the events that sound besides an illegal tile.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        buzzer: Any | None,
        lamp: Any | None,
        other: Any | None = None,
        *,
        coloured: bool = False,
        failures: tuple[type[Exception], ...] = (OSError,),
        sounds: tuple[str, ...] = (),
        quiet_s: float = QUIET_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._buzzer, self._lamp, self._other = buzzer, lamp, other
        self._coloured = coloured
        self._failures = failures
        self._sounds = sounds
        self._quiet_s = quiet_s
        self._clock = clock
        self._quiet_until_s = clock()
        self._lasting = ""
        self._closed = False
        self.status = OK

    def buzz(self) -> None:
        """Pulse the buzzer once, unless it has just sounded."""
        self._sound(ILLEGAL, self._quiet_s)

    def led(self, on: bool) -> None:
        """Drive the LED's pin high or low."""
        if not self._closed and self._lamp is not None:
            self._try(self._lamp.on if on else self._lamp.off)

    def tell(self, event: str) -> None:
        """Flash the other light unless it shows something that lasts, and sound if that was asked for."""
        if event in self._sounds:
            self._sound(event, 0.0)
        if event in FLASHES and not self._lasting:
            on_s, off_s, times = FLASHES[event]
            self._blink(event, on_s, off_s, times)

    def lasts(self, state: str) -> None:
        """Blink the other light as long as a state lasts."""
        if state == self._lasting:
            return
        self._lasting = state
        if state in BLINKS:
            self._blink(state, *BLINKS[state], None)
        elif self._other is not None and not self._closed:
            self._try(self._other.off)

    def close(self) -> None:
        """Drive all pins low, wherever a sound stands, and give them back."""
        if self._closed:
            return
        self._closed = True
        for device in (self._buzzer, self._lamp, self._other):
            if device is not None:
                self._try(device.off)
                self._try(device.close)

    def _sound(self, event: str, quiet_s: float) -> None:
        now_s = self._clock()
        if self._closed or self._buzzer is None or now_s < self._quiet_until_s:
            return
        on_s, off_s, times = BUZZES[event]
        length_s = min(times * (on_s + off_s), LONGEST_BUZZ_S)
        self._quiet_until_s = now_s + max(quiet_s, length_s)
        buzzer = self._buzzer
        self._try(lambda: buzzer.blink(on_time=min(on_s, LONGEST_BUZZ_S), off_time=off_s, n=times, background=True))

    def _blink(self, what: str, on_s: float, off_s: float, times: int | None) -> None:
        if self._other is None or self._closed:
            return
        light, colour = self._other, {"on_color": COLOURS[what]} if self._coloured else {}
        self._try(lambda: light.blink(on_time=on_s, off_time=off_s, n=times, background=True, **colour))

    def _try(self, action: Callable[[], None]) -> None:
        """The table must live when a lamp dies: a failing device changes the status and nothing else."""
        try:
            action()
        except self._failures:
            self.status = FAILED


def open_signals(
    wiring: Wiring | None = None, *, quiet_s: float = QUIET_S, clock: Callable[[], float] = time.monotonic
) -> Signals:
    """Open what is wired, all of it low, or say why there is nothing.

    The pins go low when the program ends: at `close`, at a normal end and, as long as nobody else handles it, at
    SIGTERM; after a kill they go low when it starts again. Which pins there are is gpiozero's affair.
    """
    wiring = wiring or Wiring()
    try:
        from gpiozero import BadPinFactory, GPIOPinInUse, PinFactoryFallback
    except ImportError as error:
        return SilentSignals(NO_LIBRARY, str(error))
    opened: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)
            _open_devices(wiring, opened)
    except GPIOPinInUse as error:
        _close_all(opened)
        return SilentSignals(PIN_IN_USE, str(error))
    except (BadPinFactory, ImportError, *failures()) as error:
        _close_all(opened)
        return SilentSignals(NO_PINS, str(error))
    signals = GpioSignals(
        opened.get("buzzer"),
        opened.get("led"),
        opened.get("rgb") or opened.get("second"),
        coloured="rgb" in opened,
        failures=failures(),
        sounds=wiring.sounds,
        quiet_s=quiet_s,
        clock=clock,
    )
    atexit.register(signals.close)
    _end_normally_at_sigterm()
    return signals


def failures() -> tuple[type[Exception], ...]:
    """What pins fail with: gpiozero's errors, and those of lgpio below it, which are of no common kind."""
    from gpiozero import GPIOZeroError

    try:
        import lgpio
    except ImportError:
        return (OSError, GPIOZeroError)
    return (OSError, GPIOZeroError, lgpio.error)


def _open_devices(wiring: Wiring, opened: dict[str, Any]) -> None:
    """Open each device into `opened`, so that those that did open can be closed when a later one fails."""
    from gpiozero import RGBLED, DigitalOutputDevice, TonalBuzzer

    if wiring.buzzer is not None:
        opened["buzzer"] = Tone(TonalBuzzer(wiring.buzzer)) if wiring.passive else DigitalOutputDevice(wiring.buzzer)
    if wiring.led is not None:
        opened["led"] = DigitalOutputDevice(wiring.led)
    if wiring.second is not None:
        opened["second"] = DigitalOutputDevice(wiring.second)
    if wiring.rgb is not None:
        opened["rgb"] = RGBLED(*wiring.rgb, pwm=False)


def _close_all(devices: dict[str, Any]) -> None:
    for device in devices.values():
        device.close()


def _end_normally_at_sigterm() -> None:
    """Python dies of an unhandled SIGTERM without its exit functions, which would leave the buzzer on."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        with contextlib.suppress(ValueError):  # not the main interpreter
            signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
