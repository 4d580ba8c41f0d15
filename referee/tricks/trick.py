"""Tricks: which suit a tile asks for, who may play what, who takes the trick, and who failed to follow suit.

A suit is a number, or `TRUMPS`. A tile that is a trump belongs to no other suit; any other tile belongs to
the suits of both its numbers, and asks for one of them when it is led.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from referee.moves import DOUBLES, Trump
from referee.rulings import Proof, Reason
from referee.state import Claim, Phase, Placed, State
from referee.tiles import Tile

TRUMPS = -1
VOID = "void"
DISCARD = "discard"


class Step(StrEnum):
    """Where a deal stands while it is in play."""

    AUCTION = "auction"
    EXCHANGE = "exchange"
    TRUMP = "trump"
    TRICKS = "tricks"


class Why(StrEnum):
    """Why a trick went to the seat that took it."""

    TRUMP = "highest-trump"
    SUIT = "highest-of-suit"
    ALONE = "nobody-followed"


@dataclass(frozen=True)
class TrickState(State):
    """A match of a game of tricks; all tiles played in this deal are its `layout`, in that order.

    `first` bids first in this deal. `calls` are seat and bid in the order of the auction, 0 for a pass;
    `bidder` has the highest and plays for `bid` tricks. `discard` is the tile he laid aside, where it is
    known; `no_discard` when it was found that he had kept it. `suits` are the suits asked for in each
    trick begun, `won` the seats that took each finished one.
    """

    step: Step = Step.AUCTION
    first: int | None = None
    calls: tuple[tuple[int, int], ...] = ()
    bidder: int | None = None
    bid: int = 0
    trump: Trump | None = None
    discard: Tile | None = None
    no_discard: bool = False
    suits: tuple[int, ...] = ()
    won: tuple[int, ...] = ()


def is_trump(tile: Tile, trump: Trump) -> bool:
    """True when the tile is a trump: a double where doubles are trumps, else a tile with the trump number."""
    return tile.is_uniform if trump == DOUBLES else trump in tile.values


def suits_of(tile: Tile, trump: Trump) -> tuple[int, ...]:
    """The suits a tile belongs to; led, it asks for the first one unless its player may choose."""
    if is_trump(tile, trump):
        return (TRUMPS,)
    return tuple(sorted(set(tile.values), reverse=True))


def follows(tile: Tile, suit: int, trump: Trump) -> bool:
    """True when the tile belongs to the suit that is asked for."""
    return suit in suits_of(tile, trump)


def playable(hand: Iterable[Tile], suit: int | None, trump: Trump) -> tuple[Tile, ...]:
    """The tiles of a hand that may be played: those that follow, all when none does or nothing is asked."""
    tiles = tuple(hand)
    return tuple(tile for tile in tiles if suit is not None and follows(tile, suit, trump)) or tiles


def strength(tile: Tile, suit: int, trump: Trump) -> tuple[bool, int]:
    """How high a tile ranks in a suit it belongs to: the double first, then by the other number."""
    if tile.is_uniform:
        return True, tile.values[0]
    number = trump if suit == TRUMPS else suit
    return False, next(value for value in tile.values if value != number)


def taken(tiles: tuple[Tile, ...], suit: int, trump: Trump) -> tuple[int, Why]:
    """Which of the tiles of a trick takes it, in the order of playing, and why."""
    best = TRUMPS if any(is_trump(tile, trump) for tile in tiles) else suit
    those = [index for index, tile in enumerate(tiles) if follows(tile, best, trump)]
    winner = max(those, key=lambda index: strength(tiles[index], best, trump))
    if best == TRUMPS:
        return winner, Why.TRUMP
    return winner, Why.SUIT if len(those) > 1 else Why.ALONE


# --- a deal ------------------------------------------------------------------------------------------


def open_trick(state: TrickState) -> tuple[Placed, ...]:
    """The tiles of the trick that is under way, () when the next tile is led."""
    return state.layout[len(state.won) * state.players :]


def last_trick(state: TrickState) -> tuple[Placed, ...]:
    """The tiles of the trick under way, of the last finished one when the next is still to be led."""
    return open_trick(state) or state.layout[-state.players :]


def asked(state: TrickState) -> int | None:
    """The suit that is to be followed now, None when the next tile is led."""
    return state.suits[-1] if open_trick(state) else None


def next_seat(state: TrickState, seat: int) -> int:
    """The next seat clockwise that has not played to the trick under way."""
    played = {placed.seat for placed in open_trick(state)}
    others = ((seat + step) % state.players for step in range(1, state.players + 1))
    return next(other for other in others if other not in played)


def revokes(state: TrickState, is_closed: bool = False) -> tuple[Proof, ...]:
    """The tiles not following suit that later tiles of the same seat have proven wrong, one proof for each.

    Nothing is drawn once the tricks have begun, so a tile that is seen later was in the hand before.

    Args:
        is_closed: True to leave out the trick that still lies there, which can be put right: until the next is led
            or the deal ends.
    """
    if state.trump is None:
        return ()
    proofs = (_revoke(state, claim) for claim in state.claims if claim.what == VOID)
    played = len(state.layout)
    closed = played - len(last_trick(state)) if state.phase is Phase.PLAY else played
    return tuple(proof for proof, at in proofs if proof is not None and (at < closed or not is_closed))


def open_revokes(state: TrickState) -> tuple[Proof, ...]:
    """The proven revokes that can still be put right, with the tile of the evidence or another that follows."""
    closed = revokes(state, is_closed=True)
    return tuple(proof for proof in revokes(state) if proof not in closed)


def _revoke(state: TrickState, claim: Claim) -> tuple[Proof | None, int]:
    assert state.trump is not None
    seat, at, trump = claim.seat, claim.layout, state.trump
    suit = state.suits[at // state.players]
    later = [(each.layout, 0, each.tile) for each in state.exposed if each.seat == seat and each.layout > at]
    later += [(at + 1 + step, 1, each.tile) for step, each in enumerate(state.layout[at + 1 :]) if each.seat == seat]
    # of what was seen at the same moment the first that was entered
    proving = [item for item in later if follows(item[2], suit, trump)]
    if not proving:
        return None, at
    _, _, evidence = min(proving, key=lambda item: item[:2])
    return Proof(Reason.REVOKE_PROVEN, seat, claim.entry, (str(evidence),)), at
