"""Two small pictures of each tile that comes: of the table alone, so many at a time, and never at the eye's cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile, load
from referee.config import SIDES, Places
from referee.sighting import SeenTile, Sighting
from vision import witness
from vision.frames import Frame
from vision.kinds import Image, kinds
from vision.watch import Watcher
from vision.witness import HEIGHT_PX, LARGEST_BYTES, MOST_LEFT, WIDTH_PX, Witness

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
FPS = 15.0
LINE = (40, 235, 255)  # blue, green, red


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state", tmp_path / "run").make()


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load(f"{PICTURES / 'sequences.json'}#d1")


class Table:
    """A watcher with a witness, shown one picture after another."""

    def __init__(self, places: Places, profile: Profile) -> None:
        self.witness = Witness(places, profile)
        self.watcher = Watcher(profile, 6, kinds()["domino"], witness=self.witness)
        self.number = 0

    def show(self, file: str, frames: int = 6) -> Sighting:
        image = np.asarray(cv2.imread(str(PICTURES / file)))
        for _ in range(frames):
            self.watcher.see(Frame(image, self.number / FPS, self.number))
            self.number += 1
        return self.watcher.sighting()


def files(places: Places) -> list[str]:
    folder = places.runtime / "pictures"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def read(places: Places, name: str, side: str) -> Image:
    return np.asarray(cv2.imread(str(places.fresh_picture(name, side))), np.uint8)


def test_a_tile_that_comes_has_a_picture_of_its_place_before_and_after(places: Places, profile: Profile) -> None:
    table = Table(places, profile)
    assert table.show("d1_00.jpg").tiles == ()
    (tile,) = table.show("d1_01.jpg").tiles
    assert files(places) == [f"{tile.picture}.{side}.jpg" for side in ("after", "before")]
    before, after = (read(places, tile.picture, side) for side in SIDES)
    assert before.shape == after.shape == (HEIGHT_PX, WIDTH_PX, 3)
    window = table.witness.window(tile)
    column, row = window.to_pixels(np.array([tile.x_mm, tile.y_mm])).round().astype(int)
    middle = np.s_[row - 20 : row + 20, column - 20 : column + 20]
    assert float(after[middle].mean()) > float(before[middle].mean()) + 40, "a light tile on a dark mat"
    for picture in (before, after):
        assert np.any(np.all(np.abs(picture.astype(int) - LINE) < 40, axis=-1)), "its outline is drawn"


def test_nothing_is_taken_while_the_table_is_at_rest_or_empty(places: Places, profile: Profile) -> None:
    table = Table(places, profile)
    table.show("d1_00.jpg", 20)
    assert files(places) == []
    table.show("d1_01.jpg")
    there = files(places)
    table.show("d1_01.jpg", 30)
    assert files(places) == there


def test_a_tile_keeps_its_pictures_while_others_come_beside_it(places: Places, profile: Profile) -> None:
    table = Table(places, profile)
    table.show("d1_00.jpg")
    (first,) = table.show("d1_01.jpg").tiles
    tiles = table.show("d1_04.jpg").tiles
    assert [tile.picture for tile in tiles if tile.values == first.values] == [first.picture]
    assert len({tile.picture for tile in tiles} - {""}) == len(tiles) == 3


def test_what_lay_there_when_the_eye_began_has_none(places: Places, profile: Profile) -> None:
    (tile,) = Table(places, profile).show("d1_01.jpg").tiles
    assert tile.picture == ""
    assert files(places) == []


@pytest.mark.parametrize("at_mm", [(0.0, 0.0), (600.0, 400.0), (595.0, 10.0), (300.0, 200.0)])
def test_nothing_beyond_the_mat_is_shown(places: Places, profile: Profile, at_mm: tuple[float, float]) -> None:
    window = Witness(places, profile).window(SeenTile("domino", (1, 2), *at_mm, 0.0))
    assert window.left_mm >= 0
    assert window.top_mm >= 0
    assert window.left_mm + window.width_mm <= profile.mat.width_mm
    assert window.top_mm + window.height_mm <= profile.mat.height_mm
    assert window.size_px == (WIDTH_PX, HEIGHT_PX)


def test_on_a_mat_as_small_as_a_tile_the_whole_mat_is_shown(places: Places, profile: Profile) -> None:
    small = replace(profile, mat=replace(profile.mat, width_mm=100.0, height_mm=60.0))
    window = Witness(places, small).window(SeenTile("domino", (1, 2), 50.0, 30.0, 0.0))
    assert (window.width_mm, window.height_mm) == (pytest.approx(80.0), pytest.approx(60.0))


def test_only_the_newest_are_left_and_an_earlier_eye_leaves_none(
    places: Places, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "MOST_LEFT", 1)
    table = Table(places, profile)
    table.show("d1_00.jpg")
    table.show("d1_01.jpg")
    tiles = table.show("d1_04.jpg").tiles
    assert len(files(places)) == 2
    assert {name.split(".")[0] for name in files(places)} == {tiles[-1].picture}
    assert MOST_LEFT > 1
    Witness(places, profile)
    assert files(places) == []


def test_even_noise_fits_into_the_largest_size() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (HEIGHT_PX, WIDTH_PX, 3), dtype=np.uint8)
    assert len(witness.packed(noise)) <= LARGEST_BYTES


def test_a_folder_that_cannot_be_written_costs_the_pictures_alone(places: Places, profile: Profile) -> None:
    table = Table(places, profile)
    (places.runtime / "pictures").write_text("a file is in the way")
    table.show("d1_00.jpg")
    (tile,) = table.show("d1_01.jpg").tiles
    assert (tile.values, tile.picture) == ((6, 6), "")
