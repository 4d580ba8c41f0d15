"""`referee learn-set`: a set is learnt from pictures, what is open is asked about, bad input is one line and 64."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Camera, Mat, Profile, TablePose, save
from calibration.tileset import load
from referee.__main__ import main
from referee.tiles import TRIOMINO, Shape
from tests.vision.showing import eye_at, on_mat, seen_from, shown, whole_set
from vision.learn import kind_of

VALUES = whole_set(TRIOMINO, 3)
PX_PER_MM = 2.5


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tiles of a set to three, in two pictures."""
    folder = tmp_path_factory.mktemp("shown")
    for number, values in enumerate((VALUES[:10], VALUES[10:])):
        cv2.imwrite(str(folder / f"{number}.png"), shown(TRIOMINO, values, number + 1).image)
    return folder


def learn(pictures: Path, out: Path, *more: str) -> int:
    size = () if "--calibration" in more else ("--size-mm", "40")
    return main(["learn-set", "kitchen", "--pictures", str(pictures), "--highest", "3", "--to", str(out), *size, *more])


def test_a_set_is_learnt_from_pictures(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learn(pictures, tmp_path) == 0
    told = capsys.readouterr().out
    assert "20 faces of a triomino set to 3, side 40.0 mm" in told
    assert "numerals with their feet to the corners; its numbers rise clockwise" in told
    learnt = load(tmp_path / "kitchen.json")
    assert (learnt.name, learnt.highest, learnt.marks, learnt.feet) == ("kitchen", 3, "numerals", "corner")
    assert learnt.shown is not None
    assert len(learnt.shown.values) >= 18
    assert kind_of(learnt).name == TRIOMINO
    assert learn(pictures, tmp_path, "--thickness-mm", "6") == 0  # again: one file and one picture stay
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".png"]
    assert load(tmp_path / "kitchen.json").shape.thickness_mm == 6.0


