"""What can be learnt of a set from all its faces: what it bears, how far it goes, and which face is which tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.tileset import TileSet
from referee.tiles import DOMINO, Shape, smallest_rotation
from vision.kinds import Feet, Image, Kind, Marks
from vision.learn.evidence import Evidence, Numbers
from vision.learn.naming import Named, Stock, name

USUAL = {DOMINO: (6, 9, 12)}  # the highest numbers that sets go to
USUAL_TRIOMINOES = (5,)
SURELY = np.log(0.9)  # so much, on average over the readers, a number must be certain to count as one of the set's
AS_CLEAR = 2.0  # a difference of logarithms, over all faces together, that tells nothing
TWICE = 2  # the parts in which a number must be seen to be one of the set's


@dataclass(frozen=True, slots=True)
class Wanted:
    """What people say of a set before it is looked at; `highest` None: look for it.

    `partly`: not all tiles are there, or some are there in several pictures; only within a picture is each of
    them at most `copies` times.
    """

    highest: int | None = None
    copies: int = 1
    partly: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What was understood.

    Attributes:
        tileset: all that is known of the set but its size, which is the usual one of its kind.
        named: what each face is.
        missing: the tiles that should be there and are not, one for each copy; none where that cannot be told.
    """

    tileset: TileSet
    evidence: Evidence
    named: tuple[Named, ...]
    missing: tuple[Numbers, ...]

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of the faces that people have to name."""
        return tuple(face for face, each in enumerate(self.named) if each.is_open)

    @property
    def examples(self) -> tuple[int, ...]:
        """The numbers of the faces that may serve as examples."""
        return tuple(
            face for face, each in enumerate(self.named) if each.values and each.turn_is_clear and not each.is_open
        )

    @property
    def unknown(self) -> tuple[int, ...]:
        """The numbers of the set that no face shows for sure."""
        shown = {number for face in self.examples for number in self.named[face].values}
        return tuple(number for number in range(self.tileset.highest + 1) if number not in shown)


def study(
    kind: Kind, faces: Sequence[Image], pictures: Sequence[int], wanted: Wanted, said: Mapping[int, Numbers]
) -> Lesson:
    """Understand a set.

    Args:
        faces: canonical faces, at least one, all face up.
        pictures: for each the picture in which it was seen.
        said: what people said, by the face's number; () means that it is no tile.
    """
    evidence = understood(kind, faces)
    shape = Shape.domino() if kind.name == DOMINO else Shape.triomino()
    highest = wanted.highest if wanted.highest is not None else _highest(evidence, len(faces), wanted, shape)
    highest = max([highest, *(number for values in said.values() for number in values)])
    marks, feet = evidence.marks, evidence.feet
    tileset = TileSet(
        "", shape, highest, wanted.copies, marks.value if marks else None, feet.value if feet else None, True
    )
    groups = tuple(pictures) if wanted.partly else (0,) * len(faces)
    # That a tile is out of order only people can say: it is far oftener one that is not read well.
    odd = {smallest_rotation(values) for values in said.values() if values and not tileset.holds(values)}
    any_order = replace(tileset, ascending=kind.name == DOMINO)
    unusual = tuple(tile for tile in any_order.tiles if not tileset.holds(tile) and tile not in odd)
    named = name(evidence, Stock((*tileset.tiles, *sorted(odd)), wanted.copies, groups, unusual), said)
    missing = () if wanted.partly else _missing(tileset, named)
    # Each tile that is out of order stands for one that would be.
    missing = () if len(missing) <= len(odd) else missing
    return Lesson(any_order if odd else tileset, evidence, tuple(named), missing)


def understood(kind: Kind, faces: Sequence[Image]) -> Evidence:
    """The faces, taken to bear the marks with the feet in which they are clearest."""
    if kind.name == DOMINO:
        return Evidence(kind, faces, None, None)
    numerals = [Evidence(kind, faces, Marks.NUMERALS, feet) for feet in Feet]
    clearest = max((*numerals, Evidence(kind, faces, Marks.PIPS, None)), key=_clear)
    # The readers may read numerals as well with their feet elsewhere; but then one number looks unlike itself.
    as_clear = [each for each in numerals if _clear(each) > _clear(clearest) - AS_CLEAR]
    return max(as_clear, key=lambda each: each.alike) if clearest.marks is Marks.NUMERALS else clearest


def _clear(evidence: Evidence) -> float:
    """How clear the likeliest numbers of all faces are, as the logarithm of their chance."""
    return float(evidence.logs().max(axis=3).sum(axis=2).max(axis=1).sum())


def _highest(evidence: Evidence, count: int, wanted: Wanted, shape: Shape) -> int:
    """The smallest usual set that has the numbers seen, or, where all tiles are there, as many tiles as that."""
    logs = evidence.logs()
    faces = np.arange(len(logs))
    clearest = logs[faces, logs.max(axis=3).sum(axis=2).argmax(axis=1)]
    sure = Counter(clearest.argmax(axis=2)[clearest.max(axis=2) > SURELY].tolist())
    largest = max((number for number, times in sure.items() if times >= TWICE), default=0)
    usual = USUAL.get(shape.kind, USUAL_TRIOMINOES)
    if not wanted.partly:
        whole = {last: len(TileSet("", shape, last).tiles) * wanted.copies for last in range(1, 19)}
        if exact := [last for last, tiles in whole.items() if tiles == count and last >= min(largest, usual[-1])]:
            return exact[0]
    return next((last for last in usual if last >= largest), max(largest, usual[-1]))


def _missing(tileset: TileSet, named: Sequence[Named]) -> tuple[Numbers, ...]:
    left = Counter(dict.fromkeys(tileset.tiles, tileset.copies or 1))
    left.subtract(smallest_rotation(each.values) for each in named if each.values)
    return tuple(sorted(tile for tile, count in left.items() for _ in range(max(count, 0))))
