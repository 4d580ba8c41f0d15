"""Layouts as people really lay them: tile by tile a little off, so that in the end nothing fits one grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from random import Random

import pytest

from referee import games
from referee.journal import Journal
from referee.laying import lattice, line
from referee.laying.contact import outline, separation
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen import placing
from referee.seen.placing import Anchor, Unclear
from referee.sighting import SeenTile
from referee.state import Phase, Placed
from referee.table import Table
from referee.tiles import Shape, Tile, domino_set, triomino_set
from referee.umpire import Match
from tests.referee.seeing import Camera, Lamp

TRIANGLES, BONES = Shape.triomino(), Shape.domino()
COUNT = 50


@dataclass(frozen=True)
class Habit:
    """How people lay a tile beside another: how far off and askew at most, and always a little so."""

    off_mm: float
    askew_deg: float
    apart_mm: float = 0.0
    aside_mm: float = 0.0
    turned_deg: float = 0.0


HABITS = {
    "careful": Habit(0.6, 1.2),
    "gaps": Habit(1.0, 2.0, apart_mm=0.7),
    "turning": Habit(0.8, 1.5, aside_mm=0.4, turned_deg=0.6),
    "careless": Habit(1.4, 2.8, apart_mm=0.5, aside_mm=0.3, turned_deg=0.2),
}


def beside(base: SeenTile, pose: SeenTile, habit: Habit, random: Random) -> SeenTile:
    """A tile that was meant for a pose beside another, as it comes to lie."""
    away_mm = hypot(pose.x_mm - base.x_mm, pose.y_mm - base.y_mm)
    x, y = (pose.x_mm - base.x_mm) / away_mm, (pose.y_mm - base.y_mm) / away_mm
    apart, aside = habit.apart_mm, habit.aside_mm
    return replace(
        pose,
        x_mm=pose.x_mm + apart * x - aside * y + random.uniform(-habit.off_mm, habit.off_mm),
        y_mm=pose.y_mm + apart * y + aside * x + random.uniform(-habit.off_mm, habit.off_mm),
        angle_deg=pose.angle_deg + habit.turned_deg + random.uniform(-habit.askew_deg, habit.askew_deg),
    )


# --- triominoes ---------------------------------------------------------------------------------------


def cells(anchors: tuple[Anchor, ...]) -> dict[lattice.Cell, SeenTile]:
    return {a.placed.spot.cell: a.seen for a in anchors if isinstance(a.placed.spot, CellSpot) and a.seen}


def in_cell(anchors: tuple[Anchor, ...], tile: Tile, spot: CellSpot, habit: Habit, random: Random) -> SeenTile:
    """A tile laid into a cell: against one of its neighbours, whichever comes to mind."""
    laid = {cell: seen for cell, seen in cells(anchors).items() if cell in spot.cell.neighbours}
    against = random.choice(sorted(laid)) if laid else min(cells(anchors), key=lambda cell: _away(cell, spot.cell))
    base = [anchor for anchor in anchors if isinstance(anchor.placed.spot, CellSpot)]
    base = [anchor for anchor in base if anchor.placed.spot.cell == against]  # type: ignore[union-attr]  # see above
    assert base[0].seen is not None
    pose = next(placing.poses_of(tuple(base), tile, spot, TRIANGLES))
    pose = beside(base[0].seen, pose, habit, random)
    # a triple looks the same in three directions, and nobody knows which one is seen
    return replace(pose, angle_deg=pose.angle_deg + 120.0 * random.randrange(3)) if tile.is_uniform else pose


def _away(one: lattice.Cell, other: lattice.Cell) -> float:
    (x, y), (u, v) = lattice.centre(one), lattice.centre(other)
    return hypot(x - u, y - v)


def drift_sides(anchors: tuple[Anchor, ...]) -> float:
    """How far the farthest tile lies from where the first one's grid has its cell."""
    first = anchors[:1]
    ways = []
    for cell, seen in cells(anchors).items():
        pose = next(placing.poses_of(first, Tile((0, 1, 2)), CellSpot(cell, (0, 1, 2)), TRIANGLES))
        ways.append(hypot(pose.x_mm - seen.x_mm, pose.y_mm - seen.y_mm) / TRIANGLES.length_mm)
    return max(ways)


Next = Callable[[list[lattice.Cell], Random], lattice.Cell]
GROWTH: dict[str, Next] = {
    "all round": lambda free, random: random.choice(free),
    "one way": lambda free, _: max(free, key=lambda cell: lattice.centre(cell)[0] + 0.3 * lattice.centre(cell)[1]),
}


@pytest.mark.parametrize("growth", GROWTH)
@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("seed", range(4))
def test_fifty_triominoes_are_found_in_their_cells_however_far_they_drift(seed: int, habit: str, growth: str) -> None:
    random, tiles = Random(seed), list(triomino_set(5))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("triomino", first.values, 300.0, 200.0, random.uniform(-180, 180))
    anchors: tuple[Anchor, ...] = (Anchor(Placed(first, CellSpot(placing.FIRST_CELL, first.values), 0), pose),)
    while len(anchors) < COUNT:
        taken = set(cells(anchors))
        cell = GROWTH[growth](sorted({near for each in taken for near in each.neighbours} - taken), random)
        tile, turn = tiles.pop(), random.randrange(3)
        spot = CellSpot(cell, tile.values[turn:] + tile.values[:turn])
        seen = in_cell(anchors, tile, spot, HABITS[habit], random)
        found = placing.spot_of(anchors, seen, TRIANGLES)
        assert found == spot, (len(anchors), tile)
        anchors = (*anchors, Anchor(Placed(tile, spot, 0), placing.aligned(anchors, seen, spot, TRIANGLES)))
    if growth == "one way":
        assert drift_sides(anchors) > 0.1, "what the layout is to be read in spite of"


