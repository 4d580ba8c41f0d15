"""The languages that the screen and the phones speak: one catalogue each, `ro.po` beside this file for `ro`.

English needs none: its texts are the message ids. What is read here are the compiled catalogues, `ro.mo`, which
installing the project makes (`catalogues.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

FOLDER = Path(__file__).parent
ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its two letters, and the name that its speakers give it."""

    code: str
    name: str


KNOWN = (
    Language(ENGLISH, "English"),
    Language("ro", "Română"),
    Language("cs", "Čeština"),
    Language("fr", "Français"),
    Language("uk", "Українська"),
    Language("kk", "Қазақша"),
)


def available() -> tuple[Language, ...]:
    """The languages that can be chosen: English, and those with a catalogue."""
    return tuple(each for each in KNOWN if each.code == ENGLISH or compiled(each.code).is_file())


def compiled(code: str) -> Path:
    """Where the compiled catalogue of a language lies."""
    return FOLDER / f"{code}.mo"


@lru_cache(maxsize=len(KNOWN))
def catalogue(code: str) -> NullTranslations:
    """The catalogue of a language; one that leaves everything in English where there is none."""
    if code not in {each.code for each in available()} - {ENGLISH}:
        return NullTranslations()
    with compiled(code).open("rb") as file:
        return GNUTranslations(file)


def chosen(wanted: str | None) -> str:
    """The best of the available languages for a wish such as `ro`, `fr_FR.UTF-8` or `uk-UA,uk;q=0.9,en;q=0.8`.

    Returns:
        The code of the first one that can be had, English where none can.
    """
    codes = {each.code for each in available()}
    wishes = (wish.partition(";") for wish in (wanted or "").split(","))
    ranked = sorted(wishes, key=lambda wish: -_weight(wish[2]))
    asked = (wish[0].strip().replace("_", "-").partition("-")[0].lower() for wish in ranked if _weight(wish[2]) > 0)
    return next((code for code in asked if code in codes), ENGLISH)


def _weight(parameter: str) -> float:
    """How much a language of a browser's list is wanted."""
    _, equals, value = parameter.partition("q=")
    try:
        return float(value) if equals else 1.0
    except ValueError:
        return 0.0
