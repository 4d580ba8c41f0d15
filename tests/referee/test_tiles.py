"""The sets, and the names of tiles."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tiles import Tile, domino_set, parse_values, triomino_set


def test_a_triomino_set_has_6_triples_30_pairs_and_20_of_three_numbers() -> None:
    kinds = Counter(len(set(tile.values)) for tile in triomino_set(5))
    assert kinds == {1: 6, 2: 30, 3: 20}


def test_all_corners_of_a_triomino_set_add_up_to_420() -> None:
    assert sum(tile.total for tile in triomino_set(5)) == 420


def test_a_double_six_set_has_28_tiles_7_doubles_and_168_pips() -> None:
    tiles = domino_set(6)
    assert len(set(tiles)) == 28
    assert sum(tile.is_uniform for tile in tiles) == 7
    assert sum(tile.total for tile in tiles) == 168
    assert tiles.count(Tile((0, 0))) == 1


def test_numbers_up_to_six_would_make_84_triominoes() -> None:
    assert len(set(triomino_set(6))) == 84


def test_a_triomino_may_be_turned_but_not_mirrored() -> None:
    assert Tile((2, 0, 1)) == Tile((0, 1, 2))
    assert Tile((0, 2, 1)) != Tile((0, 1, 2))


@given(st.lists(st.integers(0, 12), min_size=2, max_size=3).map(tuple))
def test_a_tile_reads_back_from_its_name_in_any_rotation(values: tuple[int, ...]) -> None:
    tile = Tile(values)
    assert Tile.parse(str(tile)) == tile
    assert Tile(values[1:] + values[:1]) == tile


@pytest.mark.parametrize("text", ["", "5", "1-2-3-4", "a-b", "1--2", "-1-2", "1 - 2", "²-1"])
def test_what_is_no_tile_is_refused_with_what_came(text: str) -> None:
    with pytest.raises(ValueError, match="expected a tile") as error:
        parse_values(text)
    assert repr(text) in str(error.value)
