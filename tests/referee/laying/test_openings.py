"""Openings: who may open with what, what is undone before the second play, and what is withdrawn later."""

from __future__ import annotations

import pytest

from referee.games import game
from referee.placements import legal_placements, listing
from referee.rulings import Award, Proof, Reason
from referee.state import Phase
from tests.referee.entering import TRIANGLES, last, ruled, written

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


# --- before the second play ---------------------------------------------------------------------------------


@pytest.mark.parametrize("says", ["B announces 5-5-5", "B exposes 5-5-5"])
def test_a_wrong_opening_is_undone_before_the_second_play_and_goes_to_the_true_holder(says: str) -> None:
    record = written(TRIANGLES, "begin", "A lays 4-4-4 at 0,0,U", says)
    ruling, state = last(record), record.state
    assert ruling.proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("5-5-5",)),)
    assert ruling.awards == (Award(0, "tile", -12), Award(0, "opening", -10))
    assert (state.scores, state.hands, state.layout, state.bonus) == ((0, 0, 0), (7, 7, 7), (), 0)
    assert ruled(*OPENED[:3], says, "A lays 4-4-4 at 0,0,U").reason is Reason.WRONG_OPENER
    assert written("B lays 5-5-5 at 0,0,U", record=record).state.scores == (0, 25, 0)


def test_a_wrong_opening_found_after_somebody_has_acted_stands_without_its_bonus() -> None:
    for acted in ("B draws 1", "B lays 4-4-5 at 0,0,D"):
        ruling = ruled(*OPENED[:3], acted, "C exposes 5-5-5")
        assert (ruling.state.scores[0], len(ruling.state.layout)) == (12, 2 if "lays" in acted else 1)
        assert ruled(*OPENED[:3], acted, "C announces 5-5-5").reason is Reason.NOT_NOW


def test_who_opened_with_a_lower_tile_than_he_has_opens_again() -> None:
    record = written(*OPENED[:3], "A announces 5-5-5")
    assert last(record).proven == (Proof(Reason.WRONG_OPENING_TILE, 0, 3, ("5-5-5",)),)
    assert written("A lays 5-5-5 at 0,0,U", record=record).state.scores == (25, 0, 0)


def test_naming_a_lower_tile_after_the_opening_changes_nothing() -> None:
    record = written(*OPENED[:3], "B announces 3-3-3", "C announces nothing")
    assert (record.state.scores, last(record).proven) == ((22, 0, 0), ())


def test_when_all_have_named_their_tiles_the_turn_goes_to_the_holder_of_the_best() -> None:
    state = written(*OPENED[:3], "A announces 2-2-2", "C announces nothing", "B announces 5-5-5").state
    assert (state.layout, state.turn) == ((), 1)


@pytest.mark.parametrize("preset", ["uk-tridomino", "official-pressman", "ro-trimino/manufacturer"])
def test_0_0_0_by_choice_against_a_named_triple_waits_for_the_opener_to_show_his_own(preset: str) -> None:
    opened = (f"match {preset} A=Ana B=Bo", *UK[1:], "B announces 4-4-4")
    assert ruled(*opened).proven == ()
    shown = written(*opened, "A announces 5-5-5")
    assert (shown.state.scores, last(shown).proven) == ((40, 0), ())
    for said in ("A announces nothing", "A announces 0-0-0", "A announces 3-3-3"):
        undone = written(*opened, said)
        assert last(undone).proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("4-4-4",)),)
        assert (undone.state.scores, undone.state.turn) == ((0, 0), 1)


def test_a_low_tile_that_was_seen_says_nothing_of_the_triple_that_its_player_may_hold() -> None:
    opened = ("match ro-trimino/manufacturer A=Ana B=Bo", *UK[1:], "A exposes 0-1-2", "B announces 4-4-4")
    assert ruled(*opened).proven == ()
    assert ruled(*opened, "A announces 5-5-5").state.scores == (40, 0)


