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
    from referee.commands.scoring import Comparison, Found, LabelledTile, Score
    from vision.kinds import Image, Kind
    from vision.still.annotate import Look, Outline

EXAMPLE = """\
labels.json beside the pictures names each picture and its tiles:
  {"images": [{"file": "one.jpg", "view": "overhead", "set": "double-six", "style": "ivory, black pips",
    "ignore": [], "tiles": [{"pips": [3, 5], "face_up": true, "center": [410, 220],
      "corners": [[360, 120], [460, 120], [460, 320], [360, 320]]}]}]}
Corners are pixels, clockwise as seen, the first two at the half of the first number. Triominoes have "values", three
numbers clockwise, and "glyph": "digit" or "pips". Where corners are unknown (null), "approx_length" is the long side.

example:
  referee accuracy photographs --annotate seen
"""
COLUMNS = ("pictures", "tiles", "located", "exact", "asked", "wrong", "false", "perfect")
GROUPS = ("view", "range", "set", "kind", "style", "glyph")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "accuracy",
        help="read a labelled folder of pictures and count what was right",
        description="Reads every picture of a labelled folder and counts the tiles that were located, exact (sure and\n"
        "right), asked about (not sure), wrong (sure and misread), and the false ones (sure where no tile lies).",
        epilog=EXAMPLE,
    )
    add_folder(parser)
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT", help="write each picture to this folder: what is true, what was seen"
    )
    parser.set_defaults(run=run)


