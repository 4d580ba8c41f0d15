"""The domino line."""

from __future__ import annotations

import pytest

from referee.laying import line
from referee.moves import LineSpot, Loose, Spot
from referee.state import Placed
from referee.tiles import Tile, domino_set


def laid(*tiles: tuple[str, Spot]) -> tuple[Placed, ...]:
    return tuple(Placed(Tile.parse(name), spot, 0) for name, spot in tiles)


LEFT, RIGHT = LineSpot("left"), LineSpot("right")


def test_the_first_tile_lies_with_its_smaller_number_to_the_left() -> None:
    assert line.ends(laid(("3-5", LEFT))) == (3, 5)
    assert line.ends(laid(("3-5", RIGHT))) == (3, 5)


def test_the_inner_half_of_a_first_tile_faces_away_from_its_end() -> None:
    assert line.ends(laid(("3-5", LineSpot("left", 3)))) == (5, 3)
    assert line.ends(laid(("3-5", LineSpot("right", 5)))) == (5, 3)


def test_a_tile_is_turned_so_that_equal_halves_touch() -> None:
    layout = laid(("1-1", LEFT), ("1-5", RIGHT), ("3-5", RIGHT), ("1-6", LEFT))
    assert [(link.left, link.right) for link in line.links(layout)] == [(6, 1), (1, 1), (1, 5), (5, 3)]
    assert line.ends(layout) == (6, 3)
    assert [line.open_number(layout, end) for end in line.ENDS] == [6, 3]


def test_a_double_leaves_its_own_number_open() -> None:
    assert line.ends(laid(("3-5", LEFT), ("5-5", RIGHT))) == (3, 5)


def test_a_tile_that_was_let_stand_leaves_its_other_half_open() -> None:
    assert line.ends(laid(("1-1", LEFT), ("3-5", LineSpot("right", 3)))) == (1, 5)
    assert line.ends(laid(("1-1", LEFT), ("3-5", LineSpot("left", 5)))) == (3, 1)


def test_a_loose_tile_is_no_part_of_the_line() -> None:
    layout = laid(("6-6", Loose()), ("1-2", LEFT), ("2-2", RIGHT))
    assert line.ends(layout) == (1, 2)
    assert [str(placed.tile) for placed in line.tiles_from(layout, "right")] == ["2-2", "1-2"]


def test_an_empty_table_has_no_ends() -> None:
    assert line.ends(()) is None
    with pytest.raises(ValueError, match="empty table"):
        line.open_number((), "left")


def test_a_line_is_dead_when_all_seven_tiles_of_each_open_number_lie() -> None:
    chain = ["0-6", "0-0", "0-1", "1-6", "6-6", "2-6", "2-3", "3-6", "4-6", "4-5", "5-6"]
    layout = laid(("0-6", LineSpot("left", 0)), *((name, RIGHT) for name in chain[1:]))
    assert line.ends(layout) == (6, 6)
    assert line.is_dead(layout, 6)
    assert not line.is_dead(layout[:-1], 6)
    assert not line.is_dead((), 6)


def test_a_line_is_dead_exactly_when_no_tile_left_fits() -> None:
    chain = ["0-6", "0-0", "0-1", "1-6", "6-6", "2-6", "2-3", "3-6", "4-6", "4-5", "5-6"]
    for count in range(1, len(chain) + 1):
        layout = laid(("0-6", LineSpot("left", 0)), *((name, RIGHT) for name in chain[1:count]))
        both = line.ends(layout) or ()
        left_over = set(domino_set(6)) - {placed.tile for placed in layout}
        assert line.is_dead(layout, 6) == (not any(n in tile.values for n in both for tile in left_over))
