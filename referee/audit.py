"""What tiles shown later prove about hands that were hidden (rule specification 7.1).

Every seat has slots, one for each tile it was dealt or drew, in the order it got them. A claim "I cannot
play" bars each tile that fitted at that moment from the slots filled before it. A claim is proven false
when the tiles shown since can no longer be given a slot each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from referee.rulings import Proof, Reason
from referee.state import Claim, Placed, State
from referee.tiles import Tile

PASS = "pass"  # noqa: S105  # a move, not a password
DRAW = "draw"
FOUND = "found"

Fitting = Callable[[tuple[Placed, ...]], frozenset[Tile]]
Rank = Callable[[Tile], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A tile that a seat has shown, and how many tiles lay on the table when it did."""

    tile: Tile
    moment: int


@dataclass(frozen=True, slots=True)
class _Bar:
    """What a claim says: the tiles that fitted then were not among those that the seat had."""

    claim: Claim
    fitted: frozenset[Tile]

    @property
    def slots(self) -> int:
        """How many slots a tile that fitted cannot have come from: the last of several draws bars the most."""
        return self.claim.drawn + max(self.claim.tiles - 1, 0)

    def concerns(self, shown: _Shown) -> bool:
        """True when the tile was shown after the claim and fitted then."""
        return shown.moment >= self.claim.layout and shown.tile in self.fitted


def newly_proven(
    before: State, after: State, fitting: Fitting, drawing_claims: bool, opens: tuple[Rank, tuple[Tile, ...]] | None
) -> tuple[Proof, ...]:
    """The irregularities that the tiles shown between two states have brought to light.

    Args:
        before, after: the state before and after one move.
        fitting, drawing_claims: as for `false_claims`.
        opens: rank and choices as for `wrong_openers`, None where any tile may open.
    """
    news = _news(before, after)
    if not any(news):
        return ()

    def newly(find: Callable[..., tuple[Proof, ...]], *how: object) -> list[Proof]:
        found = find(after, *how)
        return list((Counter(found) - Counter(find(before, *how))).elements()) if found else []

    proofs: list[Proof] = []
    for seat, tiles in enumerate(news):
        bars = _bars(after, seat, fitting, drawing_claims) if tiles else []
        # no other tiles than those that fitted at a claim can change what is known of it
        if any(not bar.fitted.isdisjoint(tiles) for bar in bars):
            proofs += newly(_disproven, seat, bars)
    if opens and _may_outrank(before, after, news, opens[0]):
        proofs += newly(wrong_openers, *opens)
    return tuple(proofs)


def _news(before: State, after: State) -> list[list[Tile]]:
    """The tiles that each seat has shown between two states; some may have been seen earlier as well."""
    news: list[list[Tile]] = [[] for _ in range(after.players)]
    for placed in after.layout[len(before.layout) :]:
        news[placed.seat].append(placed.tile)
    for exposed in after.exposed[len(before.exposed) :]:
        news[exposed.seat].append(exposed.tile)
    for seat, hand in enumerate(after.shown):
        if hand and hand != before.shown[seat]:
            news[seat].extend(hand)
    return news


def _may_outrank(before: State, after: State, news: list[list[Tile]], rank: Rank) -> bool:
    """Whether the tiles shown between two states may say anything of the opening."""
    if not before.layout:
        return True
    first = after.layout[0]
    bar = rank(first.tile)
    return before.shown[first.seat] != after.shown[first.seat] or any(rank(each) > bar for each in chain(*news))


def false_claims(state: State, seat: int, fitting: Fitting, drawing_claims: bool = True) -> tuple[Proof, ...]:
    """All passes and draws of a seat in this round that the tiles it has shown so far prove false.

    Args:
        fitting: the tiles that could be laid next on a layout.
        drawing_claims: False where drawing is free and so claims nothing.

    Returns:
        One proof for each false claim; its evidence are the tiles shown that fitted then, up to the one
        that settled it. Where only several claims together are impossible, the proof names no entry.
    """
    return _disproven(state, seat, _bars(state, seat, fitting, drawing_claims))


def _bars(state: State, seat: int, fitting: Fitting, drawing_claims: bool) -> list[_Bar]:
    """What each claim of a seat in this round says."""
    meant = (PASS, DRAW) if drawing_claims else (PASS,)
    claims = [claim for claim in state.claims if claim.seat == seat and claim.layout > 0 and claim.what in meant]
    fitted = {tiles: fitting(state.layout[:tiles]) for tiles in {claim.layout for claim in claims}}
    return [_Bar(claim, fitted[claim.layout]) for claim in claims]