def add_folder(parser: argparse.ArgumentParser) -> None:
    """The labelled folder, how to print, and what is known of the sets."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder with labels.json and the pictures it names")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument(
        "--highest",
        type=setting.highest,
        metavar="N",
        help="the highest number of the sets (default: the set's, else found from the picture)",
    )
    parser.add_argument(
        "--set", metavar="FILE", help="the set of tiles in all pictures, as `referee learn-set` wrote it"
    )


def run(args: argparse.Namespace) -> int:
    """Read, count, print."""
    from referee.__main__ import Exit
    from referee.commands.progress import told
    from referee.commands.scoring import Labels, Score, compare, score_picture
    from vision.frames import read_picture

    totals = {"": Score()}
    try:
        labels = Labels.read(args.folder / "labels.json")
        known, highest = setting.known_kind(args.set, labels.kind)
        if args.annotate is not None:
            _check(args.annotate, args.folder)
        for picture in told(labels.pictures, lambda one: one.file):
            image = read_picture(args.folder / picture.file)
            found, seconds = look_at(image, labels.kind, args.highest or highest, known)
            comparison = compare(picture, found)
            for key, score in score_picture(picture, comparison, seconds).items():
                totals[key] = totals.get(key, Score()) + score
            if args.annotate is not None:
                _annotate(args.annotate, picture.file, image, comparison, found)
    except (OSError, ValueError) as error:
        print(f"referee accuracy: {error}", file=sys.stderr)
        return Exit.USAGE
    whole = totals.pop("")
    if args.json:
        print(json.dumps({**whole.as_json(), "by": {key: totals[key].as_json() for key in sorted(totals)}}))
    else:
        print("\n".join(_table({"all": whole} | {key: totals[key] for key in sorted(totals, key=_place)})))
    return Exit.DONE


def look_at(image: Image, kind: str, highest: int | None, known: Kind | None = None) -> tuple[list[Found], float]:
    """The face-up tiles that the eye sees in a picture, and the processor seconds that one thread took for it.

    Args:
        known: the kind as it reads a set that is known.
    """
    from time import thread_time

    import cv2

    from referee.commands.scoring import Found
    from vision.still import look

    cv2.setNumThreads(1)
    begin = thread_time()
    still = look(image, kind, highest, known=known)
    seconds = thread_time() - begin
    found = []
    for tile in still.tiles:
        if tile.seen.face_up:
            x, y = tile.corners.mean(0)
            longest = max(math.dist(tile.corners[i], tile.corners[i + 1]) for i in (0, 1))
            corners = tuple((float(a), float(b)) for a, b in tile.corners)
            found.append(Found(tile.seen.values, (float(x), float(y)), longest, tile.is_sure, corners))
    return found, seconds


def _place(group: str) -> tuple[int, int, str]:
    """Where a group stands in the table: by what it is grouped by, then by name."""
    name = group.partition("=")[0]
    return (GROUPS.index(name) if name in GROUPS else len(GROUPS), group.count("="), group)


def _table(scores: dict[str, Score]) -> list[str]:
    """One line per group of pictures, with the seconds that a picture takes."""
    width = max(map(len, scores))
    lines = [f"{'':{width}} " + " ".join(f"{name:>8}" for name in COLUMNS) + "  seconds"]
    for key, score in scores.items():
        counts = " ".join(f"{getattr(score, name):8d}" for name in COLUMNS)
        lines.append(f"{key:{width}} {counts} {score.seconds_per_picture:8.2f}")
    return lines


def _check(out: Path, folder: Path) -> None:
    """Make the folder for annotated pictures.

    Raises:
        OSError: if it cannot be made, or it is the one with the labelled pictures, which must not be overwritten.
    """
    if out.resolve() == folder.resolve():
        raise OSError(f"expected --annotate to name another folder than that of the pictures, got {out}")
    out.mkdir(parents=True, exist_ok=True)


def _annotate(out: Path, file: str, image: Image, comparison: Comparison, found: list[Found]) -> None:
    """Write what is true beside what was seen.

    Raises:
        OSError: if it cannot be written.
    """
    from vision.still.annotate import SUFFIXES, Explained, compared, write

    looks = _looks()
    truth = [_labelled(one.tile, looks[one.verdict.value], one.verdict.value) for one in comparison.outcomes]
    told = {id(one.find): one.verdict.value for one in comparison.outcomes if one.find is not None}
    told |= {id(one): "false" for one in comparison.false}
    true = {id(one.find): "-".join(map(str, one.tile.values)) for one in comparison.outcomes}
    seen = [_found(one, told.get(id(one), "not counted"), true.get(id(one), "")) for one in found]
    counts = {word: sum(one.verdict.value == word for one in comparison.outcomes) for word in looks}
    counts |= {"false": len(comparison.false), "not counted": len(found) - len(told)}
    legend = [Explained(looks[word], f"{count} {word}") for word, count in counts.items() if count]
    titles = (f"{file}: {len(truth)} tiles as labelled", f"as seen: {counts['exact']} of {len(truth)} exact")
    path = Path(file)
    suffix = path.suffix if path.suffix.lower() in SUFFIXES else ".png"
    name = "-".join((*(part for part in path.parent.parts if part.strip("./")), path.stem))
    write(out / f"{name}{suffix}", compared(image, truth, seen, titles, legend))


def _looks() -> dict[str, Look]:
    """How each verdict on a tile or find is drawn."""
    from vision.still.annotate import Look

    return {
        "exact": Look.GOOD,
        "asked": Look.UNCLEAR,
        "wrong": Look.BAD,
        "missed": Look.BAD,
        "false": Look.BAD,
        "not counted": Look.ASIDE,
    }


def _labelled(tile: LabelledTile, look: Look, verdict: str) -> Outline:
    """A tile as labelled: its outline, a circle where none was labelled; a missed one says so."""
    import numpy as np

    from vision.still.annotate import Outline

    corners = np.array(tile.corners)
    if not tile.corners:
        turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        corners = np.array(tile.centre) + 0.28 * (tile.size or 40.0) * np.stack([np.cos(turns), np.sin(turns)], -1)
    return Outline(corners, tile.values, look, verdict if verdict in ("wrong", "missed") else "")


def _found(find: Found, verdict: str, true: str) -> Outline:
    """A find, with what became of it in words unless it is exact."""
    import numpy as np

    from vision.still.annotate import Outline

    word = {"exact": "", "wrong": f"wrong: is {true}"}.get(verdict, verdict)
    return Outline(np.array(find.corners), find.values, _looks()[verdict], word)
