"""The keys for names: every letter of every language that we speak, in at most three taps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import keyboard
from display.keyboard import EMPTY, LONGEST, Keyboard
from display.sentences import Words
from display.widgets import Button

ALPHABETS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "ro": "aăâbcdefghiîjklmnopqrsștțuvwxyz",
    "cs": "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    "fr": "abcdefghijklmnopqrstuvwxyzàâçéèêëîïôûùüÿœæ",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "kk": "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя",
}
ENDS = (("Next name", "@typed"), ("Ready", "@done"))


def keys(typed: Keyboard) -> dict[str, Button]:
    """The keys by their order."""
    return {key.order: key for key in keyboard.keys(typed, Words(), ENDS) if isinstance(key, Button)}


def tapped(typed: Keyboard, *orders: str) -> Keyboard:
    """After taps on keys that are there."""
    for order in orders:
        assert order in keys(typed)
        verb, _, rest = order.removeprefix("@").partition(" ")
        typed = typed.tapped(verb, rest)
    return typed


@pytest.mark.parametrize("language", ALPHABETS)
def test_every_letter_of_the_language_can_be_typed(language: str) -> None:
    is_cyrillic = language in ("uk", "kk")
    base = {other: letter for letter, others in keyboard.VARIANTS.items() for other in others}
    for letter in ALPHABETS[language]:
        typed = Keyboard(is_cyrillic=is_cyrillic, is_capital=False)
        taps = [f"@key {letter}"] if f"@key {letter}" in keys(typed) else [f"@key {base[letter]}", f"@instead {letter}"]
        assert tapped(typed, *taps).text == letter
        capital = tapped(Keyboard(is_cyrillic=is_cyrillic), *taps).text
        assert capital == letter.upper()


def test_the_first_letter_and_one_after_a_space_are_capitals() -> None:
    typed = tapped(EMPTY, "@key a", "@key n", "@space", "@key m", "@key -", "@key e")
    assert typed.text == "An M-E"
    assert tapped(typed, "@capital", "@key x").text == "An M-EX"


def test_a_letter_is_taken_back_and_what_is_shown_is_what_is_typed() -> None:
    typed = tapped(EMPTY, "@key a", "@key b", "@erase")
    assert typed.text == "A"
    assert keys(typed)["@key q"].text == "q"
    assert keys(tapped(typed, "@erase"))["@key q"].text == "Q"
    assert tapped(EMPTY, "@erase", "@space").text == ""


def test_the_script_stays_for_the_next_name() -> None:
    typed = tapped(EMPTY, "@script", "@key ә")
    assert typed.text == "Ә"
    assert typed.cleared() == Keyboard(is_cyrillic=True)
    assert "@key q" in keys(tapped(typed, "@script"))


@given(st.lists(st.sampled_from(["@key a", "@space", "@erase", "@capital", "@script", "@instead ă"]), max_size=60))
def test_a_name_is_never_too_long_and_never_begins_with_a_space(orders: list[str]) -> None:
    typed = EMPTY
    for order in orders:
        verb, _, rest = order.removeprefix("@").partition(" ")
        typed = typed.tapped(verb, rest)
        assert len(typed.text) <= LONGEST
        assert typed.text == typed.text.lstrip()
