"""Simulated people at Moon: what they say and play is legal, and their slips are not."""

from __future__ import annotations

from random import Random

import pytest

from referee import takers, umpire
from referee.games import game
from referee.laying.contact import outline, separation
from referee.moves import Begin, Bid, Exchange, Expose, FirstBidder, Loose, Move, NameTrump, Pass, Place
from referee.people import Scene
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.state import Phase
from referee.tiles import Shape, Tile
from referee.tricks.trick import TrickState
from referee.umpire import Entry, Match, Record

GAME = game("kk-moon")


def entered(record: Record | None, act: umpire.Act) -> Record:
    seq = 1 if record is None else len(record.entries) + 1
    return umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))


def state_of(record: Record) -> TrickState:
    assert isinstance(record.state, TrickState)
    return record.state


@pytest.mark.parametrize("seed", range(40))
def test_a_deal_that_people_say_and_play_is_legal_to_its_end(seed: int) -> None:
    random = Random(seed)
    tiles = random.sample(sorted(GAME.tiles), 22)
    hands, centre = [tiles[0:7], tiles[7:14], tiles[14:21]], tiles[21]
    record = entered(entered(None, Match("kk-moon", ("Ana", "Bo", "Cy"))), Begin())
    record = entered(record, FirstBidder(random.randrange(3)))
    while record.state.phase is Phase.PLAY:
        state = state_of(record)
        assert state.turn is not None
        hand = hands[state.turn]
        said = takers.says(state, hand)
        act: Move = said or Place(state.turn, takers.plays(state, hand, random), Loose())
        if isinstance(act, Exchange):
            hand.append(centre)
            hand.remove(takers.least(hand, takers.best_trump(hand, 6)))
        elif isinstance(act, Place):
            hand.remove(act.tile)
        assert umpire.judge(record, act).is_legal, act
        record = entered(record, act)
    assert takers.deals(record) == 1
    assert len(state_of(record).won) in (0, 7), "all have passed, or all is played"


@pytest.mark.parametrize("seed", range(20))
def test_a_slip_is_refused_and_one_who_has_shown_a_tile_revokes(seed: int) -> None:
    random = Random(seed)
    tiles = random.sample(sorted(GAME.tiles), 21)
    hands = [tiles[0:7], tiles[7:14], tiles[14:21]]
    record = entered(entered(None, Match("kk-moon", ("Ana", "Bo", "Cy"))), Begin())
    record = entered(record, FirstBidder(0))
    for line in (Bid(0, 4), Pass(1), Pass(2), Exchange(0, None), NameTrump(0, 6)):
        record = entered(record, line)
    slip = takers.slip(record, hands, random)
    assert slip is not None
    assert umpire.judge(record, slip).reason is Reason.OUT_OF_TURN
    led = Place(0, hands[0].pop(), Loose())
    record = entered(record, led)
    shown = takers.following(state_of(record), hands[1])
    if shown is not None:
        record = entered(record, Expose(1, shown))
        slip = takers.slip(record, hands, random)
        assert slip is not None
        assert (umpire.judge(record, slip).reason, slip.seat) == (Reason.REVOKE, 1)


def test_tiles_are_laid_on_their_players_side_and_on_no_other_tile() -> None:
    random, shape = Random(1), Shape.domino()
    record = entered(None, Match("kk-moon", ("Ana", "Bo", "Cy")))
    scene = Scene(record, (), shape, (600.0, 400.0))
    lying: list[SeenTile] = []
    for number in range(9):
        side_deg = (90.0, 210.0, 330.0)[number % 3]
        idea = takers.laid(scene, Place(number % 3, Tile((1, number % 6)), Loose()), side_deg, lying, random)
        gaps = [separation(outline(idea.pose, shape), outline(other, shape)) for other in lying]
        assert all(gap > 0 for gap in gaps)
        lying.append(idea.pose)
    assert sum(each.y_mm for each in lying[0::3]) / 3 > 200.0
    assert sum(each.x_mm for each in lying[1::3]) / 3 < 300.0 < sum(each.x_mm for each in lying[2::3]) / 3
