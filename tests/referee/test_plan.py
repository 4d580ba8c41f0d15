"""The layout as the record has it, laid out without a camera."""

from __future__ import annotations

from itertools import pairwise

import pytest

from referee import notation, plan
from referee.laying.contact import domino_join
from referee.moves import Place
from referee.seen.placing import Anchor, spot_of
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import DOMINO, TRIOMINO, Shape

SHAPES = {TRIOMINO: (Shape.triomino(), Shape.triomino(25.0)), DOMINO: (Shape.domino(), Shape.domino(50.0, 25.0))}


def move(line: str) -> Place:
    """A placement."""
    act = notation.parse(line)
    assert isinstance(act, Place)
    return act


def layout(*lines: str) -> tuple[Placed, ...]:
    """Tiles laid by these orders, the entries counted from 1."""
    return tuple(Placed(act.tile, act.spot, act.seat, entry) for entry, act in enumerate(map(move, lines), 1))


def poses(placed: tuple[Placed, ...], shape: Shape) -> dict[int | None, SeenTile]:
    """Where each tile is drawn, by its entry."""
    return {each.placed.entry: each.seen for each in plan.laid(placed, shape) if each.seen}


TRIANGLES = layout(
    "A lays 1-3-4 at 0,0,U", "B lays 1-1-3 at -1,0,D", "C lays 1-3-3 at -1,1,U", "A lays 2-1-1 at -1,0,U"
)
LINES = ("A lays 6-6 at left", "A lays 5-6 at left", "A lays 4-5 at left", "A lays 3-4 at left")
LINE = layout(*LINES, "A lays 2-3 at left", "A lays 1-2 at left", "A lays 0-1 at left", "A lays 0-6 at right")


@pytest.mark.parametrize("shape", SHAPES[TRIOMINO])
def test_a_drawn_triomino_is_read_back_into_its_own_cell(shape: Shape) -> None:
    laid = plan.laid(TRIANGLES, shape)
    for index, placed in enumerate(TRIANGLES[1:], 1):
        others = tuple(Anchor(each.placed, each.seen) for each in laid[:index])
        seen = laid[index].seen
        assert seen is not None
        assert spot_of(others, seen, shape) == placed.spot


@pytest.mark.parametrize("shape", SHAPES[DOMINO])
def test_a_drawn_line_shows_equal_numbers_side_by_side(shape: Shape) -> None:
    row = sorted(poses(LINE[:5], shape).values(), key=lambda tile: tile.x_mm)
    joined = [(left, right) for left, right in pairwise(row) if left.y_mm == right.y_mm]
    assert len(joined) > 2
    for left, right in joined:
        join = domino_join(left, right, shape)
        assert join is not None
        assert join.a_half is not None
        assert join.b_half is not None
        assert left.values[join.a_half] == right.values[join.b_half]


@pytest.mark.parametrize("shape", SHAPES[DOMINO])
def test_no_two_tiles_of_a_long_line_lie_on_each_other_and_none_moves_when_one_is_added(shape: Shape) -> None:
    whole = poses(LINE, shape)
    assert len({(tile.x_mm, tile.y_mm) for tile in whole.values()}) == len(LINE)
    for count in range(1, len(LINE)):
        assert all(whole[entry] == tile for entry, tile in poses(LINE[:count], shape).items())


def test_a_place_that_is_offered_lies_where_the_tile_will_lie() -> None:
    shape = Shape.domino()
    there = poses(layout(*LINES, "B lays 2-3 at left"), shape)[5]
    assert plan.offer(LINE[:4], move("B lays 2-3 at left"), shape) == there
    assert plan.offer(LINE[:4], move("B lays 2-3 loose"), shape) is None
