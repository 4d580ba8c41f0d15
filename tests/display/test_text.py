"""The terminal's client: what it prints, and that it says nothing about an old picture."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from display.__main__ import main
from display.guest import GuestLink, Invitation
from display.link import Link
from display.text import RECONNECTING, TROUBLES, Text, follow
from referee.config import Places
from tests.serving import serving, status_of, two_free_ports, until


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.fixture
def typing(tmp_path: Path) -> Iterator[Callable[[str], object]]:
    """Opens an input in which something has been typed, and which has ended."""
    opened = []

    def typed(text: str) -> object:
        read, write = os.pipe()
        os.write(write, text.encode())
        os.close(write)
        opened.append(os.fdopen(read, "rb"))
        return opened[-1]

    yield typed
    for each in opened:
        each.close()


def test_scores_turn_and_last_ruling_are_printed_once_and_a_refusal_with_its_reason(
    places: Places, typing: Callable[[str], object]
) -> None:
    lines: list[str] = []
    with serving(places), Link(places, "terminal") as link:
        code = follow(link, lines.append, typing("begin\nA lays 3-3-3 at 0,0,U\n\nA draws 1"))  # type: ignore[arg-type]  # a file
    assert code == 1
    assert "= Ana 9, Bo 0; Bo to move" in lines
    assert [line for line in lines if line.startswith("  3:")] == ["  3: A lays 3-3-3 at 0,0,U. Ana: Opening tile. 9"]
    assert lines[-1] == "! A draws 1: It is another player's turn"
    assert len(set(lines)) == len(lines)


def test_a_table_that_falls_silent_is_told_and_nothing_is_said_to_an_old_picture(places: Places) -> None:
    lines: list[str] = []
    now_s = [0.0]
    with Link(places, "terminal", clock=lambda: now_s[0]) as link:
        text = Text(link, lines.append)
        with serving(places, "one"):
            until(link, lambda: link.live)
            text.look(0.1)
        now_s[0] += 3.1
        text.look()
        text.order("begin")
        assert lines[-2:] == [RECONNECTING, "! begin: not said, the table is not heard"]
        with serving(places, "two"):
            until(link, lambda: link.live)
            text.look(0.1)
        assert lines[-1] == "= Ana 0, Bo 0; Deal the tiles and leave the table empty"


def test_a_guest_plays_from_a_terminal_elsewhere_with_what_the_screen_says(
    places: Places, typing: Callable[[str], object], capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(places, port=two_free_ports()), Link(places, "screen") as screen:
        until(screen, lambda: screen.view is not None)
        assert status_of(screen, "begin") == "done ok-begin"
        assert main(["text", "--invite", "--state", str(places.state), "--runtime", str(places.runtime)]) == 0
        invitation = Invitation.parse(capsys.readouterr().out)
        lines: list[str] = []
        with closing(GuestLink(invitation, "kitchen", seat=0)) as guest:
            assert follow(guest, lines.append, typing("A lays 3-3-3 at 0,0,U")) == 0  # type: ignore[arg-type]  # a file
        assert "  A lays 3-3-3 at 0,0,U: done" in lines
        lines.clear()
        with closing(GuestLink(invitation, "kitchen", seat=5)) as guest:
            assert follow(guest, lines.append, typing("")) == 0  # type: ignore[arg-type]  # a file
            assert follow(guest, lines.append, typing("A draws 1")) == 1  # type: ignore[arg-type]  # a file
        assert TROUBLES["no-such-seat"] in lines


def test_no_invitation_is_printed_where_the_gate_is_closed(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(places):
        assert main(["text", "--invite", "--state", str(places.state), "--runtime", str(places.runtime)]) == 1
    assert "--native PORT" in capsys.readouterr().err


def test_what_is_no_invitation_is_refused_before_anything_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", "http://192.168.1.23:8420/"]) == 64
    assert "code=" in capsys.readouterr().err
