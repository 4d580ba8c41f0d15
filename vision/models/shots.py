"""Photographed faces of made-up sets with what is on them, and what the readers see of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, domino, triomino
from vision.models import FOLDER, scenes, sets, typefaces

DOMINO_BACK, DOMINO_NONE = 13, 14
FACES_PER_SESSION = 10
PIPS_SHARE = 0.3  # of the made-up triomino sets, how many bear pips
ORDINARY_SHARE = 0.3  # of the sessions, how many are as a set-up table has them
SESSIONS_PER_FILE = 20
Labels = NDArray[np.int64]
Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Typeface = tuple[Path, tuple[typefaces.Contours, ...]]


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


def domino_shots(number: int, at: Conditions) -> Iterator[Shot]:
    """Faces of the made-up dominoes of one session."""
    random = np.random.default_rng((at.seed, number))
    made, session = sets.DominoSet(random), _session(random, 160 / random.uniform(44, 52), 0.7, at)
    regions = [np.s_[10:-10, 10:70], np.s_[10:-10, 90:150]]
    for _ in range(FACES_PER_SESSION):
        highest = at.highest or (12 if random.random() < 0.4 else 9)
        values = tuple(int(v) for v in random.integers(0, highest + 1, 2))
        yield _shot(made, session, values, domino.FACE_PX, regions, (DOMINO_BACK, DOMINO_NONE), at, random)


def triomino_shots(number: int, at: Conditions) -> Iterator[Shot]:
    """Faces of the made-up triominoes of one session."""
    random = np.random.default_rng((at.seed, number))
    pips = bool(random.random() < PIPS_SHARE)
    made = sets.TriominoSet(random, printing(at.held_out), pips)
    session = _session(random, triomino.SIDE_PX / random.uniform(34, 42), 1.1, at)
    regions = []
    for corner in range(3):
        turn = np.deg2rad(triomino.corner_deg(corner))
        x, y = (round(triomino.CENTRE_PX + 34 * part) for part in (np.cos(turn), np.sin(turn)))
        regions.append(np.s_[y - 11 : y + 12, x - 11 : x + 12])
    for _ in range(FACES_PER_SESSION):
        highest = at.highest or (5 if pips or random.random() < 0.65 else 9)
        highest = min(highest, triomino.MOST_PIPS) if pips else highest
        values = tuple(int(v) for v in random.integers(0, highest + 1, 3))
        yield _shot(made, session, values, triomino.FACE_PX, regions, (triomino.BLANK, triomino.NONE), at, random)


@cache
def printing(held_out: bool) -> list[Typeface]:
    """The typefaces to train on, or those held out: every sixth family."""
    readable = [(file, outlines) for file in typefaces.typeface_files() if (outlines := typefaces.numerals(file))]
    families = sorted({typefaces.family(file) for file, _ in readable})
    apart = set(families[2::6])
    return [pair for pair in readable if (typefaces.family(pair[0]) in apart) == held_out]


def _session(random: scenes.Random, face_px_per_mm: float, coarsest: float, at: Conditions) -> scenes.Session:
    if at.px_per_mm:
        return scenes.ordinary_session(random, face_px_per_mm, at.px_per_mm)
    if random.random() < ORDINARY_SHARE:
        return scenes.ordinary_session(random, face_px_per_mm, float(np.exp(random.uniform(np.log(1.8), np.log(6)))))
    return scenes.session(random, face_px_per_mm, coarsest=coarsest)


def _shot(
    made: sets.DominoSet | sets.TriominoSet,
    session: scenes.Session,
    values: tuple[int, ...],
    face_px: tuple[int, int],
    regions: list[tuple[slice, slice]],
    no_number: tuple[int, int],
    at: Conditions,
    random: scenes.Random,
) -> Shot:
    """One face: mostly a tile as it should be, sometimes a back, a wrong pose, a covered tile, no tile."""
    blank, none = no_number
    pips = isinstance(made, sets.TriominoSet) and made.pips
    scale = int(np.clip(np.ceil(1.5 * session.camera_px_per_mm / session.face_px_per_mm), 1, 2))
    happening = 0.5 if at.px_per_mm else random.random()
    if happening < 0.03:
        return Shot(scenes.pattern(face_px, random), (none,) * len(regions), (), pips)
    if happening > 0.9:
        values = ()
    labels = [_label(value, pips) for value in values] if values else [blank] * len(regions)
    painted = made.paint(values, scale, session.wear, random)
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
    face = scenes.photograph(painted, scale, face_px, session, random, slip_mm, slip_deg)
    whole = not slip_mm and not slip_deg and -1 not in labels and none not in labels
    return Shot(face, tuple(labels), values if whole else (), pips)


def _label(value: int, pips: bool) -> int:
    """The networks' class of a number."""
    if not pips:
        return value
    return triomino.FIRST_PIP + value - 1 if value else triomino.BLANK


