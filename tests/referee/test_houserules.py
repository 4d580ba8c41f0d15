"""House rules: every option is validated, on the sheet, in a file, and stored with the match."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from referee import houserules, umpire
from referee.__main__ import main
from referee.commands import setting
from referee.games import game, games
from referee.umpire import Match

TRIMINO = game("ro-trimino/manufacturer")
LINE_GAMES = [preset for preset in sorted(games()) if not preset.endswith("moon")]


def options(preset: str) -> list[str]:
    return [each.name for each in fields(game(preset).settings) if "read" in each.metadata]


def another(preset: str, name: str) -> str:
    """A value of a house rule that it does not have now."""
    settings = game(preset).settings
    written = houserules.written(settings)[name]
    expected = houserules.options(settings)[name]
    if expected == "yes or no":
        return {"yes": "no", "no": "yes"}[written]
    if " or " in expected and "whole number" not in expected:
        return next(word for word in expected.split(" or ") if word != written)
    if "-" in written and name == "players":
        return "2-3"
    return {"hexagon": "1,2,3", "hands": "2:5,3:4"}.get(name, "7")


@pytest.mark.parametrize("preset", LINE_GAMES)
def test_every_option_is_written_as_it_is_read(preset: str) -> None:
    settings = game(preset).settings
    assert game(preset).vary(settings, houserules.written(settings)) == settings


@pytest.mark.parametrize(("preset", "name"), [(preset, name) for preset in LINE_GAMES for name in options(preset)])
def test_every_option_that_is_changed_changes_the_rule_sheet(preset: str, name: str) -> None:
    chosen = game(preset)
    # some options speak of what another one brings about
    needs = {
        "zero_must_show": {"zero_choice": "yes"},
        "open_tiebreak": {"no_triple": "best_sum"},
        "corner_move_is_move": {"two_corner": "-5"},
        "limit_extra": {"draw_limit": "3"},
        "blocked_tie": {"blocked": "fewest_tiles"},
    }.get(name, {})
    settings = chosen.vary(chosen.settings, needs)
    changed = chosen.vary(settings, {name: another(preset, name)})
    assert changed != settings
    assert chosen.sheet(changed) != chosen.sheet(settings)


@pytest.mark.parametrize("preset", LINE_GAMES)
def test_every_paragraph_that_a_ruling_may_cite_is_on_the_sheet(preset: str) -> None:
    from referee.games import goat, triomino

    chosen = game(preset)
    module = goat if preset == "fr-domino" else triomino
    clauses = set(module._course(chosen.settings).clauses.values())
    assert clauses <= {clause for clause, _ in chosen.sheet(chosen.settings)}


def test_options_are_stored_with_the_match() -> None:
    match = Match("uk-tridomino", ("Ana", "Bo"), (("bridge", "45"), ("false_pass_penalty", "10")))
    settings = umpire.opened(match).settings
    assert (settings.bridge, settings.false_pass_penalty, settings.hexagon) == (45, 10, (60, 60, 60))


def test_a_file_of_house_rules_is_a_table_in_toml() -> None:
    text = (
        "target = 300\nhexagon = [50, 60, 70]\ndraw_while_able = true\n"
        'two_corner = "none"\nplayers = "2-4"\nhands = { 2 = 7, 3 = 7 }\nthree_corner = -5\n'
    )
    rules = houserules.from_toml(text, lambda changed: TRIMINO.vary(TRIMINO.settings, changed))
    settings = TRIMINO.vary(TRIMINO.settings, rules)
    assert (settings.target, settings.hexagon, settings.draw_while_able) == (300, (50, 60, 70), True)
    assert (settings.two_corner, settings.three_corner) == (None, -5)
    assert (settings.players, settings.hands) == ((2, 4), ((2, 7), (3, 7)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("target = 300\nspeed = 3\n", "line 2: expected a house rule (.*target.*), got 'speed'"),
        ("# ours\n\ntarget = 0\n", "line 3: house rule target: expected a whole number from 1 to 1,000,000, got '0'"),
        ("target = true", "line 1: house rule target: expected a whole number from 1 to 1,000,000, got 'yes'"),
        ("target = 1.5", "line 1: house rule target: expected a number, text, true, false, or several, got 1.5"),
        ("hexagon = [50, 60]", "line 1: house rule hexagon: expected 3 whole numbers such as 50,100,150"),
        ("[target]\nx = 1\n", "line 1: house rule target: expected a whole number"),
        ("target = = 3", "expected house rules in TOML, got .*line 1"),
        ('mode = "league"', "line 1: house rule mode: expected manufacturer or club, got 'league'"),
    ],
)
def test_an_impossible_file_is_refused_with_line_option_and_expectation(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
        houserules.from_toml(text, lambda changed: TRIMINO.vary(TRIMINO.settings, changed))


def parsed(*words: str) -> Any:
    parser = ArgumentParser()
    setting.add_match(parser)
    return parser.parse_args(words)


def test_a_match_takes_the_rules_of_the_file_changed_by_those_named_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text("target = 300\nbridge = 45\n", encoding="utf-8")
    args = parsed("--game", "uk-tridomino", "--house-rules", str(path), "--option", "bridge=50")
    match = setting.match(args)
    assert match is not None
    assert match.options == (("bridge", "50"), ("target", "300"))


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    with pytest.raises(ValueError, match=r"house\.toml: expected a file that can be read"):
        setting.match(parsed("--game", "fr-domino", "--house-rules", str(path)))
    path.write_text("bridge = 45\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"house\.toml: line 1: expected a house rule"):
        setting.match(parsed("--game", "fr-domino", "--house-rules", str(path)))


def test_rules_prints_the_sheet_with_the_numbers_in_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "house.toml"
    path.write_text("bridge = 45\n", encoding="utf-8")
    assert main(["rules", "uk-tridomino", "--house-rules", str(path), "--option", "target=333"]) == 0
    printed = capsys.readouterr().out
    assert "§2.3.11  A bridge, one side and the opposite corner, earns 45 more." in printed
    assert "The match ends at 333" in printed
    assert "House rules: bridge=45, target=333" in printed
    assert main(["rules", "uk-tridomino", "--option", "speed=3"]) == 64


def test_rules_lists_the_house_rules_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "official-goliath", "--options"]) == 0
    assert "hexagon                 50,60,70                3 whole numbers" in capsys.readouterr().out


def test_the_mode_changes_the_whole_rule_set_of_the_first_book_only() -> None:
    club = game("ro-trimino/club").settings
    assert TRIMINO.vary(TRIMINO.settings, {"mode": "club"}) == club
    assert TRIMINO.vary(TRIMINO.settings, {"mode": "club", "target": "60"}).others_lose_own
    czech = game("cs-triomino")
    with pytest.raises(ValueError, match="expected a game of two modes"):
        czech.vary(czech.settings, {"mode": "club"})
