"""What the rooms of a house take in the machine, as Linux tells it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

EVERY_S = 60.0
WINDOW = 10  # looks that count together: what comes and goes within them is no growth
MOST_GROWTH_MB = 30.0


@dataclass(frozen=True, slots=True)
class Look:
    """Resident memory and open file handles of a process at a time of the evening."""

    time_s: float
    mb: float
    handles: int


def look(process_id: int, time_s: float) -> Look:
    """Look at a process now."""
    pages = int(Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()[1])
    handles = len(list(Path(f"/proc/{process_id}/fd").iterdir()))
    return Look(time_s, pages * os.sysconf("SC_PAGE_SIZE") / 1e6, handles)


@dataclass(frozen=True, slots=True)
class Grown:
    """What became of one room: when it had started, when it had warmed up, and in the end."""

    start: Look
    warm: Look
    end: Look

    @property
    def mb(self) -> float:
        """The growth of its memory since it had warmed up."""
        return self.end.mb - self.warm.mb

    @property
    def is_flat(self) -> bool:
        """Whether it holds no more handles than then, and not much more memory."""
        return self.mb < MOST_GROWTH_MB and self.end.handles <= self.warm.handles


def together(looks: list[Look]) -> Look:
    """Several looks as one: the memory in their middle, and the handles that were held all the time."""
    return Look(looks[-1].time_s, median(each.mb for each in looks), min(each.handles for each in looks))


@dataclass(slots=True)
class Watch:
    """Looks at every room about once a minute of the evening."""

    warm_s: float
    looks: dict[str, list[Look]] = field(default_factory=dict)
    due_s: float = 0.0

    def turn(self, rooms: Mapping[str, int], now_s: float) -> bool:
        """Look, if it is time to; True when it was."""
        if now_s < self.due_s:
            return False
        self.due_s = now_s + EVERY_S
        for name, process_id in rooms.items():
            self.looks.setdefault(name, []).append(look(process_id, now_s))
        return True

    def grown(self) -> dict[str, Grown]:
        """What became of every room."""
        told = {}
        for name, looks in self.looks.items():
            warmed = next((n for n, each in enumerate(looks) if each.time_s >= self.warm_s), len(looks) - 1)
            window = min(WINDOW, max(1, (len(looks) - warmed) // 2))
            told[name] = Grown(looks[0], together(looks[warmed : warmed + window]), together(looks[-window:]))
        return told
