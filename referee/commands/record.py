"""`referee record DIR`: a camera's frames on disk, so that they can be looked at again exactly."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from vision.frames import FrameSource
    from vision.recording import Recorder

MOST_S = 86400.0
MOST_MEGABYTES = 1_000_000


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "record",
        help="keep a camera's frames on disk, to be looked at again: folder:DIR",
        description="Writes every frame of a camera to a new folder, without loss and with its time. `folder:DIR` as a "
        "camera gives the same frames again at the same times. Ctrl-C ends it.",
        epilog="""examples:
  referee record evening --camera usb:0 --seconds 600
  referee run --camera folder:evening --calibration table.json --game fr-domino""",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that is not there yet, or is empty")
    parser.add_argument("--camera", required=True, metavar="SOURCE", help=setting.SOURCES)
    parser.add_argument("--seconds", type=seconds, metavar="N", help="end after so many seconds of the camera's clock")
    parser.add_argument(
        "--megabytes", type=megabytes, default=2000, metavar="N", help="end before the folder is larger (default 2000)"
    )
    parser.set_defaults(run=run)


def seconds(text: str) -> float:
    """Read how long to record."""
    return setting.number(text, "seconds", MOST_S)


def megabytes(text: str) -> int:
    """Read how large a recording may be."""
    return setting.whole(text, "megabytes", 1, MOST_MEGABYTES)


def run(args: argparse.Namespace) -> int:
    """Record until told to stop, the source ends, or a limit is reached."""
    from vision.recording import Recorder
    from vision.sources import open_source

    try:
        if setting.camera(args.camera) == "none":
            raise ValueError("expected a camera that gives frames, got none")
        source = open_source(args.camera)
    except (OSError, ValueError) as error:
        print(f"referee record: {error}", file=sys.stderr)
        return 64
    try:
        with Recorder(args.folder, args.megabytes * 1_000_000) as recorder:
            why, missed = _record(source, recorder, args.seconds)
    except (OSError, ValueError) as error:
        print(f"referee record: {error}", file=sys.stderr)
        return 64
    finally:
        source.close()
    late = f"; {missed} came too fast to be written and are missing" if missed else ""
    print(f"{recorder.frames} frames, {recorder.bytes / 1e6:.1f} MB in {args.folder} ({why}){late}")
    return 0


def _record(source: FrameSource, recorder: Recorder, seconds: float | None) -> tuple[str, int]:
    """Write frame after frame; returns why it ended, and how many frames of the camera are missing in between."""
    from referee.commands.progress import Progress
    from referee.sighting import CameraStatus

    progress = Progress(None)
    stopped: list[int] = []
    before = {
        number: signal.signal(number, lambda n, _: stopped.append(n)) for number in (signal.SIGINT, signal.SIGTERM)
    }
    first_s: float | None = None
    last, missed = -1, 0
    try:
        while not stopped:
            frame = source.read()
            if frame is None:
                return "the source has ended", missed
            if frame.number == last or source.status is CameraStatus.LOST:
                continue  # a camera that gives nothing new, or nothing yet
            first_s = frame.time_s if first_s is None else first_s
            if seconds is not None and frame.time_s - first_s > seconds:
                return "the time is over", missed
            missed += frame.number - last - 1 if last >= 0 else 0
            last = frame.number
            if not recorder.keep(frame):
                return "the folder is full", missed
            progress.step(lambda: f"{recorder.frames} frames, {recorder.bytes / 1e6:.0f} MB, Ctrl-C ends it")
    finally:
        progress.end()
        for number, handler in before.items():
            signal.signal(number, handler)
    return "stopped", missed
