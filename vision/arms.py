"""Hands over the table: their visits, and the side that each arm comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import Visit

SHOULDER = 1.8  # of people, from the mat's middle, in halves of its diagonal
SHORT = 0.08  # an arm seen no farther tells less of where it comes from than that people reach in straight
ALL_ROUND = 0.5  # nearer to the middle no arm comes in: what seems to is all round the mat
SAME_PLACE = 0.45  # an arm stays where it came in over the edge; what reaches over it elsewhere is its hand or shadow
CLEAR = 0.5


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm over the mat's edge, in one frame.

    Attributes:
        over: where it crosses the edge, (2,), from the mat's middle, in halves of its diagonal.
        way: from the mat's middle toward its shoulder, (2,), the longer the more of it is seen.
        is_thing: it is seen itself, and not only what its shadow may be.
    """

    over: tuple[float, float]
    way: tuple[float, float]
    is_thing: bool = True


class Rim:
    """The mat's edge on small pictures of it."""

    def __init__(self, unit_from_px: Matrix, sides: Matrix) -> None:
        """Set up for one pose of the mat.

        Args:
            unit_from_px: takes pixels to the mat, which reaches from (-1, -1) to (1, 1), (3, 3).
            sides: the lengths of the mat's sides, (2,), in any unit.
        """
        self._unit_from_px = unit_from_px
        self._sides = sides / np.linalg.norm(sides)

    def arm(self, pixels: Matrix, at_edge: Matrix, is_thing: bool) -> Arm | None:
        """The arm that pixels (n, 2), some of them at the edge (m, 2), show; None when they are all round the mat.

        The way from the hand over the edge goes on to the shoulder: who sits at one side may well reach over another.
        """
        middles = np.array([pixels.mean(axis=0), at_edge.mean(axis=0)])
        unit = cv2.perspectiveTransform(middles[:, None], self._unit_from_px).reshape(-1, 2)
        if np.abs(unit[1]).max() < ALL_ROUND:
            return None
        hand, over = unit * self._sides
        straight = np.where(np.abs(unit[1]) == np.abs(unit[1]).max(), np.sign(unit[1]), 0.0)
        outward = over - hand + SHORT * straight
        outward /= np.linalg.norm(outward)
        along = float(over @ outward)
        shoulder = over + (np.sqrt(max(along**2 + SHOULDER**2 - float(over @ over), 0.0)) - along) * outward
        way = np.sqrt(len(pixels) * len(at_edge)) * shoulder / np.linalg.norm(shoulder)
        return Arm((float(over[0]), float(over[1])), (float(way[0]), float(way[1])), is_thing)


class Presence:
    """A hand while it is over the table."""

    def __init__(self, from_s: float) -> None:
        self.from_s = from_s
        self._to_s = from_s
        self._first: Arm | None = None
        self._last: Arm | None = None
        self._are_several = False
        self._way = np.zeros(2)
        self._whole = 0.0

    def note(self, time_s: float, arms: Sequence[Arm]) -> None:
        """The hand is still there, and so much is seen of arms."""
        self._to_s = time_s
        seen = [arm for arm in arms if arm.is_thing] or arms
        if not seen:
            return
        self._last = max(seen, key=lambda arm: float(np.hypot(*arm.way)))
        self._first = self._first or self._last
        self._are_several |= self._last.is_thing and not all(_at_one_place(self._last, arm) for arm in seen)
        for arm in seen:
            if _at_one_place(self._first, arm):
                self._way += arm.way
                self._whole += float(np.hypot(*arm.way))

    def ended(self, number: int) -> Visit:
        """The whole visit, once the hand has gone; from where it came is clear where one arm came and went."""
        one = self._first and self._last and not self._are_several and _at_one_place(self._first, self._last)
        clear = one and float(np.linalg.norm(self._way)) > CLEAR * self._whole
        degrees = round(float(np.degrees(np.arctan2(self._way[1], self._way[0]))), 1) if clear else None
        return Visit(number, self.from_s, self._to_s, degrees, 0, 0)


def _at_one_place(one: Arm, other: Arm) -> bool:
    return float(np.hypot(one.over[0] - other.over[0], one.over[1] - other.over[1])) < SAME_PLACE
