"""The window that the screen draws on, and whether this machine can open one."""

from __future__ import annotations

import os

import pygame

BLIND_DRIVERS = ("dummy", "offscreen", "evdev")


class NoDisplayError(RuntimeError):
    """This machine has no display that SDL could draw on; the message says what would help."""


def open_window(size: tuple[int, int], full: bool = False, hide_cursor: bool = False) -> None:
    """Open the window; only display and font of pygame are started, and the system is not to blank it.

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
        pygame.display.set_allow_screensaver(False)
    except pygame.error as error:
        raise NoDisplayError(str(error)) from None
    pygame.mouse.set_visible(not hide_cursor)
