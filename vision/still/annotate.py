"""A photograph with what was seen in it: outlines, numbers, a sign on every join, and a legend in words.

Colour is never alone in telling something: outlines differ in their lines, signs in their shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.still import Still, StillTile
from vision.still.candidate import shared_area

Colour = tuple[int, int, int]
Place = NDArray[np.float64]

PAPER: Colour = (255, 255, 255)
DARK: Colour = (40, 34, 30)
SUFFIXES = (".png", ".jpg", ".jpeg")
LEAST_PX, MOST_PX = 1600, 3200
# The radius of the disc that says a tile's numbers: as a part of the root of its area, by its corners; what a
# picture is enlarged for; and what it never falls below.
DISC_OF_SIZE = {4: 0.19, 3: 0.28}
DISC_PX, LEAST_DISC_PX = 24.0, 17.0
SHADE = 0.16
FONT = cv2.FONT_HERSHEY_DUPLEX


class Look(Enum):
    """How something is told: GOOD by a line, BAD by a double line, UNCLEAR by dashes, ASIDE by a thin line."""

    GOOD = (96, 174, 39)
    BAD = (60, 50, 215)
    UNCLEAR = (20, 160, 245)
    ASIDE = (190, 130, 70)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Something to outline: (n, 2) pixels of the photograph, the numbers to say and a word to add.

    The numbers of a triomino belong to its corners in their order; the first of a domino to the half with
    the first two corners.
    """

    corners: Points
    values: tuple[int, ...]
    look: Look
    word: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A join between two tiles, by their places in `Still.tiles`: legal, illegal or (None) unclear."""

    a: int
    b: int
    legal: bool | None
    text: str = ""

    @property
    def look(self) -> Look:
        """How it is told."""
        return {True: Look.GOOD, False: Look.BAD, None: Look.UNCLEAR}[self.legal]


@dataclass(frozen=True, slots=True)
class Explained:
    """A line of the legend: a sign, or a piece of an outline, and what it means."""

    look: Look
    text: str
    is_sign: bool = False


def annotate(
    image: Image,
    still: Still,
    marks: Sequence[Mark],
    aside: Collection[int],
    title: str,
    doubted: Collection[int] = (),
) -> Image:
    """Draw tiles and joins over a copy of the photograph, between a strip with the title and a legend.

    Args:
        image: the photograph, BGR.
        still: what was seen in it.
        marks: the joins to sign.
        aside: tiles that take no part.
        title: a few words for the strip.
        doubted: tiles whose reading is in doubt although it was sure.
    """
    outlines = [_outlined(index, tile, marks, aside, doubted) for index, tile in enumerate(still.tiles)]
    scale = _scale(image, outlines, MOST_PX)
    canvas = _panel(image, outlines, scale)
    placed = [_on_canvas(outline.corners, scale) for outline in outlines]
    radius = 0.5 * float(np.median([_disc_px(corners) for corners in placed])) if placed else 12.0
    _signs(canvas, [(mark, _between(placed[mark.a], placed[mark.b])) for mark in marks], max(9, round(radius)))
    _words(canvas, outlines, scale)
    words = {Look.GOOD: "legal", Look.BAD: "illegal", Look.UNCLEAR: "unclear"}
    joins = Counter(mark.look for mark in marks)
    tiles = Counter(outline.look for outline in outlines)
    legend = [Explained(look, f"{counted(joins[look], 'join')} {words[look]}", True) for look in words if joins[look]]
    for look, word in ((Look.UNCLEAR, "in doubt"), (Look.ASIDE, "aside")):
        if tiles[look]:
            legend.append(Explained(look, f"{counted(tiles[look], 'tile')} {word}"))
    return _explained(_titled(canvas, title, _worst([mark.legal for mark in marks]).value), legend)


def compared(
    image: Image,
    truth: Sequence[Outline],
    seen: Sequence[Outline],
    titles: tuple[str, str],
    legend: Sequence[Explained],
) -> Image:
    """The photograph twice: on the left what is true, on the right what was seen, below them the legend.

    Args:
        image: the photograph, BGR.
        truth: what a person saw.
        seen: what the eye saw.
        titles: a few words for either side.
        legend: what the lines mean.
    """
    scale = _scale(image, [*truth, *seen], MOST_PX * 0.6)
    sides = [_panel(image, outlines, scale) for outlines in (truth, seen)]
    for side, outlines in zip(sides, (truth, seen), strict=True):
        _words(side, outlines, scale)
    worst = next((look for look in (Look.BAD, Look.UNCLEAR) if any(one.look is look for one in (*truth, *seen))), None)
    colours = (DARK, (worst or Look.GOOD).value)
    titled = [_titled(*each) for each in zip(sides, titles, colours, strict=True)]
    gap = np.full((titled[0].shape[0], 12, 3), PAPER, np.uint8)
    return _explained(np.asarray(np.hstack([titled[0], gap, titled[1]]), np.uint8), legend)


def counted(count: int, what: str) -> str:
    """`1 tile`, `2 tiles`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def write(path: Path, image: Image) -> None:
    """Write a picture in the format that its name asks for.

    Raises:
        OSError: if the name is no picture's, or it cannot be written there.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise OSError(f"expected a picture's name ({', '.join(SUFFIXES)}), got {path}")
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())


def _outlined(
    index: int, tile: StillTile, marks: Sequence[Mark], aside: Collection[int], doubted: Collection[int]
) -> Outline:
    """A tile with the worst of its joins; those whose numbers are in doubt say so."""
    seen = tile.seen
    is_sure = tile.is_sure and index not in doubted
    word = "" if is_sure else "in doubt" if seen.values else "not read" if seen.face_up else "face down"
    look = Look.ASIDE
    if index not in aside:
        look = _worst([mark.legal for mark in marks if index in (mark.a, mark.b)])
        look = look if look is Look.BAD or is_sure else Look.UNCLEAR
    return Outline(tile.corners, seen.values, look, word)


def _worst(legal: Collection[bool | None]) -> Look:
    """Bad for anything illegal, else unclear for anything unclear (also for nothing at all), else good."""
    if any(one is False for one in legal):
        return Look.BAD
    return Look.GOOD if legal and all(legal) else Look.UNCLEAR


def _scale(image: Image, outlines: Iterable[Outline], most_px: float) -> float:
    """So large that the numbers can be read, within the sizes that a picture may have."""
    discs = [_disc_px(outline.corners, least_px=1.0) for outline in outlines]
    wanted = DISC_PX / float(np.median(discs)) if discs else 1.0
    longest = max(image.shape[:2])
    return float(np.clip(wanted, min(LEAST_PX, most_px) / longest, most_px / longest))


def _disc_px(corners: Points, least_px: float = LEAST_DISC_PX) -> float:
    size = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    return max(least_px, DISC_OF_SIZE.get(len(corners), 0.36) * size)


def _on_canvas(corners: Points, scale: float) -> Points:
    return (corners + 0.5) * scale - 0.5


def _panel(image: Image, outlines: Sequence[Outline], scale: float) -> Image:
    """A copy of the photograph at a scale, with outlines and numbers."""
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    canvas = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    placed = [_on_canvas(outline.corners, scale) for outline in outlines]
    shaded = canvas.copy()
    for outline, corners in zip(outlines, placed, strict=True):
        cv2.fillConvexPoly(shaded, np.round(corners).astype(np.int32), outline.look.value, cv2.LINE_AA)
    canvas = np.asarray(cv2.addWeighted(shaded, SHADE, canvas, 1 - SHADE, 0), np.uint8)
    for outline, corners in zip(outlines, placed, strict=True):
        _line(canvas, np.vstack([corners, corners[:1]]), outline.look, max(2, round(_disc_px(corners) / 9)))
    for outline, corners in zip(outlines, placed, strict=True):
        _disc(canvas, corners, outline.values, outline.look.value)
    return canvas


def _words(canvas: Image, outlines: Sequence[Outline], scale: float) -> None:
    """The word of every outline, at the foot of its disc."""
    for outline in outlines:
        if outline.word:
            corners = _on_canvas(outline.corners, scale)
            radius = _disc_px(corners)
            below = corners.mean(0) + np.array([0.0, 1.35 * radius if outline.values else 0.0])
            _label(canvas, outline.word, below, max(12.0, 0.5 * radius), outline.look.value)


def _line(canvas: Image, points: Points, look: Look, thick: int) -> None:
    """An open line in the manner of its look."""
    whole = [np.round(points).astype(np.int32)]
    if look is Look.UNCLEAR:
        for one, other in pairwise(points):
            length = float(np.hypot(*(other - one)))
            dashes = max(1, round(length / (7 * thick)))
            for number in range(dashes):
                begin, end = (one + (other - one) * (number + part) / dashes for part in (0.15, 0.75))
                cv2.line(canvas, _pixel(begin), _pixel(end), look.value, thick, cv2.LINE_AA)
        return
    width = {Look.BAD: 2 * thick + 2, Look.ASIDE: max(2, round(thick * 0.6))}.get(look, thick)
    cv2.polylines(canvas, whole, False, look.value, width, cv2.LINE_AA)
    if look is Look.BAD:
        cv2.polylines(canvas, whole, False, PAPER, max(1, width // 3), cv2.LINE_AA)


def _disc(canvas: Image, corners: Points, values: tuple[int, ...], colour: Colour) -> None:
    """The numbers on a dark disc in the middle, each on its half's or corner's side."""
    if not values:
        return
    centre, radius = corners.mean(0), _disc_px(corners)
    cv2.circle(canvas, _pixel(centre), round(radius), DARK, -1, cv2.LINE_AA)
    cv2.circle(canvas, _pixel(centre), round(radius), colour, max(1, round(radius / 12)), cv2.LINE_AA)
    ways = _ways(corners, len(values))
    if len(values) == 2:
        across = 0.7 * radius * np.array([-ways[0][1], ways[0][0]])
        cv2.line(canvas, _pixel(centre - across), _pixel(centre + across), colour, 1, cv2.LINE_AA)
    tall = radius * (0.66 if len(values) == 2 else 0.56)
    for value, way in zip(values, ways, strict=True):
        _text(canvas, str(value), centre + 0.5 * radius * way, tall if value < 10 else 0.7 * tall, PAPER)


def _ways(corners: Points, count: int) -> list[Place]:
    """Where the numbers stand, seen from the middle; side by side where the corners do not tell."""
    middle = corners.mean(0)
    if len(corners) == count:
        ends = list(corners - middle)
    elif len(corners) == 2 * count:
        ends = [corners[2 * number : 2 * number + 2].mean(0) - middle for number in range(count)]
    else:
        ends = [np.array([2.0 * number - count + 1, 1e-9]) for number in range(count)]
    return [np.asarray(end / max(float(np.hypot(*end)), 1e-9), np.float64) for end in ends]


def _text(canvas: Image, text: str, centre: Place, tall_px: float, colour: Colour) -> None:
    letter, stroke = _letter(tall_px)
    (width, height), _ = cv2.getTextSize(text, FONT, letter, stroke)
    cv2.putText(
        canvas, text, _pixel(centre + np.array([-width, height]) / 2), FONT, letter, colour, stroke, cv2.LINE_AA
    )


def _letter(tall_px: float) -> tuple[float, int]:
    """The font's scale and stroke for digits of a height."""
    (_, height), _ = cv2.getTextSize("0", FONT, 1.0, 1)
    return tall_px / height, max(1, round(tall_px / 11))