# --- dominoes -----------------------------------------------------------------------------------------


def line_poses(
    anchors: tuple[Anchor, ...], tile: Tile, spot: LineSpot, habit: Habit, random: Random, clear_mm: float
) -> Iterator[SeenTile]:
    """The ways to lay a tile on at an end that keep off all other tiles; any bend is as good as straight on."""
    row = line.tiles_from(tuple(anchor.placed for anchor in anchors), spot.end)
    poses = list(placing.poses_of(anchors, tile, spot, BONES))
    random.shuffle(poses)
    base = next(anchor.seen for anchor in anchors if anchor.placed is row[0])
    assert base is not None
    others = [outline(a.seen, BONES) for a in anchors if a.seen is not None and a.seen is not base]
    for pose in poses:
        seen = beside(base, pose, habit, random)
        room_mm = min((separation(outline(seen, BONES), other) for other in others), default=99.0)
        if room_mm > clear_mm and separation(outline(seen, BONES), outline(base, BONES)) > -1.0:
            yield seen


@pytest.mark.parametrize("clear_mm", [1.0, 5.0])
@pytest.mark.parametrize("habit", ["careful", "gaps", "careless"])
@pytest.mark.parametrize("seed", range(8))
def test_a_chain_with_bends_and_crosswise_doubles_is_found_though_it_turns_back_close_beside_itself(
    seed: int, habit: str, clear_mm: float
) -> None:
    random, tiles = Random(seed), list(domino_set(6))
    random.shuffle(tiles)
    first = tiles.pop()
    pose = SeenTile("domino", first.values, 0.0, 0.0, random.uniform(-180, 180))
    anchors: tuple[Anchor, ...] = (Anchor(Placed(first, LineSpot("left"), 0), pose),)
    asked = 0
    for tile in tiles:
        spot = LineSpot(random.choice(line.ENDS), random.choice(tile.values))
        seen = next(line_poses(anchors, tile, spot, HABITS[habit], random, clear_mm), None)
        if seen is None:
            continue
        found = placing.spot_of(anchors, seen, BONES)
        assert found == spot or isinstance(found, Unclear), (len(anchors), tile)
        asked += found != spot
        anchors = (*anchors, Anchor(Placed(tile, spot, 0), seen))
    assert len(anchors) > 15
    assert asked <= (0 if clear_mm > 4 else 1), "only a tile that comes to lie at both ends is unclear"


# --- at the table -------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


@pytest.mark.parametrize(("game", "hands"), [("ro-trimino/manufacturer", "2:27"), ("fr-domino", "2:14")])
@pytest.mark.parametrize("seed", range(3))
def test_every_tile_of_a_long_careless_layout_is_recorded_where_it_was_laid(
    journal: Journal, game: str, hands: str, seed: int
) -> None:
    random, lamp = Random(seed), Lamp()
    table = Table(journal, lamp, "one")
    table.begin(Match(game, ("Ana", "Bo"), (("hands", hands), ("opening", "any"))))
    camera, preset = Camera(table), games.game(game)
    camera.rest()
    lying: list[SeenTile] = []
    while table.record is not None and (state := table.record.state).phase is Phase.PLAY:
        played = {placed.tile for placed in state.layout}
        left = [tile for tile in sorted(preset.tiles) if tile not in played]
        random.shuffle(left)
        found = next(_places(camera, preset, left, random), None)
        if found is None:
            break
        tile, spot, seen = found
        lying.append(seen)
        view = camera.rest(*lying)
        laid = table.record.state.layout[-1]
        assert (laid.tile, _known(laid.spot)) == (tile, _known(spot)), (len(lying), view.last)
        assert (view.questions, lamp.buzzes) == ((), 0)
    assert len(lying) >= (40 if preset.kind == "triomino" else 10)


def _known(spot: Spot) -> object:
    """What tells a spot from all others; the half that touches follows from the tile."""
    return spot.end if isinstance(spot, LineSpot) else spot


def _places(
    camera: Camera, preset: games.Game, tiles: list[Tile], random: Random
) -> Iterator[tuple[Tile, Spot, SeenTile]]:
    """Tiles that fit, where, and how each comes to lie there."""
    record = camera.table.record
    assert record is not None
    if not record.state.layout:
        kind, angle_deg = preset.kind, random.uniform(-180, 180)
        spot: Spot = LineSpot("left") if kind == "domino" else CellSpot(placing.FIRST_CELL, tiles[0].values)
        yield tiles[0], spot, SeenTile(kind, tiles[0].values, 300.0, 200.0, angle_deg)
        return
    seen = {tile.entry: tile for tile in camera.table.view.layout}
    anchors = tuple(
        Anchor(placed, SeenTile(t.kind, t.values, t.x_mm, t.y_mm, t.angle_deg))
        for placed in record.state.layout
        if (t := seen[placed.entry])
    )
    for tile in tiles:
        for spot in preset.places(record.state, tile):
            if isinstance(spot, CellSpot):
                yield tile, spot, in_cell(anchors, tile, spot, HABITS["careless"], random)
            elif isinstance(spot, LineSpot):
                for pose in line_poses(anchors, tile, spot, HABITS["careless"], random, 4.0):
                    yield tile, spot, pose
