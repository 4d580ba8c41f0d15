"""What two independent readers of one face make of it together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.sighting import Reading
from referee.tiles import rotations, smallest_rotation
from vision.kinds import FaceReading, Image

Chances = NDArray[np.float64]

NOT_A_TILE = FaceReading((), face_up=True, confidence=0.0, agreed=False)
_MOST_READINGS = 5
_LEAST_PROBABILITY = 1e-3
_NAMED = 0.6  # a reader that gives its likeliest number less than this names none
_TRUST = 0.5  # below 1: the readers look at the same pixels and are not quite independent
_NAMED_APART, _TRUST_APART = 0.5, 0.75  # the same for readers that have nothing in common but the picture
_WHITE = 243.0  # from here on, in every colour, a pixel may be white for too much light
_CLIPPED = 252  # from here on a colour may be brighter than can be told
_WHITEST = 254.0  # and from here on it surely is
_DARK, _PALE = 0.4, 0.6  # print up to so bright shows that the light is not too strong, from so bright on does not
_COVERED = 0.15  # how much rarer it is that a part is covered than that the whole pose is wrong
_OUT_OF_SET = 0.02  # how much rarer a number above the set's highest is than one that belongs to it
_SEEN_BEFORE = 0.01  # the weight of a tile of which none should be left, against 1 for one that is
_CONTRADICTED = 0.5  # the most a reading is believed that the tiles left speak against


def verdict(
    first: Chances,
    second: Chances,
    highest: int,
    unseen: Mapping[tuple[int, ...], int] | None = None,
    apart: bool = False,
) -> FaceReading:
    """Join two readers' chances for every part of a face.

    Where both name the same number, each vouches for the other; where they do not, neither is believed
    by more than half. The tiles left decide what the readers leave open; what both name stays, and is
    doubted if the set has none of it left.

    Args:
        first: (parts, numbers + 2), columns: 0, 1, 2 ..., nothing printed (a back), not a part of a tile.
        second: the same by the second reader.
        highest: the set's highest number; higher ones are unlikely, not impossible.
        unseen: how many there may be of each tile, by its smallest rotation; None when nothing is known.
        apart: whether the readers go about it in ways that have nothing in common.
    """
    first, second = _within_set(first, highest), _within_set(second, highest)
    reading = _by_the_face(first, second, *((_NAMED_APART, _TRUST_APART) if apart else (_NAMED, _TRUST)))
    if unseen is None or not reading.values:
        return reading
    return _by_the_set(reading, first[:, :-2], second[:, :-2], unseen)


def _by_the_face(first: Chances, second: Chances, named: float, trust: float) -> FaceReading:
    sure_of = np.minimum(first.max(axis=1), second.max(axis=1))
    same = (first.argmax(axis=1) == second.argmax(axis=1)) & (sure_of >= named)
    together = (first * second) ** trust
    joint = np.where(same[:, None], together / together.sum(axis=1, keepdims=True), (first + second) / 2)
    *_, blank, none = range(joint.shape[1])
    # A tile is printed in all its parts or in none: parts that all look blank vouch for each other.
    all_blank = bool(same.all() and (first.argmax(axis=1) == blank).all())
    back = float(1 - (1 - joint[:, blank]).prod()) if all_blank else float(joint[:, blank].prod())
    if (first.argmax(axis=1) == none).sum() * 2 > len(first) or joint[:, none].min() > 0.5:
        return NOT_A_TILE
    readings = _likeliest(reduce(np.multiply.outer, joint[:, :blank]))
    agreed = bool(same.all())
    if back > sum(reading.probability for reading in readings):
        return FaceReading((), face_up=False, confidence=back, agreed=agreed)
    if not readings:
        return NOT_A_TILE
    return FaceReading(readings, face_up=True, confidence=readings[0].probability, agreed=agreed)


def _by_the_set(
    reading: FaceReading, first: Chances, second: Chances, unseen: Mapping[tuple[int, ...], int]
) -> FaceReading:
    """A reading of numbers in the light of the tiles that are left."""
    if reading.agreed and not unseen.get(smallest_rotation(reading.values), 0):
        return replace(reading, confidence=min(reading.confidence, _CONTRADICTED))
    left = _left(unseen, first.shape)
    one, other = (reduce(np.multiply.outer, chances) * left for chances in (first, second))
    one, other = one / one.sum(), other / other.sum()
    agreed = bool(one.argmax() == other.argmax())
    joint = (one * other) ** _TRUST if agreed else (one + other) / 2
    numbers = float((first.sum(axis=1) * second.sum(axis=1)).prod()) ** _TRUST  # the rest is no number at all
    readings = _likeliest(joint / joint.sum() * numbers)
    if reading.agreed and (not agreed or readings[0].values != reading.values):
        return replace(reading, confidence=min(reading.confidence, _CONTRADICTED))
    if not readings:
        return reading
    return FaceReading(readings, face_up=True, confidence=readings[0].probability, agreed=agreed)


def _left(unseen: Mapping[tuple[int, ...], int], size: tuple[int, ...]) -> Chances:
    """The weight of every combination of numbers, (numbers, ...), one axis for each part."""
    parts, numbers = size
    weights = np.full((numbers,) * parts, _SEEN_BEFORE)
    for values, count in unseen.items():
        if count > 0 and max(values) < numbers:
            for turned in rotations(values):
                weights[turned] = count
    return weights


def tempered(reading: FaceReading, temper: float, most: float = 1.0) -> FaceReading:
    """The same reading, believed less: every chance raised to a power above 1, the confidence to `most` at most."""
    readings = tuple(replace(each, probability=each.probability**temper) for each in reading.readings)
    return replace(reading, readings=readings, confidence=min(reading.confidence**temper, most))


def washed_out(pixels: Image, divider: float = 1.0, printed: Image | None = None) -> float:
    """How far nothing printed can be told from print lost to over-exposure, 0..1, for BGR pixels (n, 3).

    Up to a third of white pixels is harmless.

    Args:
        pixels: of a part of a face.
        divider: how bright other print of the tile looks, in parts of the brightest; where that is still dark,
            the light is not too strong for print, unless glare makes this part as white as can be.
        printed: of a part that surely bears print; where that is as white, it is no glare.
    """
    paled = np.clip((divider - _DARK) / (_PALE - _DARK), 0, 1)
    glare = _mostly(pixels, _WHITEST)
    if glare and printed is not None:
        darkest = printed.min(axis=1)  # of the channels: print covers less than half of a part
        glare = max(glare - _mostly(printed[darkest >= np.median(darkest)], _WHITEST), 0.0)
    return max(_mostly(pixels, _WHITE) * float(paled), glare)


def clipped(pixels: Image, colours: int) -> float:
    """How far so many of the three colours are lost to over-exposure in BGR pixels (n, 3), 0..1.

    Up to a third of pixels in which they are as bright as can be is harmless.
    """
    brightest = np.sort(pixels, axis=1)[:, -colours]
    share = float((brightest >= _CLIPPED).mean()) if len(pixels) else 0.0
    return float(np.clip((share - 1 / 3) * 1.5, 0, 1))


def _mostly(pixels: Image, least: float) -> float:
    """How far more than a third of the pixels is so bright in every colour, 0..1."""
    bright = cv2.inRange(pixels[None], np.array((least,) * 3), np.array((255.0,) * 3))
    share = cv2.countNonZero(bright) / max(len(pixels), 1)
    return float(np.clip((share - 1 / 3) * 1.5, 0, 1))


def _within_set(chances: Chances, highest: int) -> Chances:
    weighed: Chances = np.clip(chances, 1e-6, 1)
    weighed[:, highest + 1 : -2] *= _OUT_OF_SET
    # All parts share one pose: where the others are parts of a tile, only something on top can make this one none.
    none = weighed[:, -1].copy()
    weighed[:, -1] *= _COVERED + (1 - _COVERED) * (none.sum() - none) / max(len(none) - 1, 1)
    weighed /= weighed.sum(axis=1, keepdims=True)
    return weighed


def _likeliest(tiles: Chances) -> tuple[Reading, ...]:
    """The likeliest values of the whole tile, best first, of chances with one axis for each part."""
    best = np.argsort(-tiles, axis=None, kind="stable")[:_MOST_READINGS]
    return tuple(
        Reading(tuple(int(number) for number in np.unravel_index(place, tiles.shape)), float(tiles.flat[place]))
        for place in best
        if tiles.flat[place] >= _LEAST_PROBABILITY
    )
