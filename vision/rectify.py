"""From the camera's image to the plane of the tile tops, and back.

Tiles are seen at the height of their tops: rectifying the mat's own plane would shift a tile by about a
millimetre for each 100 mm it lies off the camera's axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Camera, Matrix, TablePose
from calibration.table import project
from referee.tiles import Shape
from vision.kinds import Image, Kind
from vision.light import Light

FLAT_PX_PER_MM = 1.0  # enough to see that something has changed, and cheap for the whole mat
MOST_REMEMBERED = 8  # windows
MESH_STEP_MM = 12.0  # lens distortion bends by less than a hundredth of a pixel between knots this close

Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the table, in millimetres, and the scale at which it is looked at.

    Pixel (column, row) of the rectified picture shows the table point
    (left_mm + column / px_per_mm, top_mm + row / px_per_mm).
    """

    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float
    px_per_mm: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the rectified picture."""
        return round(self.width_mm * self.px_per_mm), round(self.height_mm * self.px_per_mm)

    def to_pixels(self, points_mm: Matrix) -> Matrix:
        """Table points (..., 2) mm as pixels of the rectified picture."""
        return np.asarray((points_mm - np.array([self.left_mm, self.top_mm])) * self.px_per_mm)

    def to_table(self, pixels: Matrix) -> Matrix:
        """Pixels (..., 2) of the rectified picture as table points in mm."""
        return np.asarray(pixels / self.px_per_mm + np.array([self.left_mm, self.top_mm]))

    @classmethod
    def around(cls, x_mm: float, y_mm: float, reach_mm: float, px_per_mm: float) -> Window:
        """The square window that reaches `reach_mm` from a point to every side."""
        return cls(x_mm - reach_mm, y_mm - reach_mm, 2 * reach_mm, 2 * reach_mm, px_per_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How the camera sees the plane of the tile tops."""

    camera: Camera
    pose: TablePose
    height_mm: float

    def pixels(self, points_mm: Matrix) -> Matrix:
        """Where points of the plane, (n, 2) mm, are seen in the camera image: (n, 2) pixels."""
        return project(points_mm, self.height_mm, self.camera, self.pose)

    def maps(self, window: Window) -> Maps:
        """The fixed-point maps for `cv2.remap` that rectify a window; worth keeping for a window used often."""
        width, height = window.size_px
        step = max(2, round(MESH_STEP_MM * window.px_per_mm))
        columns, rows = -(-width // step) + 2, -(-height // step) + 2
        # `resize` puts knot j at pixel (j + 1/2) step - 1/2; a spare knot on each side is cut off again.
        across, down = ((np.arange(count) - 0.5) * step - 0.5 for count in (columns, rows))
        knots = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        mesh = self.pixels(window.to_table(knots)).reshape(rows, columns, 2).astype(np.float32)
        size = (columns * step, rows * step)
        fine = cv2.resize(mesh, size, interpolation=cv2.INTER_LINEAR)[step : step + height, step : step + width]
        fine_x, fine_y = np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])
        coarse, fraction = cv2.convertMaps(fine_x, fine_y, cv2.CV_16SC2)
        return np.asarray(coarse, np.int16), np.asarray(fraction, np.uint16)

    def rectify(self, image: Image, window: Window, maps: Maps | None = None) -> Image:
        """Cut a window of the table from a camera image (height, width[, 3]), seen straight from above."""
        coarse, fraction = maps if maps is not None else self.maps(window)
        return np.asarray(cv2.remap(image, coarse, fraction, cv2.INTER_LINEAR), dtype=np.uint8)

    def face(self, image: Image, kind: Kind, shape: Shape, x_mm: float, y_mm: float, angle_deg: float) -> Image:
        """Cut the canonical face of a tile at a pose straight from the camera image."""
        width, height = kind.face_size_px
        face_from_tile = kind.face_from_tile(shape)
        square = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], dtype=np.float64)
        tile_from_face = np.linalg.inv(face_from_tile)
        in_tile = square @ tile_from_face[:2, :2].T + tile_from_face[:2, 2]
        pixels = self.pixels(place(in_tile, x_mm, y_mm, angle_deg))
        face_from_image = cv2.getPerspectiveTransform(pixels.astype(np.float32), square.astype(np.float32))
        return np.asarray(cv2.warpPerspective(image, face_from_image, (width, height)), dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One still picture of the table: the camera's image, how it was seen, and the mat seen from above.

    `flat` shows the mat, (0, 0) mm at its first pixel, at `FLAT_PX_PER_MM`. `image` is None for the bare
    mat as it is imagined before it was ever seen.
    """

    image: Image | None
    look: Look
    flat: Image

    def window(self, window: Window) -> Image:
        """A window of the table at its own scale, BGR."""
        if self.image is not None:
            return self.look.rectify(self.image, window)
        scale = FLAT_PX_PER_MM / window.px_per_mm
        matrix = np.array([[scale, 0, window.left_mm * FLAT_PX_PER_MM], [0, scale, window.top_mm * FLAT_PX_PER_MM]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        border = cv2.BORDER_REPLICATE
        return np.asarray(cv2.warpAffine(self.flat, matrix, window.size_px, flags=flags, borderMode=border), np.uint8)

    def keeping(self, earlier: Still, mask: Image) -> Still:
        """The same still, but as an earlier one was where a flat mask says so; in the present light."""
        left, top, width, height = cv2.boundingRect(mask)
        if not width or earlier.image is None or self.image is None:
            return self
        light = Light.between(earlier.flat, self.flat)
        flat, image = self.flat.copy(), self.image.copy()
        cv2.copyTo(light.on(earlier.flat), mask, flat)
        corners = np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])
        here, there = (look.pixels(corners / FLAT_PX_PER_MM).astype(np.float32) for look in (self.look, earlier.look))
        across, down, columns, rows = cv2.boundingRect(here)
        across, down = max(across, 0), max(down, 0)
        size = (min(columns, image.shape[1] - across), min(rows, image.shape[0] - down))
        offset = np.array([across, down], np.float32)
        from_flat = cv2.getPerspectiveTransform((corners - corners[0]).astype(np.float32), here - offset)
        from_earlier = cv2.getPerspectiveTransform(there, here - offset)
        part = mask[top : top + height, left : left + width]
        where = cv2.warpPerspective(part, from_flat, size, flags=cv2.INTER_NEAREST)
        seen = np.asarray(cv2.warpPerspective(earlier.image, from_earlier, size), np.uint8)
        rows_all, columns_all = mask.shape
        old = light.on(seen, (left / columns_all, top / rows_all, width / columns_all, height / rows_all))
        region = image[down : down + size[1], across : across + size[0]]
        region[where > 0] = old[where > 0]
        return Still(image, self.look, flat)


class Glance:
    """Cuts windows from stills, and remembers what it will be asked for again: how a window is cut, and the windows
    of the picture that others are compared with."""

    def __init__(self) -> None:
        self._maps: dict[tuple[Look, Window], Maps] = {}
        self._earlier: dict[Window, Image] = {}
        self._compared: tuple[Still, Image] | None = None
        self._light: Light | None = None

    def now(self, still: Still, window: Window) -> Image:
        """A window of a still, BGR."""
        if still.image is None:
            return still.window(window)
        key = (still.look, window)
        if key not in self._maps:
            if len(self._maps) >= MOST_REMEMBERED:
                self._maps.clear()
            self._maps[key] = still.look.maps(window)
        return still.look.rectify(still.image, window, self._maps[key])

    def light(self, before: Still, now: Still) -> Light:
        """What light has done from an earlier still to one compared with it."""
        if self._compared is None or self._compared[0] is not before or self._compared[1] is not now.flat:
            self._compared, self._earlier = (before, now.flat), {}
            self._light = Light.between(before.flat, now.flat)
        assert self._light is not None  # set with what it compares
        return self._light

    def before(self, before: Still, now: Still, window: Window) -> Image:
        """A window of an earlier still in the light of one compared with it, BGR."""
        light = self.light(before, now)
        if window not in self._earlier:
            high, wide = (side / FLAT_PX_PER_MM for side in now.flat.shape[:2])
            part = (window.left_mm / wide, window.top_mm / high, window.width_mm / wide, window.height_mm / high)
            self._earlier[window] = light.on(self.now(before, window), part)
        return self._earlier[window]


def place(points_mm: Matrix, x_mm: float, y_mm: float, angle_deg: float) -> Matrix:
    """Carry points of a tile's own frame, (n, 2) mm, to where the tile lies."""
    turn = np.radians(angle_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(points_mm @ rotation.T + np.array([x_mm, y_mm]))


def reproject(image: Image, from_px: Matrix, to_px: Matrix) -> Image:
    """A picture of a flat thing whose four corners, (4, 2) pixels, move; same size, the border repeated."""
    matrix = cv2.getPerspectiveTransform(from_px.astype(np.float32), to_px.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.warpPerspective(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
