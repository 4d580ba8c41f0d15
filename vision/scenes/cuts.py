"""Faces cut from pictures whose tiles are known: as the eye cuts them, with a small error of pose, or wrongly."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Matrix
from vision.kinds import Image, kinds
from vision.scenes.photograph import Picture, SeenPiece
from vision.scenes.session import Session
from vision.scenes.slabs import motion

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Slip:
    """By how much a pose is off: mm and degrees, and the size taken for the tile in parts of the true one."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    size: float = 1.0


def small_slip(random: Random) -> Slip:
    """The error of pose that the eye makes."""
    x, y = np.clip(random.normal(0, 0.42, 2), -1.2, 1.2)
    turn = np.clip(random.normal(0, 0.9), -2.5, 2.5)
    return Slip(float(x), float(y), float(turn), float(np.clip(random.normal(1, 0.015), 0.95, 1.05)))


def large_slip(random: Random) -> Slip:
    """A pose that is so wrong that the cut shows no face: 7 to 28 mm off, half a domino beside bare ground and more."""
    small, way, by = small_slip(random), random.uniform(0, 2 * np.pi), random.uniform(7, 28)
    return Slip(small.x_mm + by * np.cos(way), small.y_mm + by * np.sin(way), small.turn_deg, small.size)


def turned_slip(random: Random) -> Slip:
    """A pose turned so far that the cut shows no face: 35 to 85 degrees."""
    small = small_slip(random)
    turn = float(random.choice([-1, 1]) * random.uniform(35, 85))
    return Slip(small.x_mm, small.y_mm, small.turn_deg + turn, small.size)


def cut(picture: Picture, tile: SeenPiece, session: Session, slip: Slip = Slip()) -> Image:
    """The canonical BGR face of a tile in a picture, cut with an error of pose."""
    way = face_from_picture(tile.picture_from_tile, session, slip)
    size = kinds()[session.tiles.kind].face_size_px
    face = cv2.warpPerspective(picture.image, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def cut_anywhere(picture: Picture, session: Session, random: Random) -> Image:
    """A face-sized cut of the table anywhere: mostly bare ground, by chance a part of a tile."""
    x, y, way = session.inside.any_spot(random)
    from_table = session.optics.near(np.array([x, y]), 30.0, session.tiles.shape.thickness_mm)
    way_to = face_from_picture(from_table @ motion(x, y, way), session, Slip())
    size = kinds()[session.tiles.kind].face_size_px
    face = cv2.warpPerspective(picture.image, way_to, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def face_from_picture(picture_from_tile: Matrix, session: Session, slip: Slip) -> Matrix:
    """The (3, 3) way from a picture's pixels to a canonical face's, for a pose that is off."""
    shape = session.tiles.shape
    wrong = motion(slip.x_mm, slip.y_mm, slip.turn_deg) @ np.diag([slip.size, slip.size, 1.0])
    face_from_tile = kinds()[shape.kind].face_from_tile(shape)
    return np.asarray(face_from_tile @ np.linalg.inv(picture_from_tile @ wrong), np.float64)


def visible_parts(picture: Picture, tile: SeenPiece, session: Session, slip: Slip = Slip()) -> Image:
    """Where a cut face shows the tile's own top, 255, and where something else, 0: (height, width)."""
    number = 1 + picture.tiles.index(tile)
    mask = (picture.owner == number).astype(np.uint8) * np.uint8(255)
    way = face_from_picture(tile.picture_from_tile, session, slip)
    size = kinds()[session.tiles.kind].face_size_px
    return np.asarray(cv2.warpPerspective(mask, way, size, flags=cv2.INTER_LINEAR), np.uint8)
