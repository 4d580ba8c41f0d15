"""Labelled sequences of pictures of one table, in either of two formats.

Recorded tables: a camera with its calibration, pictures at rest and pictures with a hand. Photographs: one
after every move, of a board with a printed grid whose corners are given in each.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from referee.sighting import SeenTile
from referee.tiles import DOMINO, smallest_rotation

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.profile import Matrix, Profile, TablePose

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Lines = TypeVar("Lines")


@dataclass(frozen=True, slots=True)
class Label:
    """A tile as labelled; `legal` and `why` tell the ruling on it, `legal` None where nothing is told."""

    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    legal: bool | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture and what has happened since the one before: `placed`, `removed` or something else.

    `pose` is how it shows the table, None where the table is found in the picture itself.
    """

    file: str
    busy: bool
    event: str
    tile: Label | None = None
    pose: TablePose | None = None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A labelled sequence: the table, the picture it begins with and the tiles lying there, then the others."""

    name: str
    kind: str
    profile: Profile
    start: Picture
    lying: tuple[SeenTile, ...]
    pictures: tuple[Picture, ...]


class _Tile(msgspec.Struct, frozen=True):
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    legal: bool | None = None
    why: str = ""


class _Frame(msgspec.Struct, frozen=True):
    file: str
    busy: bool
    event: str
    tile: _Tile | None = None


class _Recorded(msgspec.Struct, frozen=True):
    name: str
    kind: str
    empty: str
    frames: tuple[_Frame, ...]


class _Lying(msgspec.Struct, frozen=True):
    pips: tuple[int, int]
    cells: tuple[str, str]


class _Placed(msgspec.Struct, frozen=True):
    pips: tuple[int, int]
    cells: tuple[str, str]
    center: Point


class _Start(msgspec.Struct, frozen=True):
    file: str
    board_corners: Corners
    grid_corners: Corners
    tiles: tuple[_Lying, ...] = ()


class _Photo(msgspec.Struct, frozen=True):
    file: str
    grid_corners: Corners
    placed: _Placed


class _Photographed(msgspec.Struct, frozen=True):
    name: str
    initial: _Start
    photos: tuple[_Photo, ...]


class _RecordedTables(msgspec.Struct, frozen=True):
    sequences: tuple[_Recorded, ...]


class _PhotographedTables(msgspec.Struct, frozen=True):
    image_size: tuple[int, int]
    sequences: tuple[_Photographed, ...]


def read(path: Path, name: str | None = None) -> tuple[Sequence, ...]:
    """The sequences of a folder (its `sequences.json`) or of a file beside its pictures; one if it is named.

    Raises:
        ValueError: if there is no such file, it holds no labelled sequences, or none of that name.
    """
    file = labels_file(path)
    try:
        data = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise ValueError(f"expected a folder with sequences.json, got {path} ({error.strerror})") from None
    except msgspec.DecodeError as error:
        raise ValueError(f"expected labelled sequences in {file}: {error}") from None
    listed = data.get("sequences") if isinstance(data, dict) else None
    photographs = isinstance(listed, list) and any(isinstance(each, dict) and "photos" in each for each in listed)
    sequences = _photographed(data, file) if photographs else _recorded(data, file)
    fitting = tuple(each for each in sequences if name in (None, each.name))
    if not fitting:
        names = ", ".join(each.name for each in sequences)
        raise ValueError(f"expected --name to be one of {names}, got {name or 'none'}")
    return fitting


def labels_file(path: Path) -> Path:
    """The file of labels in a folder, or the file itself."""
    return path / "sequences.json" if path.is_dir() else path


def _convert(data: Any, lines: type[Lines], file: Path) -> Lines:
    try:
        return msgspec.convert(data, lines)
    except msgspec.ValidationError as error:
        raise ValueError(f"expected labelled sequences in {file}: {error}") from None


def _recorded(data: Any, file: Path) -> tuple[Sequence, ...]:
    """Recorded tables, whose calibration stands beside the labels."""
    from calibration.profile import load

    lines = _convert(data, _RecordedTables, file)
    return tuple(
        Sequence(
            one.name,
            one.kind,
            load(f"{file}#{one.name}"),
            Picture(one.empty, False, "start"),
            (),
            tuple(Picture(each.file, each.busy, each.event, _label(each.tile)) for each in one.frames),
        )
        for one in lines.sequences
    )


def _label(tile: _Tile | None) -> Label | None:
    if tile is None:
        return None
    return Label(tile.values, tile.x_mm, tile.y_mm, tile.angle_deg, tile.legal, tile.why)


def _photographed(data: Any, file: Path) -> tuple[Sequence, ...]:
    """Photographs of a board; the eye is told its corners and the tiles that lie there at the start."""
    lines = _convert(data, _PhotographedTables, file)
    return tuple(_album(one, lines.image_size) for one in lines.sequences)


def _album(one: _Photographed, size_px: tuple[int, int]) -> Sequence:
    from calibration.board import Board

    grid_px = _corners(one.initial.grid_corners)
    board = Board.seen(one.name, grid_px, _corners(one.initial.board_corners), size_px)
    start = Picture(one.initial.file, False, "start", None, board.pose(grid_px))
    lying = tuple(_lying(tile, board) for tile in one.initial.tiles)
    return Sequence(one.name, DOMINO, board.profile, start, lying, tuple(_photo(each, board) for each in one.photos))


def _corners(corners: Corners) -> Matrix:
    import numpy as np

    return np.array(corners)


def _angle(cells: tuple[str, str], board: Board) -> float:
    """Which way a tile lies, from the cell of its first number to that of its second."""
    (from_x, from_y), (to_x, to_y) = (board.cell(cell) for cell in cells)
    return degrees(atan2(to_y - from_y, to_x - from_x))


def _lying(tile: _Lying, board: Board) -> SeenTile:
    x_mm, y_mm = (sum(pair) / 2 for pair in zip(*(board.cell(cell) for cell in tile.cells), strict=True))
    values = smallest_rotation(tile.pips)
    angle = _angle(tile.cells if values == tile.pips else tile.cells[::-1], board)
    return SeenTile(DOMINO, values, x_mm, y_mm, angle)


def _photo(photo: _Photo, board: Board) -> Picture:
    import numpy as np

    from calibration.table import unproject

    profile = board.profile
    pose = board.pose(_corners(photo.grid_corners))
    centre = np.array([photo.placed.center])
    x_mm, y_mm = unproject(centre, profile.shape.thickness_mm, profile.camera, pose)[0].tolist()
    values = smallest_rotation(photo.placed.pips)
    cells = photo.placed.cells if values == photo.placed.pips else photo.placed.cells[::-1]
    return Picture(photo.file, False, "placed", Label(values, x_mm, y_mm, _angle(cells, board)), pose)
