"""Moon at the table: the lot, what is shown, and what the recorded matches hold."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from display.sentences import AWARDS, TRICKS, Words
from referee import wire
from referee.games import moon
from referee.journal import Journal
from referee.moves import Begin, FirstBidder
from referee.rulings import Reason
from referee.table import Table
from referee.trick import Why
from referee.umpire import Match

RECORDS = Path(__file__).parent.parent / "records"


class Dark:
    """Neither buzzer nor lamp."""

    status = "ok"

    def buzz(self) -> None:
        """Sound nothing."""

    def led(self, on: bool) -> None:
        """Light nothing."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite3")
    yield journal
    journal.close()


def seated(journal: Journal, seed: int = 1) -> Table:
    table = Table(journal, Dark(), "one", chance=random.Random(seed))
    table.begin(Match("kk-moon", ("Ana", "Bo", "Cy")))
    return table


def say(table: Table, *lines: str) -> wire.View:
    for line in lines:
        view = table.view
        order = wire.Order(id=f"{view.seq} {line}", epoch=view.epoch, seq=view.seq, by="screen", line=line)
        answer = table.order(order)
        assert answer.status == "done", (line, answer)
    return table.view


def test_the_first_bidder_is_drawn_when_play_begins_and_written_down(journal: Journal) -> None:
    table = seated(journal)
    view = say(table, "begin")
    entry = journal.entries()[-1]
    assert (entry.by, entry.reason) == ("referee", Reason.OK_FIRST_BIDDER)
    assert isinstance(entry.what, FirstBidder)
    assert view.turn == entry.what.seat


def test_the_lot_is_the_chance_that_was_passed_in(tmp_path: Path) -> None:
    drawn = set()
    for seed in range(12):
        journal = Journal(tmp_path / f"{seed}.sqlite3")
        drawn.add((say(seated(journal, seed), "begin").turn, random.Random(seed).choice((0, 1, 2))))
        journal.close()
    assert drawn == {(0, 0), (1, 1), (2, 2)}


def test_a_lot_that_is_undone_is_not_drawn_again_and_the_people_decide(journal: Journal) -> None:
    table = seated(journal)
    number = len(say(table, "begin").log) + 1
    view = say(table, f"undo {number}")
    assert view.turn is None
    assert "first" in view.actions
    assert say(table, "first bidder C").turn == 2


def test_a_first_bidder_who_was_set_by_hand_is_not_drawn(journal: Journal) -> None:
    view = say(seated(journal), "first bidder B", "begin")
    assert (view.turn, len(journal.entries())) == (1, 3)


def test_a_lot_that_could_not_be_drawn_before_a_restart_is_drawn_after_it(journal: Journal) -> None:
    journal.append(Match("kk-moon", ("Ana", "Bo", "Cy")), Reason.OK_MATCH, "screen", None)
    journal.append(Begin(), Reason.OK_BEGIN, "screen", None)
    table = Table(journal, Dark(), "two", chance=random.Random(1))
    assert table.view.turn == random.Random(1).choice((0, 1, 2))


def test_the_view_tells_the_auction_the_trumps_and_the_tricks(journal: Journal) -> None:
    table = seated(journal)
    view = say(table, "first bidder A", "begin")
    assert {"bids", "passes", "first"} <= set(view.actions)
    view = say(table, "A bids 5", "B passes")
    assert view.tricks is not None
    assert view.tricks.calls == (wire.Call(0, 5), wire.Call(1, 0))
    view = say(table, "C passes")
    assert (view.actions[0], view.seats[0].tiles, view.stock) == ("discards", 8, 0)
    assert say(table, "A discards hidden").actions[0] == "names"
    view = say(table, "A names 2", "A plays 6-6")
    assert view.tricks == wire.Tricks(
        step="tricks",
        first=0,
        calls=(wire.Call(0, 5), wire.Call(1, 0), wire.Call(2, 0)),
        bidder=0,
        bid=5,
        trump="2",
        taken=(0, 0, 0),
        trick=(wire.Played(0, "6-6"),),
        suit="6",
    )
    assert (view.actions[0], view.turn) == ("plays", 1)


def test_one_line_says_who_took_the_trick_and_why(journal: Journal) -> None:
    table = seated(journal)
    lines = ("A bids 5", "B passes", "C passes", "A discards hidden", "A names 2", "A plays 6-6", "B plays 1-2")
    view = say(table, "first bidder A", "begin", *lines)
    assert view.tricks is not None
    assert Words().trick(view.seats, view.tricks) == ""
    view = say(table, "C plays 5-6")
    assert view.tricks is not None
    assert (view.tricks.winner, view.tricks.why, view.tricks.taken) == (1, "highest-trump", (0, 1, 0))
    assert Words().trick(view.seats, view.tricks) == "Bo takes the trick: 1-2 is the highest trump"
    assert wire.decode(wire.encode(view), wire.View) == view


def test_every_way_to_take_a_trick_has_a_sentence() -> None:
    assert set(TRICKS) == {why.value for why in Why}


def test_the_recorded_matches_hold_every_reason_and_every_award_that_moon_can_give() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in RECORDS.glob("kk-moon-*.txt"))
    said = set(re.findall(r"# (?!over)([a-z-]+)", text)) | set(re.findall(r"proven ([a-z-]+)", text))
    assert {reason.value for reasons in moon.CLAUSES.values() for reason in reasons} <= said
    assert {"ok-undo", "ok-correct", "no-such-entry", "needs-confirming"} <= said
    awards = set(re.findall(r", [ABC] ([a-z_]+) [+-]\d", text))
    assert awards == {"bid", "moon", "tricks", "no_discard", "adjusted", "void"}
    assert awards <= set(AWARDS)
