"""Recordings: a camera's frames in a folder, without loss and with their times, to be looked at again exactly."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import IO

import cv2
import numpy as np

from vision.frames import TIMES, Frame, SourceError

PART = ".part"  # what a folder is called while it is being written
PNG = (cv2.IMWRITE_PNG_COMPRESSION, 1)  # the smallest sizes take several times as long
LINE_BYTES = 40  # of the list of times, for one frame


class Recorder:
    """Writes frames into a folder that gets its name only when it is whole.

    Each picture is there before its line in the list of times, so that what was written before a power cut can be
    played from the folder's `.part`.
    """

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """Begin a recording of at most so many bytes.

        Raises:
            ValueError: if the folder is there already and is not empty.
            OSError: if it cannot be made.
        """
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(f"expected a folder that is not there yet or is empty, got {folder}")
        self._folder, self._part = folder, folder.with_name(folder.name + PART)
        self._most_bytes = most_bytes
        self.frames = 0
        self.bytes = 0
        self._part.mkdir(parents=True)
        self._times: IO[str] = (self._part / TIMES).open("w", encoding="ascii")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Give the folder its name, even if something went wrong: what was kept is whole."""
        self._times.flush()
        os.fsync(self._times.fileno())
        self._times.close()
        self._part.replace(self._folder)

    def keep(self, frame: Frame) -> bool:
        """Write one more frame; False when there is no more room for it.

        Raises:
            OSError: if it cannot be written.
        """
        data = encoded(frame)
        if self.bytes + len(data) + LINE_BYTES > self._most_bytes:
            return False
        name = f"{self.frames:06d}.png"
        (self._part / name).write_bytes(data)
        self.bytes += len(data) + self._times.write(f"{name} {frame.number} {frame.time_s!r}\n")
        self._times.flush()
        self.frames += 1
        return True


def encoded(frame: Frame) -> bytes:
    """A frame's picture as PNG, without loss.

    Raises:
        SourceError: if it cannot be encoded.
    """
    good, data = cv2.imencode(".png", frame.image, PNG)
    if not good:
        raise SourceError(f"expected a picture that can be kept, got one of {frame.image.shape}")
    return np.asarray(data).tobytes()
