"""What hands do, frame by frame: lay a tile, take one away, sweep the table, or just come and go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import Matrix
from vision.scenes.hand import SEAT_STEP_DEG, Arm
from vision.virtual.pieces import Piece
from vision.virtual.stage import Clear, Gather, Hover, Lay, Move, Put, Spread, Take
from vision.virtual.weather import Weather

FRAMES_IN, FRAMES_AT_REST, FRAMES_OUT, FRAMES_SWEEPING = 5, 2, 5, 9
CARRY_MM = 32.0  # how high a tile is carried
SHOULDER_MM = 650.0  # how far from the mat's middle people sit
SWATH_MM = 190.0  # how broad a strip one sweep clears
BEHIND_MM = 25.0  # so far behind the farthest tile it begins
GRIP_MM = 5.0  # the fingertips stay this far short of a tile's middle
HIDDEN_MM = 75.0  # this far out of view neither hand nor tile is seen
NEIGHBOUR_MM = 70.0
OVER_TILES_MM = 12.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What moves in one frame: a hand, whose it is, and the tiles it holds; and the weather where that changes."""

    arm: Arm | None = None
    person: int = 0
    carried: tuple[Piece, ...] = ()
    weather: Weather | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """The part of the table in view, and its middle: (left, top), (right, bottom), (x, y), mm."""

    least: tuple[float, float]
    most: tuple[float, float]
    middle: tuple[float, float]

    def shows(self, point_mm: Matrix) -> bool:
        """True while something of a tile or a hand at this point may be seen."""
        inside = (point_mm > np.array(self.least) - HIDDEN_MM) & (point_mm < np.array(self.most) + HIDDEN_MM)
        return bool(inside.all())


class Resting:
    """The tiles that lie still; `version` grows with every change."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.version = 0

    def add(self, piece: Piece) -> None:
        """A tile has come to rest."""
        self.pieces.append(piece)
        self.version += 1

    def remove(self, piece: Piece) -> None:
        """A tile is lifted or pushed."""
        self.pieces.remove(piece)
        self.version += 1

    def nearest(self, x_mm: float, y_mm: float) -> Piece | None:
        """The tile that lies nearest to a point."""
        return min(self.pieces, key=lambda piece: np.hypot(piece.x_mm - x_mm, piece.y_mm - y_mm), default=None)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A hand's way from out of view to a place and back: straight, from the shoulder."""

    target: Matrix
    toward: Matrix
    reach_mm: float
    pointing_deg: float

    def tip(self, share: float) -> Matrix:
        """Where the fingertips are when this share (0..1) of the way is done."""
        return np.asarray(self.target - (1 - share) * self.reach_mm * self.toward)


def _way(target: Matrix, from_deg: float, ground: Ground, straight: bool = False) -> _Way:
    """The way to a place from the seat at `from_deg`, or straight along that direction."""
    seat = np.deg2rad(from_deg)
    toward = -np.array([np.cos(seat), np.sin(seat)])
    if not straight:
        aim = target - (np.array(ground.middle) - SHOULDER_MM * toward)
        length = float(np.linalg.norm(aim))
        toward = aim / length if length > 1 else toward
    reach = 0.0
    while ground.shows(target - reach * toward) and reach < 4 * SHOULDER_MM:
        reach += 5.0
    return _Way(target, toward, reach, float(np.rad2deg(np.arctan2(toward[1], toward[0]))))


