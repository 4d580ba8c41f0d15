"""Made-up pictures as a labelled folder."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.commands.scoring import Labels
from referee.tiles import DOMINO, TRIOMINO, smallest_rotation
from vision.scenes import Piece, SeenPiece
from vision.scenes import __main__ as command

SQUARE = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0)])


def test_a_folder_of_made_up_pictures_is_read_as_labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["scenes", "--out", str(tmp_path / "made"), "--count", "2", "--seed", "4", "--kind", DOMINO]
    monkeypatch.setattr(sys, "argv", asked)
    command.main()
    labels = Labels.read(tmp_path / "made" / "labels.json")
    assert labels.kind == DOMINO
    assert len(labels.pictures) == 2
    for picture in labels.pictures:
        image = cv2.imread(str(tmp_path / "made" / picture.file))
        assert image is not None
        assert picture.tiles
        for tile in picture.tiles:
            x, y = tile.centre
            assert 0 <= x < image.shape[1]
            assert 0 <= y < image.shape[0]
            assert tile.face_up == bool(tile.values)
            assert not tile.values or tile.values == smallest_rotation(tile.values)


def test_a_tiles_corners_are_turned_with_its_numbers() -> None:
    domino = SeenPiece(Piece(DOMINO, (5, 2), 0.0, 0.0, 0.0), np.eye(3), SQUARE, 1.0)
    told = command.labelled_tile(domino, DOMINO)
    assert told["pips"] == [2, 5]
    assert told["corners"] == [[10.0, 20.0], [0.0, 20.0], [0.0, 0.0], [10.0, 0.0]]
    triomino = SeenPiece(Piece(TRIOMINO, (3, 1, 2), 0.0, 0.0, 0.0), np.eye(3), SQUARE[:3], 1.0)
    told = command.labelled_tile(triomino, TRIOMINO)
    assert told["values"] == [1, 2, 3]
    assert told["corners"] == [[10.0, 0.0], [10.0, 20.0], [0.0, 0.0]]
    back = SeenPiece(Piece(TRIOMINO, (), 0.0, 0.0, 0.0), np.eye(3), SQUARE[:3], 1.0)
    assert command.labelled_tile(back, TRIOMINO)["values"] is None
