"""Counted tiles: drawn too few or too many, unannounced, a wrong deal, a tile that is missing, hands that are shown."""

from __future__ import annotations

import pytest

from referee.rulings import Award, Proof, Reason
from referee.state import Phase
from tests.referee.entering import DOMINOES, TRIANGLES, last, ruled, triangles, written

# --- drawing --------------------------------------------------------------------------------------------


def test_drew_too_few_before_passing_blocks_the_pass() -> None:
    assert triangles("B draws 1", "B passes").reason is Reason.PASS_WITH_STOCK


def test_drew_too_many_the_extra_tile_goes_back_unseen_and_its_cost_with_it() -> None:
    ruling = triangles("B draws 3", "B holds 9")
    assert (ruling.reason, ruling.awards) == (Reason.OK_RECOUNT, (Award(1, "draws", 5),))
    assert (ruling.state.hands, ruling.state.stock, ruling.state.drawn) == ((6, 9, 7), 33, 2)
    charged = triangles("B draws 3", "B holds 9", options="draw_too_many_penalty=50")
    assert charged.points(1) == -45


def test_drew_too_many_the_extra_tile_stays_where_the_house_says_so() -> None:
    assert triangles("B draws 3", "B holds 9", options="draw_too_many_remedy=stays").reason is Reason.DRAWN_TILE_STAYS


def test_drew_too_many_a_tile_that_was_seen_stays_and_costs_what_it_costs() -> None:
    seen = ("B draws 3", "B exposes 0-1-2")
    assert triangles(*seen, "B holds 7").reason is Reason.DRAWN_TILE_STAYS
    assert triangles(*seen, "B holds 8").awards == (Award(1, "draws", 10),)


def test_draw_past_the_limit_is_refused_and_the_twenty_five_are_complete() -> None:
    start = ("match official-goliath A=Ana B=Bo opening=any", "begin", "A lays 3-3-3 at 0,0,U", "B draws 3")
    assert ruled(*start, "B draws 1").reason is Reason.DRAW_LIMIT
    assert ruled(*start, "B passes").state.scores == (9, -25)


def test_a_draw_not_announced_is_booked_when_the_hand_is_counted() -> None:
    ruling = triangles("B holds 8")
    assert (ruling.awards, ruling.state.hands, ruling.state.stock) == ((Award(1, "draws", -5),), (6, 8, 7), 34)
    assert triangles("B holds 7").awards == ()
    assert triangles("B holds 43").reason is Reason.TILE_COUNT_WRONG
    assert triangles("B holds 0").reason is Reason.HAND_COUNT_WRONG


def test_a_tile_found_in_the_hand_may_have_been_drawn_at_any_time_and_proves_nothing() -> None:
    draw = ("B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D", "B holds 8")
    assert triangles(*draw, "B lays 3-4-3 at -1,0,D").proven == ()


# --- exposed tiles, deals, counts -----------------------------------------------------------------------


def test_an_exposed_hand_tile_goes_back_to_the_hand_and_all_know_it() -> None:
    ruling = triangles("B exposes 3-3-5")
    assert (ruling.reason, ruling.state.known[1]) == (
        Reason.OK_EXPOSE,
        ruling.state.exposed[0:1] and (ruling.state.exposed[0].tile,),
    )
    assert triangles("B exposes 3-3-5", "B lays 0-3-3 at 0,-1,D").reason is Reason.OK_EDGE
    assert triangles("B exposes 3-3-5", "B draws 1").reason is Reason.DRAW_WHILE_ABLE
    assert triangles("B exposes 3-3-5", "C exposes 3-3-5").reason is Reason.NOT_IN_HAND
    assert triangles("B exposes 3-3-3").reason is Reason.TILE_ALREADY_PLAYED


