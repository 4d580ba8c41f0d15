"""The guest door: who may say what, what needs another's consent, who is there, and that nothing is done twice."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import wire
from referee.journal import Journal
from referee.outside.doorway import Gone, Here, Join, Joined, Phone
from referee.outside.guests import Guests
from referee.outside.joining import FILE, GuestBook
from referee.sighting import Reading
from referee.table import Table
from referee.umpire import Match
from referee.wire import Answer, Ask, Guest, Order, Question, Told
from tests.referee.seeing import CLASHING, FIRST, Lamp, begun

WRITES = (
    *(
        "A draws 1",
        "B draws 1",
        "A passes",
        "undo 3",
        "undo! 3",
        "overrule 3",
        "correct 3: A draws 1",
        "begin",
        "clear",
    ),
    *("match! ro-trimino/manufacturer A=Eve B=Mallory", "match fr-domino A=Eve B=Mallory", "forget 1", "redeal"),
    *(
        "A gets 500",
        "turn A",
        "A holds 0",
        "stock 3",
        "answer q1 0",
        "answer w1 0",
        "drop g9",
        "host g1",
        "new code",
        "",
    ),
)


class Door:
    """A table with three players at the guest door, and a clock to turn."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now_s = 0.0
        self.said = 0
        self.open("one")
        self.table.begin(Match("ro-trimino/manufacturer", ("Ana", "Bo", "Cleo"), (("opening", "any"),)))
        self.guests.follow()

    def open(self, epoch: str) -> None:
        """Start the table process, or start it again."""
        self.journal = Journal(self.folder / "journal.sqlite3")
        self.table = Table(self.journal, Lamp(), epoch)
        self.guests = Guests(self.table, GuestBook(self.folder / FILE, lambda: self.now_s), lambda: self.now_s)

    def restart(self, epoch: str) -> None:
        """The process ends and another one begins on the same directory."""
        self.journal.close()
        self.open(epoch)

    def join(self, seat: int | None = None, device: str = "phone") -> Joined:
        """Somebody joins with the code of the screen."""
        reply = self.guests.from_guest(Join(id="j", code=self.guests.code, seat=seat, device=device), b"bridge")
        assert isinstance(reply, Joined)
        assert not reply.reason
        return reply

    def host(self) -> Joined:
        """Somebody joins and is made a host on the screen."""
        joined = self.join()
        assert self.house(f"host {joined.guest}").status == "done"
        return joined

    def order(self, line: str, number: str = "", seq: int | None = None, token: str = "", epoch: str = "") -> Order:
        self.said += 1
        view = self.table.view
        seq = view.seq if seq is None else seq
        return Order(id=number or str(self.said), epoch=epoch or view.epoch, seq=seq, by="me", line=line, token=token)

    def say(self, who: Joined | None, line: str, number: str = "", seq: int | None = None, epoch: str = "") -> Answer:
        """A guest says a line to the newest view."""
        order = self.order(line, number, seq, who.token if who else "", epoch)
        answer = self.guests.from_guest(order, b"bridge")
        self.guests.follow()
        assert isinstance(answer, Answer)
        assert answer.id == order.id
        return answer

    def house(self, line: str) -> Answer:
        """The screen says a line."""
        answer = self.guests.from_house(self.order(line))
        self.guests.follow()
        assert isinstance(answer, Answer)
        return answer

    def here(self, *phones: Phone, sender: bytes = b"bridge", source: str = "", address: str = "") -> Gone:
        gone = self.guests.from_guest(Here(id="h", phones=phones, address=address, named="http://x/"), sender, source)
        assert isinstance(gone, Gone)
        return gone

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Authors and lines of the journal."""
        return [
            (entry.by, line.partition(" ")[2]) for entry, line in zip(self.journal.entries(), self._told(), strict=True)
        ]

    def _told(self) -> tuple[str, ...]:
        told = self.guests.from_house(Ask("1", "history"))
        assert isinstance(told, Told)
        return tuple(f"x {line.split(' ', 3)[3]}" for line in told.lines)

    def wish(self) -> Question:
        return self.table.view.questions[0]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path)
    yield door
    door.journal.close()


@pytest.fixture
def playing(door: Door) -> Door:
    """Two tiles lie there and it is Cleo's turn."""
    for line in ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D"):
        assert door.house(line).status == "done"
    return door


# --- watchers ---------------------------------------------------------------------------------------


def test_who_has_not_joined_changes_nothing_whatever_it_says(playing: Door) -> None:
    before, entries = playing.table.view, len(playing.lines)
    assert {playing.say(None, line).reason for line in WRITES} == {"not-joined"}
    assert (playing.table.view, len(playing.lines)) == (before, entries)


