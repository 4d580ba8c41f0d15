"""Which of the tiles that lie there now is which of those that lay there before.

A tile is known by its place and by its numbers. One that was pushed, alone or with all the others, is followed;
one that lies somewhere else, and one in whose place another lies, are told apart from those that are gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import cos, hypot, radians, sin

from referee.laying import line
from referee.laying.contact import UNCLEAR, domino_join
from referee.moves import CellSpot, LineSpot, Loose, Spot
from referee.seen.placing import Anchor, Unclear, nearest_turn, spot_of
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape

SURE = 0.9
SAME_PLACE = 0.5  # of a tile's width
TURNED_DEG = 50.0  # a tile that was turned in its place so far is laid anew


class Way(StrEnum):
    """How a tile of before is found again."""

    STAYED = "stayed"
    ELSEWHERE = "elsewhere"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Known:
    """A tile that lay there: as it was last seen, whether the record has it, and whether its numbers are certain.

    `roams`: it means the same wherever it lies, as the tiles of a trick do. `misread` is how it was read when it came,
    where people have put that right: it may well be read so again.
    """

    seen: SeenTile
    placed: Placed | None = None
    certain: bool = False
    roams: bool = False
    misread: SeenTile | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A tile of before, found again.

    `seen` is the tile, or what lies in its place; `spot` is where that would lie by the record, None where that is
    unclear or it stayed.
    """

    seen: SeenTile
    way: Way
    spot: Spot | None = None


def follow(
    known: Sequence[Known], tiles: Sequence[SeenTile], shape: Shape, copies: int | None = 1
) -> tuple[dict[int, Found], tuple[SeenTile, ...]]:
    """Find the tiles that lay there among those that lie there.

    Args:
        copies: how often each tile exists; where there is more than one of each, numbers tell less.

    Returns:
        For each tile of before that is found, by its index, where; and the tiles that are none of them.
    """
    free = list(tiles)
    found: dict[int, Found] = {}
    for index, item in enumerate(known):
        stayed = _nearest(item, [tile for tile in free if not _shows_another(item, tile)], shape)
        if stayed is not None:
            free.remove(stayed)
            found[index] = Found(stayed, Way.STAYED)
    lost = [index for index, item in enumerate(known) if index not in found and (item.placed or item.roams)]
    by_numbers: dict[int, SeenTile] = {}
    for index in lost:
        lies = twin(known[index].seen, free) if copies == 1 else None
        if lies is not None:
            free.remove(lies)
            by_numbers[index] = lies
    now = {index: each.seen for index, each in found.items()} | by_numbers
    pushed = _holding_together(known, now, shape) if by_numbers else frozenset[int]()
    for index, lies in by_numbers.items():
        if known[index].roams or index in pushed or _is_only_pushed(known, found, by_numbers, index, shape):
            found[index] = Found(lies, Way.STAYED)
        else:
            spot = spot_of(_anchors(known, found, {}, index), lies, shape)
            found[index] = Found(lies, Way.ELSEWHERE, None if isinstance(spot, Unclear) else spot)
    for index in lost:
        item = known[index]
        other = _nearest(item, free, shape) if index not in found and item.placed is not None else None
        if other is not None:
            free.remove(other)
            spot = Loose() if item.roams else spot_of(_anchors(known, found, {}, index), other, shape)
            found[index] = Found(other, Way.REPLACED, None if isinstance(spot, Unclear) else spot)
    return found, tuple(free)


def moved_to(known: SeenTile, found: SeenTile) -> SeenTile:
    """A known tile in its new pose: its own numbers, the camera's place.

    Corner order and angle belong together, so the new angle is only taken over when the eye still reads
    the same numbers; of the angles in which a double or triple looks the same, the one it had is kept.
    """
    if not found.values or found.values != known.values:
        return replace(known, x_mm=found.x_mm, y_mm=found.y_mm)
    period_deg = 360.0 / len(found.values) if len(set(found.values)) == 1 else 360.0
    angle_deg = nearest_turn(known.angle_deg, found.angle_deg, period_deg)
    return replace(known, x_mm=found.x_mm, y_mm=found.y_mm, angle_deg=angle_deg)


