"""Photographs taken from aside are looked at as if from straight above."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from referee.tiles import TRIOMINO, smallest_rotation
from vision.kinds import FaceReading, Image, Points, Style, kinds
from vision.still import aslant, look
from vision.still.candidate import Candidate
from vision.still.finder import find
from vision.still.reading import Read

SIDE_PX = 120.0
TILES = (
    ((1, 2, 3), 0.0, 0.0),
    ((0, 4, 5), 1.4, 0.1),
    ((2, 2, 4), 0.2, 1.3),
    ((3, 3, 5), 1.7, 1.2),
    ((0, 1, 1), 0.9, 2.3),
)


def table(values_at: tuple[tuple[tuple[int, ...], float, float], ...] = TILES, style: Style | None = None) -> Image:
    """Tiles lying apart on a cloth, from straight above."""
    kind = kinds()[TRIOMINO]
    noise = np.random.default_rng(4)
    picture = np.full((560, 560, 3), (78, 92, 70), np.float32) + noise.normal(0, 4, (560, 560, 1))
    for number, (values, x, y) in enumerate(values_at):
        face = kind.draw(values, style or Style(), 2).astype(np.float32)
        turn = cv2.getRotationMatrix2D((143.5, 143.5), 25.0 * number, SIDE_PX / 242.5)
        turn[:, 2] += np.array([110 + 1.3 * SIDE_PX * x, 120 + 1.15 * SIDE_PX * y]) - 143.5
        layer = cv2.warpAffine(face, turn, (560, 560), flags=cv2.INTER_AREA)
        cover = layer[..., 3:] / 255
        picture = picture * (1 - cover) + layer[..., :3] * cover
    return np.clip(picture + noise.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def leaning(factor: float) -> Points:
    """What a camera at the table's edge does: farther away is smaller, and all is compressed."""
    far = 0.18
    return np.array([(1.0, far, 0.0), (0.0, 1.0 / factor, 0.0), (0.0, far / 560 * 0.8, 1.0)])


def seen_from_aside(factor: float) -> Image:
    return np.asarray(
        cv2.warpPerspective(table(), leaning(factor), (640, 600), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def sure_of(image: Image) -> list[tuple[int, ...]]:
    return sorted(tile.seen.values for tile in look(image, TRIOMINO).tiles if tile.is_sure)


EVERY = sorted(smallest_rotation(values) for values, _, _ in TILES)


@pytest.mark.parametrize("factor", [1.0, 1.9, 2.3])
def test_every_tile_is_read_whatever_side_the_picture_is_taken_from(factor: float) -> None:
    assert sure_of(seen_from_aside(factor)) == EVERY


def test_outlines_are_told_in_the_picture_that_was_taken() -> None:
    image = seen_from_aside(2.3)
    straight = [tile.corners.mean(0) for tile in look(table(), TRIOMINO).tiles]
    wanted = cv2.perspectiveTransform(np.array(straight)[None], leaning(2.3))[0]
    found = np.array([tile.corners.mean(0) for tile in look(image, TRIOMINO).tiles])
    assert len(found) == len(wanted)
    for place in wanted:
        assert np.hypot(*(found - place).T).min() < 0.15 * SIDE_PX


def test_a_picture_from_straight_above_is_left_as_it_is() -> None:
    image = table()
    kind = kinds()[TRIOMINO]
    read = [Read(Candidate(np.zeros((3, 2)), 0.5), FaceReading((), True, 0.0, False))]
    assert aslant.search(image, kind, find(image, TRIOMINO), read, 5) is read
    assert aslant.search(image, kind, [], read, 5) is read


def test_a_tile_that_two_views_show_surely_and_differently_is_not_sure() -> None:
    kind = kinds()[TRIOMINO]
    corners = np.array([(100.0, 50.0), (150.0, 137.0), (50.0, 137.0)])
    one, other = (Read(Candidate(corners, 0.8), kind.read(_face(values), 5)) for values in ((1, 2, 3), (1, 2, 4)))
    assert one.is_sure
    assert other.is_sure
    assert aslant.settled(one, [one, one]).is_sure
    assert aslant.settled(one, [one, Read(other.candidate, replace(other.reading, confidence=0.4))]).is_sure
    assert not aslant.settled(one, [one, other]).is_sure
    assert aslant.settled(one, [one, Read(Candidate(corners + 200, 0.8), other.reading)]).is_sure


def _face(values: tuple[int, ...]) -> Image:
    drawn = kinds()[TRIOMINO].draw(values, Style(), 1).astype(np.float32)
    cover = drawn[..., 3:] / 255
    return (drawn[..., :3] * cover + np.array([60, 90, 70]) * (1 - cover)).astype(np.uint8)


def drawing() -> Image:
    """Six triangles around a point, thin lines, numerals too small to be read."""
    picture = np.full((520, 520, 3), 255, np.uint8)
    turns = np.deg2rad(60 * np.arange(7))
    rim = 260 + 220 * np.stack([np.cos(turns), np.sin(turns)], 1)
    for one, other in pairwise(rim):
        corners = np.array([(260.0, 260.0), one, other])
        middle = corners.mean(0)
        inset = middle + 0.97 * (corners - middle)
        cv2.polylines(picture, [inset.round().astype(np.int32)], True, (20, 20, 20), 2, cv2.LINE_AA)
        for x, y in (middle + 0.8 * (corners - middle)).round().astype(int).tolist():
            cv2.putText(picture, "4", (x - 5, y + 5), cv2.FONT_HERSHEY_PLAIN, 0.9, (20, 140, 240), 1, cv2.LINE_AA)
    return picture


def test_a_clear_triangle_that_cannot_be_read_is_asked_about() -> None:
    still = look(drawing(), TRIOMINO)
    assert len(still.tiles) == 6
    assert not any(tile.is_sure for tile in still.tiles)
