"""Names in scripts that run from right to left."""

from __future__ import annotations

import unicodedata

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import draw, pieces, theme
from display.bidi import in_drawn_order, shaped
from display.widgets import Label, Page, Rect


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Ana", "Ana"),
        ("Әсел Ї", "Әсел Ї"),
        ("אב", "בא"),
        ("אב גד", "דג בא"),
        ("Ana אב Bo", "Ana בא Bo"),
        ("אב: 3-4-5", "בא: 3-4-5"),
        ("12 אב", "12 בא"),
        ("א(ב)ג", "ג(ב)א"),
        ("אּב", "באּ"),
    ],
)
def test_runs_from_right_to_left_are_turned_and_the_rest_stays(text: str, drawn: str) -> None:
    assert in_drawn_order(text) == drawn


def test_arabic_letters_take_the_shapes_of_their_places() -> None:
    names = [unicodedata.name(letter).rsplit(" ", 2)[-2:] for letter in shaped("محمد")]
    assert [name[0] for name in names] == ["INITIAL", "MEDIAL", "MEDIAL", "FINAL"]
    alone = shaped("دار")  # none of these is joined to the next
    assert [unicodedata.name(letter).split(" ")[-2] for letter in alone] == ["ISOLATED"] * 3
    assert shaped("Ana אב") == "Ana אב"


def test_a_name_from_right_to_left_is_drawn_with_its_first_letter_at_the_right() -> None:
    rect = Rect(0, 0, 200, 60)

    def drawn(text: str) -> pygame.Surface:
        return draw.draw(Page((Label(rect, text, 40, theme.CARD),)), (800, 480)).subsurface((0, 0, 200, 60))

    font = pieces.font(theme.REGULAR, 40)
    tall, low = font.render("ל", True, (255, 255, 255)), font.render("י", True, (255, 255, 255))
    width = font.size("לי")[0]
    picture = drawn("לי")
    left, right = picture.subsurface((0, 0, low.get_width(), 60)), picture.subsurface((low.get_width(), 0, width, 60))
    assert tall.get_bounding_rect().h > low.get_bounding_rect().h
    ink = [pygame.mask.from_threshold(part, theme.CARD.ink, (90, 90, 90)).count() for part in (left, right)]
    assert ink[0] < ink[1]


@given(st.text(max_size=40))
def test_no_letter_is_lost_or_added(text: str) -> None:
    assert len(shaped(text)) == len(text)
    turned = in_drawn_order(text)
    assert len(turned) == len(text)
    brackets = str.maketrans("()[]{}<>«»", "(([[{{<<««")
    assert sorted(turned.translate(brackets)) == sorted(text.translate(brackets))


@given(st.text(max_size=60))
def test_any_name_can_be_drawn(text: str) -> None:
    draw.draw(Page((Label(Rect(0, 0, 200, 60), text, 30, theme.CARD, lines=2),)), (200, 120))
