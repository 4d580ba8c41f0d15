"""The domino line: the tiles of a layout from its left end to its right end, and the numbers left open.

Only tiles with a `LineSpot` belong to the line; a loose tile lies beside it. A tile's inner half is the
one that faces the line: of a first tile laid at `left` the half that points right.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from referee.moves import LineSpot
from referee.state import Placed
from referee.tiles import Tile

LEFT = "left"
RIGHT = "right"
ENDS = (LEFT, RIGHT)


@dataclass(frozen=True, slots=True)
class Link:
    """One tile of the line as it is turned: the number toward the left end and the one toward the right."""

    placed: Placed
    left: int
    right: int


def links(layout: tuple[Placed, ...]) -> tuple[Link, ...]:
    """The line from left to right."""
    row: deque[Link] = deque()
    for placed in layout:
        spot = placed.spot
        if not isinstance(spot, LineSpot):
            continue
        at_left = spot.end == LEFT
        opened = None if not row else row[0].left if at_left else row[-1].right
        inner = inner_half(placed.tile, spot, opened)
        outer = placed.tile.values[0] if inner == placed.tile.values[1] else placed.tile.values[1]
        if at_left:
            row.appendleft(Link(placed, outer, inner))
        else:
            row.append(Link(placed, inner, outer))
    return tuple(row)


def inner_half(tile: Tile, spot: LineSpot, opened: int | None) -> int:
    """The number on the half that faces the line.

    What the spot says counts; without it the half that matches the open number `opened` (None: the line
    begins here), else the half that makes a first tile lie with its smaller number to the left.
    """
    low, high = tile.values
    if spot.inner in tile.values:
        return low if spot.inner == low else high
    if opened in tile.values:
        return low if opened == low else high
    return high if opened is None and spot.end == LEFT else low


def ends(layout: tuple[Placed, ...]) -> tuple[int, int] | None:
    """The open numbers at the left and the right end, None while there is no line."""
    row = links(layout)
    return (row[0].left, row[-1].right) if row else None


def open_number(layout: tuple[Placed, ...], end: str) -> int:
    """The open number at one end.

    Raises:
        ValueError: if there is no line yet.
    """
    both = ends(layout)
    if both is None:
        raise ValueError("expected a line of tiles, got an empty table")
    return both[ENDS.index(end)]


def tiles_from(layout: tuple[Placed, ...], end: str) -> tuple[Placed, ...]:
    """The tiles of the line in order, beginning at one end."""
    row = tuple(link.placed for link in links(layout))
    return row if end == LEFT else row[::-1]


def is_dead(layout: tuple[Placed, ...], highest: int) -> bool:
    """True when nobody can ever play again: every tile that bears an open number lies on the table."""
    both = ends(layout)
    if both is None:
        return False
    laid = {placed.tile for placed in layout}
    return all(sum(number in tile.values for tile in laid) > highest for number in both)
