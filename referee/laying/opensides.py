"""Which sides of the triominoes that lie on a table are open: nothing lies against them, and some tile could."""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, radians, sin

from referee.laying import boards
from referee.laying.contact import TRIOMINO_CORNER, Point, outline
from referee.sighting import SeenTile
from referee.tiles import Shape, Tile

_SAME_CELL = 0.35  # of a side: tiles whose middles are nearer than this lie in one place


@lru_cache(maxsize=8)
def open_sides(lying: tuple[SeenTile, ...], left: frozenset[Tile], shape: Shape) -> tuple[tuple[int, ...], ...]:
    """For each tile the sides that are open; side 0 lies between its first two numbers, clockwise.

    Args:
        lying: the triominoes as they lie.
        left: the tiles that may still be laid.
        shape: their size.
    """
    corners = [(point, value) for tile in lying for point, value in zip(outline(tile, shape), tile.values, strict=True)]
    return tuple(
        tuple(side for side in range(3) if _is_open(tile, side, lying, corners, left, shape)) for tile in lying
    )


def _is_open(
    tile: SeenTile,
    side: int,
    lying: tuple[SeenTile, ...],
    corners: list[tuple[Point, int]],
    left: frozenset[Tile],
    shape: Shape,
) -> bool:
    length = shape.length_mm
    away = radians(tile.angle_deg + 120 * side + 60)
    ahead = (cos(away), sin(away))
    middle = (tile.x_mm + ahead[0] * length / 3**0.5, tile.y_mm + ahead[1] * length / 3**0.5)
    if any(_apart(middle, (each.x_mm, each.y_mm)) < _SAME_CELL * length for each in lying):
        return False
    tip = (tile.x_mm + ahead[0] * length * 2 / 3**0.5, tile.y_mm + ahead[1] * length * 2 / 3**0.5)
    at_tip = {value for point, value in corners if _apart(tip, point) <= TRIOMINO_CORNER * length}
    if len(at_tip) > 1:
        return False  # the tiles there disagree: nothing fits
    # the numbers of the free place, clockwise: the side the other way round, then the tip
    asks = (tile.values[(side + 1) % 3], tile.values[side], next(iter(at_tip), None))
    return bool(boards.takers(left, asks))


def _apart(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
