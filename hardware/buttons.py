"""Buttons of seats and a common one for undo: what was pressed since somebody last asked."""

from __future__ import annotations

import queue
import time
import warnings
from collections.abc import Callable
from typing import Any

from hardware.signals import failures
from hardware.wiring import Wiring

UNDO = "undo"
BOUNCE_S = 0.05  # contacts chatter for some milliseconds after every press and release


class Debounced:
    """Counts presses of one button: what comes within `BOUNCE_S` of any change of its contact is chatter.

    Args:
        press: called for each press that counts.
        clock: monotonic seconds.
    """

    def __init__(self, press: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._press = press
        self._clock = clock
        self._changed_s = float("-inf")

    def closed(self) -> None:
        """The contact has closed."""
        if self._chatters():
            return
        self._press()

    def opened(self) -> None:
        """The contact has opened."""
        self._chatters()

    def _chatters(self) -> bool:
        now_s = self._clock()
        before_s, self._changed_s = self._changed_s, now_s
        return now_s - before_s < BOUNCE_S


class Buttons:
    """Opened buttons; each press is told once, by `seat 0`, `seat 1` … or `undo`, in the order of pressing.

    gpiozero calls from threads of its own, so presses wait in a queue until the table asks.
    """

    def __init__(self, devices: dict[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        self._pressed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._devices = devices
        for name, device in devices.items():
            button = Debounced(lambda name=name: self._pressed.put(name), clock)  # type: ignore[misc]  # mypy cannot tell the type of a lambda with a default
            device.when_pressed, device.when_released = button.closed, button.opened

    def take(self) -> tuple[str, ...]:
        """What was pressed since the last time."""
        found: list[str] = []
        while not self._pressed.empty():
            found.append(self._pressed.get())
        return tuple(found)

    def close(self) -> None:
        """Give the pins back; may be called twice."""
        for device in self._devices.values():
            device.when_pressed = device.when_released = None
            device.close()
        self._devices = {}


def open_buttons(wiring: Wiring, clock: Callable[[], float] = time.monotonic) -> Buttons:
    """Open the buttons that are wired, each between its pin and ground; none where there are no pins."""
    wanted = {f"seat {number}": pin for number, pin in enumerate(wiring.seats)}
    if wiring.undo is not None:
        wanted[UNDO] = wiring.undo
    if not wanted:
        return Buttons({}, clock)
    try:
        from gpiozero import BadPinFactory, Button, PinFactoryFallback
    except ImportError:
        return Buttons({}, clock)
    opened: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)
            for name, pin in wanted.items():
                opened[name] = Button(pin, pull_up=True)
    except (BadPinFactory, ImportError, *failures()):
        for device in opened.values():
            device.close()
        return Buttons({}, clock)
    return Buttons(opened, clock)
