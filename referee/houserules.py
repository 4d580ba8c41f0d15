"""House rules: a game's settings are fields that know which texts they accept and how to say so.

A file of house rules is a table in TOML, one line for each:

    target = 300
    hexagon = [50, 60, 70]
    draw_while_able = true
    two_corner = "none"
    players = "2-4"
    hands = { 2 = 7, 3 = 7 }
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from referee import nearest

Settings = TypeVar("Settings")

NONE = "none"
MOST = 1_000_000
MOST_PLAYERS = 6
MODE = "mode"


def whole(default: int, least: int = 0, most: int = MOST) -> Any:
    """A field for a whole number."""

    def read(text: str) -> int:
        if (number := _whole(text, least)) > most:
            raise ValueError(text)
        return number

    return _field(default, f"a whole number from {least} to {most:,}", read)


def whole_or_none(default: int | None, least: int = 0) -> Any:
    """A field for a whole number, or `none` for no such thing."""

    def read(text: str) -> int | None:
        return None if text == NONE else _whole(text, least)

    return _field(default, f"a whole number from {least} up or {NONE}", read, _or_none)


def points(default: int | None) -> Any:
    """A field for points that may be negative, or `none` where the rule does not exist."""

    def read(text: str) -> int | None:
        if text == NONE:
            return None
        size = _whole(text.removeprefix("-"), 0)
        return -size if text.startswith("-") else size

    return _field(default, f"a whole number or {NONE}", read, _or_none)


def flag(default: bool) -> Any:
    """A field for yes or no."""
    return _field(
        default,
        "yes or no",
        lambda text: {"yes": True, "no": False}[text],
        lambda value: "yes" if value else "no",
        ("yes", "no"),
    )


def choice(default: str, *others: str) -> Any:
    """A field for one of a few words."""
    words = (default, *others)
    return _field(default, " or ".join(words), lambda text: words[words.index(text)], choices=words)


def whole_numbers(default: tuple[int, ...]) -> Any:
    """A field for as many whole numbers as the default has, joined by commas."""

    def read(text: str) -> tuple[int, ...]:
        parts = text.split(",")
        if len(parts) != len(default):
            raise ValueError(text)
        return tuple(_whole(part, 0) for part in parts)

    def write(values: tuple[int, ...]) -> str:
        return ",".join(map(str, values))

    return _field(default, f"{len(default)} whole numbers such as {write(default)}", read, write)


def span(default: tuple[int, int], most: int = MOST_PLAYERS) -> Any:
    """A field for a smallest and a largest number, such as `2-4`."""

    def read(text: str) -> tuple[int, int]:
        low, high = (_whole(part, 1) for part in text.split("-"))
        if not low <= high <= most:
            raise ValueError(text)
        return low, high

    def write(values: tuple[int, int]) -> str:
        return f"{values[0]}-{values[1]}"

    return _field(default, f"a range such as {write(default)}, {most} at most", read, write)


def table(default: tuple[tuple[int, int], ...]) -> Any:
    """A field for numbers by number, such as `2:9,3:7`."""

    def read(text: str) -> tuple[tuple[int, int], ...]:
        pairs = [tuple(_whole(part, 1) for part in pair.split(":")) for pair in text.split(",")]
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError(text)
        return tuple(sorted((key, value) for key, value in pairs))

    def write(values: tuple[tuple[int, int], ...]) -> str:
        return ",".join(f"{key}:{value}" for key, value in values)

    return _field(default, f"different players with tiles such as {write(default)}", read, write)


class HouseRuleError(ValueError):
    """A house rule that does not exist or cannot be so: which, what was expected, what came instead."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


def options(settings: Any) -> dict[str, str]:
    """The house rules that there are for these settings, and what each one takes, in words."""
    known = {each.name: each.metadata["expected"] for each in fields(settings) if "read" in each.metadata}
    modes = _modes(settings)
    return {MODE: " or ".join(modes)} | known if modes else known


def choices(settings: Any) -> dict[str, tuple[str, ...]]:
    """The words that each house rule can be, in the words that `vary` reads; () where it is a number or several."""
    known = {each.name: each.metadata["choices"] for each in fields(settings) if "read" in each.metadata}
    modes = _modes(settings)
    return {MODE: tuple(modes)} | known if modes else known


def vary(settings: Settings, changed: dict[str, str]) -> Settings:
    """Settings with some of them changed; `mode`, where there are several, first changes all at once.

    Raises:
        HouseRuleError: for a setting that does not exist or a value that it cannot have.
    """
    modes = _modes(settings)
    if modes and MODE in changed:
        if changed[MODE] not in modes:
            raise HouseRuleError(MODE, f"house rule mode: expected {' or '.join(modes)}, got {changed[MODE]!r}")
        settings = modes[changed[MODE]]
    known = {each.name: each.metadata for each in fields(settings) if "read" in each.metadata}  # type: ignore[arg-type]  # any dataclass
    changes: dict[str, object] = {}
    for name, text in changed.items():
        if modes and name == MODE:
            continue
        if name not in known:
            every = sorted(options(settings))
            hint = nearest.meant(name, every)
            raise HouseRuleError(name, f"expected a house rule ({', '.join(every)}), got {name!r}{hint}")
        try:
            changes[name] = known[name]["read"](text)
        except (ValueError, KeyError):
            message = f"house rule {name}: expected {known[name]['expected']}, got {text!r}"
            raise HouseRuleError(name, message) from None
    return _same(replace(settings, **changes)) if changes else settings  # type: ignore[type-var]  # any dataclass


