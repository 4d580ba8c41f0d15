"""Between the record's spots and poses on the table, both ways.

Every answer starts from the tiles next to the place asked about, as they lie, never from one grid over
the whole table: a long layout may drift by a tenth of a side and is still read right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, hypot, radians, sin

from referee.laying import lattice, line
from referee.laying.contact import domino_join
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Loose, Spot
from referee.seen.spinner import end_beside, in_frame, is_away_from
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import TRIOMINO, Shape, Tile

FIRST_CELL = Cell(0, 0, "U")
_CELL_GAP = 0.02
_NEAR_SIDES = 0.22
_NEAR_DEG = 22.0
_REACH_SIDES = 1.25


@dataclass(frozen=True, slots=True)
class Anchor:
    """An accepted tile: what the record says and where it was last seen (None: it was entered by hand)."""

    placed: Placed
    seen: SeenTile | None


@dataclass(frozen=True, slots=True)
class _Fixed:
    """An anchor whose place on the table is known."""

    placed: Placed
    seen: SeenTile


@dataclass(frozen=True, slots=True)
class Unclear:
    """A tile touches the layout in no way the game knows: between two cells, half way along a side."""


def spot_of(anchors: tuple[Anchor, ...], seen: SeenTile, shape: Shape) -> Spot | Unclear:
    """Where a seen tile lies in terms of the record.

    Args:
        anchors: all accepted tiles, in the order of laying.
        seen: a tile that was read.
        shape: the size of the set's tiles, mm.
    """
    if seen.kind == TRIOMINO:
        return _cell_spot(anchors, seen, shape)
    return _line_spot(anchors, seen, shape)


def poses_of(anchors: tuple[Anchor, ...], tile: Tile, spot: Spot, shape: Shape) -> Iterator[SeenTile]:
    """The poses in which a tile could be laid at a spot, the most usual first.

    A triomino has one; a domino may be laid straight on, round a corner, and a double crosswise. Whether
    there is room is for the caller to see. Nothing for an empty table or a loose tile.
    """
    if isinstance(spot, CellSpot) and (fixed := _fixed(anchors)):
        yield _cell_pose(fixed, spot, shape)
    elif isinstance(spot, LineSpot) and anchors:
        yield from _line_poses(anchors, tile, spot, shape)


def _fixed(anchors: tuple[Anchor, ...]) -> tuple[_Fixed, ...]:
    """The anchors that can be measured from: those in sight, without tiles that were let stand apart."""
    return tuple(
        _Fixed(anchor.placed, anchor.seen)
        for anchor in anchors
        if anchor.seen is not None and not isinstance(anchor.placed.spot, Loose)
    )


def _is_begun(anchors: tuple[Anchor, ...]) -> bool:
    """True when there is a layout that a tile can join."""
    return any(not isinstance(anchor.placed.spot, Loose) for anchor in anchors)


def aligned(anchors: tuple[Anchor, ...], seen: SeenTile, spot: Spot, shape: Shape) -> SeenTile:
    """The same tile with the angle that the record means.

    A triple looks the same in three directions; the one that its cell gives it is taken, so that it can
    serve as an anchor later.
    """
    fixed = _fixed(anchors)
    if not isinstance(spot, CellSpot) or not fixed or len(set(seen.values)) > 1:
        return seen
    return replace(seen, angle_deg=nearest_turn(_cell_pose(fixed, spot, shape).angle_deg, seen.angle_deg, 120.0))


def nearest_turn(like_deg: float, angle_deg: float, period_deg: float) -> float:
    """An angle turned by whole periods until it is as near to another as it can be."""
    return angle_deg + round((like_deg - angle_deg) / period_deg) * period_deg


def recorded(seen: SeenTile, read: Spot, placed: Placed) -> SeenTile:
    """A seen tile with the numbers that the record has for it after a correction.

    Args:
        seen: the tile as it was read.
        read: the spot that this reading was first journaled with.
        placed: what the record says now.

    Returns:
        The tile with the recorded numbers in the same pose; `seen` itself where only its place was
        corrected or it means nothing in the new place.
    """
    spot = placed.spot
    if isinstance(spot, CellSpot) and isinstance(read, CellSpot) and spot.cell == read.cell:
        index = next((i for i in range(3) if read.values[i:] + read.values[:i] == seen.values), 0)
        return normalised(replace(seen, values=spot.values[index:] + spot.values[:index]))
    if isinstance(spot, LineSpot) and isinstance(read, LineSpot):
        values = placed.tile.values
        if (
            read.inner in seen.values
            and spot.inner in values
            and seen.values.index(read.inner) != values.index(spot.inner)
        ):
            values = values[::-1]
        return normalised(replace(seen, values=values))
    return seen


def normalised(seen: SeenTile) -> SeenTile:
    """The same tile in the same pose, its numbers turned to their smallest rotation and the angle to match."""
    count = len(seen.values)
    values = Tile(seen.values).values
    index = next(i for i in range(count) if seen.values[i:] + seen.values[:i] == values)
    return replace(seen, values=values, angle_deg=seen.angle_deg + index * 360.0 / count)


# --- triominoes -------------------------------------------------------------------------------------


def _turn_deg(anchor: _Fixed) -> float:
    """How the lattice is turned on the table here: table angle = this - lattice angle."""
    spot = anchor.placed.spot
    assert isinstance(spot, CellSpot)
    index = next((i for i in range(3) if spot.values[i:] + spot.values[:i] == anchor.seen.values), 0)
    return anchor.seen.angle_deg + _vertex_deg(spot.cell, index)


def _vertex_deg(cell: Cell, index: int) -> float:
    """The direction from a cell's middle to one of its vertices, counter-clockwise as on paper."""
    x, y = lattice.position(cell.vertices[index])
    centre_x, centre_y = lattice.centre(cell)
    return degrees(atan2(y - centre_y, x - centre_x))


