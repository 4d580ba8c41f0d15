"""Simulated people at a game of tricks: what they say, what they play, and where in the middle they lay it.

As in `referee.people`, they know their own tiles and see what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, radians, sin
from random import Random

from referee import umpire
from referee.laying.contact import outline, separation
from referee.moves import DOUBLES, NO_TRUMP, Bid, Exchange, Loose, Move, NameTrump, Pass, Place, Trump
from referee.people import Idea, Scene
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.tiles import DOMINO, Tile
from referee.tricks import trick
from referee.tricks.trick import Step, TrickState
from referee.umpire import Record

_APART_MM = 6.0
_FROM_MIDDLE_MM = 52.0
_TRIES = 200


def says(state: TrickState, hand: Sequence[Tile]) -> Move | None:
    """What the seat to move says: a bid or a pass, that it has laid a tile aside, its trumps; None when it plays."""
    seat = state.turn
    if seat is None or state.step is Step.TRICKS:
        return None
    if state.step is Step.EXCHANGE:
        return Exchange(seat, None)
    best = best_trump(hand, state.settings.max_number)
    if state.step is Step.TRUMP:
        return NameTrump(seat, best)
    bid = min(int(_worth(hand, best)), state.hands[seat])
    return Bid(seat, bid) if bid > state.bid and bid >= state.settings.least_bid else Pass(seat)


def best_trump(hand: Iterable[Tile], highest: int) -> Trump:
    """The trumps with which a hand is worth most."""
    tiles = tuple(hand)
    trumps: tuple[Trump, ...] = (*range(highest + 1), DOUBLES, NO_TRUMP)
    return max(trumps, key=lambda trump: _worth(tiles, trump))


def least(hand: Iterable[Tile], trump: Trump) -> Tile:
    """The tile that a hand misses least: what is laid aside."""
    return min(hand, key=lambda tile: (_value(tile, trump), tile))


def plays(state: TrickState, hand: Iterable[Tile], random: Random) -> Tile:
    """A tile that may be played: often the one worth most when it is led, else as it comes."""
    assert state.trump is not None
    trump = state.trump
    tiles = trick.playable(hand, trick.asked(state), trump)
    return max(tiles, key=lambda tile: _value(tile, trump)) if random.random() < 0.5 else random.choice(tiles)


def slip(record: Record, hands: Sequence[Sequence[Tile]], random: Random) -> Place | None:
    """A play against the rules that all can see to be one: out of turn, or not following with a tile seen in the hand.

    A player who must follow suit and has shown no tile would do wrong as well, but that comes out only later.
    """
    moves = [Place(seat, tile, Loose()) for seat, hand in enumerate(hands) for tile in hand]
    rulings = [(umpire.judge(record, move).reason, move) for move in moves]
    revokes = [move for reason, move in rulings if reason is Reason.REVOKE]
    early = [move for reason, move in rulings if reason is Reason.OUT_OF_TURN]
    return random.choice(revokes or early) if revokes or early else None


def following(state: TrickState, hand: Iterable[Tile]) -> Tile | None:
    """A tile with which the seat to move could follow while it could also play another."""
    suit, trump, tiles = trick.asked(state), state.trump, tuple(hand)
    if suit is None or trump is None:
        return None
    fitting = [tile for tile in tiles if trick.follows(tile, suit, trump)]
    return fitting[0] if fitting and len(fitting) < len(tiles) else None


def laid(scene: Scene, move: Place, side_deg: float, lying: Iterable[SeenTile], random: Random) -> Idea:
    """The play and where its tile is laid: near the middle, on its player's side, on no other tile."""
    others = [outline(each, scene.shape) for each in lying]
    width_mm, height_mm = scene.mat_mm
    side, away_mm = radians(side_deg), _FROM_MIDDLE_MM
    for count in range(_TRIES):
        spread_mm = 14.0 + 0.6 * count
        pose = SeenTile(
            DOMINO,
            move.tile.values,
            width_mm / 2 + away_mm * cos(side) + random.gauss(0, spread_mm),
            height_mm / 2 + away_mm * sin(side) + random.gauss(0, spread_mm),
            random.uniform(-180.0, 180.0),
        )
        corners = outline(pose, scene.shape)
        is_inside = hypot((pose.x_mm - width_mm / 2) / width_mm, (pose.y_mm - height_mm / 2) / height_mm) < 0.32
        if is_inside and all(separation(corners, other) > _APART_MM for other in others):
            return Idea(move, pose, 0.0)
    raise ValueError(f"expected room for {move.tile} in the middle of the table, got {len(others)} tiles there")


def deals(record: Record) -> int:
    """How many times play has begun: hands are dealt anew for each."""
    return sum(entry.reason is Reason.OK_BEGIN for entry in umpire.effective(record))


def _worth(hand: Iterable[Tile], trump: Trump) -> float:
    """About how many tricks a hand takes."""
    return sum(_value(tile, trump) for tile in hand)


def _value(tile: Tile, trump: Trump) -> float:
    suit = trick.suits_of(tile, trump)[0]
    is_double, other = trick.strength(tile, suit, trump)
    if trick.is_trump(tile, trump):
        return 1.0 if is_double else 0.55 + 0.07 * other
    return 0.8 if is_double else 0.08 * other
