"""`referee sequence` on labelled sequences of either format: the counts, and one line for bad input."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.tileset import TileSet, save
from referee.__main__ import main
from referee.commands.labels import Label, Picture, read
from referee.commands.sequence import Tally, as_labelled, compare, upright
from referee.rulings import Reason
from referee.sighting import SeenTile
from referee.tiles import Shape
from vision.kinds import Style, kinds

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
KEYS = (
    "steps position exact asked false_moves busy_frames busy_right removals removals_right "
    "rulings rulings_right seconds_per_step"
)
TILE = SeenTile("domino", (0, 6), 300.0, 200.0, 30.0)
LABEL = Label((0, 6), 301.0, 200.0, 32.0, True, "ok")


@pytest.fixture
def measured(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    def measure(*arguments: str) -> dict[str, Any]:
        assert main(["sequence", *arguments, "--json"]) == 0
        return dict(json.loads(capsys.readouterr().out))

    return measure


def test_a_recorded_sequence_is_counted_and_ruled_on(measured: Callable[..., dict[str, Any]]) -> None:
    result = measured(str(PICTURES), "--name", "d1", "--game", "fr-domino")
    assert list(result) == KEYS.split()
    assert (result["steps"], result["position"], result["exact"], result["asked"]) == (2, 2, 2, 0)
    assert (result["busy_frames"], result["busy_right"]) == (1, 1)
    assert result["rulings"] == 2
    assert 0 < result["seconds_per_step"] < 2


def test_a_wrong_label_is_counted_as_wrong(
    tmp_path: Path, measured: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    labels = json.loads((PICTURES / "sequences.json").read_text())
    domino = next(sequence for sequence in labels["sequences"] if sequence["name"] == "d1")
    domino["frames"][0]["tile"]["values"] = [5, 5]
    domino["frames"][-1]["tile"]["x_mm"] += 20.0
    for file in PICTURES.glob("d1_*.jpg"):
        shutil.copy(file, tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    result = measured(str(tmp_path / "labels.json"), "--name", "d1")
    assert (result["position"], result["exact"], result["asked"]) == (1, 0, 0)
    assert result["false_moves"] == 2  # one that no label tells of, and the one that lies elsewhere than labelled
    assert main(["sequence", str(tmp_path / "labels.json"), "--name", "d1"]) == 0
    assert "wrong: (5, 5), read (6, 6)" in capsys.readouterr().out


def photographed(folder: Path) -> Path:
    """Three photographs of a drawn board with a grid, each from a little to the side of the one before."""
    corners = np.array([[30.0, 30.0], [770.0, 30.0], [770.0, 770.0], [30.0, 770.0]])
    grid = np.array([[100.0, 100.0], [700.0, 100.0], [700.0, 700.0], [100.0, 700.0]])
    board = np.full((800, 800, 3), (40, 50, 70), np.uint8)
    cv2.rectangle(board, (100, 100), (700, 700), (120, 120, 30), -1)
    for line in range(100, 701, 40):
        cv2.line(board, (line, 100), (line, 700), (60, 60, 20), 1)
        cv2.line(board, (100, line), (700, line), (60, 60, 20), 1)
    board[300:340, 40:80] = 220  # a printed square
    laid = {"p1": ((3, 5), ("8H", "8I"), (400, 420)), "p2": ((4, 1), ("7J", "8J"), (500, 400))}
    photos = []
    for number, name in enumerate(("p0", "p1", "p2")):
        if number:
            pips, cells, (x, y) = laid[name]
            face = cv2.resize(kinds()["domino"].draw(pips, Style(), 1), (76, 38), interpolation=cv2.INTER_AREA)
            face = face if cells[0][:-1] == cells[1][:-1] else cv2.rotate(face, cv2.ROTATE_90_CLOCKWISE)
            height, width = face.shape[:2]
            top, left = y - height // 2, x - width // 2
            cover = face[..., 3:] / 255
            part = board[top : top + height, left : left + width]
            part[:] = (face[..., :3] * cover + part * (1 - cover)).astype(np.uint8)
        shift = np.array([3.0, -2.0]) * number
        moved = cv2.warpAffine(board, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), (800, 800))
        cv2.imwrite(str(folder / f"{name}.png"), cv2.convertScaleAbs(moved, alpha=1.0 - 0.04 * number))
        photo = {
            "file": f"{name}.png",
            "board_corners": (corners + shift).tolist(),
            "grid_corners": (grid + shift).tolist(),
        }
        if number:
            photo["placed"] = {"pips": pips, "cells": cells, "center": [x + shift[0], y + shift[1]]}
        photos.append(photo)
    first = {**photos[0], "tiles": []}
    labels = {"image_size": [800, 800], "sequences": [{"name": "p", "initial": first, "photos": photos[1:]}]}
    (folder / "sequences.json").write_text(json.dumps(labels))
    return folder


def test_photographs_of_a_board_are_counted(tmp_path: Path, measured: Callable[..., dict[str, Any]]) -> None:
    result = measured(str(photographed(tmp_path)), "--copies", "2")
    assert (result["steps"], result["position"], result["exact"], result["false_moves"]) == (2, 2, 2, 0)
    assert (result["busy_frames"], result["removals"], result["rulings"]) == (0, 0, 0)


def test_photographs_tell_the_eye_of_corners_and_of_the_tiles_at_the_start_only(tmp_path: Path) -> None:
    labels = json.loads((photographed(tmp_path) / "sequences.json").read_text())
    labels["sequences"][0]["initial"]["tiles"] = [{"pips": [5, 2], "cells": ["3C", "3D"]}]
    (tmp_path / "sequences.json").write_text(json.dumps(labels))
    (sequence,) = read(tmp_path)
    (tile,) = sequence.lying
    assert (tile.values, tile.angle_deg) == ((2, 5), 180.0)
    assert (tile.x_mm, tile.y_mm) == (pytest.approx(42.0 + 72.0, abs=0.5), pytest.approx(42.0 + 60.0, abs=0.5))
    assert sequence.profile.shape == Shape.domino(48.0, 24.0, 8.0)
    first, second = sequence.pictures
    assert first.tile is not None and second.tile is not None  # noqa: PT018  # both were placed
    assert (first.tile.values, first.tile.angle_deg) == ((3, 5), 0.0)
    assert (second.tile.values, second.tile.angle_deg) == ((1, 4), -90.0)


def test_pictures_can_be_made_worse_first(
    measured: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    worse = measured(str(PICTURES), "--name", "d1", "--disturb", "warm,shift", "--disturb-from", "0.5")
    assert (worse["steps"], worse["exact"], worse["asked"]) == (2, 2, 0)
    assert main(["sequence", str(PICTURES), "--name", "d1", "--disturb", "noise,blur,dim", "--disturb-seed", "2"]) == 0
    shown = capsys.readouterr().out
    assert main(["sequence", str(PICTURES), "--name", "d1"]) == 0
    assert shown != capsys.readouterr().out
    assert main(["sequence", "anywhere", "--disturb", "help"]) == 0
    assert "shade" in capsys.readouterr().out


def test_a_set_of_tiles_can_be_named(
    tmp_path: Path, measured: Callable[..., dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "set.json"
    save(TileSet("fives", Shape.domino(48.0, 24.0, 8.0), 5, None), file)
    assert (
        measured(str(PICTURES), "--name", "d1", "--set", str(file))["asked"] == 2
    )  # its tiles go to five, these to six
    assert measured(str(PICTURES), "--name", "d1", "--set", str(file), "--highest", "6")["exact"] == 2
    assert main(["sequence", str(PICTURES), "--name", "t1", "--set", str(file)]) == 64
    assert "expected a triomino set" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.json"],
        [__file__],
        [str(PICTURES), "--name", "x9"],
        [str(PICTURES), "--hold", "0"],
        [str(PICTURES), "--game", "chess"],
        [str(PICTURES), "--disturb", "fog"],
        [str(PICTURES), "--set", "missing.json"],
    ],
)
def test_bad_input_is_one_line_and_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sequence", *arguments]) == 64
    assert capsys.readouterr().err.count("\n") == 1


def counted(event: str, before: tuple[SeenTile, ...], now: tuple[SeenTile, ...]) -> Tally:
    tally = Tally()
    compare(Picture("x.jpg", False, event, LABEL), before, now, 48.0, tally)
    return tally


def test_a_tile_is_found_within_a_quarter_of_its_long_side() -> None:
    assert counted("placed", (), (TILE,)).position == 1
    far = SeenTile("domino", (0, 6), 314.0, 200.0, 30.0)
    tally = counted("placed", (), (far,))
    assert (tally.steps, tally.position, tally.false_moves) == (1, 0, 1)


def test_a_tile_read_without_confidence_is_asked_and_not_exact() -> None:
    tally = counted("placed", (), (SeenTile("domino", (0, 6), 300.0, 200.0, 30.0, confidence=0.6),))
    assert (tally.position, tally.exact, tally.asked) == (1, 0, 1)


def test_a_tile_read_the_wrong_way_round_is_not_exact() -> None:
    assert not upright(LABEL, SeenTile("domino", (0, 6), 300.0, 200.0, 210.0))
    assert counted("placed", (), (SeenTile("domino", (0, 6), 300.0, 200.0, 210.0),)).exact == 0


def test_a_tile_that_goes_counts_as_removed_only_where_it_was_taken() -> None:
    assert counted("removed", (TILE,), ()).removals_right == 1
    tally = counted("removed", (TILE,), (TILE,))
    assert (tally.removals, tally.removals_right) == (1, 0)
    elsewhere = SeenTile("domino", (1, 1), 100.0, 100.0, 0.0)
    assert counted("removed", (TILE, elsewhere), ()).false_moves == 1


@pytest.mark.parametrize(
    ("rulings", "legal", "why", "right"),
    [
        ((Reason.OK_PLACE,), True, "ok", True),
        ((Reason.END_MISMATCH,), False, "end", True),
        ((Reason.NOT_CONNECTED,), False, "not-connected", True),
        ((Reason.EDGE_MISMATCH,), False, "corner", False),
        ((Reason.EDGE_MISMATCH,), True, "ok", False),
        ((), True, "ok", False),
        ((Reason.OK_PLACE, Reason.OK_PLACE), True, "ok", False),
    ],
)
def test_a_ruling_is_right_when_it_is_the_labelled_one(
    rulings: tuple[Reason, ...], legal: bool, why: str, right: bool
) -> None:
    assert as_labelled(rulings, Label((0, 6), 0.0, 0.0, 0.0, legal, why)) is right
