"""The reader says what a tile that came means: a placement, a dispute, a doubt, or nothing.

It compares what lies on the table (`referee.seen.tabletop`) with what the record says. It is pure: the memory it
needs is passed in and handed back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import hypot

from referee import games, umpire
from referee.laying import contact
from referee.moves import Begin, Clear, LineSpot, Loose, Place, Spot
from referee.rulings import Reason
from referee.seen import placing, seating, tabletop, tricking
from referee.seen.following import SURE
from referee.seen.memory import ASKED_IN_TURN, READ_IN_DOUBT, Choice, Doubt, Lying, Memory, asked, changed
from referee.seen.placing import Anchor, Unclear
from referee.sighting import Reading, SeenTile
from referee.state import Phase
from referee.tiles import Shape, Tile
from referee.umpire import Act, Entry, Record

_SETTLED_BY_SET = 0.95
_MOST_READINGS = 5
_MOST_ORDERED = 4  # of so many tiles that came at once, and no more, every order is tried
AT_END = {"left": "place-left", "right": "place-right", "up": "place-up", "down": "place-down"}


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done next: an act of the camera to be journaled, about a tile it saw."""

    act: Act
    seen: SeenTile | None


def next_step(record: Record, memory: Memory, shape: Shape, copies: int | None = 1) -> tuple[Memory, Step | None]:
    """The next thing to do about what lies there; call again until there is none.

    Returns:
        The memory with the tile dealt with (as a doubt, or as meaning nothing), and the step to be
        journaled, if there is one. After journaling call `journaled`.
    """
    phase = record.state.phase
    if phase in (Phase.DEAL, Phase.CLEARING):
        return _between_rounds(record, memory)
    if phase is not Phase.PLAY or _last_tile_is_asked_about(record, memory):
        return memory, None  # if it was taken back, what came is by the same player
    if games.game(record.state.game).in_tricks:
        return _next_play(record, memory, shape, copies)
    # whose tile this is, and what it joins, is known once those before it are
    is_held_up = any(_may_be_laid(record, memory, item, shape) for item in memory.lying)
    new = [item for item in memory.lying if item.status == "new" and (item.entry is not None or not is_held_up)]
    judged = [(item, *proposal(record, memory, item, shape, copies)) for item in new]
    for item, step, _ in judged:
        if item.entry is not None and (step is None or not umpire.judge(record, step.act).is_legal):
            # it was taken back and has only been pushed aside
            return changed(memory, item, replace(item, status="removal")), None
    if not judged:
        return _ask_about_found(record, memory, shape, copies), None
    if len(judged) == 1 and judged[0][1] is not None:
        return memory, judged[0][1]
    # several tiles in one settle: as many as can be are taken in an order that is legal
    first = _first_of_several(record, memory, [item for item, _, _ in judged], shape, copies)
    if first is not None:
        return memory, first
    unclear = [(item, doubt) for item, step, doubt in judged if step is None]
    # of several that do not fit nobody can say which was meant: ask, never buzz; first about what cannot be told
    several = [(item, _doubt("two-at-once", _stands(item, step))) for item, step, _ in judged if step is not None]
    for item, doubt in unclear or several:
        memory = asked(memory, item, doubt)
    return memory, None


def _first_of_several(
    record: Record, memory: Memory, came: list[Lying], shape: Shape, copies: int | None
) -> Step | None:
    """The first of several tiles, by an order in which as many as can be are legal; None where that leaves a choice."""
    if len(came) > _MOST_ORDERED:
        steps = (proposal(record, memory, item, shape, copies)[0] for item in came)
        return next((step for step in steps if step is not None and umpire.judge(record, step.act).is_legal), None)
    orders = list(_orders(record, memory, came, shape, copies))
    most = max(len(order) for order in orders)
    longest = [order for order in orders if len(order) == most]
    laid = {frozenset(id(item) for item, _ in order) for order in longest}
    return longest[0][0][1] if most and len(laid) == 1 else None


