"""`referee sequence`: how well the eye follows labelled sequences of pictures of a table."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.commands import setting
from referee.sighting import SeenTile
from referee.tiles import DOMINO, TRIOMINO, smallest_rotation

if TYPE_CHECKING:
    from calibration.profile import Profile, TablePose
    from calibration.tileset import TileSet
    from referee.commands.desk import Desk
    from referee.commands.labels import Label, Picture, Sequence
    from referee.commands.progress import Progress
    from referee.rulings import Reason
    from vision.disturb import Disturber
    from vision.kinds import Image

SURE = 0.9  # above this a reading is accepted, below it people are asked
FPS = 15.0
UPRIGHT_DEG = 45.0
HIGHEST = {DOMINO: 6, TRIOMINO: 5}


@dataclass(slots=True)
class Tally:
    """What came out, counted; `steps` are the tiles that were placed.

    `exact` are those found with the right numbers the right way round, and sure; `asked` those found but
    not sure. A false move is a tile that came, or went, where the labels tell of none.
    """

    steps: int = 0
    position: int = 0
    exact: int = 0
    asked: int = 0
    false_moves: int = 0
    busy_frames: int = 0
    busy_right: int = 0
    removals: int = 0
    removals_right: int = 0
    rulings: int = 0
    rulings_right: int = 0
    off_mm: list[float] = field(default_factory=list)
    off_deg: list[float] = field(default_factory=list)
    eye_ms: list[float] = field(default_factory=list)
    idle_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    spent_s: float = 0.0
    remarks: list[str] = field(default_factory=list)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "sequence",
        help="measure the eye on labelled sequences of pictures",
        description="Shows the eye a match, one picture after each move, and counts the moves that it told right.",
        epilog="""examples:
  referee sequence recordings
  referee sequence recordings --name d1 --game fr-domino
  referee sequence recordings --disturb half-shadow --disturb-from 0.5""",
    )
    parser.add_argument(
        "path", type=Path, metavar="DIR", help="a folder with sequences.json, or such a file beside its pictures"
    )
    parser.add_argument("--name", metavar="NAME", help="only this sequence (default: all)")
    parser.add_argument(
        "--game", action="append", default=[], metavar="ID", help="rule on sequences of this game's tiles; repeatable"
    )
    parser.add_argument("--set", metavar="FILE", help="the set of tiles: its size, numbers and copies")
    parser.add_argument(
        "--copies", type=int, metavar="N", help="how many of each tile there are (the set's, else 1; 0: any)"
    )
    parser.add_argument("--highest", type=int, metavar="N", help="its largest number (the set's, else 6 or 5)")
    parser.add_argument(
        "--hold", type=int, default=20, metavar="FRAMES", help="camera frames that a recorded picture stands (20)"
    )
    parser.add_argument(
        "--disturb", metavar="NAME,NAME", default="", help="make the pictures worse first (`help` lists the ways)"
    )
    parser.add_argument(
        "--disturb-from", type=_part, metavar="PART", default=0.0, help="only after this part of a sequence (0: all)"
    )
    parser.add_argument("--disturb-seed", type=_seed, metavar="N", default=1, help="another number, other chances (1)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def _seed(text: str) -> int:
    """Read what chances begin from."""
    return setting.whole(text, "a seed", 0, 10**6)


def _part(text: str) -> float:
    """Read a part of a whole."""
    return setting.number(text, "a part", 1)


def run(args: argparse.Namespace) -> int:
    """Measure, print."""
    import cv2

    from referee.commands import labels
    from referee.commands.progress import Progress
    from vision.disturb import DISTURBANCES, Disturber

    cv2.setNumThreads(1)
    if args.disturb == "help":
        print("\n".join(f"{name:8} {way.what}" for name, way in DISTURBANCES.items()))
        return 0
    try:
        disturber = Disturber(tuple(args.disturb.split(",")) if args.disturb else (), args.disturb_seed)
        if args.hold < 1 or (args.copies or 0) < 0:
            raise ValueError(f"expected --hold from 1 and --copies from 0, got {args.hold} and {args.copies}")
        folder = labels.labels_file(args.path).parent
        sequences = labels.read(args.path, args.name)
        games = _games(args.game)
        progress = Progress(sum(len(sequence.pictures) + 1 for sequence in sequences))
        try:
            measure = partial(measured, folder=folder, args=args, disturber=disturber, progress=progress)
            tallies = [measure(sequence, game=games.get(sequence.kind)) for sequence in sequences]
        finally:
            progress.end()
    except (ValueError, OSError) as error:
        print(f"referee sequence: {error}", file=sys.stderr)
        return 64
    if args.json:
        print(json.dumps(counts(together(tallies))))
    else:
        names = [sequence.name for sequence in sequences]
        print(table([*names, "all"], [*tallies, together(tallies)]))
    return 0


def _games(ids: list[str]) -> dict[str, str]:
    """The game to rule by for each kind of tile."""
    from referee.games import game

    return {game(each).kind: each for each in ids}


def _tileset(sequence: Sequence, args: argparse.Namespace) -> TileSet:
    """The set of tiles that was named, else the usual one of this kind; single arguments count for more.

    Raises:
        ValueError: if it is of another kind, or cannot be read.
    """
    from calibration.tileset import TileSet, load

    shape = sequence.profile.shape
    tileset = TileSet("", shape, HIGHEST[sequence.kind], ascending=False) if args.set is None else load(args.set)
    if tileset.shape.kind != sequence.kind:
        raise ValueError(f"expected a {sequence.kind} set for {sequence.name}, got a {tileset.shape.kind} set")
    if args.copies is not None:
        tileset = replace(tileset, copies=args.copies or None)
    return tileset if args.highest is None else replace(tileset, highest=args.highest)


def measured(
    sequence: Sequence,
    folder: Path,
    args: argparse.Namespace,
    game: str | None,
    disturber: Disturber,
    progress: Progress,
) -> Tally:
    """Show the eye every picture of a sequence, made worse on request, and compare what it believes with the labels."""
    from referee.commands.desk import Desk

    tally, tileset = Tally(), _tileset(sequence, args)
    desk = Desk(game, tileset.shape, tileset.copies) if game else None
    eye = (Recorded if sequence.start.pose is None else Photographed)(sequence, tileset, desk, args.hold)
    before: tuple[SeenTile, ...] = ()
    for number, picture in enumerate((sequence.start, *sequence.pictures)):
        progress.step(partial("{} {}".format, sequence.name, picture.file))
        image, pose = _image(folder / picture.file, tally), picture.pose
        if number >= args.disturb_from * len(sequence.pictures):
            image, pose = _disturbed(image, picture.pose, number, sequence.profile, disturber)
        rulings = eye.show(replace(picture, pose=pose), image, tally)
        if picture.busy:
            tally.busy_frames += 1
            tally.busy_right += eye.busy
            continue
        if picture.event != "start":
            compare(picture, before, eye.tiles, sequence.profile.shape.length_mm, tally)
            if desk and picture.event == "placed" and picture.tile and picture.tile.legal is not None:
                tally.rulings += 1
                tally.rulings_right += as_labelled(rulings, picture.tile)
        before = eye.tiles
    return tally


def _disturbed(
    image: Image, pose: TablePose | None, number: int, profile: Profile, disturber: Disturber
) -> tuple[Image, TablePose | None]:
    """A picture made worse, and how it shows the table then."""
    from vision.disturb import carried

    image, matrix = disturber(image, number)
    return image, None if pose is None else carried(pose, matrix, profile.camera, profile.mat)


class Recorded:
    """A camera's frames: every picture stands for some of them."""

    def __init__(self, sequence: Sequence, tileset: TileSet, desk: Desk | None, hold: int) -> None:
        from vision.learn import kind_of
        from vision.watch import Watcher

        profile = replace(sequence.profile, shape=tileset.shape)
        self._watcher = Watcher(profile, tileset.highest, kind_of(tileset), tileset=tileset)
        self._desk = desk
        self._hold = hold
        self._number = 0

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """What the eye believes to lie there."""
        return self._watcher.tiles

    @property
    def busy(self) -> bool:
        """Whether it believes that a hand is there or something moves."""
        return self._watcher.busy

    def show(self, picture: Picture, image: Image, tally: Tally) -> tuple[Reason, ...]:
        """Show a picture; the rulings that it led to."""
        from vision.frames import Frame

        rulings: list[Reason] = []
        spent = []
        settled = self._watcher.settle
        for _ in range(self._hold):
            start = time.thread_time()
            sighting = self._watcher.see(Frame(image, self._number / FPS, self._number))
            spent.append((time.thread_time() - start) * 1000.0)
            self._number += 1
            if sighting is not None and self._desk is not None:
                rulings.extend(self._desk.see(sighting))
        tally.spent_s += sum(spent) / 1000.0
        if not picture.busy and picture.event != "start":
            tally.idle_ms.append(spent[-1])
            if self._watcher.settle > settled:  # the first frame only moves; the rest are still ones
                tally.eye_ms.append(sum(spent[1:]) - spent[-1] * sum(each < 3 * spent[-1] for each in spent[1:]))
        return tuple(rulings)


