"""House rules: every option is validated, on the sheet, in a file, and stored with the match."""

from __future__ import annotations

import re
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
from tests.referee.gamefiles import file_of

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
        "blocked_points": {"blocked": "fewest_tiles"},
        "needless_draw_penalty": {"draw_while_able": "no", "drawing": "yes"},
        "stock_floor": {"drawing": "yes"},
    }.get(name, {})
    needs = {rule: value for rule, value in needs.items() if rule in houserules.options(chosen.settings)}
    settings = chosen.vary(chosen.settings, needs)
    changed = chosen.vary(settings, {name: another(preset, name)})
    assert changed != settings
    assert chosen.sheet(changed) != chosen.sheet(settings)


@pytest.mark.parametrize("preset", LINE_GAMES)
def test_every_paragraph_that_a_ruling_may_cite_is_on_the_sheet(preset: str) -> None:
    from referee.laying import trianglesheet

    chosen = game(preset)
    own = getattr(file_of(preset), "CLAUSES", None)
    clauses = trianglesheet.clauses(chosen.settings) if own is None else own
    assert set(clauses.values()) <= {clause for clause, _ in chosen.sheet(chosen.settings)}


# Every setting of the rule specification's list, and the ambiguities that it wants to be settings, by number.
NAMED = (
    "open_triple open_zero_total zero_choice no_triple draw_cost draw_limit draw_while_able empty_stock hexagon bridge "
    "two_side three_side two_corner three_corner out_bonus out_takes_others others_lose_own blocked blocked_points "
    "target end zero_must_show limit_extra players hands max_number ascending mirrored opening rounds "
    "wrong_tile_penalty false_pass_penalty false_pass_remedy needless_draw_penalty draw_too_many_remedy "
    "draw_too_many_penalty out_of_turn_remedy exposed_tile_remedy wrong_opener_remedy wrong_deal_remedy "
    "wrong_deal_penalty tile_missing_remedy"
)
TRIANGLE_CHOICES = {
    **{1: "max_number", 5: "open_tiebreak", 8: "two_side", 9: "three_side", 10: "hexagon", 11: "hexagon"},
    **{13: "two_corner", 14: "three_corner", 18: "draw_then_decline", 20: "voluntary_pass", 22: "blocked"},
    **{23: "blocked_tie", 24: "blocked_points", 27: "out_bonus", 28: "end", 31: "empty_stock", 36: "next_opener"},
    **{38: "private_stock", 68: "corner_move_is_move"},
}
DOMINO_CHOICES = {41: "next_opener", 42: "fish_with_stock", 43: "fish_winner", 47: "double_blank_pips"}
BLOCK_CHOICES = {"drawing", "blocked_points", "next_opener", "stock_floor", "target", "rounds"}
FIVES_CHOICES = BLOCK_CHOICES - {"drawing"} | {"spinner", "muggins", "rounding", "end"}
MOON_CHOICES = {
    **{51: "all_pass", 52: "trump_before_widow", 55: "moon_made", 58: "bidder_goes_out", 62: "revoke_remedy"},
    **{63: "leader_names_suit"},
}


@pytest.mark.parametrize("preset", sorted(games()))
def test_every_setting_and_every_choice_of_the_rule_specification_is_an_option(preset: str) -> None:
    chosen = game(preset)
    there = set(houserules.options(chosen.settings))
    if preset == "kk-moon":
        wanted = set(MOON_CHOICES.values())
    elif preset in ("block", "all-fives"):
        wanted = BLOCK_CHOICES if preset == "block" else FIVES_CHOICES
    elif preset == "fr-domino":
        wanted = set(DOMINO_CHOICES.values())
    else:
        wanted = set(TRIANGLE_CHOICES.values()) | set(NAMED.split())
    wanted |= {"mode"} if preset.startswith("ro-trimino") else set()
    assert wanted <= there


