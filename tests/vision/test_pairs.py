"""Halves of dominoes paired rightly: a divider told from a gap, and blocks of touching dominoes read as they lie."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tiles import DOMINO, Shape, smallest_rotation
from vision.kinds import Image, Points, Style, domino, kinds
from vision.kinds.paint import Canvas
from vision.scenes import Brief, Picture, Piece, TileSet, draw_session, photograph, plain_set
from vision.still import look, pairs
from vision.still.candidate import Candidate
from vision.still.reading import read_all

LENGTH, WIDTH = 48.0, 24.0
STYLES = (
    Style(),
    Style(face=(40, 38, 36), ink=(225, 230, 235), side=(30, 28, 28), pin=None),
    Style(face=(235, 238, 240), pin=None, variant=8),  # dividers that are far from the sides
)


def block(columns: int, rows: int, seed: int) -> Picture:
    """A picture of dominoes that lie side by side and end to end, all the same way, turned as a whole."""
    random = np.random.default_rng(seed)
    tiles = plain_set(Shape.domino(LENGTH, WIDTH, 8), STYLES[seed % len(STYLES)], 6)
    brief = Brief((1.6, 2.6), (900, 800), tilt_deg=(0, 4), harsh=0.0, grounds=("felt",), worn=0.0)
    session = draw_session(random, tiles, brief)
    every = list(combinations_with_replacement(range(7), 2))
    random.shuffle(every)
    turn, gap = float(random.uniform(0, 360)), float(random.uniform(0, 0.6))
    cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    x_mm, y_mm = session.inside.middle
    pieces = []
    for place in range(columns * rows):
        along = (LENGTH + gap) * (place % columns - (columns - 1) / 2)
        across = (WIDTH + gap) * (place // columns - (rows - 1) / 2)
        x, y = x_mm + along * cos - across * sin, y_mm + along * sin + across * cos
        pieces.append(Piece(DOMINO, every[place % len(every)], float(x), float(y), turn))
    return photograph(session, pieces, random)


def outlines(picture: Picture) -> list[Points]:
    return [np.asarray(tile.outline_px, float) for tile in picture.tiles]


def crosswise(one: Points, other: Points) -> list[Points]:
    """Both pairs of halves of two dominoes side by side, as if each were a domino."""
    (_, left, right, _), (other_left, _, _, other_right) = one, other
    middle, other_middle = (left + right) / 2, (other_left + other_right) / 2
    return [np.stack([left, middle, other_middle, other_left]), np.stack([middle, right, other_right, other_middle])]


def surely_read(image: Image, found: list[Points]) -> list[tuple[int, ...]]:
    read = read_all(image, kinds()[DOMINO], [Candidate(corners, 0.9) for corners in found], 6)
    return sorted(smallest_rotation(one.reading.values) for one in read if one.is_sure)


@pytest.mark.parametrize("seed", range(6))
def test_a_divider_leaves_the_face_of_one_piece_and_a_gap_does_not(seed: int) -> None:
    picture = block(1, 4, seed)
    true = outlines(picture)
    false = [pair for one, other in pairwise(true) for pair in crosswise(one, other)]
    shown = pairs.middles(picture.image, [*true, *false])
    assert shown.like_dominoes[:4].min() > shown.like_dominoes[4:].max() + 0.2


@pytest.mark.parametrize("seed", range(6))
def test_fixed_halves_of_neighbours_side_by_side_are_paired_as_they_belong_together(seed: int) -> None:
    picture = block(1, 2, seed)
    true = outlines(picture)
    values = sorted(smallest_rotation(tile.piece.values) for tile in picture.tiles)
    assert surely_read(picture.image, crosswise(*true)) == values
    assert surely_read(picture.image, true) == values


@pytest.mark.parametrize(("columns", "rows", "seed"), [(1, 6, 1), (2, 4, 2), (3, 3, 0), (2, 5, 4), (4, 3, 5)])
def test_fixed_a_solid_block_of_dominoes_is_read_as_it_lies_or_asked_about(columns: int, rows: int, seed: int) -> None:
    picture = block(columns, rows, seed)
    left = {id(tile): tile for tile in picture.tiles}
    seen = [tile for tile in look(picture.image, DOMINO, 6).tiles if tile.is_sure]
    for one in seen:
        middle = one.corners.mean(0)
        near = min(left.values(), key=lambda tile: float(np.hypot(*(np.mean(tile.outline_px, 0) - middle))))
        assert np.hypot(*(np.mean(near.outline_px, 0) - middle)) < 8
        assert one.seen.values == smallest_rotation(near.piece.values)
        del left[id(near)]
    assert len(seen) >= 0.9 * len(picture.tiles)


@given(st.floats(0, 2 * np.pi), st.floats(8, 200), st.tuples(st.floats(-500, 500), st.floats(-500, 500)))
def test_the_other_pairs_are_dominoes_that_share_one_half_each(turn: float, half: float, middle: tuple) -> None:
    way = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-way[1], way[0]])
    corners = middle + np.array([(-2, 1), (-2, -1), (2, -1), (2, 1)]) @ np.stack([way, across]) * half
    others = pairs.other_pairs(corners)
    assert len(pairs.distinct(others, [corners])) == 6
    shared = pairs.overlapping([corners], list(others), 0.49), pairs.overlapping([corners], list(others), 0.51)
    assert shared[0].all()
    assert not shared[1].any()
    sides = np.linalg.norm(np.roll(others, -1, 1) - others, axis=2)
    assert sides == pytest.approx(np.tile([2 * half, 4 * half], (6, 2)))


def test_dominoes_that_may_be_paired_either_way_are_contested() -> None:
    true = [np.array([(0.0, y + 20), (0, y), (40, y), (40, y + 20)]) for y in (0.0, 20.0)]
    either = [*true, *crosswise(*true)]
    alike = np.array([0.9, 0.9, 0.8, 0.8])
    assert pairs.contested(either, alike, [0, 1]) == [0, 1]
    assert pairs.contested(either, np.array([0.9, 0.9, 0.1, 0.1]), [0, 1]) == []
    assert pairs.contested(either[:3], alike[:3], [0, 1]) == []


@pytest.mark.parametrize("seed", [3, 5])
def test_fixed_dividers_from_side_to_side_do_not_part_the_dominoes_that_bear_them(seed: int) -> None:
    """Broad and black, they pass for gaps; then half a tile and the bare ground beside it would be a tile with a 0."""
    style = Style(face=(211, 225, 219), ink=(33, 35, 25), pin=None)
    make = domino.Make(divider=0.073, divider_reach=1.0, pin=0.15, pip=0.11)

    def paint(values: tuple[int, ...], scale: int, wear: float, random: np.random.Generator) -> Canvas:  # never worn
        return domino.paint(values, style, make, scale)

    random = np.random.default_rng(seed)
    tiles = TileSet(Shape.domino(LENGTH, WIDTH, 8), paint, style.side, 6)
    brief = Brief((2.5, 2.5), (640, 480), tilt_deg=(0, 2), harsh=0.0, grounds=("felt",), worn=0.0)
    session = draw_session(random, tiles, brief)
    x_mm, y_mm = session.seen.middle
    values = [(0, 1), (0, 2), (1, 3), (2, 5), (3, 4), (4, 6)]
    pieces = [
        Piece(DOMINO, each, x_mm + 66 * (n % 3 - 1), y_mm + 66 * (n // 3 - 0.5), float(random.uniform(0, 360)))
        for n, each in enumerate(values)
    ]
    seen = look(photograph(session, tuple(pieces), random).image, DOMINO, 6).tiles
    assert sorted(tile.seen.values for tile in seen if tile.is_sure) == values
