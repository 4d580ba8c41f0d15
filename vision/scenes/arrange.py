"""What lies on a session's table: tiles in one of the layouts, and whatever else people leave there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.tiles import DOMINO
from vision.scenes.clutter import draw_clutter
from vision.scenes.hand import Arm
from vision.scenes.layouts import LAYOUTS, Area, Ground
from vision.scenes.session import Session
from vision.scenes.slabs import Placed
from vision.scenes.tiles import Piece

Random = np.random.Generator
Values = Callable[[Random], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to lie on a table.

    `layouts` may name those of `vision.scenes.layouts.LAYOUTS`, () means any. `backs` is the share of tiles
    that lie face down, `clutter` the chance of other things lying about, `over_the_edge` the chance that
    tiles are cut off by the picture's edge.
    """

    count: tuple[int, int] = (4, 18)
    layouts: tuple[str, ...] = ()
    backs: float = 0.07
    clutter: float = 0.3
    over_the_edge: float = 0.2


def arrange(
    session: Session,
    random: Random,
    order: Order = Order(),
    values: Values | None = None,
) -> tuple[Piece | Placed, ...]:
    """Lay tiles, without overlap, and perhaps other things on a session's table.

    Args:
        values: draws the numbers of a tile; any numbers of the set when None.
    """
    tiles, area = session.tiles, session.inside
    whole = random.random() >= order.over_the_edge
    if whole:
        area = _shrunk(area, 0.55 * tiles.shape.length_mm)
    known = LAYOUTS[tiles.kind]
    names = [name for name in known if not order.layouts or name in order.layouts]
    ground = Ground(tiles.shape)
    wanted = int(random.integers(order.count[0], order.count[1] + 1))
    while wanted and len(ground.spots) < wanted and names:
        part = wanted - len(ground.spots)
        if part > 3 and random.random() < 0.3:  # two layouts on one table
            part = int(random.integers(2, part))
        name = str(random.choice(names))
        known[name](random, ground, area, part)
        names.remove(name)
    draw_values = values or (lambda chance: _any_values(tiles.kind, tiles.highest, chance))
    pieces: list[Piece | Placed] = [
        Piece(tiles.kind, () if random.random() < order.backs else draw_values(random), *spot) for spot in ground.spots
    ]
    if random.random() < order.clutter:
        pieces.extend(draw_clutter(session, ground, random))
    return tuple(pieces)


def draw_arm(session: Session, random: Random) -> Arm:
    """Somebody's arm that reaches over a session's table from any side."""
    x, y, pointing = session.inside.any_spot(random)
    flat = bool(random.random() < 0.3)
    return Arm(x, y, pointing, float(random.uniform(8, 25) if flat else random.uniform(10, 60)), flat)


def _any_values(kind: str, highest: int, random: Random) -> tuple[int, ...]:
    return tuple(int(value) for value in random.integers(0, highest + 1, 2 if kind == DOMINO else 3))


def _shrunk(area: Area, by_mm: float) -> Area:
    """The same area with a margin taken off, unless little would be left."""
    x, y = area.middle
    half_x, half_y = max((area.right - area.left) / 2 - by_mm, 5.0), max((area.bottom - area.top) / 2 - by_mm, 5.0)
    return Area(x - half_x, y - half_y, x + half_x, y + half_y)
