"""The layout as the record has it, laid out on even ground: what is drawn where no camera looks.

Triominoes lie in their cells; a domino line winds to and fro, its first tile always in the same place. From a spinner
its two ends and the arms go out crosswise, each winding in a quarter of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import atan2, cos, degrees, radians, sin

from referee.laying import lattice, line
from referee.moves import CellSpot, LineSpot, Place
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import DOMINO, TRIOMINO, Shape, Tile, smallest_rotation

_IN_A_ROW = 7
_GAP_MM = 1.5
_BETWEEN_ROWS_MM = 10.0
_OUT = 4  # tiles of each of four arms before it winds back
_DIRECTION_DEG = {line.RIGHT: 0.0, line.DOWN: 90.0, line.LEFT: 180.0, line.UP: 270.0}


def laid(layout: tuple[Placed, ...], shape: Shape) -> tuple[Anchor, ...]:
    """All tiles of a layout that joined others, in some order, each where it is to be drawn."""
    spinner = line.spinner(layout)
    row = _line(layout, shape) if spinner is None else _cross(layout, spinner, shape)
    return (*_triangles(layout, shape), *row)


def offer(layout: tuple[Placed, ...], move: Place, shape: Shape, spins: bool = False) -> SeenTile | None:
    """Where a tile would lie that is laid by this move; None where that cannot be drawn.

    Args:
        spins: whether it would be the spinner.
    """
    placed = Placed(move.tile, move.spot, move.seat, spins=spins)
    return next((each.seen for each in laid((*layout, placed), shape) if each.placed is placed), None)


def _triangles(layout: tuple[Placed, ...], shape: Shape) -> Iterator[Anchor]:
    side = shape.length_mm + _GAP_MM
    for placed in layout:
        spot = placed.spot
        if isinstance(spot, CellSpot):
            x, y = lattice.centre(spot.cell)
            values = smallest_rotation(spot.values)
            first = next(i for i in range(3) if spot.values[i:] + spot.values[:i] == values)
            corner_x, corner_y = lattice.position(spot.cell.vertices[first])
            angle_deg = degrees(atan2(y - corner_y, corner_x - x))
            yield Anchor(placed, SeenTile(TRIOMINO, values, x * side, -y * side, angle_deg))


def _cross(layout: tuple[Placed, ...], spinner: Placed, shape: Shape) -> Iterator[Anchor]:
    """The spinner across its line, and what goes out from it; the first tile lies where it lay before there was one."""
    row = line.links(layout)
    at = next(index for index, link in enumerate(row) if link.placed is spinner)
    outward = {
        line.RIGHT: [(link.placed, link.left) for link in row[at + 1 :]],
        line.LEFT: [(link.placed, link.right) for link in row[:at][::-1]],
        **{end: [(link.placed, link.left) for link in line.arm(layout, end)] for end in line.ARMS},
    }
    found = [Anchor(spinner, SeenTile(DOMINO, spinner.tile.values, 0.0, 0.0, 90.0))]
    for end, tiles in outward.items():
        start_mm = (shape.width_mm if end in line.ENDS else shape.length_mm) / 2 + _GAP_MM + shape.length_mm / 2
        found += [
            Anchor(placed, _outward(placed.tile, inner, number, end, start_mm, shape))
            for number, (placed, inner) in enumerate(tiles)
        ]
    first = next(each.seen for each in found if each.placed is _first(layout))
    assert first is not None  # all have a pose here
    x_mm, y_mm = _IN_A_ROW // 2 * (shape.length_mm + _GAP_MM) - first.x_mm, -first.y_mm
    for each in found:
        assert each.seen is not None
        yield Anchor(each.placed, replace(each.seen, x_mm=each.seen.x_mm + x_mm, y_mm=each.seen.y_mm + y_mm))


def _outward(tile: Tile, inner: int, number: int, end: str, start_mm: float, shape: Shape) -> SeenTile:
    """One tile of what goes out from the spinner, as that is the origin.

    Every row after the first leaves out the place nearest to the spinner, so as not to touch what lies across.
    """
    row, along = divmod(number - _OUT, _OUT - 1)
    row, place = (0, number) if number < _OUT else (row + 1, along + 1)
    is_back = row % 2 == 1
    place = _OUT - place if is_back else place
    ahead_mm = start_mm + place * (shape.length_mm + _GAP_MM)
    aside_mm = row * (shape.width_mm + _BETWEEN_ROWS_MM)
    turn_deg = _DIRECTION_DEG[end]
    turn = radians(turn_deg)
    x_mm, y_mm = ahead_mm * cos(turn) - aside_mm * sin(turn), ahead_mm * sin(turn) + aside_mm * cos(turn)
    angle_deg = turn_deg + 180.0 * (is_back != (tile.values[0] != inner))
    return SeenTile(DOMINO, tile.values, x_mm, y_mm, angle_deg % 360.0)


def _first(layout: tuple[Placed, ...]) -> Placed | None:
    return next((placed for placed in layout if isinstance(placed.spot, LineSpot)), None)


def _line(layout: tuple[Placed, ...], shape: Shape) -> Iterator[Anchor]:
    row = line.links(layout)
    first = _first(layout)
    start = next((index for index, link in enumerate(row) if link.placed is first), 0)
    length, between = shape.length_mm + _GAP_MM, shape.width_mm + _BETWEEN_ROWS_MM
    for index, link in enumerate(row):
        at = index - start + _IN_A_ROW // 2
        down, along = divmod(at, _IN_A_ROW)
        is_back = down % 2 == 1
        x_mm = (_IN_A_ROW - 1 - along if is_back else along) * length
        tile = link.placed.tile
        angle_deg = 0.0 if (tile.values[0] == link.left) != is_back else 180.0
        yield Anchor(link.placed, SeenTile(DOMINO, tile.values, x_mm, down * between, angle_deg))
