"""Calibration files: our own, those of recorded sequences, and broken ones."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.profile import Camera, Locks, Mat, Profile, ProfileError, TablePose, last_good, load, save, trouble
from referee.seen.zones import Zone, Zones, usual
from referee.tiles import Shape

MATRIX = [[1800.0, 0.0, 800.0], [0.0, 1801.0, 550.0], [0.0, 0.0, 1.0]]
LENS = [-0.05, 0.01, 0.0, 0.0, 0.0]
UPRIGHT = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def a_profile(name: str = "kitchen", pose: TablePose | None = None) -> Profile:
    camera = Camera(1600, 1100, np.array(MATRIX), np.array(LENS))
    return Profile(name, camera, Mat(590.0, 410.0, 38.0), Shape.triomino(38.0, 7.0), pose)


def sequences(**changes: Any) -> dict[str, Any]:
    camera = {
        "width": 1600, "height": 1100, "K": MATRIX, "dist": LENS, "rotation": UPRIGHT, "translation": [-300, -200, 800]
    }  # fmt: skip
    threes = {"name": "a", "kind": "triomino", "tile_side_mm": 40.0, "thickness_mm": 8.0, "camera": camera}
    twos = threes | {"name": "b", "kind": "domino", "tile_length_mm": 48.0, "tile_width_mm": 24.0}
    mat = {"size_mm": [600, 400], "marker_mm": 40, "ids": [0, 1, 2, 3]}
    return {"mat": mat, "sequences": [threes | changes, twos]}


def written(folder: Path, content: Any) -> Path:
    path = folder / "table.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@settings(max_examples=20)  # each waits for the disk
@given(
    st.text(max_size=12),
    st.tuples(*[st.floats(-1, 1)] * 5),
    st.none() | st.tuples(*[st.floats(-2000, 2000)] * 3),
)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, name: str, lens: Any, away: Any) -> None:
    pose = None if away is None else TablePose(np.array(UPRIGHT), np.array(away))
    kept = Profile(name, Camera(640, 480, np.array(MATRIX), np.array(lens)), Mat(), Shape.domino(), pose)
    path = tmp_path_factory.getbasetemp() / "saved.json"
    save(kept, path)
    back = load(path)
    assert (back.name, back.mat, back.shape) == (kept.name, kept.mat, kept.shape)
    assert (back.camera.width, back.camera.height) == (640, 480)
    np.testing.assert_array_equal(back.camera.matrix, kept.camera.matrix)
    np.testing.assert_array_equal(back.camera.distortion, kept.camera.distortion)
    assert (back.pose is None) == (pose is None)
    if pose is not None and back.pose is not None:
        np.testing.assert_array_equal(back.pose.translation, pose.translation)


def test_saving_leaves_the_file_and_the_one_before_it(tmp_path: Path) -> None:
    save(a_profile(), tmp_path / "table.json")
    assert [path.name for path in tmp_path.iterdir()] == ["table.json"]
    save(a_profile("garden"), tmp_path / "table.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.json", "table.last-good.json"]
    assert load(tmp_path / "table.json").name == "garden"
    assert load(tmp_path / "table.last-good.json").name == "kitchen"


@pytest.mark.parametrize("damaged", ["", '{"version": 1, "na', "[1, 2]", '{"version": 9, "name": "x"}', "[" * 100_000])
def test_a_file_that_is_not_whole_gives_way_to_its_last_good_copy_and_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damaged: str
) -> None:
    path = tmp_path / "table.json"
    save(a_profile(), path)
    save(a_profile("garden"), path)
    path.write_text(damaged)
    assert load(path).name == "kitchen"
    assert "its last good copy is used instead: calibrate again" in caplog.text
    assert str(path) in trouble(path)


def test_a_file_that_is_not_whole_never_becomes_the_last_good_copy(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save(a_profile(), path)
    save(a_profile("garden"), path)
    path.write_bytes(b"")
    save(a_profile("attic"), path)
    assert (load(path).name, load(last_good(path)).name) == ("attic", "kitchen")
    assert trouble(path) == ""


def test_two_broken_files_tell_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(b"")
    last_good(path).write_bytes(b"{")
    with pytest.raises(ProfileError, match=r"table\.json, which is not whole"):
        load(path)


def test_what_the_camera_held_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    held = Locks(20_000, 1.5, (1.9, 1.4), None, 1.67)
    save(replace(a_profile(), locks=held), path)
    assert load(path).locks == held
    content = json.loads(path.read_text())
    del content["locks"]
    assert load(written(tmp_path, content)).locks is None  # as it was written before there were any


def test_a_save_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(a_profile(), tmp_path / "table.json")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        save(a_profile("garden"), tmp_path / "table.json")
    assert [path.name for path in tmp_path.iterdir()] == ["table.json"]
    assert load(tmp_path / "table.json").name == "kitchen"


def test_a_profile_may_be_called_by_its_name(tmp_path: Path) -> None:
    save(a_profile(), tmp_path / "table.json")
    assert load(f"{tmp_path}/table.json#kitchen").name == "kitchen"
    with pytest.raises(ProfileError, match=r"expected a profile named 'attic'.*got 'kitchen'"):
        load(f"{tmp_path}/table.json#attic")


def test_a_file_with_a_hash_in_its_own_name_can_be_loaded(tmp_path: Path) -> None:
    save(a_profile(), tmp_path / "table#2.json")
    assert load(tmp_path / "table#2.json").name == "kitchen"


def test_a_sequence_gives_camera_mat_shape_and_pose(tmp_path: Path) -> None:
    path = written(tmp_path, sequences())
    threes, twos = load(f"{path}#a"), load(f"{path}#b")
    assert threes.shape == Shape.triomino(40.0, 8.0)
    assert twos.shape == Shape.domino(48.0, 24.0, 8.0)
    assert threes.mat == Mat(600, 400, 40)
    assert threes.pose is not None
    np.testing.assert_array_equal(threes.pose.translation, [-300, -200, 800])
    np.testing.assert_array_equal(threes.camera.matrix, MATRIX)


def test_labels_beside_a_sequence_are_never_looked_at(tmp_path: Path) -> None:
    path = written(tmp_path, sequences(frames="nonsense", lattice=-1, look=None))
    assert load(f"{path}#a").name == "a"


def test_several_sequences_without_a_name_are_listed(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="#NAME, got these names: a, b"):
        load(written(tmp_path, sequences()))


def test_a_lens_of_four_numbers_has_a_fifth_of_nought(tmp_path: Path) -> None:
    content = sequences()
    content["sequences"][0]["camera"] = content["sequences"][0]["camera"] | {"dist": [0.1, 0.2, 0.3, 0.4]}
    np.testing.assert_array_equal(load(f"{written(tmp_path, content)}#a").camera.distortion, [0.1, 0.2, 0.3, 0.4, 0.0])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not whole"),
        ('{"version": 1, "name": "ki', "not whole"),
        ("[]", "expected a calibration"),
        ({"version": 1, "name": "kitchen"}, "missing required field `camera`"),
        ({"mat": {"size_mm": [600, 400]}, "sequences": []}, "marker_mm"),
        (sequences(thickness_mm=0.0), "> 0.0"),
        (sequences(tile_side_mm=None), "expected tile_side_mm for the triomino tiles of 'a'"),
        (sequences(kind="chess"), "kind domino or triomino .* got 'chess'"),
    ],
)
def test_a_broken_file_says_what_was_expected(tmp_path: Path, content: Any, says: str) -> None:
    with pytest.raises(ProfileError, match=says):
        load(f"{written(tmp_path, content)}#a")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("rotation", [[2.0, 0, 0], [0, 1, 0], [0, 0, 1]], "expected a rotation"),
        ("rotation", [[-1.0, 0, 0], [0, 1, 0], [0, 0, 1]], "expected a rotation"),
        ("K", [[-5.0, 0, 0], [0, 1, 0], [0, 0, 1]], "positive focal lengths"),
        ("dist", [0.1], "length >= 4"),
        ("width", 0, ">= 1"),
    ],
)
def test_an_impossible_camera_is_refused(tmp_path: Path, field: str, value: Any, says: str) -> None:
    content = sequences()
    content["sequences"][0]["camera"] = content["sequences"][0]["camera"] | {field: value}
    with pytest.raises(ProfileError, match=says):
        load(f"{written(tmp_path, content)}#a")


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    save(a_profile(), tmp_path / "table.json")
    content = json.loads((tmp_path / "table.json").read_text()) | {"version": 2}
    with pytest.raises(ProfileError, match=r"expected a calibration of version 1 .* got version 2"):
        load(written(tmp_path, content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"nowhere\.json \(No such file"):
        load(tmp_path / "nowhere.json")


def test_zones_are_kept_with_the_profile_and_a_file_of_before_has_none(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    zones = Zones(Zone(10.0, 60.0, 90.0, 340.0), Zone(480.0, 60.0, 580.0, 340.0))
    save(replace(a_profile(), zones=zones), path)
    assert load(path).zones == zones == load(path).usable_zones
    content = json.loads(path.read_text())
    del content["zones"]
    before = load(written(tmp_path, content))
    assert before.zones is None
    assert before.usable_zones == usual(590.0, 410.0, 38.0)


@pytest.mark.parametrize(
    ("zone", "says"),
    [
        ({"left_mm": 500, "top_mm": 60, "right_mm": 700, "bottom_mm": 300}, "the show zone on the mat of 590 x 410 mm"),
        ({"left_mm": 500, "top_mm": 60, "right_mm": 520, "bottom_mm": 300}, "as long and wide as a tile, 38 mm"),
        ({"left_mm": 500, "top_mm": 60, "right_mm": 580}, "missing required field `bottom_mm`"),
    ],
)
def test_zones_that_cannot_be_are_refused_with_what_was_expected(tmp_path: Path, zone: Any, says: str) -> None:
    path = tmp_path / "table.json"
    save(replace(a_profile(), zones=usual(590.0, 410.0, 38.0)), path)
    content = json.loads(path.read_text())
    content["zones"]["show"] = zone
    with pytest.raises(ProfileError, match=says) as error:
        load(written(tmp_path, content))
    assert "table.json" in str(error.value)


def test_a_mat_without_room_has_no_zones() -> None:
    assert replace(a_profile(), mat=Mat(200.0, 150.0, 40.0)).usable_zones is None
