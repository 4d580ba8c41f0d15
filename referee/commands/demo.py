"""`referee demo`: a whole simulated match through every room, no hardware needed.

The simulated people know their own hands, lay tiles on the rendered table and send orders through the
ordinary protocol; the referee learns of a tile only from the pictures. What was really laid is kept here
alone and compared with the record afterwards.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import mishaps, setting

if TYPE_CHECKING:
    from referee.commands.company import Company
    from referee.commands.house import House
    from referee.games import Game
    from referee.supervisor import Supervisor
    from referee.umpire import Match

_LONGEST_S = 3600.0
_TARGET, _TARGET_IN_TRICKS = 60, 6
_DAY_S = 86400.0
_MOST_TILES, _FILMED_TILES = 1000, 8


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "demo",
        help="a whole simulated match on a rendered table, no hardware needed",
        description="Simulated people play a match on a rendered table; the referee sees it through a rendered camera, "
        "rules and keeps the score. Exit code 0: every tile was read and ruled right.",
        epilog="""examples:
  referee demo                                            triominoes for three, to 60 points
  referee demo --game fr-domino --players Ana,Bo --speed real --linger 60
  referee demo --seed 3 --faults all --language cs        lamps, shadows, knocks and a camera that fails
  referee demo --players 2 --tiles 5 --film demo.webp     the same as a film""",
    )
    parser.add_argument(
        "--game", default="ro-trimino/manufacturer", metavar="ID", help="the game to play (see `referee games`)"
    )
    parser.add_argument("--players", default="3", metavar="N|NAMES", help="how many, or their names (default 3)")
    parser.add_argument(
        "--target",
        type=setting.target,
        metavar="POINTS",
        help=f"the match ends here (default {_TARGET}; {_TARGET_IN_TRICKS} where tricks are taken)",
    )
    parser.add_argument("--tiles", type=tiles, metavar="N", help="stop after so many tiles, however the match stands")
    parser.add_argument("--seed", type=seed, default=7, metavar="S", help="another seed, another match (default 7)")
    parser.add_argument(
        "--speed",
        choices=("fast", "real"),
        default="fast",
        help="fast: as fast as pictures can be looked at (default); real: at the pace of a real table",
    )
    parser.add_argument(
        "--faults",
        type=faults,
        default=(mishaps.ILLEGAL,),
        metavar="NAME,NAME",
        help=f"what goes wrong: {', '.join(mishaps.NAMES)}, all or none (default {mishaps.ILLEGAL}: tiles that may "
        "not lie where they are laid)",
    )
    parser.add_argument(
        "--screenshots",
        "--output",
        dest="output",
        type=Path,
        default=Path("demo-output"),
        metavar="DIR",
        help="where pictures of the screen go, one for everything new (default demo-output)",
    )
    parser.add_argument(
        "--film",
        type=film,
        metavar="FILE",
        help=f"write an animated picture of table and screen (.webp, .png or .gif), of {_FILMED_TILES} tiles unless "
        "--tiles says otherwise; there is no phone page then",
    )
    parser.add_argument("--port", type=setting.port, default=8420, help="the phone page's port (default 8420)")
    parser.add_argument("--training", action="store_true", help="tell where each tile would have earned more")
    setting.add_zones(parser)
    setting.add_language(parser)
    parser.add_argument("--linger", type=seconds, default=0.0, metavar="SECONDS", help="keep the result up for so long")
    parser.set_defaults(run=run)


def seed(text: str) -> int:
    """Read what another match is made from."""
    return setting.whole(text, "a seed", 0, 2**31 - 1)


def tiles(text: str) -> int:
    """Read how many tiles are laid."""
    return setting.whole(text, "a number of tiles", 1, _MOST_TILES)


def seconds(text: str) -> float:
    """Read how long to wait, a day at most."""
    return setting.number(text, "seconds", _DAY_S)


def faults(text: str) -> tuple[str, ...]:
    """Read what is to go wrong.

    Raises:
        argparse.ArgumentTypeError: for what cannot.
    """
    try:
        return mishaps.named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def film(text: str) -> Path:
    """Read where a film goes.

    Raises:
        argparse.ArgumentTypeError: for a kind of file that no film can be, or a folder that is not there.
    """
    path = Path(text)
    if path.suffix not in (".webp", ".png", ".gif"):
        raise argparse.ArgumentTypeError(f"expected a name that ends in .webp, .png or .gif, got {text[:80]!r}")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"expected a file in a folder that is there, got {text[:80]!r}")
    return path


def run(args: argparse.Namespace) -> int:
    """Play; 0 when the match came to its end and every tile was read and ruled right."""
    from referee import games, umpire

    try:
        names = setting.names(args.players)
        game = games.game(args.game)
        target = args.target or (_TARGET_IN_TRICKS if game.in_tricks else _TARGET)
        seats_deg = tuple(round((90.0 + 360.0 * seat / len(names)) % 360.0) for seat in range(len(names)))
        match = umpire.Match(args.game, names, (("target", str(target)),), seats_deg, args.zones or ())
        umpire.opened(match)
        if args.film is not None and (args.zones or args.training):
            raise ValueError("expected --film without --zones and --training, which a film does not show")
        if args.film is not None and args.tiles is None:
            args.tiles = _FILMED_TILES  # a film lies in memory as a whole
        setting.folder(args.output)
    except (ValueError, argparse.ArgumentTypeError) as error:
        print(f"referee demo: {error}", file=sys.stderr)
        return 64
    for old in args.output.glob("[0-9][0-9][0-9]-*.png"):
        old.unlink()  # pictures of an earlier demo would only confuse
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as scratch:
        if args.film is not None:
            return _filmed(match, game, args, Path(scratch))
        return _housed(match, game, args, Path(scratch))


def _housed(match: Match, game: Game, args: argparse.Namespace, scratch: Path) -> int:
    """Play in a house of processes, with a screen and a phone page."""
    from display.link import Link
    from referee.commands import company, house
    from referee.commands.zone_company import ZoneCompany
    from referee.config import Places

    places = Places(scratch / "state", scratch / "run").make()
    address = f"ipc://{places.runtime / 'stage'}"
    built = house.House(
        places=places,
        table=(
            *("--game", match.game, "--players", ",".join(match.names), "--target", dict(match.options)["target"]),
            *("--seats", ",".join(map(str, match.seats_deg))),
            *(["--training"] if args.training else []),
            *setting.zones_argument(args),
        ),
        camera=f"virtual:stage={address}&kind={game.kind}&seed={args.seed}&pace={args.speed}&size=1280x880",
        kind=game.kind,
        highest=max(max(tile.values) for tile in game.tiles),
        port=args.port,
        screen=("--shots", str(args.output), *setting.language_argument(args)),
    )
    stage = company.Stage(address)
    try:
        with Link(places, "people") as link:
            people = _company(game, args)(link, stage.direct)
            if isinstance(people, ZoneCompany):
                people.watched = args.zones or ()
            return _play(built, people, args)
    finally:
        stage.close()


def _company(game: Game, args: argparse.Namespace) -> partial[Company]:
    """The people who can play this game."""
    from referee.commands.trick_company import TrickCompany
    from referee.commands.zone_company import ZoneCompany

    people: type[Company] = TrickCompany if game.in_tricks else ZoneCompany
    return partial(people, seed=args.seed, faults=args.faults, tiles=args.tiles)


def _play(built: House, company: Company, args: argparse.Namespace) -> int:
    from referee.commands.narrator import Narrator
    from referee.supervisor import Supervisor

    narrator = Narrator(_say)
    environment = {
        **built.environment(),
        "GPIOZERO_PIN_FACTORY": os.environ.get("GPIOZERO_PIN_FACTORY", "mock"),
        **({} if _has_display() else {"SDL_VIDEODRIVER": "dummy"}),
    }
    _say("screen: " + ("a window" if _has_display() else f"no display, pictures go to {args.output}/"))
    started_s = time.monotonic()
    with Supervisor(built.places, built.commands(), environment, _say, once=built.once) as supervisor:
        while not (company.finished or company.at_a_loss) and time.monotonic() - started_s < _LONGEST_S:
            supervisor.watch()
            if supervisor.over or any(not supervisor.running(name) for name in supervisor.rooms):
                return _broken_off(supervisor)
            view = company.act()
            if view is not None:
                narrator.hear(view)
        if company.view is not None:
            narrator.hear(company.view)
        verdict = _result(company, started_s)
        _linger(supervisor, args.linger)
    return verdict


def _result(company: Company, started_s: float) -> int:
    """Say how it ended; 0 when it came to its end and all was right."""
    from referee.commands.narrator import standing

    if company.view is not None:
        _say(f"result: {standing(company.view)}")
    _say(company.account.summary())
    _say(f"{time.monotonic() - started_s:.0f} s")
    return 0 if company.finished and company.account.all_right else 1


def _filmed(match: Match, game: Game, args: argparse.Namespace, scratch: Path) -> int:
    """Play in this process alone, and write the film."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from display import languages
    from referee.commands import film
    from referee.commands.narrator import Narrator
    from referee.commands.torture.hall import Hall

    started_s = time.monotonic()
    language = languages.chosen(args.language or setting.system_language())
    hall = Hall(scratch, match.game, args.seed)
    try:
        hall.table.begin(match)
        company, shot = film.shoot(hall, _company(game, args), Narrator(_say).hear, args.output, language)
        verdict = _result(company, started_s)
    finally:
        hall.close()
    try:
        shot.write(args.film)
    except OSError as error:
        print(f"referee demo: expected a file that can be written, got {error}", file=sys.stderr)
        return 64
    _say(f"film: {args.film}, {shot.seconds:.0f} s, {args.film.stat().st_size / 1e6:.1f} MB")
    return verdict


def _broken_off(supervisor: Supervisor) -> int:
    """What a demo ends with whose match has not come to its end."""
    ended = [name for name in supervisor.rooms if not supervisor.running(name)]
    if supervisor.told is None:
        _say(f"the demo cannot go on without {' and '.join(ended)}")
    return supervisor.verdict or (0 if supervisor.told is not None else 1)


def _linger(supervisor: Supervisor, seconds: float) -> None:
    """Leave the result on screen and phone for a while; the rooms go on by themselves."""
    until_s = time.monotonic() + max(seconds, 1.5)
    while time.monotonic() < until_s and not supervisor.over:
        supervisor.watch()
        time.sleep(0.1)


def _say(text: str) -> None:
    print(text, flush=True)


def _has_display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
