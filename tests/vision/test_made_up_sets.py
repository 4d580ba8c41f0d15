"""The pictures that networks are trained on and measured with."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.sighting import Reading
from vision.kinds import FaceReading
from vision.kinds.triomino import BLANK, FIRST_PIP, NONE
from vision.models import numeral_outlines, sets, shots, typefaces
from vision.models.detector_scenes import PER_FILE, albums
from vision.models.report import Tally, report, tallies

EVERYTHING = shots.Conditions(71, highest=6)
ORDINARY = shots.Conditions(72, px_per_mm=3.0, highest=6)


@pytest.fixture
def one_typeface(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print with the shipped numerals, whatever fonts the machine has."""
    monkeypatch.setattr(shots, "printing", lambda held_out: [(Path("Plain-Bold.ttf"), numeral_outlines())])
    monkeypatch.setattr(sets, "is_fancy", lambda file: False)


def test_the_same_seed_gives_the_same_pictures() -> None:
    first, second = (list(shots.DOMINOES.shots(3, EVERYTHING)) for _ in range(2))
    assert all(np.array_equal(a.face, b.face) and a.labels == b.labels for a, b in zip(first, second, strict=True))


def test_another_session_is_another_set() -> None:
    first, second = (next(shots.DOMINOES.shots(number, ORDINARY)) for number in (0, 1))
    assert not np.array_equal(first.face, second.face)


def test_in_ordinary_light_every_picture_is_a_whole_tile_of_the_set() -> None:
    for number in range(3):
        for shot in shots.DOMINOES.shots(number, ORDINARY):
            assert shot.labels == shot.values
            assert max(shot.values) <= 6


def test_among_all_lights_are_backs_and_things_that_are_no_tile() -> None:
    labels = [shot.labels for number in range(8) for shot in shots.DOMINOES.shots(number, EVERYTHING)]
    assert (shots.DOMINO_BACK,) * 2 in labels
    assert (shots.DOMINO_NONE,) * 2 in labels


def test_triominoes_bear_numerals_or_pips_and_never_both(one_typeface: None) -> None:
    sorts = set()
    for number in range(8):
        for shot in shots.TRIOMINOES.shots(number, EVERYTHING):
            numerals = any(0 <= label < BLANK for label in shot.labels)
            pips = any(label >= FIRST_PIP for label in shot.labels)
            assert not (numerals and pips)
            assert not shot.values or NONE not in shot.labels
            sorts.add((numerals, pips))
    assert {(True, False), (False, True)} <= sorts


def test_what_is_covered_is_neither_a_number_nor_taken_for_one() -> None:
    random = np.random.default_rng(5)
    face = np.full((80, 160, 3), 120, np.uint8)
    for _ in range(10):
        over, where = shots.covered(face, random)
        assert np.array_equal(over[where == 0], face[where == 0])
        assert 0 <= where.min() <= where.max() <= 1


def test_a_made_up_set_has_one_size_and_draws_its_own_numbers_only() -> None:
    random = np.random.default_rng(6)
    made = sets.DominoSet(random, 9)
    assert made.tiles().shape == made.shape
    drawn = {number for _ in range(60) for number in made.values(random)}
    assert drawn == set(range(10))


def test_films_hold_every_session_once_and_what_they_hold_is_what_was_photographed(
    tmp_path: Path, one_typeface: None
) -> None:
    rolls = shots.films("domino", 2 * shots.SESSIONS_PER_FILE + 3, EVERYTHING, tmp_path)
    assert [number for film in rolls for number in range(film.first, film.stop)] == list(range(43))
    film = replace(rolls[-1], first=41, stop=42)
    film.develop()
    pictures, labels = shots.parts([film])
    wanted = [label for shot in shots.DOMINOES.shots(41, EVERYTHING) for label in shot.labels if label >= 0]
    assert labels.tolist() == wanted
    assert pictures.shape == (len(wanted), 3, 48, 48)


def test_pictures_are_not_used_again_once_what_draws_them_has_changed(tmp_path: Path, one_typeface: None) -> None:
    recipe = tmp_path / "drawing.py"
    names = set()
    for text in ("one way", "another way"):
        recipe.write_text(text, encoding="utf-8")
        shots.recipe.cache_clear()
        names.add(shots.recipe(recipe))
    assert len(names) == 2


def test_albums_hold_at_least_as_many_tables_as_are_wanted(tmp_path: Path, one_typeface: None) -> None:
    assert [album.first for album in albums(2 * PER_FILE + 1, tmp_path)] == [0, PER_FILE, 2 * PER_FILE]


def test_typefaces_that_draw_keys_or_lean_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LinBiolinum_K.otf", "LinLibertine_I.otf", "LinBiolinum_R.otf", "Plain-Italic.ttf", "Plain-Bold.ttf"):
        (tmp_path / name).touch()
    monkeypatch.setattr(typefaces, "FOLDERS", (tmp_path,))
    assert [file.stem for file in typefaces.typeface_files.__wrapped__()] == ["LinBiolinum_R", "Plain-Bold"]


class Stubborn:
    """A reader that always says 6-6."""

    def __init__(self, confidence: float) -> None:
        self.confidence = confidence

    def read(self, face: np.ndarray, highest: int) -> FaceReading:
        return FaceReading((Reading((highest, highest), self.confidence),), True, self.confidence, True)


@pytest.mark.parametrize(("confidence", "accepted"), [(0.95, True), (0.5, False)])
def test_a_report_counts_what_was_accepted_and_wrong(confidence: float, accepted: bool) -> None:
    told, same = tallies([Stubborn(confidence)] * 2, shots.DOMINOES, 6, ORDINARY, 15)
    right = sum(shot.values == (6, 6) for number in range(2) for shot in list(shots.DOMINOES.shots(number, ORDINARY)))
    assert told == same
    assert told.tiles == 15
    assert told.exact <= right
    assert told.asked == (0 if accepted else 15)
    assert told.wrong == (15 - told.exact if accepted else 0)


def test_the_worst_set_is_kept() -> None:
    told = Tally().with_set([(True, True)] * 4).with_set([(True, True), (False, False)]).with_set([(True, True)])
    assert told == Tally(7, 6, 1, 0, 3, 2, 0.5)


def test_a_report_leaves_out_networks_that_are_not_there(tmp_path: Path) -> None:
    said: list[str] = []
    table = report({"new": tmp_path}, 8, said.append)
    assert said == []
    assert table.count("\n") == 2  # the heading alone
