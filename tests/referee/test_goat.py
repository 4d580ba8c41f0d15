"""Dominoes by the rules of `fr-domino`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.games import game
from referee.laying import line
from referee.laying.lattice import Cell
from referee.moves import Announce, Begin, CellSpot, Clear, Draw, LineSpot, Loose, Move, Pass, Place, ShowHand
from referee.rulings import Award, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import Tile

GAME = game("fr-domino")
# Both ends are 6 and all seven sixes lie once 5-6 is laid at the right.
NEARLY_DEAD = "0-0 0-1 1-6 6-6 2-6 2-3 3-6 4-6 4-5"


def tiles(names: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, names.split()))


def laid(names: str) -> tuple[Placed, ...]:
    """A line, each tile at the right."""
    return tuple(Placed(tile, LineSpot("left" if n == 0 else "right"), 0) for n, tile in enumerate(tiles(names)))


def begun(players: int = 3, names: str = "", **changes: Any) -> State:
    state = GAME.rule(GAME.start(GAME, tuple("ABCD"[:players]), GAME.settings), Begin()).state
    return replace(state, layout=laid(names), turn=0 if names else None, **changes)


def lay(state: State, seat: int, name: str, end: str, inner: int | None = None) -> Ruling:
    return GAME.rule(state, Place(seat, Tile.parse(name), LineSpot(end, inner)))


def after(state: State, *moves: Move) -> State:
    for move in moves:
        ruling = GAME.rule(state, move)
        assert ruling.is_legal, (move, ruling.reason)
        state = ruling.state
    return state


@pytest.mark.parametrize(("players", "stock"), [(2, 14), (3, 7), (4, 0)])
def test_everybody_is_dealt_seven_and_the_rest_is_the_stock(players: int, stock: int) -> None:
    state = GAME.start(GAME, tuple("ABCD"[:players]), GAME.settings)
    assert (state.hands, state.stock) == ((7,) * players, stock)


def test_a_tile_is_laid_at_an_end_with_equal_halves_touching() -> None:
    ruling = lay(begun(names="1-1 1-5"), 0, "3-5", "right")
    assert (ruling.reason, ruling.awards, ruling.state.turn) == (Reason.OK_PLACE, (), 1)
    assert line.ends(ruling.state.layout) == (1, 3)


def test_a_tile_without_the_open_number_is_refused() -> None:
    state = begun(names="1-1 1-5 3-5")
    assert lay(state, 0, "2-4", "right").reason is Reason.END_MISMATCH
    assert lay(state, 0, "2-4", "right").state is state


def test_the_half_that_was_seen_to_touch_counts_and_not_the_one_that_would_fit() -> None:
    state = begun(names="1-1 1-5")
    assert lay(state, 0, "3-5", "right", inner=5).reason is Reason.OK_PLACE
    assert lay(state, 0, "3-5", "right", inner=3).reason is Reason.END_MISMATCH
    assert lay(state, 0, "3-5", "right", inner=6).reason is Reason.END_MISMATCH


def test_a_tile_that_fits_both_ends_goes_where_its_player_says() -> None:
    state = begun(names="1-1 1-5 3-5")
    assert GAME.places(state, Tile((1, 3))) == (LineSpot("left"), LineSpot("right"))
    assert line.ends(lay(state, 0, "1-3", "right").state.layout) == (1, 1)
    assert line.ends(lay(state, 0, "1-3", "left").state.layout) == (3, 3)


def test_a_tile_beside_the_line_is_not_connected() -> None:
    state = begun(names="1-1")
    for spot in (Loose(), CellSpot(Cell(0, 0, "U"), (1, 1)), LineSpot("middle")):
        assert GAME.rule(state, Place(0, Tile((1, 2)), spot)).reason is Reason.NOT_CONNECTED


def test_what_the_people_let_stand_opens_its_other_half() -> None:
    state = begun(names="1-1 1-5")
    ruling = GAME.rule(state, Place(0, Tile((2, 4)), LineSpot("right", 2), overruled=True))
    assert (ruling.reason, ruling.awards) == (Reason.OK_OVERRULED, ())
    assert line.ends(ruling.state.layout) == (1, 4)


@pytest.mark.parametrize(
    ("hands", "opener", "name"),
    [
        ("0-0 1-2, 6-6 5-5", 0, "0-0"),
        ("6-6 1-1, 5-5 2-3", 0, "6-6"),
        ("5-6 0-1, 4-6 3-6", 0, "5-6"),
        ("3-6 0-1, 4-5 2-6", 0, "3-6"),
    ],
)
def test_0_0_opens_then_the_highest_double_then_the_highest_sum(hands: str, opener: int, name: str) -> None:
    known = tuple(tiles(hand) for hand in hands.split(","))
    state = begun(2, known=known)
    assert lay(state, opener, name, "left").reason is Reason.OK_OPENING
    other = known[1 - opener][0]
    assert lay(state, 1 - opener, str(other), "left").reason is Reason.WRONG_OPENER
    assert lay(state, opener, str(known[opener][1]), "left").reason is Reason.WRONG_OPENING_TILE


def test_the_announced_opener_is_to_move() -> None:
    state = GAME.start(GAME, ("A", "B", "C"), GAME.settings)
    state = after(state, Announce(0, Tile((5, 5))), Announce(1, None), Announce(2, Tile((6, 6))), Begin())
    assert state.turn == 2


def test_drawing_is_free_and_needs_a_hand_that_cannot_play() -> None:
    state = begun(names="1-1 1-5")
    ruling = GAME.rule(state, Draw(0))
    assert (ruling.reason, ruling.awards, ruling.state.stock) == (Reason.OK_DRAW, (), 6)
    able = replace(state, known=(tiles("1-2"), None, None))
    assert GAME.rule(able, Draw(0)).reason is Reason.DRAW_WHILE_ABLE


def test_only_an_empty_stock_lets_a_seat_pass() -> None:
    state = begun(names="1-1 1-5")
    assert GAME.rule(state, Pass(0)).reason is Reason.PASS_WITH_STOCK
    assert GAME.rule(replace(state, stock=0), Pass(0)).awards == ()


def test_a_dead_line_is_a_fish_at_once_even_with_stock_left() -> None:
    state = replace(begun(2, names=NEARLY_DEAD), layout=_nearly_dead())
    ruling = lay(state, 0, "5-6", "right")
    assert (ruling.reason, ruling.state.phase, ruling.state.blocked) == (Reason.FISH, Phase.SHOW_HANDS, True)
    assert ruling.state.stock == 14


def _nearly_dead() -> tuple[Placed, ...]:
    first, *rest = laid(NEARLY_DEAD)
    return (first, Placed(Tile((0, 6)), LineSpot("left"), 1), *rest)


def test_a_dead_line_waits_for_an_empty_stock_where_that_is_the_rule() -> None:
    settings = GAME.vary(GAME.settings, {"fish_with_stock": "no"})
    state = replace(begun(2, names=NEARLY_DEAD), layout=_nearly_dead(), settings=settings)
    assert lay(state, 0, "5-6", "right").reason is Reason.OK_PLACE
    assert lay(replace(state, stock=0), 0, "5-6", "right").reason is Reason.FISH


def test_the_fish_maker_writes_nothing_although_he_holds_the_most() -> None:
    state = replace(begun(2, names=NEARLY_DEAD), layout=_nearly_dead(), hands=(3, 1))
    state = lay(state, 0, "5-6", "right").state
    state = after(state, ShowHand(0, tiles("5-5 4-4")))
    ruling = GAME.rule(state, ShowHand(1, tiles("1-2")))
    assert ruling.awards == (Award(1, "hand", 3),)
    assert ruling.state.round_winner == 0


def test_the_last_tile_that_also_blocks_counts_as_going_out() -> None:
    state = replace(begun(2, names=NEARLY_DEAD), layout=_nearly_dead(), hands=(1, 2))
    ruling = lay(state, 0, "5-6", "right")
    assert (ruling.reason, ruling.state.out, ruling.state.blocked) == (Reason.OK_PLACE, 0, False)


def test_a_circle_of_passes_is_a_fish_of_the_last_layer() -> None:
    state = begun(names="1-1 1-5", stock=0, hands=(1, 1, 1))
    state = after(state, Pass(0), Pass(1), Pass(2))
    assert (state.phase, state.blocked) == (Phase.SHOW_HANDS, True)
    state = after(state, ShowHand(0, tiles("2-2")), ShowHand(1, tiles("3-3")), ShowHand(2, tiles("0-4")))
    assert (state.round_winner, state.scores) == (0, (0, 6, 4))


def test_everybody_but_the_one_who_went_out_writes_his_pips_and_0_0_counts_nothing() -> None:
    state = begun(names="1-1 1-5", hands=(1, 2, 1))
    state = after(lay(state, 0, "5-5", "right").state, ShowHand(1, tiles("0-0 2-3")), ShowHand(2, tiles("6-6")))
    assert state.scores == (0, 5, 12)
    assert after(state, Clear()).round == 2


def test_a_lone_0_0_counts_what_the_house_rule_says() -> None:
    state = begun(2, names="1-1 1-5", hands=(1, 1), settings=GAME.vary(GAME.settings, {"double_blank_pips": "25"}))
    assert after(lay(state, 0, "5-5", "right").state, ShowHand(1, tiles("0-0"))).scores == (0, 25)


@pytest.mark.parametrize(
    ("scores", "ranking"),
    [
        ((101, 95, 40, 60), ((2,), (3,), (1,), (0,))),
        ((101, 117, 40, 40), ((2, 3), (0,), (1,))),
        ((100, 95, 40, 60), ()),
    ],
)
def test_the_match_ends_when_somebody_has_101_and_the_fewest_points_win(
    scores: tuple[int, ...], ranking: tuple[tuple[int, ...], ...]
) -> None:
    state = begun(4, names="1-1 1-5", phase=Phase.SHOW_HANDS, out=2, hands=(0, 0, 0, 0), scores=scores)
    state = replace(state, shown=((), (), (), None))
    assert after(state, ShowHand(3, ())).ranking == ranking
