"""gpiozero's mock pins, and a clock that stands still until it is told to move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@contextmanager
def mock_pins(pin_class: type[MockPin] = MockPin) -> Iterator[MockFactory]:
    """Pins that remember their levels; what was there before comes back afterwards."""
    before = Device.pin_factory
    factory = Device.pin_factory = MockFactory(pin_class=pin_class)
    try:
        yield factory
    finally:
        factory.reset()
        Device.pin_factory = before
