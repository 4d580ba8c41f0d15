"""The shipped font tells letters apart that other fonts draw alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from display import theme

PAIRS = ["ҒГ", "ҚК", "ҢН", "ҰҮ", "ӘА", "ӨО", "ҺН", "ҐГ", "ЄЕ", "ЇІ", "ȘS", "ȚT", "ŘR"]
SIGNS = "…−●⚠↺·?!"


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
def test_every_sign_on_the_screen_is_in_the_font(path: Path) -> None:
    known = TTFont(path).getBestCmap()
    assert [sign for sign in SIGNS if ord(sign) not in known] == []


def test_the_license_lies_beside_the_fonts() -> None:
    assert "Bitstream Vera Fonts Copyright" in (theme.FONTS / "LICENSE").read_text()
