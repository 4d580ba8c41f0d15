"""What lies on the table and what is thought of it, from one sighting to the next.

Two truths are kept apart: a `Sighting` is what lies there, the record is what was accepted. This module
follows the tiles and keeps their standing; the reader decides what a new one means.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

from referee import games, placing, umpire
from referee.moves import Expose, LineSpot, Place
from referee.placing import Anchor
from referee.sighting import SeenTile, Sighting
from referee.state import Phase, Placed
from referee.tiles import DOMINO, Shape
from referee.umpire import Act, Record

SURE = 0.9
_SAME_PLACE = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a doubt: what would be done, `None` for nothing (it is no move)."""

    act: Act | None
    what: str
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question for the people. `what`: `which-tile`, `already-laid`, `not-in-set`, `unclear-place`,
    `who-opens`, `two-at-once`, `missing` or `awaiting-removal`."""

    id: str
    what: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile on the table and what is thought of it.

    `status` is `placed`, `illegal`, `doubt`, `removal` (taken back but still there), `missing` (accepted
    but no longer there) or `seen` (means nothing). `answered`: people know that it is missing. In doubt
    with an entry but no doubt of its own is a tile whose move does not stand any more (`umpire.unsettled`).
    """

    seen: SeenTile
    status: str
    entry: int | None = None
    doubt: Doubt | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """What the reader remembers between sightings."""

    lying: tuple[Lying, ...] = ()
    epoch: str = ""
    settle: int = -1
    rest: int = 0
    begun_rest: int = -1
    questions: int = 0


def anchors(record: Record, memory: Memory) -> tuple[Anchor, ...]:
    """The accepted tiles with the poses they were last seen in, in the order of laying.

    A tile that is missing keeps its last pose; one that was entered by hand has none.
    """
    poses = {item.entry: item.seen for item in memory.lying if item.status in ("placed", "missing")}
    return tuple(Anchor(placed, poses.get(placed.entry)) for placed in record.state.layout)


def look(record: Record, memory: Memory, sighting: Sighting, shape: Shape) -> Memory:
    """Take in a sighting: follow the tiles that lie there, note what came and what went.

    While the table is busy nothing is concluded. Tiles that came get the status `new` and are turned
    into steps or doubts by `next_step`.
    """
    if sighting.busy or (sighting.epoch, sighting.settle) == (memory.epoch, memory.settle):
        return memory
    kind = games.game(record.state.game).kind
    lying: list[Lying] = []
    free = [_sound(seen) for seen in sighting.tiles if seen.kind == kind]
    for item in memory.lying:
        found = _same(item.seen, free, shape)
        if found is not None:
            free.remove(found)
            lying.append(_arrived(record, memory, found) if _is_clear_now(item, found) else _followed(item, found))
        elif item.status in ("placed", "missing"):
            lying.append(replace(item, status="missing"))
    lying.extend(_arrived(record, memory, seen) for seen in free)
    changed = replace(memory, lying=tuple(lying), epoch=sighting.epoch, settle=sighting.settle, rest=memory.rest + 1)
    return reconcile(record, changed)


def _is_clear_now(item: Lying, found: SeenTile) -> bool:
    """True for a tile that was asked about because it could not be read, and now can."""
    unread = item.status == "doubt" and item.doubt is not None and item.doubt.what == "which-tile"
    return unread and bool(found.values) and found.confidence >= SURE


def _arrived(record: Record, memory: Memory, seen: SeenTile) -> Lying:
    """A tile that was not there before: new, or one that was entered by hand and is now seen."""
    poses = {item.entry for item in memory.lying}
    for placed in record.state.layout:
        if placed.entry not in poses and seen.confidence >= SURE and seen.values == placed.tile.values:
            return Lying(seen, "placed", placed.entry)
    return Lying(seen, "new")


def _sound(seen: SeenTile) -> SeenTile:
    """A tile as seen; one whose numbers cannot be right for its kind counts as unread."""
    count = 2 if seen.kind == DOMINO else 3
    readings = tuple(each for each in seen.readings if len(each.values) == count and min(each.values) >= 0)
    fits = len(seen.values) == count and min(seen.values) >= 0
    return replace(seen, values=seen.values if fits else (), readings=readings)


def _same(known: SeenTile, tiles: list[SeenTile], shape: Shape) -> SeenTile | None:
    """The seen tile that lies where a known one lay: the nearest within half a tile's width."""
    near = [(hypot(t.x_mm - known.x_mm, t.y_mm - known.y_mm), i) for i, t in enumerate(tiles)]
    reach_mm = _SAME_PLACE * shape.width_mm
    best = min((item for item in near if item[0] <= reach_mm), default=None)
    return tiles[best[1]] if best else None


def _followed(item: Lying, found: SeenTile) -> Lying:
    """A known tile in its new pose: the record's numbers, the camera's place.

    Corner order and angle belong together, so the new angle is only taken over when the eye still reads
    the same numbers; of the angles in which a double or triple looks the same, the one it had is kept.
    """
    if item.status == "missing":
        item = replace(item, status="placed", doubt=None, answered=False)
    if found.values == item.seen.values:
        period_deg = 360.0 / len(found.values) if len(set(found.values)) == 1 else 360.0
        angle_deg = placing.nearest_turn(item.seen.angle_deg, found.angle_deg, period_deg)
        return replace(item, seen=replace(item.seen, x_mm=found.x_mm, y_mm=found.y_mm, angle_deg=angle_deg))
    if item.status in ("doubt", "seen"):
        return replace(item, seen=found)
    return replace(item, seen=replace(item.seen, x_mm=found.x_mm, y_mm=found.y_mm))


