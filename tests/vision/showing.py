"""Pictures of all tiles of a set laid out loose and face up, as its owner would show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.profile import Camera, Mat, TablePose
from referee.tiles import DOMINO, Shape, domino_set, triomino_set
from vision.kinds import Style
from vision.scenes import Brief, Picture, Piece, draw_session, photograph, plain_set
from vision.scenes.optics import Optics
from vision.virtual.scene import empty_table

SHAPES = {DOMINO: Shape.domino(48.0, 24.0, 8.0), "triomino": Shape.triomino(40.0, 8.0)}
STEP_MM = 66.0


def whole_set(kind: str, highest: int) -> list[tuple[int, ...]]:
    """The numbers of every tile."""
    return [tile.values for tile in (domino_set if kind == DOMINO else triomino_set)(highest)]


def shown(kind: str, values: Sequence[tuple[int, ...]], seed: int = 1, style: Style | None = None) -> Picture:
    """A picture of up to 35 tiles in rows, each turned its own way."""
    random = np.random.default_rng(seed)
    style = style or Style(pin=None)
    brief = Brief(px_per_mm=(2.5, 2.5), size_px=(1280, 960), tilt_deg=(0.0, 2.0), harsh=0.0, grounds=("felt",), worn=0)
    session = draw_session(random, plain_set(SHAPES[kind], style, 6), brief)
    middle_x, middle_y = session.seen.middle
    pieces = []
    for number, each in enumerate(values):
        row, column = divmod(number, 7)
        x, y = middle_x + (column - 3) * STEP_MM, middle_y + (row - 2) * STEP_MM
        pieces.append(Piece(kind, each, x, y, float(random.uniform(0, 360))))
    return photograph(session, tuple(pieces), random)


def seen_from(shape: Shape, pieces: Sequence[Piece], eye: Optics, seed: int = 1) -> Picture:
    """A picture of tiles on the printed mat, from a given place."""
    random = np.random.default_rng(seed)
    size = (eye.camera.width, eye.camera.height)
    brief = Brief(px_per_mm=(1.8, 1.8), size_px=size, harsh=0.0, worn=0)
    session = draw_session(random, plain_set(shape, Style(pin=None)), brief)
    session = replace(session, optics=eye, empty=empty_table(Mat(), eye, session.light, 3))
    return photograph(session, tuple(pieces), random)


def eye_at(x_mm: float, y_mm: float, high_mm: float, size_px: tuple[int, int] = (1280, 880)) -> Optics:
    """A camera somewhere over the mat that looks at its middle."""
    mat, (width, height) = Mat(), size_px
    ahead = np.array([mat.width_mm / 2 - x_mm, mat.height_mm / 2 - y_mm, high_mm])
    ahead /= np.linalg.norm(ahead)
    across = np.array([1.0, 0.0, 0.0]) - ahead[0] * ahead
    across /= np.linalg.norm(across)
    rotation = np.stack([across, np.cross(ahead, across), ahead])
    focal = 1.05 * width
    matrix = np.array([(focal, 0.0, (width - 1) / 2), (0.0, focal, (height - 1) / 2), (0.0, 0.0, 1.0)])
    camera = Camera(width, height, matrix, np.array([-0.05, 0.01, 0.0, 0.0, 0.0]))
    return Optics(camera, TablePose(rotation, -rotation @ np.array([x_mm, y_mm, -high_mm])))


def on_mat(kind: str, values: Sequence[tuple[int, ...]], seed: int = 1) -> list[Piece]:
    """Up to fifteen tiles in rows on the mat, each turned its own way."""
    turns = np.random.default_rng(seed).uniform(0, 360, len(values)).tolist()
    return [
        Piece(kind, each, 100.0 + 100 * (number % 5), 100.0 + 100 * (number // 5), turn)
        for number, (each, turn) in enumerate(zip(values, turns, strict=True))
    ]
