"""The picture of all faces of a set in rows, as it is kept beside the set's file."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from calibration import disk
from calibration.tileset import TileSet, TileSetError
from vision.kinds import Image, Kind

PER_ROW = 8


def encoded(faces: Sequence[Image]) -> bytes:
    """The canonical faces, at least one, all of one size, as a PNG file."""
    height, width = faces[0].shape[:2]
    sheet = np.zeros((-(-len(faces) // PER_ROW) * height, PER_ROW * width, 3), np.uint8)
    for number, face in enumerate(faces):
        row, column = divmod(number, PER_ROW)
        sheet[row * height : (row + 1) * height, column * width : (column + 1) * width] = face
    _, data = cv2.imencode(".png", sheet)
    return data.tobytes()


def read(tileset: TileSet, kind: Kind) -> list[Image]:
    """The faces of a set that was shown.

    Raises:
        TileSetError: if the picture is not there or not what the set's file says.
    """
    assert tileset.shown is not None  # the caller has looked
    picture, count = tileset.shown.picture, len(tileset.shown.values)
    try:
        data = np.frombuffer(picture.read_bytes(), np.uint8)
        sheet = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except (OSError, cv2.error) as error:
        raise TileSetError(f"expected the faces of the set {tileset.name} in {picture} ({error})") from None
    width, height = kind.face_size_px
    wanted = (-(-count // PER_ROW) * height, PER_ROW * width, 3)
    if sheet is None or sheet.shape != wanted:
        raise TileSetError(f"expected a picture of {count} faces of the set {tileset.name}, got {picture}")
    places = (divmod(number, PER_ROW) for number in range(count))
    return [
        np.asarray(sheet[row * height : (row + 1) * height, column * width : (column + 1) * width], np.uint8)
        for row, column in places
    ]


def write(faces: Sequence[Image], folder: Path, name: str) -> Path:
    """Write the picture so that it is there whole or not at all; its name tells what is in it."""
    data = encoded(faces)
    path = folder / f"{name}-{sha256(data).hexdigest()[:10]}.png"
    disk.write_bytes(data, path)
    return path
