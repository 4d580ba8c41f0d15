"""Between spots of the record and poses on the table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee import people
from referee.laying import line
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Loose
from referee.seen import placing
from referee.seen.placing import Anchor, Unclear
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape, Tile, domino_set, triomino_set

TRIANGLES = Shape.triomino()
BONES = Shape.domino()


def grown_lattice(random: Random, count: int) -> tuple[Anchor, ...]:
    """A layout grown side by side, every tile laid a little askew from where its neighbours have it."""
    tiles = list(triomino_set(5))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("triomino", first.values, 300.0, 200.0, random.uniform(-180, 180))
    anchors = [Anchor(Placed(first, CellSpot(placing.FIRST_CELL, first.values), 0), pose)]
    while len(anchors) < count:
        taken = {anchor.placed.spot.cell for anchor in anchors}  # type: ignore[union-attr]  # all are cells here
        cell = random.choice(sorted({c for t in taken for c in t.neighbours} - taken))
        tile = tiles.pop()
        turn = random.randrange(3)
        spot = CellSpot(cell, tile.values[turn:] + tile.values[:turn])
        pose = next(placing.poses_of(tuple(anchors), tile, spot, TRIANGLES))
        laid = people.jittered(pose, random)
        if tile.is_uniform:
            laid = replace(laid, angle_deg=laid.angle_deg + 120 * random.randrange(3))
        assert placing.spot_of(tuple(anchors), laid, TRIANGLES) == same_tile(spot, tile)
        laid = placing.aligned(tuple(anchors), laid, spot, TRIANGLES)
        anchors.append(Anchor(Placed(tile, spot, 0), laid))
    return tuple(anchors)


def same_tile(spot: CellSpot, tile: Tile) -> CellSpot:
    return spot if not tile.is_uniform else CellSpot(spot.cell, tile.values)


# a triple was once taken to lie as it happened to be seen, and its neighbours were looked for in wrong cells
@pytest.mark.parametrize("seed", range(12))
def test_a_triomino_is_found_in_the_cell_it_was_laid_in_however_the_layout_drifts(seed: int) -> None:
    assert len(grown_lattice(Random(seed), 30)) == 30


def test_a_triomino_far_from_all_others_is_loose() -> None:
    anchors = grown_lattice(Random(1), 3)
    assert placing.spot_of(anchors, SeenTile("triomino", (1, 2, 3), 40.0, 350.0, 10.0), TRIANGLES) == Loose()


def test_a_triomino_half_way_between_two_cells_is_unclear() -> None:
    anchors = grown_lattice(Random(1), 1)
    seen = anchors[0].seen
    beside = next(placing.poses_of(anchors, Tile((0, 1, 2)), CellSpot(Cell(0, 0, "D"), (0, 1, 2)), TRIANGLES))
    between = replace(beside, x_mm=beside.x_mm + 0.5 * (beside.x_mm - seen.x_mm), angle_deg=beside.angle_deg + 40)
    assert placing.spot_of(anchors, between, TRIANGLES) == Unclear()


def grown_line(random: Random, count: int) -> None:
    """A line that turns corners at random, doubles crosswise or not; each tile must be found again."""
    tiles = list(domino_set(6))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("domino", first.values, 0.0, 0.0, random.uniform(-180, 180))
    anchors = [Anchor(Placed(first, LineSpot("left"), 0), pose)]
    while len(anchors) < count and tiles:
        tile = tiles.pop()
        now = tuple(anchors)
        spot = LineSpot(random.choice(line.ENDS), random.choice(tile.values))
        poses = [
            candidate
            for candidate in placing.poses_of(now, tile, spot, BONES)
            if people.keeps_clear(candidate, [anchor.seen for anchor in now], BONES)
        ]
        if not poses:
            continue
        laid = people.jittered(random.choice(poses), random)
        assert placing.spot_of(now, laid, BONES) == spot, (len(now), tile, laid)
        anchors.append(Anchor(Placed(tile, spot, 0), laid))


@pytest.mark.parametrize("seed", range(25))
def test_a_domino_is_found_at_the_end_it_was_laid_at_straight_or_round_a_corner(seed: int) -> None:
    grown_line(Random(seed), 16)


def test_a_domino_against_the_flank_of_an_inner_tile_is_unclear() -> None:
    row = [
        Anchor(Placed(Tile((1, 2)), LineSpot("left"), 0), SeenTile("domino", (1, 2), 0.0, 0.0, 0.0)),
        Anchor(Placed(Tile((2, 3)), LineSpot("right", 2), 0), SeenTile("domino", (2, 3), 48.5, 0.0, 0.0)),
        Anchor(Placed(Tile((3, 4)), LineSpot("right", 3), 0), SeenTile("domino", (3, 4), 97.0, 0.0, 0.0)),
    ]
    beside = SeenTile("domino", (0, 5), 48.5, 36.5, 90.0)
    assert placing.spot_of(tuple(row), beside, BONES) == Unclear()


def test_a_domino_beside_the_line_is_loose() -> None:
    row = (Anchor(Placed(Tile((1, 2)), LineSpot("left"), 0), SeenTile("domino", (1, 2), 0.0, 0.0, 0.0)),)
    assert placing.spot_of(row, SeenTile("domino", (0, 5), 0.0, 120.0, 0.0), BONES) == Loose()


def test_both_ends_of_a_lone_first_tile_are_told_apart() -> None:
    row = (Anchor(Placed(Tile((1, 2)), LineSpot("left"), 0), SeenTile("domino", (1, 2), 0.0, 0.0, 0.0)),)
    before = SeenTile("domino", (0, 1), -48.5, 0.0, 0.0)
    after = SeenTile("domino", (2, 5), 48.5, 0.0, 0.0)
    assert placing.spot_of(row, before, BONES) == LineSpot("left", 1)
    assert placing.spot_of(row, after, BONES) == LineSpot("right", 2)


def test_tiles_on_the_two_flanks_of_a_first_double_lie_at_the_two_ends() -> None:
    row = (Anchor(Placed(Tile((6, 6)), LineSpot("left"), 0), SeenTile("domino", (6, 6), 0.0, 0.0, 90.0)),)
    one = placing.spot_of(row, SeenTile("domino", (0, 6), -36.5, 0.0, 0.0), BONES)
    other = placing.spot_of(row, SeenTile("domino", (5, 6), 36.5, 0.0, 180.0), BONES)
    assert isinstance(one, LineSpot)
    assert isinstance(other, LineSpot)
    assert {one.end, other.end} == {"left", "right"}
    assert one.inner == other.inner == 6
