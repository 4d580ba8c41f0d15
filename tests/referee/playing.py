"""Whole matches played out with hands that the referee does not see."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from referee import umpire
from referee.games import Game, game
from referee.moves import Begin, Clear, Draw, ExposeStock, Move, Pass, Place, ShowHand
from referee.rulings import Proof, Reason, Ruling
from referee.state import Phase, State
from referee.tiles import Tile
from referee.umpire import Entry, Match, Record


@dataclass
class Party:
    """Players with hidden hands; `mischief` is how often one of them cheats or a tile of the stock is seen.

    `lies` are the entries of passes and draws that were not true, and `misopened` is true in a round that the wrong
    seat or tile opened; `proofs` are what the referee has found, each with whether it is so.
    """

    record: Record
    chance: random.Random
    mischief: float = 0.0
    hands: list[list[Tile]] = field(default_factory=list)
    stock: list[Tile] = field(default_factory=list)
    lies: set[int] = field(default_factory=set)
    misopened: bool = False
    proofs: list[tuple[Proof, bool]] = field(default_factory=list)

    @property
    def state(self) -> State:
        return self.record.state

    @property
    def game(self) -> Game:
        return game(self.state.game)

    def enter(self, move: Move) -> Ruling:
        """Enter a move, which must stand."""
        reason = umpire.judge(self.record, move).reason
        self.record = umpire.append(self.record, Entry(len(self.record.entries) + 1, 0, "people", None, move, reason))
        ruling = self.record.rulings[-1]
        assert ruling is not None
        assert ruling.is_legal, (move, ruling.reason)
        self.proofs += ((proof, self.is_so(proof)) for proof in ruling.proven)
        return ruling

    def is_so(self, proof: Proof) -> bool:
        """Whether what is proven did happen."""
        if proof.reason is Reason.TRIPLE_NOT_SHOWN:
            return True  # nobody here shows one
        if proof.reason in (Reason.WRONG_OPENER_PROVEN, Reason.WRONG_OPENING_TILE):
            return self.misopened
        return bool(self.lies) if proof.entry is None else proof.entry in self.lies

    def is_mischief(self) -> bool:
        return self.chance.random() < self.mischief

    def deal(self, tiles: list[Tile]) -> None:
        """Deal the tiles of the set and begin."""
        self.chance.shuffle(tiles)
        self.stock = list(tiles)
        self.hands = [[self.stock.pop() for _ in range(count)] for count in self.state.hands]
        self.lies, self.misopened = set(), False
        self.enter(Begin())

    def best(self) -> tuple[int, Tile]:
        """The seat that should open, and its tile."""
        best = {seat: max(hand, key=self.game.rank) for seat, hand in enumerate(self.hands)}
        seat = max(best, key=lambda each: self.game.rank(best[each]))
        return seat, best[seat]

    def draw(self, seat: int) -> None:
        self.enter(Draw(seat))
        self.hands[seat].append(self.stock.pop())

    def open(self) -> None:
        """Open the round; where only a triple opens, draw in laps until there is one."""
        settings = self.state.settings
        needs_triple = getattr(settings, "no_triple", "") == "draw_until_triple" and settings.opening == "rule"
        first = self.chance.randrange(self.state.players)
        while needs_triple and not self.best()[1].is_uniform:
            for step in range(self.state.players):
                self.draw((first + step) % self.state.players)
        seat, tile = self.best()
        if self.is_mischief():
            other = self.chance.randrange(self.state.players)
            wrong = self.chance.choice(self.hands[other])
            if wrong.is_uniform or not needs_triple:
                # a tile of choice is right in the hand that should open
                self.misopened = other != seat or (wrong != tile and wrong.total > 0)
                seat, tile = other, wrong
        if self.state.turn is not None:
            seat, tile = self.state.turn, max(self.hands[self.state.turn], key=self.game.rank)
        self.lay(seat, tile, 0)

    def lay(self, seat: int, tile: Tile, which: int) -> None:
        self.enter(Place(seat, tile, self.game.places(self.state, tile)[which]))
        self.hands[seat].remove(tile)

    def turn(self) -> None:
        """One act of the seat to move: the dearest tile that fits, a draw, or a pass."""
        seat = self.state.turn
        assert seat is not None
        settings = self.state.settings
        hand, is_lying = self.hands[seat], self.is_mischief()
        fitting = [tile for tile in hand if self.game.places(self.state, tile)]
        limit = getattr(settings, "draw_limit", None) if getattr(settings, "drawing", True) else 0
        in_reach = (self.state.stocks[seat] if self.state.stocks else self.state.stock) - settings.stock_floor
        may_draw = in_reach > 0 and (limit is None or self.state.drawn < limit)
        if self.is_mischief() and self.stock:
            self.enter(ExposeStock(self.stock[0]))
            self.chance.shuffle(self.stock)
        if fitting and not (is_lying and (may_draw or not in_reach)):
            found = self.game.placements(self.state, fitting)
            best = max(found, key=lambda each: (each.points, each.tile.total, self.chance.random()))
            self.enter(Place(seat, best.tile, best.spot))
            hand.remove(best.tile)
            return
        self.lies |= {len(self.record.entries) + 1} if fitting else set()
        if may_draw:
            self.draw(seat)
        else:
            self.enter(Pass(seat))

    def play(self, rounds: int = 100) -> Record:
        """Play until the match is over, or so many rounds are."""
        tiles = tiles_of(self.record)
        while self.state.phase is not Phase.OVER and self.state.round <= rounds:
            self.deal(tiles)
            self.open()
            while self.state.phase is Phase.PLAY:
                assert len(self.state.layout) + sum(self.state.hands) + self.state.stock == len(tiles)
                assert self.state.hands == tuple(map(len, self.hands))
                self.turn()
            for seat, hand in enumerate(self.hands):
                if self.state.phase is Phase.SHOW_HANDS and self.state.shown[seat] is None:
                    self.enter(ShowHand(seat, tuple(hand)))
            if self.state.phase is Phase.CLEARING:
                self.enter(Clear())
        return self.record


def tiles_of(record: Record) -> list[Tile]:
    """The set that a match is played with."""
    return sorted(game(record.state.game).tiles_of(record.state.settings))


def party(preset: str, players: int, options: str = "", seed: int = 1, mischief: float = 0.0) -> Party:
    """A match of so many players that is about to begin."""
    rules = tuple(sorted(tuple(each.split("=", 1)) for each in options.split()))
    match = Match(preset, tuple("ABCDEF"[:players]), rules)  # type: ignore[arg-type]  # pairs
    entry = Entry(1, 0, "people", None, match, umpire.judge(None, match).reason)
    return Party(umpire.append(None, entry), random.Random(seed), mischief)