def test_0_0_0_by_choice_against_the_highest_triple_of_all_is_undone_at_once() -> None:
    assert ruled(*UK, "B announces 5-5-5").proven[0].reason is Reason.WRONG_OPENER_PROVEN


def test_0_0_0_not_shown_for_goes_to_the_true_holder_or_loses_the_extra_thirty_when_play_has_gone_on() -> None:
    assert ruled(*UK, "B announces 4-4-4", "A announces nothing").state.scores == (0, 0)
    assert ruled(*UK, "B lays 0-0-1 at 0,0,D").state.scores == (10, 1)


def test_an_opening_that_the_people_let_stand_is_not_undone() -> None:
    record = written(TRIANGLES, "B announces 5-5-5", "begin", "A lays 4-4-4 at 0,0,U overruled", "B announces 5-5-5")
    assert (last(record).reason, len(record.state.layout)) == (Reason.NOT_NOW, 1)


def test_an_undone_opening_can_be_brought_back_by_undoing_what_undid_it() -> None:
    assert written(*OPENED[:3], "B announces 5-5-5", "undo 4").state.scores == (22, 0, 0)


# --- 0-0-0 by choice, proven later ----------------------------------------------------------------------------

ZERO = ("match ro-trimino/manufacturer A=Ana B=Bo hands=2:3", "begin", "A lays 0-0-0 at 0,0,U")


def test_0_0_0_by_choice_is_proven_wrong_as_soon_as_no_unseen_tile_outranks_the_rival() -> None:
    ruling = ruled(*ZERO, "B lays 0-0-5 at 0,0,D", "A lays 0-5-5 at 1,0,U", "B lays 5-5-5 at 1,0,D")
    assert ruling.proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("5-5-5",)),)
    assert ruling.points(0) == -40


FOURS = ("B lays 0-0-4 at 0,0,D", "A lays 0-4-4 at 1,0,U")


def test_0_0_0_by_choice_may_be_right_while_its_player_may_still_hold_a_higher_triple() -> None:
    record = written(*ZERO, *FOURS, "B lays 4-4-4 at 1,0,D")
    assert last(record).proven == ()
    ended = written("A draws 1", "A lays 4-4-5 at 1,1,U", record=record)
    assert last(ended).proven == ()


def test_0_0_0_by_choice_is_proven_wrong_when_its_player_has_shown_all_that_he_was_dealt() -> None:
    dealt_two = ("match ro-trimino/manufacturer A=Ana B=Bo hands=2:2", *ZERO[1:])
    ruling = ruled(*dealt_two, "B lays 0-0-4 at 0,0,D", "A draws 1", "A lays 0-4-4 at 1,0,U", "B lays 4-4-4 at 1,0,D")
    assert ruling.proven == ()  # he may have been dealt the hidden tile or 0-4-4
    exposed = ("A draws 1", "A exposes 1-2-3", "A lays 0-4-4 at 1,0,U", "B lays 4-4-4 at 1,0,D")
    assert ruled(*dealt_two, "B lays 0-0-4 at 0,0,D", *exposed).proven[0].evidence == ("4-4-4",)


def test_0_0_0_by_choice_is_proven_wrong_when_the_only_higher_triple_is_seen_in_the_stock() -> None:
    record = written(*ZERO, *FOURS, "B lays 4-4-4 at 1,0,D", "stock shows 5-5-5")
    assert last(record).proven == (Proof(Reason.WRONG_OPENER_PROVEN, 0, 3, ("4-4-4",)),)
    assert last(record).points(0) == -40
    later = written(*ZERO, "B lays 0-0-4 at 0,0,D", "A draws 1", "stock shows 5-5-5", "A lays 0-4-4 at 1,0,U")
    assert last(written("B lays 4-4-4 at 1,0,D", record=later)).proven[0].reason is Reason.WRONG_OPENER_PROVEN


