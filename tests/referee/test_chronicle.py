"""What can be asked of the table: moves, places, past matches; and how a past match is deleted."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import chronicle, transcript
from referee.journal import Journal, JournalError
from referee.sighting import CameraStatus
from referee.statistics import Career
from referee.table import Table
from referee.wire import LARGEST_MESSAGE_BYTES, Answer, Ask, Order, Told, decode, encode

RECORDS = Path(__file__).parent.parent / "records"
PLAYED = ("fr-domino-counted", "ro-trimino-four-players", "kk-moon-plain", "ro-trimino-three-players")
WHEN_MS = 1_700_000_000_000


class Dark:
    """Neither buzzer nor lamp."""

    status = "ok"

    def buzz(self) -> None:
        """Sound nothing."""

    def led(self, on: bool) -> None:
        """Light nothing."""


class Evening:
    """A table after some matches, the last of them still on it."""

    def __init__(self, path: Path, *names: str, now_ms: int = WHEN_MS) -> None:
        self.path = path
        self.journal = Journal(path, clock_ms=lambda: now_ms)
        for name in names:
            text = (RECORDS / f"{name}.txt").read_text(encoding="utf-8")
            for entry in transcript.played(transcript.read(text))[0].entries:
                self.journal.append(entry.what, entry.reason, "people")
        self.table = Table(self.journal, Dark(), "one")
        self.table.camera(CameraStatus.NONE)
        self._orders = 0

    def ask(self, what: str, *args: str) -> Told:
        """Ask as a client does, over the wire."""
        sent = encode(self.table.ask(Ask("1", what, args)))
        assert len(sent) < LARGEST_MESSAGE_BYTES
        return decode(sent, Told)

    def careers(self) -> tuple[Career, ...]:
        """How everybody has fared, asked for until all matches are counted."""
        told = self.ask("players")
        while told.more:
            told = self.ask("players")
        return told.players

    def say(self, line: str, order_id: str = "") -> Answer:
        """Say a line."""
        self._orders += 1
        view = self.table.view
        name = order_id or f"order {self._orders}"
        return self.table.order(Order(id=name, epoch=view.epoch, seq=view.seq, by="screen", line=line))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with four matches."""
    path = tmp_path_factory.mktemp("played") / "journal.sqlite3"
    Evening(path, *PLAYED).journal.close()
    return path


@pytest.fixture
def evening(played: Path, tmp_path: Path) -> Iterator[Evening]:
    """Four matches, the last one on the table."""
    found = Evening(Path(shutil.copy(played, tmp_path)))
    yield found
    found.journal.close()


def test_past_matches_are_listed_newest_first_with_players_and_result(evening: Evening) -> None:
    numbers, told = [], evening.ask("matches")
    while told.matches:
        numbers += [each.number for each in told.matches]
        told = evening.ask("matches", str(numbers[-1]))
    assert numbers == [4, 3, 2, 1]
    newest = evening.ask("matches").matches[0]
    assert (newest.is_here, newest.begun_ms, newest.summary.names) == (True, WHEN_MS, ("Ana", "Bo", "Cy"))
    assert newest.summary.ranking


def test_a_reply_tells_only_of_what_is_quickly_judged_and_how_much_is_left(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chronicle, "ENTRIES_AT_ONCE", 1)
    left = [evening.ask("players").more for _ in range(4)]
    assert left == [2, 1, 0, 0]
    assert {each.name for each in evening.ask("players").players} >= {"Ana", "Bo", "Cy"}


@pytest.mark.parametrize(("now_ms", "told_ms"), [(0, None), (1_577_836_799_999, None), (1_577_836_800_000,) * 2])
def test_a_clock_that_was_never_set_tells_no_date(tmp_path: Path, now_ms: int, told_ms: int | None) -> None:
    late = Evening(tmp_path / "journal.sqlite3", "fr-domino-counted", now_ms=now_ms)
    assert late.ask("matches").matches[0].begun_ms == told_ms
    late.journal.close()


def test_all_moves_of_a_match_come_piece_by_piece(evening: Evening) -> None:
    for match, number in (("0", 4), ("2", 2)):
        entries, told = [], evening.ask("moves", match)
        while told.moves:
            entries += [each.entry for each in told.moves]
            told = evening.ask("moves", match, str(entries[-1]))
        assert entries == list(range(evening.journal.length(number), 1, -1))


