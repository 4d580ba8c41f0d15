"""Zones in which many tiles may lie close together: what lies there that is no tile known yet."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.seen.zones import Zone
from referee.sighting import SeenTile
from vision import differences
from vision.faces import pose_of
from vision.kinds import Image
from vision.light import Light
from vision.outlines import Template
from vision.rectify import FLAT_PX_PER_MM

MANY_TILES = 1.8  # what is larger than this is more than one tile
LEAST_TILES = 0.6  # and less than this no whole one
RIM_PX = 5  # side walls and shadows of the tiles that are known
HIDDEN_SHARE = 0.6  # of a tile's face
LEAST_LEVEL = 16.0

Rows = NDArray[np.intp]


def untold(
    zones: Sequence[Zone],
    template: Template,
    now: Image,
    bare: Image,
    fresh: Image,
    there: Sequence[SeenTile],
) -> Image:
    """A flat mask of what is no known tile in those zones in which many have come, or where one lay unknown before.

    Backs all look alike: of one that was pushed a little, over where it lay, only the rim is new. What is left of a
    heap that could not be told at once is not new either.

    Args:
        now, bare: the table, and its mat without tiles, as flat as the mask.
        fresh: where something new has come, another mask.
        there: the tiles that lie where they lay.
    """
    mask = np.zeros(now.shape[:2], np.uint8)
    for zone in zones:
        part = _part(zone)
        mask[part] = _no_mat(now, bare, part)
        for tile in there:
            corners = (template.corners(pose_of(tile)) * FLAT_PX_PER_MM).round().astype(np.int32)
            cv2.fillConvexPoly(mask, corners, 0)
            cv2.polylines(mask, [corners], isClosed=True, color=0, thickness=RIM_PX)
        cv2.morphologyEx(mask[part], cv2.MORPH_OPEN, np.ones((5, 5), np.uint8), dst=mask[part])
        tile_px = template.area_mm2 * FLAT_PX_PER_MM**2
        before = cv2.bitwise_and(mask[part], cv2.bitwise_not(fresh[part]))
        if cv2.countNonZero(mask[part]) < MANY_TILES * tile_px and cv2.countNonZero(before) < LEAST_TILES * tile_px:
            mask[part] = 0
    return mask


def is_hidden(zones: Sequence[Zone], now: Image, bare: Image, tile: SeenTile, face: tuple[Rows, Rows]) -> bool:
    """Whether a tile of a zone may still lie where it lay: the mat has not come to light there.

    Args:
        face: rows and columns of the flat pictures that show its face.
    """
    zone = next((zone for zone in zones if zone.holds(tile.x_mm, tile.y_mm)), None)
    if zone is None or not len(face[0]):
        return False
    rows, columns = face
    around = np.s_[int(rows.min()) : int(rows.max()) + 1, int(columns.min()) : int(columns.max()) + 1]
    covered = _no_mat(now, bare, around)[rows - rows.min(), columns - columns.min()]
    return float(np.mean(covered > 0)) > HIDDEN_SHARE


def _part(zone: Zone) -> tuple[slice, slice]:
    """The rows and columns of a flat picture that show a zone."""
    sides = (zone.left_mm, zone.top_mm, zone.right_mm, zone.bottom_mm)
    left, top, right, bottom = (round(side * FLAT_PX_PER_MM) for side in sides)
    return np.s_[top:bottom, left:right]


def _no_mat(now: Image, bare: Image, part: tuple[slice, slice]) -> Image:
    """A mask of what is not the bare mat, whatever light or shadow falls on it, in a part of a flat picture."""
    lit = Light.between(bare, now, even=True).on(bare[part])
    beyond = differences.difference_beyond_light(now[part], lit, brightest=1.0)
    return differences.closed(differences.mask_above(beyond, LEAST_LEVEL), FLAT_PX_PER_MM)
