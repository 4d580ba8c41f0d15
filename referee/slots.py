"""The slots of a hand: which of the tiles that a seat was dealt or drew a tile shown later may have been.

Slots are numbered in the order in which they were filled. Tiles that were found in a hand, drawn nobody knows
when, are slots without a number: any tile may have been one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from referee.state import Claim, State
from referee.tiles import Tile

DRAW = "draw"
FOUND = "found"
RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Shown:
    """A tile that a seat has shown, when so many tiles lay on the table, and its slots: the range [low, high)."""

    tile: Tile
    moment: int
    low: int
    high: int

    def above(self, low: int) -> Shown:
        """With the slots from `low` on only."""
        return self if low <= self.low else Shown(self.tile, self.moment, low, self.high)


def shown(state: State, seat: int) -> list[Shown]:
    """The tiles a seat has shown in this round, each when it was first seen, in that order, whatever was claimed.

    Where tiles that were seen in the stock cannot all have been drawn since, a draw was not booked: they
    say nothing then.
    """
    draws = _draws(state, seat)
    hand = state.taken[seat] - sum(claim.tiles for claim in draws)
    had = _given_when_seen(state, seat) if state.exposed else {}
    tiles = [
        Shown(
            tile,
            moment,
            since(state, seat, tile) if state.in_stock else 0,
            had[tile] if tile in had else hand + sum(claim.tiles for claim in draws if claim.layout <= moment),
        )
        for tile, moment in moments(state, seat)
    ]
    if not state.in_stock or are_possible(tiles, found(state, seat)):
        return tiles
    return [each for each in tiles if not each.low]


def _given_when_seen(state: State, seat: int) -> dict[Tile, int]:
    """How many slots a seat had filled when a tile was first seen in its hand: it may have drawn since, before any
    tile was laid."""
    found: dict[Tile, int] = {}
    for each in state.exposed:
        if each.seat == seat and each.taken is not None:
            found.setdefault(each.tile, each.taken)
    return found


def moments(state: State, seat: int) -> list[tuple[Tile, int]]:
    """The tiles a seat has shown in this round, in that order, and how many tiles lay on the table then."""
    seen = [(item.layout, item.tile) for item in state.exposed if item.seat == seat]
    seen += [(moment, placed.tile) for moment, placed in enumerate(state.layout) if placed.seat == seat]
    seen += [(len(state.layout), tile) for tile in state.shown[seat] or ()]
    first: dict[Tile, int] = {}
    for moment, tile in seen:
        first[tile] = min(moment, first.get(tile, moment))
    return sorted(first.items(), key=lambda item: item[1])


def dealt(state: State, seat: int) -> int:
    """How many tiles a seat was dealt."""
    return state.taken[seat] - sum(claim.tiles for claim in _draws(state, seat))


def given(state: State, seat: int, moment: int) -> int:
    """How many slots a seat had filled when so many tiles lay on the table."""
    return dealt(state, seat) + sum(claim.tiles for claim in _draws(state, seat) if claim.layout <= moment)


def at_opening(state: State, seat: int) -> int:
    """How many slots a seat had filled when the round was opened."""
    return given(state, seat, 0)


def found(state: State, seat: int) -> int:
    """How many tiles were found in a hand that nobody had booked."""
    return sum(claim.tiles for claim in state.claims if claim.seat == seat and claim.what == FOUND)


def since(state: State, seat: int, tile: Tile) -> int:
    """How many slots a seat had filled when this tile was seen in the stock; 0 when it was not."""
    return next((each.taken[seat] for each in state.in_stock if each.tile == tile), 0)


def conflict(tiles: list[Shown], spare: int) -> list[Shown]:
    """The first tiles that cannot all have a slot of their own, up to the one that is too many; [] when all can.

    Tiles with slots from 0 on matter only where some were found: nobody shows more tiles than he was given.
    """
    bound = tiles if spare else [each for each in tiles if each.low]
    if are_possible(bound, spare):
        return []
    enough = next(count for count in range(1, len(bound) + 1) if not are_possible(bound[:count], spare))
    return bound[:enough]


def are_possible(tiles: list[Shown], spare: int = 0) -> bool:
    """True when every tile can have a slot of its own, so many of them one without a number."""
    return without_slot([(each.low, each.high) for each in tiles]) <= spare


def without_slot(ranges: list[tuple[int, int]]) -> int:
    """How many tiles get no slot in their range [from, to) even if as many as possible do."""
    if len(ranges) <= min((high for _, high in ranges), default=0) - max((low for low, _ in ranges), default=0):
        return 0  # all ranges share enough slots for all
    waiting = sorted(ranges, reverse=True)
    open_ends: list[int] = []
    slot = missed = 0
    while waiting or open_ends:
        slot = max(slot, waiting[-1][0]) if not open_ends else slot
        while waiting and waiting[-1][0] <= slot:
            heappush(open_ends, waiting.pop()[1])
        # the slot goes to the tile that can wait least; those that could wait no longer have none
        while open_ends and open_ends[0] <= slot:
            heappop(open_ends)
            missed += 1
        if open_ends:
            heappop(open_ends)
            slot += 1
    return missed


def _draws(state: State, seat: int) -> list[Claim]:
    return [claim for claim in state.claims if claim.seat == seat and claim.what == DRAW]
