"""The domino line: the tiles of a layout from its left end to its right end, and the numbers left open.

Only tiles with a `LineSpot` belong to the line; a loose tile lies beside it. A tile's inner half is the
one that faces the line: of a first tile laid at `left` the half that points right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
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
    for placed, at_left, inner, (left, right) in _growing(layout):
        if at_left:
            row.appendleft(Link(placed, left, inner))
        else:
            row.append(Link(placed, inner, right))
    return tuple(row)


def _growing(layout: tuple[Placed, ...]) -> Iterator[tuple[Placed, bool, int, tuple[int, int]]]:
    """The tiles of the line as they were laid: whether at the left, the inner half, and the open numbers then."""
    both: tuple[int, int] | None = None
    for placed in layout:
        spot = placed.spot
        if not isinstance(spot, LineSpot):
            continue
        at_left = spot.end == LEFT
        inner = inner_half(placed.tile, spot, None if both is None else both[0 if at_left else 1])
        low, high = placed.tile.values
        outer = low if inner == high else high
        kept = inner if both is None else both[1 if at_left else 0]
        both = (outer, kept) if at_left else (kept, outer)
        yield placed, at_left, inner, both


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
    both = None
    for step in _growing(layout):
        both = step[-1]
    return both


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
