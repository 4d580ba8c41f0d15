"""Train the networks of this folder: `make train`, or `python -m vision.models.train --help`.

Needs the `train` extra and the typefaces listed in README.md; every random number comes from a fixed seed.
Pictures are made, and networks fitted, one on each processor. What is done already is not done again: pictures,
epochs and networks are kept in the folder `--out`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.kinds import triomino
from vision.models import FOLDER, detector, typefaces
from vision.models.detector_scenes import albums
from vision.models.networks import direction_network, finish, fit, picture_network
from vision.models.report import report
from vision.models.shots import DOMINOES, TRIOMINOES, Conditions, Film, films, parts, recipe

Task = Callable[[], None]
ALL_SETS = 1000  # as many as the shipped networks have seen; of other numbers all else is made in proportion
DETECTOR = "detector"


@dataclass(frozen=True, slots=True)
class Sort:
    """A kind of tile to learn: how many sets in parts of what is asked for, how many classes, the pictures' seed."""

    sets: float
    classes: int
    seed: int


@dataclass(frozen=True, slots=True)
class Reader:
    """One of the two readers of a kind of tile; its weights are drawn with `seed`."""

    name: str
    kind: str
    make: Callable[[int], nn.Module]
    epochs: int
    seed: int


SORTS = {
    DOMINOES.name: Sort(1.0, 15, seed=1),
    TRIOMINOES.name: Sort(4.0, triomino.CLASSES, seed=5),  # two sorts of marks and many typefaces need more
}
READERS = (
    Reader("triomino-corners", TRIOMINOES.name, picture_network, 15, seed=3),
    Reader("triomino-directions", TRIOMINOES.name, direction_network, 15, seed=4),
    Reader("domino-halves", DOMINOES.name, picture_network, 10, seed=3),
    Reader("domino-directions", DOMINOES.name, direction_network, 10, seed=4),
)


def known_and_unseen(kind: str, sets: int, out: Path) -> tuple[list[Film], list[Film]]:
    """The films to train on, and those of sets and typefaces that are never trained on."""
    sort, store = SORTS[kind], out / "pictures"
    sessions = max(round(sets * sort.sets), 1)
    unseen = Conditions(sort.seed + 1, held_out=True)
    return films(kind, sessions, Conditions(sort.seed), store), films(kind, max(sessions // 8, 1), unseen, store)


def fit_reader(reader: Reader, known: list[Film], unseen: list[Film], out: Path, state: Path) -> None:
    """Fit and export one reader from films that are developed; its state is kept after every epoch."""
    say = partial(_say, reader.name)
    seen, others = parts(known), parts(unseen)
    say(f"{len(seen[1])} parts to train on, {len(others[1])} unseen")
    torch.manual_seed(reader.seed)
    network = reader.make(SORTS[reader.kind].classes)
    fit(network, *seen, reader.epochs, reader.kind == DOMINOES.name, state, say)
    finish(network, out / f"{reader.name}.onnx", *others, say)


def train(wanted: set[str], sets: int, out: Path) -> None:
    """Make the pictures for these kinds of tile, or the detector, then fit and export their networks."""
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    photographs: list[Task] = []
    networks: list[Task] = []
    made_of = recipe(*sorted(FOLDER.glob("*.py")))

    def state(name: str) -> Path:
        return out / f"{name}-{sets}-{made_of}.state"

    if DETECTOR in wanted:
        tables, steps = (round(many * sets / ALL_SETS) for many in (detector.TABLES, detector.STEPS))
        shelf = albums(tables, out / "pictures")
        photographs += [album.make for album in shelf if not album.file.exists()]
        networks.append(partial(detector.train, shelf, steps, out, state(DETECTOR), partial(_say, DETECTOR)))
    for kind in sorted(wanted & SORTS.keys(), reverse=True):  # what takes longest first: no processor idles at the end
        rolls = known_and_unseen(kind, sets, out)
        photographs += [film.develop for each in rolls for film in each if not film.file.exists()]
        readers = [reader for reader in READERS if reader.kind == kind]
        networks += [partial(fit_reader, reader, *rolls, out, state(reader.name)) for reader in readers]
    _side_by_side(photographs, "pictures")
    _side_by_side(networks, "networks")


def _side_by_side(tasks: list[Task], what: str) -> None:
    """Do all of it, as much at a time as there are processors, and say how far it is."""
    began = time.monotonic()
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _alone)
    try:
        for number, each in enumerate(as_completed([pool.submit(task) for task in tasks]), 1):
            each.result()
            spent_min = (time.monotonic() - began) / 60
            left_min = spent_min / number * (len(tasks) - number)
            _say(what, f"{number} of {len(tasks)} done in {spent_min:.1f} min, about {left_min:.0f} min left")
    finally:
        pool.shutdown(cancel_futures=True)  # whoever stops it does not wait for what was not begun


def _alone() -> None:
    """Every process keeps to one processor."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def write_numerals(font: Path = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")) -> None:
    """Write the outlines that drawn triominoes are printed with."""
    outlines = typefaces.numerals(font)
    if outlines is None:
        raise ValueError(f"expected a font with numerals of one height, got {font}")
    digits = [[np.rint(contour * 1000).astype(int).tolist() for contour in digit] for digit in outlines]
    about = "Numerals of DejaVu Sans Bold (Bitstream Vera and DejaVu licence, free to use), curves made of short lines."
    document = {"about": about, "units": 1000, "0-9": digits}
    (FOLDER / "numerals.json").write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


def _say(about: str, text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {about}: {text}\n")
    sys.stderr.flush()


def main(arguments: list[str]) -> int:
    """Train, then compare with the networks shipped."""
    parser = argparse.ArgumentParser(prog="vision.models.train", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(".training"), help="folder for pictures, states and networks")
    everything = (*sorted(SORTS), DETECTOR)
    parser.add_argument("--kind", choices=everything, help="only these networks; all without it")
    parser.add_argument("--sets", type=int, default=ALL_SETS, help="how many sets to make up")
    parser.add_argument("--tiles", type=int, default=1000, help="how many unseen tiles of each kind to report on")
    parser.add_argument("--report-only", action="store_true", help="report on the networks shipped, train none")
    parser.add_argument("--numerals", action="store_true", help="only write numerals.json anew")
    wanted = parser.parse_args(arguments)
    _alone()
    if wanted.numerals:
        write_numerals()
        return 0
    folders = {"shipped": FOLDER}
    if not wanted.report_only:
        train({wanted.kind} if wanted.kind else set(everything), wanted.sets, wanted.out)
        folders["new"] = wanted.out
    table = report(folders, wanted.tiles, partial(_say, "report"))
    wanted.out.mkdir(parents=True, exist_ok=True)
    (wanted.out / "report.md").write_text(table, encoding="utf-8")
    sys.stdout.write(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