def test_the_presets_have_the_numbers_of_the_rule_specification() -> None:
    manufacturer = {
        **{"open_triple": "10", "open_zero_total": "40", "zero_choice": "yes", "no_triple": "best_sum"},
        **{"draw_cost": "5", "draw_limit": "none", "draw_while_able": "no", "empty_stock": "10", "bridge": "40"},
        **{"hexagon": "50,100,150", "two_side": "40", "three_side": "40", "two_corner": "none"},
        **{"three_corner": "none", "out_bonus": "25", "out_takes_others": "yes", "others_lose_own": "no"},
        **{"blocked": "fewest_tiles", "blocked_points": "others_minus_own", "target": "400", "end": "round"},
    }
    own = {
        "ro-trimino/manufacturer": {},
        "ro-trimino/club": {
            **{"open_zero_total": "30", "draw_while_able": "yes", "two_corner": "-5", "three_corner": "30"},
            **{"out_takes_others": "no", "others_lose_own": "yes", "target": "200"},
        },
        "cs-triomino": {
            **{"open_triple": "0", "open_zero_total": "30", "zero_choice": "no", "no_triple": "draw_until_triple"},
            **{"empty_stock": "0", "two_side": "0", "three_side": "0", "out_bonus": "0", "out_takes_others": "no"},
            **{"blocked": "none", "end": "at_once"},
        },
        "uk-tridomino": {
            **{"zero_must_show": "yes", "hexagon": "60,60,60", "three_side": "60", "blocked": "lowest_value"}
        },
        "official-pressman": {"zero_must_show": "yes"},
        "official-goliath": {
            **{"draw_limit": "3", "limit_extra": "10", "draw_while_able": "yes", "empty_stock": "0"},
            **{"hexagon": "50,60,70", "blocked": "lowest_value"},
        },
    }
    for preset, differs in own.items():
        written = houserules.written(game(preset).settings)
        assert {name: written[name] for name in manufacturer | differs} == manufacturer | differs


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
        ("target = true", "line 1: house rule target: expected a whole number from 1 to 1,000,000, got true"),
        ("target = 1.5", "line 1: house rule target: expected a number, text, true, false, or several, got 1.5"),
        ("hexagon = [50, 60]", "line 1: house rule hexagon: expected 3 whole numbers such as 50,100,150"),
        ("[target]\nx = 1\n", "line 1: house rule target: expected a whole number"),
        ("target = = 3", "expected house rules in TOML, got .*line 1"),
        (
            "bridge = 45\nhands = { 2 = 29 }\n",
            "line 2: house rule hands: expected at most 28 tiles for each of 2 players, as the set has 56, got 2:29",
        ),
        ("target = 60\nhands = { 7 = 5 }\n", "line 2: house rule hands: expected tiles for 1 to 6 players, got 7:5"),
        ("max_number = 3\n", "line 1: house rule hands: expected at most 6 tiles for each of 3 players"),
        ('mode = "league"', "line 1: house rule mode: expected manufacturer or club, got 'league'"),
    ],
)
def test_an_impossible_file_is_refused_with_line_option_and_expectation(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
        houserules.from_toml(text, lambda changed: TRIMINO.vary(TRIMINO.settings, changed))


def test_fixed_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b"\xef\xbb\xbftarget = 300\nbridge = 45\n")
    match = setting.match(parsed("--game", "uk-tridomino", "--house-rules", str(path)))
    assert match is not None
    assert match.options == (("bridge", "45"), ("target", "300"))


def test_fixed_a_refused_true_or_false_of_a_file_is_shown_as_it_stands_there() -> None:
    for text, got in (("target = true", "true"), ("mirrored = true\nhexagon = false", "false")):
        with pytest.raises(ValueError, match=f"house rule .* expected .*, got {got}$"):
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


def test_fixed_a_house_rule_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="expected --option target once, got '4' and '5'"):
        setting.match(parsed("--game", "uk-tridomino", "--option", "target=4", "--option", "target=5"))


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
    assert main(["rules", "ro-trimino/club", "--options"]) == 0
    assert "mode                    club                    manufacturer or club" in capsys.readouterr().out


