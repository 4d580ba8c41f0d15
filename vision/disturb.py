"""Pictures made worse on purpose: other light, another lens, a camera that was pushed, corners told wrongly.

Measuring on them shows how much of a result hangs on good pictures. A disturbance changes the picture, and
tells where its pixels went; whoever holds positions in pixels carries them along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.profile import Camera, Mat, Matrix, TablePose
from calibration.table import pose_from_points, project
from vision.kinds import Image

Floats = NDArray[np.float32]
SHIFT_PX = (2.0, 12.0)
NUDGE_PX = (0.7, 1.8)  # too little to be told from the noise of single markers
TURN_DEG = 0.5
SHAKE_PX, SHAKE_DEG = 3.0, 0.2
CORNER_PX = 1.5
DIM, BRIGHT, SHADOW = 0.6, 1.4, 0.6
WARM, COOL = (0.8, 1.0, 1.15), (1.2, 1.0, 0.85)
BLUR_PX, NOISE_LEVELS, JPEG_QUALITY = 1.5, 15.0, 40
ROTATION_DEG, HALF_SHADOW = 15.0, 0.5
BALANCES = ((0.95, 1.05), (0.9, 1.1), (0.85, 1.1), (0.75, 1.2))  # blue, red


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One way to make pictures worse.

    `change` takes a BGR picture and chance, and gives the picture and the (3, 3) matrix that carries its
    pixels along. With `anew` every picture draws its own chance, else all of a sequence share one.
    """

    what: str
    change: Callable[[Image, Generator], tuple[Image, Matrix]]
    anew: bool = False


class Disturber:
    """Makes the pictures of one sequence worse, the same way whenever it is asked with the same seed."""

    def __init__(self, names: tuple[str, ...], seed: int = 1) -> None:
        """Choose the disturbances, applied in this order.

        Raises:
            ValueError: for a name that is none of `DISTURBANCES`.
        """
        unknown = [name for name in names if name not in DISTURBANCES]
        if unknown:
            raise ValueError(f"expected disturbances out of {', '.join(DISTURBANCES)}, got {', '.join(unknown)}")
        self._names, self._seed = names, seed

    def __call__(self, image: Image, number: int) -> tuple[Image, Matrix]:
        """The picture of this number made worse, and the (3, 3) matrix that carries its pixels along."""
        whole = np.eye(3)
        for place, name in enumerate(self._names):
            disturbance = DISTURBANCES[name]
            chance = np.random.default_rng([self._seed, place, number + 1 if disturbance.anew else 0])
            image, matrix = disturbance.change(image, chance)
            whole = matrix @ whole
        return image, whole


def carried(pose: TablePose, matrix: Matrix, camera: Camera, mat: Mat) -> TablePose:
    """The pose in which a table is seen whose pixels a (3, 3) matrix has carried along."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * [mat.width_mm, mat.height_mm]
    pixels = cv2.perspectiveTransform(project(corners, 0.0, camera, pose)[None], matrix)[0]
    return pose_from_points(corners, np.asarray(pixels, np.float64), camera) or pose


def _lit(gain: float | tuple[float, float, float]) -> Callable[[Image, Generator], tuple[Image, Matrix]]:
    """Another light: every channel times a factor."""

    def change(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
        levels = np.arange(256.0)[:, None] * np.broadcast_to(gain, 3)
        table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)[None]
        return np.asarray(cv2.LUT(image, table), np.uint8), np.eye(3)

    return change


def _ramped(left: float, right: float) -> Callable[[Image, Generator], tuple[Image, Matrix]]:
    """Light that changes evenly from left to right."""

    def change(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
        return _scaled(image, np.linspace(left, right, image.shape[1], dtype=np.float32)[None]), np.eye(3)

    return change


def _shade(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    """Somebody's shadow over half of the table, its edge soft."""
    height, width = image.shape[:2]
    way = chance.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    across = np.clip((x * np.float32(np.cos(way)) + y * np.float32(np.sin(way))) * 25 + 0.5, 0, 1)
    return _scaled(image, 1 - np.float32(1 - SHADOW) * across), np.eye(3)


def _scaled(image: Image, light: Floats) -> Image:
    return np.asarray(cv2.convertScaleAbs(image * light[..., None]), np.uint8)


