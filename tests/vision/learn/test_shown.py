"""Finding the faces that pictures show, and what is no set."""

from __future__ import annotations

import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO
from tests.vision.showing import SHAPES, shown, whole_set
from vision.kinds import Image
from vision.learn import Face, NothingToLearnError, find, measure
from vision.scenes import Picture

PX_PER_MM = 2.5


@pytest.fixture(scope="module")
def triominoes() -> Picture:
    return shown(TRIOMINO, whole_set(TRIOMINO, 3))


@pytest.fixture(scope="module")
def dominoes() -> Picture:
    return shown(DOMINO, whole_set(DOMINO, 3))


@pytest.fixture(scope="module")
def faces(dominoes: Picture) -> list[Face]:
    kind, found = find([dominoes.image], None, 6)
    assert kind == DOMINO
    return found


def test_every_tile_is_found_and_the_kind_too(triominoes: Picture) -> None:
    kind, found = find([triominoes.image], None, None)
    assert (kind, len(found)) == (TRIOMINO, 20)
    true = np.array([tile.outline_px.mean(0) for tile in triominoes.tiles])
    assert all(np.hypot(*(true - face.corners.mean(0)).T).min() < 5 for face in found)


def test_a_picture_without_tiles_teaches_nothing() -> None:
    bare: Image = np.full((300, 400, 3), 90, np.uint8)
    with pytest.raises(NothingToLearnError, match="found none in 1 pictures"):
        find([bare], None, None)


def test_tiles_of_two_kinds_are_no_set(triominoes: Picture, dominoes: Picture) -> None:
    with pytest.raises(NothingToLearnError, match="tiles of one kind"):
        find([triominoes.image, dominoes.image], None, None)


def test_the_ratio_of_the_sides_is_measured_where_only_the_length_is_known(faces: list[Face]) -> None:
    shape = measure.size_by_ratio(DOMINO, faces, 48.0, 8.0)
    assert (shape.length_mm, shape.thickness_mm) == (48.0, 8.0)
    assert shape.width_mm == pytest.approx(SHAPES[DOMINO].width_mm, abs=0.8)


def test_the_colours_of_tile_and_marks_are_those_of_the_style(faces: list[Face]) -> None:
    cuts = [face.cut for face in faces]
    values = whole_set(DOMINO, 3)
    read = measure.colours(DOMINO, cuts, [values[-1]] * len(cuts), 3)
    face, mark = (
        np.array([int(each[at : at + 2], 16) for at in (1, 3, 5)]) for each in (read.face, read.marks[3] or "")
    )
    assert face.min() > mark.max() + 60
    assert read.marks[:3] == (None, None, None)
    assert abs(int(face[0]) - int(face[2])) < 60
