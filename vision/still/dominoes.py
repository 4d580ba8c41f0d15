"""Finding dominoes in a photograph: divider bars, then the outlines that all of them agree on."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from referee.tiles import DOMINO
from vision.kinds import Image, Kind, Points
from vision.still.bars import Bars, divider_bars
from vision.still.candidate import Candidate, pyramid, shared_area, sizes_px, working_copy
from vision.still.plane import flatten
from vision.still.quads import Profile, common_views, fit, outline, profile, support
from vision.still.reading import OVERLAP, Read, read_all, without_overlap

MOST_BARS = 90
MIN_SUPPORT = 0.1
MIN_SCORE = 0.2
# Bars of one photograph: seen from aside they differ in length, but not more than this (logarithm).
LENGTHS_ALIKE = 0.3
LENGTHS_POSSIBLE = 0.65
SIZES_TRIED = 3
VIEWS_TRIED = 3
# On the straightened table bars differ less.
FLAT_LENGTHS_ALIKE = 0.18
IN_MIDDLE = 0.1  # so near a tile's middle, in its lengths, a bar is its divider
WIDTH_PX = 50.0
MOST_LOOKS = 3
STRONG = 0.6
MANY = 4
MOST_GUESSES = 5
# A photograph in which nothing was read surely among so many outlines is a pattern, no layout.
MOST_OUTLINES = 150


class DominoFinder:
    """Looks for dominoes in one picture, BGR (height, width, 3)."""

    def __init__(self, image: Image) -> None:
        self._levels = pyramid(image)
        self._gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        self._bars: Bars = np.empty((0, 5))

    def look_for_bars(self, known: list[Points]) -> None:
        """Look for bars such as divide the known tiles: dark ones, or else pale ones."""
        middles, reach = np.mean(known, axis=1), 2 * IN_MIDDLE * sizes_px(np.array(known))
        for gray in (self._gray, 255 - self._gray):
            self._bars = divider_bars(gray)
            if (np.hypot(*(self._bars[:, None, :2] - middles).transpose(2, 0, 1)) < reach).any():
                return

    def guesses(self) -> Iterator[list[Candidate]]:
        """What may lie there: for each likely size and tilt of tiles their outlines, the likeliest first.

        Outlines of one guess may overlap. Dark tiles with pale pips come last.
        """
        for gray in (self._gray, 255 - self._gray):
            self._bars = divider_bars(gray)
            yield from self._by_size()

    def _by_size(self) -> Iterator[list[Candidate]]:
        bars = self._bars[np.argsort(-self._bars[:, 2], kind="stable")[:MOST_BARS]]
        if not len(bars):
            return
        profiles = [profile(self._levels, bar) for bar in bars]
        # A size is as likely as the area of the tiles that it would explain: patterns are small.
        worth = np.array([_goodness(one) for one in profiles]) * bars[:, 2] ** 2
        difference = np.abs(np.log(bars[:, None, 2] / bars[None, :, 2]))
        sizes = []
        for _ in range(SIZES_TRIED):
            reference = int(((difference < LENGTHS_ALIKE) @ worth).argmax())
            members = np.flatnonzero((difference[reference] < LENGTHS_ALIKE) & (worth > 0))
            if len(members):
                sizes.append((members, np.flatnonzero(difference[reference] < LENGTHS_POSSIBLE)))
            worth[members] = 0
        views = [common_views(bars[members], [profiles[m] for m in members]) for members, _ in sizes]
        for view, (_, possible) in (
            (row[rank], size) for rank in range(VIEWS_TRIED) for row, size in zip(views, sizes, strict=True)
        ):
            supported = support(view, bars[possible], [profiles[p] for p in possible]) > MIN_SUPPORT
            outlines = [outline(self._levels, bar, view) for bar in bars[possible[supported]]]
            yield [Candidate(corners, score) for corners, score in outlines if score > MIN_SCORE]

    def around(self, known: list[Points]) -> list[Candidate]:
        """Outlines around the bars beside tiles already known that suit those, seen as they show the table.

        Args:
            known: outlines of tiles that were read, the more and the wider apart the better.
        """
        flat = flatten(DOMINO, known)
        steps = self._bars[:, 2:3] / 2 * np.stack([np.cos(self._bars[:, 4]), np.sin(self._bars[:, 4])], 1)
        tips = [self._bars[:, :2] - steps, self._bars[:, :2] + steps]
        if not len(self._bars):
            return []
        left, right = (cv2.perspectiveTransform(tip[:, None], flat.table_from_image)[:, 0] for tip in tips)
        lengths = np.hypot(*(right - left).T)
        centres = (left + right) / 2
        away = np.hypot(*(centres[:, None] - flat.poses[None, :, :2]).transpose(2, 0, 1)).min(1)
        owned = away < IN_MIDDLE * flat.shape.length_mm
        of_known = lengths[owned]
        if not len(of_known):
            return []
        alike = (np.abs(np.log(lengths / np.median(of_known))) < FLAT_LENGTHS_ALIKE) & ~owned
        found = []
        for centre, along in zip(centres[alike], (right - left)[alike], strict=True):
            across = along / np.hypot(*along) * flat.shape.width_mm / WIDTH_PX
            table = np.eye(3)
            table[:2] = np.column_stack([(across[1], -across[0]), across, centre])
            frame = np.linalg.inv(flat.table_from_image) @ table
            half_x = WIDTH_PX / 2 * flat.shape.length_mm / flat.shape.width_mm
            corners, score = fit(self._levels, frame / frame[2, 2], half_x, WIDTH_PX / 2, slack=0.07)
            if score > MIN_SCORE:
                found.append(Candidate(corners, score))
        return found


def _goodness(one: Profile) -> float:
    """Whether a bar has any outline at all, seen from above: its best symmetric edges."""
    ends, sides = one.ends[len(one.ends) // 2], one.sides[len(one.sides) // 2]
    far = np.minimum(ends, ends[::-1])[: len(ends) // 2 - 34].max()
    beside = np.minimum(sides, sides[::-1])[: len(sides) // 2 - 20].max()
    return float(min(far, beside))


def search(image: Image, kind: Kind, highest: int) -> list[Read]:
    """Find and read the dominoes of a BGR photograph by their divider bars: the guess that explains most of it."""
    small, scale = working_copy(image)
    finder = DominoFinder(small)
    best: list[Read] = []
    looked_at = 0
    for number, guess in enumerate(finder.guesses(), 1):
        read = _look_again(small, kind, finder, read_all(small, kind, guess, highest), highest)
        if _explained(read) > _explained(best):
            best = read
        looked_at += len(guess)
        enough = looked_at >= MOST_OUTLINES or any(one.is_sure for one in best)
        if _settled(best, guess) or (number >= MOST_GUESSES and enough):
            break
    return [Read(_scaled(one.candidate, 1 / scale), one.reading) for one in best]


def search_beside(image: Image, kind: Kind, read: list[Read], highest: int) -> list[Read]:
    """The same with what was missed among dominoes read surely, which show how the table and its dividers look."""
    small, scale = working_copy(image)
    finder = DominoFinder(small)
    known = [Read(_scaled(one.candidate, scale), one.reading) for one in read]
    finder.look_for_bars([one.candidate.corners for one in known if one.is_sure])
    every = _look_again(small, kind, finder, known, highest)
    return [Read(_scaled(one.candidate, 1 / scale), one.reading) for one in every]


def _scaled(one: Candidate, scale: float) -> Candidate:
    return Candidate((one.corners + 0.5) * scale - 0.5, one.score, one.edges)


def _look_again(image: Image, kind: Kind, finder: DominoFinder, read: list[Read], highest: int) -> list[Read]:
    """With the table as the tiles just read show it, look for those that were missed."""
    sure = [one for one in read if one.is_sure]
    for _ in range(MOST_LOOKS):
        if not sure:
            break
        second = read_all(image, kind, finder.around([one.candidate.corners for one in sure]), highest)
        read = without_overlap([*read, *second])
        before, sure = len(sure), [one for one in read if one.is_sure]
        if len(sure) == before or len(sure) == len(read):
            break
    return read


def _explained(read: list[Read]) -> float:
    """How much of the picture a guess explains: larger and surer tiles count for more, as patterns are small."""
    sizes = [float(np.hypot(*(one.candidate.corners[0] - one.candidate.corners[1]))) for one in read]
    return sum(size * one.candidate.score * one.reading.confidence**2 for size, one in zip(sizes, read, strict=True))


def _settled(read: list[Read], guess: list[Candidate]) -> bool:
    """Whether another guess need not be looked at: nearly everything that has an outline is read."""
    missed = [
        one
        for one in guess
        if one.score >= STRONG and all(shared_area(one.corners, other.candidate.corners) < OVERLAP for other in read)
    ]
    sure = sum(one.is_sure for one in read)
    # Among many tiles that were read, other strong outlines are patterns; next to one or two they may be tiles.
    return bool(read) and sure >= 0.8 * (len(read) + (0 if sure >= MANY else len(missed)))
