"""Where things are: the state directory, the runtime directory and the sockets in it."""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LONGEST_SOCKET_PATH_BYTES = 107  # of a Unix socket's address on Linux
_LONGEST_SOCKET_NAME = "sightings"

SIDES = ("before", "after")  # of the two pictures of a tile that came
_KEPT = re.compile(r"[0-9]{1,9}-[0-9]{1,9}-[0-9a-f]{1,16}")  # match, entry, and what tells apart who used them twice
_UNWRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT)
_FRESH = re.compile(r"[0-9a-f]{1,40}-[0-9]{1,9}")


class ConfigurationError(RuntimeError):
    """This machine, its directories or what is in them do not let a room run; the message says what would help."""


class AlreadyRunningError(ConfigurationError):
    """Another referee holds the directory."""


@dataclass(frozen=True, slots=True)
class Places:
    """The two directories of a running referee.

    `state` survives a power cut (journal, profiles); `runtime` holds the sockets of one run.
    """

    state: Path
    runtime: Path

    @classmethod
    def from_environment(cls, state: Path | None = None, runtime: Path | None = None) -> Places:
        """The directories that are named, else `REFEREE_STATE`/`REFEREE_RUNTIME`, systemd's, the user's own.

        Raises:
            ConfigurationError: if nothing says where the state is kept.
        """
        env = os.environ
        named = state or env.get("REFEREE_STATE") or env.get("STATE_DIRECTORY")
        sockets = runtime or env.get("REFEREE_RUNTIME") or env.get("RUNTIME_DIRECTORY")
        if not sockets:
            base = env.get("XDG_RUNTIME_DIR")
            sockets = Path(base) / "referee" if base else f"/tmp/referee-{os.getuid()}"  # noqa: S108  # sockets only, mode 0700
        return cls(Path(named) if named else _own_state(), Path(sockets))

    def make(self) -> Places:
        """Create both directories (the runtime one for this user alone) and return self.

        A state directory to which nothing can be written, its disk being full or read-only, is no error: what is to be
        kept is kept in memory until it can be, by whoever keeps it.

        Raises:
            ConfigurationError: if there cannot be such a directory, or nothing can be written to the runtime one.
        """
        if len(os.fsencode(self.runtime / _LONGEST_SOCKET_NAME)) > LONGEST_SOCKET_PATH_BYTES:
            raise ConfigurationError(f"{self.runtime} is too long a path for sockets; name a shorter --runtime")
        _made(self.state, 0o777, "--state", os.R_OK | os.X_OK)
        _made(self.runtime, 0o700, "--runtime", os.W_OK | os.X_OK)
        return self

    def picture(self, name: str, side: str) -> Path:
        """One of the two pictures of a tile, `before` or `after` it came; it may have been deleted since.

        Raises:
            ValueError: for what is no name of a picture.
        """
        if _FRESH.fullmatch(name):
            return self.fresh_picture(name, side)
        return _picture(self.state / "evidence", _KEPT, name, side)

    def fresh_picture(self, name: str, side: str) -> Path:
        """The same for one that the eye has just taken: nothing has been ruled on it, and it stays for a while only.

        Raises:
            ValueError: for what is no name of a picture.
        """
        return _picture(self.runtime / "pictures", _FRESH, name, side)

    def endpoint(self, name: str) -> str:
        """The `ipc://` address of a socket: `sightings`, `facts`, `views`, `orders`, `guests`, `beats`, `measuring`…"""
        return f"ipc://{self.runtime / name}"


def _picture(folder: Path, names: re.Pattern[str], name: str, side: str) -> Path:
    if not names.fullmatch(name) or side not in SIDES:
        raise ValueError(f"expected a picture {names.pattern}, {' or '.join(SIDES)}, got {name[:60]!r}, {side[:20]!r}")
    return folder / f"{name}.{side}.jpg"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a lock file while the block runs; the lock ends with the process, however that ends.

    On a disk that takes nothing it is the file that is there, else its directory, that is held.

    Raises:
        AlreadyRunningError: if another process holds it.
        ConfigurationError: if there cannot be one.
    """
    handle = _lock(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise AlreadyRunningError(f"a referee is already running on {path.parent}") from None
    try:
        yield
    finally:
        os.close(handle)


def _lock(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        told = f"cannot write {path} ({error.strerror}); remove it or name another directory"
        if error.errno not in _UNWRITABLE:
            raise ConfigurationError(told) from None
    try:
        return os.open(path if path.is_file() else path.parent, os.O_RDONLY)
    except OSError:
        raise ConfigurationError(told) from None


def _own_state() -> Path:
    try:
        home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    except RuntimeError:
        raise ConfigurationError(
            "this user has no home directory; say with --state where the journal is kept"
        ) from None
    return home / "referee"


def _made(directory: Path, mode: int, option: str, needed: int) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=mode)
    except OSError as error:
        raise ConfigurationError(
            f"cannot make {directory} ({error.strerror}); name another with {option} DIR"
        ) from None
    if not os.access(directory, needed):
        verb = "write to" if needed & os.W_OK else "look into"
        raise ConfigurationError(f"cannot {verb} {directory}; give it to this user or name another with {option} DIR")
