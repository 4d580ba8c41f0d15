"""Every kind of tile: what is drawn, photographed and cut back must be read as what was drawn."""

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO, TRIOMINO, Shape, domino_set, triomino_set
from vision.kinds import Expectation, Kind, Style, kinds
from vision.kinds.triomino import DRILLED, PIPS, WOOD

SHAPES = {DOMINO: Shape.domino(), TRIOMINO: Shape.triomino()}
HIGHEST = {DOMINO: 6, TRIOMINO: 5}
TILES = {
    DOMINO: [tile.values for tile in domino_set(6)],
    TRIOMINO: [tile.values for tile in triomino_set(5)],
}
INKS = ((90, 90, 90), (190, 90, 20), (40, 140, 30), (30, 30, 190), (30, 90, 160), (170, 50, 110), (20, 20, 20))
STYLES = {
    "ivory": Style(),
    "white with an ink per number": Style(face=(240, 240, 238), side=(200, 200, 200), pin=None, pips=INKS, variant=1),
    "black": Style(face=(42, 38, 36), ink=(232, 235, 236), side=(25, 22, 20)),
    "wood": Style(face=(120, 165, 200), side=(80, 120, 160), pin=None, variant=20),
}
PX_PER_MM = 3.0


def photographed(kind: Kind, values: tuple[int, ...], style: Style, random: np.random.Generator, slip: float = 0.35):
    """A face as the camera room would cut it: seen from above at an angle, blurred, noisy, packed as JPEG.

    The pose it is cut with is wrong by about `slip` mm and twice as many degrees.
    """
    shape, (width, height) = SHAPES[kind.name], kind.face_size_px
    drawn = kind.draw(values, style, 2).astype(np.float32)
    middle = np.array([110.0, 110.0])
    turn = random.uniform(0, 2 * np.pi)
    image_from_tile = np.array(
        [
            (PX_PER_MM * np.cos(turn), -PX_PER_MM * np.sin(turn), middle[0]),
            (PX_PER_MM * np.sin(turn), PX_PER_MM * np.cos(turn), middle[1]),
            (*random.uniform(-3e-4, 3e-4, 2), 1.0),
        ]
    )
    face_from_tile = kind.face_from_tile(shape)
    face_from_drawn = np.array([(0.5, 0, -0.25), (0, 0.5, -0.25), (0, 0, 1)])
    image_from_drawn = image_from_tile @ np.linalg.inv(face_from_tile) @ face_from_drawn
    tile = cv2.warpPerspective(drawn, image_from_drawn, (220, 220), flags=cv2.INTER_AREA)
    cloth = np.float32([70, 95, 60]) + random.normal(0, 6, (220, 220, 1)).astype(np.float32)
    cover = tile[..., 3:] / 255
    picture = cloth + cover * (tile[..., :3] - cloth)
    picture *= np.linspace(0.8, 1.05, 220, dtype=np.float32)[None, :, None]
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8) + random.normal(0, 3, picture.shape)
    _, packed = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
    photo = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    error = np.deg2rad(random.normal(0, 2 * slip))
    wrong = np.array([(np.cos(error), -np.sin(error), 0), (np.sin(error), np.cos(error), 0), (0, 0, 1.0)])
    wrong[:2, 2] = random.normal(0, slip, 2)
    image_from_face = image_from_tile @ wrong @ np.linalg.inv(face_from_tile)
    return cv2.warpPerspective(photo, image_from_face, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


@pytest.fixture(params=[DOMINO, TRIOMINO])
def kind(request) -> Kind:
    return kinds()[request.param]


def test_every_kind_goes_by_its_own_name() -> None:
    assert {name: kind.name for name, kind in kinds().items()} == {DOMINO: DOMINO, TRIOMINO: TRIOMINO}


@pytest.mark.parametrize("look", STYLES)
def test_every_tile_of_the_set_is_read_as_it_was_drawn(kind: Kind, look: str) -> None:
    random = np.random.default_rng(11)
    asked = 0
    for values in TILES[kind.name]:
        turned = values[1:] + values[:1]
        reading = kind.read(photographed(kind, turned, STYLES[look], random), HIGHEST[kind.name])
        certain = reading.agreed and reading.confidence >= 0.9
        assert not certain or (reading.face_up and reading.values == turned)
        asked += not certain
    assert asked <= 0.07 * len(TILES[kind.name])


def test_a_tile_of_which_none_is_left_is_read_as_itself_and_asked_about(kind: Kind) -> None:
    random = np.random.default_rng(19)
    for values in TILES[kind.name][2::5]:
        face = photographed(kind, values, Style(), random)
        left = dict.fromkeys(TILES[kind.name], 1)
        first = kind.read(face, HIGHEST[kind.name], Expectation(unseen=left))
        again = kind.read(face, HIGHEST[kind.name], Expectation(unseen=left | {values: 0}))
        assert first.values == again.values == values
        assert again.confidence < 0.9


@pytest.mark.parametrize("variant", [PIPS, PIPS | DRILLED, PIPS | DRILLED | WOOD])
def test_triominoes_with_pips_are_read_without_being_told_so(variant: int) -> None:
    random = np.random.default_rng(17)
    kind, style = kinds()[TRIOMINO], Style(face=(110, 150, 190), side=(75, 105, 140), pin=None, variant=variant)
    asked = 0
    for values in TILES[TRIOMINO]:
        if not any(values):
            continue  # a tile without a pip looks like a back
        turned = values[1:] + values[:1]
        reading = kind.read(photographed(kind, turned, style, random), 5)
        certain = reading.agreed and reading.confidence >= 0.9
        assert not certain or (reading.face_up and reading.values == turned)
        asked += not certain
    assert asked <= 0.35 * len(TILES[TRIOMINO])  # asked about rather than wrong


@pytest.mark.parametrize("look", ["ivory", "white with an ink per number", "black"])
def test_a_back_is_face_down_and_has_no_values(kind: Kind, look: str) -> None:
    random = np.random.default_rng(12)
    readings = [kind.read(photographed(kind, (), STYLES[look], random), HIGHEST[kind.name]) for _ in range(6)]
    certain = [reading for reading in readings if reading.agreed and reading.confidence >= 0.9]
    assert len(certain) >= 5
    assert all(not reading.face_up and reading.values == () for reading in certain)


def test_the_grain_of_a_wooden_back_is_never_taken_for_numbers(kind: Kind) -> None:
    random = np.random.default_rng(16)
    for _ in range(12):
        reading = kind.read(photographed(kind, (), STYLES["wood"], random), HIGHEST[kind.name])
        assert not reading.face_up or not reading.agreed or reading.confidence < 0.9


def test_what_is_no_tile_is_never_certain(kind: Kind) -> None:
    random = np.random.default_rng(13)
    width, height = kind.face_size_px
    for size in (3, 7, 20, 60):
        for _ in range(8):
            rough = random.uniform(0, 255, (size, size, 3)).astype(np.float32)
            texture = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
            reading = kind.read(np.clip(texture, 0, 255).astype(np.uint8), HIGHEST[kind.name])
            assert reading.confidence < 0.9 or not reading.agreed


@pytest.mark.parametrize("cloth", [(70, 95, 60), (35, 30, 30), (205, 225, 232), (245, 245, 245), (120, 165, 200)])
@pytest.mark.parametrize("weave", [0.0, 4.0, 14.0])
def test_a_bare_table_is_no_tile_and_no_back_with_certainty(
    kind: Kind, cloth: tuple[int, int, int], weave: float
) -> None:
    random = np.random.default_rng(18)
    width, height = kind.face_size_px
    for _ in range(3):
        rough = random.normal(0, 1, (height, width, 1)).astype(np.float32)
        soft = cv2.GaussianBlur(rough, (0, 0), float(random.uniform(0.6, 2.5)))[..., None]
        slope = np.linspace(-8, 8, width, dtype=np.float32)[None, :, None] * random.uniform(-1, 1)
        picture = (
            np.array(cloth, np.float32) + weave * soft / soft.std() + slope + random.normal(0, 2, (height, width, 3))
        )
        reading = kind.read(np.clip(picture, 0, 255).astype(np.uint8), HIGHEST[kind.name])
        assert reading.confidence < 0.9 or not reading.agreed


def test_a_pose_that_is_half_a_tile_wrong_is_never_certain(kind: Kind) -> None:
    random = np.random.default_rng(14)
    width, height = kind.face_size_px
    for values in TILES[kind.name][::4]:
        face = photographed(kind, values, Style(), random)
        shift = np.array([(1, 0, width / 4), (0, 1, 0)])
        slid = cv2.warpAffine(face, shift, (width, height), borderValue=(70, 95, 60))
        reading = kind.read(slid, HIGHEST[kind.name])
        assert reading.confidence < 0.9 or not reading.agreed


def test_probabilities_are_ordered_and_add_up_to_no_more_than_one(kind: Kind) -> None:
    random = np.random.default_rng(15)
    for values in TILES[kind.name][::5]:
        reading = kind.read(photographed(kind, values, STYLES["wood"], random, slip=1.0), HIGHEST[kind.name])
        chances = [each.probability for each in reading.readings]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1 + 1e-9


def test_the_outline_is_clockwise_and_fills_the_face(kind: Kind) -> None:
    outline = kind.outline(SHAPES[kind.name])
    following = np.roll(outline, -1, axis=0)
    assert (outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0]).sum() > 0  # y points down
    face = np.column_stack([outline, np.ones(len(outline))]) @ kind.face_from_tile(SHAPES[kind.name]).T
    alpha = kind.draw((), Style(), 1)[..., 3]
    inside = cv2.fillPoly(np.zeros_like(alpha), [np.round(face[:, :2]).astype(np.int32)], 255)
    assert abs(float(alpha.sum()) / float(inside.sum()) - 1) < 0.05


def test_drawing_has_the_promised_size_and_rounded_corners(kind: Kind) -> None:
    width, height = kind.face_size_px
    picture = kind.draw(TILES[kind.name][-1], Style(), 3)
    assert picture.shape == (3 * height, 3 * width, 4)
    assert picture[0, 0, 3] == 0
    assert picture[3 * height // 2, 3 * width // 2, 3] == 255


def test_the_first_values_lie_where_the_contract_says() -> None:
    bare = Style(pin=None)
    domino = kinds()[DOMINO].draw((6, 0), bare, 1)[..., 0].astype(int)
    assert (domino[:, :74] < 100).sum() > 10 * (domino[:, 90:] < 100).sum()
    triomino = kinds()[TRIOMINO]
    dark = [triomino.draw(values, bare, 1)[..., 0] < 100 for values in ((8, 1, 1), (1, 8, 1), (1, 1, 8))]
    at = [(slice(50, 95), slice(90, 125)), (slice(85, 120), slice(40, 75)), (slice(25, 60), slice(40, 75))]
    for heavy, picture in enumerate(dark):  # the 8 has more ink than a 1: right, lower left, upper left
        assert max(range(3), key=lambda corner: int(picture[at[corner]].sum())) == heavy