def _predict(anchor: _Fixed, cell: Cell, shape: Shape) -> tuple[float, float, float]:
    """Where a cell's middle lies and how its vertex 0 points, as its neighbour `anchor` sees it."""
    spot = anchor.placed.spot
    assert isinstance(spot, CellSpot)
    turn_deg = _turn_deg(anchor)
    from_x, from_y = lattice.centre(spot.cell)
    to_x, to_y = lattice.centre(cell)
    away = hypot(to_x - from_x, to_y - from_y) * shape.length_mm * (1 + _CELL_GAP)
    angle = radians(turn_deg - degrees(atan2(to_y - from_y, to_x - from_x)))
    x_mm = anchor.seen.x_mm + away * cos(angle)
    y_mm = anchor.seen.y_mm + away * sin(angle)
    return x_mm, y_mm, turn_deg - _vertex_deg(cell, 0)


def _cell_pose(anchors: Sequence[_Fixed], spot: CellSpot, shape: Shape) -> SeenTile:
    """The pose of a tile in a cell: the mean of what the nearest anchors say."""
    target = lattice.centre(spot.cell)

    def away(anchor: _Fixed) -> float:
        assert isinstance(anchor.placed.spot, CellSpot)
        x, y = lattice.centre(anchor.placed.spot.cell)
        return hypot(x - target[0], y - target[1])

    nearest = sorted(anchors, key=away)
    close = [anchor for anchor in nearest if away(anchor) < 0.7] or nearest[:1]
    poses = [_predict(anchor, spot.cell, shape) for anchor in close]
    x_mm = sum(pose[0] for pose in poses) / len(poses)
    y_mm = sum(pose[1] for pose in poses) / len(poses)
    vertex_deg = degrees(
        atan2(sum(sin(radians(pose[2])) for pose in poses), sum(cos(radians(pose[2])) for pose in poses))
    )
    values = Tile(spot.values).values
    index = next(i for i in range(3) if spot.values[i:] + spot.values[:i] == values)
    return SeenTile(TRIOMINO, values, x_mm, y_mm, _signed(vertex_deg + 120 * index))


def _cell_spot(anchors: tuple[Anchor, ...], seen: SeenTile, shape: Shape) -> Spot | Unclear:
    fixed = tuple(anchor for anchor in _fixed(anchors) if isinstance(anchor.placed.spot, CellSpot))
    if not fixed:
        return (
            Loose() if any(isinstance(a.placed.spot, CellSpot) for a in anchors) else CellSpot(FIRST_CELL, seen.values)
        )
    reach_mm = _REACH_SIDES * shape.length_mm
    near = [a for a in fixed if hypot(a.seen.x_mm - seen.x_mm, a.seen.y_mm - seen.y_mm) < reach_mm]
    candidates = {cell for anchor in near for cell in _cells_touching(anchor)}
    best: tuple[float, Cell, float] | None = None
    for cell in sorted(candidates):
        pose = _cell_pose(near, CellSpot(cell, seen.values), shape)
        away = hypot(pose.x_mm - seen.x_mm, pose.y_mm - seen.y_mm)
        if best is None or away < best[0]:
            best = (away, cell, pose.angle_deg)
    if best is None:
        return Loose()
    away, cell, angle_deg = best
    turn_deg = (seen.angle_deg - angle_deg) % 120
    askew_deg = min(turn_deg, 120 - turn_deg)
    if away > _NEAR_SIDES * shape.length_mm or askew_deg > _NEAR_DEG:
        return Unclear() if _overlaps_reach(near, seen, shape) else Loose()
    # the tile pointing at vertex 0 was assumed to lead with values[0]; see which corner really does
    steps = round(((seen.angle_deg - angle_deg) % 360) / 120) % 3
    values = seen.values[3 - steps :] + seen.values[: 3 - steps]
    return CellSpot(cell, values)


