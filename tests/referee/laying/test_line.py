"""The domino line."""

from __future__ import annotations

from dataclasses import replace

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


# --- arms -------------------------------------------------------------------------------------------------


def crossed(*tiles: tuple[str, Spot]) -> tuple[Placed, ...]:
    """A layout in which the first double of the line is the spinner."""
    layout = laid(*tiles)
    first = next(n for n, placed in enumerate(layout) if placed.tile.is_uniform and placed.spot in (LEFT, RIGHT))
    return (*layout[:first], replace(layout[first], spins=True), *layout[first + 1 :])


UP, DOWN = LineSpot("up"), LineSpot("down")
CROSS = (("5-5", LEFT), ("0-5", RIGHT), ("5-6", LEFT), ("4-5", UP), ("4-4", UP), ("2-5", DOWN))


def test_the_arms_of_a_spinner_are_open_once_both_its_sides_in_the_line_are_covered() -> None:
    assert [tuple(line.open_numbers(crossed(*CROSS[:count]))) for count in (1, 2, 3)] == [
        ("left", "right"),
        ("left", "right"),
        ("left", "right", "up", "down"),
    ]
    assert line.open_numbers(crossed(*CROSS[:4])) == {"left": 6, "right": 0, "up": 4, "down": 5}


def test_a_spinner_that_comes_later_is_covered_by_the_tile_it_was_laid_against() -> None:
    later = (("1-2", LEFT), ("2-2", RIGHT), ("2-6", RIGHT))
    assert tuple(line.open_numbers(crossed(*later[:2]))) == ("left", "right")
    assert line.open_numbers(crossed(*later)) == {"left": 1, "right": 6, "up": 2, "down": 2}


def test_the_tiles_of_an_arm_lead_from_its_end_to_the_spinner() -> None:
    assert [str(placed.tile) for placed in line.tiles_from(crossed(*CROSS), "up")] == ["4-4", "4-5", "5-5"]
    assert [str(placed.tile) for placed in line.tiles_from(crossed(*CROSS[:3]), "down")] == ["5-5"]
    assert line.tiles_from(laid(*CROSS[:3]), "down") == ()
    assert [str(link.placed.tile) for link in line.links(crossed(*CROSS))] == ["5-6", "5-5", "0-5"]


def test_every_two_tiles_that_join_meet_in_a_number() -> None:
    met = {(str(one.tile), str(other.tile)): number for one, other, number in line.joints(crossed(*CROSS))}
    assert met == {("5-6", "5-5"): 5, ("5-5", "0-5"): 5, ("5-5", "4-5"): 5, ("4-5", "4-4"): 4, ("5-5", "2-5"): 5}


def test_without_a_spinner_a_tile_at_an_arm_lies_beside_the_line() -> None:
    layout = laid(*CROSS[:4])
    assert (line.ends(layout), line.arm(layout, "up")) == ((6, 0), ())
    with pytest.raises(ValueError, match="no spinner"):
        line.open_number(layout, "up")


def test_a_line_with_arms_is_dead_only_when_the_numbers_of_all_of_them_are_used_up() -> None:
    zeros = ("0-0", "0-1", "0-2", "0-3", "0-4", "0-6")
    layout = (*crossed(("5-5", LEFT), ("0-5", RIGHT)), *laid(*((name, Loose()) for name in zeros)))
    fives = laid(*((name, Loose()) for name in ("1-5", "2-5", "3-5", "4-5")))
    assert not line.is_dead(layout, 6)
    assert not line.is_dead((*layout, *fives), 6)
    assert line.is_dead((*layout, *fives, *laid(("5-6", Loose()))), 6)
