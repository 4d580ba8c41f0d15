"""`referee accuracy`: what counts as located, exact, asked, false and perfect."""

import json
import shutil
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.commands.scoring import Found, LabelledPicture, LabelledTile, Labels, score_picture

PICTURE = Path(__file__).parents[1] / "fixtures" / "dominoes_end_mismatch.jpg"
ON_IT = {
    (6, 6): (820.7, 665.3),
    (0, 6): (731.1, 672.4),
    (5, 6): (910.5, 661.9),
    (0, 0): (640.8, 674.6),
    (5, 5): (999.9, 657.3),
    (0, 2): (550.8, 678.6),
    (2, 4): (1090.5, 653.6),
}


def labels(**extra):
    tiles = [
        {"pips": list(pips), "center": list(centre), "corners": None, "approx_length": 114, "face_up": True}
        for pips, centre in ON_IT.items()
    ]
    image = {"file": "one.jpg", "view": "overhead", "set": "double-six", "style": "ivory", "ignore": [], "tiles": tiles}
    return {"format": "dominoes-real/1", "images": [image | extra]}


@pytest.fixture
def folder(tmp_path):
    shutil.copy(PICTURE, tmp_path / "one.jpg")
    (tmp_path / "labels.json").write_text(json.dumps(labels()))
    return tmp_path


def test_a_labelled_folder_is_read_and_counted(capsys, folder):
    assert main(["accuracy", str(folder), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    seconds = answer.pop("seconds_per_picture")
    parts = answer.pop("by")
    assert seconds > 0
    assert answer == {"pictures": 1, "tiles": 7, "located": 7, "exact": 7, "asked": 0, "false": 0, "perfect": 1}
    assert set(parts) == {"view=overhead", "set=double-six", "style=ivory"}
    assert parts["view=overhead"].items() >= answer.items()


def test_the_table_has_a_line_for_every_label(capsys, folder):
    assert main(["accuracy", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "pictures",
        "tiles",
        "located",
        "exact",
        "asked",
        "wrong",
        "false",
        "perfect",
        "seconds",
    ]
    assert [line.split()[0] for line in lines[1:]] == ["all", "set=double-six", "style=ivory", "view=overhead"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "labels.json"),
        ("{", "expected labels"),
        ('{"images": []}', "expected labels"),
        (json.dumps(labels(file="lost.jpg")), "lost.jpg"),
    ],
)
def test_a_folder_without_proper_labels_is_a_usage_error(capsys, tmp_path, content, says):
    if content is not None:
        (tmp_path / "labels.json").write_text(content)
    assert main(["accuracy", str(tmp_path)]) == 64
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def tile(values, x, face_up=True, glyph=None):
    return LabelledTile(values, (x, 0.0), 100.0, face_up, glyph)


def find(values, x, sure=True):
    return Found(values, (x, 0.0), 100.0, sure)


def picture(*tiles, ignore=()):
    return LabelledPicture("one.jpg", tiles, ignore, ())


def counts(score):
    return (score.tiles, score.located, score.exact, score.asked, score.wrong, score.false, score.perfect)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([find((1, 2), 10)], (1, 1, 1, 0, 0, 0, 1)),
        ([find((2, 1), 10)], (1, 1, 1, 0, 0, 0, 1)),  # in either order
        ([find((1, 3), 10)], (1, 1, 0, 0, 1, 0, 0)),  # surely wrong
        ([find((1, 2), 10, sure=False)], (1, 1, 0, 1, 0, 0, 0)),  # right, but asked
        ([find((1, 2), 26)], (1, 0, 0, 0, 0, 1, 0)),  # further than a quarter of the long side
        ([find((1, 2), 26, sure=False)], (1, 0, 0, 0, 0, 0, 0)),
        ([find((1, 2), 0), find((4, 4), 300)], (1, 1, 1, 0, 0, 1, 0)),  # exact, yet not perfect
        ([], (1, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_one_find_counts_as_it_should(found, expected):
    assert counts(score_picture(picture(tile((1, 2), 0.0)), found, 1.0)[""]) == expected


def test_a_find_in_an_ignored_region_is_neither_right_nor_wrong():
    region = ((250, -50), (350, -50), (350, 50), (250, 50))
    score = score_picture(picture(tile((1, 2), 0.0), ignore=(region,)), [find((1, 2), 0), find((3, 3), 300)], 1.0)[""]
    assert (score.false, score.perfect) == (0, 1)


def test_a_triomino_is_exact_up_to_rotation_but_not_mirrored():
    labelled = picture(tile((0, 1, 2), 0.0))
    assert score_picture(labelled, [find((2, 0, 1), 0)], 1.0)[""].exact == 1
    assert score_picture(labelled, [find((0, 2, 1), 0)], 1.0)[""].exact == 0


def test_face_down_tiles_are_not_counted_and_glyphs_are_counted_by_tile():
    labelled = picture(
        tile((0, 1, 2), 0.0, glyph="digit"), tile((), 300.0, face_up=False), tile((1, 1, 1), 600.0, glyph="pips")
    )
    scores = score_picture(labelled, [find((0, 1, 2), 0)], 1.0)
    assert counts(scores[""])[:3] == (2, 1, 1)
    assert counts(scores["glyph=digit"])[:3] == (1, 1, 1)
    assert counts(scores["glyph=pips"])[:3] == (1, 0, 0)


def test_labels_with_boxes_to_ignore_are_read(tmp_path):
    image = {
        "file": "t.png",
        "view": "overhead",
        "kind": "photo",
        "ignore": [[10, 20, 30, 40]],
        "tiles": [
            {
                "values": [0, 1, 2],
                "center": [5, 6],
                "corners": [[0, 0], [30, 40], [9, 9]],
                "face_up": True,
                "glyph": "digit",
            }
        ],
    }
    (tmp_path / "labels.json").write_text(json.dumps({"images": [image]}))
    read = Labels.read(tmp_path / "labels.json")
    assert read.kind == "triomino"
    assert read.pictures[0].ignore == (((10, 20), (30, 20), (30, 40), (10, 40)),)
    assert read.pictures[0].tiles[0].size == 50
    assert read.pictures[0].about == (("view", "overhead"), ("kind", "photo"))
