"""The way in for phones on the screen: the code and the addresses, who is there, and sending somebody away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import structs

from display import joining
from display.aside import Desk
from display.joining import Joining
from display.widgets import Code, Page
from referee.outside.doorway import Here, Join, Joined, Phone
from referee.outside.guests import Guests
from referee.outside.joining import GuestBook
from referee.umpire import Match
from referee.wire import Answer, Ask, Guest, Invitation, Order, Seat, Told, View
from tests.display.asides import LAN
from tests.display.test_pages import buttons, texts
from tests.display.test_start import Home

VIEW = View(
    epoch="e",
    seq=1,
    game="fr-domino",
    phase="play",
    seats=(Seat("Ana", 0, 0, 7), Seat("Bo", 0, 0, 7)),
    phones=LAN,
    phones_named="http://raspberrypi.local:8420/",
    guests=(Guest("g1", "Pixel", "player", 1), Guest("g2", "iPad", "host", None, False), Guest("p7", "Android")),
)


class Table:
    """A table that tells the code, and another one each time."""

    def __init__(self) -> None:
        self.codes = ["482913", "000042"]

    def ask(self, what: str, *args: str) -> Told:
        assert (what, args) == ("joining", ())
        return Told("", invitation=Invitation(self.codes.pop(0))) if self.codes else Told("", error="no answer")


def lines(page: Page) -> set[str]:
    """All texts of a page."""
    return set(texts(page).split("\n"))


@pytest.fixture
def desk() -> Desk:
    return Desk(VIEW, ask=Table().ask)


def test_the_code_and_both_addresses_are_shown_and_can_be_scanned(desk: Desk) -> None:
    page = joining.opened(desk).page(desk)
    assert {"482 913", LAN, "http://raspberrypi.local:8420/"} <= lines(page)
    assert [each.text for each in page.widgets if isinstance(each, Code)] == [f"{LAN}#code=482913"]


def test_what_other_programs_need_is_scanned_too() -> None:
    link = joining.link(LAN, Invitation("482913", "rq:rM>}U?@Lns47E1%kR", "tcp://192.168.1.23:8421"))
    address, _, fragment = link.partition("#")
    assert address == LAN
    assert fragment == "code=482913&key=rq%3ArM%3E%7DU%3F%40Lns47E1%25kR&native=tcp%3A%2F%2F192.168.1.23%3A8421"


def test_who_is_there_is_listed_and_can_be_sent_away_or_made_host(desk: Desk) -> None:
    page = joining.opened(desk).page(desk)
    assert {"Bo", "Pixel", "host", "iPad (asleep)", "looks on", "Android"} <= lines(page)
    orders = set(buttons(page))
    assert {"drop g1", "drop g2", "drop p7", "host g1", "new code"} <= orders
    assert not {"host g2", "host p7"} & orders


def test_another_code_is_shown_as_soon_as_it_is_made(desk: Desk) -> None:
    first = joining.opened(desk)
    after = first.done(Answer("1", "done"), desk)
    assert "000 042" in texts(after.page(desk))


def test_many_phones_are_leafed_through(desk: Desk) -> None:
    guests = tuple(Guest(f"g{number}", f"phone {number}") for number in range(11))
    desk = replace(desk, view=structs.replace(VIEW, guests=guests))
    page, seen = joining.opened(desk), set[str]()
    for _ in range(3):
        seen |= {text for text in lines(page.page(desk)) if text.startswith("phone ")}
        after = page.tapped("@further", desk)
        assert after is not None
        page = after
    assert len(seen) == 11
    assert page.tapped("@close", desk) is None


def test_another_match_closes_the_page_since_its_code_is_another(desk: Desk) -> None:
    page = joining.opened(desk)
    assert not page.is_over(structs.replace(VIEW, seq=9, round=3))
    assert page.is_over(structs.replace(VIEW, seats=(Seat("Ana", 0, 0, 7), Seat("Cleo", 0, 0, 7))))


@pytest.mark.parametrize("phones", ["", "http://127.0.0.1:8420/"])
def test_where_phones_cannot_come_in_nothing_is_there_to_be_scanned(desk: Desk, phones: str) -> None:
    desk = replace(desk, view=structs.replace(VIEW, phones=phones))
    page = joining.opened(desk).page(desk)
    assert not [each for each in page.widgets if isinstance(each, Code)]
    assert any("--lan" in text or "not running" in text for text in lines(page))


def test_a_table_that_does_not_answer_gives_no_code(desk: Desk) -> None:
    page = Joining(names=("Ana", "Bo")).page(desk)
    assert "new code" not in buttons(page)
    assert not [each for each in page.widgets if isinstance(each, Code)]


class AtTheDoor:
    """What a screen's link says goes through the house door, as in the table's process."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    def order(self, order: Order) -> Answer:
        answer = self._guests.from_house(order)
        self._guests.follow()
        assert isinstance(answer, Answer)
        return answer

    def ask(self, ask: Ask) -> Told:
        told = self._guests.from_house(ask)
        assert isinstance(told, Told)
        return told


def test_by_touch_a_phone_is_let_in_made_host_and_sent_away(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.table.begin(Match("fr-domino", ("Ana", "Bo")))
    guests = Guests(home.table, GuestBook())
    door = AtTheDoor(guests)
    home.link.table = SimpleNamespace(view=home.table.view, order=door.order, ask=door.ask)
    phone = guests.from_guest(Join(id="1", code=guests.code, seat=1, device="Pixel"), b"bridge")
    assert isinstance(phone, Joined)
    guests.from_guest(Here(id="2", phones=(Phone("p1", "Pixel", phone.token),), address=LAN), b"bridge")

    def look() -> None:
        home.link.table.view = home.table.view
        home.screen.step()

    look()
    home.tap("@open more")
    home.tap("@phones")
    assert f"{guests.code[:3]} {guests.code[3:]}" in home.texts
    assert "Pixel" in home.texts
    home.tap(f"host {phone.guest}")
    look()
    assert home.view.guests[0].role == "host"
    assert "host" in home.texts.split("\n")
    home.tap("new code")
    look()
    assert f"{guests.code[:3]} {guests.code[3:]}" in home.texts
    home.tap(f"drop {phone.guest}")
    look()
    assert [guest.id for guest in home.view.guests] == ["p1"]
    home.tap("@close")
    home.journal.close()
    assert "Pixel" not in home.texts
