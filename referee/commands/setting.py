"""Arguments that several commands share: where things are, what is played, how the table looks."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.config import Places
from referee.seen.zones import WATCHED, watched
from referee.umpire import Match

if TYPE_CHECKING:
    from calibration.profile import Profile
    from calibration.tileset import TileSet
    from vision.kinds import Kind

MOST_POINTS = 1_000_000
LONGEST_NAME = 40
DEFAULT_PLAYERS = "3"
TURNS = ("0", "90", "180", "270")
SOURCES = "pi, usb:N, usb:NAME, video:FILE, folder:DIR, virtual:SCRIPT or none"
AUTO = "auto"  # the camera that the table's profile was made with
NAMES = ("Ana", "Bohdan", "Célia", "Dana", "Erlan", "Florin")


def add_places(parser: argparse.ArgumentParser) -> None:
    """`--state` and `--runtime`."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="where the journal is kept")
    parser.add_argument("--runtime", type=Path, metavar="DIR", help="where the sockets are")


def places(args: argparse.Namespace) -> Places:
    """The directories that were named, the usual ones otherwise."""
    return Places.from_environment(args.state, args.runtime)


def add_evidence(parser: argparse.ArgumentParser) -> None:
    """`--no-evidence`."""
    told = "keep no small pictures of the tiles that are ruled on"
    parser.add_argument("--no-evidence", action="store_true", help=told)


def add_hotspot(parser: argparse.ArgumentParser) -> None:
    """`--hotspot` and `--hotspot-password`."""
    told = "the network that `referee network` opens where no known one is there; phones may then join (--lan)"
    parser.add_argument("--hotspot", metavar="NAME", help=told)
    parser.add_argument("--hotspot-password", metavar="TEXT", help="its password, 8 to 63 letters without accents")


def hotspot(args: argparse.Namespace) -> tuple[str, str] | None:
    """Name and password of the table's own network, None where none is asked for.

    Raises:
        ValueError: for a name or a password that no wireless network can have.
    """
    name, password = args.hotspot, args.hotspot_password
    if name is None and password is None:
        return None
    if not name or len(name.encode()) > 32 or not name.isprintable():
        raise ValueError(f"expected --hotspot NAME of 1 to 32 bytes, got {name!r}")
    if password is None or not re.fullmatch(r"[ -~]{8,63}", password):
        raise ValueError("expected --hotspot-password of 8 to 63 letters, digits or signs without accents")
    return name, password


def add_match(parser: argparse.ArgumentParser) -> None:
    """`--game`, `--players`, house rules."""
    parser.add_argument(
        "--game", metavar="ID", help="the game to begin (see `referee games`); without it the screen asks"
    )
    parser.add_argument("--players", metavar="N|NAMES", help="how many, or their names with commas (default 3)")
    parser.add_argument("--target", type=target, metavar="POINTS", help="the match ends at this score")
    parser.add_argument("--opening", choices=("rule", "any"), help="any: accept any first tile, without bonus")
    add_seats(parser)
    add_zones(parser)
    add_house_rules(parser)
    parser.add_argument("--new", action="store_true", help="begin anew even if an unfinished match could be resumed")


def add_seats(parser: argparse.ArgumentParser) -> None:
    """`--seats`."""
    told = (
        "where each player sits, from the middle of the mat: 90 the near side, 180 the left, 270 the far, 0 the right"
    )
    parser.add_argument("--seats", type=seats, default=None, metavar="DEG,DEG", help=told)


def seats(text: str) -> tuple[int, ...]:
    """Read where the players sit.

    Raises:
        argparse.ArgumentTypeError: for anything but whole degrees from 0 to 359 with commas.
    """
    return tuple(whole(each, "degrees for each player, with commas", 0, 359) for each in text.split(","))


def add_zones(parser: argparse.ArgumentParser) -> None:
    """`--zones`."""
    parser.add_argument(
        "--zones",
        nargs="?",
        const=",".join(WATCHED),
        default=None,
        type=zones,
        metavar="draws,hands",
        help="see by camera, in zones of the mat, what is drawn and the hands shown at the end (or one of the two)",
    )


