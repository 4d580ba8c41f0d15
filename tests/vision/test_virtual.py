"""The virtual table's pictures: what is laid is seen where it was to be laid, and nothing else changes."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Mat
from calibration.table import MARKER_DICTIONARY, find_pose, marker_corners
from referee.tiles import Shape
from vision.frames import Frame, SourceError
from vision.scenes.cameras import camera_over
from vision.scenes.optics import Optics
from vision.virtual import Clear, Direction, Hover, Lay, Lying, Move, Spread, Take, VirtualTable, profile_for
from vision.virtual.pieces import Piece, footprint
from vision.virtual.stage import ScriptStage
from vision.virtual.table import FRAMES_AFTER, FRAMES_BEFORE, FRAMES_BETWEEN, Setting, open_table, room

SIZE = (1280, 880)
NAME = "stage=unused&size=1280x880&seed={}"
LAY = Lay("triomino", (0, 3, 5), 360.0, 150.0, 37.0, 180.0)
GESTURE = 5 + 2 + 5


@lru_cache(maxsize=1)
def optics() -> Optics:
    return camera_over(Mat(), *SIZE, 7)


@lru_cache(maxsize=8)
def film(*directions: Direction, seed: int = 7) -> list[Frame]:
    """All frames of a script."""
    table = VirtualTable(Setting.parse(NAME.format(seed)), ScriptStage(directions))
    frames = []
    while (frame := table.read()) is not None:
        frames.append(frame)
    return frames


def change(frame: Frame, other: Frame) -> np.ndarray:
    """How much two frames differ, in brightness levels, once noise is smoothed away."""
    difference = cv2.absdiff(frame.image, other.image).astype(np.float32).mean(axis=2)
    return cv2.GaussianBlur(difference, (0, 0), 2.0)


def top_face(lay: Lay, shape: Shape) -> np.ndarray:
    """The pixels of the nominal top face, from the same numbers the direction gave."""
    piece = Piece(lay.kind, lay.values, lay.x_mm, lay.y_mm, lay.angle_deg)
    corners = optics().project(footprint(piece, shape), shape.thickness_mm)
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], 255, shift=4)
    return mask


def grown(mask: np.ndarray, pixels: int) -> np.ndarray:
    kernel = np.ones((2 * abs(pixels) + 1,) * 2, np.uint8)
    return (cv2.dilate if pixels > 0 else cv2.erode)(mask, kernel) > 0


def test_the_same_seed_gives_the_same_pixels_and_another_seed_another_table() -> None:
    first = [frame.image for frame in film(LAY)]
    room.cache_clear()
    again = [frame.image for frame in film.__wrapped__(LAY)]
    assert len(first) == FRAMES_BEFORE + GESTURE + FRAMES_BETWEEN + FRAMES_AFTER
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    other_seed = film(seed=8)[0].image
    assert np.abs(other_seed.astype(int) - first[0]).mean() > 5


def test_no_two_frames_of_a_still_table_are_the_same_bytes() -> None:
    still = film(LAY)[:FRAMES_BEFORE]
    assert all(not np.array_equal(one.image, two.image) for one, two in pairwise(still))
    assert max(float(change(one, still[0]).max()) for one in still[1:]) < 6


@pytest.mark.parametrize("seed", [7, 8])
def test_all_four_markers_are_found_where_the_camera_model_puts_them(seed: int) -> None:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)
    corners, ids, _ = detector.detectMarkers(film(seed=seed)[0].image)
    seen = {int(marker): corner[0] for marker, corner in zip(ids.ravel(), corners, strict=True)}
    camera = camera_over(Mat(), *SIZE, seed)
    assert sorted(seen) == [0, 1, 2, 3]
    for marker, expected in marker_corners(Mat()).items():
        off = seen[marker] - camera.project(expected)
        assert np.linalg.norm(off, axis=1).max() < 0.5
        assert np.linalg.norm(off.mean(0)) < 0.12  # the finder draws corners in; their mean is truer


def test_the_profile_tells_the_camera_but_leaves_the_pose_to_be_found() -> None:
    profile = profile_for("virtual:" + NAME.format(7) + "&kind=domino")
    assert profile.pose is None
    assert (profile.camera.width, profile.camera.height) == SIZE
    assert profile.shape == Shape.domino()
    pose = find_pose(film(LAY)[0].image, profile.camera, profile.mat)
    assert pose is not None
    found = Optics(profile.camera, pose)
    places = np.array([(x, y) for x in (0.0, 300.0, 600.0) for y in (0.0, 200.0, 400.0)])
    assert np.abs(found.project(places, 8.0) - optics().project(places, 8.0)).max() < 0.5


def test_a_laid_tile_is_seen_where_it_was_laid_and_nowhere_else() -> None:
    frames = film(LAY)
    difference = change(frames[-1], frames[0])
    face = top_face(LAY, Shape.triomino())
    assert difference[grown(face, -5)].mean() > 40
    assert np.median(difference[grown(face, -5)]) > 60
    assert difference[~grown(face, 25)].max() < 6


@pytest.mark.parametrize("angle_deg", [0.0, 20.0, 90.0, 215.0])
def test_the_half_of_the_second_number_lies_toward_the_angle(angle_deg: float) -> None:
    lay = Lay("domino", (0, 6), 300.0, 200.0, angle_deg, 90.0)
    grey = cv2.cvtColor(film(lay)[-1].image, cv2.COLOR_BGR2GRAY)
    middle = np.array([300.0, 200.0])
    step = 12.0 * np.array([np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))])
    halves = optics().project(np.array([middle - step, middle + step]), 8.0)
    spread = [grey[int(y) - 14 : int(y) + 15, int(x) - 14 : int(x) + 15].std() for x, y in halves]
    assert spread[1] > 2 * spread[0]


def test_a_tile_off_the_axis_is_seen_on_the_plane_of_its_top() -> None:
    lay = Lay("domino", (1, 1), 110.0, 320.0, 0.0, 90.0)
    grey = cv2.cvtColor(film(lay)[-1].image, cv2.COLOR_BGR2GRAY)
    pip = np.array([(110.0 + 12.0, 320.0)])
    (seen_at,), (on_the_mat,) = optics().project(pip, 8.0), optics().project(pip, 0.0)
    corner = np.round(seen_at).astype(int) - 9
    around = grey[corner[1] : corner[1] + 19, corner[0] : corner[0] + 19]
    centre = corner + np.argwhere(around < 110).mean(0)[::-1]
    assert np.linalg.norm(centre - seen_at) < 0.5
    assert np.linalg.norm(on_the_mat - seen_at) > 3


def test_a_tile_under_the_camera_has_its_centre_and_angle_where_they_were_asked() -> None:
    # Right below the camera no side wall is seen, so the outline is that of the top face alone.
    pose = optics().pose
    x, y, _ = -pose.rotation.T @ pose.translation
    lay = Lay("domino", (), float(x), float(y), 33.0, 0.0)
    frames = film(lay)
    bright = (change(frames[-1], frames[0]) > 40).astype(np.uint8)
    contour = max(cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=cv2.contourArea)
    centre, (width, height), _ = cv2.minAreaRect(contour)
    ends = optics().project(np.array([(x, y), (x + np.cos(np.deg2rad(33)), y + np.sin(np.deg2rad(33)))]), 8.0)
    assert np.linalg.norm(centre - ends[0]) < 1.0
    assert max(width, height) / min(width, height) == pytest.approx(2.0, rel=0.06)
    moments = cv2.moments(contour)
    angle = np.rad2deg(np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"]) / 2)
    assert angle == pytest.approx(np.rad2deg(np.arctan2(*(ends[1] - ends[0])[::-1])), abs=0.5)


def test_a_hand_covers_the_table_while_it_lays_and_is_gone_afterwards() -> None:
    frames = film(LAY)
    at_rest, gone = FRAMES_BEFORE + 5, FRAMES_BEFORE + GESTURE
    watched = (at_rest, *range(gone, gone + FRAMES_BETWEEN), -1)
    covered = {index: float((change(frames[index], frames[0]) > 15).mean()) for index in watched}
    tile = covered[-1]
    assert covered[at_rest] > 0.04 > 10 * tile
    assert (change(frames[at_rest], frames[0]) > 15)[:, 0].any()
    assert max(covered[index] for index in watched[1:]) < 1.2 * tile


@pytest.mark.parametrize(("from_deg", "side"), [(0, "right"), (90, "near"), (180, "left"), (270, "far")])
def test_a_hand_comes_from_the_side_of_its_seat(from_deg: float, side: str) -> None:
    frames = film(Hover(from_deg))
    seen = change(frames[FRAMES_BEFORE + 6], frames[0]) > 15
    edges = {"right": seen[:, -1], "near": seen[-1], "left": seen[:, 0], "far": seen[0]}
    assert {name for name, edge in edges.items() if edge.sum() > 20} == {side}
    assert change(frames[-1], frames[0]).max() < 6


def test_the_nearest_tile_is_taken_and_the_others_stay() -> None:
    other = Lay("triomino", (1, 1, 2), 200.0, 250.0, 0.0, 90.0)
    frames = film(LAY, other, Take(350.0, 160.0, 45.0))
    difference = change(frames[-1], frames[0])
    assert difference[grown(top_face(LAY, Shape.triomino()), 0)].max() < 6
    assert np.median(difference[grown(top_face(other, Shape.triomino()), -5)]) > 60


def test_many_tiles_are_brought_at_once_and_lie_where_they_are_to_lie() -> None:
    lying = tuple(Lying((n, n, n + 1) if n else (), 150.0 + 80.0 * n, 180.0, 20.0 * n) for n in range(4))
    frames = film(Spread("triomino", lying, 90.0))
    assert len(frames) == FRAMES_BEFORE + GESTURE + FRAMES_BETWEEN + FRAMES_AFTER
    for each in lying:
        lay = Lay("triomino", each.values, each.x_mm, each.y_mm, each.angle_deg, 90.0)
        assert np.median(change(frames[-1], frames[0])[grown(top_face(lay, Shape.triomino()), -5)]) > 60


def test_a_tile_may_be_turned_over_where_it_is_laid() -> None:
    back = Lay("domino", (), 200.0, 200.0, 90.0, 90.0)
    moved = Move(200.0, 200.0, 350.0, 160.0, 0.0, 90.0, values=(2, 5))
    face = Lay("domino", (2, 5), 350.0, 160.0, 0.0, 90.0)
    assert change(film(back, moved)[-1], film(face)[-1]).max() < 8


def test_taking_from_an_empty_table_is_a_hand_that_comes_and_goes() -> None:
    frames = film(Take(300.0, 200.0, 90.0))
    assert (change(frames[FRAMES_BEFORE + 6], frames[0]) > 15).mean() > 0.03
    assert change(frames[-1], frames[0]).max() < 6


def test_a_sweep_leaves_an_empty_table() -> None:
    lays = [Lay("domino", (n, 6 - n), 90.0 + 105 * n, 80.0 + 60 * n, 30.0 * n, 90.0) for n in range(5)]
    frames = film(*lays, Clear(100.0))
    laid = frames[FRAMES_BEFORE + 5 * (GESTURE + FRAMES_BETWEEN) - 1]
    assert (change(laid, frames[0]) > 40).sum() > 5 * 3000
    assert change(frames[-1], frames[0]).max() < 6


def test_a_nudge_moves_the_neighbour_a_little() -> None:
    first = Lay("domino", (), 300.0, 200.0, 0.0, 90.0)
    second = Lay("domino", (1, 6), 351.0, 200.0, 0.0, 90.0, nudge_mm=2.0)
    frames = film(first, second)
    before, after = frames[FRAMES_BEFORE + GESTURE + FRAMES_BETWEEN - 1], frames[-1]
    left_edge = optics().project(np.array([(276.0, 200.0)]), 8.0)[0]
    x, y = np.round(left_edge).astype(int)
    rows = slice(y - 8, y + 9)
    edges = [float((frame.image[rows, x - 12 : x + 12].mean(axis=(0, 2)) > 130).argmax()) for frame in (before, after)]
    assert 2 <= edges[0] - edges[1] <= 6  # two millimetres are about four pixels


def test_frames_are_numbered_on_a_clock_of_their_own() -> None:
    frames = film(LAY)
    assert [frame.number for frame in frames] == list(range(len(frames)))
    assert [frame.time_s for frame in frames] == pytest.approx([number / 15 for number in range(len(frames))])


def test_a_script_is_played_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "odd=name.json"
    path.write_text(json.dumps([{"do": "hover", "from_deg": 90}, {"do": "end"}, {"do": "clear", "from_deg": 0}]))
    table = open_table(f"{path}?size=1280x880&fps=30")
    frames = 0
    while (frame := table.read()) is not None:
        frames += 1
        assert frame.time_s == pytest.approx(frame.number / 30)
    assert frames == FRAMES_BEFORE + GESTURE + FRAMES_BETWEEN + FRAMES_AFTER


def test_the_kind_of_a_script_is_that_of_its_first_tile(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    lay = {"do": "lay", "kind": "domino", "values": [1, 2], "x_mm": 1, "y_mm": 2, "angle_deg": 0, "from_deg": 0}
    path.write_text(json.dumps([{"do": "hover", "from_deg": 90}, lay]))
    assert profile_for(f"virtual:{path}").shape.kind == "domino"
    assert profile_for(f"virtual:{path}?kind=triomino").shape.kind == "triomino"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "expected a JSON list of directions"),
        ({"do": "clear", "from_deg": 1}, "Expected `array`"),
        ([{"do": "dance"}], "Invalid value 'dance'"),
        ([{"do": "clear"}], "missing required field `from_deg`"),
        ([{"do": "hover", "from_deg": 0, "speed": 3}], "unknown field `speed`"),
        ([{"do": "take", "x_mm": 1e9, "y_mm": 0, "from_deg": 0}], "<= 2000"),
        ([{"do": "lay", "kind": "domino", "values": [1, 2, 3], "x_mm": 0, "y_mm": 0, "angle_deg": 0, "from_deg": 0}],
         "expected 2 values .or none. for a domino"),
        ([{"do": "spread", "kind": "domino", "tiles": [], "from_deg": 0}], "length >= 1"),
        ([{"do": "spread", "kind": "domino", "tiles": [{"values": [1], "x_mm": 0, "y_mm": 0, "angle_deg": 0}],
           "from_deg": 0}], "expected 2 values .or none. for a domino"),
        ([{"do": "lay", "kind": "card", "values": [], "x_mm": 0, "y_mm": 0, "angle_deg": 0, "from_deg": 0}],
         "expected one of domino, triomino as kind, got 'card'"),
    ],
)  # fmt: skip
def test_a_script_that_makes_no_sense_is_refused(tmp_path: Path, content: Any, says: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(SourceError, match=says):
        open_table(str(path))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("stage=ipc://x&kind=cards", "expected kind to be one of domino, triomino, got 'cards'"),
        ("stage=ipc://x&size=huge", "expected size to be one of 1600x1100, 1280x880"),
        ("stage=ipc://x&pace=slow", "expected pace to be one of fast, real"),
        ("stage=ipc://x&seed=-1", "expected seed to be a whole number"),
        ("stage=ipc://x&colour=red", "got colour"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(name: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        Setting.parse(name)
