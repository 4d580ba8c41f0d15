"""How thick tiles are, told by two pictures of them from two places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.profile import Mat
from calibration.table import find_pose
from referee.tiles import DOMINO, TRIOMINO, Shape
from tests.vision.showing import eye_at, on_mat, seen_from, whole_set
from vision.kinds import kinds
from vision.learn import Face, Thickness
from vision.learn.thickness import measured
from vision.scenes import Piece
from vision.scenes.optics import Optics
from vision.still.reading import cut_face

HERE, ASIDE = eye_at(300, 200, 720), eye_at(420, 230, 740)


def shape_of(kind: str, thickness_mm: float) -> Shape:
    return Shape.domino(thickness_mm=thickness_mm) if kind == DOMINO else Shape.triomino(thickness_mm=thickness_mm)


def told(shape: Shape, shown: Sequence[tuple[Optics, Sequence[Piece]]]) -> tuple[list[Face], Thickness]:
    """What pictures tell of which the faces have been found."""
    kind, faces, images, poses = kinds()[shape.kind], [], [], []
    for number, (eye, pieces) in enumerate(shown):
        picture = seen_from(shape, pieces, eye, number + 1)
        pose = find_pose(picture.image, eye.camera, Mat())
        assert pose is not None
        images.append(picture.image)
        poses.append(pose)
        faces += [Face(number, one.outline_px, cut_face(picture.image, kind, one.outline_px)) for one in picture.tiles]
    return measured(kind, faces, images, HERE.camera, poses)


@pytest.mark.parametrize(("kind", "thickness_mm"), [(DOMINO, 5.0), (DOMINO, 12.0), (TRIOMINO, 6.0), (TRIOMINO, 9.0)])
def test_tiles_seen_from_two_places_tell_how_thick_they_are(kind: str, thickness_mm: float) -> None:
    pieces = on_mat(kind, whole_set(kind, 3)[:10])
    faces, thick = told(shape_of(kind, thickness_mm), [(HERE, pieces), (ASIDE, pieces)])
    assert thick.thickness_mm == pytest.approx(thickness_mm, abs=0.7)
    assert thick.is_clear
    assert thick.tiles >= 8
    assert thick.spread_mm < 0.3
    assert [face.picture for face in faces] == [0] * 10


def test_tiles_that_only_the_second_picture_shows_stay() -> None:
    pieces = on_mat(TRIOMINO, whole_set(TRIOMINO, 2))
    faces, thick = told(Shape.triomino(), [(HERE, pieces[:6]), (ASIDE, pieces)])
    assert thick.is_clear
    assert [face.picture for face in faces] == [0] * 6 + [1] * 4


def test_two_pictures_from_the_same_place_tell_nothing() -> None:
    pieces = on_mat(TRIOMINO, whole_set(TRIOMINO, 2))
    faces, thick = told(Shape.triomino(), [(HERE, pieces), (eye_at(310, 200, 720), pieces)])
    assert (thick.seen_again, thick.tiles, thick.is_clear) == (10, 0, False)
    assert len(faces) == 10


def test_other_tiles_in_the_same_places_are_other_tiles() -> None:
    values = whole_set(TRIOMINO, 3)
    faces, thick = told(
        Shape.triomino(), [(HERE, on_mat(TRIOMINO, values[:10])), (ASIDE, on_mat(TRIOMINO, values[10:]))]
    )
    assert thick.seen_again == 0
    assert np.isnan(thick.thickness_mm)
    assert len(faces) == 20


def test_tiles_that_were_moved_in_between_tell_nothing() -> None:
    pieces = on_mat(DOMINO, whole_set(DOMINO, 3))
    slips = np.random.default_rng(5).normal(0, 1.0, (len(pieces), 2)).tolist()
    moved = [replace(one, x_mm=one.x_mm + x, y_mm=one.y_mm + y) for one, (x, y) in zip(pieces, slips, strict=True)]
    _, thick = told(Shape.domino(), [(HERE, pieces), (ASIDE, moved)])
    assert not thick.is_clear


def test_a_thickness_that_no_tile_has_is_not_believed() -> None:
    pieces = on_mat(DOMINO, whole_set(DOMINO, 3))
    _, thick = told(shape_of(DOMINO, 18.0), [(HERE, pieces), (ASIDE, pieces)])
    assert thick.thickness_mm == pytest.approx(18.0, abs=0.7)
    assert not thick.is_clear


def test_one_picture_tells_nothing() -> None:
    faces, thick = told(Shape.domino(), [(HERE, on_mat(DOMINO, whole_set(DOMINO, 2)))])
    assert (len(faces), thick.seen_again, thick.is_clear) == (6, 0, False)
