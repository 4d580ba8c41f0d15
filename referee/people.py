"""Simulated people: they know their own tiles, look at the table, and choose what to lay and where.

Used by the demo and by tests of the whole house. They see what everybody sees (the record and where the
tiles lie); the referee learns of their tiles only by camera.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import hypot
from random import Random

from referee import games, umpire
from referee.laying import line
from referee.laying.contact import outline, separation
from referee.moves import CellSpot, LineSpot, Place, Spot
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.seen.zones import Zone
from referee.sighting import SeenTile
from referee.state import Placed, State
from referee.tiles import DOMINO, Shape, Tile
from referee.umpire import Record

_RIM_MM = 22.0
_MARKER_MM = 62.0
_CLEARANCE_MM = 5.0


@dataclass(frozen=True, slots=True)
class Idea:
    """A move that comes to a player's mind, where the tile would lie, and how good it seems."""

    move: Place
    pose: SeenTile
    worth: float


@dataclass(frozen=True, slots=True)
class Scene:
    """What a player looks at: the record, the tiles where they lie, the mat, and zones of it that are to stay free."""

    record: Record
    anchors: tuple[Anchor, ...]
    shape: Shape
    mat_mm: tuple[float, float]
    zones: tuple[Zone, ...] = ()


def best_move(scene: Scene, hand: Iterable[Tile], random: Random) -> Idea | None:
    """The legal move with the most points that has room on the mat, None if there is none."""
    ideas = list(_ideas(scene, hand, random))
    return max(ideas, key=lambda idea: idea.worth, default=None)


def roomless_move(scene: Scene, hand: Iterable[Tile]) -> Place | None:
    """A legal move for which the mat has no room left."""
    state = scene.record.state
    if state.turn is None:
        return None
    moves = (Place(state.turn, tile, spot) for tile in hand for spot in games.game(state.game).places(state, tile))
    return next((move for move in moves if umpire.judge(scene.record, move).is_legal), None)


def drawing_to_open(state: State) -> int:
    """Who draws a tile next where nobody can open: all in turn, until one can."""
    return (state.claims[-1].seat + 1) % state.players if state.claims else 0


def blunder(scene: Scene, hand: Iterable[Tile], random: Random) -> Idea | None:
    """A move against the rules, laid where a player might think it fits."""
    seat = scene.record.state.turn
    if seat is None or not scene.anchors:
        return None
    ideas: list[Idea] = []
    for tile in hand:
        for spot in _tempting(scene, tile):
            move = Place(seat, tile, spot)
            if not umpire.judge(scene.record, move).is_legal:
                ideas += [Idea(move, pose, 0.0) for pose in _roomy(scene, tile, spot)][:1]
    return random.choice(ideas) if ideas else None


def first_pose(scene: Scene, tile: Tile) -> SeenTile:
    """Where the first tile of a round is laid: in the middle, slightly askew."""
    width_mm, height_mm = scene.mat_mm
    return SeenTile(tile.kind, tile.values, width_mm / 2, height_mm / 2, 4.0 if tile.kind == DOMINO else -86.0)


def jittered(pose: SeenTile, random: Random) -> SeenTile:
    """The pose as a hand would really leave the tile."""
    return SeenTile(
        pose.kind,
        pose.values,
        pose.x_mm + random.uniform(-0.6, 0.6),
        pose.y_mm + random.uniform(-0.6, 0.6),
        pose.angle_deg + random.uniform(-1.2, 1.2),
    )


def _ideas(scene: Scene, hand: Iterable[Tile], random: Random) -> Iterator[Idea]:
    state = scene.record.state
    seat = state.turn
    if seat is None:
        return
    game = games.game(state.game)
    for tile in hand:
        if not scene.anchors:
            spot: Spot = CellSpot(placing.FIRST_CELL, tile.values) if tile.kind != DOMINO else LineSpot("left")
            move = Place(seat, tile, spot)
            ruling = umpire.judge(scene.record, move)
            if ruling.is_legal:
                yield Idea(move, first_pose(scene, tile), ruling.points(seat))
            continue
        for spot in game.places(state, tile):
            move = Place(seat, tile, spot)
            ruling = umpire.judge(scene.record, move)
            for pose in _roomy(scene, tile, spot):
                ahead = _freedom(scene, ruling.state.layout[-1], pose) if tile.kind == DOMINO else 0.0
                worth = ruling.points(seat) + 0.1 * tile.total + ahead - _off_centre(scene, pose)
                yield Idea(move, pose, worth + random.random())


