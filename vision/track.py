"""What lies on the table: the tiles of the last rest, their picture, and what the referee says they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.tileset import TileSet
from referee.sighting import Facts, SeenTile
from referee.tiles import TRIOMINO
from vision import differences
from vision.align import aligned
from vision.faces import CLEAR, placed, pose_of, seen_tile
from vision.kinds import Image
from vision.light import Light
from vision.outlines import turn_between
from vision.rectify import FLAT_PX_PER_MM, Still, place
from vision.settle import Change, Survey

CONFIRMED_MM = 8.0  # a confirmed tile and a seen one this close are one piece of plastic
CONFIRMED_DEG = 20.0
MARGIN_MM = 8.0  # side walls and shadows round a tile are not the bare mat
SAME_FACE = 0.9  # correlation above which a face still shows what it showed
TURNED_DEG = 50.0  # a tile that is read as turned so far was turned
ATTEMPTS = 3  # rests at which a change without a tile is looked at again
DUPLICATE_CONFIDENCE = 0.6
MOST_BURIED = 30
AS_LARGE = 1.5  # of the distance from a tile's middle to its sides: what lies deeper than this in a thing is no tile


class Memory:
    """The table at its last rest, as the eye believes it."""

    def __init__(self, survey: Survey, tileset: TileSet | None = None) -> None:
        """Begin with nothing seen; what is told of the set in play counts for more than the referee's facts."""
        self.survey = survey
        self.survey.search.faces.tileset = tileset
        self._is_told = tileset is not None
        self.tiles: tuple[SeenTile, ...] = ()
        self.rest: Still | None = None
        self._bare: Image | None = None
        self._facts: Facts | None = None
        self._misread: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()  # as read, and as people put it right
        self._strange: Image | None = None  # in how many rests in a row each flat pixel was
        self._buried: tuple[SeenTile, ...] = ()  # gone, but something lies in their place
        self.is_puzzled = False  # something new, no larger than a tile, is none as far as was seen

    def compare(self, now: Still, hints: Sequence[SeenTile] = ()) -> Change:
        """What a still frame shows that the last rest did not; before the first rest, against the bare mat."""
        at_start = self.rest is None or self.rest.image is None
        if self.rest is None or self._bare is None:
            self._bare = self.survey.bare(now)
            self.rest = Still(None, now.look, self._bare)
        confirmed = self._facts.confirmed if self._facts else ()
        missing = [tile for tile in confirmed if not any(_one_piece(tile, lying) for lying in self.tiles)]
        hints = [*hints, *missing]
        return self.survey.compare(now, self.rest, self._bare, self.tiles, hints, at_start, self._buried)

    def aligned(self, now: Still) -> Still:
        """The same still, seen so that what has stayed since the last rest lies where it lay."""
        if self.rest is None or self.rest.image is None or now.image is None:
            return now
        look = aligned(now.look, now.flat, self.rest.flat)
        return now if look is now.look else self.survey.still(now.image, look)

    def confirms(self, now: Still, first: Still, change: Change) -> bool:
        """Whether a further still, in which nothing has moved, shows the new tiles of a change as well."""
        assert self.rest is not None  # the change was told against it
        left = {id(tile) for tile in (*change.gone, *(earlier for earlier, _ in change.shifted))}
        stayed = [tile for tile in self.tiles if id(tile) not in left]
        return self.survey.confirms(now, self.rest, first, change, stayed)

    def begin(self, still: Still, tiles: Sequence[SeenTile] = ()) -> None:
        """Take a picture for the table at rest, with these tiles on it."""
        self.rest, self.tiles = still, tuple(tiles)
        self._bare = still.flat.copy()
        imagined = self.survey.bare(still)
        cv2.copyTo(imagined, self._mask(self.tiles, MARGIN_MM), self._bare)

    def obstructed(self, now: Still) -> bool:
        """True when, before anything was seen at rest, something as large as a hand reaches in."""
        return self.rest is None and self.survey.obstructed(now, self.survey.bare(now))

    def commit(self, now: Still, change: Change) -> None:
        """Take over a change, and the frame that shows it as the new picture of the table at rest."""
        stayed = [tile for tile in self.tiles if tile not in change.gone]
        moved = {before: replace(after, picture=before.picture) for before, after in change.shifted}
        tiles: list[SeenTile] = []
        for tile in stayed:
            again = self._looked_at_again(now, tile) if tile in change.touched else moved.get(tile, tile)
            tiles.append(self._as_confirmed(again, fresh=again.values != tile.values))
        for found in change.found:
            tiles.append(self._as_confirmed(self._doubted(found, tiles), fresh=True))
        self.tiles = tuple(tiles)
        self._remember(now, change)

    def know(self, facts: Facts) -> bool:
        """Hear what the referee says; True when that changed what is believed to lie there."""
        self._facts, self.survey.zones = facts, facts.zones
        if not self._is_told:
            search = self.survey.search
            told = TileSet(facts.set_id, search.shape, search.faces.highest, facts.copies, ascending=False)
            search.faces.tileset = None if facts.copies is None else told
        tiles = tuple(self._as_confirmed(tile) for tile in self.tiles)
        news, self.tiles = tiles != self.tiles, tiles
        return news

    def _looked_at_again(self, now: Still, tile: SeenTile) -> SeenTile:
        """A tile whose surroundings changed: its pose fitted anew, its face read anew where that tells more."""
        pose = self.survey.search.refit(now, pose_of(tile))
        assert self.rest is not None  # it was touched since
        rows, columns = self.survey.pixels(tile)
        if tile.confidence <= CLEAR or differences.likeness(now.flat, self.rest.flat, rows, columns) < SAME_FACE:
            again = replace(seen_tile(tile.kind, pose, self.survey.search.read(now, pose)), picture=tile.picture)
            period = 360.0 / max(1, len(tile.values)) if len(set(tile.values)) == 1 else 360.0
            other = again.values != tile.values or turn_between(again.angle_deg, tile.angle_deg, period) > TURNED_DEG
            if again.confidence > (CLEAR if other else tile.confidence):
                return again
        return placed(tile, pose)

    def _doubted(self, tile: SeenTile, lying: Sequence[SeenTile]) -> SeenTile:
        """A new tile as it was read, but doubtful where the set has none like it left."""
        tileset = self.survey.search.faces.tileset
        if tileset is None or not tile.values or tileset.unseen(other.values for other in lying).get(tile.values, 0):
            return tile
        return replace(tile, confidence=min(tile.confidence, DUPLICATE_CONFIDENCE))

    def _as_confirmed(self, tile: SeenTile, fresh: bool = False) -> SeenTile:
        """The tile with the numbers that the referee confirmed for this place, if it did.

        Args:
            fresh: it has just come or shows other numbers than before, so what is read clearly counts for more: it
                may be another tile in the place of the confirmed one; but not if this reading was put right before.
        """
        for sure in self._facts.confirmed if self._facts else ():
            if _one_piece(sure, tile):
                told = replace(tile, confidence=1.0)
                if sure.values == tile.values and sure.face_up == tile.face_up:
                    return told
                misread = (tile.values, sure.values)
                if fresh and tile.confidence > CLEAR and misread not in self._misread:
                    return tile
                self._misread.add(misread)
                way = sure.angle_deg
                return replace(told, values=sure.values, angle_deg=way, face_up=sure.face_up, readings=())
        return tile

    def _remember(self, now: Still, change: Change) -> None:
        """Keep the frame as the new rest, but what differs and is no tile only when it has stayed for some rests."""
        assert self._bare is not None and self.rest is not None  # noqa: PT018  # `compare` came first
        before, lying = self.rest, self._mask(self.tiles, MARGIN_MM)
        new = [*change.found, *change.gone, *change.touched, *(tile for pair in change.shifted for tile in pair)]
        strange = self._mask(())
        if change.differing is not None:
            beside = cv2.bitwise_and(change.differing, cv2.bitwise_not(self._mask(new, MARGIN_MM)))
            cv2.morphologyEx(beside, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8), dst=strange)
        for x_mm, y_mm, radius in change.unexplained:
            cv2.circle(strange, (round(x_mm), round(y_mm)), round(radius + 4.0), 255, -1)
        self._bare = Light.between(self._bare, now.flat, even=True).on(self._bare)  # under the tiles it is as bright
        left = (
            tile for tile in (*self._buried, *change.gone) if not any(_one_piece(tile, lies) for lies in self.tiles)
        )
        self._buried = tuple(tile for tile in left if not self.survey.is_bare(now.flat, self._bare, tile))[
            -MOST_BURIED:
        ]
        hidden = cv2.bitwise_or(cv2.bitwise_or(lying, strange), differences.shadow(now.flat, self._bare))
        hidden = cv2.bitwise_or(hidden, self._mask(self._buried, MARGIN_MM))
        cv2.copyTo(now.flat, cv2.bitwise_not(hidden), self._bare)
        largest_mm = AS_LARGE * self.survey.search.template.inner_mm
        self.rest, self.is_puzzled = now, any(radius <= largest_mm for *_, radius in change.unexplained)
        if not cv2.countNonZero(strange):
            self._strange = None
            return
        times = self._strange if self._strange is not None else np.zeros_like(strange)
        self._strange = np.where(strange > 0, np.minimum(times, ATTEMPTS) + 1, 0).astype(np.uint8)
        once_more = np.asarray(cv2.inRange(self._strange, 1, ATTEMPTS - 1), dtype=np.uint8)
        self.rest = now.keeping(before, once_more)

    def _mask(self, tiles: Sequence[SeenTile], margin_mm: float = 0.0) -> Image:
        """A flat mask of what tiles cover, and a margin round them."""
        assert self._bare is not None  # `compare` came first
        mask = np.zeros(self._bare.shape[:2], np.uint8)
        template = self.survey.search.template
        outline = template.outline_mm * (1.0 + margin_mm / template.inner_mm)
        for tile in tiles:
            pixels = place(outline, *pose_of(tile)) * FLAT_PX_PER_MM
            cv2.fillConvexPoly(mask, pixels.round().astype(np.int32), 255)
        return mask


def _one_piece(first: SeenTile, second: SeenTile) -> bool:
    """True when two accounts can only be of one piece: the same kind at the same place, lying the same way."""
    symmetry = 120.0 if first.kind == TRIOMINO else 180.0
    return (
        first.kind == second.kind
        and float(np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)) <= CONFIRMED_MM
        and turn_between(first.angle_deg, second.angle_deg, symmetry) <= CONFIRMED_DEG
    )
