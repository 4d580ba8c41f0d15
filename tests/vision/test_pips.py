"""Dominoes without sides: white ones in too much light on a white table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.tiles import DOMINO, smallest_rotation
from vision.kinds import Style, kinds
from vision.still import look, pips

KIND = kinds()[DOMINO]
WHITE = Style(
    face=(255, 255, 255), ink=(40, 30, 30), side=(255, 255, 255), pin=None, pips=((60, 40, 30), (40, 40, 150))
)
LAID = (((1, 3), 20), ((5, 4), 75), ((6, 6), 140), ((2, 4), 200), ((3, 0), 260), ((5, 5), 310))


def white_table(lean: float = 1.0) -> tuple[np.ndarray, list[np.ndarray]]:
    """White dominoes on white, (480, 720, 3), pressed together by so much from above, and where their middles lie."""
    picture = np.full((480, 720, 3), 255, np.uint8)
    centres = []
    for number, (values, turn_deg) in enumerate(LAID):
        face = KIND.draw(values, WHITE, 1)[..., :3]
        centre = np.array((150.0 + 210 * (number % 3), 130.0 + 220 * (number // 3)))
        turn = cv2.getRotationMatrix2D((79.5, 39.5), -turn_deg, 1.0)
        turn[:, 2] += centre - (79.5, 39.5)
        turn[1] = turn[1] / lean + (0, 0, 240 * (1 - 1 / lean))
        warped = cv2.warpAffine(face, turn, (720, 480), borderMode=cv2.BORDER_CONSTANT, borderValue=(255,) * 3)
        picture = np.minimum(picture, warped)
        centres.append(turn @ (79.5, 39.5, 1.0))
    return picture, centres


@pytest.mark.parametrize("lean", [1.0, 1.3])
def test_dominoes_without_sides_are_read_by_their_dividers_and_pips(lean):
    picture, centres = white_table(lean)
    read = [one for one in pips.search(picture, KIND, [], 6) if one.is_sure]
    shown = {smallest_rotation(one.reading.values): one.candidate.centre for one in read if 0 not in one.reading.values}
    assert set(shown) == {smallest_rotation(values) for values, _ in LAID if 0 not in values}
    for (values, _), centre in zip(LAID, centres, strict=True):
        if 0 not in values:
            assert np.hypot(*(shown[smallest_rotation(values)] - centre)) < 4


def test_an_empty_half_without_sides_is_known_by_the_tiles_around():
    picture, _ = white_table()
    tiles = {tile.seen.values for tile in look(picture, DOMINO).tiles if tile.is_sure}
    assert tiles == {smallest_rotation(values) for values, _ in LAID}


def test_a_line_between_letters_is_no_domino():
    picture = np.full((300, 500, 3), 255, np.uint8)
    cv2.putText(picture, "DOMINO", (60, 120), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (20, 20, 20), 8, cv2.LINE_AA)
    cv2.putText(picture, "8 8 : 8", (60, 260), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (20, 20, 20), 8, cv2.LINE_AA)
    cv2.line(picture, (60, 155), (400, 155), (20, 20, 20), 6)
    assert pips.search(picture, KIND, [], 6) == []


def on_tile(*spots: tuple[float, float]) -> np.ndarray:
    return np.array([spots])


def test_spots_in_their_places_show_numbers():
    two_and_one = on_tile((-0.78, -0.28), (-0.22, 0.28), (0.5, 0.0))
    lattice = pips.Lattice.of(two_and_one)
    assert lattice.shows_numbers.tolist() == [[True, True]]
    assert lattice.counts.tolist() == [[2, 1]]
    assert lattice.worth[0] == pytest.approx(3)


def test_spots_beside_their_places_count_against_a_domino():
    lattice = pips.Lattice.of(on_tile((-0.64, -0.14), (0.5, 0.0)))
    assert lattice.shows_numbers.tolist() == [[False, True]]
    assert lattice.worth[0] < 0.5


def test_pips_that_make_no_number_are_worth_less_than_none():
    side_by_side = on_tile((0.5, 0.0), (0.5, 0.28))
    assert pips.Lattice.of(side_by_side).worth[0] < 0
