"""The layout as the record has it, laid out on even ground: what is drawn where no camera looks.

Triominoes lie in their cells; a domino line winds to and fro, its first tile always in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees

from referee.laying import lattice, line
from referee.moves import CellSpot, LineSpot, Place
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import DOMINO, TRIOMINO, Shape, smallest_rotation

_IN_A_ROW = 7
_GAP_MM = 1.5
_BETWEEN_ROWS_MM = 10.0


def laid(layout: tuple[Placed, ...], shape: Shape) -> tuple[Anchor, ...]:
    """All tiles of a layout that joined others, in some order, each where it is to be drawn."""
    return (*_triangles(layout, shape), *_line(layout, shape))


def offer(layout: tuple[Placed, ...], move: Place, shape: Shape) -> SeenTile | None:
    """Where a tile would lie that is laid by this move; None where that cannot be drawn."""
    placed = Placed(move.tile, move.spot, move.seat)
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


def _line(layout: tuple[Placed, ...], shape: Shape) -> Iterator[Anchor]:
    row = line.links(layout)
    first = next((placed for placed in layout if isinstance(placed.spot, LineSpot)), None)
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