def test_0_0_0_by_choice_was_right_when_its_player_shows_a_higher_triple_from_the_deal() -> None:
    record = written(*ZERO, FOURS[0], "A exposes 5-5-5", FOURS[1], "B lays 4-4-4 at 1,0,D")
    assert last(record).proven == ()
    drawn = written(*ZERO, FOURS[0], "stock shows 5-5-5", "A draws 1", "A exposes 5-5-5", FOURS[1], record=None)
    assert last(written("B lays 4-4-4 at 1,0,D", record=drawn)).proven[0].reason is Reason.WRONG_OPENER_PROVEN


# --- where only a triple opens --------------------------------------------------------------------------------

CZECH = ("match cs-triomino A=Ana B=Bo C=Cy", "begin")


def test_a_lap_of_draws_is_finished_before_the_opener_is_known() -> None:
    lap = (*CZECH, "B draws 1", "B announces 2-2-2")
    assert ruled(*lap, "B lays 2-2-2 at 0,0,U").reason is Reason.LAP_NOT_OVER
    full = written(*lap, "C draws 1", "A draws 1")
    assert last(written("B draws 1", record=full)).reason is Reason.DRAW_WHILE_ABLE
    opened = last(written("B lays 2-2-2 at 0,0,U", record=full))
    assert (opened.reason, opened.awards, opened.cites[0].clause) == (
        Reason.OK_OPENING,
        (Award(1, "tile", 6),),
        "cs-triomino §2.2.3",
    )


def test_of_two_triples_drawn_in_one_lap_the_higher_opens() -> None:
    lap = (*CZECH, "B draws 1", "B announces 2-2-2", "C draws 1", "C announces 4-4-4", "A draws 1")
    assert ruled(*lap, "B lays 2-2-2 at 0,0,U").reason is Reason.WRONG_OPENER
    assert ruled(*lap, "C lays 4-4-4 at 0,0,U").points(2) == 12
    named = written(*lap, "A announces nothing")
    assert named.state.turn == 2


def test_nobody_has_the_turn_while_others_still_draw_their_tile_of_the_lap() -> None:
    start = (CZECH[0], "A announces nothing", "B announces nothing", "C announces nothing", "begin")
    record = written(*start, "B draws 1", "B announces 2-2-2")
    assert record.state.turn is None
    assert written("C draws 1", "C announces nothing", "A draws 1", "A announces 3-3-3", record=record).state.turn == 0


def test_when_no_triple_turns_up_the_next_lap_begins_and_an_empty_stock_ends_it() -> None:
    assert ruled(*CZECH, "B draws 1", "C draws 1", "A draws 1", "B draws 1").reason is Reason.OK_DRAW
    all_but_one = ("match cs-triomino A=Ana B=Bo hands=2:28", "begin")
    assert ruled(*all_but_one, "A draws 1").reason is Reason.STOCK_EMPTY
    one_left = ("match cs-triomino A=Ana B=Bo C=Cy hands=3:18", "begin", "A draws 1", "A announces 1-1-1", "B draws 1")
    assert ruled(*one_left, "A lays 1-1-1 at 0,0,U").reason is Reason.OK_OPENING


def test_a_triple_drawn_before_the_opening_and_kept_back_proves_a_wrong_opener() -> None:
    lap = (*CZECH, "B draws 1", "C draws 1", "A draws 1", "B lays 2-2-2 at 0,0,U")
    assert ruled(*lap, "C lays 2-2-4 at 0,0,D", "A lays 2-4-4 at 1,0,U", "B lays 0-2-2 at 0,-1,D").proven == ()
    ruling = ruled(*lap, "C lays 2-2-4 at 0,0,D", "A lays 2-4-4 at 1,0,U", "C exposes 4-4-4")
    assert ruling.proven == (Proof(Reason.WRONG_OPENER_PROVEN, 1, 6, ("4-4-4",)),)


