"""Kinds of tile: one file each, with `outline`, `read` and `draw`.

The canonical face is a picture of one tile's top face, cut so that its pose is known:

* domino: 160 x 80 pixels (width x height), exactly the nominal sharp-cornered face; the tile's angle
  points to the right, so the half of `values[0]` is on the left.
* triomino: 144 x 144 pixels, the centre of the face at (71.5, 71.5), the corner of `values[0]` at the
  right, 70 pixels from the centre, the other corners following clockwise as seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.sighting import Reading
from referee.tiles import Shape
from vision.models.examples import Examples

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Chances = NDArray[np.float64]
Floats = NDArray[np.float32]


class Marks(StrEnum):
    """What the corners of a triomino bear."""

    NUMERALS = "numerals"
    PIPS = "pips"


class Feet(StrEnum):
    """Where the foot of a numeral points: to its corner, to the tile's centre, or all three the same way."""

    CORNER = "corner"
    CENTRE = "centre"
    UPRIGHT = "upright"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is known of a set before one of its faces is looked at; never what would be legal.

    `unseen` says of each tile, by its smallest rotation, how many may be the one looked at; what is
    missing there has been seen. None anywhere means: not known. `learnt` is what each reader, by its name,
    saw of the set when it was shown.
    """

    marks: Marks | None = None
    feet: Feet | None = None
    unseen: Mapping[tuple[int, ...], int] | None = None
    learnt: Mapping[str, Examples] = field(default_factory=dict)


NOTHING_EXPECTED = Expectation()


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What a face shows, for the pose it was cut with.

    `readings` are the likeliest few, best first, with probabilities that add up to at most 1; values are
    in the canonical order, NOT turned to the smallest rotation. `face_up` False means a tile's back
    (`readings` empty). `confidence` is the chance that the best reading is right, 0 when the face is not
    a tile at all. `agreed` tells whether two independent readers came to the same values.
    """

    readings: tuple[Reading, ...]
    face_up: bool
    confidence: float
    agreed: bool

    @property
    def values(self) -> tuple[int, ...]:
        """The likeliest values, () when there are none."""
        return self.readings[0].values if self.readings else ()


@dataclass(frozen=True, slots=True)
class Style:
    """How a set looks when it is drawn: colours are BGR, 0..255; sizes are relative (see each kind)."""

    face: tuple[int, int, int] = (205, 225, 232)
    ink: tuple[int, int, int] = (30, 28, 28)
    side: tuple[int, int, int] = (150, 175, 185)
    pin: tuple[int, int, int] | None = (70, 150, 190)
    pips: tuple[tuple[int, int, int], ...] = ()
    mark_size: float = 1.0
    variant: int = 0


class Kind(Protocol):
    """One kind of tile."""

    name: str
    face_size_px: tuple[int, int]  # width, height of the canonical face
    readers: tuple[str, str]  # the names of the networks
    nothing: int  # their class of what is no part of a tile

    def outline(self, shape: Shape) -> Points:
        """The sharp-cornered outline, (n, 2) mm, tile frame: origin at the centre, x along the angle,
        y 90 degrees clockwise from it; clockwise as seen. Triomino: in the order of `values`."""
        ...

    def face_from_tile(self, shape: Shape) -> Points:
        """The (3, 3) similarity or affinity that takes tile-frame mm to canonical face pixels."""
        ...

    def read(self, face: Image, highest: int, expected: Expectation = NOTHING_EXPECTED) -> FaceReading:
        """Read a canonical BGR face (height, width, 3) of a set with numbers 0..highest."""
        ...

    def crops(self, face: Image, feet: Feet | None = None) -> Floats:
        """What the networks are shown of a face, (ways, parts, 3, height, width).

        There are several ways where, with such feet, it is open which way round the marks stand.
        """
        ...

    def classes(self, values: tuple[int, ...], marks: Marks | None = None) -> tuple[int, ...]:
        """The networks' classes of numbers that are shown by such marks."""
        ...

    def numbers(self, chances: Chances, marks: Marks | None = None) -> Chances:
        """The chances of the networks' classes, (parts, classes), as those of numbers, for a face that is face up."""
        ...

    def draw(self, values: tuple[int, ...], style: Style, scale: int = 4) -> Image:
        """Draw the face, BGRA (height*scale, width*scale, 4), alpha 0 outside the rounded outline.
        `values` () draws the back."""
        ...


def kinds() -> dict[str, Kind]:
    """All kinds by name."""
    from vision.kinds import domino, triomino

    return {kind.name: kind for kind in (domino.KIND, triomino.KIND)}