def test_who_has_joined_as_nobody_changes_nothing_either(playing: Door) -> None:
    watcher, entries = playing.join(), len(playing.lines)
    assert {playing.say(watcher, line).status for line in WRITES} <= {"refused", "stale"}
    assert len(playing.lines) == entries


def test_what_was_refused_is_logged_once_a_minute(playing: Door, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(100):
            playing.say(None, "A draws 1")
        assert len(caplog.records) == 1
        playing.now_s += 61
        playing.say(None, "A draws 1")
    assert [record.message for record in caplog.records][1].endswith("(and 99 more of that kind)")


def test_a_watcher_may_ask_for_the_score_sheet_and_nothing_else(playing: Door) -> None:
    def asked(what: str, *args: str) -> Told:
        told = playing.guests.from_guest(Ask("1", what, args), b"bridge")
        assert isinstance(told, Told)
        return told

    assert asked("sheet").sheet
    for what, args in (("sheet", ("1",)), ("joining", ()), ("history", ()), ("players", ()), ("moves", ())):
        assert asked(what, *args).error
        assert asked(what, *args).invitation is None


def test_the_code_is_told_to_the_house_and_to_hosts_alone(playing: Door) -> None:
    told = playing.guests.from_house(Ask("1", "joining"))
    assert isinstance(told, Told)
    assert told.invitation is not None
    assert told.invitation.code == playing.guests.code
    for who, is_told in ((playing.join(0), False), (playing.host(), True)):
        told = playing.guests.from_guest(Ask("1", "joining", token=who.token), b"bridge")
        assert isinstance(told, Told)
        assert (told.invitation is not None) == is_told
    assert playing.guests.code not in repr(playing.table.view)


# --- players ----------------------------------------------------------------------------------------


def test_a_player_draws_and_passes_for_his_own_seat_and_the_journal_says_who(playing: Door) -> None:
    cleo = playing.join(2, "Cleo's phone")
    assert playing.say(cleo, "C draws 1").status == "done"
    assert playing.lines[-1] == ("phone:C:Cleo's-phone", "C draws 1")


def test_whatever_author_a_phone_claims_the_journal_has_the_real_one(playing: Door) -> None:
    cleo = playing.join(2)
    order = Order(id="1", epoch="one", seq=playing.table.view.seq, by="screen", line="C draws 1", token=cleo.token)
    playing.guests.from_guest(order, b"bridge")
    assert playing.lines[-1][0] == "phone:C:phone"


REFUSED = (
    ("C draws 1", "not-yours"),
    ("C passes", "not-yours"),
    ("C lays 3-3-4 at 1,0,U", "not-yours"),
    ("undo 4", "not-yours"),
    ("undo 99", "no-such-entry"),
    ("undo 0", "no-such-entry"),
    ("clear", "ask-the-table"),
    ("redeal", "ask-the-table"),
    ("A gets 50", "ask-the-table"),
    ("A holds 0", "ask-the-table"),
    ("turn A", "ask-the-table"),
    ("correct 3: A draws 1", "ask-the-table"),
    ("match! fr-domino A=Eve B=Bo", "ask-the-table"),
    ("match fr-domino A=Eve B=Bo", "ask-the-table"),
    ("forget 1", "ask-the-table"),
    ("new code", "ask-the-table"),
    ("host g1", "ask-the-table"),
    ("A lays 3-3-4 at 1,0,U overruled", "ask-the-table"),
    ("A", "notation"),
    ("", "notation"),
    ("answer", "notation"),
)


def test_what_is_not_a_players_own_is_refused_with_the_reason(playing: Door) -> None:
    ana, entries = playing.join(0), len(playing.lines)
    for line, reason in REFUSED:
        answer = playing.say(ana, line)
        assert (answer.status, answer.reason) == ("refused", reason), line
    assert playing.say(ana, "answer q7 0").status == "stale"
    assert len(playing.lines) == entries


def test_the_rules_of_the_game_come_after_those_of_the_house(playing: Door) -> None:
    assert playing.say(playing.join(0), "A draws 1").reason == "out-of-turn"


def test_a_doubt_about_a_tile_is_for_the_player_who_laid_it(table: Table) -> None:
    guests = Guests(table, GuestBook())
    tokens = [guests.from_guest(Join(id="j", code=guests.code, seat=seat), b"b").token for seat in (0, 1)]  # type: ignore[union-attr]  # joining is answered by Joined
    readings = (Reading((1, 1, 1), 0.5), Reading((1, 1, 2), 0.3))
    view = begun(table).rest(FIRST, replace(CLASHING, confidence=0.5, readings=readings))
    line = view.questions[0].options[0].line

    def say(number: int) -> wire.Answer:
        order = Order(id="1", epoch=view.epoch, seq=table.view.seq, by="x", line=line, token=tokens[number])
        answer = guests.from_guest(order, b"b")
        assert isinstance(answer, Answer)
        return answer

    assert say(0).reason == "not-yours"
    assert len(table.view.questions) == 1
    assert say(1).reason == "edge-mismatch"
    assert table.view.questions == ()


# --- consent ----------------------------------------------------------------------------------------


@pytest.fixture
def asked(playing: Door) -> tuple[Door, Joined, Joined]:
    """Bo has asked to take his tile back; Bo and Cleo have phones."""
    bo, cleo = playing.join(1, "Bo's"), playing.join(2, "Cleo's")
    assert playing.say(bo, "undo 4").status == "asked"
    return playing, bo, cleo


def test_an_undo_is_put_to_the_others_and_done_when_one_agrees(asked: tuple[Door, Joined, Joined]) -> None:
    door, _, cleo = asked
    assert (door.wish().what, door.wish().about and door.wish().about.entry) == ("undo-asked", 4)  # type: ignore[union-attr]  # the first part looks
    assert [option.what for option in door.wish().options] == ["grant", "deny"]
    assert door.say(cleo, door.wish().options[0].line).status == "done"
    assert door.lines[-1] == ("phone:B:Bo's+phone:C:Cleo's", "undo 4")
    assert door.table.view.questions == ()


def test_nobody_agrees_to_his_own_wish_not_even_with_another_phone(asked: tuple[Door, Joined, Joined]) -> None:
    door, bo, _ = asked
    for who in (bo, door.join(1, "Bo's other one")):
        assert door.say(who, door.wish().options[0].line).reason == "ask-another"
    assert len(door.lines) == 4
    assert door.say(bo, door.wish().options[1].line).status == "done"
    assert door.table.view.questions == ()


def test_the_screen_may_agree_or_not(asked: tuple[Door, Joined, Joined]) -> None:
    door, bo, _ = asked
    assert door.house(door.wish().options[1].line).status == "done"
    assert len(door.lines) == 4
    assert door.say(bo, "undo 4").status == "asked"
    assert door.house(door.wish().options[0].line).status == "done"
    assert door.lines[-1] == ("phone:B:Bo's+me", "undo 4")


def test_a_wish_lapses_when_play_goes_on_and_its_answer_is_stale(asked: tuple[Door, Joined, Joined]) -> None:
    door, _, cleo = asked
    line = door.wish().options[0].line
    assert door.say(cleo, "C draws 1").status == "done"
    assert door.table.view.questions == ()
    assert door.say(cleo, line).status == "stale"
    assert door.lines[-1][1] == "C draws 1"


def test_one_wish_at_a_time_and_the_same_once(asked: tuple[Door, Joined, Joined]) -> None:
    door, bo, cleo = asked
    assert door.say(bo, "undo 4").status == "asked"
    assert len(door.table.view.questions) == 1
    door.house(door.wish().options[1].line)
    assert door.say(cleo, "C draws 1").status == "done"
    assert door.say(cleo, "undo 5").status == "asked"
    assert door.say(bo, "undo 4").reason in ("ask-the-table", "already-asked")


def test_an_undo_that_reaches_beyond_its_own_move_is_for_the_screen(playing: Door) -> None:
    assert playing.house("C lays 3-5-5 at 1,0,U").status == "done"
    assert playing.say(playing.join(1), "undo 4").reason == "ask-the-table"


def test_a_wish_of_before_a_restart_is_gone(asked: tuple[Door, Joined, Joined]) -> None:
    door, _, cleo = asked
    line = door.wish().options[0].line
    door.restart("two")
    assert door.table.view.questions == ()
    assert door.say(cleo, line).status == "stale"


# --- hosts ------------------------------------------------------------------------------------------


def test_a_host_may_say_what_the_screen_may(playing: Door) -> None:
    host = playing.host()
    for line in ("undo 4", "A gets 5", "turn C", "C draws 1", "redeal"):
        assert playing.say(host, line).status == "done"
        assert playing.lines[-1] == ("phone:host:phone", line)


def test_a_host_can_send_away_make_a_host_and_change_the_code(playing: Door) -> None:
    host, ana = playing.host(), playing.join(0)
    code = playing.guests.code
    assert playing.say(host, "new code").status == "done"
    assert playing.guests.code != code
    assert playing.say(host, f"host {ana.guest}").status == "done"
    assert playing.say(ana, f"drop {host.guest}").status == "done"
    assert playing.say(host, "C draws 1").reason == "not-joined"
    assert playing.say(ana, "drop g99").reason == "no-such-guest"


# --- first wins, and once only ----------------------------------------------------------------------


def test_of_two_phones_acting_on_the_same_view_the_first_wins(playing: Door) -> None:
    cleo, also = playing.join(2), playing.join(2, "tablet")
    seq = playing.table.view.seq
    assert playing.say(cleo, "C draws 1", seq=seq).status == "done"
    answer = playing.say(also, "C draws 1", seq=seq)
    assert (answer.status, answer.seq) == ("stale", playing.table.view.seq)
    assert [line for _, line in playing.lines].count("C draws 1") == 1


def test_who_comes_and_goes_makes_no_order_stale(playing: Door) -> None:
    cleo, seq = playing.join(2), playing.table.view.seq
    playing.here(Phone("p1", "some phone"))
    assert playing.table.view.seq > seq
    assert playing.say(cleo, "C draws 1", seq=seq).status == "done"


def test_a_repeated_order_is_applied_once_also_across_a_restart(playing: Door) -> None:
    cleo = playing.join(2)
    view = playing.table.view
    assert playing.say(cleo, "C draws 1", number="same").status == "done"
    assert playing.say(cleo, "C draws 1", number="same", seq=view.seq).status == "repeated"
    playing.restart("two")
    assert playing.say(cleo, "C draws 1", number="same", epoch="one").status == "repeated"
    assert [line for _, line in playing.lines].count("C draws 1") == 1


def test_the_same_id_from_two_guests_are_two_orders(playing: Door) -> None:
    cleo, host = playing.join(2), playing.host()
    assert playing.say(cleo, "C draws 1", number="1").status == "done"
    assert playing.say(host, "C draws 1", number="1").status == "done"
    assert [line for _, line in playing.lines].count("C draws 1") == 2


# --- who is there -----------------------------------------------------------------------------------


def test_the_view_lists_who_is_there_and_who_is_asleep(playing: Door) -> None:
    ana = playing.join(0, "Ana's")
    playing.here(Phone("p1", "Ana's", ana.token), Phone("p2", "a guest"))
    expected = (Guest(ana.guest, "Ana's", "player", 0, True), Guest("p2", "a guest"))
    assert playing.table.view.guests == expected
    playing.now_s += 4
    playing.guests.follow()
    assert playing.table.view.guests == (Guest(ana.guest, "Ana's", "player", 0, False),)


def test_the_same_phones_once_more_change_no_view(playing: Door) -> None:
    playing.here(Phone("p1", "some phone"))
    seq = playing.table.view.seq
    for _ in range(5):
        playing.now_s += 1
        playing.here(Phone("p1", "some phone"))
        playing.guests.follow()
    assert playing.table.view.seq == seq


def test_who_is_sent_away_is_told_and_its_token_is_worth_nothing(playing: Door) -> None:
    ana = playing.join(0)
    playing.here(Phone("p1", "Ana's", ana.token), Phone("p2", "a guest"))
    assert playing.house(f"drop {ana.guest}").status == "done"
    assert playing.house("drop p2").status == "done"
    assert playing.here(Phone("p1", "Ana's", ana.token), Phone("p2", "a guest")).keys == ("p1", "p2")
    assert playing.here(Phone("p1", "Ana's", ana.token)).keys == (), "told once: it may come back and join"
    assert playing.say(ana, "A draws 1").reason == "not-joined"


def test_who_leaves_by_itself_is_not_sent_away(playing: Door) -> None:
    ana = playing.join(0)
    playing.here(Phone("p1", "Ana's", ana.token))
    assert playing.say(ana, f"drop {ana.guest}").status == "done"
    assert playing.here(Phone("p1", "Ana's", ana.token)).keys == ()
    assert playing.table.view.guests == (Guest("p1", "Ana's"),)


def test_the_bridge_says_where_the_page_is_and_nobody_from_afar_can(playing: Door) -> None:
    playing.here(address="http://192.168.1.23:8420/")
    assert (playing.table.view.phones, playing.table.view.phones_named) == ("http://192.168.1.23:8420/", "http://x/")
    playing.here(sender=b"far", source="native:192.168.1.9", address="http://evil.example/")
    assert playing.table.view.phones == "http://192.168.1.23:8420/"


def test_a_new_match_with_others_makes_everybody_a_watcher(playing: Door) -> None:
    ana = playing.join(0)
    playing.here(Phone("p1", "Ana's", ana.token))
    assert playing.house("match! fr-domino A=Dan B=Eve").status == "done"
    assert playing.table.view.guests == (Guest("p1", "Ana's"),)
    assert playing.say(ana, "A draws 1").reason == "not-joined"
