"""Doubtful faces, and what is known of the set."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from calibration.tileset import TileSet
from referee.sighting import Reading
from referee.tiles import Shape
from vision.faces import CLEAR, Faces
from vision.kinds import NOTHING_EXPECTED, Expectation, FaceReading, Feet, Image, Marks, Points, Style

FACE = np.zeros((144, 144, 3), np.uint8)
SHAPE = Shape.triomino()
DOUBTFUL = FaceReading((Reading((0, 1, 2), 0.5), Reading((0, 2, 1), 0.3)), face_up=True, confidence=0.5, agreed=False)


def sure(values: tuple[int, ...], confidence: float) -> FaceReading:
    return FaceReading((Reading(values, confidence),), face_up=True, confidence=confidence, agreed=True)


@dataclass
class Told:
    """A kind of tile that reads what it is told to: without the tiles left, and with them."""

    plain: FaceReading
    weighed: FaceReading
    heard: list[Expectation] = field(default_factory=list)
    name: str = "triomino"
    face_size_px: tuple[int, int] = (144, 144)

    def read(self, face: Image, highest: int, expected: Expectation = NOTHING_EXPECTED) -> FaceReading:
        self.heard.append(expected)
        return self.plain if expected.unseen is None else self.weighed

    def outline(self, shape: Shape) -> Points:
        raise NotImplementedError

    def face_from_tile(self, shape: Shape) -> Points:
        raise NotImplementedError

    def draw(self, values: tuple[int, ...], style: Style, scale: int = 4) -> Image:
        raise NotImplementedError


def faces(plain: FaceReading, weighed: FaceReading) -> tuple[Faces, Told]:
    kind = Told(plain, weighed)
    reader = Faces(kind, 5)
    reader.tileset = TileSet("set", SHAPE, 5)
    return reader, kind


@pytest.mark.parametrize("values", [(0, 1, 2), (0, 2, 1)])
def test_the_tiles_left_settle_a_doubt_between_the_two_likeliest(values: tuple[int, ...]) -> None:
    settled = sure(values, 0.99)
    assert faces(DOUBTFUL, settled)[0].read(FACE, []) == settled


def test_a_tile_that_the_face_hardly_shows_is_put_first_but_not_believed() -> None:
    reading = faces(DOUBTFUL, sure((3, 4, 5), 0.99))[0].read(FACE, [])
    assert (reading.values, reading.confidence) == ((3, 4, 5), 0.5)


def test_a_doubt_that_the_tiles_left_make_only_fairly_clear_remains() -> None:
    reading = faces(DOUBTFUL, sure((0, 1, 2), 0.93))[0].read(FACE, [])
    assert reading.confidence <= CLEAR


def test_a_clear_face_stays_itself_whatever_is_left() -> None:
    clear = sure((1, 1, 1), 0.92)
    reader, kind = faces(clear, sure((0, 1, 2), 0.99))
    assert reader.read(FACE, [(1, 1, 1)]) == clear
    assert [expected.unseen for expected in kind.heard] == [None]


def test_what_is_hardly_a_face_is_not_made_one_by_the_tiles_left() -> None:
    hopeless = FaceReading((Reading((0, 1, 2), 0.2),), face_up=True, confidence=0.2, agreed=False)
    assert faces(hopeless, sure((0, 1, 2), 0.99))[0].read(FACE, []) == hopeless


def test_without_the_tiles_that_lie_there_nothing_is_weighed() -> None:
    assert faces(DOUBTFUL, sure((0, 1, 2), 0.99))[0].read(FACE) == DOUBTFUL


def test_what_lies_there_is_left_out_of_what_may_come() -> None:
    reader, kind = faces(DOUBTFUL, DOUBTFUL)
    reader.read(FACE, [(0, 1, 2)])
    unseen = kind.heard[-1].unseen
    assert unseen is not None
    assert (unseen[0, 1, 2], unseen[0, 1, 3]) == (0, 1)


def test_the_print_of_the_set_is_told_with_every_face() -> None:
    reader, kind = faces(DOUBTFUL, DOUBTFUL)
    reader.tileset = TileSet("set", SHAPE, 5, marks="numerals", feet="centre")
    reader.read(FACE)
    assert kind.heard == [Expectation(Marks.NUMERALS, Feet.CENTRE)]
