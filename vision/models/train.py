"""Train the networks of this folder: `python -m vision.models.train numerals|domino|triomino`.

Needs the `train` extra and the typefaces listed in README.md; every random number comes from a fixed seed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.kinds import Image, domino, triomino
from vision.models import FOLDER, Network, scenes, sets, typefaces

DOMINO_BACK, DOMINO_NONE = 13, 14
TRIOMINO_BLANK, TRIOMINO_NONE = 10, 11
FACES_PER_SESSION = 10
Labels = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shot:
    """One photographed face and the class of each of its parts, -1 where a part is neither one nor the other."""

    face: Image
    labels: tuple[int, ...]
    session: int


def domino_shots(sessions: int, seed: int) -> Iterator[Shot]:
    """Faces of made-up dominoes."""
    regions = [np.s_[10:-10, 10:70], np.s_[10:-10, 90:150]]
    for number in range(sessions):
        random = np.random.default_rng((seed, number))
        made, at = sets.DominoSet(random), scenes.session(random, 160 / random.uniform(44, 52))
        for _ in range(FACES_PER_SESSION):
            values = tuple(int(v) for v in random.integers(0, 13 if random.random() < 0.4 else 10, 2))
            yield _shot(made, at, values, domino.FACE_PX, regions, (DOMINO_BACK, DOMINO_NONE), number, random)


def triomino_shots(sessions: int, seed: int, held_out: bool) -> Iterator[Shot]:
    """Faces of made-up triominoes, printed in the families to train on or in those held out."""
    readable = [(file, outlines) for file in typefaces.typeface_files() if (outlines := typefaces.numerals(file))]
    families = sorted({typefaces.family(file) for file, _ in readable})
    apart = set(families[2::6])
    faces = [pair for pair in readable if (typefaces.family(pair[0]) in apart) == held_out]
    regions = []
    for corner in range(3):
        turn = np.deg2rad(triomino.corner_deg(corner))
        x, y = (round(triomino.CENTRE_PX + 34 * part) for part in (np.cos(turn), np.sin(turn)))
        regions.append(np.s_[y - 11 : y + 12, x - 11 : x + 12])
    for number in range(sessions):
        random = np.random.default_rng((seed, number))
        made = sets.TriominoSet(random, faces)
        at = scenes.session(random, triomino.SIDE_PX / random.uniform(34, 42), coarsest=1.1)
        for _ in range(FACES_PER_SESSION):
            values = tuple(int(v) for v in random.integers(0, 10 if random.random() < 0.35 else 6, 3))
            yield _shot(made, at, values, triomino.FACE_PX, regions, (TRIOMINO_BLANK, TRIOMINO_NONE), number, random)


def _shot(
    made: sets.DominoSet | sets.TriominoSet,
    at: scenes.Session,
    values: tuple[int, ...],
    face_px: tuple[int, int],
    regions: list[tuple[slice, slice]],
    no_number: tuple[int, int],
    session: int,
    random: scenes.Random,
) -> Shot:
    """One face: mostly a tile as it should be, sometimes a back, a wrong pose, a covered tile, no tile."""
    blank, none = no_number
    scale = int(np.clip(np.ceil(2 * at.camera_px_per_mm / at.face_px_per_mm), 1, 3))
    happening = random.random()
    if happening < 0.03:
        face = scenes.pattern(face_px, random)
        return Shot(face, (none,) * len(regions), session)
    if happening > 0.9:
        values = ()
    labels = list(values) if values else [blank] * len(regions)
    painted = made.paint(values, scale, at.wear, random)
    slip_mm = slip_deg = 0.0
    if 0.03 < happening < 0.06:
        slip_mm, labels = float(random.uniform(7, 20)), [none] * len(regions)
    elif 0.06 < happening < 0.08:
        slip_deg, labels = float(random.choice([-1, 1]) * random.uniform(35, 85)), [none] * len(regions)
    elif 0.08 < happening < 0.11:
        cover = cv2.resize(sets.spoil(painted, random), face_px, interpolation=cv2.INTER_AREA)
        for part, region in enumerate(regions):
            share = float(cover[region].mean())
            labels[part] = none if share > 0.35 else labels[part] if share < 0.02 else -1
    face = scenes.photograph(painted, scale, face_px, at, random, slip_mm, slip_deg)
    return Shot(face, tuple(labels), session)


def gather(shots: Iterator[Shot], features: tuple[Callable[[Image], Floats], ...]) -> tuple[list[Floats], Labels]:
    """What each reader sees of all parts, and the classes."""
    seen: list[list[Floats]] = [[] for _ in features]
    labels: list[int] = []
    for shot in shots:
        keep = np.array([label >= 0 for label in shot.labels])
        for rows, feature in zip(seen, features, strict=True):
            rows.append(feature(shot.face)[keep])
        labels.extend(label for label in shot.labels if label >= 0)
    return [np.concatenate(rows) for rows in seen], np.array(labels)


def picture_network(classes: int) -> nn.Module:
    """Four convolutions on a 48 x 48 colour crop."""
    layers: list[nn.Module] = []
    for wide_in, wide_out in ((3, 16), (16, 32), (32, 48), (48, 64)):
        layers += [nn.Conv2d(wide_in, wide_out, 3, padding=1), nn.BatchNorm2d(wide_out), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 9, 48), nn.ReLU(), nn.Linear(48, classes)
    )


def direction_network(classes: int) -> nn.Module:
    """One hidden layer on edge directions."""
    return nn.Sequential(nn.Dropout(0.1), nn.Linear(512, 112), nn.ReLU(), nn.Dropout(0.2), nn.Linear(112, classes))


def fit(network: nn.Module, seen: Floats, labels: Labels, epochs: int, seed: int) -> None:
    """Train with a one-cycle rate."""
    torch.manual_seed(seed)
    inputs, targets = torch.from_numpy(seen), torch.from_numpy(labels)
    batch = 128
    steps = epochs * (len(labels) // batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss()
    order = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        network.train()
        total, started = 0.0, time.monotonic()
        for rows in torch.randperm(len(labels), generator=order)[: steps // epochs * batch].split(batch):
            picked = inputs[rows]
            if picked.ndim == 4:
                picked = picked * (0.7 + 0.6 * torch.rand(len(rows), 1, 1, 1))
            loss = loss_of(network(picked), targets[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
            total += float(loss.detach())
        _say(f"epoch {epoch + 1}: loss {total / (steps // epochs):.4f}, {time.monotonic() - started:.0f} s")


def finish(network: nn.Module, name: str, seen: Floats, labels: Labels) -> None:
    """Fit the temperature on unseen sets, export, and check that OpenCV computes the same."""
    network.eval()
    with torch.no_grad():
        scores = torch.cat([network(rows) for rows in torch.from_numpy(seen).split(512)])
    targets = torch.from_numpy(labels)
    right = scores.argmax(1) == targets
    temperatures = np.geomspace(0.4, 4, 40)
    losses = [float(nn.functional.cross_entropy(scores / t, targets)) for t in temperatures]
    temperature = float(temperatures[int(np.argmin(losses))])
    _say(f"{name}: {len(labels)} unseen parts, {float(right.float().mean()):.4%} right, temperature {temperature:.2f}")
    last = network[-1]
    with torch.no_grad():
        last.weight /= temperature
        last.bias /= temperature
    example = torch.from_numpy(seen[:2])
    axes = {"seen": {0: "n"}, "scores": {0: "n"}}
    path = FOLDER / f"{name}.onnx"
    torch.onnx.export(
        network, (example,), str(path), input_names=["seen"], output_names=["scores"], dynamic_axes=axes,
        opset_version=13, dynamo=False,
    )  # fmt: skip
    with torch.no_grad():
        theirs = torch.softmax(network(torch.from_numpy(seen[:64])), 1).numpy()
    apart = float(np.abs(Network(name).probabilities(seen[:64]) - theirs).max())
    _say(f"{path.name}: {path.stat().st_size} bytes, OpenCV differs by {apart:.1e}")
    if apart > 1e-4:
        raise ValueError(f"expected OpenCV to compute what torch does, differs by {apart}")


def train_domino(sessions: int) -> None:
    """Train and export the pip reader."""
    (seen,), labels = gather(domino_shots(sessions, 1), (domino.halves,))
    (unseen,), unseen_labels = gather(domino_shots(max(sessions // 8, 1), 2), (domino.halves,))
    _say(f"{len(labels)} halves")
    torch.manual_seed(3)
    network = picture_network(15)
    fit(network, seen, labels, 6, 4)
    finish(network, "domino-halves", unseen, unseen_labels)


def train_triomino(sessions: int) -> None:
    """Train and export both numeral readers."""
    features = (triomino.differences, triomino.directions)
    (pictures, edges), labels = gather(triomino_shots(sessions, 5, False), features)
    (new_pictures, new_edges), new_labels = gather(triomino_shots(max(sessions // 8, 1), 6, True), features)
    _say(f"{len(labels)} corners")
    torch.manual_seed(7)
    network = picture_network(12)
    fit(network, pictures, labels, 6, 8)
    finish(network, "triomino-corners", new_pictures, new_labels)
    torch.manual_seed(9)
    second = direction_network(12)
    fit(second, edges, labels, 12, 10)
    finish(second, "triomino-directions", new_edges, new_labels)


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
    """Run one of the three tasks; a second argument is the number of sets to make up."""
    tasks = {"domino": train_domino, "triomino": train_triomino}
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    match arguments:
        case ["numerals"]:
            write_numerals()
        case [name, *sessions] if name in tasks and len(sessions) <= 1:
            tasks[name](int(sessions[0]) if sessions else 1000)
        case _:
            _say(__doc__ or "")
            return 64
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
