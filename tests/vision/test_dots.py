"""Counting the pips of a triomino: a reader that has learnt nothing."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.kinds import Image, Style
from vision.kinds.dots import MOST, count_chances
from vision.kinds.numerals import flat_numerals
from vision.kinds.paint import finished
from vision.kinds.triomino import (
    DRILLED,
    KIND,
    PIPS,
    SIDE_PX,
    WOOD,
    Make,
    corner_deg,
    paint,
    plate_seen,
)

CLOTH = np.array([60, 90, 70], np.float32)
PLASTIC = Style(pin=None, variant=PIPS)
WOODEN = Style(face=(60, 95, 150), side=(40, 65, 105), pin=None, pips=((235, 235, 235),), variant=PIPS | WOOD | DRILLED)
LOOKS = {
    "plastic": (PLASTIC, Make()),
    "black": (replace(PLASTIC, face=(42, 38, 36), ink=(232, 235, 236)), Make()),
    "with a pin": (replace(PLASTIC, pin=(70, 150, 190)), Make(pips_reach=0.25)),
    "open wood": (WOODEN, Make(grain=0.15, pores=0.5, seed=3, grain_deg=35)),
    "threes that stand flat": (WOODEN, Make(pips_across=(1.0, 1.0, 1.0, 1.35, 1.0, 1.0), seed=5)),
    "twos across": (PLASTIC, Make(pips_turned_deg=(0.0, 0.0, 90.0, 0.0, 0.0, 0.0))),
}


def face_of(values: tuple[int, ...], style: Style = PLASTIC, make: Make | None = None) -> Image:
    """A sharp picture of a tile on a cloth."""
    drawn = finished(paint(values, style, make or Make(), 2, flat_numerals)).astype(np.float32)
    cover = drawn[..., 3:] / 255
    picture = drawn[..., :3] * cover + CLOTH * (1 - cover)
    return cv2.resize(picture, KIND.face_size_px, interpolation=cv2.INTER_AREA).astype(np.uint8)


def counted(face: Image) -> np.ndarray:
    return count_chances(face, plate_seen().inside, (corner_deg(0), corner_deg(1), corner_deg(2)), SIDE_PX)


@pytest.mark.parametrize("look", LOOKS)
def test_pips_are_counted_on_tiles_of_every_make(look: str) -> None:
    style, make = LOOKS[look]
    for values in ((0, 1, 2), (3, 4, 5), (5, 5, 1), (2, 2, 3)):
        assert tuple(counted(face_of(values, style, make)).argmax(axis=1)) == values


@pytest.mark.parametrize("values", [(0, 1, 2), (3, 4, 5)])
def test_a_pose_that_is_a_little_wrong_does_not_change_the_count(values: tuple[int, int, int]) -> None:
    face = face_of(values)
    for x, y, turn in ((3, 2, 0), (-3, 1, 0), (0, 0, 3), (1, -2, -2)):
        moved = np.asarray(cv2.getRotationMatrix2D((71.5, 71.5), turn, 1.0), float) + np.array([(0, 0, x), (0, 0, y)])
        aside = cv2.warpAffine(face, moved, KIND.face_size_px, borderMode=cv2.BORDER_REPLICATE)
        assert tuple(counted(np.asarray(aside, np.uint8)).argmax(axis=1)) == values


def test_a_scratch_is_no_pip() -> None:
    face = face_of((0, 1, 2))
    cv2.line(face, (95, 55), (125, 78), (30, 28, 28), 2, cv2.LINE_AA)
    assert counted(face)[0].argmax() == 0


def test_pips_that_stand_as_no_number_does_are_not_surely_counted() -> None:
    face = face_of((0, 1, 2))
    for x in (88, 98, 108, 118):  # four in a row
        cv2.circle(face, (x, 71), 4, (30, 28, 28), cv2.FILLED, cv2.LINE_AA)
    assert counted(face)[0, 4] < 0.9


def test_the_chances_of_every_corner_add_up_to_one_on_noise_and_on_nothing() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (*KIND.face_size_px, 3)).astype(np.uint8)
    for face in (noise, np.full_like(noise, 128), np.zeros_like(noise)):
        chances = counted(face)
        assert chances.shape == (3, MOST + 1)
        assert np.isfinite(chances).all()
        assert np.allclose(chances.sum(axis=1), 1)


def test_networks_and_counting_that_agree_make_a_reading_sure() -> None:
    reading = KIND.read(face_of((1, 2, 4), WOODEN), 5)
    assert reading.values == (1, 2, 4)
    assert reading.agreed
    assert reading.confidence > 0.95
