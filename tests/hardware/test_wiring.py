"""What is wired where is checked before a pin is touched."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.wiring import Wiring, WiringError


def test_the_usual_wiring_is_a_buzzer_and_a_red_light() -> None:
    assert Wiring().pins == (("buzzer", 17), ("led", 27))


def test_every_pin_that_is_used_is_told_with_its_name() -> None:
    wiring = Wiring(rgb=(5, 6, 13), seats=(23, 24), undo=25)
    assert dict(wiring.pins)["rgb[1]"] == 6
    assert dict(wiring.pins)["seats[1]"] == 24


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"buzzer": 28}, "expected a BCM pin from 0 to 27 for buzzer, got 28"),
        ({"led": 17}, "expected a pin of its own for buzzer, got 17 for led too"),
        ({"seats": (23, 23)}, "expected a pin of its own for seats"),
        ({"seats": (2, 3, 4, 5, 6, 7, 8)}, "expected at most 6 buttons for seats, got 7"),
        (
            {"sounds": ("applause",)},
            "expected sounds out of legal, turn, doubt, round-end, camera-lost, got 'applause'",
        ),
        ({"second": 22, "rgb": (5, 6, 13)}, "expected a second light or a coloured one, got both"),
    ],
)
def test_pins_that_cannot_be_wired_so_are_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(WiringError, match="^" + told.replace("[", r"\[")):
        Wiring(**wrong)
