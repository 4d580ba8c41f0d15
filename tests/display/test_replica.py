"""The record, told again from the table's history."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.replica import Replica
from referee import notation, transcript, umpire
from referee.entries import Record
from referee.wire import Ruled, Told, View

RECORDS = Path(__file__).parent.parent / "records"


class Telling:
    """A table that tells its history, as long as it is not dumb, and counts how often it is asked."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.asked = 0
        self.is_dumb = False

    def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
        assert what == "history"
        self.asked += 1
        if self.is_dumb:
            return Told("", error="the table does not answer")
        return Told("", tuple(f"{e.seq} {e.by} {e.reason} {notation.write(e.what)}" for e in self.record.entries))


def of(record: Record) -> View:
    """As much of a view as tells that the record has changed."""
    last = record.entries[-1]
    log = (Ruled(last.seq, None, notation.write(last.what), last.reason.value, True),)
    return View(epoch="e", seq=last.seq, game=record.state.game, log=log)


def parts(name: str, *lengths: int) -> list[Record]:
    """A recorded match after so many of its entries, and at its end."""
    whole, _ = transcript.played(transcript.read((RECORDS / f"{name}.txt").read_text(encoding="utf-8")))
    return [*(umpire.fold(whole.entries[:length]) for length in lengths), whole]


@pytest.mark.parametrize("name", ["fr-domino-irregularities", "cs-triomino-irregularities", "kk-moon-revokes"])
def test_the_record_told_again_is_the_one_of_the_table_with_all_that_was_undone_and_corrected(name: str) -> None:
    replica = Replica()
    for record in parts(name, 20, 21, 33):
        table = Telling(record)
        assert replica.state(table, of(record)) == record.state


def test_a_table_is_asked_once_for_each_change_even_if_it_does_not_answer() -> None:
    short, whole = parts("fr-domino-counted", 10)
    replica, table = Replica(), Telling(short)
    assert replica.state(table, of(short)) == short.state
    assert replica.state(table, of(short)) == short.state
    assert table.asked == 1
    table.is_dumb, table.record = True, whole
    assert replica.state(table, of(whole)) is None
    assert replica.state(table, of(whole)) is None
    assert table.asked == 2


def test_another_match_begins_from_nothing() -> None:
    replica = Replica()
    for name in ("fr-domino-counted", "kk-moon-plain"):
        (record,) = parts(name)
        assert replica.state(Telling(record), of(record)) == record.state


def test_a_history_in_words_of_a_newer_table_is_no_state() -> None:
    class Newer(Telling):
        def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
            return Told("", ("1 referee ok-match match fr-domino A=Ana B=Bo", "2 screen ok-dance A dances"))

    (record,) = parts("fr-domino-counted")
    assert Replica().state(Newer(record), of(record)) is None
