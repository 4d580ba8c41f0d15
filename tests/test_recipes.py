"""The recipes of CONTRIBUTING.md: all files that they name are there, and every game, kind and language is in each.

Whoever adds one and forgets a place is told here which.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from display import felt, keyboard, languages, rulenames, theme
from display.sentences import EDITIONS, GAMES, sheets
from referee import houserules, tiles
from referee.commands import calibrate, sequence, zone_company
from referee.games import game, games
from referee.laying.contact import outline
from referee.sighting import SeenTile
from referee.tiles import DOMINO, Shape
from tests import test_every_kind, test_records, walking
from tests.display import gallery
from tests.naive import books
from tests.referee import sheetplay
from tests.referee.gamefiles import files
from vision.kinds import kinds
from vision.learn import shown
from vision.still import detector
from vision.virtual import stage, table

PROJECT = Path(__file__).parent.parent
TEXT = (PROJECT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
Place = Callable[[str], bool]


def section(title: str) -> str:
    """The part of the text under a heading."""
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def named(title: str) -> Iterator[str]:
    """The files and folders that a recipe names."""
    for path in re.findall(r"`([\w./-]+/[\w./-]*)`", section(title)):
        if not re.search(r"NAME|XX|^\.venv", path):
            yield path


# --- where a game has to be -------------------------------------------------------------------------------


@cache
def recorded() -> Counter[str]:
    return Counter(map(test_records.preset_of, test_records.RECORDS))


@cache
def frozen() -> frozenset[str]:
    text = (PROJECT / "tests" / "frozen" / "placements.json").read_text(encoding="utf-8")
    return frozenset(preset for each in json.loads(text) for preset in each["counts"])


def is_told(preset: str) -> bool:
    """Whether every sentence of its rule sheet is known."""
    paragraphs = (text for _, text in game(preset).sheet(game(preset).settings))
    parts = (part for text in paragraphs for parts in sheets.parts(text) for part in parts)
    return all(sheets.with_gaps(part)[0] in sheets.RULES for part in parts)


def has_rule_names(preset: str) -> bool:
    """Whether every house rule has a name, and every word that it can be."""
    settings = game(preset).settings
    words = {word for those in houserules.choices(settings).values() for word in those}
    return set(houserules.options(settings)) <= set(rulenames.NAMES) and words <= set(rulenames.VALUES)


def has_second_numbers(preset: str) -> bool:
    """Whether the naive judge has a book with the same house rules and no other."""
    options = set(houserules.options(game(preset).settings)) - {"mode"}
    return preset in books.BOOKS and set(books.BOOKS[preset]) == options


OF_GAMES: dict[str, Place] = {
    "referee/games/__init__.py": lambda preset: any(each.id == preset for file in files() for each in file.GAMES),
    "display/sentences/codes.py": lambda preset: preset in GAMES and preset in EDITIONS,
    "display/rulenames.py": has_rule_names,
    "display/sentences/sheets.py": is_told,
    "tests/naive/books.py": has_second_numbers,
    "tests/walking.py": lambda preset: bool(walking.house_rules(game(preset))),
    "tests/frozen/placements.json": lambda preset: preset in frozen() or game(preset).in_tricks,
    "tests/referee/sheetplay.py": lambda preset: any(preset in group for group in sheetplay.GROUPS.values()),
    "tests/records": lambda preset: recorded()[preset] >= 4,
    "tests/test_records.py": lambda preset: preset in test_records.POINTS,
}
# Named by the recipe, but only touched by a game that brings something of the kind.
IF_NEW = {
    *("referee/laying/dominoes.py", "referee/rulings.py", "referee/moves.py", "referee/notation.py", "tests/naive"),
    *("referee/games", "tests/rules/worked-dominoes.json"),
}


@pytest.mark.parametrize("preset", sorted(games()))
def test_every_game_is_in_all_places_that_the_recipe_names(preset: str) -> None:
    assert [path for path, has in OF_GAMES.items() if not has(preset)] == []


def test_every_file_of_games_is_among_those_that_are_known() -> None:
    written = sorted(each.id for file in files() for each in file.GAMES)
    assert written == sorted(games())


# --- where a kind of tile has to be -----------------------------------------------------------------------


def has_an_outline(kind: str) -> bool:
    shape = Shape.domino() if kind == DOMINO else Shape.triomino()
    corners = outline(SeenTile(kind, (), 0.0, 0.0, 0.0), shape)
    return len(corners) == len(kinds()[kind].outline(shape))


def is_drawn(kind: str, path: str) -> bool:
    return kind in (PROJECT / path).read_text(encoding="utf-8")


OF_KINDS: dict[str, Place] = {
    "referee/tiles.py": lambda kind: kind in (tiles.DOMINO, tiles.TRIOMINO),
    "referee/laying/contact.py": has_an_outline,
    "vision/kinds/__init__.py": lambda kind: kind in kinds(),
    "vision/models/sets.py": lambda kind: is_drawn(kind.capitalize(), "vision/models/sets.py"),
    "vision/virtual/table.py": lambda kind: kind in table._SHAPES,
    "vision/virtual/stage.py": lambda kind: kind in stage._CORNERS,
    "vision/still/detector.py": lambda kind: kind in detector.TURNS,
    "vision/learn/shown.py": lambda kind: kind in shown.HIGHEST,
    "referee/commands/sequence.py": lambda kind: kind in sequence.HIGHEST,
    "referee/commands/zone_company.py": lambda kind: kind in zone_company._CLOSE_MM and kind in zone_company._APART_MM,
    "referee/commands/calibrate.py": lambda kind: kind in calibrate.SHAPES,
    "display/felt.py": lambda kind: kind in felt._SIZES_MM,
    "display/pieces.py": lambda kind: is_drawn(kind, "display/pieces.py"),
    "display/phone/table.js": lambda kind: is_drawn(kind, "display/phone/table.js"),
    "tests/test_every_kind.py": lambda kind: kind in test_every_kind.SHAPES and kind in test_every_kind.TILES,
}


@pytest.mark.parametrize("kind", sorted({tiles.DOMINO, tiles.TRIOMINO, *(each.kind for each in games().values())}))
def test_every_kind_of_tile_is_in_all_places_that_the_recipe_names(kind: str) -> None:
    assert [path for path, has in OF_KINDS.items() if not has(kind)] == []


# --- where a language has to be ---------------------------------------------------------------------------


def can_be_typed(code: str) -> bool:
    """Whether the first names of a language can be typed on its keyboard."""
    is_cyrillic = code in keyboard.CYRILLIC_LANGUAGES
    keys = "".join(keyboard.CYRILLIC if is_cyrillic else (*keyboard.LATIN, *keyboard.VARIANTS.values()))
    return set("".join(gallery.NAMES[code]).lower()) <= set(keys)


def can_be_shown(code: str) -> bool:
    """Whether the font has every letter of the first names of a language."""
    known = TTFont(theme.REGULAR).getBestCmap()
    return all(ord(letter) in known for letter in "".join(gallery.NAMES[code]))


OF_LANGUAGES: dict[str, Place] = {
    "display/languages/__init__.py": lambda code: any(each.code == code for each in languages.KNOWN),
    "display/keyboard.py": can_be_typed,
    "tests/display/gallery.py": lambda code: code in gallery.NAMES,
    "tests/display/test_languages.py": lambda code: is_drawn(f'"{code}"', "tests/display/test_languages.py"),
    "tests/display/test_fonts.py": can_be_shown,
}


@pytest.mark.parametrize("code", sorted({each.stem for each in languages.FOLDER.glob("*.po")} | {languages.ENGLISH}))
def test_every_language_is_in_all_places_that_the_recipe_names(code: str) -> None:
    assert [path for path, has in OF_LANGUAGES.items() if not has(code)] == []


# --- the recipes themselves -------------------------------------------------------------------------------

RECIPES: dict[str, tuple[dict[str, Place], set[str]]] = {
    "Add a game": (OF_GAMES, IF_NEW),
    "Add a kind of tile": (OF_KINDS, set()),
    "Add a language": (OF_LANGUAGES, set()),
}


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_names_the_places_that_are_checked_and_no_other(title: str) -> None:
    checked, if_new = RECIPES[title]
    assert set(named(title)) == set(checked) | (if_new & set(named(title)))
    for path in named(title):
        assert (PROJECT / path).exists(), path


def test_every_command_of_the_text_is_one_that_there_is() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)", TEXT):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for module in re.findall(r"python -m ([\w.]+)", TEXT):
        path = PROJECT / Path(*module.split("."))
        assert module == "pytest" or path.with_suffix(".py").exists(), module
