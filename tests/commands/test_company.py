"""The demo's people keep in step with what the referee has booked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from display.link import Link
from referee import people as players
from referee import umpire
from referee.commands.company import Company
from referee.config import Places
from referee.moves import Announce, Begin, Draw, LineSpot, Place
from referee.tiles import Tile
from referee.umpire import Act, Entry, Match
from referee.wire import Answer, Option, Outlook, Question, Ruled, View

MOVE = Place(0, Tile((1, 2)), LineSpot("left", 2))


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    with Link(Places(tmp_path / "state", tmp_path / "run").make(), "people") as link:
        people = Company(link, direct=lambda direction: None, seed=1)
        people._hands = [[MOVE.tile]]
        yield people


def test_a_tile_entered_by_hand_leaves_the_hand_only_once_it_is_booked(company: Company) -> None:
    company._enter(MOVE)
    company._answered(Answer("1", "stale"))
    assert company._hands == [[MOVE.tile]]
    company._enter(MOVE)
    company._answered(Answer("2", "done"))
    assert company._hands == [[]]


def test_people_who_change_more_than_one_entry_say_that_they_mean_it(company: Company) -> None:
    said: list[tuple[str, object]] = []
    company._link.order = lambda line, about=None: said.append((line, about)) or "2"  # type: ignore[method-assign,func-returns-value]  # listens in
    asked = Answer("1", "confirm", "reaches-far", outlook=Outlook("undo! 4", (), 0, (), ()))
    company._answered(asked)
    assert said == [("undo! 4", asked)]
    assert company._waiting == "2"
    about = Ruled(5, 0, "A draws 1", "out-of-turn", False)
    question = Question("e5", "no-longer-stands", (Option("undo 5", "take-out"),), None, about)
    company._do_next(View(epoch="one", seq=8, questions=(question,)))
    assert said[1] == ("undo 5", None)


def test_people_look_at_what_became_of_their_word_before_the_next(company: Company) -> None:
    company._answered(Answer("1", "done", epoch="one", seq=7))
    assert not company._is_new(View(epoch="one", seq=6))
    assert company._is_new(View(epoch="one", seq=7))
    assert company._is_new(View(epoch="two", seq=1))


def test_people_whom_nothing_is_accepted_from_are_at_a_loss(company: Company) -> None:
    for _ in range(5):
        assert not company.at_a_loss
        company._answered(Answer("1", "refused", "hand-count-wrong"))
    assert company.at_a_loss
    company._answered(Answer("1", "done"))
    assert not company.at_a_loss


def test_fixed_where_nobody_can_open_people_draw_in_turn_until_one_can() -> None:
    match = Match("cs-triomino", ("Ana", "Bo"))
    record = umpire.append(None, Entry(1, 0, "test", None, match, umpire.judge(None, match).reason))

    def say(act: Act) -> None:
        nonlocal record
        ruling = umpire.judge(record, act)
        assert ruling.is_legal
        record = umpire.append(record, Entry(len(record.entries) + 1, 0, "test", None, act, ruling.reason))

    without = Announce(0, Tile((1, 5, 5))), Announce(1, Tile((4, 5, 5)))
    for act in (Begin(), *without):
        say(act)
    assert record.state.turn is None
    for expected in (0, 1):
        assert players.drawing_to_open(record.state) == expected
        say(Draw(expected))
    say(Announce(0, Tile((2, 2, 2))))
    say(without[1])
    assert record.state.turn == 0
