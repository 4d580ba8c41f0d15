"""The guest book: the code of a game, who is let in with it, and who is still known after a restart."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from referee.outside.doorway import Join, Joined
from referee.outside.joining import FILE, MOST_TRIES, MOST_TRIES_IN_ALL, GuestBook, device_name
from referee.wire import MOST_GUESTS, PROTOCOL

NAMES = ("Ana", "Bo")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


@pytest.fixture
def book(path: Path) -> GuestBook:
    book = GuestBook(path)
    book.follow(1000, NAMES)
    return book


def join(book: GuestBook, seat: int | None = None, device: str = "Pixel 7", **fields: str) -> Joined:
    return book.join(Join(id="1", device=device, seat=seat, **{"code": book.code, **fields}))


def wrong(book: GuestBook) -> str:
    return "111111" if book.code != "111111" else "222222"


def test_with_the_code_a_guest_gets_a_token_by_which_it_is_known(book: GuestBook) -> None:
    joined = join(book, 1)
    assert (joined.reason, joined.role, joined.seat) == ("", "player", 1)
    known = book.known(joined.token)
    assert known is not None
    assert (known.id, known.by) == (joined.guest, "phone:B:Pixel-7")
    assert book.known("") is None
    assert book.known(joined.token + "x") is None


def test_the_code_is_six_digits_and_another_for_each_match(book: GuestBook) -> None:
    seen = {book.code}
    for number in range(2, 6):
        before = book.code
        assert book.follow(number * 1000, (f"Player {number}", "Bo"))
        assert book.code != before
        seen.add(book.code)
    assert all(len(code) == 6 and code.isdigit() for code in seen)


def test_a_wrong_code_lets_nobody_in(book: GuestBook) -> None:
    assert join(book, code=wrong(book)).reason == "wrong-code"
    assert join(book, code="").reason == "not-joined"
    assert book.guests == ()


def test_who_tries_wrong_codes_has_to_wait_and_keeps_nobody_else_out(path: Path) -> None:
    now_s = [0.0]
    book = GuestBook(path, lambda: now_s[0])
    for _ in range(MOST_TRIES):
        assert join(book, code=wrong(book), source="one").reason == "wrong-code"
    assert join(book, source="one").reason == "too-many-tries"
    assert join(book, source="other").reason == ""
    now_s[0] += 61
    assert join(book, source="one").reason == ""


def test_from_however_many_places_the_code_cannot_be_tried_out(path: Path) -> None:
    book = GuestBook(path, lambda: 0.0)
    for number in range(MOST_TRIES_IN_ALL):
        assert join(book, code=wrong(book), source=f"place {number}").reason == "wrong-code"
    assert join(book, source="somebody else").reason == "too-many-tries"


def test_a_guest_is_known_again_after_a_restart_and_the_code_is_the_same(book: GuestBook, path: Path) -> None:
    joined = join(book, 0)
    again = GuestBook(path)
    assert again.code == book.code
    assert not again.follow(1000, NAMES)
    back = again.join(Join(id="2", token=joined.token))
    assert (back.guest, back.seat, back.role, back.token) == (joined.guest, 0, "player", joined.token)


def test_the_file_tells_no_token_and_is_for_nobody_else(book: GuestBook, path: Path) -> None:
    joined = join(book, 0)
    assert joined.token not in path.read_text(encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"[", b"[" * 50_000, b'{"code":"12"}', b"\x00\xff", b'{"code":"123456","guests":7}']
)
def test_a_file_that_makes_no_sense_is_begun_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    book = GuestBook(path)
    assert len(book.code) == 6
    assert join(book).reason == ""


def test_where_the_file_cannot_be_written_guests_are_let_in_all_the_same(tmp_path: Path) -> None:
    book = GuestBook(tmp_path / "nowhere" / FILE)
    assert book.known(join(book).token) is not None


def test_the_code_shown_before_the_first_match_is_that_of_the_first(path: Path) -> None:
    book = GuestBook(path)
    code, joined = book.code, join(book)
    assert book.follow(1000, NAMES)
    assert book.code == code
    assert book.known(joined.token) is not None


def test_with_other_players_everybody_joins_anew_and_with_the_same_nobody_has_to(book: GuestBook) -> None:
    joined = join(book, 1)
    book.follow(2000, NAMES)
    known = book.known(joined.token)
    assert known is not None
    assert known.seat == 1
    book.follow(3000, ("Ana", "Chiara"))
    assert book.known(joined.token) is None
    assert book.join(Join(id="9", token=joined.token)).reason == "not-joined"


def test_a_guest_can_be_another_player_but_none_that_there_is_not(book: GuestBook) -> None:
    joined = join(book)
    assert joined.role == "watcher"
    assert book.join(Join(id="2", token=joined.token, seat=1)).seat == 1
    assert book.join(Join(id="2", token=joined.token, seat=2)).seat == 1
    for seat in (-1, 2, 10**9):
        assert join(book, seat).reason == "no-such-seat"


def test_who_is_sent_away_is_known_no_more_and_no_id_is_given_twice(book: GuestBook, path: Path) -> None:
    first = join(book, 0)
    assert book.drop(first.guest)
    assert not book.drop(first.guest)
    assert book.known(first.token) is None
    second = join(GuestBook(path), 0)
    assert second.guest != first.guest


def test_a_host_is_made_by_somebody_else_and_says_so_in_the_journal(book: GuestBook) -> None:
    joined = join(book, 1)
    assert book.promote(joined.guest)
    assert not book.promote("g77")
    known = book.known(joined.token)
    assert known is not None
    assert (known.role, known.by) == ("host", "phone:host:Pixel-7")


def test_a_new_code_shuts_out_who_knew_the_old_one_and_nobody_who_is_in(book: GuestBook) -> None:
    joined, before = join(book), book.code
    book.renew()
    assert join(book, code=before).reason == "wrong-code"
    assert book.known(joined.token) is not None


def test_when_too_many_have_joined_the_oldest_that_is_no_host_makes_room(book: GuestBook) -> None:
    host = join(book)
    book.promote(host.guest)
    second = join(book)
    for _ in range(MOST_GUESTS - 2):
        assert join(book).reason == ""
    newest = join(book)
    assert len(book.guests) == MOST_GUESTS
    assert book.known(host.token) is not None
    assert book.known(second.token) is None
    assert book.known(newest.token) is not None


def test_another_version_of_the_protocol_is_refused_by_name(book: GuestBook) -> None:
    assert book.join(Join(id="1", code=book.code, protocol=PROTOCOL + 1)).reason == "protocol"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Ana's iPhone", "Ana's iPhone"),
        ("  a \n b\tc ", "a b c"),
        ("<b>\u202eevil</b>", "b evil b"),
        ("Телефон Олени", "Телефон Олени"),
        ("", "phone"),
        ("\u0000\u200b", "phone"),
        ("x" * 99, "x" * 20),
    ],
)
def test_a_device_is_shown_by_letters_that_can_be_seen(said: str, shown: str) -> None:
    assert device_name(said) == shown


def test_a_device_name_of_blanks_leaves_the_journal_one_word(book: GuestBook) -> None:
    known = book.known(join(book, 0, device="a b  c").token)
    assert known is not None
    assert known.by == "phone:A:a-b-c"
    assert json.dumps(known.by).count(" ") == 0
