"""Revokes against whole hidden hands: proven are exactly those that happened, each at the moment it can be known."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee import umpire
from referee.moves import Exchange, Expose, Move, NameTrump, Play, Recount, ShowHand
from referee.rulings import Proof, Reason
from referee.state import Phase
from referee.tiles import Tile
from referee.tricks import trick
from referee.tricks.trick import Step, TrickState
from tests.referee.moonplay import GAME, after, auction

TRUMPS = (*range(7), "doubles", "none")


class Deal:
    """A deal whose hands we know and the referee does not; players follow suit or not, as chance has it.

    `revoked` are the entries of the tiles that did not follow although their players could, with seat and suit.
    """

    def __init__(self, chance: random.Random, honest: float, keeps_discard: bool = False, **options: str) -> None:
        self.chance, self.honest = chance, honest
        tiles = chance.sample(GAME.tiles, 22)
        self.hands = [tiles[0:8], tiles[8:15], tiles[15:22]]
        self.state = after(auction(**options), "A bids 4", "B passes", "C passes")
        self.entry = 0
        self.proven: dict[int, Proof] = {}
        self.revoked: dict[int, tuple[int, int]] = {}
        discard = chance.choice(self.hands[0])
        self.enter(Exchange(0, None if keeps_discard else chance.choice((None, discard))))
        if not keeps_discard:
            self.hands[0].remove(discard)
        self.enter(NameTrump(0, chance.choice(TRUMPS)))

    def enter(self, move: Move) -> Reason:
        """One more entry; a proof names one that happened, and is given once."""
        self.entry += 1
        ruling = umpire.stamped(GAME.rule(self.state, move), self.entry)
        assert isinstance(ruling.state, TrickState)
        self.state = ruling.state
        for proof in ruling.proven:
            if proof.reason is Reason.REVOKE_PROVEN:
                assert proof.entry is not None
                assert proof.entry not in self.proven
                self.proven[proof.entry] = proof
        return ruling.reason

    def play(self, exposing: float = 0.0) -> None:
        """To the end of the deal, or until it is stopped."""
        while self.state.phase is Phase.PLAY and self.state.step is Step.TRICKS:
            assert self.state.turn is not None
            if self.chance.random() < exposing:
                self.expose(self.chance.choice((0, 1, 2)))
            if self.state.phase is Phase.PLAY:
                self.play_one(self.state.turn)

    def expose(self, seat: int) -> None:
        if self.hands[seat]:
            tile = self.chance.choice(self.hands[seat])
            self.enter(Expose(seat, tile))
            self.check_at_once(seat, tile)

    def play_one(self, seat: int) -> None:
        hand, suit, trump = self.hands[seat], trick.asked(self.state), self.state.trump
        assert trump is not None
        able = suit is not None and any(trick.follows(tile, suit, trump) for tile in hand)
        may = trick.playable(hand, suit, trump) if self.chance.random() < self.honest else hand
        tile = self.chance.choice(may)
        if self.enter(Play(seat, tile)) is Reason.REVOKE:  # all know that he can follow, so he does
            tile = self.chance.choice(trick.playable(hand, suit, trump))
            assert self.enter(Play(seat, tile)) is Reason.OK_PLAY
        hand.remove(tile)
        if able and suit is not None and not trick.follows(tile, suit, trump):
            self.revoked[self.entry] = (seat, suit)
        self.check_at_once(seat, tile)

    def check_at_once(self, seat: int, tile: Tile) -> None:
        """This tile has proven every revoke that it can prove, and no tile proves one that did not happen."""
        assert self.state.trump is not None
        for entry, (who, suit) in self.revoked.items():
            if who == seat and entry < self.entry and trick.follows(tile, suit, self.state.trump):
                assert entry in self.proven or self.state.phase is Phase.DEAL
        self.check_nobody_is_wronged()

    def check_nobody_is_wronged(self) -> None:
        for entry, proof in self.proven.items():
            assert entry in self.revoked
            assert proof.seat == self.revoked[entry][0]


random_numbers = st.integers(0, 2**32).map(random.Random)


@given(chance=random_numbers, honest=st.sampled_from((0.0, 0.5, 0.9)), exposing=st.sampled_from((0.0, 0.1, 0.5)))
def test_when_a_deal_is_played_to_its_end_proven_are_exactly_the_revokes_that_happened(
    chance: random.Random, honest: float, exposing: float
) -> None:
    deal = Deal(chance, honest, revoke_remedy="report")
    deal.play(exposing)
    assert deal.state.phase is Phase.CLEARING
    assert set(deal.proven) == set(deal.revoked)


@given(chance=random_numbers, exposing=st.sampled_from((0.0, 0.3)))
def test_nothing_is_ever_proven_against_players_who_follow_suit(chance: random.Random, exposing: float) -> None:
    deal = Deal(chance, honest=1.0)
    deal.play(exposing)
    assert (deal.proven, len(deal.state.won)) == ({}, 7)


@given(chance=random_numbers, honest=st.sampled_from((0.0, 0.5, 0.9)), exposing=st.sampled_from((0.0, 0.3)))
def test_a_deal_that_was_stopped_is_cleared_up_by_the_hands_that_are_shown(
    chance: random.Random, honest: float, exposing: float
) -> None:
    deal = Deal(chance, honest)
    deal.play(exposing)
    for seat in chance.sample((0, 1, 2), 3):
        if deal.hands[seat]:
            assert deal.enter(ShowHand(seat, tuple(deal.hands[seat]))) is Reason.OK_SHOW_HAND
            deal.check_nobody_is_wronged()
    assert set(deal.proven) == set(deal.revoked)


@given(chance=random_numbers, honest=st.sampled_from((0.0, 0.7)), shows=st.booleans())
def test_a_discard_that_was_kept_proves_a_revoke_only_when_it_is_seen(
    chance: random.Random, honest: float, shows: bool
) -> None:
    deal = Deal(chance, honest, keeps_discard=True, revoke_remedy="report")
    deal.play()
    (kept,) = deal.hands[0]
    assert deal.state.trump is not None
    deal.check_nobody_is_wronged()
    assert deal.enter(Recount(0, 1)) is Reason.OK_RECOUNT
    assert deal.state.no_discard
    if not shows:
        unproven = set(deal.revoked) - set(deal.proven)
        assert all(deal.revoked[entry][0] == 0 for entry in unproven)
        assert all(trick.follows(kept, deal.revoked[entry][1], deal.state.trump) for entry in unproven)
        return
    assert deal.enter(ShowHand(0, (kept,))) is Reason.OK_SHOW_HAND
    assert set(deal.proven) == set(deal.revoked)


@given(chance=random_numbers)
@settings(max_examples=30)
def test_a_discard_that_was_laid_is_never_found_in_the_hand(chance: random.Random) -> None:
    deal = Deal(chance, honest=0.9, revoke_remedy="report")
    while deal.state.phase is Phase.PLAY:
        for seat in range(3):
            assert deal.enter(Recount(seat, len(deal.hands[seat]))) is Reason.OK_RECOUNT
        assert deal.state.turn is not None
        deal.play_one(deal.state.turn)
    assert not deal.state.no_discard
