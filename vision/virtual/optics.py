"""The virtual camera: where it stands, what its lens does, and which ray belongs to which pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Mat, Matrix, TablePose
from calibration.table import project

Plane = NDArray[np.float32]
Image = NDArray[np.uint8]

KNOT_PX = 8  # between rays known this close together a straight line errs by less than 0.001 pixel
CLOTH_MARGIN_MM = 15.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of whole pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """The box as an index of an image."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)


class Optics:
    """A camera over a mat, with the rays of its pixels at hand."""

    def __init__(self, camera: Camera, pose: TablePose) -> None:
        self.camera = camera
        self.pose = pose

    def project(self, points_mm: Matrix, height_mm: float = 0.0) -> Matrix:
        """Where table points (n, 2) at a height above the mat are seen: (n, 2) pixels."""
        return project(points_mm, height_mm, self.camera, self.pose)

    def table_from_ray(self, height_mm: float) -> Matrix:
        """The (3, 3) homography from a ray (x, y, 1) to the table point where it meets a plane."""
        to_camera = np.column_stack(
            [
                self.pose.rotation[:, 0],
                self.pose.rotation[:, 1],
                self.pose.translation - height_mm * self.pose.rotation[:, 2],
            ]
        )
        return np.asarray(np.linalg.inv(to_camera), np.float64)

    def box(self, points_mm: Matrix, heights_mm: tuple[float, ...], margin_px: int = 3) -> Box | None:
        """The part of the picture that holds table points at any of the heights; None when it is out of view."""
        pixels = np.concatenate([self.project(points_mm, height) for height in heights_mm])
        left, top = np.maximum(np.floor(pixels.min(0)).astype(int) - margin_px, 0)
        right, bottom = np.ceil(pixels.max(0)).astype(int) + margin_px + 1
        right, bottom = min(right, self.camera.width), min(bottom, self.camera.height)
        if right <= left or bottom <= top:
            return None
        return Box(int(left), int(top), int(right - left), int(bottom - top))

    def rays(self, box: Box, oversample: int = 1) -> Plane:
        """The undistorted rays (x, y) of a box's pixels, each cut into `oversample` x `oversample` parts.

        Returns:
            (height * oversample, width * oversample, 2), float32.
        """
        left, top = box.left // KNOT_PX, box.top // KNOT_PX
        right, bottom = (box.left + box.width - 1) // KNOT_PX + 1, (box.top + box.height - 1) // KNOT_PX + 1
        knots = self._knots[top : bottom + 2, left : right + 2]  # with one knot more on every side
        fine = KNOT_PX * oversample
        rays = cv2.resize(knots, (knots.shape[1] * fine, knots.shape[0] * fine), interpolation=cv2.INTER_LINEAR)
        first_x, first_y = (
            fine + (box.left - left * KNOT_PX) * oversample,
            fine + (box.top - top * KNOT_PX) * oversample,
        )
        part = rays[first_y : first_y + box.height * oversample, first_x : first_x + box.width * oversample]
        return np.ascontiguousarray(part, np.float32)

    @cached_property
    def _knots(self) -> Plane:
        """Exact rays in the middle of every square of `KNOT_PX` pixels, beginning one square outside the picture."""
        columns, rows = ((np.arange(side // KNOT_PX + 3) - 0.5) * KNOT_PX - 0.5 for side in self._size)
        pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
        found = cv2.undistortPoints(pixels, self.camera.matrix, self.camera.distortion)
        return np.asarray(found, np.float32).reshape(len(rows), len(columns), 2)

    @property
    def _size(self) -> tuple[int, int]:
        return self.camera.width, self.camera.height


def through(homography: Matrix, points: Plane) -> Plane:
    """A picture of points, (height, width, 2), taken through a (3, 3) homography."""
    return np.asarray(cv2.perspectiveTransform(points, homography), np.float32)


def sampled(texture: Image, places: Plane, border: int = cv2.BORDER_CONSTANT) -> Image:
    """What a texture shows at places (height, width, 2), in its pixels."""
    image = cv2.remap(texture, places, None, cv2.INTER_LINEAR, borderMode=border)  # type: ignore[call-overload]  # the stubs want a second map where None is right
    return np.asarray(image, np.uint8)


def camera_over(mat: Mat, width: int, height: int, seed: int) -> Optics:
    """A camera that sees the whole mat: lens, tilt and place drawn from the seed."""
    chance = np.random.default_rng([seed, 1])
    focal = chance.uniform(1.13, 1.2) * width
    middle = np.array([width, height]) / 2 - 0.5 + chance.uniform(-0.006, 0.006, 2) * width
    matrix = np.array([(focal, 0.0, middle[0]), (0.0, focal * 1.0004, middle[1]), (0.0, 0.0, 1.0)])
    distortion = np.array(
        [chance.uniform(-0.07, -0.03), chance.uniform(0.0, 0.02), *chance.uniform(-3e-4, 3e-4, 2), 0.0]
    )
    camera = Camera(width, height, matrix, distortion)
    tilt = np.deg2rad([*chance.uniform(-1.6, 1.6, 2), chance.uniform(-1.5, 1.5)])
    rotation = np.asarray(cv2.Rodrigues(tilt)[0], np.float64)
    centre = np.array([mat.width_mm / 2, mat.height_mm / 2, 0.0])
    aim = chance.uniform(-4, 4, 2)
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    reach = corners * [mat.width_mm, mat.height_mm] + (2 * corners - 1) * (CLOTH_MARGIN_MM + 1)
    for distance in np.arange(mat.width_mm, 8 * mat.width_mm, 2.0):
        pose = TablePose(rotation, np.array([*aim, distance]) - rotation @ centre)
        seen = project(reach, 0.0, camera, pose)
        if (seen >= 2).all() and (seen <= np.array([width, height]) - 3).all():
            return Optics(camera, pose)
    raise ValueError(f"expected a picture that can hold the mat, got {width} x {height} pixels")
