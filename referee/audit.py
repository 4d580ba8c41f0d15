"""What tiles shown later prove about hands that were hidden (rule specification 7.1).

Every seat has slots, one for each tile it was dealt or drew, in the order it got them. A claim "I cannot
play" bars each tile that fitted at that moment from the slots filled before it. A claim is proven false
when the tiles shown since can no longer be given a slot each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from referee import slots
from referee.rulings import Proof, Reason
from referee.slots import DRAW, FOUND, Shown
from referee.state import Claim, Placed, State, changed
from referee.tiles import Tile

__all__ = ["DRAW", "FOUND", "PASS", "Fitting", "News", "false_claims", "newly_proven", "tile_count", "wrong_openers"]

PASS = "pass"  # noqa: S105  # a move, not a password
OPENING = -1

Fitting = Callable[[tuple[Placed, ...]], frozenset[Tile]]
Rank = Callable[[Tile], tuple[int, ...]]
# How tiles rank to open with, those that may open instead of the best one, and the whole set.
Opens = tuple[Rank, tuple[Tile, ...], frozenset[Tile]]


@dataclass(frozen=True, slots=True)
class _Bar:
    """What a claim says: the tiles that fitted then were not among those that the seat had.

    `index` is its place among the claims of the round.
    """

    index: int
    claim: Claim
    fitted: frozenset[Tile]

    @property
    def slots(self) -> int:
        """How many slots a tile that fitted cannot have come from: the last of several draws bars the most."""
        return self.claim.drawn + max(self.claim.tiles - 1, 0)

    def concerns(self, tile: Shown) -> bool:
        """True when the tile was shown after the claim and fitted then."""
        return tile.moment >= self.claim.layout and tile.tile in self.fitted


@dataclass(frozen=True, slots=True)
class News:
    """What a move has brought to light: what is told, what of it is charged for, and the state that remembers it.

    One falsehood is charged once, though it may be told twice: first that two claims cannot both be true, and
    then which of them is not.
    """

    state: State
    told: tuple[Proof, ...] = ()
    charged: tuple[Proof, ...] = ()


def newly_proven(before: State, after: State, fitting: Fitting, drawing_claims: bool, opens: Opens | None) -> News:
    """The irregularities that the tiles shown between two states have brought to light; each is told once.

    Args:
        before, after: the state before and after one move.
        fitting, drawing_claims: as for `false_claims`.
        opens: as for `wrong_openers`, None where any tile may open.
    """
    shown = _newly_shown(before, after)
    if not any(shown) and before.in_stock == after.in_stock:
        return News(after)
    news = News(after)
    late = {each.tile for each in after.in_stock}
    for seat, tiles in enumerate(shown):
        bars = _bars(after, seat, fitting, drawing_claims) if tiles else []
        # only tiles that fitted at a claim, or bear on the slots of others, can change what is known of it
        bearing = late.union(*(bar.fitted for bar in bars))
        if bars and (not bearing.isdisjoint(tiles) or slots.found(after, seat)):
            news = _with_false(news, before, seat, bars)
    if opens and _may_outrank(before, after, shown, opens):
        # an opening is wrong once, however many seats held a better tile
        first = {proof.reason: proof for proof in reversed(wrong_openers(after, opens))}
        fresh = tuple(proof for proof in first.values() if (proof.reason.value, OPENING) not in after.told)
        keys = [(proof.reason.value, OPENING) for proof in fresh]
        state = changed(news.state, told=(*news.state.told, *keys)) if keys else news.state
        news = News(state, news.told + fresh, news.charged + fresh)
    return news


def _with_false(news: News, before: State, seat: int, bars: list[_Bar]) -> News:
    """The news, and the claims of a seat that are proven false now."""
    state = news.state
    single, rest, joint = _falsehoods(state, seat, bars)
    fresh = {index: proof for index, proof in single.items() if (proof.reason.value, index) not in state.told}
    told = tuple(fresh.values())
    if joint and _joint(before, seat, rest) is None:
        told += (joint,)
    if not told:
        return news
    charges = state.charged or (0,) * state.players
    count = len(single) + (joint is not None)
    costs = told[: max(count - charges[seat], 0)]
    keys = tuple((proof.reason.value, index) for index, proof in fresh.items())
    charges = (*charges[:seat], max(count, charges[seat]), *charges[seat + 1 :])
    state = changed(state, told=(*state.told, *keys), charged=charges)
    return News(state, news.told + told, news.charged + costs)


def _newly_shown(before: State, after: State) -> list[list[Tile]]:
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


def _may_outrank(before: State, after: State, shown: list[list[Tile]], opens: Opens) -> bool:
    """Whether what was shown between two states may say anything of the opening."""
    if not before.layout or not after.layout:
        return bool(after.layout)
    rank, choices, _ = opens
    first = after.layout[0]
    if first.tile in choices and (shown[first.seat] or before.in_stock != after.in_stock):
        return True
    bar = rank(first.tile)
    is_open = any(slots.found(after, seat) for seat, tiles in enumerate(shown) if tiles)
    # a tile that had been seen in the stock was drawn, so that another one was not
    late = {each.tile for each in after.in_stock}
    return is_open or any(rank(each) > bar or each in late for each in chain(*shown))


# --- claims -----------------------------------------------------------------------------------------------


def false_claims(state: State, seat: int, fitting: Fitting, drawing_claims: bool = True) -> tuple[Proof, ...]:
    """All passes and draws of a seat in this round that the tiles it has shown so far prove false.

    Args:
        fitting: the tiles that could be laid next on a layout.
        drawing_claims: False where drawing is free and so claims nothing.

    Returns:
        One proof for each false claim; its evidence are the tiles shown that fitted then, up to the one
        that settled it. Where only several claims together are impossible, the proof names no entry.
    """
    single, _, joint = _falsehoods(state, seat, _bars(state, seat, fitting, drawing_claims))
    return (*single.values(), *([joint] if joint else []))


def _bars(state: State, seat: int, fitting: Fitting, drawing_claims: bool) -> list[_Bar]:
    """What each claim of a seat in this round says."""
    meant = (PASS, DRAW) if drawing_claims else (PASS,)
    claims = [
        (index, claim)
        for index, claim in enumerate(state.claims)
        if claim.seat == seat and claim.layout > 0 and claim.what in meant
    ]
    fitted = {tiles: fitting(state.layout[:tiles]) for tiles in {claim.layout for _, claim in claims}}
    return [_Bar(index, claim, fitted[claim.layout]) for index, claim in claims]


def _falsehoods(state: State, seat: int, bars: list[_Bar]) -> tuple[dict[int, Proof], list[_Bar], Proof | None]:
    """The claims that are false by themselves, by index; those that are not; and that these contradict each other."""
    if not bars:
        return {}, [], None
    single: dict[int, Proof] = {}
    rest: list[_Bar] = []
    tiles, spare = _bearing(state, seat, bars)
    for bar in bars:
        evidence = _contradiction(tiles, spare, [bar])
        if evidence:
            single[bar.index] = Proof(_reason(bar.claim), seat, bar.claim.entry, evidence)
        else:
            rest.append(bar)
    return single, rest, _joint(state, seat, rest) if len(rest) > 1 else None


def _bearing(state: State, seat: int, bars: list[_Bar]) -> tuple[list[Shown], int]:
    """The tiles shown that bear on these claims, and how many tiles were found in the hand."""
    tiles, spare = slots.shown(state, seat), slots.found(state, seat)
    # without found tiles those that fitted at no claim always have a slot: nobody shows more than he was given
    if not spare:
        tiles = [each for each in tiles if each.low or any(bar.concerns(each) for bar in bars)]
    return tiles, spare


def _joint(state: State, seat: int, bars: list[_Bar]) -> Proof | None:
    """That these claims cannot all be true; it is said of the first that contradicts those before it."""
    tiles, spare = _bearing(state, seat, bars)
    if not _contradiction(tiles, spare, bars):
        return None
    count = next(count for count in range(1, len(bars) + 1) if _contradiction(tiles, spare, bars[:count]))
    evidence = _contradiction(tiles, spare, bars[:count])
    return Proof(_reason(bars[count - 1].claim), seat, None, evidence)


def _contradiction(tiles: list[Shown], spare: int, bars: list[_Bar]) -> tuple[str, ...]:
    """The tiles that show that not all of these claims are true, () when they may be."""
    barred = [each.above(max((bar.slots for bar in bars if bar.concerns(each)), default=0)) for each in tiles]
    return tuple(str(each.tile) for each in slots.conflict(barred, spare) if each.low)


def _reason(claim: Claim) -> Reason:
    return Reason.FALSE_PASS_PROVEN if claim.what == PASS else Reason.FALSE_DRAW_PROVEN


# --- openings -----------------------------------------------------------------------------------------------


def wrong_openers(state: State, opens: Opens) -> tuple[Proof, ...]:
    """Whether the tiles shown so far prove that another tile should have opened the round.

    Returns:
        One proof for each seat that held a better tile at the opening.
    """
    if not state.layout or state.layout[0].overruled:
        return ()
    rank, choices, every = opens
    first = state.layout[0]
    # whoever lays a tile of choice was right as long as the best tile that he may have held is the best of all
    bar = _best_at_opening(state, first.seat, rank, every) if first.tile in choices else rank(first.tile)
    proofs: list[Proof] = []
    for seat in range(state.players):
        evidence = held_at_opening(state, seat, lambda tile: rank(tile) > bar)
        if evidence:
            reason = Reason.WRONG_OPENING_TILE if seat == first.seat else Reason.WRONG_OPENER_PROVEN
            proofs.append(Proof(reason, first.seat, first.entry, evidence))
    return tuple(proofs)


def held_at_opening(state: State, seat: int, is_meant: Callable[[Tile], bool]) -> tuple[str, ...]:
    """The tiles shown that prove that a seat held one of those that are meant when the round was opened, else ()."""
    if not any(is_meant(tile) for tile, _ in slots.moments(state, seat)):
        return ()
    start = slots.at_opening(state, seat)
    tiles = [each.above(start) if is_meant(each.tile) else each for each in slots.shown(state, seat)]
    found = slots.conflict(tiles, slots.found(state, seat))
    return tuple(str(each.tile) for each in found if is_meant(each.tile))


def _best_at_opening(state: State, seat: int, rank: Rank, every: Iterable[Tile]) -> tuple[int, ...]:
    """The rank of the best tile that a seat may have held when the round was opened."""
    own = {each.tile: (each.low, each.high) for each in slots.shown(state, seat)}
    known = state.known[seat] or ()
    is_hidden = state.shown[seat] is None and state.hands[seat] > len(known)
    elsewhere = {tile for other in range(state.players) if other != seat for tile, _ in slots.moments(state, other)}
    start, spare = slots.at_opening(state, seat), slots.found(state, seat)
    for tile in sorted(every, key=rank, reverse=True):
        low = slots.since(state, seat, tile)
        may_hold = tile in own or tile in known or (is_hidden and tile not in elsewhere)
        if low < start and may_hold:
            others = [ranges for shown, ranges in own.items() if shown != tile]
            if slots.without_slot([*others, (low, start)]) <= spare:
                return rank(tile)
    return ()


def tile_count(expected: int, on_table: int, stock: int, hands: Iterable[int]) -> Proof | None:
    """A proof that tiles are missing or too many, None when table, stock and hands add up to the set."""
    found = on_table + stock + sum(hands)
    if found == expected:
        return None
    return Proof(Reason.TILE_COUNT_WRONG, -1, None, (str(expected), str(found)))
