"""Which halves belong together: whether the middle of an outline divides one domino or parts two.

A divider is printed on one face and ends before its sides do: at its tips the face shows. Between two dominoes a gap
runs from side to side. Where dominoes lie in a block, two halves of neighbours else look much like a domino.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.still.candidate import overlapping, reduced, sampled, sizes_px

Chances = NDArray[np.float64]

# Where an outline is looked at, in parts of half its length along it and of half its width across it.
# A line is sought within so many steps of the middle; what is so many farther on either side is beside it.
STEP, OFF_STEPS, ASIDE_STEPS = 0.025, 4, 3
ALONG = np.arange(-OFF_STEPS - ASIDE_STEPS, OFF_STEPS + ASIDE_STEPS + 1) * STEP
MIDDLE = np.linspace(-0.7, 0.7, 16)
TIPS = np.linspace(0.8, 1.02, 6)
NOT_THERE = len(MIDDLE) // 5  # of the places across at which a line need not be seen
FAINTEST, DIVIDER_LEVELS = 12.0, 20.0  # grey levels of a line that counts as one, and of one that is a divider
LARGEST_PX = 110.0  # half a length; larger outlines are looked at in a smaller picture
WHOLE = 0.5  # from here on a face is of one piece: of hundreds of real ones none was below, of pairs of halves most
HARDLY, HALF = 0.25, 0.5  # as clear as dividers are: below the one it is hardly one, from the other on it may be one
COVERED = 0.25  # what covering two halves is worth beside looking like a domino
AS_GOOD = 0.25  # another way to pair the same halves is as good if it is worth no less than by this for each
SAME_PLACE, SAME_WAY = 0.3, 0.3  # in half a length, in radians
OVERLAP = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Middles:
    """What the middles of outlines show.

    Attributes:
        whole: (n,), how far each face is of one piece: 1 where it is, about 0 with a gap across.
        clear: (n,), how clear the line across it is, in grey levels.
        bright: (n,), how bright the face is, 1..256.
    """

    whole: Chances
    clear: Chances
    bright: Chances

    @property
    def divided(self) -> NDArray[np.bool_]:
        """Which of them have a line across that may be a divider, seen as clearly as those of the others."""
        return np.asarray(self.clear > max(FAINTEST, HARDLY * self._usual), np.bool_)

    @property
    def like_dominoes(self) -> Chances:
        """How much they look like the middles of dominoes of one set, (n,), 0..1."""
        divided = (self.clear / (HALF * self._usual)).clip(0, 1)
        return np.asarray(self.whole.clip(0, 1) * (1 + divided) / 2, np.float64)

    @property
    def _usual(self) -> float:
        """How clear most dividers are."""
        return max(float(np.percentile(self.clear, 75)), FAINTEST) if len(self.clear) else FAINTEST


def middles(image: Image, outlines: Sequence[Points]) -> Middles:
    """What the middles of outlines (n, 4, 2) show in a BGR picture."""
    corners = np.asarray(outlines, np.float64).reshape(-1, 4, 2)
    if not len(corners):
        return Middles(np.zeros(0), np.zeros(0), np.zeros(0))
    gray, corners = _around(image, corners)
    ends = (corners[:, 0] + corners[:, 1]) / 2, (corners[:, 2] + corners[:, 3]) / 2
    sides = (corners[:, 1] + corners[:, 2]) / 2, (corners[:, 3] + corners[:, 0]) / 2
    along, across = ((other - one)[:, None, None] / 2 for one, other in (ends, sides))
    rows = np.concatenate([MIDDLE, -TIPS, TIPS])[:, None, None]
    places = corners.mean(1)[:, None, None] + along * ALONG[:, None] + across * rows  # (n, rows, steps, 2)
    seen = sampled(gray, places.reshape(-1, *places.shape[2:])).reshape(places.shape[:3]).astype(np.float64)
    middle, tips = seen[:, : len(MIDDLE)], seen[:, len(MIDDLE) :]
    line, one, other = (middle[..., start : start + 2 * OFF_STEPS + 1] for start in (ASIDE_STEPS, 0, 2 * ASIDE_STEPS))
    lines = np.maximum(np.minimum(one, other) - line, line - np.maximum(one, other))
    lines = np.partition(lines, NOT_THERE, axis=1)[:, NOT_THERE]
    at, clear = lines.argmax(1) + ASIDE_STEPS, lines.max(1)
    face = np.median(middle.reshape(len(middle), -1), axis=1)
    on_line = np.take_along_axis(tips, at[:, None, None], 2).reshape(len(tips), 2, -1)
    unlike = np.abs(on_line - face[:, None, None]).min(2) / np.maximum(clear, FAINTEST)[:, None]
    return Middles(1 - unlike.clip(0, 1.5).mean(1), clear, face + 1)


def divided_at_end(image: Image, outlines: Sequence[Points], shown: Middles) -> NDArray[np.bool_]:
    """Which outlines, with these middles, have a divider at an end rather than in their middle, (n,)."""
    beside = [corners for one in outlines for corners in other_pairs(one)[:2]]
    ends = middles(image, beside)
    clear = np.where(ends.whole >= WHOLE, ends.clear, 0.0).reshape(-1, 2).max(1)
    return np.asarray(clear > np.maximum(DIVIDER_LEVELS, 2 * shown.clear), np.bool_)


def _around(image: Image, corners: Points) -> tuple[Image, Points]:
    """The part of a picture in which outlines lie, grey and not too large, and where they lie in it."""
    low = np.floor(corners.min((0, 1)) - 2).clip(0).astype(int)
    high = np.ceil(corners.max((0, 1)) + 3).astype(int)
    gray = np.asarray(cv2.cvtColor(image[low[1] : high[1], low[0] : high[0]], cv2.COLOR_BGR2GRAY), np.uint8)
    scale = min(1.0, LARGEST_PX / float(np.median(sizes_px(corners))))
    return reduced(gray, scale), (corners - low + 0.5) * scale - 0.5


def other_pairs(corners: Points) -> Points:
    """The outlines of all dominoes that may lie there if an outline is two halves of neighbours, (6, 4, 2)."""
    centre = corners.mean(0)
    along, across = (corners[2] + corners[3] - corners[0] - corners[1]) / 8, (corners[0] - corners[1]) / 2
    across = (across + (corners[3] - corners[2]) / 2) / 2
    lengthwise = np.array([(-2, 1), (-2, -1), (2, -1), (2, 1)]) @ np.array([along, across])
    crosswise = np.array([(-1, -2), (1, -2), (1, 2), (-1, 2)]) @ np.array([along, across])
    crossed = [centre + end * along + side * across + crosswise for end in (-1, 1) for side in (-1, 1)]
    return np.stack([centre - 2 * along + lengthwise, centre + 2 * along + lengthwise, *crossed])


def distinct(outlines: Sequence[Points], others: Sequence[Points]) -> list[Points]:
    """Those outlines that are none of the others, each once."""
    known = list(others)
    found = []
    for corners in outlines:
        if not any(_alike(corners, other) for other in known):
            known.append(corners)
            found.append(corners)
    return found


def _alike(one: Points, other: Points) -> bool:
    size = float(sizes_px(other))
    ways = [corners[2] + corners[3] - corners[0] - corners[1] for corners in (one, other)]
    turned = (np.arctan2(*ways[0]) - np.arctan2(*ways[1]) + np.pi / 2) % np.pi - np.pi / 2
    return bool(np.hypot(*(one.mean(0) - other.mean(0))) < SAME_PLACE * size and abs(turned) < SAME_WAY)


def contested(outlines: Sequence[Points], worth: Chances, kept: Sequence[int]) -> list[int]:
    """Which of those kept share their halves with outlines that pair the same halves otherwise, and as well."""
    clash = overlapping(outlines, outlines, OVERLAP)
    left = [index for index in range(len(outlines)) if index not in kept]
    open_still: set[int] = set()
    for place, one in enumerate(left):
        for other in left[place + 1 :]:
            instead = [index for index in kept if clash[index, one] or clash[index, other]]
            both = all(clash[index, one] and clash[index, other] for index in instead)
            if len(instead) == 2 and both and not clash[one, other]:
                better = worth[instead].sum() - worth[[one, other]].sum()
                open_still |= set(instead) if better < 2 * AS_GOOD else set()
    return sorted(open_still)