class Photographed:
    """Photographs, one after every move."""

    busy = False

    def __init__(self, sequence: Sequence, tileset: TileSet, _desk: Desk | None, _hold: int) -> None:
        from vision.album import Album
        from vision.learn import kind_of

        profile = replace(sequence.profile, shape=tileset.shape)
        self._album = Album(profile, tileset.highest, kind_of(tileset), tileset)
        self._lying = sequence.lying

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """What the eye believes to lie there."""
        return self._album.tiles

    def show(self, picture: Picture, image: Image, tally: Tally) -> tuple[Reason, ...]:
        """Show a picture; photographs come without a ruling."""
        assert picture.pose is not None  # that is what makes it a photograph
        if picture.event == "start":
            self._album.begin(image, picture.pose, self._lying)
            return ()
        start = time.thread_time()
        self._album.see(image, picture.pose)
        tally.eye_ms.append((time.thread_time() - start) * 1000.0)
        tally.spent_s += tally.eye_ms[-1] / 1000.0
        return ()


def _image(path: Path, tally: Tally) -> Image:
    """Read a picture; decoding is timed for comparison."""
    import cv2
    import numpy as np

    data = np.frombuffer(path.read_bytes(), np.uint8)
    start = time.thread_time()
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    tally.decode_ms.append((time.thread_time() - start) * 1000.0)
    if image is None:
        raise ValueError(f"expected a picture, got {path}")
    return np.asarray(image, np.uint8)