def _half_shadow(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
    """A shadow with a hard edge over the right half."""
    light = np.where(np.arange(image.shape[1]) < image.shape[1] / 2, 1.0, HALF_SHADOW).astype(np.float32)
    return _scaled(image, light[None]), np.eye(3)


def _blurred(sigma_px: float) -> Callable[[Image, Generator], tuple[Image, Matrix]]:
    def change(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.uint8), np.eye(3)

    return change


def _noise(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    noisy = image + chance.normal(0.0, NOISE_LEVELS, image.shape).astype(np.float32)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8), np.eye(3)


def _jpeg(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), np.eye(3)


def _shift(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    return _moved(image, chance.uniform(*SHIFT_PX), chance, 0.0)


def _nudge(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    return _moved(image, chance.uniform(*NUDGE_PX), chance, 0.0)


def _turn(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    return _moved(image, 0.0, chance, TURN_DEG)


def _shake(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    return _moved(image, chance.uniform(0, SHAKE_PX), chance, chance.uniform(-SHAKE_DEG, SHAKE_DEG))


def _moved(image: Image, shift_px: float, chance: Generator, turn_deg: float) -> tuple[Image, Matrix]:
    """A picture shifted some way and turned round its middle, its border repeated."""
    height, width = image.shape[:2]
    way = chance.uniform(0, 2 * np.pi)
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), turn_deg, 1.0)
    move = np.array([[0.0, 0.0, shift_px * np.cos(way)], [0.0, 0.0, shift_px * np.sin(way)]])
    turn = np.asarray(turn, np.float64) + move
    moved = cv2.warpAffine(image, turn, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), np.vstack([turn, [0.0, 0.0, 1.0]])


def _shift_far(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    return _moved(image, SHIFT_PX[1], chance, 0.0)


def _rotation(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
    """A picture turned round its middle and grown so that nothing of it is lost, its border repeated."""
    height, width = image.shape[:2]
    turn = np.asarray(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), ROTATION_DEG, 1.0), np.float64)
    cosine, sine = np.abs(turn[0, :2])
    wide, high = round(width * cosine + height * sine), round(width * sine + height * cosine)
    turn[:, 2] += ((wide - width) / 2, (high - height) / 2)
    turned = cv2.warpAffine(image, turn, (wide, high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8), np.vstack([turn, [0.0, 0.0, 1.0]])


def _half_size(image: Image, _chance: Generator) -> tuple[Image, Matrix]:
    height, width = image.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    x, y = size[0] / width, size[1] / height
    matrix = np.array([[x, 0.0, (x - 1) / 2], [0.0, y, (y - 1) / 2], [0.0, 0.0, 1.0]])
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), matrix


def _corners(image: Image, chance: Generator) -> tuple[Image, Matrix]:
    """The picture stays, but where things are in it is told wrongly: each of its corners by some pixels."""
    height, width = image.shape[:2]
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    off = chance.uniform(-CORNER_PX, CORNER_PX, (4, 2)).astype(np.float32)
    return image, np.asarray(cv2.getPerspectiveTransform(square, square + off), np.float64)


DISTURBANCES: dict[str, Disturbance] = {
    "corners": Disturbance(f"corners that are told are each {CORNER_PX} px off at most", _corners, anew=True),
    "nudge": Disturbance(f"the camera was pushed by {NUDGE_PX[0]} to {NUDGE_PX[1]} px", _nudge),
    "shift": Disturbance(f"the camera was pushed by {SHIFT_PX[0]:.0f} to {SHIFT_PX[1]:.0f} px", _shift),
    "turn": Disturbance(f"the camera was turned by {TURN_DEG} degrees", _turn),
    "shake": Disturbance(f"every picture is {SHAKE_PX:.0f} px and {SHAKE_DEG} degrees off at most", _shake, anew=True),
    "dim": Disturbance(f"light times {DIM}", _lit(DIM)),
    "bright": Disturbance(f"light times {BRIGHT}, whites are clipped", _lit(BRIGHT)),
    "warm": Disturbance("a yellow light", _lit(WARM)),
    "cool": Disturbance("a blue light", _lit(COOL)),
    "ramp": Disturbance("light from times 1.3 at the left to times 0.7 at the right", _ramped(1.3, 0.7)),
    "shade": Disturbance(f"a shadow, light times {SHADOW}, over half of the picture", _shade),
    "blur": Disturbance(f"blurred by {BLUR_PX} px", _blurred(BLUR_PX)),
    "noise": Disturbance(f"noise of {NOISE_LEVELS:.0f} grey levels", _noise, anew=True),
    "jpeg": Disturbance(f"JPEG of quality {JPEG_QUALITY}", _jpeg),
}

# The same for single pictures, where nothing was seen before: fixed amounts, each to be applied alone.
TRIALS: dict[str, Disturbance] = {
    "shift": Disturbance(f"shifted by {SHIFT_PX[1]:.0f} px", _shift_far, anew=True),
    "rotation": Disturbance(f"rotated by {ROTATION_DEG:.0f} degrees", _rotation),
    **{f"light-{gain}": Disturbance(f"light times {gain}", _lit(gain)) for gain in (0.4, 0.6, 1.4)},
    "ramp": Disturbance("light from times 0.45 at the left to times 1 at the right", _ramped(0.45, 1.0)),
    "half-shadow": Disturbance(f"a hard shadow, light times {HALF_SHADOW}, over the right half", _half_shadow),
    **{f"blur-{sigma_px}": Disturbance(f"blurred by {sigma_px} px", _blurred(sigma_px)) for sigma_px in (1.5, 2.5)},
    "noise": DISTURBANCES["noise"],
    **{
        f"balance-{blue}-{red}": Disturbance(f"blue times {blue}, red times {red}", _lit((blue, 1.0, red)))
        for blue, red in BALANCES
    },
    "jpeg": DISTURBANCES["jpeg"],
    "half-size": Disturbance("half the size", _half_size),
}