def _cells_touching(anchor: _Fixed) -> set[Cell]:
    spot = anchor.placed.spot
    assert isinstance(spot, CellSpot)
    return {cell for vertex in spot.cell.vertices for cell in lattice.cells_around(vertex)} - {spot.cell}


def _overlaps_reach(near: list[_Fixed], seen: SeenTile, shape: Shape) -> bool:
    """True when a tile is so close to another that it may touch it."""
    touching_mm = 2 * shape.length_mm / 3**0.5 * 0.95
    return any(hypot(a.seen.x_mm - seen.x_mm, a.seen.y_mm - seen.y_mm) < touching_mm for a in near)


# --- dominoes ---------------------------------------------------------------------------------------


def _line_spot(anchors: tuple[Anchor, ...], seen: SeenTile, shape: Shape) -> Spot | Unclear:
    if not _is_begun(anchors):
        return LineSpot("left")
    found: list[LineSpot] = []
    touched = False
    for end, anchor in _ends(anchors):
        join = domino_join(anchor.seen, seen, shape)
        touched |= join is not None
        if join is None or join.form == "unclear" or not _is_open(anchors, end, anchor, join.a_half, seen):
            continue
        inner = seen.values[0] if join.b_half is None else seen.values[join.b_half]
        found.append(LineSpot(end, inner))
    if len(found) == 1:
        return found[0]
    touched |= any(domino_join(anchor.seen, seen, shape) is not None for anchor in _fixed(anchors))
    return Unclear() if touched or not _fixed(anchors) else Loose()


def _ends(anchors: tuple[Anchor, ...]) -> Iterator[tuple[str, _Fixed]]:
    """The tiles at the ends of the line and of its arms, where they are in sight; a single tile is two of them.

    The spinner is the end of an arm that is not begun, be it open yet or not.
    """
    layout = _layout(anchors)
    for end in line.EVERY_END if len(line.links(layout)) > 1 else line.ENDS:
        row = line.tiles_from(layout, end)
        anchor = next((each for each in _fixed(anchors) if row and each.placed is row[0]), None)
        if anchor is not None:
            yield end, anchor


def _layout(anchors: tuple[Anchor, ...]) -> tuple[Placed, ...]:
    return tuple(anchor.placed for anchor in anchors)


def _is_open(anchors: tuple[Anchor, ...], end: str, anchor: _Fixed, half: int | None, seen: SeenTile) -> bool:
    """True when this half (None: the middle of a double's long side) is the open one of this end."""
    if len(line.links(_layout(anchors))) == 1:
        return end == _side(anchor.seen, seen, half)
    if anchor.placed.spins:
        return end == end_beside(anchor.seen, _beside(anchors, anchor), seen)
    if anchor.placed.tile.is_uniform:
        # a double is open on the side (or the end) that its predecessor does not touch
        before = _predecessor(anchors, end)
        return before is None or is_away_from(anchor.seen, before.seen, seen)
    return half is not None and half == _outer_half(anchors, end, anchor)


def _beside(anchors: tuple[Anchor, ...], tile: _Fixed) -> dict[str, SeenTile]:
    """The tiles next to one in the line, toward its left and its right end, where they are in sight."""
    row = [link.placed for link in line.links(_layout(anchors))]
    at = row.index(tile.placed)
    near = {line.LEFT: row[:at][-1:], line.RIGHT: row[at + 1 :][:1]}
    seen = {id(each.placed): each.seen for each in _fixed(anchors)}
    return {end: seen[id(each)] for end, found in near.items() for each in found if id(each) in seen}


def _side(first: SeenTile, other: SeenTile, half: int | None) -> str:
    """Which end of a lone first tile another one joins: the half of values[0], or a double's one flank, is left."""
    if half is not None:
        return "left" if half == 0 else "right"
    _, across = in_frame(first, other)
    return "left" if across < 0 else "right"


def _outer_half(anchors: tuple[Anchor, ...], end: str, anchor: _Fixed) -> int:
    """The index of the open half of an end tile that is no double."""
    opened = line.open_number(_layout(anchors), end)
    return anchor.seen.values.index(opened)


def _predecessor(anchors: tuple[Anchor, ...], end: str) -> _Fixed | None:
    """The tile next to an end tile, toward the middle of the line."""
    order = line.tiles_from(_layout(anchors), end)
    if len(order) < 2:
        return None
    return next((each for each in _fixed(anchors) if each.placed is order[1]), None)


