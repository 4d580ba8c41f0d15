"""What a set looks like: how large its tiles are, and their colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.profile import Camera, Matrix, TablePose
from calibration.table import unproject
from calibration.tileset import Colours
from referee.tiles import DOMINO, Shape
from vision.kinds import Image, Points
from vision.learn.evidence import Numbers
from vision.learn.shown import Face
from vision.still.plane import flatten

_MARK = 0.06  # of a part of a face, how much at least is covered by any mark
_LOW = 0.25  # of all sides: a side wall that is taken for a part of the face only makes a side longer
_STANDS_OUT = 30.0  # grey levels by which a mark differs from the tile


def size_mm(kind: str, faces: Sequence[Face], camera: Camera, poses: Sequence[TablePose], thickness_mm: float) -> Shape:
    """The size of the tiles on a calibrated table.

    Args:
        poses: of the table in each picture.
        thickness_mm: of the tiles, at whose tops the outlines are seen.
    """
    corners = [unproject(face.corners, thickness_mm, camera, poses[face.picture]) for face in faces]
    sides = np.stack([np.linalg.norm(np.roll(each, -1, 0) - each, axis=1) for each in corners])
    if kind == DOMINO:
        return Shape.domino(_rounded(sides[:, 1::2]), _rounded(sides[:, ::2]), thickness_mm)
    return Shape.triomino(_rounded(sides), thickness_mm)


def _rounded(sides_mm: Points) -> float:
    return round(float(np.quantile(sides_mm, _LOW)), 2)


def size_by_ratio(kind: str, faces: Sequence[Face], length_mm: float, thickness_mm: float) -> Shape:
    """The size of tiles whose longest side is known, by pictures in which only ratios can be measured."""
    if kind != DOMINO:
        return Shape.triomino(length_mm, thickness_mm)
    ratios = []
    for picture in dict.fromkeys(face.picture for face in faces):
        shape = flatten(kind, [face.corners for face in faces if face.picture == picture]).shape
        ratios.append(shape.width_mm / shape.length_mm)
    return Shape.domino(length_mm, round(length_mm * float(np.median(ratios)), 2), thickness_mm)


def colours(kind: str, faces: Sequence[Image], values: Sequence[Numbers], highest: int) -> Colours:
    """The colour of the tiles, and of the mark of every number.

    Args:
        faces: canonical, cut from the pictures.
        values: what each shows.
    """
    plain = [np.median(_middle(kind, face).reshape(-1, 3), axis=0) for face in faces]
    marks: list[list[Matrix]] = [[] for _ in range(highest + 1)]
    for face, each, ground in zip(faces, values, plain, strict=True):
        for part, number in enumerate(each):
            pixels = _part(kind, face, part).reshape(-1, 3).astype(float)
            away = np.linalg.norm(pixels - ground, axis=1)
            clearest = away.argsort()[-max(round(_MARK * len(away)), 1) :]
            if np.median(away[clearest]) >= _STANDS_OUT:
                marks[number].append(np.median(pixels[clearest], axis=0))
    inks = tuple(_hex(np.median(each, axis=0)) if each else None for each in marks)
    return Colours(_hex(np.median(plain, axis=0)), inks)


def _middle(kind: str, face: Image) -> Image:
    """The tile's own top without its rim."""
    return face[12:-12, 12:-12] if kind == DOMINO else face[42:102, 42:102]


def _part(kind: str, face: Image, part: int) -> Image:
    """Where the mark of a part is."""
    if kind == DOMINO:
        return face[14:66, 14:66] if part == 0 else face[14:66, 94:146]
    turn = 2 * np.pi * part / 3
    x, y = (round(71.5 + 34 * each) for each in (np.cos(turn), np.sin(turn)))
    return face[y - 12 : y + 13, x - 12 : x + 13]


def _hex(colour: Points) -> str:
    """BGR as #rrggbb."""
    blue, green, red = (round(float(each)) for each in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
