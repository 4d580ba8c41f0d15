"""What is wired to which pin, as a line of text: `buzzer=17 led=27 rgb=5,6,13 seats=23,24 undo=25 sounds=legal`."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardware.wiring import Wiring

TOLD = (
    "what is wired to which BCM pin (default: buzzer=17 led=27): second=, rgb=R,G,B, seats=, undo=, passive=, sounds="
)
SINGLE, SEVERAL = ("buzzer", "led", "second", "undo"), ("rgb", "seats")


def wiring(text: str) -> Wiring:
    """Read what is wired; a pin that is `none` is not.

    Raises:
        argparse.ArgumentTypeError: for pins that cannot be wired so.
    """
    from hardware.wiring import Wiring, WiringError

    found: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in found:
            raise argparse.ArgumentTypeError(f"expected NAME=PIN once for each, got {word[:40]!r}")
        try:
            found[name] = _value(name, value)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected pins for {name}, got {value[:40]!r}") from None
    try:
        return Wiring(**found)
    except WiringError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def told(wired: Wiring) -> str:
    """The line of text that is read as the same."""
    return " ".join(
        f"{field.name}={_said(getattr(wired, field.name))}" for field in fields(wired) if _is_said(wired, field.name)
    )


def _is_said(wired: Wiring, name: str) -> bool:
    return name in SINGLE or getattr(wired, name) not in (None, ())


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str("none" if value is None else value)


def add(parser: argparse.ArgumentParser) -> None:
    """`--wiring`."""
    parser.add_argument("--wiring", type=wiring, metavar="PINS", help=TOLD)


def _value(name: str, value: str) -> Any:
    if name in SINGLE:
        return None if value == "none" else int(value)
    if name in SEVERAL:
        pins = tuple(int(part) for part in value.split(","))
        if name == "rgb" and len(pins) != 3:
            raise ValueError(value)
        return pins
    if name == "passive":
        if value not in ("yes", "no"):
            raise argparse.ArgumentTypeError(f"expected passive=yes or passive=no, got {value[:40]!r}")
        return value == "yes"
    if name == "sounds":
        return tuple(value.split(",")) if value else ()
    names = ", ".join((*SINGLE, *SEVERAL, "passive", "sounds"))
    raise argparse.ArgumentTypeError(f"expected one of {names}, got {name[:40]!r}")
