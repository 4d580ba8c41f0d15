"""How the camera stands over the mat: found by the markers, checked again and again, followed when it was pushed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Matrix, Profile, TablePose
from calibration.table import (
    ENOUGH_MARKERS,
    MOVED_PX,
    Corners,
    check_markers,
    find_markers,
    find_pose,
    marker_corners,
    pose_from_markers,
    project,
)
from vision.kinds import Image
from vision.rectify import Look, Still

ALIKE_LEVELS = 8.0  # a marker that moved by a pixel differs by more on average
LEAST_SHAKE_PX = 0.4  # by less than this markers may be off by chance


@dataclass(frozen=True, slots=True)
class Step:
    """What a check of the markers says.

    `pose` is the camera's new one where it was pushed and can be told; `shaken` when it gave way by a little.
    `is_lost` when the markers are not where they were, and how the camera stands now cannot be told.
    """

    pose: TablePose | None = None
    shaken: bool = False
    is_lost: bool = False


class Standpoint:
    """The pose in which the table is seen now."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.look: Look | None = None
        self._marker_parts: list[tuple[slice, slice]] = []  # of the camera image: where the markers are seen

    def find(self, image: Image) -> TablePose | None:
        """The pose by the markers; where they cannot be seen, the profile's."""
        return find_pose(image, self.profile.camera, self.profile.mat, self.profile.pose) or self.profile.pose

    def take(self, pose: TablePose) -> Matrix:
        """Take a pose as the present one.

        Returns:
            The mat's corners in the camera image, (4, 2) pixels, clockwise from table (0, 0).
        """
        profile = self.profile
        self.look = Look(profile.camera, pose, profile.shape.thickness_mm)
        self._marker_parts = []
        for corners in marker_corners(profile.mat).values():
            pixels = project(corners, 0.0, profile.camera, pose)
            (left, top), (right, bottom) = np.maximum(pixels.min(axis=0), 0).astype(int), pixels.max(axis=0).astype(int)
            self._marker_parts.append(np.s_[top : bottom + 1 : 3, left : right + 1])  # some rows tell
        return self.corners(pose)

    def corners(self, pose: TablePose) -> Matrix:
        """The mat's corners in the camera image in a pose, (4, 2) pixels, clockwise from table (0, 0)."""
        width, height = self.profile.mat.width_mm, self.profile.mat.height_mm
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        return project(corners, 0.0, self.profile.camera, pose)

    def check(self, image: Image, rest: Still | None) -> Step:
        """Compare the markers with the present pose; nearly free while they look as they did at the last rest."""
        assert self.look is not None  # the table was found before
        if self._markers_look_alike(image, rest):
            return Step()
        camera, mat, pose = self.profile.camera, self.profile.mat, self.look.pose
        found = self._markers(image)
        check = check_markers(found, camera, mat, pose)
        if check.seen and check.shift_px <= MOVED_PX:
            return Step(shaken=check.most_px > LEAST_SHAKE_PX)
        moved = pose_from_markers(found, camera, mat) if check.moved else None
        return Step(moved, is_lost=moved is None)

    def _markers(self, image: Image) -> Corners:
        """The markers, looked for where they were and, if too few are there, everywhere."""
        assert self.look is not None  # the table was found before
        camera, mat = self.profile.camera, self.profile.mat
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        found = find_markers(grey, camera, mat, self.look.pose)
        if len(found) >= ENOUGH_MARKERS:
            return found
        everywhere = find_markers(grey, camera, mat)
        return everywhere if len(everywhere) > len(found) else found

    def _markers_look_alike(self, image: Image, rest: Still | None) -> bool:
        """Most markers look as they did at the last rest, so the camera has not moved."""
        if rest is None or rest.image is None or rest.look is not self.look:
            return False
        alike = 0
        for part in self._marker_parts:
            alike += image[part].size > 0 and float(cv2.absdiff(image[part], rest.image[part]).mean()) < ALIKE_LEVELS
        return alike >= ENOUGH_MARKERS