def _disproven(state: State, seat: int, bars: list[_Bar]) -> tuple[Proof, ...]:
    """The claims that the tiles a seat has shown so far prove false."""
    if not bars:
        return ()
    held: list[tuple[str, int, set[int]]] = []
    for each in _shown(state, seat):
        barring = {index for index, bar in enumerate(bars) if bar.slots and bar.concerns(each)}
        if barring:  # the others always find a slot: nobody shows more than he was given
            held.append((str(each.tile), _given(state, seat, each.moment), barring))
    proofs: list[Proof] = []
    possible: set[int] = set()
    for index, bar in enumerate(bars):
        evidence = _conflict([(tile, bar.slots, given) for tile, given, barring in held if index in barring])
        if evidence:
            proofs.append(Proof(_reason(bar.claim), seat, bar.claim.entry, evidence))
        else:
            possible.add(index)
    together = [(tile, given, barring & possible) for tile, given, barring in held]
    evidence = _conflict([(tile, max(bars[i].slots for i in by), given) for tile, given, by in together if by])
    if evidence:
        proofs.append(Proof(_reason(bars[max(possible)].claim), seat, None, evidence))
    return tuple(proofs)


def wrong_openers(state: State, rank: Rank, choices: Iterable[Tile] = ()) -> tuple[Proof, ...]:
    """Whether the tiles shown so far prove that another tile should have opened the round.

    Args:
        rank: the tile of the highest rank opens.
        choices: tiles that the right opener may lay instead of his best one.

    Returns:
        One proof for each seat that had a better tile from the deal.
    """
    if not state.layout or state.layout[0].overruled:
        return ()
    first = state.layout[0]
    bar = rank(first.tile)
    if first.tile in choices:
        if state.shown[first.seat] is None:
            return ()  # his best tile may still be in his hand
        bar = max(rank(shown.tile) for shown in _shown(state, first.seat))
    proofs: list[Proof] = []
    for seat in range(state.players):
        better: list[_Shown] = []
        for shown in _shown(state, seat):
            if rank(shown.tile) <= bar:
                continue
            better.append(shown)
            if not _assignable([(_dealt(state, seat), _given(state, seat, each.moment)) for each in better]):
                reason = Reason.WRONG_OPENING_TILE if seat == first.seat else Reason.WRONG_OPENER_PROVEN
                proofs.append(Proof(reason, first.seat, first.entry, tuple(str(each.tile) for each in better)))
                break
    return tuple(proofs)


def tile_count(expected: int, on_table: int, stock: int, hands: Iterable[int]) -> Proof | None:
    """A proof that tiles are missing or too many, None when table, stock and hands add up to the set."""
    found = on_table + stock + sum(hands)
    if found == expected:
        return None
    return Proof(Reason.TILE_COUNT_WRONG, -1, None, (str(expected), str(found)))


def _reason(claim: Claim) -> Reason:
    return Reason.FALSE_PASS_PROVEN if claim.what == PASS else Reason.FALSE_DRAW_PROVEN


def _shown(state: State, seat: int) -> list[_Shown]:
    """The tiles a seat has shown in this round, each when it was first seen, in that order."""
    seen = [(item.layout, item.tile) for item in state.exposed if item.seat == seat]
    seen += [(moment, placed.tile) for moment, placed in enumerate(state.layout) if placed.seat == seat]
    seen += [(len(state.layout), tile) for tile in state.shown[seat] or ()]
    first: dict[Tile, int] = {}
    for moment, tile in seen:
        first[tile] = min(moment, first.get(tile, moment))
    return [_Shown(tile, moment) for tile, moment in sorted(first.items(), key=lambda item: item[1])]


def _draws(state: State, seat: int) -> list[Claim]:
    return [claim for claim in state.claims if claim.seat == seat and claim.what == DRAW]


def _dealt(state: State, seat: int) -> int:
    return state.taken[seat] - sum(claim.tiles for claim in _draws(state, seat))


def _given(state: State, seat: int, moment: int) -> int:
    """How many slots a seat had filled when so many tiles lay on the table.

    Tiles found in the hand were drawn nobody knows when: they may have been there at any moment, after
    any claim.
    """
    found = sum(claim.tiles for claim in state.claims if claim.seat == seat and claim.what == FOUND)
    return _dealt(state, seat) + found + sum(claim.tiles for claim in _draws(state, seat) if claim.layout <= moment)


def _conflict(held: list[tuple[str, int, int]]) -> tuple[str, ...]:
    """The tiles that cannot all have a slot in their ranges, up to the first that is too many; none when they can."""
    slots = [(low, high) for _, low, high in held]
    if _assignable(slots):
        return ()
    enough = next(count for count in range(1, len(slots) + 1) if not _assignable(slots[:count]))
    return tuple(tile for tile, _, _ in held[:enough])


def _assignable(slots: list[tuple[int, int]]) -> bool:
    """True when every tile can have a slot of its own in its range [from, to) (Hall's condition for ranges)."""
    if len(slots) <= min((high for _, high in slots), default=0) - max((low for low, _ in slots), default=0):
        return True  # all ranges share enough slots for all
    return all(
        sum(low >= first and high <= last for low, high in slots) <= max(last - first, 0)
        for first in {low for low, _ in slots}
        for last in {high for _, high in slots}
    )
