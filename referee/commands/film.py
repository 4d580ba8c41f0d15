"""A demo as a film: the virtual table beside the screen, in one process and on the camera's clock.

The same people play the same match as in a demo of several processes; here nothing waits for anything, so that the
same seed gives the same film.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from referee.commands.torture.hall import FPS, Course, Hall
from referee.wire import Answer, Ask, Told, View

if TYPE_CHECKING:
    from referee.commands.company import Company
    from vision.film import Film
    from vision.virtual import Direction

EVERY = 2  # frames of the camera for one picture of the film
BUZZ_FRAMES = FPS
RULED_FRAMES, REFUSED_FRAMES = FPS * 2 // 3, 3 * FPS
LONGEST_FRAMES = 60 * 60 * FPS


class Inside:
    """A client of a table in the same process: what is said is answered at once.

    Args:
        hall: where the table is.
        by: who this client is.
    """

    live = True

    def __init__(self, hall: Hall, by: str) -> None:
        self._hall, self._by = hall, by
        self._ids = count(1)
        self._answers: list[Answer] = []
        self._seen: View | None = None

    @property
    def view(self) -> View | None:
        """The newest view."""
        return self._hall.view

    def poll(self, timeout_s: float = 0.0) -> bool:  # noqa: ARG002  # nothing is on its way
        """True when the view is another one, or something was answered."""
        news = self._seen is not self._hall.view or bool(self._answers)
        self._seen = self._hall.view
        return news

    def order(self, line: str, about: Answer | None = None) -> str:  # noqa: ARG002  # nothing comes between
        """Say a line; returns the order's id."""
        answer = self._hall.order(line)
        self._answers.append(answer)
        return answer.id

    def answers(self) -> list[Answer]:
        """The answers that have come since this was last called."""
        taken, self._answers = self._answers, []
        return taken

    def ask(self, what: str, *args: str, timeout_s: float = 0.0) -> Told:  # noqa: ARG002  # it never takes any
        """Ask for something that is not in a view."""
        return self._hall.table.ask(Ask(id=f"{self._by}-{next(self._ids)}", what=what, args=args))


def shoot(
    hall: Hall,
    company: partial[Company],
    hear: Callable[[View], None],
    shots: Path,
    language: str,
) -> tuple[Company, Film]:
    """Have a match played and film it.

    Args:
        hall: the table, where the match has begun.
        company: makes the people, of their link, the way to the stage, and a clock.
        hear: is told every new view.
        shots: the folder for single pictures of the screen.
        language: what the screen speaks.
    """
    import pygame

    from display.preferences import USUAL
    from display.screen import Screen
    from display.shots import Shots
    from vision.film import SCREEN_PX, Film

    def clock() -> float:
        return hall.frames / FPS

    pygame.font.init()
    window = pygame.Surface(SCREEN_PX, 0, 32)
    liked, pictures = structs.replace(USUAL, language=language), Shots(shots, every=True)
    screen = Screen(Inside(hall, "screen"), lambda: window, pictures, liked, clock=clock, flip=lambda: None)
    waiting: deque[Direction] = deque()
    people = company(Inside(hall, "people"), waiting.append, clock=clock)
    film = Film(1000 * EVERY // FPS)
    buzzes, silent_from = 0, 0

    def watch() -> None:
        nonlocal buzzes, silent_from
        screen.step()
        if hall.lamp.buzzes > buzzes:
            buzzes, silent_from = hall.lamp.buzzes, hall.frames + BUZZ_FRAMES
        if hall.frames % EVERY == 0 and hall.newest is not None:
            seen = pygame.surfarray.array3d(window).swapaxes(0, 1)[..., ::-1]  # blue, green, red as OpenCV has it
            film.take(hall.newest.image, seen, hall.lamp.is_lit, hall.frames < silent_from)

    hall.run(_course(people, waiting, hear, hall), watch)
    return people, film


def _course(people: Company, waiting: deque[Direction], hear: Callable[[View], None], hall: Hall) -> Course:
    """What people do as long as they play: they look at what was ruled, a refusal longest, before they go on."""
    ruled = None
    while not (people.finished or people.at_a_loss) and hall.frames < LONGEST_FRAMES:
        if hall.view.last != ruled:
            ruled = hall.view.last
            yield from repeat(None, REFUSED_FRAMES if hall.view.dispute else RULED_FRAMES)
        view = people.act()
        if view is not None:
            hear(view)
        yield waiting.popleft() if waiting else None
    yield from repeat(None, RULED_FRAMES)
