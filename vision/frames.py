"""Frames, what gives them one after another, and recordings: folders of pictures and videos."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.sighting import CameraStatus
from vision import MOST_PIXELS

Image = NDArray[np.uint8]

SYNTAX = "pi, usb:N, usb:NAME, video:FILE, folder:DIR, virtual:SCRIPT or none"
HOLD, FPS = 5, 15.0  # of pictures of which nothing else is known
TIMES = "times.txt"  # in a recorded folder: a line for each picture, its name, number and time
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


class SourceError(ValueError):
    """A source that cannot be opened as it is named, or a picture that cannot be read."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: BGR (height, width, 3), not to be written to; the source's own clock; its number from 0."""

    image: Image
    time_s: float
    number: int


class FrameSource(Protocol):
    """Anything that gives pictures one after another."""

    @property
    def status(self) -> CameraStatus:
        """How well the source is doing now."""
        ...

    def read(self) -> Frame | None:
        """The next frame; None when the source has ended.

        A camera that gives nothing new gives its newest frame again, by its old number, about once a
        second, so that whoever reads keeps going; `status` says what is wrong with it.
        """
        ...

    def close(self) -> None:
        """Let go of the device or file; afterwards `read` gives None."""
        ...


class FolderSource:
    """Pictures of a folder in the order of their names; each stands for `hold` frames.

    A folder that was recorded is played with the numbers and times that its frames had, unless it is said how long
    each is to stand.
    """

    status = CameraStatus.OK

    def __init__(
        self,
        folder: Path,
        match: str = "*",
        hold: int | None = None,
        fps: float | None = None,
        size: tuple[int, int] | None = None,
    ) -> None:
        if not folder.is_dir():
            raise SourceError(f"expected a folder of pictures, got {folder}, which is not a folder")
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
        names = [name for name in names if fnmatchcase(name, match) and name.lower().endswith(PICTURE_SUFFIXES)]
        if not names:
            raise SourceError(f"expected pictures that match {match!r} in {folder}, got none")
        if hold is None and fps is None and (folder / TIMES).is_file():
            self._frames = _recorded(folder, names, size)
        else:
            paths = [folder / name for name in names]
            self._frames = _held(paths, HOLD if hold is None else hold, FPS if fps is None else fps, size)

    @classmethod
    def parse(cls, text: str, size: tuple[int, int] | None = None) -> FolderSource:
        """Open `DIR?match=PATTERN&hold=FRAMES&fps=RATE`."""
        path, _, query = text.partition("?")
        options = Options(query, ("match", "hold", "fps"))
        hold = options.whole("hold", HOLD, least=1) if options.has("hold") else None
        fps = options.rate("fps", FPS) if options.has("fps") else None
        return cls(Path(path), options.text("match", "*"), hold, fps, size)

    def read(self) -> Frame | None:
        """The next frame, on the clock frame number / fps, or as it was recorded.

        Raises:
            SourceError: if the next picture cannot be read or has another size than the profile's.
        """
        return next(self._frames, None)

    def close(self) -> None:
        """No more frames."""
        self._frames = iter(())


def _held(paths: list[Path], hold: int, fps: float, size: tuple[int, int] | None) -> Iterator[Frame]:
    """Pictures that each stand for some frames."""
    number = 0
    for path in paths:
        image = read_picture(path, size)
        for _ in range(hold):
            yield Frame(image, number / fps, number)
            number += 1


def _recorded(folder: Path, names: list[str], size: tuple[int, int] | None) -> Iterator[Frame]:
    """The frames of a recording as the camera gave them."""
    known = set(names)
    for line, text in enumerate((folder / TIMES).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        try:
            name, number, time_s = text.split(" ")
            frame = name, int(number), float(time_s)
        except ValueError:
            where = f"{folder / TIMES}, line {line}"
            raise SourceError(f"expected a picture, its number and its time in {where}, got {text[:60]!r}") from None
        if name in known:
            yield Frame(read_picture(folder / name, size), frame[2], frame[1])


class VideoSource:
    """A video file, on the clock frame number / fps of the file."""

    status = CameraStatus.OK

    def __init__(self, path: Path, size: tuple[int, int] | None = None) -> None:
        if not path.is_file():
            raise SourceError(f"expected a video file, got {path}, which is not a file")
        self._capture = cv2.VideoCapture(str(path))
        self._size = size
        self._path = path
        self._number = 0
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = rate if 0 < rate < 1000 else 30.0
        self._next = self._grab()
        if self._next is None:
            raise SourceError(f"expected a video that OpenCV can play, got {path}, of which no picture can be read")

    def _grab(self) -> Image | None:
        good, image = self._capture.read()
        return checked(np.asarray(image, np.uint8), self._path, self._size) if good else None

    def read(self) -> Frame | None:
        """The next frame."""
        if self._next is None:
            return None
        frame = Frame(self._next, self._number / self._fps, self._number)
        self._number += 1
        self._next = self._grab()
        return frame

    def close(self) -> None:
        """Close the file."""
        self._capture.release()
        self._next = None


def read_picture(path: Path, size: tuple[int, int] | None = None) -> Image:
    """Read a picture file as BGR, turned upright as the file says.

    Raises:
        SourceError: if it cannot be read, or is not `size` (width, height).
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise SourceError(f"expected a picture file, got {path} ({error.strerror})") from None
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error as error:
        most = f"{MOST_PIXELS // 1_000_000} megapixels"
        raise SourceError(f"expected a whole picture of at most {most}, got {path} ({error.err})") from None
    if image is None:
        raise SourceError(f"expected a picture, got {path}, which OpenCV cannot read ({data.size} bytes)")
    return checked(np.asarray(image, np.uint8), path, size)


def checked(image: Image, path: Path, size: tuple[int, int] | None) -> Image:
    """The picture, closed for writing, if it has the size that the profile says."""
    got = (image.shape[1], image.shape[0])
    if size is not None and got != size:
        raise SourceError(f"expected {size[0]} x {size[1]} pixels as in the profile, got {got[0]} x {got[1]} in {path}")
    image.flags.writeable = False
    return image


class Options:
    """The part of a source's name after `?`: `key=value` joined by `&`."""

    def __init__(self, query: str, known: tuple[str, ...]) -> None:
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=20)
        except ValueError as error:
            raise SourceError(f"expected options such as {known[0]}=…, got {query!r} ({error})") from None
        self._values = dict(pairs)
        strange = [key for key in self._values if key not in known]
        if strange:
            raise SourceError(f"expected the options {', '.join(known)}, got {', '.join(strange)}")

    def has(self, key: str) -> bool:
        """Whether an option was given."""
        return key in self._values

    def text(self, key: str, default: str, choices: tuple[str, ...] = ()) -> str:
        """An option as it is written."""
        value = self._values.get(key, default)
        if choices and value not in choices:
            raise SourceError(f"expected {key} to be one of {', '.join(choices)}, got {value!r}")
        return value

    def whole(self, key: str, default: int, least: int) -> int:
        """An option that is a whole number."""
        value = self._values.get(key, str(default))
        if not (value.isascii() and value.isdigit() and int(value) >= least):
            raise SourceError(f"expected {key} to be a whole number of at least {least}, got {value!r}")
        return int(value)

    def rate(self, key: str, default: float) -> float:
        """An option that is a number of frames per second."""
        value = self._values.get(key, str(default))
        try:
            rate = float(value)
        except ValueError:
            rate = float("nan")
        if not 0.01 <= rate <= 1000:
            raise SourceError(f"expected {key} to be frames per second from 0.01 to 1000, got {value!r}")
        return rate