def _orders(
    record: Record, memory: Memory, came: list[Lying], shape: Shape, copies: int | None
) -> Iterator[tuple[tuple[Lying, Step], ...]]:
    """The orders in which some of the tiles that came may have been laid, each legal where it lies."""
    is_last = True
    for item in came if record.state.phase is Phase.PLAY else ():
        step, _ = proposal(record, memory, item, shape, copies)
        reason = umpire.judge(record, step.act).reason if step is not None else None
        if step is None or step.seen is None or reason is None or not reason.is_legal:
            continue
        is_last = False
        entry = Entry(len(record.entries) + 1, 0, "camera", None, step.act, reason, step.seen)
        after = tabletop.journaled(memory, step.seen, entry.seq, legal=True)
        others = [each for each in came if each is not item]
        for order in _orders(umpire.append(record, entry), after, others, shape, copies):
            yield ((item, step), *order)
    if is_last:
        yield ()


def _stands(item: Lying, step: Step) -> tuple[Choice, ...]:
    return (Choice(step.act, "stands", item.seen.confidence),)


def _may_be_laid(record: Record, memory: Memory, item: Lying, shape: Shape) -> bool:
    """True for a tile of which it is asked whether, or by whom, it was laid, and not only where something lies."""
    if item.status != "doubt" or item.entry is not None or item.doubt is None:
        return False
    if item.doubt.what in ("who-opens", "who-played", "two-at-once"):
        return True
    laid = (anchor.seen for anchor in tabletop.anchors(record, memory) if anchor.seen is not None)
    return any(contact.touches(item.seen, seen, shape) for seen in laid)


def _next_play(record: Record, memory: Memory, shape: Shape, copies: int | None) -> tuple[Memory, Step | None]:
    """The next thing to do about a tile that came in a game of tricks."""
    if not tricking.has_begun(record):
        return tricking.set_aside(memory), None
    if tricking.is_waiting(record, memory):
        return memory, None
    came = tricking.first_of(record, tricking.next_up(memory))
    judged = [(item, *proposal(record, memory, item, shape, copies)) for item in came]
    if not judged:
        return _ask_about_found(record, memory, shape, copies), None
    for item, step, doubt in judged:
        if step is None and (doubt is None or len(judged) == 1):
            return asked(memory, item, doubt), None
    if len(judged) == 1:
        return memory, judged[0][1]
    choices = [Choice(step.act, "tile", item.seen.confidence) for item, step, _ in judged if step is not None]
    choices += [choice for _, _, doubt in judged if doubt is not None for choice in doubt.choices]
    return asked(memory, judged[0][0], tricking.which_first(choices)), None


def _last_tile_is_asked_about(record: Record, memory: Memory) -> bool:
    """True while the tile that was laid last is not where it lay, and nobody has said what became of it."""
    last = record.state.layout[-1].entry if record.state.layout else None
    return last is not None and any(
        item.entry == last and item.status == "missing" and not item.answered for item in memory.lying
    )


def _ask_about_found(record: Record, memory: Memory, shape: Shape, copies: int | None) -> Memory:
    """Ask about one tile that lay there, unknown to the record, when the eye began to look; a fitting one first."""
    found = [item for item in memory.lying if item.status == "found"]
    if not found or any(item.doubt and item.doubt.what in ASKED_IN_TURN for item in memory.lying):
        return memory
    judged = [(item, *proposal(record, memory, item, shape, copies)) for item in found]
    for item, step, doubt in judged:
        if step is None and doubt is None:
            memory = asked(memory, item, None)
    judged = [each for each in judged if each[1] is not None or each[2] is not None]
    fitting = (each for each in judged if each[1] is not None and umpire.judge(record, each[1].act).is_legal)
    first = next(fitting, next(iter(judged), None))
    if first is None:
        return memory
    item, step, doubt = first
    choices = doubt.choices if doubt is not None else ()
    if step is not None:
        choices = (Choice(step.act, "stands", item.seen.confidence), Choice(None, "not-a-move"))
    return asked(memory, item, Doubt("", "not-in-record", choices))


