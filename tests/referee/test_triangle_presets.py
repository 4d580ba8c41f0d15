"""The triangle presets and the options of the rule specification, each by its own reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.games import Game, game
from referee.laying.lattice import Cell
from referee.moves import Announce, Begin, CellSpot, Clear, Draw, Move, Pass, Place, ShowHand
from referee.rulings import Award, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import Tile

GAP = "1,-1,U:131 1,-2,D:211 1,-2,U:212 0,-2,D:241 0,-1,U:441"


def tile(name: str) -> Tile:
    return Tile(tuple(map(int, name)))


def tiles(names: str) -> tuple[Tile, ...]:
    return tuple(map(tile, names.split()))


def board(text: str) -> tuple[Placed, ...]:
    spots = [each.split(":") for each in text.split()]
    laid = [CellSpot(Cell.parse(where), tuple(map(int, numbers))) for where, numbers in spots]
    return tuple(Placed(Tile(each.values), each, 0) for each in laid)


def begun(preset: str, players: int = 2, options: str = "", **changes: Any) -> tuple[Game, State]:
    chosen = game(preset)
    settings = chosen.vary(chosen.settings, dict(each.split("=") for each in options.split()))
    state = chosen.start(chosen, tuple("ABCDEF"[:players]), settings)
    return chosen, replace(chosen.rule(state, Begin()).state, **changes)


def lay(chosen: Game, state: State, seat: int, where: str, numbers: str) -> Ruling:
    return chosen.rule(state, Place(seat, tile(numbers), CellSpot(Cell.parse(where), tuple(map(int, numbers)))))


def after(chosen: Game, state: State, *moves: Move) -> State:
    for move in moves:
        ruling = chosen.rule(state, move)
        assert ruling.is_legal, (move, ruling.reason)
        state = ruling.state
    return state


def ended(preset: str, *hands: str, options: str = "", **changes: Any) -> Ruling:
    """All hands of a round shown; an empty hand has gone out."""
    held = [tiles(hand) for hand in hands]
    out = next((seat for seat, hand in enumerate(held) if not hand), None)
    shown = tuple(() if seat == out else None for seat in range(len(held)))
    chosen, state = begun(preset, len(hands), options, layout=board("0,0,U:333"), phase=Phase.SHOW_HANDS)
    state = replace(state, turn=None, hands=tuple(map(len, held)), shown=shown, out=out, blocked=out is None, **changes)
    seats = [seat for seat in range(len(held)) if seat != out]
    for seat in seats:
        ruling = chosen.rule(state, ShowHand(seat, held[seat]))
        assert ruling.is_legal
        state = ruling.state
    return ruling


@pytest.mark.parametrize(
    ("preset", "clause"),
    [
        ("ro-trimino/manufacturer", "2.1.10"),
        ("ro-trimino/club", "2.1.10"),
        ("cs-triomino", "2.2.6"),
        ("uk-tridomino", "2.3.11"),
        ("official-pressman", "2.4.12"),
        ("official-goliath", "2.4.12"),
    ],
)
def test_a_bridge_cites_the_paragraph_of_its_own_book(preset: str, clause: str) -> None:
    ring = "0,-1,D:433 0,-1,U:534 -1,-1,D:533 -1,0,U:303 -2,0,D:300 -2,1,U:000 -2,1,D:001 -1,1,U:012"
    chosen, state = begun(preset, turn=0, layout=board(ring))
    ruling = lay(chosen, state, 0, "0,0,U", "323")
    assert (ruling.reason, ruling.cites[0].clause) == (Reason.OK_BRIDGE, f"{preset} §{clause}")


# --- opening ------------------------------------------------------------------------------------------


def test_where_a_triple_must_open_seats_draw_one_tile_in_turn_while_nobody_is_known_to_have_one() -> None:
    chosen, state = begun("cs-triomino", 3)
    assert chosen.rule(state, Draw(0, 2)).reason is Reason.DRAW_LIMIT
    drawn = after(chosen, state, Draw(1))
    assert chosen.rule(drawn, Draw(1)).reason is Reason.OUT_OF_TURN
    assert chosen.rule(drawn, Draw(0)).reason is Reason.OUT_OF_TURN
    drawn = after(chosen, drawn, Draw(2), Announce(2, tile("222")), Draw(0))
    assert chosen.rule(drawn, Draw(1)).reason is Reason.DRAW_WHILE_ABLE
    opened = lay(chosen, drawn, 2, "0,0,U", "222")
    assert (opened.reason, opened.points(2), opened.state.hands) == (Reason.OK_OPENING, 6, (8, 8, 7))


def test_where_a_triple_must_open_naming_another_tile_opens_nothing() -> None:
    chosen = game("cs-triomino")
    state = chosen.start(chosen, ("A", "B"), chosen.settings)
    state = after(chosen, state, Announce(0, tile("455")), Announce(1, None), Begin())
    assert state.turn is None
    assert lay(chosen, state, 0, "0,0,U", "455").reason is Reason.NEEDS_TRIPLE


def test_of_equal_sums_any_opens_where_the_house_does_not_mind() -> None:
    for options, reason in (("", Reason.WRONG_OPENER), ("open_tiebreak=any", Reason.OK_OPENING)):
        chosen, state = begun("uk-tridomino", options=options, known=(tiles("445"), tiles("355")))
        assert lay(chosen, state, 0, "0,0,U", "445").reason is reason


def test_the_winner_may_open_the_next_round_with_any_tile_without_bonus() -> None:
    ruling = ended("uk-tridomino", "012", "", options="next_opener=winner")
    state = after(game("uk-tridomino"), ruling.state, Clear(), Begin())
    assert state.turn == 1
    assert lay(game("uk-tridomino"), state, 0, "0,0,U", "555").reason is Reason.OUT_OF_TURN
    opened = lay(game("uk-tridomino"), state, 1, "0,0,U", "222")
    assert (opened.reason, opened.points(1)) == (Reason.OK_OPENING, 6)
    by_rule = after(game("uk-tridomino"), ended("uk-tridomino", "012", "").state, Clear(), Begin())
    assert by_rule.turn is None


# --- drawing and passing --------------------------------------------------------------------------------


def test_whoever_has_drawn_may_decline_only_where_the_house_says_so() -> None:
    for options, reason in (("", Reason.PASS_WITH_STOCK), ("draw_then_decline=yes", Reason.OK_PASS)):
        chosen, state = begun("ro-trimino/club", options=options, turn=0, layout=board("0,0,U:333"))
        assert chosen.rule(state, Pass(0)).reason is Reason.PASS_WITH_STOCK
        ruling = chosen.rule(after(chosen, state, Draw(0)), Pass(0))
        assert ruling.reason is reason
        assert ruling.awards == ()
        assert not any(claim.what == "pass" for claim in ruling.state.claims)


def test_a_private_stock_is_an_even_part_and_only_its_owner_draws_from_it() -> None:
    chosen, state = begun("ro-trimino/manufacturer", 3, "private_stock=yes", turn=0, layout=board("0,0,U:333"))
    assert (state.stock, state.stocks) == (35, (11, 11, 11))
    assert chosen.rule(state, Draw(0, 12)).reason is Reason.STOCK_EMPTY
    drawn = after(chosen, state, Draw(0, 11))
    assert (drawn.stock, drawn.stocks) == (24, (0, 11, 11))
    assert chosen.rule(drawn, Pass(0)).reason is Reason.OK_PASS


def test_a_voluntary_pass_is_a_house_rule() -> None:
    for options, reason in (("", Reason.PASS_WHILE_ABLE), ("voluntary_pass=yes", Reason.OK_PASS)):
        chosen, state = begun("uk-tridomino", options=options, turn=0, layout=board("0,0,U:333"), stock=0)
        assert chosen.rule(replace(state, known=(tiles("335"), None)), Pass(0)).reason is reason


def test_a_corner_move_bars_passing_unless_the_house_says_that_it_is_no_move() -> None:
    for options, reason in (("", Reason.PASS_WHILE_ABLE), ("corner_move_is_move=no", Reason.OK_PASS)):
        chosen, state = begun("ro-trimino/club", options=options, turn=0, layout=board(GAP), stock=0)
        corner_only = next(
            each
            for each in chosen.tiles
            if {found.reason for found in chosen.placements(state, (each,))} == {Reason.OK_TWO_CORNER}
        )
        state = replace(state, known=((corner_only,), None), hands=(2, 2))
        assert chosen.rule(state, Pass(0)).reason is reason


# --- ends -----------------------------------------------------------------------------------------------


def test_a_tie_in_tiles_goes_to_the_lower_value_or_to_nobody() -> None:
    assert ended("ro-trimino/manufacturer", "455", "001").state.scores == (0, 13)
    assert ended("ro-trimino/manufacturer", "455", "001", options="blocked_tie=nobody").state.scores == (0, 0)
    assert ended("uk-tridomino", "023", "005").state.scores == (0, 0)


@pytest.mark.parametrize(
    ("how", "scores"),
    [
        ("others_minus_own", (0, 14 + 6 - 1, 0)),
        ("pairwise", (-13, 18, -5)),
        ("each_loses_own", (-14, -1, -6)),
        ("none", (0, 0, 0)),
    ],
)
def test_a_blocked_round_is_paid_as_the_house_says(how: str, scores: tuple[int, ...]) -> None:
    assert ended("uk-tridomino", "455", "001", "123", options=f"blocked_points={how}").state.scores == scores


def test_of_several_at_the_target_the_winner_of_the_round_or_the_highest_wins() -> None:
    assert ended("official-pressman", "", "001", scores=(374, 420)).state.ranking == ((0,), (1,))
    assert ended("official-goliath", "", "001", scores=(374, 420)).state.ranking == ((1,), (0,))


def test_the_czech_match_ends_at_once_and_going_out_earns_nothing() -> None:
    chosen, state = begun("cs-triomino", turn=0, layout=board("0,0,U:333"), scores=(390, 0))
    ruling = lay(chosen, state, 0, "0,0,D", "335")
    assert (ruling.state.phase, ruling.state.ranking) == (Phase.OVER, ((0,), (1,)))
    assert ended("cs-triomino", "", "123").awards == ()


@pytest.mark.parametrize("preset", ["ro-trimino/manufacturer", "ro-trimino/club", "official-goliath"])
def test_whoever_plays_alone_plays_from_the_opening_to_the_target(preset: str) -> None:
    chosen, state = begun(preset, 1, "hands=1:2 target=40")
    state = lay(chosen, state, 0, "0,0,U", "333").state
    ruling = lay(chosen, state, 0, "0,0,D", "335")
    assert (ruling.state.scores, ruling.state.phase, ruling.state.ranking) == ((55,), Phase.OVER, ((0,),))
    assert Award(0, "out", 25) in ruling.awards


@pytest.mark.parametrize("preset", ["cs-triomino", "uk-tridomino", "official-pressman"])
def test_nobody_plays_alone_where_the_rules_want_two(preset: str) -> None:
    with pytest.raises(ValueError, match="expected 2 to"):
        begun(preset, 1)


def test_the_mirror_images_may_be_played_with_as_well() -> None:
    chosen, state = begun("official-goliath", options="mirrored=yes", turn=0, layout=board("0,0,U:333"))
    assert state.stock == 76 - 18
    assert lay(chosen, state, 0, "0,0,D", "321").reason is Reason.EDGE_MISMATCH
    assert lay(chosen, state, 0, "0,0,D", "335").reason is Reason.OK_EDGE
