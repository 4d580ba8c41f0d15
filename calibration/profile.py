"""The profile of a table: its camera, its mat, the pose between them, and the size of the tiles.

Conventions (OpenCV's): pixel centres are whole numbers; a table point (x_mm, y_mm) at height h above
the mat is the 3-D point (x_mm, y_mm, -h), seen through `rotation`, `translation`, `matrix` and
`distortion`.

A profile is kept in a JSON file of ours. Recorded or rendered sequences may carry a description of
their own with `mat` and `sequences`, several cameras in one file: `FILE#NAME` says which.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration import disk
from referee.seen import zones as zoning
from referee.seen.zones import Zones
from referee.tiles import DOMINO, TRIOMINO, Shape

Matrix = NDArray[np.float64]

VERSION = 1

log = logging.getLogger(__name__)


class ProfileError(ValueError):
    """A calibration file that is missing, broken or not what was asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera's inner geometry: picture size in pixels, matrix (3, 3), distortion (5,)."""

    width: int
    height: int
    matrix: Matrix
    distortion: Matrix


@dataclass(frozen=True, slots=True)
class Mat:
    """The mat: the rectangle through the outer black corners of its four markers, in millimetres."""

    width_mm: float = 600.0
    height_mm: float = 400.0
    marker_mm: float = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class TablePose:
    """How the camera sees the mat: rotation (3, 3) and translation (3,) of OpenCV's extrinsics, mm."""

    rotation: Matrix
    translation: Matrix


@dataclass(frozen=True, slots=True)
class Locks:
    """What the camera held when it was calibrated, in its own units where no unit is named; None where it did not."""

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    colour_k: int | None = None
    lens_position: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """All that is known of one table before anything lies on it.

    `pose` None means: find it from the mat's markers. `zones` None means: where they usually lie. `source` names the
    camera that it was made with.
    """

    name: str
    camera: Camera
    mat: Mat
    shape: Shape
    locks: Locks | None = field(default=None, kw_only=True)
    pose: TablePose | None = None
    zones: Zones | None = None
    source: str | None = field(default=None, kw_only=True)

    @property
    def usable_zones(self) -> Zones | None:
        """Where the boneyard and shown hands lie on the mat, None where it has no room for them."""
        found = self.zones or zoning.usual(self.mat.width_mm, self.mat.height_mm, self.mat.marker_mm)
        try:
            self.check_zones(found)
        except ValueError:
            return None
        return found

    def check_zones(self, zones: Zones) -> None:
        """Refuse zones that tiles of this shape cannot be played with on this mat.

        Raises:
            ValueError: for the first thing that is wrong with them.
        """
        zoning.check(zones, self.mat.width_mm, self.mat.height_mm, self.mat.marker_mm, self.shape.length_mm)


Length = Annotated[float, msgspec.Meta(gt=0)]
Pixels = Annotated[int, msgspec.Meta(gt=0, le=20000)]
Triple = tuple[float, float, float]
Rows = tuple[Triple, Triple, Triple]
Lens = Annotated[tuple[float, ...], msgspec.Meta(min_length=4, max_length=5)]


class _CameraLines(msgspec.Struct, frozen=True):
    width: Pixels
    height: Pixels
    matrix: Rows
    distortion: Lens


class _MatLines(msgspec.Struct, frozen=True):
    width_mm: Length
    height_mm: Length
    marker_mm: Length


class _ShapeLines(msgspec.Struct, frozen=True):
    kind: str
    length_mm: Length
    width_mm: Length
    thickness_mm: Length


class _PoseLines(msgspec.Struct, frozen=True):
    rotation: Rows
    translation: Triple


class _ProfileLines(msgspec.Struct, frozen=True, kw_only=True):
    """Our own file."""

    version: int
    locks: Locks | None = None
    name: str
    camera: _CameraLines
    mat: _MatLines
    shape: _ShapeLines
    pose: _PoseLines | None
    zones: Zones | None = None
    source: str | None = None


