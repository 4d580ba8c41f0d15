"""Random openings and random ends of rounds before both judges: who opens with what, and what open hands are worth.

`make prove` compares 20,000 of each for every preset; the tests here are the same with fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from referee import houserules
from referee.games import Game, games
from referee.laying.lattice import Cell
from referee.moves import Announce, Begin, CellSpot, Expose, LineSpot, Move, Place, ShowHand
from referee.rulings import Ruling
from referee.state import Phase, Placed, State
from referee.tiles import TRIOMINO, Tile
from tests.naive import books, ends, reading
from tests.naive.laying import Laying
from tests.naive.rounds import Said

SITUATIONS = int(os.environ.get("REFEREE_PROVE", "300"))
LAYING = sorted(preset for preset, each in games().items() if not each.in_tricks)
OPENING_RULES = {
    "zero_choice": ("yes", "no"),
    "zero_must_show": ("yes", "no"),
    "no_triple": ("best_sum", "draw_until_triple"),
    "open_tiebreak": ("larger_numbers", "any"),
    "open_triple": ("0", "10"),
    "open_zero_total": ("0", "30", "40"),
    "opening": ("rule", "rule", "any"),
}
END_RULES = {
    "out_bonus": ("0", "25"),
    "out_takes_others": ("yes", "no"),
    "others_lose_own": ("yes", "no"),
    "blocked": ("fewest_tiles", "lowest_value", "none"),
    "blocked_tie": ("lower_value", "nobody"),
    "blocked_points": ("others_minus_own", "pairwise", "differences", "each_loses_own", "none"),
    "rounding": ("nearest", "down", "up", "none"),
    "past_target": ("round_winner", "highest"),
    "end": ("round", "at_once"),
    "rounds": ("none", "none", "none", "1", "2"),
    "fish_winner": ("last_layer", "lowest_hand"),
    "double_blank_pips": ("0", "25"),
}


def house(chance: random.Random, game: Game, rules: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """The preset as it is, or with some of these house rules where it has them."""
    if chance.random() < 0.4:
        return {}
    known = [name for name in rules if hasattr(game.settings, name)]
    words = houserules.choices(game.settings)
    taken = {name: [each for each in rules[name] if each in words[name] or not words[name]] for name in known}
    return {name: chance.choice(taken[name]) for name in chance.sample(known, chance.randint(1, len(known)))}


class Opening:
    """One deal before both judges."""

    def __init__(self, preset: str, chance: random.Random) -> None:
        self.chance, self.game = chance, games()[preset]
        self.players = chance.randint(max(2, self.game.min_players), self.game.max_players)
        options = house(chance, self.game, OPENING_RULES)
        names = tuple("ABCDEF"[: self.players])
        self.judge = Laying(reading.Act("match", word=preset, names=names, options=options))
        self.state = self.game.start(self.game, names, self.game.vary(self.game.settings, options))
        self.line = 1

    def says(self, move: Move, act: reading.Act) -> str:
        """Both judges say the same."""
        self.line += 1
        ruling, said = self.game.rule(self.state, move), self.judge.say(act, self.line)
        where = (self.state, move, said)
        assert ruling.reason.value in (said.faults or {said.reason}), where
        assert awards(ruling) == said.awards, where
        assert Counter((proof.reason.value, proof.seat) for proof in ruling.proven) == told(said), where
        self.state = ruling.state
        assert (list(self.state.scores), self.state.turn) == (self.judge.scores, self.judge.round.turn), where
        return ruling.reason.value

    def play(self) -> Counter[str]:
        """What is said while hands are named and shown, and tiles are tried, before and after the round is opened."""
        said = Counter([self.says(Begin(), reading.Act("begin"))])
        for _ in range(self.chance.randint(1, 9)):
            seat = self.chance.randrange(self.players)
            tile = self.chance.choice(self.game.tiles)
            if self.chance.random() < 0.5:  # those that open are rare
                tile = self.chance.choice([each for each in self.game.tiles if each.is_uniform])
            kind = self.chance.random()
            if kind < 0.5:
                named = None if kind < 0.1 else tile
                tiles = () if named is None else (tile.values,)
                said[self.says(Announce(seat, named), reading.Act("announces", seat, tiles))] += 1
            elif kind < 0.6:
                said[self.says(Expose(seat, tile), reading.Act("exposes", seat, (tile.values,)))] += 1
            elif not self.state.layout:
                said[self.says(*self.lays(seat, tile))] += 1
        return said

    def lays(self, seat: int, tile: Tile) -> tuple[Move, reading.Act]:
        """The tile as the first of the round."""
        if self.game.kind == TRIOMINO:
            spot, place = CellSpot(Cell(0, 0, "U"), tile.values), "0,0,U"
            return Place(seat, tile, spot), reading.Act("lays", seat, (tile.values,), tile.values, place)
        return Place(seat, tile, LineSpot("left")), reading.Act("lays", seat, (tile.values,), tile.values, "left")


def awards(ruling: Ruling) -> Counter[tuple[int, str]]:
    points: Counter[tuple[int, str]] = Counter()
    for award in ruling.awards:
        points[award.seat, award.what] += award.points
    return reading.nonzero(points)


def told(said: Said) -> Counter[tuple[str, int]]:
    return Counter((name, seat) for name, seat, _ in said.proofs)


@pytest.mark.parametrize("preset", LAYING)
def test_both_judges_say_the_same_of_every_opening(preset: str) -> None:
    chance, said = random.Random(preset), Counter[str]()
    for _ in range(SITUATIONS):
        said += Opening(preset, chance).play()
    assert {"ok-opening", "wrong-opener", "wrong-opening-tile", "not-in-hand", "ok-announce"} <= set(said)


# --- ends -------------------------------------------------------------------------------------------------


def ended(game: Game, chance: random.Random, options: dict[str, str], hands: list[list[Tile]]) -> State:
    """All hands but the last one lie open, and scores are near the target."""
    names = tuple("ABCDEF"[: len(hands)])
    state = game.start(game, names, game.vary(game.settings, options))
    laid = next(tile for tile in game.tiles if not any(tile in hand for hand in hands))
    spot = CellSpot(Cell(0, 0, "U"), laid.values) if game.kind == TRIOMINO else LineSpot("left")
    out = next((seat for seat, hand in enumerate(hands) if not hand), None)
    counts = tuple(map(len, hands))
    return replace(
        state,
        phase=Phase.SHOW_HANDS,
        layout=(Placed(laid, spot, chance.randrange(len(hands)), overruled=True),),
        hands=counts,
        taken=counts,
        out=out,
        blocked=out is None,
        scores=tuple(state.settings.target - chance.choice((0, 1, 9, 30, 60, 200)) for _ in hands),
        shown=(*map(tuple, hands[:-1]), None),
    )


@pytest.mark.parametrize("preset", LAYING)
def test_both_judges_say_the_same_of_every_end_of_a_round(preset: str) -> None:
    game, chance = games()[preset], random.Random(preset + "end")
    over: Counter[bool] = Counter()
    for _ in range(SITUATIONS):
        options = house(chance, game, END_RULES)
        rules = books.rules_of(preset, options)
        players = chance.randint(max(2, game.min_players), game.max_players)
        tiles = iter(chance.sample(game.tiles, len(game.tiles) - 1))
        sizes = [chance.choice((1, 1, 2, 2, 3, 5)) for _ in range(players)]
        if chance.random() < 0.5:
            sizes[chance.randrange(players - 1)] = 0  # somebody has gone out
        hands = [[next(tiles) for _ in range(size)] for size in sizes]
        before = ended(game, chance, options, hands)
        ruling = game.rule(before, ShowHand(players - 1, tuple(hands[-1])))
        shown = [[tile.values for tile in hand] for hand in hands]
        if books.is_goat(preset):
            winner, points = ends.line_round(rules, shown, before.out, before.layout[0].seat)
        elif books.is_line(preset):
            winner, points = ends.pips_round(rules, shown, before.out)
        else:
            winner, points = ends.triangle_round(rules, shown, before.out)
        scores = list(before.scores)
        for (seat, _), earned in points.items():
            scores[seat] += earned
        ranking = (
            ends.line_ranking(rules, scores, before.round)
            if books.is_goat(preset)
            else ends.triangle_ranking(rules, scores, winner, before.round)
        )
        assert (awards(ruling), ruling.state.round_winner) == (reading.nonzero(points), winner), before
        assert (list(ruling.state.scores), list(map(set, ruling.state.ranking))) == (scores, ranking), before
        over[bool(ranking)] += 1
    assert set(over) == {True, False}
