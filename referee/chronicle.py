"""What can be asked of the table besides the view: the moves of a match, where tiles fit, what was played before.

Past matches are judged anew to tell of them, once each; since a table must not stop for that, a reply tells of as many
as are quickly read, and how many more there are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee import games, notation, placements, plan, statistics, telling, umpire, views, wire
from referee.evidence import Evidence
from referee.journal import Journal
from referee.moves import Place
from referee.seen import placing
from referee.seen.placing import Anchor
from referee.sighting import SeenTile
from referee.state import State
from referee.statistics import Past, Summary
from referee.tiles import Shape
from referee.umpire import Record

_LOG = logging.getLogger(__name__)

MOST_MOVES = 20  # in one reply
MOST_PAST = 20
ENTRIES_AT_ONCE = 300  # of past matches that are judged anew for one reply
EARLIEST_MS = 1_577_836_800_000  # 2020 began: a clock that says less was never set


@dataclass(frozen=True, slots=True)
class Here:
    """What lies on the table when something is asked; `is_blind` when no camera looks."""

    record: Record | None
    anchors: tuple[Anchor, ...]
    shape: Shape
    is_blind: bool


class Chronicle:
    """Answers read-only questions; what it has learned of past matches it remembers.

    Args:
        journal: where the matches are kept.
        evidence: where pictures of rulings are kept, if they are.
    """

    def __init__(self, journal: Journal, evidence: Evidence | None = None) -> None:
        self._journal = journal
        self._evidence = evidence
        self._known: dict[int, Summary | None] = {}

    def told(self, ask: wire.Ask, here: Here) -> wire.Told:
        """Answer a question.

        `begun`: how the newest matches began, newest first, one line a match.
        `games`: all there are. `history`: the running match, one line an entry.
        `moves [MATCH [BEFORE]]`: what was ruled in a match, newest first (0: the one on the table), before an entry.
        `places TILE [SEAT [ENTRY]]`: where a tile may be laid by a seat, the one to move unless another is named, one
        line a place: points, ruling and the move in notation; for an entry, where it could have been laid then.
        `matches [BEFORE]`: what was played, newest first. `sheet MATCH`: a match with its score sheet. `players`: how
        everybody has fared. `picture NAME SIDE`: what `Ruled.evidence` names, SIDE `before` or `after`.
        """
        answers: dict[str, Callable[[wire.Ask, Here], wire.Told]] = {
            "begun": self._begun,
            "games": lambda ask, _here: wire.Told(ask.id, tuple(sorted(games.games()))),
            "history": _history,
            "moves": self._moves,
            "picture": self._picture,
            "places": _places,
            "matches": self._matches,
            "sheet": self._sheet,
            "players": self._players,
        }
        if ask.what not in answers:
            return wire.Told(ask.id, error=f"expected one of {', '.join(sorted(answers))}, got {ask.what[:40]!r}")
        try:
            return answers[ask.what](ask, here)
        except ValueError as error:
            return wire.Told(ask.id, error=str(error))

    def _begun(self, ask: wire.Ask, _here: Here) -> wire.Told:
        return wire.Told(ask.id, tuple(map(notation.write, self._journal.begun())))

    def _moves(self, ask: wire.Ask, here: Here) -> wire.Told:
        match, before = _numbers(ask.args, 2)
        record = self._record(match, here)
        found = views.moves(record, before or len(record.entries) + 1, MOST_MOVES)
        return wire.Told(ask.id, moves=found, more=max(0, found[-1].entry - 2) if found else 0)

    def _matches(self, ask: wire.Ask, here: Here) -> wire.Told:
        (before,) = _numbers(ask.args, 1)
        numbers = [number for number in reversed(self._journal.matches()) if not before or number < before]
        listed, passed = self._past(numbers, here, MOST_PAST)
        return wire.Told(ask.id, matches=listed, more=len(numbers) - passed)

    def _sheet(self, ask: wire.Ask, here: Here) -> wire.Told:
        (match,) = _numbers(ask.args, 1)
        record = self._record(match, here)
        number = match or self._journal.newest
        past = self._told_of(number, statistics.summary(record))
        return wire.Told(ask.id, matches=(past,), sheet=statistics.sheet(record))

    def _players(self, ask: wire.Ask, here: Here) -> wire.Told:
        numbers = tuple(reversed(self._journal.matches()))
        listed, passed = self._past(numbers, here, len(numbers))
        careers = statistics.careers(each.summary for each in listed)
        return wire.Told(ask.id, players=careers[: wire.MOST_CAREERS], more=len(numbers) - passed)

    def _picture(self, ask: wire.Ask, _here: Here) -> wire.Told:
        if len(ask.args) != 2:
            raise ValueError(f"expected the name of a picture and its side, got {' '.join(ask.args)[:40]!r}")
        if self._evidence is None:
            raise ValueError("expected pictures to be kept, but they are switched off")
        return wire.Told(ask.id, picture=self._evidence.read(*ask.args))

    def _record(self, match: int, here: Here) -> Record:
        """The record of a match by its number, 0 for the one on the table.

        Raises:
            ValueError: if there is none, or it cannot be understood.
        """
        if match in (0, self._journal.newest) and here.record is not None:
            return here.record
        if match not in self._journal.matches():
            raise ValueError(f"expected a match of the journal, got {match}")
        return umpire.fold(self._journal.entries(match))

    def _past(self, numbers: Sequence[int], here: Here, most: int) -> tuple[tuple[Past, ...], int]:
        """As many of these matches as are quickly told, and how many of the numbers that has taken."""
        found: list[Past] = []
        judged = passed = 0
        for number in numbers:
            if len(found) == most or judged > ENTRIES_AT_ONCE:
                break
            passed += 1
            if number == self._journal.newest and here.record is not None:
                summary: Summary | None = statistics.summary(here.record)
            else:
                judged += 0 if number in self._known else self._journal.length(number)
                summary = self._summary(number)
            if summary is not None:
                found.append(self._told_of(number, summary))
        return tuple(found), passed

    def _summary(self, number: int) -> Summary | None:
        """A past match in one line, None for one that is not understood here."""
        if number not in self._known:
            try:
                self._known[number] = statistics.summary(umpire.fold(self._journal.entries(number)))
            except ValueError as error:
                _LOG.warning("match %d is left out: %s", number, error)
                self._known[number] = None
        return self._known[number]

    def _told_of(self, number: int, summary: Summary) -> Past:
        begun_ms = self._journal.begun_ms(number)
        return Past(number, begun_ms if begun_ms >= EARLIEST_MS else None, summary, number == self._journal.newest)


def _history(ask: wire.Ask, here: Here) -> wire.Told:
    entries = here.record.entries if here.record else ()
    return wire.Told(ask.id, tuple(f"{e.seq} {e.by} {e.reason} {notation.write(e.what)}" for e in entries))


def _places(ask: wire.Ask, here: Here) -> wire.Told:
    """Where a tile may be laid now, or could have been when an entry was made."""
    if here.record is None:
        raise ValueError("expected a match to have begun")
    *words, entry = ask.args if len(ask.args) == 3 else (*ask.args, "")
    state = here.record.state if not entry else placements.before_entry(here.record, _number(entry))
    if state is None:
        raise ValueError(f"expected an entry after the first, got {entry}")
    lines = placements.listing(state, words)
    moves = (notation.parse(each.split(" ", 2)[2]) for each in lines)
    poses = (_pose(state, move, here) for move in moves if isinstance(move, Place))
    tiles = tuple(None if pose is None else telling.ghost(pose) for pose in poses)
    return wire.Told(ask.id, lines, tiles=tiles)


def _pose(state: State, move: Place, here: Here) -> SeenTile | None:
    """Where a tile would lie: as the tiles beside it lie where a camera sees them, else on even ground."""
    if here.is_blind:
        after = games.game(state.game).rule(state, move).state.layout
        return plan.offer(state.layout, move, here.shape, spins=bool(after) and after[-1].spins)
    laid = {placed.entry for placed in state.layout}
    anchors = tuple(each for each in here.anchors if each.placed.entry in laid)
    return next(placing.poses_of(anchors, move.tile, move.spot, here.shape), None)


def _numbers(words: Sequence[str], count: int) -> tuple[int, ...]:
    """So many numbers, 0 for each that is not there."""
    if len(words) > count:
        raise ValueError(f"expected at most {count} numbers, got {' '.join(words)[:40]!r}")
    return (*map(_number, words), *[0] * (count - len(words)))


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ValueError(f"expected a number, got {word[:40]!r}")
    return int(word)
