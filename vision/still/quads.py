"""From divider bars to the outlines of dominoes: what all tiles of a photograph have in common decides.

Seen from anywhere, a bar and the short side it is parallel to shrink alike, so `side / bar` is one number
per set; how long a tile looks, and how far from a right angle, follows from the tilt of the table,
which is the same for all. Both are found together, where most outlines lie on edges of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kinds import Image, Points
from vision.still.bars import Bars

Floats = NDArray[np.float32]

# The normalised patch: a bar is BAR_PX long, upright, in the middle; x runs along the tile.
BAR_PX = 40
REACH_X, REACH_Y = 88, 44
SHEARS_DEG = np.arange(-39, 40, 3)
SIDE_PER_BAR = np.arange(1.04, 1.56, 0.02)
LONG_PER_SIDE = np.arange(1.8, 2.24, 0.04)
TILTS = (1.0, 1.1, 1.22, 1.35, 1.5, 1.75, 2.0, 2.3)
TILT_DIRECTIONS = 12
TILT_COST = 0.2
FLOOR = 0.25
FULL_EDGE = 16.0


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the tiles of one photograph share.

    Attributes:
        side_per_bar: the short side in lengths of the bar.
        long_per_side: the long side in short sides, as on the table.
        tilt, tilt_deg: the table looks compressed by this factor across this direction.
    """

    side_per_bar: float
    long_per_side: float
    tilt: float
    tilt_deg: float

    def axes(self, turn: float) -> tuple[float, float]:
        """For a bar in this direction (radians): shear in degrees and long side in short sides, as seen."""
        angle = np.deg2rad(self.tilt_deg)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        seen = spin @ np.diag([1.0, 1 / self.tilt]) @ spin.T
        across = np.array([np.cos(turn), np.sin(turn)])
        flat = np.linalg.solve(seen, across)
        along = seen @ np.array([flat[1], -flat[0]])
        # Patch x is the direction at right angles to the bar, patch y the bar itself.
        shear = np.arctan2(along @ across, along @ np.array([across[1], -across[0]]))
        return float(np.rad2deg(shear)), float(np.hypot(*along) * self.long_per_side)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Edge strength around one bar, 0..1, by shear: `ends[s, x]` and `sides[s, y]` from the patch's rim."""

    ends: Floats
    sides: Floats


def profile(levels: list[Image], bar: NDArray[np.float64]) -> Profile:
    """Look for straight edges parallel to a bar and at right angles to it.

    Args:
        levels: the picture at full size, half, quarter ...
        bar: one row of `Bars`.
    """
    ends, sides = zip(
        *(_patch_edges(cut_patch(levels, patch_frame(bar, float(shear)))) for shear in SHEARS_DEG), strict=True
    )
    return Profile(np.array(ends), np.array(sides))


def _patch_edges(patch: Image) -> tuple[Floats, Floats]:
    """Edge strength along x (ends of the tile) and along y (its sides), without the bar itself."""
    beside = np.concatenate([patch[:, REACH_X - 42 : REACH_X - 5], patch[:, REACH_X + 6 : REACH_X + 43]], 1)
    ends = _edges_across(patch[REACH_Y - 18 : REACH_Y + 18], 9)
    return ends, _edges_across(beside.transpose(1, 0, 2), 14)


