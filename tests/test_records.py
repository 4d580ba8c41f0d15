"""Whole games as readable text: every line is replayed and must be ruled as it says.

A line is its number, the notation, and after `#` the reason, the points by what they are for, what was
proven by it, and the scores where a round ended or an entry was taken back, overruled or corrected.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from referee import notation, umpire
from referee.games import games
from referee.notation import SEATS
from referee.rulings import Ruling
from referee.state import Phase, State
from referee.umpire import Correct, Entry, Match, Overrule, Record, Undo

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
LINE = re.compile(r" *(?P<seq>\d+)  (?P<act>.*?) +# (?P<said>.*)")


def lines(path: Path) -> list[tuple[int, str, str]]:
    """Number, notation and what is expected, line by line."""
    found = [LINE.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines() if re.match(r" *\d", line)]
    return [(int(line["seq"]), line["act"], line["said"]) for line in found if line]


def said(ruling: Ruling, before: State | None, is_change: bool) -> str:
    """A ruling as the records write it."""
    words = [ruling.reason.value]
    words += [f"{SEATS[award.seat]} {award.what} {award.points:+d}" for award in ruling.awards]
    for proof in ruling.proven:
        words.append(f"proven {proof.reason.value} {SEATS[proof.seat]} {proof.entry} {' '.join(proof.evidence)}")
    state = ruling.state
    has_ended = before is not None and before.phase is not state.phase and state.phase in (Phase.CLEARING, Phase.OVER)
    if has_ended or is_change:
        words.append(f"scores {' '.join(map(str, state.scores))}")
    return ", ".join(words)


def replay(path: Path) -> Record:
    """Append every line of a record, comparing each ruling with what the line says."""
    record: Record | None = None
    for seq, text, expected in lines(path):
        act = notation.parse(text)
        before = record.state if record else None
        judged = umpire.judge(record, act)
        record = umpire.append(record, Entry(seq, 0, "people", None, act, judged.reason))
        ruling = record.rulings[-1]
        assert ruling is not None
        is_change = ruling.is_legal and isinstance(act, Undo | Overrule | Correct)
        assert said(ruling, before, is_change) == expected, f"{path.name} line {seq}: {text}"
        assert (judged.reason, judged.state, judged.awards) == (ruling.reason, ruling.state, ruling.awards)
        assert notation.write(act) == text
    assert record is not None
    return record


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_is_ruled_line_by_line_as_it_was_written(path: Path) -> None:
    record = replay(path)
    final = path.read_text(encoding="utf-8").splitlines()[-1]
    ranking = " before ".join("=".join(SEATS[seat] for seat in group) for group in record.state.ranking)
    assert record.state.phase is Phase.OVER
    assert final == f"# over: {ranking}"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_folding_a_recorded_game_in_one_go_gives_the_same_record(path: Path) -> None:
    record = replay(path)
    assert umpire.fold(record.entries) == record


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_entries_that_count_alone_lead_to_the_same_end(path: Path) -> None:
    record = replay(path)
    again: Record | None = None
    for seq, entry in enumerate(umpire.effective(record), start=1):
        again = umpire.append(again, Entry(seq, 0, "people", None, entry.what, entry.reason))
        assert again.rulings[-1] is not None
        assert again.rulings[-1].reason is entry.reason
    assert again is not None
    assert again.state == record.state


def test_every_game_has_at_least_three_recorded_games() -> None:
    played = Counter(notation.parse(lines(path)[0][1]).game for path in RECORDS)  # type: ignore[union-attr]  # a match
    assert all(played[preset] >= 3 for preset in games())


def test_no_line_of_a_record_is_overlooked() -> None:
    for path in RECORDS:
        text = path.read_text(encoding="utf-8").splitlines()
        assert len(lines(path)) == sum(1 for line in text if line and not line.startswith("#"))
        assert [seq for seq, _, _ in lines(path)] == list(range(1, len(lines(path)) + 1))
        assert isinstance(notation.parse(lines(path)[0][1]), Match)