def test_a_round_is_played_again_after_a_wrong_opening_only_where_it_was_found_too_late_to_undo() -> None:
    first = f"{TRIANGLES} wrong_opener_remedy=replay"
    undone = ruled(first, *OPENED[1:3], "B exposes 5-5-5")
    assert (undone.state.phase, undone.state.round) == (Phase.PLAY, 1)


def test_during_a_lap_of_draws_no_tile_has_a_place_to_be_laid() -> None:
    lap = written(*CZECH, "B draws 1", "B announces 2-2-2").state
    assert legal_placements(lap, game(lap.game).tiles) == ()
    assert listing(lap, ["2-2-2", "B"]) == ()
    full = written(*CZECH, "B draws 1", "B announces 2-2-2", "C draws 1", "A draws 1").state
    assert listing(full, ["2-2-2", "B"]) == ("6 ok-opening B lays 2-2-2 at 0,0,U",)


def test_fixed_a_round_that_is_void_is_opened_again_by_whoever_opened_it_and_not_by_its_winner() -> None:
    won_by_a = ("A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 4-3-3 at 0,-1,D", "B shows 1-1-1", "clear")
    won_by_b = (*won_by_a[:2], "A draws 1", won_by_a[2], "B lays 3-1-3 at -1,0,D", "A shows 1-1-1")
    options = "opening=any next_opener=winner tile_missing_remedy=void hands=2:2"
    two = (f"match ro-trimino/manufacturer A=Ana B=Bo {options}", "begin", *won_by_a, "begin", *won_by_b)
    cleared = written(*two).state
    assert (cleared.phase, cleared.round, cleared.round_winner) == (Phase.CLEARING, 2, 1)
    void = ruled(*two, "stock 50").state
    assert (void.phase, void.round, void.turn, void.round_winner) == (Phase.DEAL, 2, 0, 0)
    assert written(*two, "clear").state.turn == 1


# --- who shows a tile instead of naming it --------------------------------------------------------------------

NAMED = ("A announces 3-3-3", "B announces nothing", "C announces nothing", "begin")


@pytest.mark.parametrize("laid", [(), ("A lays 3-3-3 at 0,0,U",)])
def test_fixed_who_shows_the_highest_triple_opens_though_he_had_named_none(laid: tuple[str, ...]) -> None:
    record = written(TRIANGLES, *NAMED, *laid, "C exposes 5-5-5")
    assert (record.state.layout, record.state.turn, record.state.scores) == ((), 2, (0, 0, 0))
    assert last(written("A lays 3-3-3 at 0,0,U", record=record)).reason is Reason.WRONG_OPENER
    assert written("C lays 5-5-5 at 0,0,U", record=record).state.scores == (0, 0, 25)


@pytest.mark.parametrize("laid", [(), ("A lays 6-6 at left",)])
def test_fixed_who_shows_0_0_opens_though_he_had_named_nothing(laid: tuple[str, ...]) -> None:
    named = ("match fr-domino A=Ana B=Bo C=Cy", "A announces 6-6", "B announces 5-5", "C announces nothing", "begin")
    record = written(*named, *laid, "C exposes 0-0")
    assert (record.state.layout, record.state.turn) == ((), 2)
    assert last(written("C lays 0-0 at left", record=record)).reason is Reason.OK_OPENING


def test_fixed_a_low_tile_that_is_shown_moves_the_opening_to_nobody_else() -> None:
    record = written(TRIANGLES, *NAMED, "C exposes 1-1-1", "B exposes 4-5-5")
    assert record.state.turn == 0
    assert last(written("A lays 3-3-3 at 0,0,U", record=record)).reason is Reason.OK_OPENING


def test_fixed_a_triple_that_all_have_seen_is_not_unsaid_by_naming_another_tile() -> None:
    record = written(TRIANGLES, "begin", "B exposes 5-5-5", "B announces 5-5-5", "B announces nothing")
    assert last(written("B lays 3-3-3 at 0,0,U", record=record)).reason is Reason.WRONG_OPENING_TILE
    assert last(written("A lays 3-3-3 at 0,0,U", record=record)).reason is Reason.WRONG_OPENER


