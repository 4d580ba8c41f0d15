"""A deal of Moon, line by line, for the tests of its rules."""

from __future__ import annotations

from dataclasses import replace

from referee import notation
from referee.games import game
from referee.moves import Play
from referee.rulings import Ruling
from referee.tiles import Tile
from referee.tricks.trick import TrickState

GAME = game("kk-moon")
# Eighteen tiles for six tricks that are over, and three that nobody can follow suit with in the last one.
LAST = "6-6 1-1 2-2"


def started(**options: str) -> TrickState:
    state = GAME.start(GAME, ("Ana", "Bo", "Cy"), GAME.vary(GAME.settings, options))
    assert isinstance(state, TrickState)
    return state


def does(state: TrickState, line: str) -> Ruling:
    act = notation.parse(line)
    assert not hasattr(act, "entry")
    return GAME.rule(state, act)  # type: ignore[arg-type]  # a move, as the lines here are


def after(state: TrickState, *lines: str) -> TrickState:
    for line in lines:
        ruling = does(state, line)
        assert ruling.is_legal, (line, ruling.reason)
        assert isinstance(ruling.state, TrickState)
        state = ruling.state
    return state


def auction(**options: str) -> TrickState:
    return after(started(**options), "begin", "first bidder A")


def tricks(trump: str = "6", **options: str) -> TrickState:
    """A has bid four and leads."""
    lines = ["A discards hidden", f"A names {trump}"]
    lines = lines[::-1] if options.get("trump_before_widow") == "yes" else lines
    return after(auction(**options), "A bids 4", "B passes", "C passes", *lines)


def known(state: TrickState, seat: int, names: str) -> TrickState:
    hand = tuple(map(Tile.parse, names.split()))
    return replace(state, known=tuple(hand if each == seat else held for each, held in enumerate(state.known)))


def scored(bid: int, won: str, scores: tuple[int, int, int] = (0, 0, 0), **options: str) -> Ruling:
    """The ruling on the last tile of a deal that A has bid for, in which these seats take the tricks."""
    leader = "ABC".index(won[-1])
    state = replace(tricks("none", **options), bid=bid, turn=leader, scores=scores, carried=scores)
    last = LAST.split()
    rest = [tile for tile in GAME.tiles if str(tile) not in last]
    for number in range(6):
        for seat, tile in enumerate(rest[3 * number : 3 * number + 3]):
            move = Play((leader + seat) % 3, tile, overruled=True)
            state = replace(state, turn=move.seat)
            ruling = GAME.rule(state, move)
            assert isinstance(ruling.state, TrickState)
            state = ruling.state
    state = replace(state, won=tuple("ABC".index(seat) for seat in won[:6]), turn=leader)
    seats = [(leader + step) % 3 for step in range(3)]
    for seat, name in zip(seats, last, strict=True):
        ruling = GAME.rule(state, Play(seat, Tile.parse(name)))
        assert isinstance(ruling.state, TrickState)
        state = ruling.state
    return ruling
