"""The layout as the record has it, drawn on even ground: what the felt shows where no camera looks.

Triominoes lie in their cells; a domino line winds to and fro, its first tile always in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees

from referee import notation
from referee.laying import lattice, line
from referee.moves import CellSpot, LineSpot, Place
from referee.state import Placed
from referee.tiles import DOMINO, TRIOMINO, smallest_rotation
from referee.wire import LaidTile

SIZES_MM = {TRIOMINO: (40.0, 40.0 * 3**0.5 / 2), DOMINO: (48.0, 24.0)}
_IN_A_ROW = 7
_ROW_MM = 34.0
_GAP_MM = 1.5


def laid(layout: tuple[Placed, ...]) -> tuple[LaidTile, ...]:
    """All tiles of a layout that joined others, in some order, each where it lies."""
    return (*_triangles(layout), *_line(layout))


def offer(layout: tuple[Placed, ...], order: str) -> LaidTile | None:
    """Where a tile would lie that is laid by this order; None where that cannot be drawn."""
    act = notation.parse(order)
    if not isinstance(act, Place):
        return None
    placed = Placed(act.tile, act.spot, act.seat)
    found = next((tile for tile in laid((*layout, placed)) if tile.entry is None), None)
    return None if found is None else LaidTile(found.kind, (), found.x_mm, found.y_mm, found.angle_deg, "offer")


def _triangles(layout: tuple[Placed, ...]) -> Iterator[LaidTile]:
    side = SIZES_MM[TRIOMINO][0] + _GAP_MM
    for placed in layout:
        spot = placed.spot
        if isinstance(spot, CellSpot):
            x, y = lattice.centre(spot.cell)
            values = smallest_rotation(spot.values)
            first = next(i for i in range(3) if spot.values[i:] + spot.values[:i] == values)
            corner_x, corner_y = lattice.position(spot.cell.vertices[first])
            angle_deg = degrees(atan2(y - corner_y, corner_x - x))
            yield LaidTile(TRIOMINO, values, x * side, -y * side, angle_deg, "placed", placed.entry, placed.seat)


def _line(layout: tuple[Placed, ...]) -> Iterator[LaidTile]:
    row = line.links(layout)
    first = next((placed for placed in layout if isinstance(placed.spot, LineSpot)), None)
    start = next((index for index, link in enumerate(row) if link.placed is first), 0)
    length = SIZES_MM[DOMINO][0] + _GAP_MM
    for index, link in enumerate(row):
        at = index - start + _IN_A_ROW // 2
        down, along = divmod(at, _IN_A_ROW)
        is_back = down % 2 == 1
        x_mm = (_IN_A_ROW - 1 - along if is_back else along) * length
        tile = link.placed.tile
        angle_deg = 0.0 if (tile.values[0] == link.left) != is_back else 180.0
        entry, seat = link.placed.entry, link.placed.seat
        yield LaidTile(DOMINO, tile.values, x_mm, down * _ROW_MM, angle_deg, "placed", entry, seat)
