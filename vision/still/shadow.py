"""The straight edge of a shadow across a picture: found by what it does, and taken back.

A shadow makes all that it falls on darker by the same factor, whatever that is, and in no colour. Where the
brightness along a straight line drops so nearly everywhere, the darker side can be made as bright as the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image

Numbers = NDArray[np.float64]

LOOK_PX = 480  # the longest side of the copy in which lines are looked for
CANNY = (40, 100)
LEAST_VOTES, LEAST_LENGTH = 0.45, 0.6  # of the picture's shorter side
MOST_LINES = 30
ALONG = 160  # places along a line
ACROSS = np.arange(-6, 7)  # pixels on either side
BESIDE = ACROSS >= 1, ACROSS <= -1
DARK = 12.0  # grey levels that tell of nothing
LEAST_STEP, SAME_STEP, COLOURLESS = 0.2, 0.12, 0.1  # logarithms of brightness
NEARLY_ALL = 0.55  # of the places along the line: others lie on the edges of things
# How far a line may be off where it was seen in the small copy: pixels and degrees; then more finely.
SEARCHES = (
    (np.arange(-3.0, 3.1), np.arange(-0.5, 0.6, 0.25)),
    (np.arange(-0.75, 0.8, 0.25), np.arange(-0.1, 0.11, 0.1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A line on which `x * cos(turn) + y * sin(turn) = away` in pixels, and the step of brightness across it.

    Attributes:
        share: of the places along it, how many show that step.
        profile: (ACROSS,), the logarithm of brightness next to it.
    """

    away: float
    turn: float
    share: float
    step: float
    profile: Numbers


def unshadowed(image: Image) -> Image | None:
    """A BGR picture with the shadow taken back that has a straight edge all across it; None where there is none."""
    edge = _clearest(image, _lines(image), SEARCHES[0])
    if edge is None or (edge := _clearest(image, [(edge.away, edge.turn)], SEARCHES[1])) is None:
        return None
    if edge.share < NEARLY_ALL:
        return None
    y, x = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
    beside = x * np.float32(np.cos(edge.turn)) + y * np.float32(np.sin(edge.turn)) - np.float32(edge.away)
    gain = np.exp(edge.profile.max() - edge.profile)
    steps = np.interp(beside.ravel(), ACROSS, gain).reshape(beside.shape).astype(np.float32)
    return np.asarray(cv2.convertScaleAbs(image * steps[..., None]), np.uint8)


def _lines(image: Image) -> list[tuple[float, float]]:
    """Long straight edges, as how far away they lie from the first pixel and which way that is."""
    scale = min(1.0, LOOK_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = cv2.HoughLines(cv2.Canny(small, *CANNY), 1, np.pi / 180, round(LEAST_VOTES * min(small.shape[:2])))
    if found is None:
        return []
    half = 0.5 / scale - 0.5
    return [
        (float(away / scale + half * (np.cos(turn) + np.sin(turn))), float(turn))
        for away, turn in found[:MOST_LINES, 0]
    ]


def _clearest(image: Image, lines: list[tuple[float, float]], off: tuple[Numbers, Numbers]) -> Edge | None:
    """The line, or one a little aside, along which most places show the same clear step."""
    near = [
        edge
        for away, turn in lines
        for aside in off[0]
        for turned in np.deg2rad(off[1])
        if (edge := _edge(image, float(away + aside), float(turn + turned))) is not None
    ]
    return max(near, key=lambda edge: edge.share * abs(edge.step), default=None)


def _edge(image: Image, away: float, turn: float) -> Edge | None:
    """The step across a line; None if it is short, faint or coloured."""
    height, width = image.shape[:2]
    across = np.array([np.cos(turn), np.sin(turn)])
    along = np.array([-across[1], across[0]])
    reach = np.hypot(height, width)
    whole, start, end = cv2.clipLine(
        (0, 0, width, height), *(np.rint(away * across + side * reach * along).astype(int).tolist() for side in (-1, 1))
    )
    if not whole or np.hypot(*np.subtract(end, start)) < LEAST_LENGTH * min(height, width):
        return None
    first, last = (float(np.dot(tip, along)) for tip in (start, end))
    places = away * across + np.linspace(first, last, ALONG)[:, None] * along
    points = (places[:, None] + ACROSS[:, None] * across).astype(np.float32)
    seen = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (points.min((1, 2)) >= 0) & (points.max(1) <= (width - 1, height - 1)).all(1) & (seen.min((1, 2)) > DARK)
    if np.count_nonzero(inside) < ALONG / 3:
        return None
    bright = np.log(seen[inside].astype(np.float64))
    one, other = (bright[:, side].mean(1) for side in BESIDE)
    step = np.median(one - other, axis=0)
    if abs(step.mean()) < LEAST_STEP or np.ptp(step) > COLOURLESS:
        return None
    share = float((np.abs(one - other - step).max(1) < SAME_STEP).sum() / ALONG)
    grey = bright.mean(2)
    profile = np.median(grey - grey[:, BESIDE[1]].mean(1, keepdims=True), axis=0)
    return Edge(away, turn, share, float(step.mean()), profile)
