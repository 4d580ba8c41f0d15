"""How two tiles that lie on a table touch: pure geometry, in whatever length unit shape and poses share.

Nothing here knows what would be legal. A contact that no rule speaks of (corners of dominoes, two long
sides, a tile between two places) is `unclear`, never the nearest clear one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians, sin

from referee.sighting import SeenTile
from referee.tiles import TRIOMINO, Shape

Point = tuple[float, float]

END = "end"
BEND = "bend"
MIDDLE = "middle"
SIDE = "side"
CORNER = "corner"
UNCLEAR = "unclear"

# Dominoes, in widths: how far tiles may lie apart, slide sideways and overlap by measuring error.
DOMINO_GAP = 0.15
DOMINO_OFFSET = 0.35
DOMINO_OVERLAP = 0.3
# An end this near the middle of a long side lies at the middle; this near a half's middle, at the half.
CLEARLY_AT = 0.2
# So much of an end against a half is more than a corner.
COVERS = 0.3
ANGLE_DEG = 15.0
# Triominoes, in sides: a corner on a corner, and how far centres may be from where the lattice has them.
TRIOMINO_GAP = 0.1
TRIOMINO_CORNER = 0.2
TRIOMINO_CENTRE = 0.17


@dataclass(frozen=True, slots=True)
class DominoJoin:
    """How two dominoes touch.

    Attributes:
        a_half, b_half: index into `values` of the half that touches; None at the middle of a long side
            (which only a double can be) and where the contact is unclear.
        form: `end` (end to end), `bend` (an end at the long side of one half), `middle` (an end at the
            middle of a double's long side) or `unclear`.
        meets: where an end lies unclearly at a long side, the (half of a, half of b) that it is against.
    """

    a_half: int | None
    b_half: int | None
    form: str
    meets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TriominoTouch:
    """How two triominoes touch.

    Attributes:
        pairs: (corner of a, corner of b) that lie on one point; none where the contact is unclear.
        form: `side` (two pairs), `corner` (one pair) or `unclear`.
    """

    pairs: tuple[tuple[int, int], ...]
    form: str


def outline(tile: SeenTile, shape: Shape) -> tuple[Point, ...]:
    """The corners of a tile, clockwise as seen.

    A triomino's come in the order of `values`; a domino's first two end the half of `values[0]`, in the
    order that `corners` of a labelled domino has.
    """
    if tile.kind == TRIOMINO:
        reach = shape.length_mm / 3**0.5
        turns = [radians(tile.angle_deg + 120 * index) for index in range(3)]
        return tuple((tile.x_mm + reach * cos(turn), tile.y_mm + reach * sin(turn)) for turn in turns)
    half_length, half_width = shape.length_mm / 2, shape.width_mm / 2
    along, across = _axes(tile.angle_deg)
    signs = ((-1, 1), (-1, -1), (1, -1), (1, 1))
    return tuple(
        (
            tile.x_mm + u * half_length * along[0] + v * half_width * across[0],
            tile.y_mm + u * half_length * along[1] + v * half_width * across[1],
        )
        for u, v in signs
    )


def domino_join(a: SeenTile, b: SeenTile, shape: Shape) -> DominoJoin | None:
    """Say how two dominoes touch; None when they do not."""
    width = shape.width_mm
    if _far_apart(a, b, shape.length_mm + width):
        return None
    apart = separation(outline(a, shape), outline(b, shape))
    if apart > DOMINO_GAP * width:
        return None
    join = None
    if apart >= -DOMINO_OVERLAP * width:
        if abs(_turned(b.angle_deg - a.angle_deg, 180)) <= ANGLE_DEG:
            join = _end_to_end(a, b, shape)
        elif abs(_turned(b.angle_deg - a.angle_deg - 90, 180)) <= ANGLE_DEG:
            joins = (_end_on_side(a, b, shape), _swapped(_end_on_side(b, a, shape)))
            join = min((each for each in joins if each), key=lambda each: each.form == UNCLEAR, default=None)
    return join or DominoJoin(None, None, UNCLEAR)


def triomino_touch(a: SeenTile, b: SeenTile, shape: Shape) -> TriominoTouch | None:
    """Say which corners of two triominoes lie on one another; None when the tiles do not touch."""
    side = shape.length_mm
    if _far_apart(a, b, 1.5 * side):
        return None
    corners_a, corners_b = outline(a, shape), outline(b, shape)
    pairs = tuple(
        (i, j)
        for i, p in enumerate(corners_a)
        for j, q in enumerate(corners_b)
        if hypot(p[0] - q[0], p[1] - q[1]) <= TRIOMINO_CORNER * side
    )
    if not pairs and separation(corners_a, corners_b) > TRIOMINO_GAP * side:
        return None
    unclear = TriominoTouch((), UNCLEAR)
    between = hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) / side
    turned = b.angle_deg - a.angle_deg
    if len(pairs) == 2:
        fits = abs(between - 3**-0.5) <= TRIOMINO_CENTRE and abs(_turned(turned - 60, 120)) <= ANGLE_DEG
        return TriominoTouch(pairs, SIDE) if fits else unclear
    if len(pairs) == 1:
        # Two cells at one vertex without a common side: one cell between them, or opposite each other.
        skips_one = abs(between - 1.0) <= TRIOMINO_CENTRE and abs(_turned(turned, 120)) <= ANGLE_DEG
        opposite = abs(between - 2 * 3**-0.5) <= TRIOMINO_CENTRE and abs(_turned(turned - 60, 120)) <= ANGLE_DEG
        return TriominoTouch(pairs, CORNER) if skips_one or opposite else unclear
    return unclear


def touches(a: SeenTile, b: SeenTile, shape: Shape) -> bool:
    """True when two tiles of the same kind touch in any way."""
    join = triomino_touch if a.kind == TRIOMINO else domino_join
    return join(a, b, shape) is not None


def separation(a: tuple[Point, ...], b: tuple[Point, ...]) -> float:
    """How far two convex outlines lie apart; negative: how deep they overlap."""
    depth = max(_widest_gap(a, b), _widest_gap(b, a))
    if depth <= 0:
        return depth
    return min(_to_edge(p, edge) for one, other in ((a, b), (b, a)) for p in one for edge in _edges(other))


def _end_to_end(a: SeenTile, b: SeenTile, shape: Shape) -> DominoJoin | None:
    """Two parallel dominoes: joined when one continues the other."""
    ahead, aside = _in_frame(a, b)
    if abs(aside) > DOMINO_OFFSET * shape.width_mm or abs(ahead) < 0.8 * shape.length_mm:
        return None
    same_way = abs(_turned(b.angle_deg - a.angle_deg, 360)) < 90
    a_half = int(ahead > 0)
    return DominoJoin(a_half, 1 - a_half if same_way else a_half, END)


def _end_on_side(ending: SeenTile, lying: SeenTile, shape: Shape) -> DominoJoin | None:
    """The end of one domino at the long side of another at right angles to it, first half first."""
    width, length = shape.width_mm, shape.length_mm
    along, away = _in_frame(lying, ending)
    if abs(abs(away) - (length + width) / 2) > DOMINO_OVERLAP * width:
        return None
    ahead, _ = _in_frame(ending, lying)
    ending_half = int(ahead > 0)
    is_double = len(set(lying.values)) == 1
    from_half = abs(along) - length / 4
    # On a double both halves say the same, so nothing hangs on where exactly the end lies.
    at_middle = abs(along) <= (length / 8 if is_double else CLEARLY_AT * width)
    at_half = -(length / 8 if is_double else CLEARLY_AT * width) <= from_half <= DOMINO_OFFSET * width
    if at_middle and (is_double or not lying.values):
        return DominoJoin(ending_half, None, MIDDLE)
    if at_half and not at_middle:
        return DominoJoin(ending_half, int(along > 0), BEND)
    # The stretch of the long side that the end covers, half by half.
    covered = [(half, _overlap(along, width, (half - 0.5) * length / 2, length / 2)) for half in (0, 1)]
    meets = tuple((ending_half, half) for half, share in covered if share > COVERS * width)
    return DominoJoin(None, None, UNCLEAR, meets) if meets else None


def _overlap(middle: float, size: float, other: float, other_size: float) -> float:
    """The common length of two stretches given by their middles and sizes."""
    return min(middle + size / 2, other + other_size / 2) - max(middle - size / 2, other - other_size / 2)


def _swapped(join: DominoJoin | None) -> DominoJoin | None:
    if join is None:
        return None
    return DominoJoin(join.b_half, join.a_half, join.form, tuple((other, one) for one, other in join.meets))


def _axes(angle_deg: float) -> tuple[Point, Point]:
    turn = radians(angle_deg)
    return (cos(turn), sin(turn)), (-sin(turn), cos(turn))


def _in_frame(tile: SeenTile, other: SeenTile) -> Point:
    """Where another tile's centre lies along and across a tile."""
    dx, dy = other.x_mm - tile.x_mm, other.y_mm - tile.y_mm
    along, across = _axes(tile.angle_deg)
    return dx * along[0] + dy * along[1], dx * across[0] + dy * across[1]


def _turned(angle_deg: float, period_deg: float) -> float:
    """An angle brought as near to zero as whole periods can."""
    return (angle_deg + period_deg / 2) % period_deg - period_deg / 2


def _far_apart(a: SeenTile, b: SeenTile, reach: float) -> bool:
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > 1.2 * reach


def _edges(points: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(points, points[1:] + points[:1], strict=True))


def _widest_gap(a: tuple[Point, ...], b: tuple[Point, ...]) -> float:
    """The largest distance of all of `b` beyond an edge of `a` (clockwise); negative when none clears it."""
    widest = -float("inf")
    for (x0, y0), (x1, y1) in _edges(a):
        length = hypot(x1 - x0, y1 - y0)
        outward = ((y1 - y0) / length, (x0 - x1) / length)
        nearest = min((x - x0) * outward[0] + (y - y0) * outward[1] for x, y in b)
        widest = max(widest, nearest)
    return widest


def _to_edge(point: Point, edge: tuple[Point, Point]) -> float:
    (x0, y0), (x1, y1) = edge
    dx, dy = x1 - x0, y1 - y0
    share = ((point[0] - x0) * dx + (point[1] - y0) * dy) / (dx * dx + dy * dy)
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - x0 - share * dx, point[1] - y0 - share * dy)