def _tempting(scene: Scene, tile: Tile) -> Iterator[Spot]:
    """Spots next to the layout, whether they fit or not."""
    state = scene.record.state
    if tile.kind == DOMINO:
        for end in line.EVERY_END:
            for inner in set(tile.values):
                yield LineSpot(end, inner)
        return
    taken = {placed.spot.cell for placed in state.layout if isinstance(placed.spot, CellSpot)}
    free = {cell for taken_cell in taken for cell in taken_cell.neighbours} - taken
    for cell in sorted(free):
        for turn in range(3):
            yield CellSpot(cell, tile.values[turn:] + tile.values[:turn])


def _roomy(scene: Scene, tile: Tile, spot: Spot) -> Iterator[SeenTile]:
    """The poses at a spot that lie on the mat and in nobody's way."""
    for pose in placing.poses_of(scene.anchors, tile, spot, scene.shape):
        if _on_mat(scene, pose) and (tile.kind != DOMINO or keeps_clear(pose, _others(scene), scene.shape)):
            yield pose


def _others(scene: Scene) -> Iterator[SeenTile]:
    return (anchor.seen for anchor in scene.anchors if anchor.seen is not None)


def _on_mat(scene: Scene, pose: SeenTile) -> bool:
    zoned = any(zone.holds(x, y) for zone in scene.zones for x, y in outline(pose, scene.shape))
    return on_mat(pose, scene.shape, scene.mat_mm) and not zoned


def on_mat(pose: SeenTile, shape: Shape, mat_mm: tuple[float, float]) -> bool:
    """True when a tile lies on the mat, off its rim and its markers."""
    width_mm, height_mm = mat_mm
    corners = outline(pose, shape)
    inside = all(_RIM_MM <= x <= width_mm - _RIM_MM and _RIM_MM <= y <= height_mm - _RIM_MM for x, y in corners)
    marked = any(
        (x < _MARKER_MM or x > width_mm - _MARKER_MM) and (y < _MARKER_MM or y > height_mm - _MARKER_MM)
        for x, y in corners
    )
    return inside and not marked


def keeps_clear(pose: SeenTile, others: Iterable[SeenTile], shape: Shape) -> bool:
    """True when a domino touches one other at most and keeps clear of the rest."""
    own = outline(pose, shape)
    gaps = [separation(own, outline(other, shape)) for other in others]
    return all(room >= -0.5 for room in gaps) and sum(room < _CLEARANCE_MM for room in gaps) <= 1


def _freedom(scene: Scene, placed: Placed, pose: SeenTile) -> float:
    """How well a domino leaves room: off the rim, off the others, and above all the next one can join it."""
    corners = outline(pose, scene.shape)
    width_mm, height_mm = scene.mat_mm
    rim_mm = min(min(x, width_mm - x, y, height_mm - y) for x, y in corners)
    away = [hypot(pose.x_mm - other.x_mm, pose.y_mm - other.y_mm) for other in _others(scene)]
    crowd = sum(each < 2 * scene.shape.length_mm for each in away)
    return min(rim_mm, 100.0) / 10 - 3.0 * crowd - (0.0 if _leads_on(scene, placed, pose) else 100.0)


def _leads_on(scene: Scene, placed: Placed, pose: SeenTile) -> bool:
    """True when there will be room for a next domino at the end that this one makes."""
    if not isinstance(placed.spot, LineSpot):
        return True
    ahead = replace(scene, anchors=(*scene.anchors, Anchor(placed, pose)))
    opened = line.open_number(tuple(anchor.placed for anchor in ahead.anchors), placed.spot.end)
    following = Tile((opened, opened + 1))
    return any(_roomy(ahead, following, LineSpot(placed.spot.end, opened)))


def _off_centre(scene: Scene, pose: SeenTile) -> float:
    away_mm = hypot(pose.x_mm - scene.mat_mm[0] / 2, (pose.y_mm - scene.mat_mm[1] / 2) * 1.5)
    return 0.0 if pose.kind == DOMINO else away_mm / 25
