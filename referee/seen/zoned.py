"""What the zones of the mat hold, from one sighting to the next, and what is asked about it.

Nothing is concluded here: `referee.seen.boneyard` makes draws of it, `referee.seen.handshow` hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from referee.seen.memory import Memory
from referee.seen.zones import Zones
from referee.sighting import SeenTile, Sighting
from referee.state import Phase
from referee.tiles import DOMINO, Shape, Tile
from referee.umpire import Act, Match, Record

SAME_MM = 12.0  # a tile that lies so near to where one lay is that one


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer to a question: what is done then, or which tile it is; with neither, it means nothing."""

    what: str
    act: Act | None = None
    tile: Tile | None = None
    seat: int | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about what the zones hold. `what`: `who-drew`, `stock-short`, `stock-over`, `whose-hand`,
    `hand-count`, or of a tile of a hand `which-tile`, `already-laid`, `not-in-set`.

    `tiles` is how many it is about: those that are wanting in the boneyard (below 0: too many), or those of a hand.
    """

    id: str
    what: str
    replies: tuple[Reply, ...]
    seen: SeenTile | None = None
    tiles: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """What people have said of a tile in the show zone: which it is, None that it is no tile."""

    seen: SeenTile
    tile: Tile | None


@dataclass(frozen=True, slots=True)
class Zoned:
    """What is remembered of the zones.

    `boneyard` counts the tiles in it at the last rest of this round, `before` at the one before that; None while that
    is not known. `is_fresh` until somebody has dealt with the last rest. `alone` when no more than one hand came
    between the two, and `reach_deg` is the side that it came from where that is clear. `is_dealt` when the boneyard
    has been seen whole in this round, `elsewhere` counts the tiles of the stock that people say lie elsewhere.

    `hand` are the tiles in the show zone, `counted` those among them that are of hands shown already, `owner` the
    seat whose hand is being shown, `refused` the last hand that the rules did not take.
    """

    epoch: str = ""
    settle: int = -1
    visit: int = 0
    round: int = 0
    is_fresh: bool = False
    alone: bool = False
    reach_deg: float | None = None
    boneyard: int | None = None
    before: int | None = None
    is_dealt: bool = False
    elsewhere: int = 0
    hand: tuple[SeenTile, ...] = ()
    counted: tuple[SeenTile, ...] = ()
    owner: int | None = None
    refused: Act | None = None
    said: tuple[Said, ...] = ()
    asked: tuple[Asked, ...] = ()
    questions: int = 0


NOTHING = Zoned()


def watches(record: Record, what: str) -> bool:
    """Whether this match has it seen by camera."""
    return any(isinstance(entry.what, Match) and what in entry.what.zones for entry in record.entries[:1])


def look(record: Record, zoned: Zoned, zones: Zones, sighting: Sighting, shape: Shape) -> Zoned:
    """Take in what the zones hold in a sighting; while the table is busy they hold what they held."""
    if sighting.busy:
        return zoned
    state = record.state
    hand = tuple(seen for seen in sighting.tiles if zones.show.holds(seen.x_mm, seen.y_mm) and seen.face_up)
    if (zoned.epoch, zoned.settle) == (sighting.epoch, sighting.settle) and zoned.round == state.round:
        return zoned if hand == zoned.hand else replace(zoned, hand=hand)
    count = sum(_is_in_boneyard(seen, zones, shape) for seen in sighting.tiles)
    if zoned.round != state.round:
        zoned = Zoned(zoned.epoch, zoned.settle, zoned.visit, state.round, questions=zoned.questions)
    is_known = zoned.epoch == sighting.epoch
    since = [visit for visit in sighting.visits if not is_known or visit.number > zoned.visit]
    is_next = is_known and sighting.settle == zoned.settle + 1
    in_order = all(later.number == earlier.number + 1 for earlier, later in pairwise(since))
    alone = is_next and len(since) <= 1 and in_order
    return replace(
        zoned,
        epoch=sighting.epoch,
        settle=sighting.settle,
        visit=since[-1].number if since else zoned.visit if is_known else 0,
        is_fresh=True,
        alone=alone,
        reach_deg=since[0].reach_deg if alone and since else None,
        boneyard=count,
        before=zoned.boneyard if is_known else None,
        hand=hand,
    )


def _is_in_boneyard(seen: SeenTile, zones: Zones, shape: Shape) -> bool:
    """Whatever a tile in the boneyard shows; beside it only what lies face down, pushed a little too far."""
    if zones.boneyard.holds(seen.x_mm, seen.y_mm):
        return True
    return not seen.face_up and zones.boneyard.holds(seen.x_mm, seen.y_mm, shape.length_mm)


def outside(record: Record, memory: Memory, zones: Zones, sighting: Sighting) -> Sighting:
    """The sighting without the tiles that lie in zones, as long as those that lie elsewhere mean placements.

    A tile of the record that was pushed into a zone with the layout still counts.
    """
    if record.state.phase not in (Phase.PLAY, Phase.SHOW_HANDS):
        return sighting
    inside = [seen for seen in sighting.tiles if any(zone.holds(seen.x_mm, seen.y_mm) for zone in zones.both)]
    if not inside:
        return sighting
    lost = [item.seen for item in memory.lying if item.status in ("placed", "missing")]
    for seen in sighting.tiles:
        known = nearest(seen, [each for each in lost if each.values == seen.values], float("inf"))
        if known is not None and seen not in inside:
            lost.remove(known)
    is_laid = {id(seen) for seen in inside if any(each.values == seen.values for each in lost) and seen.face_up}
    pushed = [seen for seen in inside if id(seen) in is_laid and record.state.phase is Phase.PLAY]
    return replace(sighting, tiles=tuple(seen for seen in sighting.tiles if seen not in inside or seen in pushed))


def nearest(seen: SeenTile, others: Sequence[SeenTile], within_mm: float = SAME_MM) -> SeenTile | None:
    """The tile that lies nearest to another, None where none is near enough."""
    best = min(others, key=lambda each: hypot(each.x_mm - seen.x_mm, each.y_mm - seen.y_mm), default=None)
    if best is None or hypot(best.x_mm - seen.x_mm, best.y_mm - seen.y_mm) > within_mm:
        return None
    return best


def ask(zoned: Zoned, question: Asked) -> Zoned:
    """One question more, with a number of its own; one that is asked already in the same words stays as it is."""
    for each in zoned.asked:
        if replace(question, id=each.id) == each:
            return zoned
    kept = tuple(each for each in zoned.asked if (each.what, each.seen) != (question.what, question.seen))
    number = zoned.questions + 1
    return replace(zoned, asked=(*kept, replace(question, id=f"z{number}")), questions=number)


def unasked(zoned: Zoned, *what: str) -> Zoned:
    """Without the questions of these kinds."""
    kept = tuple(each for each in zoned.asked if each.what not in what)
    return zoned if len(kept) == len(zoned.asked) else replace(zoned, asked=kept)


def is_waiting(zoned: Zoned) -> bool:
    """True while it is asked who drew: a tile that came with it is by the same player, or by the next."""
    return any(each.what == "who-drew" for each in zoned.asked)


def answered(zoned: Zoned, line: str) -> tuple[Zoned, Act | None] | None:
    """What an answer (`answer z3 0`, or for a tile `answer z3 is 2-5`) comes to, None for no open question.

    Returns:
        The memory with it, and an act that is to be carried out, if any.

    Raises:
        ValueError: if the line is no answer.
    """
    words = line.split()
    question = next((each for each in zoned.asked if each.id == words[1:2][0]), None) if len(words) > 1 else None
    if len(words) == 4 and words[2] == "is":
        tile = Tile.parse(words[3])
        if question is None or question.seen is None:
            return None
        expected = 2 if question.seen.kind == DOMINO else 3
        if len(tile.values) != expected:
            raise ValueError(f"expected a tile with {expected} numbers, got {tile}")
        return _said(zoned, question, tile), None
    if len(words) != 3 or not words[2].isdecimal():
        raise ValueError(f"expected `answer QUESTION NUMBER`, got {line!r}")
    if question is None or int(words[2]) >= len(question.replies):
        return None
    reply = question.replies[int(words[2])]
    if reply.act is not None:
        return zoned, reply.act
    if question.seen is not None:
        return _said(zoned, question, reply.tile), None
    if question.what == "whose-hand":
        return replace(unasked(zoned, "whose-hand"), owner=reply.seat), None
    if question.what == "hand-count":
        return unasked(zoned, "hand-count"), None
    return replace(unasked(zoned, question.what), elsewhere=zoned.elsewhere + question.tiles), None


def _said(zoned: Zoned, question: Asked, tile: Tile | None) -> Zoned:
    """People have said which tile it is."""
    assert question.seen is not None
    said = tuple(each for each in zoned.said if nearest(each.seen, [question.seen]) is None)
    left = tuple(each for each in zoned.asked if each is not question)
    return replace(zoned, asked=left, said=(*said, Said(question.seen, tile)))
