"""`referee accuracy`: what counts as located, exact, asked, false and perfect."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.__main__ import main
from referee.commands.scoring import Found, LabelledPicture, LabelledTile, Labels, Verdict, compare, score_picture
from vision.still.annotate import Look

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
    wanted = {"pictures": 1, "tiles": 7, "located": 7, "exact": 7, "asked": 0, "wrong": 0, "false": 0, "perfect": 1}
    assert answer == wanted
    assert set(parts) == {
        "view=overhead",
        "range=double-six",
        "view=overhead range=double-six",
        "set=double-six",
        "style=ivory",
        "glyph=pips",
    }
    assert all(part.items() >= answer.items() for part in parts.values())


def test_a_set_with_more_pips_is_in_the_larger_range(capsys, folder):
    (folder / "labels.json").write_text(json.dumps(labels(set="double-nine-or-larger", view="oblique")))
    assert main(["accuracy", str(folder), "--json"]) == 0
    assert {"range=larger", "view=oblique range=larger"} <= set(json.loads(capsys.readouterr().out)["by"])


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
    groups = ["view=overhead", "view=overhead range=double-six", "range=double-six", "set=double-six", "style=ivory"]
    assert [line.partition("  ")[0].strip() for line in lines[1:]] == ["all", *groups, "glyph=pips"]


def test_nothing_but_the_table_is_written_where_nobody_watches(capsys, folder):
    assert main(["accuracy", str(folder)]) == 0
    assert capsys.readouterr().err == ""


def colours(picture):
    """Which looks a picture is drawn in."""
    return {look for look in Look if (np.abs(picture.astype(int) - look.value).max(-1) < 12).sum() > 200}


def test_each_picture_is_written_with_what_is_true_beside_what_was_seen(capsys, folder, tmp_path):
    told = labels()
    told["images"][0]["tiles"][3]["pips"] = [1, 1]
    told["images"][0]["tiles"].append(
        {"pips": [4, 4], "center": [300, 300], "corners": None, "approx_length": 114, "face_up": True}
    )
    (folder / "labels.json").write_text(json.dumps(told))
    out = tmp_path / "seen"
    assert main(["accuracy", str(folder), "--annotate", str(out), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["exact"], counts["wrong"], counts["located"], counts["tiles"]) == (6, 1, 7, 8)
    drawn = cv2.imread(str(out / "one.jpg"))
    half = drawn.shape[1] // 2
    photo = cv2.imread(str(PICTURE))
    assert half / photo.shape[1] > 1
    assert {Look.GOOD, Look.BAD} <= colours(drawn[60:-60, :half]) & colours(drawn[60:-60, half:])


def test_annotated_pictures_never_replace_the_labelled_ones(capsys, folder):
    before = (folder / "one.jpg").read_bytes()
    assert main(["accuracy", str(folder), "--annotate", str(folder / "." / "")]) == 64
    assert "another folder" in capsys.readouterr().err
    assert (folder / "one.jpg").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "expected a folder with labels.json beside its pictures"),
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


def score(labelled, found):
    return score_picture(labelled, compare(labelled, found), 1.0)


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
    assert counts(score(picture(tile((1, 2), 0.0)), found)[""]) == expected


def test_a_find_in_an_ignored_region_is_neither_right_nor_wrong():
    region = ((250, -50), (350, -50), (350, 50), (250, 50))
    counted = score(picture(tile((1, 2), 0.0), ignore=(region,)), [find((1, 2), 0), find((3, 3), 300)])[""]
    assert (counted.false, counted.perfect) == (0, 1)


def test_of_two_finds_on_a_tile_the_nearer_counts_and_neither_is_false():
    for finds in ([find((1, 3), 9), find((1, 2), -3)], [find((1, 2), -3), find((1, 3), 9)]):
        comparison = compare(picture(tile((1, 2), 0.0)), finds)
        assert [one.verdict for one in comparison.outcomes] == [Verdict.EXACT]
        assert comparison.false == ()


def test_a_triomino_is_exact_up_to_rotation_but_not_mirrored():
    labelled = picture(tile((0, 1, 2), 0.0))
    assert score(labelled, [find((2, 0, 1), 0)])[""].exact == 1
    assert score(labelled, [find((0, 2, 1), 0)])[""].exact == 0


def test_face_down_tiles_are_not_counted_and_glyphs_are_counted_by_tile():
    labelled = picture(
        tile((0, 1, 2), 0.0, glyph="digit"), tile((), 300.0, face_up=False), tile((1, 1, 1), 600.0, glyph="pips")
    )
    scores = score(labelled, [find((0, 1, 2), 0)])
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
    assert read.pictures[0].tiles[0].corners == ((0, 0), (30, 40), (9, 9))
    assert read.pictures[0].about == (("view", "overhead"), ("kind", "photo"))


QUARTER_TURN = [[0.0, -1.0, 500.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
HALF = [[0.5, 0.0, -0.25], [0.0, 0.5, -0.25], [0.0, 0.0, 1.0]]


def test_labels_are_carried_with_the_pixels():
    outlined = LabelledTile((1, 2), (100.0, 200.0), 80.0, True, None, ((80.0, 160.0), (120.0, 160.0), (120.0, 240.0)))
    region = ((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))
    turned = picture(outlined, ignore=(region,)).carried(QUARTER_TURN, 501, 501)
    assert turned.tiles[0].centre == (300.0, 100.0)
    assert turned.tiles[0].corners[0] == (340.0, 80.0)
    assert turned.tiles[0].size == pytest.approx(80.0)
    assert turned.ignore == (((500.0, 0.0), (500.0, 10.0), (490.0, 0.0)),)
    halved = picture(outlined).carried(HALF, 250, 250)
    assert (halved.tiles[0].centre, halved.tiles[0].size) == ((49.75, 99.75), pytest.approx(40.0))


def test_a_tile_that_a_shift_cuts_off_is_neither_right_nor_wrong():
    square = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
    edge = LabelledTile((1, 2), (20.0, 20.0), 80.0, True, None, square)
    inner = LabelledTile((3, 4), (200.0, 200.0), 80.0, True, None)
    for shift, left in ((-4.0, 2), (-12.0, 1)):
        shifted = picture(edge, inner).carried([[1, 0, shift], [0, 1, 0], [0, 0, 1]], 400, 400)
        assert len(shifted.tiles) == left
    assert compare(shifted, [Found((5, 6), (9.0, 20.0), 80.0, True)]).false == ()
