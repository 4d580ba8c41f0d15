"""Buzzer and LED as histories of gpiozero's mock pins."""

from __future__ import annotations

import builtins
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from hardware import signals as module
from hardware.buttons import open_buttons
from hardware.signals import COLOURS, LONGEST_BUZZ_S, GpioSignals, SilentSignals, open_signals
from hardware.wiring import CAMERA_LOST, DOUBT, EVENTS, LEGAL, ROUND_END, TURN, Wiring
from tests.pins import Clock, mock_pins

BUZZER, LED, OTHER = 17, 27, 22
RED, GREEN, BLUE = 5, 6, 13


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """gpiozero's mock pins, forgotten afterwards."""
    with mock_pins() as factory:
        yield factory


def history(factory: MockFactory, pin: int) -> list[bool]:
    """All levels a pin has had, in order."""
    return [bool(state.state) for state in factory.pin(pin).states]


def wait_until(true: Callable[[], bool], within_s: float = 5.0) -> None:
    """Let gpiozero's own thread get on with it, for a limited time."""
    end_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end_s, "waited in vain"
        time.sleep(0.002)


def test_an_illegal_tile_buzzes_once_and_the_led_stays_lit_until_it_is_gone(factory: MockFactory) -> None:
    signals = open_signals()
    assert signals.status == "ok"
    signals.buzz()
    signals.led(True)
    wait_until(lambda: history(factory, BUZZER) == [False, True, False])
    assert history(factory, LED) == [False, True]
    signals.led(True)
    signals.led(False)
    assert history(factory, LED) == [False, True, False]
    assert history(factory, BUZZER) == [False, True, False]
    signals.close()


def test_ten_buzzes_within_a_second_are_one_and_never_queue(factory: MockFactory) -> None:
    clock = Clock()
    signals = open_signals(quiet_s=1.0, clock=clock)
    for _ in range(10):
        signals.buzz()
        clock.now_s += 0.09
    wait_until(lambda: history(factory, BUZZER) == [False, True, False])
    clock.now_s += 0.2
    signals.buzz()
    wait_until(lambda: history(factory, BUZZER) == [False, True, False, True, False])
    signals.close()


def test_a_buzz_does_not_wait_for_its_end(factory: MockFactory) -> None:
    signals = open_signals()
    signals.buzz()
    wait_until(lambda: history(factory, BUZZER) == [False, True])
    signals.close()
    assert history(factory, BUZZER)[-1] is False


def test_no_sound_is_longer_than_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    pulses: list[float] = []

    class Device:
        def blink(self, on_time: float, off_time: float, n: int, background: bool) -> None:
            assert background
            pulses.append(n * (on_time + off_time))

    clock = Clock()
    signals = GpioSignals(Device(), None, sounds=EVENTS, clock=clock)
    for event in EVENTS:
        clock.now_s += 10
        signals.tell(event)
    clock.now_s += 10
    monkeypatch.setitem(module.BUZZES, "illegal", (60.0, 0.0, 1))
    signals.buzz()
    assert len(pulses) == len(EVENTS) + 1
    assert max(pulses) <= LONGEST_BUZZ_S


def test_only_an_illegal_tile_sounds_unless_people_have_asked_for_more(factory: MockFactory) -> None:
    quiet = open_signals()
    for event in EVENTS:
        quiet.tell(event)
    assert history(factory, BUZZER) == [False]
    quiet.close()
    asked = open_signals(Wiring(sounds=(LEGAL,)))
    asked.tell(TURN)
    asked.tell(LEGAL)
    wait_until(lambda: history(factory, BUZZER) == [False, True, False])
    asked.close()


def test_a_sound_never_cuts_a_buzz_short(factory: MockFactory) -> None:
    clock = Clock()
    signals = open_signals(Wiring(sounds=(LEGAL,)), clock=clock)
    signals.buzz()
    signals.tell(LEGAL)
    wait_until(lambda: history(factory, BUZZER) == [False, True, False])
    clock.now_s += 5
    signals.tell(LEGAL)
    wait_until(lambda: history(factory, BUZZER) == [False, True, False, True, False])
    signals.close()


def test_the_red_light_means_dispute_and_nothing_else(factory: MockFactory) -> None:
    signals = open_signals(Wiring(rgb=(RED, GREEN, BLUE), sounds=EVENTS))
    for event in EVENTS:
        signals.tell(event)
    for state in (DOUBT, CAMERA_LOST, ""):
        signals.lasts(state)
    assert history(factory, LED) == [False]
    assert all(colour != (1.0, 0.0, 0.0) for colour in COLOURS.values())
    signals.close()


