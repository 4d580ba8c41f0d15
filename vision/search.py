"""Finding the tiles in what has changed: one new tile as a rule, many at once when the eye comes late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np

from calibration.profile import Matrix
from referee.sighting import SeenTile
from referee.tiles import Shape, smallest_rotation
from vision import differences, outlines
from vision.beside import pushed_out
from vision.faces import CLEAR, Faces, pose_of, seen_tile
from vision.kinds import FaceReading, Image, Kind
from vision.outlines import Scene, Scores, Template
from vision.rectify import Glance, Still, Window, place

FINE_PX_PER_MM = 2.5
MARGIN_MM = 24.0  # round a tile's reach: where its centre may be when the change was found off centre
NEAR_MM = 22.0
LEAST_EDGE, LEAST_INSIDE = 0.45, 0.6
QUICK_EDGE, QUICK_INSIDE = 0.7, 0.8  # a pose known beforehand is taken only where it fits this well
LEAST_EDGE_UNREAD = 0.6  # what cannot be read must at least have a tile's outline
MOST_OVERLAP = 0.12
PUSHED_OUT_MM = (0.4, 0.8)
VERY_CLEAR = 0.99
LEAST_ALIKE = 0.3  # a face that is read as it was, however unclearly, is hardly the bare mat
SIZES = (0.94, 0.96, 0.98, 1.0, 1.02, 1.04)  # real tiles against what the profile says
SIZES_APART = 0.03  # at most, of two tiles of one set
SIZE_GAIN = 0.03  # by which the outline must be clearer in another size than in the one believed
FIRST_STEPS = ((1.0, 2.0), (0.5, 1.0))
ENOUGH_SIZED = 3  # clear tiles; from then on no other size is tried
MOST_MEASURED = 6  # clear tiles, whose middle size is believed
SIZE_STEP = 0.02
LEAST_BRIGHTER = 8.0  # grey levels, or none could say whether a tile or what is round it is the brighter one
SAME_FACE = 0.9  # correlation of two cuts of one face, noise and all
ASIDE = 0.1  # of a tile's length and width: how far aside something unchanged may seem to lie
SAME_THING = 0.75
COARSELY = 3  # one in so many points of the template tells poses apart that differ widely
STILL_THERE_MM, STILL_THERE_DEG = 2.0, 4.0  # how near it must be reached again
PUSH = np.array([1.2, -0.9, 2.5])  # from which a pose must be found again
EDGE_LOST = 0.2
CONFIRM_STEPS = ((1.0, 2.0), (0.5, 1.0), (0.25, 0.5))


def poses_of(tiles: Sequence[SeenTile]) -> Matrix:
    """The poses of tiles, (n, 3)."""
    return np.array([pose_of(tile) for tile in tiles]).reshape(-1, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two stills of one table, and what is known of the tiles.

    `there` lie where they lay, a new one lies beside them; `gone` lay in the earlier still and are hardly
    seen there now; `hints` are tiles that probably lie at these poses now.
    """

    now: Still
    before: Still
    there: tuple[SeenTile, ...] = ()
    gone: tuple[SeenTile, ...] = ()
    hints: tuple[SeenTile, ...] = ()


