"""Keeps an eye on the zones of the mat for the table: what they hold, what is to be done about it, what is asked."""

from __future__ import annotations

from referee.seen import boneyard, handshow, zoned
from referee.seen.memory import Memory
from referee.seen.reader import Step
from referee.seen.zoned import Zoned
from referee.seen.zones import WATCHED, Zone, Zones
from referee.sighting import Sighting
from referee.tiles import Shape
from referee.umpire import Act, Record


class ZoneKeeper:
    """The zones of one table, None where its mat has no room for any, and what is remembered of them."""

    def __init__(self, zones: Zones | None) -> None:
        self.zones = zones
        self.zoned = Zoned()
        self._told = self.zoned

    def begin(self) -> None:
        """Forget what a match before this one has left there."""
        self.zoned = Zoned(questions=self.zoned.questions)

    def watched(self, record: Record | None) -> tuple[Zone, ...]:
        """The zones, where this match is watched in any."""
        is_watched = record is not None and any(zoned.watches(record, each) for each in WATCHED)
        return self.zones.both if self.zones is not None and is_watched else ()

    @property
    def is_waiting(self) -> bool:
        """True while nothing else that came may be judged before a question is answered."""
        return zoned.is_waiting(self.zoned)

    def look(self, record: Record, memory: Memory, sighting: Sighting, shape: Shape) -> Sighting:
        """Take in what the zones hold; returns what lies outside of them."""
        if self.zones is None or not self.watched(record):
            return sighting
        self.zoned = zoned.look(record, self.zoned, self.zones, sighting, shape)
        return zoned.outside(record, memory, self.zones, sighting)

    def next_step(self, record: Record, copies: int | None) -> Step | None:
        """The next draw or hand to be journaled; call again until there is none."""
        if not self.watched(record):
            return None
        self.zoned, step = boneyard.next_step(record, self.zoned)
        if step is None:
            self.zoned, step = handshow.next_step(record, self.zoned, copies)
        return step

    def is_news(self) -> bool:
        """Whether anything has changed for people since this was last asked."""
        before, self._told = self._told, self.zoned
        return (before.asked, before.owner) != (self.zoned.asked, self.zoned.owner)

    def answered(self, line: str) -> tuple[bool, Act | None]:
        """Whether an answer is to a question that is open, and the act that it asks for, if any.

        Raises:
            ValueError: if the line is no answer.
        """
        found = zoned.answered(self.zoned, line)
        if found is None:
            return False, None
        self.zoned, act = found
        return True, act