def compare(picture: Picture, before: Many[SeenTile], now: Many[SeenTile], length_mm: float, tally: Tally) -> None:
    """Count what a picture at rest adds: the tile placed or removed, and tiles that came or went without a label."""
    near_mm = length_mm / 4
    label = picture.tile
    came = [tile for tile in now if not any(apart(tile, other) < near_mm for other in before)]
    went = [tile for tile in before if not any(apart(tile, other) < near_mm for other in now)]
    if picture.event == "placed" and label is not None:
        tally.steps += 1
        found = min(came, key=lambda tile: apart(tile, label), default=None)
        if found is not None and apart(found, label) <= near_mm:
            came.remove(found)
            tally.position += 1
            _compare_tile(picture.file, label, found, tally)
        else:
            tally.remarks.append(f"{picture.file}: not found: {label.values}")
    if picture.event == "removed" and label is not None:
        tally.removals += 1
        gone = [tile for tile in went if apart(tile, label) <= near_mm]
        tally.removals_right += len(gone) == 1
        went = [tile for tile in went if tile not in gone]
    tally.false_moves += len(came) + len(went)
    tally.remarks.extend(f"{picture.file}: came without a label: {tile.values}" for tile in came)
    tally.remarks.extend(f"{picture.file}: went without a label: {tile.values}" for tile in went)