class Search:
    """Finds and reads the tiles of one set."""

    def __init__(self, kind: Kind, shape: Shape, highest: int) -> None:
        self.kind = kind
        self.shape = shape
        self.faces = Faces(kind, highest)
        self.template = Template.of(kind, shape)
        self.polarity = 0  # +1 when the set is brighter than what it lies on, -1 when darker, 0 not known yet
        self.glance = Glance()
        self._coarse = self.template.thinned(COARSELY)
        self._nominal = shape
        self._sizes: list[float] = []

    def read(
        self, still: Still, pose: Matrix, shape: Shape | None = None, beside: Sequence[SeenTile] | None = None
    ) -> FaceReading:
        """Read the face at a pose.

        Args:
            shape: of the tile, if it is not the usual one.
            beside: all other tiles that lie there; None when they are to tell nothing.
        """
        lying = None if beside is None else [tile.values for tile in beside]
        return self.faces.read(self.face(still, pose, shape or self.shape), lying)

    def face(self, still: Still, pose: Matrix, shape: Shape) -> Image:
        """Cut the face of a tile of this shape at a pose."""
        assert still.image is not None  # only the imagined bare mat has no image; it has no faces
        return still.look.face(still.image, self.kind, shape, *pose)

    def refit(self, still: Still, pose: Matrix) -> Matrix:
        """The pose to which a tile was nudged, or the same where its outline fits no better than before."""
        scene = self._surroundings(still, pose)
        beside = pose + outlines.NEIGHBOURS * np.array([0.5, 0.5, 1.0])
        totals = outlines.score(self.template, scene, np.vstack([pose, beside])).total(self.polarity)
        if totals[1:].max() < max(totals[0] + 0.02, LEAST_EDGE):
            return pose
        steps = ((1.0, 1.5), *outlines.FINE_STEPS)
        poses, _ = outlines.refine(self.template, scene, pose[None], self.polarity, steps)
        return np.asarray(outlines.polish(self.template, scene, poses, self.polarity)[0])

    def still_lies(self, now: Still, tile: SeenTile) -> bool:
        """Whether a tile, nudged or in another light, is there with the same face whatever seems to have changed."""
        again = self.read(now, self.refit(now, pose_of(tile)))
        return bool(again.values) and again.confidence > LEAST_ALIKE and smallest_rotation(again.values) == tile.values

    def has_left(self, now: Still, before: Still, tile: SeenTile) -> bool:
        """Whether the outline of a tile is far less clear than it was, wherever beside its place it is looked for."""
        pose = pose_of(tile)
        scenes = (self._surroundings(before, pose), self._surroundings(now, pose))
        poses = (pose, self.refit(now, pose))
        was, is_now = (
            self.edges(outlines.score(self.template, scene, each[None]))[0]
            for scene, each in zip(scenes, poses, strict=True)
        )
        return bool(is_now < was - EDGE_LOST)

    def confirms(self, now: Still, before: Still, tile: SeenTile, beside: Sequence[SeenTile] | None = None) -> bool:
        """Whether another still shows a tile just found as well.

        It is looked at in another way than it was found: its pose must be reached again from beside it, fit
        better than the poses that are most easily mistaken for it, and show the same face; one that was not
        read very clearly is read again.

        Args:
            beside: all other tiles that lie there, as in `read`.
        """
        pose = pose_of(tile)
        window = Window.around(tile.x_mm, tile.y_mm, self.template.reach_mm + MARGIN_MM, FINE_PX_PER_MM)
        scene = self._changes(now, before, window)
        poses, _ = outlines.refine(self.template, scene, (pose + PUSH)[None], self.polarity, CONFIRM_STEPS)
        again = outlines.polish(self.template, scene, poses, self.polarity)
        reach_mm = 2.0 * self.template.reach_mm + self.template.shape.length_mm / 2.0  # of a rival
        near = [other for other in beside or () if hypot(other.x_mm - tile.x_mm, other.y_mm - tile.y_mm) < reach_mm]
        away = np.abs(pushed_out(self.template, again[0], poses_of(near)) - pose)
        if np.hypot(away[0], away[1]) > STILL_THERE_MM or away[2] > STILL_THERE_DEG:
            return False
        rivals = [rival for rival in outlines.rivals(self.template, pose) if self.is_free(rival, near)]
        totals = outlines.score(self.template, scene, np.vstack([again, *rivals])).total(self.polarity)
        if totals[0] < totals.max():
            return False
        if tile.confidence > VERY_CLEAR:
            return True  # the face is compared, not read once more
        twin = seen_tile(tile.kind, again[0], self.read(now, again[0], beside=beside))
        same_way = outlines.turn_between(twin.angle_deg, tile.angle_deg) < 30.0 or len(set(tile.values)) < 2
        clear = twin.confidence > CLEAR or tile.confidence <= CLEAR
        return twin.values == tile.values and twin.face_up == tile.face_up and same_way and clear

    def still_shows(self, now: Still, first: Still, tile: SeenTile) -> bool:
        """Whether another still shows the same face at the same place: the cheap look."""
        one, two = (self.face(still, pose_of(tile), self.shape) for still in (now, first))
        rows, columns = np.mgrid[2 : one.shape[0] : 4, 2 : one.shape[1] : 4].reshape(2, -1)
        return differences.likeness(one, two, rows, columns) > SAME_FACE

    def one(self, stills: Comparison, at_mm: tuple[float, float]) -> SeenTile | None:
        """The tile round a point that has changed, None when nothing there looks like one."""
        x_mm, y_mm = at_mm
        window = Window.around(x_mm, y_mm, self.template.reach_mm + MARGIN_MM, FINE_PX_PER_MM)
        scene = self._changes(stills.now, stills.before, window)
        near = _near(poses_of(stills.hints), at_mm)
        if len(near):
            tile = self._choose(stills, scene, near, quick=True)
            if tile is not None and tile.confidence > CLEAR:
                return tile
        cells = _near(outlines.cell_starts(self.template, poses_of(stills.there)), at_mm)
        free = outlines.free_starts(self.template, x_mm, y_mm)
        starts = np.concatenate([self._best(scene, free, 4), self._best(scene, np.concatenate([cells, near]), 2)])
        tile = self._choose(stills, scene, starts)
        if tile is not None and tile.confidence > CLEAR:
            return tile
        # worth the time when the few gave nothing: every angle, for from the next one another pose may be reached
        starts = np.concatenate([free, self._best(scene, np.concatenate([cells, near]), 20)])
        other = self._choose(stills, scene, starts, most=8)
        return max((choice for choice in (tile, other) if choice), key=lambda choice: choice.confidence, default=None)

    def learn(self, still: Still, tile: SeenTile) -> None:
        """Take a tile, if it was read clearly, for an example of how the set looks and how large its tiles are."""
        if tile.confidence > CLEAR:
            pose = pose_of(tile)
            self.learn_brightness(still, pose)
            self._learn_size(self.template, self._surroundings(still, pose), pose)

    def learn_brightness(self, still: Still, pose: Matrix) -> None:
        """Remember whether a tile is brighter or darker than what it lies on, told by its face and what is round it.

        Beside others the outline itself tells nothing: from one tile into the gap it grows dark, and bright again.
        """
        if self.polarity:
            return
        window = Window.around(float(pose[0]), float(pose[1]), self.template.reach_mm + 6.0, FINE_PX_PER_MM)
        grey = cv2.cvtColor(self.glance.now(still, window), cv2.COLOR_BGR2GRAY)
        parts = (place(points, *pose) for points in (self.template.inside_mm, self.template.ring_mm))
        (columns, rows), (beside, below) = (window.to_pixels(part).round().astype(np.intp).T for part in parts)
        brighter = float(np.median(grey[rows, columns])) - float(np.mean(grey[below, beside]))
        if abs(brighter) > LEAST_BRIGHTER:
            self._learn_polarity(brighter)

    def _learn_polarity(self, edge: float) -> None:
        """Remember from the first clear tile whether the set is brighter or darker than what it lies on."""
        self.polarity = self.polarity or (1 if edge > 0 else -1)

    def _learn_size(self, template: Template, scene: Scene, pose: Matrix) -> None:
        """Measure a clear tile, and believe in the middle one of those measured so far."""
        if len(self._sizes) >= MOST_MEASURED:
            return
        steps = template.shape.length_mm / self._nominal.length_mm + SIZE_STEP * np.arange(-3.0, 4.0)
        grown = (replace(template, edge_mm=template.edge_mm * step / steps[3]) for step in steps)
        edges = np.concatenate([self.edges(outlines.score(each, scene, pose[None])) for each in grown])
        best = int(np.clip(edges.argmax(), 1, len(steps) - 2))
        bend = min(float(edges[best - 1] - 2 * edges[best] + edges[best + 1]), -1e-6)
        vertex = float(np.clip((edges[best - 1] - edges[best + 1]) / (2 * bend), -0.5, 0.5))
        self._sizes.append(float(np.clip(steps[best] + SIZE_STEP * vertex, SIZES[0], SIZES[-1])))
        self.shape = resized(self._nominal, float(np.median(self._sizes)))
        self.template = Template.of(self.kind, self.shape)
        self._coarse = self.template.thinned(COARSELY)

    def _best(self, scene: Scene, starts: Matrix, most: int) -> Matrix:
        """The most promising start poses that differ from each other."""
        totals = outlines.score(self._coarse, scene, starts).total(self.polarity)
        return starts[outlines.distinct(self.template, starts, totals, most)]

    def _sized(self, scene: Scene, poses: Matrix) -> tuple[Template, Matrix]:
        """The template in the size that fits the best of some poses, and the poses fitted with it.

        The usual template once its size is known.
        """
        if len(self._sizes) >= ENOUGH_SIZED or not len(poses):
            return self.template, poses
        first, believed = not self._sizes, self.shape.length_mm / self._nominal.length_mm
        sizes = [size for size in SIZES if first or abs(size - believed) < SIZES_APART]
        tried, steps = (poses, FIRST_STEPS) if first else (poses[:1], outlines.FINE_STEPS[:1])
        best, best_poses, most = self.template, poses, -np.inf
        for template in (best, *(Template.of(self.kind, resized(self._nominal, size)) for size in sizes)):
            fitted, totals = outlines.refine(template, scene, tried, self.polarity, steps)
            edge = self.edges(outlines.score(template, scene, fitted[[totals.argmax()]]))[0]
            if edge > most + (SIZE_GAIN if best is self.template else 0.0):
                best, best_poses, most = template, fitted if first else poses, edge
        return best, best_poses

    def edges(self, scores: Scores) -> Matrix:
        """How clearly outlines are seen: those of bright tiles, of dark ones, or of either while nothing is known."""
        return scores.edge * self.polarity if self.polarity else np.abs(scores.edge)

    def _climbed(self, scene: Scene, starts: Matrix, most: int, quick: bool) -> Matrix:
        """The best few poses, coarsely, to which start poses and (if not quick) the rivals of the best one lead."""
        poses, totals = outlines.refine(self._coarse, scene, starts, self.polarity, outlines.COARSE_STEPS)
        if len(poses) and not quick:
            rivals = self._best(scene, outlines.rivals(self.template, poses[totals.argmax()]), 3)
            more, their = outlines.refine(self._coarse, scene, rivals, self.polarity, outlines.COARSE_STEPS)
            poses, totals = np.vstack([poses, more]), np.concatenate([totals, their])
        return poses[outlines.distinct(self.template, poses, totals, most)]

    def _choose(
        self, stills: Comparison, scene: Scene, starts: Matrix, quick: bool = False, most: int = 3
    ) -> SeenTile | None:
        """Refine start poses and choose pose and value together among the best few."""
        polarity = self.polarity
        least_edge, least_inside = (QUICK_EDGE, QUICK_INSIDE) if quick else (LEAST_EDGE, LEAST_INSIDE)
        poses = self._climbed(scene, starts, most, quick)
        template, poses = self._sized(scene, poses)
        poses, totals = outlines.refine(template, scene, poses, polarity, outlines.FINE_STEPS)
        poses = outlines.polish(template, scene, poses, polarity)
        poses = np.array([self._pushed_out(pose, stills.there) for pose in poses]).reshape(-1, 3)
        scores = outlines.score(template, scene, poses)
        edges = self.edges(scores)
        chosen: tuple[float, float, SeenTile] | None = None
        for row in np.argsort(-totals):
            if edges[row] < least_edge or scores.inside[row] < least_inside:
                continue
            if chosen is not None and (chosen[2].confidence > CLEAR or totals[row] < totals.max() - 0.4):
                break
            tile = self._looked_at(stills, poses[row], template, edges[row])
            if tile is None:
                continue
            worth = float(totals[row]) + 0.5 * tile.confidence
            if chosen is None or worth > chosen[0]:
                chosen = (worth, float(scores.edge[row]), tile)
        if chosen is None:
            return None
        if chosen[2].confidence > CLEAR:
            self._learn_polarity(chosen[1])
            self._learn_size(template, scene, pose_of(chosen[2]))
        return chosen[2]

    def _looked_at(self, stills: Comparison, pose: Matrix, template: Template, edge: float) -> SeenTile | None:
        """The tile at a pose that fits; None where one lies already, a picture of one is printed, or it is faint."""
        if not self.is_free(pose, stills.there) or self._was_there(stills, pose, template.shape):
            return None
        tile = seen_tile(self.kind.name, pose, self.read(stills.now, pose, template.shape, stills.there))
        return tile if tile.confidence or edge >= LEAST_EDGE_UNREAD else None

    def _was_there(self, stills: Comparison, pose: Matrix, shape: Shape) -> bool:
        """Whether the earlier still shows the same thing there, a little aside at most: a printed picture of a tile.

        From where the camera stood before, what is printed differs only in another light. A tile that lay
        there may have been pushed aside, which is no picture of one.
        """
        now, before = stills.now, stills.before
        unmoved = before.look is now.look and self.glance.light(before, now).weights is None
        if before.image is None or unmoved or not self.is_free(pose, stills.gone):
            return False
        wider = resized(shape, 1.0 + 2.0 * ASIDE)
        earlier, here = (cv2.resize(self.face(still, pose, wider), None, fx=0.5, fy=0.5) for still in (before, now))
        rows, columns = (round(side * ASIDE / 2.0) for side in here.shape[:2])
        part = here[rows:-rows, columns:-columns]
        return float(cv2.matchTemplate(earlier, part, cv2.TM_CCOEFF_NORMED).max()) > SAME_THING

    def _pushed_out(self, pose: Matrix, there: Sequence[SeenTile]) -> Matrix:
        """The pose, a little farther from a tile that it reaches over: sides of like tiles that touch are faint."""
        for tile in there:
            away = pose[:2] - pose_of(tile)[:2]
            length_mm = float(np.linalg.norm(away))
            if length_mm < self.template.inner_mm or self.is_free(pose, [tile]):
                continue
            beside = [pose + np.array([*away / length_mm * step_mm, 0.0]) for step_mm in PUSHED_OUT_MM]
            pose = next((other for other in beside if self.is_free(other, [tile])), pose)
        return pose

    def is_free(self, pose: Matrix, there: Sequence[SeenTile]) -> bool:
        """Whether a tile can lie at a pose beside others."""
        return all(outlines.overlap(self.template, pose, pose_of(tile)) <= MOST_OVERLAP for tile in there)

    def _changes(self, now: Still, before: Still, window: Window) -> Scene:
        """A window of the table with what has changed in it."""
        picture = self.glance.now(now, window)
        earlier = self.glance.before(before, now, window)
        return Scene.of(picture, differences.difference(picture, earlier), window)

    def _surroundings(self, still: Still, pose: Matrix) -> Scene:
        """A window round a tile, its outlines alone."""
        window = Window.around(float(pose[0]), float(pose[1]), self.template.reach_mm + 6.0, FINE_PX_PER_MM)
        return Scene.of(self.glance.now(still, window), None, window)


def resized(shape: Shape, size: float) -> Shape:
    """A shape so many times as long and wide."""
    return replace(shape, length_mm=shape.length_mm * size, width_mm=shape.width_mm * size)


def _near(poses: Matrix, at_mm: tuple[float, float]) -> Matrix:
    """The poses whose centres are near a point."""
    return poses[np.hypot(poses[:, 0] - at_mm[0], poses[:, 1] - at_mm[1]) < NEAR_MM]
