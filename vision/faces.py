"""What the faces of one set of tiles show, in the light of what is known of the set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from calibration.profile import Matrix
from calibration.tileset import TileSet
from referee.sighting import Reading, SeenTile
from referee.tiles import smallest_rotation
from vision.kinds import Expectation, FaceReading, Feet, Image, Kind, Marks

CLEAR = 0.9
SETTLED = 0.95  # so clear must a doubtful face become by the tiles that are left: below, some were read wrong
LEAST_SETTLED = 0.4  # how clear it must be without them: at a wrong pose any tile may seem to be there


class Faces:
    """Reads the faces of one set."""

    def __init__(self, kind: Kind, highest: int) -> None:
        self.kind = kind
        self.highest = highest
        self.tileset: TileSet | None = None  # what is known of the set in play

    def read(self, face: Image, lying: Iterable[tuple[int, ...]] | None = None) -> FaceReading:
        """Read a canonical face.

        What is left of the set settles a doubtful reading where it makes one of the two likeliest tiles very
        clear; else it only puts what may be read in another order.

        Args:
            lying: the numbers of all other tiles that lie on the table; None when they are to tell nothing.
        """
        tileset, printed = self.tileset, self._printed()
        plain = self.kind.read(face, self.highest, printed)
        if tileset is None or lying is None or not plain.values or not LEAST_SETTLED < plain.confidence <= CLEAR:
            return plain
        weighed = self.kind.read(face, self.highest, replace(printed, unseen=tileset.unseen(lying)))
        if weighed.confidence > SETTLED and weighed.values in [reading.values for reading in plain.readings[:2]]:
            return weighed
        return replace(weighed, confidence=min(weighed.confidence, plain.confidence)) if weighed.values else plain

    def _printed(self) -> Expectation:
        """What is known of the print on every tile."""
        marks, feet = (self.tileset.marks, self.tileset.feet) if self.tileset is not None else (None, None)
        return Expectation(Marks(marks) if marks else None, Feet(feet) if feet else None)


def pose_of(tile: SeenTile) -> Matrix:
    """The pose of a tile as a row (x_mm, y_mm, angle_deg)."""
    return np.array([tile.x_mm, tile.y_mm, tile.angle_deg])


def placed(tile: SeenTile, pose: Matrix) -> SeenTile:
    """The same tile at another pose."""
    x_mm, y_mm, angle = (round(float(value), 2) for value in pose)
    return replace(tile, x_mm=x_mm, y_mm=y_mm, angle_deg=(angle + 180.0) % 360.0 - 180.0)


def seen_tile(kind: str, pose: Matrix, reading: FaceReading) -> SeenTile:
    """A tile from the pose its face was cut with and what the face showed, turned to its smallest rotation."""
    values, angle = reading.values, float(pose[2])
    readings = reading.readings
    if values:
        first = smallest_rotation(values)
        turns = next(turn for turn in range(len(values)) if values[turn:] + values[:turn] == first)
        angle += turns * 360.0 / len(values)
        readings = tuple(Reading(r.values[turns:] + r.values[:turns], r.probability) for r in readings)
        values = first
    angle = (angle + 180.0) % 360.0 - 180.0
    place = (round(float(pose[0]), 2), round(float(pose[1]), 2), round(angle, 2))
    return SeenTile(kind, values, *place, reading.face_up, round(reading.confidence, 4), readings)
