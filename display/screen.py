"""The touchscreen: shows the newest view and sends what people tap. It is phone number zero."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pygame

from display import dialogue, draw, outlines, pages, preferences, setup, sounds, touch
from display.aside import Aside, Desk
from display.beside import ASIDES
from display.calibrating import Window
from display.dialogue import LOCAL, Dialogue
from display.measuring import Measuring
from display.moments import Flash, Turn
from display.outlook import LEAVE
from display.preferences import USUAL, Preferences
from display.replica import Replica
from display.sentences import KEPT, N_, Words
from display.shots import Shots
from display.sounds import Sounds
from display.widgets import Button, Page, Rect
from referee.config import Places
from referee.outside.rights import CONSENT
from referee.state import State
from referee.wire import Answer, Told, View

FRAMES_PER_S = 30
NOTICE_S = 4.0
FIRST_TOUCH_S = 0.25
ASK_S = 0.5
IDLE = ("", "over")
NOT_MEASURED = N_("The camera cannot be measured now. The game goes on as it was.")


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


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the picture on the screen was drawn from."""

    page: Page
    pressed: Button | None
    flash: bool
    size: tuple[int, int]
    look: tuple[bool, int, int]


class Screen:
    """One window: takes in views and touches, draws when something changed.

    A button acts when the finger leaves it inside, and not in the first moment after it came up. A screen that has
    gone dark is woken by a touch, which does nothing else.

    Args:
        table: the link to the table.
        window: the surface of the window.
        shots: where pictures go.
        likes: how the screen is to be.
        file: where that is remembered; None remembers nothing.
        player: what sounds are played on.
        clock: monotonic seconds.
        flip: shows what was drawn.
        places: where the pictures of rulings are.
        measure: has the camera measured by another room, which is then shown instead of the game.
    """

    def __init__(  # noqa: PLR0913  # each is a fact of its own, most have a usual value
        self,
        table: Table,
        window: Callable[[], pygame.Surface],
        shots: Shots,
        likes: Preferences = USUAL,
        file: Path | None = None,
        player: Sounds | None = None,
        clock: Callable[[], float] = time.monotonic,
        flip: Callable[[], None] = pygame.display.flip,
        *,
        places: Places | None = None,
        measure: Callable[[], Measuring] | None = None,
    ) -> None:
        self._table = table
        self._open_measuring = measure
        self._measuring: tuple[Measuring, Window] | None = None
        self._places = places
        self._window = window
        self._shots = shots
        self._likes = likes
        self._file = file
        self._player = player
        self._clock = clock
        self._flip = flip
        self._words = Words(likes.language)
        self._touches = touch.Touches(clock)
        self._touched_s = clock()
        self._flash = Flash()
        self._turn = Turn()
        self._page = Page(())
        self._since: dict[tuple[Rect, str], float] = {}
        self._pressed: Button | None = None
        self._waiting: dict[str, str] = {}
        self._beside: set[str] = set()
        self._notice = ""
        self._notice_until_s = 0.0
        self._asked: Answer | None = None
        self._replica = Replica()
        self._state: State | None = None
        self._dialogue: Dialogue | None = None
        self._asides: tuple[Aside, ...] = ()
        self._met = False
        self._ground: object = None
        self._view: View | None = None
        self._shown: _Shown | None = None
        self.stopped = False

    @property
    def page(self) -> Page:
        """What is shown now."""
        return self._page

    @property
    def likes(self) -> Preferences:
        """How it is now."""
        return self._likes

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
        if self._measuring is not None:
            self._measuring[0].close()  # the other room ends by itself when nobody asks any more

    def handle(self, event: pygame.event.Event) -> None:
        """Take in one event of the window."""
        if event.type == pygame.QUIT:
            self.stop()
        elif self._measuring is not None:
            self._measuring[1].handle(event)
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F12:
            self.shoot()
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED):
            self._shown = None  # what was drawn may be gone
        elif (touched := self._touches.take(event, self._window().get_size(), self._likes.rotate_deg)) is not None:
            was_dark = self._is_dark()
            self._touched_s = self._clock()
            pressed = None if was_dark else self._pressed
            self._pressed = self._touched(touched.pixel) if touched.is_down and not was_dark else None
            if not touched.is_down and pressed is not None and pressed == self._button_at(touched.pixel):
                self._act(pressed.order)

    def step(self) -> bool:
        """Take in what the table says and draw if that changes the picture; True when it was drawn."""
        self._table.poll(0.0)
        now_s = self._clock()
        if self._measuring is not None:
            return self._measured(*self._measuring)
        self._take_answers(now_s)
        view = self._table.view
        if view is not None:
            self._flash.note(view, now_s)
            self._follow(view, now_s)
        self._page = self._laid_out(view, now_s)
        keys = [(button.rect, button.order) for button in outlines.buttons(self._page)]
        self._since = {key: self._since.get(key, now_s) for key in keys}
        drawn = self._draw(now_s)
        if self._shots.due(view):
            self._shoot(view, now_s)
        return drawn

    def _laid_out(self, view: View | None, now_s: float) -> Page:
        notice = self._notice if now_s < self._notice_until_s else ""
        if self._is_dark():
            return Page(())
        if self._asides and self._asked is None and view is not None and self._table.live:
            return self._asides[-1].page(self._desk(notice))
        left_s = None
        if view is not None and self._likes.turn_s and (spent_s := self._turn.spent_s(view, now_s)) is not None:
            left_s = self._likes.turn_s - spent_s
        asked, about = self._asked, self._dialogue
        return pages.page(view, self._table.live, self._words, notice, asked, about, self._state, left_s)

    def _draw(self, now_s: float) -> bool:
        window, likes = self._window(), self._likes
        look = (likes.is_large, likes.rotate_deg, 0 if self._is_dark() else likes.brightness)
        shown = _Shown(self._page, self._pressed, self._flash.lit(now_s), window.get_size(), look)
        if shown == self._shown:
            return False
        size = touch.seen(shown.size, likes.rotate_deg)
        picture = draw.draw(shown.page, size, shown.pressed, shown.flash, likes.is_large, look[2], self._places)
        window.blit(pygame.transform.rotate(picture, -likes.rotate_deg) if likes.rotate_deg else picture, (0, 0))
        self._flip()
        self._shown = shown
        return True

    def _shoot(self, view: View | None, now_s: float) -> None:
        size = touch.seen(self._window().get_size(), self._likes.rotate_deg)
        try:
            self._shots.save(draw.draw(self._page, size, places=self._places), view)
        except OSError:
            self._tell(self._words.say(N_("The picture cannot be saved: the card is full or broken")), now_s)

    def _is_dark(self) -> bool:
        """Whether nobody has touched the screen for long and no game is under way."""
        dark_after_s = self._likes.dark_after_min * 60
        if not dark_after_s or (self._view is not None and self._view.phase not in IDLE):
            return False
        return self._clock() - self._touched_s > dark_after_s

    def _button_at(self, pixel: tuple[int, int]) -> Button | None:
        size = touch.seen(self._window().get_size(), self._likes.rotate_deg)
        return outlines.button_at(self._page, *draw.Frame.of(size).page_from_window(*pixel))

    def _touched(self, pixel: tuple[int, int]) -> Button | None:
        """The button under a finger, unless it came up while the finger was on its way to another one."""
        button = self._button_at(pixel)
        if button is None or self._clock() - self._since.get((button.rect, button.order), 0.0) < FIRST_TOUCH_S:
            return None
        return button

    def _follow(self, view: View, now_s: float) -> None:
        """Take in a view: what it sounds like, whether it wakes the screen, what it closes and opens."""
        before, self._view = self._view, view
        if view is not before:
            if self._player is not None and (name := sounds.asked_for(before, view, self._likes)):
                self._player.play(name, self._likes.volume)
            if view.kept != "ok" and (before is None or before.epoch != view.epoch):
                self._tell(self._words.code(KEPT, view.kept), now_s)
            if before is None or (before.phase, before.last) != (view.phase, view.last):
                self._touched_s = now_s
            if view.evidence == "failed" and (before is None or before.evidence != "failed"):
                self._tell(self._words.say(N_("Pictures of tiles cannot be kept: the card is full or broken")), now_s)
        if self._dialogue is not None and (self._ground != _ground(view) or _is_another_match(before, view)):
            self._dialogue = None
        is_entering = self._dialogue is not None or bool(self._asides)
        is_told_more = view.dispute is not None or view.tricks is not None or view.camera == "none"
        if self._table.live and (is_entering or is_told_more):
            self._state = self._replica.state(self._table, view)
        else:
            self._state = None
        if self._dialogue is not None and dialogue.is_over(self._dialogue, view, self._state):
            self._dialogue = None
        self._asides = tuple(each for each in self._asides if not each.is_over(view))
        if not self._asides and self._table.live:
            self._greet(view)

    def _greet(self, view: View) -> None:
        """Where no match has begun one is set up; one from an earlier day is gone on with when somebody says so."""
        if not view.phase:
            self._asides = (setup.fresh(self._desk()),)
        elif view.resumed and not self._met:
            self._asides = (setup.GoOn(),)
        self._met = True

    def _desk(self, notice: str = "") -> Desk:
        reach = self._ask, self._remember, self._measure
        return Desk(self._view, self._state, self._words, self._likes, notice, *reach)

    def _measure(self) -> None:
        """Leave the game for measuring the camera; nobody can be told to where no supervisor is."""
        if self._open_measuring is None:
            self._tell(self._words.say(NOT_MEASURED), self._clock())
            return
        far = self._open_measuring()
        window = Window(
            *(lambda: far.shown, far.say, far.point, self._window, self._words, self._likes.rotate_deg),
            clock=self._clock,
            flip=self._flip,
        )
        self._measuring = far, window

    def _measured(self, far: Measuring, window: Window) -> bool:
        """One round of measuring; back to the game when it is over."""
        far.poll()
        self._touched_s = self._clock()
        if not far.is_over:
            return window.step()
        far.close()
        self._measuring = self._shown = None
        self._asides = ()
        if far.is_lost:
            self._tell(self._words.say(NOT_MEASURED), self._clock())
        return False

    def _ask(self, what: str, *args: str) -> Told:
        return self._table.ask(what, *args, timeout_s=ASK_S)

    def _remember(self, likes: Preferences) -> None:
        """Be so from now on, and the next time."""
        self._likes = likes
        self._words = Words(likes.language)
        if self._file is not None and not preferences.save(likes, self._file):
            self._tell(self._words.say(N_("The settings cannot be saved: the card is full or broken")), self._clock())

    def _act(self, line: str) -> None:
        """Say a line; while the page asks, it is the answer to that, or leaves things as they are."""
        asked, self._asked = self._asked, None
        if line in ASIDES and self._view is not None:
            self._asides, self._dialogue = (*self._asides, ASIDES[line](self._desk())), None
            return
        if self._asides and line.startswith(LOCAL):
            after = self._asides[-1].tapped(line, self._desk())
            self._asides = (*self._asides[:-1], *([] if after is None else [after]))
            return
        if line.startswith(LOCAL):
            self._go_on(line)
            return
        now = self._dialogue
        is_more = now is not None and now.act in dialogue.REPEATED and line != LEAVE
        self._dialogue = Dialogue(now.act, again=True) if now is not None and is_more else None
        if line != LEAVE and line not in self._waiting.values():
            order_id = self._table.order(line, asked)
            self._waiting[order_id] = line
            if self._asides:
                self._beside.add(order_id)

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
        after, error = dialogue.with_places(about, self._ask)
        if error:
            self._tell(error, self._clock())
        return after

    def _take_answers(self, now_s: float) -> None:
        for answer in self._table.answers():
            self._waiting.pop(answer.id, None)
            if answer.status == "confirm" or any(option.line for option in answer.options):
                self._asked = answer
            if answer.status in ("refused", "stale"):
                self._tell(self._words.answer(answer), now_s)
            if answer.id in self._beside and self._asides and answer.status in ("done", "repeated"):
                after = self._asides[-1].done(answer, self._desk())
                self._asides = (*self._asides[:-1], *([] if after is None else [after]))
            self._beside.discard(answer.id)

    def _tell(self, text: str, now_s: float) -> None:
        self._notice, self._notice_until_s = text, now_s + NOTICE_S


def _ground(view: View) -> object:
    """What a dialogue rests on: when this changes, what was being entered may mean something else."""
    doubts = (each for each in view.questions if each.what not in CONSENT)  # what a phone asks for can wait
    asked = next((each.id for each in doubts), None)
    return view.epoch, view.phase, view.round, view.turn, view.dispute and view.dispute.entry, asked


def _is_another_match(before: View | None, view: View) -> bool:
    """Whether the table began anew: within a match entries only become more, an undo being one of them."""
    if before is None or before.last is None:
        return False
    return view.last is None or view.last.entry < before.last.entry
