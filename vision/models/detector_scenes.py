"""Pictures to train the detector on: whole tables of made-up sets, and line drawings, with their outlines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.tiles import DOMINO, TRIOMINO
from vision.kinds import Image, Points
from vision.models import numeral_outlines, sets
from vision.models.shots import printing, recipe
from vision.scenes import Brief, Order, arrange, draw_session, photograph
from vision.still.detector import SIZE_PX, encoded

Random = np.random.Generator

SEED = 31
PER_FILE = 50
SIZE = (640, 512)
QUALITY = 90
DRAWINGS, PIPS, BY_HAND, EMPTY = 0.05, 0.4, 0.5, 0.06  # shares of the pictures


@dataclass(frozen=True, slots=True, eq=False)
class Outlined:
    """A tile to be found: its kind, its corners (n, 2) in pixels, and which part of it can be seen, 0..1."""

    kind: str
    corners: Points
    visible: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture, packed as JPEG, and all tiles in it."""

    packed: bytes
    tiles: tuple[Outlined, ...]

    @property
    def usual_px(self) -> float:
        """How large most tiles look, as |a| of `vision.still.detector`; any size where there are none."""
        sizes = [SIZE_PX * np.exp(encoded(tile.corners, tile.kind)[1][0]) for tile in self.tiles]
        return float(np.median(sizes)) if sizes else 40.0

    def picture(self, zoom: float = 1.0) -> tuple[Image, float]:
        """The picture, BGR, no larger than is needed to see it so much smaller, and its scale."""
        scale, how = 1.0, cv2.IMREAD_COLOR
        if zoom < 0.5:
            scale, how = (0.5, cv2.IMREAD_REDUCED_COLOR_2) if zoom > 0.25 else (0.25, cv2.IMREAD_REDUCED_COLOR_4)
        return np.asarray(cv2.imdecode(np.frombuffer(self.packed, np.uint8), how), np.uint8), scale


@dataclass(frozen=True, slots=True)
class Album:
    """A few pictures made together, and the file that keeps them."""

    first: int
    file: Path

    def make(self) -> None:
        """Make the pictures and keep them."""
        numbers = range(self.first, self.first + PER_FILE)
        _keep([scene(np.random.default_rng((SEED, number))) for number in numbers], self.file)

    def pictures(self) -> list[Labelled]:
        """The pictures kept."""
        return _kept(self.file)


def albums(count: int, store: Path) -> list[Album]:
    """Albums of so many pictures, whether or not they are made; their files lie in the folder `store`."""
    made_of = recipe(Path(__file__))
    return [Album(start, store / f"scenes-{SEED}-{start}-{made_of}.npz") for start in range(0, count, PER_FILE)]


def _keep(made: list[Labelled], file: Path) -> None:
    """Write pictures to a file; a triomino's fourth corner is not a number."""
    parts: dict[str, Any] = {}
    for number, one in enumerate(made):
        corners = np.full((len(one.tiles), 4, 2), np.nan)
        for row, tile in zip(corners, one.tiles, strict=True):
            row[: len(tile.corners)] = tile.corners
        parts[f"picture{number}"] = np.frombuffer(one.packed, np.uint8)
        parts[f"corners{number}"] = corners
        parts[f"visible{number}"] = np.array([tile.visible for tile in one.tiles])
    draft = file.with_suffix(".draft.npz")
    np.savez(draft, **parts)
    draft.rename(file)  # never a half-written file under the final name


def _kept(file: Path) -> list[Labelled]:
    made = []
    with np.load(file) as parts:
        for number in range(PER_FILE):
            corners, visible = parts[f"corners{number}"], parts[f"visible{number}"]
            tiles = tuple(
                Outlined(DOMINO, row, float(part))
                if np.isfinite(row).all()
                else Outlined(TRIOMINO, row[:3], float(part))
                for row, part in zip(corners, visible, strict=True)
            )
            made.append(Labelled(parts[f"picture{number}"].tobytes(), tiles))
    return made


def scene(random: Random) -> Labelled:
    """A table of a made-up set, or now and then a drawing of one."""
    if random.random() < DRAWINGS:
        return _packed(*drawing(random))
    if random.random() < 0.5:
        made: sets.DominoSet | sets.TriominoSet = sets.DominoSet(random, int(random.choice((6, 9, 12))))
    else:
        pips = bool(random.random() < PIPS)
        made = sets.TriominoSet(random, printing(False), pips)
    tilt = (0.0, 55.0) if random.random() < BY_HAND else (0.0, 6.0)
    session = draw_session(random, made.tiles(), Brief(px_per_mm=(0.55, 2.3), size_px=SIZE, tilt_deg=tilt))
    most = 0 if random.random() < EMPTY else int(random.choice((5, 14, 30)))
    order = Order(count=(most // 3, most), clutter=0.6)
    seen = photograph(session, arrange(session, random, order, made.values), random)
    tiles = tuple(Outlined(made.shape.kind, tile.outline_px, tile.visible) for tile in seen.tiles)
    return _packed(seen.image, tiles)


def _packed(image: Image, tiles: tuple[Outlined, ...]) -> Labelled:
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Labelled(packed.tobytes(), tiles)


def drawing(random: Random) -> tuple[Image, tuple[Outlined, ...]]:
    """Triominoes of a lattice as a rule book draws them: thin lines, upright numerals, plain colours."""
    side = float(np.exp(random.uniform(np.log(60), np.log(220))))
    paper, face, ink = (
        tuple(int(part) for part in random.uniform(*span, 3)) for span in ((225, 256), (200, 256), (0, 90))
    )
    picture = np.full((SIZE[1], SIZE[0], 3), paper, np.uint8)
    turn = random.choice((0.0, np.pi / 2)) if random.random() < 0.7 else random.uniform(0, 2 * np.pi)
    steps = side * np.exp(1j * turn) * np.array([1, np.exp(1j * np.pi / 3)])  # from a crossing of the lattice to others
    shrunk, share, middle = random.uniform(0.94, 1.0), random.uniform(0.15, 0.9), complex(*np.array(SIZE) / 2)
    reach = range(-int(np.ceil(max(SIZE) / side)), int(np.ceil(max(SIZE) / side)))
    tiles = []
    for row, column, half in product(reach, reach, (((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1)))):
        places = middle + np.add(half, (column, row)) @ steps
        places = places.mean() + shrunk * (places - places.mean())
        corners = np.stack([places.real, places.imag], 1)
        if random.random() < share and (corners > 4).all() and (corners < np.array(SIZE) - 4).all():
            tiles.append(Outlined(TRIOMINO, corners))
    width, size = max(round(side * random.uniform(0.006, 0.025)), 1), side * random.uniform(0.13, 0.24)
    for tile in tiles:
        points = np.round(tile.corners * 16).astype(np.int32)
        cv2.fillPoly(picture, [points], face, cv2.LINE_AA, 4)
        cv2.polylines(picture, [points], True, ink, width, cv2.LINE_AA, 4)
        for corner in tile.corners:
            place = tile.corners.mean(0) + random.uniform(0.48, 0.52) * (corner - tile.corners.mean(0))
            digit = [outline * size + place for outline in numeral_outlines()[random.integers(6)]]
            cv2.fillPoly(picture, [np.round(outline * 16).astype(np.int32) for outline in digit], ink, cv2.LINE_AA, 4)
    return picture, tuple(tiles)
