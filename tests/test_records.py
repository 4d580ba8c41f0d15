"""Whole games as readable text: every line is replayed and must be ruled as it says.

A line is its number, the notation, and after `#` the reason, the points by what they are for, what was
proven by it, and the scores where a round ended or an entry was taken back, overruled or corrected.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from referee import notation, triangles, trianglesheet, umpire
from referee.games import games, goat
from referee.notation import SEATS
from referee.rulings import Reason, Ruling
from referee.state import Phase, State
from referee.umpire import Act, Correct, Entry, Match, Overrule, Record, Undo

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
        seat = SEATS[proof.seat] if proof.seat >= 0 else "-"  # a wrong count is nobody's
        words.append(f"proven {proof.reason.value} {seat} {proof.entry} {' '.join(proof.evidence)}")
    state = ruling.state
    has_ended = before is not None and before.phase is not state.phase and state.phase in (Phase.CLEARING, Phase.OVER)
    if has_ended or is_change:
        words.append(f"scores {' '.join(map(str, state.scores))}")
    return ", ".join(words)


@cache
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


def preset_of(path: Path) -> str:
    """The preset that a record is of."""
    match = notation.parse(lines(path)[0][1])
    assert isinstance(match, Match)
    return match.game


def test_every_game_has_at_least_four_recorded_games() -> None:
    played = Counter(map(preset_of, RECORDS))
    assert all(played[preset] >= 4 for preset in games())


def possible(preset: str) -> tuple[set[Reason], set[str]]:
    """All reasons and kinds of points that can come of a preset."""
    settings = games()[preset].settings
    anywhere = {Reason.OK_MATCH, Reason.OK_UNDO, Reason.OK_CORRECT, Reason.NO_SUCH_ENTRY, Reason.NEEDS_CONFIRMING}
    by_hand = {"adjusted", "void"}
    if preset == "fr-domino":
        return anywhere | set(goat.CLAUSES_BY_REASON), by_hand | {"hand"}
    reasons = anywhere | set(trianglesheet.clauses(settings)) - {Reason.FISH}
    with_corners = {Reason.OK_TWO_CORNER, Reason.OK_THREE_CORNER}
    reasons -= {Reason.CORNER_CONTACT_NOT_ALLOWED} if settings.two_corner else with_corners
    draws_for_triple = settings.no_triple == "draw_until_triple"
    if settings.draw_while_able:
        reasons -= {Reason.DRAW_WHILE_ABLE, Reason.FALSE_DRAW_PROVEN}
    reasons -= set() if draws_for_triple else {Reason.NEEDS_TRIPLE}
    reasons -= set() if draws_for_triple or settings.draw_limit else {Reason.DRAW_LIMIT}
    reasons -= set() if settings.zero_must_show else {Reason.TRIPLE_NOT_SHOWN}
    points = {"tile", "opening", "hexagon", "bridge", "draws"}
    points |= {name for name in ("two_side", "three_side", "two_corner", "three_corner") if getattr(settings, name)}
    points |= {"empty_stock"} if settings.empty_stock or settings.limit_extra else set()
    points |= {"out"} if settings.out_bonus else set()
    points |= {"others"} if settings.out_takes_others or settings.blocked != "none" else set()
    points |= {"own"} if settings.others_lose_own or settings.blocked != "none" else set()
    return reasons, points | by_hand


@pytest.mark.parametrize("preset", [*triangles.PRESETS, "fr-domino"])
def test_the_records_of_a_preset_contain_every_reason_and_every_kind_of_points_it_can_give(preset: str) -> None:
    said_of = [words for path in RECORDS if preset_of(path) == preset for _, _, words in lines(path)]
    reasons = {words.partition(",")[0] for words in said_of}
    reasons |= {proof for words in said_of for proof in re.findall(r"proven ([\w-]+)", words)}
    points = {what for words in said_of for what in re.findall(r", [A-F] (\w+) [+-]", words)}
    all_reasons, all_points = possible(preset)
    assert {reason.value for reason in all_reasons} - reasons == set()
    assert all_points - points == set()


@pytest.mark.parametrize("preset", sorted(games()))
def test_undo_to_the_start_and_redo_to_the_end_give_the_same_state_at_every_step(preset: str) -> None:
    path = min((path for path in RECORDS if preset_of(path) == preset), key=lambda path: len(lines(path)))
    record: Record | None = None
    states: list[State] = []
    for _, text, _ in lines(path):
        record = appended(record, notation.parse(text))
        states.append(record.state)
    assert record is not None
    counted = [entry.seq for entry in record.entries if entry.reason.is_legal][1:]
    undos: list[tuple[int, int]] = []
    for seq in reversed(counted):
        record = appended(record, Undo(seq, confirmed=True))
        undos.append((len(record.entries), seq))
        assert record.state == states[seq - 2]
    for undo, seq in reversed(undos):
        record = appended(record, Undo(undo, confirmed=True))
        assert record.state == states[seq - 1]


def appended(record: Record | None, act: Act) -> Record:
    """The record with one more act, ruled as it is now."""
    seq = len(record.entries) + 1 if record else 1
    return umpire.append(record, Entry(seq, 0, "people", None, act, umpire.judge(record, act).reason))


def test_no_line_of_a_record_is_overlooked() -> None:
    for path in RECORDS:
        text = path.read_text(encoding="utf-8").splitlines()
        assert len(lines(path)) == sum(1 for line in text if line and not line.startswith("#"))
        assert [seq for seq, _, _ in lines(path)] == list(range(1, len(lines(path)) + 1))
        assert isinstance(notation.parse(lines(path)[0][1]), Match)
