"""Picture to picture: the pose of a table told from what has not changed since an earlier picture of it.

Corners that were clicked, and markers seen at an angle, are known to a pixel or so. Two pictures of one table
can be laid over each other much more exactly, by everything in them that stayed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Matrix
from calibration.table import pose_from_points
from vision.kinds import Image
from vision.rectify import FLAT_PX_PER_MM, Look

MOST_POINTS = 240
APART_PX = 14
QUALITY = 0.02
AROUND_PX = 31  # light varies little over so much of a picture
TRACKED_PX = 21
BACK_PX = 0.3  # a point that is followed there and back ends this near to where it began
FITS_MM = 0.6
LEAST_POINTS = 16
LEAST_SHARE = 0.5
LEAST_REACH = 0.4  # of the picture's height and width: what the points must span to tell a turn
MOST_MM = 6.0  # poses farther off than this are not refined here


def aligned(look: Look, flat: Image, earlier: Image) -> Look:
    """How the table is seen, corrected so that what stayed since an earlier picture lies where it lay.

    Args:
        look: how the table is seen, a few millimetres off at most.
        flat: the mat seen from above as this look shows it, `FLAT_PX_PER_MM`.
        earlier: the mat seen from above in the earlier picture.

    Returns:
        The same look where too little has stayed, or too little differs.
    """
    lay, lies = _followed(_evenly_lit(earlier), _evenly_lit(flat))
    if len(lay) < LEAST_POINTS:
        return look
    _, agreeing = cv2.findHomography(lay, lies, cv2.RANSAC, FITS_MM * FLAT_PX_PER_MM)
    stayed = np.zeros(len(lay), np.bool_) if agreeing is None else agreeing.ravel() > 0
    if np.count_nonzero(stayed) < max(LEAST_POINTS, LEAST_SHARE * len(stayed)):
        return look
    lay_mm, lies_mm = (points[stayed] / FLAT_PX_PER_MM for points in (lay, lies))
    reach = np.ptp(lay_mm, axis=0) * FLAT_PX_PER_MM / np.array(flat.shape[1::-1])
    if reach.min() < LEAST_REACH or np.linalg.norm(lies_mm - lay_mm, axis=1).max() > MOST_MM:
        return look
    pose = pose_from_points(lay_mm, look.pixels(lies_mm), look.camera, look.height_mm)
    return look if pose is None else Look(look.camera, pose, look.height_mm)


def _evenly_lit(flat: Image) -> Image:
    """A grey picture in which light is the same everywhere."""
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.float32) + np.float32(8.0)
    around = cv2.blur(grey, (AROUND_PX, AROUND_PX))
    return np.asarray(cv2.convertScaleAbs(cv2.divide(grey, around), alpha=100.0), np.uint8)


def _followed(earlier: Image, now: Image) -> tuple[Matrix, Matrix]:
    """Points of the earlier picture and where they are now, (n, 2) pixels each."""
    corners = cv2.goodFeaturesToTrack(earlier, MOST_POINTS, QUALITY, APART_PX)
    if corners is None:
        return np.empty((0, 2)), np.empty((0, 2))
    points = np.asarray(corners, np.float32)
    there = _tracked(earlier, now, points)
    back = _tracked(now, earlier, there)
    good = np.linalg.norm(back - points, axis=2).ravel() < BACK_PX
    return points[good, 0].astype(np.float64), there[good, 0].astype(np.float64)


def _tracked(one: Image, two: Image, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where points (n, 1, 2) of one picture are in another; nan where they are lost."""
    found, good, _ = cv2.calcOpticalFlowPyrLK(one, two, points, np.empty_like(points), winSize=(TRACKED_PX, TRACKED_PX))
    found[good.ravel() == 0] = np.nan
    return np.asarray(found, np.float32)
