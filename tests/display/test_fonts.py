"""The shipped font tells letters apart that other fonts draw alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from display import pieces, theme
from display.languages import catalogues

PAIRS = [
    "ҒГ",
    "ҚК",
    "ҢН",
    "ҰҮ",
    "ҮУ",
    "ӘА",
    "ӨО",
    "ҺН",
    "ҺҢ",
    "ІЇ",
    "ІЙ",
    "ҐГ",
    "ҐҒ",
    "ЄЕ",
    "ЇІ",
    "ȘS",
    "ȚT",
    "ȘŞ",
    "ȚŢ",
    "ŘR",
]
KAZAKH = "ӘҒҚҢӨҰҮҺІ"
SIGNS = "…−–→●○⚠↺·?!★✓⌫⇧"


def outline(font: TTFont, letter: str) -> object:
    """What a letter's glyph draws."""
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[font.getBestCmap()[ord(letter)]].draw(pen)
    return pen.value


@pytest.mark.parametrize("path", [theme.REGULAR, theme.BOLD], ids=lambda path: path.stem)
def test_letters_that_are_different_look_different(path: Path) -> None:
    font = TTFont(path)
    for pair in PAIRS:
        for one, other in (pair, pair.lower()):
            assert outline(font, one) != outline(font, other), pair


@pytest.mark.parametrize("path", [theme.REGULAR, theme.BOLD], ids=lambda path: path.stem)
def test_each_kazakh_letter_is_drawn_by_a_glyph_of_its_own(path: Path) -> None:
    font = TTFont(path)
    known = font.getBestCmap()
    letters = KAZAKH + KAZAKH.lower()
    assert {known[ord(letter)] for letter in letters}.isdisjoint({".notdef"})
    drawn = [repr(outline(font, letter)) for letter in letters]
    assert all("moveTo" in each for each in drawn)
    assert len(set(drawn)) == len(letters) == 18


@pytest.mark.parametrize("path", [theme.REGULAR, theme.BOLD], ids=lambda path: path.stem)
def test_every_letter_of_every_translation_is_in_the_font(path: Path) -> None:
    font = TTFont(path)
    known = set(font.getBestCmap())
    for source in catalogues.sources():
        told = (message.string for message in catalogues.read(source) if message.id)
        text = "".join("".join(each) for each in told)
        assert sorted({letter for letter in text if ord(letter) not in known}) == [], source.name
        assert len(text) > 10_000
    assert all(outline(font, space) == [] for space in "\u00a0\u202f")  # no box stands for them


@pytest.mark.parametrize("path", [theme.REGULAR, theme.BOLD], ids=lambda path: path.stem)
def test_every_sign_on_the_screen_is_in_the_font(path: Path) -> None:
    known = TTFont(path).getBestCmap()
    assert [sign for sign in SIGNS if ord(sign) not in known] == []


def test_the_license_lies_beside_the_fonts() -> None:
    assert "Bitstream Vera Fonts Copyright" in (theme.FONTS / "LICENSE").read_text()


def test_a_font_in_many_sizes_keeps_no_file_open() -> None:
    """An evening of tiles in ever other sizes had its font open fifty times."""
    pieces.font(theme.BOLD, 20)
    before = len(list(Path("/proc/self/fd").iterdir()))
    fonts = [pieces.font(theme.BOLD, size) for size in range(200, 230)]
    assert all(font.size("5")[1] > 100 for font in fonts)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
