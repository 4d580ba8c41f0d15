"""`referee sequence`: how well the eye follows a labelled sequence of pictures of one table."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.sighting import SeenTile
from referee.tiles import DOMINO, TRIOMINO, smallest_rotation

if TYPE_CHECKING:
    from vision.watch import Watcher

NEAR_MM, NEAR_DEG = 3.0, 6.0
SURE = 0.9  # above this a reading is accepted, below it people are asked
FPS = 15.0


@dataclass(frozen=True, slots=True)
class Label:
    """A tile as labelled."""

    values: tuple[int, ...]
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a sequence and what is to be seen on it."""

    file: str
    busy: bool
    event: str
    on_table: tuple[Label, ...]
    tile: Label | None = None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A labelled sequence; `empty` is the picture of the table before the first move."""

    name: str
    kind: str
    empty: str
    frames: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Sequences:
    """A file of labelled sequences."""

    sequences: tuple[Sequence, ...]


@dataclass(slots=True)
class Tally:
    """What came out, counted."""

    placements: int = 0
    found: int = 0
    read_right: int = 0
    wrong_accepted: int = 0
    asked: int = 0
    removals: int = 0
    removals_noticed: int = 0
    false_tiles: int = 0
    busy: int = 0
    busy_recognised: int = 0
    settled: int = 0
    settled_recognised: int = 0
    position_mm: list[float] = field(default_factory=list)
    angle_deg: list[float] = field(default_factory=list)
    look_ms: list[float] = field(default_factory=list)
    settle_ms: list[float] = field(default_factory=list)
    idle_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("sequence", help="measure the eye on a labelled sequence of pictures")
    parser.add_argument("file", type=Path, metavar="FILE", help="the labels (sequences.json), beside the pictures")
    parser.add_argument("--name", metavar="NAME", help="which sequence of the file")
    parser.add_argument("--hold", type=int, default=5, metavar="FRAMES", help="frames that each picture stands (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure one sequence."""
    import cv2

    from calibration.profile import load
    from vision.kinds import kinds
    from vision.watch import Watcher

    cv2.setNumThreads(1)
    try:
        sequence = chosen(args.file, args.name)
        profile = load(f"{args.file}#{sequence.name}")
        if args.hold < 1:
            raise ValueError(f"expected --hold to be at least 1, got {args.hold}")
        watcher = Watcher(profile, {DOMINO: 6, TRIOMINO: 5}[sequence.kind], kinds()[sequence.kind])
        tally = measured(sequence, args.file.parent, watcher, args.hold)
    except (ValueError, OSError) as error:
        print(f"referee sequence: {error}", file=sys.stderr)
        return 64
    result = summary(sequence.name, tally)
    print(json.dumps(result) if args.json else "\n".join(f"{key:32} {value}" for key, value in result.items()))
    return 0


def chosen(file: Path, name: str | None) -> Sequence:
    """The sequence that was named; the only one if none was.

    Raises:
        ValueError: if the file is not a file of sequences, or has no such sequence.
    """
    import msgspec

    try:
        sequences = msgspec.json.decode(file.read_bytes(), type=Sequences).sequences
    except msgspec.MsgspecError as error:
        raise ValueError(f"expected labelled sequences in {file}: {error}") from None
    fitting = [sequence for sequence in sequences if name in (None, sequence.name)]
    if len(fitting) != 1:
        names = ", ".join(sequence.name for sequence in sequences)
        raise ValueError(f"expected --name to be one of {names}, got {name or 'none'}")
    return fitting[0]


def measured(sequence: Sequence, folder: Path, watcher: Watcher, hold: int) -> Tally:
    """Show a watcher every picture for some frames and compare what it believes with the labels."""
    tally = Tally()
    number = 0
    before: tuple[SeenTile, ...] = ()
    for picture, image in pictures(sequence, folder, tally):
        from vision.frames import Frame

        spent = []
        for _ in range(hold):
            start = time.thread_time()
            watcher.see(Frame(image, number / FPS, number))
            spent.append((time.thread_time() - start) * 1000.0)
            number += 1
        if picture.busy:
            tally.busy += 1
            tally.busy_recognised += watcher.busy
            continue
        if picture.event != "empty":
            tally.settled += 1
            tally.settled_recognised += not watcher.busy
            tally.look_ms.append(max(spent[1:], default=0.0))
            tally.settle_ms.append(sum(spent))
            tally.idle_ms.append(spent[-1])
        compare(picture, before, watcher.tiles, sequence.kind, tally)
        before = watcher.tiles
    return tally


