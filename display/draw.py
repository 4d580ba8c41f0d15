"""From a page to pixels: pure, the same page always gives the same picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

import pygame
import segno

from display import outlines, photographs, pieces, theme
from display.bidi import in_drawn_order
from display.lettering import ENLARGED, fit
from display.outlines import Point
from display.theme import Colour, Look
from display.widgets import (
    Badge,
    Button,
    Code,
    Face,
    Label,
    Page,
    Panel,
    Photograph,
    Piece,
    Rect,
    Table,
    Widget,
    button_parts,
)
from referee.config import Places

_ORDER = ("offer", "missing", "seen", "placed", "removal", "doubt", "illegal")
_SIGNS = {
    "illegal": ("✗", theme.ALARM),
    "doubt": ("?", theme.ASK),
    "removal": ("↺", theme.NOTE),
    "missing": ("!", theme.CARD),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the virtual page lies in a window: one scale for both axes, centred."""

    scale: float
    left: float
    top: float

    @classmethod
    def of(cls, size: tuple[int, int]) -> Frame:
        """The frame of a window of this size in pixels."""
        scale = max(0.1, min(size[0] / theme.WIDTH, size[1] / theme.HEIGHT))
        return cls(scale, (size[0] - theme.WIDTH * scale) / 2, (size[1] - theme.HEIGHT * scale) / 2)

    def page_from_window(self, x: float, y: float) -> tuple[float, float]:
        """The point of the virtual page under a pixel of the window."""
        return (x - self.left) / self.scale, (y - self.top) / self.scale

    def pixels(self, rect: Rect) -> pygame.Rect:
        """A rectangle of the page in pixels of the window."""
        left, top = round(self.left + rect.x * self.scale), round(self.top + rect.y * self.scale)
        right, bottom = round(self.left + rect.right * self.scale), round(self.top + rect.bottom * self.scale)
        return pygame.Rect(left, top, right - left, bottom - top)