def _anchors(
    known: Sequence[Known], found: Mapping[int, Found], twins: Mapping[int, SeenTile], without: int
) -> tuple[Anchor, ...]:
    """All tiles of the record but one as they lie now; those not found, and not among some twins, as they lay."""
    anchors: list[Anchor] = []
    for index, item in enumerate(known):
        if item.placed is not None and index != without:
            stayed = index in found and found[index].way is Way.STAYED
            now = found[index].seen if stayed else twins.get(index)
            anchors.append(Anchor(item.placed, item.seen if now is None else moved_to(item.seen, now)))
    return tuple(anchors)


def _shows_another(item: Known, tile: SeenTile) -> bool:
    """True when a tile clearly is not the one that lay there, whose numbers are certain, or was turned since.

    The tiles of one trick lie where those of the last lay: there a tile that is read as any other is enough.
    """
    if item.roams and item.certain and tile.readings:
        return all(reading.values != item.seen.values for reading in tile.readings)
    clear = bool(tile.values) and tile.face_up and tile.confidence >= SURE
    was = item.misread if item.misread is not None and item.misread.values == tile.values else item.seen
    return item.certain and clear and (tile.values != was.values or turn_deg(was, tile) > TURNED_DEG)


def _nearest(item: Known, tiles: Sequence[SeenTile], shape: Shape) -> SeenTile | None:
    """The tile that lies where a known one lay: the nearest within half a tile's width."""
    best = min(tiles, key=lambda tile: _away_mm(tile, item.seen), default=None)
    return best if best is not None and _away_mm(best, item.seen) <= SAME_PLACE * shape.width_mm else None


def twin(known: SeenTile, tiles: Sequence[SeenTile]) -> SeenTile | None:
    """The nearest tile that clearly shows the numbers of one that does not lie where it lay."""
    alike = [tile for tile in tiles if tile.values == known.values and tile.face_up and tile.confidence >= SURE]
    return min(alike, key=lambda tile: _away_mm(tile, known), default=None)


