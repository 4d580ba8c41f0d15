"""Which sides of triominoes are open, compared with the gaps of the lattice."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin

import pytest

from referee.laying import boards
from referee.laying.lattice import Cell
from referee.laying.opensides import open_sides
from referee.moves import CellSpot
from referee.plan import laid
from referee.state import Placed
from referee.tiles import Shape, Tile, triomino_set

SHAPE = Shape.triomino()
TILES = frozenset(triomino_set(5))
HEXAGON_BUT_ONE = ("0,0,U", "-1,0,D", "-1,0,U", "-1,-1,D", "0,-1,U")


def placed(cell: str, values: tuple[int, ...]) -> Placed:
    return Placed(Tile(values), CellSpot(Cell.parse(cell), values), 0)


def sides(layout: tuple[Placed, ...], left: frozenset[Tile] = TILES) -> dict[str, tuple[int, ...]]:
    anchors = laid(layout, SHAPE)
    found = open_sides(tuple(each.seen for each in anchors if each.seen), left, SHAPE)
    return {str(each.placed.tile): open_ for each, open_ in zip(anchors, found, strict=True)}


def test_all_sides_of_a_lone_tile_are_open() -> None:
    assert sides((placed("0,0,U", (0, 1, 2)),)) == {"0-1-2": (0, 1, 2)}


def test_a_side_with_a_tile_against_it_is_not_open() -> None:
    layout = (placed("0,0,U", (0, 1, 2)), placed("0,0,D", (2, 1, 3)))
    assert sides(layout)["0-1-2"] == (0, 2)


def test_a_side_that_no_tile_left_fits_is_not_open() -> None:
    lone = (placed("0,0,U", (0, 1, 2)),)
    assert sides(lone, frozenset({Tile((0, 0, 1))})) == {"0-1-2": (0,)}
    assert sides(lone, frozenset({Tile((3, 4, 5))})) == {"0-1-2": ()}
    assert sides(lone, frozenset()) == {"0-1-2": ()}


@pytest.mark.parametrize("turn_deg", [0.0, 37.0, 200.0])
def test_as_many_sides_are_open_as_the_lattice_has_places_beside_them(turn_deg: float) -> None:
    cells = [Cell.parse(cell) for cell in HEXAGON_BUT_ONE]
    layout = tuple(placed(str(cell), tuple((2 * x + y) % 3 for x, y in cell.vertices)) for cell in cells)
    turn = radians(turn_deg)
    lying = tuple(
        replace(
            each.seen,
            x_mm=each.seen.x_mm * cos(turn) - each.seen.y_mm * sin(turn),
            y_mm=each.seen.x_mm * sin(turn) + each.seen.y_mm * cos(turn),
            angle_deg=each.seen.angle_deg + turn_deg,
        )
        for each in laid(layout, SHAPE)
        if each.seen
    )
    wanted = sum(gap.sides for gap in boards.board(layout).gaps() if boards.takers(TILES, gap.asks))
    assert wanted > 0
    assert sum(map(len, open_sides(lying, TILES, SHAPE))) == wanted
