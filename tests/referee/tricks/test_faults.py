"""Moon when it does not go as it should: every row of the table of irregularities that has to do with tricks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import notation, umpire
from referee.rulings import Award, Reason, Ruling
from referee.state import Phase
from referee.tricks import trick
from referee.tricks.trick import TrickState
from referee.umpire import Correct, Entry, Match, Record
from tests.referee.moonplay import after, auction, does, scored, started, tricks


def proofs(ruling: Ruling) -> list[tuple[Reason, int, tuple[str, ...]]]:
    return [(proof.reason, proof.seat, proof.evidence) for proof in ruling.proven]


def cited(ruling: Ruling) -> set[str]:
    return {cite.clause.removeprefix("kk-moon §") for cite in ruling.cites}


# --- a bid out of turn, too low, or a second one ----------------------------------------------------------


def test_a_bid_out_of_turn_is_void_and_the_seat_speaks_again_in_its_turn() -> None:
    state = auction()
    ruling = does(state, "B bids 5")
    assert (ruling.reason, ruling.state, cited(ruling)) == (Reason.OUT_OF_TURN, state, {"4.5"})
    assert after(state, "A bids 4", "B bids 6").bid == 6


def test_a_bid_out_of_turn_stands_when_nobody_objects_and_the_auction_goes_on_from_there() -> None:
    state = after(auction(), "turn B", "B bids 5")
    assert (state.turn, state.bid) == (2, 5)
    state = after(state, "C passes")
    assert state.turn == 0
    assert does(state, "A bids 5").reason is Reason.BID_TOO_LOW
    assert after(state, "A bids 6").bidder == 0


def test_the_turn_cannot_be_set_to_a_seat_that_has_called() -> None:
    state = after(auction(), "A bids 4")
    assert does(state, "turn A").reason is Reason.NOT_NOW


def test_a_bid_out_of_turn_can_count_as_a_pass_by_house_rule() -> None:
    state = auction(out_of_turn_bid="pass")
    ruling = does(state, "B bids 7")
    assert (ruling.reason, cited(ruling)) == (Reason.OK_FORCED_PASS, {"7.2.1"})
    state = after(state, "B bids 7", "A bids 4")
    assert (state.turn, state.bid) == (2, 4)
    assert does(state, "B bids 7").reason is Reason.OUT_OF_TURN


def test_a_bid_that_is_too_low_and_a_second_bid_are_refused() -> None:
    state = after(auction(), "A bids 5")
    assert does(state, "B bids 5").reason is Reason.BID_TOO_LOW
    assert does(state, "A bids 6").reason is Reason.OUT_OF_TURN


# --- the discard --------------------------------------------------------------------------------------------


def test_a_bidder_who_forgets_to_discard_is_stopped_before_the_first_lead() -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes")
    assert does(state, "A plays 6-6").reason is Reason.MUST_DISCARD
    ruling = does(tricks(), "A holds 8")
    assert (ruling.reason, cited(ruling)) == (Reason.MUST_DISCARD, {"4.7"})


def test_a_bidder_found_with_his_discard_after_the_first_lead_loses_his_bid() -> None:
    state = after(tricks("2"), "A plays 5-6")
    ruling = does(state, "A holds 7")
    assert proofs(ruling) == [(Reason.NO_DISCARD_PROVEN, 0, ("7",))]
    assert (ruling.state.hands[0], ruling.state.stock, ruling.state.phase) == (7, 0, Phase.PLAY)
    assert cited(ruling) == {"4.16", "7.2.4"}
    late = scored(4, "AAAABBC")
    assert late.points(0) == 4
    assert isinstance(late.state, TrickState)
    found = does(late.state, "A holds 1")
    assert (found.awards, found.state.scores) == ((Award(0, "no_discard", -8),), (-4, 2, 1))


def test_a_discard_found_after_the_last_deal_takes_the_match_back() -> None:
    ruling = scored(4, "AAAABBC", (18, 0, 0))
    assert ruling.state.phase is Phase.OVER
    assert isinstance(ruling.state, TrickState)
    found = does(ruling.state, "A holds 1")
    assert (found.state.phase, found.state.ranking, found.state.scores) == (Phase.CLEARING, (), (14, 2, 1))
    assert does(ruling.state, "B holds 1").reason is Reason.HAND_COUNT_WRONG
    assert does(ruling.state, "B holds 0").reason is Reason.NOT_NOW


# --- a tile played out of turn ------------------------------------------------------------------------------


def test_a_lead_out_of_turn_is_taken_back() -> None:
    ruling = does(tricks("6"), "B plays 2-4")
    assert (ruling.reason, cited(ruling)) == (Reason.OUT_OF_TURN, {"4.9"})


def test_a_lead_out_of_turn_stands_when_two_have_followed_and_its_player_has_led() -> None:
    state = after(tricks("6"), "B plays 2-4 overruled")
    assert state.turn == 2
    state = after(state, "C plays 1-4", "A plays 3-4")
    assert (state.won, state.turn) == ((0,), 0)


def test_a_tile_played_before_the_seat_to_move_stands_when_it_is_let_stand_and_that_seat_plays_last() -> None:
    state = after(tricks("6"), "A plays 2-4", "C plays 1-4 overruled")
    assert state.turn == 1
    assert after(state, "B plays 4-5").won == (1,)


def test_a_tile_let_stand_out_of_turn_still_proves_a_revoke() -> None:
    state = after(tricks("6"), "A plays 2-4", "C plays 1-3 overruled", "B plays 3-4", "B plays 5-5")
    assert proofs(does(state, "C plays 4-5")) == [(Reason.REVOKE_PROVEN, 2, ("4-5",))]


def test_nobody_plays_twice_to_a_trick_whatever_the_people_say() -> None:
    state = after(tricks("6"), "A plays 2-4")
    assert does(state, "A plays 3-4 overruled").reason is Reason.OUT_OF_TURN


def test_a_tile_played_out_of_turn_lies_open_and_must_be_played_by_house_rule() -> None:
    state = after(tricks("2", out_of_turn_remedy="stays_open"), "C exposes 4-6 laid", "A plays 5-6", "B plays 6-6")
    assert does(state, "C plays 3-6").reason is Reason.MUST_PLAY_EXPOSED
    assert does(state, "C plays 4-6").reason is Reason.OK_PLAY
    free = after(tricks("2"), "C exposes 4-6 laid", "A plays 5-6", "B plays 6-6")
    assert does(free, "C plays 3-6").reason is Reason.OK_PLAY


def test_an_open_tile_waits_until_it_follows_or_nothing_has_to_be_followed() -> None:
    state = after(tricks("2", out_of_turn_remedy="stays_open"), "C exposes 4-6 laid", "A plays 1-3", "B plays 1-1")
    assert does(state, "C plays 3-3").reason is Reason.OK_PLAY
    assert does(state, "C plays 5-5").reason is Reason.MUST_PLAY_EXPOSED


# --- revokes --------------------------------------------------------------------------------------------

REVOKED = ("A plays 5-6", "B plays 1-3", "C plays 1-6", "A plays 4-4")


def test_a_tile_that_does_not_follow_is_a_claim_until_a_hidden_tile_proves_it_false() -> None:
    state = after(tricks("2"), "A plays 5-6")
    ruling = does(state, "B plays 1-3")
    assert (ruling.reason, ruling.proven) == (Reason.OK_PLAY, ())
    ruling = does(after(state, "B plays 1-3", "C plays 1-6", "A plays 4-4"), "B plays 4-6")
    assert [(proof.reason, proof.seat, proof.evidence) for proof in ruling.proven] == [
        (Reason.REVOKE_PROVEN, 1, ("4-6",))
    ]


def test_with_other_trumps_the_same_tiles_prove_nothing() -> None:
    assert does(after(tricks("4"), *REVOKED), "B plays 4-6").proven == ()


def test_a_revoke_of_another_stops_the_deal_and_the_bidder_is_credited_with_his_bid() -> None:
    ruling = does(after(tricks("2"), *REVOKED), "B plays 4-6")
    assert (ruling.state.phase, ruling.awards) == (Phase.CLEARING, (Award(0, "bid", 4),))


def test_the_tricks_of_the_seat_that_revoked_score_nothing_and_those_of_the_third_do() -> None:
    state = after(tricks("2"), "A plays 1-1", "B plays 3-3", "C plays 1-6", "A plays 3-4", "B plays 4-5", "C plays 4-4")
    state = after(state, "C plays 5-5", "A plays 3-5", "B plays 2-3")
    assert state.won == (0, 2, 1)
    ruling = does(state, "B plays 1-4")
    assert ruling.awards == (Award(0, "bid", 4), Award(2, "tricks", 1))


def test_a_bidder_who_has_revoked_loses_his_bid() -> None:
    state = after(tricks("2"), "A plays 3-3", "B plays 3-6", "C plays 3-5", "A plays 4-5", "B plays 5-5")
    state = after(state, "C plays 5-6", "B plays 6-6", "C plays 1-6", "A plays 4-4")
    ruling = does(after(state, "B plays 1-1", "C plays 1-4"), "A plays 4-6")
    assert ruling.proven[0].seat == 0
    assert Award(0, "bid", -4) in ruling.awards
    assert Award(1, "tricks", 3) in ruling.awards


def test_a_revoke_can_be_reported_only_and_is_reported_once() -> None:
    state = after(tricks("2", revoke_remedy="report"), *REVOKED)
    ruling = does(state, "B plays 4-6")
    assert (len(ruling.proven), ruling.state.phase, ruling.awards) == (1, Phase.PLAY, ())
    state = after(state, "B plays 4-6", "C plays 3-4", "A plays 1-1")
    assert does(state, "B plays 3-6").proven == ()


def test_a_revoke_can_have_the_tiles_dealt_again() -> None:
    ruling = does(after(tricks("2", revoke_remedy="replay"), *REVOKED), "B plays 4-6")
    assert (ruling.state.phase, ruling.awards, ruling.state.turn) == (Phase.DEAL, (), 1)
    assert ruling.proven[0].reason is Reason.REVOKE_PROVEN


def test_a_revoke_that_shows_before_the_next_lead_stops_nothing_and_can_be_put_right() -> None:
    state = after(tricks("2"), "A plays 5-6", "B plays 1-3")
    ruling = does(state, "B exposes 4-6")
    assert proofs(ruling) == [(Reason.REVOKE_PROVEN, 1, ("4-6",))]
    state = after(state, "B exposes 4-6")
    assert trick.open_revokes(state) == ruling.proven
    state = after(state, "C plays 1-6")
    assert (state.phase, trick.open_revokes(state)) == (Phase.PLAY, ruling.proven)
    led = does(state, "A plays 4-4")
    assert (led.state.phase, led.proven, led.awards) == (Phase.CLEARING, (), (Award(0, "bid", 4),))


def test_the_last_of_a_trick_can_put_a_revoke_right_until_the_next_trick_is_led() -> None:
    state = after(tricks("2"), "A plays 5-6", "B plays 1-6", "C plays 1-3")
    ruling = does(state, "C exposes 4-6")
    assert (proofs(ruling), ruling.state.phase) == ([(Reason.REVOKE_PROVEN, 2, ("4-6",))], Phase.PLAY)
    assert does(after(state, "C exposes 4-6"), "A plays 4-4").state.phase is Phase.CLEARING


def journal(*lines: str) -> Record:
    record = umpire.append(None, Entry(1, 0, "people", None, Match("kk-moon", ("Ana", "Bo", "Cy")), Reason.OK_MATCH))
    for line in lines:
        act = notation.parse(line)
        reason = umpire.judge(record, act).reason
        assert reason.is_legal, (line, reason)
        record = umpire.append(record, Entry(len(record.entries) + 1, 0, "people", None, act, reason))
    return record


TO_THE_LEAD = ("begin", "first bidder A", "A bids 4", "B passes", "C passes", "A discards hidden", "A names 2")


def test_a_revoke_in_the_open_trick_is_corrected_and_those_who_followed_may_change_their_tiles() -> None:
    lines = ("A plays 5-6", "B plays 1-3", "C plays 1-6", "B exposes 4-6", "correct 10: B plays 4-6")
    record = journal(*TO_THE_LEAD, *lines)
    assert isinstance(record.state, TrickState)
    assert trick.open_revokes(record.state) == ()
    assert [ruling.reason for ruling in record.rulings[8:] if ruling] == [
        *(Reason.OK_PLAY, Reason.OK_PLAY, Reason.OK_PLAY, Reason.OK_EXPOSE, Reason.OK_CORRECT)
    ]
    record = journal(*TO_THE_LEAD, *lines, "correct 11: C plays 6-6", "C plays 1-1")
    assert isinstance(record.state, TrickState)
    assert (record.state.won, record.state.phase) == ((2,), Phase.PLAY)


def test_a_correction_of_a_revoke_asks_nothing_about_the_tile_that_proved_it() -> None:
    record = journal(*TO_THE_LEAD, "A plays 5-6", "B plays 1-3", "B exposes 4-6")
    act = notation.parse("correct 10: B plays 4-6")
    assert isinstance(act, Correct)
    assert [each for each in umpire.consequences(record, act) if each.is_question] == []


def test_fixed_two_tiles_seen_at_once_prove_a_revoke_only_once() -> None:
    state = after(tricks("2", revoke_remedy="report"), "A plays 5-6", "B plays 1-3", "B exposes 4-6")
    assert does(state, "B exposes 1-6").proven == ()


STOPPED = ("A plays 5-6", "B plays 1-3", "C plays 3-3", "A plays 4-4", "B plays 4-6")


def test_hands_shown_after_a_deal_was_stopped_decide_what_was_still_open() -> None:
    state = after(tricks("2"), *STOPPED)
    assert (state.phase, state.scores) == (Phase.CLEARING, (4, 0, 0))
    ruling = does(state, "C shows 0-0 1-1 1-2 2-2 2-3 3-6")
    assert (proofs(ruling), ruling.awards) == ([(Reason.REVOKE_PROVEN, 2, ("3-6",))], ())
    assert does(state, "C shows 0-0 1-1 1-2 2-2 2-3 5-5").proven == ()


def test_a_revoke_that_the_shown_hand_of_the_bidder_proves_takes_his_bid_back() -> None:
    state = after(tricks("2"), "A plays 5-6", "B plays 6-6", "C plays 1-6", "B plays 3-3", "C plays 3-4", "A plays 1-1")
    state = after(state, "B plays 5-5", "C plays 2-2", "A plays 4-5", "C plays 3-5")
    assert (state.phase, state.scores) == (Phase.CLEARING, (4, 2, 0))
    ruling = does(state, "A shows 1-2 1-3 4-4 4-6")
    assert (proofs(ruling), ruling.awards) == ([(Reason.REVOKE_PROVEN, 0, ("1-3",))], (Award(0, "revoke", -8),))
    assert ruling.state.scores == (-4, 2, 0)


def test_a_revoke_that_a_shown_hand_proves_can_take_a_match_back() -> None:
    start = replace(tricks("2"), scores=(18, 0, 0), carried=(18, 0, 0))
    state = after(start, "A plays 5-6", "B plays 6-6", "C plays 1-6", "B plays 3-3", "C plays 3-4", "A plays 1-1")
    state = after(state, "B plays 5-5", "C plays 2-2", "A plays 4-5", "C plays 3-5")
    assert (state.phase, state.ranking) == (Phase.OVER, ((0,), (1,), (2,)))
    state = after(state, "A shows 1-2 1-3 4-4 4-6")
    assert (state.phase, state.scores, state.ranking) == (Phase.CLEARING, (14, 2, 0), ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("C shows 0-0 1-1", Reason.HAND_COUNT_WRONG),
        ("C shows 0-0 1-1 1-2 2-2 2-3 0-6", Reason.NO_SUCH_TILE),
        ("C shows 0-0 1-1 1-2 2-2 2-3 3-3", Reason.TILE_ALREADY_PLAYED),
        ("C shows 0-0 1-1 1-2 2-2 2-3 2-3", Reason.TILE_ALREADY_PLAYED),
        ("C shows 0-0 1-1 1-2 2-2 2-3 1-5", Reason.NOT_IN_HAND),
        ("C shows 1-1 1-2 2-2 2-3 3-6 5-5", Reason.OK_SHOW_HAND),
    ],
)
def test_a_hand_counts_only_when_it_agrees_with_table_discard_and_number(line: str, reason: Reason) -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes", "A discards 1-5", "A names 2", *STOPPED)
    assert does(state, line).reason is reason
    assert does(after(state, "C shows 1-1 1-2 2-2 2-3 3-6 5-5"), line).reason is Reason.NOT_NOW


def test_no_hand_is_shown_while_tricks_are_played_or_when_it_is_empty() -> None:
    assert does(tricks(), "A shows 1-2").reason is Reason.NOT_NOW
    ended = scored(4, "AAAABBC").state
    assert isinstance(ended, TrickState)
    assert does(ended, "A shows nothing").reason is Reason.NOT_NOW


def test_a_tile_seen_before_a_hidden_discard_proves_nothing_later() -> None:
    state = after(auction(), "A bids 4", "B passes", "C passes", "A exposes 4-6", "A discards hidden", "A names 2")
    state = after(state, "A plays 3-3", "B plays 2-2", "C plays 3-4", "B plays 5-6", "C plays 1-6")
    assert does(state, "A plays 1-1").proven == ()


# --- irregularities -------------------------------------------------------------------------------------


def test_an_open_tile_must_be_played_at_the_first_chance_by_house_rule() -> None:
    state = after(tricks("2", exposed_tile_remedy="must_play"), "B exposes 4-6", "A plays 5-6")
    assert does(state, "B plays 6-6").reason is Reason.MUST_PLAY_EXPOSED
    assert does(state, "B plays 4-6").reason is Reason.OK_PLAY
    free = after(tricks("2"), "B exposes 4-6", "A plays 5-6")
    assert does(free, "B plays 6-6").reason is Reason.OK_PLAY


def test_a_wrong_hand_is_put_right_before_the_lead_and_voids_the_deal_after_it() -> None:
    assert does(tricks(), "B holds 8").reason is Reason.WRONG_DEAL
    ruling = does(after(tricks(), "A plays 5-5"), "B holds 6")
    assert (ruling.reason, ruling.state.phase) == (Reason.OK_RECOUNT, Phase.DEAL)
    assert [proof.reason for proof in ruling.proven] == [Reason.TILE_COUNT_WRONG]


@pytest.mark.parametrize(("remedy", "phase"), [("report", Phase.PLAY), ("void", Phase.DEAL)])
def test_a_missing_centre_tile_is_reported_or_voids_the_deal(remedy: str, phase: Phase) -> None:
    ruling = does(tricks(tile_missing_remedy=remedy), "stock 0")
    assert (ruling.proven[0].reason, ruling.state.phase) == (Reason.TILE_COUNT_WRONG, phase)


def test_fixed_a_tile_missed_after_the_last_trick_takes_the_score_of_the_deal_back_where_that_is_the_rule() -> None:
    played = scored(4, "AAAABBC", (1, 2, 3), tile_missing_remedy="void").state
    assert (played.phase, played.scores) == (Phase.CLEARING, (5, 4, 4))
    ruling = does(played, "stock 0")  # type: ignore[arg-type]  # a deal of tricks
    assert [proof.reason for proof in ruling.proven] == [Reason.TILE_COUNT_WRONG]
    assert ruling.awards == (Award(0, "void", -4), Award(1, "void", -2), Award(2, "void", -1))
    assert (ruling.state.phase, ruling.state.round) == (Phase.DEAL, 1)
    assert (ruling.state.scores, ruling.state.round_winner) == ((1, 2, 3), None)
    right = does(played, "stock 1")  # type: ignore[arg-type]  # a deal of tricks
    assert (right.awards, right.state) == ((), played)
    reported = does(scored(4, "AAAABBC", (1, 2, 3)).state, "stock 0")  # type: ignore[arg-type]  # a deal of tricks
    assert (reported.state.phase, reported.state.scores) == (Phase.CLEARING, (5, 4, 4))


def test_fixed_a_tile_missed_after_the_last_deal_takes_the_match_back_where_that_is_the_rule() -> None:
    played = scored(4, "AAAABBC", (18, 0, 0), tile_missing_remedy="void").state
    assert played.phase is Phase.OVER
    ruling = does(played, "stock 0")  # type: ignore[arg-type]  # a deal of tricks
    assert (ruling.state.phase, ruling.state.scores, ruling.state.ranking) == (Phase.DEAL, (18, 0, 0), ())


def test_fixed_the_winner_of_a_deal_that_does_not_count_is_forgotten() -> None:
    won = after(scored(4, "AAAABBC").state, "clear", "begin", "redeal")  # type: ignore[arg-type]  # a deal of tricks
    assert won.round_winner == 0
    lost = scored(4, "AAABBBC", tile_missing_remedy="void").state
    assert after(lost, "stock 0").round_winner == lost.last_winner  # type: ignore[arg-type]  # a deal of tricks


def test_the_tiles_are_dealt_again_when_somebody_has_looked_at_the_centre_tile() -> None:
    ruling = does(after(auction(), "A bids 4", "B gets 3"), "redeal")
    assert (ruling.state.phase, ruling.state.turn) == (Phase.DEAL, 1)
    assert (ruling.awards, ruling.state.scores) == ((Award(1, "void", -3),), (0, 0, 0))


def test_the_turn_can_be_set_to_a_seat_that_has_not_played_to_the_trick() -> None:
    state = after(tricks(), "A plays 5-5")
    assert does(state, "turn A").reason is Reason.NOT_NOW
    assert after(state, "turn C").turn == 2


def test_the_turn_can_be_set_while_tricks_are_played_but_not_between_deals() -> None:
    assert does(started(), "turn B").reason is Reason.NOT_NOW


@pytest.mark.parametrize("line", ["B holds 8", "B holds 6"])
def test_a_wrong_deal_is_put_right_with_the_tiles_themselves_before_the_first_lead(line: str) -> None:
    for state in (started(), auction(), tricks()):
        ruling = does(state, line)
        assert (ruling.reason, cited(ruling)) == (Reason.WRONG_DEAL, {"7.2.5"})
        assert after(state, "B holds 7") == state


def test_a_number_of_tiles_that_there_cannot_be_is_a_miscount() -> None:
    assert does(after(tricks(), "A plays 5-5"), "B holds 23").reason is Reason.HAND_COUNT_WRONG


def test_a_tile_that_is_there_twice_or_not_in_the_set_cannot_be_let_stand_but_the_deal_can_be_played_again() -> None:
    state = after(tricks(), "A plays 5-5")
    assert does(state, "B plays 5-5 overruled").reason is Reason.TILE_ALREADY_PLAYED
    assert does(state, "B plays 0-5 overruled").reason is Reason.NO_SUCH_TILE
    assert after(state, "redeal").phase is Phase.DEAL