def test_an_exposed_hand_tile_must_be_played_at_the_first_chance_where_the_house_says_so() -> None:
    options = "exposed_tile_remedy=must_play"
    seen = ("C exposes 0-1-2", "C exposes 3-3-5", "B lays 3-4-3 at -1,0,D")
    assert triangles(*seen, "C lays 0-3-3 at 0,-1,D", options=options).reason is Reason.MUST_PLAY_EXPOSED
    assert triangles(*seen, "C lays 3-3-5 at 0,0,D", options=options).reason is Reason.OK_EDGE


def test_an_exposed_tile_proves_a_false_claim_at_once() -> None:
    ruling = ruled(*DOMINOES, "C passes", "D lays 0-6 at left", "C exposes 3-6")
    assert [proof.reason for proof in ruling.proven] == [Reason.FALSE_PASS_PROVEN]


def test_a_wrong_deal_is_put_right_before_the_first_play() -> None:
    wrong = ruled(TRIANGLES, "A holds 8")
    assert wrong.reason is Reason.WRONG_DEAL
    assert ruled(TRIANGLES, "begin", "A holds 8").reason is Reason.WRONG_DEAL
    assert ruled(TRIANGLES, "A holds 7").reason is Reason.OK_RECOUNT
    for line in ("A dealt 8", "A dealt 6"):
        assert ruled(TRIANGLES, line).reason is Reason.WRONG_DEAL
        assert ruled(TRIANGLES, "begin", line).reason is Reason.WRONG_DEAL
    assert ruled(TRIANGLES, "A dealt 7").reason is Reason.OK_RECOUNT


# --- a wrong deal found later -------------------------------------------------------------------------------


def test_a_wrong_deal_found_after_the_first_play_voids_the_round() -> None:
    ruling = triangles("B lays 3-3-5 at 0,0,D", "C dealt 8")
    assert (ruling.reason, ruling.proven) == (
        Reason.OK_WRONG_DEAL,
        (Proof(Reason.WRONG_DEAL_PROVEN, 2, None, ("7", "8")),),
    )
    assert ruling.awards == (Award(0, "void", -9), Award(1, "void", -11))
    assert (ruling.state.phase, ruling.state.round, ruling.state.scores) == (Phase.DEAL, 1, (0, 0, 0))
    assert [cite.clause for cite in ruling.cites] == [
        "ro-trimino/manufacturer §7.2",
        "ro-trimino/manufacturer §2.1.3",
    ]


def test_a_wrong_deal_costs_what_the_house_says_and_the_penalty_outlives_the_round() -> None:
    record = written(f"{TRIANGLES} opening=any wrong_deal_penalty=50", "begin", "A lays 3-3-3 at 0,0,U", "C dealt 8")
    assert record.state.scores == record.state.carried == (0, 0, -50)
    assert written("begin", "A lays 3-3-3 at 0,0,U", "redeal", record=record).state.scores == (0, 0, -50)


def test_a_wrong_deal_is_only_reported_where_the_house_says_so_and_the_counts_are_right_again() -> None:
    options = "wrong_deal_remedy=report wrong_deal_penalty=50"
    ruling = triangles("C dealt 8", options=options)
    state = ruling.state
    assert (state.phase, state.hands, state.taken, state.stock) == (Phase.PLAY, (6, 7, 8), (7, 7, 8), 34)
    assert ruling.awards == (Award(2, "wrong_deal", -50),)
    assert triangles("C dealt 6", options=options).state.hands == (6, 7, 6)
    assert triangles("C dealt 7", options=options).reason is Reason.OK_RECOUNT


def test_tiles_dealt_too_many_are_taken_into_account_by_later_proofs() -> None:
    draw = ("B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D", "B dealt 8")
    ruling = triangles(*draw, "B lays 3-4-3 at -1,0,D", options="wrong_deal_remedy=report")
    assert ruling.proven == (Proof(Reason.FALSE_DRAW_PROVEN, 1, 4, ("3-3-5", "3-3-4")),)


def test_a_wrong_deal_that_cannot_be_is_refused() -> None:
    assert triangles("C dealt 43").reason is Reason.TILE_COUNT_WRONG
    assert triangles("A lays 3-3-5 at 0,0,D overruled", "A dealt 1").reason is Reason.HAND_COUNT_WRONG


