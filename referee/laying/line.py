"""The domino line: the tiles of a layout from its left end to its right end, side arms, and the numbers left open.

Only tiles with a `LineSpot` belong to the line; a loose tile lies beside it. A tile's inner half is the
one that faces the line: of a first tile laid at `left` the half that points right. Where the rules make a double the
spinner (`Placed.spins`), tiles join its other two sides as well, once both that lie in the line are covered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from referee.moves import LineSpot
from referee.state import Placed
from referee.tiles import Tile

LEFT = "left"
RIGHT = "right"
UP = "up"
DOWN = "down"
ENDS = (LEFT, RIGHT)
ARMS = (UP, DOWN)
EVERY_END = (*ENDS, *ARMS)


@dataclass(frozen=True, slots=True)
class Link:
    """One tile of the line as it is turned: the number toward the left end and the one toward the right.

    Of an arm `left` is the number toward the spinner.
    """

    placed: Placed
    left: int
    right: int


# a tile with its two numbers, as a `Link` has them; every ruling builds some lines, and links cost more than all else
_Turned = tuple[Placed, int, int]


@dataclass(slots=True)
class _Line:
    """A line while it grows: its row and arms, the number open at each end, and the covered sides of the spinner."""

    row: deque[_Turned] = field(default_factory=deque)
    arms: dict[str, list[_Turned]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    spinner: Placed | None = None
    covered: set[str] = field(default_factory=set)

    def grow(self, placed: Placed, spot: LineSpot) -> None:
        """Lay the next tile."""
        tile, end = placed.tile, spot.end
        if end in ARMS:
            if self.spinner is not None:  # else there is nothing that it could be an arm of
                inner = inner_half(tile, spot, self.numbers.get(end, self.spinner.tile.values[0]))
                self.numbers[end] = _other(tile, inner)
                self.arms.setdefault(end, []).append((placed, inner, self.numbers[end]))
            return
        inner = inner_half(tile, spot, self.numbers.get(end))
        opposite = LEFT if end == RIGHT else RIGHT
        if placed.spins:
            self.spinner, self.covered = placed, {opposite} if self.row else set()
        else:
            self.covered.add(end)
        self.numbers[end] = outer = _other(tile, inner)
        self.numbers.setdefault(opposite, inner)
        if end == LEFT:
            self.row.appendleft((placed, outer, inner))
        else:
            self.row.append((placed, inner, outer))


def _grown(layout: tuple[Placed, ...]) -> _Line:
    line = _Line()
    for placed in layout:
        if isinstance(placed.spot, LineSpot):
            line.grow(placed, placed.spot)
    return line


def _other(tile: Tile, half: int) -> int:
    low, high = tile.values
    return low if half == high else high


def links(layout: tuple[Placed, ...]) -> tuple[Link, ...]:
    """The line from left to right, without its arms."""
    return tuple(Link(*each) for each in _grown(layout).row)


def arm(layout: tuple[Placed, ...], end: str) -> tuple[Link, ...]:
    """The tiles of one arm, `up` or `down`, from the spinner outward."""
    return tuple(Link(*each) for each in _grown(layout).arms.get(end, ()))


def spinner(layout: tuple[Placed, ...]) -> Placed | None:
    """The double from which arms may grow, None where there is none."""
    return _grown(layout).spinner


def joints(layout: tuple[Placed, ...]) -> Iterator[tuple[Placed, Placed, int | None]]:
    """The tiles that are joined, in pairs, and the number in which they meet (None: they were let stand)."""
    line = _grown(layout)
    rows = [line.row]
    if line.spinner is not None:
        number = line.spinner.tile.values[0]
        root: _Turned = (line.spinner, number, number)
        rows += [deque((root, *each)) for each in line.arms.values()]
    for row in rows:
        for (one, _, right), (other, left, _) in pairwise(row):
            yield one, other, right if right == left else None


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
    numbers = _grown(layout).numbers
    return (numbers[LEFT], numbers[RIGHT]) if numbers else None


def open_numbers(layout: tuple[Placed, ...]) -> dict[str, int]:
    """The open number at each end that a tile may join: left, right, and the arms once the spinner is covered."""
    line = _grown(layout)
    found = {end: line.numbers[end] for end in EVERY_END if end in line.numbers}
    if line.spinner is not None and len(line.covered) == len(ENDS):
        found = {end: found.get(end, line.spinner.tile.values[0]) for end in EVERY_END}
    return found


def open_number(layout: tuple[Placed, ...], end: str) -> int:
    """The number that a tile meets at one end; at an arm that is not begun, that of the spinner.

    Raises:
        ValueError: if there is no line yet, or no spinner for an arm.
    """
    line = _grown(layout)
    if end in line.numbers:
        return line.numbers[end]
    if line.spinner is None:
        raise ValueError("expected a line of tiles, got an empty table" if end in ENDS else f"no spinner, yet {end}")
    return line.spinner.tile.values[0]


def tiles_from(layout: tuple[Placed, ...], end: str) -> tuple[Placed, ...]:
    """The tiles of the line in order, beginning at one end; from an arm's end to the spinner."""
    line = _grown(layout)
    if end in ARMS:
        outward = tuple(placed for placed, _, _ in line.arms.get(end, ()))
        return (*outward[::-1], line.spinner) if line.spinner is not None else ()
    row = tuple(placed for placed, _, _ in line.row)
    return row if end == LEFT else row[::-1]


def count(layout: tuple[Placed, ...]) -> int:
    """What the open ends count together: a double at an end with both its halves, an arm from its first tile on."""
    line = _grown(layout)
    if len(line.row) < len(ENDS):
        return sum(placed.tile.total for placed, _, _ in line.row)
    tips = [(line.row[0][0], line.numbers[LEFT]), (line.row[-1][0], line.numbers[RIGHT])]
    tips += [(arm[-1][0], line.numbers[end]) for end, arm in line.arms.items()]
    return sum(placed.tile.total if placed.tile.is_uniform else number for placed, number in tips)


def is_dead(layout: tuple[Placed, ...], highest: int) -> bool:
    """True when nobody can ever play again: every tile that bears an open number lies on the table."""
    numbers = set(open_numbers(layout).values())
    if not numbers:
        return False
    laid = {placed.tile for placed in layout}
    return all(sum(number in tile.values for tile in laid) > highest for number in numbers)
