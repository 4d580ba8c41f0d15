"""What else lies on tables: cups, phones, pens, coins, cards, notes, pictures of tiles."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.tiles import DOMINO
from vision.kinds import Points
from vision.scenes.grounds import any_colour
from vision.scenes.layouts import Ground, Spot
from vision.scenes.session import Session
from vision.scenes.slabs import Placed, Slab, motion, slab

Random = np.random.Generator
Colour = tuple[float, float, float]
BORDER_PX = 4
MOST_SIZE_PX = 700
_METALS: tuple[Colour, ...] = ((70, 130, 190), (150, 165, 175), (90, 170, 205))


class _Sheet:
    """An empty sheet with rounded corners to draw on: its paint (BGR), and the way to it from mm about its middle."""

    def __init__(self, length_mm: float, width_mm: float, scale: float, colour: Colour, radius_mm: float = 0.0) -> None:
        self.width, self.height = (round(side * scale) + 2 * BORDER_PX for side in (length_mm, width_mm))
        self.scale = scale
        self._mask = np.zeros((self.height, self.width), np.uint8)
        inset = BORDER_PX + round(radius_mm * scale)
        box = ((inset, inset), (max(self.width - 1 - inset, inset), max(self.height - 1 - inset, inset)))
        cv2.rectangle(self._mask, *box, 255, -1)
        if radius_mm * scale >= 1:
            cv2.rectangle(self._mask, *box, 255, 2 * round(radius_mm * scale) - 1, cv2.LINE_AA)
        self.paint = np.empty((self.height, self.width, 3), np.uint8)
        self.paint[:] = np.round(colour)

    def circle(self, x: float, y: float, radius_px: float, colour: Colour, thick_px: float = -1.0) -> None:
        """Draw a ring or a disc, at parts of the sheet's width and height."""
        middle = (round(x * self.width), round(y * self.height))
        thick = -1 if thick_px < 0 else max(round(thick_px), 1)
        cv2.circle(self.paint, middle, max(round(radius_px), 1), colour, thick, cv2.LINE_AA)

    def write(self, text: str, place_px: tuple[float, float], height_px: float, colour: Colour) -> None:
        """Write a line of capitals of that height."""
        place, thick = (round(place_px[0]), round(place_px[1])), max(round(height_px / 9), 1)
        cv2.putText(self.paint, text, place, cv2.FONT_HERSHEY_DUPLEX, height_px / 22, colour, thick, cv2.LINE_AA)

    def scribble(self, random: Random, height_mm: float, lines: int = 1) -> None:
        """Write letters and numbers in rows."""
        ink, height_px = any_colour(random, 10, 140), height_mm * self.scale
        step = max(1.6 * height_px, 4)
        for line in range(lines):
            count = max(int(random.integers(1, 3)), round(self.width / step * random.uniform(0.2, 1)))
            text = "".join(random.choice(list("ABCDEFGHIKLMNOPRSTUVWZ0123456789  "), count))
            place = (0.12 * self.width, self.height / 2 + (line - (lines - 1) / 2 + 0.3) * step)
            self.write(text, place, height_px, ink)

    def slab(self, thickness_mm: float, side: Colour, gloss: float, foot: float = 1.0) -> Slab:
        """The sheet as the top of a slab."""
        canvas = np.concatenate([self.paint, self._mask[..., None]], axis=2).astype(np.float32)
        middle = ((self.width - 1) / 2, (self.height - 1) / 2)
        way: Matrix = np.array([(self.scale, 0.0, middle[0]), (0.0, self.scale, middle[1]), (0.0, 0.0, 1.0)])
        return slab(canvas, way, thickness_mm, side, gloss, foot)


def _scale(session: Session, largest_mm: float) -> float:
    return float(min(max(1.3 * session.px_per_mm, 1.0), MOST_SIZE_PX / largest_mm))


