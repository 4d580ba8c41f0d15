"""`referee table`: the table process by itself."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from referee.commands import setting, wired

if TYPE_CHECKING:
    from referee.service import Setting


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "table",
        help="the referee's table: rules, journal, signals (other rooms connect to it)",
        epilog="example:\n  referee table --no-camera --game fr-domino --players 2",
    )
    setting.add_places(parser)
    setting.add_evidence(parser)
    setting.add_match(parser)
    parser.add_argument(
        "--calibration", metavar="FILE[#NAME]", help="the table's profile, for the size of mat and tiles"
    )
    parser.add_argument("--set", metavar="FILE", help="the set of tiles: its size and copies")
    parser.add_argument("--no-camera", action="store_true", help="expect no camera: score keeping by touch")
    parser.add_argument("--training", action="store_true", help="tell where each tile would have earned more")
    parser.add_argument(
        "--native", type=setting.port, metavar="PORT", help="let other programs in by a gate, here and on the next port"
    )
    parser.add_argument("--lan", action="store_true", help="open the gate to the whole network")
    told = "leave a match from before that is played with other tiles than the calibration is for"
    parser.add_argument("--leave", action="store_true", help=told)
    parser.add_argument("--phones", default="", help="the phone page's address, to be shown on the screen")
    wired.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    from hardware.signals import open_signals
    from hardware.wiring import Wiring
    from referee.config import held

    wiring = args.wiring or Wiring()
    places = setting.places(args).make()
    # A second copy must not touch the pins of the first; else what a killed one left on goes off before all the rest.
    with held(places.runtime / "pins.lock"), closing(open_signals(wiring)) as signals:
        from hardware.buttons import open_buttons
        from referee import service

        try:
            start = _start(args)
        except ValueError as error:
            print(f"referee table: {error}", file=sys.stderr)
            return 64
        with closing(open_buttons(wiring)) as buttons:
            service.serve(places, start, signals, buttons)
    return 0


def _start(args: argparse.Namespace) -> Setting:
    """What the table is started with.

    Raises:
        ValueError: if what is named does not exist or does not fit together.
    """
    from referee import service
    from referee.outside import gate
    from referee.seen.zones import usual

    match = setting.match(args)
    profile = setting.profile(args.calibration)
    tileset = setting.tileset(args.set, match)
    zones = profile.usable_zones if profile else usual(600.0, 400.0, 40.0)
    if profile is not None and zones is None and match is not None and match.zones:
        size = f"{profile.mat.width_mm:g} x {profile.mat.height_mm:g}"
        raise ValueError(f"expected a mat with room for a boneyard and shown hands with --zones, got {size} mm")
    return service.Setting(
        match=match,
        fresh=args.new,
        shape=tileset.shape if tileset else profile.shape if profile else None,
        mat_mm=(profile.mat.width_mm, profile.mat.height_mm) if profile else (600.0, 400.0),
        camera=not args.no_camera,
        phones=args.phones,
        training=args.training,
        copies=tileset.copies if tileset else 1,
        zones=zones,
        evidence=not args.no_evidence,
        gate=gate.Opening(args.native, args.lan) if args.native is not None else None,
        leaves=args.leave,
    )