def zones(text: str) -> tuple[str, ...]:
    """Read what is to be seen in zones.

    Raises:
        argparse.ArgumentTypeError: for anything but `draws`, `hands`, or both with a comma.
    """
    try:
        return watched(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def zones_argument(args: argparse.Namespace) -> tuple[str, ...]:
    """The same for the room that watches them."""
    return ("--zones", ",".join(args.zones)) if args.zones else ()


def add_house_rules(parser: argparse.ArgumentParser) -> None:
    """`--house-rules` and `--option`."""
    parser.add_argument("--house-rules", type=Path, metavar="FILE", help="a TOML file of house rules")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="change a house rule")


def house_rules(args: argparse.Namespace, game: str) -> dict[str, str]:
    """The house rules that were asked for: those of the file, changed by those named one by one.

    Raises:
        ValueError: for an unknown game, a file that cannot be read, a rule that does not exist or cannot be so.
    """
    from referee import games, houserules

    preset = games.game(game)

    def try_out(rules: dict[str, str]) -> object:
        return preset.vary(preset.settings, rules)

    rules: dict[str, str] = {}
    if args.house_rules is not None:
        try:
            rules = houserules.from_toml(args.house_rules.read_text(encoding="utf-8"), try_out)
        except OSError as error:
            message = f"{args.house_rules}: expected a file that can be read, got {error.strerror or error}"
            raise ValueError(message) from None
        except ValueError as error:
            raise ValueError(f"{args.house_rules}: {error}") from None
    named: dict[str, str] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=VALUE after --option, got {text!r}")
        if name in named:
            raise ValueError(f"expected --option {name} once, got {named[name]!r} and {value!r}")
        named[name] = value
    rules |= named
    try_out(rules)
    return rules


def match(args: argparse.Namespace) -> Match | None:
    """The match that was asked for, None if no game was named.

    Raises:
        ValueError: for an unknown game, a wrong number of players or an impossible house rule, and for
            anything about a game that was not named.
    """
    from referee import umpire

    if not args.game:
        about_a_game = ("players", "target", "opening", "house_rules", "option", "seats", "zones", "new")
        useless = next((name for name in about_a_game if getattr(args, name) not in (None, [], False)), None)
        if useless or args.game is not None:
            raise ValueError(f"expected --game ID with --{(useless or 'game').replace('_', '-')}")
        return None
    options = house_rules(args, args.game)
    if args.target is not None:
        options["target"] = str(args.target)
    if args.opening is not None:
        options["opening"] = args.opening
    who = names(DEFAULT_PLAYERS if args.players is None else args.players)
    if args.seats and len(args.seats) != len(who):
        raise ValueError(f"expected --seats of {len(who)} players, got {len(args.seats)}")
    asked = Match(args.game, who, tuple(sorted(options.items())), args.seats or (), args.zones or ())
    umpire.opened(asked)
    return asked


def camera(source: str) -> str:
    """The name of a source of pictures, as far as it can be told without opening it.

    Raises:
        ValueError: for what no source is called.
    """
    if re.fullmatch(r"pi|none|(usb|video|folder|virtual):.+", source, re.DOTALL):
        return source
    hint = "; none keeps the score by touch" if not source else ""
    raise ValueError(f"expected --camera {SOURCES}, got {source[:60]!r}{hint}")


def names(players: str) -> tuple[str, ...]:
    """`3` gives three usual names; `Ana,Bo` those names.

    Raises:
        ValueError: for a number that no game allows, or names that nobody could tell apart on a screen.
    """
    if re.fullmatch(r"[+-]?[0-9]+", players):
        # Its length comes first: a number of thousands of digits is no number to Python.
        if len(players) > 2 or not 1 <= int(players) <= len(NAMES):
            raise ValueError(f"expected 1 to {len(NAMES)} players, got {players[:20]}")
        return NAMES[: int(players)]
    given = tuple(name.strip() for name in players.split(","))
    if not all(name and name.isprintable() and len(name) <= LONGEST_NAME for name in given) or players.isnumeric():
        raise ValueError(f"expected a number, or names of 1 to {LONGEST_NAME} letters with commas, got {players!r}")
    if len(set(given)) < len(given):
        raise ValueError(f"expected every name once, got {players!r}")
    return given


