"""`referee layouts`: how well the eye reads a whole layout that comes before it at once."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from referee.commands import setting
from referee.tiles import DOMINO, TRIOMINO

if TYPE_CHECKING:
    from referee.sighting import SeenTile, Sighting

KINDS = (DOMINO, TRIOMINO)
HIGHEST = {DOMINO: 6, TRIOMINO: 5}
MOST_LAYOUTS, MOST_SEED = 10_000, 2**31 - 1
SURE = 0.9  # above this a reading is accepted, below it people are asked
NEAR = 0.25  # of a tile's length
COUNTS = ("tiles", "exact", "asked", "wrong", "missed", "invented", "doubted", "unsteady")


@dataclass(slots=True)
class Outcome:
    """What was read of one layout, counted, and what was not right about it.

    `exact` are tiles found with the right numbers, the right way round, and sure; `asked` those found but not sure;
    `invented` those that do not lie there, `doubted` the same where they are not sure; `unsteady` those that came or
    went while nothing was laid or taken.
    """

    way: str
    kind: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Whether nothing was believed that is not so; what is not sure is asked about."""
        return not any(self.counts[name] for name in ("wrong", "missed", "invented", "unsteady"))


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "layouts",
        help="measure on the virtual table how well whole layouts are read at once",
        description="Makes up layouts as games leave them, whole double-six lines and up to 56 triominoes, in a room "
        "of each seed's own, and lets the eye find them: all laid at once, lying there when it is opened, lying there "
        "as the journal says or not quite, and with a knock and a lamp switched while it looks.",
        epilog="""examples:
  referee layouts
  referee layouts --layouts 20 --kind domino --way laid --json""",
    )
    parser.add_argument("--layouts", type=wanted, default=5, metavar="N", help="of each kind, each way (default 5)")
    parser.add_argument("--seed", type=seed, default=1, metavar="S", help="the first one's seed (default 1)")
    parser.add_argument("--kind", choices=KINDS, help="only tiles of this kind")
    parser.add_argument("--way", action="append", choices=("laid", "found", "known", "changed", "knocked"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def wanted(text: str) -> int:
    """Read a number of layouts."""
    return setting.whole(text, "a number of layouts", 1, MOST_LAYOUTS)


def seed(text: str) -> int:
    """Read what the first layout is made from."""
    return setting.whole(text, "a seed", 0, MOST_SEED)


def run(args: argparse.Namespace) -> int:
    """Measure; 0 when nothing was read wrong, missed or invented."""
    import cv2

    from referee.commands.layouts.ways import WAYS
    from referee.commands.progress import told

    cv2.setNumThreads(1)
    each = [
        (kind, way, args.seed + number)
        for kind in ([args.kind] if args.kind else KINDS)
        for way in args.way or WAYS
        for number in range(args.layouts)
    ]
    outcomes = [measured(*one) for one in told(each, lambda one: f"{one[0]}es, {one[1]}, seed {one[2]}")]
    print(json.dumps(as_json(outcomes)) if args.json else "\n".join(as_text(outcomes)))
    return 0 if all(outcome.is_right for outcome in outcomes) else 1


def measured(kind: str, way: str, number: int) -> Outcome:
    """Let the eye read one layout one way."""
    from random import Random

    from calibration.profile import Mat
    from referee.commands.layouts import growing, ways

    mat = Mat()
    layout = growing.grown(kind, (mat.width_mm, mat.height_mm), Random(f"{kind}/{number}"))
    course = ways.WAYS[way](layout, growing.SHAPES[kind], Random(f"{kind}/{number}/{way}"))
    outcome = Outcome(way, kind, number)
    sightings = ways.watched(course, kind, HIGHEST[kind], number)
    compare(course.at_last, sightings[-1].tiles if sightings else (), growing.SHAPES[kind].length_mm, outcome)
    if way == "knocked":
        outcome.counts["unsteady"] = came_and_went(sightings, growing.SHAPES[kind].length_mm)
    return outcome


def compare(lying: Sequence[SeenTile], seen: Sequence[SeenTile], length_mm: float, outcome: Outcome) -> None:
    """Count what is believed to lie there against what does."""
    from referee.commands.sequence import apart, upright
    from referee.seen.placing import normalised

    left, counts = list(seen), outcome.counts
    counts["tiles"] += len(lying)
    for true in map(normalised, lying):
        tile = min(left, key=lambda each: apart(each, true), default=None)
        verdict = "missed"
        if tile is not None and apart(tile, true) < NEAR * length_mm:
            left.remove(tile)
            right = tile.values == true.values and upright(true, tile)
            verdict = "asked" if tile.confidence <= SURE else "exact" if right else "wrong"
        counts[verdict] += 1
        if verdict != "exact":
            read = "" if tile is None or verdict == "missed" else f", read {tile.values} at {tile.confidence:.2f}"
            outcome.remarks.append(f"{verdict}: {true.values} at {true.x_mm:.0f}, {true.y_mm:.0f}{read}")
    for tile in left:
        verdict = "invented" if tile.confidence > SURE else "doubted"
        counts[verdict] += 1
        outcome.remarks.append(f"{verdict}: {tile.values} at {tile.x_mm:.0f}, {tile.y_mm:.0f}")


def came_and_went(sightings: Sequence[Sighting], length_mm: float) -> int:
    """How many tiles were believed at one time at rest, and not at the next, or the other way round."""
    from referee.commands.sequence import apart

    def missing(one: Sequence[SeenTile], other: Sequence[SeenTile]) -> int:
        return sum(
            not any(each.values == tile.values and apart(each, tile) < NEAR * length_mm for each in other)
            for tile in one
        )

    both = ((one.tiles, two.tiles) for one, two in pairwise(sightings))
    return sum(missing(one, two) + missing(two, one) for one, two in both)


def as_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The counts by kind and way, and what was not right."""
    groups = _groups(outcomes)
    counted = {f"{kind} {way}": {name: counts[name] for name in COUNTS} for (kind, way), counts in groups.items()}
    findings = [
        {"kind": each.kind, "way": each.way, "seed": each.seed, "what": remark}
        for each in outcomes
        for remark in each.remarks
    ]
    return {"counts": counted, "findings": findings}


def as_text(outcomes: Sequence[Outcome]) -> list[str]:
    """The same as a table."""
    lines = ["".join([f"{'':20}", *(f"{name:>10}" for name in COUNTS)])]
    for (kind, way), counts in _groups(outcomes).items():
        lines.append("".join([f"{f'{kind} {way}':20}", *(f"{counts[name]:>10}" for name in COUNTS)]))
    return [
        *lines,
        *(f"{each.kind} {each.way}, seed {each.seed}: {what}" for each in outcomes for what in each.remarks),
    ]


def _groups(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], Counter[str]]:
    groups: dict[tuple[str, str], Counter[str]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.kind, outcome.way), Counter()).update(outcome.counts)
    return groups