def pictures(sequence: Sequence, folder: Path, tally: Tally) -> Iterator[tuple[Picture, Any]]:
    """Each picture of a sequence with its image, the empty table first; decoding is timed for comparison."""
    import cv2
    import numpy as np

    for picture in (Picture(sequence.empty, False, "empty", ()), *sequence.frames):
        path = folder / picture.file
        data = np.frombuffer(path.read_bytes(), np.uint8)
        start = time.thread_time()
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        tally.decode_ms.append((time.thread_time() - start) * 1000.0)
        if image is None:
            raise ValueError(f"expected a picture, got {path}")
        yield picture, image


def compare(picture: Picture, before: tuple[SeenTile, ...], now: tuple[SeenTile, ...], kind: str, tally: Tally) -> None:
    """Count what a settled picture adds: its placement or removal, and tiles that are not there."""
    for label in picture.on_table:
        twin = match(label, now, kind)
        if twin is not None:
            distance, turn = apart(label, twin, kind)
            tally.position_mm.append(distance)
            tally.angle_deg.append(turn)
    new = [tile for tile in now if tile not in before]
    tally.false_tiles += sum(not any(near(label, tile, kind) for label in picture.on_table) for tile in new)
    if picture.event == "removed" and picture.tile is not None:
        tally.removals += 1
        tally.removals_noticed += match(picture.tile, now, kind) is None
    if picture.event == "placed" and picture.tile is not None:
        tally.placements += 1
        twin = match(picture.tile, now, kind)
        if twin is None:
            return
        tally.found += 1
        if twin.confidence <= SURE:
            tally.asked += 1
        elif twin.values == smallest_rotation(picture.tile.values) and upright(picture.tile, twin):
            tally.read_right += 1
        else:
            tally.wrong_accepted += 1


def match(label: Label, tiles: tuple[SeenTile, ...], kind: str) -> SeenTile | None:
    """The tile that lies where the label says, if any."""
    return next((tile for tile in tiles if near(label, tile, kind)), None)


def near(label: Label, tile: SeenTile, kind: str) -> bool:
    """Whether a tile lies where a label says, whatever its numbers."""
    distance, turn = apart(label, tile, kind)
    return distance <= NEAR_MM and turn <= NEAR_DEG


def apart(label: Label, tile: SeenTile, kind: str) -> tuple[float, float]:
    """Millimetres and degrees (up to the outline's symmetry) between a label and a tile."""
    symmetry = 120.0 if kind == TRIOMINO else 180.0
    distance = ((label.x_mm - tile.x_mm) ** 2 + (label.y_mm - tile.y_mm) ** 2) ** 0.5
    return distance, turn_between(label.angle_deg, tile.angle_deg, symmetry)


def upright(label: Label, tile: SeenTile) -> bool:
    """Whether the numbers lie the same way round as labelled."""
    return len(set(label.values)) == 1 or turn_between(label.angle_deg, tile.angle_deg, 360.0) <= NEAR_DEG


def turn_between(first_deg: float, second_deg: float, symmetry_deg: float) -> float:
    """The smallest turn from one angle to another."""
    return abs((first_deg - second_deg + symmetry_deg / 2) % symmetry_deg - symmetry_deg / 2)


def summary(name: str, tally: Tally) -> dict[str, Any]:
    """The counts, the errors' median and 95 %, and times as multiples of a JPEG decode in the same run."""
    import numpy as np

    def middle(numbers: list[float], part: float = 50.0) -> float:
        return round(float(np.percentile(numbers, part)), 3) if numbers else 0.0

    decode = max(middle(tally.decode_ms), 1e-6)
    return {
        "sequence": name,
        "placements": tally.placements,
        "found": tally.found,
        "read_right": tally.read_right,
        "wrong_accepted": tally.wrong_accepted,
        "asked": tally.asked,
        "removals": tally.removals,
        "removals_noticed": tally.removals_noticed,
        "false_tiles": tally.false_tiles,
        "busy_frames": tally.busy,
        "busy_recognised": tally.busy_recognised,
        "settled_frames": tally.settled,
        "settled_recognised": tally.settled_recognised,
        "position_mm_median": middle(tally.position_mm),
        "position_mm_95": middle(tally.position_mm, 95.0),
        "angle_deg_median": middle(tally.angle_deg),
        "angle_deg_95": middle(tally.angle_deg, 95.0),
        "decode_ms": round(decode, 2),
        "slowest_look_decodes": round(middle(tally.look_ms) / decode, 2),
        "settle_decodes": round(middle(tally.settle_ms) / decode, 2),
        "idle_decodes": round(middle(tally.idle_ms) / decode, 3),
    }
