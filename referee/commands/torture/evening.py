"""A long evening on the proving ground: match after match in one process, and what memory it takes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from random import Random

from referee.commands.torture import course
from referee.commands.torture.hall import FPS, Hall
from referee.commands.torture.people import Party
from referee.commands.torture.truth import Account, AstrayError
from referee.umpire import Match
from vision.virtual import Clear

EVERY_S = 900  # of the evening, between two looks at the memory
THINKING_S = (5, 45)  # before a move
HOUR_S = 3600
SPARED = ("eye_restarted", "table_restarted")  # a fresh start would hide what an old one hoards


@dataclass(frozen=True, slots=True)
class Memory:
    """The resident memory of the process, MB, so many seconds into the evening."""

    time_s: float
    mb: float


def play(
    match: Callable[[Random], Match], hours: float, seed: int, say: Callable[[float, float], None]
) -> tuple[list[Account], list[Memory]]:
    """Play until so many hours have passed on the camera's clock.

    Args:
        match: the next match.
        say: is told how many hours have passed, and the memory in MB.
    """
    chance = Random(seed)  # a game, not a secret
    accounts: list[Account] = []
    told: list[Memory] = []
    frames = round(hours * HOUR_S * FPS)

    with tempfile.TemporaryDirectory(prefix="referee-torture-") as scratch:
        first = match(chance)
        hall = Hall(Path(scratch), first.game, seed)

        def look(party: Party) -> None:
            party.watch()
            if hall.frames >= len(told) * EVERY_S * FPS:
                told.append(Memory(hall.frames / FPS, resident_mb()))
                say(hall.frames / FPS / HOUR_S, told[-1].mb)

        try:
            while hall.frames < frames:
                accounts.append(Account(first.game, len(first.names)))
                _play_one(hall, first, chance.randrange(2**31), accounts[-1], look, frames)
                first = match(chance)
        finally:
            hall.close()
    return accounts, told


def _play_one(
    hall: Hall, match: Match, seed: int, account: Account, look: Callable[[Party], None], until_frame: int
) -> None:
    """One match, with all the time that people take; the table is empty after it."""
    party = Party(hall, match, seed, account)
    playing = course.match(party, None, thinking_s=THINKING_S, spared=SPARED)
    try:
        hall.run(takewhile(lambda _: hall.frames < until_frame, playing), lambda: look(party))
    except AstrayError:
        account.ended = "broken off"
    while hall.lying:
        hall.run(iter((Clear(90.0), *[None] * FPS)), lambda: None)


def resident_mb() -> float:
    """How much memory this process has in the machine, MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth_mb(told: list[Memory]) -> float:
    """How much more memory was in use at the end than after the first hour (or at first, in a shorter evening)."""
    settled = next((each.mb for each in told if each.time_s >= HOUR_S), told[0].mb)
    return told[-1].mb - settled
