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
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from referee.commands.company import Company
    from referee.commands.house import House
    from referee.supervisor import Supervisor

_LONGEST_S = 3600.0
_TARGET, _TARGET_IN_TRICKS = 60, 6
_DAY_S = 86400.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("demo", help="a whole simulated match on a rendered table, no hardware needed")
    parser.add_argument("--game", default="ro-trimino/manufacturer", metavar="ID", help="the game to play")
    parser.add_argument("--players", default="3", metavar="N|NAMES", help="how many, or their names (default 3)")
    parser.add_argument(
        "--target",
        type=setting.target,
        metavar="POINTS",
        help=f"the match ends here (default {_TARGET}; {_TARGET_IN_TRICKS} where tricks are taken)",
    )
    parser.add_argument("--seed", type=seed, default=7, help="another seed, another match")
    parser.add_argument("--output", type=Path, default=Path("demo-output"), help="where screenshots go")
    parser.add_argument("--port", type=setting.port, default=8420, help="the phone page's port")
    parser.add_argument("--training", action="store_true", help="tell where each tile would have earned more")
    setting.add_zones(parser)
    setting.add_language(parser)
    parser.add_argument("--linger", type=seconds, default=0.0, metavar="SECONDS", help="keep the result up for so long")
    parser.set_defaults(run=run)


def seed(text: str) -> int:
    """Read what another match is made from."""
    return setting.whole(text, "a seed", 0, 2**31 - 1)


def seconds(text: str) -> float:
    """Read how long to wait, a day at most."""
    return setting.number(text, "seconds", _DAY_S)


def run(args: argparse.Namespace) -> int:
    """Play; 0 when the match came to its end and every tile was read and ruled right."""
    from referee import games, umpire
    from referee.commands import house
    from referee.commands.company import Company
    from referee.commands.trick_company import TrickCompany
    from referee.commands.zone_company import ZoneCompany
    from referee.config import Places

    try:
        names = setting.names(args.players)
        game = games.game(args.game)
        target = args.target or (_TARGET_IN_TRICKS if game.in_tricks else _TARGET)
        umpire.opened(umpire.Match(args.game, names, (("target", str(target)),), zones=args.zones or ()))
        setting.folder(args.output)
    except (ValueError, argparse.ArgumentTypeError) as error:
        print(f"referee demo: {error}", file=sys.stderr)
        return 64
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as scratch:
        places = Places(Path(scratch) / "state", Path(scratch) / "run").make()
        stage = f"ipc://{places.runtime / 'stage'}"
        built = house.House(
            places=places,
            table=(
                *("--game", args.game, "--players", ",".join(names), "--target", str(target)),
                *("--seats", ",".join(str(round(Company.side_deg(seat, len(names)))) for seat in range(len(names)))),
                *(["--training"] if args.training else []),
                *setting.zones_argument(args),
            ),
            camera=f"virtual:stage={stage}&kind={game.kind}&seed={args.seed}&pace=fast&size=1280x880",
            kind=game.kind,
            highest=max(max(tile.values) for tile in game.tiles),
            port=args.port,
            screen=("--shots", str(args.output), *setting.language_argument(args)),
        )
        company = (TrickCompany if game.in_tricks else ZoneCompany)(places, stage, args.seed)
        if isinstance(company, ZoneCompany):
            company.watched = args.zones or ()
        try:
            return _play(built, company, args)
        finally:
            company.close()


def _play(built: House, company: Company, args: argparse.Namespace) -> int:
    from referee.commands.narrator import Narrator, standing
    from referee.supervisor import Supervisor

    for old in args.output.glob("[0-9][0-9][0-9]-*.png"):
        old.unlink()  # pictures of an earlier demo would only confuse
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
            _say(f"result: {standing(company.view)}")
        _say(company.account.summary())
        _say(f"{time.monotonic() - started_s:.0f} s")
        _linger(supervisor, args.linger)
    return 0 if company.finished and company.account.all_right else 1


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
