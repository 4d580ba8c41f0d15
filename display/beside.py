"""The pages beside the game, by the words of the keys that open them."""

from __future__ import annotations

from collections.abc import Callable

from display import calibrating, history, joining, settings, setup, statistics
from display.aside import Aside, Desk

ASIDES: dict[str, Callable[[Desk], Aside]] = {
    "@setup": setup.fresh,
    "@again": setup.again,
    "@settings": settings.opened,
    "@moves": history.all_moves,
    "@games": history.games,
    "@sheet": history.sheet,
    "@players": statistics.opened,
    "@phones": joining.opened,
    "@calibrate": calibrating.explained,
}
