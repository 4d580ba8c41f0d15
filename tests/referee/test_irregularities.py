"""Rows of the table of irregularities: what the referee rules, the default remedy, and the options.

Each test is named after the row it is about. Games are written as people would enter them.
"""

from __future__ import annotations

import pytest

from referee import notation, umpire
from referee.rulings import Award, Proof, Reason, Ruling
from referee.state import Phase
from referee.umpire import Entry, Record

TRIANGLES = "match ro-trimino/manufacturer A=Ana B=Bo C=Cy"
BEGUN = ("begin", "A lays 3-3-3 at 0,0,U")
DOMINOES = ("match fr-domino A=Ana B=Bo C=Cy D=Dee", "begin", "A lays 0-0 at left", "B lays 0-3 at right")


def written(*lines: str, record: Record | None = None) -> Record:
    """A record with these lines appended."""
    for line in lines:
        act = notation.parse(line)
        seq = len(record.entries) + 1 if record else 1
        record = umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))
    assert record is not None
    return record


def last(record: Record) -> Ruling:
    ruling = record.rulings[-1]
    assert ruling is not None
    return ruling


def ruled(*lines: str) -> Ruling:
    return last(written(*lines))


def triangles(*lines: str, options: str = "") -> Ruling:
    return ruled(f"{TRIANGLES} opening=any {options}", *BEGUN, *lines)


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


# --- openings -------------------------------------------------------------------------------------------

OPENED = (TRIANGLES, "begin", "A lays 4-4-4 at 0,0,U", "B lays 4-4-5 at 0,0,D", "C lays 4-5-5 at 1,0,U")


def test_a_wrong_opener_loses_the_bonus_once_it_is_proven() -> None:
    ruling = ruled(*OPENED, "A lays 0-4-4 at 0,-1,D", "B lays 5-5-5 at 1,0,D")
    assert ruling.proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("5-5-5",)),)
    assert (ruling.points(0), ruling.points(1)) == (-10, 15)
    assert ruled(*OPENED, "A lays 0-4-4 at 0,-1,D", "B draws 1", "B lays 5-5-5 at 1,0,D").proven == ()


def test_a_wrong_opener_before_the_second_play_is_undone() -> None:
    record = written(TRIANGLES, "begin", "A lays 4-4-4 at 0,0,U", "undo 3", "B lays 5-5-5 at 0,0,U")
    assert record.state.scores == (0, 25, 0)


def test_a_round_of_a_wrong_opener_is_replayed_where_the_house_says_so() -> None:
    first = f"{TRIANGLES} wrong_opener_remedy=replay"
    ruling = ruled(first, *OPENED[1:], "A lays 0-4-4 at 0,-1,D", "B lays 5-5-5 at 1,0,D")
    assert (ruling.state.phase, ruling.state.scores, ruling.state.layout) == (Phase.DEAL, (0, 0, 0), ())
    assert sum(award.points for award in ruling.awards) == -(22 + 8 + 13 + 14)


UK = ("match uk-tridomino A=Ana B=Bo", "begin", "A lays 0-0-0 at 0,0,U")


@pytest.mark.parametrize("action", ["B lays 0-0-1 at 0,0,D", "B draws 1"])
def test_0_0_0_opened_with_an_unshown_triple_loses_the_extra_thirty_when_play_goes_on(action: str) -> None:
    ruling = ruled(*UK, action)
    assert ruling.proven == (Proof(Reason.TRIPLE_NOT_SHOWN, 0, 3, ("0-0-0",)),)
    assert ruling.state.scores[0] == 10
    pressman = ruled("match official-pressman A=Ana B=Bo", *UK[1:], action)
    assert pressman.state.scores[0] == 10
    assert ruled("match ro-trimino/manufacturer A=Ana B=Bo", *UK[1:], action).state.scores[0] == 40


@pytest.mark.parametrize("shown", ["A exposes 5-5-5", "A announces 4-4-4", "A announces 0-0-0"])
def test_0_0_0_opened_keeps_its_forty_when_the_triple_is_shown_or_named_in_time(shown: str) -> None:
    assert ruled(*UK, shown, "B lays 0-0-1 at 0,0,D").state.scores == (40, 1)
    assert ruled(*UK, "B lays 0-0-1 at 0,0,D", "A announces 4-4-4").reason is Reason.NOT_NOW


def test_0_0_0_opened_against_a_named_triple_that_nobody_can_beat_is_refused() -> None:
    lines = ("match uk-tridomino A=Ana B=Bo", "B announces 5-5-5", "begin", "A lays 0-0-0 at 0,0,U")
    assert ruled(*lines).reason is Reason.WRONG_OPENER


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


def test_a_pass_claims_nothing_where_passing_is_free() -> None:
    free = (DOMINOES[0] + " voluntary_pass=yes", *FALSE_PASS[1:], "C lays 3-6 at left")
    assert ruled(*free).proven == ()


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


def test_a_wrong_deal_is_put_right_before_the_first_play_and_voids_the_round_later() -> None:
    wrong = ruled(TRIANGLES, "A holds 8")
    assert wrong.reason is Reason.WRONG_DEAL
    assert ruled(TRIANGLES, "begin", "A holds 8").reason is Reason.WRONG_DEAL
    assert ruled(TRIANGLES, "A holds 7").reason is Reason.OK_RECOUNT
    assert triangles("redeal").state.phase is Phase.DEAL


def test_a_tile_missing_is_reported_and_the_round_stands() -> None:
    assert triangles("stock 35").proven == ()
    ruling = triangles("stock 34")
    assert ruling.proven == (Proof(Reason.TILE_COUNT_WRONG, -1, None, ("56", "55")),)
    assert ruling.state.phase is Phase.PLAY


def test_a_tile_missing_voids_the_round_where_the_house_says_so() -> None:
    ruling = triangles("stock 34", options="tile_missing_remedy=void")
    assert (ruling.state.phase, ruling.state.scores) == (Phase.DEAL, (0, 0, 0))


# --- blocks and hands -----------------------------------------------------------------------------------


def test_a_premature_fish_call_is_rejected_and_play_goes_on() -> None:
    assert ruled(*DOMINOES, "C calls block").reason is Reason.NOT_BLOCKED
    assert triangles("B calls block").reason is Reason.NOT_BLOCKED


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
