"""Numerals: how they stand in the corners, and how they are read."""

import cv2
import numpy as np
import pytest

from vision.kinds import Expectation, Feet, Image, Marks, Style
from vision.kinds.numerals import STROKES, flat_numerals
from vision.kinds.triomino import (
    CENTRE_PX,
    FEET_TO_CENTRE,
    KIND,
    ROUNDED,
    Make,
    corners_upright,
    paint,
    plate_seen,
)
from vision.models import network, numeral_outlines

CLOTH = np.array([60, 90, 70], np.float32)
UPRIGHT_DEG = (180.0, 60.0, -60.0)


def face_of(values: tuple[int, ...], style: Style) -> Image:
    """A sharp picture of a tile on a cloth."""
    return on_cloth(KIND.draw(values, style, 2).astype(np.float32))


def upright_face_of(values: tuple[int, ...]) -> Image:
    """The same of a tile whose numerals all stand the same way."""
    return on_cloth(paint(values, Style(), Make(turns_deg=UPRIGHT_DEG), 2, flat_numerals))


def on_cloth(drawn: np.ndarray) -> Image:
    cover = drawn[..., 3:] / 255
    picture = drawn[..., :3] * cover + CLOTH * (1 - cover)
    return cv2.resize(picture, KIND.face_size_px, interpolation=cv2.INTER_AREA).astype(np.uint8)


def test_the_shipped_numerals_are_ten_and_one_unit_high() -> None:
    assert len(numeral_outlines()) == len(STROKES) == 10
    for contours in numeral_outlines():
        points = np.concatenate(contours)
        assert np.ptp(points[:, 1]) == pytest.approx(1, abs=0.06)
        assert points[:, 0].min() == pytest.approx(-points[:, 0].max(), abs=0.01)


def test_numerals_point_their_feet_to_the_corner() -> None:
    drawn = KIND.draw((7, 7, 7), Style(pin=None), 1)
    dark = (drawn[..., :3].max(axis=2) < 110) & (drawn[..., 3] > 200)
    for corner in range(3):  # a 7 has its bar at the top: it is wider toward the tile's centre than toward the corner
        turn = np.deg2rad(120 * corner)
        y, x = np.nonzero(dark)
        along = (x - CENTRE_PX) * np.cos(turn) + (y - CENTRE_PX) * np.sin(turn)
        across = (y - CENTRE_PX) * np.cos(turn) - (x - CENTRE_PX) * np.sin(turn)
        own = along > 18
        head, foot = along[own].min() + 3, along[own].max() - 3
        assert np.ptp(across[own & (along < head)]) > 1.6 * np.ptp(across[own & (along > foot)])


def test_a_corner_cut_out_looks_the_same_in_every_corner() -> None:
    crops = corners_upright(face_of((4, 4, 4), Style(pin=None)))
    assert np.abs(crops[0] - crops[1]).mean() < 0.06
    assert np.abs(crops[0] - crops[2]).mean() < 0.06


def test_what_lies_beside_the_tile_changes_nothing() -> None:
    face = face_of((2, 3, 5), Style())
    other = face.copy()
    other[:, :30] = (20, 30, 200)
    other[:12] = (250, 250, 250)
    assert np.array_equal(corners_upright(face), corners_upright(other))


@pytest.mark.parametrize("name", ["triomino-corners", "triomino-directions"])
def test_each_reader_alone_reads_every_numeral(name: str) -> None:
    for number in range(10):
        chances = network(name).probabilities(corners_upright(face_of((number,) * 3, Style())))
        assert chances.argmax(axis=1).tolist() == [number] * 3


@pytest.mark.parametrize("variant", [0, ROUNDED, FEET_TO_CENTRE, ROUNDED | FEET_TO_CENTRE])
def test_numerals_to_five_are_read_however_they_are_turned_and_printed(variant: int) -> None:
    for values in ((0, 1, 2), (3, 4, 5), (1, 5, 2), (4, 0, 3)):
        reading = KIND.read(face_of(values, Style(variant=variant)), 5)
        assert reading.values == values
        assert reading.agreed


def test_with_feet_known_to_point_to_the_centre_a_six_is_no_nine() -> None:
    feet = Expectation(feet=Feet.CENTRE)
    for values in ((6, 9, 0), (9, 9, 6), (1, 6, 8)):
        reading = KIND.read(face_of(values, Style(variant=FEET_TO_CENTRE)), 9, feet)
        assert reading.values == values
        assert reading.agreed


def test_with_all_numerals_known_to_stand_the_same_way_a_six_is_no_nine() -> None:
    for values in ((6, 9, 1), (9, 2, 6), (3, 9, 8)):
        for turns in range(3):  # a tile may be turned, and its numerals with it
            face = cv2.warpAffine(
                upright_face_of(values),
                cv2.getRotationMatrix2D((CENTRE_PX, CENTRE_PX), -120.0 * turns, 1),
                KIND.face_size_px,
                borderMode=cv2.BORDER_REPLICATE,
            )
            reading = KIND.read(face, 9, Expectation(marks=Marks.NUMERALS, feet=Feet.UPRIGHT))
            assert reading.values == values[-turns:] + values[:-turns]


def test_a_numeral_above_the_sets_highest_is_not_turned_into_a_lower_one() -> None:
    for values in ((1, 2, 8), (7, 3, 3), (0, 9, 5)):
        reading = KIND.read(face_of(values, Style()), 5)
        assert reading.values == values or reading.confidence < 0.9


def test_a_back_is_told_from_the_table_by_where_it_ends() -> None:
    assert plate_seen().stands_out(face_of((), Style()))
    random = np.random.default_rng(9)
    table = np.clip(CLOTH + random.normal(0, 6, (*KIND.face_size_px, 3)), 0, 255).astype(np.uint8)
    assert not plate_seen().stands_out(table)


def test_a_corner_that_is_covered_is_not_certain() -> None:
    face = face_of((1, 2, 3), Style())
    cv2.circle(face, (110, 71), 22, (150, 170, 210), cv2.FILLED)
    reading = KIND.read(face, 5)
    assert reading.confidence < 0.9
