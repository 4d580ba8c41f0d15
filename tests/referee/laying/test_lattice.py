"""The triangular lattice: neighbours, contacts, gaps."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.laying.lattice import Cell, cells_around, centre, contact, gaps, position

cells = st.builds(Cell, st.integers(-9, 9), st.integers(-9, 9), st.sampled_from("UD"))


@given(cells)
def test_neighbours_share_the_two_vertices_of_their_side(cell: Cell) -> None:
    for side, other in enumerate(cell.neighbours):
        assert cell in other.neighbours
        assert set(cell.vertices) & set(other.vertices) == {cell.vertices[side], cell.vertices[(side + 1) % 3]}


@given(cells)
def test_six_cells_meet_in_every_vertex_of_a_cell(cell: Cell) -> None:
    for vertex in cell.vertices:
        around = cells_around(vertex)
        assert cell in around
        assert len(set(around)) == 6
        assert all(vertex in other.vertices for other in around)


@given(cells)
def test_a_cell_is_a_triangle_of_unit_sides_clockwise_from_above(cell: Cell) -> None:
    a, b, c = (position(vertex) for vertex in cell.vertices)
    assert [round(dist(*side), 6) for side in ((a, b), (b, c), (c, a))] == [1, 1, 1]
    assert (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0
    assert centre(cell) == pytest.approx(((a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3))


@given(cells)
def test_a_cell_reads_back_from_its_name(cell: Cell) -> None:
    assert Cell.parse(str(cell)) == cell


@pytest.mark.parametrize("text", ["", "0,0", "0,0,X", "a,0,U", "0,0,U,U"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a cell"):
        Cell.parse(text)


def test_a_number_that_differs_on_a_side_is_told_from_one_at_a_bare_corner() -> None:
    board = {Cell(0, 0, "U"): (1, 2, 3)}
    on_side = contact(board, Cell(0, 0, "D"), (3, 1, 0))
    at_corner = contact(board, Cell(-1, 0, "U"), (0, 0, 5))
    assert (on_side.side_clash, on_side.corner_clash, on_side.sides) == (True, False, 1)
    assert (at_corner.side_clash, at_corner.corner_clash, at_corner.sides) == (False, True, 0)


def test_the_last_cell_round_a_vertex_closes_a_hexagon() -> None:
    around = cells_around((0, 0))
    board = dict.fromkeys(around[:-1], (4, 4, 4))
    assert contact(board, around[-1], (4, 4, 4)).hexagons == 1
    assert contact(dict(list(board.items())[1:]), around[-1], (4, 4, 4)).hexagons == 0


def test_a_gap_asks_for_the_numbers_that_lie_at_its_vertices() -> None:
    found = {gap.cell: gap for gap in gaps({Cell(0, 0, "U"): (1, 2, 3)})}
    assert len(found) == 12
    assert found[Cell(0, 0, "D")].asks == (3, 2, None)
    assert found[Cell(0, 0, "D")].sides == 1
    assert sum(gap.sides for gap in found.values()) == 3


def test_where_tiles_disagree_about_a_vertex_there_is_no_gap() -> None:
    board = {Cell(0, 0, "U"): (1, 2, 3), Cell(-1, 0, "D"): (1, 4, 4)}
    assert all((0, 1) not in gap.cell.vertices for gap in gaps(board))


@given(st.dictionaries(cells.filter(lambda cell: abs(cell.x) + abs(cell.y) < 4), st.tuples(*[st.integers(0, 2)] * 3)))
def test_a_tile_that_a_gap_takes_touches_without_a_clash(board: dict[Cell, tuple[int, ...]]) -> None:
    for gap in gaps(board):
        for values in ((0, 0, 1), (1, 2, 0), (2, 2, 2)):
            facts = contact(board, gap.cell, values)
            assert facts.corners
            assert facts.sides == gap.sides
            assert gap.takes(values) == (not facts.side_clash and not facts.corner_clash)