def test_the_other_light_blinks_as_long_as_a_doubt_lasts_and_no_flash_hides_it(factory: MockFactory) -> None:
    signals = open_signals(Wiring(second=OTHER))
    signals.lasts(DOUBT)
    wait_until(lambda: history(factory, OTHER) == [False, True])
    signals.tell(LEGAL)
    signals.lasts(DOUBT)
    assert history(factory, OTHER) == [False, True]
    signals.lasts("")
    assert history(factory, OTHER)[-1] is False
    signals.tell(LEGAL)
    wait_until(lambda: history(factory, OTHER)[-2:] == [True, False])
    signals.close()


def test_a_coloured_light_is_green_for_a_legal_tile_and_blue_without_a_camera(factory: MockFactory) -> None:
    signals = open_signals(Wiring(rgb=(RED, GREEN, BLUE)))
    signals.tell(LEGAL)
    wait_until(lambda: history(factory, GREEN)[-2:] == [True, False])
    assert True not in history(factory, RED) + history(factory, BLUE)
    signals.lasts(CAMERA_LOST)
    wait_until(lambda: True in history(factory, BLUE))
    assert True not in history(factory, RED)
    signals.close()
    assert not any(factory.pin(pin).state for pin in (RED, GREEN, BLUE))


def test_a_round_that_ends_flashes(factory: MockFactory) -> None:
    signals = open_signals(Wiring(second=OTHER))
    signals.tell(ROUND_END)
    wait_until(lambda: history(factory, OTHER).count(True) == 4)
    signals.close()


def test_close_leaves_both_pins_low_in_the_middle_of_a_buzz_and_may_be_repeated(factory: MockFactory) -> None:
    signals = open_signals()
    signals.buzz()
    signals.led(True)
    wait_until(lambda: history(factory, BUZZER) == [False, True])
    signals.close()
    signals.close()
    signals.buzz()
    signals.led(True)
    assert not factory.pin(BUZZER).state
    assert not factory.pin(LED).state
    open_signals().close()  # the pins were given back


def test_a_machine_without_pins_says_so_and_raises_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> None:
        warnings.warn(gpiozero.PinFactoryFallback("tried in vain"), stacklevel=1)
        raise gpiozero.BadPinFactory("no pins here")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(nothing))
    signals = open_signals()
    assert isinstance(signals, SilentSignals)
    assert signals.status == "no-gpio"
    assert "no pins here" in signals.detail
    signals.buzz()
    signals.tell(LEGAL)
    signals.lasts(DOUBT)
    signals.led(True)
    signals.close()


def test_a_pin_that_is_in_use_is_named_and_the_other_one_given_back(factory: MockFactory) -> None:
    other = gpiozero.LED(LED)
    signals = open_signals()
    assert signals.status == "pin-in-use"
    other.close()
    again = open_signals()
    assert again.status == "ok"
    again.close()


def test_without_the_library_the_table_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def no_gpiozero(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "gpiozero":
            raise ImportError("no module named gpiozero")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_gpiozero)
    assert open_signals().status == "no-gpiozero"


def test_a_lamp_that_fails_changes_the_status_and_nothing_else() -> None:
    class Broken:
        def on(self) -> None:
            raise OSError("input/output error")

    signals = GpioSignals(None, Broken())
    signals.led(True)
    assert signals.status == "gpio-failed"


def test_sigterm_in_the_middle_of_a_buzz_leaves_both_pins_low() -> None:
    program = textwrap.dedent(
        f"""
        import atexit, time
        from gpiozero import Device
        def last_words():
            for pin in ({BUZZER}, {LED}):
                print(int(Device.pin_factory.pin(pin).state), flush=True)
        atexit.register(last_words)
        from hardware.signals import open_signals
        signals = open_signals()
        signals.buzz()
        signals.led(True)
        while not Device.pin_factory.pin({BUZZER}).state:
            time.sleep(0.001)
        print("high", flush=True)
        time.sleep(30)
        """
    )
    environment = {**os.environ, "GPIOZERO_PIN_FACTORY": "mock"}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "high\n"
        child.send_signal(signal.SIGTERM)
        rest, _ = child.communicate(timeout=20)
    assert rest.split() == ["0", "0"]
    assert child.returncode == 128 + signal.SIGTERM


def test_pins_that_another_process_holds_or_that_fail_are_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio, below gpiozero, raises errors of a kind of its own."""

    class LgpioError(Exception):
        pass

    library = ModuleType("lgpio")
    library.error = LgpioError  # type: ignore[attr-defined]  # a stand-in for the real one

    class Busy:
        def __init__(self, *_arguments: Any, **_more: Any) -> None:
            raise LgpioError("GPIO busy")

    class Broken:
        def on(self) -> None:
            raise LgpioError("bad handle")

    monkeypatch.setitem(sys.modules, "lgpio", library)
    monkeypatch.setattr(gpiozero, "DigitalOutputDevice", Busy)
    monkeypatch.setattr(gpiozero, "Button", Busy)
    assert open_signals().status == "no-gpio"
    assert open_buttons(Wiring(undo=25)).take() == ()
    signals = GpioSignals(None, Broken(), failures=module.failures())
    signals.led(True)
    assert signals.status == "gpio-failed"
