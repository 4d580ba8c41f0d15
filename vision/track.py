"""What lies on the table: the tiles of the last rest, their picture, and what the referee says they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.sighting import Facts, Reading, SeenTile
from referee.tiles import TRIOMINO, smallest_rotation
from vision.kinds import FaceReading, Image
from vision.outlines import turn_between
from vision.rectify import FLAT_PX_PER_MM, Still, place
from vision.search import CLEAR, pose_of, seen_tile
from vision.settle import Change, Survey

CONFIRMED_MM = 8.0  # a confirmed tile and a seen one this close are one piece of plastic
CONFIRMED_DEG = 20.0
MARGIN_MM = 8.0  # side walls and shadows round a tile are not the bare mat
ATTEMPTS = 3  # rests at which a change without a tile is looked at again
DUPLICATE_CONFIDENCE = 0.6


class Memory:
    """The table at its last rest, as the eye believes it."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.tiles: tuple[SeenTile, ...] = ()
        self.rest: Still | None = None
        self._bare: Image | None = None
        self._facts: Facts | None = None
        self._attempts = 0

    def compare(self, now: Still, hints: Sequence[SeenTile] = ()) -> Change:
        """What a still frame shows that the last rest did not; before the first rest, against the bare mat."""
        if self.rest is None or self._bare is None:
            self._bare = self.survey.bare(now)
            self.rest = Still(None, now.look, self._bare)
        confirmed = self._facts.confirmed if self._facts else ()
        missing = [tile for tile in confirmed if not any(_one_piece(tile, lying) for lying in self.tiles)]
        return self.survey.compare(now, self.rest, self._bare, self.tiles, [*hints, *missing])

    def obstructed(self, now: Still) -> bool:
        """True when, before anything was seen at rest, something as large as a hand reaches in."""
        return self.rest is None and self.survey.obstructed(now, self.survey.bare(now))

    def commit(self, now: Still, change: Change) -> None:
        """Take over a change, and the frame that shows it as the new picture of the table at rest."""
        tiles = [tile for tile in self.tiles if tile not in change.gone]
        tiles = [self._looked_at_again(now, tile) if tile in change.touched else tile for tile in tiles]
        moved = dict(change.shifted)
        tiles = [moved.get(tile, tile) for tile in tiles]
        for found in change.found:
            tiles.append(self._weighed(found, tiles))
        self.tiles = tuple(self._as_confirmed(tile) for tile in tiles)
        self._remember(now, change)

    def know(self, facts: Facts) -> bool:
        """Hear what the referee says; True when that changed what is believed to lie there."""
        self._facts = facts
        tiles = tuple(self._as_confirmed(tile) for tile in self.tiles)
        news, self.tiles = tiles != self.tiles, tiles
        return news

    def _looked_at_again(self, now: Still, tile: SeenTile) -> SeenTile:
        """A tile whose surroundings changed: its pose fitted anew, its face read anew where that tells more."""
        pose = self.survey.search.refit(now, pose_of(tile))
        again = seen_tile(tile.kind, pose, self.survey.search.read(now, pose))
        swapped = again.values != tile.values and again.confidence > CLEAR
        if swapped or again.confidence > tile.confidence:
            return again
        x_mm, y_mm, angle = (round(float(value), 2) for value in pose)
        return replace(tile, x_mm=x_mm, y_mm=y_mm, angle_deg=(angle + 180.0) % 360.0 - 180.0)

    def _weighed(self, tile: SeenTile, lying: Sequence[SeenTile]) -> SeenTile:
        """A new tile in the light of how often its numbers can lie there; a clear reading keeps its numbers."""
        copies = self._facts.copies if self._facts else None
        if copies is None or not tile.values:
            return tile

        def spent(values: tuple[int, ...]) -> bool:
            smallest = smallest_rotation(values)
            return sum(other.values == smallest for other in lying) >= copies

        if tile.confidence > CLEAR:
            return replace(tile, confidence=DUPLICATE_CONFIDENCE) if spent(tile.values) else tile
        weights = [r.probability * (0.1 if spent(r.values) else 1.0) for r in tile.readings]
        whole = sum(weights)
        if not whole:
            return tile
        share = sum(r.probability for r in tile.readings) / whole
        ranked = sorted(
            (Reading(r.values, w * share) for r, w in zip(tile.readings, weights, strict=True)),
            key=lambda reading: -reading.probability,
        )
        return _led_by_first(replace(tile, readings=tuple(ranked)))

    def _as_confirmed(self, tile: SeenTile) -> SeenTile:
        """The tile with the numbers that the referee confirmed for this place, if it did."""
        for sure in self._facts.confirmed if self._facts else ():
            if _one_piece(sure, tile):
                told = replace(tile, confidence=1.0)
                if sure.values == tile.values and sure.face_up == tile.face_up:
                    return told
                way = sure.angle_deg
                return replace(told, values=sure.values, angle_deg=way, face_up=sure.face_up, readings=())
        return tile

    def _remember(self, now: Still, change: Change) -> None:
        """Keep the frame as the new rest, but give an unexplained change a few more chances to be understood."""
        assert self._bare is not None and now.image is not None  # noqa: PT018  # `compare` came first
        self._attempts = self._attempts + 1 if change.unexplained else 0
        before = self.rest
        keep = change.unexplained if self._attempts < ATTEMPTS else ()
        if keep and before is not None and before.image is not None and before.look is now.look:
            image, flat = now.image.copy(), now.flat.copy()
            for x_mm, y_mm, radius in keep:
                circle = _circle(x_mm, y_mm, radius + 4.0)
                _paint(image, before.image, now.look.pixels(circle))
                _paint(flat, before.flat, circle * FLAT_PX_PER_MM)
            self.rest = Still(image, now.look, flat)
        else:
            self.rest = now
        covered = np.zeros(self._bare.shape[:2], np.uint8)
        for tile in self.tiles:
            corners = self.survey.search.template.outline_mm * (1.0 + MARGIN_MM / self.survey.search.template.inner_mm)
            pixels = place(corners, *pose_of(tile)) * FLAT_PX_PER_MM
            cv2.fillConvexPoly(covered, pixels.round().astype(np.int32), 255)
        for x_mm, y_mm, radius in change.unexplained:
            cv2.circle(covered, (round(x_mm), round(y_mm)), round(radius + 4.0), 255, -1)
        self._bare = np.where(covered[:, :, None] > 0, self._bare, now.flat)


def _one_piece(first: SeenTile, second: SeenTile) -> bool:
    """True when two accounts can only be of one piece: the same kind at the same place, lying the same way."""
    symmetry = 120.0 if first.kind == TRIOMINO else 180.0
    return (
        first.kind == second.kind
        and float(np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)) <= CONFIRMED_MM
        and turn_between(first.angle_deg, second.angle_deg, symmetry) <= CONFIRMED_DEG
    )


def _led_by_first(tile: SeenTile) -> SeenTile:
    """The tile with the numbers of its first reading, turned to their smallest rotation."""
    first = tile.readings[0].probability
    return seen_tile(tile.kind, pose_of(tile), FaceReading(tile.readings, tile.face_up, first, agreed=False))


def _circle(x_mm: float, y_mm: float, radius_mm: float) -> np.ndarray:
    turns = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
    return np.column_stack([x_mm + radius_mm * np.cos(turns), y_mm + radius_mm * np.sin(turns)])


def _paint(image: Image, source: Image, outline_px: np.ndarray) -> None:
    """Copy what lies inside an outline from one picture into another."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline_px.round().astype(np.int32), 255)
    cv2.copyTo(source, mask, image)
