"""What a page is made of: plain data with a place on the virtual 800 x 480 page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from display import theme
from display.theme import Look

GAP = 6
TARGET = theme.LEAST_TARGET


class Rect(NamedTuple):
    """A rectangle on the virtual page, x to the right, y down."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The x just past the rectangle."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y just past the rectangle."""
        return self.y + self.h

    def holds(self, x: float, y: float) -> bool:
        """True when the point lies inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float) -> Rect:
        """The rectangle without a rim."""
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def columns(self, count: int, gap: float) -> tuple[Rect, ...]:
        """Cut into equal columns, left to right."""
        width = (self.w - gap * (count - 1)) / count
        return tuple(Rect(self.x + i * (width + gap), self.y, width, self.h) for i in range(count))

    def rows(self, count: int, gap: float) -> tuple[Rect, ...]:
        """Cut into equal rows, top to bottom."""
        height = (self.h - gap * (count - 1)) / count
        return tuple(Rect(self.x, self.y + i * (height + gap), self.w, height) for i in range(count))


@dataclass(frozen=True, slots=True)
class Panel:
    """A ground that other widgets stand on."""

    rect: Rect
    look: Look
    radius: float = 10


@dataclass(frozen=True, slots=True)
class Label:
    """Text in a box; what does not fit is set smaller, then cut with an ellipsis."""

    rect: Rect
    text: str
    size: float
    look: Look
    bold: bool = False
    soft: bool = False
    align: str = "left"
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Button:
    """Something to tap: `order` is the line of notation that a tap sends."""

    rect: Rect
    text: str
    order: str
    look: Look
    note: str = ""
    size: float = 24
    face: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Face:
    """A tile drawn as a picture: three numbers a triomino, two a domino, one half a domino."""

    rect: Rect
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture that is kept of a ruling: its name, `before` or `after`, and what is written where it is gone.

    `order` is what a tap on it says.
    """

    rect: Rect
    name: str
    side: str
    instead: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """A round sign: `✓`, `✗`, `?` or `▶`; its shape says what its colour says."""

    rect: Rect
    sign: str
    look: Look


@dataclass(frozen=True, slots=True)
class Code:
    """A text as a QR code."""

    rect: Rect
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile on the table: its pose in mm and degrees, its status, the word for that, and whether it is the last.

    `order` is what a tap on it says; the status `offer` is a place where a tile could be laid; `open` are the sides
    of a triomino that another tile could join.
    """

    kind: str
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    status: str
    word: str = ""
    last: bool = False
    face_up: bool = True
    order: str = ""
    open: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The felt with the tiles as they lie; `tile_mm` is their length and width."""

    rect: Rect
    pieces: tuple[Piece, ...]
    tile_mm: tuple[float, float]


Widget = Panel | Label | Button | Face | Photograph | Badge | Code | Table


@dataclass(frozen=True, slots=True)
class Page:
    """All widgets in the order of drawing; a page that is not live is drawn in grey but for its notice."""

    widgets: tuple[Widget, ...]
    live: bool = True
    notice: tuple[Widget, ...] = ()

    def button_at(self, x: float, y: float) -> Button | None:
        """The button at a point of the virtual page."""
        for widget in self.widgets:
            if isinstance(widget, Button) and widget.rect.holds(x, y):
                return widget
        return None


def button_parts(button: Button) -> tuple[Widget, ...]:
    """What a button is drawn of: its ground, its tile, its text and its small print."""
    rect = button.rect
    inner = rect.inset(6, 5)
    parts: list[Widget] = [Panel(rect, button.look)]
    align = "centre"
    if button.face and rect.w > 1.8 * rect.h:
        parts.append(Face(Rect(inner.x + 2, inner.y + 2, inner.h - 4, inner.h - 4), button.face))
        inner = Rect(inner.x + inner.h + 6, inner.y, inner.w - inner.h - 6, inner.h)
        align = "left"
    elif button.face:
        parts.append(Face(Rect(inner.x, inner.y, inner.w, inner.h * 0.54), button.face))
        inner = Rect(inner.x, inner.y + inner.h * 0.56, inner.w, inner.h * 0.44)
    share = 0.58 if button.note else 1.0
    lines = 2 if not button.note and inner.h > 2 * theme.LINE * theme.LEAST_SIZE * 1.6 else 1
    text = Rect(inner.x, inner.y, inner.w, inner.h * share)
    parts.append(Label(text, button.text, button.size, button.look, True, align=align, lines=lines))
    if button.note:
        note = Rect(inner.x, text.bottom, inner.w, inner.h - text.h)
        parts.append(Label(note, button.note, 15, button.look, soft=True, align=align))
    return tuple(parts)
