"""What hidden hands could have been, tried out tile by tile (rule specification 7.1).

A hand is a row of slots, one for each tile dealt or drawn, with the line in which it was filled. Each tile that
its player has shown must have come from a slot of its own, filled before anybody saw it. Who said "I cannot play"
had no tile that fitted: such a tile must have come from a slot that was filled later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.naive.reading import Tile

NEVER = 10**9  # a line that does not come
ALWAYS = -1  # a slot that may have been filled at any time


@dataclass(frozen=True)
class Claim:
    """In this line a seat said that no tile of its hand fits; `part` counts the tiles of one draw."""

    line: int
    part: int
    is_pass: bool
    fitting: frozenset[Tile]

    @property
    def time(self) -> tuple[int, int]:
        """When it was said."""
        return self.line, self.part


@dataclass
class Hand:
    """What is public of one hand in one round."""

    dealt: int
    drawn: list[tuple[int, int]] = field(default_factory=list)  # when, tile by tile
    found: int = 0  # tiles that must have been drawn, nobody knows when
    paid_back: int = 0  # of those, how many have gone back for what they cost
    claims: list[Claim] = field(default_factory=list)
    seen: dict[Tile, int] = field(default_factory=dict)  # the line in which all saw a tile first
    laid: dict[Tile, int] = field(default_factory=dict)
    exposed: dict[Tile, int] = field(default_factory=dict)  # seen in the hand, before they were laid
    returned: list[int] = field(default_factory=list)  # the lines in which some tile went back, nobody knows which
    in_stock: dict[Tile, int] = field(default_factory=dict)  # the line in which a tile was seen in the stock
    told: set[int] = field(default_factory=set)  # the lines that were proven false
    charged: int = 0  # how many false claims have been paid for

    def see(self, tile: Tile, line: int) -> None:
        """All see a tile of this hand."""
        self.seen.setdefault(tile, line)

    def slots(self) -> list[tuple[int, int]]:
        """When each slot was filled; slots filled nobody knows when come last."""
        return [(0, 0)] * self.dealt + self.drawn + [(ALWAYS, 0)] * self.found

    def may_be(self, tile: Tile, slot: tuple[int, int], claims: Iterable[Claim]) -> bool:
        """Whether a tile that was shown may have come from a slot, if these claims were true."""
        if slot[0] == ALWAYS:
            return True
        if slot[0] > self.seen.get(tile, NEVER) or slot[0] <= self.in_stock.get(tile, -1):
            return False
        return not any(tile in claim.fitting and slot < claim.time and self.had(tile, claim) for claim in claims)

    def had(self, tile: Tile, claim: Claim) -> bool:
        """Whether a tile that was shown and lay in the hand since was there when this was said."""
        may_be_gone = any(self.seen[tile] < line < claim.line for line in self.returned)
        return claim.line < self.laid.get(tile, NEVER) and not may_be_gone

    def counted(self) -> list[Tile]:
        """The tiles shown that say anything.

        Where those that were seen in the stock cannot all have been drawn since, a draw was not booked, and they
        say nothing.
        """
        late = [tile for tile in self.seen if tile in self.in_stock]
        return list(self.seen) if self.fit(late, []) else [tile for tile in self.seen if tile not in late]

    def is_possible(self, claims: list[Claim], before: int = NEVER) -> bool:
        """Whether all tiles shown (before some line) can have a slot each, if these claims were true."""
        return self.fit([tile for tile in self.counted() if self.seen[tile] < before], claims)

    def fit(self, tiles: list[Tile], claims: list[Claim]) -> bool:
        """Whether these tiles can have a slot each, if these claims were true."""
        slots = self.slots()
        return can_all_be_given(
            {tile: [n for n, slot in enumerate(slots) if self.may_be(tile, slot, claims)] for tile in tiles}
        )

    def false_lines(self) -> dict[int, bool]:
        """The lines whose claim is impossible by itself, and whether it is that of a pass."""
        return {claim.line: claim.is_pass for claim in self.claims if not self.is_possible([claim])}

    def conflict(self, false: dict[int, bool], line: int) -> tuple[bool, Claim | None]:
        """Whether the claims that are possible one by one are impossible together, and which one was too much.

        It is the first that makes those before it impossible (which of them is false nobody knows), and None
        unless this line has shown it. A line that draws several tiles is one claim; it cannot be false twice.
        """
        others = [claim for claim in self.claims if claim.line not in false]
        if not others or self.is_possible(others):
            return False, None
        if not self.is_possible(others, line):
            return True, None
        return True, next(claim for at, claim in enumerate(others) if not self.is_possible(others[: at + 1]))

    def held_one_by(self, line: int, better: list[Tile]) -> bool:
        """Whether one of these tiles, all of which were shown, must have been in the hand before a line."""
        slots = self.slots()
        later = {n for n, (at, _) in enumerate(slots) if at > line or at == ALWAYS}
        may = {tile: [n for n, slot in enumerate(slots) if self.may_be(tile, slot, [])] for tile in self.counted()}
        for tile in set(better) & set(may):
            may[tile] = [n for n in may[tile] if n in later]
        return not can_all_be_given(may)

    def could_hold_by(self, line: int, tile: Tile) -> bool:
        """Whether this tile may have been in the hand before a line, for all that was shown."""
        slots = self.slots()
        may = {each: [n for n, slot in enumerate(slots) if self.may_be(each, slot, [])] for each in self.counted()}
        mine = [n for n, slot in enumerate(slots) if self.may_be(tile, slot, [])]
        may[tile] = [n for n in mine if slots[n][0] <= line]
        return can_all_be_given(may)


def can_all_be_given(may: dict[Tile, list[int]]) -> bool:
    """Whether each tile can have a slot of its own among those it may have: try, and move others out of the way."""
    owner: dict[int, Tile] = {}

    def give(tile: Tile, tried: set[int]) -> bool:
        for slot in may[tile]:
            if slot not in tried:
                tried.add(slot)
                if slot not in owner or give(owner[slot], tried):
                    owner[slot] = tile
                    return True
        return False

    return all(give(tile, set()) for tile in may)
