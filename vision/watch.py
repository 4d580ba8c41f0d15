"""The eye at the table: frames in, sightings out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import numpy as np

from calibration.profile import Profile, TablePose
from calibration.tileset import TileSet
from referee.seen.zones import Zone
from referee.sighting import CameraStatus, Facts, SeenTile, Sighting, Visit
from referee.tiles import DOMINO
from vision.arms import Presence
from vision.frames import Frame
from vision.kinds import Image, Kind
from vision.motion import PATIENCE_S, Gate, Stance
from vision.rectify import Still, reproject
from vision.search import Search
from vision.settle import Change, Survey, alike, same
from vision.standpoint import Standpoint
from vision.track import Memory
from vision.witness import Witness

AGREE = 3  # still frames: one that is searched, two that confirm what it shows
GIVE_UP, GIVE_UP_WHOLE = 12, 6  # still frames without agreement about a tile or two, and about many
UNSURE = 0.5
AT_EDGE_MM = 6.0
VISITS = 8
CHECK_S = 0.7  # between two looks at the markers
LOST_CHECKS = 2  # in a row; once they may all be under a sleeve
EDGE_CHECK_S = 0.4  # between two looks at what reaches in over the mat's edge
LOOKS_AGAIN_S = (0.6, 2.0)  # after a rest, where something new was no tile: the light may have been changing yet
MANY = 4  # tiles that came at once: read as a whole, and hardly ever confirmed one by one
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
        witness: Witness | None = None,
    ) -> None:
        """Begin to watch.

        Args:
            highest: the largest number on the set's tiles.
            epoch: names this run of the eye; by default a fresh one.
            tileset: what is known of the set; without it the referee's facts say how many there are of each tile.
            witness: takes pictures of the tiles that come; without one there are none.
        """
        self.profile = profile
        self.epoch = epoch or uuid4().hex
        self.busy = True
        self.settle = 0
        self.visits: deque[Visit] = deque(maxlen=VISITS)
        self._memory = Memory(Survey(Search(kind, profile.shape, highest), profile.mat), tileset)
        self._standpoint = Standpoint(profile)
        self._witness = witness
        self._gate: Gate | None = None
        self._zones: tuple[Zone, ...] = ()
        self._pending: tuple[Still, Change] | None = None
        self._agreeing = 0
        self._looked_at_s = 0.0
        self._tries = 0
        self._number = -1
        self._time_s = 0.0
        self._news = True
        self.camera = CameraStatus.OK
        self._visit: Presence | None = None
        self._ended: list[Visit] = []
        self._visited = 0
        self._check_at_s = 0.0
        self._looks_at_s: tuple[float, ...] = ()
        self._check_edge_at_s = 0.0
        self._things: tuple[tuple[float, float, float], ...] = ()  # (x_mm, y_mm, radius_mm) at the last rest
        self._lost_checks = 0  # in a row, in which nobody could tell how the camera stands
        self._obstructed = 0

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """What is believed to lie on the table."""
        return self._memory.tiles

    def facts(self, facts: Facts) -> None:
        """Hear from the referee which tiles lie where; believed where a tile is seen to lie."""
        if self._memory.know(facts):
            self._news = True
        if facts.zones != self._zones:
            self._zones = facts.zones
            self._expect_heaps()

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
        self._keep_in_step(frame)
        if not stance.still or self._lost_checks:
            self._forget()
            if not self.busy and (stance.hand or stance.changed):
                self.busy, self._news = True, True
        elif (self.busy or stance.changed or self._looks_again(frame)) and self._agreed(frame):
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
        """Find the mat before anything else."""
        pose = self._standpoint.find(frame.image)
        if pose is not None:
            self._stand(pose)
        return pose is not None

    def _stand(self, pose: TablePose) -> None:
        """Take a pose of the mat as the present one; what has changed is still told against the last rest."""
        profile, mat, rest = self.profile, self.profile.mat, self._memory.rest
        tile_mm2 = profile.shape.length_mm * profile.shape.width_mm * (1.0 if profile.shape.kind == DOMINO else 0.5)
        corners = self._standpoint.take(pose)
        size_px = profile.camera.width, profile.camera.height
        self._gate = Gate(corners, size_px, tile_mm2 / (mat.width_mm * mat.height_mm), self._gate)
        self._expect_heaps()
        if rest is not None and rest.image is not None:
            carried = reproject(rest.image, self._standpoint.corners(rest.look.pose), corners)
            self._gate.rest(carried, is_carried=True)

    def _expect_heaps(self) -> None:
        """Tell the gate where many tiles may be laid down at once."""
        if self._gate is not None:
            size = np.array([self.profile.mat.width_mm, self.profile.mat.height_mm])
            corners = (np.array(zone.corners_mm) for zone in self._zones)
            self._gate.expect_heaps([2.0 * each / size - 1.0 for each in corners])

    def _keep_in_step(self, frame: Frame) -> None:
        """Check the markers from time to time, and once more before the table counts as being at rest."""
        if self.settle and frame.time_s >= self._check_at_s:
            self._check_at_s = frame.time_s + CHECK_S
            self._check_table(frame)

    def _check_table(self, frame: Frame) -> None:
        """See whether the camera was pushed; then nothing counts until the table is found again and at rest."""
        step = self._standpoint.check(frame.image, self._memory.rest)
        self._lost_checks = self._lost_checks + 1 if step.is_lost else 0
        if step.pose is not None:
            self._stand(step.pose)
        if step.pose is not None or step.shaken:
            self._correct(frame.image)
        if step.pose is not None or self._lost_checks == LOST_CHECKS:
            self._forget()
            self._visit = None  # what looked like a hand was the table passing by
            self.busy, self._news, self.camera = True, True, CameraStatus.MOVED

    def _correct(self, image: Image) -> None:
        """Follow a camera that gave way a little, told by all that has stayed on the table."""
        assert self._standpoint.look is not None  # the table was found before
        now = self._memory.survey.still(image, self._standpoint.look)
        look = self._memory.aligned(now).look
        if look is not self._standpoint.look:
            self._stand(look.pose)

    # Hands

    def _follow(self, stance: Stance, frame: Frame) -> None:
        """Keep the record of the hand's visits."""
        if stance.hand:
            if self._visit is None:
                self._visit = Presence(frame.time_s)
            self._visit.note(frame.time_s, stance.arms)
        elif self._visit is not None and not stance.moving:
            self._visited += 1
            self._ended.append(self._visit.ended(self._visited))
            self._visit = None

    # Coming to rest

    def _agreed(self, frame: Frame) -> bool:
        """Look at one more still frame; True when enough of them agree and the table has come to rest."""
        memory = self._memory
        if self._pending is None and self.settle:
            self._check_table(frame)
            if self._lost_checks:
                return False
        before = self._pending
        if self._confirmed(frame):
            self._agreeing += 1
        elif not self._look_anew(frame):
            return False
        assert self._pending is not None  # confirmed, or looked at anew
        whole = not self.settle or len(self._pending[1].found) >= MANY
        if self._agreeing == 1 and whole and before is not None and alike(before[1], self._pending[1]):
            self._agreeing += 1  # all was read twice, and twice the same
        self._tries += 1
        if self._agreeing < AGREE and self._tries < (GIVE_UP_WHOLE if whole else GIVE_UP):
            return False
        now, change = self._pending
        if self.settle and self._reaches_in(change) and frame.time_s < self._looked_at_s + PATIENCE_S:
            self._look_whether_it_left(frame)
            return False
        if self._agreeing < AGREE:
            change = _doubted(change, before[1].found if whole and before is not None else ())
        if self._witness is not None and memory.rest is not None:
            found = self._witness.seen(memory.rest, now, change.found, memory.survey.search.template)
            change = replace(change, found=found)
        memory.commit(now, change)
        self._came_to_rest(change, frame.time_s)
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
        assert self._standpoint.look is not None  # the table was found before
        memory, hints = self._memory, self._pending[1].found if self._pending else ()
        now = memory.survey.still(frame.image, self._standpoint.look)
        if not self.settle and self._obstructed < OBSTRUCTED_TRIES and memory.obstructed(now):
            self._obstructed += 1
            return False
        self._pending, self._agreeing = (now, memory.compare(now, hints)), 1
        self._looked_at_s = frame.time_s
        return True

    def _look_whether_it_left(self, frame: Frame) -> None:
        """Look again at what reaches in over the edge: of its own colour, the mat does not show it leave."""
        if frame.time_s >= self._check_edge_at_s:
            self._check_edge_at_s = frame.time_s + EDGE_CHECK_S
            since_s = self._looked_at_s
            self._look_anew(frame)
            if self._pending is not None and self._reaches_in(self._pending[1]):
                self._looked_at_s = since_s

    def _looks_again(self, frame: Frame) -> bool:
        """Whether a second look at what was no tile at the last rest has found one, which more frames will confirm."""
        if self._pending is not None or not self._looks_at_s or frame.time_s < self._looks_at_s[0]:
            return self._pending is not None
        self._looks_at_s = self._looks_at_s[1:]
        self._look_anew(frame)
        if self._pending is not None and not self._pending[1].found:
            self._forget()
        return False

    def _reaches_in(self, change: Change) -> bool:
        """Whether all that is new is something at the mat's edge that is no tile: a fingertip, a sleeve.

        What lay there at the last rest already is none.
        """
        mat = self.profile.mat
        at_edge = (
            min(x_mm, y_mm, mat.width_mm - x_mm, mat.height_mm - y_mm) < radius_mm + AT_EDGE_MM
            for x_mm, y_mm, radius_mm in change.unexplained
            if all(np.hypot(x_mm - left, y_mm - top) > radius_mm for left, top, _ in self._things)
        )
        return not change.found and any(at_edge)

    def _forget(self) -> None:
        """What still frames have told so far no longer counts."""
        self._pending, self._agreeing, self._tries = None, 0, 0

    def _came_to_rest(self, change: Change, time_s: float) -> None:
        """Count the rest and say so."""
        self._forget()
        self.settle += 1
        self.busy, self._news, self.camera = False, True, CameraStatus.OK
        self._things = change.unexplained
        self._looks_at_s = tuple(time_s + after_s for after_s in LOOKS_AGAIN_S) if self._memory.is_puzzled else ()
        if self._ended:
            last = replace(self._ended.pop(), appeared=len(change.found), gone=len(change.gone))
            self.visits.extend([*self._ended, last])
            self._ended.clear()


def _doubted(change: Change, before: Sequence[SeenTile]) -> Change:
    """A change about which frames did not agree, each new tile doubtful unless it was found in the frame before too."""
    found = (
        tile if any(same(tile, other) for other in before) else replace(tile, confidence=min(tile.confidence, UNSURE))
        for tile in change.found
    )
    return replace(change, found=tuple(found))
