"""`referee replay`: judge a match that is written down as text, and show where the rules say otherwise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.umpire import Record


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "replay",
        help="judge a match that is written down as text",
        description="Exit code 0: every line is ruled as the file says.",
        epilog="""examples:
  referee replay match.txt --missed
  referee export last | referee replay -""",
    )
    parser.add_argument("file", type=Path, help="a match such as `referee export` writes, or `-` for standard input")
    parser.add_argument("--write", action="store_true", help="print the match as the rules see it instead")
    parser.add_argument("--missed", action="store_true", help="tell what each player could have laid, round by round")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print each line that is ruled differently from what the file says, then how many are."""
    from referee import notation, transcript

    try:
        written = transcript.read(_text(args.file))
        record, judged = transcript.played(written)
    except ValueError as error:
        print(f"referee replay: {args.file}: {error}", file=sys.stderr)
        return 64
    found = transcript.differences(written, judged)
    has_other_end = written.ranking not in (None, judged.ranking)
    if args.write:
        sys.stdout.write(str(judged))
        return 1 if found or has_other_end else 0
    for difference in found:
        line = difference.line
        print(f"line {line.number}, entry {line.seq}: {notation.write(line.act)}")
        got = replace(difference.got, scores=difference.got.scores if line.said and line.said.scores else None)
        print(f"  expected {line.said}\n  got      {got}")
    if has_other_end:
        print(f"end of the match\n  expected {written.ranking}\n  got      {judged.ranking or 'a match not yet over'}")
    for text in (*_unsettled(record), *(_missed(record) if args.missed else ())):
        print(text)
    same = len(written.lines) - len(found)
    print(f"{same} of {len(written.lines)} entries are ruled as written")
    return 1 if found or has_other_end else 0


def _unsettled(record: Record) -> Iterator[str]:
    """The moves that stood until something before them was changed, and that nobody has decided about."""
    from referee import notation, umpire

    acts = umpire.acts(record)
    for seq in umpire.unsettled(record):
        ruling = record.rulings[seq - 1]
        assert ruling is not None  # what is undone is settled
        yield f"entry {seq} does not stand any more ({ruling.reason}); nobody has decided: {notation.write(acts[seq])}"


def _missed(record: Record) -> Iterator[str]:
    """What would have earned more, entry by entry."""
    from referee import notation
    from referee.moves import Place
    from referee.placements import missed

    for each in missed(record):
        line = notation.write(Place(each.seat, each.best.tile, each.best.spot))
        yield f"entry {each.entry} earned {each.earned}: {line} would have earned {each.best.points}"


def _text(path: Path) -> str:
    """The text of a file.

    Raises:
        ValueError: if it cannot be read or is not UTF-8.
    """
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: expected text in UTF-8, got the byte 0x{data[error.start]:02X}") from None
    except OSError as error:
        raise ValueError(f"expected a file that can be read, got {error.strerror or error}") from None