def cup(session: Session, random: Random) -> Slab:
    """A cup or glass seen from above: rim, drink, a taper."""
    radius = float(random.uniform(25, 42))
    sheet = _Sheet(2 * radius, 2 * radius, _scale(session, 2 * radius), any_colour(random, 90, 240), radius)
    reach = radius * float(random.uniform(0.82, 0.94)) * sheet.scale
    sheet.circle(0.5, 0.5, reach, any_colour(random, 60, 200))
    sheet.circle(0.5, 0.5, reach * float(random.uniform(0.8, 0.97)), any_colour(random, 10, 120))
    return sheet.slab(float(random.uniform(40, 95)), any_colour(random, 60, 240), 0.6, float(random.uniform(0.65, 1.0)))


def coin(session: Session, random: Random) -> Slab:
    """A coin: a rim, something stamped in its middle."""
    radius = float(random.uniform(8, 13.5))
    metal = _METALS[int(random.integers(len(_METALS)))]
    plain, dark, bright = (_toned(metal, float(random.uniform(0.6, 1.0)) * part) for part in (1.0, 0.7, 1.2))
    sheet = _Sheet(2 * radius, 2 * radius, _scale(session, 2 * radius), plain, radius)
    size = radius * sheet.scale
    sheet.circle(0.5, 0.5, 0.88 * size, dark, 0.05 * size)
    for _ in range(int(random.integers(2, 6))):
        x, y = random.uniform(0.3, 0.6, 2) * (sheet.width, sheet.height)
        mark = "01235689BREU$"[int(random.integers(13))]
        sheet.write(mark, (float(x), float(y) + 0.2 * size), 0.5 * size, dark if random.random() < 0.5 else bright)
    return sheet.slab(2.0, dark, 0.9)


def pen(session: Session, random: Random) -> Slab:
    """A pen or marker: round in cross-section, a cap, some writing."""
    length, width = float(random.uniform(110, 150)), float(random.uniform(7, 16))
    sheet = _Sheet(length, width, _scale(session, length), any_colour(random, 15, 235), width / 2)
    if random.random() < 0.5:
        sheet.scribble(random, width * 0.3)
    sheet.paint[:, : round(sheet.width * float(random.uniform(0.2, 0.45)))] = np.round(any_colour(random, 15, 235))
    across = np.linspace(-1, 1, sheet.height, dtype=np.float32)
    round_tone = 0.55 + 0.5 * np.sqrt(np.clip(1 - across**2, 0, 1))
    sheet.paint = np.clip(sheet.paint * round_tone[:, None, None], 0, 255).astype(np.uint8)
    return sheet.slab(width * 0.9, any_colour(random, 20, 120), 0.7)


def phone(session: Session, random: Random) -> Slab:
    """A telephone: a dark glass in a frame, or its back with a lens."""
    length, width = float(random.uniform(135, 165)), float(random.uniform(65, 78))
    frame = any_colour(random, 15, 235)
    sheet = _Sheet(length, width, _scale(session, length), frame, 8.0)
    if random.random() < 0.7:
        inset = BORDER_PX + max(round(2.5 * sheet.scale), 1)
        sheet.paint[inset:-inset, inset:-inset] = np.round(any_colour(random, 8, 30))
    else:
        sheet.circle(0.1, 0.22, 6 * sheet.scale, any_colour(random, 8, 40))
    return sheet.slab(8.0, frame, 1.0)


def card(session: Session, random: Random) -> Slab:
    """A playing card, a note, a score sheet: letters, numbers, spots."""
    length, width = float(random.uniform(60, 150)), float(random.uniform(40, 100))
    colour, radius = any_colour(random, 150, 245), float(random.choice([0.0, 3.0]))
    sheet = _Sheet(length, width, _scale(session, length), colour, radius)
    sheet.scribble(random, float(random.uniform(4, 16)), lines=int(random.integers(0, 6)))
    for _ in range(int(random.integers(0, 9))):
        x, y = random.uniform(0.12, 0.88, 2)
        sheet.circle(float(x), float(y), float(random.uniform(2, 7)) * sheet.scale, any_colour(random, 10, 120))
    return sheet.slab(0.3, colour, 0.2)


