"""What a face shows apart from its marks."""

import cv2
import numpy as np
import pytest

from vision.kinds import Image, Style
from vision.kinds.triomino import KIND, PIPS, WOOD, plate_seen

CLOTH = np.array([60, 90, 70], np.float32)

WOODEN = Style(face=(60, 95, 150), side=(40, 65, 105), pin=None, variant=PIPS | WOOD)


def face_of(values: tuple[int, ...], style: Style) -> Image:
    """A tile on a cloth."""
    drawn = KIND.draw(values, style, 1).astype(np.float32)
    cover = drawn[..., 3:] / 255
    return (drawn[..., :3] * cover + CLOTH * (1 - cover)).astype(np.uint8)


def test_every_corner_of_a_whole_tile_is_its_own() -> None:
    assert plate_seen().own_corners(face_of((0, 0, 0), WOODEN)).all()
    assert plate_seen().own_corners(face_of((0, 3, 1), WOODEN)).all()


@pytest.mark.parametrize("tone", [(150, 170, 210), (30, 30, 30), (60, 90, 70)])
def test_a_corner_under_something_else_is_not_the_tiles_own(tone: tuple[int, int, int]) -> None:
    face = face_of((0, 2, 1), WOODEN)
    cv2.circle(face, (118, 71), 30, tone, cv2.FILLED)
    assert not plate_seen().own_corners(face)[0]


def test_a_piece_of_table_has_no_corners_and_does_not_stand_out() -> None:
    random = np.random.default_rng(9)
    table = np.clip(CLOTH + random.normal(0, 6, (144, 144, 3)), 0, 255).astype(np.uint8)
    assert not plate_seen().own_corners(table).any()
    assert not plate_seen().stands_out(table)


def test_what_is_over_a_corner_is_never_counted_as_no_pips() -> None:
    face = face_of((0, 2, 1), WOODEN)
    cv2.circle(face, (118, 71), 34, (150, 170, 210), cv2.FILLED)
    reading = KIND.read(face, 5)
    assert not reading.values or reading.confidence < 0.9


def test_a_corner_in_which_pale_pips_may_be_lost_to_the_light_is_not_told_to_bear_none() -> None:
    face = face_of((0, 2, 1), WOODEN)
    bright = np.clip(face.astype(np.float32) * (2.0, 2.8, 3.0), 0, 255).astype(np.uint8)
    assert plate_seen().own_corners(face)[0]
    assert not plate_seen().own_corners(bright).any()


def test_a_tiles_own_pixels_are_those_inside_in_their_order() -> None:
    face = np.random.default_rng(2).integers(0, 256, (144, 144, 3), np.uint8)
    plate = plate_seen()
    assert np.array_equal(plate.own(face), face[plate.inside])
    assert np.array_equal(plate.own(face, every=3), face[plate.inside][::3])
    assert np.array_equal(plate.mask > 0, plate.inside)
