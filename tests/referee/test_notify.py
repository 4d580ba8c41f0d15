"""What systemd hears, read from a socket like its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.notify import Report, notify


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A socket that listens as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5.0)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def test_lines_reach_the_socket_that_the_environment_names(manager: socket.socket) -> None:
    notify("READY=1\nSTATUS=a game")
    assert manager.recv(1000) == b"READY=1\nSTATUS=a game"


def test_an_abstract_name_begins_with_an_at_sign(tmp_path: Path) -> None:
    name = f"referee-test-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0{name}")
        listening.settimeout(5.0)
        notify("READY=1", f"@{name}")
        assert listening.recv(100) == b"READY=1"


def test_nobody_who_listens_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")
    notify("READY=1", str(tmp_path / "nobody"))


def test_a_house_is_ready_once_its_table_gets_on_and_not_before() -> None:
    sent: list[str] = []
    report = Report(sent.append)
    report.hear(-1, "running: table")
    assert sent == ["STATUS=running: table"]
    report.hear(0, "running: table")
    report.hear(1, "running: table")
    assert sent[1:] == ["WATCHDOG=1\nREADY=1", "WATCHDOG=1"]


def test_the_watchdog_starves_while_the_table_does_not_get_on() -> None:
    sent: list[str] = []
    report = Report(sent.append)
    report.hear(7, "running: table, vision")
    for _ in range(100):
        report.hear(7, "running: table, vision")
    assert len(sent) == 1
    report.hear(7, "running: table; about to be started: vision")
    assert sent[1:] == ["STATUS=running: table; about to be started: vision"], "another room's trouble feeds nothing"


def test_a_table_that_is_started_again_is_not_ready_twice() -> None:
    sent: list[str] = []
    report = Report(sent.append)
    for progress in (5, -1, 1):
        report.hear(progress, "")
    report.stopping()
    assert sent == ["WATCHDOG=1\nREADY=1", "WATCHDOG=1", "STOPPING=1\nSTATUS=stopping"]
