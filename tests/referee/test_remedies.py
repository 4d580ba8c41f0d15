"""What is offered when a move is refused, or when an opening or a count does not add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from display.pages import page
from display.widgets import Button
from referee import wire
from referee.journal import Journal
from referee.laying.lattice import Cell
from referee.moves import CellSpot
from referee.sighting import Reading
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import CLASHING, FIRST, FIRST_SPOT, PLAYED, Camera, Lamp, begun, beside, played, say


def test_a_dispute_offers_the_remedies_of_the_rules_with_what_they_earn(table: Table) -> None:
    view = begun(table).rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert [(option.line, option.what) for option in view.dispute.options] == [
        ("", "take-back"),
        (f"overrule {view.dispute.entry}", "stands"),
    ]
    assert view.dispute.options[1].awards == (wire.Award(1, "tile", 3),)


def test_once_the_next_player_has_acted_the_rules_let_the_tile_stand_first(table: Table) -> None:
    begun(table).rest(FIRST, CLASHING)
    view = played(table, "B draws 1", "turn A", "A draws 1")
    assert view.dispute is not None
    assert [option.what for option in view.dispute.options] == ["stands", "take-back"]


def test_a_tile_that_lies_open_from_now_on_is_no_dispute_and_moving_it_about_no_move(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    options = (("opening", "any"), ("out_of_turn_remedy", "stays_open"))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), options))
    camera = begun(table)
    assert camera.rest(FIRST, CLASHING).dispute is not None
    view = played(table, "A exposes 1-1-1 laid")
    assert (view.dispute, lamp.lit, lamp.buzzes) == (None, False, 1)
    assert [tile.status for tile in view.layout] == ["placed", "seen"]
    aside = replace(CLASHING, x_mm=500.0, y_mm=320.0)
    camera.rest(FIRST, aside)
    view = Camera(Table(journal, lamp, "two"), "new camera").rest(FIRST, aside)
    assert (view.dispute, view.questions, lamp.lit, lamp.buzzes) == (None, (), False, 1)
    journal.close()


def test_a_wrong_tile_that_costs_points_is_told_so_and_undoing_it_gives_them_back(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    options = (("opening", "any"), ("wrong_tile_penalty", "20"))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), options))
    view = begun(table).rest(FIRST, CLASHING)
    assert view.last is not None
    assert view.last.awards == (wire.Award(1, "wrong_tile", -20),)
    assert (view.seats[1].score, view.seats[1].round_points) == (-20, -20)
    assert view.dispute is not None
    assert [key.order for key in page(view).widgets if isinstance(key, Button) and "undo" in key.order] == ["undo 4"]
    view = played(table, f"undo {view.dispute.entry}")
    assert (view.seats[1].score, view.seats[1].round_points, view.dispute) == (0, 0, None)
    journal.close()


def test_a_match_of_so_many_rounds_has_no_target(path: Path, lamp: Lamp) -> None:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("fr-domino", ("Ana", "Bo"), (("rounds", "5"),)))
    assert (table.view.target, table.view.rounds) == (0, 5)
    assert any(getattr(widget, "text", "") == "Round 1 of 5" for widget in page(table.view).widgets)
    journal.close()


BID = ("first bidder A", "begin", "A bids 5", "B passes", "C passes", "A discards hidden", "A names 2", "A plays 6-6")


@pytest.fixture
def moon(path: Path, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(path)
    table = Table(journal, lamp, "one")
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
    played(table, *BID)
    yield table
    journal.close()


def test_a_refused_order_is_answered_with_what_the_rules_offer(moon: Table) -> None:
    answer = say(moon, "C plays 6-5")
    assert (answer.status, answer.reason) == ("refused", "out-of-turn")
    assert [(option.line, option.what) for option in answer.options] == [
        ("", "take-back"),
        ("C plays 5-6 overruled", "stands"),
    ]
    assert say(moon, "C shows 6-5").options == ()
    assert say(moon, answer.options[1].line).status == "done"


def test_a_tile_that_should_have_followed_suit_can_be_put_right_while_its_trick_lies_there(moon: Table) -> None:
    view = played(moon, "B plays 5-4")
    assert view.questions == (), "nothing is proven yet"
    view = played(moon, "B exposes 6-1")
    (question,) = view.questions
    assert (question.what, question.about and question.about.line) == ("open-revoke", "B plays 4-5")
    assert [(option.line, option.what) for option in question.options] == [
        (f"correct {view.log[-2].entry}: B plays 1-6", "put-right")
    ]
    asked = say(moon, question.options[0].line).outlook
    assert asked is not None, "the proof goes with it"
    assert [(each.before.proven[0].reason, each.after.proven) for each in asked.changes if each.before.proven] == [
        ("revoke-proven", ())
    ]
    view = played(moon, asked.line)
    assert view.questions == ()
    assert view.tricks is not None
    assert view.tricks.trick == (wire.Played(0, "6-6"), wire.Played(1, "1-6"))


@pytest.mark.parametrize(
    ("mirrored", "status", "name"), [("no", "doubt", "triomino-56"), ("yes", "placed", "triomino-76")]
)
def test_fixed_a_doubtful_reading_is_settled_by_the_set_that_the_house_rules_play_with(
    table: Table, mirrored: str, status: str, name: str
) -> None:
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("mirrored", mirrored), ("opening", "any"))))
    assert table.facts().set_id == name
    turned = beside(CellSpot(Cell(0, 0, "D"), (5, 3, 1)), (FIRST, FIRST_SPOT))
    readings = (Reading(turned.values, 0.55), Reading((0, 3, 5), 0.4))
    view = begun(table).rest(FIRST, replace(turned, confidence=0.55, readings=readings))
    assert [tile.status for tile in view.layout] == ["placed", status]


def test_fixed_whoever_opens_with_0_0_0_is_asked_for_his_triple_and_his_answer_is_an_order(table: Table) -> None:
    table.begin(Match("uk-tridomino", ("Ana", "Bo")))
    (question,) = played(table, "begin", "A lays 0-0-0 at 0,0,U").questions
    assert (question.id, question.what, question.about and question.about.reason) == ("o3", "show-triple", "ok-opening")
    assert [(option.line, option.what, option.tile, option.seat) for option in question.options[-2:]] == [
        ("A announces 1-1-1", "shows-triple", "1-1-1", 0),
        ("A announces 0-0-0", "is-highest", "0-0-0", 0),
    ]
    view = played(table, question.options[-1].line, "B draws 1")
    assert (view.questions, [seat.score for seat in view.seats]) == ((), [40, -5])


def test_fixed_a_hand_that_does_not_add_up_is_answered_with_what_it_may_mean(table: Table) -> None:
    options = (("hands", "2:2"), ("opening", "any"), ("wrong_deal_remedy", "report"))
    table.begin(Match("uk-tridomino", ("Ana", "Bo"), options))
    played(table, *PLAYED)
    answer = say(table, "B shows 1-1-2 1-1-3")
    assert (answer.status, answer.reason) == ("refused", "hand-count-wrong")
    assert [(option.line, option.what) for option in answer.options] == [
        *(("", "count-again"), ("B holds 2", "holds"), ("B dealt 3", "dealt"))
    ]
    assert answer.options[1].awards == (wire.Award(1, "draws", -5),)
    for empty in ("B shows nothing", "B holds 0"):
        answer = say(table, empty)
        assert (answer.status, answer.reason) == ("refused", "hand-count-wrong")
        assert [option.what for option in answer.options] == ["count-again", "missing", "dealt"]
    assert say(table, answer.options[1].line).status == "done"
    assert played(table, "B shows nothing").phase == "clearing"


def test_fixed_the_stock_can_be_counted_after_the_last_round_and_asks_before_it_voids_that(table: Table) -> None:
    options = (("hands", "2:2"), ("opening", "any"), ("target", "40"))
    for remedy, status in (("report", "done"), ("void", "refused")):
        match = Match("uk-tridomino", ("Ana", "Bo"), (*options, ("tile_missing_remedy", remedy)))
        table.begin(match)
        assert played(table, *PLAYED, "B shows 1-1-2").phase == "over"
        assert say(table, "stock 52").status == "done"
        answer = say(table, "stock 51")
        assert (answer.status, table.view.phase) == (status, "over")
    assert (answer.reason, [option.line for option in answer.options]) == ("needs-confirming", ["stock! 51"])
    view = played(table, "stock! 51")
    assert (view.phase, view.round, [seat.score for seat in view.seats]) == ("deal", 1, [0, 0])
    assert played(table, f"undo {view.log[-1].entry}").phase == "over"


def test_fixed_only_what_the_next_player_plays_draws_or_passes_goes_on_after_a_refused_tile(table: Table) -> None:
    begun(table).rest(FIRST, CLASHING)
    for line in ("A exposes 5-5-5", "A holds 8", "A gets 5", "A says 0 drawn"):
        view = played(table, line)
        assert view.dispute is not None
        assert view.dispute.options[0].what == "take-back"
