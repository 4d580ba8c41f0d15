"""A referee's desk for measuring: sightings in, rulings out, nothing kept and nobody asked."""

from __future__ import annotations

from referee import umpire
from referee.games import game
from referee.rulings import Reason
from referee.seen import reader, tabletop
from referee.seen.memory import Memory
from referee.sighting import Sighting
from referee.state import Phase
from referee.tiles import Shape
from referee.umpire import Entry, Match


class Desk:
    """Rules on the tiles of one round as they come.

    As many players as may sit down, so that no hand is empty before the pictures end; any tile may open.
    """

    def __init__(self, game_id: str, shape: Shape, copies: int | None) -> None:
        """Open a match.

        Raises:
            ValueError: for an unknown game.
        """
        names = tuple(f"Player {seat + 1}" for seat in range(game(game_id).max_players))
        match = Match(game_id, names, (("opening", "any"),))
        ruling = umpire.judge(None, match)
        self._record = umpire.append(None, Entry(1, 0, "referee", None, match, ruling.reason))
        self._memory = Memory()
        self._shape = shape
        self._copies = copies

    def see(self, sighting: Sighting) -> tuple[Reason, ...]:
        """The rulings on the tiles that are new in a sighting, in the order in which they were judged."""
        self._memory = tabletop.look(self._record, self._memory, sighting, self._shape, self._copies)
        rulings: list[Reason] = []
        while True:
            before = self._memory
            self._memory, step = reader.next_step(self._record, self._memory, self._shape, self._copies)
            if step is None:
                if self._memory is before or not tabletop.unfinished(self._memory):
                    return tuple(rulings)
                continue
            ruling = umpire.judge(self._record, step.act)
            entry = Entry(len(self._record.entries) + 1, 0, "camera", None, step.act, ruling.reason, step.seen)
            self._record = umpire.append(self._record, entry)
            if step.seen is not None:
                self._memory = tabletop.journaled(self._memory, step.seen, entry.seq, ruling.is_legal)
                rulings.append(ruling.reason)
            if self._record.state.phase is not Phase.PLAY:
                self._memory = tabletop.reconcile(self._record, self._memory)
