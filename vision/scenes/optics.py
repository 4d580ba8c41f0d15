"""A camera that does not exist: where it stands, what its lens does, and which ray belongs to which pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Matrix, TablePose
from calibration.table import project

Plane = NDArray[np.float32]
Image = NDArray[np.uint8]

_AROUND = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
KNOT_PX = 8  # between rays known this close together a straight line errs by less than 0.001 pixel


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
    """A camera over a table, with the rays of its pixels at hand; its lens blurs by `blur_px` (sigma)."""

    def __init__(self, camera: Camera, pose: TablePose, blur_px: float = 0.7) -> None:
        self.camera = camera
        self.pose = pose
        self.blur_px = blur_px

    def project(self, points_mm: Matrix, height_mm: float = 0.0) -> Matrix:
        """Where table points (n, 2) at a height above the mat are seen: (n, 2) pixels."""
        return project(points_mm, height_mm, self.camera, self.pose)

    def near(self, centre_mm: Matrix, reach_mm: float, height_mm: float = 0.0) -> Matrix:
        """The (3, 3) homography from table mm to pixels that holds around a point at a height above the table.

        Within a tile's reach a lens bends it by a few hundredths of a pixel.
        """
        around = (np.asarray(centre_mm, np.float64) + reach_mm * _AROUND).astype(np.float32)
        pixels = self.project(around.astype(np.float64), height_mm).astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(around, pixels), np.float64)

    @cached_property
    def under_mm(self) -> Matrix:
        """The table point (2,) right below the camera."""
        return np.asarray((-self.pose.rotation.T @ self.pose.translation)[:2], np.float64)

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

    def coarse_rays(self, step_px: int) -> Plane:
        """The undistorted rays of the middles of squares of `step_px` pixels, (rows, columns, 2) float32."""
        columns, rows = ((np.arange(-(-side // step_px)) + 0.5) * step_px - 0.5 for side in self._size)
        pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 1, 2)
        found = cv2.undistortPoints(pixels, self.camera.matrix, self.camera.distortion)
        return np.asarray(found, np.float32).reshape(len(rows), len(columns), 2)

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
