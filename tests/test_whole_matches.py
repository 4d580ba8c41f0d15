"""Whole matches of people who play by house rules, make mistakes, change their minds and take moves back.

Nobody's hand is known here: any tile that has not been seen may be anybody's, so claims turn out false,
openers wrong and hands impossible far more often than among honest people.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import Phase as Stage
from hypothesis import given, settings
from hypothesis import strategies as st

from display.sentences import AWARDS, REASONS, Words
from referee import houserules, notation, transcript, umpire, views, wire
from referee.games import Game, games, triomino
from referee.moves import (
    Adjust,
    Announce,
    Begin,
    Bid,
    CallBlock,
    CellSpot,
    Clear,
    CountStock,
    Draw,
    Exchange,
    Expose,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
    Recount,
    Redeal,
    SetTurn,
    ShowHand,
)
from referee.rulings import Reason, Ruling
from referee.state import Phase, State
from referee.tiles import TRIOMINO, Tile
from referee.trick import Step, TrickState
from referee.umpire import Act, Correct, Entry, Match, Overrule, Record, Undo

GAMES = sorted(games())
LONG = 150  # acts, after which people behave and come to an end
TOO_LONG = 400
EXAMPLES = 12
NUMBERS = {
    "draw_cost": ("0", "3"),
    "draw_limit": ("none", "1", "3"),
    "two_corner": ("none", "-5", "10"),
    "three_corner": ("none", "15"),
    "false_pass_penalty": ("10",),
    "needless_draw_penalty": ("20",),
    "draw_too_many_penalty": ("5",),
    "double_blank_pips": ("25",),
}


class Walk:
    """A match under way, everything in it checked as it comes."""

    def __init__(self, game: Game, match: Match, seed: int, mischief: int) -> None:
        self.game = game
        self.mischief = mischief
        self.chance = random.Random(seed)
        self.may_go_on = {"replay", "void"} & {value for _, value in match.options}
        self.record = umpire.append(None, Entry(1, 0, "people", None, match, Reason.OK_MATCH))
        self.tiles = game.tiles
        if game.kind == TRIOMINO:  # a house rule may change the set
            self.tiles = tuple(sorted(triomino.tile_set(self.state.settings)))

    @property
    def state(self) -> State:
        return self.record.state

    def play(self) -> Record:
        """To the end of the match, which is then taken back and given again, or for long enough."""
        while self.state.phase is not Phase.OVER and len(self.record.entries) < TOO_LONG:
            is_late = len(self.record.entries) > LONG
            if is_late and self.state.phase is Phase.CLEARING:
                self.act(Adjust(self.chance.randrange(self.state.players), self.state.settings.target))
            elif self.chance.randrange(100) < self.mischief and not is_late:
                self.act(self.some_mischief())
            else:
                self.act(next(move for move in self.moves() if umpire.judge(self.record, move).is_legal))
        if self.state.phase is Phase.OVER:
            self.take_back_the_end()
        else:  # with hands that nobody has dealt some rounds are played again for ever
            assert self.may_go_on
        return self.record

    def take_back_the_end(self) -> None:
        over, last = self.state, self.last_that_counts()
        assert self.act(Undo(last)).reason is Reason.NEEDS_CONFIRMING
        assert self.act(Undo(last, confirmed=True)).is_legal
        assert self.state.phase is not Phase.OVER
        self.act(Undo(len(self.record.entries)))
        assert self.state == over

    def act(self, act: Act) -> Ruling:
        """One more entry."""
        assert notation.parse(notation.write(act)) == act
        before, judged = self.state, umpire.judge(self.record, act)
        seq = len(self.record.entries) + 1
        self.record = umpire.append(self.record, Entry(seq, 0, "people", None, act, judged.reason))
        ruling = self.record.rulings[-1]
        assert ruling is not None
        assert (ruling.reason, ruling.awards, ruling.state) == (judged.reason, judged.awards, judged.state)
        if not ruling.is_legal:
            assert ruling.state is before
            assert not ruling.awards
        self.check_tiles()
        self.check_scores()
        return ruling

    def check_tiles(self) -> None:
        """No tile is lost, none is in two places."""
        state = self.state
        assert len(state.layout) + sum(state.hands) + state.stock == len(self.tiles)
        seen = [placed.tile for placed in state.layout] + [tile for hand in state.known for tile in hand or ()]
        assert len(set(seen)) == len(seen)
        assert set(seen) <= set(self.tiles)

    def check_scores(self) -> None:
        totals = [0] * self.state.players
        for ruling in self.record.rulings:
            for award in ruling.awards if ruling else ():
                totals[award.seat] += award.points
        assert list(self.state.scores) == totals

    def last_that_counts(self) -> int:
        return max(entry.seq for entry in umpire.effective(self.record))

    # --- what people do next ------------------------------------------------------------------------------

    def moves(self) -> Iterator[Move]:
        """What could come next, likely things first; the last resort is to deal anew."""
        state = self.state
        if state.phase is Phase.DEAL:
            yield Begin()
        elif state.phase is Phase.CLEARING:
            yield Clear()
        elif state.phase is Phase.SHOW_HANDS:
            seat = state.shown.index(None)
            known = state.known[seat] or ()
            hand = (*known, *(tile for tile in self.unseen(seat) if tile not in known))
            yield ShowHand(seat, hand[: state.hands[seat]])
        else:
            seat = self.chance.randrange(state.players) if state.turn is None else state.turn
            yield from self.tricks(state, seat) if isinstance(state, TrickState) else self.turn(seat)
        yield Redeal()

    def unseen(self, seat: int) -> list[Tile]:
        """The tiles that a seat may hold, shuffled."""
        state = self.state
        elsewhere = {placed.tile for placed in state.layout}
        elsewhere |= {tile for other, hand in enumerate(state.known) if other != seat for tile in hand or ()}
        elsewhere |= {tile for hand in state.shown for tile in hand or ()}
        return self.chance.sample(free := [each for each in self.tiles if each not in elsewhere], len(free))

    def turn(self, seat: int) -> Iterator[Move]:
        if self.chance.random() < 0.3:
            yield Draw(seat, self.chance.choice((1, 1, 1, 2)))
            yield Pass(seat)
        known = self.state.known[seat] or ()
        tiles = sorted(self.unseen(seat), key=lambda tile: tile not in known)
        for tile in tiles:
            places = self.game.places(self.state, tile)
            if places:
                yield Place(seat, tile, self.chance.choice(places))
        yield Draw(seat)
        yield Pass(seat)

    def tricks(self, state: TrickState, seat: int) -> Iterator[Move]:
        if lots := self.game.lots(state):
            yield self.chance.choice(lots)
        elif state.step is Step.AUCTION:
            yield Bid(seat, self.chance.choice((4, 4, 5, 6, 7, 21)))
            yield Pass(seat)
        elif state.step is Step.EXCHANGE:
            yield Exchange(seat, self.chance.choice((None, *self.unseen(seat))))
            yield Exchange(seat, None)
        elif state.step is Step.TRUMP:
            yield NameTrump(seat, self.chance.choice((*range(7), "doubles", "none")))
        else:
            yield from (Play(seat, tile) for tile in self.unseen(seat))

    def some_mischief(self) -> Act:
        """Something out of the ordinary: at the wrong time, wrong itself, or about what was entered before."""
        chance, state = self.chance, self.state
        seat, tile = chance.randrange(state.players), chance.choice(self.tiles)
        entry = chance.randrange(1, len(self.record.entries) + 2)
        cells = {each.spot.cell for each in state.layout if isinstance(each.spot, CellSpot)}
        near = sorted(cells.union(*(cell.neighbours for cell in cells)))
        anywhere = [*self.game.places(state, tile), *(CellSpot(cell, tile.values) for cell in near[:5])]
        acts: list[Act] = [
            *(Undo(self.last_that_counts()), Undo(entry), Overrule(entry), Overrule(len(self.record.entries))),
            *(Correct(entry, Pass(seat)), Correct(entry, Draw(seat)), Announce(seat, chance.choice((None, tile)))),
            *(Draw(seat, chance.randrange(1, 4)), Pass(seat), Expose(seat, tile, chance.random() < 0.5)),
            *(Recount(seat, max(0, state.hands[seat] + chance.randrange(-1, 2))), CountStock(chance.randrange(60))),
            *(CallBlock(seat), Adjust(seat, chance.randrange(-9, 9)), SetTurn(seat), Begin(), Clear()),
            *(Bid(seat, chance.randrange(9)), Play(seat, tile), ShowHand(seat, (tile,)), NameTrump(seat, "doubles")),
        ]
        if anywhere:
            place = Place(seat, tile, chance.choice(anywhere), chance.random() < 0.5)
            acts += [place, place, place, Correct(entry, place)]
        return chance.choice(acts)


def house_rules(game: Game) -> dict[str, tuple[str, ...]]:
    """Those that take one of a few words, and some that take a number."""
    known = houserules.options(game.settings)
    words = {name: tuple(text.split(" or ")) for name, text in known.items() if re.fullmatch(r"\w+( or \w+)+", text)}
    return words | {name: values for name, values in NUMBERS.items() if name in known}


@st.composite
def walks(draw: st.DrawFn, game: Game) -> Walk:
    """A match of any number of players by some house rules, not yet played."""
    rules = house_rules(game)
    names = draw(st.lists(st.sampled_from(sorted(rules)), unique=True, max_size=8))
    options = {name: draw(st.sampled_from(rules[name])) for name in sorted(names)}
    options["target"] = str(draw(st.sampled_from((15, 150, 400))))
    players = draw(st.integers(game.min_players, game.max_players))
    match = Match(game.id, ("Ana", "Bo", "Cy", "Di", "Ed", "Flo")[:players], tuple(sorted(options.items())))
    return Walk(game, match, draw(st.integers(0, 2**32)), draw(st.sampled_from((0, 10, 30))))


@pytest.mark.parametrize("preset", GAMES)
@settings(max_examples=EXAMPLES, phases=(Stage.explicit, Stage.generate))  # a seed is made no simpler by a smaller one
@given(data=st.data())
def test_a_whole_match_holds_together_whatever_people_do(preset: str, data: st.DataObject) -> None:
    game = games()[preset]
    record = data.draw(walks(game)).play()
    assert umpire.fold(record.entries) == record
    check_words(game, record)
    text = transcript.of_entries(record.entries)
    assert transcript.read(str(text)) == text
    again, judged = transcript.played(transcript.read(str(text)))
    assert transcript.differences(text, judged) == ()
    assert again.state == record.state


def check_words(game: Game, record: Record) -> None:
    """Every ruling cites the sheet, can be said in a sentence, and survives the way to a screen."""
    sheet = {f"{game.id} §{clause}" for clause, _ in game.sheet(record.state.settings)}
    seats = tuple(wire.Seat(name, 0, 0, 0) for name in record.state.names)
    void = umpire.void(record)
    for entry, ruling in zip(record.entries, record.rulings, strict=True):
        told = views._ruled(entry, ruling, entry.seq in void)
        assert msgspec.json.decode(msgspec.json.encode(told), type=wire.Ruled) == told
        assert REASONS[told.reason] in Words().ruling(seats, told)
        for award in told.awards:
            assert award.what in AWARDS
            assert str(abs(award.points)) in Words().awards(seats, told) or not award.points
        for proof in ruling.proven if ruling else ():
            assert REASONS[proof.reason]
        assert entry.seq == 1 or set(told.clauses) <= sheet
