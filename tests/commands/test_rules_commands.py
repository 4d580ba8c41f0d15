"""`referee check-rules`, `referee rules` and `referee games`."""

from __future__ import annotations

import argparse
import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.commands import check_rules, rules
from referee.commands import games as games_command
from referee.commands.examples import differences
from referee.games import games

EXAMPLES = Path(__file__).parent.parent / "rules" / "examples.json"
EVERY = check_rules.load(EXAMPLES)


def check(path: Path) -> int:
    return check_rules.run(argparse.Namespace(file=path))


def without_expectation(example: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    example = copy.deepcopy(example)
    expected = example.pop("expect")
    return example, expected


@pytest.mark.parametrize("example", EVERY, ids=lambda example: example["id"])
def test_the_rules_say_what_the_example_says(example: dict[str, Any]) -> None:
    question, expected = without_expectation(example)
    assert differences(expected, check_rules.answered(question)) == ({}, {})


@pytest.mark.parametrize("example", EVERY, ids=lambda example: example["id"])
def test_an_expectation_that_is_wrong_anywhere_is_noticed(example: dict[str, Any]) -> None:
    question, expected = without_expectation(example)
    got = check_rules.answered(question)
    for key, value in expected.items():
        wrong = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else [value, value]
        assert differences(expected | {key: wrong}, got)[0].keys() == {key}


def test_every_example_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(EXAMPLES) == 0
    assert capsys.readouterr().out == f"{len(EVERY)} of {len(EVERY)} right\n"
    assert len(EVERY) == 126


def changed_examples(tmp_path: Path, **changes: object) -> Path:
    """A file of two examples, one of them changed."""
    content = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    content["examples"] = [example for example in content["examples"] if example["id"] in ("T001", "T039")]
    content["examples"][0] |= changes
    path = tmp_path / "examples.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": "chess"}, "T001: expected a preset (.*, fr-domino, .*), got 'chess'"),
        ({"kind": "riddle"}, "T001: expected a kind of example (game_end, irregularity, .*), got 'riddle'"),
        ({"kind": "bidding"}, "T001: expected a kind of example (game_end, .*), got 'bidding'"),
        ({"preset": "kk-moon"}, "T001: expected a kind of example (bidding, .*), got 'placement'"),
    ],
)
def test_what_nobody_knows_is_named_and_counts_as_failed(
    changes: dict[str, str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(changed_examples(tmp_path, **changes)) == 1
    problem, total = capsys.readouterr().out.splitlines()
    assert re.fullmatch(message.replace("(", r"\(").replace(")", r"\)"), problem)
    assert total == "1 of 2 right"


def test_a_mismatch_is_printed_with_what_was_expected_and_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {"legal": True, "code": "OK_EDGE", "delta": 61}
    path = changed_examples(tmp_path, expect=wrong)
    assert check(path) == 1
    assert capsys.readouterr().out.splitlines() == [
        'T001: expected {"code": "OK_EDGE", "delta": 61}, got {"code": "OK_HEXAGON", "delta": 60}',
        "1 of 2 right",
    ]


def test_a_claim_that_only_later_tiles_can_prove_false_is_checked_both_ways() -> None:
    later = next(example for example in EVERY if example["expect"].get("provable_only_later"))
    question, expected = without_expectation(later)
    got = check_rules.answered(question)
    del expected["provable_only_later"]
    assert differences(expected, got)[0] == {"provable_only_later": False}


def test_a_file_without_examples_is_not_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.json"
    path.write_text(json.dumps({"schema": "rules-examples/1", "examples": []}), encoding="utf-8")
    assert check(path) == 1
    assert capsys.readouterr().out == "0 of 0 right\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no json", "expected JSON"),
        ("[]", "expected the schema rules-examples/1, got list"),
        ('{"schema": "other/1"}', "expected the schema rules-examples/1, got other/1"),
        ('{"schema": "rules-examples/1"}', "expected a list of examples, got NoneType"),
        ('{"schema": "rules-examples/1", "examples": [5]}', "expected 'id' in example 1 to be a str"),
        (
            '{"schema": "rules-examples/1", "examples": [{"id": "X", "preset": "fr-domino", "kind": "turn",'
            ' "state": {}, "move": {}, "expect": {}}]}',
            "expected a complete turn in example X, got KeyError: 'seat'",
        ),
    ],
)
def test_a_file_in_another_schema_gets_one_clear_line(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "examples.json"
    path.write_text(content, encoding="utf-8")
    assert check(path) == 64
    error = capsys.readouterr().err
    assert error.startswith(f"referee check-rules: {path}: {message}")
    assert error.count("\n") == 1


def test_a_file_that_is_not_there_gets_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path / "none.json") == 64
    assert "expected a file that can be read, got No such file" in capsys.readouterr().err


def test_the_games_are_listed_with_players_and_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert games_command.run(argparse.Namespace()) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == list(games())
    assert lines[0][1:] == ["triomino", "1", "to", "6", "players", "to", "400"]


def test_a_rule_sheet_has_the_numbers_of_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        rules.run(
            argparse.Namespace(
                game="ro-trimino/manufacturer", option=["bridge=41", "target=77"], house_rules=None, options=False
            )
        )
        == 0
    )
    sheet = capsys.readouterr().out
    assert "§2.1.10" in sheet
    assert "earns 41 more" in sheet
    assert "ends at 77" in sheet


@pytest.mark.parametrize(("name", "options"), [("chess", []), ("fr-domino", ["target=x"]), ("fr-domino", ["target"])])
def test_a_sheet_that_cannot_be_printed_gets_one_clear_line(
    name: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert rules.run(argparse.Namespace(game=name, option=options, house_rules=None, options=False)) == 64
    assert capsys.readouterr().err.startswith("referee rules: ")
