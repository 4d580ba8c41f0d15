"""Pages beside the game: setting one up, the settings, what was played before.

An aside is a value: what is on it and what somebody has chosen there so far. Its buttons say orders, or local words
that begin with `@` and never leave the screen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from display.preferences import USUAL, Preferences
from display.sentences import Words
from display.widgets import Page
from referee.state import State
from referee.wire import Answer, Told, View

ENGLISH = Words()


class Asking(Protocol):
    """Asks the table for something that is not in a view, and waits a moment for the reply."""

    def __call__(self, what: str, *args: str) -> Told:
        """The reply; one with an `error` where there is none."""
        ...


def _nothing(what: str, *_args: str) -> Told:
    return Told("", error=f"nobody to ask for {what}")


@dataclass(frozen=True, slots=True)
class Desk:
    """What an aside can look at and reach for.

    `notice` is a line about an order that was refused. `ask`, `remember` and `measure`, which leaves the game for
    measuring the camera, are for taps only, never for drawing.
    """

    view: View | None = None
    state: State | None = None
    words: Words = ENGLISH
    preferences: Preferences = USUAL
    notice: str = ""
    ask: Asking = _nothing
    remember: Callable[[Preferences], None] = lambda _preferences: None
    measure: Callable[[], None] = lambda: None


class Aside(ABC):
    """A page beside the game, with whatever pages it leads to."""

    __slots__ = ()

    @abstractmethod
    def page(self, desk: Desk) -> Page:
        """What it looks like now."""

    @abstractmethod
    def tapped(self, word: str, desk: Desk) -> Aside | None:
        """What follows a tap on a button with a local word; None when it is closed."""

    def done(self, answer: Answer, desk: Desk) -> Aside | None:  # noqa: ARG002  # most say nothing to the table
        """What follows an order that was said from here and carried out; None when it is closed."""
        return self

    def is_over(self, view: View) -> bool:  # noqa: ARG002  # most stay until they are closed
        """Whether the game has made it pointless, so that it closes by itself."""
        return False
