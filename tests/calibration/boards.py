"""Pictures of the lens board by a camera whose lens is known, held in many ways."""

from __future__ import annotations

import cv2
import numpy as np

from calibration import mat as mat_drawn
from calibration.profile import Camera, Mat, TablePose
from calibration.sheets import BOARD_SQUARES, lens_board
from vision.scenes.optics import Box, Optics, sampled, through

SQUARE_PX, RIM = 60, 0.4  # of the drawing; the white paper around it, in squares
SQUARE_MM = 30.0
SIDES_MM = np.array(BOARD_SQUARES) * SQUARE_MM


def camera(width: int = 1280, height: int = 720, focal: float = 1080.0) -> Camera:
    """A camera with a usual lens."""
    matrix = np.array([(focal, 0.0, width / 2 + 7.0), (0.0, focal * 1.001, height / 2 - 5.0), (0.0, 0.0, 1.0)])
    return Camera(width, height, matrix, np.array([-0.06, 0.015, 2e-4, -1e-4, 0.0]))


def drawing(board: cv2.aruco.CharucoBoard | None = None) -> np.ndarray:
    """The board straight from above, grey."""
    columns, rows = BOARD_SQUARES
    picture = (board or lens_board()).generateImage((columns * SQUARE_PX, rows * SQUARE_PX), None, 0, 1)
    return cv2.copyMakeBorder(picture, *[round(RIM * SQUARE_PX)] * 4, cv2.BORDER_CONSTANT, value=255)


def held(aim: tuple[float, float], lean_deg: tuple[float, float], roll_deg: float, distance_mm: float) -> TablePose:
    """The board's middle so far from the middle of the picture (in distances), leaning about both its axes."""
    turns = [np.deg2rad([0, 0, roll_deg]), np.deg2rad([lean_deg[0], lean_deg[1], 0.0])]
    rotation = cv2.Rodrigues(turns[1])[0] @ cv2.Rodrigues(turns[0])[0]
    place = np.array([aim[0], aim[1], 1.0]) * distance_mm
    return TablePose(rotation, place - rotation @ np.array([*SIDES_MM / 2, 0.0]))


def photograph(seen_by: Camera, pose: TablePose, blur_px: float = 0.7, picture: np.ndarray | None = None) -> np.ndarray:
    """What the camera sees of the board before a grey wall, (height, width) grey, with a little noise."""
    texture = drawing() if picture is None else picture
    return _seen(seen_by, pose, texture, SQUARE_PX / SQUARE_MM, RIM * SQUARE_MM, blur_px)


def over_mat(seen_by: Camera, pose: TablePose, mat: Mat, ground: int = 90, shown: Mat | None = None) -> np.ndarray:
    """What the camera sees of an empty mat, BGR; `shown` is what is really printed if that is another one."""
    scale, margin = 4.0, 20.0
    size = [round((side + 2 * margin) * scale) for side in ((shown or mat).height_mm, (shown or mat).width_mm)]
    texture = mat_drawn.draw(shown or mat, scale, margin, np.full((*size, 3), ground, np.uint8))
    grey = _seen(seen_by, pose, cv2.cvtColor(texture, cv2.COLOR_BGR2GRAY), scale, margin, 0.7)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)


def _seen(
    seen_by: Camera, pose: TablePose, texture: np.ndarray, px_per_mm: float, margin_mm: float, blur_px: float
) -> np.ndarray:
    """A flat drawing whose own (0, 0) mm lies inside by a margin, seen in the world."""
    optics = Optics(seen_by, pose)
    rays = optics.rays(Box(0, 0, seen_by.width, seen_by.height), 2)
    pixels = (through(optics.table_from_ray(0.0), rays) + margin_mm) * px_per_mm - 0.5
    fine = sampled(texture, pixels.astype(np.float32)).astype(np.float32)
    right, lower = (np.array(texture.shape[::-1]) - 0.5).tolist()
    outside = (pixels < -0.5).any(-1) | (pixels[..., 0] > right) | (pixels[..., 1] > lower)
    fine[outside] = 120.0
    whole = cv2.resize(fine, (seen_by.width, seen_by.height), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(25 + 0.78 * whole, (0, 0), blur_px)
    noise = np.random.default_rng(7).normal(0, 2.0, soft.shape)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


def many(seed: int, count: int) -> list[TablePose]:
    """Ways to hold the board that cover the picture, near and far, upright and leaning."""
    random = np.random.default_rng(seed)
    places = [(x, y) for y in (-0.14, 0.0, 0.14) for x in (-0.32, -0.16, 0.0, 0.16, 0.32)]
    poses = []
    for number in range(count):
        x, y = places[(7 * number) % len(places)]
        lean = tuple(random.uniform(-32, 32, 2).tolist())
        poses.append(held((x, y), lean, float(random.uniform(-20, 20)), float(random.uniform(480, 640))))
    return poses
