"""The touchscreen: shows the newest view and sends what people tap. It is phone number zero."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pygame
import zmq

from display import dialogue, draw, outlines, pages
from display.dialogue import LOCAL, Dialogue
from display.outlook import LEAVE
from display.replica import Replica
from display.sentences import Words, letter
from display.widgets import Button, Page
from referee.config import Places
from referee.state import State
from referee.wire import Answer, Beat, Told, View, encode

FRAMES_PER_S = 30
FLASH_S = 1.5
NOTICE_S = 4.0
FIRST_TOUCH_S = 0.25
BEAT_S = 1.0
ASK_S = 0.5
BLIND_DRIVERS = ("dummy", "offscreen", "evdev")


class NoDisplayError(RuntimeError):
    """This machine has no display that SDL could draw on; the message says what would help."""


class Table(Protocol):
    """What the screen needs of `display.link.Link`."""

    @property
    def view(self) -> View | None:
        """The newest view."""
        ...

    @property
    def live(self) -> bool:
        """Whether the table has been heard lately."""
        ...

    def poll(self, timeout_s: float = 0.0) -> bool:
        """Take in what has come."""
        ...

    def order(self, line: str, about: Answer | None = None) -> str:
        """Send a line, said to the newest view or to an answer; returns the order's id."""
        ...

    def answers(self) -> list[Answer]:
        """The answers that have come since."""
        ...

    def ask(self, what: str, *args: str, timeout_s: float = ...) -> Told:
        """Ask for something that is not in a view."""
        ...


class Flash:
    """Lights the border once for each new dispute, for a table without a buzzer."""

    def __init__(self) -> None:
        self._entry: int | None = None
        self._until_s = float("-inf")

    def note(self, view: View, now_s: float) -> None:
        """Look at a view; the same dispute flashes once, however often it comes."""
        entry = view.dispute.entry if view.dispute else None
        if entry is not None and entry != self._entry:
            self._until_s = now_s + FLASH_S
        self._entry = entry

    def lit(self, now_s: float) -> bool:
        """Whether the border is lit now."""
        return now_s < self._until_s


class Shots:
    """Pictures of the screen in a folder, numbered and named by what they show.

    Args:
        every: also save one whenever something new was ruled, asked or begun.
    """

    def __init__(self, folder: Path, every: bool = False) -> None:
        self.folder = folder
        self._every = every
        self._count = 0
        self._moment: tuple[object, ...] = ()
        self.wanted = False

    def due(self, view: View | None) -> bool:
        """Whether this view is worth a picture, or one was asked for."""
        moment = _moment(view)
        new = moment != self._moment
        self._moment = moment
        return self.wanted or (self._every and new and view is not None)

    def save(self, picture: pygame.Surface, view: View | None) -> Path:
        """Save a picture as `NNN-what.png`."""
        self.wanted = False
        self._count += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self._count:03}-{_title(view)}.png"
        pygame.image.save(picture, str(path))
        return path


def _moment(view: View | None) -> tuple[object, ...]:
    if view is None:
        return ()
    return (
        view.phase,
        view.round,
        view.last and (view.last.entry, view.last.reason),
        view.dispute and view.dispute.entry,
        tuple(question.id for question in view.questions),
    )


def _title(view: View | None) -> str:
    if view is None:
        title = "waiting"
    elif view.dispute:
        title = view.dispute.reason
    elif view.questions:
        title = view.questions[0].what
    elif view.last and view.phase == "play":
        title = view.last.reason
    else:
        title = view.phase or "no-match"
    return "".join(letter if letter.isalnum() else "-" for letter in title)


