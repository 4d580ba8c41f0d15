"""Each new view is shown and sounded once, and a press of a button is an order like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import open_buttons
from hardware.signals import open_signals
from hardware.wiring import Wiring
from referee.journal import Journal
from referee.pins import Pins
from referee.table import Table
from referee.umpire import Match
from referee.wire import Answer, Option, Order, Question, Ruled, View
from tests.pins import mock_pins

PLAY = View(epoch="e", seq=5, phase="play", turn=0, actions=("draws", "passes", "undo"))
LAID = Ruled(7, 0, "A lays 1-2-3", "ok-placed", True)
QUESTION = Question("q1", "which-tile", (Option("answer q1 0", "tile"),))


class Signals:
    """Remembers what it was told, in order."""

    status = "ok"

    def __init__(self) -> None:
        self.told: list[str] = []
        self.lasting: list[str] = []

    def buzz(self) -> None:
        self.told.append("buzz")

    def led(self, on: bool) -> None: ...

    def tell(self, event: str) -> None:
        self.told.append(event)

    def lasts(self, state: str) -> None:
        self.lasting.append(state)

    def close(self) -> None: ...


class Desk:
    """A view that a test changes, and the orders that came."""

    def __init__(self) -> None:
        self.view = PLAY
        self.orders: list[Order] = []
        self.signals = Signals()
        self.pins = Pins(self.signals, None, lambda: self.view, self.order)

    def order(self, order: Order) -> Answer:
        self.orders.append(order)
        return Answer(order.id, "done")

    def show(self, **fields: Any) -> None:
        self.view = msgspec.structs.replace(self.view, seq=self.view.seq + 1, **fields)
        self.pins.turn()


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.pins.turn()
    return desk


def test_what_has_happened_is_told_once(desk: Desk) -> None:
    assert desk.signals.told == [], "nothing has happened in the first view"
    desk.show(last=LAID, turn=1)
    desk.pins.turn()
    desk.show()
    assert desk.signals.told == ["legal"]


def test_what_is_illegal_is_left_to_the_table(desk: Desk) -> None:
    desk.show(last=msgspec.structs.replace(LAID, legal=False, reason="edge-differs"))
    assert desk.signals.told == []


def test_a_question_lasts_until_it_is_answered(desk: Desk) -> None:
    desk.show(questions=(QUESTION,))
    desk.show(questions=())
    assert desk.signals.told == ["doubt"]
    assert desk.signals.lasting == ["", "doubt", ""]


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """gpiozero's mock pins, forgotten afterwards."""
    with mock_pins() as factory:
        yield factory


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[[Wiring], tuple[Table, Pins]]]:
    """A real table whose pins are wired as a test says."""
    closing: list[Any] = []

    def wired(wiring: Wiring) -> tuple[Table, Pins]:
        journal, signals, buttons = Journal(tmp_path / "j"), open_signals(wiring), open_buttons(wiring)
        closing.extend((buttons, signals, journal))
        table = Table(journal, signals, "e")
        table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
        pins = Pins(signals, buttons, lambda: table.view, table.order)
        pins.turn()
        return table, pins

    yield wired
    for each in closing:
        each.close()


def said(table: Table, line: str) -> str:
    view = table.view
    return table.order(Order(id=f"{view.seq}-{line}", epoch="e", seq=view.seq, by="people", line=line)).status


def press(factory: MockFactory, pin: int) -> None:
    factory.pin(pin).drive_low()
    factory.pin(pin).drive_high()


def test_a_seats_button_draws_at_a_real_table_and_the_common_one_takes_it_back(
    factory: MockFactory, table: Callable[[Wiring], tuple[Table, Pins]]
) -> None:
    real, pins = table(Wiring(seats=(23, 24), undo=25))
    assert said(real, "begin") == "done"
    assert said(real, "A lays 3-3-3 at 0,0,U") == "done"
    assert real.view.turn == 1
    press(factory, 23)
    pins.turn()
    assert real.view.drawn == 0, "A is not to move"
    press(factory, 24)
    pins.turn()
    assert real.view.drawn == 1
    press(factory, 25)
    pins.turn()
    assert real.view.drawn == 0


def test_pins_flash_for_a_legal_tile_and_the_buzzer_stays_silent_unless_asked(
    factory: MockFactory, table: Callable[[Wiring], tuple[Table, Pins]]
) -> None:
    real, pins = table(Wiring(buzzer=17, second=22))
    assert said(real, "begin") == "done"
    pins.turn()
    assert said(real, "A lays 3-3-3 at 0,0,U") == "done"
    pins.turn()
    assert True in [bool(state.state) for state in factory.pin(22).states]
    assert [bool(state.state) for state in factory.pin(17).states] == [False]
