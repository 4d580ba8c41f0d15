"""Pictures of what the screen shows."""

from __future__ import annotations

from pathlib import Path

import pygame

from referee.wire import View


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
        """Save a picture as `NNN-what.png`.

        Raises:
            OSError: if it cannot be written, a full card say; nothing is left of it then.
        """
        self.wanted = False
        self._count += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self._count:03}-{_title(view)}.png"
        try:
            pygame.image.save(picture, str(path))
        except pygame.error as error:
            path.unlink(missing_ok=True)
            raise OSError(str(error)) from error
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
