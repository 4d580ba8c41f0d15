"""Files that a power cut leaves whole: the old one or the new one, never half of either."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec


def write(lines: Any, path: Path) -> None:
    """Write what msgspec can encode, indented.

    Raises:
        OSError: if it cannot be written; what was there before is still there then.
    """
    write_bytes(msgspec.json.format(msgspec.json.encode(lines), indent=2) + b"\n", path)


def write_bytes(data: bytes, path: Path) -> None:
    """Write a file as it is.

    Raises:
        OSError: if it cannot be written; what was there before is still there then.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # else the new name itself may be lost
    finally:
        os.close(folder)