def print_of_tiles(session: Session, random: Random) -> Slab:
    """A box lid or leaflet with pictures of the set's tiles."""
    tiles = session.tiles
    length, width = float(random.uniform(70, 160)), float(random.uniform(60, 120))
    sheet = _Sheet(length, width, _scale(session, length), any_colour(random, 15, 235))
    for _ in range(int(random.integers(1, 4))):
        numbers = random.integers(0, tiles.highest + 1, 2 if tiles.kind == DOMINO else 3)
        face = tiles.paint(tuple(int(value) for value in numbers), 1, 0.0, random)
        zoom = sheet.scale / tiles.face_px_per_mm() * random.uniform(0.5, 0.95)
        x, y = random.uniform(0.25, 0.75, 2) * (sheet.width, sheet.height)
        way = motion(float(x), float(y), float(random.uniform(0, 360))) @ np.diag([zoom, zoom, 1.0])
        way = way @ motion(-face.shape[1] / 2, -face.shape[0] / 2, 0.0)
        laid = cv2.warpPerspective(face, way, (sheet.width, sheet.height), flags=cv2.INTER_LINEAR)
        sheet.paint = np.rint(sheet.paint + laid[..., 3:] / 255 * (laid[..., :3] - sheet.paint)).astype(np.uint8)
    return sheet.slab(float(random.choice([0.3, 0.3, 25.0])), any_colour(random, 15, 235), 0.5)


def letters(session: Session, random: Random) -> Slab:
    """A letter tile of wood or plastic, a counter, a pawn's base: small, square or round."""
    size, colour = float(random.uniform(12, 26)), any_colour(random, 60, 235)
    sheet = _Sheet(size, size, _scale(session, size), colour, float(random.choice([1.0, 2.0, size / 2])))
    if random.random() < 0.8:
        sheet.scribble(random, size * float(random.uniform(0.4, 0.7)))
    return sheet.slab(float(random.uniform(2, 9)), _toned(colour, 0.8), 0.4)


def _toned(colour: Colour, by: float) -> Colour:
    blue, green, red = (min(part * by, 255.0) for part in colour)
    return blue, green, red


THINGS: dict[str, tuple[Callable[[Session, Random], Slab], int]] = {
    "cup": (cup, 1), "coin": (coin, 5), "pen": (pen, 2), "phone": (phone, 1), "card": (card, 3),
    "print of tiles": (print_of_tiles, 2), "letters": (letters, 6),
}  # fmt: skip


def draw_clutter(session: Session, ground: Ground, random: Random) -> list[Placed]:
    """A few things beside the tiles of a ground; flat ones may lie under them."""
    laid: list[Placed] = []
    names = random.choice(list(THINGS), int(random.integers(1, 4)))
    for name in names:
        make, most = THINGS[str(name)]
        for _ in range(int(random.integers(1, most + 1))):
            thing = make(session, random)
            for _ in range(20):
                spot = session.seen.any_spot(random)
                if thing.thickness_mm < 1 or _is_free(thing, spot, ground, laid):
                    laid.append(Placed(thing, *spot))
                    break
    return laid


def _is_free(thing: Slab, spot: Spot, ground: Ground, laid: list[Placed]) -> bool:
    """Whether a thing can stand there without touching a tile or another thing."""
    here = Placed(thing, *spot).outline_mm().astype(np.float32)
    others: list[Points] = []
    for x, y, way in ground.spots:
        move = motion(x, y, way)
        others.append(ground.outline @ move[:2, :2].T + move[:2, 2])
    others.extend(other.outline_mm() for other in laid if other.slab.thickness_mm >= 1)
    return all(cv2.intersectConvexConvex(here, other.astype(np.float32))[0] <= 0 for other in others)
