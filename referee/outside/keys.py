"""The CURVE keys of the gate: the table's own, kept in a file, and those of a guest, made of the code of the game.

All keys are written as Z85, 40 characters for 32 bytes.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

import zmq
from zmq.utils import z85

from referee.config import ConfigurationError

FILE = "gate.key"
LENGTH = 40
_PURPOSE = b"tabletop-referee gate 1"


class Keys(NamedTuple):
    """A pair of keys."""

    public: bytes
    secret: bytes


def of_table(path: Path) -> Keys:
    """The keys of this table; the file with the secret one is made if it is not there, for this user alone.

    Raises:
        ConfigurationError: if the file cannot be written, or holds something else.
    """
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise ConfigurationError(f"cannot write {path} ({error.strerror})") from None
    public, secret = zmq.curve_keypair()
    with os.fdopen(made, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return Keys(public, secret)


def of_guest(code: str, table: bytes) -> Keys:
    """The keys that a guest has who knows the code of the game and the table's public key.

    Whoever does not know the code cannot make them, and can try a code only by asking the table. The secret key is
    the SHA-256 of a fixed text, the table's public key and the code, each on a line of its own.

    Raises:
        ValueError: if the table's key is none.
    """
    check(table)
    secret = z85.encode(hashlib.sha256(b"\n".join((_PURPOSE, table, code.encode()))).digest())
    return Keys(zmq.curve_public(secret), secret)


def check(key: bytes) -> None:
    """Make sure that something is a key.

    Raises:
        ValueError: if it is none.
    """
    try:
        is_key = len(key) == LENGTH and len(z85.decode(key)) == LENGTH * 4 // 5
    except (KeyError, ValueError, OverflowError):
        is_key = False
    if not is_key:
        raise ValueError(f"expected a key of {LENGTH} characters, got {key[: 2 * LENGTH]!r}")


def _read(path: Path) -> Keys:
    try:
        secret = path.read_bytes()
        check(secret)
        return Keys(zmq.curve_public(secret), secret)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} has no key in it ({error}); remove it to have another made") from None
