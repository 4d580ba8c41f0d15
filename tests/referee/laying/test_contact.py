"""Touching tiles: which halves and corners meet, in any unit and at any turn of the table."""

from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.laying.contact import domino_join, outline, separation, triomino_touch
from referee.laying.lattice import Cell, centre
from referee.sighting import SeenTile
from referee.tiles import Shape

DOMINO = Shape.domino(48, 24)
SIDE = 40.0
TRIOMINO = Shape.triomino(SIDE)


def domino(x, y, angle=0.0, values=(1, 2)):
    return SeenTile("domino", values, x, y, angle)


def triomino(cell, turn=0, shift=(0.0, 0.0)):
    """A tile in a lattice cell whose first number lies at vertex `turn`; y of the lattice points up."""
    x, y = centre(cell)
    angle = {"U": 150.0, "D": 90.0}[cell.half] + 120 * turn
    return SeenTile("triomino", (0, 1, 2), SIDE * x + shift[0], -SIDE * y + shift[1], angle)


def spun(tile, degrees, scale=1.0, by=(0.0, 0.0)):
    """The same tile on a table that was turned, enlarged and moved."""
    turn = radians(degrees)
    x = scale * (tile.x_mm * cos(turn) - tile.y_mm * sin(turn)) + by[0]
    y = scale * (tile.x_mm * sin(turn) + tile.y_mm * cos(turn)) + by[1]
    return SeenTile(tile.kind, tile.values, x, y, tile.angle_deg + degrees)


def test_two_dominoes_end_to_end_touch_with_the_halves_that_meet():
    join = domino_join(domino(0, 0), domino(49, 1), DOMINO)
    assert (join.a_half, join.b_half, join.form) == (1, 0, "end")


def test_a_turned_domino_meets_with_its_other_half():
    join = domino_join(domino(0, 0), domino(49, 0, 180), DOMINO)
    assert (join.a_half, join.b_half) == (1, 1)
    join = domino_join(domino(0, 0), domino(-49, 0, 180), DOMINO)
    assert (join.a_half, join.b_half) == (0, 0)


def test_dominoes_a_sixth_of_a_width_apart_do_not_touch():
    assert domino_join(domino(0, 0), domino(48 + 4.2, 0), DOMINO) is None
    assert domino_join(domino(0, 0), domino(48 + 3, 0), DOMINO) is not None


def test_an_end_at_the_side_of_a_half_is_a_bend():
    lying, ending = domino(0, 0), domino(12, 37, 90)
    join = domino_join(lying, ending, DOMINO)
    assert (join.a_half, join.b_half, join.form) == (1, 0, "bend")
    join = domino_join(ending, lying, DOMINO)
    assert (join.a_half, join.b_half, join.form) == (0, 1, "bend")


def test_an_end_at_the_middle_of_a_double_joins_the_double():
    join = domino_join(domino(0, 0), domino(37, 2, 90, (3, 3)), DOMINO)
    assert (join.a_half, join.b_half, join.form) == (1, None, "middle")


@pytest.mark.parametrize(
    "other",
    [
        domino(37, 0, 90),  # the middle of a tile that is no double
        domino(37, 6, 90),  # between a half and the middle
        domino(0, 24.5),  # long side to long side
        domino(48, 24.5),  # corners
        domino(36, 35, 90),  # corners, at right angles
        domino(48, 12),  # half an end
        domino(40, 20, 45),  # no right angle
        domino(30, 0),  # one lies on the other
    ],
)
def test_contacts_that_no_rule_speaks_of_are_unclear(other):
    join = domino_join(domino(0, 0), other, DOMINO)
    assert (join.a_half, join.b_half, join.form) == (None, None, "unclear")


