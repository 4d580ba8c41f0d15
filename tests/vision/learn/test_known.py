"""The file of a set that was shown, and the kind of tile that reads by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.tileset import Shown, TileSet, TileSetError, load, save
from referee.tiles import DOMINO, Shape
from tests.vision.showing import whole_set
from vision.kinds import FaceReading, Image, Kind, Style, kinds
from vision.learn import kind_of, sheet

VALUES = tuple(whole_set(DOMINO, 3))


@pytest.fixture
def faces() -> list[Image]:
    drawn = [kinds()[DOMINO].draw(each, Style(pin=None), 1)[..., :3] for each in VALUES]
    return [np.ascontiguousarray(face) for face in drawn]


@pytest.fixture
def tileset(tmp_path: Path, faces: list[Image]) -> TileSet:
    shown = Shown(sheet.write(faces, tmp_path, "kitchen"), VALUES)
    return TileSet("kitchen", Shape.domino(), 3, shown=shown)


def test_the_faces_are_read_back_as_they_were_written(tileset: TileSet, faces: list[Image]) -> None:
    back = sheet.read(tileset, kinds()[DOMINO])
    assert all(np.array_equal(one, other) for one, other in zip(back, faces, strict=True))


def test_a_set_that_was_shown_is_read_by_its_examples(tmp_path: Path, tileset: TileSet, faces: list[Image]) -> None:
    save(tileset, tmp_path / "kitchen.json")
    kind = kind_of(load(tmp_path / "kitchen.json"))
    readings: list[FaceReading] = [kind.read(face, 3) for face in faces]
    plain = [kinds()[DOMINO].read(face, 3) for face in faces]
    assert [one.values for one in readings] == list(VALUES)
    assert sum(one.confidence for one in readings) > sum(one.confidence for one in plain)


def test_a_set_of_which_nothing_is_known_is_read_as_any() -> None:
    assert kind_of(TileSet("plain", Shape.domino(), 6)) is kinds()[DOMINO]


def test_all_else_is_as_the_kind_has_it(tileset: TileSet) -> None:
    own, plain = kind_of(tileset), kinds()[DOMINO]
    assert own is not plain
    for name in ("outline", "face_from_tile"):
        assert np.array_equal(getattr(own, name)(Shape.domino()), getattr(plain, name)(Shape.domino()))
    assert (own.name, own.face_size_px, own.readers) == (plain.name, plain.face_size_px, plain.readers)


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_faces_that_are_not_there_are_told_by_name(tileset: TileSet, content: bytes | None) -> None:
    assert tileset.shown is not None
    tileset.shown.picture.unlink() if content is None else tileset.shown.picture.write_bytes(content)
    with pytest.raises(TileSetError, match=r"kitchen.*png"):
        kind_of(tileset)


def test_a_picture_of_another_number_of_faces_is_refused(tileset: TileSet) -> None:
    assert tileset.shown is not None
    many = replace(tileset, shown=Shown(tileset.shown.picture, VALUES * 3))
    with pytest.raises(TileSetError, match="30 faces"):
        kind_of(many)


def test_it_is_a_kind(tileset: TileSet) -> None:
    own: Kind = kind_of(tileset)
    assert own.draw((1, 2), Style(), 1).shape == (80, 160, 4)
