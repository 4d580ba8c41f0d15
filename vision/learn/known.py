"""A kind of tile as it reads one set that is known."""

from __future__ import annotations

from dataclasses import replace

from calibration.tileset import TileSet
from referee.tiles import Shape
from vision.kinds import (
    NOTHING_EXPECTED,
    Chances,
    Expectation,
    FaceReading,
    Feet,
    Floats,
    Image,
    Kind,
    Marks,
    Points,
    Style,
    kinds,
)
from vision.learn import sheet
from vision.learn.evidence import Evidence


def kind_of(tileset: TileSet) -> Kind:
    """The kind of tile of a set, reading by what is known of the set and what was shown of it.

    Raises:
        TileSetError: if the picture of its faces is not there.
    """
    kind = kinds()[tileset.shape.kind]
    marks = Marks(tileset.marks) if tileset.marks else None
    feet = Feet(tileset.feet) if tileset.feet else None
    if tileset.shown is None:
        return Known(kind, Expectation(marks, feet)) if marks or feet else kind
    evidence = Evidence(kind, sheet.read(tileset, kind), marks, feet)
    return Known(kind, Expectation(marks, feet, learnt=evidence.examples(tileset.shown.values)))


class Known:
    """A kind of tile whose faces are read with what is known of a set; all else is as the kind has it."""

    def __init__(self, kind: Kind, known: Expectation) -> None:
        self.name, self.face_size_px = kind.name, kind.face_size_px
        self.readers, self.nothing = kind.readers, kind.nothing
        self._kind = kind
        self.known = known

    def read(self, face: Image, highest: int, expected: Expectation = NOTHING_EXPECTED) -> FaceReading:
        """Read a canonical face; what is expected besides counts for more."""
        both = replace(
            self.known,
            marks=expected.marks or self.known.marks,
            feet=expected.feet or self.known.feet,
            unseen=expected.unseen,
        )
        return self._kind.read(face, highest, both)

    def outline(self, shape: Shape) -> Points:
        """The sharp-cornered outline."""
        return self._kind.outline(shape)

    def face_from_tile(self, shape: Shape) -> Points:
        """The way from the tile's frame to the face."""
        return self._kind.face_from_tile(shape)

    def crops(self, face: Image, feet: Feet | None = None) -> Floats:
        """What the networks are shown of a face."""
        return self._kind.crops(face, feet)

    def classes(self, values: tuple[int, ...], marks: Marks | None = None) -> tuple[int, ...]:
        """The networks' classes of numbers."""
        return self._kind.classes(values, marks)

    def numbers(self, chances: Chances, marks: Marks | None = None) -> Chances:
        """The chances of classes as those of numbers."""
        return self._kind.numbers(chances, marks)

    def draw(self, values: tuple[int, ...], style: Style, scale: int = 4) -> Image:
        """Draw the face."""
        return self._kind.draw(values, style, scale)
