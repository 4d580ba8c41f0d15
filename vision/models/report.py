"""How well whole tiles of unseen sets are read: the measure by which networks are kept or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from vision.kinds import Kind
from vision.kinds.domino import Domino
from vision.kinds.triomino import Triomino
from vision.models.shots import DOMINOES, FACES_PER_SESSION, TRIOMINOES, Collection, Conditions

ACCEPTED = 0.9
UNSEEN_SEED = 900
LIGHTS = {"ordinary light, 3 px/mm": 3.0, "all lights and resolutions": 0.0}


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of sets to report on; `pips` is what triominoes bear."""

    name: str
    what: Collection
    kind: type[Domino] | type[Triomino]
    highest: int
    pips: bool = False


SORTS = (
    Sort("dominoes to nine", DOMINOES, Domino, 9),
    Sort("dominoes to twelve", DOMINOES, Domino, 12),
    Sort("triominoes with numerals", TRIOMINOES, Triomino, 5),
    Sort("triominoes with pips", TRIOMINOES, Triomino, 5, pips=True),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of many tiles; `wrong` are those accepted (both readers agree, nine tenths sure) and not right."""

    tiles: int = 0
    exact: int = 0
    asked: int = 0
    wrong: int = 0
    sets: int = 0
    unasked_sets: int = 0  # of which nothing was asked
    worst_set: float = 1.0  # the share read right of the set that was read worst

    def with_set(self, shown: list[tuple[bool, bool]]) -> Tally:
        """The same with the tiles of one more set, for each whether it was right and whether it was accepted."""
        if not shown:
            return self
        right, asked = sum(exact for exact, _ in shown), sum(not accepted for _, accepted in shown)
        return Tally(
            self.tiles + len(shown),
            self.exact + right,
            self.asked + asked,
            self.wrong + sum(accepted and not exact for exact, accepted in shown),
            self.sets + 1,
            self.unasked_sets + (not asked),
            min(self.worst_set, right / len(shown)),
        )

    def line(self) -> str:
        """The tally as a line of a table."""
        many = max(self.tiles, 1)
        cells = (
            self.tiles,
            f"{self.exact / many:.2%}",
            f"{self.asked / many:.2%}",
            self.wrong,
            f"{self.unasked_sets} of {self.sets}",
            f"{self.worst_set:.0%}",
        )
        return " | ".join(str(cell) for cell in cells)


def tallies(kinds: Sequence[Kind], what: Collection, highest: int, at: Conditions, tiles: int) -> list[Tally]:
    """Have each of several readers read the same tiles, of sets (and typefaces) that no network was trained on.

    Pictures of backs, of no tile and of covered ones are left out, and of tiles without a pip: they look like backs.
    """
    totals = [Tally()] * len(kinds)
    for number in range(-(-tiles // FACES_PER_SESSION)):
        few = islice(what.shots(number, at), tiles - number * FACES_PER_SESSION)
        shots = [shot for shot in few if shot.values and not (shot.pips and not any(shot.values))]
        for place, kind in enumerate(kinds):
            readings = [kind.read(shot.face, highest) for shot in shots]
            shown = [
                (reading.face_up and reading.values == shot.values, reading.agreed and reading.confidence >= ACCEPTED)
                for reading, shot in zip(readings, shots, strict=True)
            ]
            totals[place] = totals[place].with_set(shown)
    return totals


def report(folders: dict[str, Path], tiles: int, say: Callable[[str], None]) -> str:
    """A table of how the networks of several folders read the same tiles, so far as they are there."""
    lines = ["networks | sets | pictures | tiles | right | asked | accepted and wrong | nothing asked of | worst set"]
    lines.append(" | ".join(["---"] * 9))
    for sort in SORTS:
        there = {name: folder for name, folder in folders.items() if any(folder.glob(f"{sort.what.name}-*.onnx"))}
        kinds = [sort.kind(folder) for folder in there.values()]
        for light, px_per_mm in LIGHTS.items() if kinds else ():
            at = Conditions(UNSEEN_SEED, True, px_per_mm, sort.highest, sort.pips)
            for name, told in zip(there, tallies(kinds, sort.what, sort.highest, at, tiles), strict=True):
                lines.append(f"{name} | {sort.name} | {light} | {told.line()}")
                say(lines[-1])
    return "".join(f"| {line} |\n" for line in lines)
