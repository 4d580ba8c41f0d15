"""The course of a game of tricks on the proving ground: what is called is said, what is played is laid."""

from __future__ import annotations

from collections.abc import Callable

from referee import takers
from referee.commands.torture.hall import Course
from referee.commands.torture.people import Party
from referee.moves import Exchange, Loose, Place
from referee.people import Idea
from referee.state import Phase
from referee.tiles import Tile
from referee.tricks import trick
from referee.tricks.trick import TrickState
from vision.virtual import Gather, Take

SLIPS_SHARE, TAKEN_AT_ONCE_SHARE = 0.1, 0.7

Laying = Callable[[Party, Idea], Course]


def turn(party: Party, lay: Laying, give_back: Laying) -> Course:
    """The next thing in a deal: a call, the exchange, trumps, or a tile that is played."""
    state: TrickState = party.truth.state
    seat = state.turn
    assert seat is not None  # somebody is always to call or to play
    hand = party.hands[seat]
    said = takers.says(state, hand)
    if said is None:
        yield from _play(party, seat, lay, give_back)
        return
    if isinstance(said, Exchange):
        hand += party.stock
        party.stock = [hand.pop(party.random.randrange(len(hand)))]
    party.say(said)


def _play(party: Party, seat: int, lay: Laying, give_back: Laying) -> Course:
    if party.random.random() < SLIPS_SHARE:
        slip = takers.slip(party.truth.record, party.hands, party.random)
        if slip is not None:
            party.truth.doing = "wrong play"
            party.account.count("wrong_play")
            idea = _idea(party, slip)
            yield from lay(party, idea)
            yield from give_back(party, idea)
    party.truth.doing = "playing"
    tile = takers.plays(party.truth.state, party.hands[seat], party.random)
    yield from lay(party, _idea(party, Place(seat, tile, Loose())))
    now: TrickState = party.truth.state
    if now.phase is not Phase.PLAY:
        return
    under_way = trick.open_trick(now)
    if not under_way and party.random.random() < TAKEN_AT_ONCE_SHARE:
        places = tuple((tile.x_mm, tile.y_mm) for tile in party.hall.lying)
        yield Gather(places, party.side_deg(now.won[-1]))
    elif len(under_way) == 1:
        yield from _tidied(party, now)


def _tidied(party: Party, state: TrickState) -> Course:
    """The tiles of a trick that is over are taken away one by one while the next is under way."""
    played = {placed.tile for placed in trick.open_trick(state)}
    while True:
        over = next((each for each in party.hall.lying if each.values and Tile(each.values) not in played), None)
        if over is None:
            return
        yield Take(over.x_mm, over.y_mm, party.side_deg(state.won[-1]))


def _idea(party: Party, move: Place) -> Idea:
    return takers.laid(party.scene(), move, party.side_deg(move.seat), party.hall.lying, party.random)
