"""People who walk through a whole match by house rules, make mistakes, change their minds and take moves back.

Nobody's hand is known here: any tile that has not been seen may be anybody's, so claims turn out false,
openers wrong and hands impossible far more often than among honest people.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import strategies as st

from referee import houserules, notation, umpire
from referee.games import Game, triomino
from referee.laying import line
from referee.laying.lattice import Cell
from referee.moves import (
    Adjust,
    Announce,
    Begin,
    Bid,
    CallBlock,
    CellSpot,
    ClaimPoints,
    Clear,
    CountDeal,
    CountStock,
    Draw,
    Exchange,
    Expose,
    ExposeStock,
    FirstBidder,
    LineSpot,
    Loose,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
    Recount,
    Redeal,
    SayDrawn,
    SetTurn,
    ShowHand,
)
from referee.rulings import Reason, Ruling
from referee.state import Phase, State
from referee.tiles import DOMINO, TRIOMINO, Tile, domino_set
from referee.tricks.trick import Step, TrickState
from referee.umpire import Act, Correct, Entry, Match, Overrule, Record, Undo

LONG = 150  # acts, after which people behave and come to an end
TOO_LONG = 400
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo")
# Values of the house rules that do not take one of a few words.
NUMBERS = {
    "players": (),  # how many play is drawn, and must stay possible
    "hands": (),
    "max_number": ("4", "5", "6", "7"),
    "least_bid": ("2", "4", "7"),
    "wrong_tile_penalty": ("0", "4"),
    "false_pass_penalty": ("0", "10"),
    "needless_draw_penalty": ("0", "20"),
    "draw_too_many_penalty": ("0", "5"),
    "wrong_deal_penalty": ("0", "7"),
    "double_blank_pips": ("0", "25"),
    "open_triple": ("0", "10", "15"),
    "open_zero_total": ("0", "30", "45"),
    "draw_cost": ("0", "3", "5"),
    "draw_limit": ("none", "1", "3"),
    "empty_stock": ("0", "10"),
    "stock_floor": ("0", "0", "2"),
    "limit_extra": ("0", "10"),
    "hexagon": ("50,100,150", "1,2,3"),
    "bridge": ("0", "40"),
    "two_side": ("0", "41"),
    "three_side": ("0", "42"),
    "two_corner": ("none", "-5", "10"),
    "three_corner": ("none", "15"),
    "out_bonus": ("0", "25"),
    "target": ("15", "150", "400"),
    "rounds": ("none", "none", "1", "2"),
}
HUGE = 10**12


class Walk:
    """A match under way, everything in it checked as it comes."""

    def __init__(self, game: Game, match: Match, seed: int, mischief: int) -> None:
        self.game = game
        self.mischief = mischief
        self.chance = random.Random(seed)
        self.may_go_on = {"replay", "void", "stops"} & {value for _, value in match.options}
        self.record = umpire.append(None, Entry(1, 0, "people", None, match, Reason.OK_MATCH))
        self.tiles = game.tiles
        if game.kind == TRIOMINO:  # a house rule may change the set
            self.tiles = tuple(sorted(triomino.tile_set(self.state.settings)))
        elif not game.in_tricks:
            self.tiles = domino_set(self.state.settings.max_number)

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
        if not ruling.is_legal and not ruling.awards:
            assert ruling.state is before
        elif not ruling.is_legal:  # a tile that does not fit may cost something
            assert {award.what for award in ruling.awards} == {"wrong_tile"}
            assert replace(ruling.state, scores=before.scores) == before
        self.check_nonsense()
        self.check_tiles()
        self.check_scores()
        return ruling

    def check_nonsense(self) -> None:
        """Whatever else anybody might have done has an answer, always the same one, and changes nothing by itself."""
        move, state = nonsense(self.chance), self.state
        as_it_was = replace(state)
        ruling = self.game.rule(state, move)
        assert ruling == self.game.rule(state, move)
        assert state == as_it_was
        if not ruling.is_legal and not ruling.awards:
            assert ruling.state is state

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
        ends = [LineSpot(chance.choice(line.EVERY_END))] if self.game.kind == DOMINO and state.layout else []
        anywhere = [*self.game.places(state, tile), *ends, *(CellSpot(cell, tile.values) for cell in near[:5])]
        acts: list[Act] = [
            *(Undo(self.last_that_counts()), Undo(entry), Overrule(entry), Overrule(len(self.record.entries))),
            *(Correct(entry, Pass(seat)), Correct(entry, Draw(seat)), Announce(seat, chance.choice((None, tile)))),
            *(Draw(seat, chance.randrange(1, 4)), Pass(seat), Expose(seat, tile, chance.random() < 0.5)),
            Recount(seat, max(0, state.hands[seat] + chance.randrange(-1, 2)), chance.random() < 0.5),
            CountStock(chance.randrange(60), chance.random() < 0.5),
            *(CallBlock(seat), Adjust(seat, chance.randrange(-9, 9)), SetTurn(seat), Begin(), Clear()),
            *(Bid(seat, chance.randrange(9)), Play(seat, tile), ShowHand(seat, (tile,)), NameTrump(seat, "doubles")),
            *(ExposeStock(tile), SayDrawn(seat, chance.randrange(3))),
            ClaimPoints(seat, state.unclaimed or chance.choice((5, 10))),
            CountDeal(seat, max(0, min(state.taken, default=0) + chance.randrange(-1, 2))),
        ]
        if anywhere:
            place = Place(seat, tile, chance.choice(anywhere), chance.random() < 0.5)
            acts += [place, place, place, Correct(entry, place)]
        return chance.choice(acts)


def nonsense(chance: random.Random) -> Move:
    """A move of any game by anybody, with tiles, seats and numbers that there may not be."""
    seat = chance.choice((-1, 0, 1, 2, 3, 6, HUGE))
    number = chance.choice((-HUGE, -1, 0, 1, 7, 21, HUGE))
    values = tuple(chance.choice((0, 1, 5, 6, 7, HUGE)) for _ in range(chance.choice((2, 3))))
    tile = Tile(values)
    end, inner = chance.choice(("left", "right", "up", "down", "middle", "")), chance.choice((None, 0, 6, HUGE))
    spot = chance.choice((CellSpot(Cell(chance.choice((-HUGE, 0, 1)), 0, "U"), values), LineSpot(end, inner), Loose()))
    moves: tuple[Move, ...] = (
        *(Begin(), Clear(), Redeal(), Announce(seat, chance.choice((None, tile))), Draw(seat, number), Pass(seat)),
        *(Place(seat, tile, spot), Place(seat, tile, spot, overruled=True), ShowHand(seat, (tile, tile)[: number % 3])),
        *(
            Expose(seat, tile, chance.random() < 0.5),
            ExposeStock(tile),
            Recount(seat, number, number == 0),
            CountStock(number, seat == 0),
        ),
        *(
            SayDrawn(seat, number),
            ClaimPoints(seat, number),
            CountDeal(seat, number),
            CallBlock(seat),
            Adjust(seat, number),
            SetTurn(seat),
        ),
        *(FirstBidder(seat), Bid(seat, number), Exchange(seat, chance.choice((None, tile)))),
        *(NameTrump(seat, chance.choice((number, "doubles", "none", ""))), Play(seat, tile, inner, number == 1)),
    )
    return chance.choice(moves)


def house_rules(game: Game) -> dict[str, tuple[str, ...]]:
    """Values for every house rule of a game."""
    known = houserules.options(game.settings)
    words = {name: tuple(text.split(" or ")) for name, text in known.items() if re.fullmatch(r"\w+( or \w+)+", text)}
    return {name: words.get(name) or NUMBERS[name] for name in known}


def a_match(game: Game, chance: random.Random, without: tuple[str, ...] = ()) -> Match:
    """Any number of players by some house rules."""
    rules = house_rules(game)
    names = chance.sample(sorted(rules), chance.randrange(12))
    options = {name: chance.choice(rules[name]) for name in sorted(names) if rules[name] and name not in without}
    options.setdefault("target", chance.choice(rules["target"]))
    players = chance.randint(game.min_players, game.max_players)
    if game.kind == DOMINO and game.in_tricks:
        options.pop("max_number", None)  # hands must leave one tile
    elif chance.random() < 0.3:
        options["hands"] = f"{players}:{chance.randint(1, 5)}"
    match = Match(game.id, NAMES[:players], tuple(sorted(options.items())))
    try:
        umpire.opened(match)
    except ValueError:  # too many tiles to deal for a small set
        del options["max_number"]
    return Match(game.id, NAMES[:players], tuple(sorted(options.items())))


@st.composite
def walks(draw: st.DrawFn, game: Game) -> Walk:
    """A match not yet played."""
    seed = draw(st.integers(0, 2**32))
    return Walk(game, a_match(game, random.Random(seed)), seed, draw(st.sampled_from((0, 10, 30))))
