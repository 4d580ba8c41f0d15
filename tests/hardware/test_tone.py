"""A passive buzzer sounds in pulses like an active one, and is silent when told to."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.signals import open_signals
from hardware.wiring import Wiring
from tests.pins import mock_pins


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """gpiozero's mock pins that know tones, forgotten afterwards."""
    with mock_pins(MockPWMPin) as factory:
        yield factory


def levels(factory: MockFactory) -> list[float]:
    return [float(state.state) for state in factory.pin(17).states]


def test_a_passive_buzzer_gets_a_tone_and_then_silence(factory: MockFactory) -> None:
    signals = open_signals(Wiring(passive=True))
    signals.buzz()
    end_s = time.monotonic() + 5
    while levels(factory)[-2:] != [0.5, 0.0]:
        assert time.monotonic() < end_s, levels(factory)
        time.sleep(0.005)
    signals.close()


def test_closing_in_the_middle_of_a_tone_silences_it(factory: MockFactory) -> None:
    signals = open_signals(Wiring(passive=True))
    signals.buzz()
    end_s = time.monotonic() + 5
    while 0.5 not in levels(factory):
        assert time.monotonic() < end_s
        time.sleep(0.002)
    signals.close()
    assert levels(factory)[-1] == 0.0