class _SequenceMat(msgspec.Struct, frozen=True):
    size_mm: tuple[Length, Length]
    marker_mm: Length


class _SequenceCamera(msgspec.Struct, frozen=True):
    width: Pixels
    height: Pixels
    K: Rows
    dist: Lens
    rotation: Rows
    translation: Triple


class _SequenceLines(msgspec.Struct, frozen=True):
    """What is read of one sequence: the camera and the size of the tiles, nothing of what lies there."""

    name: str
    kind: str
    camera: _SequenceCamera
    thickness_mm: Length
    tile_side_mm: Length | None = None
    tile_length_mm: Length | None = None
    tile_width_mm: Length | None = None


class _SequencesLines(msgspec.Struct, frozen=True):
    mat: _SequenceMat
    sequences: tuple[_SequenceLines, ...]


Lines = TypeVar("Lines")


def load(path: str | Path) -> Profile:
    """Read `FILE` or `FILE#NAME`; a file of ours that is not whole gives way to its last good copy, with a warning.

    Raises:
        ProfileError: if the file cannot be read, lacks something, or holds several and none is named.
    """
    file, name = _split(whole(path))
    profile = _read(file, name)
    if name and name != profile.name:
        raise ProfileError(f"expected a profile named {name!r} in {file}, got {profile.name!r}")
    return profile


def whole(path: str | Path) -> str:
    """What is read for a file: itself, or its last good copy where it is not whole, which is warned of."""
    file, name = _split(str(path))
    wrong = trouble(path)
    if not wrong or not file.exists() or trouble(last_good(file)):
        return str(path)
    log.warning("%s; its last good copy is used instead: calibrate again", wrong)
    return f"{last_good(file)}#{name}" if name else str(last_good(file))


def trouble(path: str | Path) -> str:
    """What is wrong with a file itself, whether or not there is a good copy of it; nothing if it is well."""
    try:
        _read(*_split(str(path)))
    except ProfileError as error:
        return str(error)
    return ""


def save(profile: Profile, path: Path) -> None:
    """Write a profile so that a power cut leaves the old file or the new one, never half of either.

    The one before is kept beside it, as `NAME.last-good.json`, if it can still be read.

    Raises:
        OSError: if it cannot be written; what was there before is still there then.
    """
    if path.exists() and not trouble(path):
        disk.write_bytes(path.read_bytes(), last_good(path))
    camera, pose = profile.camera, profile.pose
    lines = {
        "version": VERSION,
        "name": profile.name,
        "camera": {
            "width": camera.width,
            "height": camera.height,
            "matrix": camera.matrix.tolist(),
            "distortion": camera.distortion.tolist(),
        },
        "mat": profile.mat,
        "locks": profile.locks,
        "shape": profile.shape,
        "pose": pose and {"rotation": pose.rotation.tolist(), "translation": pose.translation.tolist()},
        "zones": profile.zones,
        "source": profile.source,
    }
    disk.write(lines, path)


def last_good(file: Path) -> Path:
    """Where the profile that was in a file before is kept."""
    return file.with_name(f"{file.stem}.last-good{file.suffix}")


def _read(file: Path, name: str) -> Profile:
    """Read a file, and nothing but it; the name is for one of several.

    Raises:
        ProfileError: as `load` does.
    """
    try:
        data = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        raise ProfileError(f"expected a calibration file, got {file} ({error.strerror})") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProfileError(f"expected a calibration file in JSON, got {file}, which is not whole ({error})") from None
    if isinstance(data, dict) and "sequences" in data:
        return _chosen(_convert(data, _SequencesLines, file), name, file)
    lines = _convert(data, _ProfileLines, file)
    return replace(_profile(lines, file), locks=lines.locks, source=lines.source)


def _split(text: str) -> tuple[Path, str]:
    """`FILE#NAME` as file and name; a file whose own name has a # in it wins."""
    file, hash_sign, name = text.rpartition("#")
    return (Path(text), "") if not hash_sign or Path(text).exists() else (Path(file), name)


