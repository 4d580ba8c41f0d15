"""Faces of made-up sets, photographed and cut, with what is on them, and what the networks see of them.

The photographs are made by `vision.scenes`; a session is one set under one light in front of one camera.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, domino, triomino
from vision.models import FOLDER, sets, typefaces
from vision.scenes import (
    Brief,
    Order,
    Picture,
    SeenPiece,
    Session,
    arrange,
    cut,
    cut_anywhere,
    draw_session,
    large_slip,
    photograph,
    small_slip,
    turned_slip,
    visible_parts,
)

DOMINO_BACK, DOMINO_NONE = 13, 14
FACES_PER_SESSION = 8
TILES_PER_PICTURE = (4, 8)
AREA_MM = (190.0, 160.0)  # what one picture shows of the table
BACKS = 0.1
PIPS_SHARE = 0.4  # of the made-up triomino sets, how many bear pips
HARSH_SHARE = 0.4  # of the sessions, how many have bad light and a bad camera
WORN_SHARE = 0.4  # of those, how many have worn tiles; of the others half as many
WHITE = 250
SESSIONS_PER_FILE = 20
Labels = NDArray[np.int64]
Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Random = np.random.Generator
Typeface = tuple[Path, tuple[typefaces.Contours, ...]]
Regions = tuple[tuple[slice, slice], ...]
MadeUp = sets.DominoSet | sets.TriominoSet


@dataclass(frozen=True, slots=True)
class Shot:
    """One photographed face and the class of each of its parts, -1 where a part is neither one nor the other.

    `values` are what is printed on the tile, () when it is a back or no tile.
    """

    face: Image
    labels: tuple[int, ...]
    values: tuple[int, ...]
    pips: bool


@dataclass(frozen=True, slots=True)
class Conditions:
    """What is photographed: `px_per_mm` 0 means all resolutions and lights, backs and wrong poses among them;
    otherwise whole tiles alone, in ordinary light at that resolution."""

    seed: int
    held_out: bool = False
    px_per_mm: float = 0.0
    highest: int = 0  # of the sets; 0: mixed
    pips: bool | None = None  # what triominoes bear; None: mixed


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """How to come by the parts of one kind of tile.

    `regions` are where a face shows the parts, `bare` and `none` the classes of a part with nothing printed
    on it and of what is no part.
    """

    name: str
    make: Callable[[Random, Conditions], MadeUp]
    pictures: Callable[[Image], Floats]
    regions: Regions
    bare: int
    none: int
    coarsest: float

    def shots(self, number: int, at: Conditions) -> Iterator[Shot]:
        """Faces of the made-up set of one session."""
        random = np.random.default_rng((at.seed, number))
        made = self.make(random, at)
        session = draw_session(random, made.tiles(), self._brief(at))
        left = FACES_PER_SESSION
        while left > 0:
            order = Order(TILES_PER_PICTURE, backs=0.0 if at.px_per_mm else BACKS, over_the_edge=0.1)
            picture = photograph(session, arrange(session, random, order, made.values), random)
            inside = [tile for tile in picture.tiles if tile.visible > (0.97 if at.px_per_mm else 0.15)]
            shoot = self._whole if at.px_per_mm else self._any
            for tile in inside[:left]:
                yield shoot(picture, tile, session, made, random)
            left -= len(inside)

    def _brief(self, at: Conditions) -> Brief:
        if at.px_per_mm:
            return Brief(px_per_mm=(at.px_per_mm,) * 2, area_mm=AREA_MM, harsh=0.0)
        return Brief(
            px_per_mm=(self.coarsest, 6.0), area_mm=AREA_MM, tilt_deg=(0.0, 12.0), harsh=HARSH_SHARE, worn=WORN_SHARE
        )

    def _whole(self, picture: Picture, tile: SeenPiece, session: Session, made: MadeUp, random: Random) -> Shot:
        values = tile.piece.values
        labels = tuple(_label(value, made.pips) for value in values)
        return Shot(cut(picture, tile, session, small_slip(random)), labels, values, made.pips)

    def _any(self, picture: Picture, tile: SeenPiece, session: Session, made: MadeUp, random: Random) -> Shot:
        """Mostly a tile as it should be; sometimes a wrong pose, a covered tile, bare ground, no tile."""
        nothing = (self.none,) * len(self.regions)
        happening = random.random()
        if happening < 0.05:
            return Shot(cut_anywhere(picture, session, random), nothing, (), made.pips)
        if happening < 0.1:
            slip = large_slip(random) if happening < 0.08 else turned_slip(random)
            return Shot(cut(picture, tile, session, slip), nothing, (), made.pips)
        slip = small_slip(random)
        face, shown = cut(picture, tile, session, slip), visible_parts(picture, tile, session, slip) / 255
        if happening < 0.13:
            face, cover = covered(face, random)
            shown = shown * (1 - cover)
        values = tile.piece.values
        labels = [_label(value, made.pips) for value in values] if values else [self.bare] * len(self.regions)
        for part, region in enumerate(self.regions):
            hidden = 1 - float(shown[region].mean())
            labels[part] = self.none if hidden > 0.35 else labels[part] if hidden < 0.04 else -1
            if float((face[region].min(axis=2) >= WHITE).mean()) > 0.95:
                labels[part] = -1  # all white: whatever is printed there is lost
        clear = -1 not in labels and self.none not in labels
        return Shot(face, tuple(labels), values if clear else (), made.pips)


def covered(face: Image, random: Random) -> tuple[Image, Floats]:
    """The face with something over a part of it (a finger, a card), and where, 0..1."""
    height, width = face.shape[:2]
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    way, tone = random.uniform(0, 2 * np.pi), random.uniform(30, 230, 3).astype(np.float32)
    across = (x - width / 2) * np.cos(way) + (y - height / 2) * np.sin(way) + random.uniform(-0.1, 0.25) * width
    cover = np.clip(across / random.uniform(0.6, 3.0), 0, 1).astype(np.float32)
    grain = random.standard_normal(face.shape).astype(np.float32) * np.float32(random.uniform(0.5, 4))
    over = face + cover[..., None] * (tone + grain - face)
    return np.clip(over, 0, 255).astype(np.uint8), cover


def _label(value: int, pips: bool) -> int:
    """The networks' class of a number."""
    if not pips:
        return value
    return triomino.FIRST_PIP + value - 1 if value else triomino.BLANK