def _person(from_deg: float) -> int:
    """Whose hand it is: one person per seat."""
    return round(from_deg / SEAT_STEP_DEG) % (360 // SEAT_STEP_DEG)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _arm(way: _Way, share: float, height_mm: float, flat: bool = False) -> Arm:
    tip = way.tip(share)
    return Arm(float(tip[0]), float(tip[1]), way.pointing_deg, height_mm + OVER_TILES_MM, flat)


def _held(piece: Piece, way: _Way, share: float, turn_deg: float) -> Piece:
    """A tile in the fingers, on its way to the pose it is to have."""
    move = way.tip(share) - way.target
    return replace(
        piece,
        x_mm=float(piece.x_mm + move[0]),
        y_mm=float(piece.y_mm + move[1]),
        angle_deg=piece.angle_deg + (1 - share) * turn_deg,
        lift_mm=(1 - share) * CARRY_MM,
    )


def _grip(piece: Piece, from_deg: float, ground: Ground) -> _Way:
    way = _way(np.array([piece.x_mm, piece.y_mm]), from_deg, ground)
    return replace(way, target=way.target - GRIP_MM * way.toward)


def _coming() -> Iterator[float]:
    return (_ease(frame / FRAMES_IN) for frame in range(1, FRAMES_IN + 1))


def _going() -> Iterator[float]:
    return (1 - _ease(frame / (FRAMES_OUT + 1)) for frame in range(1, FRAMES_OUT + 1))


def lay(what: Lay, resting: Resting, ground: Ground, chance: np.random.Generator) -> Iterator[Moment]:
    """Bring a tile, lay it, go."""
    piece = Piece(what.kind, what.values, what.x_mm, what.y_mm, what.angle_deg)
    return _brought(piece, what.from_deg, resting, ground, chance, what.nudge_mm)


def _brought(
    piece: Piece,
    from_deg: float,
    resting: Resting,
    ground: Ground,
    chance: np.random.Generator,
    nudge_mm: float = 0.0,
) -> Iterator[Moment]:
    way, person, turn = _grip(piece, from_deg, ground), _person(from_deg), float(chance.uniform(-18, 18))
    for share in _coming():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM), person, (_held(piece, way, share, turn),))
    if nudge_mm > 0:
        _nudge(piece, nudge_mm, resting, chance)
    resting.add(piece)
    for _ in range(FRAMES_AT_REST):
        yield Moment(_arm(way, 1.0, 0.0), person)
    for share in _going():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM), person)


def spread(what: Spread, resting: Resting, ground: Ground) -> Iterator[Moment]:
    """Bring many tiles, held together, leave them where they are to lie, go."""
    pieces = [Piece(what.kind, each.values, each.x_mm, each.y_mm, each.angle_deg) for each in what.tiles]
    middle = np.mean([(piece.x_mm, piece.y_mm) for piece in pieces], axis=0)
    way, person = _way(middle, what.from_deg, ground), _person(what.from_deg)
    for share in _coming():
        held = tuple(_held(piece, way, share, 0.0) for piece in pieces)
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM, flat=True), person, held)
    for piece in pieces:
        resting.add(piece)
    for _ in range(FRAMES_AT_REST):
        yield Moment(_arm(way, 1.0, 0.0, flat=True), person)
    for share in _going():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM, flat=True), person)


def _nudge(piece: Piece, nudge_mm: float, resting: Resting, chance: np.random.Generator) -> None:
    """Push the nearest tile away from one that is being laid."""
    other = resting.nearest(piece.x_mm, piece.y_mm)
    if other is None:
        return
    away = np.array([other.x_mm - piece.x_mm, other.y_mm - piece.y_mm])
    distance = float(np.linalg.norm(away))
    if 0 < distance < NEIGHBOUR_MM:
        x, y = np.array([other.x_mm, other.y_mm]) + nudge_mm * away / distance
        turn = float(chance.uniform(-0.8, 0.8))
        resting.remove(other)
        resting.add(replace(other, x_mm=float(x), y_mm=float(y), angle_deg=other.angle_deg + turn))


def take(what: Take, resting: Resting, ground: Ground, chance: np.random.Generator) -> Iterator[Moment]:
    """Come, take the tile nearest to a place, go; with no tile on the table the hand goes empty."""
    piece = resting.nearest(what.x_mm, what.y_mm)
    if piece is None:
        yield from hover(Hover(what.from_deg, what.x_mm, what.y_mm), ground)
        return
    way, person, turn = _grip(piece, what.from_deg, ground), _person(what.from_deg), float(chance.uniform(-18, 18))
    for share in _coming():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM), person)
    for _ in range(FRAMES_AT_REST):
        yield Moment(_arm(way, 1.0, 0.0), person)
    resting.remove(piece)
    for share in _going():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM), person, (_held(piece, way, share, turn),))


def hover(what: Hover, ground: Ground) -> Iterator[Moment]:
    """Come, point, go."""
    x = ground.middle[0] if what.x_mm is None else what.x_mm
    y = ground.middle[1] if what.y_mm is None else what.y_mm
    way, person = _way(np.array([x, y]), what.from_deg, ground), _person(what.from_deg)
    for share in (*_coming(), *[1.0] * what.frames, *_going()):
        yield Moment(_arm(way, share, CARRY_MM), person)


def put(what: Put, resting: Resting, ground: Ground, chance: np.random.Generator) -> Iterator[Moment]:
    """Bring a thing that is no tile, lay it down, go."""
    piece = Piece(what.what, (), what.x_mm, what.y_mm, what.angle_deg)
    return _brought(piece, what.from_deg, resting, ground, chance)


