"""Triominoes side by side, one of which is pushed a little: it keeps its numbers and lies where it lies now."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load
from referee.sighting import Reading, SeenTile
from vision.faces import pose_of
from vision.kinds import FaceReading, Image, kinds
from vision.moved import moved
from vision.rectify import Look, place
from vision.search import Comparison, Search
from vision.settle import Change, Survey

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#t1")
assert PROFILE.pose is not None
LOOK = Look(PROFILE.camera, PROFILE.pose, PROFILE.shape.thickness_mm)
AROUND_MM = 25.0 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@lru_cache(maxsize=2)
def picture(file: str) -> Image:
    return np.asarray(cv2.imread(str(PICTURES / file)), np.uint8)


def eye() -> tuple[Survey, tuple[SeenTile, ...]]:
    """An eye that has seen three triominoes side by side, and what they are."""
    survey = Survey(Search(kinds()["triomino"], PROFILE.shape, 5), PROFILE.mat)
    lying = compared(survey, picture("t1_00.jpg"), picture("t1_04.jpg")).found
    assert sorted(tile.values for tile in lying) == [(0, 3, 5), (0, 5, 5), (3, 5, 5)]
    return survey, lying


def compared(survey: Survey, before: Image, now: Image, lying: tuple[SeenTile, ...] = ()) -> Change:
    earlier, later, empty = (survey.still(image, LOOK) for image in (before, now, picture("t1_00.jpg")))
    return survey.compare(later, earlier, survey.bare(empty), lying)


def pushed(survey: Survey, tile: SeenTile, away: tuple[float, float, float]) -> Image:
    """The picture of the three with one cut out and laid some millimetres and degrees aside."""
    image, now = picture("t1_04.jpg"), pose_of(tile) + np.array(away)
    here, there = (LOOK.pixels(place(AROUND_MM, *pose)).astype(np.float32) for pose in (pose_of(tile), now))
    cut = cv2.warpPerspective(image, cv2.getPerspectiveTransform(here, there), image.shape[1::-1])
    result = image.copy()
    for pose, shows in ((pose_of(tile), picture("t1_00.jpg")), (now, cut)):
        outline = LOOK.pixels(place(survey.search.template.outline_mm * 1.01, *pose))
        mask = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), outline.round().astype(np.int32), 255)
        cv2.copyTo(shows, mask, result)
    return result


@pytest.mark.parametrize(
    ("values", "away"), [((3, 5, 5), (3.0, 1.8, 0.0)), ((3, 5, 5), (5.3, -2.7, 0.0)), ((0, 3, 5), (0.0, -14.0, 8.0))]
)
def test_a_tile_pushed_away_from_its_neighbours_keeps_its_numbers(
    values: tuple[int, ...], away: tuple[float, float, float]
) -> None:
    survey, lying = eye()
    tile = next(tile for tile in lying if tile.values == values)
    change = compared(survey, picture("t1_04.jpg"), pushed(survey, tile, away), lying)
    twins = (*change.found, *(twin for _, twin in change.shifted))
    assert [twin.values for twin in twins] == [values]
    assert np.hypot(*(pose_of(twins[0]) - pose_of(tile) - np.array(away))[:2]) < 1.0


def test_what_was_taken_for_another_tile_across_a_pushed_one_gives_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    survey, lying = eye()
    tile = next(tile for tile in lying if tile.values == (3, 5, 5))
    image = pushed(survey, tile, (3.0, 1.8, 0.0))
    wrong = replace(tile, values=(1, 2, 3), x_mm=tile.x_mm + 5.5, y_mm=tile.y_mm + 1.8, confidence=0.98)
    monkeypatch.setattr(survey, "_search", lambda stills, mask: ([wrong], []))
    change = compared(survey, picture("t1_04.jpg"), image, lying)
    assert [twin.values for _, twin in change.shifted] == [(3, 5, 5)]
    assert change.found == ()
    assert change.gone == ()


@pytest.mark.parametrize(("confidence", "followed"), [(0.6, True), (0.99, False)])
def test_a_pushed_tile_keeps_what_people_said_of_it_unless_it_clearly_shows_other_numbers(
    monkeypatch: pytest.MonkeyPatch, confidence: float, followed: bool
) -> None:
    survey, lying = eye()
    seen = next(tile for tile in lying if tile.values == (3, 5, 5))
    told = replace(seen, values=(3, 4, 5), confidence=1.0, readings=())
    image = pushed(survey, seen, (3.0, 1.8, 0.0))
    reading = FaceReading((Reading((3, 5, 5), confidence),), face_up=True, confidence=confidence, agreed=True)
    monkeypatch.setattr(survey.search.faces, "read", lambda face, lying=None: reading)
    now, before = (survey.still(each, LOOK) for each in (image, picture("t1_04.jpg")))
    twin = moved(survey.search, Comparison(now, before, tuple(tile for tile in lying if tile is not seen)), told)
    assert (twin is not None) is followed
    if twin is not None:
        assert (twin.values, twin.confidence) == ((3, 4, 5), 1.0)
        assert np.hypot(twin.x_mm - seen.x_mm - 3.0, twin.y_mm - seen.y_mm - 1.8) < 1.0


def test_fixed_a_pushed_tile_whose_sides_are_faint_is_known_by_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    survey, lying = eye()
    tile = next(tile for tile in lying if tile.values == (3, 5, 5))
    image = pushed(survey, tile, (3.0, 1.8, 0.0))
    before, now = (survey.still(each, LOOK) for each in (picture("t1_04.jpg"), image))
    stills = Comparison(now, before, tuple(other for other in lying if other is not tile), (tile,))
    real = survey.search.edges
    monkeypatch.setattr(survey.search, "edges", lambda scores: np.minimum(real(scores), 0.42))
    twin = moved(survey.search, stills, tile)
    assert twin is not None
    assert twin.values == tile.values
    monkeypatch.setattr(survey.search, "edges", lambda scores: np.minimum(real(scores), 0.2))
    assert moved(survey.search, stills, tile) is None
