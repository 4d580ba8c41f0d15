"""A match as text: what is written reads back, and what the rules see differently is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import notation, transcript
from referee.rulings import Reason
from referee.transcript import TranscriptError

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.txt"))[::6]  # test_records judges them all
BEGUN = "  1  match fr-domino A=Ana B=Bo opening=any  # ok-match, scores 0 0"
GAME = f"""# A note.

{BEGUN}
  2  begin                               # ok-begin, scores 0 0
  3  A lays 2-6 at left                  # ok-opening, scores 0 0
# The referee looked away.
  4  A passes                            # out-of-turn, scores 0 0
  5  undo 3                              # ok-undo, scores 0 0
"""
TRIANGLES = """  1  match ro-trimino/manufacturer A=Ana B=Bo opening=any  # ok-match, scores 0 0
  2  begin                               # ok-begin, scores 0 0
  3  A lays 0-4-5 at 0,0,U               # ok-opening, A tile +9, scores 9 0
  4  B lays 5-4-4 at 0,0,D               # ok-edge, B tile +13, scores 9 13
  5  A draws 1                           # ok-draw, A draws -5, scores 4 13
"""


def judged(text: str) -> transcript.Transcript:
    return transcript.played(transcript.read(text))[1]


@pytest.mark.parametrize("text", [GAME, TRIANGLES, TRIANGLES + "\n# A note.\n# over: A before B\n"])
def test_a_text_reads_back_as_it_was_written(text: str) -> None:
    assert str(transcript.read(text)) == text
    assert str(judged(text)) == text.replace("# over: A before B\n", "")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_match_with_running_scores_survives_reading_and_judging(path: Path) -> None:
    written = transcript.read(path.read_text(encoding="utf-8"))
    record, text = transcript.played(written)
    assert transcript.differences(written, text) == ()
    assert all(line.said is not None and line.said.scores is not None for line in text.lines)
    assert transcript.read(str(text)) == text
    assert str(judged(str(text))) == str(text)
    journal = transcript.of_entries(record.entries)
    assert [line.said for line in journal.lines] == [line.said for line in text.lines]


def test_windows_line_ends_are_read_like_others() -> None:
    assert transcript.read(GAME.replace("\n", "\r\n")) == transcript.read(GAME)


def test_a_line_without_a_ruling_is_given_one() -> None:
    bare = "\n".join(line.partition("  #")[0] for line in TRIANGLES.splitlines())
    written = transcript.read(bare)
    assert [line.said for line in written.lines] == [None] * 5
    assert transcript.differences(written, judged(bare)) == ()
    assert str(judged(bare)) == TRIANGLES


@pytest.mark.parametrize(
    ("old", "new"),
    [("ok-edge", "ok-bridge"), ("B tile +13", "B tile +12"), ("9 13", "9 14"), (", scores 4 13", ", scores 4")],
)
def test_one_change_is_one_difference(old: str, new: str) -> None:
    text = TRIANGLES.replace(old, new, 1)
    assert text != TRIANGLES
    found = transcript.differences(transcript.read(text), judged(text))
    assert len(found) == (2 if new == "9 14" else 1)


def test_points_that_differ_are_not_told_again_with_every_later_score() -> None:
    wrong = TRIANGLES.replace("A tile +9, scores 9 0", "A tile +8, scores 8 0")
    wrong = wrong.replace("scores 9 13", "scores 8 13").replace("scores 4 13", "scores 3 13")
    (found,) = transcript.differences(transcript.read(wrong), judged(wrong))
    assert (found.line.number, str(found.got)) == (3, "ok-opening, A tile +9, scores 9 0")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "a match"),
        ("# only a note\n", 1, "a match"),
        ("  2  begin  # ok-begin\n", 1, "the number 1"),
        (f"{BEGUN}\n  3  begin  # ok-begin\n", 2, "the number 2"),
        (f"{BEGUN}\nbegin\n", 2, "a number, two blanks"),
        (f"{BEGUN}\n  2  A lays 2-x at left  # ok-place\n", 2, "a tile such as"),
        (f"{BEGUN}\n  2  A lays 2-6 at top  # ok-place\n", 2, "left, right, up or down"),
        (f"{BEGUN}\n  2  G passes  # ok-pass\n", 2, "a seat"),
        (f"{BEGUN}\n  2  begin  # ok-bigin\n", 2, "a ruling such as"),
        (f"{BEGUN}\n  2  begin  # ok-begin, A tile 8\n", 2, "points such as"),
        (f"{BEGUN}\n  2  begin  # ok-begin, scores 0 0, A tile +8\n", 2, "points such as"),
        (f"{BEGUN}\n  2  begin  # ok-begin, proven nothing A 3 2-6\n", 2, "a ruling such as"),
        (f"{BEGUN}\n# over: A before B\n  2  begin  # ok-begin\n", 3, "nothing after"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, line: int, expected: str) -> None:
    with pytest.raises(TranscriptError) as refused:
        transcript.read(text)
    assert refused.value.line == line
    assert refused.value.expected.startswith(expected)
    assert str(refused.value).startswith(f"line {line}: expected {expected}")


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("match no-such-game A=Ana B=Bo", "expected a game"),
        ("match fr-domino A=Ana", "expected 2 to 4 players"),
        ("match fr-domino A=Ana B=Bo target=x", "house rule target: expected a whole number"),
        ("match fr-domino A=Ana B=Bo colour=red", "expected a house rule"),
        ("begin", "expected a match to begin"),
    ],
)
def test_a_match_that_cannot_be_played_is_named_with_its_line(match: str, expected: str) -> None:
    with pytest.raises(TranscriptError, match=f"line 1: expected a match that can be played.*{expected}"):
        judged(f"  1  {match}\n")


def test_fixed_what_came_instead_is_shown_in_part_when_it_is_very_long() -> None:
    for text in ("x" * 5000, f"{BEGUN}\n  2  {'y' * 5000}\n", f"{BEGUN}\n  2  begin  # {'z' * 5000}\n"):
        with pytest.raises(TranscriptError) as refused:
            transcript.read(text)
        assert len(str(refused.value)) < 400
        assert len(refused.value.got) >= 5000


def test_a_proof_without_entry_or_seat_is_written_with_dashes() -> None:
    line = f"{BEGUN}\n  2  begin  # ok-begin, proven tile-count-wrong - - 28 27\n"
    (said,) = [each.said for each in transcript.read(line).lines[1:]]
    assert said is not None
    assert said.proven == ("proven tile-count-wrong - - 28 27",)
    assert str(said) == "ok-begin, proven tile-count-wrong - - 28 27"
    assert said.reason is Reason.OK_BEGIN


def test_a_name_may_hold_anything() -> None:
    match = notation.Match("fr-domino", ("A # b, c\n", "=1+1"))
    text = f"  1  {notation.write(match)}\n"
    (line,) = transcript.read(text).lines
    assert line.act == match
