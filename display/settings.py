"""The settings: how the screen is to be. What is tapped holds at once and is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from display import languages, preferences, theme
from display.aside import Aside, Desk
from display.heading import BACK, BODY, card, grid, heading
from display.preferences import Preferences
from display.sentences import N_, Words
from display.widgets import Button, Page, Widget

SOUNDS = {"all": N_("All sounds"), "illegal": N_("Only for an illegal tile"), "none": N_("No sounds")}
_CHOICES: dict[str, tuple[Any, ...]] = {
    "sounds": tuple(SOUNDS),
    "volume": tuple(range(1, preferences.LOUDEST + 1)),
    "is_large": (False, True),
    "rotate_deg": (0, 90, 180, 270),
    "brightness": preferences.BRIGHTNESS,
    "dark_after_min": preferences.DARK_AFTER_MIN,
    "turn_s": preferences.TURNS_S,
}
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Settings(Aside):
    """The page of all settings, or that of the languages."""

    is_languages: bool = False

    def page(self, desk: Desk) -> Page:
        """A key for each setting that shows how it is now, or one for each language."""
        return Page(tuple(_languages(desk) if self.is_languages else _all(desk)))

    def tapped(self, word: str, desk: Desk) -> Settings | None:
        """Change what was tapped to the next that it can be."""
        verb, _, rest = word.removeprefix("@").partition(" ")
        match verb:
            case "languages":
                return Settings(is_languages=True)
            case "language":
                desk.remember(msgspec.structs.replace(desk.preferences, language=rest))
                return Settings()
            case "next":
                desk.remember(turned_on(desk.preferences, rest))
                return self
        return Settings() if self.is_languages else None


def opened(desk: Desk) -> Settings:  # noqa: ARG001  # as every aside is opened
    """The settings."""
    return Settings()


def turned_on(likes: Preferences, name: str) -> Preferences:
    """The preferences with the next choice for one of them."""
    return msgspec.structs.replace(likes, **{name: following(_CHOICES[name], getattr(likes, name))})


def following(choices: tuple[Item, ...], now: Item) -> Item:
    """The choice after one, the first after the last and after one that is none of them."""
    return choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]


def turn_time(turn_s: int, words: Words) -> str:
    """The time for a turn in words."""
    if not turn_s:
        return words.say("As long as it takes")
    return words.plural("{count} second", "{count} seconds", turn_s)


def volume(likes: Preferences) -> str:
    """How loud, as dots."""
    return "●" * likes.volume + "○" * (preferences.LOUDEST - likes.volume)


def _all(desk: Desk) -> Iterator[Widget]:
    words, likes = desk.words, desk.preferences
    keys = ((words.say("Measure the camera"), "@calibrate"),)
    yield from heading(words, words.say("Settings"), desk.notice, keys)
    dark = words.plural("After {count} minute", "After {count} minutes", likes.dark_after_min)
    language = next((each.name for each in languages.KNOWN if each.code == words.language), words.language)
    cards = (
        (language, words.say("Language"), "@languages"),
        (
            words.say("Larger") if likes.is_large else words.say("Usual"),
            words.say("Size of the text"),
            "@next is_large",
        ),
        (words.say(SOUNDS[likes.sounds]), words.say("Sounds"), "@next sounds"),
        (volume(likes), words.say("How loud"), "@next volume"),
        (turn_time(likes.turn_s, words), words.say("Time for a turn"), "@next turn_s"),
        (words.percent(likes.brightness / 100), words.say("Brightness"), "@next brightness"),
        (
            dark if likes.dark_after_min else words.say("Never"),
            words.say("Goes dark when nobody plays"),
            "@next dark_after_min",
        ),
        (f"{likes.rotate_deg}°", words.say("Turn the picture"), "@next rotate_deg"),
    )
    for cell, (value, what, order) in zip(grid(BODY, 2, 4), cards, strict=True):
        yield card(cell, value, what, order)


def _languages(desk: Desk) -> Iterator[Widget]:
    """Each language by the name that its speakers give it."""
    yield from heading(desk.words, desk.words.say("Language"), desk.notice, back=BACK)
    for cell, language in zip(grid(BODY, 2, 4), languages.available(), strict=False):
        look = theme.MAIN_KEY if language.code == desk.words.language else theme.KEY
        text = f"✓ {language.name}" if language.code == desk.words.language else language.name
        yield Button(cell, text, f"@language {language.code}", look, size=28)