def _compare_tile(file: str, label: Label, found: SeenTile, tally: Tally) -> None:
    """Count how exactly a tile was found."""
    symmetry = 120.0 if found.kind == TRIOMINO else 180.0
    tally.off_mm.append(apart(found, label))
    tally.off_deg.append(turn_between(label.angle_deg, found.angle_deg, symmetry))
    right = found.values == smallest_rotation(label.values) and upright(label, found)
    if found.confidence <= SURE:
        tally.asked += 1
        tally.remarks.append(f"{file}: asked: {label.values}, read {found.values} at {found.confidence:.2f}")
    elif right:
        tally.exact += 1
    else:
        tally.remarks.append(f"{file}: wrong: {label.values}, read {found.values} at {found.confidence:.2f}")


def as_labelled(rulings: tuple[Reason, ...], label: Label) -> bool:
    """Whether there was one ruling, the one that the label tells: legal, or illegal for that reason."""
    if len(rulings) != 1:
        return False
    (reason,) = rulings
    return reason.is_legal if label.legal else reason.value in (label.why, f"{label.why}-mismatch")


def apart(one: SeenTile, other: SeenTile | Label) -> float:
    """Millimetres from centre to centre."""
    return float(((one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2) ** 0.5)


def upright(label: SeenTile | Label, tile: SeenTile) -> bool:
    """Whether the numbers lie the same way round as labelled."""
    return len(set(label.values)) == 1 or turn_between(label.angle_deg, tile.angle_deg, 360.0) <= UPRIGHT_DEG


def turn_between(first_deg: float, second_deg: float, symmetry_deg: float) -> float:
    """The smallest turn from one angle to another."""
    return abs((first_deg - second_deg + symmetry_deg / 2) % symmetry_deg - symmetry_deg / 2)


def together(tallies: Many[Tally]) -> Tally:
    """The sum of several tallies."""
    total = Tally()
    for one in tallies:
        for each in fields(Tally):
            setattr(total, each.name, getattr(total, each.name) + getattr(one, each.name))
    return total


def counts(tally: Tally) -> dict[str, Any]:
    """The counts by name, and the seconds that the eye took for each placed tile."""
    whole = {each.name: getattr(tally, each.name) for each in fields(Tally) if each.type == "int"}
    return {**whole, "seconds_per_step": round(tally.spent_s / tally.steps, 4) if tally.steps else 0.0}


def table(names: Many[str], tallies: Many[Tally]) -> str:
    """One column for each sequence: the counts, the poses' errors, times in JPEG decodes; then what went wrong."""
    columns = [{**counts(tally), **_extras(tally)} for tally in tallies]
    lines = ["".join([f"{'':24}", *(f"{name:>10}" for name in names)])]
    lines += ["".join([f"{key:24}", *(f"{column[key]:>10}" for column in columns)]) for key in columns[0]]
    return "\n".join([*lines, *tallies[-1].remarks])


def _extras(tally: Tally) -> dict[str, float]:
    import numpy as np

    def middle(numbers: list[float], part: float = 50.0) -> float:
        return float(np.percentile(numbers, part)) if numbers else 0.0

    decode = max(middle(tally.decode_ms), 1e-6)
    return {
        "position_mm_median": round(middle(tally.off_mm), 2),
        "position_mm_95": round(middle(tally.off_mm, 95.0), 2),
        "angle_deg_median": round(middle(tally.off_deg), 2),
        "angle_deg_95": round(middle(tally.off_deg, 95.0), 2),
        "decode_ms": round(decode, 2),
        "decision_decodes": round(middle(tally.eye_ms) / decode, 2),
        "slowest_decodes": round(max(tally.eye_ms, default=0.0) / decode, 2),
        "idle_decodes": round(middle(tally.idle_ms) / decode, 3),
    }