def test_tiles_that_are_not_shown_are_listed(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = tmp_path / "half"
    half.mkdir()
    (half / "0.png").write_bytes((pictures / "0.png").read_bytes())
    assert learn(half, tmp_path) == 1
    told = capsys.readouterr().err
    assert "expected the 20 tiles of a set to 3, found 10; missing: " in told
    assert "3-3-3" in told
    assert not list(tmp_path.glob("*.json"))
    assert learn(half, tmp_path, "--partly") == 0


def test_what_cannot_be_told_is_asked_about_and_taken_from_say(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second picture is shown twice, so that no tile of it can be there once only."""
    both = tmp_path / "both"
    both.mkdir()
    for name in ("0.png", "1.png"):
        (both / name).write_bytes((pictures / name).read_bytes())
    (both / "2.png").write_bytes((pictures / "1.png").read_bytes())
    assert learn(both, tmp_path) == 2
    told = capsys.readouterr().out
    assert "faces have to be named; their pictures are in" in told
    crops = sorted(path.stem for path in (tmp_path / "kitchen-to-name").glob("*.png"))
    assert len(crops) >= 10
    assert all(f"  {crop}, " in told for crop in crops)
    last = [f"crop_{number}" for number in range(21, 31)]
    assert learn(both, tmp_path, *(word for crop in last for word in ("--say", f"{crop}=none"))) == 0
    assert len((load(tmp_path / "kitchen.json").shown or pytest.fail("nothing shown")).values) >= 18


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        (("--say", "crop_99=1-2-3"), "crop_01 to crop_20"),
        (("--say", "crop_01"), "CROP=NUMBERS"),
        (("--say", "crop_01=1-2"), "3 numbers"),
        (("--say", "crop_01=1-2-9"), "numbers up to 3"),
        (("--say", "crop_01=1-2-3", "--say", "crop_01=1-1-3"), "one answer for crop_01, got 1-2-3 and 1-1-3"),
        (("--say", "crop_01=1-2-3", "--say", "crop_02=2-3-1"), "expected 1 of 1-2-3, got crop_01, crop_02"),
    ],
)
def test_answers_that_cannot_be_are_refused(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], wrong: str
) -> None:
    assert learn(pictures, tmp_path, "--kind", "triomino", *more) == 64
    assert wrong in capsys.readouterr().err
    assert not list(tmp_path.glob("*.json"))


def test_a_folder_without_pictures_or_tiles_and_a_size_that_nobody_told_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert learn(empty, tmp_path) == 64
    assert "expected pictures in" in capsys.readouterr().err
    cv2.imwrite(str(empty / "bare.png"), np.full((300, 400, 3), 90, np.uint8))
    assert learn(empty, tmp_path) == 64
    assert "found none in 1 pictures" in capsys.readouterr().err
    assert main(["learn-set", "kitchen", "--pictures", str(empty)]) == 64
    assert capsys.readouterr().err.startswith("referee learn-set: expected --size-mm MM")
    assert main(["learn-set", "kitchen", "--camera", "usb:0", "--size-mm", "40"]) == 64
    assert "expected --count N" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(["learn-set", "../kitchen", "--pictures", str(empty)])
    assert left.value.code == 64


def test_a_camera_over_a_calibrated_table_measures_the_tiles(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The made-up pictures are seen by a camera straight above, so high that perspective hardly matters.

    Side walls and shadows may be taken for a part of the face: to a twentieth it is right.
    """
    height, width = cv2.imread(str(pictures / "0.png")).shape[:2]
    high_mm = 100_000.0
    matrix = np.array([(PX_PER_MM * high_mm, 0, width / 2), (0, PX_PER_MM * high_mm, height / 2), (0, 0, 1)])
    pose = TablePose(np.eye(3), np.array([0.0, 0.0, high_mm]))
    table = Profile("table", Camera(width, height, matrix, np.zeros(5)), Mat(), Shape.triomino(38.0, 7.0), pose)
    save(table, tmp_path / "table.json")
    camera = ["--camera", f"folder:{pictures}?hold=20", "--calibration", str(tmp_path / "table.json")]
    assert main(["learn-set", "kitchen", *camera, "--highest", "3", "--to", str(tmp_path)]) == 0
    learnt = load(tmp_path / "kitchen.json")
    assert learnt.shape.length_mm == pytest.approx(40.0, rel=0.05)
    assert learnt.shape.thickness_mm == 7.0
    assert json.loads((tmp_path / "kitchen.json").read_text())["version"] == 1
    told = capsys.readouterr()
    assert "picture" not in told.err
    assert "taken to be 7.0 mm thick: it was not shown; to have it measured" in told.out


def test_tiles_shown_again_from_another_place_tell_their_thickness_and_count_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shape, pieces = Shape.triomino(40.0, 10.0), on_mat(TRIOMINO, whole_set(TRIOMINO, 2))
    here, aside = eye_at(300, 200, 720), eye_at(420, 230, 740)
    for number, eye in enumerate((here, aside)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), seen_from(shape, pieces, eye, number + 1).image)
    save(Profile("table", here.camera, Mat(), Shape.triomino(38.0, 7.0)), tmp_path / "table.json")
    calibrated = ("--calibration", str(tmp_path / "table.json"))
    arguments = ["--pictures", str(tmp_path), "--highest", "2", "--to", str(tmp_path), *calibrated]
    assert main(["learn-set", "kitchen", *arguments]) == 0
    told = capsys.readouterr().out
    assert "kitchen: 10 faces of a triomino set to 2" in told
    assert "mm thick, measured on " in told
    assert "seen from two places" in told
    learnt = load(tmp_path / "kitchen.json").shape
    assert learnt.thickness_mm == pytest.approx(10.0, abs=0.7)
    assert learnt.length_mm == pytest.approx(40.0, rel=0.03)


def test_a_set_that_was_learnt_is_what_photographs_are_read_by(pictures: Path, tmp_path: Path) -> None:
    assert learn(pictures, tmp_path) == 0
    labels = {"images": [{"file": "0.png", "tiles": [{"values": [0, 0, 0], "center": [9, 9], "face_up": True}]}]}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    (tmp_path / "0.png").write_bytes((pictures / "0.png").read_bytes())
    assert main(["accuracy", str(tmp_path), "--set", str(tmp_path / "kitchen.json")]) == 0
    assert main(["accuracy", str(tmp_path), "--set", str(tmp_path / "none.json")]) == 64
    judged = ["judge", str(pictures / "0.png"), "--game", "fr-domino"]
    assert main([*judged, "--set", str(tmp_path / "kitchen.json")]) == 64
