"""Frames in, sightings out: coming to rest, hands and their visits, a pushed camera, facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile, load
from calibration.table import marker_corners, project
from referee.sighting import CameraStatus, Facts, SeenTile, Sighting
from vision.frames import Frame
from vision.kinds import kinds
from vision.rectify import Still
from vision.search import Search
from vision.settle import Change
from vision.track import Memory
from vision.watch import LOOKS_AGAIN_S, Watcher

PICTURES = Path(__file__).parents[1] / "fixtures" / "rendered-table"
FPS = 15.0
HIGHEST = {"domino": 6, "triomino": 5}


@lru_cache(maxsize=8)
def picture(file: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(PICTURES / file)))


class Table:
    """A watcher that is shown pictures, each for some frames."""

    def __init__(self, name: str = "d1", profile: Profile | None = None) -> None:
        profile = profile or load(f"{PICTURES / 'sequences.json'}#{name}")
        self.watcher = Watcher(profile, HIGHEST[profile.shape.kind], kinds()[profile.shape.kind], epoch="test")
        self.number = 0

    def show(self, image: str | np.ndarray, frames: int = 5) -> list[Sighting]:
        """The sightings while a picture stands."""
        image = picture(image) if isinstance(image, str) else image
        sightings = []
        for _ in range(frames):
            sighting = self.watcher.see(Frame(image, self.number / FPS, self.number))
            self.number += 1
            if sighting is not None:
                sightings.append(sighting)
        return sightings


def values(sighting: Sighting) -> list[tuple[int, ...]]:
    return sorted(tile.values for tile in sighting.tiles)


def test_the_table_is_busy_until_it_was_seen_at_rest() -> None:
    first, settled = Table().show("d1_00.jpg")
    assert (first.busy, first.settle, first.tiles) == (True, 0, ())
    assert (settled.busy, settled.settle, settled.tiles) == (False, 1, ())
    assert settled.camera is CameraStatus.OK


def test_a_tile_that_appears_without_a_hand_is_told_after_three_still_frames() -> None:
    table = Table()
    table.show("d1_00.jpg")
    assert [s.busy for s in table.show("d1_01.jpg", 3)] == [True]
    (sighting,) = table.show("d1_01.jpg", 1)
    assert (sighting.busy, sighting.settle, values(sighting)) == (False, 2, [(6, 6)])
    assert sighting.time_s == pytest.approx((table.number - 1) / FPS)
    assert sighting.visits == ()
    assert table.show("d1_01.jpg", 20) == []


def test_a_hand_makes_the_table_busy_and_leaves_a_visit() -> None:
    table = Table()
    table.show("d1_00.jpg")
    table.show("d1_01.jpg")
    (busy,) = table.show("d1_03.jpg", 15)
    assert busy.busy
    assert values(busy) == [(6, 6)]
    (settled,) = table.show("d1_04.jpg")
    assert values(settled) == [(0, 6), (5, 6), (6, 6)]
    (visit,) = settled.visits
    assert (visit.number, visit.appeared, visit.gone) == (1, 2, 0)
    assert (visit.from_s, visit.to_s) == (pytest.approx(10 / FPS), pytest.approx(24 / FPS))
    assert visit.reach_deg is not None
    assert 130 < visit.reach_deg < 180  # from the left, a little near


def test_a_hand_that_changes_nothing_leaves_a_rest_and_an_empty_visit() -> None:
    table = Table()
    table.show("d1_04.jpg")
    table.show("d1_03.jpg")
    (settled,) = table.show("d1_04.jpg")
    assert settled.settle == 2
    assert [(visit.appeared, visit.gone) for visit in settled.visits] == [(0, 0)]
    assert values(settled) == [(0, 6), (5, 6), (6, 6)]


def test_tiles_taken_away_are_no_longer_told() -> None:
    table = Table()
    table.show("d1_04.jpg")
    table.show("d1_03.jpg")
    (settled,) = table.show("d1_01.jpg")
    assert values(settled) == [(6, 6)]
    assert settled.visits[-1].gone == 2


def test_a_tile_that_was_missed_at_rest_is_found_by_a_second_look_with_nobody_near_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, looks = Search.one, list[float]()
    monkeypatch.setattr(Search, "one", lambda *_: looks.append(table.number / FPS))
    table = Table()
    table.show("d1_00.jpg")
    (_, missed) = table.show("d1_01.jpg")
    assert (missed.settle, missed.tiles, len(looks) > 0) == (2, (), True)
    assert table.show("d1_01.jpg", round(1.5 * FPS)) == []
    monkeypatch.setattr(Search, "one", one)
    (found,) = table.show("d1_01.jpg", 3 * round(FPS))
    assert (found.busy, found.settle, values(found), found.visits) == (False, 3, [(6, 6)], ())


def test_what_is_no_tile_is_looked_at_again_a_few_times_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[int]()
    table = Table()
    monkeypatch.setattr(Search, "one", lambda *_: looks.append(table.number))
    table.show("d1_00.jpg")
    table.show("d1_01.jpg")
    at_rest = len(set(looks))
    assert table.show("d1_01.jpg", round(20 * FPS)) == []
    assert len(set(looks)) - at_rest == len(LOOKS_AGAIN_S)


def test_a_hand_at_the_start_is_waited_for() -> None:
    table = Table()
    assert [s.settle for s in table.show("d1_03.jpg", 15)] == [0]
    (settled,) = table.show("d1_04.jpg")
    assert values(settled) == [(0, 6), (5, 6), (6, 6)]


def test_triominoes_lying_close_together_are_found_with_their_numbers() -> None:
    table = Table("t1")
    table.show("t1_00.jpg")
    settled = table.show("t1_04.jpg")[-1]
    assert values(settled) == [(0, 3, 5), (0, 5, 5), (3, 5, 5)]
    assert all(tile.confidence > 0.9 for tile in settled.tiles)


def moved(image: np.ndarray, x_px: float, y_px: float) -> np.ndarray:
    shift = np.array([[1.0, 0.0, x_px], [0.0, 1.0, y_px]])
    return np.asarray(cv2.warpAffine(image, shift, (1600, 1100), borderMode=cv2.BORDER_REPLICATE))


def covered(image: np.ndarray, *markers: int) -> np.ndarray:
    """The picture with paper over some markers."""
    profile = load(f"{PICTURES / 'sequences.json'}#d1")
    assert profile.pose is not None
    image = image.copy()
    for marker in markers:
        corners = project(marker_corners(profile.mat)[marker], 0.0, profile.camera, profile.pose)
        (left, top), (right, bottom) = corners.min(0).astype(int) - 12, corners.max(0).astype(int) + 12
        image[max(top, 0) : bottom, max(left, 0) : right] = (200, 205, 210)
    return image


def around_markers(image: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The picture with its markers as another one shows them."""
    there = np.any(covered(np.zeros_like(image), 0, 1, 2, 3) > 0, axis=2, keepdims=True)
    return np.asarray(np.where(there, other, image))


