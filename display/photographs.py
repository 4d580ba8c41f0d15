"""Pictures that are kept of rulings, read from where the table keeps them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pygame

from display import theme
from display.widgets import Label, Panel, Photograph, Widget
from referee.config import Places


def photograph(places: Places, name: str, side: str, size: tuple[int, int]) -> pygame.Surface | None:
    """A picture as large as fits into so many pixels; None where it has been deleted or cannot be read."""
    try:
        path = places.picture(name, side)
    except ValueError:
        return None
    return _scaled(path, size)


@lru_cache(maxsize=8)
def _scaled(path: Path, size: tuple[int, int]) -> pygame.Surface | None:
    try:
        taken = pygame.image.load(str(path), "picture.jpg")
    except (OSError, pygame.error):
        return None
    scale = min(size[0] / taken.get_width(), size[1] / taken.get_height())
    fitting = max(1, round(taken.get_width() * scale)), max(1, round(taken.get_height() * scale))
    return pygame.transform.smoothscale(taken, fitting)


def instead(lost: Photograph) -> tuple[Widget, ...]:
    """What is drawn in the place of a picture that is gone."""
    inner = lost.rect.inset(8, 8)
    text = Label(inner, lost.instead, 18, theme.CARD, soft=True, align="centre", lines=3)
    return Panel(lost.rect, theme.CARD), text