def test_a_score_sheet_comes_with_its_match(evening: Evening) -> None:
    told = evening.ask("sheet", "2")
    assert told.sheet[-1].scores == told.matches[0].summary.scores
    assert evening.ask("sheet", "0").matches == evening.ask("sheet", "4").matches


@pytest.mark.parametrize(
    ("what", "args"),
    [
        *(("sheet", ("9",)), ("moves", ("9",)), ("moves", ("1", "2", "3")), ("matches", ("x",)), ("secrets", ())),
        *(("places", ("1-2-3", "A", "x")), ("places", ("1-2-3", "A", "1")), ("places", ())),
    ],
)
def test_what_cannot_be_answered_is_said_so(evening: Evening, what: str, args: tuple[str, ...]) -> None:
    assert evening.ask(what, *args).error.startswith("expected")


def test_the_places_of_an_earlier_move_are_those_of_that_time_and_are_drawn(tmp_path: Path) -> None:
    begun = Evening(tmp_path / "journal.sqlite3")
    for line in (
        "match fr-domino A=Ana B=Bo",
        "begin",
        "A lays 6-6 at left",
        "B lays 5-6 at left",
        "A lays 2-6 at right",
    ):
        assert begun.say(line).status == "done", line
    told = begun.ask("places", "5-6", "B", "4")
    assert [line.split(" ", 2)[2] for line in told.lines] == ["B lays 5-6 at left", "B lays 5-6 at right"]
    assert len({tile.x_mm for tile in told.tiles if tile is not None}) == 2
    assert "already" in begun.ask("places", "5-6", "B").error
    begun.journal.close()


def test_a_deleted_match_is_neither_listed_nor_counted_and_the_others_stay(evening: Evening) -> None:
    before = evening.careers()
    assert evening.say("forget 3").status == "done"
    assert [each.number for each in evening.ask("matches", "4").matches] == [2, 1]
    assert not any(each.game == "kk-moon" for each in evening.careers())
    assert [each for each in before if each.game != "kk-moon"] == list(evening.careers())
    assert evening.journal.entries(3) == ()
    assert evening.ask("sheet", "3").error
    assert all(match.game != "kk-moon" for match in evening.journal.begun())


def test_what_is_deleted_stays_so_after_a_restart_and_an_order_that_comes_twice_deletes_once(evening: Evening) -> None:
    assert evening.say("forget 1", "tap-1").status == "done"
    assert evening.say("forget 1", "tap-1").status == "repeated"
    for read_only in (False, True):
        again = Journal(evening.path, read_only=read_only)
        assert again.matches() == (2, 3, 4)
        assert again.has_order("tap-1")
        again.close()
    database = sqlite3.connect(evening.path)
    assert database.execute("SELECT match, utc_ms, by FROM forgotten").fetchall() == [(1, WHEN_MS, "screen")]
    assert database.execute("SELECT count(*) FROM entry WHERE match = 1").fetchone()[0] > 0
    for sql in ("DELETE FROM forgotten", "UPDATE forgotten SET match = 2"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            database.execute(sql)
    database.close()


def test_the_match_on_the_table_cannot_be_deleted_nor_one_that_is_not_there(evening: Evening) -> None:
    assert evening.say("forget 4").reason == "still-here"
    for line in ("forget 9", "forget 0", "forget x", "forget 1 2", "forget"):
        assert evening.say(line).status == "refused", line
    assert evening.say("forget 2").status == "done"
    assert evening.say("forget 2").status == "refused"
    assert evening.journal.matches() == (1, 3, 4)
    with pytest.raises(JournalError, match="past"):
        evening.journal.forget(4, "screen")


def test_a_journal_of_an_older_program_can_be_read_and_gets_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    Evening(path, "fr-domino-counted").journal.close()
    database = sqlite3.connect(path)
    database.execute("DROP TABLE forgotten")
    database.close()
    for read_only in (True, False):
        old = Journal(path, read_only=read_only)
        assert old.matches() == (1,)
        assert read_only or not old.has_order("tap-1")
        old.close()