def _label(canvas: Image, text: str, centre: Place, tall_px: float, colour: Colour) -> None:
    """A word on a plate, moved as little as it takes to stand inside the picture."""
    letter, stroke = _letter(tall_px)
    (width, height), _ = cv2.getTextSize(text, FONT, letter, stroke)
    half = np.array([width / 2 + 0.5 * tall_px, height / 2 + 0.4 * tall_px])
    size = np.array(canvas.shape[1::-1], np.float64)
    centre = np.maximum(np.minimum(centre, size - half - 1), half)
    cv2.rectangle(canvas, _pixel(centre - half), _pixel(centre + half), colour, -1, cv2.LINE_AA)
    _text(canvas, text, centre, tall_px, PAPER)


def _between(one: Points, other: Points) -> Place:
    """The middle of where two outlines, made a little larger, overlap."""
    for growth in (1.06, 1.12, 1.25, 1.5):
        a, b = (outline.mean(0) + (outline - outline.mean(0)) * growth for outline in (one, other))
        if shared_area(a, b) > 0:
            _, shared = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
            return np.asarray(np.asarray(shared).reshape(-1, 2).mean(0), np.float64)
    return np.asarray((one.mean(0) + other.mean(0)) / 2, np.float64)


def _signs(canvas: Image, placed: Sequence[tuple[Mark, Place]], radius: int) -> None:
    """Every join's sign, the worst on top; a good one gives way to any other in its place."""
    order = [Look.BAD, Look.UNCLEAR, Look.GOOD]
    kept: list[tuple[Mark, Place]] = []
    for mark, place in sorted(placed, key=lambda one: order.index(one[0].look)):
        if mark.legal is not True or all(np.hypot(*(place - other)) > 2 * radius for _, other in kept):
            kept.append((mark, place))
    for mark, place in reversed(kept):
        large = radius if mark.legal else round(1.4 * radius)
        _sign(canvas, place, mark.look, large)
        if mark.text:
            _label(canvas, mark.text, place + np.array([0.0, 2.2 * large]), max(13.0, 0.9 * radius), mark.look.value)