def move(what: Move, resting: Resting, ground: Ground) -> Iterator[Moment]:
    """Come, take the tile nearest to a place, lay it elsewhere, go."""
    piece = resting.nearest(what.x_mm, what.y_mm)
    if piece is None:
        yield from hover(Hover(what.from_deg, what.x_mm, what.y_mm), ground)
        return
    values = piece.values if what.values is None else what.values
    there = replace(piece, values=values, x_mm=what.to_x_mm, y_mm=what.to_y_mm, angle_deg=what.to_angle_deg)
    way, back, person = (*(_grip(each, what.from_deg, ground) for each in (piece, there)), _person(what.from_deg))
    for share in _coming():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM), person)
    resting.remove(piece)
    for frame in range(1, FRAMES_SWEEPING + 1):
        share = _ease(frame / FRAMES_SWEEPING)
        lift = 0.0 if what.slide else CARRY_MM * 4 * share * (1 - share)
        x, y, angle = (
            start + share * (end - start)
            for start, end in (
                (piece.x_mm, there.x_mm),
                (piece.y_mm, there.y_mm),
                (piece.angle_deg, there.angle_deg),
            )
        )
        held = replace(piece, x_mm=x, y_mm=y, angle_deg=angle, lift_mm=lift)
        yield Moment(_arm(_grip(held, what.from_deg, ground), 1.0, lift), person, (held,))
    resting.add(there)
    for share in _going():
        yield Moment(_arm(back, share, (1 - share) * CARRY_MM), person)


def gather(what: Gather, resting: Resting, ground: Ground) -> Iterator[Moment]:
    """Reach behind some tiles and draw them off the table; with none there the hand goes empty."""
    pieces: list[Piece] = []
    for place in what.places_mm:
        piece = resting.nearest(*place)
        if piece is not None and piece not in pieces:
            pieces.append(piece)
    if not pieces:
        yield from hover(Hover(what.from_deg), ground)
        return
    places = np.array([(piece.x_mm, piece.y_mm) for piece in pieces])
    outward, across = _axes(what.from_deg)
    middle = float((places @ across).mean())
    target = (float((places @ outward).min()) - BEHIND_MM) * outward + middle * across
    yield from _sweep(pieces, target, what.from_deg, resting, ground)


def _axes(from_deg: float) -> tuple[Matrix, Matrix]:
    """The directions toward a seat and across."""
    seat = np.deg2rad(from_deg)
    outward = np.array([np.cos(seat), np.sin(seat)])
    return outward, np.array([-outward[1], outward[0]])


def clear(what: Clear, resting: Resting, ground: Ground) -> Iterator[Moment]:
    """Sweep strip by strip toward the seat until no tile lies in view."""
    outward, across = _axes(what.from_deg)
    while resting.pieces:
        places = np.array([(piece.x_mm, piece.y_mm) for piece in resting.pieces])
        aside = places @ across
        strip = np.flatnonzero(aside <= aside.min() + SWATH_MM)
        middle = float((aside[strip].min() + aside[strip].max()) / 2)
        farthest = float((places[strip] @ outward).min()) - BEHIND_MM
        target = farthest * outward + middle * across
        yield from _sweep([resting.pieces[index] for index in strip], target, what.from_deg, resting, ground)


def _sweep(pieces: list[Piece], target: Matrix, from_deg: float, resting: Resting, ground: Ground) -> Iterator[Moment]:
    """Reach to a place and draw everything in a strip back along with a flat hand."""
    way, person = _way(target, from_deg, ground, straight=True), _person(from_deg)
    for share in _coming():
        yield Moment(_arm(way, share, (1 - share) * CARRY_MM, flat=True), person)
    for frame in range(1, FRAMES_SWEEPING + 1):
        share = 1 - _ease(frame / FRAMES_SWEEPING)
        tip = way.tip(share)
        dragged = []
        for piece in pieces:
            ahead = float((np.array([piece.x_mm, piece.y_mm]) - tip) @ way.toward)
            if ahead > 0:
                if piece in resting.pieces:
                    resting.remove(piece)
                dragged.append(_dragged(piece, ahead, tip, way))
        yield Moment(_arm(way, share, 0.0, flat=True), person, tuple(dragged))


def _dragged(piece: Piece, ahead_mm: float, tip: Matrix, way: _Way) -> Piece:
    """A tile under a sweeping hand: drawn along, gathered toward the hand's middle, turned a little."""
    place = np.array([piece.x_mm, piece.y_mm]) - ahead_mm * way.toward
    gathered = min(ahead_mm / 120, 0.7)
    x, y = place + gathered * (tip - place)
    return replace(
        piece, x_mm=float(x), y_mm=float(y), angle_deg=piece.angle_deg + 0.15 * ahead_mm * (-1) ** len(piece.values)
    )
