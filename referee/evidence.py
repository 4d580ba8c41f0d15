"""Evidence: two small pictures of each ruling on a tile that was seen, from before it came and from after.

The eye takes them and leaves them in the runtime directory; the table keeps those that it rules on in a folder beside
the journal, where an entry names them. They are worth less than the game: there are only so many of them, the oldest
go first, and where one cannot be written the ruling goes without.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from string import hexdigits

from referee.config import SIDES, Places

MOST_RULINGS = 500
MOST_BYTES = 20 * 2**20
LARGEST_BYTES = 20 * 1024  # of one picture
SPARE_BYTES = 64 * 2**20  # left on the disk for the journal
MOST_DIGITS = 16  # of the last part of a name

_LOG = logging.getLogger(__name__)


class Evidence:
    """The pictures beside the journal.

    Args:
        places: where they are kept, and where the eye leaves new ones.
        most: so many rulings have pictures, the newest.
        most_bytes: so large are all pictures together at most.
        clock_ms: the wall clock, milliseconds since 1970; it tells apart names of journals that followed each other.
            Where it goes back, names go on counting: they alone tell which pictures are the oldest.
        free_bytes: how much room is left where a folder is.
    """

    def __init__(
        self,
        places: Places,
        most: int = MOST_RULINGS,
        most_bytes: int = MOST_BYTES,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._places = places
        self._most, self._most_bytes = most, most_bytes
        self._clock_ms, self._free_bytes = clock_ms, free_bytes
        self._folder = places.state / "evidence"
        self._kept: dict[str, int] = {}  # bytes by name, oldest first
        self._newest = 0  # the last part of the newest name
        self.status = "ok"
        self._tend(self._found)

    def keep(self, picture: str, match: int, entry: int) -> str:
        """Keep the pictures of a tile for the entry that is about to be written.

        Args:
            picture: what the eye, or an earlier entry, calls them.

        Returns:
            Their name from now on; empty where there are none or they could not be kept.
        """
        if not picture or picture in self._kept:
            return picture
        try:
            taken = [self._places.fresh_picture(picture, side) for side in SIDES]
        except ValueError:
            return ""  # they were kept once, and deleted since
        self._newest = max(self._newest + 1, self._clock_ms())
        name = f"{match}-{entry}-{self._newest:x}"
        self._tend(lambda: self._copy(taken, name))
        return name if name in self._kept else ""

    def read(self, name: str, side: str) -> bytes:
        """One of the two pictures of an entry, as JPEG.

        Raises:
            ValueError: for what is no name of a picture, and for one that is not kept or not any more.
        """
        try:
            return self._read(self._places.picture(name, side))
        except OSError as error:
            raise ValueError(f"expected a picture that is kept, got {name} ({error.strerror})") from None

    def drop(self, name: str) -> None:
        """Delete the pictures of an entry that was not written after all."""
        if name in self._kept:
            self._tend(partial(self._delete, name))

    def forget(self, match: int) -> None:
        """Delete the pictures of a match."""
        for name in [name for name in self._kept if name.startswith(f"{match}-")]:
            self.drop(name)

    def _tend(self, act: Callable[[], None]) -> None:
        """Do something with the pictures; that it is not possible is said, once, and costs no more than them."""
        before, self.status = self.status, "ok"
        try:
            act()
        except (OSError, ValueError) as error:
            self.status = "failed"
            if before == "ok":
                _LOG.warning("pictures of rulings cannot be kept (%s)", error)

    def _found(self) -> None:
        """Take stock of the folder; what was half written when the power went is cleared away."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        sizes: dict[str, list[int]] = {}
        for path in self._folder.iterdir():
            name, _, rest = path.name.partition(".")
            size = path.stat().st_size
            if rest in [f"{side}.jpg" for side in SIDES] and size:
                sizes.setdefault(name, []).append(size)
            elif rest.endswith((".jpg", ".jpg.new")):
                path.unlink()
        for name in sorted(sizes, key=_count):
            self._newest = max(self._newest, _count(name))
            self._kept[name] = sum(sizes[name])
            if len(sizes[name]) < len(SIDES):
                self._delete(name)
        self._prune()

    def _copy(self, taken: Sequence[Path], name: str) -> None:
        pictures = [self._read(path) for path in taken]
        size = sum(map(len, pictures))
        if self._free_bytes(self._folder) < SPARE_BYTES + size:
            raise OSError(f"less than {SPARE_BYTES // 2**20} MB are free in {self._folder}")
        self._kept[name] = size
        try:
            for side, data in zip(SIDES, pictures, strict=True):
                path = self._places.picture(name, side)
                unfinished = path.with_name(path.name + ".new")
                unfinished.write_bytes(data)
                unfinished.replace(path)
        except OSError:
            self._delete(name)
            raise
        self._prune()

    @staticmethod
    def _read(path: Path) -> bytes:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
        if not 0 < len(data) <= LARGEST_BYTES:
            raise ValueError(f"expected a picture of 1 to {LARGEST_BYTES} bytes in {path}, got {len(data)} or more")
        return data

    def _prune(self) -> None:
        while len(self._kept) > self._most or sum(self._kept.values()) > self._most_bytes:
            self._delete(next(iter(self._kept)))

    def _delete(self, name: str) -> None:
        self._kept.pop(name, None)
        for side in SIDES:
            path = self._folder / f"{name}.{side}.jpg"
            path.unlink(missing_ok=True)
            path.with_name(path.name + ".new").unlink(missing_ok=True)


def _count(name: str) -> int:
    """The last part of a name, which goes up from one to the next; 0 for what is no name of ours."""
    last = name.rpartition("-")[2]
    return int(last, 16) if 0 < len(last) <= MOST_DIGITS and set(last) <= set(hexdigits) else 0
