"""Divider bars: the dark straight bar between a domino's halves gives place, direction and size at once."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.still.candidate import darker_than_around, sampled

Bars = NDArray[np.float64]  # (n, 5): centre x, y, length, thickness, direction in radians
Gray = NDArray[np.uint8]

WINDOWS = (13, 25, 49, 97, 193)
DARKNESS = (0.88, 0.75, 0.55)
MIN_LENGTH_PX = 10.0
SLENDERNESS = (3.3, 22.0)
SOLIDITY = 0.7
RAGGED_PX = 0.6  # a thin slanting bar loses this much of its thickness to steps
COMPACTNESS = (0.006, 0.085)  # area by squared outline: sorts out most blobs quickly
MIN_CONTRAST = 22.0
SAME_PLACE = 0.3
MOST_ROWS = 30000  # OpenCV samples no more than 32767 rows at once


def divider_bars(gray: Gray) -> Bars:
    """All bars of a picture that could divide a domino, the most contrasting first, each once."""
    found = _slender_blobs(gray)
    found = np.concatenate([found, _in_two_pieces(found)])
    contrast = _contrast(gray, found)
    order = np.argsort(-contrast)
    order = order[contrast[order] > 0]
    return _each_once(found[order])


def _slender_blobs(gray: Gray) -> Bars:
    rows: list[tuple[float, ...]] = []
    for dark, _, scale, _ in darker_than_around(gray, WINDOWS, DARKNESS):
        contours, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        rows.extend(row for contour in contours if (row := _as_bar(np.asarray(contour, np.int32), scale)))
    return np.array(rows, np.float64).reshape(-1, 5)


def _as_bar(contour: NDArray[np.int32], scale: float) -> tuple[float, ...] | None:
    around = len(contour)
    if around < 2 * MIN_LENGTH_PX * scale:
        return None
    area = cv2.contourArea(contour) + around / 2
    if not COMPACTNESS[0] < area / around**2 < COMPACTNESS[1]:
        return None
    (x, y), (length, thickness), turn = cv2.minAreaRect(contour)
    if length < thickness:
        length, thickness, turn = thickness, length, turn + 90
    # Contours run through the outermost pixels' centres, so the blob is a pixel larger each way.
    length, thickness = length + 1, thickness + 1
    if not SLENDERNESS[0] <= length / thickness <= SLENDERNESS[1] or area < SOLIDITY * length * (thickness - RAGGED_PX):
        return None
    if length < MIN_LENGTH_PX:
        return None
    # A pixel of the reduced picture spans several of the full one: centres move by half the difference.
    shift = 0.5 / scale - 0.5
    return (x / scale + shift, y / scale + shift, length / scale, thickness / scale, np.deg2rad(turn))


def _in_two_pieces(bars: Bars) -> Bars:
    """Bars that a pin in the middle has cut: two equal pieces on one line."""
    rows = []
    for index, (x, y, length, thickness, turn) in enumerate(bars):
        others = bars[index + 1 :]
        dx, dy = others[:, 0] - x, others[:, 1] - y
        along = np.abs(dx * np.cos(turn) + dy * np.sin(turn))
        across = np.abs(dy * np.cos(turn) - dx * np.sin(turn))
        twisted = np.abs((others[:, 4] - turn + np.pi / 2) % np.pi - np.pi / 2)
        fits = (across < 0.6 * thickness) & (twisted < 0.12) & (np.abs(others[:, 2] / length - 1) < 0.2)
        fits &= (along > 1.1 * length) & (along < 1.9 * length) & (np.abs(others[:, 3] / thickness - 1) < 0.4)
        for other, reach in zip(others[fits], along[fits], strict=True):
            middle = ((x + other[0]) / 2, (y + other[1]) / 2)
            rows.append((*middle, reach + length, thickness, np.arctan2(other[1] - y, other[0] - x)))
    return np.array(rows, np.float64).reshape(-1, 5)


def _contrast(gray: Gray, bars: Bars) -> NDArray[np.float64]:
    """How much brighter than itself a bar's surroundings are; 0 where it is not flanked by one even face."""
    x, y, length, thickness, turn = (bars[:, column, None] for column in range(5))
    along = np.linspace(-0.36, 0.36, 7)[None, :] * length

    def sample(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
        points = np.stack([x + u * np.cos(turn) - v * np.sin(turn), y + u * np.sin(turn) + v * np.cos(turn)], -1)
        strips = [sampled(gray, points[i : i + MOST_ROWS]) for i in range(0, len(points), MOST_ROWS)]
        return np.concatenate(strips).astype(np.float64)

    if not len(bars):
        return np.zeros(0)
    away = thickness / 2 + np.maximum(0.045 * length, 1.2)  # pips of a six begin soon after
    inside = sample(along, np.zeros_like(along))
    flanks = sample(along, np.broadcast_to(away, along.shape)), sample(along, np.broadcast_to(-away, along.shape))
    beyond = sample(np.array([[-1.0, 1.0]]) * (0.56 * length + 1.0), np.zeros((1, 2)))
    dark = np.median(inside, 1)
    sides = np.sort(flanks[0], 1)[:, 4], np.sort(flanks[1], 1)[:, 4]
    bright = np.minimum(*sides)
    step = bright - dark
    even = np.abs(sides[0] - sides[1]) < 0.5 * step + 5
    clear = np.minimum(np.sort(flanks[0], 1)[:, 2], np.sort(flanks[1], 1)[:, 2]) > dark + 0.4 * step
    solid = np.sort(inside, 1)[:, 4] < dark + 0.5 * step
    ends = beyond.max(1) > dark + 0.5 * step
    good = (step > MIN_CONTRAST) & (step > 0.15 * bright) & even & clear & solid & ends
    result: NDArray[np.float64] = np.where(good, step, 0.0)
    return result


def _each_once(bars: Bars) -> Bars:
    """Keep the first of those that lie on one another and agree in length and direction."""
    kept: list[NDArray[np.float64]] = []
    for bar in bars:
        near = np.array(kept).reshape(-1, 5)
        away = np.hypot(near[:, 0] - bar[0], near[:, 1] - bar[1])
        twisted = np.abs((near[:, 4] - bar[4] + np.pi / 2) % np.pi - np.pi / 2)
        same = (away < SAME_PLACE * bar[2]) & (twisted < 0.35) & (np.abs(np.log(near[:, 2] / bar[2])) < 0.25)
        if not same.any():
            kept.append(bar)
    return np.array(kept, np.float64).reshape(-1, 5)
