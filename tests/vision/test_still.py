"""One still photograph: tiles are found and read without mat, marker or earlier picture."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from referee.laying.contact import domino_join, outline, triomino_touch
from referee.laying.lattice import Cell, centre
from referee.sighting import SeenTile
from referee.tiles import Shape, smallest_rotation
from vision.disturb import TRIALS
from vision.kinds import FaceReading, Reading, Style, kinds
from vision.still import dominoes, look, reading
from vision.still.annotate import Mark, annotate
from vision.still.candidate import Candidate, apart, shared_area
from vision.still.finder import find
from vision.still.plane import flatten

CLOTH = (78, 92, 70)


def photograph(placed, shape, size=(1000, 700), tilt=None, cloth=CLOTH, style=None):
    """Draw tiles, seen at their poses in pixels, on a cloth with grain; `tilt` (3, 3) bends the picture."""
    kind = kinds()[shape.kind]
    noise = np.random.default_rng(5)
    picture = np.full((size[1], size[0], 3), cloth, np.float32) + noise.normal(0, 4, (size[1], size[0], 1))
    for tile in placed:
        face = kind.draw(tile.values, style or Style(), 4)
        face_from_tile = np.diag([4.0, 4.0, 1.0]) @ kind.face_from_tile(shape)
        face_from_tile[:2, 2] += 1.5
        turn = np.deg2rad(tile.angle_deg)
        pose = np.array([[np.cos(turn), -np.sin(turn), tile.x_mm], [np.sin(turn), np.cos(turn), tile.y_mm], [0, 0, 1]])
        onto = pose @ np.linalg.inv(face_from_tile)
        big = cv2.warpPerspective(face, np.diag([2.0, 2.0, 1.0]) @ onto, (2 * size[0], 2 * size[1]))
        layer = cv2.resize(big, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = layer[..., 3:] / 255
        shadow = cv2.GaussianBlur(np.roll(alpha[..., 0], 3, (0, 1)), (0, 0), 3)[..., None]
        picture = picture * (1 - 0.4 * shadow) * (1 - alpha) + layer[..., :3] * alpha
    if tilt is not None:
        picture = cv2.warpPerspective(picture, tilt, size, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7) + noise.normal(0, 2, picture.shape)
    return np.clip(soft, 0, 255).astype(np.uint8)


DOMINO = Shape.domino(120, 60)
CHAIN = [
    SeenTile("domino", (2, 5), 200, 300, 4),
    SeenTile("domino", (5, 5), 293, 306, 92),
    SeenTile("domino", (5, 6), 386, 312, 3),
    SeenTile("domino", (6, 1), 508, 318, 2),
    SeenTile("domino", (1, 3), 534, 410, 92),
    SeenTile("domino", (0, 4), 800, 500, 210),
]

TRIOMINO = Shape.triomino(130)
CELLS = [
    (Cell(0, 0, "U"), (1, 2, 3)),
    (Cell(0, 0, "D"), (3, 2, 5)),
    (Cell(1, 0, "U"), (3, 5, 5)),
    (Cell(0, 1, "U"), (2, 4, 5)),
    (Cell(-1, 0, "D"), (1, 0, 2)),
]


def on_lattice(cell, values, side=130.0, origin=(420, 420), turn=11.0):
    x, y = centre(cell)
    spin = np.deg2rad(turn)
    px, py = side * x, -side * y
    angle = turn + {"U": 150.0, "D": 90.0}[cell.half]
    return SeenTile(
        "triomino",
        values,
        origin[0] + px * np.cos(spin) - py * np.sin(spin),
        origin[1] + px * np.sin(spin) + py * np.cos(spin),
        angle,
    )


def found_as(still, tile):
    """The found tile whose outline is where this one lies."""
    near = [one for one in still.tiles if np.hypot(*(one.corners.mean(0) - (tile.x_mm, tile.y_mm))) < 12]
    assert len(near) == 1, f"{tile.values} was found {len(near)} times"
    return near[0]


@pytest.fixture(scope="module")
def chain():
    return photograph(CHAIN, DOMINO)


@pytest.fixture(scope="module")
def chain_seen(chain):
    return look(chain, "domino", 6)


@pytest.fixture(scope="module")
def lattice_seen():
    return look(photograph([on_lattice(*one) for one in CELLS], TRIOMINO), "triomino")


def test_every_domino_of_a_touching_chain_is_found_and_read(chain_seen):
    assert len(chain_seen.tiles) == len(CHAIN)
    for tile in CHAIN:
        found = found_as(chain_seen, tile)
        assert found.seen.values == smallest_rotation(tile.values)
        assert found.is_sure


def test_the_corners_of_a_domino_begin_at_the_half_of_its_first_number(chain_seen):
    for tile in CHAIN[2:]:
        found = found_as(chain_seen, tile)
        turned = (
            tile
            if tile.values == found.seen.values
            else SeenTile("domino", (), tile.x_mm, tile.y_mm, tile.angle_deg + 180)
        )
        assert np.abs(found.corners - np.array(outline(turned, DOMINO))).max() < 6


def test_poses_on_the_straightened_table_show_which_halves_touch(chain_seen):
    tiles = [found_as(chain_seen, tile).seen for tile in CHAIN]
    forms = [domino_join(a, b, chain_seen.shape).form for a, b in pairwise(tiles[:5])]
    assert forms == ["middle", "middle", "end", "bend"]
    assert domino_join(tiles[0], tiles[5], chain_seen.shape) is None


def test_dominoes_seen_from_aside_are_found_and_straightened():
    tilt = np.array([[1.0, 0.06, 0.0], [0.02, 0.72, 90.0], [0.0, 0.00018, 1.0]])
    still = look(photograph(CHAIN, DOMINO, tilt=tilt), "domino", 6)
    assert sorted(one.seen.values for one in still.tiles) == sorted(smallest_rotation(one.values) for one in CHAIN)
    assert still.shape.length_mm / still.shape.width_mm == pytest.approx(2.0, rel=0.08)


def test_dark_dominoes_with_pale_pips_are_found():
    style = Style(face=(38, 34, 32), ink=(225, 230, 232), side=(20, 20, 20), pin=None)
    still = look(photograph(CHAIN[2:], DOMINO, cloth=(140, 150, 150), style=style), "domino", 6)
    located = [found_as(still, tile) for tile in CHAIN[2:]]
    assert all(
        one.seen.values == smallest_rotation(tile.values) or not one.is_sure
        for one, tile in zip(located, CHAIN[2:], strict=True)
    )


def test_every_triomino_of_a_touching_group_is_found_and_read(lattice_seen):
    assert len(lattice_seen.tiles) == len(CELLS)
    for one in CELLS:
        tile = on_lattice(*one)
        found = found_as(lattice_seen, tile)
        assert found.seen.values == smallest_rotation(tile.values)


def test_the_corners_of_a_triomino_are_in_the_order_of_its_numbers(lattice_seen):
    for one in CELLS:
        tile = on_lattice(*one)
        found = found_as(lattice_seen, tile)
        shift = tile.values.index(found.seen.values[0])
        expected = np.roll(np.array(outline(tile, TRIOMINO)), -shift, 0)
        if len(set(tile.values)) == 3:
            assert np.abs(found.corners - expected).max() < 8


def test_neighbours_on_the_lattice_share_two_corners(lattice_seen):
    first, second = (found_as(lattice_seen, on_lattice(*one)).seen for one in CELLS[:2])
    assert triomino_touch(first, second, lattice_seen.shape).form == "side"


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_nothing_is_found_on_an_empty_table(kind):
    empty = photograph([], DOMINO if kind == "domino" else TRIOMINO)
    assert look(empty, kind).tiles == ()


def test_a_tile_that_the_border_cuts_is_not_read():
    still = look(photograph([SeenTile("domino", (2, 4), 30, 300, 0), CHAIN[2]], DOMINO), "domino", 6)
    assert [one.seen.values for one in still.tiles] == [(5, 6)]


@pytest.mark.parametrize("values", [(3, 6), (1, 4), (2, 5)])
def test_half_a_tile_and_the_ground_beside_it_are_no_tile_with_an_empty_half(values):
    tile = SeenTile("domino", values, 400, 300, 0)
    picture = photograph([tile], DOMINO, (800, 600), cloth=(206, 208, 204))
    true = np.array(outline(tile, DOMINO))
    half = (true[2] - true[1]) / 2
    for corners in (true + half, true - half, true + 0.9 * half, true - 0.9 * half):
        assert not reading.read_one(picture, kinds()["domino"], Candidate(corners, 0.8), 6).is_sure
    assert reading.read_one(picture, kinds()["domino"], Candidate(true, 0.8), 6).is_sure


def test_halves_of_two_neighbours_in_a_row_are_no_sure_domino():
    row = [SeenTile("domino", values, x, 300, 0) for x, values in ((250, (2, 5)), (370, (5, 6)), (490, (6, 1)))]
    picture = photograph(row, DOMINO)
    for one, other in pairwise(row):
        between = (np.array(outline(one, DOMINO)) + np.array(outline(other, DOMINO))) / 2
        read = reading.read_all(picture, kinds()["domino"], [Candidate(between, 0.8)], 6)
        assert all(np.hypot(*(found.candidate.centre - between.mean(0))) > 40 for found in read if found.is_sure)
    true = [Candidate(np.array(outline(tile, DOMINO)), 0.8) for tile in row]
    assert sum(one.is_sure for one in reading.read_all(picture, kinds()["domino"], true, 6)) == 3


@pytest.mark.parametrize("trial", ["noise", "light-0.4", "half-shadow", "blur-2.5"])
def test_what_noise_darkness_shadow_and_blur_hide_is_still_read(trial):
    worse, _ = TRIALS[trial].change(photograph(CHAIN, DOMINO), np.random.default_rng(3))
    read = sorted(one.seen.values for one in look(worse, "domino", 6).tiles if one.is_sure)
    assert set(read) <= {smallest_rotation(tile.values) for tile in CHAIN}
    assert len(read) >= (5 if trial == "half-shadow" else 6)  # the shadow's edge runs through one of them


def test_a_straight_table_stays_as_it_is():
    tiles = [np.array(outline(tile, DOMINO)) for tile in CHAIN]
    flat = flatten("domino", tiles)
    assert flat.residual < 1e-6
    assert flat.table_from_image == pytest.approx(np.eye(3), abs=1e-6)
    assert flat.poses[:, 2] == pytest.approx([(tile.angle_deg + 180) % 360 - 180 for tile in CHAIN])


def test_a_tilted_table_is_straightened_from_its_tiles_alone():
    tilt = np.array([[1.0, 0.08, 0.0], [0.0, 0.7, 60.0], [0.0, 0.0002, 1.0]])
    seen = [cv2.perspectiveTransform(np.array(outline(tile, DOMINO))[None], tilt)[0] for tile in CHAIN]
    flat = flatten("domino", seen)
    assert flat.residual < 0.03
    assert flat.shape.length_mm / flat.shape.width_mm == pytest.approx(2, rel=0.05)


def square(x, size=10.0):
    return Candidate(np.array([(x, size), (x, 0), (x + size, 0), (x + size, size)]), 1.0)


def test_a_candidate_gives_way_to_two_that_are_worth_more_together():
    row = [square(0), square(5), square(10)]
    assert sorted(apart(row, np.array([0.6, 1.0, 0.6]), 0.2)) == [0, 2]
    assert apart(row, np.array([0.3, 1.0, 0.3]), 0.2) == [1]


def test_shared_area_is_a_share_of_the_smaller():
    assert shared_area(square(0).corners, square(5).corners) == pytest.approx(0.5)
    assert shared_area(square(0).corners, square(11).corners) == 0


def test_the_annotated_picture_signs_joins_in_their_colours(chain, chain_seen):
    drawn = annotate(chain, chain_seen, [Mark(0, 1, True), Mark(1, 2, False)], {5}, "illegal: 1 legal, 1 illegal")
    assert drawn.shape[1] == 1600
    assert tuple(drawn[4, 4]) == (60, 50, 215)
    plain = cv2.resize(chain, None, fx=1.6, fy=1.6)
    assert np.abs(drawn[-plain.shape[0] :].astype(int) - plain).max() > 60


@pytest.mark.parametrize("kind", ["domino", "triomino"])
def test_nothing_is_sure_in_noise_and_little_of_it_is_read(kind, monkeypatch):
    read, faces = reading.read_one, []
    monkeypatch.setattr(reading, "read_one", lambda *known: (faces.append(known), read(*known))[1])
    noise = np.random.default_rng(5).integers(0, 256, (400, 500, 3), dtype=np.uint8)
    assert not any(tile.is_sure for tile in look(noise, kind).tiles)
    assert len(faces) < 2 * dominoes.MOST_OUTLINES


@pytest.mark.parametrize(("shape", "picture"), [(DOMINO, "chain"), (TRIOMINO, "lattice")])
def test_tiles_of_known_size_are_found_where_they_lie(shape, picture):
    tiles = CHAIN if picture == "chain" else [on_lattice(*one) for one in CELLS]
    found = find(photograph(tiles, shape), shape.kind, shape.length_mm)
    for tile in tiles:
        (near,) = [one for one in found if np.hypot(*(one.centre - (tile.x_mm, tile.y_mm))) < 8]
        assert near.size_px == pytest.approx(shape.length_mm * (0.5 if shape is DOMINO else 3**-0.5), rel=0.08)


@pytest.mark.parametrize("width", [320, 3000])
def test_triominoes_are_found_in_small_and_large_pictures(width):
    tiles = [on_lattice(*one) for one in CELLS]
    picture = photograph(tiles, TRIOMINO)
    scale = width / picture.shape[1]
    found = find(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), "triomino")
    for tile in tiles:
        assert min(np.hypot(*(one.centre / scale - (tile.x_mm, tile.y_mm))) for one in found) < 12


def test_a_back_that_nobody_believes_in_was_once_a_tile_and_is_none():
    outline = Candidate(np.array([[0.0, 60.0], [0.0, 0.0], [120.0, 0.0], [120.0, 60.0]]), 0.9)
    believed, none = (FaceReading((), face_up=False, confidence=each, agreed=True) for each in (0.9, 1e-9))
    assert reading.Read(outline, believed).is_tile
    assert not reading.Read(outline, none).is_tile


@pytest.mark.parametrize(("values", "sure"), [((3, 5), True), ((0, 5), False)])
def test_an_empty_half_in_shadow_is_not_made_sure_by_even_light(values, sure, monkeypatch):
    class Readers:
        name = "domino"
        asked = iter((0.6, 0.99))

        def read(self, face, highest):
            return FaceReading((Reading(values, chance := next(self.asked)),), True, chance, True)

    face = np.zeros((80, 160, 3), np.uint8)
    monkeypatch.setattr(reading, "cut_face", lambda *given: face)
    monkeypatch.setattr(reading, "levelled", lambda given: face)
    outline = Candidate(np.array([[0.0, 60.0], [0.0, 0.0], [120.0, 0.0], [120.0, 60.0]]), 0.3)
    assert reading.read_one(face, Readers(), outline, 6).is_sure is sure
