"""`referee accuracy DIR`: read every picture of a labelled folder and compare with its labels."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from referee.commands.scoring import Found, Score


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser("accuracy", help="read a labelled folder of pictures and count what was right")
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder with labels.json and the pictures it names")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument(
        "--highest",
        type=setting.highest,
        metavar="N",
        help="the highest number of the sets (default: found from the picture)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, count, print."""
    from referee.__main__ import Exit
    from referee.commands.scoring import Labels, Score, score_picture

    totals = {"": Score()}
    try:
        labels = Labels.read(args.folder / "labels.json")
        for picture in labels.pictures:
            found, seconds = _read(args.folder / picture.file, labels.kind, args.highest)
            for key, score in score_picture(picture, found, seconds).items():
                totals[key] = totals.get(key, Score()) + score
    except (OSError, ValueError) as error:
        print(f"referee accuracy: {error}", file=sys.stderr)
        return Exit.USAGE
    whole = totals.pop("")
    if args.json:
        print(json.dumps({**whole.as_json(), "by": {key: totals[key].as_json() for key in sorted(totals)}}))
    else:
        print("\n".join(_table({"all": whole} | {key: totals[key] for key in sorted(totals)})))
    return Exit.DONE


def _read(path: Path, kind: str, highest: int | None) -> tuple[list[Found], float]:
    """The face-up tiles a picture shows, and how many seconds it took to see them."""
    from time import perf_counter

    from referee.commands.scoring import Found
    from vision.frames import read_picture
    from vision.still import look

    image = read_picture(path)
    begin = perf_counter()
    still = look(image, kind, highest)
    seconds = perf_counter() - begin
    found = []
    for tile in still.tiles:
        if tile.seen.face_up:
            x, y = tile.corners.mean(0)
            longest = max(math.dist(tile.corners[i], tile.corners[i + 1]) for i in (0, 1))
            found.append(Found(tile.seen.values, (float(x), float(y)), longest, tile.is_sure))
    return found, seconds


def _table(scores: dict[str, Score]) -> list[str]:
    """One line per group of pictures; `wrong` are tiles found and surely misread."""
    head = ("pictures", "tiles", "located", "exact", "asked", "wrong", "false", "perfect")
    width = max(map(len, scores))
    lines = [f"{'':{width}} " + " ".join(f"{name:>8}" for name in head) + "  seconds"]
    for key, score in scores.items():
        counts = " ".join(f"{getattr(score, name):8d}" for name in head)
        lines.append(f"{key:{width}} {counts} {score.seconds_per_picture:8.2f}")
    return lines
