"""Programs across the network: who is let in by the gate, who is not, and what they may say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from display import joining
from display.guest import GuestLink, Invitation
from display.link import Link
from referee.config import Places
from referee.outside.keys import of_table
from referee.wire import Invitation as Told
from tests.serving import serving, status_of, two_free_ports, until


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.fixture
def port() -> int:
    return two_free_ports()


@pytest.fixture
def house(places: Places, port: int) -> Iterator[Link]:
    """A screen at a table whose gate is open."""
    with serving(places, port=port), Link(places, "screen") as screen:
        until(screen, lambda: screen.view is not None)
        yield screen


def told(screen: Link) -> Told:
    invitation = screen.ask("joining").invitation
    assert invitation is not None
    return invitation


def invited(screen: Link, code: str = "", key: str = "") -> Invitation:
    """What the QR code on the screen says, or the same with another code or key."""
    said = told(screen)
    text = joining.link("http://127.0.0.1:8420/", replace(said, code=code or said.code, key=key or said.key))
    return Invitation.parse(text)


def test_a_program_with_the_code_of_the_screen_joins_sees_the_table_and_plays_from_its_seat(house: Link) -> None:
    assert status_of(house, "begin") == "done ok-begin"
    with closing(GuestLink(invited(house), "Ana's laptop", seat=0)) as guest:
        until(guest, lambda: guest.joined is not None and guest.view is not None)
        assert guest.live
        assert (guest.joined.role, guest.joined.seat) == ("player", 0)  # type: ignore[union-attr]  # the line above looks
        assert status_of(guest, "A lays 3-3-3 at 0,0,U") == "done ok-opening"
        assert status_of(guest, "B lays 3-3-5 at 0,0,D") == "refused not-yours"
        until(guest, lambda: guest.view is not None and [each.here for each in guest.view.guests] == [True])
        assert house.ask("history").lines[-1].split()[1] == "phone:A:Ana's-laptop"


def test_who_only_looks_on_is_shown_everything_and_may_say_nothing(house: Link) -> None:
    with closing(GuestLink(invited(house), "next room")) as guest:
        until(guest, lambda: guest.joined is not None and guest.view is not None)
        assert status_of(guest, "begin") == "refused not-yours"


def test_a_program_with_another_code_is_refused_and_knows_it(house: Link) -> None:
    with closing(GuestLink(invited(house, code="000000" if told(house).code != "000000" else "1"), "guess")) as guest:
        until(guest, lambda: guest.trouble == "refused")
        assert guest.view is None


def test_after_too_many_wrong_codes_even_the_right_one_has_to_wait(house: Link) -> None:
    for number in range(5):
        with closing(GuestLink(invited(house, code=f"guess {number}"), "guess")) as guest:
            until(guest, lambda guest=guest: guest.trouble == "refused")
    with closing(GuestLink(invited(house), "late")) as guest:
        until(guest, lambda: guest.trouble == "refused")


def test_a_server_without_the_key_of_the_invitation_is_not_taken_for_the_table(house: Link, tmp_path: Path) -> None:
    other = of_table(tmp_path / "other.key").public.decode()
    with closing(GuestLink(invited(house, key=other), "careful")) as guest:
        until(guest, lambda: guest.trouble == "stranger")
        assert guest.view is None


def test_a_guest_that_was_sent_away_knows_it_and_does_not_come_back_by_itself(house: Link) -> None:
    with closing(GuestLink(invited(house), "tablet", seat=1)) as guest:
        until(guest, lambda: guest.joined is not None)
        until(guest, lambda: guest.view is not None and [each.here for each in guest.view.guests] == [True])
        until(house, lambda: house.view is not None and bool(house.view.guests))
        assert status_of(house, f"drop {house.view.guests[0].id}") == "done"  # type: ignore[union-attr]  # the line above looks
        until(guest, lambda: guest.trouble == "sent-away")
        assert status_of(guest, "begin") == "refused not-joined"


def test_a_guest_sees_the_table_restart_and_is_right_again_and_still_joined(places: Places, port: int) -> None:
    with ExitStack() as stack:
        with serving(places, "one", port), Link(places, "screen") as screen:
            until(screen, lambda: screen.view is not None)
            guest = stack.enter_context(closing(GuestLink(invited(screen), "laptop", seat=0)))
            until(guest, lambda: guest.joined is not None and guest.view is not None)
            assert status_of(guest, "begin") == "refused ask-the-table"
            assert status_of(screen, "begin") == "done ok-begin"
        with serving(places, "two", port):
            until(guest, lambda: guest.view is not None and guest.view.epoch == "two", within_s=3.0)
            assert status_of(guest, "A lays 3-3-3 at 0,0,U") == "done ok-opening"


def test_the_key_of_the_table_is_kept_for_its_owner_alone_and_stays_the_same(tmp_path: Path) -> None:
    first = of_table(tmp_path / "gate.key")
    assert (tmp_path / "gate.key").stat().st_mode & 0o777 == 0o600
    assert of_table(tmp_path / "gate.key") == first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "http://"),
        ("http://192.168.1.23:8420/", "code="),
        ("http://192.168.1.23:8420/#code=482913", "no other programs"),
        ("http://192.168.1.23:8420/#code=482913&key=short&native=8421", "40 characters"),
        ("http://192.168.1.23:8420/#code=482913&key=short&native=x", "no other programs"),
    ],
)
def test_what_is_no_invitation_is_refused_in_words(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Invitation.parse(text)
