"""`referee export`: a match of the journal as text, JSON or CSV."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

LAST = "last"
FORMATS = ("text", "json", "csv")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "export",
        help="write a match of the journal as text, JSON or CSV",
        epilog="""examples:
  referee export last > match.txt
  referee export 3 --format csv""",
    )
    parser.add_argument("game", metavar="GAME", help="the number of a match, or `last`")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="text can be read by `referee replay`")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory of the journal")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the match to standard output, in UTF-8 wherever that goes."""
    from referee.commands import exporting

    try:
        match, entries = exporting.entries_of(args.game, args.state)
        text = exporting.WRITERS[args.format](match, entries)
    except ValueError as error:
        print(f"referee export: {error}", file=sys.stderr)
        return 64
    sys.stdout.buffer.write(text.encode())
    for warning in exporting.otherwise(entries):
        print(f"referee export: {warning}", file=sys.stderr)
    return 0