def _between_rounds(record: Record, memory: Memory) -> tuple[Memory, Step | None]:
    """The deal ends, and a round's clearing ends, when the table has been seen empty.

    The rest that ended the clearing does not end the deal as well: tiles are shuffled in between, so
    either everybody has announced his best tile or the table has to come to rest empty once more.
    """
    if memory.settle < 0 or any(item.seen.face_up for item in memory.lying if item.status != "missing"):
        return memory, None
    if record.state.phase is Phase.CLEARING:
        return replace(memory, lying=(), begun_rest=memory.rest), Step(Clear(), None)
    if memory.rest > memory.begun_rest or all(record.state.heard):
        return memory, Step(Begin(), None)
    return memory, None


def proposal(
    record: Record, memory: Memory, item: Lying, shape: Shape, copies: int | None
) -> tuple[Step | None, Doubt | None]:
    """What to make of one tile that came: a step, a doubt, or neither."""
    seen = item.seen
    if not seen.face_up:
        return None, None
    known = measured_from(record, memory)
    seat = record.state.turn
    if seat is None and not seen.values:
        return None, _doubt("which-tile", ())
    if seat is None:
        spot = spot_of(known, seen, shape)
        spot = Loose() if isinstance(spot, Unclear) else spot
        choices = tuple(
            Choice(Place(opener, Tile(seen.values), spot), "opens") for opener in range(record.state.players)
        )
        return None, _doubt("who-opens", choices)
    player, rival = seating.who_played(record, memory.reach_deg, seat)
    settled = _settled(record, known, player, seen, shape, copies)
    if settled is None:
        return None, _doubt("which-tile", _candidates(record, known, player, seen, shape))
    where = spot_of(known, settled, shape)
    act = Place(player, Tile(settled.values), Loose() if isinstance(where, Unclear) else where)
    if rival is not None:
        return None, _doubt("who-played", (Choice(act, "plays"), Choice(replace(act, seat=rival), "plays")))
    if isinstance(where, Unclear):
        return None, _doubt("unclear-place", _possible(record, act))
    if _lies_where_one_is_missing(memory, seen, shape) and not umpire.judge(record, act).is_legal:
        return None, _doubt("unclear-place", _possible(record, act))
    return _ruled(record, known, act, seen, placing.aligned(known or (), settled, where, shape), shape)


def measured_from(record: Record, memory: Memory) -> tuple[Anchor, ...] | None:
    """The tiles that tell where another one lies; None in tricks, where that means nothing."""
    return None if games.game(record.state.game).in_tricks else tabletop.anchors(record, memory)


def spot_of(known: tuple[Anchor, ...] | None, seen: SeenTile, shape: Shape) -> Spot | Unclear:
    return Loose() if known is None else placing.spot_of(known, seen, shape)


def _lies_where_one_is_missing(memory: Memory, seen: SeenTile, shape: Shape) -> bool:
    """True for a tile that lies on the place of one that is gone: of neither it is certain what it means."""
    return any(
        item.status == "missing" and hypot(item.seen.x_mm - seen.x_mm, item.seen.y_mm - seen.y_mm) < shape.width_mm / 2
        for item in memory.lying
    )


