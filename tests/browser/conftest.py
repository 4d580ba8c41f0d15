"""A real browser and a whole house: table and bridge are processes, the phone is Chromium in a phone's size.

Playwright and Chromium are not needed for anything else; `.requirements/browser.sh` installs both. Without them these
tests are skipped, and say what is missing.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from display.link import Link
from referee.config import Places
from tests.serving import until

MISSING = "needs {}: run .requirements/browser.sh"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
STALE = "document.body.classList.contains('stale')"
sync_api = pytest.importorskip("playwright.sync_api", reason=MISSING.format("Playwright"))


def chromium() -> str | None:
    """The browser of this system."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class House:
    """A table by touch and its bridge, each of which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.places = Places(folder / "state", folder / "run").make()
        self.link = Link(self.places, "screen")
        self.port = 0
        self._rooms: dict[str, subprocess.Popen[str]] = {}

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self, room: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a room as `referee run` does."""
        environment = {
            **os.environ,
            "REFEREE_STATE": str(self.places.state),
            "REFEREE_RUNTIME": str(self.places.runtime),
        }
        command = (sys.executable, "-m", "referee", room, *arguments)
        self._rooms[room] = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        return self._rooms[room]

    def start_table(self) -> None:
        """Begin a match for two, or go on with it."""
        game = ("--game", "ro-trimino/manufacturer", "--players", "Ana,Bogdan", "--opening", "any")
        self.start("table", *game, "--no-camera")
        until(self.link, lambda: self.link.live)

    def start_bridge(self) -> None:
        """Serve the page, at the same port as before."""
        bridge = self.start("phone", "--port", str(self.port))
        assert bridge.stdout is not None
        self.port = int(bridge.stdout.readline().split("/")[2].split(":")[1])

    def end(self, room: str) -> None:
        """End a room without warning."""
        running = self._rooms.pop(room)
        running.send_signal(signal.SIGKILL)
        running.wait()
        if running.stdout is not None:
            running.stdout.close()

    def say(self, line: str) -> None:
        """Say a line at the screen, to a view that is as new as it gets."""
        order_id = self.link.order(line)
        found: list[Any] = []
        until(self.link, lambda: bool(found.extend(a for a in self.link.answers() if a.id == order_id) or found))
        assert found[0].status == "done", found[0]
        until(self.link, lambda: self.link.view is not None and self.link.view.seq >= found[0].seq)

    @property
    def code(self) -> str:
        """What the screen shows."""
        told = self.link.ask("joining").invitation
        assert told is not None
        return told.code

    def close(self) -> None:
        """End everything."""
        for room in tuple(self._rooms):
            self.end(room)
        self.link.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    built = House(tmp_path)
    try:
        built.start_table()
        built.start_bridge()
        yield built
    finally:
        built.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = chromium()
    if program is None:
        pytest.skip(MISSING.format("Chromium"))
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


class Phones:
    """Opens the page on phones, and hears what goes wrong in it."""

    def __init__(self, browser: Any, house: House, stack: ExitStack) -> None:
        self._browser, self._house, self._stack = browser, house, stack
        self.complaints: list[str] = []

    def open(self, hash_: str = "", **options: Any) -> Any:
        """The page on another phone, when it is live."""
        context = self._browser.new_context(**{**PHONE, **options})
        self._stack.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._outside(request.url))
        page.goto(self._house.address + hash_)
        becomes(page, f"!{STALE}")
        return page

    def _outside(self, url: str) -> None:
        if url.split("/")[2] != self._house.address.split("/")[2]:
            self.complaints.append(f"asks elsewhere: {url}")


@pytest.fixture
def phones(browser: Any, house: House) -> Iterator[Phones]:
    with ExitStack() as stack:
        opened = Phones(browser, house, stack)
        yield opened
        assert opened.complaints == []


def becomes(page: Any, true: str, within_s: float = 8.0) -> None:
    """Wait until something is so on a page; Playwright's own waiting would need what the page's policy forbids."""
    until_s = time.monotonic() + within_s
    while not page.evaluate(true):
        assert time.monotonic() < until_s, f"it never came true: {true}"
        page.wait_for_timeout(50)
