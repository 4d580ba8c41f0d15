"""Pictures of what the screen shows."""

from __future__ import annotations

import re
from pathlib import Path

import pygame

from referee.wire import View

_OURS = re.compile(r"([0-9]{3,9})-[^.]*\.png")
MOST_PICTURES = 1000  # in the folder; the lowest numbers go first, whatever the clock says of their age


class Shots:
    """Pictures of the screen in a folder, numbered and named by what they show; numbers go on where others ended.

    Args:
        every: also save one whenever something new was ruled, asked or begun.
    """

    def __init__(self, folder: Path, every: bool = False) -> None:
        self.folder = folder
        self._every = every
        self._moment: tuple[object, ...] = ()
        self.wanted = False

    def due(self, view: View | None) -> bool:
        """Whether this view is worth a picture, or one was asked for."""
        moment = _moment(view)
        new = moment != self._moment
        self._moment = moment
        return self.wanted or (self._every and new and view is not None)

    def save(self, picture: pygame.Surface, view: View | None) -> Path:
        """Save a picture as `NNN-what.png`.

        Raises:
            OSError: if it cannot be written, a full card say; nothing is left of it then.
        """
        self.wanted = False
        self.folder.mkdir(parents=True, exist_ok=True)
        number = self._next_number()
        path = self.folder / f"{number:03}-{_title(view)}.png"
        try:
            pygame.image.save(picture, str(path))
        except pygame.error as error:
            path.unlink(missing_ok=True)
            raise OSError(str(error)) from error
        return path

    def _next_number(self) -> int:
        """The number of another picture; the oldest make room for it."""
        there = sorted((int(found[1]), path) for path in self.folder.iterdir() if (found := _OURS.match(path.name)))
        for _, path in there[: max(0, len(there) + 1 - MOST_PICTURES)]:
            path.unlink(missing_ok=True)
        return there[-1][0] + 1 if there else 1


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
