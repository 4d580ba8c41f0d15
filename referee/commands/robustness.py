"""`referee robustness DIR`: how much of what the eye reads is left when pictures are made worse in one way."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.commands import accuracy, setting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from referee.commands.progress import Progress
    from referee.commands.scoring import LabelledPicture, Labels, Score
    from vision.disturb import Disturbance
    from vision.kinds import Image, Kind

UNDISTURBED = "undisturbed"
WIDTH = 17
COLUMNS = ("tiles", "located", "exact", "asked", "wrong", "false")
EXAMPLE = """\
The ratio is the share of exact tiles against that in the undisturbed pictures. Labels move along with what they
label; a tile that a shift cuts off is not counted. Chance begins the same way each time, so that runs can be
compared. labels.json is as `referee accuracy --help` tells.

examples:
  referee robustness photographs
  referee robustness photographs --only half-shadow,half-size
  referee robustness photographs --only help
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = subparsers.add_parser(
        "robustness",
        help="measure what is still read when labelled pictures are made worse",
        description="Reads every picture of a labelled folder as it is and with one disturbance at a time: shifted,\n"
        "rotated, in other light, blurred, noisy, in other colours, packed hard, at half its size.",
        epilog=EXAMPLE,
    )
    accuracy.add_folder(parser)
    parser.add_argument(
        "--only", metavar="NAME,NAME", default="", help="only these disturbances (default: all; `help` lists them)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Disturb, read, count, print."""
    from referee.__main__ import Exit
    from referee.commands.progress import Progress
    from referee.commands.scoring import Labels
    from vision.disturb import TRIALS

    if args.only == "help":
        print("\n".join(f"{name:{WIDTH}}  {trial.what}" for name, trial in TRIALS.items()))
        return Exit.DONE
    scores: dict[str, Score] = {}
    try:
        rows = {UNDISTURBED: None, **_picked(args.only, TRIALS)}
        labels = Labels.read(args.folder / "labels.json")
        known, highest = setting.known_kind(args.set, labels.kind)
        progress = Progress(len(rows) * len(labels.pictures))
        for name, trial in rows.items():
            begun = partial(_begun, progress, name)
            scores[name] = measured(args.folder, labels, trial, args.highest or highest, known, begun)
            progress.end()
            if not args.json:
                _tell(name, trial, scores)
    except (OSError, ValueError) as error:
        print(f"referee robustness: {error}", file=sys.stderr)
        return Exit.USAGE
    if args.json:
        print(json.dumps(_as_json(scores, rows)))
    return Exit.DONE


def _begun(progress: Progress, what: str, picture: LabelledPicture) -> None:
    progress.step(lambda: f"{what}: {picture.file}")


def _picked(only: str, trials: dict[str, Disturbance]) -> dict[str, Disturbance]:
    """The disturbances that were named, in the usual order; all of them if none was.

    Raises:
        ValueError: for a name that is none of them.
    """
    names = {name.strip() for name in only.split(",")} if only else set(trials)
    unknown = sorted(names - set(trials))
    if unknown:
        raise ValueError(f"expected --only with names out of {', '.join(trials)}, got {', '.join(unknown)!r}")
    return {name: trial for name, trial in trials.items() if name in names}


def measured(
    folder: Path,
    labels: Labels,
    trial: Disturbance | None,
    highest: int | None,
    known: Kind | None,
    begun: Callable[[LabelledPicture], None],
) -> Score:
    """Read every picture in one disturbance (None: as it is) and count; each that is begun is told.

    Raises:
        ValueError: if a picture cannot be read.
    """
    from referee.commands.scoring import Score, compare, score_picture
    from vision.frames import read_picture

    total = Score()
    for number, picture in enumerate(labels.pictures):
        begun(picture)
        image, labelled = read_picture(folder / picture.file), picture
        if trial is not None:
            image, labelled = disturbed(image, picture, trial, number)
        found, seconds = accuracy.look_at(image, labels.kind, highest, known)
        total += score_picture(labelled, compare(labelled, found), seconds)[""]
    return total


def disturbed(image: Image, picture: LabelledPicture, trial: Disturbance, number: int) -> tuple[Image, LabelledPicture]:
    """A picture made worse, always in the same way for its number, and the labels that moved along."""
    import numpy as np

    worse, matrix = trial.change(image, np.random.default_rng(number))
    return worse, picture.carried(matrix.tolist(), worse.shape[1], worse.shape[0])


def ratio(score: Score, undisturbed: Score) -> float | None:
    """The share of exact tiles against that in the undisturbed pictures; None where those had none."""
    if not (undisturbed.exact and score.tiles):
        return None
    return round(score.exact / score.tiles / (undisturbed.exact / undisturbed.tiles), 4)


def _as_json(scores: dict[str, Score], rows: dict[str, Disturbance | None]) -> dict[str, Any]:
    whole = scores[UNDISTURBED]
    disturbed_rows = {
        name: {**scores[name].as_json(), "ratio": ratio(scores[name], whole), "what": trial.what}
        for name, trial in rows.items()
        if trial is not None
    }
    return {UNDISTURBED: whole.as_json(), "disturbed": disturbed_rows}


def _tell(name: str, trial: Disturbance | None, scores: dict[str, Score]) -> None:
    """Print a line of the table: the counts, the ratio to the undisturbed pictures, and what the disturbance is."""
    if trial is None:
        print(f"{'':{WIDTH}} " + " ".join(f"{column:>8}" for column in COLUMNS) + "    ratio")
    counts = " ".join(f"{getattr(scores[name], column):8d}" for column in COLUMNS)
    part = ratio(scores[name], scores[UNDISTURBED])
    percent = "-" if part is None else f"{100 * part:.1f} %"
    print(f"{name:{WIDTH}} {counts} {percent:>8}  {trial.what if trial else ''}".rstrip(), flush=True)
