"""The pictures that networks are trained on and measured with."""

from pathlib import Path

import numpy as np
import pytest

from referee.sighting import Reading
from vision.kinds import FaceReading, domino
from vision.kinds.triomino import BLANK, FIRST_PIP, NONE
from vision.models import numeral_outlines, scenes, sets, shots
from vision.models.report import Tally, tally

EVERYTHING = shots.Conditions(71, highest=6)
ORDINARY = shots.Conditions(72, px_per_mm=3.0, highest=6)


@pytest.fixture
def one_typeface(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print with the shipped numerals, whatever fonts the machine has."""
    monkeypatch.setattr(shots, "printing", lambda held_out: [(Path("Plain-Bold.ttf"), numeral_outlines())])
    monkeypatch.setattr(sets, "is_fancy", lambda file: False)


def test_the_same_seed_gives_the_same_pictures() -> None:
    first, second = (list(shots.domino_shots(3, EVERYTHING)) for _ in range(2))
    assert all(np.array_equal(a.face, b.face) and a.labels == b.labels for a, b in zip(first, second, strict=True))


def test_another_session_is_another_set() -> None:
    first, second = (next(shots.domino_shots(number, ORDINARY)) for number in (0, 1))
    assert not np.array_equal(first.face, second.face)


def test_in_ordinary_light_every_picture_is_a_whole_tile_of_the_set() -> None:
    for number in range(3):
        for shot in shots.domino_shots(number, ORDINARY):
            assert shot.labels == shot.values
            assert max(shot.values) <= 6


def test_among_all_lights_are_backs_and_things_that_are_no_tile() -> None:
    labels = [shot.labels for number in range(8) for shot in shots.domino_shots(number, EVERYTHING)]
    assert (shots.DOMINO_BACK,) * 2 in labels
    assert (shots.DOMINO_NONE,) * 2 in labels


def test_triominoes_bear_numerals_or_pips_and_never_both(one_typeface: None) -> None:
    sorts = set()
    for number in range(8):
        for shot in shots.triomino_shots(number, EVERYTHING):
            numerals = any(0 <= label < BLANK for label in shot.labels)
            pips = any(label >= FIRST_PIP for label in shot.labels)
            assert not (numerals and pips)
            assert not shot.values or NONE not in shot.labels
            sorts.add((numerals, pips))
    assert {(True, False), (False, True)} <= sorts


def test_marks_that_are_not_worn_stay_as_they_are() -> None:
    random = np.random.default_rng(5)
    made = sets.DominoSet(random)
    painted, bare = (domino.paint(values, made.style, made.make, 2) for values in ((5, 4), ()))
    assert np.array_equal(scenes.worn(painted, bare, 0.0, random), painted)
    rubbed = scenes.worn(painted, bare, 1.0, random)
    changed = np.abs(rubbed - painted).max(axis=2) > 1
    assert 0 < changed.mean() < 0.3
    assert not changed[np.abs(painted - bare).max(axis=2) < 1].any()


class Stubborn:
    """A reader that always says 6-6."""

    def __init__(self, confidence: float) -> None:
        self.confidence = confidence

    def read(self, face: np.ndarray, highest: int) -> FaceReading:
        return FaceReading((Reading((highest, highest), self.confidence),), True, self.confidence, True)


@pytest.mark.parametrize(("confidence", "accepted"), [(0.95, True), (0.5, False)])
def test_a_report_counts_what_was_accepted_and_wrong(confidence: float, accepted: bool) -> None:
    told = tally(Stubborn(confidence), shots.DOMINOES, 6, ORDINARY, 15)
    right = sum(shot.values == (6, 6) for number in range(2) for shot in list(shots.domino_shots(number, ORDINARY)))
    assert told.tiles == 15
    assert told.exact <= right
    assert told.asked == (0 if accepted else 15)
    assert told.wrong == (15 - told.exact if accepted else 0)


def test_the_worst_set_is_kept() -> None:
    told = Tally().with_set([(True, True)] * 4).with_set([(True, True), (False, False)]).with_set([(True, True)])
    assert told == Tally(7, 6, 1, 0, 0.5)


def test_a_changed_copy_of_a_corner_is_another_picture_of_the_same() -> None:
    face = np.full((144, 144, 3), 200, np.uint8)
    face[60:84, 95:110] = 20
    pictures = shots.triomino_pictures(face).astype(np.float16)
    same, changed = shots.directions_of(pictures), shots.directions_of(pictures, np.random.default_rng(6))
    assert np.array_equal(same, shots.directions_of(pictures))
    assert not np.array_equal(same, changed)
    assert np.corrcoef(same[0], changed[0])[0, 1] > 0.3
