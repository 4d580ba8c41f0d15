"""The learned detector: outlines as numbers and back, what it is to learn from a crop, edges."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.models import detector_crops
from vision.models.detector_crops import CROP_PX, crop, targets
from vision.models.detector_scenes import Labelled, Outlined, drawing, scene
from vision.still.detector import CORNERS, KINDS, OUTPUTS, STRIDE_PX, decoded, encoded
from vision.still.edges import onto_edges

CELLS = CROP_PX // STRIDE_PX


def outline(kind, x=128.3, y=101.7, size=30.0, turn=0.4, tilt=0j):
    """The corners of a tile seen so."""
    a = size * np.exp(1j * turn)
    places = x + 1j * y + a * CORNERS[kind] + tilt * a.conjugate() * CORNERS[kind].conj()
    return np.stack([places.real, places.imag], 1)


def apart(one, other):
    """How far the corners of outlines are apart, whichever corner comes first."""
    return min(np.abs(np.roll(one, shift, 0) - other).max() for shift in range(len(one)))


def clockwise(a, b, c):
    """Whether the way from a to b to c turns right, as seen in a picture."""
    (x, y), (u, v) = b - a, c - b
    return x * v - y * u > 0


def maps_of(tiles):
    """What a perfect network would tell of a crop."""
    wanted = targets(tiles, CELLS, CELLS)
    chance = np.clip(wanted.heat, 1e-6, 1 - 1e-6)
    return np.concatenate([np.log(chance / (1 - chance)), wanted.told]).astype(np.float32)


@given(
    kind=st.sampled_from(KINDS),
    x=st.floats(60, 190),
    y=st.floats(60, 190),
    size=st.floats(11, 44),
    turn=st.floats(0, 2 * np.pi),
    lean=st.floats(0, 0.25),
    way=st.floats(0, 2 * np.pi),
)
def test_an_outline_is_found_again_from_the_maps_it_should_yield(kind, x, y, size, turn, lean, way):
    wanted = outline(kind, x, y, size, turn, lean * np.exp(1j * way))
    found = decoded(maps_of([Outlined(kind, wanted)]), kind, 0.3)
    assert len(found.corners)  # twice where the centre lies between two cells
    assert max(apart(corners, wanted) for corners in found.corners) < 0.01
    assert found.size_px == pytest.approx(size, rel=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_which_corner_comes_first_makes_no_difference_to_what_is_learned(kind):
    corners = outline(kind, tilt=0.1 + 0.1j)
    centre, told = encoded(corners, kind)
    turned_centre, turned = encoded(np.roll(corners, 2 if len(corners) == 4 else 1, 0), kind)
    assert turned_centre == pytest.approx(centre)
    assert turned == pytest.approx(told)


def test_tiles_of_the_other_kind_are_not_found():
    maps = maps_of([Outlined("triomino", outline("triomino"))])
    assert len(decoded(maps, "domino", 0.3).corners) == 0
    assert len(decoded(maps, "triomino", 0.3).corners) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_tiles_that_touch_are_told_apart(kind):
    size = 14.0
    step = size if kind == "domino" else size * 1.0
    turn = 0.0 if kind == "domino" else np.pi
    first = outline(kind, 100, 100, size, 0.0)
    second = outline(kind, 100 + (0 if kind == "domino" else step * np.cos(np.pi / 3)), 100 + step, size, turn)
    if kind == "triomino":
        second = outline(kind, 100 + step * np.cos(np.pi / 3), 100 + step * np.sin(np.pi / 3), size, turn)
    assert len(decoded(maps_of([Outlined(kind, first), Outlined(kind, second)]), kind, 0.3).corners) == 2


def test_a_covered_tile_is_neither_right_nor_wrong():
    wanted = targets([Outlined("domino", outline("domino"), 0.4)], CELLS, CELLS)
    assert wanted.heat.max() == 0
    assert wanted.weight[25, 32] == 0
    assert wanted.near.max() == 0


def test_outlines_of_a_crop_lie_on_its_tiles(monkeypatch):
    monkeypatch.setattr(detector_crops, "_shade", lambda side, random: np.ones((side, side), np.float32))
    random = np.random.default_rng(4)
    picture = np.full((500, 500, 3), 40, np.uint8)
    corners = outline("domino", 250, 250, 60)
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], (40, 40, 230), cv2.LINE_AA, 4)
    made = Labelled(cv2.imencode(".png", picture)[1].tobytes(), (Outlined("domino", corners),))
    for _ in range(20):
        seen, (tile,) = crop(made, random)
        if tile.visible < 1:
            continue
        inside = np.zeros(seen.shape[:2], np.uint8)
        cv2.fillPoly(inside, [np.round(tile.corners).astype(np.int32)], 1)
        core = cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0
        around = (cv2.dilate(inside, np.ones((9, 9), np.uint8)) - cv2.dilate(inside, np.ones((5, 5), np.uint8))) > 0
        assert np.abs(np.median(seen[core], 0) - np.median(seen[around], 0)).max() > 20
        assert seen[core].std(0).max() < 25
        sides = np.hypot(*(np.roll(tile.corners, -1, 0) - tile.corners).T)
        assert sides[0] < sides[1]
        assert clockwise(*tile.corners[:3])


@pytest.mark.parametrize("make", [scene, lambda random: Labelled(b"", drawing(random)[1])])
def test_made_up_tables_are_the_same_for_the_same_seed_and_their_outlines_run_clockwise(make):
    one, other = (make(np.random.default_rng(6)) for _ in range(2))
    assert one.packed == other.packed
    assert one.tiles
    for tile in one.tiles:
        a, b, c = tile.corners[:3]
        assert clockwise(a, b, c)


@pytest.mark.parametrize("kind", KINDS)
def test_sides_move_onto_the_edges_of_the_picture(kind):
    true = outline(kind, 200.3, 160.8, 80, 0.7, 0.05j)
    big = np.full((640, 800, 3), 60, np.uint8)
    cv2.fillPoly(big, [np.round((true * 2 + 0.5) * 16).astype(np.int32)], (205, 225, 232), cv2.LINE_AA, 4)
    picture = cv2.resize(big, (400, 320), interpolation=cv2.INTER_AREA)
    off = outline(kind, 202.0, 159.5, 83, 0.73, 0.05j)
    moved, support = onto_edges(picture, off[None])
    assert np.abs(off - true).max() > 3
    # Steps count by their ratio, which draws a side a little to its darker ground.
    assert np.abs(moved[0] - true).max() < 1.2
    assert support[0] > 0.7


def test_outlines_on_a_plain_ground_stay_where_they_are():
    off = outline("domino")
    moved, support = onto_edges(np.full((300, 300, 3), 90, np.uint8), off[None])
    assert moved[0] == pytest.approx(off, abs=0.3)
    assert support[0] < 0.1


def test_the_network_tells_as_many_numbers_as_are_read():
    assert len(KINDS) + 2 + len(encoded(outline("domino"), "domino")[1]) == OUTPUTS


def test_a_shadow_over_a_crop_leaves_some_light_everywhere():
    shades = [detector_crops._shade(64, np.random.default_rng(seed)) for seed in range(20)]
    assert all(0.3 < left.min() <= left.max() <= 1.0 for left in shades)
    assert sum(left.max() - left.min() > 0.1 for left in shades) > 15
