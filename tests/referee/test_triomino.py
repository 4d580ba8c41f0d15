"""Triominoes by the rules of `ro-trimino/manufacturer`, and by others as values of the same settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.games import game, triomino
from referee.games.triomino import Settings
from referee.laying.lattice import Cell
from referee.moves import Announce, Begin, CellSpot, Clear, Draw, LineSpot, Loose, Move, Pass, Place, ShowHand
from referee.rulings import Award, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import Tile

GAME = game("ro-trimino/manufacturer")
CLUB = replace(GAME.settings, open_zero_total=30, draw_while_able=True, two_corner=-5, three_corner=30)
CLUB = replace(CLUB, out_takes_others=False, others_lose_own=True, target=200)
GOLIATH = replace(GAME.settings, draw_limit=3, limit_extra=10, draw_while_able=True, empty_stock=0)
GOLIATH = replace(GOLIATH, hexagon=(50, 60, 70), blocked="lowest_value")
CZECH = replace(GAME.settings, open_triple=0, zero_choice=False, no_triple="draw_until_triple", end="at_once")
CZECH = replace(CZECH, out_bonus=0, out_takes_others=False, blocked="none", empty_stock=0)

# Eight tiles round a hole and the place of a bridge at 0,0,U; filling the hole then closes two hexagons.
RING = "0,-1,D:433 0,-1,U:534 -1,-1,D:533 -1,0,U:303 -2,0,D:300 -2,1,U:000 -2,1,D:001 -1,1,U:012"


def tile(name: str) -> Tile:
    return Tile(tuple(map(int, name)))


def tiles(names: str) -> tuple[Tile, ...]:
    return tuple(map(tile, names.split()))


def spot(where: str, numbers: str) -> CellSpot:
    return CellSpot(Cell.parse(where), tuple(map(int, numbers)))


def board(text: str) -> tuple[Placed, ...]:
    spots = [spot(*each.split(":")) for each in text.split()]
    return tuple(Placed(Tile(each.values), each, 0) for each in spots)


def begun(players: int = 3, settings: Settings = GAME.settings, **changes: Any) -> State:
    state = GAME.start(GAME, tuple("ABCDEF"[:players]), settings)
    return replace(GAME.rule(state, Begin()).state, **changes)


def lay(state: State, seat: int, where: str, numbers: str) -> Ruling:
    return GAME.rule(state, Place(seat, tile(numbers), spot(where, numbers)))


def points(ruling: Ruling) -> dict[str, int]:
    return {award.what: award.points for award in ruling.awards}


def after(state: State, *moves: Move) -> State:
    for move in moves:
        ruling = GAME.rule(state, move)
        assert ruling.is_legal, (move, ruling.reason)
        state = ruling.state
    return state


# --- placing ------------------------------------------------------------------------------------------


def test_a_tile_by_a_side_earns_its_sum() -> None:
    ruling = lay(begun(turn=0, layout=board("0,0,U:333 0,0,D:335")), 0, "1,0,U", "351")
    assert (ruling.reason, points(ruling), ruling.state.turn) == (Reason.OK_EDGE, {"tile": 9}, 1)


def test_closing_a_ring_round_a_hole_is_a_bridge_and_filling_the_hole_two_hexagons() -> None:
    bridge = lay(begun(turn=0, layout=board(RING)), 0, "0,0,U", "323")
    assert (bridge.reason, points(bridge)) == (Reason.OK_BRIDGE, {"tile": 8, "bridge": 40})
    filled = lay(bridge.state, 1, "-1,0,D", "302")
    assert (filled.reason, points(filled)) == (Reason.OK_MULTI_HEXAGON, {"tile": 5, "hexagon": 100})


@pytest.mark.parametrize(
    ("where", "numbers", "reason"),
    [
        ("0,0,U", "012", Reason.CELL_OCCUPIED),
        ("5,5,U", "012", Reason.NOT_CONNECTED),
        ("0,0,D", "512", Reason.EDGE_MISMATCH),
        ("0,1,U", "444", Reason.CORNER_MISMATCH),
        ("0,1,U", "345", Reason.ONE_CORNER_ONLY),
        ("0,0,D", "321", Reason.NO_SUCH_TILE),
        ("0,0,D", "333", Reason.TILE_ALREADY_PLAYED),
        ("0,0,D", "366", Reason.NO_SUCH_TILE),
    ],
)
def test_a_tile_that_may_not_lie_there_is_refused_and_nothing_changes(where: str, numbers: str, reason: Reason) -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    ruling = lay(state, 0, where, numbers)
    assert ruling.reason is reason
    assert ruling.state is state
    assert ruling.awards == ()


def test_a_mirrored_tile_does_not_exist_although_its_numbers_do() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    assert GAME.rule(state, Place(0, tile("135"), spot("0,0,D", "315"))).reason is Reason.NO_SUCH_TILE


def test_a_loose_tile_and_a_domino_end_join_nothing() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    for where in (Loose(), LineSpot("left")):
        assert GAME.rule(state, Place(0, tile("012"), where)).reason is Reason.NOT_CONNECTED


def test_two_corners_alone_are_for_the_club_and_cost_five() -> None:
    gap = board("1,-1,U:131 1,-2,D:211 1,-2,U:212 0,-2,D:241 0,-1,U:441")
    assert lay(begun(turn=0, layout=gap), 0, "0,0,U", "423").reason is Reason.CORNER_CONTACT_NOT_ALLOWED
    club = lay(begun(turn=0, layout=gap, settings=CLUB), 0, "0,0,U", "423")
    assert (club.reason, points(club)) == (Reason.OK_TWO_CORNER, {"tile": 9, "two_corner": -5})


def test_what_the_people_let_stand_earns_the_tile_alone_and_the_turn_goes_on() -> None:
    state = begun(turn=0, layout=board(RING))
    move = Place(0, tile("045"), spot("0,0,U", "450"), overruled=True)
    ruling = GAME.rule(state, move)
    assert (ruling.reason, points(ruling), ruling.state.turn) == (Reason.OK_OVERRULED, {"tile": 9}, 1)
    loose = GAME.rule(state, Place(2, tile("045"), Loose(), overruled=True))
    assert (loose.reason, loose.state.turn) == (Reason.OK_OVERRULED, 0)
    assert GAME.places(loose.state, tile("233")) == GAME.places(state, tile("233"))


def test_nobody_can_let_stand_what_does_not_exist_or_has_no_room() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    mirrored = Place(1, tile("135"), spot("0,0,D", "315"), overruled=True)
    assert GAME.rule(state, mirrored).reason is Reason.NO_SUCH_TILE
    assert GAME.rule(state, Place(1, tile("012"), spot("0,0,U", "012"), overruled=True)).reason is Reason.CELL_OCCUPIED
    assert GAME.rule(state, Place(1, tile("333"), Loose(), overruled=True)).reason is Reason.TILE_ALREADY_PLAYED


def test_a_tile_of_another_known_hand_cannot_be_laid() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"), known=(None, tiles("335"), None))
    assert lay(state, 0, "0,0,D", "335").reason is Reason.NOT_IN_HAND


def test_a_bonus_refused_is_not_paid_later() -> None:
    """A play refused must not leave its bonus armed for the next, ordinary one."""
    state = begun(turn=0, layout=board(RING))
    for _ in range(3):
        refused = lay(state, 0, "0,0,U", "133")
        assert (refused.reason, refused.awards) == (Reason.EDGE_MISMATCH, ())
        state = refused.state
    plain = lay(state, 0, "-1,1,D", "211")
    assert (plain.reason, points(plain)) == (Reason.OK_EDGE, {"tile": 4})


# --- opening ------------------------------------------------------------------------------------------


def opened(*hands: str, seat: int, numbers: str, settings: Settings = GAME.settings) -> Ruling:
    """Everybody announces his best tile, the round begins, and a seat opens."""
    known = [tiles(hand) for hand in hands]
    state = GAME.start(GAME, tuple("ABCDEF"[: len(hands)]), settings)
    for each, hand in enumerate(known):
        state = after(state, Announce(each, max(hand, key=GAME.rank)))
    return lay(after(state, Begin()), seat, "0,0,U", numbers)


def test_the_highest_triple_opens_for_its_sum_and_ten() -> None:
    ruling = opened("333 012", "222 555", "014 015", seat=1, numbers="555")
    assert (ruling.reason, points(ruling), ruling.state.turn) == (Reason.OK_OPENING, {"tile": 15, "opening": 10}, 2)
    assert opened("333", "012", seat=0, numbers="333").points(0) == 19


def test_its_holder_may_open_with_0_0_0_for_forty_in_all_and_nobody_else() -> None:
    assert opened("555 000", "444", seat=0, numbers="000").points(0) == 40
    assert opened("333", "000 012", seat=1, numbers="000").reason is Reason.WRONG_OPENER
    assert opened("555 000", "444", seat=0, numbers="000", settings=CLUB).points(0) == 30
    assert opened("555 000", "444", seat=0, numbers="000", settings=CZECH).reason is Reason.WRONG_OPENING_TILE


def test_without_a_triple_the_highest_sum_opens_without_bonus() -> None:
    ruling = opened("014 455", "345 355", seat=0, numbers="455")
    assert (ruling.reason, points(ruling)) == (Reason.OK_OPENING, {"tile": 14})


def test_of_equal_sums_the_larger_numbers_open() -> None:
    assert opened("445", "355", seat=1, numbers="355").reason is Reason.OK_OPENING
    assert opened("445", "355", seat=0, numbers="445").reason is Reason.WRONG_OPENER


def test_the_right_seat_must_open_with_its_best_tile() -> None:
    assert opened("555 444", "333", seat=0, numbers="444").reason is Reason.WRONG_OPENING_TILE


def test_a_wrong_opener_is_flagged_before_points_are_given() -> None:
    ruling = opened("333", "222", seat=1, numbers="222")
    assert (ruling.reason, ruling.awards) == (Reason.WRONG_OPENER, ())
    assert ruling.cites[0].clause == "ro-trimino/manufacturer §2.1.4"


def test_three_rounds_are_each_opened_by_the_holder_of_the_highest_triple() -> None:
    state = GAME.start(GAME, ("Ana", "Bo", "Cy"), GAME.settings)
    for opener, triples in ((1, "222 333 000"), (2, "111 000 222"), (0, "555 444 333")):
        for seat, triple in enumerate(tiles(triples)):
            state = after(state, Announce(seat, triple))
        assert state.turn == opener
        state = after(state, Begin())
        wrong = (opener + 1) % 3
        wrong_tile = tiles(triples)[wrong]
        where = CellSpot(Cell(0, 0, "U"), wrong_tile.values)
        assert GAME.rule(state, Place(wrong, wrong_tile, where)).reason is Reason.WRONG_OPENER
        state = replace(state, hands=(1, 1, 1))
        best = tiles(triples)[opener]
        state = after(state, Place(opener, best, CellSpot(Cell(0, 0, "U"), best.values)))
        state = after(state, *(ShowHand(seat, (tiles(triples)[seat],)) for seat in range(3) if seat != opener))
        state = after(state, Clear())


def test_while_nobody_has_said_anything_the_first_to_lay_opens() -> None:
    ruling = lay(begun(), 2, "0,0,U", "222")
    assert (ruling.reason, ruling.state.turn) == (Reason.OK_OPENING, 0)


def test_with_any_opening_the_first_seat_lays_any_tile_without_bonus() -> None:
    state = begun(settings=GAME.vary(GAME.settings, {"opening": "any"}))
    assert state.turn == 0
    assert lay(state, 1, "0,0,U", "222").reason is Reason.OUT_OF_TURN
    assert points(lay(state, 0, "0,0,U", "222")) == {"tile": 6}


def test_a_new_announcement_replaces_the_old_one() -> None:
    state = GAME.start(GAME, ("A", "B"), GAME.settings)
    state = after(state, Announce(0, tile("555")), Announce(0, None), Announce(1, tile("111")))
    assert (state.turn, state.known) == (1, (None, tiles("111")))
    assert GAME.rule(state, Announce(0, tile("111"))).reason is Reason.NOT_IN_HAND


def test_a_bonus_is_withdrawn_once_when_another_seat_shows_a_higher_triple_it_had_from_the_deal() -> None:
    state = after(begun(), Place(0, tile("444"), spot("0,0,U", "444")))
    state = replace(state, layout=(*state.layout, *board("0,0,D:445 1,0,U:455")), turn=1)
    proof = lay(state, 1, "0,-1,D", "044")
    assert proof.proven == ()
    shown = replace(proof.state, phase=Phase.SHOW_HANDS, turn=None, hands=(0, 1, 1), blocked=True)
    first = GAME.rule(shown, ShowHand(1, tiles("555")))
    assert [each.reason for each in first.proven] == [Reason.WRONG_OPENER_PROVEN]
    assert first.proven[0].seat == 0
    assert first.awards == (Award(0, "opening", -10),)
    assert [award.what for award in GAME.rule(first.state, ShowHand(2, tiles("013"))).awards] == []


def test_where_a_triple_must_open_all_draw_free_of_charge_until_one_has_it() -> None:
    state = begun(2, settings=CZECH)
    assert lay(state, 0, "0,0,U", "455").reason is Reason.NEEDS_TRIPLE
    drawn = GAME.rule(state, Draw(1))
    assert (drawn.reason, drawn.awards, drawn.state.hands) == (Reason.OK_DRAW, (), (9, 10))
    assert lay(drawn.state, 1, "0,0,U", "222").reason is Reason.LAP_NOT_OVER
    assert lay(after(drawn.state, Draw(0)), 1, "0,0,U", "222").reason is Reason.OK_OPENING


# --- drawing and passing --------------------------------------------------------------------------------


def test_each_tile_drawn_costs_five_and_is_counted() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    ruling = GAME.rule(state, Draw(0, 3))
    assert (ruling.reason, points(ruling)) == (Reason.OK_DRAW, {"draws": -15})
    assert (ruling.state.stock, ruling.state.hands, ruling.state.drawn) == (state.stock - 3, (10, 7, 7), 3)
    assert ruling.state.turn == 0


def test_a_seat_known_to_be_able_may_neither_draw_nor_pass() -> None:
    able = begun(turn=0, layout=board("0,0,U:333"), known=(tiles("335"), None, None))
    assert GAME.rule(able, Draw(0)).reason is Reason.DRAW_WHILE_ABLE
    assert GAME.rule(replace(able, stock=0), Pass(0)).reason is Reason.PASS_WHILE_ABLE
    club = replace(able, settings=CLUB)
    assert GAME.rule(club, Draw(0)).reason is Reason.OK_DRAW


def test_nobody_passes_while_the_stock_has_tiles() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    assert GAME.rule(state, Pass(0)).reason is Reason.PASS_WITH_STOCK
    passed = GAME.rule(replace(state, stock=0), Pass(0))
    assert (passed.reason, points(passed), passed.state.turn) == (Reason.OK_PASS, {"empty_stock": -10}, 1)


@pytest.mark.parametrize("count", [0, -1, 36])
def test_a_draw_must_be_of_tiles_that_are_there(count: int) -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    assert GAME.rule(state, Draw(0, count)).reason in (Reason.NOT_NOW, Reason.STOCK_EMPTY)


def test_a_fourth_draw_is_refused_where_three_are_the_limit_and_passing_then_costs_ten() -> None:
    state = after(begun(turn=0, layout=board("0,0,U:333"), settings=GOLIATH), Draw(0, 3))
    assert GAME.rule(state, Draw(0)).reason is Reason.DRAW_LIMIT
    assert points(GAME.rule(state, Pass(0))) == {"empty_stock": -10}
    assert GAME.rule(replace(state, stock=0, drawn=1), Pass(0)).awards == ()


def test_drawing_or_passing_out_of_turn_or_before_the_opening_is_refused() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    for move in (Draw(1), Pass(1)):
        assert GAME.rule(state, move).reason is Reason.OUT_OF_TURN
        assert GAME.rule(begun(), move).reason is Reason.NOT_NOW


def test_only_a_full_circle_of_passes_blocks_a_round() -> None:
    """Two passes, a placement and two passes leave the round open; the third in succession ends it."""
    state = begun(turn=0, layout=board("0,0,U:333"), stock=0)
    state = after(state, Pass(0), Pass(1), Place(2, tile("335"), spot("0,0,D", "335")), Pass(0), Pass(1))
    assert (state.phase, state.stuck) == (Phase.PLAY, 2)
    blocked = after(state, Pass(2))
    assert (blocked.phase, blocked.blocked) == (Phase.SHOW_HANDS, True)
    assert blocked.scores == (-20, -20, -10 + 11)


def test_a_circle_of_passes_does_not_reach_into_the_next_round() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"), stock=0, hands=(1, 1, 1))
    state = after(state, Pass(0), Pass(1), Pass(2), ShowHand(0, tiles("012")), ShowHand(1, tiles("013")))
    state = after(state, ShowHand(2, tiles("014")), Clear(), Begin(), Place(0, tile("333"), spot("0,0,U", "333")))
    assert after(replace(state, stock=0), Pass(1)).phase is Phase.PLAY


# --- the end of a round and of a match ------------------------------------------------------------------


def ended(*hands: str, settings: Settings = GAME.settings, scores: tuple[int, ...] | None = None) -> Ruling:
    """The last ruling of a round in which these hands are left; an empty one has gone out."""
    left = [tiles(hand) for hand in hands]
    out = next((seat for seat, hand in enumerate(left) if not hand), None)
    state = begun(len(hands), settings, layout=board("0,0,U:333"), phase=Phase.SHOW_HANDS)
    state = replace(
        state,
        hands=tuple(map(len, left)),
        out=out,
        blocked=out is None,
        shown=tuple(() if seat == out else None for seat in range(len(hands))),
        scores=scores or state.scores,
    )
    for seat, hand in enumerate(left):
        if seat != out:
            ruling = GAME.rule(state, ShowHand(seat, hand))
            state = ruling.state
    return ruling


def test_whoever_goes_out_gets_25_and_the_other_hands() -> None:
    ruling = ended("", "123", "445")
    assert ruling.awards == (Award(0, "out", 25), Award(0, "others", 19))
    assert (ruling.state.round_winner, ruling.state.phase) == (0, Phase.CLEARING)


def test_in_the_club_the_others_lose_their_own_hands() -> None:
    assert ended("", "123", "445", settings=CLUB).state.scores == (25, -6, -13)


def test_the_last_tile_of_a_hand_ends_the_round_and_shows_the_empty_hand() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"), hands=(1, 2, 2))
    ended = lay(state, 0, "0,0,D", "335").state
    assert (ended.phase, ended.out, ended.turn, ended.shown) == (Phase.SHOW_HANDS, 0, None, ((), None, None))


def test_a_block_is_won_by_the_fewest_tiles_or_by_the_lowest_value() -> None:
    hands = ("455", "001 011", "002 112 013")
    assert ended(*hands).state.scores == (-1, 0, 0)
    assert ended(*hands, settings=GOLIATH).state.scores == (0, 21, 0)
    assert ended(*hands, settings=CZECH).state.scores == (0, 0, 0)


def test_of_equally_many_tiles_the_lower_value_wins_and_of_equal_values_nobody() -> None:
    assert ended("455", "001").state.scores == (0, 13)
    tie = ended("005", "014")
    assert (tie.state.scores, tie.state.round_winner) == ((0, 0), None)


def test_a_hand_is_refused_when_its_count_is_wrong_or_a_tile_was_seen_elsewhere() -> None:
    state = begun(2, layout=board("0,0,U:333"), phase=Phase.SHOW_HANDS, hands=(0, 2), out=0, shown=((), None))
    assert GAME.rule(state, ShowHand(1, tiles("012"))).reason is Reason.HAND_COUNT_WRONG
    assert GAME.rule(state, ShowHand(1, tiles("012 333"))).reason is Reason.TILE_ALREADY_PLAYED
    assert GAME.rule(state, ShowHand(1, tiles("012 012"))).reason is Reason.TILE_ALREADY_PLAYED
    assert GAME.rule(state, ShowHand(1, tiles("012 021"))).reason is Reason.NO_SUCH_TILE
    assert GAME.rule(state, ShowHand(0, ())).reason is Reason.NOT_NOW


def test_the_target_in_mid_round_does_not_stop_the_round() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"), scores=(399, 0, 0))
    assert lay(state, 0, "0,0,D", "335").state.phase is Phase.PLAY
    at_once = replace(state, settings=CZECH)
    assert lay(at_once, 0, "0,0,D", "335").state.ranking == ((0,), (1, 2))


def test_of_several_at_the_target_the_winner_of_the_round_wins_the_match() -> None:
    assert ended("", "001", scores=(374, 420)).state.ranking == ((0,), (1,))


def test_one_alone_at_the_target_wins_whoever_won_the_round() -> None:
    assert ended("", "001", scores=(0, 404)).state.ranking == ((1,), (0,))


def test_of_several_at_the_target_without_the_winner_of_the_round_the_highest_wins_and_equals_play_on() -> None:
    assert ended("", "001", "002", scores=(0, 404, 405)).state.ranking == ((2,), (1,), (0,))
    assert ended("", "001", "002", scores=(0, 404, 404)).state.phase is Phase.CLEARING


def test_whoever_plays_alone_gets_nothing_for_a_block() -> None:
    state = begun(1, turn=0, layout=board("0,0,U:333"), stock=0, hands=(2,))
    state = after(state, Pass(0), ShowHand(0, tiles("012 013")))
    assert (state.scores, state.phase) == ((-10,), Phase.CLEARING)


def test_a_domino_in_a_cell_is_no_such_tile_and_no_error_as_it_was_before() -> None:
    state = begun(turn=0, layout=board("0,0,U:333"))
    domino = Place(0, Tile((0, 1)), CellSpot(Cell(1, 0, "U"), (0, 1)))
    assert GAME.rule(state, domino).reason is Reason.NO_SUCH_TILE


# --- house rules ------------------------------------------------------------------------------------------


def test_every_setting_may_be_a_house_rule() -> None:
    asked = {"target": "60", "opening": "any", "hexagon": "60,60,60", "two_corner": "-5", "draw_limit": "3"}
    varied = GAME.vary(GAME.settings, asked | {"draw_while_able": "yes", "hands": "2:7,3:7", "players": "2-3"})
    assert varied == replace(
        GAME.settings, target=60, opening="any", hexagon=(60, 60, 60), two_corner=-5, draw_limit=3,
        draw_while_able=True, hands=((2, 7), (3, 7)), players=(2, 3),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("target", "0", "a whole number from 1 to 1,000,000"),
        ("target", "1e3", "a whole number from 1 to 1,000,000"),
        ("opening", "first", "rule or any"),
        ("draw_while_able", "perhaps", "yes or no"),
        ("hexagon", "50,100", "3 whole numbers such as 50,100,150"),
        ("two_corner", "--5", "a whole number or none"),
        ("draw_limit", "many", "a whole number from 0 up or none"),
        ("players", "4-2", "a range such as 1-6, 6 at most"),
        ("players", "2-7", "a range such as 1-6, 6 at most"),
        ("hands", "2", "different players with tiles such as 1:9,2:9,3:7,4:7,5:6,6:6"),
        ("hands", "2:7,2:9", "different players with tiles such as 1:9,2:9,3:7,4:7,5:6,6:6"),
        ("rounds", "0", "a whole number from 1 up or none"),
    ],
)
def test_an_impossible_house_rule_is_refused_in_words(name: str, text: str, expected: str) -> None:
    with pytest.raises(ValueError, match="house rule") as error:
        GAME.vary(GAME.settings, {name: text})
    assert str(error.value) == f"house rule {name}: expected {expected}, got {text!r}"


def test_an_unknown_house_rule_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"expected a house rule .*target.*, got 'speed'"):
        GAME.vary(GAME.settings, {"speed": "fast"})


@pytest.mark.parametrize("players", [0, 7])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to 6 players for ro-trimino/manufacturer, got {players}"):
        GAME.start(GAME, ("X",) * players, GAME.settings)


def test_more_tiles_than_there_are_cannot_be_dealt() -> None:
    with pytest.raises(ValueError, match="expected at most 56 tiles to deal"):
        GAME.start(GAME, ("A", "B"), replace(GAME.settings, hands=((2, 29),)))
    with pytest.raises(ValueError, match="house rule hands: expected at most 28 tiles for each of 2 players"):
        GAME.vary(GAME.settings, {"hands": "2:29"})


def test_other_numbers_or_the_mirrored_set_are_house_rules_too() -> None:
    assert len(triomino.tile_set(GAME.vary(GAME.settings, {"max_number": "6"}))) == 84
    mirrored = GAME.vary(GAME.settings, {"ascending": "no"})
    state = begun(turn=0, layout=board("0,0,U:333"), settings=mirrored)
    assert lay(state, 0, "0,0,D", "331").reason is Reason.OK_EDGE
    assert GAME.rule(state, Place(0, tile("153"), spot("1,-1,D", "012"))).reason is Reason.NO_SUCH_TILE
    assert Tile((0, 2, 1)) in triomino.tile_set(mirrored)
    assert Tile((0, 1, 2)) not in triomino.tile_set(mirrored)
