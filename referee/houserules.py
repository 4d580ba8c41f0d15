"""House rules: a game's settings are fields that know which texts they accept and how to say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields, replace
from typing import Any, TypeVar

Settings = TypeVar("Settings")

NONE = "none"


def whole(default: int, least: int = 0) -> Any:
    """A field for a whole number."""
    return _field(default, f"a whole number from {least} up", lambda text: _whole(text, least))


def whole_or_none(default: int | None, least: int = 0) -> Any:
    """A field for a whole number, or `none` for no such thing."""

    def read(text: str) -> int | None:
        return None if text == NONE else _whole(text, least)

    return _field(default, f"a whole number from {least} up or {NONE}", read)


def points(default: int | None) -> Any:
    """A field for points that may be negative, or `none` where the rule does not exist."""

    def read(text: str) -> int | None:
        if text == NONE:
            return None
        size = _whole(text.removeprefix("-"), 0)
        return -size if text.startswith("-") else size

    return _field(default, f"a whole number or {NONE}", read)


def flag(default: bool) -> Any:
    """A field for yes or no."""
    return _field(default, "yes or no", lambda text: {"yes": True, "no": False}[text])


def choice(default: str, *others: str) -> Any:
    """A field for one of a few words."""
    words = (default, *others)
    return _field(default, " or ".join(words), lambda text: words[words.index(text)])


def whole_numbers(default: tuple[int, ...]) -> Any:
    """A field for as many whole numbers as the default has, joined by commas."""

    def read(text: str) -> tuple[int, ...]:
        parts = text.split(",")
        if len(parts) != len(default):
            raise ValueError(text)
        return tuple(_whole(part, 0) for part in parts)

    return _field(default, f"{len(default)} whole numbers such as {','.join(map(str, default))}", read)


def span(default: tuple[int, int]) -> Any:
    """A field for a smallest and a largest number, such as `2-4`."""

    def read(text: str) -> tuple[int, int]:
        low, high = (_whole(part, 1) for part in text.split("-"))
        if low > high:
            raise ValueError(text)
        return low, high

    return _field(default, f"a range such as {default[0]}-{default[1]}", read)


def table(default: tuple[tuple[int, int], ...]) -> Any:
    """A field for numbers by number, such as `2:9,3:7`."""

    def read(text: str) -> tuple[tuple[int, int], ...]:
        pairs = [tuple(_whole(part, 1) for part in pair.split(":")) for pair in text.split(",")]
        return tuple((key, value) for key, value in pairs)

    return _field(default, f"pairs such as {','.join(f'{key}:{value}' for key, value in default)}", read)


def vary(settings: Settings, options: dict[str, str]) -> Settings:
    """Settings with some of them changed.

    Raises:
        ValueError: for a setting that does not exist or a value that it cannot have.
    """
    known = {each.name: each.metadata for each in fields(settings) if "read" in each.metadata}  # type: ignore[arg-type]  # any dataclass
    changes: dict[str, object] = {}
    for name, text in options.items():
        if name not in known:
            raise ValueError(f"expected a house rule ({', '.join(sorted(known))}), got {name!r}")
        try:
            changes[name] = known[name]["read"](text)
        except (ValueError, KeyError):
            raise ValueError(f"house rule {name}: expected {known[name]['expected']}, got {text!r}") from None
    return replace(settings, **changes)  # type: ignore[type-var]  # any dataclass


def _field(default: Any, expected: str, read: Callable[[str], Any]) -> Any:
    return field(default=default, metadata={"expected": expected, "read": read})


def _whole(text: str, least: int) -> int:
    """Plain digits only: int() would also take blanks, underscores and digits of other scripts."""
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise ValueError(text)
    return int(text)
