"""Pips: where they sit, and how they are read."""

import cv2
import numpy as np
import pytest

from vision.kinds import Image, Style
from vision.kinds.domino import ARRANGEMENTS, KIND, THREE_MIRRORED, TWO_MIRRORED, halves, places, position_chances
from vision.models import network

CLOTH = np.array([60, 90, 70], np.float32)
PALE = Style(face=(244, 244, 242), side=(230, 230, 230), pin=None, pips=((60, 190, 235),))
BLACK = Style(face=(40, 36, 34), ink=(235, 235, 235), side=(28, 26, 25))
LOOKS = {"ivory": Style(), "drilled": Style(variant=4), "pale pips": PALE, "black": BLACK}


def face_of(values: tuple[int, ...], style: Style) -> Image:
    """A sharp picture of a tile on a cloth."""
    drawn = KIND.draw(values, style, 2).astype(np.float32)
    cover = drawn[..., 3:] / 255
    picture = drawn[..., :3] * cover + CLOTH * (1 - cover)
    return cv2.resize(picture, KIND.face_size_px, interpolation=cv2.INTER_AREA).astype(np.uint8)


@pytest.mark.parametrize("number", range(13))
def test_a_number_has_that_many_pips_at_different_places(number: int) -> None:
    assert len(set(ARRANGEMENTS[number])) == number


@pytest.mark.parametrize("number", range(13))
def test_an_arrangement_looks_the_same_from_both_ends(number: int) -> None:
    assert {(-u, -v) for u, v in ARRANGEMENTS[number]} == set(ARRANGEMENTS[number])


def test_six_is_two_rows_of_three_along_the_tile() -> None:
    assert sorted({v for _, v in ARRANGEMENTS[6]}) == [-1.0, 1.0]
    assert sorted({u for u, _ in ARRANGEMENTS[6]}) == [-1.0, 0.0, 1.0]


def test_two_and_three_lie_on_either_diagonal_by_the_sets_variant() -> None:
    for number, mirrored in ((2, TWO_MIRRORED), (3, THREE_MIRRORED)):
        assert set(places(number, mirrored)) == {(u, -v) for u, v in places(number)} != set(places(number))
        assert places(number, TWO_MIRRORED + THREE_MIRRORED - mirrored) == places(number)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("variant", [0, TWO_MIRRORED | THREE_MIRRORED])
def test_contrast_at_the_places_alone_reads_every_number_to_twelve(look: str, variant: int) -> None:
    style = LOOKS[look]
    turned = Style(style.face, style.ink, style.side, style.pin, style.pips, 1.0, style.variant | variant)
    for number in range(13):
        chances = position_chances(face_of((number, 12 - number), turned), 12)
        assert chances.argmax(axis=1).tolist() == [number, 12 - number]


@pytest.mark.parametrize("name", ["domino-halves", "domino-directions"])
@pytest.mark.parametrize("look", LOOKS)
def test_each_network_alone_reads_every_number_to_twelve(name: str, look: str) -> None:
    for number in range(13):
        chances = network(name).probabilities(halves(face_of((number, 12 - number), LOOKS[look])))
        assert chances[:, :13].argmax(axis=1).tolist() == [number, 12 - number]


@pytest.mark.parametrize("strength", [4, 10])
def test_coloured_double_eights_are_read_under_noise(strength: float) -> None:
    random = np.random.default_rng(8)
    for ink in ((200, 110, 20), (40, 40, 200), (40, 170, 235), (160, 60, 120)):
        noisy = face_of((8, 8), Style(face=(238, 240, 240), pips=(ink,))) + random.normal(0, strength, (80, 160, 3))
        reading = KIND.read(np.clip(noisy, 0, 255).astype(np.uint8), 12)
        assert reading.values == (8, 8)
        assert reading.agreed


def test_divider_and_pin_are_no_pips() -> None:
    chances = position_chances(face_of((0, 0), Style(variant=8)), 6)
    assert chances[:, 0].min() > 0.9


def test_a_double_blank_is_a_tile_and_not_a_back() -> None:
    reading = KIND.read(face_of((0, 0), Style()), 6)
    assert reading.face_up
    assert reading.values == (0, 0)


def test_numbers_above_six_are_read_as_what_they_are() -> None:
    for values in ((7, 8), (9, 7), (8, 9)):
        reading = KIND.read(face_of(values, Style()), 9)
        assert reading.values == values
        assert reading.agreed
        assert reading.confidence >= 0.9
    for values in ((10, 12), (11, 10), (12, 11)):
        assert KIND.read(face_of(values, Style()), 12).values == values


def test_a_tile_of_a_larger_set_is_never_taken_for_one_of_this_set() -> None:
    for values in ((7, 8), (9, 3), (0, 8)):
        reading = KIND.read(face_of(values, Style()), 6)
        assert reading.values == values or reading.confidence < 0.9


def test_an_empty_half_washed_out_by_light_is_not_certain() -> None:
    face = face_of((5, 0), Style())
    blinding = face.copy()
    blinding[:, 84:] = 255
    reading = KIND.read(blinding, 6)
    assert not reading.agreed or reading.confidence < 0.9


def test_an_empty_half_no_whiter_than_a_half_that_shows_its_pips_is_certain() -> None:
    # Light too strong for a white face is not yet too strong for dark pips.
    face = cv2.convertScaleAbs(face_of((5, 0), Style(face=(215, 225, 222), pin=None)), alpha=1.4)
    reading = KIND.read(face, 6)
    assert reading.values == (5, 0)
    assert reading.agreed
    assert reading.confidence >= 0.9


@pytest.mark.parametrize(("divider", "sure"), [(30, True), (90, True), (170, False), (230, False)])
def test_an_empty_half_of_a_bright_picture_is_certain_as_long_as_the_divider_is_dark(divider: int, sure: bool) -> None:
    # White tiles in good light were asked about for being white.
    style = Style(face=(252, 253, 252), ink=(divider,) * 3, side=(235, 235, 235), pin=None, pips=((60, 20, 40),))
    reading = KIND.read(face_of((0, 5), style), 6)
    assert (reading.values == (0, 5) and reading.agreed and reading.confidence >= 0.9) is sure


def test_a_glare_spot_is_no_pip() -> None:
    face = face_of((0, 4), Style()).astype(np.float32)
    y, x = np.mgrid[0:80, 0:160]
    face += (90 * np.exp(-((x - 40) ** 2 + (y - 40) ** 2) / (2 * 9.0**2)))[..., None]
    reading = KIND.read(np.clip(face, 0, 255).astype(np.uint8), 6)
    assert reading.values == (0, 4) or not reading.agreed or reading.confidence < 0.9
