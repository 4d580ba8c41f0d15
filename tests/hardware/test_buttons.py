"""A press is one press, however its contact chatters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Debounced, open_buttons
from hardware.wiring import Wiring
from tests.pins import Clock, mock_pins

SEATS, UNDO = (23, 24), 25


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """gpiozero's mock pins, forgotten afterwards."""
    with mock_pins() as factory:
        yield factory


def test_five_bounces_in_twenty_milliseconds_are_one_press() -> None:
    presses: list[str] = []
    clock = Clock()
    button = Debounced(lambda: presses.append("press"), clock)
    for _ in range(5):
        button.closed()
        clock.now_s += 0.002
        button.opened()
        clock.now_s += 0.002
    assert presses == ["press"]


def test_the_chatter_of_a_release_is_no_press() -> None:
    presses: list[str] = []
    clock = Clock()
    button = Debounced(lambda: presses.append("press"), clock)
    button.closed()
    clock.now_s += 0.4
    for _ in range(3):
        button.opened()
        clock.now_s += 0.003
        button.closed()
        clock.now_s += 0.003
    assert presses == ["press"]


def test_two_presses_a_fifth_of_a_second_apart_are_two() -> None:
    presses: list[str] = []
    clock = Clock()
    button = Debounced(lambda: presses.append("press"), clock)
    for _ in range(2):
        button.closed()
        clock.now_s += 0.1
        button.opened()
        clock.now_s += 0.1
    assert presses == ["press", "press"]


def test_presses_are_told_once_by_the_name_of_the_button_in_their_order(factory: MockFactory) -> None:
    clock = Clock()
    buttons = open_buttons(Wiring(seats=SEATS, undo=UNDO), clock)
    for pin in (SEATS[1], UNDO, SEATS[0]):
        factory.pin(pin).drive_low()
        clock.now_s += 1
        factory.pin(pin).drive_high()
        clock.now_s += 1
    assert buttons.take() == ("seat 1", "undo", "seat 0")
    assert buttons.take() == ()
    buttons.close()
    open_buttons(Wiring(seats=SEATS, undo=UNDO)).close()  # the pins were given back


def test_without_buttons_nothing_is_ever_pressed() -> None:
    buttons = open_buttons(Wiring())
    assert buttons.take() == ()
    buttons.close()
