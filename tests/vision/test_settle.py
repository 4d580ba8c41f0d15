"""What has changed since the last rest, told from one still frame, and what makes two frames agree."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load
from calibration.table import project
from referee.sighting import Reading, SeenTile
from vision import differences
from vision.faces import seen_tile
from vision.kinds import FaceReading, kinds
from vision.light import Light
from vision.rectify import Look, Still, place
from vision.search import Search
from vision.settle import Change, Survey, same

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#d1")
assert PROFILE.pose is not None
LOOK = Look(PROFILE.camera, PROFILE.pose, PROFILE.shape.thickness_mm)
TILE = SeenTile("domino", (0, 6), 300.0, 200.0, 30.0)


@lru_cache(maxsize=8)
def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def survey() -> Survey:
    return Survey(Search(kinds()["domino"], PROFILE.shape, 6), PROFILE.mat)


def compared(before: np.ndarray, now: np.ndarray, lying: tuple[SeenTile, ...] = ()) -> Change:
    eye = survey()
    earlier, later, empty = (eye.still(image, LOOK) for image in (before, now, picture("d1_00.jpg")))
    return eye.compare(later, earlier, eye.bare(empty), lying)


def on_image(x_mm: float, y_mm: float) -> tuple[int, int]:
    column, row = project(np.array([[x_mm, y_mm]]), 0.0, PROFILE.camera, LOOK.pose)[0].round().astype(int).tolist()
    return column, row


def values(tiles: tuple[SeenTile, ...]) -> list[tuple[int, ...]]:
    return sorted(tile.values for tile in tiles)


@lru_cache(maxsize=1)
def three_tiles() -> tuple[SeenTile, ...]:
    return compared(picture("d1_00.jpg"), picture("d1_04.jpg")).found


def test_nothing_has_changed_on_the_same_picture() -> None:
    change = compared(picture("d1_04.jpg"), picture("d1_04.jpg"), three_tiles())
    assert (change.gone, change.found, change.shifted, change.touched, change.unexplained) == ((),) * 5


def test_a_new_tile_is_found_and_read() -> None:
    change = compared(picture("d1_00.jpg"), picture("d1_01.jpg"))
    assert values(change.found) == [(6, 6)]
    assert change.found[0].confidence > 0.9
    assert (change.gone, change.unexplained) == ((), ())


def test_several_new_tiles_in_one_settle_are_all_found() -> None:
    one = compared(picture("d1_00.jpg"), picture("d1_01.jpg")).found
    assert values(compared(picture("d1_01.jpg"), picture("d1_04.jpg"), one).found) == [(0, 6), (5, 6)]


def test_tiles_taken_away_are_gone_and_leave_nothing_behind() -> None:
    change = compared(picture("d1_04.jpg"), picture("d1_00.jpg"), three_tiles())
    assert values(change.gone) == [(0, 6), (5, 6), (6, 6)]
    assert change.found == ()


def test_tiles_that_stay_are_not_gone_when_the_light_changes() -> None:
    darker = cv2.convertScaleAbs(picture("d1_04.jpg"), alpha=0.8)
    change = compared(picture("d1_04.jpg"), np.asarray(darker), three_tiles())
    assert (change.gone, change.found) == ((), ())


def test_a_shadow_over_tiles_and_mat_is_no_tile_and_takes_none_away() -> None:
    shaded = picture("d1_04.jpg").astype(np.float32)
    shaded[:, :900] *= 0.7
    change = compared(picture("d1_04.jpg"), shaded.astype(np.uint8), three_tiles())
    assert (change.gone, change.found) == ((), ())


def test_a_tile_pushed_aside_in_another_light_is_still_there() -> None:
    search, tile = survey().search, three_tiles()[0]
    darker = np.asarray(cv2.convertScaleAbs(picture("d1_04.jpg"), alpha=0.6))
    pushed = replace(tile, x_mm=tile.x_mm + 0.8, y_mm=tile.y_mm - 0.6)
    assert search.still_lies(survey().still(darker, LOOK), pushed)
    assert not search.still_lies(survey().still(picture("d1_00.jpg"), LOOK), tile)
    assert not search.still_lies(survey().still(picture("d1_04.jpg"), LOOK), replace(tile, values=(2, 2)))


@pytest.mark.parametrize("radius_px", [35, 60, 95])
def test_a_cup_is_no_tile(radius_px: int) -> None:
    with_cup = picture("d1_04.jpg").copy()
    cv2.circle(with_cup, on_image(480.0, 120.0), radius_px, (60, 50, 170), -1, cv2.LINE_AA)
    cv2.circle(with_cup, on_image(480.0, 120.0), radius_px * 3 // 4, (20, 30, 60), -1, cv2.LINE_AA)
    change = compared(picture("d1_04.jpg"), with_cup, three_tiles())
    assert not any(tile.values for tile in change.found)
    assert change.found or change.unexplained


def test_a_blank_tile_shaped_thing_is_never_read_with_confidence() -> None:
    with_card = picture("d1_00.jpg").copy()
    search = survey().search
    corners = LOOK.pixels(search.template.corners(np.array([420.0, 260.0, 25.0])))
    cv2.fillConvexPoly(with_card, np.round(corners).astype(np.int32), (60, 60, 200), cv2.LINE_AA)
    found = compared(picture("d1_00.jpg"), with_card).found
    assert len(found) == 1
    assert np.hypot(found[0].x_mm - 420.0, found[0].y_mm - 260.0) < 2.0
    assert not found[0].face_up or found[0].confidence < 0.9


def test_the_bare_mat_is_imagined_under_the_tiles() -> None:
    eye = survey()
    imagined = eye.bare(eye.still(picture("d1_04.jpg"), LOOK))
    truth = eye.still(picture("d1_00.jpg"), LOOK).flat
    middle = np.s_[60:340, 60:540]
    assert np.abs(imagined[middle].astype(float) - cv2.blur(truth, (9, 9))[middle]).mean() < 3.0


def test_an_arm_over_the_edge_obstructs_the_first_look_and_tiles_do_not() -> None:
    eye = survey()
    busy, calm = (eye.still(picture(file), LOOK) for file in ("d1_03.jpg", "d1_04.jpg"))
    assert eye.obstructed(busy, eye.bare(busy))
    assert not eye.obstructed(calm, eye.bare(calm))


def test_a_further_frame_confirms_a_tile_that_lies_there() -> None:
    eye, before, now = survey(), *(survey().still(picture(file), LOOK) for file in ("d1_00.jpg", "d1_01.jpg"))
    change = eye.compare(now, before, eye.bare(before), ())
    assert eye.confirms(now, before, now, change)
    assert not eye.confirms(before, before, now, change)


@pytest.mark.parametrize(
    ("along_mm", "across_mm", "turn_deg"),
    [(12.0, 0.0, 0.0), (-24.0, 0.0, 0.0), (0.0, 6.0, 0.0), (0.0, 0.0, 90.0), (0.0, 0.0, 20.0)],
)
def test_a_tile_told_at_a_wrong_pose_is_not_confirmed(along_mm: float, across_mm: float, turn_deg: float) -> None:
    eye, before, now = survey(), *(survey().still(picture(file), LOOK) for file in ("d1_01.jpg", "d1_04.jpg"))
    lying = compared(picture("d1_00.jpg"), picture("d1_01.jpg")).found
    change = eye.compare(now, before, eye.bare(before), lying)
    tile = change.found[0]
    x_mm, y_mm = place(np.array([[along_mm, across_mm]]), tile.x_mm, tile.y_mm, tile.angle_deg)[0]
    wrong = replace(tile, x_mm=float(x_mm), y_mm=float(y_mm), angle_deg=tile.angle_deg + turn_deg)
    assert eye.confirms(now, before, now, change)
    assert not eye.confirms(now, before, now, replace(change, found=(wrong,)))


def test_a_tile_told_with_wrong_numbers_is_not_confirmed_unless_they_were_very_clear() -> None:
    eye, before, now = survey(), *(survey().still(picture(file), LOOK) for file in ("d1_00.jpg", "d1_01.jpg"))
    change = eye.compare(now, before, eye.bare(before), ())
    unsure = replace(change.found[0], values=(5, 6), confidence=0.8)
    assert not eye.confirms(now, before, now, replace(change, found=(unsure,)))


def test_a_double_turned_round_is_the_same_tile_and_another_tile_is_not() -> None:
    double = replace(TILE, values=(6, 6))
    assert same(double, replace(double, angle_deg=double.angle_deg + 180.0))
    assert not same(TILE, replace(TILE, angle_deg=TILE.angle_deg + 180.0))


def test_a_tile_comes_in_its_smallest_rotation_with_the_angle_to_match() -> None:
    readings = (Reading((5, 0, 3), 0.9), Reading((5, 0, 2), 0.1))
    tile = seen_tile("triomino", np.array([10.0, 20.0, 100.0]), FaceReading(readings, True, 0.9, True))
    assert tile.values == (0, 3, 5)
    assert tile.angle_deg == pytest.approx(-140.0)
    assert [reading.values for reading in tile.readings] == [(0, 3, 5), (0, 2, 5)]


def test_light_is_no_difference_and_a_thing_is() -> None:
    before = np.full((40, 40, 3), (90, 110, 100), np.uint8)
    shaded = np.asarray(cv2.convertScaleAbs(before, alpha=0.7))
    assert differences.difference_beyond_light(shaded, before).max() <= 4
    red = np.full((40, 40, 3), (60, 60, 190), np.uint8)
    assert differences.difference_beyond_light(red, before).min() > 40


def test_pictures_of_different_exposure_are_made_alike() -> None:
    before = np.asarray(cv2.GaussianBlur(np.random.default_rng(3).integers(40, 160, (80, 80, 3), np.uint8), (9, 9), 0))
    brighter = np.asarray(cv2.convertScaleAbs(before, alpha=1.3))
    assert differences.difference(brighter, Light.between(before, brighter).on(before)).max() <= 6


def test_the_imagined_mat_has_no_image_but_can_be_compared() -> None:
    eye = survey()
    now = eye.still(picture("d1_04.jpg"), LOOK)
    bare = eye.bare(now)
    change = eye.compare(now, Still(None, LOOK, bare), bare, ())
    assert values(change.found) == [(0, 6), (5, 6), (6, 6)]


def pushed(image: np.ndarray, tile: SeenTile, away: tuple[float, float, float]) -> np.ndarray:
    """The picture with one tile cut out and laid some millimetres and degrees aside on the bare mat."""
    template = survey().search.template
    pose = np.array([tile.x_mm, tile.y_mm, tile.angle_deg])
    grown = template.outline_mm * 1.01
    here, there = (LOOK.pixels(place(grown, *each)).astype(np.float32) for each in (pose, pose + np.array(away)))
    size = (image.shape[1], image.shape[0])
    cut = cv2.warpPerspective(image, cv2.getPerspectiveTransform(here, there), size)
    left, arrived = (np.zeros(image.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(left, here.round().astype(np.int32), 255)
    cv2.fillConvexPoly(arrived, there.round().astype(np.int32), 255)
    result = image.copy()
    cv2.copyTo(picture("d1_00.jpg"), left, result)
    cv2.copyTo(cut, arrived, result)
    return np.asarray(result)


@pytest.mark.parametrize("away", [(-4.0, 3.0, 2.0), (-5.0, -9.0, 0.0), (-10.0, -22.0, 0.0), (-8.0, -20.0, 70.0)])
def test_a_tile_that_was_pushed_or_turned_lies_where_it_lies_now(away: tuple[float, float, float]) -> None:
    lying = three_tiles()
    tile = next(tile for tile in lying if tile.values == (0, 6))
    change = compared(picture("d1_04.jpg"), pushed(picture("d1_04.jpg"), tile, away), lying)
    twins = (*change.found, *(twin for _, twin in change.shifted))
    left = (*change.gone, *(old for old, _ in change.shifted))
    assert (values(twins), values(left)) == ([(0, 6)], [(0, 6)])
    assert np.hypot(twins[0].x_mm - tile.x_mm - away[0], twins[0].y_mm - tile.y_mm - away[1]) < 1.0
    assert twins[0].confidence > 0.9


def test_a_tile_taken_away_in_a_shadow_leaves_nothing_unexplained() -> None:
    shade = np.ones((1100, 1600, 1), np.float32)
    shade[500:] = 0.6
    before, now, empty = (picture(file) for file in ("d1_04.jpg", "d1_01.jpg", "d1_00.jpg"))
    eye = survey()
    earlier, later = (eye.still((image * shade).astype(np.uint8), LOOK) for image in (before, now))
    change = eye.compare(later, earlier, eye.bare(eye.still(empty, LOOK)), three_tiles())
    assert values(change.gone) == [(0, 6), (5, 6)]
    assert (change.found, change.unexplained) == ((), ())


@pytest.mark.parametrize("shaded", [0.55, 0.7])
def test_a_tile_laid_while_a_shadow_falls_over_half_of_the_table_is_found(shaded: float) -> None:
    shade = np.ones((1100, 1600, 1), np.float32)
    shade[:, 780:] = shaded
    one = compared(picture("d1_00.jpg"), picture("d1_01.jpg")).found
    change = compared(picture("d1_01.jpg"), (picture("d1_04.jpg") * shade).astype(np.uint8), one)
    assert values(change.found) == [(0, 6), (5, 6)]
    assert change.gone == ()
