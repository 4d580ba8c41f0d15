"""What people really did, kept apart from what the referee makes of it, and the two compared entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee import notation, umpire
from referee.moves import Begin, Clear, FirstBidder, Place, Play
from referee.rulings import Ruling
from referee.state import Phase
from referee.umpire import Act, Entry, Match, Record

LATEST = 4  # frames from the last hand to the ruling
COUNTS = ("wrong", "invented", "missed", "missed_illegal", "false_buzzes")


class AstrayError(Exception):
    """What the referee says and what really happened have come apart: the rest of the match would tell nothing."""


@dataclass(slots=True)
class Account:
    """One match: what people did, and how the referee did.

    `asked` are questions that a mistake or a mess on the table was the cause of, `needless` all others. `latencies`
    are frames without a hand up to the ruling on a tile that was laid. `notes` tell what was wrong, needless or late,
    and `ended` how the match came to its end.
    """

    game: str = ""
    players: int = 0
    seconds: float = 0.0
    moves: int = 0
    illegal: int = 0
    wrong: int = 0
    invented: int = 0
    missed: int = 0
    missed_illegal: int = 0
    false_buzzes: int = 0
    asked: int = 0
    needless: int = 0
    rounds: int = 0
    frames: int = 0
    latencies: list[int] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    questions: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    ended: str = ""

    def count(self, fault: str) -> None:
        """Something goes wrong at the table."""
        self.faults[fault] = self.faults.get(fault, 0) + 1

    def note(self, doing: str, what: str) -> str:
        """Something is to be looked into."""
        self.notes.append(f"move {self.moves}, {doing}: {what}")
        return self.notes[-1]

    @property
    def is_right(self) -> bool:
        """True when nothing was ruled wrong, made up or missed."""
        return not any(getattr(self, name) for name in COUNTS)


class Truth:
    """The record as it would be if everything were seen as it happened.

    What people do is announced to it before the referee can know (`expect`); each entry of the referee's is then
    compared with it (`compare`), and only what was expected enters the record.
    """

    def __init__(self, match: Match, account: Account) -> None:
        ruling = umpire.judge(None, match)
        self.record: Record = umpire.append(None, Entry(1, 0, "referee", None, match, ruling.reason))
        self.account = account
        self.buzzes = 0  # that there should have been
        self.doing = ""
        self._expected: tuple[tuple[Act, ...], ...] = ((),)

    @property
    def state(self) -> Any:
        """The state of the match."""
        return self.record.state

    @property
    def awaited(self) -> Act | None:
        """What the referee has not said yet, the likeliest where several things would be right."""
        whole = max(self._expected, key=len)
        return whole[0] if whole else None

    @property
    def is_settled(self) -> bool:
        """True when the referee may rest: what has happened has been told."""
        return () in self._expected

    def expect(self, *courses: tuple[Act, ...]) -> None:
        """People do something; any one of these courses of entries would be a right account of it."""
        self._expected = courses

    def judged(self, act: Act) -> Ruling:
        """What the ruling on an act ought to be."""
        return umpire.judge(self.record, act)

    def compare(self, told: Record, is_bare: bool) -> tuple[Entry, ...]:
        """Compare what the referee has entered since.

        Args:
            is_bare: no tile lies on the table.

        Returns:
            The referee's new entries.

        Raises:
            AstrayError: for the first that is not what happened.
        """
        new = told.entries[len(self.record.entries) :]
        for entry in new:
            self._compare(entry, is_bare)
        if new and told.state != self.record.state:
            self.wrong("wrong", f"after {_line(new[-1].what)} the state is another: {_difference(told, self.record)}")
        return new

    def _compare(self, entry: Entry, is_bare: bool) -> None:
        fitting = tuple(course[1:] for course in self._expected if course and course[0] == entry.what)
        if not fitting and not self._goes_without_saying(entry.what, is_bare):
            self._unexpected(entry)
        ruling = self.judged(entry.what)
        if ruling.reason is not entry.reason:
            self.wrong("wrong", f"{_line(entry.what)}: expected {ruling.reason.value}, got {entry.reason.value}")
        self._expected = fitting or self._expected
        self.record = umpire.append(self.record, Entry(entry.seq, 0, "truth", None, entry.what, ruling.reason))
        if entry.seen is not None and not ruling.is_legal:
            self.buzzes += 1

    def _goes_without_saying(self, act: Act, is_bare: bool) -> bool:
        """What the referee may find by itself: an empty table begins or clears a round, and it draws lots."""
        phase = self.state.phase
        if isinstance(act, Begin | Clear):
            return is_bare and phase is (Phase.DEAL if isinstance(act, Begin) else Phase.CLEARING)
        return isinstance(act, FirstBidder)

    def _unexpected(self, entry: Entry) -> None:
        awaited = self.awaited
        if isinstance(entry.what, Place | Play) and awaited is None:
            self.wrong("invented", f"got {_line(entry.what)} ({entry.reason.value}), but nothing was laid")
        wanted = "nothing" if awaited is None else f"{_line(awaited)} ({self.judged(awaited).reason.value})"
        self.wrong("wrong", f"expected {wanted}, got {_line(entry.what)} ({entry.reason.value})")

    def wrong(self, count: str, what: str) -> None:
        """Something is not as it ought to be.

        Raises:
            AstrayError: always.
        """
        setattr(self.account, count, getattr(self.account, count) + 1)
        raise AstrayError(self.account.note(self.doing, what))


def _line(act: Act) -> str:
    return notation.write(act)


def _difference(told: Record, true: Record) -> str:
    """The fields of the states that differ."""
    fields = vars(true.state)
    return ", ".join(
        f"{name} {vars(told.state)[name]!r} for {fields[name]!r}"
        for name in fields
        if vars(told.state)[name] != fields[name]
    )[:300]
