"""Checks of the machine itself: versions, disk, clock, heat, port, and what is kept of games."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import string
import subprocess
import sys
import time
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from referee import __version__
from referee.commands.findings import FAIL, OK, WARN, Finding, judged

SYNCS = 10
SLOW_SYNC_MS = 150.0
LEAST_FREE_MB, LITTLE_FREE_MB = 50, 500
FIRST_YEAR = 2025
WARM_C, HOT_C = 70.0, 80.0
_NAME = string.ascii_letters + string.digits + "-_."
CLASHES = (("opencv-python", "opencv-python-headless"), ("pygame", "pygame-ce"))  # each overwrites the other's files
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
THROTTLED = ((1 << 0, "too little voltage now"), (1 << 2, "slowed down now"), (1 << 16, "too little voltage before"))


def versions() -> list[Finding]:
    """The Python, and every package that is needed."""
    found = [Finding("python", OK, f"{'.'.join(map(str, sys.version_info[:3]))}, referee {__version__}")]
    needed = _needed()
    there = {name: _version(name) for name in {*needed, *(name for pair in CLASHES for name in pair)}}
    for ours, other in CLASHES:
        if there[ours] and there[other]:
            cure = f"pip uninstall {ours} {other}, then pip install {ours}"
            found.append(Finding("packages", FAIL, f"{ours} and {other} are both installed", cure))
    missing = [name for name in needed if not there[name] and not _replaced(name, there)]
    cure = "run make setup, or systemd/install on a Raspberry Pi"
    told = ", ".join(f"{name} {there[name]}" for name in needed if there[name])
    found.append(
        Finding("packages", FAIL, f"missing: {', '.join(missing)}", cure) if missing else Finding("packages", OK, told)
    )
    return found


def _needed() -> tuple[str, ...]:
    """The packages that ours asks for, those of its extras left out."""
    asked = (each for each in requires("tabletop-referee") or () if "extra ==" not in each)
    return tuple(each[: len(each) - len(each.lstrip(_NAME))] for each in asked)


def _replaced(name: str, there: dict[str, str]) -> bool:
    return any(there[other] for ours, other in CLASHES if ours == name)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def disk(state: Path) -> list[Finding]:
    """Whether what is kept of games reaches the disk, how fast, and how much room is left."""
    probe = state / f".doctor-{os.getpid()}"
    times: list[float] = []
    try:
        state.mkdir(parents=True, exist_ok=True)
        with probe.open("wb") as file:
            for _ in range(SYNCS):
                start = time.monotonic()
                file.write(b"referee")
                file.flush()
                os.fsync(file.fileno())
                times.append(1000 * (time.monotonic() - start))
    except OSError as error:
        cure = f"give {state} to the user who runs the referee, or name another with --state"
        return [Finding("disk", FAIL, f"{state} cannot be written to ({error.strerror})", cure)]
    finally:
        probe.unlink(missing_ok=True)
    slowest = max(times)
    free_mb = shutil.disk_usage(state).free // 2**20
    room = Finding("room on disk", OK, f"{free_mb} MB free in {state}")
    if free_mb < LITTLE_FREE_MB:
        cure = "delete what is not needed; the referee keeps little"
        room = Finding("room on disk", FAIL if free_mb < LEAST_FREE_MB else WARN, f"{free_mb} MB free in {state}", cure)
    cure = "each move waits for this: a better card, or a USB disk for --state"
    return [judged("disk", slowest < SLOW_SYNC_MS, f"a move is safe within {slowest:.0f} ms", cure), room]


def journal(state: Path) -> Finding:
    """Whether the record of games is whole."""
    path = state / "journal.sqlite3"
    if not path.exists():
        return Finding("journal", OK, "no game has been played yet")
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            (told,) = database.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as error:
        told = str(error)
    cure = "start the referee: it sets the broken record aside and goes on with the last good backup"
    return judged("journal", told == "ok", f"{path}: {told}", cure, FAIL)


def clock(synchronised: Path = SYNCHRONISED) -> Finding:
    """Whether the machine knows what day it is; games do not need it, their dates do."""
    year = time.localtime().tm_year
    told = time.strftime("%Y-%m-%d %H:%M")
    if year < FIRST_YEAR:
        return Finding(
            "clock", WARN, told, "connect to a network once, or fit a clock battery: dates of games are wrong"
        )
    return judged(
        "clock",
        synchronised.exists() or not synchronised.parent.parent.exists(),
        told,
        "connect to a network: the clock has not been set since power-on; dates may be wrong, games are not",
    )


def heat(zone: Path = THERMAL) -> list[Finding]:
    """How hot the processor is, and whether it was slowed down."""
    found: list[Finding] = []
    try:
        celsius = int(zone.read_text()) / 1000
        cure = "more air, or a cooler"
        mark = FAIL if celsius >= HOT_C else WARN if celsius >= WARM_C else OK
        found.append(Finding("heat", mark, f"{celsius:.0f} °C", "" if mark == OK else cure))
    except (OSError, ValueError):
        found.append(Finding("heat", OK, "this machine does not tell"))
    told = _throttled()
    if told is not None:
        cure = "use the official power supply and a short cable"
        found.append(judged("power", not told, ", ".join(told) or "enough", cure))
    return found


def _throttled() -> list[str] | None:
    """What the Raspberry Pi's firmware says of its power; None where there is none to ask."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        answer = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=True)  # noqa: S603  # the firmware's own program, found on the path
        bits = int(answer.stdout.strip().partition("=")[2], 16)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return [told for bit, told in THROTTLED if bits & bit]


def port(number: int) -> Finding:
    """Whether the phone page's port can be had, or is the referee's already."""
    with closing(socket.socket()) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", number))
        except OSError as error:
            cure = "is a referee running already? If not, another program has it: choose another with --port"
            return Finding("port", WARN, f"{number} cannot be had ({error.strerror})", cure)
    return Finding("port", OK, f"{number} is free")
