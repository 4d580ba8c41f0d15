"""A film holds what was shown, each picture as long as it stood, in every kind of file."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision import film
from vision.film import Film
from vision.frames import Image

FULL = (880, 1280, 3)


def lamp_is_lit(picture: Image) -> bool:
    """Whether the light below the table is red."""
    blue, _, red = picture[film.GAP_PX + film.TABLE_PX[1] + film.STRIP_PX // 2, film.GAP_PX + film.TABLE_PX[0] // 2][:3]
    return int(red) > 200 > int(blue) + 100


def screen() -> Image:
    return np.zeros((*film.SCREEN_PX[::-1], 3), np.uint8)


def test_pictures_that_are_alike_become_one_that_is_shown_longer_and_noise_makes_no_new_one(tmp_path: Path) -> None:
    shot, table = Film(100), np.full(FULL, 90, np.uint8)
    for _ in range(5):
        shot.take(table, screen(), light=False, buzz=False)
    noisy = np.random.default_rng(1).integers(88, 93, FULL, np.uint8)
    shot.take(noisy, screen(), light=False, buzz=False)
    shot.take(noisy, screen(), light=True, buzz=True)
    assert round(shot.seconds, 1) == 0.7
    for kind in film.KINDS:
        shot.write(tmp_path / f"film{kind}")
        _, animation = cv2.imreadanimation(str(tmp_path / f"film{kind}"))
        assert [lamp_is_lit(each) for each in animation.frames] == [False, True]


def test_what_moves_is_shown_where_it_is_and_the_rest_as_it_was(tmp_path: Path) -> None:
    shot, table = Film(100), np.full(FULL, 90, np.uint8)
    shot.take(table, screen(), light=False, buzz=False)
    moved = np.full(FULL, 92, np.uint8)  # the camera has become a little brighter, which nobody should see
    moved[400:480, 600:680] = 250
    shot.take(moved, screen(), light=False, buzz=False)
    shot.write(tmp_path / "film.png")
    _, animation = cv2.imreadanimation(str(tmp_path / "film.png"))
    seen = animation.frames[1][
        film.GAP_PX : film.GAP_PX + film.TABLE_PX[1], film.GAP_PX : film.GAP_PX + film.TABLE_PX[0]
    ]
    assert tuple(seen[200, 291][:3]) == (250, 250, 250)
    assert tuple(seen[20, 20][:3]) == (90, 90, 90)
