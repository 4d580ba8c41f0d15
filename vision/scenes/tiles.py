"""Sets of tiles as a scene needs them: how large they are, and somebody who paints their faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.tiles import Shape
from vision.kinds import Points, Style, kinds
from vision.kinds.paint import Canvas
from vision.scenes.slabs import Placed, Relief, Slab, slab

FACE_BORDER_PX = 4
BEVEL_MM = 0.35

Random = np.random.Generator
Paint = Callable[[tuple[int, ...], int, float, Random], Canvas]


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile somewhere on or above the table; the pose is that of its top face, `values` () shows its back."""

    kind: str
    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float
    lift_mm: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TileSet:
    """A set of tiles.

    `paint(values, scale, wear, random)` draws a canonical face (values () a back), BGRA 0..255,
    `scale` times the face's size; `side` is the colour of the side walls, BGR.
    """

    shape: Shape
    paint: Paint
    side: tuple[float, float, float]
    highest: int = 6
    gloss: float = 0.5
    wear: float = 0.0

    @property
    def kind(self) -> str:
        """The name of the kind of tile."""
        return self.shape.kind

    def outline_mm(self) -> Points:
        """The sharp-cornered outline in the tile's frame, (n, 2)."""
        return kinds()[self.kind].outline(self.shape)

    def face_px_per_mm(self) -> float:
        """How many pixels of a canonical face a millimetre takes."""
        return float(kinds()[self.kind].face_from_tile(self.shape)[0, 0])

    def placed(self, piece: Piece, scale: int, random: Random) -> Placed:
        """A piece as something to be photographed, its face painted now."""
        face = slab_of(self.paint(piece.values, scale, self.wear, random), self, scale)
        return Placed(face, piece.x_mm, piece.y_mm, piece.angle_deg, piece.lift_mm)


def plain_set(shape: Shape, style: Style, highest: int = 6) -> TileSet:
    """A set as the kinds draw it by themselves, all alike and unworn."""

    def paint(values: tuple[int, ...], scale: int, wear: float, random: Random) -> Canvas:  # noqa: ARG001  # never worn
        return kinds()[shape.kind].draw(values, style, scale).astype(np.float32)

    return TileSet(shape, paint, style.side, highest)


def face_scale(tiles: TileSet, px_per_mm: float) -> int:
    """By how much a face is to be painted larger than its canonical size to be photographed that closely."""
    return 2 if px_per_mm > 1.15 * tiles.face_px_per_mm() else 1


def slab_of(painted: Canvas, tiles: TileSet, scale: int) -> Slab:
    """A tile from its painted face, an empty border put around."""
    border = FACE_BORDER_PX * scale
    wider = cv2.copyMakeBorder(painted, border, border, border, border, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    canvas = np.asarray(wider, np.float32)
    from_frame = painted_from_tile(tiles.shape, scale, border)
    alpha = np.ascontiguousarray(canvas[..., 3])
    relief = _relief(alpha.astype(np.uint8).tobytes(), alpha.shape, tiles.shape, scale)
    return slab(canvas, from_frame, tiles.shape.thickness_mm, tiles.side, tiles.gloss, relief=relief)


def painted_from_tile(shape: Shape, scale: int, border_px: int) -> Matrix:
    """The (3, 3) way from tile-frame mm to the pixels of a face painted `scale` times as large, with a border."""
    offset = (scale - 1) / 2 + border_px
    enlarge = np.array([(scale, 0.0, offset), (0.0, scale, offset), (0.0, 0.0, 1.0)])
    return np.asarray(enlarge @ kinds()[shape.kind].face_from_tile(shape), np.float64)


@lru_cache(maxsize=8)
def _relief(alpha: bytes, size: tuple[int, int], shape: Shape, scale: int) -> Relief:
    """The relief of a face; all faces of a set have the same alpha."""
    cover = np.frombuffer(alpha, np.uint8).reshape(size)
    from_frame = painted_from_tile(shape, scale, FACE_BORDER_PX * scale)
    return Relief(cover, from_frame, BEVEL_MM * float(from_frame[0, 0]))