@given(
    st.floats(-180, 180),
    st.floats(0.2, 8),
    st.floats(-500, 500),
    st.sampled_from([domino(49, 1, 3), domino(12, 37, 90), domino(37, 0, 90, (4, 4)), domino(0, 24.5), domino(80, 0)]),
)
def test_a_join_does_not_depend_on_where_the_camera_stands_or_on_the_unit(degrees, scale, shift, other):
    shape = Shape.domino(48 * scale, 24 * scale)
    a, b = (spun(tile, degrees, scale, (shift, -shift)) for tile in (domino(0, 0), other))
    assert domino_join(a, b, shape) == domino_join(domino(0, 0), other, DOMINO)


@given(st.floats(-60, 60), st.floats(-60, 60), st.floats(0, 360))
def test_a_join_is_the_same_seen_from_either_domino(x, y, angle):
    one, other = domino(0, 0), domino(x, y, angle)
    ab, ba = domino_join(one, other, DOMINO), domino_join(other, one, DOMINO)
    assert (ab is None) == (ba is None)
    if ab and ba:
        assert (ab.a_half, ab.b_half, ab.form) == (ba.b_half, ba.a_half, ba.form)


def test_the_outline_of_a_domino_starts_at_its_first_half():
    corners = outline(domino(0, 0), DOMINO)
    assert [(round(x), round(y)) for x, y in corners] == [(-24, 12), (-24, -12), (24, -12), (24, 12)]


def test_separation_is_the_gap_and_turns_negative_when_tiles_overlap():
    here = outline(domino(0, 0), DOMINO)
    assert separation(here, outline(domino(53, 0), DOMINO)) == pytest.approx(5)
    assert separation(here, outline(domino(51, 28), DOMINO)) == pytest.approx(5)
    assert separation(here, outline(domino(44, 0), DOMINO)) == pytest.approx(-4)


def lattice_pairs(one, other):
    return {
        (i, j)
        for i, vertex in enumerate(one.vertices)
        for j, other_vertex in enumerate(other.vertices)
        if vertex == other_vertex
    }


NEAR = [Cell(x, y, half) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) for half in "UD"]


@given(st.sampled_from("UD"), st.sampled_from(NEAR), st.floats(-180, 180), st.floats(-2, 2), st.floats(-2, 2))
def test_triominoes_touch_exactly_where_the_lattice_says(half, other, degrees, dx, dy):
    here = Cell(0, 0, half)
    if other == here:
        return
    touch = triomino_touch(spun(triomino(here), degrees), spun(triomino(other, 0, (dx, dy)), degrees), TRIOMINO)
    pairs = lattice_pairs(here, other)
    if not pairs:
        assert touch is None
    else:
        assert set(touch.pairs) == pairs
        assert touch.form == ("side" if len(pairs) == 2 else "corner")


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_the_numbers_of_a_turned_triomino_keep_their_corners(turn):
    touch = triomino_touch(triomino(Cell(0, 0, "U")), triomino(Cell(0, 0, "D"), turn), TRIOMINO)
    shifted = {(i, (j - turn) % 3) for i, j in lattice_pairs(Cell(0, 0, "U"), Cell(0, 0, "D"))}
    assert set(touch.pairs) == shifted


@pytest.mark.parametrize(
    "other",
    [
        spun(triomino(Cell(0, 0, "D")), 0, by=(7, 12)),  # slid along the common side
        spun(triomino(Cell(0, 0, "D")), 0, by=(-8, 6)),  # on top of the other
        SeenTile("triomino", (0, 1, 2), 41, -23, 90 + 30),  # against a side but twisted
    ],
)
def test_triominoes_between_two_places_are_unclear(other):
    touch = triomino_touch(triomino(Cell(0, 0, "U")), other, TRIOMINO)
    assert touch.form == "unclear"
    assert touch.pairs == ()


def test_an_end_across_the_seam_of_two_dominoes_tells_which_halves_it_lies_against():
    left, right, ending = domino(0, 0), domino(49, 0), domino(24.5, 37, 90)
    assert domino_join(left, ending, DOMINO).meets == ((1, 0),)
    assert domino_join(ending, right, DOMINO).meets == ((0, 0),)
    assert domino_join(left, domino(12, 37, 90), DOMINO).meets == ()
