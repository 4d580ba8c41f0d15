"""`referee replay` and `referee export`: a match goes out as text, JSON and CSV, and the text comes back the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import transcript
from referee.__main__ import main
from referee.journal import Journal
from referee.umpire import Match

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.txt"))
SOME = RECORDS[::12]
NAMES = ("=1+1", "-2", '@Ana, "B"', "Ωλγα")


def journal_of(state: Path, text: str) -> None:
    """Write a match into the journal of a state directory, as a table does."""
    state.mkdir(exist_ok=True)
    journal = Journal(state / "journal.sqlite3", clock_ms=lambda: 1_750_000_000_000)
    for line in transcript.read(text).lines:
        assert line.said is not None
        journal.append(line.act, line.said.reason, "=phone")
    journal.close()


@pytest.fixture
def export(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., str]:
    """What `referee export` writes for the journal of this test."""

    def call(*arguments: str) -> str:
        assert main(["export", *arguments, "--state", str(tmp_path)]) == 0
        written = capsysbinary.readouterr()
        assert written.err == b""
        return written.out.decode("utf-8")

    return call


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_an_exported_match_is_replayed_without_a_difference_and_comes_out_the_same(
    path: Path, tmp_path: Path, export: Callable[..., str], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    journal_of(tmp_path, path.read_text(encoding="utf-8"))
    text = export("last")
    file = tmp_path / "match.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file), "--write"]) == 0
    assert capsysbinary.readouterr().out.decode() == text
    assert text.startswith("# Match 1, begun 2025-06-15 15:06 UTC.\n\n  1  match ")


def test_a_recorded_match_is_ruled_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    for path in RECORDS[::9]:
        count = len(transcript.read(path.read_text(encoding="utf-8")).lines)
        assert main(["replay", str(path)]) == 0
        assert capsys.readouterr().out == f"{count} of {count} entries are ruled as written\n"


def test_what_stood_and_does_not_any_more_is_told_and_on_request_what_was_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.txt"
    match = "  1  match ro-trimino/manufacturer A=Ana B=Bo opening=any hands=2:2 target=40\n  2  begin\n"
    moves = ["A lays 0-1-1 at 0,0,U", "B lays 1-1-1 at 0,0,D", "A lays 0-0-1 at 0,-1,D", "B shows 1-1-5"]
    moves += ["clear", "begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U"]
    moves += ["correct! 10: B lays 3-3-4 at 0,0,D"]
    file.write_text(match + "".join(f"  {n}  {move}\n" for n, move in enumerate(moves, start=3)), encoding="utf-8")
    asked = "entry 11 does not stand any more (edge-mismatch); nobody has decided: A lays 3-5-5 at 1,0,U"
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [asked, "12 of 12 entries are ruled as written"]
    assert main(["replay", str(file), "--missed"]) == 0
    missed = capsys.readouterr().out.splitlines()[1]
    assert missed.startswith("entry 4 earned 3: B lays 1-")
    assert missed.endswith(" would have earned 7")


def test_a_difference_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.txt"
    file.write_text(
        "# A note\n  1  match fr-domino A=Ana B=Bo opening=any  # ok-match\n  2  begin  # not-now\n# over: A before B\n"
    )
    assert main(["replay", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "line 3, entry 2: begin",
        "  expected not-now",
        "  got      ok-begin",
        "end of the match",
        "  expected A before B",
        "  got      a match not yet over",
        "1 of 2 entries are ruled as written",
    ]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (
            b"\n  1  match fr-domino A=Ana B=Bo\n  2  A lays 9\n",
            "line 3: expected a tile such as 3-5 or 0-1-4, got '9'",
        ),
        (b"# a\n# \xff\n", "line 2: expected text in UTF-8, got the byte 0xFF"),
        (b"", "line 1: expected a match"),
        (None, "expected a file that can be read"),
    ],
)
def test_a_file_that_cannot_be_read_exits_with_64(
    data: bytes | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.txt"
    if data is not None:
        file.write_bytes(data)
    assert main(["replay", str(file)]) == 64
    assert complaint in capsys.readouterr().err


def test_json_tells_the_match_in_its_schema(tmp_path: Path, export: Callable[..., str]) -> None:
    journal_of(tmp_path, RECORDS[-1].read_text(encoding="utf-8"))
    written = transcript.played(transcript.read(RECORDS[-1].read_text(encoding="utf-8")))
    content = json.loads(export("1", "--format", "json"))
    assert content["schema"] == "referee-match/1"
    assert (content["match"], content["players"]) == (1, list(written[0].state.names))
    assert content["scores"] == list(written[0].state.scores)
    assert content["ranking"] == [list(group) for group in written[0].state.ranking]
    assert [entry["seq"] for entry in content["entries"]] == list(range(1, len(written[1].lines) + 1))
    final = [ruling and ruling.reason.value for ruling in written[0].rulings]
    assert [entry["final"] for entry in content["entries"]] == final
    assert None in final
    for entry, line in zip(content["entries"], written[1].lines, strict=True):
        assert line.said is not None
        assert (entry["reason"], tuple(entry["scores"])) == (line.said.reason, line.said.scores)
        assert len(entry["awards"]) == len(line.said.points)
        assert (entry["by"], entry["utc_ms"]) == ("=phone", 1_750_000_000_000)


def test_json_tells_what_an_entry_amounts_to_now_and_what_nobody_has_decided(
    tmp_path: Path, export: Callable[..., str]
) -> None:
    lines = ["match ro-trimino/manufacturer A=Ana B=Bo opening=any", "begin", "A lays 3-3-3 at 0,0,U"]
    lines += ["B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U", "B draws 1"]
    lines += ["correct! 4: B lays 3-3-4 at 0,0,D", "undo! 6"]
    text = "".join(f"  {n}  {line}\n" for n, line in enumerate(lines, start=1))
    journal_of(tmp_path, str(transcript.played(transcript.read(text))[1]))
    content = json.loads(export("last", "--format", "json"))
    first, changed, refused, undone = (content["entries"][seq - 1] for seq in (3, 4, 5, 6))
    assert first["now"] == {name: first[name] for name in ("line", "reason", "awards", "scores")}
    assert (changed["line"], changed["scores"]) == ("B lays 3-3-5 at 0,0,D", [9, 11])
    assert (changed["now"]["line"], changed["now"]["scores"]) == ("B lays 3-3-4 at 0,0,D", [9, 10])
    assert changed["now"]["awards"] == [{"seat": 1, "what": "tile", "points": 10}]
    assert (refused["reason"], refused["now"]["reason"], refused["now"]["awards"]) == ("ok-edge", "edge-mismatch", [])
    assert (undone["final"], undone["now"]) == (None, None)
    assert content["unsettled"] == [5]


def test_csv_keeps_every_value_and_no_text_is_a_formula(tmp_path: Path, export: Callable[..., str]) -> None:
    names = "A=%3D1%2B1 B=-2 C=%40Ana%2C%20%22B%22 D=%CE%A9%CE%BB%CE%B3%CE%B1"
    journal_of(
        tmp_path,
        f"  1  match ro-trimino/manufacturer {names} opening=any  # ok-match\n  2  begin  # ok-begin\n"
        "  3  A lays 0-4-5 at 0,0,U  # ok-opening\n  4  B draws 1  # ok-draw\n  5  undo 4  # ok-undo\n",
    )
    head, *rows = list(csv.reader(io.StringIO(export("last", "--format", "csv"), newline="")))
    assert head[-4:] == [f"{seat} {name}" for seat, name in zip("ABCD", NAMES, strict=True)]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[2][3:] == ["A lays 0-4-5 at 0,0,U", "ok-opening", "A tile +9", "", "ok-opening", "9", "0", "0", "0"]
    assert rows[3][4:] == ["ok-draw", "B draws -5", "", "undone", "9", "-5", "0", "0"]
    assert {row[2] for row in rows} == {"'=phone"}
    texts = [text for row in [head, *rows] for text in row if not text.lstrip("-").isdigit()]
    assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for text in texts)


def test_each_match_of_a_journal_has_its_number(tmp_path: Path, export: Callable[..., str]) -> None:
    for names in ("A=Ana B=Bo", "A=Cy B=Dee"):
        journal_of(tmp_path, f"  1  match fr-domino {names}  # ok-match\n")
    assert "A=Ana" in export("1")
    assert "A=Cy" in export("2")
    assert export("2") == export("last")


@pytest.mark.parametrize("name", ["0", "2", "first", "-1", "1 ", "01"])
def test_a_match_that_there_is_not_exits_with_64(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal_of(tmp_path, "  1  match fr-domino A=Ana B=Bo  # ok-match\n")
    assert main(["export", "--state", str(tmp_path), "--", name]) == 64
    assert f"expected a match from 1 to 1, or last, got {name!r}" in capsys.readouterr().err


@pytest.mark.parametrize("content", [None, b"", b"no journal at all, but long enough to be one" * 50])
def test_without_a_journal_nothing_is_exported_and_nothing_created(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.sqlite3"
    if content is not None:
        path.write_bytes(content)
    assert main(["export", "last", "--state", str(tmp_path)]) == 64
    assert str(path) in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ([] if content is None else [path.name])


def test_a_journal_in_use_can_be_exported(tmp_path: Path, export: Callable[..., str]) -> None:
    journal = Journal(tmp_path / "journal.sqlite3")
    act = Match("fr-domino", ("Ana", "Bo"))
    journal.append(act, transcript.Reason.OK_MATCH, "screen")
    assert "A=Ana" in export("last")
    assert journal.append(act, transcript.Reason.OK_MATCH, "screen").seq == 1
    journal.close()


def test_a_journal_that_the_rules_see_differently_now_says_so(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    journal_of(tmp_path, "  1  match fr-domino A=Ana B=Bo  # ok-match\n  2  begin  # not-now\n")
    assert main(["export", "last", "--state", str(tmp_path)]) == 0
    assert b"entry 2: the journal says not-now, the rules now say ok-begin" in capsysbinary.readouterr().err
