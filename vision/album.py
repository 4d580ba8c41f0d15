"""A table seen in single photographs, one after every move, instead of a camera's frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.profile import Profile, TablePose
from calibration.tileset import TileSet
from referee.sighting import Facts, SeenTile
from vision.kinds import Image, Kind
from vision.rectify import Look, Still
from vision.search import Search
from vision.settle import Survey
from vision.track import Memory
from vision.watch import UNSURE


class Album:
    """Follows the tiles from photograph to photograph; each comes with the pose in which it shows the table."""

    def __init__(self, profile: Profile, highest: int, kind: Kind, tileset: TileSet | None = None) -> None:
        """Begin an album; `highest` is the largest number on the set's tiles, `tileset` what else is known of it."""
        self.profile = profile
        self._memory = Memory(Survey(Search(kind, profile.shape, highest), profile.mat), tileset)

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """What is believed to lie on the table."""
        return self._memory.tiles

    def facts(self, facts: Facts) -> None:
        """Hear how many copies of each tile there are, and what was confirmed."""
        self._memory.know(facts)

    def begin(self, image: Image, pose: TablePose, tiles: Sequence[SeenTile] = ()) -> None:
        """The first photograph, and the tiles that lie on it."""
        self._memory.begin(self._still(image, pose), tiles)

    def see(self, image: Image, pose: TablePose) -> None:
        """The next photograph: find what has changed; a tile that a second look does not confirm is doubtful.

        The pose may be a few pixels off: the photograph is laid over the one before.
        """
        now = self._memory.aligned(self._still(image, pose))
        change = self._memory.compare(now)
        if not self._memory.confirms(now, now, change):
            doubtful = tuple(replace(tile, confidence=min(tile.confidence, UNSURE)) for tile in change.found)
            change = replace(change, found=doubtful)
        self._memory.commit(now, change)

    def _still(self, image: Image, pose: TablePose) -> Still:
        return self._memory.survey.still(image, Look(self.profile.camera, pose, self.profile.shape.thickness_mm))
