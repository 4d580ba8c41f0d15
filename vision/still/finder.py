"""Finding tiles in a picture of any size: the detector at the right scale, then the edges of the picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import DOMINO
from vision.kinds import Image
from vision.still.candidate import Candidate, apart, reduced, sizes_px
from vision.still.detector import LARGEST_PX, SMALLEST_PX, Detections, detect, joined
from vision.still.edges import onto_edges

# Longest sides of the small copies that show how large tiles look, and of the one that is taken if they show none.
GLANCES_PX = (512, 216, 96)
CLOSER_PX = 1280
# |a| in the copy in which tiles are looked for: where the detector sees best.
BEST_PX = 34.0
LARGEST_ZOOM, LARGEST_COPY_PX = 2.0, 2000
SIZES_ALIKE = 0.4  # logarithm
RARER = 0.4  # another size is looked for if it has so much of the weight of the first
MARGIN = 3.5  # around tiles that were seen, in their |a|, where others are looked for
THRESHOLD = 0.1
UNUSUAL = 0.2  # the weight of a tile of another size
LIKELY = 0.25  # what is less likely only tells that there may be something
OVERLAP = 0.2
SAME_PLACE = 0.3  # in |a|
MOST = 150
# Edges of larger tiles are looked for in a smaller picture; |a| in pixels.
EDGES_PX = 90.0


def find(image: Image, kind: str, length_px: float | None = None, on_edges: bool = True) -> list[Candidate]:
    """What may be tiles of a kind in a BGR picture, without much overlap, the likeliest first.

    Args:
        length_px: how long the tiles' longest sides look, where that is known and the same everywhere.
        on_edges: whether to move them onto the edges of the picture.
    """
    size = length_px * (0.5 if kind == DOMINO else 3**-0.5) if length_px is not None else None
    found = _at_any_size(image, kind) if size is None else _closely(image, kind, size)
    size = size or _sizes(found)[0]
    # Parts of a tile may look like tiles themselves, and so may several together: the usual size counts for more.
    worth = np.where(_unlike(found, size), UNUSUAL, 1.0) * found.chance**2
    distinct = _distinct(found, worth)
    likely = [Candidate(found.corners[index], float(found.chance[index])) for index in distinct]
    kept = [likely[index] for index in apart(likely, worth[distinct], OVERLAP)]
    return _on_edges(image, kept) if on_edges else kept


def _distinct(found: Detections, worth: NDArray[np.float64]) -> list[int]:
    """The worthiest at each place: a tile is seen at several scales."""
    centres, reach = found.corners.mean(1), SAME_PLACE * found.size_px
    open_still = np.ones(len(centres), bool)
    kept: list[int] = []
    for index in np.argsort(-worth, kind="stable"):
        if open_still[index]:
            kept.append(int(index))
            away = np.hypot(*(centres - centres[index]).T)
            open_still &= away > np.minimum(reach, reach[index])
            if len(kept) == MOST:
                break
    return kept


def _at_any_size(image: Image, kind: str) -> Detections:
    """A glance to see how large tiles look, then a closer look at them."""
    glances: list[Detections] = []
    copy = image
    for side in GLANCES_PX:
        copy = _resized(copy, side)
        glances.append(_seen_in(copy, image, kind))
    found = joined(glances)
    if not len(found.chance):
        return _seen_in(_resized(image, min(CLOSER_PX, max(image.shape[:2]))), image, kind)
    near = [found]
    for size in _sizes(found):
        places = found.corners[~_unlike(found, size)].reshape(-1, 2)
        left, top = np.floor(places.min(0) - MARGIN * size).clip(0).astype(int)
        right, bottom = np.ceil(places.max(0) + MARGIN * size).astype(int)
        seen = _closely(image[top:bottom, left:right], kind, size)
        near.append(replace(seen, corners=seen.corners + np.array((left, top))))
    return joined(near)


def _unlike(found: Detections, size_px: float) -> NDArray[np.bool_]:
    """Which of them have another size."""
    return np.abs(np.log(found.size_px / size_px)) > SIZES_ALIKE


def _sizes(found: Detections) -> list[float]:
    """The |a| that most, and the likeliest, of what was found has about; and another one if it is not much rarer."""
    if not len(found.chance):
        return [BEST_PX]
    sizes = np.log(found.size_px)
    worth = found.chance**2 * found.size_px
    alike = np.abs(sizes[:, None] - sizes) < SIZES_ALIKE
    usual: list[float] = []
    weight = 0.0
    while len(usual) < 2 and worth.any() and (alike @ worth).max() > RARER * weight:
        best = alike[int((alike @ worth).argmax())] & (worth > 0)
        weight = weight or float(worth[best].sum())
        usual.append(float(np.exp(np.average(sizes[best], weights=worth[best]))))
        worth[best] = 0
    return usual


def _closely(image: Image, kind: str, size_px: float) -> Detections:
    """What the detector sees of tiles whose size is known."""
    longest = max(image.shape[:2])
    scale = min(BEST_PX / size_px, LARGEST_ZOOM, LARGEST_COPY_PX / longest)
    return _seen_in(_resized(image, max(round(scale * longest), 1)), image, kind)


def _resized(image: Image, longest_px: int) -> Image:
    """A copy whose longest side has so many pixels."""
    how = cv2.INTER_AREA if longest_px < 0.5 * max(image.shape[:2]) else cv2.INTER_LINEAR
    while longest_px < max(image.shape[:2]) / 3:
        image = reduced(image, 0.5)  # to the half is quick
    scale = longest_px / max(image.shape[:2])
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _seen_in(copy: Image, image: Image, kind: str) -> Detections:
    """What the detector sees in a copy of a picture, in pixels of the picture."""
    seen = detect(copy, kind, THRESHOLD)
    scale = np.array([copy.shape[1] / image.shape[1], copy.shape[0] / image.shape[0]])
    # Of sizes that it does not know the detector is believed less than at another scale.
    known = (seen.size_px > 0.8 * SMALLEST_PX) & (seen.size_px < 1.15 * LARGEST_PX)
    places = (seen.corners + 0.5) / scale - 0.5
    return Detections(places, np.where(known, seen.chance, seen.chance / 2), sizes_px(places))


def _on_edges(image: Image, found: list[Candidate]) -> list[Candidate]:
    """The same with their sides on the edges of the picture."""
    if not found:
        return found
    corners = np.stack([one.corners for one in found])
    scale = min(1.0, EDGES_PX / float(np.median([one.size_px for one in found])))
    copy = image if scale > 0.7 else _resized(image, round(scale * max(image.shape[:2])))
    scale = copy.shape[1] / image.shape[1]
    moved, support = onto_edges(copy, (corners + 0.5) * scale - 0.5)
    placed = zip(moved, support, found, strict=True)
    return [Candidate((place + 0.5) / scale - 0.5, one.score, float(edges)) for place, edges, one in placed]
