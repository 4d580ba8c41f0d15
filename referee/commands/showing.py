"""The pictures that `learn-set` learns from, and the size and thickness of the tiles in them."""

from __future__ import annotations

import argparse
import select
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.commands import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.profile import Profile, TablePose
    from referee.tiles import Shape
    from vision.kinds import Image
    from vision.learn import Face, Thickness

LIVE = ("pi", "usb:")
SHOW_THICKNESS = (
    "to have it measured, leave some tiles as they lie, push the camera or the mat a hand's breadth aside, and take one"
    " more picture of them with at least three of the mat's markers in it"
)


@dataclass(frozen=True, slots=True, eq=False)
class Shots:
    """Pictures by their names, and how the table is seen in each where that is known."""

    names: tuple[str, ...]
    images: tuple[Image, ...]
    profile: Profile | None
    poses: tuple[TablePose, ...]


def taken(args: argparse.Namespace) -> Shots:
    """The pictures of the folder or of the camera.

    Raises:
        ValueError: if there are none, one cannot be read, or nothing tells how large the tiles are.
    """
    profile = setting.profile(args.calibration)
    if profile is None and (args.camera or "").startswith("virtual:"):
        from vision.virtual import profile_for

        profile = profile_for(args.camera)
    if profile is None and args.size_mm is None:
        raise ValueError("expected --size-mm MM, the longest side of the tiles, or --calibration FILE to measure it")
    names, images = _of_folder(args.pictures) if args.camera is None else _of_camera(args, profile)
    if profile is None or args.size_mm is not None:
        return Shots(names, images, None, ())
    return Shots(names, images, profile, tuple(_pose(*each, profile) for each in zip(names, images, strict=True)))


def _of_folder(folder: Path) -> tuple[tuple[str, ...], tuple[Image, ...]]:
    from vision.frames import PICTURE_SUFFIXES, SourceError, read_picture

    if not folder.is_dir():
        raise SourceError(f"expected a folder of pictures, got {folder}, which is not a folder")
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in PICTURE_SUFFIXES)
    if not paths:
        raise SourceError(f"expected pictures in {folder}, got none")
    return tuple(path.name for path in paths), tuple(map(read_picture, paths))


def _of_camera(args: argparse.Namespace, profile: Profile | None) -> tuple[tuple[str, ...], tuple[Image, ...]]:
    """A picture whenever the table has come to rest with other tiles on it."""
    from vision.learn.stills import stills
    from vision.sources import open_source

    at_terminal = sys.stdin.isatty()
    if args.count is None and not at_terminal and args.camera.startswith(LIVE):
        raise ValueError("expected --count N, how many pictures to take, when nobody is at the terminal to say it")
    images: list[Image] = []

    def enough() -> bool:
        return (args.count is not None and len(images) >= args.count) or (at_terminal and _entered())

    source = open_source(args.camera, profile)
    if at_terminal:
        print("Lay tiles face up, take your hands away, then lay others; press Enter when all have been shown.")
    try:
        for image in stills(source, enough):
            images.append(image)
            if at_terminal:
                print(f"picture {len(images)}", flush=True)
    finally:
        source.close()
    if not images:
        raise ValueError(f"expected a table at rest for a second, got none from {args.camera}")
    return tuple(f"picture {number}" for number in range(1, len(images) + 1)), tuple(images)


def _entered() -> bool:
    """Whether Enter was pressed."""
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(ready) and sys.stdin.readline() is not None


def _pose(name: str, image: Image, profile: Profile) -> TablePose:
    from calibration.table import find_pose
    from vision.frames import checked

    checked(image, Path(name), (profile.camera.width, profile.camera.height))
    pose = find_pose(image, profile.camera, profile.mat) or profile.pose
    if pose is None:
        raise ValueError(f"expected the mat's markers in {name} to measure the tiles by, or --size-mm; found too few")
    return pose


def thickness(kind_name: str, faces: Sequence[Face], shots: Shots) -> tuple[list[Face], Thickness]:
    """The faces without those that another picture shows already, and how thick that tells the tiles to be."""
    from vision.kinds import kinds
    from vision.learn import Thickness, thickness

    if shots.profile is None:
        return list(faces), Thickness()
    return thickness.measured(kinds()[kind_name], faces, shots.images, shots.profile.camera, shots.poses)


def size(kind: str, faces: Sequence[Face], shots: Shots, thick: Thickness, args: argparse.Namespace) -> Shape:
    """How large the tiles are: as said, or as measured on the calibrated table."""
    from vision.learn import measure

    thickness_mm = thick.thickness_mm if thick.is_clear else usual_mm(kind, shots)
    if args.thickness_mm is not None:
        thickness_mm = args.thickness_mm
    if shots.profile is None:
        return measure.size_by_ratio(kind, faces, args.size_mm, thickness_mm)
    return measure.size_mm(kind, faces, shots.profile.camera, shots.poses, thickness_mm)


def usual_mm(kind: str, shots: Shots) -> float:
    """How thick tiles are taken to be: as the table's profile says, or as is usual."""
    from referee.tiles import DOMINO, Shape

    if shots.profile is not None and shots.profile.shape.kind == kind:
        return shots.profile.shape.thickness_mm
    return (Shape.domino() if kind == DOMINO else Shape.triomino()).thickness_mm


def thickness_told(kind: str, shots: Shots, thick: Thickness, args: argparse.Namespace) -> str:
    """How thick the tiles are, and how that is known."""
    if args.thickness_mm is not None:
        return f"{args.thickness_mm:.1f} mm thick, as was said"
    if thick.is_clear:
        return (
            f"{thick.thickness_mm:.1f} mm thick, measured on {thick.tiles} tiles seen from two places"
            f" (they differ by {thick.spread_mm:.1f} mm)"
        )
    return f"taken to be {usual_mm(kind, shots):.1f} mm thick: {_not_measured(shots, thick)}"


def _not_measured(shots: Shots, thick: Thickness) -> str:
    """Why the thickness could not be measured, and what helps."""
    from vision.learn.thickness import ENOUGH, MOST_SPREAD_MM, PLAUSIBLE_MM

    if shots.profile is None:
        return "it can be measured only with --calibration and without --size-mm"
    if not thick.seen_again:
        return f"it was not shown; {SHOW_THICKNESS}"
    if thick.tiles < ENOUGH:
        return "tiles were seen twice, but from places too close together; push the camera or the mat farther aside"
    if thick.spread_mm > MOST_SPREAD_MM:
        return f"tiles seen twice differ by {thick.spread_mm:.1f} mm; on the mat they must not move in between"
    least, most = PLAUSIBLE_MM
    return f"expected {least:g} to {most:g} mm, measured {thick.thickness_mm:.1f} mm; check the calibration"