def triomino_pictures(face: Image) -> Floats:
    """What the first network sees of each corner."""
    return triomino.differences(triomino.corners_upright(face))


def directions_of(pictures: Halves, random: scenes.Random | None = None) -> Halves:
    """What the second network sees of corners, from what the first one sees.

    Args:
        random: when given, every corner is turned, moved, resized and its contrast changed a little.
    """
    rows = []
    for start in range(0, len(pictures), 30):
        crops = np.ascontiguousarray(100 * pictures[start : start + 30].astype(np.float32).transpose(0, 2, 3, 1))
        if random is not None:
            for crop in crops:
                middle = ((triomino.CROP_PX - 1) / 2,) * 2
                pose = np.asarray(cv2.getRotationMatrix2D(middle, random.normal(0, 3), random.normal(1, 0.04)), float)
                pose[:, 2] += random.normal(0, 1.2, 2)
                crop[:] = cv2.warpAffine(crop, pose, crop.shape[:2]) * random.uniform(0.75, 1.3)
        rows.append(triomino.directions(crops))
    return np.concatenate(rows).astype(np.float16)


@dataclass(frozen=True, slots=True)
class Collection:
    """How to come by the parts of one kind of tile."""

    name: str
    shots: Callable[[int, Conditions], Iterator[Shot]]
    pictures: Callable[[Image], Floats]


DOMINOES = Collection("domino", domino_shots, domino.halves)
TRIOMINOES = Collection("triomino", triomino_shots, triomino_pictures)


def gather(
    what: Collection, sessions: int, at: Conditions, store: Path, say: Callable[[str], None]
) -> tuple[Halves, Labels]:
    """The pictures of all parts, and their classes.

    Every few sessions are kept in a file of `store`; what is there already is not photographed again.
    """
    store.mkdir(parents=True, exist_ok=True)
    pictures: list[Halves] = []
    labels: list[Labels] = []
    for start in range(0, sessions, SESSIONS_PER_FILE):
        several = range(start, min(start + SESSIONS_PER_FILE, sessions))
        file = store / f"{what.name}-{at.seed}-{several.start}-{several.stop}-{_recipe(what)}.npz"
        if not file.exists():
            _photograph(what, several, at, file)
        with np.load(file) as kept:
            pictures.append(kept["pictures"])
            labels.append(kept["labels"])
        say(f"{what.name}: {several.stop} of {sessions} sets photographed")
    return np.concatenate(pictures), np.concatenate(labels)


def _photograph(what: Collection, several: range, at: Conditions, file: Path) -> None:
    shots = [shot for number in several for shot in what.shots(number, at)]
    labels = np.array([shot.labels for shot in shots], np.int64).ravel()
    pictures = np.concatenate([what.pictures(shot.face) for shot in shots])
    draft = file.with_suffix(".draft.npz")
    np.savez(draft, labels=labels[labels >= 0], pictures=pictures[labels >= 0].astype(np.float16))
    draft.rename(file)  # never a half-written file under the final name


@cache
def _recipe(what: Collection) -> str:
    """A short name for everything that pictures depend on, so that none are reused once it has changed."""
    room = FOLDER.parent
    files = (f"kinds/{what.name}.py", "kinds/paint.py", *(f"models/{name}.py" for name in ("scenes", "sets", "shots")))
    digest = sha256(b"".join((room / file).read_bytes() for file in files))
    if what is TRIOMINOES:
        digest.update("".join(file.name for file, _ in (*printing(False), *printing(True))).encode())
    return digest.hexdigest()[:10]
