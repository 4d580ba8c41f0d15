"""Long layouts that fit no grid, photographed: each tile is found where it was laid, by the tiles beside it alone."""

from __future__ import annotations

from random import Random

import pytest

from referee.laying import line
from referee.laying.contact import outline, separation
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen import placing
from referee.seen.following import SURE
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape, Tile, domino_set, triomino_set
from tests.referee.seen.test_drift import HABITS, cells, drift_sides, in_cell, line_poses
from vision.kinds import kinds
from vision.virtual import Direction, Lay, Lying, Spread, VirtualTable, Wait, profile_for
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting
from vision.watch import Watcher

SHAPES = {"triomino": Shape.triomino(), "domino": Shape.domino()}
MAT_MM, RIM_MM, MARKER_MM = (600.0, 400.0), 16.0, 60.0
HABIT = HABITS["turning"]
CHAIN = 16


def is_on_mat(tile: SeenTile) -> bool:
    """True for a tile that lies on the mat and on none of its markers."""
    corners = outline(tile, SHAPES[tile.kind])
    inside = all(RIM_MM < x < MAT_MM[0] - RIM_MM and RIM_MM < y < MAT_MM[1] - RIM_MM for x, y in corners)
    ends = [(min(x, MAT_MM[0] - x), min(y, MAT_MM[1] - y)) for x, y in corners]
    return inside and not any(x < MARKER_MM and y < MARKER_MM for x, y in ends)


def triominoes(random: Random) -> tuple[Anchor, ...]:
    """Fifty tiles, each laid against one neighbour, none on another."""
    tiles = list(triomino_set(5))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("triomino", first.values, 300.0, 200.0, random.uniform(-180, 180))
    anchors: tuple[Anchor, ...] = (Anchor(Placed(first, CellSpot(placing.FIRST_CELL, first.values), 0), pose),)
    full: set[object] = set()
    while len(anchors) < 50:
        taken = set(cells(anchors))
        free = sorted({near for each in taken for near in each.neighbours} - taken - full)
        cell, tile, turn = random.choice(free), tiles[-1], random.randrange(3)
        spot = CellSpot(cell, tile.values[turn:] + tile.values[:turn])
        seen = in_cell(anchors, tile, spot, HABIT, random)
        corners = outline(seen, SHAPES["triomino"])
        others = (outline(each, SHAPES["triomino"]) for each in cells(anchors).values())
        if not is_on_mat(seen) or min(separation(corners, other) for other in others) < -0.8:
            full.add(cell)
            continue
        tiles.pop()
        anchors = (*anchors, Anchor(Placed(tile, spot, 0), placing.aligned(anchors, seen, spot, SHAPES["triomino"])))
    return anchors


def dominoes(random: Random) -> tuple[Anchor, ...]:
    """A chain with bends and crosswise doubles that keeps off itself, as long as the mat lets it grow."""
    tiles = list(domino_set(6))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("domino", first.values, 300.0, 200.0, random.uniform(-180, 180))
    anchors: tuple[Anchor, ...] = (Anchor(Placed(first, LineSpot("left"), 0), pose),)
    for tile in tiles:
        if len(anchors) == CHAIN:
            break
        ways = [(LineSpot(end, inner), tile) for end in line.ENDS for inner in sorted(set(tile.values))]
        random.shuffle(ways)
        for spot, _ in ways:
            poses = line_poses(anchors, tile, spot, HABIT, random, 4.5)
            seen = next((each for each in poses if is_on_mat(each)), None)
            if seen is not None:
                anchors = (*anchors, Anchor(Placed(tile, spot, 0), seen))
                break
    return anchors


def photographed(anchors: tuple[Anchor, ...], kind: str) -> dict[tuple[int, ...], SeenTile]:
    """The tiles of a layout as the eye sees them, by their numbers: laid one by one, or all lying there."""
    seen = [each.seen for each in anchors if each.seen is not None]
    script: tuple[Direction, ...] = tuple(Lay(kind, each.values, *_pose(each), 90.0) for each in seen)
    if kind == "triomino":
        script = (Spread(kind, tuple(Lying(each.values, *_pose(each)) for each in seen), 90.0), Wait(40))
    name = f"stage=unused&kind={kind}&seed=11&size=1280x880"
    camera = VirtualTable(Setting.parse(name), ScriptStage(script))
    eye = Watcher(profile_for(name), max(max(each.values) for each in seen), kinds()[kind])
    told = (eye.see(frame) for frame in iter(camera.read, None))
    last = [sighting for sighting in told if sighting is not None and not sighting.busy][-1]
    return {tile.values: tile for tile in last.tiles if tile.confidence >= SURE}


def _pose(seen: SeenTile) -> tuple[float, float, float]:
    return seen.x_mm, seen.y_mm, seen.angle_deg


@pytest.mark.parametrize("kind", ["triomino", "domino"])
def test_each_tile_of_a_long_layout_is_found_where_it_was_laid(kind: str) -> None:
    laid = triominoes(Random(3)) if kind == "triomino" else dominoes(Random(5))
    assert len(laid) >= (50 if kind == "triomino" else CHAIN)
    seen = photographed(laid, kind)
    anchors: tuple[Anchor, ...] = ()
    wrong: list[tuple[Tile, Spot, object]] = []
    for each in laid:
        tile, spot = each.placed.tile, each.placed.spot
        now = seen.get(tile.values)
        if now is None:
            wrong.append((tile, spot, "not seen"))
            continue
        found = placing.spot_of(anchors, now, SHAPES[kind])
        if anchors and found != spot:
            wrong.append((tile, spot, found))
        anchors = (*anchors, Anchor(each.placed, placing.aligned(anchors, now, spot, SHAPES[kind])))
    assert wrong == []
    if kind == "triomino":
        assert drift_sides(laid) > 0.1
