"""`referee run`: every room of the house, over one camera."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import configured, setting, wired
from referee.commands.lending import Lending

if TYPE_CHECKING:
    from calibration.profile import Profile
    from display.link import Link
    from referee.commands.house import House
    from referee.config import Places
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
        help="pi, usb:N, video:FILE, folder:DIR?match=PATTERN&hold=5&fps=15, virtual:SCRIPT, none, or auto: "
        "the one that the table's profile was made with, none until it was measured on the screen",
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
        if args.camera != setting.AUTO:
            setting.camera(args.camera or "")
        setting.hotspot(args)
        match = setting.match(args)
        table = _table(args)
        setting.tileset(args.set, match)
        _rooms(args)
    except ValueError as error:
        told = f"{args.config}: {error}" if args.config else str(error)
        print(f"referee run: {told}", file=sys.stderr)
        return 78 if args.config else 64
    with tempfile.TemporaryDirectory(prefix="referee-") as scratch:
        places = house.directories(args, args.camera, Path(scratch))

        def again() -> House:
            return _house(args, places, match, _measured(args, places), is_measured=True)

        built = _house(args, places, match, table)
        return _tell(built, Lending(args.camera, _output(args, places), args.set, built, again))


def _house(
    args: argparse.Namespace,
    places: Places,
    match: Match | None,
    table: tuple[str | None, str | None],
    is_measured: bool = False,
) -> House:
    """The rooms for a camera, None for none, and the table's profile, which was measured just now or before."""
    from referee.commands import house

    kind, highest = _set(match) if match else ("", 6)
    camera, calibration = table
    # A box whose own profile is for the other tiles in the cupboard starts all the same.
    leaves = ("--leave",) if calibration and (is_measured or args.calibration is None) else ()
    return house.House(
        places=places,
        table=(*_table_arguments(args), *leaves),
        camera=camera,
        calibration=calibration,
        tileset=args.set,
        kind=kind,
        highest=highest,
        port=args.port,
        lan=args.lan or setting.hotspot(args) is not None,
        native=args.native,
        screen=_screen_arguments(args),
        rooms=_rooms(args),
        evidence=not args.no_evidence,
        wiring=("--wiring", wired.told(args.wiring)) if args.wiring else (),
    )


def _table(args: argparse.Namespace) -> tuple[str | None, str | None]:
    """The camera and the table's profile: what was named, else what was left where the journal is kept.

    Raises:
        ValueError: if a profile was asked for that is not there or cannot be read.
    """
    from referee.commands.house import is_live

    kept = setting.places(args).state / PROFILE
    named = None if args.calibration is None else str(args.calibration)
    if args.camera == setting.AUTO:
        return _chosen(Path(named or kept))
    camera = None if args.camera == "none" else args.camera
    if named is None and is_live(args.camera):
        if not kept.is_file():
            once = f"referee calibrate --camera {args.camera} --output {kept} --tile KIND,MM,..."
            raise ValueError(f"expected the table's profile for this camera: make it once with `{once}`")
        _to_stderr(f"the table's profile is {kept}")
        named = str(kept)
    return camera, None if named is None else _readable(named)[1]


def _chosen(kept: Path) -> tuple[str | None, str | None]:
    """The camera that a profile was made with; none without a profile, so that a box always starts."""
    from referee.commands.house import is_live

    if not kept.is_file():
        return None, None
    try:
        profile, read = _readable(str(kept))
    except ValueError as error:
        _to_stderr(f"{error}; the score is kept by touch until the camera is measured again")
        return None, None
    if profile.source is None or not is_live(profile.source):
        _to_stderr(f"{kept} does not say which camera it was made with; name one with --camera")
        return None, None
    _to_stderr(f"the table's profile is {kept}, made with {profile.source}")
    return profile.source, read


def _readable(calibration: str) -> tuple[Profile, str]:
    """A profile and the file that it is read from; what is wrong with the one that was named is told here, once.

    Raises:
        ValueError: if not even its last good copy can be read.
    """
    from calibration.profile import whole

    read = whole(calibration)
    profile = setting.profile(read)
    assert profile is not None
    return profile, read


def _measured(args: argparse.Namespace, places: Places) -> tuple[str | None, str | None]:
    """The camera and the profile once it was measured, or was not."""
    kept = _output(args, places)
    if args.camera == setting.AUTO:
        return _chosen(kept)
    return (None if args.camera == "none" else args.camera), str(kept) if kept.is_file() else args.calibration


def _output(args: argparse.Namespace, places: Places) -> Path:
    """Where the profile goes: to the file that was named, unless it is one of several in a file that is not ours."""
    named = "" if args.calibration is None else str(args.calibration)
    return Path(named) if named and "#" not in named else places.state / PROFILE


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


def _tell(built: House, measuring: Lending) -> int:
    """Run a house until it is over."""
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
            measuring.turn(supervisor, link.view)
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
