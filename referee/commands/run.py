"""`referee run`: every room of the house, over one camera."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import configured, setting, wired

if TYPE_CHECKING:
    from display.link import Link
    from referee.commands.house import House
    from referee.supervisor import Supervisor
    from referee.umpire import Match

PROFILE = "table.json"
_QUIET_S = 2.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "run",
        help="run the referee: camera, table, screen, phone page",
        description="Starts the rooms and watches them: what dies is started again. Ctrl-C ends it; "
        "the match can be gone on with.",
        epilog="""examples:
  referee run --camera none                                    by touch: everything is chosen on the screen
  referee run --camera none --game fr-domino --players Ana,Bo --headless
  referee run --camera usb:0 --calibration table.json --lan    a camera, and phones in the local network
  referee run --camera pi --game cs-triomino --option target=300 --zones
  referee run --config /etc/referee.toml                       as the appliance does""",
    )
    configured.add(parser, options)
    parser.set_defaults(run=run)


def options(parser: argparse.ArgumentParser) -> None:
    """Everything that can be said on the command line and in a file."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="pi, usb:N, video:FILE, folder:DIR?match=PATTERN&hold=5&fps=15, virtual:SCRIPT, or none",
    )
    parser.add_argument(
        "--calibration", metavar="FILE[#NAME]", help=f"the table's profile (default: {PROFILE} in --state)"
    )
    parser.add_argument("--set", metavar="FILE", help="the set of tiles: its size, numbers and copies")
    parser.add_argument("--headless", action="store_true", help="no screen: one line per ruling on the terminal")
    parser.add_argument("--rooms", default="table,vision,phone,screen", help="which rooms to start")
    parser.add_argument("--port", type=setting.port, default=8420, help="the phone page's port")
    parser.add_argument("--rotate", choices=setting.TURNS, metavar="DEG", help="turn the screen's picture clockwise")
    parser.add_argument("--full", action="store_true", help="the screen fills the whole display")
    setting.add_language(parser)
    parser.add_argument("--training", action="store_true", help="tell where each tile would have earned more")
    parser.add_argument("--lan", action="store_true", help="let devices in the local network in, not only this machine")
    parser.add_argument(
        "--native", type=setting.port, metavar="PORT", help="let other programs in, here and on the next port"
    )
    setting.add_places(parser)
    setting.add_evidence(parser)
    wired.add(parser)
    setting.add_hotspot(parser)
    setting.add_match(parser)


def run(args: argparse.Namespace) -> int:
    """Start the rooms and tell what happens until the camera's source ends or somebody stops it."""
    from referee.commands import house

    try:
        setting.camera(args.camera or "")
        hotspot = setting.hotspot(args)
        match = setting.match(args)
        calibration = _calibration(args)
        if calibration:
            setting.profile(calibration)
        setting.tileset(args.set, match)
        rooms = _rooms(args)
    except ValueError as error:
        told = f"{args.config}: {error}" if args.config else str(error)
        print(f"referee run: {told}", file=sys.stderr)
        return 78 if args.config else 64
    with tempfile.TemporaryDirectory(prefix="referee-") as scratch:
        places = house.directories(args, args.camera, Path(scratch))
        kind, highest = _set(match) if match else ("", 6)
        built = house.House(
            places=places,
            table=_table_arguments(args),
            camera=None if args.camera == "none" else args.camera,
            calibration=calibration,
            tileset=args.set,
            kind=kind,
            highest=highest,
            port=args.port,
            lan=args.lan or hotspot is not None,
            native=args.native,
            screen=_screen_arguments(args),
            rooms=rooms,
            evidence=not args.no_evidence,
            wiring=("--wiring", wired.told(args.wiring)) if args.wiring else (),
        )
        return _tell(built)


def _calibration(args: argparse.Namespace) -> str | None:
    """The profile that was named, for a live camera else the one that was left where the journal is kept."""
    is_live = args.camera == "pi" or args.camera.startswith("usb:")
    if args.calibration or not is_live:
        return str(args.calibration) if args.calibration else None
    kept = setting.places(args).state / PROFILE
    if not kept.is_file():
        once = f"referee calibrate --camera {args.camera} --output {kept} --tile KIND,MM,..."
        raise ValueError(f"expected the table's profile for this camera: make it once with `{once}`")
    _to_stderr(f"the table's profile is {kept}")
    return str(kept)


