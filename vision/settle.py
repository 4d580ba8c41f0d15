"""What has changed since the table last came to rest: tiles gone, tiles new, told from one still frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Mat
from calibration.table import marker_corners
from referee.seen.zones import Zone
from referee.sighting import SeenTile
from vision import differences, heaps
from vision.beside import apart
from vision.faces import CLEAR, pose_of, seen_tile
from vision.kinds import Image
from vision.light import Light
from vision.motion import HAND_TILES
from vision.moved import MOVED_MM, moved
from vision.outlines import turn_between
from vision.rectify import FLAT_PX_PER_MM, Look, Maps, Still, Window, place
from vision.resync import read_table
from vision.search import SAME_FACE, Comparison, Search

MOST_FAILURES = 6
TOUCHED_SHARE = 0.06  # of a tile's face: nudged, or its neighbour's shadow
COVERED_SHARE = 0.35  # of a tile's face: gone, unless it still looks alike or is found there again
STILL_LIKE = 0.7
LEAST_SEEN = 0.12  # of a tile and what is round it: so much tells whether it lies there yet, under another
UNMOVED_LIKE = 0.8  # a face that lies where it lay looks at least so much alike
AS_AROUND = 0.12  # brightness may differ by so much where a tile lay: its shadow, and light that it kept away
LEFT_OVER = 0.02  # of a tile's face: a tile that was pushed shows at least so much beside where it lay
SAME_MM, SAME_DEG = 1.5, 4.0
CROWD_TILES = 1.8  # what is larger than this is more than one tile


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What one still frame says has changed: tiles no longer there, tiles that are new, and what is unexplained.

    `shifted` are tiles that moved a little, as they lay and as they lie now; `touched` are tiles that lie
    where they lay, but where something has changed; `unexplained` are discs (x_mm, y_mm, radius_mm) that
    changed but hold no tile; `differing` is a flat mask of all that differs, but not by light alone.
    """

    gone: tuple[SeenTile, ...] = ()
    found: tuple[SeenTile, ...] = ()
    shifted: tuple[tuple[SeenTile, SeenTile], ...] = ()
    touched: tuple[SeenTile, ...] = ()
    unexplained: tuple[tuple[float, float, float], ...] = ()
    differing: Image | None = None

    @property
    def new(self) -> tuple[SeenTile, ...]:
        """The tiles that lie where none lay."""
        return (*self.found, *(twin for _, twin in self.shifted))


def same(first: SeenTile, second: SeenTile, within_mm: float = SAME_MM) -> bool:
    """True when two findings are of one tile: same numbers, same place, same way round."""
    way = 360.0 if len(set(first.values)) > 1 else 60.0
    return (
        first.values == second.values
        and first.face_up == second.face_up
        and float(np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)) <= within_mm
        and turn_between(first.angle_deg, second.angle_deg, way) <= SAME_DEG * within_mm / SAME_MM
    )


def alike(one: Change, other: Change) -> bool:
    """True when two readings of a table found the same tiles in the same places."""
    left = list(other.new)
    for tile in one.new:
        twin = next((each for each in left if same(tile, each)), None)
        if twin is None:
            return False
        left.remove(twin)
    return not left


