"""Made-up sets of tiles for training: how their faces look and what is on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from referee.tiles import Shape
from vision.kinds import Points, Style, domino, numerals, triomino
from vision.kinds.paint import Canvas
from vision.models.typefaces import Contours, family, is_fancy
from vision.scenes import TileSet, worn

Random = np.random.Generator
Colour = tuple[int, int, int]
_PLASTICS: tuple[Colour, ...] = (
    (205, 225, 232), (185, 215, 228), (222, 232, 236), (245, 245, 245), (235, 238, 240), (228, 228, 226),
    (38, 36, 34), (60, 55, 52), (120, 165, 200), (95, 135, 170), (70, 100, 150), (190, 170, 235), (205, 200, 160),
    (120, 60, 40), (40, 40, 150), (60, 110, 50), (130, 200, 225),
)  # fmt: skip
_WOODS: tuple[Colour, ...] = (
    (120, 165, 200), (95, 135, 170), (70, 100, 150), (140, 190, 220), (40, 60, 100), (55, 90, 160), (30, 40, 60),
)  # fmt: skip
_INKS: tuple[Colour, ...] = (
    (30, 28, 28), (20, 20, 20), (60, 55, 50), (200, 110, 20), (60, 140, 30), (40, 40, 200), (40, 170, 235),
    (30, 90, 160), (160, 60, 120), (190, 80, 230), (150, 150, 150), (240, 190, 90), (70, 200, 130), (240, 240, 240),
)  # fmt: skip


def colours(random: Random, wooden: bool) -> tuple[Colour, Colour, tuple[Colour, ...]]:
    """A face, an ink that shows on it, and, for some sets, an ink per number."""
    stuffs = _WOODS if wooden else _PLASTICS if random.random() < 0.5 else _PLASTICS[:6]
    face = _jitter(stuffs[random.integers(len(stuffs))], random)
    visible = [ink for ink in _INKS if max(abs(a - b) for a, b in zip(ink, face, strict=True)) > 75]
    dark = sum(face) > 380
    ink = visible[random.integers(len(visible))] if random.random() < 0.35 else visible[0 if dark else -1]
    each = tuple(_jitter(visible[i], random) for i in random.integers(0, len(visible), 13))
    return face, _jitter(ink, random), each if random.random() < 0.4 else ()


def _jitter(colour: Colour, random: Random) -> Colour:
    blue, green, red = (int(np.clip(part + random.normal(0, 8), 0, 255)) for part in colour)
    return blue, green, red


def _style(random: Random, variants: int, wooden: bool) -> Style:
    face, ink, each = colours(random, wooden)
    side = tuple(int(part * random.uniform(0.6, 1.0)) for part in face)
    brass = (int(random.integers(40, 130)), int(random.integers(110, 190)), int(random.integers(150, 220)))
    pin = brass if random.random() < 0.5 else None
    return Style(face, ink, side, pin, each, 1.0, int(random.integers(variants)))  # type: ignore[arg-type]


def _another_plank(style: Style, random: Random, variety: float = 0.1) -> Style:
    """The same style on another piece of wood: no two have the same tone."""
    tone = float(np.clip(random.normal(1, variety), 1 - 2.5 * variety, 1 + 2.5 * variety))
    blue, green, red = (min(int(part * tone), 255) for part in style.face)
    return replace(style, face=(blue, green, red))


class DominoSet:
    """A made-up set of dominoes."""

    pips = False  # what triominoes may bear instead of numerals

    def __init__(self, random: Random, highest: int = 6) -> None:
        self.highest = highest
        self.shape = Shape.domino(
            float(random.uniform(44, 52)), float(random.uniform(22.5, 26)), float(random.uniform(6, 12))
        )
        wooden = bool(random.random() < 0.15)
        style = _style(random, 16, wooden)
        self.style = replace(style, variant=style.variant | (domino.WOOD if wooden else 0))
        pitch = random.uniform(0.25, 0.335)
        uneven = random.uniform(0.92, 1.1)
        groove = tuple(int(part * random.uniform(0.35, 0.8)) for part in style.face)
        self.make = domino.Make(
            pip=float(random.uniform(0.105, min(0.225, pitch * 0.75))),
            pitch_along=float(pitch * uneven),
            pitch_across=float(pitch / uneven),
            divider=float(random.uniform(0.02, 0.1)),
            divider_reach=float(random.uniform(0.6, 1.0)),
            pin=float(random.uniform(0.1, 0.19)),
            radius=float(random.uniform(0.03, 0.16)),
            divider_ink=None if random.random() < 0.7 else groove,  # type: ignore[arg-type]
            light_deg=float(random.uniform(0, 360)),
            outward=float(np.clip(random.normal(0.005, 0.012), -0.02, 0.035)),
            grain=float(random.uniform(0.03, 0.2)),
            seed=int(random.integers(1_000_000)),
        )

    def values(self, random: Random) -> tuple[int, ...]:
        """The numbers of any tile, in any order."""
        return tuple(int(number) for number in random.integers(0, self.highest + 1, 2))

    def tiles(self) -> TileSet:
        """The set as scenes lay it on tables."""
        return TileSet(self.shape, self.paint, self.style.side, self.highest)

    def paint(self, values: tuple[int, ...], scale: int, wear: float, random: Random) -> Canvas:
        """A face of the set."""
        style, make = self.style, self.make
        if style.variant & domino.WOOD:
            style = _another_plank(style, random)
            make = replace(make, seed=int(random.integers(1_000_000)), grain_deg=float(random.normal(0, 4)))
        painted = domino.paint(values, style, make, scale)
        return worn(painted, domino.paint((), style, make, scale), wear, random) if wear else painted


class TriominoSet:
    """A made-up set of triominoes, printed in one typeface or with pips."""

    def __init__(
        self, random: Random, faces: list[tuple[Path, tuple[Contours, ...]]], pips: bool, highest: int = 5
    ) -> None:
        self.pips = pips
        self.highest = highest
        self.shape = Shape.triomino(float(random.uniform(34, 42)), float(random.uniform(4, 8)))
        wooden = bool(random.random() < (0.55 if pips else 0.1))
        marks = triomino.PIPS | (triomino.DRILLED if random.random() < 0.6 else 0) if pips else 0
        self.style = replace(_style(random, 1, wooden), variant=marks | (triomino.WOOD if wooden else 0))
        if pips and random.random() < 0.8:
            self.style = replace(self.style, pin=None)
        fancy = random.random() < 0.1
        families = sorted({family(file) for file, _ in faces if is_fancy(file) == fancy} or {family(faces[0][0])})
        chosen = families[random.integers(len(families))]
        weights = [outlines for file, outlines in faces if family(file) == chosen]
        self.outlines: tuple[Contours, ...] = weights[random.integers(len(weights))]
        self.own_pen = random.random() < 0.08
        self.narrow = float(np.clip(random.normal(0.97, 0.1), 0.7, 1.15))
        self.turns_deg = _pip_turns(random) if pips else _numeral_turns(random)
        self.drift = float(random.uniform(0, 0.018)) if pips else 0.0  # by how far hand-drilled pips are off
        pitch = float(random.uniform(0.088, 0.122))
        self.make = triomino.Make(
            height=float(random.uniform(0.145, 0.235)),
            reach=0.5774 * float(random.uniform(0.43, 0.58)),
            pin=float(random.uniform(0.06, 0.13)),
            radius=float(random.uniform(0.0 if wooden else 0.01, 0.04 if wooden else 0.09)),
            pip=float(random.uniform(0.05, 0.095)),
            pitch=pitch,
            pips_reach=0.112 + 1.1 * pitch + float(random.uniform(0, 0.035)),  # four must not run into the middle
            light_deg=float(random.uniform(0, 360)),
            grain=float(random.uniform(0.03, 0.25)),
            seed=int(random.integers(1_000_000)),
        )
        if pips:
            self.make = _another_arrangement(self.make, random)
        self.variety = float(random.uniform(0.05, 0.22)) if pips else 0.1  # of the planks of wooden tiles
        self.squeeze = float(random.uniform(0.0, 8.0 if pips else 1.5))  # degrees by which prints are turned

    def values(self, random: Random) -> tuple[int, ...]:
        """The numbers of any tile, in any order."""
        return tuple(int(number) for number in random.integers(0, self.highest + 1, 3))

    def tiles(self) -> TileSet:
        """The set as scenes lay it on tables."""
        return TileSet(self.shape, self.paint, self.style.side, self.highest)

    def paint(self, values: tuple[int, ...], scale: int, wear: float, random: Random) -> Canvas:
        """A face of the set; numerals that would be ambiguous upside down are always printed foot outwards."""
        turns = [0.0 if v in (6, 9) else turn for v, turn in zip(values, self.turns_deg, strict=False)]
        first, second, third = (turn + float(random.normal(0, self.squeeze)) for turn in (*turns, 0.0, 0.0, 0.0)[:3])
        reach = self.make.pips_reach + self.drift * float(random.normal()) if self.drift else self.make.pips_reach
        style, make = self.style, replace(self.make, turns_deg=(first, second, third), pips_reach=reach)
        if style.variant & triomino.WOOD:
            style = _another_plank(style, random, self.variety)
            make = replace(make, seed=int(random.integers(1_000_000)), grain_deg=float(random.uniform(0, 180)))
        painted = triomino.paint(values, style, make, scale, self._numerals)
        bare = triomino.paint((), style, make, scale, self._numerals) if wear else painted
        return worn(painted, bare, wear, random) if wear else painted

    def _numerals(self, canvas: Canvas, number: int, pen: Points, size_px: float) -> Canvas:
        narrow = pen.copy()
        narrow[:, 0] *= self.narrow
        if self.own_pen:
            return numerals.rounded_numerals(canvas, number, narrow, size_px)
        return numerals.cover_of(canvas, self.outlines[number], narrow, size_px)


def _numeral_turns(random: Random) -> tuple[float, float, float]:
    """Feet to the corner, to the centre, or all three upright for somebody at the table."""
    way = random.random()
    if way <= 0.92:
        return (0.0, 0.0, 0.0) if way < 0.68 else (180.0, 180.0, 180.0)
    start = int(random.integers(3))
    upright = (180.0, 60.0, -60.0)
    return upright[start], upright[start - 2], upright[start - 1]


def _another_arrangement(make: triomino.Make, random: Random) -> triomino.Make:
    """The same with what differs between sets with pips: where each number sits and how it is turned, paint, pores."""
    two, three = float(random.choice([0.0, 0.0, 0.0, 90.0])), float(random.choice([0.0, 0.0, 0.0, 180.0]))
    return replace(
        make,
        pips_outward=tuple(float(each) for each in random.uniform(-0.025, 0.025, 6)),
        pips_turned_deg=(0.0, 0.0, two, three, 0.0, 0.0),
        pips_across=(1.0, 1.0, 1.0, float(random.uniform(0.85, 1.4)), *(float(random.uniform(0.85, 1.15)),) * 2),
        pores=float(random.uniform(0, 0.6)),
        uneven=float(random.uniform(0, 0.2)),
    )


def _pip_turns(random: Random) -> tuple[float, float, float]:
    """Points to the corner, as mostly; to the centre; or the pips set square."""
    turn = float(random.choice([0.0, 0.0, 0.0, 0.0, 180.0, 45.0]))
    return turn, turn, turn
