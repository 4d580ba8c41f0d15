"""`referee vision`: the eye, a process of its own."""

from __future__ import annotations

import argparse
import sys

from referee.commands import setting

PACED = ("folder:", "video:")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "vision",
        help="the eye: looks at the table and tells what lies there",
        epilog="""examples:
  referee vision --camera usb:0 --calibration table.json
  referee vision --camera folder:recording --calibration table.json --pace 0""",
    )
    setting.add_places(parser)
    setting.add_evidence(parser)
    parser.add_argument(
        "--camera", required=True, metavar="SOURCE", help="pi, usb:N, video:FILE, folder:DIR, virtual:…"
    )
    parser.add_argument("--calibration", metavar="FILE[#NAME]", help="the table's profile (not needed for virtual:)")
    parser.add_argument("--set", metavar="FILE", help="the set of tiles: its size, numbers and copies")
    parser.add_argument("--kind", choices=("domino", "triomino"), help="what is played with (default: the profile's)")
    parser.add_argument(
        "--highest",
        type=setting.highest,
        metavar="N",
        help="its largest number (default: the set's, else 6 or 5)",
    )
    parser.add_argument("--pace", type=pace, metavar="FACTOR", help="speed of a recording (default 1; 0: no waiting)")
    parser.set_defaults(run=run)


def pace(text: str) -> float:
    """Read how fast a recording is played."""
    return setting.number(text, "a factor", 1000)


def run(args: argparse.Namespace) -> int:
    """Watch until the source ends or a signal comes."""
    from dataclasses import replace

    import cv2

    from calibration.tileset import load
    from referee.tiles import DOMINO
    from vision import kinds, service
    from vision.learn import kind_of
    from vision.sources import open_source
    from vision.watch import Watcher
    from vision.witness import Witness

    cv2.setNumThreads(1)
    try:
        profile = setting.profile(args.calibration)
        if profile is None and args.camera.startswith("virtual:"):
            from vision.virtual import profile_for

            profile = profile_for(args.camera)
        if profile is None:
            raise ValueError("expected --calibration FILE[#NAME] for this camera")
        tileset = None if args.set is None else load(args.set)
        if tileset is not None:
            profile = replace(profile, shape=tileset.shape)
        kind = args.kind or profile.shape.kind
        if kind != profile.shape.kind:
            told = "calibration" if tileset is None else "set of tiles"
            raise ValueError(f"expected --kind {profile.shape.kind} as in the {told}, got {kind}")
        seen = kinds.kinds()[kind] if tileset is None else kind_of(tileset)
        source = open_source(args.camera, profile, is_thrifty=True)
    except (ValueError, OSError) as error:
        print(f"referee vision: {error}", file=sys.stderr)
        return 64
    usual = tileset.highest if tileset is not None else (6 if kind == DOMINO else 5)
    highest = args.highest if args.highest is not None else usual
    pace = args.pace if args.pace is not None else (1.0 if args.camera.startswith(PACED) else 0.0)
    places = setting.places(args).make()
    witness = None if args.no_evidence else Witness(places, profile)
    watcher = Watcher(profile, highest, seen, tileset=tileset, witness=witness)
    try:
        service.serve(places, source, watcher, pace)
    except ValueError as error:  # a picture of the recording cannot be read
        print(f"referee vision: {error}", file=sys.stderr)
        return 64
    return 0
