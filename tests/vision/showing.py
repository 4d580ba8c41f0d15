"""Pictures of all tiles of a set laid out loose and face up, as its owner would show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.tiles import DOMINO, Shape, domino_set, triomino_set
from vision.kinds import Style
from vision.scenes import Brief, Picture, Piece, draw_session, photograph, plain_set

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
