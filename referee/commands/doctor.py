"""`referee doctor`: look at the machine and all that is connected, and say what is wrong and what would mend it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict

from referee.commands import configured, run, setting

MARKS = {"ok": "✓", "warn": "!", "fail": "✗"}
EXAMPLE = """\
example:
  referee doctor
  referee doctor --camera usb:0 --calibration table.json
  referee doctor --config /etc/referee.toml --state /var/lib/referee        the box as it is set up
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "doctor",
        help="look at the machine and say what is wrong, with its cure",
        description="Looks at the machine and all that is connected. Each line says how it is, and what would mend it.",
        epilog=EXAMPLE,
    )
    told = "look through this camera too: pi, usb:N, or auto, the one that the table was measured with"
    parser.add_argument("--camera", metavar="SOURCE", help=told)
    parser.add_argument("--calibration", metavar="FILE[#NAME]", help="the table's profile: is the mat seen well?")
    parser.add_argument("--port", type=setting.port, default=8420, help="the phone page's port")
    parser.add_argument("--json", action="store_true", help="one JSON object for each line")
    setting.add_places(parser)
    configured.add_file(parser, run.options)
    parser.set_defaults(run=look)


def look(args: argparse.Namespace) -> int:
    """Look at everything; fails when something does."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from referee.__main__ import Exit
    from referee.commands import devices, machine

    state = setting.places(args).state
    kept = state / run.PROFILE
    if args.calibration is None and args.config is not None and kept.is_file():
        args.calibration = str(kept)
    try:
        profile = setting.profile(args.calibration)
    except ValueError as error:
        print(f"referee doctor: {error}", file=sys.stderr)
        return Exit.USAGE
    camera = args.camera
    if camera in (setting.AUTO, "none"):
        camera = None if camera == "none" or profile is None else profile.source
    findings = [
        *machine.versions(),
        *devices.profile_file(args.calibration),
        *devices.cameras(),
        *(devices.camera(camera, profile) if camera else ()),
        *devices.display(),
        devices.touch(state),
        devices.letters(),
        devices.pins(),
        *machine.disk(state),
        machine.journal(state),
        machine.clock(),
        *machine.heat(),
        machine.port(args.port),
    ]
    for finding in findings:
        if args.json:
            print(json.dumps(asdict(finding), ensure_ascii=False))
        else:
            print(f"{MARKS[finding.mark]} {finding.what:13} {finding.told}")
            if finding.cure and finding.mark != "ok":
                print(f"  {'':13} → {finding.cure}")
    return Exit.FAILED if any(finding.mark == "fail" for finding in findings) else Exit.DONE
