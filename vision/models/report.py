"""How well whole tiles of unseen sets are read: the measure by which networks are kept or not."""

from __future__ import annotations

from collections.abc import Callable
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
KINDS: tuple[tuple[Collection, type[Domino] | type[Triomino], int], ...] = (
    (DOMINOES, Domino, 9),
    (TRIOMINOES, Triomino, 5),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of many tiles; `wrong` are those accepted (both readers agree, nine tenths sure) and not right."""

    tiles: int = 0
    exact: int = 0
    asked: int = 0
    wrong: int = 0
    worst_set: float = 1.0  # the share read right of the set that was read worst

    def with_set(self, shown: list[tuple[bool, bool]]) -> Tally:
        """The same with the tiles of one more set, for each whether it was right and whether it was accepted."""
        right = sum(exact for exact, _ in shown)
        return Tally(
            self.tiles + len(shown),
            self.exact + right,
            self.asked + sum(not accepted for _, accepted in shown),
            self.wrong + sum(accepted and not exact for exact, accepted in shown),
            min(self.worst_set, right / len(shown) if shown else 1.0),
        )

    def line(self) -> str:
        """The tally as a line of a table."""
        many = max(self.tiles, 1)
        cells = (
            self.tiles,
            f"{self.exact / many:.2%}",
            f"{self.asked / many:.2%}",
            self.wrong,
            f"{self.worst_set:.0%}",
        )
        return " | ".join(str(cell) for cell in cells)


def tally(kind: Kind, what: Collection, highest: int, at: Conditions, tiles: int) -> Tally:
    """Read tiles of sets (and typefaces) that no network was trained on."""
    total = Tally()
    for number in range(-(-tiles // FACES_PER_SESSION)):
        shown = []
        for shot in islice(what.shots(number, at), tiles - number * FACES_PER_SESSION):
            if not shot.values:
                continue
            reading = kind.read(shot.face, highest)
            accepted = reading.agreed and reading.confidence >= ACCEPTED
            blank = shot.pips and not any(shot.values)  # bare of pips is like a back; nothing tells them apart
            exact = reading.face_up and reading.values == shot.values
            shown.append((exact or (blank and not reading.values), accepted))
        total = total.with_set(shown)
    return total


def report(folders: dict[str, Path], tiles: int, say: Callable[[str], None]) -> str:
    """A table of how the networks of several folders read the same tiles."""
    lines = ["networks | kind | pictures | tiles | exact | asked | accepted and wrong | worst set"]
    lines.append(" | ".join(["---"] * 8))
    for what, kind, highest in KINDS:
        for light, px_per_mm in LIGHTS.items():
            at = Conditions(UNSEEN_SEED, held_out=True, px_per_mm=px_per_mm, highest=highest)
            for name, folder in folders.items():
                lines.append(f"{name} | {what.name} | {light} | {tally(kind(folder), what, highest, at, tiles).line()}")
                say(lines[-1])
    return "".join(f"| {line} |\n" for line in lines)