def _sign(canvas: Image, centre: Place, look: Look, radius: int) -> None:
    """A tick on a disc, a cross on a square or a question mark on a disc."""
    stroke = max(2, radius // 4)
    rim = max(2, radius // 6)
    if look is Look.BAD:
        for half, colour in ((radius + rim, PAPER), (radius, look.value)):
            cv2.rectangle(canvas, _pixel(centre - half), _pixel(centre + half), colour, -1, cv2.LINE_AA)
    else:
        cv2.circle(canvas, _pixel(centre), radius + rim, PAPER, -1, cv2.LINE_AA)
        cv2.circle(canvas, _pixel(centre), radius, look.value, -1, cv2.LINE_AA)

    def line(*points: tuple[float, float]) -> None:
        path = np.round(centre + radius / 2 * np.array(points)).astype(np.int32)
        cv2.polylines(canvas, [path], False, PAPER, stroke, cv2.LINE_AA)

    if look is Look.GOOD:
        line((-0.95, 0.05), (-0.25, 0.75), (1.0, -0.75))
    elif look is Look.BAD:
        line((-1.0, -1.0), (1.0, 1.0))
        line((-1.0, 1.0), (1.0, -1.0))
    else:
        line((-0.55, -0.6), (-0.3, -1.0), (0.3, -1.0), (0.6, -0.6), (0.5, -0.15), (0.0, 0.2), (0.0, 0.5))
        line((0.0, 1.0), (0.0, 1.05))


def _titled(canvas: Image, title: str, colour: Colour) -> Image:
    """A strip of this colour with the title, above the picture."""
    height = max(44, canvas.shape[0] // 26)
    strip = np.full((height, canvas.shape[1], 3), colour, np.uint8)
    letter, stroke = _letter(0.42 * height)
    (width, _), _ = cv2.getTextSize(title, FONT, letter, stroke)
    fitting = min(1.0, 0.94 * canvas.shape[1] / max(width, 1))
    _text(strip, title, np.array([0.4 * height + fitting * width / 2, height / 2]), 0.42 * height * fitting, PAPER)
    return np.asarray(np.vstack([strip, canvas]), np.uint8)


def _explained(canvas: Image, legend: Sequence[Explained]) -> Image:
    """A dark strip with the legend, below the picture."""
    if not legend:
        return canvas
    letter, stroke = _letter(20.0)
    widths = [cv2.getTextSize(each.text, FONT, letter, stroke)[0][0] for each in legend]
    wide = max(canvas.shape[1], sum(widths) + 130 * len(legend))
    strip = np.asarray(np.full((52, wide, 3), DARK, np.uint8))
    x = 20.0
    for each, width in zip(legend, widths, strict=True):
        if each.is_sign:
            _sign(strip, np.array([x + 34, 26.0]), each.look, 14)
        else:
            _line(strip, np.array([[x, 26.0], [x + 64, 26.0]]), each.look, 4)
        _text(strip, each.text, np.array([x + 80 + width / 2, 26.0]), 20.0, PAPER)
        x += width + 130
    size = (canvas.shape[1], round(52 * canvas.shape[1] / wide))
    return np.asarray(np.vstack([canvas, cv2.resize(strip, size, interpolation=cv2.INTER_AREA)]), np.uint8)


def _pixel(place: Place) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))