@lru_cache(maxsize=64)
def _same(settings: Settings) -> Settings:
    """The first of all equal settings: what is remembered for settings is found sooner by the very object."""
    return settings


def deals(settings: Any) -> dict[int, int]:
    """Tiles dealt to each, by the numbers of players that can really play."""
    low, high = settings.players
    return {count: dealt for count, dealt in settings.hands if low <= count <= high}


def players(settings: Any) -> str:
    """The numbers of players that can really play, in words: `2 to 4 players`, `2 or 4 players`, `1 player`."""
    counts = list(deals(settings))
    if counts == [1]:
        return "1 player"
    is_span = len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1))
    return f"{counts[0]} to {counts[-1]} players" if is_span else f"{' or '.join(map(str, counts))} players"


def check_hands(settings: Any, tiles: int) -> None:
    """Refuse hands that cannot be dealt from so many tiles, or that no number of players gets.

    Raises:
        HouseRuleError: naming the house rule, what was expected and what came.
    """
    low, high = settings.players
    playable = deals(settings)
    got = ",".join(f"{count}:{dealt}" for count, dealt in settings.hands)
    if not playable:
        message = f"house rule hands: expected tiles for {low} to {high} players, got {got}"
        raise HouseRuleError("hands", message)
    for count, dealt in playable.items():
        if count * dealt > tiles:
            expected = f"at most {tiles // count} tiles for each of {count} players, as the set has {tiles}"
            raise HouseRuleError("hands", f"house rule hands: expected {expected}, got {got}")


def from_toml(text: str, try_out: Callable[[dict[str, str]], object]) -> dict[str, str]:
    """The house rules of a file, each in the words that `vary` reads.

    Args:
        text: the file, perhaps with the mark in front by which some editors say that it is Unicode.
        try_out: takes all rules and raises HouseRuleError for one that is impossible, also beside the others.

    Raises:
        ValueError: naming the line, for what is not TOML, for a value of a strange kind, and for what
            `try_out` refuses.
    """
    text = text.removeprefix("\ufeff")
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"expected house rules in TOML, got {error}") from None
    rules: dict[str, str] = {}
    for name, value in content.items():
        try:
            rules[name] = _text(name, value)
        except HouseRuleError as error:
            raise ValueError(f"line {_line(text, name)}: {error}") from None
    try:
        try_out(rules)
    except HouseRuleError as error:
        told, value = str(error), content.get(error.option)
        if isinstance(value, bool):  # shown as the file has it
            told = told.replace(f", got {_text(error.option, value)!r}", f", got {str(value).lower()}")
        raise ValueError(f"line {_line(text, error.option)}: {told}") from None
    return rules


def written(settings: Any) -> dict[str, str]:
    """The value of each house rule in the words that `vary` reads."""
    known = [each for each in fields(settings) if "read" in each.metadata]
    values = {each.name: each.metadata["write"](getattr(settings, each.name)) for each in known}
    return {MODE: settings.mode} | values if _modes(settings) else values


def _modes(settings: Any) -> Mapping[str, Any]:
    """The whole rule sets that a table can choose from, by name."""
    return getattr(settings, "modes", {})


def _text(name: str, value: object) -> str:
    """A value of a file as it would be written after `--option NAME=`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, list) and all(type(each) is int for each in value):
        return ",".join(map(str, value))
    if isinstance(value, dict) and all(type(each) is int for each in value.values()):
        return ",".join(f"{key}:{each}" for key, each in value.items())
    raise HouseRuleError(name, f"house rule {name}: expected a number, text, true, false, or several, got {value!r}")


def _line(text: str, name: str) -> int:
    """The number of the line that sets a name, counted from 1."""
    sets = re.compile(rf"\s*(?:\[\s*)?[\"']?{re.escape(name)}[\"']?\s*[=.\]]")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if sets.match(line)), 1)


def _field(
    default: Any,
    expected: str,
    read: Callable[[str], Any],
    write: Callable[[Any], str] = str,
    choices: tuple[str, ...] = (),
) -> Any:
    return field(default=default, metadata={"expected": expected, "read": read, "write": write, "choices": choices})


def _or_none(value: object) -> str:
    return NONE if value is None else str(value)


def _whole(text: str, least: int) -> int:
    """Plain digits only: int() would also take blanks, underscores and digits of other scripts."""
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise ValueError(text)
    return int(text)
