"""Tiles as pictures: ivory pieces with pips (dominoes) or digits (triominoes), drawn large and scaled down smooth.

Directions are degrees, clockwise on the screen as on the table, 0 to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from io import BytesIO
from math import atan2, cos, hypot, pi, sin
from pathlib import Path

import pygame

from display import theme
from display.outlines import Point, ahead, corners
from display.theme import Colour, Look

_FINE = 3  # pictures are drawn this much larger, then scaled down
_PIPS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (0, 0), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
)


@lru_cache(maxsize=128)
def font(path: Path, size: int) -> pygame.font.Font:
    """A shipped font at a size in pixels; none of them keeps its file open."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(BytesIO(_read(path)), max(1, size))


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


@lru_cache(maxsize=256)
def picture(
    kind: str, values: tuple[int, ...], length: int, width: int, angle_deg: int, status: str, face_up: bool, last: bool
) -> pygame.Surface:
    """A tile with everything that tells its status by shape, the tile's centre in the middle of the picture.

    Args:
        kind: `triomino`, `domino`, or `half` for one half of a domino.
        length, width: pixels; the side and height of a triomino, the long and short side of a domino.
        status: as in `LaidTile`.
        last: whether this is the tile laid last.
    """
    margin = max(6, width // 5)
    radius = length / 3**0.5 if kind == "triomino" else hypot(length, width) / 2
    reach = int(radius + margin) + 1
    fine = pygame.Surface((2 * reach * _FINE, 2 * reach * _FINE), pygame.SRCALPHA)
    middle = (reach * _FINE, reach * _FINE)
    outline = corners(kind, length * _FINE, width * _FINE, angle_deg)
    rounding = width * _FINE * 0.09
    look = theme.TILE if face_up else theme.BACK
    ink = theme.FELT.ink if status == "missing" else look.ink
    if status not in ("missing", "offer"):
        drop = width * _FINE * 0.05
        _slab(fine, (0, 0, 0, 90), _moved(outline, middle, (0, drop)), rounding)
    _ground(fine, _moved(outline, middle), rounding, width * _FINE, status, look, last)
    if face_up:
        _numbers(fine, kind, values, middle, length * _FINE, width * _FINE, angle_deg, ink)
    scaled = pygame.transform.smoothscale(fine, (2 * reach, 2 * reach))
    if status in ("removal", "seen"):
        scaled.set_alpha(150)
    return scaled


def _ground(
    fine: pygame.Surface, outline: Sequence[Point], radius: float, width: float, status: str, look: Look, last: bool
) -> None:
    """The tile's body; its rim is solid and heavy (illegal), dashed (asked, missing), doubled (last) or thin."""
    if status == "missing":
        _dashes(fine, theme.FELT.ink, outline, width * 0.06)
        return
    if status == "offer":
        _slab(fine, (*theme.TURN.paper, 70), outline, radius)
        _dashes(fine, theme.TURN.edge, _grown(outline, -width * 0.03), width * 0.06)
        return
    if status == "illegal":
        _slab(fine, theme.ALARM.ink, _grown(outline, width * 0.13), radius * 2)
        _slab(fine, theme.ALARM.paper, _grown(outline, width * 0.09), radius * 1.6)
    elif last:
        _slab(fine, theme.TURN.ink, _grown(outline, width * 0.11), radius * 2)
        _slab(fine, theme.TURN.paper, _grown(outline, width * 0.085), radius * 1.6)
    _slab(fine, look.edge, outline, radius)
    _slab(fine, look.paper, _grown(outline, -width * 0.022), radius * 0.8)
    if status == "doubt":
        _dashes(fine, theme.ASK.ink, _grown(outline, width * 0.06), width * 0.1)
        _dashes(fine, theme.ASK.paper, _grown(outline, width * 0.06), width * 0.06)


def _numbers(
    fine: pygame.Surface,
    kind: str,
    values: tuple[int, ...],
    middle: Point,
    length: float,
    width: float,
    angle_deg: float,
    ink: Colour,
) -> None:
    if kind == "triomino":
        for index, value in enumerate(values):
            direction = angle_deg + 120 * index
            x, y = ahead(length * 0.3, direction)
            _digit(fine, str(value), (middle[0] + x, middle[1] + y), length * 0.26, direction, ink)
        return
    if kind == "domino":
        ax, ay = ahead(width * 0.4, angle_deg + 90)
        ends = (middle[0] - ax, middle[1] - ay), (middle[0] + ax, middle[1] + ay)
        pygame.draw.line(fine, theme.TILE.edge, *ends, width=max(1, round(width * 0.045)))
        pygame.draw.circle(fine, theme.TILE.edge, middle, width * 0.07)
    offsets = (0.0,) if kind == "half" else (-length / 4, length / 4)
    for value, offset in zip(values, offsets, strict=False):
        x, y = ahead(offset, angle_deg)
        centre = (middle[0] + x, middle[1] + y)
        if value >= len(_PIPS):
            _digit(fine, str(value), centre, width * 0.6, angle_deg + 90, ink)
            continue
        for along, across in _PIPS[value]:
            px, py = ahead(along * width * 0.27, angle_deg)
            qx, qy = ahead(across * width * 0.27, angle_deg + 90)
            pygame.draw.circle(fine, ink, (centre[0] + px + qx, centre[1] + py + qy), width * 0.1)


def _digit(fine: pygame.Surface, text: str, centre: Point, size: float, foot_deg: float, ink: Colour) -> None:
    """A number whose foot points in a direction."""
    drawn = font(theme.BOLD, round(size)).render(text, True, ink)
    box = drawn.get_bounding_rect()
    turned = pygame.transform.rotate(drawn.subsurface(box), 90 - foot_deg)
    fine.blit(turned, turned.get_rect(center=(round(centre[0]), round(centre[1]))))


def _moved(points: Sequence[Point], *by: Point) -> tuple[Point, ...]:
    dx, dy = sum(shift[0] for shift in by), sum(shift[1] for shift in by)
    return tuple((x + dx, y + dy) for x, y in points)


def _grown(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """A convex outline (clockwise on the screen) with every side moved outward."""
    count = len(points)
    grown = []
    for index, (x, y) in enumerate(points):
        bx, by_ = _unit(points[index - 1], (x, y))
        ax, ay = _unit((x, y), points[(index + 1) % count])
        share = by / (1 + bx * ax + by_ * ay)
        grown.append((x + (by_ + ay) * share, y - (bx + ax) * share))
    return tuple(grown)


def _unit(start: Point, end: Point) -> Point:
    distance = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return ((end[0] - start[0]) / distance, (end[1] - start[1]) / distance)


def _slab(surface: pygame.Surface, colour: tuple[int, ...], outline: Sequence[Point], radius: float) -> None:
    """A filled convex polygon with rounded corners."""
    inner = _grown(outline, -radius)
    outer: list[Point] = []
    for index, (x, y) in enumerate(inner):
        start = _unit(inner[index - 1], (x, y))
        end = _unit((x, y), inner[(index + 1) % len(inner)])
        first = _angle((start[1], -start[0]))
        turn = (_angle((end[1], -end[0])) - first) % (2 * pi)
        steps = 8
        outer += [
            (x + radius * cos(first + turn * step / steps), y + radius * sin(first + turn * step / steps))
            for step in range(steps + 1)
        ]
    pygame.draw.polygon(surface, colour, outer)


def _angle(direction: Point) -> float:
    return atan2(direction[1], direction[0])


def _dashes(surface: pygame.Surface, colour: Colour, outline: Sequence[Point], width: float) -> None:
    """A dashed outline: seven dashes or so to a side."""
    for index, end in enumerate(outline):
        start = outline[index - 1]
        length = hypot(end[0] - start[0], end[1] - start[1])
        count = max(3, round(length / (width * 3.2)))
        for dash in range(count):
            a, b = (dash + 0.1) / count, (dash + 0.7) / count
            points = [(start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t) for t in (a, b)]
            pygame.draw.line(surface, colour, points[0], points[1], max(1, round(width)))
            for point in points:
                pygame.draw.circle(surface, colour, point, width / 2)
