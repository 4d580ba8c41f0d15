"""What follows for the tiles that lie there when people say which tile one is, or put the record right."""

from __future__ import annotations

from dataclasses import replace

from referee import umpire
from referee.moves import Place
from referee.seen import placing, reader, seating, tabletop, tricking
from referee.seen.memory import READ_IN_DOUBT, Lying, Memory, asked, changed
from referee.seen.placing import Unclear
from referee.seen.reader import Step
from referee.sighting import Reading, SeenTile
from referee.tiles import Shape, Tile
from referee.umpire import Record

_TELLS_LITTLE = 0.5  # numbers: so many more must agree with what was read for that to count for more than that it fits


def named(
    record: Record, memory: Memory, item: Lying, tile: Tile, shape: Shape, copies: int | None = 1
) -> tuple[Memory, Step | None]:
    """What to do about a tile in doubt now that people have said which one it is; where it lies is kept.

    Returns:
        As `reader.next_step`: the step to be journaled, or the memory with what is asked instead (who laid it, say).
    """
    seen = _as_named(record, memory, item.seen, tile, shape)
    known = replace(item, seen=seen, doubt=None)
    step, doubt = reader.proposal(record, memory, known, shape, copies)
    if step is None and doubt is not None and doubt.what in READ_IN_DOUBT:
        # it was not read but said: there is no doubt about what it is
        step = next(Step(choice.act, seen) for choice in doubt.choices if choice.what == "stands" and choice.act)
    if step is not None:
        return memory, step
    return asked(changed(memory, item, known), known, doubt), None


def meant(memory: Memory, item: Lying, tile: Tile) -> SeenTile:
    """The tile that is asked about, read as the answer has it."""
    seen = tricking.meant(memory, item, tile).seen
    reading = next((each for each in seen.readings if reader.turned(seen, each).values == tile.values), None)
    return replace(reader.turned(seen, reading) if reading else seen, confidence=1.0)


def reconsidered(record: Record, memory: Memory, shape: Shape, copies: int | None = 1) -> Memory:
    """The memory after people have said what was missed or misread: what was in doubt is judged again, and what was
    illegal where it is legal now."""
    memory = tabletop.reconsidered(memory)
    for item in memory.lying:
        if item.status == "illegal":
            step, _ = reader.proposal(record, memory, item, shape, copies)
            if step is not None and umpire.judge(record, step.act).is_legal:
                memory = changed(memory, item, replace(item, status="new", entry=None))
    return memory


def _as_named(record: Record, memory: Memory, seen: SeenTile, tile: Tile, shape: Shape) -> SeenTile:
    """A tile that people have named, turned as its numbers were read; where that tells little, so that it fits."""
    readings = seen.readings or ((Reading(seen.values, seen.confidence),) if seen.values else ())
    found: list[tuple[float, bool, SeenTile]] = []
    for first in range(len(tile.values)):
        values = tile.values[first:] + tile.values[:first]
        agreeing = sum(
            each.probability * sum(one == other for one, other in zip(each.values, values, strict=True))
            for each in readings
        )
        turned = placing.normalised(replace(seen, values=values, face_up=True, confidence=1.0, readings=()))
        found.append((agreeing, _fits(record, memory, turned, shape), turned))
    most = max(agreeing for agreeing, _, _ in found)
    return max(found, key=lambda each: (each[1] and each[0] > most - _TELLS_LITTLE, each[0]))[2]


def _fits(record: Record, memory: Memory, seen: SeenTile, shape: Shape) -> bool:
    """Whether a tile may be laid where it lies; before it is known who opens nothing can be said of that."""
    turn = record.state.turn
    spot = reader.spot_of(reader.measured_from(record, memory), seen, shape)
    if turn is None or isinstance(spot, Unclear):
        return False
    seat = seating.who_played(record, memory.reach_deg, turn)[0]
    return umpire.judge(record, Place(seat, Tile(seen.values), spot)).is_legal