def target(text: str) -> int:
    """Read the score that ends a match."""
    return whole(text, "a score", 1, MOST_POINTS)


def port(text: str) -> int:
    """Read a port number; 0 means any that is free."""
    return whole(text, "a port", 0, 65535)


def highest(text: str) -> int:
    """Read the largest number of a set of tiles."""
    return whole(text, "a number", 1, 18)


def whole(text: str, what: str, least: int, most: int) -> int:
    """Read a whole number within bounds.

    Raises:
        argparse.ArgumentTypeError: for anything else.
    """
    digits = len(str(most))
    number = int(text) if re.fullmatch(rf"[0-9]{{1,{digits}}}", text) else -1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"expected {what} from {least} to {most}, got {text[:40]!r}")
    return number


def number(text: str, what: str, most: float) -> float:
    """Read a number from 0 up.

    Raises:
        argparse.ArgumentTypeError: for anything else.
    """
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0.0 <= found <= most:
        raise argparse.ArgumentTypeError(f"expected {what} from 0 to {most:.0f}, got {text[:40]!r}")
    return found


def add_language(
    parser: argparse.ArgumentParser, told: str = "what the screen speaks", usual: str = "what was chosen on it, else "
) -> None:
    """`--language`."""
    told = f"{told}: en, ro, cs, fr, uk or kk (default: {usual}the system's)"
    parser.add_argument("--language", type=language, metavar="CODE", help=told)


def system_language() -> str | None:
    """The language that the system was told to speak, as it was told."""
    return os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")


def language_argument(args: argparse.Namespace) -> tuple[str, ...]:
    """The same for the room that shows it."""
    return ("--language", args.language) if args.language else ()


def language(text: str) -> str:
    """Read the code of a language that the screen speaks.

    Raises:
        argparse.ArgumentTypeError: for any other.
    """
    from display import languages

    codes = [each.code for each in languages.available()]
    if text not in codes:
        raise argparse.ArgumentTypeError(f"expected a language ({', '.join(codes)}), got {text[:40]!r}")
    return text


def sides(text: str) -> tuple[float, float]:
    """Read a size such as 600x400.

    Raises:
        argparse.ArgumentTypeError: for anything else.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×*](\d+(?:\.\d+)?)", text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"expected a size in millimetres such as 600x400, got {text[:40]!r}")
    return float(found[1]), float(found[2])


def folder(text: str) -> Path:
    """Read the name of a folder that is there or can be made, and make it.

    Raises:
        argparse.ArgumentTypeError: for a file, or where there can be no folder.
    """
    path = Path(text)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"expected a folder for pictures, got {text!r} ({error})") from None
    return path


def profile(calibration: str | None) -> Profile | None:
    """The profile that was named, None if none was.

    Raises:
        ValueError: if it cannot be read or several are in the file and none was picked.
    """
    from calibration.profile import load

    try:
        return load(calibration) if calibration is not None else None
    except RecursionError:
        raise ValueError(f"expected a calibration file, got {calibration}, whose JSON is nested too deeply") from None


def tileset(file: str | None, match: Match | None) -> TileSet | None:
    """The set of tiles that was named, None if none was.

    Raises:
        ValueError: if it cannot be read, or is not of the kind that the game is played with.
    """
    from calibration.tileset import load
    from referee import games

    if file is None:
        return None
    named = load(file)
    if named.shown is not None and not named.shown.picture.is_file():
        raise ValueError(f"expected the faces of the set {named.name} in {named.shown.picture}, which is not there")
    if match is not None and games.game(match.game).kind != named.shape.kind:
        raise ValueError(f"expected a {games.game(match.game).kind} set for {match.game}, got a {named.shape.kind} set")
    return named


def known_kind(file: str | None, kind: str) -> tuple[Kind | None, int | None]:
    """The kind of tile as it reads the set that was named, and the set's highest number; None where none was named.

    Raises:
        ValueError: if the set cannot be read, or is of another kind.
    """
    from calibration.tileset import load
    from vision.learn import kind_of

    if file is None:
        return None, None
    named = load(file)
    if named.shape.kind != kind:
        raise ValueError(f"expected a {kind} set, got the {named.shape.kind} set {named.name}")
    return kind_of(named), named.highest