def _convert(data: Any, kind: type[Lines], file: Path) -> Lines:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ProfileError(f"expected a calibration in {file} as its format says, got: {error}") from None


def _profile(lines: _ProfileLines, file: Path) -> Profile:
    if lines.version != VERSION:
        raise ProfileError(f"expected a calibration of version {VERSION} in {file}, got version {lines.version}")
    camera = Camera(
        lines.camera.width,
        lines.camera.height,
        _matrix(lines.camera.matrix, file),
        _distortion(lines.camera.distortion),
    )
    mat = Mat(lines.mat.width_mm, lines.mat.height_mm, lines.mat.marker_mm)
    shape = Shape(_kind(lines.shape.kind, file), lines.shape.length_mm, lines.shape.width_mm, lines.shape.thickness_mm)
    pose = None if lines.pose is None else _pose(lines.pose.rotation, lines.pose.translation, file)
    profile = Profile(lines.name, camera, mat, shape, pose, lines.zones)
    if lines.zones is not None:
        try:
            profile.check_zones(lines.zones)
        except ValueError as error:
            raise ProfileError(f"{error}, in {file}") from None
    return profile


def _chosen(lines: _SequencesLines, name: str, file: Path) -> Profile:
    """One sequence's camera as a profile."""
    names = ", ".join(sequence.name for sequence in lines.sequences) or "none"
    fitting = [sequence for sequence in lines.sequences if name in ("", sequence.name)]
    if len(fitting) != 1:
        wanted = f"named {name!r}" if name else "to be chosen with #NAME"
        raise ProfileError(f"expected one calibration in {file} {wanted}, got these names: {names}")
    found = fitting[0]
    camera = Camera(
        found.camera.width, found.camera.height, _matrix(found.camera.K, file), _distortion(found.camera.dist)
    )
    mat = Mat(*lines.mat.size_mm, lines.mat.marker_mm)
    pose = _pose(found.camera.rotation, found.camera.translation, file)
    return Profile(found.name, camera, mat, _shape(found, file), pose)


def _shape(found: _SequenceLines, file: Path) -> Shape:
    if _kind(found.kind, file) == TRIOMINO and found.tile_side_mm is not None:
        return Shape.triomino(found.tile_side_mm, found.thickness_mm)
    if found.kind == DOMINO and found.tile_length_mm is not None and found.tile_width_mm is not None:
        return Shape.domino(found.tile_length_mm, found.tile_width_mm, found.thickness_mm)
    wanted = "tile_side_mm" if found.kind == TRIOMINO else "tile_length_mm and tile_width_mm"
    raise ProfileError(f"expected {wanted} for the {found.kind} tiles of {found.name!r} in {file}, got none")


def _kind(kind: str, file: Path) -> str:
    if kind not in (DOMINO, TRIOMINO):
        raise ProfileError(f"expected tiles of the kind {DOMINO} or {TRIOMINO} in {file}, got {kind!r}")
    return kind


def _matrix(rows: Rows, file: Path) -> Matrix:
    matrix = np.array(rows)
    if not (matrix[0, 0] > 0 and matrix[1, 1] > 0 and (matrix[2] == (0, 0, 1)).all()):
        raise ProfileError(f"expected a camera matrix with positive focal lengths in {file}, got {rows}")
    return matrix


def _distortion(numbers: tuple[float, ...]) -> Matrix:
    return np.array([*numbers, 0.0][:5])


def _pose(rotation: Rows, translation: Triple, file: Path) -> TablePose:
    turn = np.array(rotation)
    if not (np.allclose(turn @ turn.T, np.eye(3), atol=1e-3) and np.linalg.det(turn) > 0):
        raise ProfileError(f"expected a rotation (orthonormal, right-handed) in {file}, got {rotation}")
    return TablePose(turn, np.array(translation))
