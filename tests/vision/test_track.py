"""What is believed to lie on the table, and what the referee's facts change about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import load
from calibration.tileset import TileSet
from referee.sighting import Facts, Reading, SeenTile
from vision.kinds import FaceReading, Image, kinds
from vision.rectify import Look, Still
from vision.search import Search
from vision.settle import Change, Survey
from vision.track import ATTEMPTS, Memory

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
PROFILE = load(f"{PICTURES / 'sequences.json'}#d1")
assert PROFILE.pose is not None
LOOK = Look(PROFILE.camera, PROFILE.pose, PROFILE.shape.thickness_mm)
UNSURE = SeenTile(
    "domino", (2, 4), 420.0, 120.0, 15.0, confidence=0.5, readings=(Reading((2, 4), 0.5), Reading((4, 3), 0.4))
)


@lru_cache(maxsize=8)
def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


def memory() -> Memory:
    return Memory(Survey(Search(kinds()["domino"], PROFILE.shape, 6), PROFILE.mat))


def shown(memory: Memory, file: str) -> Change:
    """Show a picture at rest and let the memory take it over."""
    now = still(memory, file)
    change = memory.compare(now)
    memory.commit(now, change)
    return change


def still(memory: Memory, file: str) -> Still:
    return memory.survey.still(picture(file), LOOK)


def facts(*confirmed: SeenTile, copies: int | None = None, seq: int = 1) -> Facts:
    return Facts("table", seq, "double-six", "domino", copies, confirmed)


def values(memory: Memory) -> list[tuple[int, ...]]:
    return sorted(tile.values for tile in memory.tiles)


def test_tiles_come_and_go_with_the_pictures() -> None:
    table = memory()
    for file, lying in [
        ("d1_00.jpg", []),
        ("d1_01.jpg", [(6, 6)]),
        ("d1_04.jpg", [(0, 6), (5, 6), (6, 6)]),
        ("d1_01.jpg", [(6, 6)]),
        ("d1_00.jpg", []),
    ]:
        shown(table, file)
        assert values(table) == lying


def test_tiles_that_lie_there_at_the_start_are_found() -> None:
    table = memory()
    shown(table, "d1_04.jpg")
    assert values(table) == [(0, 6), (5, 6), (6, 6)]


def test_the_first_clear_tile_tells_whether_the_set_is_bright() -> None:
    table = memory()
    assert table.survey.search.polarity == 0
    shown(table, "d1_01.jpg")
    assert table.survey.search.polarity == 1


def test_what_people_confirmed_overrides_what_was_read() -> None:
    table = memory()
    shown(table, "d1_01.jpg")
    seen = table.tiles[0]
    confirmed = SeenTile("domino", (5, 6), seen.x_mm + 1.0, seen.y_mm, seen.angle_deg + 180.0)
    assert table.know(facts(confirmed))
    assert (table.tiles[0].values, table.tiles[0].confidence) == ((5, 6), 1.0)
    assert table.tiles[0].x_mm == seen.x_mm
    shown(table, "d1_04.jpg")
    assert values(table) == [(0, 6), (5, 6), (5, 6)]


def test_what_is_confirmed_elsewhere_changes_nothing() -> None:
    table = memory()
    shown(table, "d1_01.jpg")
    assert not table.know(facts(SeenTile("domino", (1, 2), 80.0, 80.0, 0.0)))
    assert values(table) == [(6, 6)]


def test_a_clear_reading_that_already_lies_there_is_kept_but_doubted() -> None:
    table = memory()
    table.know(facts(copies=1))
    shown(table, "d1_01.jpg")
    twin = SeenTile("domino", (6, 6), 120.0, 120.0, 0.0, confidence=0.99, readings=(Reading((6, 6), 0.99),))
    now = still(table, "d1_01.jpg")
    table.commit(now, Change(found=(twin,)))
    assert values(table) == [(6, 6), (6, 6)]
    assert table.tiles[-1].confidence < 0.9


def test_faces_are_read_in_the_light_of_what_the_referee_says_of_the_set() -> None:
    table = memory()
    faces = table.survey.search.faces
    assert faces.tileset is None
    table.know(facts(copies=2))
    assert faces.tileset is not None
    assert faces.tileset.unseen([(6, 6)])[6, 6] == 1
    table.know(facts(copies=None, seq=2))
    assert faces.tileset is None


def test_a_new_tile_is_read_beside_all_that_lie_there_and_one_that_was_taken_away_is_not_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = memory()
    table.know(facts(copies=1))
    shown(table, "d1_04.jpg")
    told: list[list[tuple[int, ...]]] = []
    faces = table.survey.search.faces
    read = faces.read

    def heard(face: Image, lying: Iterable[tuple[int, ...]] | None = None) -> FaceReading:
        told.extend([] if lying is None else [sorted(lying)])
        return read(face, lying)

    monkeypatch.setattr(faces, "read", heard)
    shown(table, "d1_01.jpg")  # (0, 6) and (5, 6) are taken away
    shown(table, "d1_04.jpg")
    assert told
    assert all(lying[-1] == (6, 6) for lying in told)
    assert [(6, 6)] in told
    assert [(0, 6), (5, 6), (6, 6)] not in told


@pytest.mark.parametrize(("copies", "doubted"), [(1, True), (2, False), (None, False)])
def test_the_set_tells_how_many_of_a_tile_may_lie_there_whatever_the_facts_say(
    copies: int | None, doubted: bool
) -> None:
    tileset = TileSet("", PROFILE.shape, 6, copies)
    table = Memory(Survey(Search(kinds()["domino"], PROFILE.shape, 6), PROFILE.mat), tileset)
    table.know(facts(copies=1))
    shown(table, "d1_01.jpg")
    twin = SeenTile("domino", (6, 6), 120.0, 120.0, 0.0, confidence=0.99, readings=(Reading((6, 6), 0.99),))
    table.commit(still(table, "d1_01.jpg"), Change(found=(twin,)))
    assert values(table) == [(6, 6), (6, 6)]
    assert (table.tiles[-1].confidence < 0.9) is doubted


def test_a_clear_reading_of_a_tile_that_the_set_has_not_is_asked_and_keeps_its_numbers() -> None:
    tileset = TileSet("", PROFILE.shape, 5, None)
    table = Memory(Survey(Search(kinds()["domino"], PROFILE.shape, 6), PROFILE.mat), tileset)
    shown(table, "d1_01.jpg")
    assert values(table) == [(6, 6)]
    assert table.tiles[0].confidence < 0.9


def test_without_facts_an_unclear_reading_stays_as_it_was_read() -> None:
    table = memory()
    shown(table, "d1_00.jpg")
    table.commit(still(table, "d1_00.jpg"), Change(found=(SeenTile("domino", (2, 4), 120.0, 120.0, 0.0), UNSURE)))
    assert table.tiles[-1] == UNSURE


def test_a_tile_missed_at_first_is_looked_for_again_at_the_next_rest() -> None:
    table = memory()
    shown(table, "d1_00.jpg")
    now = still(table, "d1_01.jpg")
    seen = table.compare(now).found[0]
    table.commit(now, Change(unexplained=((seen.x_mm, seen.y_mm, 30.0),)))
    assert values(table) == []
    shown(table, "d1_01.jpg")
    assert values(table) == [(6, 6)]


def test_what_stays_unexplained_becomes_part_of_the_table() -> None:
    table = memory()
    shown(table, "d1_00.jpg")
    now = still(table, "d1_01.jpg")
    disc = (table.compare(now).found[0].x_mm, table.compare(now).found[0].y_mm, 30.0)
    for _ in range(ATTEMPTS):
        table.commit(now, Change(unexplained=(disc,)))
    assert table.compare(now).found == ()


def test_a_table_can_begin_with_tiles_that_are_known() -> None:
    first = memory()
    shown(first, "d1_01.jpg")
    table = memory()
    table.begin(still(table, "d1_01.jpg"), first.tiles)
    assert values(table) == [(6, 6)]
    shown(table, "d1_04.jpg")
    assert values(table) == [(0, 6), (5, 6), (6, 6)]


def test_a_tile_is_found_where_one_was_taken_away_after_a_lamp_was_switched_on() -> None:
    table = memory()
    for file in ("d1_00.jpg", "d1_04.jpg"):
        shown(table, file)
    lamp = [np.asarray(cv2.convertScaleAbs(picture(file), alpha=1.4)) for file in ("d1_01.jpg", "d1_04.jpg")]
    for image, lying in zip(lamp, ([(6, 6)], [(0, 6), (5, 6), (6, 6)]), strict=True):
        now = table.survey.still(image, LOOK)
        change = table.compare(now)
        assert change.unexplained == ()
        table.commit(now, change)
        assert values(table) == lying


def test_what_differs_and_is_no_tile_is_taken_over_only_when_it_stays() -> None:
    table = memory()
    shown(table, "d1_01.jpg")
    assert table.rest is not None
    plain = table.rest.flat[100:110, 460:470].astype(int)
    with_card = picture("d1_01.jpg").copy()
    middle = LOOK.pixels(np.array([[465.0, 105.0]])).round().astype(int)[0]
    cv2.circle(with_card, (int(middle[0]), int(middle[1])), 40, (40, 40, 190), -1)
    for rest in range(1, ATTEMPTS + 1):
        now = table.survey.still(with_card, LOOK)
        table.commit(now, table.compare(now))
        away = np.abs(table.rest.flat[100:110, 460:470].astype(int) - plain).mean()
        assert bool(away > 40) == (rest >= ATTEMPTS)
        assert table.rest.image is not None
        kept = table.rest.image[middle[1] - 5 : middle[1] + 5, middle[0] - 5 : middle[0] + 5]
        assert bool(kept.mean(axis=(0, 1))[2] > 150) == (rest >= ATTEMPTS)
        assert values(table) == [(6, 6)]


def shaded(file: str, radius_px: int = 320) -> np.ndarray:
    """A picture with a dark, soft shadow on it, over tiles and mat."""
    image = picture(file)
    across, down = LOOK.pixels(np.array([[360.0, 160.0]]))[0]
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    away = np.hypot(columns - across, rows - down) / radius_px
    return np.asarray(np.rint(image * (1.0 - 0.45 * np.exp(-(away**4)))[..., None]), np.uint8)


def test_fixed_a_shadow_that_rested_and_left_is_in_no_picture_of_the_table_or_its_mat() -> None:
    table = memory()
    for file in ("d1_00.jpg", "d1_01.jpg"):
        shown(table, file)
    now = table.survey.still(shaded("d1_01.jpg"), LOOK)
    change = table.compare(now)
    table.commit(now, change)
    assert (change.found, change.gone, change.unexplained) == ((), (), ())
    assert table.rest is now, "light is taken over at once"
    change = shown(table, "d1_04.jpg")
    assert sorted(tile.values for tile in change.found) == [(0, 6), (5, 6)]
    assert (change.gone, change.unexplained) == ((), ())


def test_the_true_size_of_the_tiles_is_learnt_from_the_first_ones() -> None:
    larger = replace(PROFILE.shape, length_mm=50.0, width_mm=25.0)
    table = Memory(Survey(Search(kinds()["domino"], larger, 6), PROFILE.mat))
    shown(table, "d1_00.jpg")
    shown(table, "d1_01.jpg")
    shown(table, "d1_04.jpg")
    assert values(table) == [(0, 6), (5, 6), (6, 6)]
    assert abs(table.survey.search.shape.length_mm - 48.0) < 0.8


def test_fixed_another_tile_in_the_place_of_a_confirmed_one_is_told_by_its_own_numbers() -> None:
    table = memory()
    shown(table, "d1_01.jpg")
    six = next(tile for tile in table.tiles if tile.values == (6, 6))
    table.know(facts(replace(six, confidence=1.0)))
    looked_at = still(table, "d1_01.jpg")
    other = replace(six, values=(1, 2), confidence=0.99, x_mm=six.x_mm + 1.0)
    table.commit(looked_at, Change(gone=(six,), found=(other,)))
    assert values(table) == [(1, 2)]


def test_a_reading_that_people_put_right_stays_so_when_the_tile_is_found_again() -> None:
    table = memory()
    shown(table, "d1_01.jpg")
    six = next(tile for tile in table.tiles if tile.values == (6, 6))
    table.know(facts(replace(six, values=(3, 6))))
    assert values(table) == [(3, 6)]
    again = replace(six, confidence=0.99, x_mm=six.x_mm + 1.0)
    table.commit(still(table, "d1_01.jpg"), Change(gone=table.tiles, found=(again,)))
    assert values(table) == [(3, 6)]
