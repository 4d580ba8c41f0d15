"""Triominoes with pips: where they sit, and how they are told from numerals and read."""

import cv2
import numpy as np
import pytest

from referee.tiles import triomino_set
from vision.kinds import Expectation, Image, Marks, Style
from vision.kinds.triomino import (
    ARRANGEMENTS,
    BLANK,
    CLASSES,
    DRILLED,
    FIRST_PIP,
    KIND,
    NONE,
    PIPS,
    WOOD,
    Make,
    corner_deg,
    marks_on,
    may_be_more,
    numbers_of,
    pip_places,
)

CLOTH = np.array([60, 90, 70], np.float32)
COLOURS = ((255, 255, 255), (235, 235, 235), (110, 120, 20), (40, 190, 240), (200, 120, 30), (40, 30, 190))
LOOKS = {
    "plastic": Style(pin=None, variant=PIPS),
    "black plastic": Style(face=(42, 38, 36), ink=(232, 235, 236), side=(25, 22, 20), pin=None, variant=PIPS),
    "wood with a colour per number": Style(
        face=(60, 95, 150), side=(40, 65, 105), pin=None, pips=COLOURS, variant=PIPS | WOOD | DRILLED
    ),
}


def face_of(values: tuple[int, ...], style: Style) -> Image:
    """A sharp picture of a tile on a cloth."""
    drawn = KIND.draw(values, style, 2).astype(np.float32)
    cover = drawn[..., 3:] / 255
    picture = drawn[..., :3] * cover + CLOTH * (1 - cover)
    return cv2.resize(picture, KIND.face_size_px, interpolation=cv2.INTER_AREA).astype(np.uint8)


def chances(*classes: int) -> np.ndarray:
    """A reader that is nearly sure of a class in each corner."""
    sure = np.full((3, CLASSES), 1e-4)
    sure[np.arange(3), classes] = 1 - 1e-4 * (CLASSES - 1)
    return sure


@pytest.mark.parametrize("number", range(6))
def test_a_corner_has_that_many_pips_at_different_places(number: int) -> None:
    assert len(set(ARRANGEMENTS[number])) == number


@pytest.mark.parametrize("number", range(6))
def test_an_arrangement_looks_the_same_on_either_side_of_the_bisector(number: int) -> None:
    assert {(along, -across) for along, across in ARRANGEMENTS[number]} == set(ARRANGEMENTS[number])


def test_two_pips_lie_along_the_bisector_of_their_corner() -> None:
    for corner in range(3):
        way = np.deg2rad(corner_deg(corner))
        places = pip_places(2, corner, Make())
        across = places @ np.array([-np.sin(way), np.cos(way)])
        assert np.allclose(across, 0, atol=1e-9)
        assert (places @ np.array([np.cos(way), np.sin(way)]) > 0.1).all()


def test_all_pips_lie_on_the_tile() -> None:
    for corner in range(3):
        for number in range(6):
            for x, y in pip_places(number, corner, Make()):
                middles = [np.deg2rad(corner_deg(side) + 60) for side in range(3)]
                assert max(x * np.cos(turn) + y * np.sin(turn) for turn in middles) < 0.2887 - Make().pip / 2


@pytest.mark.parametrize("look", LOOKS)
def test_pips_are_read_without_being_told_that_the_set_has_pips(look: str) -> None:
    asked = 0
    for tile in triomino_set(5):
        values = tile.values[1:] + tile.values[:1]
        if not any(values):
            continue
        reading = KIND.read(face_of(values, LOOKS[look]), 5)
        certain = reading.agreed and reading.confidence >= 0.9
        assert not certain or reading.values == values
        asked += not certain
    assert asked <= 20  # pips are believed less than numerals: asked about rather than wrong


def test_a_tile_without_any_pip_is_never_read_as_numbers_other_than_none() -> None:
    for style in LOOKS.values():
        assert KIND.read(face_of((0, 0, 0), style), 5).values in ((), (0, 0, 0))


def test_a_bare_corner_counts_as_none_beside_pips_and_as_bare_beside_numerals() -> None:
    seen = chances(FIRST_PIP + 2, BLANK, FIRST_PIP)
    assert marks_on(seen, seen) is Marks.PIPS
    assert numbers_of(seen, Marks.PIPS).argmax(axis=1).tolist() == [3, 0, 1]
    seen = chances(3, BLANK, 1)
    assert marks_on(seen, seen) is Marks.NUMERALS
    assert numbers_of(seen, Marks.NUMERALS).argmax(axis=1).tolist() == [3, BLANK, 1]


def test_a_face_that_is_bare_all_over_is_a_back_and_not_three_times_none() -> None:
    bare = chances(BLANK, BLANK, BLANK)
    assert numbers_of(bare, marks_on(bare, bare)).argmax(axis=1).tolist() == [BLANK] * 3


def test_in_a_set_known_to_bear_pips_a_bare_face_may_be_none_at_all_or_a_back() -> None:
    reading = KIND.read(face_of((0, 0, 0), LOOKS["plastic"]), 5, Expectation(marks=Marks.PIPS))
    assert reading.values == (0, 0, 0)
    assert reading.confidence <= 0.5


def test_a_numeral_among_pips_is_no_corner_of_such_a_tile() -> None:
    mixed = numbers_of(chances(FIRST_PIP + 2, 4, FIRST_PIP), Marks.PIPS)
    assert mixed.argmax(axis=1).tolist() == [3, NONE, 1]


@pytest.mark.parametrize("marks", Marks)
def test_all_chances_are_handed_on_whichever_marks_a_face_bears(marks: Marks) -> None:
    random = np.random.default_rng(4)
    for _ in range(20):
        numbers = numbers_of(random.dirichlet(np.full(CLASSES, 0.2), 3), marks)
        assert numbers.shape == (3, 12)
        assert np.allclose(numbers.sum(axis=1), 1)


def test_pips_that_light_has_swallowed_are_asked_about() -> None:
    # A corner of yellow pips on yellow wood was read surely as one without any.
    wood = Style(face=(70, 120, 175), side=(40, 65, 105), pin=None, pips=COLOURS, variant=PIPS | WOOD)
    dim = face_of((0, 2, 4), wood)
    assert KIND.read(dim, 5).values == (0, 2, 4)
    assert KIND.read(dim, 5).confidence >= 0.9
    glaring = cv2.convertScaleAbs(dim, alpha=2.6)
    assert (np.sort(glaring[60:80, 60:80].reshape(-1, 3))[:, 1] >= 252).mean() > 0.9
    reading = KIND.read(glaring, 5)
    assert reading.values != (0, 2, 4) or not reading.agreed or reading.confidence < 0.9


def test_counting_takes_away_no_pip_that_a_network_sees() -> None:
    two = chances(*(FIRST_PIP + 1,) * 3)
    three = two.copy()
    three[0, FIRST_PIP + 2] = 0.45
    assert not may_be_more((2, 2, 2), two, two)
    assert may_be_more((2, 2, 2), two, three)
    assert not may_be_more((3, 2, 2), two, three)