def _rooms(args: argparse.Namespace) -> tuple[str, ...]:
    from referee.commands.house import ROOMS

    rooms = tuple(args.rooms.split(","))
    wrong = [room for room in rooms if room not in ROOMS]
    if wrong or "table" not in rooms or len(set(rooms)) < len(rooms):
        raise ValueError(f"expected rooms out of {','.join(ROOMS)}, each once and table among them, got {args.rooms!r}")
    return tuple(room for room in rooms if not (args.headless and room == "screen"))


def _set(match: Match) -> tuple[str, int]:
    """The kind of tile a match is played with, house rules included, and the highest number on it."""
    from referee import games, umpire

    game = games.game(match.game)
    return game.kind, max(max(tile.values) for tile in game.tiles_of(umpire.opened(match).settings))


def _table_arguments(args: argparse.Namespace) -> tuple[str, ...]:
    training = ("--training",) if args.training else ()
    if not args.game:
        return training
    words = ["--game", args.game, *(["--players", args.players] if args.players else [])]
    words += ["--target", str(args.target)] if args.target is not None else []
    words += ["--opening", args.opening] if args.opening else []
    words += ["--house-rules", str(args.house_rules)] if args.house_rules else []
    words += ["--seats", ",".join(map(str, args.seats))] if args.seats else []
    words += setting.zones_argument(args)
    for option in args.option:
        words += ["--option", option]
    return (*words, *(["--new"] if args.new else []), *training)


def _screen_arguments(args: argparse.Namespace) -> tuple[str, ...]:
    turned = ("--rotate", args.rotate) if args.rotate else ()
    return (*turned, *(("--full",) if args.full else ()), *setting.language_argument(args))


def _tell(built: House) -> int:
    from display.link import Link
    from referee.commands.narrator import Narrator, standing
    from referee.notify import Report
    from referee.supervisor import Supervisor

    report = Report()
    narrator = Narrator(lambda text: print(text, flush=True))
    with (
        Supervisor(
            built.places, built.commands(), built.environment(), _to_stderr, once=built.once, after=built.after
        ) as supervisor,
        Link(built.places, "terminal") as link,
    ):
        ended_s: float | None = None
        invited: tuple[str, ...] | None = None
        while not supervisor.over and (ended_s is None or time.monotonic() - ended_s < _QUIET_S):
            supervisor.watch()
            report.hear(supervisor.rooms["table"].progress, supervisor.standing)
            if link.poll(0.1) and link.view is not None:
                narrator.hear(link.view)
                if "phone" in built.rooms and "screen" not in built.rooms:
                    invited = invite(link, invited)
                ended_s = time.monotonic() if ended_s is not None else None
            if ended_s is None and _ended(supervisor):
                ended_s = time.monotonic()
        verdict = supervisor.verdict
        report.stopping()
    illegal = sum(not ruled.legal for ruled in narrator.rulings)
    print(f"{len(narrator.rulings)} rulings, {illegal} illegal", flush=True)
    if link.view is not None and link.view.seats:
        print(standing(link.view), flush=True)
    return verdict


def invite(link: Link, before: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Say the code to join with, where no screen shows it: at first and whenever others play; returns who plays."""
    names = tuple(seat.name for seat in link.view.seats) if link.view is not None else ()
    invitation = link.ask("joining").invitation if names != before else None
    if invitation is None:
        return before
    print(f"Phones join with the code {invitation.code}", flush=True)
    return names


def _ended(supervisor: Supervisor) -> bool:
    """True when there is nothing more to wait for: the source has ended, or the window was closed."""
    return any(not supervisor.running(name) for name in ("table", "vision", "screen") if name in supervisor.rooms)


def _to_stderr(text: str) -> None:
    print(f"referee: {text}", file=sys.stderr, flush=True)
