"""The outlines of tiles, and how large a table may be drawn so that all of it is seen."""

from __future__ import annotations

from math import cos, floor, hypot, log, radians, sin

from display import theme
from display.widgets import TARGET, Button, Page, Photograph, Rect, Table

Point = tuple[float, float]

_LARGEST_TILE = 84.0  # a lone tile is not blown up beyond this
_ZOOM_STEP = 1.06
_TAG = 24.0  # room for the word beside a tile
SQUARE = (TARGET, TARGET)


def ahead(distance: float, angle_deg: float) -> Point:
    """The way to a point in a direction."""
    return (distance * cos(radians(angle_deg)), distance * sin(radians(angle_deg)))


def corners(kind: str, length: float, width: float, angle_deg: float) -> tuple[Point, ...]:
    """The outline of a tile around its centre: a triangle in the order of its numbers, a rectangle, a half's square."""
    if kind == "triomino":
        radius = length / 3**0.5
        return tuple(ahead(radius, angle_deg + 120 * index) for index in range(3))
    ax, ay = ahead(length / 2, angle_deg)
    bx, by = ahead(width / 2, angle_deg + 90)
    return ((-ax - bx, -ay - by), (ax - bx, ay - by), (ax + bx, ay + by), (-ax + bx, -ay + by))


def fit(table: Table) -> tuple[float, Point]:
    """Page units per mm and the table's point in the middle, so that all tiles are seen as large as possible.

    The zoom goes in steps, so that one more tile at the edge rarely makes all pictures anew.
    """
    box = table.rect.inset(0, _TAG) if any(piece.word for piece in table.pieces) else table.rect
    xs: list[float] = []
    ys: list[float] = []
    margin = table.tile_mm[1] * 0.3
    for piece in table.pieces:
        for x, y in corners(piece.kind, *table.tile_mm, piece.angle_deg):
            xs.append(piece.x_mm + x)
            ys.append(piece.y_mm + y)
    wide, high = max(xs) - min(xs) + 2 * margin, max(ys) - min(ys) + 2 * margin
    zoom = min(box.w / wide, box.h / high, _LARGEST_TILE * box.w / (table.tile_mm[0] * 528))
    zoom = _ZOOM_STEP ** floor(log(zoom) / log(_ZOOM_STEP))
    return zoom, ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)


def targets(table: Table) -> tuple[Button, ...]:
    """What can be tapped on a table: a fingertip around the middle of each tile that says something."""
    if not any(piece.order for piece in table.pieces):
        return ()
    zoom, middle_mm = fit(table)
    x, y = table.rect.x + table.rect.w / 2, table.rect.y + table.rect.h / 2
    half = TARGET / 2
    return tuple(
        Button(
            Rect(x + (piece.x_mm - middle_mm[0]) * zoom - half, y + (piece.y_mm - middle_mm[1]) * zoom - half, *SQUARE),
            piece.word,
            piece.order,
            theme.KEY,
        )
        for piece in table.pieces
        if piece.order
    )


def buttons(page: Page) -> tuple[Button, ...]:
    """All that can be tapped on a page: its buttons, then pictures and tiles that say something."""
    pictures = (
        Button(widget.rect, widget.instead, widget.order, theme.KEY)
        for widget in page.widgets
        if isinstance(widget, Photograph) and widget.order
    )
    tables = (target for widget in page.widgets if isinstance(widget, Table) for target in targets(widget))
    return (*(widget for widget in page.widgets if isinstance(widget, Button)), *pictures, *tables)


def button_at(page: Page, x: float, y: float) -> Button | None:
    """What a fingertip at a point means: the button there, or else the nearest picture or tile within reach."""
    button = page.button_at(x, y)
    if button is not None:
        return button

    def away(target: Button) -> float:
        return hypot(target.rect.x + target.rect.w / 2 - x, target.rect.y + target.rect.h / 2 - y)

    near = (target for target in buttons(page) if target.rect.holds(x, y))
    return min(near, key=away, default=None)
