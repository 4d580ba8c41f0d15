"""`referee robustness`: one disturbance at a time, always the same, with labels that move along."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.__main__ import main
from referee.commands.robustness import disturbed, ratio
from referee.commands.scoring import LabelledPicture, LabelledTile, Score
from vision.disturb import TRIALS

PICTURE = Path(__file__).parents[1] / "fixtures" / "dominoes_end_mismatch.jpg"
ON_IT = {(6, 6): (820.7, 665.3), (0, 6): (731.1, 672.4), (5, 6): (910.5, 661.9), (0, 0): (640.8, 674.6)}
AROUND = [[[930, 560], [1200, 560], [1200, 760], [930, 760]], [[500, 600], [590, 600], [590, 760], [500, 760]]]


@pytest.fixture
def folder(tmp_path):
    """A labelled folder with one photograph, of which four tiles are counted."""
    shutil.copy(PICTURE, tmp_path / "one.jpg")
    tiles = [
        {"pips": list(pips), "center": list(centre), "corners": None, "approx_length": 114, "face_up": True}
        for pips, centre in ON_IT.items()
    ]
    image = {"file": "one.jpg", "view": "overhead", "set": "double-six", "ignore": AROUND, "tiles": tiles}
    (tmp_path / "labels.json").write_text(json.dumps({"images": [image]}))
    return tmp_path


def test_each_row_is_held_against_the_undisturbed_pictures(capsys, folder):
    assert main(["robustness", str(folder), "--only", "half-size, shift", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer["disturbed"]) == ["shift", "half-size"]
    assert answer["undisturbed"]["exact"] == 4
    for row in answer["disturbed"].values():
        assert (row["tiles"], row["exact"], row["false"], row["ratio"]) == (4, 4, 0, 1.0)


def test_the_table_has_a_line_for_every_disturbance_and_says_what_it_is(capsys, folder):
    assert main(["robustness", str(folder), "--only", "light-0.4"]) == 0
    head, undisturbed, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["tiles", "located", "exact", "asked", "wrong", "false", "ratio"]
    assert undisturbed.split() == ["undisturbed", "4", "4", "4", "0", "0", "0", "100.0", "%"]
    assert row.split()[:2] == ["light-0.4", "4"]
    assert row.endswith("%  light times 0.4")


def test_what_can_be_disturbed_is_listed(capsys, folder):
    assert main(["robustness", str(folder), "--only", "help"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(TRIALS)
    assert set(TRIALS) == {
        *("shift", "rotation", "light-0.4", "light-0.6", "light-1.4", "ramp", "half-shadow", "blur-1.5", "blur-2.5"),
        *("noise", "balance-0.95-1.05", "balance-0.9-1.1", "balance-0.85-1.1", "balance-0.75-1.2"),
        *("jpeg", "half-size"),
    }


@pytest.mark.parametrize(
    ("content", "only", "says"),
    [
        (None, "", "expected a folder with labels.json"),
        ("{", "", "expected labels"),
        ("{}", "fog,shift", "expected --only with names out of shift, rotation"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(capsys, tmp_path, content, only, says):
    if content is not None:
        (tmp_path / "labels.json").write_text(content)
    assert main(["robustness", str(tmp_path), "--only", only]) == 64
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def spotted(width=320, height=240, spot=(200, 90)):
    picture = np.full((height, width, 3), 60, np.uint8)
    cv2.circle(picture, spot, 8, (200, 210, 220), -1, cv2.LINE_AA)
    tile = LabelledTile((1, 2), (float(spot[0]), float(spot[1])), 40.0, True, None)
    return picture, LabelledPicture("one.jpg", (tile,), (), ())


def middle(picture):
    soft = cv2.GaussianBlur(picture[..., 1].astype(np.float32), (0, 0), 2.0)
    weight = np.clip(soft - (soft.max() + np.median(soft)) / 2, 0, None)
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    return (x * weight).sum() / weight.sum(), (y * weight).sum() / weight.sum()


@pytest.mark.parametrize("name", [name for name in TRIALS if name not in ("ramp", "half-shadow")])
def test_labels_lie_where_the_pixels_went_and_a_picture_is_always_disturbed_alike(name):
    image, labelled = spotted()
    worse, moved = disturbed(image, labelled, TRIALS[name], 4)
    again, _ = disturbed(image, labelled, TRIALS[name], 4)
    assert not np.array_equal(worse, image)
    assert np.array_equal(worse, again)
    assert moved.tiles[0].centre == pytest.approx(middle(worse), abs=0.6)


def test_geometry_is_as_much_as_it_says():
    image, labelled = spotted()
    (x, y), size = labelled.tiles[0].centre, labelled.tiles[0].size
    shifted = disturbed(image, labelled, TRIALS["shift"], 0)[1].tiles[0]
    assert np.hypot(shifted.centre[0] - x, shifted.centre[1] - y) == pytest.approx(12.0)
    worse, half = disturbed(image, labelled, TRIALS["half-size"], 0)
    assert (worse.shape, half.tiles[0].size) == ((120, 160, 3), pytest.approx(size / 2))
    worse, turned = disturbed(image, labelled, TRIALS["rotation"], 0)
    assert turned.tiles[0].size == pytest.approx(size)
    assert worse.shape[1] > image.shape[1]


@pytest.mark.parametrize("spot", [(2, 2), (317, 2), (2, 237), (317, 237)])
def test_a_rotation_loses_no_corner_of_the_picture(spot):
    dot = LabelledTile((1, 2), spot, 2.0, True, None)
    _, turned = disturbed(spotted()[0], LabelledPicture("one.jpg", (dot,), (), ()), TRIALS["rotation"], 0)
    assert len(turned.tiles) == 1


def test_light_is_as_much_as_it_says():
    image = np.full((20, 101, 3), 200, np.uint8)
    labelled = LabelledPicture("one.jpg", (), (), ())
    ramp, shadow, balance = (
        disturbed(image, labelled, TRIALS[name], 0)[0] for name in ("ramp", "half-shadow", "balance-0.75-1.2")
    )
    assert (ramp[5, 0, 0], ramp[5, -1, 0]) == (90, 200)
    assert (shadow[5, 49, 0], shadow[5, 52, 0]) == (200, 100)
    assert balance[5, 5].tolist() == [150, 200, 240]


def test_the_ratio_compares_shares_since_a_shift_may_cut_a_tile_off():
    undisturbed = Score(tiles=10, exact=8)
    assert ratio(Score(tiles=9, exact=7), undisturbed) == pytest.approx(7 / 9 / 0.8, abs=1e-4)
    assert ratio(Score(tiles=10, exact=8), Score(tiles=10)) is None
