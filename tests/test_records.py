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

from referee import notation, umpire
from referee.games import games
from referee.laying import triangles
from referee.notation import SEATS
from referee.rulings import Reason, Ruling
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


def reasons(*codes: str) -> frozenset[Reason]:
    return frozenset(map(Reason, codes))


OF_TRICKS = reasons(
    *("ok-first-bidder", "ok-bid", "ok-forced-bid", "ok-forced-pass", "ok-exchange", "ok-trump", "ok-play"),
    *("all-pass-redeal", "bid-range", "bid-too-low", "bid-closed", "no-such-trump", "must-discard", "no-such-suit"),
    *("revoke", "revoke-proven", "no-discard-proven"),
)
OF_LAYING = reasons(
    *("ok-announce", "ok-opening", "ok-draw", "ok-stock-exposed", "ok-draw-total", "ok-wrong-deal", "ok-block-called"),
    *("not-connected", "wrong-opener", "wrong-opening-tile", "draw-while-able", "pass-with-stock", "pass-while-able"),
    *("stock-empty", "draw-limit", "drawn-tile-stays", "not-blocked", "block-with-stock", "not-in-stock"),
    *("false-pass-proven", "false-draw-proven", "wrong-opener-proven", "triple-not-shown", "needs-triple"),
    *("lap-not-over", "draw-not-booked", "draw-total-wrong", "wrong-deal-proven"),
)
OF_A_LINE = reasons("ok-place", "fish", "end-mismatch")
OF_ARMS = reasons("arm-closed", "ok-claim", "nothing-to-claim")  # claims by a house rule that has a record of its own
OF_TRIANGLES = reasons(
    *("ok-edge", "ok-bridge", "ok-two-sided", "ok-three-sided", "ok-hexagon", "ok-multi-hexagon"),
    *("ok-two-corner", "ok-three-corner", "cell-occupied", "one-corner-only", "corner-contact-not-allowed"),
    *("edge-mismatch", "corner-mismatch"),
)
TRIANGLES = tuple(triangles.PRESETS)
LINES = ("fr-domino", "block", "all-fives")
LAYING = (*TRIANGLES, *LINES)
FREE_DRAWING = ("ro-trimino/club", "official-goliath")
# What a preset can never say, and why; whatever is not here must be in one of its records. A preset is its rule as it
# is printed: what only a house rule brings about, a limit to drawing say, is none of its reasons.
NEVER: tuple[tuple[tuple[str, ...], frozenset[Reason], str], ...] = (
    (LAYING, OF_TRICKS, "there are no tricks"),
    (("kk-moon",), OF_LAYING | OF_A_LINE | OF_TRIANGLES, "nothing is laid, and after the discard nothing is drawn"),
    (TRIANGLES, OF_A_LINE, "there is no line"),
    (LINES, OF_TRIANGLES, "there are no triangles"),
    (("all-fives",), reasons("block-with-stock"), "a dead line ends the round at once"),
    (
        ("block",),
        reasons(
            *("ok-draw", "draw-while-able", "pass-with-stock", "false-draw-proven", "drawn-tile-stays"),
            "block-with-stock",
        ),
        "nobody draws",
    ),
    (
        tuple(preset for preset in games() if preset != "all-fives"),
        OF_ARMS,
        "no double is a spinner, and no end counts",
    ),
    (
        tuple(preset for preset in LAYING if preset != "ro-trimino/club"),
        reasons("ok-two-corner", "ok-three-corner"),
        "a tile may not lie by corners only",
    ),
    (("ro-trimino/club",), reasons("corner-contact-not-allowed"), "a tile may lie by two corners and by three"),
    (FREE_DRAWING, reasons("draw-while-able", "false-draw-proven"), "a seat that could play may draw too"),
    (
        tuple(preset for preset in LAYING if preset != "cs-triomino"),
        reasons("needs-triple", "lap-not-over"),
        "where nobody has a triple or double, another tile opens",
    ),
    (
        tuple(preset for preset in LAYING if preset not in ("cs-triomino", "official-goliath", "block")),
        reasons("draw-limit"),
        "there is no limit to drawing",
    ),
    (
        tuple(preset for preset in LAYING if preset not in ("uk-tridomino", "official-pressman")),
        reasons("triple-not-shown"),
        "who opens with 0-0-0 need not show what he passes over",
    ),
)
BY_HAND = frozenset({"adjusted", "void"})
BY_HOUSE_RULES = frozenset({"others", "own", "difference"})  # about blocked rounds
PENALTIES = frozenset({"false_pass", "needless_draw", "draw_too_many", "wrong_tile", "wrong_deal"})
PLACES = frozenset({"tile", "opening", "hexagon", "bridge", "draws"})
ENDS = frozenset({"out", "others", "own"})
# What each preset gives points for, house rules about irregularities included.
POINTS = {
    "ro-trimino/manufacturer": PLACES | ENDS | PENALTIES | {"two_side", "three_side", "empty_stock"},
    "ro-trimino/club": PLACES
    | ENDS
    | (PENALTIES - {"needless_draw"})
    | {"two_side", "three_side", "two_corner", "three_corner", "empty_stock"},
    "cs-triomino": PLACES | PENALTIES,
    "uk-tridomino": PLACES | ENDS | PENALTIES | {"two_side", "three_side", "empty_stock"},
    "official-pressman": PLACES | ENDS | PENALTIES | {"two_side", "three_side", "empty_stock"},
    "official-goliath": PLACES | ENDS | (PENALTIES - {"needless_draw"}) | {"two_side", "three_side", "empty_stock"},
    "fr-domino": PENALTIES | {"hand"},
    "block": frozenset({"others", "own", "false_pass", "wrong_tile", "wrong_deal"}),
    "all-fives": PENALTIES | {"ends", "muggins", "others", "own", "rounding"},
    "kk-moon": frozenset({"bid", "moon", "tricks", "no_discard", "revoke"}),
}


def possible(preset: str) -> set[Reason]:
    """All reasons that can come of a preset."""
    return set(Reason).difference(*(codes for presets, codes, _ in NEVER if preset in presets))


def test_the_list_of_points_names_every_preset() -> None:
    assert set(POINTS) == set(games())


@pytest.mark.parametrize("preset", sorted(games()))
def test_the_records_of_a_preset_contain_every_reason_and_every_kind_of_points_it_can_give(preset: str) -> None:
    said_of = [words for path in RECORDS if preset_of(path) == preset for _, _, words in lines(path)]
    found = {words.partition(",")[0] for words in said_of}
    found |= {proof for words in said_of for proof in re.findall(r"proven ([\w-]+)", words)}
    points = {what for words in said_of for what in re.findall(r", [A-F] (\w+) [+-]", words)}
    assert found == {reason.value for reason in possible(preset)}
    assert points >= POINTS[preset] | BY_HAND
    assert points <= POINTS[preset] | BY_HAND | BY_HOUSE_RULES


def test_no_line_of_a_record_is_overlooked() -> None:
    for path in RECORDS:
        text = path.read_text(encoding="utf-8").splitlines()
        assert len(lines(path)) == sum(1 for line in text if line and not line.startswith("#"))
        assert [seq for seq, _, _ in lines(path)] == list(range(1, len(lines(path)) + 1))
        assert isinstance(notation.parse(lines(path)[0][1]), Match)