OUT = ("match fr-domino A=Ana B=Bo opening=any hands=2:2", "begin", "A lays 0-0 at left")
OUT += ("B lays 0-1 at right", "A lays 1-1 at right")


def test_one_seat_still_holding_after_its_last_possible_tile_proves_a_wrong_deal() -> None:
    void = ruled(*OUT, "A holds 1")
    assert (void.reason, void.state.phase) == (Reason.OK_WRONG_DEAL, Phase.DEAL)
    assert void.proven == (Proof(Reason.WRONG_DEAL_PROVEN, 0, None, ("2", "3")),)
    on = written(OUT[0] + " wrong_deal_remedy=report", *OUT[1:], "A holds 1", "B lays 1-2 at right")
    assert (on.state.phase, on.state.out, on.state.hands) == (Phase.SHOW_HANDS, 1, (1, 0))


def test_who_was_dealt_too_few_and_has_no_tile_left_has_gone_out() -> None:
    short = (OUT[0] + " wrong_deal_remedy=report", *OUT[1:4], "A dealt 1")
    state = written(*short).state
    assert (state.phase, state.out, state.shown) == (Phase.SHOW_HANDS, 0, ((), None))


# --- the stock ----------------------------------------------------------------------------------------------


def test_a_stock_that_has_dropped_asks_who_has_drawn_and_the_draw_is_booked() -> None:
    assert triangles("stock 35").proven == ()
    ruling = triangles("stock 34")
    assert ruling.proven == (Proof(Reason.DRAW_NOT_BOOKED, -1, None, ("35", "34")),)
    assert (ruling.state.phase, ruling.awards) == (Phase.PLAY, ())
    booked = written(f"{TRIANGLES} opening=any", "begin", "A lays 3-3-3 at 0,0,U", "stock 34", "B holds 8", "stock 34")
    assert (last(booked).proven, booked.state.scores) == ((), (9, -5, 0))


def test_a_stock_with_more_tiles_than_there_can_be_is_reported_and_play_goes_on() -> None:
    ruling = triangles("stock 36", options="tile_missing_remedy=void")
    assert ruling.proven == (Proof(Reason.TILE_COUNT_WRONG, -1, None, ("56", "57")),)
    assert ruling.state.phase is Phase.PLAY


def test_an_exposed_tile_of_the_stock_is_mixed_in_again_and_changes_no_count() -> None:
    before = written(f"{TRIANGLES} opening=any", "begin", "A lays 3-3-3 at 0,0,U")
    ruling = last(written("stock shows 3-3-5", record=before))
    assert (ruling.reason, ruling.awards, ruling.cites[0].clause) == (
        Reason.OK_STOCK_EXPOSED,
        (),
        "ro-trimino/manufacturer §7.2",
    )
    state = ruling.state
    assert (state.hands, state.stock, state.known, state.turn) == (
        before.state.hands,
        before.state.stock,
        before.state.known,
        before.state.turn,
    )


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (("B exposes 3-3-5", "stock shows 3-3-5"), Reason.NOT_IN_STOCK),
        (("stock shows 3-3-3",), Reason.TILE_ALREADY_PLAYED),
        (("stock shows 3-3-7",), Reason.NO_SUCH_TILE),
        (("stock shows 3-3-5", "B exposes 3-3-5"), Reason.NOT_IN_HAND),
        (("stock shows 3-3-5", "B draws 1", "B exposes 3-3-5"), Reason.OK_EXPOSE),
    ],
)
def test_a_tile_is_in_the_stock_or_in_a_hand_but_not_in_both(lines: tuple[str, ...], reason: Reason) -> None:
    assert triangles(*lines).reason is reason


def test_an_empty_stock_shows_no_tile_and_a_tile_seen_in_the_stock_is_not_named_by_a_hand() -> None:
    assert ruled(*DOMINOES, "stock shows 6-6").reason is Reason.STOCK_EMPTY
    assert ruled(TRIANGLES, "stock shows 5-5-5", "A announces 5-5-5").reason is Reason.NOT_IN_HAND


