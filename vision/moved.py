"""Where a tile lies that was pushed or turned: looked for by its print, then by its outline."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import SeenTile
from vision import outlines
from vision.beside import pushed_out
from vision.faces import CLEAR, placed, pose_of, seen_tile
from vision.outlines import Scene
from vision.rectify import Window
from vision.search import ASIDE, FINE_PX_PER_MM, LEAST_EDGE, SAME_FACE, Comparison, Search, poses_of, resized

MOVED_MM, MATCH_PX_PER_MM = 30.0, 1.5  # where, and how finely, a tile that left its place is looked for
MOVED_TURNS_DEG = tuple(float(turn) for turn in range(-90, 91, 9))
MOVED_READ = 6
LEAST_EDGE_KNOWN = 0.3  # of one that shows its numbers clearly: sides that touch like tiles are faint


def moved(search: Search, stills: Comparison, tile: SeenTile) -> SeenTile | None:
    """A tile that left its place, where it lies near by now; None when it does not.

    It shows its numbers again there, or looks as it did without clearly showing others.
    """
    window = Window.around(tile.x_mm, tile.y_mm, search.template.reach_mm + MOVED_MM, FINE_PX_PER_MM)
    scene = Scene.of(search.glance.now(stills.now, window), None, window)
    starts = _alike(search, stills, tile)
    poses, _ = outlines.refine(search.template, scene, starts, search.polarity, outlines.FINE_STEPS)
    poses = outlines.polish(search.template, scene, poses, search.polarity)
    poses = np.array([pushed_out(search.template, pose, poses_of(stills.there)) for pose in poses]).reshape(-1, 3)
    edges = search.edges(outlines.score(search.template, scene, poses))
    for row in np.argsort(-edges):
        if edges[row] < LEAST_EDGE_KNOWN or not search.is_free(poses[row], stills.there):
            continue
        twin = seen_tile(tile.kind, poses[row], search.read(stills.now, poses[row]))
        if twin.confidence > CLEAR:
            if twin.values == tile.values and twin.face_up == tile.face_up:
                return twin
        elif edges[row] >= LEAST_EDGE and _bears_the_face(search, stills, poses[row], tile):
            return placed(tile, poses[row])
    return None


def _bears_the_face(search: Search, stills: Comparison, pose: Matrix, tile: SeenTile) -> bool:
    """Whether what lies at a pose, a little aside at most, is printed as a tile was; whatever lies beside it."""
    wider = resized(search.shape, 1.0 + ASIDE)
    now, before = search.face(stills.now, pose, wider), search.face(stills.before, pose_of(tile), wider)
    face_from_tile = search.kind.face_from_tile(wider)
    outline = search.template.outline_mm @ face_from_tile[:2, :2].T + face_from_tile[:2, 2]
    mask = cv2.fillConvexPoly(np.zeros(now.shape[:2], np.uint8), outline.round().astype(np.int32), 1)
    rows, columns = (round(side * ASIDE / 4.0) for side in mask.shape)
    part = np.s_[rows:-rows, columns:-columns]
    like = cv2.matchTemplate(now, before[part], cv2.TM_CCOEFF_NORMED, mask=mask[part])
    return float(like[np.abs(like) <= 1.0].max(initial=0.0)) > SAME_FACE


def _alike(search: Search, stills: Comparison, tile: SeenTile) -> Matrix:
    """The few poses near a tile's former place where what lies there now looks most like it."""
    reach_mm, px = search.template.reach_mm, MATCH_PX_PER_MM
    before, now = (
        np.asarray(cv2.cvtColor(still.window(Window.around(tile.x_mm, tile.y_mm, reach, px)), cv2.COLOR_BGR2GRAY))
        for still, reach in ((stills.before, reach_mm), (stills.now, reach_mm + MOVED_MM))
    )
    middle, rim = (np.array(part.shape[::-1]) / 2.0 - 0.5 for part in (before, now))
    poses, likeness = [], []
    for turn in MOVED_TURNS_DEG:
        way = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -turn, 1.0)
        corners = search.template.corners(np.array([0.0, 0.0, tile.angle_deg + turn])) * px + middle
        mask = cv2.fillConvexPoly(np.zeros_like(before), corners.round().astype(np.int32), 1)
        turned = cv2.warpAffine(before, way, before.shape[::-1])
        like = cv2.matchTemplate(now, turned, cv2.TM_CCOEFF_NORMED, mask=mask)
        like[~(np.abs(like) <= 1.0)] = -1.0  # where all is of one colour there is no telling
        _, most, _, at = cv2.minMaxLoc(like)
        x_mm, y_mm = (np.array(at) + middle - rim) / px
        poses.append((tile.x_mm + x_mm, tile.y_mm + y_mm, tile.angle_deg + turn))
        likeness.append(most)
    return np.array(poses)[np.argsort(likeness)[::-1][:MOVED_READ]]
