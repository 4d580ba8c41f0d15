"""`referee hands DIR`: how well the motion gate tells hands from a table at rest, on labelled recordings."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.commands import setting

if TYPE_CHECKING:
    from vision.frames import Frame

EXAMPLE = """\
labels.json in the folder names recordings and the numbers of their frames in which a hand is in view:
  {"sequences": {"board": {"file_pattern": "board/%03d.jpg", "frames": 137, "hand": [4, [19, 23]], "shadow_only": [6]}},
   "videos": [{"file": "arm.mp4", "hand": [[469, 513]], "events": [{"flight_from": 137, "settled": 141}]}]}
Pictures count from 1, frames of a video from 0. Frames under hand_edge_only, uncertain, alignment_jump, exposure_change
and shadow_only, and those in which something flies, are told apart.

example:
  referee hands recordings --json
"""
APART = ("hand_edge_only", "uncertain", "alignment_jump", "exposure_change", "shadow_only")
FLIGHT = "flight"
RIM = 0.04  # of the picture's width lies around what is taken for the mat: an arm comes from beyond it
TILE_SHARE = 1 / 208  # a domino on the usual mat
PICTURE_FPS = 15.0
MOST_HOLD = 1000


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording: where it is, how many pictures it has, what is to be seen in which."""

    name: str
    source: Path
    frames: int | None
    labels: dict[str, frozenset[int]]


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "hands",
        help="measure on labelled recordings how well a hand over the table is noticed",
        epilog=EXAMPLE,
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="a folder with labels.json and the recordings it names"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument(
        "--hold", type=hold, default=20, metavar="FRAMES", help="camera frames that a single picture stands for (20)"
    )
    parser.set_defaults(run=run)


def hold(text: str) -> int:
    """Read for how many frames a picture stands."""
    return setting.whole(text, "frames", 1, MOST_HOLD)


def run(args: argparse.Namespace) -> int:
    """Watch, count, print."""
    import cv2

    from referee.commands.progress import Progress

    cv2.setNumThreads(1)
    progress = Progress(None)
    counts: Counter[str] = Counter()
    apart: dict[str, Counter[str]] = {}
    wrong: list[str] = []
    try:
        for recording in read_labels(args.folder):
            for number, is_busy in watched(recording, args.hold):
                progress.step(partial("{}, picture {}".format, recording.name, number))
                kind = kind_of(recording, number)
                if kind in ("hand", "clear"):
                    counts[kind] += 1
                    counts[f"{kind}_busy"] += is_busy
                    if is_busy != (kind == "hand"):
                        wrong.append(f"{recording.name} {number}: {'busy' if is_busy else 'at rest'}, but {kind}")
                else:
                    apart.setdefault(kind, Counter()).update(frames=1, busy=int(is_busy))
    except (OSError, ValueError) as error:
        print(f"referee hands: {error}", file=sys.stderr)
        return 64
    finally:
        progress.end()
    told = {
        "hand": counts["hand"],
        "hand_right": counts["hand_busy"],
        "clear": counts["clear"],
        "clear_busy": counts["clear_busy"],
    }
    if args.json:
        print(json.dumps({**told, "apart": {kind: dict(each) for kind, each in sorted(apart.items())}}))
        return 0
    for line in wrong:
        print(line)
    busy = f"{told['hand_right']} of {told['hand']} frames with a hand busy"
    print(f"{busy}, {told['clear_busy']} of {told['clear']} without")
    for kind, each in sorted(apart.items()):
        print(f"told apart: {each['busy']} of {each['frames']} frames busy under {kind}")
    return 0


def kind_of(recording: Recording, number: int) -> str:
    """What a frame counts as: `hand`, `clear`, or the label that it is told apart under."""
    label = next((name for name in (*APART, FLIGHT) if number in recording.labels.get(name, ())), None)
    return label or ("hand" if number in recording.labels["hand"] else "clear")


def watched(recording: Recording, hold_frames: int) -> Iterator[tuple[int, bool]]:
    """Each frame's number, and whether the table counts as busy in it (for a picture that stands: in the end)."""
    import numpy as np

    from vision.motion import Gate
    from vision.watch import AGREE

    gate: Gate | None = None
    agreeing, is_busy = 0, True
    for number, frame, is_last in _frames(recording, hold_frames):
        height, width = frame.image.shape[:2]
        if gate is None:
            left, right, bottom = RIM * width, (1 - RIM) * width, height - RIM * width
            corners = np.array([[left, left], [right, left], [right, bottom], [left, bottom]])
            gate = Gate(corners, (width, height), TILE_SHARE)
        stance = gate.step(frame.image, frame.time_s)
        agreeing = agreeing + 1 if stance.still and (is_busy or stance.changed) else 0
        is_busy = is_busy or (not stance.still and (stance.hand or stance.changed))
        if agreeing == AGREE:
            gate.rest(frame.image)
            agreeing, is_busy = 0, False
        if is_last:
            yield number, is_busy or not stance.still


def _frames(recording: Recording, hold_frames: int) -> Iterator[tuple[int, Frame, bool]]:
    """The frames that a camera would have given, with the number of the picture and whether it is its last."""
    from vision.frames import Frame, VideoSource, read_picture

    if recording.frames is None:
        source = VideoSource(recording.source)
        while (frame := source.read()) is not None:
            yield frame.number, frame, True
        return
    given = 0
    for number in range(1, recording.frames + 1):
        image = read_picture(Path(str(recording.source) % number))
        for left in range(hold_frames, 0, -1):
            yield number, Frame(image, given / PICTURE_FPS, given), left == 1
            given += 1


def read_labels(folder: Path) -> list[Recording]:
    """The recordings that a folder's `labels.json` names.

    Raises:
        ValueError: if it is none, or names nothing.
    """
    file = folder / "labels.json"
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        pictures = [
            Recording(name, folder / _pattern(each["file_pattern"]), int(each["frames"]), _labels(each, APART))
            for name, each in told.get("sequences", {}).items()
        ]
        videos = [
            Recording(each["file"], folder / each["file"], None, _labels(each, APART))
            for each in told.get("videos", ())
        ]
    except OSError as error:
        raise ValueError(f"expected a folder with labels.json, got {folder} ({error.strerror})") from None
    except (KeyError, TypeError, AttributeError, RecursionError, json.JSONDecodeError) as error:
        raise ValueError(f"expected labels of recordings in {file}, got something else ({error!r})") from None
    if not pictures and not videos:
        raise ValueError(f"expected sequences or videos in {file}, got none")
    return [*pictures, *videos]


def _pattern(text: str) -> str:
    """A file's name with one place for a number.

    Raises:
        ValueError: for any other.
    """
    try:
        if text % 1 != text % 2:
            return text
    except (TypeError, ValueError):
        pass
    raise ValueError(f"expected a file_pattern such as board/%03d.jpg, got {text[:60]!r}")


def _labels(told: dict[str, Any], names: tuple[str, ...]) -> dict[str, frozenset[int]]:
    """The frames under each label, written one by one or as [first, last]; those in flight from the events."""
    labels = {name: _numbers(told.get(name, [])) for name in ("hand", *names)}
    flights = [[each["flight_from"], each["settled"] - 1] for each in told.get("events", ()) if "flight_from" in each]
    return {**labels, FLIGHT: _numbers(flights)}


def _numbers(told: list[Any]) -> frozenset[int]:
    ranges = (each if isinstance(each, list) else [each, each] for each in told)
    return frozenset(number for first, last in ranges for number in range(first, last + 1))
