"""Tiles that are played to tricks: where one lies means nothing, when it came means everything.

A tile that comes is the play of the seat to move. A trick that is over may be taken away at once, one by one, or lie
there for longer, and its tiles may be seen again where they are gathered: nothing of that is a play, and nothing is
asked about it. Before the first lead a tile that lies face up is no play either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations

from referee import games, umpire
from referee.moves import Loose, Place
from referee.seen.following import SURE
from referee.seen.memory import Choice, Doubt, Lying, Memory
from referee.state import Placed, State
from referee.tiles import Tile
from referee.tricks.trick import Step, TrickState
from referee.umpire import Record

WHICH_FIRST = "which-first"
_MOST_CHOICES = 5


# --- what lies there --------------------------------------------------------------------------------


def under_way(record: Record) -> tuple[Placed, ...]:
    """The tiles of the trick that is not over yet."""
    return games.game(record.state.game).lies(record.state)


def last_played(record: Record) -> tuple[Placed, ...]:
    """The tiles of the trick that was finished last, and of the one under way."""
    return record.state.layout[-len(under_way(record)) - record.state.players :]


def finished(record: Record) -> tuple[Placed, ...]:
    """The tiles of the tricks that are over."""
    return record.state.layout[: len(record.state.layout) - len(under_way(record))]


def is_taken(record: Record, item: Lying) -> bool:
    """True for a tile of a trick that is over."""
    return item.entry is not None and any(placed.entry == item.entry for placed in finished(record))


def standing(record: Record, lying: Sequence[Lying | None]) -> list[Lying | None]:
    """What tiles are by the record as it stands now: those of a trick that is over mean nothing, and may be gone.

    Nothing is asked when all tiles of a trick under way were taken up, as people do who think that it is over.
    """
    tiles = under_way(record)
    gone = {item.entry for item in lying if item and item.status == "missing" and item.elsewhere is None}
    is_taken_up = len(tiles) > 1 and all(placed.entry in gone for placed in tiles)
    settled = [item and _standing(record, item) for item in lying]
    if not is_taken_up:
        return settled
    return [replace(each, doubt=None, answered=True) if each and each.entry in gone else each for each in settled]


def _standing(record: Record, item: Lying) -> Lying | None:
    if item.entry is None:
        is_stale = item.doubt is not None and _is_out_of_date(record, item.doubt)
        return replace(item, status="new", doubt=None) if is_stale else item
    placed = next((each for each in record.state.layout if each.entry == item.entry), None)
    if placed is None or item.status not in ("placed", "missing"):
        return item
    if item.seen.values != placed.tile.values:
        # it was misread, or is about to be changed for the tile that the record has now
        return None if item.status == "missing" else Lying(item.seen, "seen")
    if not is_taken(record, item):
        return item
    return None if item.status == "missing" else Lying(item.seen, "seen", item.entry)


def _is_out_of_date(record: Record, doubt: Doubt) -> bool:
    """True when what is asked about a play has been overtaken: another seat is to move, or the tile has been played."""
    acts = [choice.act for choice in doubt.choices if isinstance(choice.act, Place)]
    played = {placed.tile for placed in record.state.layout}
    is_played = doubt.what == WHICH_FIRST and any(act.tile in played for act in acts)
    return bool(acts) and (is_played or all(act.seat != record.state.turn for act in acts))


# --- what is played ---------------------------------------------------------------------------------


def has_begun(record: Record) -> bool:
    """True when tiles are played now: all bids, the exchange and the trumps are known."""
    return isinstance(record.state, TrickState) and record.state.step is Step.TRICKS


def set_aside(memory: Memory) -> Memory:
    """The memory with all that came too early for a play to be asked about when play begins."""
    lying = tuple(
        replace(item, status="found" if item.seen.face_up else "seen") if item.status == "new" else item
        for item in memory.lying
    )
    return memory if lying == memory.lying else replace(memory, lying=lying)


def is_waiting(record: Record, memory: Memory) -> bool:
    """True while it is asked what was played: as long as that is open nobody can say whose play the next tile is."""
    open_ = [item for item in memory.lying if item.doubt is not None and item.status != "new"]
    is_asked = any(item.entry is None or item.doubt.what in ("missing", "another-tile") for item in open_ if item.doubt)
    return is_asked or bool(umpire.unsettled(record))


def next_up(memory: Memory) -> tuple[Lying, ...]:
    """The tiles that came first of those not dealt with: one, or several where nobody saw which was before which."""
    new = [item for item in memory.lying if item.status == "new"]
    first = min((item.rest for item in new), default=0)
    return tuple(item for item in new if item.rest == first)


def came_with(memory: Memory, item: Lying, doubt_id: str) -> bool:
    """True for a tile that came together with the one of which it is asked whether it was played first."""
    asked = (
        each for each in memory.lying if each.doubt and (each.doubt.id, each.doubt.what) == (doubt_id, WHICH_FIRST)
    )
    return item.status == "new" and any(each.rest == item.rest for each in asked)


def meant(memory: Memory, item: Lying, tile: Tile) -> Lying:
    """The tile that an answer to what is asked about one is about: that one, or another that came with it."""
    if item.doubt is None or item.doubt.what != WHICH_FIRST:
        return item
    others = [each for each in memory.lying if came_with(memory, each, item.doubt.id)]
    named = (each for each in (item, *others) if each.seen.values == tile.values)
    likely = (each for each in (item, *others) if any(Tile(reading.values) == tile for reading in each.seen.readings))
    return next(named, None) or next(likely, item)


def shown(memory: Memory, tile: Tile) -> Lying | None:
    """The tile that lies there, and is no play yet, which people mean who say that this one was played.

    It shows those numbers, or may, or else it is the one that has been asked about for longest.
    """
    loose = [item for item in memory.lying if item.seen.face_up and item.status not in ("placed", "missing", "removal")]
    loose = [item for item in loose if item.entry is None or item.status == "illegal"]
    doubtful = [item for item in loose if item.status == "doubt"]
    sure = (item for item in loose if item.seen.values == tile.values)
    likely = (each for each in doubtful if any(Tile(reading.values) == tile for reading in each.seen.readings))
    return next(sure, None) or next(likely, None) or next(iter(doubtful), None)


def first_of(record: Record, came: tuple[Lying, ...]) -> tuple[Lying, ...]:
    """Of tiles that came at once the one that was played first; all where the rules leave more than one."""
    if len(came) < 2 or not all(item.seen.values and item.seen.confidence >= SURE for item in came):
        return came
    orders = permutations(came)
    firsts = [order[0] for order in orders if _is_legal(record.state, [Tile(item.seen.values) for item in order])]
    return tuple(firsts[:1]) if firsts and all(each is firsts[0] for each in firsts) else came


def _is_legal(state: State, tiles: Sequence[Tile]) -> bool:
    rule = games.game(state.game).rule
    for tile in tiles:
        if state.turn is None:
            return False
        ruling = rule(state, Place(state.turn, tile, Loose()))
        if not ruling.is_legal:
            return False
        state = ruling.state
    return True


def which_first(choices: Iterable[Choice]) -> Doubt:
    """The question which of several tiles that came at once was played first."""
    likely = sorted((each for each in choices if each.act is not None), key=lambda each: -(each.probability or 0.0))
    return Doubt("", WHICH_FIRST, (*likely[:_MOST_CHOICES], Choice(None, "not-a-move")))
