"""Light told from things: what a lamp, a window or the camera's own exposure has done to a whole picture.

Light changes smoothly over the table and leaves its texture: markers, tiles and cloth are still there,
brighter or darker, redder or bluer. A hand, however large, hides what it covers.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from vision.kinds import Image

Floats = NDArray[np.float32]

GRID = 16  # of so many pixels, along and across, a few tell the light
DARK, CLIPPED = 12, 245  # grey levels below and above which a pixel tells nothing of light
MOST_GAIN = 2.5
FITS = 0.08  # of a logarithm: how far a pixel may be off and still be explained by light
CLEARLY_MORE, MOST = 0.08, 0.7  # of all pixels: what an uneven light must explain beyond an even one, and at all
NEARLY_ALL = 0.92
COLOURLESS = 0.04
UNCHANGED = 0.01
LEAST_TELLING = 50
KNOTS = 32
BLOCK_PX = 16
TEXTURE_LEVELS = 6.0  # standard deviation above which a block has a texture
SAME_TEXTURE = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """What light has done from one picture to a later one.

    Each channel was multiplied by `gain`, (3,), and by the exponential of a smooth surface, whose `weights`
    (6, 3) are None where an even gain explains as much.
    """

    gain: Matrix
    weights: Matrix | None = None

    @classmethod
    def between(cls, before: Image, picture: Image, mask: Image | None = None, even: bool = False) -> Light:
        """Tell it from two BGR pictures of one size.

        Args:
            mask: not 0 where the pictures count.
            even: the light is known to be even.
        """
        size = before.shape[1] // GRID, before.shape[0] // GRID
        one, two = (_shrunk(part, size).reshape(-1, 3).T.astype(np.float32) for part in (picture, before))
        inside = np.full(one.shape[1], True) if mask is None else _shrunk(mask, size).ravel() == 255
        tells = inside & (np.minimum(one, two).min(axis=0) > DARK) & (np.maximum(one, two).max(axis=0) < CLIPPED)
        if np.count_nonzero(tells) < LEAST_TELLING:
            tells = inside
        logs = np.log((one[:, tells] + 1.0) / (two[:, tells] + 1.0))
        middle = np.median(logs, axis=1)
        gain = np.clip(np.exp(middle.astype(np.float64)), 1 / MOST_GAIN, MOST_GAIN)
        logs -= middle[:, None]
        away = np.abs(logs).max(axis=0)
        explained = float(np.mean(away < FITS))
        if even or explained > NEARLY_ALL:
            return cls(gain)
        rows, columns = np.divmod(np.flatnonzero(tells), size[0])
        at = _terms((rows + 0.5) / size[1], (columns + 0.5) / size[0])
        weights = np.zeros((6, 3))
        for _ in range(4):
            keep = away <= max(FITS, 2.0 * float(np.median(away)))
            kept = at[keep]
            weights = np.linalg.solve(kept.T @ kept + 1e-3 * np.eye(6), kept.T @ logs[:, keep].T)
            away = np.abs(logs - weights.T @ at.T).max(axis=0)
        return cls(gain, weights if np.mean(away < FITS) > max(explained + CLEARLY_MORE, MOST) else None)

    @property
    def plain(self) -> bool:
        """True when it is even and has no colour."""
        return self.weights is None and float(np.ptp(self.gain)) < COLOURLESS * float(self.gain.mean())

    @property
    def grey(self) -> Light:
        """The same light as far as it is even and has no colour."""
        return Light(np.full(3, float(np.median(self.gain))))

    def on(self, before: Image, part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)) -> Image:
        """The earlier BGR picture in the later one's light; the picture itself where that is the same.

        Args:
            part: which part of the whole picture this is: left, top, width and height, each of 1.
        """
        if self.weights is None and np.abs(self.gain - 1.0).max() < UNCHANGED:
            return before
        if self.weights is None:
            levels = np.clip(np.rint(np.arange(256.0)[:, None] * self.gain), 0, 255).astype(np.uint8)
            return np.asarray(cv2.LUT(before, levels[None]), np.uint8)
        left, top, width, height = part
        knots = (np.arange(KNOTS) + 0.5) / KNOTS
        down, across = np.meshgrid(top + height * knots, left + width * knots, indexing="ij")
        surface = _terms(down, across) @ self.weights
        field = (np.exp(np.clip(surface, -1.0, 1.0)) * self.gain).astype(np.float32)
        smooth = cv2.resize(field, (before.shape[1], before.shape[0]), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(before, smooth, dtype=cv2.CV_8U), np.uint8)


def _shrunk(picture: Image, size_px: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_LINEAR), np.uint8)


def _terms(down: Matrix, across: Matrix) -> Matrix:
    """How light varies smoothly over a picture, (..., 6), at places 0..1 down and across it."""
    y, x = down - 0.5, across - 0.5
    return np.stack([np.ones(x.shape), x, y, x * y, x * x, y * y], axis=-1)


def same_texture(before: Image, picture: Image, mask: Image) -> bool:
    """True when what is printed and lies on the table is still there, in whatever light; False where nothing tells."""
    shape = before.shape[0] // BLOCK_PX, BLOCK_PX, before.shape[1] // BLOCK_PX, BLOCK_PX
    rows, columns = shape[0] * BLOCK_PX, shape[2] * BLOCK_PX

    def blocks(part: Image) -> Floats:
        whole = part[:rows, :columns].astype(np.float32).reshape(shape).swapaxes(1, 2)
        return np.asarray(whole.reshape(-1, BLOCK_PX**2))

    inside = blocks(mask).min(axis=1) > 0
    one, two = (blocks(np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.uint8))[inside] for p in (picture, before))
    one, two = one - one.mean(axis=1, keepdims=True), two - two.mean(axis=1, keepdims=True)
    textured = two.std(axis=1) > TEXTURE_LEVELS
    if not textured.any():
        return False
    one, two = one[textured], two[textured]
    alike = (one * two).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (two**2).sum(axis=1) + 1.0)
    return bool(np.mean(alike > SAME_TEXTURE) > SAME_TEXTURE)