def test_the_mode_changes_the_whole_rule_set_of_the_first_book_only() -> None:
    club = game("ro-trimino/club").settings
    assert TRIMINO.vary(TRIMINO.settings, {"mode": "club"}) == club
    assert TRIMINO.vary(TRIMINO.settings, {"mode": "club", "target": "60"}).others_lose_own
    czech = game("cs-triomino")
    with pytest.raises(ValueError, match=r"expected a house rule .*, got 'mode'"):
        czech.vary(czech.settings, {"mode": "club"})


def asked(*words: str) -> Match | None:
    parser = ArgumentParser()
    setting.add_match(parser)
    return setting.match(parser.parse_args(words))


def test_fixed_a_file_of_house_rules_without_a_game_is_refused_and_not_ignored(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("target = 60\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected --game ID with --house-rules"):
        asked("--house-rules", str(file))
    match = asked("--game", "fr-domino", "--house-rules", str(file))
    assert match is not None
    assert match.options == (("target", "60"),)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("ro-trimino/manufacturer", "limit_extra=77"),
        ("official-goliath", "draw_limit=0 empty_stock=77"),
        ("official-goliath", "draw_limit=0 draw_cost=77"),
        ("ro-trimino/manufacturer", "rounds=3 target=77"),
        ("fr-domino", "rounds=3 target=77"),
        ("ro-trimino/manufacturer", "opening=any open_triple=77 open_zero_total=77"),
        ("fr-domino", "draw_too_many_remedy=stays draw_too_many_penalty=77"),
        ("fr-domino", "voluntary_pass=yes false_pass_penalty=77"),
        ("ro-trimino/manufacturer", "draw_while_able=yes needless_draw_penalty=77"),
    ],
)
def test_a_number_without_effect_is_accepted_and_not_on_the_sheet(preset: str, options: str) -> None:
    chosen = game(preset)
    settings = chosen.vary(chosen.settings, dict(each.split("=") for each in options.split()))
    words = " ".join(text for _, text in chosen.sheet(settings))
    assert "77" not in words


def test_fixed_the_sheet_of_dominoes_speaks_of_no_bonus_no_cost_of_draws_and_no_points_for_a_tile() -> None:
    for options in ({}, {"draw_too_many_remedy": "stays"}):
        line = game("fr-domino")
        words = " ".join(text for _, text in line.sheet(line.vary(line.settings, options)))
        assert not re.search(r"bonus|refund|earns|costs what it costs|points of his tile|its score", words)
        assert "wrong opening is taken back while nobody has acted since. Later it stands." in words


def test_fixed_the_sheet_of_triangles_tells_of_a_bonus_to_lose_only_where_there_is_one() -> None:
    for options, is_told in (({}, True), ({"open_triple": "0"}, True), ({"opening": "any"}, False)):
        words = " ".join(text for _, text in TRIMINO.sheet(TRIMINO.vary(TRIMINO.settings, options)))
        assert ("loses the bonus" in words) == is_told
    none = TRIMINO.vary(TRIMINO.settings, {"open_triple": "0", "open_zero_total": "0"})
    assert "Later it stands." in " ".join(text for _, text in TRIMINO.sheet(none))


@pytest.mark.parametrize("preset", ["ro-trimino/manufacturer", "fr-domino", "kk-moon"])
def test_fixed_a_number_of_players_without_tiles_to_deal_is_refused_with_the_numbers_that_can_play(preset: str) -> None:
    chosen = game(preset)
    options = {"players": "2-4", "hands": "4:7", "max_number": "7"} if preset == "kk-moon" else {"hands": "2:7,4:6"}
    settings = chosen.vary(chosen.settings, options)
    can = "4" if preset == "kk-moon" else "2 or 4"
    with pytest.raises(ValueError, match=f"expected {can} players for {preset}, got 3"):
        chosen.start(chosen, ("A", "B", "C"), settings)


def test_the_sheet_promises_nothing_for_a_blocked_round_that_nobody_wins() -> None:
    settings = TRIMINO.vary(TRIMINO.settings, {"blocked": "none"})
    words = " ".join(text for _, text in TRIMINO.sheet(settings))
    assert "Nobody wins it." in words
    assert "It earns nothing." in words
