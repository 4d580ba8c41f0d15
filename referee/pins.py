"""What the table says by lights and sounds, and what its buttons order: between the views and the pins."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee import heralding
from referee.wire import Answer, Order, View

if TYPE_CHECKING:
    from hardware.buttons import Buttons
    from hardware.signals import Signals

BY = "button"


class Pins:
    """Shows each new view by lights and sounds, and turns presses of buttons into orders.

    What is illegal is the table's own to say: it knows of it before anybody looks.

    Args:
        look: gives the present view.
        order: carries out an order.
    """

    def __init__(
        self, signals: Signals, buttons: Buttons | None, look: Callable[[], View], order: Callable[[Order], Answer]
    ) -> None:
        self._signals, self._buttons = signals, buttons
        self._look, self._order = look, order
        self._shown: View | None = None

    def turn(self) -> None:
        """Carry out what was pressed since the last time, then show what is new."""
        for button in self._buttons.take() if self._buttons is not None else ():
            self._press(button)
        view = self._look()
        if view is self._shown:
            return
        what = heralding.happened(self._shown, view)
        self._shown = view
        self._signals.lasts(heralding.lasting(view))
        if what not in ("", heralding.ILLEGAL):
            self._signals.tell(what)

    def _press(self, button: str) -> None:
        view = self._look()
        line = heralding.pressed(view, button)
        if line is not None:
            self._order(Order(id=uuid.uuid4().hex, epoch=view.epoch, seq=view.seq, by=BY, line=line))
