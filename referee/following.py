"""Which of the tiles that lie there now is which of those that lay there before.

A tile is known by its place and by its numbers. One that was pushed, alone or with all the others, is followed;
one that lies somewhere else, and one in whose place another lies, are told apart from those that are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import cos, hypot, radians, sin

from referee.moves import CellSpot, LineSpot, Spot
from referee.placing import Anchor, Unclear, nearest_turn, spot_of
from referee.sighting import SeenTile
from referee.state import Placed
from referee.tiles import Shape

SURE = 0.9
SAME_PLACE = 0.5  # of a tile's width
TURNED_DEG = 50.0  # a tile that was turned in its place so far is laid anew
MOST_TURN_DEG = 25.0  # by which a layout that was pushed as a whole may have been turned


class Way(StrEnum):
    """How a tile of before is found again."""

    STAYED = "stayed"
    ELSEWHERE = "elsewhere"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Known:
    """A tile that lay there: as it was last seen, whether the record has it, and whether its numbers are certain."""

    seen: SeenTile
    placed: Placed | None = None
    certain: bool = False


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
    lost = [index for index, item in enumerate(known) if index not in found and item.placed is not None]
    by_numbers: dict[int, SeenTile] = {}
    for index in lost:
        lies = twin(known[index].seen, free) if copies == 1 else None
        if lies is not None:
            free.remove(lies)
            by_numbers[index] = lies
    pushed = _pushed_together(known, {index: each.seen for index, each in found.items()} | by_numbers, shape)
    for index, lies in by_numbers.items():
        if index in pushed or _is_only_pushed(known, found, by_numbers, index, shape):
            found[index] = Found(lies, Way.STAYED)
        else:
            spot = spot_of(_anchors(known, found, {}, index), lies, shape)
            found[index] = Found(lies, Way.ELSEWHERE, None if isinstance(spot, Unclear) else spot)
    for index in lost:
        other = _nearest(known[index], free, shape) if index not in found else None
        if other is not None:
            free.remove(other)
            spot = spot_of(_anchors(known, found, {}, index), other, shape)
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
    """True when a tile clearly is not the one that lay there, whose numbers are certain, or was turned since."""
    clear = bool(tile.values) and tile.face_up and tile.confidence >= SURE
    return item.certain and clear and (tile.values != item.seen.values or _turn_deg(item.seen, tile) > TURNED_DEG)


def _nearest(item: Known, tiles: Sequence[SeenTile], shape: Shape) -> SeenTile | None:
    """The tile that lies where a known one lay: the nearest within half a tile's width."""
    best = min(tiles, key=lambda tile: _away_mm(tile, item.seen), default=None)
    return best if best is not None and _away_mm(best, item.seen) <= SAME_PLACE * shape.width_mm else None


def twin(known: SeenTile, tiles: Sequence[SeenTile]) -> SeenTile | None:
    """The nearest tile that clearly shows the numbers of one that does not lie where it lay."""
    alike = [tile for tile in tiles if tile.values == known.values and tile.face_up and tile.confidence >= SURE]
    return min(alike, key=lambda tile: _away_mm(tile, known), default=None)


def _turn_deg(one: SeenTile, other: SeenTile) -> float:
    """How far a tile has been turned, 0 to 180; a double or triple looks the same in several directions."""
    period_deg = 360.0 / max(1, len(one.values)) if len(set(one.values)) == 1 else 360.0
    turn_deg = (other.angle_deg - one.angle_deg) % period_deg
    return min(turn_deg, period_deg - turn_deg)


def _away_mm(one: SeenTile, other: SeenTile) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


# --- pushed -----------------------------------------------------------------------------------------


def _pushed_together(known: Sequence[Known], now: dict[int, SeenTile], shape: Shape) -> frozenset[int]:
    """The tiles of the record that one push of the whole layout explains: more than half of it, else none."""
    layout = [index for index, item in enumerate(known) if item.placed is not None]
    moves = {index: _Push.of(known[index].seen, now[index]) for index in layout if index in now}
    agreeing: frozenset[int] = frozenset()
    for push in moves.values():
        fits = frozenset(
            index
            for index in moves
            if _away_mm(push.on(known[index].seen), now[index]) <= SAME_PLACE * shape.width_mm
            and not (now[index].values and _turn_deg(push.on(known[index].seen), now[index]) > TURNED_DEG)
        )
        agreeing = max(agreeing, fits, key=len)
    return agreeing if 2 * len(agreeing) > len(layout) else frozenset()


@dataclass(frozen=True, slots=True)
class _Push:
    """A turn about one tile's former place, and the way that tile has gone."""

    about: SeenTile
    turn_deg: float
    x_mm: float
    y_mm: float

    @classmethod
    def of(cls, before: SeenTile, now: SeenTile) -> _Push:
        """The push that moves one tile so; a double or triple looks the same in several directions."""
        period_deg = 360.0 / max(1, len(before.values)) if len(set(before.values)) == 1 else 360.0
        turn_deg = (now.angle_deg - before.angle_deg + period_deg / 2) % period_deg - period_deg / 2
        turn_deg = turn_deg if abs(turn_deg) <= MOST_TURN_DEG else 0.0
        return cls(before, turn_deg, now.x_mm - before.x_mm, now.y_mm - before.y_mm)

    def on(self, tile: SeenTile) -> SeenTile:
        """Where another tile lies after the same push."""
        turn = radians(self.turn_deg)
        x_mm, y_mm = tile.x_mm - self.about.x_mm, tile.y_mm - self.about.y_mm
        return SeenTile(
            tile.kind,
            tile.values,
            self.about.x_mm + self.x_mm + x_mm * cos(turn) - y_mm * sin(turn),
            self.about.y_mm + self.y_mm + x_mm * sin(turn) + y_mm * cos(turn),
            tile.angle_deg + self.turn_deg,
        )


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
