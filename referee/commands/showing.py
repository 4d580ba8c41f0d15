"""The pictures that `learn-set` learns from, and the size of the tiles in them."""

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
    from vision.learn import Face

LIVE = ("pi", "usb:")


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


def size(kind: str, faces: Sequence[Face], shots: Shots, args: argparse.Namespace) -> Shape:
    """How large the tiles are: as said, or as measured on the calibrated table."""
    from referee.tiles import DOMINO, Shape
    from vision.learn import measure

    usual = (Shape.domino() if kind == DOMINO else Shape.triomino()).thickness_mm
    if shots.profile is not None and shots.profile.shape.kind == kind:
        usual = shots.profile.shape.thickness_mm
    thickness_mm = usual if args.thickness_mm is None else args.thickness_mm
    if shots.profile is None:
        return measure.size_by_ratio(kind, faces, args.size_mm, thickness_mm)
    return measure.size_mm(kind, faces, shots.profile.camera, shots.poses, thickness_mm)
