"""The whole table read from one picture, whatever lay there before: at the start, and when nothing can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import SeenTile
from referee.tiles import TRIOMINO
from vision.faces import CLEAR, seen_tile
from vision.kinds import Image, Points
from vision.rectify import FLAT_PX_PER_MM, Still, Window
from vision.search import Search
from vision.still import StillTile, look

PX_PER_MM = 2.5  # the mat is cut out so finely to look for tiles; their faces are cut from the camera's own picture
MARGIN_MM = 30.0  # round what may be tiles
LEAST_NEW = 0.5  # of a tile's face: the rest of what is taken for one is the bare mat
UNSURE = 0.5


def read_table(
    still: Still, search: Search, mask: Image, there: Sequence[SeenTile] = (), quick: bool = False
) -> list[SeenTile]:
    """Every tile that lies on a calibrated table, told from one picture of it.

    A tile is sure when what finds tiles in photographs and what reads them at the table agree about its numbers.

    Args:
        mask: where there is more than the bare mat, as flat as `still.flat`; nothing else is looked at.
        there: tiles that lie there already; those beside them are told.
        quick: what is not read at once is left out; who looks for one tile after another may find it.
    """
    if still.image is None or not cv2.countNonZero(mask):
        return []
    window = _window(mask)
    flat = still.look.rectify(still.image, window)
    found = look(flat, search.kind.name, search.faces.highest, search.shape.length_mm * PX_PER_MM, quick=quick)
    tiles: list[SeenTile] = []
    for each in found.tiles:
        pose = _pose(each.seen.kind, window.to_table(each.corners))
        if each.is_sure:
            search.learn_brightness(still, pose)  # it tells the outline from those beside it
        pose = search.refit(still, pose)
        if _share(mask, search, pose) < LEAST_NEW or not search.is_free(pose, [*there, *tiles]):
            continue
        tile = _read(still, search, each, pose)
        if not quick or tile.confidence > CLEAR or not tile.face_up:
            tiles.append(tile)
            search.learn(still, tile)
    return tiles


def _window(mask: Image) -> Window:
    """The part of the mat in which something lies."""
    left, top, width, height = (value / FLAT_PX_PER_MM for value in cv2.boundingRect(mask))
    return Window(left - MARGIN_MM, top - MARGIN_MM, width + 2 * MARGIN_MM, height + 2 * MARGIN_MM, PX_PER_MM)


def _pose(kind: str, corners_mm: Points) -> Matrix:
    """The pose of a tile with these corners, ordered as `StillTile.corners` are."""
    centre = corners_mm.mean(axis=0)
    ahead = corners_mm[0] - centre if kind == TRIOMINO else corners_mm[2:].mean(axis=0) - centre
    return np.array([*centre, np.degrees(np.arctan2(ahead[1], ahead[0]))])


def _share(mask: Image, search: Search, pose: Matrix) -> float:
    """How much of a tile's face lies where there is more than the bare mat."""
    face = np.zeros_like(mask)
    corners = search.template.corners(pose) * FLAT_PX_PER_MM
    cv2.fillConvexPoly(face, corners.round().astype(np.int32), 255)
    return cv2.countNonZero(cv2.bitwise_and(face, mask)) / max(1, cv2.countNonZero(face))


def _read(still: Still, search: Search, found: StillTile, pose: Matrix) -> SeenTile:
    """The tile at a pose, doubtful unless both ways to read it name the same numbers."""
    tile = seen_tile(search.kind.name, pose, search.read(still, pose))
    alike = (tile.values, tile.face_up) == (found.seen.values, found.seen.face_up)
    if alike and found.is_sure:
        return replace(tile, confidence=max(tile.confidence, round(found.seen.confidence, 4)))
    return tile if alike else replace(tile, confidence=min(tile.confidence, UNSURE))
