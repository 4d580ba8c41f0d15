"""What the rule sheets of the games say is known sentence by sentence, so that every language can say it."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest

from display import languages
from display.sentences import Words, sheets
from display.setup_pages import sheet_leaves
from referee import houserules
from referee.games import Game, games

NUMBERS = ("0", "1", "2", "5")
SPANS = ("1-1", "1-2", "1-6", "2-4", "3-3")
HANDS = ("1:5", "2:5,4:5", "2:5,3:5", "2:4,3:4,5:4,6:4", "1:4,2:4,3:4,4:4,5:4,6:4")
# House rules that are told in one sentence together.
TOGETHER = (
    ("stock_floor", "draw_limit", "draw_then_decline", "draw_while_able", "empty_stock"),
    ("two_corner", "three_corner", "corner_move_is_move"),
    ("out_takes_others", "others_lose_own"),
    ("ascending", "mirrored"),
    ("opening", "zero_choice", "zero_must_show", "no_triple", "open_tiebreak", "wrong_opener_remedy", "next_opener"),
    ("blocked", "blocked_tie", "blocked_points", "players", "hands"),
    ("rounds", "past_target", "end"),
    ("fish_with_stock", "stock_floor", "fish_winner"),
    ("draw_too_many_remedy", "draw_cost"),
    ("trump_before_widow", "moon_made", "bidder_goes_out"),
)


def values(expected: str) -> tuple[str, ...]:
    """Values of a house rule that takes such ones."""
    if expected == "yes or no":
        return ("yes", "no")
    if expected.startswith("a whole number"):
        return (*NUMBERS, "none", "-5")
    if expected.startswith("a range"):
        return SPANS
    if expected.startswith("different players"):
        return HANDS
    return tuple(expected.split(" or "))


def varied(game: Game) -> list[dict[str, str]]:
    """House rules one by one, and together where they are told together."""
    takes = {name: values(expected) for name, expected in houserules.options(game.settings).items()}
    every = [{}, *({name: value} for name, those in takes.items() for value in those)]
    for group in TOGETHER:
        for pair in combinations([name for name in group if name in takes], 2):
            every += [dict(zip(pair, both, strict=True)) for both in product(*(takes[name] for name in pair))]
    return every


def said(game: Game) -> set[str]:
    """All that the sheet of a game can say, without its numbers."""
    found = set()
    for options in varied(game):
        try:
            settings = game.vary(game.settings, options)
        except houserules.HouseRuleError:
            continue  # not for this game
        for _, paragraph in game.sheet(settings):
            found |= {sheets.with_gaps(part)[0] for parts in sheets.parts(paragraph) for part in parts}
    return found


def test_every_sentence_of_every_sheet_is_known_and_no_other() -> None:
    found = set().union(*map(said, games().values()))
    assert found - set(sheets.RULES) == set(), "to be added to display/sentences/sheets.py"
    assert set(sheets.RULES) - found == set(), "said by no game any more"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_an_english_sheet_stays_as_it_is_and_another_keeps_all_its_numbers(game: Game) -> None:
    for _, paragraph in game.sheet(game.settings):
        assert Words().sheet(paragraph) == paragraph
        for language in languages.available()[1:]:
            told = Words(language.code).sheet(paragraph)
            assert sorted(re.findall(r"\d+", told)) == sorted(re.findall(r"\d+", paragraph)), told
            assert told[-1] == "."
            assert told != paragraph


def test_numbers_in_words_become_figures_that_every_language_reads() -> None:
    part = "Tiles dealt to each: 9 with 2, 7 with 3 players"
    assert sheets.with_gaps(part) == ("Tiles dealt to each: {0} players", ("2: 9, 3: 7",))
    assert sheets.with_gaps("2 or 4 players, numbers 0 to 6") == ("{0} players, numbers {1}", ("2, 4", "0–6"))
    assert sheets.with_gaps("0-0-0 earns -5 besides 6-6") == ("{0} earns {1} besides {2}", ("0-0-0", "−5", "6-6"))


@pytest.mark.parametrize("name", sorted(games()))
def test_a_sheet_is_cut_into_full_pages_and_nothing_of_it_is_lost(name: str) -> None:
    game, words = games()[name], Words("fr")
    leaves = sheet_leaves(game, game.settings, words)
    whole = [words.sheet(paragraph) for _, paragraph in game.sheet(game.settings)]
    assert " ".join(text for leaf in leaves for _, text, _ in leaf) == " ".join(whole)
    needs = [sum(need for *_, need in leaf) for leaf in leaves]
    assert all(10 <= need <= 14 for need in needs[:-1])
    assert 0 < needs[-1] <= 14
