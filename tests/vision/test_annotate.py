"""What is drawn over a photograph can be told without colour, and read at any size of picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.sighting import Reading, SeenTile
from referee.tiles import Shape
from vision.kinds import Image
from vision.still import Still, StillTile
from vision.still.annotate import DARK, LEAST_DISC_PX, Explained, Look, Mark, Outline, annotate, compared, write


def domino(x: float, y: float, wide: float, values: tuple[int, int] = (3, 5)) -> StillTile:
    """An upright domino, surely read, with its middle here."""
    seen = SeenTile("domino", values, x, y, 90.0, readings=(Reading(values, 1.0),))
    corners = np.array([(-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0)]) * wide + (x, y)
    return StillTile(seen, corners, True)


def still(*tiles: StillTile) -> Still:
    return Still(tiles, Shape.domino(120, 60), 6)


def grey(width: int = 800, height: int = 600) -> Image:
    return np.full((height, width, 3), 150, np.uint8)


def drawn_in(picture: Image, look: Look) -> np.ndarray:
    return np.asarray(np.abs(picture.astype(int) - look.value).max(-1) < 30)


PAIR = still(domino(300, 300, 100), domino(400, 300, 100))


def test_signs_of_joins_differ_in_shape_not_only_in_colour() -> None:
    shapes = {}
    for legal, look in ((True, Look.GOOD), (False, Look.BAD), (None, Look.UNCLEAR)):
        picture = annotate(grey(), PAIR, [Mark(0, 1, legal)], (), "title")
        x, y = 2 * 350, 2 * 300 + picture.shape[0] - 52 - 1200
        sign = drawn_in(picture[y - 30 : y + 30, x - 30 : x + 30], look)
        shapes[legal] = cv2.resize(sign.astype(np.uint8), (15, 15), interpolation=cv2.INTER_AREA) > 0
    assert sum((shapes[True] != shapes[False]).ravel()) > 20
    assert sum((shapes[True] != shapes[None]).ravel()) > 20
    assert sum((shapes[False] != shapes[None]).ravel()) > 20


@pytest.mark.parametrize("width", [200, 800, 4000])
def test_the_numbers_can_be_read_at_any_size_of_picture(width: int) -> None:
    tile = domino(width / 2, 0.4 * width, 0.03 * width)
    picture = annotate(grey(width, round(0.8 * width)), still(tile), [], {0}, "title")
    assert 1600 <= picture.shape[1] <= 3200
    disc = np.abs(picture[60:-60].astype(int) - DARK).max(-1) < 12
    assert disc.sum() > 0.4 * np.pi * LEAST_DISC_PX**2


def test_a_tile_in_doubt_is_outlined_in_dashes() -> None:
    marks = [Mark(0, 1, True)]
    sure = annotate(grey(), PAIR, marks, (), "title")
    doubted = annotate(grey(), PAIR, marks, (), "title", doubted={0})
    left = (slice(300, 900), slice(490, 512))  # the long side at the left
    solid = drawn_in(sure[left], Look.GOOD).any(1).sum()
    dashes = drawn_in(doubted[left], Look.UNCLEAR).any(1).sum()
    assert 0.4 * solid < dashes < 0.9 * solid  # OpenCV 4 draws rounder, longer ends


def test_words_explain_what_was_drawn_and_nothing_else() -> None:
    with_joins = annotate(grey(), PAIR, [Mark(0, 1, False, "3 meets 5")], (), "title")
    without = annotate(grey(), still(), [], (), "title")
    assert with_joins.shape[0] == without.shape[0] + 52
    unnamed = annotate(grey(), PAIR, [Mark(0, 1, False)], (), "title")
    assert drawn_in(with_joins, Look.BAD).sum() > drawn_in(unnamed, Look.BAD).sum() + 1000


def test_what_is_true_stands_beside_what_was_seen() -> None:
    corners = PAIR.tiles[0].corners
    truth, seen = Outline(corners, (3, 5), Look.GOOD), Outline(corners, (3, 4), Look.BAD, "wrong: is 3-5")
    picture = compared(grey(), [truth], [seen], ("true", "seen"), [Explained(Look.BAD, "1 wrong")])
    half = picture.shape[1] // 2
    left, right = picture[60:-60, :half], picture[60:-60, half:]
    assert drawn_in(left, Look.GOOD).sum() > 2000 > drawn_in(left, Look.BAD).sum()
    assert drawn_in(right, Look.BAD).sum() > 2000 > drawn_in(right, Look.GOOD).sum()


def test_a_legend_too_long_for_its_picture_is_made_smaller() -> None:
    legend = [Explained(Look.GOOD, "a great many words on what this line means") for _ in range(12)]
    picture = compared(grey(), [], [], ("true", "seen"), legend)
    assert picture.shape[1] == 2 * 1600 + 12
    assert compared(grey(), [], [], ("true", "seen"), legend[:1]).shape[0] > picture.shape[0]


def test_a_name_that_is_no_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"expected a picture's name .*out\.txt"):
        write(tmp_path / "out.txt", grey())
    write(tmp_path / "OUT.PNG", grey())
    assert cv2.imread(str(tmp_path / "OUT.PNG")).shape == (600, 800, 3)