@pytest.mark.parametrize("push", [(9.0, -7.0), (-24.0, 16.0), (3.0, 0.0)])
def test_a_pushed_camera_is_told_within_two_seconds_and_followed_by_itself(push: tuple[float, float]) -> None:
    table = Table()
    before = table.show("d1_04.jpg")[-1]
    sightings = table.show(moved(picture("d1_04.jpg"), *push), 45)
    told = next(sighting for sighting in sightings if sighting.camera is CameraStatus.MOVED)
    assert told.busy, "nothing is judged"
    assert told.time_s - before.time_s < 2.0
    after = sightings[-1]
    assert (after.camera, after.busy) == (CameraStatus.OK, False)
    assert all(values(sighting) == values(before) for sighting in sightings)
    for tile, old in zip(after.tiles, before.tiles, strict=True):
        assert np.hypot(tile.x_mm - old.x_mm, tile.y_mm - old.y_mm) < 1.0
    assert values(table.show("d1_01.jpg", 45)[-1]) == [(6, 6)], "pushed back, and two tiles were taken away"


def test_a_pushed_camera_is_followed_with_one_marker_covered() -> None:
    table = Table()
    before = table.show(covered(picture("d1_04.jpg"), 2))[-1]
    sightings = table.show(moved(covered(picture("d1_04.jpg"), 2), 14.0, 9.0), 45)
    assert CameraStatus.MOVED in [sighting.camera for sighting in sightings]
    assert (sightings[-1].camera, values(sightings[-1])) == (CameraStatus.OK, values(before))


