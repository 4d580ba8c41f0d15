"""Train the networks of this folder: `make train`, or `python -m vision.models.train --help`.

Needs the `train` extra and the typefaces listed in README.md; every random number comes from a fixed seed.
What is done already is not done again: pictures, epochs and networks are kept in the folder `--out`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.kinds import triomino
from vision.models import FOLDER, detector, typefaces
from vision.models.networks import direction_network, finish, fit, picture_network
from vision.models.report import report
from vision.models.shots import DOMINOES, TRIOMINOES, Collection, Conditions, Halves, Labels, gather

Parts = tuple[Halves, Labels]
Maker = Callable[[int], nn.Module]
ALL_SETS = 1000  # how many sets the shipped networks have seen
EPOCHS = {"domino": 10, "triomino": 8}
SEEDS = {"domino": 1, "triomino": 5}
SETS = {"domino": 1.0, "triomino": 2.4}  # how many, in parts of what is asked for: two sorts of marks need more
CLASSES = {"domino": 15, "triomino": triomino.CLASSES}
# The two readers of a kind of tile: what shape each has, and with which seed its weights are drawn.
NETWORKS: dict[str, tuple[tuple[str, Maker, int], ...]] = {
    "domino": (("domino-halves", picture_network, 3), ("domino-directions", direction_network, 4)),
    "triomino": (("triomino-corners", picture_network, 3), ("triomino-directions", direction_network, 4)),
}


def train(what: Collection, sessions: int, out: Path) -> None:
    """Train and export the networks of one kind."""
    seed, store, sessions = SEEDS[what.name], out / "pictures", round(sessions * SETS[what.name])
    known = gather(what, sessions, Conditions(seed), store, _say)
    unseen = gather(what, max(sessions // 8, 1), Conditions(seed + 1, held_out=True), store, _say)
    _say(f"{what.name}: {len(known[1])} parts to train on, {len(unseen[1])} unseen")
    notes = out / f"{sessions}"
    notes.mkdir(parents=True, exist_ok=True)
    for name, maker, weights in NETWORKS[what.name]:
        _say(f"{name}:")
        torch.manual_seed(weights)
        network = maker(CLASSES[what.name])
        fit(network, *known, EPOCHS[what.name], what is DOMINOES, notes / f"{name}.state", _say)
        finish(network, out / f"{name}.onnx", *unseen, _say)


def write_numerals(font: Path = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")) -> None:
    """Write the outlines that drawn triominoes are printed with."""
    outlines = typefaces.numerals(font)
    if outlines is None:
        raise ValueError(f"expected a font with numerals of one height, got {font}")
    digits = [[np.rint(contour * 1000).astype(int).tolist() for contour in digit] for digit in outlines]
    about = "Numerals of DejaVu Sans Bold (Bitstream Vera and DejaVu licence, free to use), curves made of short lines."
    document = {"about": about, "units": 1000, "0-9": digits}
    (FOLDER / "numerals.json").write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def main(arguments: list[str]) -> int:
    """Train, then compare with the networks shipped."""
    parser = argparse.ArgumentParser(prog="vision.models.train", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(".training"), help="folder for pictures, states and networks")
    parser.add_argument("--kind", choices=(*sorted(SEEDS), "detector"), help="only these networks; all without it")
    parser.add_argument("--sets", type=int, default=ALL_SETS, help="how many sets to make up")
    parser.add_argument("--tiles", type=int, default=1000, help="how many unseen tiles of each kind to report on")
    parser.add_argument("--report-only", action="store_true", help="report on the networks shipped, train none")
    parser.add_argument("--numerals", action="store_true", help="only write numerals.json anew")
    wanted = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if wanted.numerals:
        write_numerals()
        return 0
    folders = {"shipped": FOLDER}
    if not wanted.report_only:
        for what in (DOMINOES, TRIOMINOES):
            if wanted.kind in (None, what.name):
                train(what, wanted.sets, wanted.out)
        if wanted.kind in (None, "detector"):
            detector.train(wanted.out, _say, wanted.sets / ALL_SETS)
        folders["new"] = wanted.out
    table = report(folders, wanted.tiles, _say)
    wanted.out.mkdir(parents=True, exist_ok=True)
    (wanted.out / "report.md").write_text(table, encoding="utf-8")
    sys.stdout.write(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