@cache
def printing(held_out: bool) -> list[Typeface]:
    """The typefaces to train on, or those held out: every sixth family."""
    readable = [(file, outlines) for file in typefaces.typeface_files() if (outlines := typefaces.numerals(file))]
    families = sorted({typefaces.family(file) for file, _ in readable})
    apart = set(families[2::6])
    return [pair for pair in readable if (typefaces.family(pair[0]) in apart) == held_out]


def _domino_set(random: Random, at: Conditions) -> sets.DominoSet:
    return sets.DominoSet(random, at.highest or (12 if random.random() < 0.4 else 9))


def _triomino_set(random: Random, at: Conditions) -> sets.TriominoSet:
    pips = bool(random.random() < PIPS_SHARE) if at.pips is None else at.pips
    highest = at.highest or (5 if pips or random.random() < 0.65 else 9)
    return sets.TriominoSet(random, printing(at.held_out), pips, min(highest, triomino.MOST_PIPS) if pips else highest)


def _corner_regions() -> Regions:
    turns = np.deg2rad([triomino.corner_deg(corner) for corner in range(3)])
    middles = np.rint(triomino.CENTRE_PX + 34 * np.stack([np.cos(turns), np.sin(turns)], axis=1)).astype(int)
    return tuple(np.s_[y - 11 : y + 12, x - 11 : x + 12] for x, y in middles)


_HALVES: Regions = (np.s_[10:-10, 10:70], np.s_[10:-10, 90:150])
DOMINOES = Collection("domino", _domino_set, domino.halves, _HALVES, DOMINO_BACK, DOMINO_NONE, 0.7)
TRIOMINOES = Collection(
    "triomino", _triomino_set, triomino.corners_upright, _corner_regions(), triomino.BLANK, triomino.NONE, 1.1
)


COLLECTIONS = {what.name: what for what in (DOMINOES, TRIOMINOES)}


@dataclass(frozen=True, slots=True)
class Film:
    """A few sessions photographed together, and the file that keeps their pictures."""

    kind: str
    at: Conditions
    first: int
    stop: int
    file: Path

    def develop(self) -> None:
        """Photograph the sessions and keep the pictures of all parts with their classes."""
        what = COLLECTIONS[self.kind]
        shots = [shot for number in range(self.first, self.stop) for shot in what.shots(number, self.at)]
        labels = np.array([shot.labels for shot in shots], np.int64).ravel()
        pictures = np.concatenate([what.pictures(shot.face) for shot in shots])
        draft = self.file.with_suffix(".draft.npz")
        np.savez(draft, labels=labels[labels >= 0], pictures=pictures[labels >= 0].astype(np.float16))
        draft.rename(self.file)  # never a half-written file under the final name


def films(kind: str, sessions: int, at: Conditions, store: Path) -> list[Film]:
    """All films of so many sessions, whether or not they are developed; their files lie in the folder `store`."""
    made_of = recipe(Path(__file__))
    ranges = [(start, min(start + SESSIONS_PER_FILE, sessions)) for start in range(0, sessions, SESSIONS_PER_FILE)]
    return [
        Film(kind, at, start, stop, store / f"{kind}-{at.seed}-{start}-{stop}-{made_of}.npz") for start, stop in ranges
    ]


def parts(developed: Sequence[Film]) -> tuple[Halves, Labels]:
    """The pictures of all parts on films that are developed, and their classes."""
    pictures: list[Halves] = []
    labels: list[Labels] = []
    for film in developed:
        with np.load(film.file) as kept:
            pictures.append(kept["pictures"])
            labels.append(kept["labels"])
    return np.concatenate(pictures), np.concatenate(labels)


@cache
def recipe(*made_by: Path) -> str:
    """A short name for everything that pictures depend on, so that none are reused once it has changed.

    Args:
        made_by: the files that make these pictures and no others.
    """
    room = FOLDER.parent
    files = [*made_by, room / "kinds" / "paint.py", *sorted((room / "scenes").glob("*.py")), FOLDER / "sets.py"]
    files += [room / "kinds" / f"{what}.py" for what in COLLECTIONS]
    digest = sha256(b"".join(file.read_bytes() for file in files))
    digest.update("".join(file.name for file, _ in (*printing(False), *printing(True))).encode())
    return digest.hexdigest()[:10]
