"""Rows of the table of irregularities: what the referee rules, the default remedy, and the options.

Each test is named after the row it is about. Games are written as people would enter them. Openings and
counted tiles have files of their own.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import notation, umpire
from referee.games import game
from referee.moves import Expose, LineSpot, Pass, Place, Redeal
from referee.rulings import Award, Cite, Offer, Proof, Reason
from referee.state import Phase
from referee.tiles import Tile
from tests.referee.entering import BEGUN, DOMINOES, TRIANGLES, last, ruled, triangles, written

# --- play out of turn -----------------------------------------------------------------------------------


def test_play_out_of_turn_is_taken_back() -> None:
    record = written(f"{TRIANGLES} opening=any", *BEGUN, "C lays 3-3-5 at 0,0,D")
    assert (last(record).reason, record.state.turn) == (Reason.OUT_OF_TURN, 1)


def test_play_out_of_turn_stands_with_its_score_once_the_next_player_has_acted_and_the_turn_goes_on_from_there() -> (
    None
):
    out = ("C lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")
    record = written(f"{TRIANGLES} opening=any", *BEGUN, *out)
    assert [each and each.reason for each in record.rulings[-2:]] == [Reason.OUT_OF_TURN] * 2
    record = written("overrule 4", record=record)
    assert [each and each.reason for each in record.rulings[-3:-1]] == [Reason.OK_OVERRULED, Reason.OK_EDGE]
    assert (record.state.scores, record.state.turn) == ((22, 0, 11), 1)


def test_a_special_place_out_of_turn_keeps_its_bonus_when_it_stands_but_a_mismatch_earns_its_tile_alone() -> None:
    ring = ("A lays 4-3-3 at 0,-1,D", "B lays 5-3-4 at 0,-1,U", "A lays 5-3-3 at -1,-1,D", "B lays 3-0-3 at -1,0,U")
    ring += ("A lays 3-0-0 at -2,0,D", "B lays 0-0-0 at -2,1,U", "A lays 0-0-1 at -2,1,D", "B lays 0-1-2 at -1,1,U")
    start = ("match ro-trimino/manufacturer A=Ana B=Bo opening=any", "begin", *ring)
    assert ruled(*start, "B lays 3-2-3 at 0,0,U overruled").points(1) == 48
    assert ruled(*start, "B lays 1-2-3 at 0,0,U overruled").points(1) == 6


def test_play_out_of_turn_may_have_to_stay_open_and_be_played_at_the_first_chance() -> None:
    options = "out_of_turn_remedy=stays_open"
    out = ("C lays 3-3-5 at 0,0,D", "C exposes 3-3-5 laid", "B lays 3-4-3 at -1,0,D")
    assert triangles(*out, "C lays 0-3-3 at 0,-1,D", options=options).reason is Reason.MUST_PLAY_EXPOSED
    assert triangles(*out, "C draws 1", options=options).reason is Reason.MUST_PLAY_EXPOSED
    assert triangles(*out, "C passes", options=options).reason is Reason.MUST_PLAY_EXPOSED
    assert triangles(*out, "C lays 3-3-5 at 0,0,D", options=options).reason is Reason.OK_EDGE
    assert triangles(*out, "C lays 0-3-3 at 0,-1,D").reason is Reason.OK_EDGE


# --- wrong tiles and places -----------------------------------------------------------------------------


def test_a_wrong_tile_seen_at_once_is_returned_and_its_player_tries_again() -> None:
    record = written(f"{TRIANGLES} opening=any", *BEGUN, "B lays 0-1-2 at 0,0,D", "B lays 3-3-5 at 0,0,D")
    assert [each and each.reason for each in record.rulings[-2:]] == [Reason.EDGE_MISMATCH, Reason.OK_EDGE]
    assert record.state.scores == (9, 11, 0)


def test_a_wrong_tile_seen_later_stands_and_later_tiles_are_judged_against_it() -> None:
    record = written(f"{TRIANGLES} opening=any", *BEGUN, "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U")
    refused = written("correct 4: B lays 3-3-4 at 0,0,D", record=record)
    assert [
        change.entry for change in umpire.consequences(record, notation.parse("correct 4: B lays 3-3-4 at 0,0,D"))
    ] == [4, 5]  # type: ignore[arg-type]  # a correction
    assert refused.rulings[4] is not None
    assert refused.rulings[4].reason is Reason.EDGE_MISMATCH
    kept = written("overrule 5", record=refused)
    assert kept.state.scores == (9, 10, 13)


def test_a_mirrored_tile_does_not_exist_and_a_duplicate_lies_already_and_the_round_can_be_made_void() -> None:
    assert triangles("B lays 3-5-4 at 0,0,D").reason is Reason.NO_SUCH_TILE
    assert triangles("B lays 3-3-3 at 0,0,D").reason is Reason.TILE_ALREADY_PLAYED
    void = triangles("B lays 3-3-5 at 0,0,D", "redeal")
    assert (void.reason, void.state.phase, void.state.round) == (Reason.OK_REDEAL, Phase.DEAL, 1)
    assert void.awards == (Award(0, "void", -9), Award(1, "void", -11))
    assert void.state.scores == (0, 0, 0)


# --- claims ---------------------------------------------------------------------------------------------

FALSE_PASS = (*DOMINOES, "C passes", "D lays 0-6 at left", "A lays 6-6 at left", "B lays 3-4 at right")


def test_a_false_cannot_play_is_reported_when_the_tile_appears_and_nothing_is_said_before() -> None:
    record = written(*FALSE_PASS, "C lays 3-6 at left")
    assert not any(ruling.proven for ruling in record.rulings[:-1] if ruling)
    assert last(record).proven == (Proof(Reason.FALSE_PASS_PROVEN, 2, 5, ("3-6",)),)
    assert last(record).awards == ()


def test_a_false_cannot_play_costs_what_the_house_says() -> None:
    charged = (DOMINOES[0] + " false_pass_penalty=10", *FALSE_PASS[1:], "C lays 3-6 at left")
    assert ruled(*charged).awards == (Award(2, "false_pass", 10),)


def test_a_needless_draw_is_reported_and_costs_what_the_house_says() -> None:
    draw = ("B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    ruling = triangles(*draw, "B lays 3-4-3 at -1,0,D")
    assert ruling.proven == (Proof(Reason.FALSE_DRAW_PROVEN, 1, 4, ("3-3-5", "3-3-4")),)
    assert ruling.points(1) == 10
    charged = triangles(*draw, "B lays 3-4-3 at -1,0,D", options="needless_draw_penalty=50")
    assert charged.awards[-1] == Award(1, "needless_draw", -50)
    assert triangles(*draw, "B lays 3-4-3 at -1,0,D", options="draw_while_able=yes").proven == ()


def test_a_false_cannot_play_may_stop_the_round_which_then_does_not_count() -> None:
    options = " false_pass_remedy=stops false_pass_penalty=30"
    ruling = ruled(DOMINOES[0] + options, *FALSE_PASS[1:], "C lays 3-6 at left")
    assert (ruling.state.phase, ruling.state.round, ruling.state.layout) == (Phase.DEAL, 1, ())
    assert (ruling.awards, ruling.state.scores) == ((Award(2, "false_pass", 30),), (0, 0, 30, 0))
    assert ruling.state.carried == ruling.state.scores  # a second void would not give it back


def test_a_needless_draw_is_cited_with_its_entry_and_clause() -> None:
    draw = ("B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    assert Cite("ro-trimino/manufacturer §2.1.13", 4) in triangles(*draw, "B lays 3-4-3 at -1,0,D").cites


def test_a_pass_claims_nothing_where_passing_is_free() -> None:
    free = (DOMINOES[0] + " voluntary_pass=yes", *FALSE_PASS[1:], "C lays 3-6 at left")
    assert ruled(*free).proven == ()


# --- what is offered about a refused tile ------------------------------------------------------------------


def offered(*lines: str, options: str = "", has_gone_on: bool = False) -> tuple[Offer, ...]:
    """What can be done about the last of these lines, a refused tile."""
    record = written(f"{TRIANGLES} opening=any {options}", *BEGUN, *lines)
    act = record.entries[-1].what
    assert isinstance(act, Place)
    return game(record.state.game).offers(record.state, act, has_gone_on)


def test_a_tile_out_of_turn_is_taken_back_first_and_stands_first_once_the_next_player_has_acted() -> None:
    out = "C lays 3-3-5 at 0,0,D"
    back, stands = offered(out)
    assert (back, stands.what) == (Offer("take-back"), "stands")
    assert stands.move == replace(notation.parse(out), overruled=True)  # type: ignore[type-var]  # a placement
    assert stands.ruling is not None
    assert (stands.ruling.points(2), stands.ruling.state.turn) == (11, 0)
    assert [offer.what for offer in offered(out, has_gone_on=True)] == ["stands", "take-back"]


def test_a_tile_out_of_turn_lies_open_first_where_the_house_says_so() -> None:
    open_tile, *others = offered("C lays 3-3-5 at 0,0,D", options="out_of_turn_remedy=stays_open")
    assert (open_tile.what, open_tile.move) == ("stays-open", Expose(2, Tile((3, 3, 5)), laid=True))
    assert [offer.what for offer in others] == ["take-back", "stands"]
    wrong = offered("B lays 0-1-2 at 0,0,D", options="out_of_turn_remedy=stays_open")
    assert [offer.what for offer in wrong] == ["take-back", "stands"]


def test_a_wrong_tile_that_stands_earns_its_value_alone() -> None:
    back, stands = offered("B lays 0-1-2 at 0,0,D")
    assert back.ruling is None
    assert stands.ruling is not None
    assert (stands.ruling.reason, stands.ruling.points(1)) == (Reason.OK_OVERRULED, 3)


@pytest.mark.parametrize("line", ["B lays 3-5-4 at 0,0,D", "B lays 3-3-3 at 0,0,D"])
def test_a_tile_of_another_set_is_taken_back_or_voids_the_round_but_never_stands(line: str) -> None:
    back, void = offered(line)
    assert (back.what, void.what, void.move) == ("take-back", "redeal", Redeal())
    assert void.ruling is not None
    assert void.ruling.points(0) == -9


def test_two_tiles_in_one_place_cannot_both_stand() -> None:
    assert offered("B lays 3-3-5 at 0,0,U") == (Offer("take-back"),)


def test_nothing_is_offered_about_what_is_legal_or_no_tile() -> None:
    state = written(f"{TRIANGLES} opening=any", *BEGUN).state
    offers = game(state.game).offers
    assert offers(state, Place(1, Tile((3, 3, 5)), game(state.game).places(state, Tile((3, 3, 5)))[0]), False) == ()
    assert offers(state, Pass(2), False) == ()
    assert offers(replace(state, phase=Phase.OVER), Place(1, Tile((0, 1, 2)), LineSpot("left")), False) == ()


def test_a_domino_that_does_not_fit_is_offered_the_same_ways() -> None:
    state = written(*DOMINOES).state
    offers = game("fr-domino").offers(state, Place(2, Tile((5, 5)), LineSpot("left")), False)
    assert [offer.what for offer in offers] == ["take-back", "stands"]


# --- the penalty for a wrong tile -------------------------------------------------------------------------


def test_a_wrong_tile_costs_what_the_house_says_and_changes_nothing_but_the_score() -> None:
    before = written(f"{TRIANGLES} opening=any wrong_tile_penalty=20", *BEGUN)
    ruling = last(written("B lays 0-1-2 at 0,0,D", record=before))
    assert (ruling.reason, ruling.awards) == (Reason.EDGE_MISMATCH, (Award(1, "wrong_tile", -20),))
    assert ruling.state == replace(before.state, scores=(9, -20, 0))
    free = written(f"{TRIANGLES} opening=any", *BEGUN)
    assert last(written("B lays 0-1-2 at 0,0,D", record=free)).state is free.state


@pytest.mark.parametrize("line", ["C lays 3-3-5 at 0,0,D", "B lays 3-5-4 at 0,0,D", "B lays 3-3-5 at 0,0,U"])
def test_what_is_no_matter_of_fitting_costs_nothing(line: str) -> None:
    assert triangles(line, options="wrong_tile_penalty=20").awards == ()


def test_a_domino_at_the_wrong_end_counts_against_its_player() -> None:
    ruling = ruled(DOMINOES[0] + " wrong_tile_penalty=10", *DOMINOES[1:], "C lays 5-5 at left")
    assert (ruling.reason, ruling.state.scores) == (Reason.END_MISMATCH, (0, 0, 10, 0))


def test_a_wrong_tile_that_people_let_stand_costs_nothing_any_more() -> None:
    wrong = (f"{TRIANGLES} opening=any wrong_tile_penalty=20", *BEGUN, "B lays 0-1-2 at 0,0,D")
    assert written(*wrong, "overrule 4").state.scores == (9, 3, 0)


def test_a_penalty_outlives_what_is_corrected_before_it() -> None:
    wrong = (f"{TRIANGLES} opening=any wrong_tile_penalty=20", *BEGUN, "B lays 0-1-2 at 0,0,D")
    record = written(*wrong, "B lays 3-3-5 at 0,0,D", "correct 3: A lays 3-3-4 at 0,0,U", "undo 6")
    assert record.state.scores == (9, -9, 0)


# --- calls of a block -------------------------------------------------------------------------------------

# Both ends are 6, and all seven sixes lie once 5-6 does.
SIXES = ("6-6", "0-6", "0-1", "1-6", "2-6", "2-3", "3-6", "4-6", "4-5", "5-6")
FIRST = ("match fr-domino A=Ana B=Bo opening=any", "begin", "A lays 6-6 at left")


def sixes(options: str = "") -> tuple[str, ...]:
    """A line of dominoes that is dead after its last tile."""
    laid = tuple(f"{'BA'[n % 2]} lays {tile} at right" for n, tile in enumerate(SIXES[1:]))
    return (f"{FIRST[0]} {options}", *FIRST[1:], *laid)


def test_a_premature_fish_call_is_rejected_and_play_goes_on() -> None:
    assert ruled(*DOMINOES, "C calls block").reason is Reason.NOT_BLOCKED
    assert triangles("B calls block").reason is Reason.NOT_BLOCKED


def test_a_fish_that_has_ended_the_round_may_be_called() -> None:
    ruling = ruled(*sixes(), "A calls block")
    assert (ruling.reason, ruling.state.blocked, ruling.awards) == (Reason.OK_BLOCK_CALLED, True, ())
    assert ruled(*sixes()[:-1], "A calls block").reason is Reason.NOT_BLOCKED


def test_a_dead_line_is_no_fish_while_the_stock_has_to_be_emptied_and_one_as_soon_as_it_is() -> None:
    dead = sixes("fish_with_stock=no")
    assert ruled(*dead, "A calls block").reason is Reason.BLOCK_WITH_STOCK
    record = written(*dead, "A draws 13")
    assert (last(record).reason, record.state.phase) == (Reason.OK_DRAW, Phase.PLAY)
    fish = written("A draws 1", record=record)
    assert (last(fish).reason, fish.state.phase, fish.state.blocked) == (Reason.FISH, Phase.SHOW_HANDS, True)
    found = written("A holds 16", record=record)
    assert (last(found).reason, found.state.blocked) == (Reason.OK_RECOUNT, True)


def test_a_block_is_called_rightly_where_all_hands_are_known_and_none_can_play() -> None:
    record = written("match uk-tridomino A=Ana B=Bo opening=any", *BEGUN)
    known = ((Tile((0, 1, 2)),), (Tile((0, 1, 4)),))
    state = replace(record.state, known=known, hands=(1, 1), stock=0)
    call = notation.parse("A calls block")
    rule = game("uk-tridomino").rule
    right = rule(state, call)  # type: ignore[arg-type]  # a move
    assert (right.reason, right.state, right.cites[0].clause) == (
        Reason.OK_BLOCK_CALLED,
        state,
        "uk-tridomino §2.3.13",
    )
    assert rule(replace(state, hands=(1, 2)), call).reason is Reason.NOT_BLOCKED  # type: ignore[arg-type]
    assert rule(replace(state, stock=1), call).reason is Reason.NOT_BLOCKED  # type: ignore[arg-type]


def test_a_round_that_ended_by_going_out_is_not_blocked() -> None:
    out = ("match fr-domino A=Ana B=Bo opening=any hands=2:1", "begin", "A lays 6-6 at left", "B calls block")
    assert ruled(*out).reason is Reason.NOT_NOW


# --- set by hand ----------------------------------------------------------------------------------------


def test_the_people_can_set_the_turn_and_the_points() -> None:
    assert triangles("turn A", "A lays 3-3-5 at 0,0,D").reason is Reason.OK_EDGE
    assert triangles("B gets -50").state.scores == (9, -50, 0)
    assert triangles("B gets 0").reason is Reason.NOT_NOW
    assert ruled(TRIANGLES, "turn B").reason is Reason.NOT_NOW


def test_points_given_after_the_round_may_end_the_match() -> None:
    start = ("match fr-domino A=Ana B=Bo opening=any hands=2:2 target=5", "begin", "A lays 0-0 at left")
    record = written(*start, "B lays 0-1 at right", "A lays 1-1 at right", "B shows 2-2")
    assert record.state.phase is Phase.CLEARING
    assert written("B gets 1", record=record).state.ranking == ((0,), (1,))