def draw(
    page: Page,
    size: tuple[int, int],
    pressed: Button | None = None,
    flash: bool = False,
    is_large: bool = False,
    brightness: int = 100,
    places: Places | None = None,
) -> pygame.Surface:
    """Draw a page for a window of this size (width, height in pixels).

    Args:
        pressed: the button under the finger.
        flash: whether the border is lit, which says what a buzzer would say.
        is_large: set texts larger where they have room for it.
        brightness: how much of its light the picture has, a percentage; at 0 nothing is seen.
        places: where the pictures of rulings are kept; None shows none.
    """
    surface = pygame.Surface(size, 0, 32)
    if not brightness:
        return surface
    surface.fill(theme.ROOM.paper)
    brush = Brush(surface, Frame.of(size), ENLARGED if is_large else 1.0, places)
    for widget in page.widgets:
        brush.paint(replace(pressed, look=_inverted(pressed.look)) if pressed and widget == pressed else widget)
    if not page.live:
        surface = pygame.transform.grayscale(surface)
        brush.surface = surface
        _darken(surface, theme.LEAST_LIGHT * 100 / brightness)
    for widget in page.notice:
        brush.paint(widget)
    if flash:
        width = max(4, round(14 * brush.frame.scale))
        pygame.draw.rect(surface, theme.ALARM.ink, surface.get_rect(), width)
        pygame.draw.rect(surface, theme.ALARM.paper, surface.get_rect(), width * 2 // 3)
    if brightness < 100:
        _darken(surface, brightness / 100)
    return surface


def _darken(surface: pygame.Surface, light: float) -> None:
    """Leave a share of the light; a surface is multiplied many times faster than a colour is."""
    veil = pygame.Surface(surface.get_size(), 0, 32)
    veil.fill(theme.dimmed((255, 255, 255), min(light, 1.0)))
    surface.blit(veil, (0, 0), special_flags=pygame.BLEND_RGB_MULT)


def _inverted(look: Look) -> Look:
    return Look(paper=look.ink, ink=look.paper, soft=look.paper, edge=look.edge)


class Brush:
    """Paints widgets onto a surface."""

    def __init__(
        self, surface: pygame.Surface, frame: Frame, enlarged: float = 1.0, places: Places | None = None
    ) -> None:
        self.surface = surface
        self.frame = frame
        self.enlarged = enlarged
        self.places = places

    def paint(self, widget: Widget) -> None:
        """Paint one widget."""
        match widget:
            case Panel():
                self._panel(widget)
            case Label():
                self._label(widget)
            case Button():
                for part in button_parts(widget):
                    self.paint(part)
            case Face():
                self._face(widget)
            case Photograph():
                self._photograph(widget)
            case Badge():
                self._badge(self.frame.pixels(widget.rect), widget.sign, widget.look)
            case Code():
                self._code(widget)
            case Table():
                self._table(widget)

    def _panel(self, panel: Panel) -> None:
        box = self.frame.pixels(panel.rect)
        radius = min(round(panel.radius * self.frame.scale), box.w // 2, box.h // 2)
        rim = max(1, round(1.5 * self.frame.scale))
        for look_colour, rect, corner in (
            (panel.look.edge, box, radius),
            (panel.look.paper, box.inflate(-2 * rim, -2 * rim), max(0, radius - rim)),
        ):
            self._rounded(rect, look_colour, corner)

    def _rounded(self, box: pygame.Rect, colour: Colour, radius: int) -> None:
        pygame.draw.rect(self.surface, colour, box.inflate(-2 * radius, 0))
        pygame.draw.rect(self.surface, colour, box.inflate(0, -2 * radius))
        if radius:
            disc = _disc(radius, colour)
            for x, source_x in ((box.left, 0), (box.right - radius, radius)):
                for y, source_y in ((box.top, 0), (box.bottom - radius, radius)):
                    self.surface.blit(disc, (x, y), (source_x, source_y, radius, radius))

    def _label(self, label: Label) -> None:
        if not label.text:
            return
        size, lines = fit(label.text, label, self.frame.scale, self.enlarged)
        face = pieces.font(theme.BOLD if label.bold else theme.REGULAR, size)
        box = self.frame.pixels(label.rect)
        step = size * theme.LINE
        y = box.centery - step * len(lines) / 2
        before = self.surface.get_clip()
        self.surface.set_clip(box.clip(before))
        for line in lines:
            drawn = face.render(in_drawn_order(line), True, label.look.soft if label.soft else label.look.ink)
            x = {"left": box.left, "right": box.right - drawn.get_width()}.get(
                label.align, box.centerx - drawn.get_width() // 2
            )
            self.surface.blit(drawn, (x, round(y)))
            y += step
        self.surface.set_clip(before)

    def _face(self, face: Face) -> None:
        """A tile upright in its box: a triomino's first number at the top, a domino along the longer side."""
        box = self.frame.pixels(face.rect)
        x, y = box.center
        if len(face.values) == 3:
            side = min(box.w, box.h / 0.866)
            y += round(side / 3**0.5 / 4)
            self._tile("triomino", face.values, (x, y), side, side * 0.866, -90)
        elif len(face.values) == 2:
            lying = box.w > 1.6 * box.h
            width = min(box.h, box.w / 2) if lying else min(box.w, box.h / 2)
            self._tile("domino", face.values, (x, y), width * 2, width, 0 if lying else 90)
        elif face.values:
            side = min(box.w, box.h)
            self._tile("half", face.values, (x, y), side, side, 0)

    def _photograph(self, photograph: Photograph) -> None:
        """A picture as large as its box lets it be, or the words for it."""
        box = self.frame.pixels(photograph.rect)
        taken = None
        if self.places is not None:
            taken = photographs.photograph(self.places, photograph.name, photograph.side, box.size)
        if taken is None:
            for part in photographs.instead(photograph):
                self.paint(part)
        else:
            self.surface.blit(taken, taken.get_rect(center=box.center))

    def _tile(
        self,
        kind: str,
        values: tuple[int, ...],
        centre: Point,
        length: float,
        width: float,
        angle_deg: float,
        piece: Piece | None = None,
    ) -> None:
        status, face_up, last = (piece.status, piece.face_up, piece.last) if piece else ("placed", True, False)
        picture = pieces.picture(
            kind, values, max(4, round(length)), max(4, round(width)), round(angle_deg) % 360, status, face_up, last
        )
        self.surface.blit(picture, picture.get_rect(center=(round(centre[0]), round(centre[1]))))

    def _badge(self, box: pygame.Rect, sign: str, look: Look) -> None:
        side = min(box.w, box.h)
        stamp = _stamp(side, sign, look)
        self.surface.blit(stamp, stamp.get_rect(center=box.center))

    def _code(self, code: Code) -> None:
        matrix = tuple(segno.make(code.text, error="m", micro=False).matrix)
        box = self.frame.pixels(code.rect)
        quiet = 3
        module = min(box.w, box.h) // (len(matrix) + 2 * quiet)
        self._rounded(box, (255, 255, 255), round(6 * self.frame.scale))
        left, top = box.centerx - module * len(matrix) // 2, box.centery - module * len(matrix) // 2
        for y, row in enumerate(matrix):
            for x, dark in enumerate(row):
                if dark:
                    self.surface.fill(theme.ROOM.paper, (left + x * module, top + y * module, module, module))

    def _table(self, table: Table) -> None:
        box = self.frame.pixels(table.rect)
        before = self.surface.get_clip()
        self.surface.set_clip(box.clip(before))
        zoom, middle_mm = outlines.fit(table)
        zoom *= self.frame.scale
        length, width = table.tile_mm[0] * zoom, table.tile_mm[1] * zoom
        placed: list[tuple[Piece, Point]] = []
        for piece in sorted(table.pieces, key=lambda piece: (_rank(piece.status), piece.last)):
            x = box.centerx + (piece.x_mm - middle_mm[0]) * zoom
            y = box.centery + (piece.y_mm - middle_mm[1]) * zoom
            placed.append((piece, (x, y)))
            self._tile(piece.kind, piece.values, (x, y), length, width, piece.angle_deg, piece)
            self._open_sides(piece, (x, y), length, width)
        taken = [_square(centre, width * 0.6) for _, centre in placed]
        for piece, centre in placed:
            if piece.status in _SIGNS:
                sign, look = _SIGNS[piece.status]
                self._badge(_square(centre, max(12 * self.frame.scale, width * 0.36)), sign, look)
                taken.append(self._tag(piece, centre, length, width, box, taken))
            elif piece.status == "offer":
                self._mark(piece.word, centre, length)
        self.surface.set_clip(before)

    def _open_sides(self, piece: Piece, centre: Point, length: float, width: float) -> None:
        """A short bar beside each side that another tile could join."""
        for side in piece.open:
            facing = piece.angle_deg + 120 * side + 60
            x, y = outlines.ahead(length / 12**0.5 + width * 0.08, facing)
            dx, dy = outlines.ahead(length * 0.13, facing + 90)
            middle = (centre[0] + x, centre[1] + y)
            start, end = (middle[0] - dx, middle[1] - dy), (middle[0] + dx, middle[1] + dy)
            pygame.draw.line(self.surface, theme.TURN.paper, start, end, width=max(2, round(width * 0.05)))

    def _mark(self, word: str, centre: Point, length: float) -> None:
        """The word on a place where a tile could be laid; on small tiles only its number, as in the list beside it."""
        font = pieces.font(theme.BOLD, round(17 * self.frame.scale))
        text = word if font.size(word)[0] < length * 0.9 else word.partition(":")[0]
        drawn = font.render(text, True, theme.TURN.ink)
        tag = drawn.get_rect(center=(round(centre[0]), round(centre[1])))
        ground = tag.inflate(round(10 * self.frame.scale), round(2 * self.frame.scale))
        self._rounded(ground, theme.TURN.paper, ground.h // 2)
        self.surface.blit(drawn, tag)

    def _tag(
        self, piece: Piece, centre: Point, length: float, width: float, box: pygame.Rect, taken: list[pygame.Rect]
    ) -> pygame.Rect:
        """The word beside a tile, on the side where it hides least."""
        look = _SIGNS[piece.status][1]
        drawn = pieces.font(theme.BOLD, round(15 * self.frame.scale)).render(piece.word, True, look.ink)
        tag = drawn.get_rect().inflate(round(14 * self.frame.scale), round(4 * self.frame.scale))
        outline = outlines.corners(piece.kind, length, width, piece.angle_deg)
        rim = width * 0.12
        x, y = centre
        below, above = y + max(dy for _, dy in outline) + rim, y + min(dy for _, dy in outline) - rim
        right, left = x + max(dx for dx, _ in outline) + rim, x + min(dx for dx, _ in outline) - rim
        places = []
        for side, at in (
            ("midtop", (x, below)),
            ("midbottom", (x, above)),
            ("midleft", (right, y)),
            ("midright", (left, y)),
        ):
            place = tag.copy()
            setattr(place, side, (round(at[0]), round(at[1])))
            places.append(place.clamp(box))
        tag = min(places, key=lambda place: sum(_shared(place, other) for other in taken))
        self._rounded(tag, look.edge, tag.h // 2)
        self._rounded(tag.inflate(-2, -2), look.paper, tag.h // 2 - 1)
        self.surface.blit(drawn, drawn.get_rect(center=tag.center))
        return tag


def _square(centre: Point, side: float) -> pygame.Rect:
    return pygame.Rect(round(centre[0] - side / 2), round(centre[1] - side / 2), round(side), round(side))


def _shared(one: pygame.Rect, other: pygame.Rect) -> int:
    common = one.clip(other)
    return common.w * common.h


def _rank(status: str) -> int:
    return _ORDER.index(status) if status in _ORDER else 1


@lru_cache(maxsize=128)
def _disc(radius: int, colour: Colour) -> pygame.Surface:
    """A smooth disc, for round corners."""
    fine = pygame.Surface((radius * 8, radius * 8), pygame.SRCALPHA)
    fine.fill((*colour, 0))
    pygame.draw.circle(fine, colour, (radius * 4, radius * 4), radius * 4)
    return pygame.transform.smoothscale(fine, (radius * 2, radius * 2))


@lru_cache(maxsize=64)
def _stamp(side: int, sign: str, look: Look) -> pygame.Surface:
    """A round sign."""
    fine = side * 3
    stamp = pygame.Surface((fine, fine), pygame.SRCALPHA)
    stamp.fill((*look.paper, 0))
    if sign == "▶":
        points = [(fine * 0.2, fine * 0.08), (fine * 0.95, fine * 0.5), (fine * 0.2, fine * 0.92)]
        pygame.draw.polygon(stamp, look.ink, points)
        return pygame.transform.smoothscale(stamp, (side, side))
    pygame.draw.circle(stamp, look.ink, (fine / 2, fine / 2), fine / 2)
    pygame.draw.circle(stamp, look.paper, (fine / 2, fine / 2), fine * 0.44)
    thick = ceil(fine * 0.11)
    strokes = {
        "✓": (((0.28, 0.52), (0.44, 0.68)), ((0.44, 0.68), (0.73, 0.34))),
        "✗": (((0.32, 0.32), (0.68, 0.68)), ((0.68, 0.32), (0.32, 0.68))),
    }.get(sign)
    if strokes:
        for stroke in strokes:
            ends = [(x * fine, y * fine) for x, y in stroke]
            pygame.draw.line(stamp, look.ink, ends[0], ends[1], thick)
            for end in ends:
                pygame.draw.circle(stamp, look.ink, end, thick / 2)
    else:
        drawn = pieces.font(theme.BOLD, round(fine * 0.66)).render(sign, True, look.ink)
        box = drawn.get_bounding_rect()
        stamp.blit(drawn, (fine / 2 - box.centerx, fine / 2 - box.centery))
    return pygame.transform.smoothscale(stamp, (side, side))


def parts(page: Page) -> Iterator[Widget]:
    """All that is painted, buttons taken apart, and pictures as where they are gone."""
    for widget in (*page.widgets, *page.notice):
        if isinstance(widget, Button):
            yield from button_parts(widget)
        elif isinstance(widget, Photograph):
            yield from photographs.instead(widget)
        else:
            yield widget