@pytest.mark.parametrize("markers", [(1,), (0, 3), (0, 1, 2)])
def test_markers_that_are_covered_are_no_reason_to_stop(markers: tuple[int, ...]) -> None:
    table = Table()
    table.show("d1_00.jpg")
    sightings = table.show(covered(picture("d1_01.jpg"), *markers), 150)
    assert {sighting.camera for sighting in sightings} == {CameraStatus.OK}
    assert not sightings[-1].busy
    assert [read for read in values(sightings[-1]) if read] == [(6, 6)], "paper is no tile with numbers"


def test_a_camera_that_was_turned_away_is_out_of_step_until_it_sees_the_table_again() -> None:
    table = Table()
    before = table.show("d1_04.jpg")[-1]
    away = moved(picture("d1_04.jpg"), 900.0, 600.0)
    sightings = table.show(away, 300)
    assert sightings[-1].camera is CameraStatus.MOVED
    assert all(sighting.settle == before.settle for sighting in sightings), "nothing is concluded, however long"
    after = table.show("d1_04.jpg", 60)[-1]
    assert (after.camera, after.busy, values(after)) == (CameraStatus.OK, False, values(before))


@pytest.mark.parametrize("shift", [(1.2, -0.9), (0.9, 0.9)])
def test_a_camera_that_gave_way_by_a_pixel_is_followed_without_a_word(shift: tuple[float, float]) -> None:
    table = Table()
    table.show("d1_00.jpg")
    table.show("d1_01.jpg")
    matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    pushed = cv2.warpAffine(
        picture("d1_04.jpg"), matrix, (1600, 1100), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    after = table.show(np.asarray(pushed), 15)[-1]
    assert after.camera is CameraStatus.OK
    assert values(after) == [(0, 6), (5, 6), (6, 6)]
    true = {(0, 6): (269.6, 250.99), (5, 6): (342.94, 246.01), (6, 6): (306.18, 247.72)}
    for tile in after.tiles:
        assert np.hypot(tile.x_mm - true[tile.values][0], tile.y_mm - true[tile.values][1]) < 0.5


def test_fixed_a_thing_put_down_after_a_knock_is_no_hand_for_ever_where_markers_and_table_disagree_a_little() -> None:
    table = Table()
    before = table.show("d1_04.jpg")[-1]
    knocked = around_markers(moved(picture("d1_04.jpg"), 2.2, 0.9), moved(picture("d1_04.jpg"), 1.2, -0.4)).copy()
    cv2.rectangle(knocked, (500, 700), (1100, 950), (120, 150, 200), cv2.FILLED)
    after = table.show(knocked, 90)[-1]
    assert (after.busy, after.settle) == (False, before.settle + 1)
    assert values(after) == values(before)


@pytest.mark.parametrize("colour", [(0.6, 0.6, 0.6), (0.8, 1.0, 1.15)])
def test_a_lamp_that_is_switched_keeps_nobody_waiting(colour: tuple[float, float, float]) -> None:
    table = Table()
    table.show("d1_00.jpg")
    table.show("d1_01.jpg")
    lit = np.clip(picture("d1_04.jpg") * np.array(colour), 0, 255).astype(np.uint8)
    settled = table.show(lit, 5)[-1]
    assert not settled.busy
    assert values(settled) == [(0, 6), (5, 6), (6, 6)]


def test_a_table_whose_markers_cannot_be_seen_uses_the_profiles_pose() -> None:
    table = Table()
    hidden = picture("d1_01.jpg").copy()
    hidden[:, :260] = hidden[:, 1360:] = (60, 95, 45)
    table.show(hidden)
    assert values(table.watcher.sighting()) == [(6, 6)]


def test_without_markers_and_without_a_pose_the_table_stays_busy() -> None:
    known = load(f"{PICTURES / 'sequences.json'}#d1")
    table = Table(profile=Profile(known.name, known.camera, known.mat, known.shape, None))
    (only,) = table.show(np.full((1100, 1600, 3), 90, np.uint8), 10)
    assert (only.busy, only.settle) == (True, 0)


def test_the_same_frame_again_is_not_a_further_still_frame() -> None:
    table = Table()
    frame = Frame(picture("d1_00.jpg"), 0.0, 0)
    assert [table.watcher.see(frame) is not None for _ in range(10)] == [True] + [False] * 9


def test_what_the_referee_confirmed_is_told_with_the_next_frame() -> None:
    table = Table()
    seen = table.show("d1_01.jpg")[-1].tiles[0]
    sure = SeenTile("domino", (4, 4), seen.x_mm, seen.y_mm, seen.angle_deg)
    table.watcher.facts(Facts("table", 1, "double-six", "domino", 1, (sure,)))
    (sighting,) = table.show("d1_01.jpg", 1)
    assert values(sighting) == [(4, 4)]
    assert not sighting.busy


def test_a_fingertip_that_rests_at_the_edge_is_a_hand_and_a_tile_there_is_none() -> None:
    table = Table()
    table.show("d1_01.jpg")
    tip = picture("d1_01.jpg").copy()
    cv2.ellipse(tip, (820, 1040), (38, 75), 0, 0, 360, (110, 140, 200), -1, cv2.LINE_AA)
    table.show(tip, 60)
    assert table.watcher.busy
    assert table.watcher.settle == 1
    table.show("d1_01.jpg")
    assert not table.watcher.busy


def test_fixed_what_lay_at_the_edge_at_the_last_rest_is_no_hand_at_the_next() -> None:
    table = Table()
    table.show("d1_04.jpg")
    edge, elsewhere = (13.0, 21.0, 10.8), (300.0, 392.0, 11.0)
    change = Change(unexplained=(edge, (38.0, 31.0, 10.7)))
    assert table.watcher._reaches_in(change)
    table.watcher._came_to_rest(change, 1.0)
    assert not table.watcher._reaches_in(Change(unexplained=((14.0, 22.0, 10.5),)))
    assert table.watcher._reaches_in(Change(unexplained=(edge, elsewhere)))


def test_fixed_what_left_over_the_edge_without_being_seen_to_move_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table()
    table.show("d1_00.jpg")
    compare, leaving = Memory.compare, [Change(unexplained=((6.0, 54.0, 8.0),))]

    def first_leaving(self: Memory, now: Still, hints: Sequence[SeenTile] = ()) -> Change:
        return leaving.pop() if leaving else compare(self, now, hints)

    monkeypatch.setattr(Memory, "compare", first_leaving)
    (busy, settled) = table.show("d1_01.jpg", round(FPS))
    assert (busy.busy, settled.busy, values(settled)) == (True, False, [(6, 6)])


def test_a_picture_that_shows_another_face_than_the_first_is_looked_at_anew() -> None:
    table = Table()
    table.show("d1_00.jpg")
    table.show("d1_01.jpg", 2)
    assert values(table.show("d1_04.jpg", 6)[-1]) == [(0, 6), (5, 6), (6, 6)]
