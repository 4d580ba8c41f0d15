"""Recordings: a camera's frames in a folder, without loss and with their times, to be looked at again exactly.

Pictures are packed and written by a few threads beside the one that reads the camera, so many at a time: that one
waits neither for a picture to be packed nor for a slow card, unless it is far ahead.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

import cv2
import numpy as np

from vision.frames import TIMES, Frame, SourceError

PART = ".part"  # what a folder is called while it is being written
# Each pixel's difference from its neighbour, in a code of its own: a third of the time that looking for what repeats
# takes, and no larger, since noise does not repeat.
PNG = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_SUB),
)
LINE_BYTES = 40  # of the list of times, for one frame
MOST_THREADS = 3  # one processor is left to the camera
MOST_WAITING = 8  # frames, which is as much memory as may be used


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A frame that is being written; in the end the size of its file is known."""

    name: str
    frame: Frame
    written: Future[int]


class Recorder:
    """Writes frames into a folder that gets its name only when it is whole.

    Each picture is there before its line in the list of times, so that what was written before a power cut can be
    played from the folder's `.part`. `frames` and `bytes` tell what is in the list.
    """

    def __init__(self, folder: Path, most_bytes: int, threads: int | None = None) -> None:
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
        self._is_full = False
        self._taken = 0
        self._waiting: deque[_Waiting] = deque()
        self._part.mkdir(parents=True)
        self._times: IO[str] = (self._part / TIMES).open("w", encoding="ascii")
        self._threads = ThreadPoolExecutor(threads or min(MOST_THREADS, os.cpu_count() or 1), "recorder")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Give the folder its name, even if something went wrong: what was kept is whole.

        Raises:
            OSError: if one of the last frames could not be written.
        """
        try:
            self._list(0)
        finally:
            self._threads.shutdown()
            self._drop()
            self._times.flush()
            os.fsync(self._times.fileno())
            self._times.close()
            self._part.replace(self._folder)

    def keep(self, frame: Frame) -> bool:
        """Have one more frame written; False when there is no more room for it.

        Raises:
            OSError: if it, or one before, cannot be written.
        """
        self._list(MOST_WAITING - 1)
        if self._is_full:
            return False
        name = f"{self._taken:06d}.png"
        self._taken += 1
        self._waiting.append(_Waiting(name, frame, self._threads.submit(self._write, name, frame)))
        return True

    def _write(self, name: str, frame: Frame) -> int:
        return (self._part / name).write_bytes(encoded(frame))

    def _list(self, most: int) -> None:
        """Put frames that have been written into the list, in their order, until at most so many are waited for."""
        while self._waiting and (len(self._waiting) > most or self._waiting[0].written.done()):
            first = self._waiting[0]
            size = first.written.result()
            self._is_full |= self.bytes + size + LINE_BYTES > self._most_bytes
            if self._is_full:
                self._drop()
                return
            self._waiting.popleft()
            self.bytes += size + self._times.write(f"{first.name} {first.frame.number} {first.frame.time_s!r}\n")
            self._times.flush()
            self.frames += 1

    def _drop(self) -> None:
        """Leave out what is not in the list."""
        while self._waiting:
            left = self._waiting.pop()
            left.written.exception()  # whatever became of it, it is over
            (self._part / left.name).unlink(missing_ok=True)


def encoded(frame: Frame) -> bytes:
    """A frame's picture as PNG, without loss.

    Raises:
        SourceError: if it cannot be encoded.
    """
    good, data = cv2.imencode(".png", frame.image, PNG)
    if not good:
        raise SourceError(f"expected a picture that can be kept, got one of {frame.image.shape}")
    return np.asarray(data).tobytes()