def reconcile(record: Record, memory: Memory) -> Memory:
    """Bring the statuses up to date after the record has changed (undo, overrule, a new round)."""
    placed = {item.entry: item for item in record.state.layout if item.entry is not None}
    lying: list[Lying] = []
    questions = memory.questions
    for item in memory.lying:
        settled = _reconciled(record, item, placed.get(item.entry or 0))
        asked = _question(record, settled) if settled and settled.doubt is None else None
        if settled is not None and asked is not None:
            questions += 1
            settled = replace(settled, doubt=replace(asked, id=f"q{questions}"))
        if settled is not None:
            lying.append(settled)
    return replace(memory, lying=tuple(lying), questions=questions)


def _reconciled(record: Record, item: Lying, placed: Placed | None) -> Lying | None:
    """What a tile is by the record as it stands now, None when it is gone and taken back."""
    phase = record.state.phase
    if item.entry is None:
        return item if phase is Phase.PLAY else replace(item, status="seen", doubt=None)
    if phase not in (Phase.PLAY, Phase.SHOW_HANDS):
        return replace(item, status="seen", entry=None, doubt=None)
    entry = item.entry
    if placed is not None:
        read = record.entries[entry - 1].what
        if item.seen.values != placed.tile.values and isinstance(read, Place):
            item = replace(item, seen=placing.recorded(item.seen, read.spot, placed))
        return item if item.status in ("missing", "placed") else replace(item, status="placed", doubt=None)
    if _lies_open(record, entry):
        return replace(item, status="seen", entry=None, doubt=None)
    if _still_illegal(record, entry):
        # what stood until something before it was changed is asked about, and is no cause for the lamp
        return replace(item, status="doubt" if entry in umpire.unsettled(record) else "illegal", doubt=None)
    if item.status == "missing":
        return None
    return item if item.status == "removal" else replace(item, status="removal", doubt=None)


def _question(record: Record, item: Lying) -> Doubt | None:
    """What to ask about a tile that is gone though accepted, or there though taken back."""
    if item.entry is None or record.state.phase is not Phase.PLAY:
        return None
    if item.status == "missing" and not item.answered:
        choices = (Choice(None, "it-lies-there"), Choice(umpire.Undo(item.entry), "take-back"))
        return Doubt("", "missing", choices)
    act = record.entries[item.entry - 1].what
    if item.status == "removal" and isinstance(act, Place):
        return Doubt("", "awaiting-removal", (Choice(act, "stands"),))
    return None


def _still_illegal(record: Record, entry: int) -> bool:
    ruling = record.rulings[entry - 1] if entry <= len(record.rulings) else None
    return ruling is not None and not ruling.is_legal


def _lies_open(record: Record, entry: int) -> bool:
    """True when it was decided that a tile which does not stand lies open before its player from now on."""
    laid = record.entries[entry - 1].what
    later = zip(record.entries[entry:], record.rulings[entry:], strict=True)
    return isinstance(laid, Place) and any(
        isinstance(each.what, Expose)
        and (each.what.tile, each.what.laid) == (laid.tile, True)
        and ruling is not None
        and ruling.is_legal
        for each, ruling in later
    )


def unfinished(memory: Memory) -> bool:
    """True while tiles that came have not been dealt with."""
    return any(item.status == "new" for item in memory.lying)


def journaled(memory: Memory, seen: SeenTile, entry: int, legal: bool) -> Memory:
    """A tile has been journaled: from now on it is placed, or it is an illegal one lying there."""
    status = "placed" if legal else "illegal"
    lying = tuple(
        Lying(seen, status, entry) if _is_at(item.seen, seen) and item.status in ("new", "doubt", "removal") else item
        for item in memory.lying
    )
    return replace(memory, lying=lying)


def entered(memory: Memory, known: tuple[Anchor, ...], act: Place, entry: int, shape: Shape) -> Memory:
    """A tile was entered by hand: if one lies asked about where it belongs, that is it.

    Args:
        known: the accepted tiles before this one.
        act: the placement as it was entered.
        entry: its entry in the journal.
    """
    spots = [act.spot]
    if isinstance(act.spot, LineSpot) and len(known) == 1:
        # which end of a lone tile is the left one, people cannot know
        spots.append(replace(act.spot, end="left" if act.spot.end == "right" else "right"))
    unknown = [item for item in memory.lying if item.status in ("doubt", "seen") and item.entry is None]
    for pose in (pose for spot in spots for pose in placing.poses_of(known, act.tile, spot, shape)):
        for item in unknown:
            if hypot(pose.x_mm - item.seen.x_mm, pose.y_mm - item.seen.y_mm) < _SAME_PLACE * shape.width_mm:
                seen = replace(pose, x_mm=item.seen.x_mm, y_mm=item.seen.y_mm)
                return changed(memory, item, Lying(seen, "placed", entry))
    return memory


def in_dispute(memory: Memory) -> Lying | None:
    """The illegal tile that lies on the table, as far as the camera has looked since the start."""
    if memory.settle < 0:
        return None
    return next((item for item in memory.lying if item.status == "illegal"), None)


def dismissed(memory: Memory, doubt_id: str) -> Memory:
    """A doubt was answered with "it is no move": the tile means nothing from now on."""
    lying = tuple(
        replace(item, doubt=None, answered=True, status="missing" if item.status == "missing" else "seen")
        if item.doubt and item.doubt.id == doubt_id
        else item
        for item in memory.lying
    )
    return replace(memory, lying=lying)


def _is_at(one: SeenTile, other: SeenTile) -> bool:
    return (one.x_mm, one.y_mm) == (other.x_mm, other.y_mm)


def changed(memory: Memory, old: Lying, new: Lying) -> Memory:
    """The memory with one tile's standing changed."""
    return replace(memory, lying=tuple(new if item is old else item for item in memory.lying))
