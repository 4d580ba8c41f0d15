"""A picture whenever the table has come to rest in another state."""

from __future__ import annotations

import numpy as np

from referee.sighting import CameraStatus
from vision.frames import Frame
from vision.kinds import Image
from vision.learn.stills import stills

FPS = 10.0


class Played:
    """A source that shows pictures of one grey level each."""

    status = CameraStatus.OK

    def __init__(self, levels: list[int]) -> None:
        self._levels = levels
        self._number = 0

    def read(self) -> Frame | None:
        """The next frame."""
        if self._number == len(self._levels):
            return None
        level, self._number = self._levels[self._number], self._number + 1
        image: Image = np.full((90, 120, 3), level, np.uint8)
        return Frame(image, self._number / FPS, self._number)

    def close(self) -> None:
        """Nothing is held."""


def levels(seen: list[int], most: int = 99) -> list[int]:
    taken: list[int] = []
    for image in stills(Played(seen), lambda: len(taken) >= most):
        taken.append(int(image[0, 0, 0]))  # noqa: PERF401  # the list says when it is enough
    return taken


def test_each_state_at_rest_is_taken_once() -> None:
    assert levels([50] * 30 + [120] * 30 + [200] * 30) == [50, 120, 200]


def test_what_moves_or_lies_there_still_is_not_taken_again() -> None:
    moving = [20 * (number % 9) for number in range(40)]
    assert levels([50] * 30 + moving + [50] * 30) == [50]


def test_it_ends_when_it_is_enough() -> None:
    assert levels([50] * 30 + [120] * 30, most=1) == [50]