def _line_poses(anchors: tuple[Anchor, ...], tile: Tile, spot: LineSpot, shape: Shape) -> Iterator[SeenTile]:
    """Straight on first, then round either corner; a double crosswise first."""
    anchor = next((each for end, each in _ends(anchors) if end == spot.end), None)
    if anchor is None:
        return
    opened = line.open_number(_layout(anchors), spot.end)
    inner = opened if spot.inner is None else spot.inner
    if inner not in tile.values:
        inner = tile.values[0]
    for x_mm, y_mm, out_deg, flush in _open_sides(anchors, spot.end, anchor, shape):
        crosswise = tile.is_uniform and flush
        forms = ("middle", "end") if crosswise else ("end", "left", "right") if flush else ("end",)
        for form in forms:
            yield _laid(tile, inner, (x_mm, y_mm, out_deg), form, shape)


def _open_sides(
    anchors: tuple[Anchor, ...], end: str, anchor: _Fixed, shape: Shape
) -> Iterator[tuple[float, float, float, bool]]:
    """Points on the rim of an end tile where the next may join: x, y, outward direction, and whether it
    is the tile's end rather than its flank (of the open half, or of a double)."""
    seen = anchor.seen
    alone = len(line.links(_layout(anchors))) == 1
    if anchor.placed.tile.is_uniform:
        before = _predecessor(anchors, end)
        sides = [(shape.width_mm / 2, 90.0), (shape.width_mm / 2, -90.0), (shape.length_mm / 2, 0.0)]
        sides.append((shape.length_mm / 2, 180.0))
        for away_mm, turn_deg in sides:
            direction = radians(seen.angle_deg + turn_deg)
            x_mm, y_mm = seen.x_mm + away_mm * cos(direction), seen.y_mm + away_mm * sin(direction)
            there = SeenTile(seen.kind, (), x_mm, y_mm, 0.0)
            if anchor.placed.spins and not alone:
                fits = end_beside(seen, _beside(anchors, anchor), there) == end
            elif before is None:
                half = None if abs(turn_deg) == 90.0 else 1 if turn_deg == 0.0 else 0
                fits = _side(seen, there, half) == end
            else:
                fits = is_away_from(seen, before.seen, there)
            if fits:
                yield x_mm, y_mm, seen.angle_deg + turn_deg, abs(turn_deg) != 90.0
        return
    outer = (0 if end == "left" else 1) if alone else _outer_half(anchors, end, anchor)
    out_deg = seen.angle_deg + (180.0 if outer == 0 else 0.0)
    out = radians(out_deg)
    tip = shape.length_mm / 2
    yield seen.x_mm + tip * cos(out), seen.y_mm + tip * sin(out), out_deg, True
    middle = shape.length_mm / 4
    for turn_deg in (90.0, -90.0):
        flank = radians(out_deg + turn_deg)
        x_mm = seen.x_mm + middle * cos(out) + shape.width_mm / 2 * cos(flank)
        y_mm = seen.y_mm + middle * sin(out) + shape.width_mm / 2 * sin(flank)
        yield x_mm, y_mm, out_deg + turn_deg, False


def _laid(tile: Tile, inner: int, at: tuple[float, float, float], form: str, shape: Shape) -> SeenTile:
    """The pose of a tile that joins at a rim point, its `inner` number touching."""
    x_mm, y_mm, out_deg = at
    gap_mm = 0.4
    out = radians(out_deg)
    if form in ("middle", "left", "right"):
        away_mm = shape.width_mm / 2 + gap_mm
        shift_mm = 0.0 if form == "middle" else shape.length_mm / 4 * (1 if form == "right" else -1)
        side = radians(out_deg + 90.0)
        x_mm += away_mm * cos(out) + shift_mm * cos(side)
        y_mm += away_mm * sin(out) + shift_mm * sin(side)
        # the touching half lies back at the rim point, so the tile points away along the shift
        axis_deg = out_deg + (90.0 if form != "left" else -90.0)
    else:
        away_mm = shape.length_mm / 2 + gap_mm
        x_mm += away_mm * cos(out)
        y_mm += away_mm * sin(out)
        axis_deg = out_deg
    angle_deg = axis_deg if tile.values[0] == inner else axis_deg + 180.0
    return SeenTile(tile.kind, tile.values, x_mm, y_mm, _signed(angle_deg))


def _signed(angle_deg: float) -> float:
    """The same direction in (-180, 180]."""
    turned = angle_deg % 360.0
    return turned - 360.0 if turned > 180.0 else turned
