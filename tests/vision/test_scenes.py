"""Made-up photographs: the labels say where tiles are, and light falls as light does."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.profile import Mat
from calibration.table import find_markers, marker_corners
from referee.tiles import DOMINO, TRIOMINO, Shape
from vision.kinds import Image, Style, kinds
from vision.scenes import (
    Brief,
    Order,
    Picture,
    Piece,
    Session,
    TileSet,
    arrange,
    cut,
    cut_anywhere,
    draw_session,
    large_slip,
    photograph,
    plain_set,
    small_slip,
    turned_slip,
    visible_parts,
)
from vision.scenes.hand import Arm
from vision.scenes.shadows import light_left

SETS = {
    DOMINO: plain_set(Shape.domino(), Style()),
    TRIOMINO: plain_set(Shape.triomino(), Style(), highest=5),
}
ORDINARY = Brief(px_per_mm=(2.5, 2.5), size_px=(800, 600), harsh=0.0, worn=0.0, grounds=("felt",))
EIGHT = Order(count=(8, 8), clutter=0.0, over_the_edge=0.0)
OBLIQUE = replace(ORDINARY, tilt_deg=(35.0, 45.0))


@lru_cache(maxsize=8)
def session(kind: str, brief: Brief = ORDINARY, seed: int = 3) -> Session:
    return draw_session(np.random.default_rng(seed), SETS[kind], brief)


def shot(here: Session, seed: int = 5, order: Order = EIGHT) -> Picture:
    random = np.random.default_rng(seed)
    return photograph(here, arrange(here, random, order), random)


def likeness(face: Image, tiles: TileSet, values: tuple[int, ...]) -> float:
    """How a cut face correlates with the painted one, where that is covered."""
    painted = kinds()[tiles.kind].draw(values, Style(), 1)
    inside = cv2.erode(painted[..., 3], np.ones((9, 9), np.uint8)) > 200
    one, other = (cv2.cvtColor(picture[..., :3], cv2.COLOR_BGR2GRAY)[inside] for picture in (face, painted))
    return float(np.corrcoef(one, other)[0, 1])


def middle(here: Session) -> tuple[float, float]:
    return here.inside.middle


@pytest.mark.parametrize("kind", [DOMINO, TRIOMINO])
@pytest.mark.parametrize("brief", [ORDINARY, OBLIQUE], ids=["overhead", "oblique"])
def test_a_face_cut_by_its_label_looks_like_the_face_that_was_painted(kind: str, brief: Brief) -> None:
    here = session(kind, brief)
    picture = shot(here)
    marked = [tile for tile in picture.tiles if tile.visible > 0.98 and len(set(tile.piece.values)) > 1]
    assert len(marked) >= 4
    for tile in marked:
        face, values = cut(picture, tile, here), tile.piece.values
        like = likeness(face, SETS[kind], values)
        assert like > 0.85
        assert likeness(face, SETS[kind], (*values[1:], values[0])) < like - 0.08


def test_a_wrong_pose_cuts_no_face_and_a_small_error_still_does() -> None:
    here, random = session(DOMINO), np.random.default_rng(1)
    picture = shot(here)
    tile = next(tile for tile in picture.tiles if sum(tile.piece.values) > 4)
    values = tile.piece.values
    assert likeness(cut(picture, tile, here, small_slip(random)), SETS[DOMINO], values) > 0.6
    assert likeness(cut(picture, tile, here, large_slip(random)), SETS[DOMINO], values) < 0.5
    assert likeness(cut(picture, tile, here, turned_slip(random)), SETS[DOMINO], values) < 0.5


def test_the_same_random_numbers_make_the_same_picture() -> None:
    first, second = (
        shot(draw_session(np.random.default_rng(8), SETS[TRIOMINO]), order=Order(clutter=1.0)) for _ in range(2)
    )
    assert np.array_equal(first.image, second.image)
    assert [tile.piece for tile in first.tiles] == [tile.piece for tile in second.tiles]
    other = shot(session(TRIOMINO), seed=6)
    assert other.image.shape != first.image.shape or not np.array_equal(other.image, first.image)


def test_an_outline_in_the_picture_is_the_top_of_the_tile_as_the_camera_projects_it() -> None:
    for brief in (ORDINARY, OBLIQUE):
        here = session(DOMINO, brief)
        for tile in shot(here).tiles:
            x, y, turn = tile.piece.x_mm, tile.piece.y_mm, np.deg2rad(tile.piece.angle_deg)
            spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
            corners = SETS[DOMINO].outline_mm() @ spin + (x, y)
            expected = here.optics.project(corners, SETS[DOMINO].shape.thickness_mm)
            assert np.abs(expected - tile.outline_px).max() < 0.3


def test_every_pixel_that_a_tile_owns_lies_in_its_outline_and_loose_tiles_are_wholly_seen() -> None:
    here = session(TRIOMINO)
    picture = shot(here, order=Order(count=(6, 6), layouts=("scatter",), clutter=0.0, over_the_edge=0.0))
    assert len(picture.tiles) == 6
    for number, tile in enumerate(picture.tiles, 1):
        assert tile.visible > 0.98
        inside = np.zeros(picture.owner.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(tile.outline_px * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        owned = picture.owner == number
        assert owned.sum() > 100
        assert not owned[cv2.dilate(inside, np.ones((3, 3), np.uint8)) == 0].any()


def test_what_is_higher_covers_what_is_below_and_is_counted() -> None:
    here = session(DOMINO)
    x, y = middle(here)
    below, above = Piece(DOMINO, (1, 2), x, y, 0.0), Piece(DOMINO, (3, 4), x + 24.0, y, 0.0, 8.0)
    picture = photograph(here, (above, below), np.random.default_rng(2))
    seen = {tile.piece.values: tile for tile in picture.tiles}
    assert 0.35 < seen[1, 2].visible < 0.65
    assert seen[3, 4].visible > 0.98
    shown = visible_parts(picture, seen[1, 2], here)
    assert shown[40, 20] == 255
    assert shown[40, 140] == 0


def test_a_tile_at_the_edge_is_seen_in_part_and_one_beyond_it_is_not_told_of() -> None:
    here = session(DOMINO)
    _, y = middle(here)
    height, width = here.empty.shape[:2]
    edge = [x for x in np.arange(here.seen.left, here.seen.right) if here.optics.project(np.array([(x, y)]))[0, 0] > 0]
    assert width > height
    left = float(min(edge)) if here.optics.project(np.array([(min(edge), y)]))[0, 0] < 20 else float(max(edge))
    picture = photograph(
        here,
        (Piece(DOMINO, (1, 2), left, y, 0.0), Piece(DOMINO, (6, 6), left - 900.0, y, 0.0)),
        np.random.default_rng(2),
    )
    assert [tile.piece.values for tile in picture.tiles] == [(1, 2)]
    assert picture.tiles[0].visible < 0.9


def test_a_hand_covers_tiles() -> None:
    here = session(DOMINO)
    x, y = middle(here)
    tile = Piece(DOMINO, (1, 2), x, y, 0.0)
    free, covered = (
        photograph(here, (tile,), np.random.default_rng(2), arm).tiles[0].visible
        for arm in (None, Arm(x + 60.0, y, 0.0, 20.0, flat=True))
    )
    assert free > 0.98
    assert covered < 0.2


def test_a_shadow_falls_away_from_the_lamp() -> None:
    here = session(DOMINO)
    x, y = middle(here)
    placed = SETS[DOMINO].placed(Piece(DOMINO, (), x, y, here.light.towards_deg), 1, np.random.default_rng(1))
    left = light_left([placed], here.optics, here.light)
    towards = np.array([np.cos(np.deg2rad(here.light.towards_deg)), np.sin(np.deg2rad(here.light.towards_deg))])

    def light_at(by_mm: float) -> float:
        column, row = np.round(here.optics.project(np.array([(x, y)]) + by_mm * towards)[0]).astype(int)
        return float(left[row, column])

    assert light_at(-25.5) < light_at(25.5) - 0.03
    assert light_at(-25.5) < 0.9
    assert light_at(-70.0) > 0.99


def test_a_tile_seen_from_the_side_shows_its_wall_below_its_top() -> None:
    here = session(DOMINO, OBLIQUE)
    x, y = middle(here)
    red = replace(here, tiles=replace(here.tiles, side=(0.0, 0.0, 255.0)))
    picture = photograph(red, (Piece(DOMINO, (), x, y, 0.0),), np.random.default_rng(4))
    foot = here.optics.project(np.array([(x, y + 12.0)]), 4.0)[0]
    column, row = np.round(foot).astype(int)
    blue, green, crimson = picture.image[row - 2 : row + 3, column - 5 : column + 6].mean(axis=(0, 1))
    assert crimson > blue + 40
    assert crimson > green + 40
    assert picture.owner[row, column] == 0


def test_the_mat_shows_its_markers_where_the_camera_projects_them() -> None:
    brief = replace(ORDINARY, px_per_mm=(1.3, 1.3), size_px=(1400, 1100), grounds=("mat",))
    here = session(TRIOMINO, brief, 11)
    picture = photograph(here, (), np.random.default_rng(1))
    grey = np.asarray(cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = find_markers(grey, here.optics.camera, Mat())
    assert len(found) >= 2
    for marker, corners in found.items():
        off = corners - here.optics.project(marker_corners(Mat())[marker])
        assert np.abs(off).max() < 1.0


def test_a_face_cut_anywhere_on_an_empty_table_shows_no_tile() -> None:
    here, random = session(DOMINO), np.random.default_rng(9)
    bare = photograph(here, (), random)
    faces = [cut_anywhere(bare, here, random) for _ in range(5)]
    assert all(face.shape == (80, 160, 3) for face in faces)
    assert all(likeness(face, SETS[DOMINO], (5, 4)) < 0.5 for face in faces)


def test_too_much_light_washes_the_picture_out() -> None:
    here = session(DOMINO)
    bright, dim = (shot(replace(here, exposure=exposure)).image for exposure in (1.9, 0.6))
    assert (bright.min(axis=2) > 250).mean() > 10 * (dim.min(axis=2) > 250).mean() + 0.01
    assert bright.mean() > dim.mean() + 20


def test_harsh_sessions_vary_more_than_ordinary_ones() -> None:
    drawn = {
        harsh: [
            draw_session(np.random.default_rng(seed), SETS[DOMINO], Brief(area_mm=(60.0, 50.0), harsh=harsh))
            for seed in range(25)
        ]
        for harsh in (0.0, 1.0)
    }
    brightest = {harsh: max(each.exposure for each in several) for harsh, several in drawn.items()}
    assert brightest[0.0] <= 1.1
    assert brightest[1.0] > 1.5
    assert {each.harsh for each in drawn[1.0]} == {True}
    finest = [each.px_per_mm for each in drawn[0.0]]
    assert min(finest) < 1.2
    assert max(finest) > 4
    widths = {round(each.px_per_mm * 60) - each.empty.shape[1] for each in drawn[0.0] if each.px_per_mm > 1}
    assert widths == {0}


def test_numbers_are_those_asked_for_and_backs_are_backs() -> None:
    here, random = session(DOMINO), np.random.default_rng(12)
    things = arrange(here, random, Order(count=(10, 10), backs=0.5, clutter=0.0), lambda _: (2, 3))
    values = [thing.values for thing in things if isinstance(thing, Piece)]
    assert set(values) == {(), (2, 3)}
    assert not any(tile.face_up for tile in photograph(here, things, random).tiles if not tile.piece.values)


def test_a_pose_that_is_wrong_may_show_half_a_domino_beside_bare_ground() -> None:
    random = np.random.default_rng(4)
    slips = [large_slip(random) for _ in range(500)]
    off = [np.hypot(slip.x_mm, slip.y_mm) for slip in slips]
    assert min(off) > 5
    assert 26 < max(off) < 30