def test_fixed_nobody_names_a_tile_for_which_a_hand_that_all_have_seen_has_no_room() -> None:
    one_each = ("match uk-tridomino A=Ana B=Bo hands=2:1", "begin", "A exposes 4-4-4")
    assert ruled(*one_each, "A announces 2-2-2").reason is Reason.NOT_IN_HAND
    assert ruled(*one_each, "A announces 4-4-4").reason is Reason.OK_ANNOUNCE


def test_fixed_a_last_tile_is_no_choice_for_one_that_its_player_does_not_hold() -> None:
    one_each = ("match ro-trimino/manufacturer A=Ana B=Bo hands=2:1", "B announces 4-4-4", "begin")
    assert ruled(*one_each, "A lays 0-0-0 at 0,0,U").reason is Reason.WRONG_OPENER
    assert ruled(f"{one_each[0][:-1]}2", *one_each[1:], "A lays 0-0-0 at 0,0,U").reason is Reason.OK_OPENING


# --- the opener's own higher tile, and what an opening rests on ------------------------------------------------


def test_fixed_an_opener_who_kept_back_a_higher_triple_loses_the_bonus_like_a_wrong_opener() -> None:
    lines = ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A exposes 5-5-5")
    ruling = ruled(TRIANGLES, *lines)
    assert ruling.proven == (Proof(Reason.WRONG_OPENING_TILE, 0, 3, ("5-5-5",)),)
    assert (ruling.awards, ruling.state.bonus) == ((Award(0, "opening", -10),), 0)
    replayed = ruled(f"{TRIANGLES} wrong_opener_remedy=replay", *lines)
    assert (replayed.state.phase, replayed.state.round, replayed.state.scores) == (Phase.DEAL, 1, (0, 0, 0))


def test_fixed_tiles_found_in_a_hand_do_not_close_the_time_in_which_an_opening_is_undone() -> None:
    ruling = ruled(*OPENED[:3], "A holds 7", "C announces 5-5-5")
    assert ruling.proven[0].reason is Reason.WRONG_OPENER_PROVEN


@pytest.mark.parametrize(
    ("lines", "paragraph"),
    [
        (("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A lays 3-3-3 at 0,0,U"), "2.1.4"),
        (("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A lays 0-0-0 at 0,0,U"), "2.1.5"),
        (("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A lays 4-5-5 at 0,0,U"), "2.1.6"),
        (("match uk-tridomino A=Ana B=Bo", "begin", "A lays 4-5-5 at 0,0,U"), "2.3.6"),
        (("match cs-triomino A=Ana B=Bo", "begin", "A draws 1"), "2.2.4"),
        (("match cs-triomino A=Ana B=Bo", "begin", "A lays 3-3-3 at 0,0,U", "B draws 1"), "2.2.7"),
        (("match ro-trimino/manufacturer A=Ana B=Bo opening=any", "begin", "A lays 4-5-5 at 0,0,U"), "2.1.4"),
    ],
)
def test_fixed_an_opening_and_a_draw_for_it_rest_on_the_paragraph_about_them(
    lines: tuple[str, ...], paragraph: str
) -> None:
    preset = lines[0].split()[1]
    assert ruled(*lines).cites[0].clause == f"{preset} §{paragraph}"


def test_fixed_a_tile_seen_in_an_opening_that_was_undone_was_in_the_hand_and_may_open_by_choice_later() -> None:
    undone = ("match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A lays 2-3-5 at 0,0,U", "B announces 2-2-2")
    record = written(*undone)
    assert record.state.layout == ()
    opened = written("A lays 0-0-0 at 0,0,U", record=record)
    assert (last(opened).reason, opened.state.scores) == (Reason.OK_OPENING, (40, 0))
