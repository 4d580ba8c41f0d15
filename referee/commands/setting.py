"""Arguments that several commands share: where things are, what is played, how the table looks."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from referee.config import Places
from referee.umpire import Match

if TYPE_CHECKING:
    from calibration.profile import Profile

NAMES = ("Ana", "Bohdan", "Célia", "Dana", "Erlan", "Florin")


def add_places(parser: argparse.ArgumentParser) -> None:
    """`--state` and `--runtime`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="where the journal is kept")
    parser.add_argument("--runtime", type=Path, metavar="DIR", help="where the sockets are")


def places(args: argparse.Namespace) -> Places:
    """The directories that were named, the usual ones otherwise."""
    usual = Places.from_environment()
    return Places(args.state or usual.state, args.runtime or usual.runtime)


def add_match(parser: argparse.ArgumentParser) -> None:
    """`--game`, `--players`, house rules."""
    parser.add_argument("--game", metavar="ID", help="the game to begin (see `referee games`)")
    parser.add_argument(
        "--players", default="3", metavar="N|NAMES", help="how many, or their names with commas (default 3)"
    )
    parser.add_argument("--target", type=int, metavar="POINTS", help="the match ends at this score")
    parser.add_argument("--opening", choices=("rule", "any"), help="any: accept any first tile, without bonus")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="change a house rule")
    parser.add_argument("--new", action="store_true", help="begin anew even if an unfinished match could be resumed")


def match(args: argparse.Namespace) -> Match | None:
    """The match that was asked for, None if no game was named.

    Raises:
        ValueError: for an unknown game, a wrong number of players or an impossible house rule.
    """
    from referee import umpire

    if not args.game:
        return None
    options: dict[str, str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=VALUE after --option, got {text!r}")
        options[name] = value
    if args.target is not None:
        options["target"] = str(args.target)
    if args.opening is not None:
        options["opening"] = args.opening
    asked = Match(args.game, names(args.players), tuple(sorted(options.items())))
    umpire.opened(asked)
    return asked


def names(players: str) -> tuple[str, ...]:
    """`3` gives three usual names; `Ana,Bo` those names.

    Raises:
        ValueError: for a number that no game allows, or an empty name.
    """
    if players.isdigit():
        if not 1 <= int(players) <= len(NAMES):
            raise ValueError(f"expected 1 to {len(NAMES)} players, got {players}")
        return NAMES[: int(players)]
    given = tuple(name.strip() for name in players.split(","))
    if not all(given):
        raise ValueError(f"expected names with commas between them, got {players!r}")
    return given


def profile(calibration: str | None) -> Profile | None:
    """The profile that was named, None if none was.

    Raises:
        ValueError: if it cannot be read or several are in the file and none was picked.
    """
    from calibration.profile import load

    return load(calibration) if calibration else None