def cut_patch(levels: list[Image], frame: Points) -> Image:
    """The surroundings of a bar in the normalised patch (2 * REACH_Y + 1, 2 * REACH_X + 1, 3)."""
    reach = np.hypot(frame[0, 1], frame[1, 1]) / frame[2, 2]
    level = int(np.clip(np.floor(np.log2(max(reach, 1.0))), 0, len(levels) - 1))
    # A pixel of a reduced level covers several of the full picture: its centre lies half a pixel off.
    reduce = np.diag([0.5**level, 0.5**level, 1.0])
    reduce[:2, 2] = 0.5 * 0.5**level - 0.5
    rim = np.array([[1, 0, -REACH_X], [0, 1, -REACH_Y], [0, 0, 1]], float)
    patch = cv2.warpPerspective(
        levels[level],
        reduce @ frame @ rim,
        (2 * REACH_X + 1, 2 * REACH_Y + 1),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(patch, np.uint8)


def patch_frame(bar: NDArray[np.float64], shear_deg: float) -> Points:
    """The (3, 3) affinity from patch coordinates (origin at the bar's centre) to the picture."""
    x, y, length, _, turn = bar
    across = np.array([np.cos(turn), np.sin(turn)])
    upright = np.array([across[1], -across[0]])
    shear = np.deg2rad(shear_deg)
    along = np.cos(shear) * upright + np.sin(shear) * across
    frame = np.eye(3)
    frame[:2] = np.column_stack([length / BAR_PX * along, length / BAR_PX * across, (x, y)])
    return frame


def _edges_across(patch: Image, segments: int) -> Floats:
    """For each column: how strong and unbroken an upright edge it holds, 0..1."""
    blue, green, red = cv2.split(cv2.absdiff(patch[:, 2:], patch[:, :-2]))
    slope = cv2.copyMakeBorder(cv2.max(cv2.max(blue, green), red), 0, 0, 1, 1, cv2.BORDER_CONSTANT)
    slope = cv2.dilate(slope, np.ones((1, 3), np.uint8))
    rows = slope.shape[0] // segments * segments
    parts = slope[:rows].reshape(segments, rows // segments, -1).mean(1, dtype=np.float32)
    # Pips lie in rows too: only an edge that holds in its weaker half is an edge of the tile.
    weak = np.sort(parts, 0)[: segments // 2].mean(0)
    result: Floats = np.minimum(weak / FULL_EDGE, 1.0)
    return result


def common_views(bars: Bars, profiles: list[Profile]) -> list[View]:
    """One view for every tilt of the table, those under which most bars have an outline first."""
    ends = np.array([p.ends for p in profiles])
    sides = np.array([p.sides for p in profiles])
    views: list[tuple[float, View]] = []
    for tilt in TILTS:
        for tilt_deg in np.arange(TILT_DIRECTIONS if tilt > 1 else 1) * 180 / TILT_DIRECTIONS:
            view = View(1, 1, tilt, float(tilt_deg))
            each = _support(view, bars, ends, sides, SIDE_PER_BAR, LONG_PER_SIDE)
            total = np.clip(each - FLOOR, 0, None).sum(0) * (1 - TILT_COST * np.log(tilt))
            i, j = np.unravel_index(int(total.argmax()), total.shape)
            view = View(float(SIDE_PER_BAR[i]), float(LONG_PER_SIDE[j]), tilt, float(tilt_deg))
            views.append((float(total[i, j]), view))
    views.sort(key=lambda each: -each[0])
    return [view for _, view in views]


def support(view: View, bars: Bars, profiles: list[Profile]) -> NDArray[np.float64]:
    """How good each bar's outline is under a view, 0..1."""
    ends = np.array([p.ends for p in profiles])
    sides = np.array([p.sides for p in profiles])
    sizes = np.array([view.side_per_bar]), np.array([view.long_per_side])
    return _support(view, bars, ends, sides, *sizes)[:, 0, 0]


def _support(
    view: View,
    bars: Bars,
    ends: Floats,
    sides: Floats,
    side_per_bar: NDArray[np.float64],
    long_per_side: NDArray[np.float64],
) -> NDArray[np.float64]:
    """How good outlines of all those sizes are, (bars, sides, longs), by the tilt of a view."""
    axes = np.array([view.axes(turn) for turn in bars[:, 4]])
    shear = np.round((axes[:, 0] - SHEARS_DEG[0]) / 3).astype(int)
    inside = (shear >= 0) & (shear < len(SHEARS_DEG))
    shear = np.clip(shear, 0, len(SHEARS_DEG) - 1)
    rows = np.arange(len(bars))
    half_y = np.broadcast_to(side_per_bar * BAR_PX / 2, (len(bars), len(side_per_bar)))
    along_y = _at_both(sides[rows, shear], half_y, REACH_Y)
    product = side_per_bar[:, None] * long_per_side[None, :]
    half_x = axes[:, 1, None] / view.long_per_side * product.reshape(1, -1) * BAR_PX / 2
    along_x = np.where(half_x > REACH_X - 4, 0, _at_both(ends[rows, shear], half_x, REACH_X))
    each: NDArray[np.float64] = 0.5 * (along_x.reshape(len(bars), *product.shape) + along_y[:, :, None])
    each[~inside] = 0
    return each


def _at_both(edges: Floats, half: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """The weaker-weighted mean of the edge strengths at +half and -half."""
    left = np.take_along_axis(edges, np.clip(np.round(reach - half), 0, 2 * reach).astype(int), 1)
    right = np.take_along_axis(edges, np.clip(np.round(reach + half), 0, 2 * reach).astype(int), 1)
    return np.asarray(0.5 * (0.5 * (left + right) + np.minimum(left, right)), np.float64)


def outline(levels: list[Image], bar: NDArray[np.float64], view: View) -> tuple[Points, float]:
    """The four corners in the picture that fit a bar best near the common view, and how well (0..1).

    The corners come clockwise as seen; the first two are those of one half.
    """
    shear, long_per_side = view.axes(bar[4])
    half_y = view.side_per_bar * BAR_PX / 2
    return fit(levels, patch_frame(bar, shear), half_y * long_per_side, half_y, 6.0 if view.tilt > 1 else 3.0)


def fit(
    levels: list[Image], frame: Points, half_x: float, half_y: float, slant_deg: float = 3.0, slack: float = 0.1
) -> tuple[Points, float]:
    """Fit an outline near the rectangle of these half sides in a patch.

    Args:
        levels: the picture at full size, half, quarter ...
        frame: (3, 3) from patch coordinates to the picture.
        half_x, half_y: in pixels of the patch.
        slant_deg: how far the long sides may lean from the patch's x.
        slack: by how much of a half side the sides may move.

    Returns:
        Corners in the picture as in `outline`, and how well edges support them (0..1).
    """
    best: tuple[float, Points] | None = None
    for twist in np.deg2rad((-3.0, -1.5, 0.0, 1.5, 3.0)):
        for slant in np.deg2rad(np.array((-1.0, -0.5, 0.0, 0.5, 1.0)) * slant_deg):
            local = frame @ np.array([[1, -np.tan(twist), 0], [np.tan(slant), 1, 0], [0, 0, 1]])
            end, side = _patch_edges(cut_patch(levels, local))
            x_score, (left, right) = _pair(end, half_x, REACH_X, slack)
            y_score, (top, bottom) = _pair(side, half_y, REACH_Y, slack)
            score = 0.5 * (x_score + y_score) - 0.6 * abs(twist) - 0.25 * abs(slant)
            if best is None or score > best[0]:
                corners = np.array([[(left, bottom), (left, top), (right, top), (right, bottom)]])
                best = (score, cv2.perspectiveTransform(corners, local)[0])
    assert best is not None
    return best[1], float(best[0])


def _pair(edges: Floats, half: float, reach: int, slack: float) -> tuple[float, tuple[float, float]]:
    """The best pair of edges near -half and +half, with a pull towards the expected places."""
    room = slack * half
    size = (half + np.linspace(-room, room, 9))[:, None]
    shift = np.linspace(-room / 2, room / 2, 5)[None, :]
    left, right = shift - size, shift + size
    at = np.arange(len(edges))
    a, b = np.interp(left + reach, at, edges), np.interp(right + reach, at, edges)
    score = 0.5 * (0.5 * (a + b) + np.minimum(a, b)) - 0.1 * np.abs(size - half) / room - 0.05 * np.abs(shift) / room
    best = np.unravel_index(int(score.argmax()), score.shape)
    return float(score[best]), (float(left[best]), float(right[best]))
