"""A whole match as text: one line per act with its ruling and the scores after it, written, read and judged anew.

    # whatever a person wants to note
      1  match fr-domino A=Ana B=Bo target=60   # ok-match, scores 0 0
      2  begin                                  # ok-begin, scores 0 0
      3  A lays 6-6 at left                     # ok-opening, scores 0 0
      4  B lays 1-1-2 at 0,1,U                  # no-such-tile, scores 0 0
      5  A lays 2-6 at right                    # ok-place, proven false-draw-proven A 4 2-6, scores 0 0
    # over: B before A

A line is its number, the notation and, after ` # `, the ruling as it was when the line was written: the
reason, points by what they are for (`A tile +8`), what it proved (reason, seat, entry, evidence; `-` where
there is none) and the scores. Ruling and scores may be missing; what is missing is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from referee import notation, umpire
from referee.notation import SEATS
from referee.rulings import Proof, Reason, Ruling
from referee.state import State
from referee.umpire import Act, Entry, Record

WIDTH = 34  # of the notation, so that most rulings stand below each other
OVER = "# over: "
MOST_SHOWN = 200  # letters of what came instead

_LINE = re.compile(r" *(?P<seq>[0-9]{1,9})  (?P<act>\S(?:.*?\S)?)(?: +# (?P<said>.*))?")
_POINTS = re.compile(rf"[{SEATS}] \S+ [+-][0-9]+")
_PROVEN = re.compile(rf"proven (?P<reason>\S+) (?P<seat>[{SEATS}-]) (?P<entry>[0-9]+|-|None)(?P<evidence>(?: \S+)*)")
_SCORES = re.compile(r"scores(?: -?[0-9]+)+")


class TranscriptError(ValueError):
    """A text that is no match: the line (from 1), what was expected there and what came."""

    def __init__(self, line: int, expected: str, got: str) -> None:
        shown = got if len(got) <= MOST_SHOWN else f"{got[:MOST_SHOWN]}..."
        super().__init__(f"line {line}: expected {expected}, got {shown!r}")
        self.line = line
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True)
class Said:
    """A ruling as a line tells it; `scores` None where the line does not tell them."""

    reason: Reason
    points: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()
    scores: tuple[int, ...] | None = None

    def __str__(self) -> str:
        scores = () if self.scores is None else (f"scores {' '.join(map(str, self.scores))}",)
        return ", ".join((self.reason.value, *self.points, *self.proven, *scores))


@dataclass(frozen=True, slots=True)
class Line:
    """One act of a match: its number in the match and in the text, the notes before it, what the text says of it."""

    seq: int
    act: Act
    said: Said | None
    notes: tuple[str, ...] = ()
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match as text: its lines, how it ended (`A before B=C`, None where it does not tell), the notes before that."""

    lines: tuple[Line, ...]
    ranking: str | None = None
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        text: list[str] = []
        for line in self.lines:
            text += line.notes
            start = f"{line.seq:3}  {notation.write(line.act)}"
            text.append(start if line.said is None else f"{start:<{WIDTH + 5}}  # {line.said}")
        over = [] if self.ranking is None else [OVER + self.ranking]
        return "\n".join((*text, *self.notes, *over, ""))


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a text that the rules see differently."""

    line: Line
    got: Said


# --- reading ----------------------------------------------------------------------------------------


def read(text: str) -> Transcript:
    """Read a match.

    Raises:
        TranscriptError: if a line is neither a note nor an act, or the numbers do not count from 1.
    """
    lines: list[Line] = []
    notes: list[str] = []
    ranking: str | None = None
    rows = [row.removesuffix("\r") for row in text.removesuffix("\n").split("\n")]
    for number, row in enumerate(rows, start=1):
        if ranking is not None:
            raise TranscriptError(number, "nothing after the end of the match", row)
        if row.startswith(OVER):
            ranking = row.removeprefix(OVER)
        elif not row.strip() or row.startswith("#"):
            notes.append(row)
        else:
            lines.append(_read_line(row, number, len(lines) + 1, tuple(notes)))
            notes = []
    if not lines:
        raise TranscriptError(1, "a match", "no line of one")
    return Transcript(tuple(lines), ranking, tuple(notes))


def _read_line(row: str, number: int, seq: int, notes: tuple[str, ...]) -> Line:
    found = _LINE.fullmatch(row.rstrip())
    if found is None:
        raise TranscriptError(number, "a number, two blanks, an act and ` # ` with its ruling", row)
    if int(found["seq"]) != seq:
        raise TranscriptError(number, f"the number {seq}", found["seq"])
    try:
        act = notation.parse(found["act"])
    except notation.NotationError as error:
        raise TranscriptError(number, error.expected, error.got) from error
    said = None if found["said"] is None else _read_said(found["said"], number)
    return Line(seq, act, said, notes, number)


def _read_said(text: str, number: int) -> Said:
    reason, *parts = text.strip().split(", ")
    said = Said(_reason(reason, number))
    for part in parts:
        if _SCORES.fullmatch(part) and part is parts[-1]:
            said = replace(said, scores=tuple(map(int, part.split()[1:])))
        elif proven := _PROVEN.fullmatch(part):
            # `None` is how older texts write that no single entry proves it
            entry = proven["entry"].replace("None", "-")
            told = f"proven {_reason(proven['reason'], number)} {proven['seat']} {entry}{proven['evidence']}"
            said = replace(said, proven=(*said.proven, told))
        elif _POINTS.fullmatch(part):
            said = replace(said, points=(*said.points, part))
        else:
            raise TranscriptError(number, "points such as `A tile +8`, what was proven, or the scores at the end", part)
    return said


def _reason(text: str, number: int) -> Reason:
    try:
        return Reason(text)
    except ValueError:
        raise TranscriptError(number, "a ruling such as ok-edge or out-of-turn", text) from None


# --- judging ----------------------------------------------------------------------------------------


def appended(record: Record | None, act: Act) -> Record:
    """The record with this act as its next entry, whoever wrote it and whenever.

    Raises:
        ValueError: as for `umpire.judge`.
    """
    seq = 1 if record is None else len(record.entries) + 1
    return umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))


def played(transcript: Transcript) -> tuple[Record, Transcript]:
    """The record that the acts of a text amount to, and the same text as the rules would have it now.

    Raises:
        TranscriptError: if the text does not begin with a match that can be played.
    """
    record: Record | None = None
    lines: list[Line] = []
    for line in transcript.lines:
        try:
            record = appended(record, line.act)
        except ValueError as error:
            raise TranscriptError(line.number, "a match that can be played", str(error)) from error
        lines.append(replace(line, said=said(record.rulings[-1])))
    assert record is not None  # a text has at least one line
    return record, Transcript(tuple(lines), ranking(record.state), transcript.notes)


def of_entries(entries: Iterable[Entry], notes: tuple[str, ...] = ()) -> Transcript:
    """The text of a journal; each line tells the ruling as it was when the entry was written.

    Raises:
        ValueError: if there are no entries, or as for `umpire.append`.
    """
    record: Record | None = None
    lines: list[Line] = []
    for entry in entries:
        record = umpire.append(record, entry)
        lines.append(Line(entry.seq, entry.what, said(record.rulings[-1]), () if lines else notes))
    if record is None:
        raise ValueError("expected at least one entry, got none")
    return Transcript(tuple(lines), ranking(record.state))


def differences(written: Transcript, judged: Transcript) -> tuple[Difference, ...]:
    """The lines whose ruling the rules see differently.

    Once a line has been given other points all later scores are off by as much; that is told once.
    """
    found: list[Difference] = []
    off: tuple[int, ...] = ()
    for line, now in zip(written.lines, judged.lines, strict=True):
        told, got = line.said, now.said
        if told is None or got is None:
            continue
        is_same = (told.reason, told.points, told.proven) == (got.reason, got.points, got.proven)
        if told.scores is not None and got.scores is not None:
            is_off = tuple(a - b for a, b in zip(told.scores, got.scores, strict=False))
            is_same = is_same and is_off == (off or (0,) * len(got.scores)) and len(told.scores) == len(got.scores)
            off = is_off
        if not is_same:
            found.append(Difference(line, got))
    return tuple(found)


def said(ruling: Ruling | None) -> Said:
    """A ruling as a line tells it."""
    assert ruling is not None  # an entry is not undone by itself
    points = tuple(f"{SEATS[award.seat]} {award.what} {award.points:+d}" for award in ruling.awards)
    return Said(ruling.reason, points, tuple(map(_proven, ruling.proven)), ruling.state.scores)


def _proven(proof: Proof) -> str:
    seat = SEATS[proof.seat] if proof.seat >= 0 else "-"
    return " ".join(("proven", proof.reason, seat, str(proof.entry or "-"), *proof.evidence))


def ranking(state: State) -> str | None:
    """The seats from first to last, None while the match is not over."""
    groups = ["=".join(SEATS[seat] for seat in group) for group in state.ranking]
    return " before ".join(groups) if groups else None