def test_a_tile_that_was_seen_in_the_stock_after_a_claim_was_drawn_later_and_proves_nothing_false() -> None:
    draw = ("B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    seen = (*draw[:2], "stock shows 3-3-4", *draw[2:])
    assert triangles(*seen, "B draws 1", "B lays 3-4-3 at -1,0,D").proven == ()
    # no draw was booked since: it was drawn unseen, and says nothing of the draw before
    assert triangles(*seen, "B lays 3-4-3 at -1,0,D").proven == ()
    assert triangles(*draw, "B lays 3-4-3 at -1,0,D").proven != ()


def test_a_tile_seen_in_the_stock_takes_the_draw_that_another_would_have_needed() -> None:
    drawn = ("B draws 1", "stock shows 3-3-5", "B draws 1", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U")
    line = (*drawn, "A lays 0-3-3 at 0,-1,D", "B lays 3-4-3 at -1,0,D")
    assert [proof.reason for proof in triangles(*line).proven] == [Reason.FALSE_DRAW_PROVEN]


# --- the announced total ------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", [("B draws 3",), ("B draws 1", "B draws 2", "B lays 3-3-5 at 0,0,D")])
def test_an_announced_draw_total_that_differs_from_the_count_is_reported_and_the_count_rules(
    when: tuple[str, ...],
) -> None:
    assert triangles(*when, "B says 3 drawn").proven == ()
    ruling = triangles(*when, "B says 4 drawn")
    assert ruling.reason is Reason.OK_DRAW_TOTAL
    assert ruling.proven == (Proof(Reason.DRAW_TOTAL_WRONG, 1, None, ("3", "4")),)
    assert (ruling.awards, ruling.state.scores[1]) == ((), -15 + 11 * (len(when) - 1) // 2)
    assert {cite.clause for cite in ruling.cites} == {"ro-trimino/manufacturer §2.1.12"}


def test_a_draw_total_is_that_of_the_last_turn_and_means_nothing_before_the_opening() -> None:
    start = ("match official-goliath A=Ana B=Bo opening=any", "begin", "A lays 3-3-3 at 0,0,U")
    assert ruled(*start, "B draws 3", "B passes", "A draws 1", "B says 3 drawn").proven == ()
    assert ruled(*start, "B draws 3", "B passes", "A draws 3", "A passes", "B draws 1", "B says 1 drawn").proven == ()
    assert ruled(*start[:2], "A says 0 drawn").reason is Reason.NOT_NOW


# --- hands that are shown -----------------------------------------------------------------------------------


def test_a_hand_that_contradicts_table_or_count_asks_before_scoring_and_counting_it_goes_on() -> None:
    start = ["match fr-domino A=Ana B=Bo opening=any", "begin"]
    names = ["0-0", "0-1", "1-1", "1-2", "2-2", "2-3", "3-3", "3-4", "4-4", "4-5", "5-5", "5-6", "6-6"]
    record = written(*start, *(f"{'AB'[n % 2]} lays {tile} at right" for n, tile in enumerate(names)))
    assert record.state.phase is Phase.SHOW_HANDS
    for line, reason in (
        ("B shows 0-6 0-5", Reason.HAND_COUNT_WRONG),
        ("B shows 1-2", Reason.TILE_ALREADY_PLAYED),
        ("B shows 1-7", Reason.NO_SUCH_TILE),
    ):
        assert last(written(line, record=record)).reason is reason
        assert written(line, record=record).state.scores == (0, 0)
    scored = written("B holds 2", "B shows 0-6 0-5", record=record)
    assert (scored.state.phase, scored.state.scores) == (Phase.CLEARING, (0, 11))


def test_a_hand_without_a_tile_that_all_have_seen_in_it_asks_before_scoring() -> None:
    start = ("match fr-domino A=Ana B=Bo opening=any hands=2:2", "begin", "A lays 0-0 at left", "B exposes 2-2")
    record = written(*start, "B lays 0-1 at right", "A lays 1-1 at right")
    assert last(written("B shows 3-3", record=record)).reason is Reason.NOT_IN_HAND
    assert last(written("B shows 2-2", record=record)).reason is Reason.OK_SHOW_HAND


def test_a_draw_that_was_not_booked_is_found_when_hands_are_shown_and_costs_what_it_costs() -> None:
    start = ("match uk-tridomino A=Ana B=Bo opening=any hands=2:2", "begin", "A lays 3-3-3 at 0,0,U")
    record = written(*start, "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")
    assert record.state.phase is Phase.SHOW_HANDS
    asked = written("B shows 0-1-2 0-0-1", record=record)
    assert (last(asked).reason, asked.state.scores) == (Reason.HAND_COUNT_WRONG, (22, 11))
    assert last(written("stock 51", record=asked)).proven == (Proof(Reason.DRAW_NOT_BOOKED, -1, None, ("52", "51")),)
    booked = written("B holds 2", "stock 51", "B shows 0-1-2 0-0-1", record=asked)
    assert booked.state.scores == (22 + 25 + 4, 11 - 5)
    assert [each.proven for each in booked.rulings[-3:] if each] == [(), (), ()]


def missing(options: str = "") -> tuple[str, ...]:
    """A round in which B has one tile fewer than the record says, and the stock is one short of it."""
    start = (f"match uk-tridomino A=Ana B=Bo opening=any hands=2:2 {options}", "begin", "A lays 3-3-3 at 0,0,U")
    over = (*start, "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U")
    return (*over, "B shows nothing", "B holds! 0", "B shows nothing")


def test_a_tile_missing_from_a_hand_is_looked_for_and_if_it_stays_missing_reported_while_the_round_stands() -> None:
    record = written(*missing())
    assert [each and each.reason for each in record.rulings[-3:]] == [
        Reason.HAND_COUNT_WRONG,
        Reason.OK_RECOUNT,
        Reason.OK_SHOW_HAND,
    ]
    counted = written("stock 52", record=record)
    assert last(counted).proven == (Proof(Reason.TILE_COUNT_WRONG, -1, None, ("56", "55")),)
    assert (counted.state.phase, counted.state.scores) == (Phase.CLEARING, (22 + 25, 11))
    assert last(written("stock 53", record=record)).proven == ()


def test_a_tile_missing_voids_the_round_where_the_house_says_so() -> None:
    record = written(*missing("tile_missing_remedy=void"), "stock 52")
    assert (record.state.phase, record.state.scores) == (Phase.DEAL, (0, 0))


def test_a_stock_that_has_dropped_voids_nothing_before_all_hands_are_counted() -> None:
    assert triangles("stock 34", options="tile_missing_remedy=void").state.phase is Phase.PLAY


def test_a_tile_that_another_hand_has_shown_or_all_have_seen_elsewhere_asks_before_scoring() -> None:
    start = ("match fr-domino A=Ana B=Bo C=Cy opening=any hands=3:2", "begin", "A lays 0-0 at left")
    over = (*start, "B lays 0-1 at right", "C lays 1-1 at right", "A lays 1-2 at right")
    assert ruled(*over, "B shows 3-3", "C shows 3-3").reason is Reason.TILE_ALREADY_PLAYED
    assert ruled(*over, "B shows 3-3", "C shows 4-4").state.scores == (0, 6, 8)


# --- whose draws they were, and what goes back -------------------------------------------------------------


def test_fixed_a_tile_let_stand_out_of_turn_leaves_each_seat_the_tiles_that_it_drew_itself() -> None:
    drawn = ("B draws 2", "C lays 5-5-4 at 0,0,D overruled")
    for said in ("C says 0 drawn", "B says 2 drawn"):
        assert triangles(*drawn, said).proven == ()
    assert triangles(*drawn, "C says 2 drawn").proven == (Proof(Reason.DRAW_TOTAL_WRONG, 2, None, ("0", "2")),)
    assert triangles(*drawn, "B says 0 drawn").proven == (Proof(Reason.DRAW_TOTAL_WRONG, 1, None, ("2", "0")),)


def test_fixed_a_seat_that_was_passed_over_without_drawing_keeps_the_count_of_its_last_turn() -> None:
    turns = ("B draws 2", "B lays 3-3-5 at 0,0,D", "C lays 3-5-5 at 1,0,U", "A lays 0-3-3 at 0,-1,D")
    assert triangles(*turns, "C lays 1-1-1 loose overruled", "B says 2 drawn").proven == ()


def test_fixed_setting_the_turn_does_not_forget_what_was_drawn() -> None:
    turned = ("B draws 1", "turn C")
    assert triangles(*turned, "B says 1 drawn").proven == ()
    assert triangles(*turned, "C says 0 drawn").proven == ()
    assert triangles("B draws 1", "turn B", "B says 1 drawn").proven == ()


def test_fixed_a_tile_that_was_found_and_paid_for_goes_back_for_what_it_cost() -> None:
    found = triangles("A holds 10", "A holds 9")
    assert (found.awards, found.state.hands, found.state.scores) == ((Award(0, "draws", 5),), (9, 7, 7), (-6, 0, 0))
    assert triangles("A holds 10", "A holds 5").awards == (Award(0, "draws", 20),)
    assert triangles("A holds 10", "A holds 6", "A holds 5").awards == ()
    assert triangles("A holds 5").awards == ()
    charged = triangles("A holds 8", "A holds 7", options="draw_too_many_penalty=50")
    assert charged.points(0) == 5 - 50
    stays = triangles("A holds 8", "A holds 7", options="draw_too_many_remedy=stays")
    assert stays.awards == ()


def test_fixed_of_a_turn_with_found_and_drawn_tiles_as_many_are_refunded_as_go_back() -> None:
    assert triangles("B holds 8", "B draws 2", "B holds 7").awards == (Award(1, "draws", 15),)
    assert triangles("B holds 8", "B draws 2", "B holds 5").awards == (Award(1, "draws", 15),)


def test_fixed_a_hand_that_cannot_be_empty_is_taken_for_empty_only_when_its_tile_is_said_to_be_missing() -> None:
    over = missing()[:-3]
    assert ruled(*over, "B holds 0").reason is Reason.HAND_COUNT_WRONG
    assert ruled(*over, "B holds! 0").reason is Reason.OK_RECOUNT
    assert triangles("B holds! 0").reason is Reason.HAND_COUNT_WRONG


def test_fixed_the_stock_can_be_counted_when_the_match_is_over() -> None:
    record = written(*missing("target=20"))
    assert record.state.phase is Phase.OVER
    assert last(written("stock 52", record=record)).proven == (Proof(Reason.TILE_COUNT_WRONG, -1, None, ("56", "55")),)
    assert written("stock 52", record=record).state.phase is Phase.OVER
    at_once = written(f"{TRIANGLES} opening=any end=at_once target=5", "begin", "A lays 3-3-3 at 0,0,U")
    assert at_once.state.phase is Phase.OVER
    assert last(written("stock 34", record=at_once)).proven[0].reason is Reason.DRAW_NOT_BOOKED


def test_fixed_a_count_that_voids_the_round_that_decided_the_match_has_to_be_confirmed() -> None:
    record = written(*missing("target=20 tile_missing_remedy=void"))
    asked = last(written("stock 52", record=record))
    assert (asked.reason, asked.awards, asked.cites[0].clause) == (Reason.NEEDS_CONFIRMING, (), "uk-tridomino §7.3")
    assert last(written("stock 53", record=record)).reason is Reason.OK_COUNT_STOCK
    void = written("stock! 52", record=record).state
    assert (void.phase, void.round, void.scores, void.ranking) == (Phase.DEAL, 1, (0, 0), ())
