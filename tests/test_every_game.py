"""What must hold for every game, present and to come: total, pure, tiles conserved, points accounted for."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import notation, umpire, wire
from referee.games import Game, games, moon
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
    CountStock,
    Draw,
    Exchange,
    Expose,
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
    SetTurn,
    ShowHand,
    Spot,
)
from referee.rulings import Ruling
from referee.state import Phase, State
from referee.tiles import Tile, domino_set, triomino_set
from referee.tricks.trick import Step as Stage
from referee.tricks.trick import TrickState
from referee.umpire import Correct, Entry, Match, Overrule, Record, Undo

GAMES = sorted(games())
TILES = (*triomino_set(6), *domino_set(7), Tile((0, 2, 1)))
Step = tuple[State, Move, Ruling]


# --- honest people --------------------------------------------------------------------------------------


class People:
    """Players who know their own hands and keep to the rules."""

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self.game = game
        self.chance = random.Random(seed)
        self.state = game.start(game, tuple("ABCDEF"[:players]), game.settings)
        self.hands: list[list[Tile]] = []
        self.stock: list[Tile] = []

    def play(self) -> Iterator[Step]:
        """One whole match."""
        while self.state.phase is not Phase.OVER:
            yield from self._round()
            if self.state.phase is Phase.CLEARING:
                yield self._do(Clear())

    def _do(self, move: Move) -> Step:
        before = self.state
        ruling = self.game.rule(before, move)
        assert ruling.is_legal, (move, ruling.reason)
        self.state = ruling.state
        return before, move, ruling

    def _round(self) -> Iterator[Step]:
        size, tiles = self.state.hands[0], list(self.game.tiles)
        self.chance.shuffle(tiles)
        players = range(self.state.players)
        self.hands = [tiles[size * seat : size * (seat + 1)] for seat in players]
        self.stock = tiles[size * len(players) :]
        assert len(self.stock) == self.state.stock
        yield self._do(Begin())
        if isinstance(self.state, TrickState):
            yield from self._deal()
            return
        seat = 0
        while (opening := self._opening()) is None:
            self.hands[seat].append(self.stock.pop())
            yield self._do(Draw(seat))
            seat = (seat + 1) % len(players)
        best = max(self.hands[opening.seat], key=self.game.rank)
        self.hands[opening.seat].remove(opening.tile)
        yield self._do(opening)
        if self.game.rule(self.state, Announce(opening.seat, best)).is_legal:
            yield self._do(Announce(opening.seat, best))
        while self.state.phase is Phase.PLAY:
            yield self._do(self._turn())
        for seat in players:
            if self.state.phase is Phase.SHOW_HANDS and self.state.shown[seat] is None:
                yield self._do(ShowHand(seat, tuple(self.hands[seat])))

    def _deal(self) -> Iterator[Step]:
        """Auction and tricks, with some bids that can only fail."""
        if lots := self.game.lots(self.state):
            yield self._do(self.chance.choice(lots))
        while self.state.phase is Phase.PLAY:
            yield self._do(self._call_or_play())

    def _longest(self, hand: list[Tile]) -> list[Tile]:
        """The tiles with the number of which a hand has most."""
        return max(([tile for tile in hand if number in tile.values] for number in range(7)), key=len)

    def _call_or_play(self) -> Move:
        state, seat = self.state, self.state.turn
        assert isinstance(state, TrickState)
        assert seat is not None
        hand = self.hands[seat]
        if state.step is Stage.AUCTION:
            bid = next((bid for bid in (4, 5, 6, 7, 21) if bid > state.bid), None)
            is_bold = len(self._longest(hand)) > 3 or self.chance.random() < 0.05
            return Bid(seat, bid) if bid and is_bold else Pass(seat)
        if state.step is Stage.EXCHANGE:
            hand.extend(self.stock)
            spare = [tile for tile in hand if tile not in self._longest(hand)] or hand
            self.stock = [self.chance.choice(spare)]
            hand.remove(self.stock[0])
            return Exchange(seat, self.chance.choice((None, self.stock[0])))
        if state.step is Stage.TRUMP:
            number = set.intersection(*(set(tile.values) for tile in self._longest(hand)))
            return NameTrump(seat, self.chance.choice((*number, *number, *number, "doubles", "none")))
        play = self.chance.choice(moon.plays(state, hand))
        hand.remove(play.tile)
        return play

    def _opening(self) -> Place | None:
        """Found by asking the rules with all hands open: one seat may open, or none until it has drawn."""
        moves = [
            Place(seat, tile, self.game.places(self.state, tile)[0])
            for seat, hand in enumerate(self.hands)
            for tile in hand
        ]
        known = tuple(map(tuple, self.hands))
        open_handed = State(**{each.name: getattr(self.state, each.name) for each in fields(State)} | {"known": known})
        allowed = [move for move in moves if self.game.rule(open_handed, move).is_legal]
        assert len({move.seat for move in allowed}) <= 1
        return allowed[0] if allowed else None

    def _turn(self) -> Move:
        seat = self.state.turn
        assert seat is not None
        places = [(tile, spot) for tile in self.hands[seat] for spot in self.game.places(self.state, tile)]
        if places:
            tile, spot = self.chance.choice(places)
            self.hands[seat].remove(tile)
            return Place(seat, tile, spot)
        if self.stock and self.game.rule(self.state, Draw(seat)).is_legal:
            self.hands[seat].append(self.stock.pop())
            return Draw(seat)
        return Pass(seat)


@cache
def match(preset: str, players: int, seed: int = 1) -> tuple[Step, ...]:
    """All steps of a match of honest people."""
    return tuple(People(games()[preset], players, seed).play())


def few(preset: str) -> int:
    """The smallest number of players of a match between people."""
    return max(2, games()[preset].min_players)


TABLES = [(preset, players) for preset in GAMES for players in range(few(preset), games()[preset].max_players + 1)]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_honest_people_play_to_the_end_of_a_match_without_a_complaint(preset: str, players: int) -> None:
    steps = match(preset, players)
    assert steps[-1][2].state.phase is Phase.OVER
    assert not any(ruling.proven for _, _, ruling in steps)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_ruling_cites_a_paragraph_of_the_rule_sheet(preset: str, players: int) -> None:
    game = games()[preset]
    sheet = {f"{preset} §{clause}" for clause, _ in game.sheet(game.settings)}
    cited = {cite.clause for _, _, ruling in match(preset, players) for cite in ruling.cites}
    assert cited <= sheet
    assert all(ruling.cites for _, _, ruling in match(preset, players))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_table_hands_and_stock_always_add_up_to_the_set(preset: str, players: int) -> None:
    for _, _, ruling in match(preset, players):
        state = ruling.state
        laid = [placed.tile for placed in state.layout]
        assert len(laid) + sum(state.hands) + state.stock == len(games()[preset].tiles)
        assert len(set(laid)) == len(laid)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_scores_are_the_sum_of_the_awards(preset: str, players: int) -> None:
    totals = [0] * players
    for _, _, ruling in match(preset, players):
        for award in ruling.awards:
            totals[award.seat] += award.points
        assert list(ruling.state.scores) == totals


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_ranking_names_every_seat_once_and_only_at_the_end(preset: str, players: int) -> None:
    *steps, last = match(preset, players)
    assert not any(ruling.state.ranking for _, _, ruling in steps)
    assert sorted(seat for group in last[2].state.ranking for seat in group) == list(range(players))


@pytest.mark.parametrize("preset", GAMES)
def test_the_same_moves_give_the_same_rulings(preset: str) -> None:
    first = match(preset, few(preset))
    again = tuple(People(games()[preset], few(preset), 1).play())
    assert again == first


@pytest.mark.parametrize("preset", GAMES)
def test_a_place_is_legal_exactly_when_the_game_lists_it(preset: str) -> None:
    game = games()[preset]
    for state, move, _ in match(preset, few(preset))[:45:7]:
        if not isinstance(move, Place) or not state.layout:
            continue
        hidden = State(**{each.name: getattr(state, each.name) for each in fields(State)} | {"known": (None, None)})
        for tile in game.tiles:
            listed = set(game.places(hidden, tile))
            assert all(game.rule(hidden, Place(move.seat, tile, spot)).is_legal for spot in listed)
            others = [spot for spot in every_spot(tile) if spot not in listed]
            assert not any(game.rule(hidden, Place(move.seat, tile, spot)).is_legal for spot in others)


def every_spot(tile: Tile) -> list[Spot]:
    """Spots in the middle of the table."""
    if len(tile.values) == 2:
        return [LineSpot(end) for end in line.EVERY_END]
    turned = {tile.values[shift:] + tile.values[:shift] for shift in range(3)}
    cells = [Cell(x, y, half) for x in range(-2, 3) for y in range(-2, 3) for half in "UD"]
    return [CellSpot(cell, values) for cell in cells for values in turned]


# --- anybody --------------------------------------------------------------------------------------------

seats = st.integers(-1, 6)
some_tiles = st.sampled_from(TILES)
cells = st.builds(Cell, st.integers(-2, 2), st.integers(-2, 2), st.sampled_from("UD"))
spots = st.one_of(
    st.builds(CellSpot, cells, st.sampled_from(TILES).map(lambda tile: tile.values)),
    st.builds(CellSpot, cells, st.lists(st.integers(0, 6), max_size=4).map(tuple)),
    st.builds(LineSpot, st.sampled_from((*line.EVERY_END, "middle")), st.none() | st.integers(0, 7)),
    st.just(Loose()),
)
moves = st.one_of(
    st.just(Begin()),
    st.just(Clear()),
    st.builds(Announce, seats, st.none() | some_tiles),
    st.builds(Place, seats, some_tiles, spots, st.booleans()),
    st.builds(Draw, seats, st.integers(-1, 30)),
    st.builds(Pass, seats),
    st.builds(ShowHand, seats, st.lists(some_tiles, max_size=3).map(tuple)),
    st.builds(Expose, seats, some_tiles, st.booleans()),
    st.builds(Recount, seats, st.integers(-1, 30)),
    st.builds(CountStock, st.integers(-1, 60)),
    st.builds(CallBlock, seats),
    st.builds(ClaimPoints, seats, st.integers(-5, 30)),
    st.builds(Adjust, seats, st.integers(-500, 500)),
    st.builds(SetTurn, seats),
    st.just(Redeal()),
    st.builds(FirstBidder, seats),
    st.builds(Bid, seats, st.integers(-1, 22)),
    st.builds(Exchange, seats, st.none() | some_tiles),
    st.builds(NameTrump, seats, st.integers(-1, 7) | st.sampled_from(("doubles", "none", "odd"))),
    st.builds(Play, seats, some_tiles, st.none() | st.integers(-1, 7), st.booleans()),
)


@given(preset=st.sampled_from(GAMES), start=st.integers(0, 10_000), wild=st.lists(moves, max_size=8))
def test_whatever_anybody_does_is_ruled_and_never_an_error(preset: str, start: int, wild: list[Move]) -> None:
    steps = match(preset, 3)
    state = steps[start % len(steps)][0]
    for move in wild:
        original = copy.deepcopy(state)
        ruling = games()[preset].rule(state, move)
        assert state == original
        if not ruling.is_legal:
            assert ruling.state is state
            assert not ruling.awards
        assert len(ruling.state.layout) + sum(ruling.state.hands) + ruling.state.stock == len(games()[preset].tiles)
        state = ruling.state


@pytest.mark.parametrize("preset", GAMES)
def test_nothing_can_be_laid_outside_play_nor_a_tile_of_another_set(preset: str) -> None:
    game = games()[preset]
    for state, _, _ in match(preset, 3):
        tiles = TILES if state.phase is not Phase.PLAY else set(TILES) - set(game.tiles)
        assert not any(game.places(state, tile) for tile in tiles)


# --- the journal ----------------------------------------------------------------------------------------


def entries(preset: str, players: int, seed: int = 1) -> list[Entry]:
    """A match of honest people as a journal."""
    acts = [Match(preset, tuple("ABCDEF"[:players])), *(move for _, move, _ in match(preset, players, seed))]
    reasons = [umpire.judge(None, acts[0]).reason, *(ruling.reason for _, _, ruling in match(preset, players, seed))]
    return [
        Entry(seq, 0, "people", None, act, why) for seq, (act, why) in enumerate(zip(acts, reasons, strict=True), 1)
    ]


def as_played(record: Record, act: Move | Match | Undo | Overrule | Correct) -> Record:
    reason = umpire.judge(record, act).reason
    return umpire.append(record, Entry(len(record.entries) + 1, 0, "people", None, act, reason))


@pytest.mark.parametrize("preset", GAMES)
def test_a_journal_folds_to_the_states_that_were_played(preset: str) -> None:
    record = umpire.fold(entries(preset, 3))
    assert record.state == match(preset, 3)[-1][2].state
    played = [ruling for _, _, ruling in match(preset, 3)]
    assert [ruling and ruling.reason for ruling in record.rulings[1:]] == [ruling.reason for ruling in played]
    assert [ruling and ruling.state for ruling in record.rulings[1:]] == [ruling.state for ruling in played]


@pytest.mark.parametrize("preset", GAMES)
def test_every_line_of_a_match_survives_notation_and_json(preset: str) -> None:
    for entry in entries(preset, 3):
        line = notation.write(entry.what)
        assert notation.parse(line) == entry.what
        order = wire.Order(id="1", epoch="e", seq=entry.seq, by="people", line=line)
        assert notation.parse(wire.decode(wire.encode(order), wire.Order).line) == entry.what


@pytest.mark.parametrize("preset", GAMES)
def test_undoing_a_whole_match_and_playing_it_again_passes_through_the_same_states(preset: str) -> None:
    journal = entries(preset, few(preset), seed=2)[-60:]
    record = whole = umpire.fold(entries(preset, few(preset), seed=2))
    for entry in reversed(journal):
        before = whole.rulings[entry.seq - 2]
        record = as_played(record, Undo(entry.seq, confirmed=True))
        assert before is not None
        assert record.state == before.state
    for entry in journal:
        record = as_played(record, entry.what)
        after = whole.rulings[entry.seq - 1]
        assert after is not None
        assert record.state == after.state


@given(
    preset=st.sampled_from(GAMES),
    changes=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 45), moves), max_size=10),
)
def test_whatever_is_changed_folding_gives_what_appending_gave(
    preset: str, changes: list[tuple[int, int, Move]]
) -> None:
    record = umpire.fold(entries(preset, 3)[:30])
    for kind, number, move in changes:
        record = as_played(record, (move, Undo(number), Overrule(number), Correct(number, move))[kind])
    assert umpire.fold(record.entries) == record
    assert [ruling is None for ruling in record.rulings] == [
        entry.seq in umpire.void(record) for entry in record.entries
    ]
    last = next(ruling for ruling in reversed(record.rulings) if ruling is not None)
    assert last.state == record.state
