"""Finding triominoes in a photograph: marks, triangles of marks, edges; then the cells next to those found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import TRIOMINO
from vision.kinds import Image, Points
from vision.still.candidate import Candidate, apart, pyramid, sampled, shared_area
from vision.still.glyphs import glyphs
from vision.still.plane import flatten
from vision.still.triangles import Fitted, Triples, common_size, corners, outline, strips, triples

MIN_SCORE = 0.35
OVERLAP = 0.15
SIZE_SLACK = 0.14
# Tilts that are tried when the table, seen as if from straight above, shows hardly any tile.
ENOUGH_TILES = 2.5
TILTS = (1.15, 1.35, 1.6, 2.0)
TILT_DIRECTIONS = 12
MOST_MARKS_TILTED = 220
# How far the colour of a cell's face may be from its neighbour's, in steps of 0..255.
FACE_COLOUR = 40.0
MOST_GROWN = 120


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A straightened table: `seen` (3, 3) takes it to the picture; `reach`, `spacing` as in `common_size`."""

    seen: Points
    found: Triples
    explained: float
    reach: float
    spacing: float
    rough: bool

    def candidate(self, fitted: Fitted) -> Candidate:
        """A fitted triple in the picture."""
        return Candidate(self.in_picture(fitted.corners), fitted.score)

    def in_picture(self, corners: Points) -> Points:
        """Points of the straightened table, (n, 2), in the picture."""
        return np.asarray(cv2.perspectiveTransform(corners[None], self.seen)[0], np.float64)


class TriominoFinder:
    """Looks for triominoes in one picture, BGR (height, width, 3)."""

    def __init__(self, image: Image) -> None:
        self._levels = pyramid(image)
        # In whatever colour a mark is printed, some channel is darker than the bright face.
        self._marks = glyphs(np.ascontiguousarray(image.min(2)))
        self._reach = 0.0
        self._rough = False

    def guesses(self) -> Iterator[list[Candidate]]:
        """What may lie there: the outlines of all tiles that carry three marks; at most one guess."""
        table = self._likeliest_table()
        if table is not None:
            self._reach, self._rough = table.reach, table.rough
            yield [table.candidate(one) for one in self._fitted(table)]

    def around(self, known: list[Points]) -> list[Candidate]:
        """Outlines of tiles and of the cells next to them, seen as the known tiles show the table.

        Args:
            known: outlines of tiles that were read.
        """
        flat = flatten(TRIOMINO, known)
        spacing = flat.shape.length_mm / (2 * 3**0.5 * self._reach)
        marks = np.column_stack(
            [cv2.perspectiveTransform(self._marks[:, None, :2], flat.table_from_image)[:, 0], self._marks[:, 2]]
        )
        seen = np.asarray(np.linalg.inv(flat.table_from_image), np.float64)
        table = _Table(seen, triples(marks), 0.0, self._reach, spacing, self._rough)
        fitted = self._fitted(table)
        return [table.candidate(one) for one in (*fitted, *self._grown(fitted, table))]

    def _likeliest_table(self) -> _Table | None:
        best = self._table(self._marks, np.eye(3))
        if best is None or best.explained < ENOUGH_TILES:
            for tilt in TILTS:
                for turn in np.arange(TILT_DIRECTIONS) * np.pi / TILT_DIRECTIONS:
                    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
                    seen = np.eye(3)
                    seen[:2, :2] = spin @ np.diag([1.0, 1 / tilt]) @ spin.T
                    other = self._table(self._marks[:MOST_MARKS_TILTED], seen)
                    if other and (best is None or other.explained > 1.2 * best.explained):
                        best = other
        return best

    def _table(self, marks: NDArray[np.float64], seen: Points) -> _Table | None:
        found = triples(np.column_stack([np.linalg.solve(seen[:2, :2], marks[:, :2].T).T, marks[:, 2]]))
        if not len(found):
            return None
        edges = np.array([strips(self._levels, one, seen) for one in found])
        explained, reach, spacing = common_size(found, edges)
        rough = not np.array_equal(seen, np.eye(3))
        return _Table(seen, found, explained, reach, spacing, rough) if explained > 0 else None

    def _fitted(self, table: _Table) -> list[Fitted]:
        """The triples of the common size with edges around them, without overlaps."""
        alike = np.abs(np.log(table.found[:, 2] / table.spacing)) < SIZE_SLACK
        fitted = [self._outline(one, table) for one in table.found[alike]]
        fitted = [one for one in fitted if one.score > MIN_SCORE]
        tiles = [table.candidate(one) for one in fitted]
        return [fitted[index] for index in apart(tiles, np.array([one.score for one in fitted]), OVERLAP)]

    def _grown(self, fitted: list[Fitted], table: _Table) -> list[Fitted]:
        """The free cells across the sides of tiles, and across theirs, where edges and face colour agree."""
        taken = [(one, table.candidate(one).corners) for one in fitted]
        grown: list[Fitted] = []
        for one, _ in taken:  # the list grows while it is walked, so growth goes on from what was added
            colour = self._face_colour(one.triple, table)
            for turn in one.triple[3] + np.pi + 2 * np.pi / 3 * np.arange(3):
                away = 2 * table.reach * table.spacing * np.array([np.cos(turn), np.sin(turn)])
                cell = np.array([*(one.triple[:2] + away), table.spacing, turn])
                place = table.in_picture(corners(cell, table.reach))
                if any(shared_area(place, other) > 2 * OVERLAP for _, other in taken) or len(grown) >= MOST_GROWN:
                    continue
                fit = self._outline(cell, table)
                place = table.candidate(fit).corners
                free = all(shared_area(place, other) < OVERLAP for _, other in taken)
                alike = np.abs(self._face_colour(fit.triple, table) - colour).max() < FACE_COLOUR
                if fit.score > MIN_SCORE and free and alike:
                    grown.append(fit)
                    taken.append((fit, place))
        return grown

    def _outline(self, triple: NDArray[np.float64], table: _Table) -> Fitted:
        return outline(self._levels, triple, table.seen, table.reach, table.spacing, table.rough)

    def _face_colour(self, triple: NDArray[np.float64], table: _Table) -> NDArray[np.float64]:
        """The median colour between the centre and the middles of the sides, where nothing is printed."""
        turns = triple[3] + np.pi / 3 * np.array([1, 3, 5])
        spots = triple[:2] + 0.62 * table.reach * triple[2] * np.stack([np.cos(turns), np.sin(turns)], 1)
        steps = 0.06 * triple[2] * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
        points = cv2.perspectiveTransform((spots[:, None] + steps).reshape(1, -1, 2), table.seen)
        colours = sampled(self._levels[0], np.asarray(points, np.float64))
        middle: NDArray[np.float64] = np.median(colours.reshape(3, 9, 3).astype(np.float64).mean(1), 0)
        return middle
