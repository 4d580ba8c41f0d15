"""The bar at the top of a page beside the game: what it is about, and the ways on from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from display import theme
from display.sentences import Words
from display.theme import Look
from display.widgets import GAP, Button, Label, Panel, Rect, Widget

HEAD = Rect(8, 8, 784, 64)
BODY = Rect(8, 80, 784, 392)
CLOSE = "@close"
BACK = "@back"
KEY_W = 132.0

Key = tuple[str, str]


def heading(
    words: Words, title: str, notice: str = "", keys: Sequence[Key] = (), back: str = CLOSE
) -> Iterator[Widget]:
    """The title, or why the last order was refused; keys by text and order; at the right the way back, if any."""
    keys = (*keys, *([(words.say("Back"), back)] if back else []))
    width = len(keys) * (KEY_W + GAP)
    bar = Rect(HEAD.x, HEAD.y, HEAD.w - width, HEAD.h)
    look = theme.NOTE if notice else theme.ASK
    yield Panel(bar, look)
    yield Label(bar.inset(14, 8), notice or title, 24, look, bold=True, lines=2)
    for index, (text, order) in enumerate(keys):
        yield Button(
            Rect(bar.right + GAP + index * (KEY_W + GAP), HEAD.y, KEY_W, HEAD.h), text, order, theme.KEY, size=20
        )


def grid(room: Rect, columns: int, rows: int) -> tuple[Rect, ...]:
    """The cells of a room, row by row."""
    return tuple(cell for row in room.rows(rows, GAP) for cell in row.columns(columns, GAP))


def card(rect: Rect, value: str, what: str, order: str, look: Look = theme.KEY) -> Button:
    """A key that says how something is, and what."""
    return Button(rect, value, order, look, what, 22)
