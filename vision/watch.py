"""The eye at the table: frames in, sightings out."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from uuid import uuid4

import cv2
import numpy as np

from calibration.profile import Matrix, Profile, TablePose
from calibration.table import (
    ENOUGH_MARKERS,
    check_markers,
    find_markers,
    find_pose,
    marker_corners,
    pose_from_markers,
    project,
)
from calibration.tileset import TileSet
from referee.sighting import CameraStatus, Facts, SeenTile, Sighting, Visit
from referee.tiles import DOMINO
from vision.frames import Frame
from vision.kinds import Image, Kind
from vision.motion import PATIENCE_S, Gate, Stance
from vision.rectify import Look, Still, reproject
from vision.search import Search
from vision.settle import Change, Survey
from vision.track import Memory

AGREE = 3  # still frames: one that is searched, two that confirm what it shows
GIVE_UP = 12  # still frames without agreement
UNSURE = 0.5
AT_EDGE_MM = 6.0
VISITS = 8
BUMP_AFTER_S = 0.5
ALIKE_LEVELS = 8.0  # a marker that moved by a pixel differs by more on average
LEAST_SHAKE_PX = 0.4  # by less than this markers may be off by chance
OBSTRUCTED_TRIES = 120  # frames to wait at the start for a hand to leave


class Watcher:
    """Watches one table: motion gate, differential detection, agreement of still frames."""

    def __init__(
        self,
        profile: Profile,
        highest: int,
        kind: Kind,
        epoch: str | None = None,
        tileset: TileSet | None = None,
    ) -> None:
        """Begin to watch.

        Args:
            highest: the largest number on the set's tiles.
            epoch: names this run of the eye; by default a fresh one.
            tileset: what is known of the set; without it the referee's facts say how many there are of each tile.
        """
        self.profile = profile
        self.epoch = epoch or uuid4().hex
        self.busy = True
        self.settle = 0
        self.visits: deque[Visit] = deque(maxlen=VISITS)
        self._memory = Memory(Survey(Search(kind, profile.shape, highest), profile.mat), tileset)
        self._look: Look | None = None
        self._gate: Gate | None = None
        self._marker_parts: list[tuple[slice, slice]] = []  # of the camera image: where the markers are seen
        self._pending: tuple[Still, Change] | None = None
        self._agreeing = 0
        self._looked_at_s = 0.0
        self._tries = 0
        self._number = -1
        self._time_s = 0.0
        self._news = True
        self.camera = CameraStatus.OK
        self._visit: _Presence | None = None
        self._ended: list[Visit] = []
        self._visited = 0
        self._check_at_s = 0.0
        self._moved = False
        self._obstructed = 0

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """What is believed to lie on the table."""
        return self._memory.tiles

    def facts(self, facts: Facts) -> None:
        """Hear from the referee which tiles lie where; believed where a tile is seen to lie."""
        if self._memory.know(facts):
            self._news = True

    def see(self, frame: Frame) -> Sighting | None:
        """Look at the next frame; a sighting when there is something new to say.

        A frame with the number of the one before is that frame again and tells nothing.
        """
        if frame.number == self._number:
            return self._told()
        self._number, self._time_s = frame.number, frame.time_s
        if self._gate is None and not self._find_table(frame):
            return self._told()
        assert self._gate is not None  # found just above
        stance = self._gate.step(frame.image, frame.time_s)
        self._follow(stance, frame)
        if not stance.still:
            self._forget()
            if not self.busy and (stance.hand or stance.changed):
                self.busy, self._news = True, True
        elif (self.busy or stance.changed) and self._agreed(frame):
            self._gate.rest(frame.image)
        return self._told()

    def sighting(self) -> Sighting:
        """Everything believed now."""
        return Sighting(
            self.epoch, self.settle, self._time_s, self._memory.tiles, self.busy, tuple(self.visits), self.camera
        )

    def _told(self) -> Sighting | None:
        if not self._news:
            return None
        self._news = False
        return self.sighting()

    # The table

    def _find_table(self, frame: Frame) -> bool:
        """Find the mat before anything else; without its markers fall back on the profile's pose."""
        pose = find_pose(frame.image, self.profile.camera, self.profile.mat, self.profile.pose) or self.profile.pose
        if pose is not None:
            self._stand(pose)
        return pose is not None

    def _stand(self, pose: TablePose) -> None:
        """Take a pose of the mat as the present one."""
        profile, mat = self.profile, self.profile.mat
        self._look = Look(profile.camera, pose, profile.shape.thickness_mm)
        tile_mm2 = profile.shape.length_mm * profile.shape.width_mm * (1.0 if profile.shape.kind == DOMINO else 0.5)
        size = (profile.camera.width, profile.camera.height)
        self._marker_parts = []
        for corners in marker_corners(mat).values():
            pixels = project(corners, 0.0, profile.camera, pose)
            (left, top), (right, bottom) = np.maximum(pixels.min(axis=0), 0).astype(int), pixels.max(axis=0).astype(int)
            self._marker_parts.append(np.s_[top : bottom + 1 : 3, left : right + 1])  # some rows tell
        self._gate = Gate(self._corners(pose), size, tile_mm2 / (mat.width_mm * mat.height_mm))

    def _check_table(self, frame: Frame) -> bool:
        """Compare the markers with the pose we hold and correct it; True when the camera was pushed noticeably."""
        assert self._look is not None  # the table was found before
        if self._markers_look_alike(frame.image):
            return False
        camera, mat, pose = self.profile.camera, self.profile.mat, self._look.pose
        grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        found = find_markers(grey, camera, mat, pose)
        check = check_markers(found, camera, mat, pose)
        moved = pose_from_markers(found, camera, mat) if check.moved else None
        if moved is not None:
            self._stand_elsewhere(moved)
        if moved is not None or check.most_px > LEAST_SHAKE_PX:
            self._correct(frame.image)
        return moved is not None

    def _correct(self, image: Image) -> None:
        """Follow a camera that gave way a little, told by all that has stayed on the table."""
        assert self._look is not None  # the table was found before
        now = self._memory.survey.still(image, self._look)
        look = self._memory.aligned(now).look
        if look is not self._look:
            self._stand_elsewhere(look.pose)

    def _stand_elsewhere(self, pose: TablePose) -> None:
        """Take another pose; what has changed is still told against the last rest."""
        self._stand(pose)
        rest = self._memory.rest
        if rest is not None and rest.image is not None:
            assert self._gate is not None  # set by `_stand`
            self._gate.rest(reproject(rest.image, self._corners(rest.look.pose), self._corners(pose)))

    def _markers_look_alike(self, image: Image) -> bool:
        """The cheap check: most markers look as they did at the last rest, so the camera has not moved."""
        rest = self._memory.rest
        if rest is None or rest.image is None or rest.look is not self._look:
            return False
        alike = 0
        for part in self._marker_parts:
            alike += image[part].size > 0 and float(cv2.absdiff(image[part], rest.image[part]).mean()) < ALIKE_LEVELS
        return alike >= ENOUGH_MARKERS

    def _corners(self, pose: TablePose) -> Matrix:
        """The mat's corners in the camera image, (4, 2) pixels, clockwise from table (0, 0)."""
        width, height = self.profile.mat.width_mm, self.profile.mat.height_mm
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        return project(corners, 0.0, self.profile.camera, pose)

    # Hands

    def _follow(self, stance: Stance, frame: Frame) -> None:
        """Keep the record of the hand's visits."""
        if stance.hand:
            if self._visit is None:
                self._visit = _Presence(frame.time_s)
            self._visit.note(frame.time_s, stance.reach)
            self._suspect_bump(stance, frame)
        elif self._visit is not None and not stance.moving:
            self._visited += 1
            self._ended.append(self._visit.ended(self._visited))
            self._visit = None

    def _suspect_bump(self, stance: Stance, frame: Frame) -> None:
        """A "hand" that holds quite still may be a camera that was pushed; the markers know."""
        if stance.moving:
            self._check_at_s = frame.time_s + BUMP_AFTER_S
        elif frame.time_s >= self._check_at_s:
            self._check_at_s = float("inf")
            if self._check_table(frame):
                self._moved, self._visit = True, None

    # Coming to rest

    def _agreed(self, frame: Frame) -> bool:
        """Look at one more still frame; True when enough of them agree and the table has come to rest."""
        assert self._look is not None  # the table was found before
        memory = self._memory
        if self._pending is None and self.settle:
            self._moved |= self._check_table(frame)
        if self._confirmed(frame):
            self._agreeing += 1
        elif not self._look_anew(frame):
            return False
        assert self._pending is not None  # confirmed, or looked at anew
        self._tries += 1
        if self._agreeing < AGREE and self._tries < GIVE_UP:
            return False
        now, change = self._pending
        if self.settle and self._reaches_in(change) and frame.time_s < self._looked_at_s + PATIENCE_S:
            return False
        if self._agreeing < AGREE:
            doubtful = tuple(replace(tile, confidence=min(tile.confidence, UNSURE)) for tile in change.found)
            change = replace(change, found=doubtful)
        memory.commit(now, change)
        self._came_to_rest(change)
        return True

    def _confirmed(self, frame: Frame) -> bool:
        """Whether one more still frame shows what the first one did: the second is examined, the third compared."""
        if self._pending is None:
            return False
        first, change = self._pending
        now = replace(first, image=frame.image)
        if self._agreeing > 1:
            return self._memory.survey.still_shows(now, first, change)
        return self._memory.confirms(now, first, change)

    def _look_anew(self, frame: Frame) -> bool:
        """Look at the whole table, False while a hand hides it at the start; further frames only confirm."""
        assert self._look is not None  # the table was found before
        memory, hints = self._memory, self._pending[1].found if self._pending else ()
        now = memory.survey.still(frame.image, self._look)
        if not self.settle and self._obstructed < OBSTRUCTED_TRIES and memory.obstructed(now):
            self._obstructed += 1
            return False
        self._pending, self._agreeing = (now, memory.compare(now, hints)), 1
        self._looked_at_s = frame.time_s
        return True

    def _reaches_in(self, change: Change) -> bool:
        """Whether all that is new is something at the mat's edge that is no tile: a fingertip, a sleeve."""
        mat = self.profile.mat
        at_edge = (
            min(x_mm, y_mm, mat.width_mm - x_mm, mat.height_mm - y_mm) < radius_mm + AT_EDGE_MM
            for x_mm, y_mm, radius_mm in change.unexplained
        )
        return not change.found and any(at_edge)

    def _forget(self) -> None:
        """What still frames have told so far no longer counts."""
        self._pending, self._agreeing, self._tries = None, 0, 0

    def _came_to_rest(self, change: Change) -> None:
        """Count the rest and say so."""
        self._forget()
        self.settle += 1
        self.busy, self._news = False, True
        self.camera, self._moved = (CameraStatus.MOVED if self._moved else CameraStatus.OK), False
        if self._ended:
            last = replace(self._ended.pop(), appeared=len(change.found), gone=len(change.gone))
            self.visits.extend([*self._ended, last])
            self._ended.clear()


class _Presence:
    """A hand while it is over the table."""

    def __init__(self, from_s: float) -> None:
        self.from_s = from_s
        self._to_s = from_s
        self._reach = np.zeros(2)
        self._reaches = 0

    def note(self, time_s: float, reach: tuple[float, float] | None) -> None:
        """The hand is still there, reaching in from this side."""
        self._to_s = time_s
        if reach is not None:
            self._reach += reach
            self._reaches += 1

    def ended(self, number: int) -> Visit:
        """The whole visit, once the hand has gone."""
        clear = self._reaches > 0 and float(np.linalg.norm(self._reach)) > 0.5 * self._reaches
        degrees = round(float(np.degrees(np.arctan2(self._reach[1], self._reach[0]))), 1) if clear else None
        return Visit(number, self.from_s, self._to_s, degrees, 0, 0)
