"""What a table likes: language, sounds, size of the text and so on, remembered in a small file."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec

_LOG = logging.getLogger(__name__)

FILE = "screen.json"
LOUDEST = 3
BRIGHTNESS = (100, 75, 50)  # no dimmer than `theme.LEAST_LIGHT`
DARK_AFTER_MIN = (5, 10, 30, 0)
TURNS_S = (0, 30, 60, 90, 120, 180)
_LARGEST_BYTES = 10_000

Sounds = Literal["all", "illegal", "none"]
Turned = Literal[0, 90, 180, 270]


class Preferences(msgspec.Struct, frozen=True):
    """How the screen is to be.

    `language` is a code, empty for that of the system. `sounds`: all of them, only that for an illegal tile, or
    none. `is_large`: larger text wherever there is room. `rotate_deg` turns the picture clockwise. `brightness` is a
    percentage of the light. `dark_after_min`: the screen goes dark when nobody has touched it for so long and no
    game is under way, never if 0. `turn_s`: time for a turn, 0 for as long as it takes.
    """

    language: Annotated[str, msgspec.Meta(max_length=20)] = ""
    sounds: Sounds = "all"
    volume: Annotated[int, msgspec.Meta(ge=1, le=LOUDEST)] = 2
    is_large: bool = False
    rotate_deg: Turned = 0
    brightness: Annotated[int, msgspec.Meta(ge=BRIGHTNESS[-1], le=100)] = 100
    dark_after_min: Annotated[int, msgspec.Meta(ge=0, le=600)] = 10
    turn_s: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0


USUAL = Preferences()


def load(path: Path) -> Preferences:
    """The preferences of a file, the usual ones where there is none or it makes no sense."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST_BYTES), type=Preferences)
    except FileNotFoundError:
        return USUAL
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        _LOG.warning("%s cannot be used (%s): the usual preferences hold", path, error)
        return USUAL


def save(preferences: Preferences, path: Path) -> bool:
    """Write the file whole or not at all; False when it could not be written."""
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(preferences))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        _LOG.warning("%s cannot be written (%s)", path, error)
        return False
    return True
