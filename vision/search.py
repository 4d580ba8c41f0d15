"""Finding the tiles in what has changed: one new tile as a rule, many at once when the eye comes late."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import Reading, SeenTile
from referee.tiles import Shape, smallest_rotation
from vision import differences, outlines
from vision.kinds import FaceReading, Image, Kind
from vision.outlines import Scene, Template
from vision.rectify import FLAT_PX_PER_MM, Still, Window

FINE_PX_PER_MM = 2.5
MARGIN_MM = 24.0  # round a tile's reach: where its centre may be when the change was found off centre
NEAR_MM = 22.0
LEAST_EDGE, LEAST_INSIDE = 0.45, 0.6
QUICK_EDGE, QUICK_INSIDE = 0.7, 0.8  # a pose known beforehand is taken only where it fits this well
LEAST_EDGE_UNREAD = 0.6  # what cannot be read must at least have a tile's outline
MOST_OVERLAP = 0.12
CLEAR = 0.9
CROWD_TILES = 1.8  # a change larger than this is more than one tile
CROWD_STEP_MM = 4.0
CROWD_REACH_MM = 120.0


def pose_of(tile: SeenTile) -> Matrix:
    """The pose of a tile as a row (x_mm, y_mm, angle_deg)."""
    return np.array([tile.x_mm, tile.y_mm, tile.angle_deg])


def poses_of(tiles: Sequence[SeenTile]) -> Matrix:
    """The poses of tiles, (n, 3)."""
    return np.array([pose_of(tile) for tile in tiles]).reshape(-1, 3)


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


class Search:
    """Finds and reads the tiles of one set."""

    def __init__(self, kind: Kind, shape: Shape, highest: int) -> None:
        self.kind = kind
        self.shape = shape
        self.highest = highest
        self.template = Template.of(kind, shape)
        self.polarity = 0  # +1 when the set is brighter than what it lies on, -1 when darker, 0 not known yet

    def read(self, still: Still, pose: Matrix) -> FaceReading:
        """Read the face at a pose."""
        assert still.image is not None  # only the imagined bare mat has no image; it has no faces
        face = still.look.face(still.image, self.kind, self.shape, *pose)
        return self.kind.read(face, self.highest)

    def refit(self, still: Still, pose: Matrix) -> Matrix:
        """The pose to which a tile was nudged, or the same where its outline fits no better than before."""
        scene = self._surroundings(still, pose)
        before = outlines.score(self.template, scene, pose[None]).total(self.polarity)
        steps = ((1.0, 1.5), *outlines.FINE_STEPS)
        poses, totals = outlines.refine(self.template, scene, pose[None], self.polarity, steps)
        if totals[0] < max(before[0] + 0.02, LEAST_EDGE):
            return pose
        return np.asarray(outlines.polish(self.template, scene, poses, self.polarity)[0])

    def one(
        self,
        now: Still,
        before: Still,
        at_mm: tuple[float, float],
        there: Sequence[SeenTile],
        hints: Sequence[SeenTile],
    ) -> SeenTile | None:
        """The tile round a point that has changed, None when nothing there looks like one.

        Args:
            there: tiles that lie there already; a new one lies beside them, not on them.
            hints: tiles that probably lie at these poses; tried first.
        """
        x_mm, y_mm = at_mm
        scene = self._changes(
            now, before, Window.around(x_mm, y_mm, self.template.reach_mm + MARGIN_MM, FINE_PX_PER_MM)
        )
        near = _near(poses_of(hints), at_mm)
        if len(near):
            tile = self._choose(now, scene, near, there, quick=True)
            if tile is not None and tile.confidence > CLEAR:
                return tile
        cells = _near(outlines.cell_starts(self.template, poses_of(there)), at_mm)
        free = outlines.free_starts(self.template, x_mm, y_mm)
        starts = np.concatenate([self._best(scene, free, 4), self._best(scene, np.concatenate([cells, near]), 3)])
        tile = self._choose(now, scene, starts, there)
        if tile is not None and tile.confidence > CLEAR:
            return tile
        starts = self._best(scene, np.concatenate([free, cells, near]), 20)  # worth the time when the few gave nothing
        other = self._choose(now, scene, starts, there, most=8)
        return max((choice for choice in (tile, other) if choice), key=lambda choice: choice.confidence, default=None)

    def crowd(self, now: Still, before: Still, mask: Image, there: Sequence[SeenTile]) -> list[SeenTile]:
        """The tiles in a large change that can be read clearly.

        Args:
            mask: the change, a mask over the mat as flat as the stills' `flat`.
        """
        scale = FLAT_PX_PER_MM
        left, top, width, height = (value / scale for value in cv2.boundingRect(mask))
        rim = self.template.reach_mm + 4.0
        window = Window(left - rim, top - rim, width + 2 * rim, height + 2 * rim, FINE_PX_PER_MM)
        scene = self._changes(now, before, window)
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        step = round(CROWD_STEP_MM * scale)
        rows, columns = np.nonzero(depth[::step, ::step] > 0.6 * self.template.inner_mm * scale)
        angles = np.arange(0.0, self.template.symmetry_deg, outlines.FREE_STEP_DEG)
        at = np.repeat(np.column_stack([columns, rows]) * step / scale, len(angles), axis=0)
        starts = np.column_stack([at, np.tile(angles, len(rows))])
        if not len(starts):
            return []
        most = max(12, round(5 * float(np.count_nonzero(mask)) / scale**2 / self.template.area_mm2))
        poses, _ = outlines.refine(self.template, scene, self._best(scene, starts, most), self.polarity)
        poses = outlines.polish(self.template, scene, poses, self.polarity)
        return self._greedy(now, scene, poses, there)

    def _greedy(self, now: Still, scene: Scene, poses: Matrix, there: Sequence[SeenTile]) -> list[SeenTile]:
        """Take the clear pose that fits best, then the best of those beside it, and so on."""
        scores = outlines.score(self.template, scene, poses)
        totals = scores.total(self.polarity)
        edges = scores.edge * self.polarity if self.polarity else np.abs(scores.edge)
        candidates = []
        for row in np.flatnonzero((edges >= LEAST_EDGE_UNREAD) & (scores.inside >= LEAST_INSIDE)):
            if self._is_free(poses[row], there):
                tile = seen_tile(self.kind.name, poses[row], self.read(now, poses[row]))
                if tile.confidence > CLEAR:
                    candidates.append((float(totals[row]) + 0.5 * tile.confidence, scores.edge[row], tile))
        found: list[SeenTile] = []
        for _, edge, tile in sorted(candidates, key=lambda candidate: -candidate[0]):
            if self._is_free(pose_of(tile), found):
                found.append(tile)
                self._learn_polarity(edge)
        return found

    def _learn_polarity(self, edge: float) -> None:
        """Remember from the first clear tile whether the set is brighter or darker than what it lies on."""
        self.polarity = self.polarity or (1 if edge > 0 else -1)

    def _best(self, scene: Scene, starts: Matrix, most: int) -> Matrix:
        """The most promising start poses that differ from each other."""
        totals = outlines.score(self.template, scene, starts).total(self.polarity)
        return starts[outlines.distinct(self.template, starts, totals, most)]

    def _choose(
        self,
        now: Still,
        scene: Scene,
        starts: Matrix,
        there: Sequence[SeenTile],
        quick: bool = False,
        most: int = 3,
    ) -> SeenTile | None:
        """Refine start poses and choose pose and value together among the best few."""
        template, polarity = self.template, self.polarity
        least_edge, least_inside = (QUICK_EDGE, QUICK_INSIDE) if quick else (LEAST_EDGE, LEAST_INSIDE)
        poses, totals = outlines.refine(template, scene, starts, polarity, outlines.COARSE_STEPS)
        best = outlines.distinct(template, poses, totals, most)
        poses, totals = outlines.refine(template, scene, poses[best], polarity, outlines.FINE_STEPS)
        poses = outlines.polish(template, scene, poses, polarity)
        scores = outlines.score(template, scene, poses)
        edges = scores.edge * polarity if polarity else np.abs(scores.edge)
        chosen: tuple[float, float, SeenTile] | None = None
        for row in np.argsort(-totals):
            if edges[row] < least_edge or scores.inside[row] < least_inside or not self._is_free(poses[row], there):
                continue
            if chosen is not None and (chosen[2].confidence > CLEAR or totals[row] < totals.max() - 0.4):
                break
            tile = seen_tile(self.kind.name, poses[row], self.read(now, poses[row]))
            if not tile.confidence and edges[row] < LEAST_EDGE_UNREAD:
                continue
            worth = float(totals[row]) + 0.5 * tile.confidence
            if chosen is None or worth > chosen[0]:
                chosen = (worth, float(scores.edge[row]), tile)
        if chosen is None:
            return None
        if chosen[2].confidence > CLEAR:
            self._learn_polarity(chosen[1])
        return chosen[2]

    def _is_free(self, pose: Matrix, there: Sequence[SeenTile]) -> bool:
        return all(outlines.overlap(self.template, pose, pose_of(tile)) <= MOST_OVERLAP for tile in there)

    def _changes(self, now: Still, before: Still, window: Window) -> Scene:
        """A window of the table with what has changed in it."""
        picture = now.window(window)
        earlier = differences.alike(before.window(window), picture)
        return Scene.of(picture, differences.difference(picture, earlier), window)

    def _surroundings(self, still: Still, pose: Matrix) -> Scene:
        """A window round a tile, its outlines alone."""
        window = Window.around(float(pose[0]), float(pose[1]), self.template.reach_mm + 6.0, FINE_PX_PER_MM)
        return Scene.of(still.window(window), None, window)


def _near(poses: Matrix, at_mm: tuple[float, float]) -> Matrix:
    """The poses whose centres are near a point."""
    return poses[np.hypot(poses[:, 0] - at_mm[0], poses[:, 1] - at_mm[1]) < NEAR_MM]
