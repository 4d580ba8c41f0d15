"""The loop by hand: touches, orders, flashes and pictures, with a table and a clock of our own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest
import zmq

from display import pages, shots
from display.calibrating import BEGIN, CANCEL, Explained, Shown, Stage
from display.calibrating import page as calibrating_page
from display.dialogue import LOCAL
from display.moments import FLASH_S, Flash
from display.outlines import buttons
from display.outlook import LEAVE
from display.pulse import Pulse
from display.screen import NOT_MEASURED, Screen
from display.sentences import Words
from display.shots import Shots
from display.widgets import Button
from display.window import NoDisplayError, open_window
from referee.config import Places
from referee.wire import Answer, Beat, Ruled, Told, View, decode


class FakeTable:
    """A table that shows what it is told and remembers what was said to it."""

    def __init__(self, view: View | None) -> None:
        self.view = view
        self.live = True
        self.said: list[str] = []
        self.about: list[Answer | None] = []
        self.replies: list[Answer] = []

    def poll(self, timeout_s: float = 0.0) -> bool:
        return False

    def order(self, line: str, about: Answer | None = None) -> str:
        self.said.append(line)
        self.about.append(about)
        return f"id-{len(self.said)}"

    def ask(self, what: str, *args: str, timeout_s: float = 1.0) -> Told:
        return Told("", error="this table tells nothing")

    def answers(self) -> list[Answer]:
        taken, self.replies = self.replies, []
        return taken


class Desk:
    """A screen in front of a fake table."""

    def __init__(
        self, view: View | None, folder: Path, size: tuple[int, int] = (800, 480), every: bool = False
    ) -> None:
        self.table = FakeTable(view)
        self.now_s = 10.0
        self.flips = 0
        self.asked: Answer | None = None
        self.window = pygame.Surface(size)
        self.shots = Shots(folder, every)
        self.screen = Screen(self.table, lambda: self.window, self.shots, clock=lambda: self.now_s, flip=self.flip)
        self.screen.step()
        self.now_s += 1.0

    def flip(self) -> None:
        self.flips += 1

    def centre(self, order: str) -> tuple[int, int]:
        """The middle of a drawn button, in pixels of the window."""
        page = pages.page(self.table.view, self.table.live, asked=self.asked)
        rect = next(w.rect for w in page.widgets if isinstance(w, Button) and w.order == order)
        scale = min(self.window.get_width() / 800, self.window.get_height() / 480)
        left = (self.window.get_width() - 800 * scale) / 2
        top = (self.window.get_height() - 480 * scale) / 2
        return (round(left + (rect.x + rect.w / 2) * scale), round(top + (rect.y + rect.h / 2) * scale))

    def down(self, at: tuple[int, int], touch: bool = False, button: int = 1) -> None:
        self.screen.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=button, touch=touch))

    def up(self, at: tuple[int, int], touch: bool = False, button: int = 1) -> None:
        self.screen.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=button, touch=touch))

    def tap(self, at: tuple[int, int]) -> None:
        self.down(at)
        self.screen.step()
        self.up(at)
        self.screen.step()


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (480, 800), (1920, 1080)])
def test_a_tap_on_the_drawn_middle_sends_that_order_once(scene: View, size: tuple[int, int], tmp_path: Path) -> None:
    orders = [widget.order for widget in pages.page(scene).widgets if isinstance(widget, Button)]
    for order in orders:
        desk = Desk(scene, tmp_path, size)
        desk.tap(desk.centre(order))
        assert desk.table.said == ([] if order.startswith(LOCAL) else [order])


def test_a_finger_and_its_mouse_pair_act_once(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    at = desk.centre("B draws 1")
    finger = {"x": at[0] / 800, "y": at[1] / 480, "finger_id": 1, "touch_id": 1}
    desk.screen.handle(pygame.event.Event(pygame.FINGERDOWN, **finger))
    desk.down(at, touch=True)
    desk.screen.handle(pygame.event.Event(pygame.FINGERUP, **finger))
    desk.up(at, touch=True)
    assert desk.table.said == ["B draws 1"]


def test_a_finger_that_slides_off_the_button_does_nothing(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    desk.down(desk.centre("B draws 1"))
    desk.up(desk.centre("B passes"))
    desk.down((400, 100))
    desk.up(desk.centre("B passes"))
    desk.down(desk.centre("B passes"), button=3)
    desk.up(desk.centre("B passes"), button=3)
    assert desk.table.said == []


def test_a_second_tap_waits_for_the_answer_to_the_first(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    at = desk.centre("B draws 1")
    desk.tap(at)
    desk.tap(at)
    assert desk.table.said == ["B draws 1"]
    desk.table.replies.append(Answer("id-1", "done"))
    desk.screen.step()
    desk.tap(at)
    assert desk.table.said == ["B draws 1", "B draws 1"]


def test_a_button_that_came_up_under_the_finger_does_not_act(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    desk.table.view = scenes["which-tile"]
    desk.screen.step()
    at = desk.centre("answer q1 1")
    desk.tap(at)
    assert desk.table.said == []
    desk.now_s += 0.3
    desk.tap(at)
    assert desk.table.said == ["answer q1 1"]


def test_a_button_that_changed_between_press_and_release_does_not_act(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    at = desk.centre("B draws 1")
    desk.down(at)
    desk.table.view = msgspec.structs.replace(scenes["play"], turn=2)
    desk.screen.step()
    desk.up(at)
    assert desk.table.said == []


def test_a_refused_order_is_answered_on_the_screen_for_a_while(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    desk.table.replies.append(Answer("id-1", "refused", "draw-while-able"))
    assert desk.screen.step()
    assert not desk.screen.step()
    desk.now_s += 10
    assert desk.screen.step()  # the notice is gone


@pytest.mark.parametrize("order", ["undo! 12", LEAVE])
def test_an_order_that_reaches_far_is_asked_about_and_done_or_left(
    order: str, scenes: Any, asked: Answer, tmp_path: Path
) -> None:
    desk = Desk(scenes["play"], tmp_path)
    desk.tap(desk.centre("undo 20"))
    desk.asked = msgspec.structs.replace(asked, id="id-1")
    desk.table.replies.append(desk.asked)
    assert desk.screen.step()
    desk.tap(desk.centre(order))
    assert desk.table.said == ["undo 20"], "the keys came up under the finger"
    desk.now_s += 1
    desk.tap(desk.centre(order))
    desk.asked = None
    assert desk.table.said == ["undo 20", *([order] if order != LEAVE else [])]
    assert desk.table.about[1:] == ([msgspec.structs.replace(asked, id="id-1")] if order != LEAVE else [])
    desk.now_s += 1
    desk.tap(desk.centre("B draws 1"))
    assert desk.table.said[-1] == "B draws 1", "the page is the game's again"


def test_nothing_is_drawn_when_nothing_changed(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    assert desk.flips == 1
    for _ in range(20):
        assert not desk.screen.step()
    desk.table.live = False
    assert desk.screen.step()
    desk.window = pygame.Surface((1024, 600))
    assert desk.screen.step()
    assert desk.flips == 3


def test_a_window_that_was_covered_is_drawn_again(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    assert not desk.screen.step()
    desk.screen.handle(pygame.event.Event(pygame.WINDOWEXPOSED))
    assert desk.screen.step()
    assert not desk.screen.step()


def test_an_old_page_takes_no_taps(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    at = desk.centre("B draws 1")
    desk.table.live = False
    desk.screen.step()
    desk.now_s += 1
    desk.tap(at)
    assert desk.table.said == []


def test_the_same_dispute_delivered_three_times_flashes_once(scenes: Any) -> None:
    flash = Flash()
    view = scenes["dispute"]
    flash.note(view, 0.0)
    assert flash.lit(0.1)
    assert not flash.lit(FLASH_S + 0.1)
    flash.note(view, 5.0)
    flash.note(msgspec.structs.replace(view, seq=view.seq + 1), 6.0)
    assert not flash.lit(6.1)


def test_another_dispute_flashes_again_and_so_does_one_after_a_pause(scenes: Any) -> None:
    flash = Flash()
    view = scenes["dispute"]
    flash.note(view, 0.0)
    flash.note(msgspec.structs.replace(view, dispute=msgspec.structs.replace(view.dispute, entry=25)), 10.0)
    assert flash.lit(10.1)
    flash.note(scenes["play"], 20.0)
    assert not flash.lit(20.1)
    flash.note(view, 30.0)
    assert flash.lit(30.1)


def test_every_new_ruling_and_phase_leaves_a_picture(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(None, tmp_path, every=True)
    for name in ("deal", "play", "play", "hexagon", "dispute", "which-tile", "over"):
        desk.table.view = msgspec.structs.replace(scenes[name], seq=desk.table.view.seq + 1 if desk.table.view else 1)
        desk.screen.step()
        desk.screen.step()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "001-deal.png",
        "002-ok-edge.png",
        "003-ok-hexagon.png",
        "004-edge-mismatch.png",
        "005-which-tile.png",
        "006-over.png",
    ]
    assert pygame.image.load(str(tmp_path / "003-ok-hexagon.png")).get_size() == (800, 480)


def test_a_picture_is_saved_on_request_only(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path / "pictures")
    assert not (tmp_path / "pictures").exists()
    desk.screen.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F12))
    desk.screen.step()
    desk.screen.step()
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["001-ok-edge.png"]


def test_pictures_are_numbered_on_after_a_restart_and_the_oldest_make_room(scenes: Any, tmp_path: Path) -> None:
    for number in range(1, shots.MOST_PICTURES + 1):
        (tmp_path / f"{number:03}-play.png").touch()
    os.utime(tmp_path / "001-play.png", (4e9, 4e9))  # a clock that was far ahead once does not keep it
    (tmp_path / "notes.txt").touch()
    for _ in range(2):
        desk = Desk(scenes["play"], tmp_path)
        desk.screen.shoot()
        desk.screen.step()
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == shots.MOST_PICTURES + 1
    assert {"1001-ok-edge.png", "1002-ok-edge.png", "003-play.png", "notes.txt"} <= names
    assert not {"001-play.png", "002-play.png"} & names


def test_a_reason_from_elsewhere_cannot_leave_the_folder(scenes: Any, tmp_path: Path) -> None:
    odd = msgspec.structs.replace(scenes["play"], last=Ruled(3, 0, "A passes", "../../etc", True))
    Desk(odd, tmp_path / "here", every=True)
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["001-------etc.png"]


def test_closing_the_window_ends_the_loop_and_every_round_beats(scenes: Any, tmp_path: Path) -> None:
    open_window((800, 480))
    beats = []
    screen = Screen(FakeTable(scenes["play"]), pygame.display.get_surface, Shots(tmp_path))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    screen.run(lambda: beats.append(1))
    assert screen.stopped
    assert beats == [1]
    assert not pygame.display.get_allow_screensaver()
    pygame.display.quit()


def test_a_beat_is_sent_once_a_second_and_grows_with_the_work(tmp_path: Path) -> None:
    places = Places(tmp_path / "s", tmp_path / "r").make()
    now_s = [0.0]
    with zmq.Context() as context, context.socket(zmq.PULL) as listener:
        listener.setsockopt(zmq.RCVTIMEO, 5000)
        listener.bind(places.endpoint("beats"))
        pulse = Pulse(places, "e", clock=lambda: now_s[0])
        for _ in range(3):
            pulse.beat()
        now_s[0] = 1.1
        pulse.beat()
        beats = [decode(listener.recv(), Beat) for _ in range(2)]
        assert [(beat.room, beat.progress) for beat in beats] == [("screen", 1), ("screen", 4)]
        assert listener.poll(50) == 0
        pulse.close()


def test_beats_to_nobody_do_not_block(tmp_path: Path) -> None:
    now_s = [0.0]
    pulse = Pulse(Places(tmp_path, tmp_path), "e", clock=lambda: now_s[0])
    for second in range(20):
        now_s[0] = second * 2.0
        pulse.beat()
    pulse.close()


def test_without_a_display_a_window_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    pygame.display.quit()
    with pytest.raises(NoDisplayError):
        open_window((800, 480))


def environment_without_display(tmp_path: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "REFEREE_STATE": str(tmp_path / "state"),
        "REFEREE_RUNTIME": str(tmp_path / "run"),
        "XDG_RUNTIME_DIR": str(tmp_path),
    }


def test_the_command_without_a_display_says_what_would_help(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "screen"],
        env=environment_without_display(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 78
    assert "--shots DIR" in done.stderr


def test_the_command_draws_without_a_display_when_pictures_are_wanted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "screen", "--shots", str(tmp_path / "shots"), "--size", "640x384"]
    (tmp_path / "run").mkdir()
    shot = tmp_path / "shots" / "001-waiting.png"
    with zmq.Context() as context, context.socket(zmq.PULL) as listener:
        listener.setsockopt(zmq.RCVTIMEO, 20_000)
        listener.bind(f"ipc://{tmp_path / 'run' / 'beats'}")
        child = subprocess.Popen(command, env=environment_without_display(tmp_path), stdout=subprocess.PIPE, text=True)
        try:
            assert decode(listener.recv(), Beat).room == "screen"  # it is in its loop now
            child.send_signal(signal.SIGUSR1)
            while not shot.exists():
                decode(listener.recv(), Beat)
            child.terminate()
            said, _ = child.communicate(timeout=20)
        finally:
            child.kill()
            child.wait()
    assert child.returncode == 0
    assert "no display" in said
    assert pygame.image.load(str(shot)).get_size() == (640, 384)


class Far:
    """A room far away that measures."""

    def __init__(self) -> None:
        self.shown = Shown(Stage("lens"))
        self.said: list[str] = []
        self.is_over = self.is_lost = self.is_closed = False

    def say(self, word: str) -> None:
        self.said.append(word)

    def point(self, x: float, y: float) -> None: ...

    def poll(self) -> None: ...

    def close(self) -> None:
        self.is_closed = True


def measuring(desk: Desk, *orders: str) -> None:
    """Tap through the pages beside the game."""
    for order in orders:
        desk.screen.step()
        desk.now_s += 1.0
        rect = next(key.rect for key in buttons(desk.screen.page) if key.order == order)
        desk.tap((round(rect.x + rect.w / 2), round(rect.y + rect.h / 2)))


@pytest.mark.parametrize("is_lost", [False, True])
def test_while_the_camera_is_measured_the_screen_shows_that_and_then_the_game_again(
    scenes: Any, tmp_path: Path, is_lost: bool
) -> None:
    desk, far = Desk(scenes["play"], tmp_path), Far()
    desk.screen._open_measuring = lambda: far  # type: ignore[assignment, return-value]  # all that it needs of one
    desk.screen._asides = (Explained(),)
    measuring(desk, BEGIN)
    desk.screen.step()
    (cancel,) = (key.rect for key in buttons(calibrating_page(far.shown.stage, Words())) if key.order == CANCEL)
    desk.tap((round(cancel.x + cancel.w / 2), round(cancel.y + cancel.h / 2)))
    assert (far.said, desk.table.said) == ([CANCEL], [])
    far.is_over, far.is_lost = True, is_lost
    desk.screen.step()
    assert far.is_closed
    desk.screen.step()
    assert "B draws 1" in {key.order for key in buttons(desk.screen.page)}
    assert (desk.screen._notice == NOT_MEASURED) == is_lost


def test_where_no_supervisor_is_nobody_waits_for_measuring(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["play"], tmp_path)
    desk.screen._asides = (Explained(),)
    measuring(desk, BEGIN)
    assert desk.screen._notice == NOT_MEASURED
