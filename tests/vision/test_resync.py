"""The whole table read from one picture: many tiles that touch, tiles face down, things, and nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from calibration.table import find_pose
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Spot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape, Tile
from vision import resync
from vision.kinds import kinds
from vision.rectify import Look, Still
from vision.search import Search
from vision.settle import Survey
from vision.track import Memory
from vision.virtual import VirtualTable, profile_for
from vision.virtual.pieces import Piece
from vision.virtual.stage import ScriptStage
from vision.virtual.table import Setting

HIGHEST = {"domino": 6, "triomino": 5}
SHAPES = {"domino": Shape.domino(), "triomino": Shape.triomino()}
LINE = ["6-6", "5-6", "3-5", "3-3", "1-3", "1-1", "0-1"]
OTHER_WAY = ["4-6", "4-4", "0-4", "0-2", "2-2", "2-5", "1-5"]


def name(kind: str) -> str:
    return f"stage=unused&kind={kind}&seed=3&size=1280x880"


def table_with(kind: str, pieces: Sequence[SeenTile], things: Sequence[Piece] = ()) -> np.ndarray:
    """A photograph of a table on which tiles and things lie."""
    camera = VirtualTable(
        Setting.parse(name(kind)),
        ScriptStage(()),
        at_rest=[*(Piece(kind, each.values, each.x_mm, each.y_mm, each.angle_deg) for each in pieces), *things],
    )
    frame = camera.read()
    assert frame is not None
    return frame.image


def read(kind: str, image: np.ndarray) -> tuple[SeenTile, ...]:
    """What an eye that has just been opened believes."""
    return looked_at(kind, image).tiles


def looked_at(kind: str, image: np.ndarray) -> Memory:
    """What an eye that has just been opened remembers."""
    profile = profile_for(name(kind))
    pose = find_pose(image, profile.camera, profile.mat)
    assert pose is not None
    memory = Memory(Survey(Search(kinds()[kind], profile.shape, HIGHEST[kind]), profile.mat))
    now = memory.survey.still(image, Look(profile.camera, pose, profile.shape.thickness_mm))
    memory.commit(now, memory.compare(now))
    return memory


@lru_cache(maxsize=1)
def chain() -> tuple[SeenTile, ...]:
    """A line of dominoes with doubles crosswise, grown from its middle to both ends, round corners."""
    anchors: list[Anchor] = []
    random = np.random.default_rng(4)
    for tiles, end in ((LINE, "right"), (OTHER_WAY, "left")):
        for number, text in enumerate(tiles):
            tile = Tile.parse(text)
            if not anchors:
                pose = SeenTile("domino", tile.values, 320.0, 200.0, 90.0)
                anchors.append(Anchor(Placed(tile, LineSpot("left"), 0), pose))
                continue
            laid = [anchor.seen for anchor in anchors if anchor.seen is not None]
            poses = [
                pose
                for pose in placing.poses_of(tuple(anchors), tile, LineSpot(end), SHAPES["domino"])
                if 60 < pose.x_mm < 540 and 60 < pose.y_mm < 340 and keeps_clear(pose, laid)
            ]
            pose = poses[0] if number % 3 else poses[int(random.integers(len(poses)))]
            anchors.append(Anchor(Placed(tile, LineSpot(end), 0), pose))
    return tuple(anchor.seen for anchor in anchors if anchor.seen is not None)


def keeps_clear(pose: SeenTile, laid: Sequence[SeenTile]) -> bool:
    search = Search(kinds()["domino"], SHAPES["domino"], 6)
    return search.is_free(np.array([pose.x_mm, pose.y_mm, pose.angle_deg]), laid)


def lattice_of_triangles() -> tuple[SeenTile, ...]:
    """Twenty triominoes side by side, whatever their numbers."""
    anchors: list[Anchor] = []
    tiles = [Tile((a, b, c)) for a in range(6) for b in range(a, 6) for c in range(b, 6)][3::3]
    cells = [Cell(x, y, way) for y in range(-1, 1) for x in range(-2, 3) for way in "UD"]
    for tile, cell in zip(tiles, sorted(cells, key=lambda each: (abs(each.x) + abs(each.y), each)), strict=False):
        spot: Spot = CellSpot(cell, tile.values)
        pose = SeenTile("triomino", tile.values, 320.0, 200.0, -70.0)
        if anchors:
            pose = next(placing.poses_of(tuple(anchors), tile, spot, SHAPES["triomino"]))
        anchors.append(Anchor(Placed(tile, spot, 0), pose))
    return tuple(anchor.seen for anchor in anchors if anchor.seen is not None)


def same(read: Sequence[SeenTile], true: Sequence[SeenTile]) -> bool:
    """Every tile once, surely, with its numbers and where it lies, and no other."""
    left = list(read)
    for tile in true:
        found = [each for each in left if np.hypot(each.x_mm - tile.x_mm, each.y_mm - tile.y_mm) < 1.5]
        if len(found) != 1 or found[0].values != Tile(tile.values).values or found[0].confidence < 0.9:
            return False
        left.remove(found[0])
    return not left


def test_fixed_a_whole_line_of_dominoes_is_read_at_the_start() -> None:
    assert len(chain()) == 14
    assert same(read("domino", table_with("domino", chain())), chain())


def test_a_whole_layout_of_triominoes_is_read_at_the_start() -> None:
    tiles = lattice_of_triangles()
    assert len(tiles) >= 15
    assert same(read("triomino", table_with("triomino", tiles)), tiles)


def test_fixed_a_tile_amid_others_does_not_teach_that_tiles_are_darker_than_the_mat_or_larger_than_they_are() -> None:
    tiles = lattice_of_triangles()
    image, profile = table_with("triomino", tiles), profile_for(name("triomino"))
    pose = find_pose(image, profile.camera, profile.mat)
    assert pose is not None
    still = Still(image, Look(profile.camera, pose, profile.shape.thickness_mm), image)
    learned = []
    for tile in tiles:
        search = Search(kinds()["triomino"], profile.shape, 5)
        for _ in range(6):
            search.learn(still, replace(tile, x_mm=tile.x_mm + 1.2, y_mm=tile.y_mm - 0.9))
        learned.append((search.polarity, search.shape.length_mm))
    assert {polarity for polarity, _ in learned} <= {0, 1}
    assert max(length_mm for _, length_mm in learned) < 1.045 * 40.0


def test_things_beside_the_layout_are_no_tiles_with_numbers() -> None:
    tiles = lattice_of_triangles()[:5]
    things = [
        Piece(what, (), x, y, 20.0)
        for what, x, y in (("cup", 90.0, 330.0), ("phone", 480.0, 80.0), ("pen", 450.0, 350.0))
    ]
    seen = read("triomino", table_with("triomino", tiles, things))
    assert same([tile for tile in seen if tile.values], tiles)


def test_tiles_face_down_are_seen_as_such() -> None:
    backs = [SeenTile("domino", (), 100.0 + 60.0 * number, 320.0, 90.0, face_up=False) for number in range(4)]
    seen = read("domino", table_with("domino", [*chain()[:3], *backs]))
    assert same([tile for tile in seen if tile.face_up], chain()[:3])
    assert len([tile for tile in seen if not tile.face_up]) == 4


def test_a_bare_table_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("there is nothing to look for")

    monkeypatch.setattr(resync, "look", never)
    assert read("domino", table_with("domino", [])) == ()