def _ruled(
    record: Record, known: tuple[Anchor, ...] | None, act: Place, seen: SeenTile, settled: SeenTile, shape: Shape
) -> tuple[Step | None, Doubt | None]:
    """What to make of a tile that was read and lies in a clear place."""
    reason = umpire.judge(record, act).reason
    if not reason.is_legal and _lies_open(record, act, reason):
        return None, None
    if not reason.is_legal and any(anchor.seen is None for anchor in known or ()):
        # a tile entered by hand lies somewhere out of sight: it may be what this one joins
        return None, _doubt("unclear-place", _possible(record, act))
    if reason in (Reason.TILE_ALREADY_PLAYED, Reason.NO_SUCH_TILE):
        # more often misread than cheated: people confirm the reading first
        what = "already-laid" if reason is Reason.TILE_ALREADY_PLAYED else "not-in-set"
        others = tuple(c for c in _candidates(record, known, act.seat, seen, shape) if c.act != act)
        return None, _doubt(what, (*others[: _MOST_READINGS - 1], Choice(act, "stands", settled.confidence)))
    return Step(act, settled), None


def _lies_open(record: Record, act: Place, reason: Reason) -> bool:
    """True for a hand tile that all have seen, and that is not played now: another seat's, or joining nothing."""
    seats = {each.seat for each in record.state.exposed if each.tile == act.tile}
    return bool(seats) and (act.seat not in seats or reason is Reason.NOT_CONNECTED)


def _possible(record: Record, act: Place) -> tuple[Choice, ...]:
    """What a tile that lies in no clear place may be meant as: at an end of the line, or in the one cell it fits."""
    places = games.game(record.state.game).places(record.state, act.tile)
    meant = [Choice(replace(act, spot=spot), AT_END[spot.end]) for spot in places if isinstance(spot, LineSpot)]
    if len(places) == 1 and not meant:
        meant = [Choice(replace(act, spot=places[0]), "place")]
    return (*meant, Choice(act, "stands"))


def _settled(
    record: Record, known: tuple[Anchor, ...] | None, seat: int, seen: SeenTile, shape: Shape, copies: int | None
) -> SeenTile | None:
    """The tile as it can be taken: read clearly, or doubtful and settled by the tiles still unseen.

    A clear reading is never overturned. A doubtful one is settled when, of its readings, only one is
    still to come and fits where it lies.
    """
    if seen.values and seen.confidence >= SURE:
        return seen
    if copies is None:
        return None
    tiles = games.game(record.state.game).tiles_of(record.state.settings)
    laid = [placed.tile for placed in record.state.layout]
    possible = [r for r in seen.readings if (tile := Tile(r.values)) in tiles and laid.count(tile) < copies]
    total = sum(reading.probability for reading in possible)
    if not possible or total < 0.5 or possible[0].probability < _SETTLED_BY_SET * total:
        return None
    settled = turned(seen, possible[0])
    where = spot_of(known, settled, shape)
    if isinstance(where, Unclear):
        return None
    return settled if umpire.judge(record, Place(seat, Tile(settled.values), where)).is_legal else None


def turned(seen: SeenTile, reading: Reading) -> SeenTile:
    """The same tile read another way."""
    return placing.normalised(replace(seen, values=reading.values, confidence=reading.probability))


def _candidates(
    record: Record, known: tuple[Anchor, ...] | None, seat: int, seen: SeenTile, shape: Shape
) -> tuple[Choice, ...]:
    """What a tile may be by the way it was read, the likeliest first, and last what lies already; each tile once."""
    whole = frozenset(games.game(record.state.game).tiles_of(record.state.settings))
    laid = {placed.tile for placed in record.state.layout}
    choices: dict[Tile, Choice] = {}
    for reading in seen.readings:
        read = turned(seen, reading)
        tile = Tile(read.values)
        if tile in whole and tile not in choices:
            where = spot_of(known, read, shape)
            spot = Loose() if isinstance(where, Unclear) else where
            choices[tile] = Choice(Place(seat, tile, spot), "tile", reading.probability)
    return tuple(choices[tile] for tile in sorted(choices, key=laid.__contains__)[:_MOST_READINGS])


def _doubt(what: str, choices: tuple[Choice, ...]) -> Doubt:
    return Doubt("", what, (*choices, Choice(None, "not-a-tile" if what in READ_IN_DOUBT else "not-a-move")))
