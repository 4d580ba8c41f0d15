"""`referee phone`: prints where the page is, says so when the port is taken, and ends when asked."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LONGEST_S = 30
TAKEN = (
    "referee phone: cannot listen on port {port}: Address already in use; is another referee running? "
    "--port N takes another\n"
)

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `referee phone` in directories of this test; ends it afterwards."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "phone", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=PROJECT,
            env={**os.environ, "REFEREE_STATE": str(tmp_path / "state"), "REFEREE_RUNTIME": str(tmp_path)},
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=LONGEST_S)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_the_address_is_printed_and_a_signal_ends_it_cleanly(start: Start, end: signal.Signals) -> None:
    process = start("--port", "0")
    assert process.stdout
    line = process.stdout.readline()
    address = re.fullmatch(
        r"Phone page: (http://127\.0\.0\.1:\d+/) \(this machine only; --lan lets others in\)\n", line
    )
    assert address, line
    with urllib.request.urlopen(address[1], timeout=LONGEST_S) as page:  # noqa: S310  # our own loopback address
        assert b"<title>Tabletop Referee</title>" in page.read()
    process.send_signal(end)
    assert process.wait(LONGEST_S) == 0
    assert process.stderr
    assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_said_and_is_bad_configuration(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process = start("--port", str(port))
        assert process.wait(LONGEST_S) == 78
        assert process.stderr
        assert process.stderr.read() == TAKEN.format(port=port)


@pytest.mark.parametrize("port", ["70000", "-1", "many", "\u0663"])
def test_a_port_that_is_none_is_a_usage_error(start: Start, port: str) -> None:
    process = start(f"--port={port}")
    assert process.wait(LONGEST_S) == 64
    assert process.stderr
    assert "expected a port from 0 to 65535" in process.stderr.read()