class Pulse:
    """The screen's sign of life for the supervisor, once a second; nobody need be listening."""

    def __init__(self, places: Places, epoch: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._epoch = epoch
        self._clock = clock
        self._progress = 0
        self._due_s = clock()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.SNDHWM, 2)
        self._socket.connect(places.endpoint("beats"))

    def beat(self) -> None:
        """Count one round of the loop, and tell when a second has passed."""
        self._progress += 1
        if self._clock() < self._due_s:
            return
        self._due_s = self._clock() + BEAT_S
        try:
            self._socket.send(encode(Beat("screen", self._epoch, self._progress)), zmq.NOBLOCK)
        except zmq.Again:
            return  # nobody watches

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
        self._context.term()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the picture on the screen was drawn from."""

    page: Page
    pressed: Button | None
    flash: bool
    size: tuple[int, int]


class Screen:
    """One window: takes in views and touches, draws when something changed.

    There is one way in for touches, SDL's mouse events (a touch arrives as one, too); finger events are
    ignored. A button acts when the finger leaves it inside, and not in the first moment after it came up.

    Args:
        table: the link to the table.
        window: the surface of the window.
        shots: where pictures go.
        words: the language.
        clock: monotonic seconds.
        flip: shows what was drawn.
    """

    def __init__(
        self,
        table: Table,
        window: Callable[[], pygame.Surface],
        shots: Shots,
        words: Words = pages.ENGLISH,
        clock: Callable[[], float] = time.monotonic,
        flip: Callable[[], None] = pygame.display.flip,
    ) -> None:
        self._table = table
        self._window = window
        self._shots = shots
        self._words = words
        self._clock = clock
        self._flip = flip
        self._flash = Flash()
        self._page = Page(())
        self._since: dict[Button, float] = {}
        self._pressed: Button | None = None
        self._waiting: dict[str, str] = {}
        self._notice = ""
        self._notice_until_s = 0.0
        self._asked: Answer | None = None
        self._replica = Replica()
        self._state: State | None = None
        self._dialogue: Dialogue | None = None
        self._ground: object = None
        self._shown: _Shown | None = None
        self.stopped = False

    @property
    def page(self) -> Page:
        """What is shown now."""
        return self._page

    def stop(self) -> None:
        """End `run` after the round it is in."""
        self.stopped = True

    def shoot(self) -> None:
        """Save a picture with the next round."""
        self._shots.wanted = True

    def run(self, beat: Callable[[], None]) -> None:
        """Go on until stopped or the window is closed, calling `beat` in each round."""
        ticks = pygame.time.Clock()
        while not self.stopped:
            for event in pygame.event.get():
                self.handle(event)
            self.step()
            beat()
            ticks.tick(FRAMES_PER_S)

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self.stop()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F12:
            self.shoot()
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._pressed = self._touched(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            pressed, self._pressed = self._pressed, None
            if pressed is not None and pressed == self._button_at(event.pos):
                self._act(pressed.order)

    def step(self) -> bool:
        """Take in what the table says and draw if that changes the picture; True when it was drawn."""
        self._table.poll(0.0)
        now_s = self._clock()
        self._take_answers(now_s)
        view = self._table.view
        if view is not None:
            self._flash.note(view, now_s)
            self._follow(view)
        notice = self._notice if now_s < self._notice_until_s else ""
        self._page = pages.page(view, self._table.live, self._words, notice, self._asked, self._dialogue, self._state)
        self._since = {button: self._since.get(button, now_s) for button in outlines.buttons(self._page)}
        window = self._window()
        shown = _Shown(self._page, self._pressed, self._flash.lit(now_s), window.get_size())
        drawn = shown != self._shown
        if drawn:
            window.blit(draw.draw(shown.page, shown.size, shown.pressed, shown.flash), (0, 0))
            self._flip()
            self._shown = shown
        if self._shots.due(view):
            self._shots.save(draw.draw(shown.page, shown.size), view)
        return drawn

    def _button_at(self, pixel: tuple[int, int]) -> Button | None:
        return outlines.button_at(self._page, *draw.Frame.of(self._window().get_size()).page_from_window(*pixel))

    def _touched(self, pixel: tuple[int, int]) -> Button | None:
        """The button under a finger, unless it came up while the finger was on its way to another one."""
        button = self._button_at(pixel)
        if button is None or self._clock() - self._since.get(button, 0.0) < FIRST_TOUCH_S:
            return None
        return button

    def _follow(self, view: View) -> None:
        """Know the state where the view does not tell enough, and close a dialogue that the game has overtaken."""
        if self._dialogue is not None and self._ground != _ground(view):
            self._dialogue = None
        if self._table.live and (self._dialogue is not None or view.camera == "none" or view.tricks is not None):
            self._state = self._replica.state(self._table, view)
        else:
            self._state = None
        if self._dialogue is not None and dialogue.is_over(self._dialogue, view, self._state):
            self._dialogue = None

    def _act(self, line: str) -> None:
        """Say a line; while the page asks, it is the answer to that, or leaves things as they are."""
        asked, self._asked = self._asked, None
        if line.startswith(LOCAL):
            self._go_on(line)
            return
        now = self._dialogue
        is_more = now is not None and now.act in dialogue.REPEATED and line != LEAVE
        self._dialogue = Dialogue(now.act, again=True) if now is not None and is_more else None
        if line != LEAVE and line not in self._waiting.values():
            self._waiting[self._table.order(line, asked)] = line

    def _go_on(self, word: str) -> None:
        """One more tap of a dialogue; where that leaves only the place of a tile open, the places are asked for."""
        view = self._table.view
        if view is None:
            return
        before = self._dialogue or Dialogue("more")
        after = dialogue.tapped(before, word, view, self._state)
        self._ground = _ground(view)
        if after is not None and after.offers is None and dialogue.need(after, view, self._state) == "place":
            after = self._with_offers(after)
        self._dialogue = after

    def _with_offers(self, about: Dialogue) -> Dialogue:
        told = self._table.ask("places", about.tiles[0], letter(about.seat or 0), timeout_s=ASK_S)
        if told.error:
            self._notice, self._notice_until_s = told.error, self._clock() + NOTICE_S
        return replace(about, offers=told.lines)

    def _take_answers(self, now_s: float) -> None:
        for answer in self._table.answers():
            self._waiting.pop(answer.id, None)
            if answer.status == "confirm" or any(option.line for option in answer.options):
                self._asked = answer
            if answer.status in ("refused", "stale"):
                self._notice = self._words.answer(answer)
                self._notice_until_s = now_s + NOTICE_S


def _ground(view: View) -> object:
    """What a dialogue rests on: when this changes, what was being entered may mean something else."""
    asked = view.questions[0].id if view.questions else None
    return view.epoch, view.phase, view.round, view.turn, view.dispute and view.dispute.entry, asked


def open_window(size: tuple[int, int], full: bool = False, hide_cursor: bool = False) -> None:
    """Open the window; only display and font of pygame are started.

    Raises:
        NoDisplayError: if SDL finds no display, unless SDL_VIDEODRIVER asks for a blind driver.
    """
    os.environ["SDL_MOUSE_TOUCH_EVENTS"] = "0"  # a mouse is no finger: one tap, one event
    if not os.environ.get("SDL_VIDEODRIVER"):
        os.environ.pop("SDL_VIDEODRIVER", None)  # an empty name is no driver's name
    try:
        pygame.display.init()
        if pygame.display.get_driver() in BLIND_DRIVERS and not os.environ.get("SDL_VIDEODRIVER"):
            pygame.display.quit()
            raise NoDisplayError("SDL found no display")
        pygame.font.init()
        pygame.display.set_caption("Tabletop Referee")
        if full:
            pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        raise NoDisplayError(str(error)) from None
    pygame.mouse.set_visible(not hide_cursor)
