"""A table photographed from aside, looked at as if from straight above.

Seen very much aslant, triominoes show their side walls, and their faces are no longer the shapes that the
detector knows. How the table leans is tried out: the detector itself tells under which view it sees most tiles.
The tiles found there tell the view exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.tiles import smallest_rotation
from vision.kinds import Image, Kind, Points
from vision.kinds.verdict import tempered
from vision.still.candidate import Candidate
from vision.still.detector import LARGEST_PX, SMALLEST_PX, detect
from vision.still.finder import LIKELY, SAME_PLACE, THRESHOLD, find
from vision.still.plane import TILES_FOR_PERSPECTIVE, flatten
from vision.still.reading import Read, inside, read_all, without_overlap

# The table looks compressed by a factor across one of so many directions: this one is tried first, then others.
TILT, TURNS = 1.4, 8
OTHER_TILTS = (1.2, 1.7, 2.2)
VIEWS = 2  # so many of them are looked at closely
AS_GOOD = 0.95  # what the picture as it is must show of what any other view does, else it is seen aslant
SMALL_PX = 26.0  # |a| in the copy in which views are compared
MARGIN = 3.0  # around the tiles, in their |a|, where others are looked for once the view is known
LARGEST_PICTURE_PX = 2400
CONTRADICTED = 0.5  # the most a reading is believed when another view shows something else


def search(image: Image, kind: Kind, found: Sequence[Candidate], read: list[Read], highest: int) -> list[Read]:
    """What is read in the picture as it is and in the views that suit it, without overlap.

    Args:
        image: BGR.
        found, read: what was found and read in the picture as it is.
        highest: the set's highest number.
    """
    likely = [one for one in found if one.score >= LIKELY]
    if not likely:
        return read
    views = _likely_views(image, kind, float(np.median([one.size_px for one in likely])))
    if not views:
        return read
    every = [read, *(_read_in(image, kind, view, highest) for view in views)]
    outlines = [one.candidate.corners for one in max(every, key=_sure) if one.is_sure]
    if len(outlines) >= TILES_FOR_PERSPECTIVE:
        every.append(_read_in(image, kind, _exactly(kind, outlines), highest, _near(image, outlines)))
    together = [one for each in every for one in each]
    return [settled(one, together) for one in without_overlap(together)]


def _sure(read: Sequence[Read]) -> int:
    return sum(one.is_sure for one in read)


def settled(one: Read, together: Sequence[Read]) -> Read:
    """A reading that is sure only if no other view shows surely something else there."""
    there = SAME_PLACE * one.candidate.size_px
    shown = {
        smallest_rotation(other.reading.values)
        for other in together
        if other.is_sure and np.hypot(*(other.candidate.centre - one.candidate.centre)) < there
    }
    return Read(one.candidate, tempered(one.reading, 1.0, CONTRADICTED)) if len(shown) > 1 else one


def _likely_views(image: Image, kind: Kind, size_px: float) -> list[Points]:
    """The views, (3, 3), in which the detector sees more than in the picture as it is, the best first."""
    scale = min(1.0, SMALL_PX / size_px)
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)

    def seen_in(view: Points) -> float:
        straight, _ = _straightened(small, view)
        seen = detect(straight, kind.name, THRESHOLD)
        known = (seen.size_px > SMALLEST_PX) & (seen.size_px < LARGEST_PX)
        return float(np.square(seen.chance[known]).sum())

    enough = seen_in(np.eye(3)) / AS_GOOD
    worth = {(TILT, turn): seen_in(_leaning(TILT, turn)) for turn in range(TURNS)}
    if max(worth.values()) <= enough:
        return []
    _, likeliest = max(worth, key=lambda each: worth[each])
    for tilt in OTHER_TILTS:
        for turn in ((likeliest + step) % TURNS for step in (-1, 0, 1)):
            worth[tilt, turn] = seen_in(_leaning(tilt, turn))
    best = sorted(worth, key=lambda each: -worth[each])[:VIEWS]
    return [_leaning(*each) for each in best if worth[each] > enough]


def _leaning(tilt: float, turn: int) -> Points:
    """An affinity that keeps areas and stretches the picture by so much across one of the directions."""
    angle = turn * np.pi / TURNS
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    leaning = np.eye(3)
    leaning[:2, :2] = spin @ np.diag([tilt**-0.5, tilt**0.5]) @ spin.T
    return leaning


def _near(image: Image, outlines: list[Points]) -> Points:
    """The corners of the part of the picture in which there may be more tiles: far from these it may be the horizon."""
    places = np.concatenate(outlines)
    room = MARGIN * float(np.median([Candidate(outline, 1.0).size_px for outline in outlines]))
    low = np.maximum(places.min(0) - room, 0)
    high = np.minimum(places.max(0) + room, np.array(image.shape[1::-1]) - 1)
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def _exactly(kind: Kind, outlines: list[Points]) -> Points:
    """The view from straight above that suits these outlines, its scale that of the picture in their middle."""
    view = flatten(kind.name, outlines).table_from_image
    seen = np.stack(outlines)
    straight = cv2.perspectiveTransform(seen.reshape(1, -1, 2), view).reshape(seen.shape)
    areas = [np.median([abs(cv2.contourArea(one.astype(np.float32))) for one in each]) for each in (seen, straight)]
    scale = float(np.sqrt(areas[0] / max(float(areas[1]), 1e-9)))
    return np.diag([scale, scale, 1.0]) @ view


def _straightened(image: Image, view: Points, around: Points | None = None) -> tuple[Image, Points]:
    """The picture in a view, all of it or what lies around some places (n, 2), and the view moved to its corner."""
    height, width = image.shape[:2]
    whole = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], float)
    shown = cv2.perspectiveTransform((whole if around is None else around)[None], view)[0]
    low, high = np.floor(shown.min(0)), np.ceil(shown.max(0))
    moved = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)]) @ view
    across, down = (int(side) for side in np.minimum(high - low + 1, LARGEST_PICTURE_PX))
    straight = cv2.warpPerspective(image, moved, (across, down), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(straight, np.uint8), moved


def _read_in(image: Image, kind: Kind, view: Points, highest: int, around: Points | None = None) -> list[Read]:
    """What is read in a view of the picture, or of what lies around some places, with outlines in the picture."""
    straight, view = _straightened(image, view, around)
    found = [one for one in find(straight, kind.name) if one.score >= LIKELY]
    back = np.linalg.inv(view)
    placed = []
    for one in read_all(straight, kind, found, highest):
        corners = np.asarray(cv2.perspectiveTransform(one.candidate.corners[None], back)[0], np.float64)
        if inside(corners, image):
            placed.append(Read(replace(one.candidate, corners=corners), one.reading))
    return placed
