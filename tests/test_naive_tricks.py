"""Moon and a deliberately naive second judge say the same of every call and every tile, from deal to end of match.

`make prove` compares tens of thousands of random tiles; the test here is the same with fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

from referee.games import game
from referee.moves import Begin, Bid, Clear, Exchange, Expose, FirstBidder, Move, NameTrump, Pass, Play
from referee.rulings import Ruling
from referee.state import Phase
from referee.tiles import Tile
from referee.tricks.trick import Step, TrickState
from tests.naive import moon, tricks

# How many random tiles are compared.
TILES = int(os.environ.get("REFEREE_PROVE", "1500"))
GAME = game("kk-moon")
TRUMPS = (0, 1, 2, 3, 4, 5, 6, "doubles", "none")
HOUSE_RULES = {
    "least_bid": ("4", "4", "2"),
    "all_pass": ("redeal", "forced"),
    "trump_before_widow": ("no", "yes"),
    "moon_made": ("wins", "points"),
    "bidder_goes_out": ("no", "yes"),
    "leader_names_suit": ("no", "yes"),
    "revoke_remedy": ("stop", "stop", "report", "replay"),
    "out_of_turn_bid": ("void", "pass"),
    "target": ("21", "9"),
}
# What both judges call the steps of a deal.
STEPS = {Step.AUCTION: "auction", Step.EXCHANGE: "discard", Step.TRUMP: "trump", Step.TRICKS: "play"}
PHASES = {Phase.DEAL: "deal", Phase.CLEARING: "scored", Phase.OVER: "over"}


def tile(word: str) -> Tile:
    return Tile((int(word[0]), int(word[1])))


def word_of(text: str) -> str:
    return "".join(sorted(text.replace("-", ""), reverse=True))


class Table:
    """A match under way before both judges, of people who err."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        house = {name: chance.choice(values) for name, values in HOUSE_RULES.items()}
        self.judge = moon.Judge(**house)
        state = GAME.start(GAME, ("Ana", "Bo", "Cy"), GAME.vary(GAME.settings, house))
        assert isinstance(state, TrickState)
        # the match is well under way, so that many are near its end together
        self.judge.scores = [chance.randrange(state.settings.target) for _ in moon.SEATS]
        self.state = replace(state, scores=tuple(self.judge.scores), carried=tuple(self.judge.scores))
        self.hands: list[list[str]] = []
        self.said: Counter[str] = Counter()

    def moves(self, move: Move, expected: str) -> Ruling:
        """Both judges say the same of a move, and agree on what the table looks like after it."""
        ruling = GAME.rule(self.state, move)
        assert ruling.reason.value == expected, (move, self.state)
        self.said.update([expected, *(proof.reason.value for proof in ruling.proven)])
        if not ruling.is_legal:
            assert ruling.state is self.state
        assert isinstance(ruling.state, TrickState)
        self.state = ruling.state
        self.compare(ruling)
        return ruling

    def compare(self, ruling: Ruling) -> None:
        state, judge = self.state, self.judge
        assert PHASES.get(state.phase, STEPS[state.step]) == judge.step
        assert (state.turn, state.first) == (judge.turn, judge.first)
        assert list(state.scores) == judge.scores
        assert (state.ranking[0][0] if state.ranking else None) == judge.winner
        assert [state.won.count(seat) for seat in moon.SEATS] == judge.taken()
        assert (state.bidder, state.bid) == judge.highest
        for proof in ruling.proven:
            assert (proof.seat, word_of(proof.evidence[0])) in [(seat, seen) for seat, _, seen in judge.news]
        assert len(ruling.proven) == len(judge.news)

    # --- what people do -----------------------------------------------------------------------------------

    def deal(self) -> None:
        """One deal, to its score or to the next mixing of the tiles."""
        self.judge.begin()
        self.moves(Begin(), "ok-begin")
        if self.state.first is None:
            seat = self.chance.choice(moon.SEATS)
            self.judge.bids_first(seat)
            self.moves(FirstBidder(seat), "ok-first-bidder")
        words = self.chance.sample(tricks.SET, 22)
        if self.chance.random() < 0.2:  # somebody holds the sixes
            words.sort(key=lambda word: "6" not in word)
        self.hands = [words[0:7], words[7:14], words[14:21]]
        number = self.state.round
        self.calls()
        while self.state.phase is Phase.PLAY and self.state.round == number:
            step = self.state.step
            assert self.state.bidder is not None
            if step is Step.EXCHANGE:
                self.exchange(self.state.bidder, words[21])
            elif step is Step.TRUMP:
                trump = self.chance.choice((*TRUMPS, 6, 6, 6))
                self.judge.name(trump)
                self.moves(NameTrump(self.state.bidder, trump), "ok-trump")
            else:
                self.show_some_hands()
                self.play()
        if self.state.phase is Phase.CLEARING:
            self.judge.clear()
            self.moves(Clear(), "ok-clear")

    def calls(self) -> None:
        while self.state.step is Step.AUCTION and self.state.phase is Phase.PLAY:
            is_wild = self.chance.random() < 0.2 or self.state.turn is None
            seat = self.chance.choice(moon.SEATS) if is_wild else self.state.turn
            assert seat is not None
            bid = self.chance.choice((0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 21, 1, 8, 20, 22))
            self.moves(Bid(seat, bid) if bid else Pass(seat), self.judge.call(seat, bid))

    def exchange(self, seat: int, centre: str) -> None:
        hand = self.hands[seat] = [*self.hands[seat], centre]
        hand.remove(self.chance.choice(hand))
        self.judge.discard()
        self.moves(Exchange(seat, None), "ok-exchange")

    def show_some_hands(self) -> None:
        """Some seats lay their hands open, as a referee that sees them would know them."""
        shown = [self.chance.random() < 0.3 for _ in moon.SEATS]
        known = [tuple(map(tile, hand)) if shown[seat] else None for seat, hand in enumerate(self.hands)]
        self.state = replace(self.state, known=tuple(known))
        self.judge.hands = [list(hand) if shown[seat] else None for seat, hand in enumerate(self.hands)]

    def play(self) -> None:
        number = self.state.round
        while self.state.phase is Phase.PLAY and self.state.round == number:
            assert self.state.turn is not None
            if self.chance.random() < 0.04:
                self.expose()
                continue
            seat, word = self.some_tile(self.state.turn)
            suit = self.chance.choice((None, None, None, int(word[0]), int(word[1])))
            let_stand = self.chance.random() < (0.02 if seat == self.state.turn else 0.2)
            expected = self.judge.play(seat, word, suit, let_stand)
            self.moves(Play(seat, tile(word), suit, let_stand), expected)
            for hand in self.hands if expected.startswith("ok-") else ():
                if word in hand:
                    hand.remove(word)

    def expose(self) -> None:
        """A tile falls over, mostly one that its player holds."""
        seat = self.chance.choice(moon.SEATS)
        word = self.chance.choice(self.hands[seat] if self.hands[seat] and self.chance.random() < 0.7 else tricks.SET)
        self.moves(Expose(seat, tile(word)), self.judge.expose(seat, word))

    def some_tile(self, seat: int) -> tuple[int, str]:
        """Mostly a tile that a seat has and may play, sometimes a revoke, sometimes anything."""
        chance, judge = self.chance, self.judge
        laid = [each.word for trick in judge.tricks for each in trick.plays]
        hand = self.hands[seat] or [word for word in tricks.SET if word not in laid]
        if chance.random() < 0.12:
            return chance.choice(moon.SEATS), chance.choice([*tricks.SET, "10", "60", "77"])
        is_lead = not judge.tricks or len(judge.tricks[-1].plays) == 3
        follows = [] if is_lead else [word for word in hand if word in judge.tricks[-1].suit]
        return seat, chance.choice(follows if follows and chance.random() < 0.9 else hand)


def test_both_judges_say_the_same_of_every_call_tile_score_and_end_of_a_match() -> None:
    chance = random.Random("moon")
    said: Counter[str] = Counter()
    plays = ("ok-play", "ok-overruled", "revoke", "not-in-hand", "no-such-suit", "tile-already-played", "no-such-tile")
    while sum(said[reason] for reason in plays) < TILES:
        table = Table(chance)
        for _ in range(40):
            if table.state.phase is not Phase.OVER:
                table.deal()
        said += table.said
        said["over"] += table.state.phase is Phase.OVER
    calls = {"ok-bid", "ok-pass", "ok-forced-pass", "bid-range", "bid-too-low", "all-pass-redeal", "ok-forced-bid"}
    assert {*plays, *calls, "out-of-turn", "ok-expose", "revoke-proven", "over"} <= set(said)