class Survey:
    """Compares still frames of one table with its last rest."""

    def __init__(self, search: Search, mat: Mat) -> None:
        self.search = search
        self.zones: tuple[Zone, ...] = ()  # where many tiles may be laid down at once
        self._window = Window(0.0, 0.0, mat.width_mm, mat.height_mm, FLAT_PX_PER_MM)
        self._maps: tuple[Look, Maps] | None = None
        rim = mat.marker_mm / 4 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        self._markers = [
            np.round((corners + rim) * FLAT_PX_PER_MM).astype(np.int32) for corners in marker_corners(mat).values()
        ]

    def still(self, image: Image, look: Look) -> Still:
        """Prepare a camera image for comparison."""
        if self._maps is None or self._maps[0] is not look:
            self._maps = (look, look.maps(self._window))
        return Still(image, look, look.rectify(image, self._window, self._maps[1]))

    def bare(self, now: Still) -> Image:
        """The mat as it would look without tiles, as flat as `now.flat`: its markers, and a smooth surface."""
        bare = differences.bare_mat(now.flat)
        mask = np.zeros(bare.shape[:2], np.uint8)
        cv2.fillPoly(mask, self._markers, 255)
        cv2.copyTo(now.flat, mask, bare)
        return bare

    def obstructed(self, now: Still, bare: Image) -> bool:
        """True when something large reaches in over the mat's edge, told against the bare mat: a hand."""
        differing = differences.difference(now.flat, bare)
        mask = differences.mask_above(differing, differences.noise_level(differing))
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        rows, columns = mask.shape
        for left, top, width, height, area in stats[1:count].tolist():
            at_edge = left == 0 or top == 0 or left + width == columns or top + height == rows
            if at_edge and area > HAND_TILES * self.search.template.area_mm2 * FLAT_PX_PER_MM**2:
                return True
        return False

    def compare(
        self,
        now: Still,
        before: Still,
        bare: Image,
        lying: Sequence[SeenTile],
        hints: Sequence[SeenTile] = (),
        anew: bool = False,
        buried: Sequence[SeenTile] = (),
    ) -> Change:
        """Tell what has changed from one rest to a still frame.

        Args:
            bare: the mat without tiles, as flat as the pictures' `flat`.
            lying: the tiles of the last rest.
            hints: tiles that probably lie at these poses now; looked for first.
            anew: there may be many new tiles, so the picture is first read as a whole.
            buried: tiles that may lie under what has come since.
        """
        light = self.search.glance.light(before, now)
        earlier = light.on(before.flat)
        plain = differences.difference(now.flat, earlier)
        level = differences.noise_level(plain)
        differing = differences.mask_above(plain, level)
        if not cv2.countNonZero(differing):
            return Change()
        covered, touched = self._disturbed(now, before, earlier, differing, lying)
        mask = self._new_things(now.flat, earlier, bare, differing, level)
        beside = cv2.dilate(mask, np.ones((9, 9), np.uint8))  # where a thing's own shadow may fall
        at_all, differing = differing, np.asarray(cv2.bitwise_and(differing, beside), np.uint8)
        self._erase(mask, [tile for tile in touched if self._shows_the_same(now.flat, earlier, tile)], rim_px=1)
        there = tuple(tile for tile in lying if tile not in covered)
        stills = Comparison(now, before, there, tuple(covered), tuple(hints))
        part = mask if anew else heaps.untold(self.zones, self.search.template, now.flat, bare, mask, there)
        part = np.asarray(cv2.bitwise_or(part, self._crowds(mask)), np.uint8)
        whole = read_table(now, self.search, part, there, quick=not anew) if cv2.countNonZero(part) else []
        self._erase(mask, whole)
        found, unexplained = self._search(replace(stills, there=(*there, *whole)), mask)
        found = apart(self.search.template, [*whole, *found], there)
        found, gone, shifted, seen = self._followed(stills, mask, unexplained, found)
        touched += seen
        found += self._come_to_light(now, at_all, buried, [*there, *found, *(lies for _, lies in shifted)])
        gone = [tile for tile in gone if not self._is_under(now.flat, earlier, tile, found)]
        gone = [tile for tile in gone if not self._is_hidden(now.flat, bare, tile, found)]
        uncovered = [tile for tile in gone if self._is_as_around(now.flat, tile)]
        unexplained = [disc for disc in unexplained if not any(self._lies_in(tile, disc) for tile in uncovered)]
        return Change(tuple(gone), tuple(found), tuple(shifted), tuple(touched), tuple(unexplained), differing)

    def _followed(
        self,
        stills: Comparison,
        mask: Image,
        unexplained: Sequence[tuple[float, float, float]],
        found: list[SeenTile],
    ) -> tuple[list[SeenTile], list[SeenTile], list[tuple[SeenTile, SeenTile]], list[SeenTile]]:
        """What has become of the tiles that seem to be gone.

        Returns:
            The tiles that are new, those that are gone, those that were pushed, and those that lie there after all.
        """
        gone: list[SeenTile] = []
        shifted: list[tuple[SeenTile, SeenTile]] = []
        stayed: list[SeenTile] = []
        for tile in stills.gone:
            there = (*stills.there, *(lies for _, lies in shifted))
            twin = next((twin for twin in found if same(tile, twin, self.search.template.inner_mm / 2)), None)
            if twin is None and self._something_near(tile, mask, unexplained, found):
                twin = moved(self.search, replace(stills, there=there), tile)
                if twin is not None:  # what was found across it was found at a wrong pose
                    found = [*(other for other in found if self.search.is_free(pose_of(other), [twin])), twin]
            if twin is not None and same(tile, twin, self.search.template.inner_mm / 2):
                found.remove(twin)
                shifted.append((tile, twin))
            elif self._shows_itself(stills.now, tile, (*there, *found)):
                stayed.append(tile)
            else:
                gone.append(tile)
        return found, gone, shifted, stayed

    def _come_to_light(
        self, now: Still, differing: Image, buried: Sequence[SeenTile], others: Sequence[SeenTile]
    ) -> list[SeenTile]:
        """The tiles that lay under something and are clearly seen again."""
        seen: list[SeenTile] = []
        for tile in buried:
            rows, columns = self.pixels(tile)
            if not np.any(differing[rows, columns]) or not self.search.is_free(pose_of(tile), [*others, *seen]):
                continue
            pose = self.search.refit(now, pose_of(tile))
            again = seen_tile(tile.kind, pose, self.search.read(now, pose))
            if again.confidence > CLEAR and again.values == tile.values:
                seen.append(again)
        return seen

    def _is_under(self, flat: Image, earlier: Image, tile: SeenTile, found: Sequence[SeenTile]) -> bool:
        """Whether new tiles lie on one of which the rest is seen as it was."""
        on_it = [other for other in found if not self.search.is_free(pose_of(tile), [other])]
        covered = np.zeros(flat.shape[:2], np.uint8)
        for other in on_it:
            corners = self._window.to_pixels(self.search.template.corners(pose_of(other))).round().astype(np.int32)
            cv2.fillConvexPoly(covered, corners, 255)
        rows, columns = self.pixels(tile, rim=True)
        seen = cv2.dilate(covered, np.ones((7, 7), np.uint8))[rows, columns] == 0
        if not on_it or np.count_nonzero(seen) < LEAST_SEEN * len(seen):
            return False
        return differences.likeness(flat, earlier, rows[seen], columns[seen]) > SAME_FACE

    def _shows_the_same(self, flat: Image, earlier: Image, tile: SeenTile) -> bool:
        """Whether a tile's face looks as it did but for the light, so that nothing else lies on it."""
        return differences.likeness(flat, earlier, *self.pixels(tile)) > SAME_FACE

    def _shows_itself(self, now: Still, tile: SeenTile, others: Sequence[SeenTile]) -> bool:
        """Whether a tile that seemed to have left its place is clearly seen there, hardly pushed."""
        return self.search.is_free(pose_of(tile), others) and self.search.still_lies(now, tile)

    def _is_hidden(self, flat: Image, bare: Image, tile: SeenTile, found: Sequence[SeenTile]) -> bool:
        """Whether a tile in a zone of many may lie there yet, under a thing, or pushed where it is not told."""
        hidden = heaps.is_hidden(self.zones, flat, bare, tile, self.pixels(tile))
        return hidden and self.search.is_free(pose_of(tile), found)

    def _is_as_around(self, flat: Image, tile: SeenTile) -> bool:
        """Whether the mat has come to light where a tile lay: most there has the colour of most of what is round it."""
        rows, columns = self.pixels(tile, rim=True)
        inner = len(self.pixels(tile)[0])
        if not 0 < inner < len(rows):
            return False  # beyond the mat's edge
        inside, ring = (np.median(part, axis=0) for part in np.split(flat[rows, columns].astype(np.float64), [inner]))
        return bool(np.all(np.abs(inside - ring) < AS_AROUND * np.maximum(inside, ring) + 2.0))

    def is_bare(self, flat: Image, bare: Image, tile: SeenTile) -> bool:
        """Whether the mat is seen where a tile lay; `bare` is the mat in the same light."""
        rows, columns = self.pixels(tile)
        if not len(rows):
            return True
        now, mat = (np.median(part[rows, columns].astype(np.float64), axis=0) for part in (flat, bare))
        return bool(np.all(np.abs(now - mat) < AS_AROUND * np.maximum(now, mat) + 2.0))

    def _lies_in(self, tile: SeenTile, disc: tuple[float, float, float]) -> bool:
        outline = self.search.template.corners(pose_of(tile)).astype(np.float32)
        return cv2.pointPolygonTest(outline, disc[:2], measureDist=False) > 0

    @staticmethod
    def _new_things(now: Image, earlier: Image, bare: Image, differing: Image, level: float) -> Image:
        """The flat mask of what neither lay there earlier nor is the bare mat, whatever light or shadow falls on it."""
        left, top, width, height = cv2.boundingRect(differing)
        part = np.s_[top : top + height, left : left + width]
        beyond = differences.difference_beyond_light(now[part], earlier[part])
        lit = Light.between(bare, now, even=True).on(bare[part])
        bareness = differences.difference_beyond_light(now[part], lit, brightest=1.0)  # it may lie in a shadow
        level = min(level, differences.noise_level(beyond))  # where light is uneven that tells of all but things
        thing = cv2.bitwise_and(differences.mask_above(beyond, level), differences.mask_above(bareness, level))
        mask = np.zeros_like(differing)
        mask[part] = differences.closed(np.asarray(thing, np.uint8), FLAT_PX_PER_MM)
        return mask

    def _something_near(
        self,
        tile: SeenTile,
        mask: Image,
        unexplained: Sequence[tuple[float, float, float]],
        found: Sequence[SeenTile],
    ) -> bool:
        """Whether something new, in a flat mask, in discs or taken for a tile, is near a tile that left its place."""
        far_mm = self.search.template.reach_mm + MOVED_MM
        places = [*(disc[:2] for disc in unexplained), *((other.x_mm, other.y_mm) for other in found)]
        if any(np.hypot(x_mm - tile.x_mm, y_mm - tile.y_mm) < far_mm for x_mm, y_mm in places):
            return True
        reach = round(far_mm * FLAT_PX_PER_MM)
        column, row = (round(value * FLAT_PX_PER_MM) for value in (tile.x_mm, tile.y_mm))
        part = mask[max(row - reach, 0) : row + reach, max(column - reach, 0) : column + reach]
        return cv2.countNonZero(part) > LEFT_OVER * self.search.template.area_mm2 * FLAT_PX_PER_MM**2

    def confirms(
        self, now: Still, before: Still, first: Still, change: Change, stayed: Sequence[SeenTile] | None = None
    ) -> bool:
        """Whether a further still, in which nothing has moved, shows the new tiles of a change as well.

        Args:
            stayed: the tiles that lie there and are not new; None when they are to tell nothing.
        """

        def beside(new: SeenTile) -> list[SeenTile] | None:
            return None if stayed is None else [*stayed, *(tile for tile in change.new if tile is not new)]

        # a tile that was only pushed is known; where it lies now, its unchanged picture tells
        return self.still_shows(now, first, change) and all(
            self.search.confirms(now, before, tile, beside(tile)) for tile in change.found
        )

    def still_shows(self, now: Still, first: Still, change: Change) -> bool:
        """Whether a further still shows the new tiles as the one did in which they were found."""
        return all(self.search.still_shows(now, first, tile) for tile in change.new)

    def pixels(self, tile: SeenTile, rim: bool = False) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of a flat picture that show a tile's face, and on request what lies round it."""
        template = self.search.template
        points = np.concatenate([template.inside_mm, template.ring_mm]) if rim else template.inside_mm
        pixels = self._window.to_pixels(place(points, *pose_of(tile))).round().astype(np.intp)
        columns, rows = pixels[np.all((pixels >= 0) & (pixels < np.array(self._window.size_px)), axis=1)].T
        return rows, columns

    def _disturbed(
        self, now: Still, before: Still, earlier: Image, differing: Image, lying: Sequence[SeenTile]
    ) -> tuple[list[SeenTile], list[SeenTile]]:
        """The tiles that seem to be gone, and those that are there but were touched."""
        covered, touched = [], []
        left, top, width, height = (value / FLAT_PX_PER_MM for value in cv2.boundingRect(differing))
        reach = self.search.template.reach_mm
        for tile in lying:
            if not (-reach < tile.x_mm - left < width + reach and -reach < tile.y_mm - top < height + reach):
                continue
            rows, columns = self.pixels(tile)
            share = float(np.mean(differing[rows, columns] > 0)) if len(rows) else 0.0
            if share <= TOUCHED_SHARE:
                continue
            like = differences.likeness(now.flat, earlier, *self.pixels(tile, rim=True))
            hidden = share > COVERED_SHARE and like < STILL_LIKE and not self.search.still_lies(now, tile)
            if hidden or self._pushed(now, before, earlier, tile):
                covered.append(tile)
            else:
                touched.append(tile)
        return covered, touched

    def _pushed(self, now: Still, before: Still, earlier: Image, tile: SeenTile) -> bool:
        """Whether a tile was pushed away from where it lay, too little to have been uncovered."""
        like = differences.likeness(now.flat, earlier, *self.pixels(tile))
        return like < UNMOVED_LIKE and self.search.has_left(now, before, tile)

    def _search(self, stills: Comparison, mask: Image) -> tuple[list[SeenTile], list[tuple[float, float, float]]]:
        """Find tile after tile in a flat mask of what is new, each time where it is deepest."""
        template = self.search.template
        found: list[SeenTile] = []
        unexplained: list[tuple[float, float, float]] = []
        while len(unexplained) < MOST_FAILURES:
            left, top, width, height = cv2.boundingRect(mask)
            part = cv2.copyMakeBorder(mask[top : top + height, left : left + width], 1, 1, 1, 1, cv2.BORDER_CONSTANT)
            _, radius, _, (column, row) = cv2.minMaxLoc(cv2.distanceTransform(part, cv2.DIST_L2, 3))
            middle = (left + column - 1, top + row - 1)
            if radius < 0.5 * template.inner_mm * FLAT_PX_PER_MM:
                break  # too thin for a tile: a nudged neighbour's rim, a narrow shadow
            at_mm = (middle[0] / FLAT_PX_PER_MM, middle[1] / FLAT_PX_PER_MM)
            tile = self.search.one(replace(stills, there=(*stills.there, *found)), at_mm)
            if tile is not None:
                self._erase(mask, [tile])
                found.append(tile)
            else:
                reach = max(float(radius) / FLAT_PX_PER_MM, 0.7 * template.inner_mm)
                unexplained.append((*at_mm, reach))
                cv2.circle(mask, middle, round((reach + 2.0) * FLAT_PX_PER_MM), 0, -1)
        return found, unexplained

    def _erase(self, mask: Image, tiles: Sequence[SeenTile], rim_px: int = 5) -> None:
        """Take what tiles cover, and their rims, out of a flat mask."""
        for tile in tiles:
            corners = self._window.to_pixels(self.search.template.corners(pose_of(tile))).round().astype(np.int32)
            cv2.fillConvexPoly(mask, corners, 0)
            cv2.polylines(mask, [corners], isClosed=True, color=0, thickness=rim_px)

    def _crowds(self, mask: Image) -> Image:
        """The part of a flat mask in which more than one tile has come."""
        one_px = CROWD_TILES * self.search.template.area_mm2 * FLAT_PX_PER_MM**2
        if cv2.countNonZero(mask) <= one_px:
            return np.zeros_like(mask)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        crowded = stats[:, cv2.CC_STAT_AREA] > one_px
        crowded[0] = False  # what is no part of the mask
        return np.asarray(np.where(crowded, 255, 0)[labels], np.uint8)
