"""Where pictures come from: cameras, recordings and the virtual table, named by a line of text.

`pi`, `usb:N`, `usb:NAME` (part of a camera's lasting name), `video:FILE`, `folder:DIR?match=t1_*&hold=5&fps=15`,
`virtual:SCRIPT` or `none`.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from calibration.profile import Profile
from hardware.camera import NOTHING, Locks
from referee.sighting import CameraStatus
from vision.frames import SYNTAX, FolderSource, Frame, FrameSource, SourceError, VideoSource
from vision.live import open_camera
from vision.virtual import open_table


def open_source(spec: str, profile: Profile | None = None, is_thrifty: bool = False) -> FrameSource:
    """Open the source that a line of text names.

    Args:
        profile: gives the size that pictures of a camera or a recording must have, and what a camera holds.
        is_thrifty: a camera may leave out pictures of a table that lies still.

    Raises:
        SourceError: if the line, the file or the folder is not what it should be. A camera that is
            absent or gives no pictures is not an error: its status says so, and it is tried again.
    """
    scheme, colon, rest = spec.partition(":")
    size = None if profile is None else (profile.camera.width, profile.camera.height)
    if scheme == "none" and not rest:
        return NoSource()
    if scheme in ("pi", "usb"):
        kept = None if profile is None else profile.locks
        return open_camera(spec, size, NOTHING if kept is None else Locks(**asdict(kept)), is_thrifty)
    if colon and rest and scheme == "folder":
        return FolderSource.parse(rest, size)
    if colon and rest and scheme == "video":
        return VideoSource(Path(rest), size)
    if colon and rest and scheme == "virtual":
        return open_table(rest)
    raise SourceError(f"expected a source such as {SYNTAX}, got {spec!r}")


class NoSource:
    """No camera at all: the score is kept by touch."""

    status = CameraStatus.OK

    def read(self) -> Frame | None:
        """There is never a frame."""
        return None

    def close(self) -> None:
        """Nothing is held."""
