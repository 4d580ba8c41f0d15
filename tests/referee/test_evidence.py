"""Pictures of what is ruled on: kept beside the journal, so many of them, and never at the cost of the game."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import wire
from referee.config import SIDES, Places
from referee.evidence import LARGEST_BYTES, SPARE_BYTES, Evidence
from referee.journal import Journal
from referee.sighting import Reading
from referee.table import Table
from referee.umpire import Match
from tests.referee.seeing import CLASHING, FIRST, FITTING, Camera, Lamp, say

ROOM = 10 * SPARE_BYTES


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


def taken(places: Places, number: int, size: int = 100) -> str:
    """Two pictures as the eye leaves them."""
    name = f"e1e-{number}"
    for side in SIDES:
        path = places.fresh_picture(name, side)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(f"{side} {number} ".encode().ljust(size, b"."))
    return name


def files(places: Places) -> list[str]:
    return sorted(path.name for path in (places.state / "evidence").iterdir())


class Clock:
    """Milliseconds that pass when somebody looks."""

    def __init__(self) -> None:
        self.now_ms = 0xABC

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


# --- the pictures -------------------------------------------------------------------------------------


def test_both_pictures_are_kept_by_match_and_entry(places: Places) -> None:
    name = Evidence(places, clock_ms=lambda: 0xABC).keep(taken(places, 7), 3, 12)
    assert name == "3-12-abc"
    assert files(places) == ["3-12-abc.after.jpg", "3-12-abc.before.jpg"]
    assert places.picture(name, "before").read_bytes().startswith(b"before 7 ")
    assert places.picture(name, "after").read_bytes().startswith(b"after 7 ")


def test_pictures_that_are_kept_already_serve_a_second_entry(places: Places) -> None:
    evidence = Evidence(places)
    name = evidence.keep(taken(places, 1), 1, 3)
    assert evidence.keep(name, 1, 9) == name
    assert len(files(places)) == 2


def test_a_tile_without_pictures_or_with_deleted_ones_has_none_and_that_is_no_failure(places: Places) -> None:
    evidence = Evidence(places)
    assert [evidence.keep("", 1, 3), evidence.keep("1-3-abc", 1, 4)] == ["", ""]
    assert (evidence.status, files(places)) == ("ok", [])


def test_the_oldest_go_when_there_are_too_many(places: Places) -> None:
    evidence = Evidence(places, most=3, clock_ms=lambda: 1)
    for number in range(5):
        evidence.keep(taken(places, number), 1, number)
    assert files(places) == [
        f"1-{number}-{number + 1}.{side}.jpg" for number in (2, 3, 4) for side in ("after", "before")
    ]


def test_the_oldest_go_when_they_are_too_large_together(places: Places) -> None:
    evidence = Evidence(places, most_bytes=1000, clock_ms=lambda: 1)
    for number in range(5):
        evidence.keep(taken(places, number, size=200), 1, number)
    assert {name.split("-")[1] for name in files(places)} == {"3", "4"}


def test_after_a_restart_the_oldest_still_go_first_and_what_was_half_written_is_gone(places: Places) -> None:
    first = Evidence(places, clock_ms=lambda: 1)
    for number in (5, 4, 3):
        first.keep(taken(places, number), 1, number)
    folder = places.state / "evidence"
    (folder / "1-8-1.before.jpg.new").write_bytes(b"half")
    (folder / "1-9-1.before.jpg").write_bytes(b"the other was never written")
    (folder / "notes.txt").write_text("not ours")
    again = Evidence(places, most=3, clock_ms=lambda: 1)
    again.keep(taken(places, 6), 1, 6)
    assert {name.split("-")[1] for name in files(places) if name.endswith("jpg")} == {"4", "3", "6"}
    assert "notes.txt" in files(places)
    assert not [name for name in files(places) if name.endswith(".new")]


def test_a_clock_that_jumps_back_between_restarts_does_not_make_new_pictures_the_oldest(places: Places) -> None:
    days_ms = 86_400_000
    now_ms = [1_790_000_000_000]
    for jump_days in (0, 48 * 365, -48 * 365 - 14, -14, 3650, 0):
        now_ms[0] += jump_days * days_ms
        evidence = Evidence(places, most=3, clock_ms=lambda: now_ms[0])
        begun = len(list((places.state / "evidence").iterdir()))
        for number in range(2):
            name = evidence.keep(taken(places, number), 7, number)
            for side in SIDES:
                os.utime(places.picture(name, side), ns=(now_ms[0] * 10**6, now_ms[0] * 10**6))
            assert evidence.read(name, "after").startswith(b"after %d " % number), begun
    kept = sorted(files(places), key=lambda name: int(name.partition(".")[0].rpartition("-")[2], 16))
    assert [name.split("-")[1] for name in kept] == ["1", "1", "0", "0", "1", "1"], "the newest three, in their order"


@pytest.mark.parametrize("size", [0, LARGEST_BYTES + 1])
def test_a_picture_that_is_empty_or_too_large_is_not_kept(places: Places, size: int) -> None:
    evidence = Evidence(places)
    name = taken(places, 1)
    places.fresh_picture(name, "after").write_bytes(b"." * size)
    assert evidence.keep(name, 1, 1) == ""
    assert (evidence.status, files(places)) == ("failed", [])


def test_room_is_left_for_the_journal_and_what_is_missing_is_said_once(
    places: Places, caplog: pytest.LogCaptureFixture
) -> None:
    free = [ROOM]
    evidence = Evidence(places, free_bytes=lambda _folder: free[0])
    free[0] = SPARE_BYTES
    with caplog.at_level(logging.WARNING):
        assert [evidence.keep(taken(places, number), 1, number) for number in range(3)] == ["", "", ""]
    assert (evidence.status, len(caplog.records)) == ("failed", 1)
    free[0] = ROOM
    assert evidence.keep(taken(places, 4), 1, 4)
    assert evidence.status == "ok"


def test_a_disk_that_is_full_in_the_middle_leaves_no_half_of_it(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = Evidence(places)
    name, write = taken(places, 1), Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if ".after" in path.name:
            write(path, data[:10])
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert evidence.keep(name, 1, 1) == ""
    assert (evidence.status, files(places)) == ("failed", [])


def test_a_folder_that_cannot_be_made_costs_the_pictures_alone(places: Places) -> None:
    (places.state / "evidence").write_text("a file is in the way")
    evidence = Evidence(places)
    assert evidence.status == "failed"
    assert evidence.keep(taken(places, 1), 1, 1) == ""


@pytest.mark.parametrize("name", ["", "../journal", "1", "e-", "1-2-xyz", "1-2-ab/c", "1-2-ab\n", "1-2-ab.before"])
def test_what_is_no_name_of_a_picture_names_no_file(places: Places, name: str) -> None:
    with pytest.raises(ValueError, match="expected a picture"):
        places.picture(name, "before")
    with pytest.raises(ValueError, match="expected a picture"):
        places.picture("1-2-ab", "../before")


# --- the table ----------------------------------------------------------------------------------------


@pytest.fixture
def table(places: Places, lamp: Lamp) -> Iterator[Table]:
    journal = Journal(places.state / "journal.sqlite3")
    table = Table(journal, lamp, "one", evidence=Evidence(places, clock_ms=Clock()))
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    yield table
    journal.close()


def begun(table: Table, places: Places) -> Camera:
    camera = Camera(table)
    camera.rest()
    camera.rest(replace(FIRST, picture=taken(places, 1)))
    return camera


def test_every_ruling_on_a_tile_that_was_seen_names_its_pictures(table: Table, places: Places) -> None:
    camera = begun(table, places)
    view = camera.rest(FIRST, replace(CLASHING, picture=taken(places, 2)))
    assert view.last is not None
    assert view.dispute is not None
    assert view.evidence == "ok"
    assert [ruled.evidence for ruled in view.log] == ["", "1-3-abd", "1-4-abe"]
    assert view.dispute.evidence == "1-4-abe"
    assert table.record is not None
    assert [entry.evidence for entry in table.record.entries] == [None, None, "1-3-abd", "1-4-abe"]
    assert len(files(places)) == 4


def test_a_tile_that_was_asked_about_is_kept_as_it_was_when_it_came(table: Table, places: Places) -> None:
    camera = begun(table, places)
    doubtful = replace(CLASHING, confidence=0.5, readings=(Reading((1, 1, 1), 0.5),), picture=taken(places, 2))
    view = camera.rest(FIRST, doubtful)
    assert len(files(places)) == 2, "nothing is kept of what is not ruled on"
    assert view.questions[0].evidence == "e1e-2", "but it can be looked at"
    assert places.picture("e1e-2", "after").read_bytes().startswith(b"after 2 ")
    say(table, view.questions[0].options[0].line)
    assert table.view.dispute is not None
    assert table.view.dispute.evidence == "1-4-abe"
    assert places.picture("1-4-abe", "after").read_bytes().startswith(b"after 2 ")


def test_a_move_that_is_undone_and_let_stand_again_keeps_its_pictures(table: Table, places: Places) -> None:
    camera = begun(table, places)
    view = camera.rest(FIRST, replace(FITTING, picture=taken(places, 2)))
    assert view.last is not None
    say(table, f"undo {view.last.entry}")
    say(table, table.view.questions[0].options[0].line)
    assert table.view.last is not None
    assert (table.view.last.legal, table.view.last.evidence) == (True, "1-4-abe")
    assert len(files(places)) == 4


def test_after_a_restart_a_dispute_still_has_its_picture(table: Table, places: Places) -> None:
    begun(table, places).rest(FIRST, replace(CLASHING, picture=taken(places, 2)))
    journal = Journal(places.state / "journal.sqlite3")
    again = Table(journal, Lamp(), "two", evidence=Evidence(places))
    view = Camera(again, "another eye").rest(FIRST, CLASHING)
    assert view.dispute is not None
    assert view.dispute.evidence == "1-4-abe"
    journal.close()


def test_a_full_disk_costs_the_picture_and_not_the_ruling(table: Table, places: Places) -> None:
    camera = begun(table, places)
    (places.state / "evidence").rename(places.state / "gone")
    view = camera.rest(FIRST, replace(CLASHING, picture=taken(places, 2)))
    assert view.dispute is not None
    assert (view.dispute.evidence, view.evidence, view.saved) == ("", "failed", True)
    (places.state / "gone").rename(places.state / "evidence")
    camera.rest(FIRST)
    view = camera.rest(FIRST, replace(FITTING, picture=taken(places, 3)))
    assert view.last is not None
    assert (view.last.legal, view.last.evidence != "", view.evidence) == (True, True, "ok")


def test_the_pictures_of_an_entry_that_could_not_be_written_are_not_left_behind(
    table: Table, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = begun(table, places)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", full)
        view = camera.rest(FIRST, replace(FITTING, picture=taken(places, 2)))
    assert not view.saved
    assert len(files(places)) == 2
    view = camera.rest(FIRST, replace(FITTING, picture=taken(places, 2)))
    assert view.saved
    assert len(files(places)) == 4


def test_whoever_asks_for_a_picture_is_told_it(table: Table, places: Places) -> None:
    begun(table, places)
    told = table.ask(wire.Ask("1", "picture", ("1-3-abd", "before")))
    assert (told.error, told.picture[:9]) == ("", b"before 1 ")
    assert wire.decode(wire.encode(told), wire.Told) == told
    for args in (("1-3-abd",), ("1-3-abd", "inside"), ("1-9-abd", "after"), ("../journal", "after"), ()):
        assert table.ask(wire.Ask("1", "picture", args)).error.startswith("expected ")


def test_with_a_match_its_pictures_are_deleted(table: Table, places: Places) -> None:
    begun(table, places)
    say(table, "match! ro-trimino/manufacturer A=Ana B=Bo opening=any")
    camera = Camera(table, "later")
    camera.rest()
    say(table, "begin")
    camera.rest(replace(FIRST, picture=taken(places, 2)))
    assert {name[:2] for name in files(places)} == {"1-", "2-"}
    assert say(table, "forget 1").status == "done"
    assert {name[:2] for name in files(places)} == {"2-"}


def test_where_they_are_switched_off_nothing_is_kept(places: Places, lamp: Lamp) -> None:
    journal = Journal(places.state / "journal.sqlite3")
    table = Table(journal, lamp, "one")
    table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo"), (("opening", "any"),)))
    view = begun(table, places).rest(FIRST, replace(CLASHING, picture=taken(places, 2)))
    assert view.dispute is not None
    assert (view.dispute.evidence, view.evidence) == ("", "off")
    assert not (places.state / "evidence").exists()
    journal.close()
