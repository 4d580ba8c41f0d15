"""What two independent readers of one face make of it together."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from referee.sighting import Reading
from vision.kinds import FaceReading, Image

Chances = NDArray[np.float64]

NOT_A_TILE = FaceReading((), face_up=True, confidence=0.0, agreed=False)
_MOST_READINGS = 5
_LEAST_PROBABILITY = 1e-3
_TRUST = 0.5  # below 1: the readers look at the same pixels and are not quite independent
_COVERED = 0.15  # how much rarer it is that a part is covered than that the whole pose is wrong
_OUT_OF_SET = 0.02  # how much rarer a number above the set's highest is than one that belongs to it


def verdict(first: Chances, second: Chances, highest: int) -> FaceReading:
    """Join two readers' chances for every part of a face.

    Where both name the same number, each vouches for the other; where they do not, neither is believed
    by more than half.

    Args:
        first: (parts, numbers + 2), columns: 0, 1, 2 ..., nothing printed (a back), not a part of a tile.
        second: the same by the second reader.
        highest: the set's highest number; higher ones are unlikely, not impossible.
    """
    first, second = _within_set(first, highest), _within_set(second, highest)
    same = first.argmax(axis=1) == second.argmax(axis=1)
    together = (first * second) ** _TRUST
    joint = np.where(same[:, None], together / together.sum(axis=1, keepdims=True), (first + second) / 2)
    *_, blank, none = range(joint.shape[1])
    # A tile is printed in all its parts or in none: parts that all look blank vouch for each other.
    all_blank = bool(same.all() and (first.argmax(axis=1) == blank).all())
    back = float(1 - (1 - joint[:, blank]).prod()) if all_blank else float(joint[:, blank].prod())
    if (first.argmax(axis=1) == none).sum() * 2 > len(first) or joint[:, none].min() > 0.5:
        return NOT_A_TILE
    readings = _combinations(joint[:, :blank])
    agreed = bool(same.all())
    if back > sum(reading.probability for reading in readings):
        return FaceReading((), face_up=False, confidence=back, agreed=agreed)
    if not readings:
        return NOT_A_TILE
    return FaceReading(readings, face_up=True, confidence=readings[0].probability, agreed=agreed)


def tempered(reading: FaceReading, temper: float) -> FaceReading:
    """The same reading, believed less: every chance raised to a power above 1."""
    readings = tuple(replace(each, probability=each.probability**temper) for each in reading.readings)
    return replace(reading, readings=readings, confidence=reading.confidence**temper)


def washed_out(pixels: Image) -> float:
    """How far nothing printed can be told from print lost to over-exposure, 0..1, for BGR pixels (n, 3).

    Up to a third of white pixels is harmless.
    """
    share = float((pixels.min(axis=1) >= 250).mean())
    return float(np.clip((share - 1 / 3) * 1.5, 0, 1))


def _within_set(chances: Chances, highest: int) -> Chances:
    weighed: Chances = np.clip(chances, 1e-6, 1)
    weighed[:, highest + 1 : -2] *= _OUT_OF_SET
    # All parts share one pose: where the others are parts of a tile, only something on top can make this one none.
    none = weighed[:, -1].copy()
    weighed[:, -1] *= _COVERED + (1 - _COVERED) * (none.sum() - none) / max(len(none) - 1, 1)
    weighed /= weighed.sum(axis=1, keepdims=True)
    return weighed


def _combinations(joint: Chances) -> tuple[Reading, ...]:
    """The likeliest values of the whole tile, best first."""
    likely = np.argsort(-joint, axis=1)[:, :_MOST_READINGS]
    chances = reduce(np.multiply.outer, np.take_along_axis(joint, likely, axis=1))
    best = np.argsort(-chances, axis=None, kind="stable")[:_MOST_READINGS]
    ranks = np.stack(np.unravel_index(best, chances.shape), axis=1)
    return tuple(
        Reading(tuple(int(likely[part, rank]) for part, rank in enumerate(row)), float(chances[tuple(row)]))
        for row in ranks
        if chances[tuple(row)] >= _LEAST_PROBABILITY
    )
