"""`referee mat`: a PDF of the mat, or of the board that the lens is measured with, to be printed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from referee.commands import setting

EXAMPLE = """\
example:
  referee mat --size 560x380 --paper A2        the whole mat on one sheet
  referee mat --paper A4                       its four corners, to be laid on a dark cloth
  referee mat --board --paper A4               the lens board for `referee calibrate`
"""
PAPERS = ("A4", "A3", "A2")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "mat",
        help="make a PDF of the mat to print",
        description="Makes a PDF of the mat: whole where it fits the paper, else its four corners with rulers that\n"
        "tell how far apart they are laid.",
        epilog=EXAMPLE,
    )
    parser.add_argument(
        "--size", type=setting.sides, default=(600.0, 400.0), metavar="WxH", help="in mm (default 600x400)"
    )
    parser.add_argument("--marker", type=float, default=40.0, metavar="MM", help="side of a marker (default 40)")
    parser.add_argument("--paper", choices=PAPERS, default="A4", help="the printer's paper (default A4)")
    parser.add_argument(
        "--ground",
        type=_share,
        default=0.6,
        metavar="PERCENT",
        help="how black a whole mat's ground is (default 60; white tiles are not seen on white)",
    )
    parser.add_argument("--board", action="store_true", help="the board for measuring the lens instead of the mat")
    setting.add_language(parser, "what the words on it are in", "")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default mat.pdf or board.pdf")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw, write, say what to do with it."""
    from calibration import pdf, sheets
    from calibration.profile import Mat
    from display import languages, theme
    from referee.__main__ import Exit
    from referee.seen import zones

    words = languages.catalogue(args.language or languages.chosen(setting.system_language())).gettext
    try:
        drawn: tuple[sheets.Sheet, ...]
        if args.board:
            drawn = (sheets.board_sheet(args.paper, words),)
        else:
            width, height = args.size
            mat = Mat(width, height, args.marker)
            usual = zones.usual(mat.width_mm, mat.height_mm, mat.marker_mm)
            areas = sheets.areas_of(usual, words)
            drawn = sheets.mat_sheets(mat, args.paper, areas, args.ground, words)
    except sheets.SheetError as error:
        sys.stderr.write(f"referee mat: {error}\n")
        return Exit.USAGE
    output = args.output or Path("board.pdf" if args.board else "mat.pdf")
    try:
        pdf.write(drawn, output, "Tabletop Referee", theme.REGULAR)
    except OSError as error:
        sys.stderr.write(f"referee mat: expected a file that can be written, got {output} ({error.strerror})\n")
        return Exit.FAILED
    pages = f"{len(drawn)} sheet{'s' * (len(drawn) > 1)} of {args.paper}"
    print(f"{output}: {pages}. Print at full size, not fitted to the page, and check the printed ruler.")
    return Exit.DONE


def _share(text: str) -> float:
    """Read a percentage as a share."""
    try:
        percent = float(text)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise argparse.ArgumentTypeError(f"expected a percentage from 0 to 100, got {text[:40]!r}")
    return percent / 100