def put_down(taken: Collection[tuple[int, ...]], came: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
    """Of the tiles that came, those that cannot be read and that may be some of those, by their numbers, taken up."""
    unread = (tile for tile in came if tile.face_up and (not tile.values or tile.confidence < SURE))
    likely = [tile for tile in unread if not tile.readings or any(each.values in taken for each in tile.readings)]
    return tuple(likely[: len(taken)])


def turn_deg(one: SeenTile, other: SeenTile) -> float:
    """How far a tile has been turned, 0 to 180; a double or triple looks the same in several directions."""
    period_deg = 360.0 / max(1, len(one.values)) if len(set(one.values)) == 1 else 360.0
    turn_deg = (other.angle_deg - one.angle_deg) % period_deg
    return min(turn_deg, period_deg - turn_deg)


def _away_mm(one: SeenTile, other: SeenTile) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


# --- pushed -----------------------------------------------------------------------------------------


def _holding_together(known: Sequence[Known], now: Mapping[int, SeenTile], shape: Shape) -> frozenset[int]:
    """The tiles of the record that still lie to one another as it says: more than half of the layout, else none.

    However the whole was pushed and turned, and however often since it was last seen, it is still the same layout.
    """
    lies = {
        index: Anchor(item.placed, moved_to(item.seen, now[index]))
        for index, item in enumerate(known)
        if item.placed is not None and index in now
    }
    joined: dict[int, list[int]] = {index: [] for index in lies}
    for one, other, number in _neighbours(known):
        if one not in lies or other not in lies:
            continue
        before, after = (known[one].seen, known[other].seen), (now[one], now[other])
        if _is_joined(lies[one], lies[other], number, shape) or _went_together(before, after, shape):
            joined[one].append(other)
            joined[other].append(one)
    largest: set[int] = set()
    left = set(lies)
    while left:
        group, more = set[int](), [min(left)]
        while more:
            index = more.pop()
            group.add(index)
            more += [each for each in joined[index] if each not in group]
        left -= group
        largest = max(largest, group, key=len)
    return frozenset(largest) if 2 * len(largest) > sum(item.placed is not None for item in known) else frozenset()


def _went_together(before: tuple[SeenTile, SeenTile], now: tuple[SeenTile, SeenTile], shape: Shape) -> bool:
    """True when two tiles lie to one another as they lay before, whether that was quite in place or not."""
    count = len(before[0].values)
    period_deg = 360.0 / count if count and len(set(before[0].values)) == 1 else 360.0
    turned_deg = nearest_turn(0.0, now[0].angle_deg - before[0].angle_deg, period_deg)
    turn = radians(turned_deg)
    x_mm, y_mm = before[1].x_mm - before[0].x_mm, before[1].y_mm - before[0].y_mm
    there = replace(
        before[1],
        x_mm=now[0].x_mm + x_mm * cos(turn) - y_mm * sin(turn),
        y_mm=now[0].y_mm + x_mm * sin(turn) + y_mm * cos(turn),
        angle_deg=before[1].angle_deg + turned_deg,
    )
    return _away_mm(there, now[1]) <= SAME_PLACE * shape.width_mm and turn_deg(there, now[1]) <= TURNED_DEG


def _neighbours(known: Sequence[Known]) -> Iterator[tuple[int, int, int | None]]:
    """The pairs of tiles that join by the record, by their indices; in a line with the number that they meet in."""
    placed = {item.placed: index for index, item in enumerate(known) if item.placed is not None}
    in_cells = {each.spot.cell: index for each, index in placed.items() if isinstance(each.spot, CellSpot)}
    for cell, index in in_cells.items():
        yield from ((index, in_cells[near], None) for near in cell.neighbours if near in in_cells and cell < near)
    layout = sorted(placed, key=lambda each: each.entry or 0)
    for one, other, number in line.joints(tuple(layout)):
        yield placed[one], placed[other], number


def _is_joined(one: Anchor, other: Anchor, number: int | None, shape: Shape) -> bool:
    """True when two tiles join where they lie as the record says: in their cells, or in a number of theirs."""
    assert one.seen is not None  # both lie there
    assert other.seen is not None
    if isinstance(one.placed.spot, CellSpot):
        # a triple looks the same in three directions and tells nothing of those beside it
        first, second = (other, one) if one.placed.tile.is_uniform else (one, other)
        return second.seen is not None and spot_of((first,), second.seen, shape) == second.placed.spot
    join = domino_join(one.seen, other.seen, shape)
    if join is None or join.form == UNCLEAR:
        return False
    halves = ((one.seen, join.a_half), (other.seen, join.b_half))
    return number is None or all(half is None or seen.values[half] == number for seen, half in halves)


def _is_only_pushed(
    known: Sequence[Known], found: Mapping[int, Found], twins: Mapping[int, SeenTile], index: int, shape: Shape
) -> bool:
    """True for a tile that was pushed a little and means what it meant, beside the others as they lie or lay."""
    item, lies = known[index], twins[index]
    assert item.placed is not None  # only those of the record are looked for by their numbers
    anchors = _anchors(known, found, twins, index)
    if not anchors:
        return True  # there is nothing that it could lie otherwise to
    if _away_mm(item.seen, lies) > shape.length_mm:
        return False
    if spot_of(anchors, moved_to(item.seen, lies), shape) == item.placed.spot:
        return True
    return not _joins_otherwise(item.placed, anchors, spot_of(_anchors(known, found, {}, index), lies, shape))


def _joins_otherwise(placed: Placed, others: tuple[Anchor, ...], spot: Spot | Unclear) -> bool:
    """True when a tile would mean something else where it lies now; for one inside a line that cannot be told."""
    if isinstance(spot, CellSpot) and isinstance(placed.spot, CellSpot):
        return spot != placed.spot
    if isinstance(spot, LineSpot) and isinstance(placed.spot, LineSpot):
        return _is_at_end(placed, others) and (spot.end, spot.inner) != (placed.spot.end, placed.spot.inner)
    return False


def _is_at_end(placed: Placed, others: tuple[Anchor, ...]) -> bool:
    """True when a tile was laid last at its end of the line."""
    later = (each.placed for each in others if (each.placed.entry or 0) > (placed.entry or 0))
    end = placed.spot.end if isinstance(placed.spot, LineSpot) else ""
    return not any(isinstance(each.spot, LineSpot) and each.spot.end == end for each in later)
