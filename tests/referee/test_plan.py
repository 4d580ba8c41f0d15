"""The layout as the record has it, laid out without a camera."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from referee import notation, plan
from referee.laying import line
from referee.laying.contact import domino_join, outline, separation
from referee.moves import LineSpot, Place
from referee.seen.placing import Anchor, spot_of
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import DOMINO, TRIOMINO, Shape, Tile, domino_set

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


def grown_cross(seed: int) -> tuple[Placed, ...]:
    """A line with arms, grown at random for as long as anything fits."""
    chance, tiles, laid = Random(seed), list(domino_set(6)), ()
    while True:
        ends = line.open_numbers(laid) or {line.LEFT: -1}
        fits = [(tile, end) for tile in tiles for end, number in ends.items() if number in (-1, *tile.values)]
        if not fits:
            return laid
        tile, end = chance.choice(fits)
        tiles.remove(tile)
        spins = tile.is_uniform and end in line.ENDS and line.spinner(laid) is None
        laid = (*laid, Placed(tile, LineSpot(end), 0, len(laid) + 1, spins=spins))


@pytest.mark.parametrize("shape", SHAPES[DOMINO])
@pytest.mark.parametrize("seed", range(8))
def test_what_goes_out_from_a_spinner_meets_only_what_it_joins_and_in_equal_numbers(shape: Shape, seed: int) -> None:
    layout = grown_cross(seed)
    there = poses(layout, shape)
    joined = {frozenset((one.entry, other.entry)): number for one, other, number in line.joints(layout)}
    for (one, lies), (other, also) in combinations(there.items(), 2):
        apart_mm = separation(outline(lies, shape), outline(also, shape))
        number = joined.get(frozenset((one, other)))
        assert apart_mm > (shape.width_mm / 4 if number is None else 1.0)
        join = None if number is None else domino_join(lies, also, shape)
        if join is not None and join.form != "unclear":
            met = [(lies, join.a_half), (also, join.b_half)]
            assert all(half is None or tile.values[half] == number for tile, half in met)


def test_the_first_tile_stays_in_its_place_when_a_spinner_comes() -> None:
    shape, before = Shape.domino(), layout("A lays 1-2 at left")
    spinner = Placed(Tile((2, 2)), LineSpot("right"), 1, 2, spins=True)
    first, then = poses(before, shape)[1], poses((*before, spinner), shape)
    assert (then[1].x_mm, then[1].y_mm, then[1].angle_deg) == (first.x_mm, first.y_mm, first.angle_deg)
    offered = plan.offer(before, Place(1, Tile((2, 2)), LineSpot("right")), shape, spins=True)
    assert offered == then[2]
    assert offered.angle_deg == 90.0
