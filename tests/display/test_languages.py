"""The screen and the phones speak every language, all of it, and no text is longer than its box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo

from display import draw, languages, lettering
from display.languages import catalogues
from display.sentences import Words
from display.widgets import Label, Page
from tests.display import gallery

CODES = tuple(each.code for each in languages.KNOWN if each.code != languages.ENGLISH)
EVERY = tuple(each.code for each in languages.KNOWN)
TEXTS = catalogues.extracted()


@pytest.fixture(params=CODES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    """Each catalogue as people have written it."""
    return catalogues.read(languages.FOLDER / f"{request.param}.po")


def messages(catalogue: Catalog) -> Iterator[Message]:
    """All messages but the head."""
    return (message for message in catalogue if message.id)


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """A text, or all its plural forms."""
    return (text,) if isinstance(text, str) else tuple(text)


def gaps(text: str) -> set[str]:
    """The names of what is put into a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_that_is_promised_can_be_chosen() -> None:
    assert EVERY == ("en", "ro", "cs", "fr", "uk", "kk")
    assert languages.available() == languages.KNOWN


def test_every_text_of_the_source_is_translated_and_none_is_left_over(catalogue: Catalog) -> None:
    wanted = {message.id for message in messages(TEXTS)}
    known = {message.id for message in messages(catalogue)}
    assert wanted - known == set(), "python -m display.languages.catalogues adds them"
    assert known - wanted == set(), "python -m display.languages.catalogues takes them out"
    assert not catalogue.obsolete
    for message in messages(catalogue):
        assert all(forms(message.string)), message.id
        assert not message.fuzzy, message.id
    assert len(wanted) > 300


def test_every_translation_holds_what_the_english_text_holds(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        wanted = gaps(forms(message.id)[-1])
        assert all(gaps(form) == wanted for form in forms(message.string)), message.id
        assert len(forms(message.string)) == (catalogue.num_plurals if message.pluralizable else 1), message.id


def test_the_compiled_catalogue_is_that_of_the_written_one(catalogue: Catalog) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    found = languages.compiled(str(catalogue.locale)).read_bytes()
    assert texts(found) == texts(compiled.getvalue()), "python -m display.languages.catalogues compiles"


def texts(compiled: bytes) -> dict[object, str]:
    """Everything but the head, where Babel writes its version."""
    return {text: told for text, told in GNUTranslations(BytesIO(compiled))._catalog.items() if text}  # type: ignore[attr-defined]  # it has no public name


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("en", "0 tiles, 1 tile, 2 tiles, 5 tiles, 21 tiles"),
        ("ro", "0 piese, 1 piesă, 2 piese, 19 piese, 20 de piese, 101 piese, 120 de piese"),
        ("cs", "0 kamenů, 1 kámen, 2 kameny, 4 kameny, 5 kamenů, 22 kamenů"),
        ("fr", "0 tuile, 1 tuile, 2 tuiles, 21 tuiles"),
        ("uk", "0 кісточок, 1 кісточка, 2 кісточки, 5 кісточок, 11 кісточок, 12 кісточок, 21 кісточка, 24 кісточки"),
        ("kk", "0 тас, 1 тас, 2 тас, 21 тас"),
    ],
)
def test_numbers_of_tiles_bend_as_the_language_has_it(code: str, counted: str) -> None:
    for text in counted.split(", "):
        assert Words(code).count(int(text.partition(" ")[0])) == text


@pytest.mark.parametrize(
    ("code", "average", "share", "day"),
    [
        ("en", "−12.5", "61%", "07/03/2026"),
        ("ro", "−12,5", "61%", "07.03.2026"),
        ("cs", "−12,5", "61\u00a0%", "7. 3. 2026"),
        ("fr", "−12,5", "61\u202f%", "07/03/2026"),
        ("uk", "−12,5", "61%", "07.03.2026"),
        ("kk", "−12,5", "61%", "07.03.2026"),
    ],
)
def test_numbers_and_days_are_written_as_the_language_has_it(code: str, average: str, share: str, day: str) -> None:
    words = Words(code)
    assert (words.decimal(-12.5), words.percent(0.606), words.date(2026, 3, 7)) == (average, share, day)


def test_french_signs_stand_apart_from_their_word_and_never_alone() -> None:
    french = catalogues.read(languages.FOLDER / "fr.po")
    for message in messages(french):
        for form in forms(message.string):
            assert not re.search(r"[\w}][!?;:](?!\d)|[ ][!?;:%»]|«[ ]", re.sub(r"\{[^}]*\}", "0", form)), form


@pytest.mark.parametrize("code", CODES)
def test_no_translation_has_a_typewriters_marks_or_blanks_too_many(code: str) -> None:
    for message in messages(catalogues.read(languages.FOLDER / f"{code}.po")):
        for form in forms(message.string):
            assert form == form.strip(), form
            assert not re.search(r"""['"]|\.\.\.|  """, form), form
            assert form[-1:] not in ".…" or form[-1:] == forms(message.id)[-1][-1:], form


@pytest.mark.parametrize("code", ["uk", "kk"])
def test_a_cyrillic_text_has_no_latin_letter_that_only_looks_right(code: str) -> None:
    for message in messages(catalogues.read(languages.FOLDER / f"{code}.po")):
        for form in forms(message.string):
            for word in re.findall(r"\w+", re.sub(r"\{[^}]*\}", " ", form)):
                assert not (re.search("[A-Za-z]", word) and re.search("[А-Яа-яІіЇїЄєҐґӘәҒғҚқҢңӨөҰұҮүҺһ]", word)), form


def test_romanian_has_its_commas_below_and_no_cedillas() -> None:
    text = (languages.FOLDER / "ro.po").read_text(encoding="utf-8")
    assert not set("şŞţŢ") & set(text)
    assert "ș" in text
    assert "ț" in text


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ("fr_FR.UTF-8", "fr"),
        ("C.UTF-8", "en"),
        ("", "en"),
        (None, "en"),
        ("kk", "kk"),
        ("de-DE,uk-UA;q=0.7,ro;q=0.9", "ro"),
        ("RO;q=0,cs", "cs"),
        ("*;q=x, ;;q=,\x00", "en"),
    ],
)
def test_a_wish_finds_the_best_language_that_there_is(wish: str | None, code: str) -> None:
    assert languages.chosen(wish) == code


class Strict(NullTranslations):
    """Knows only what the source marks, and answers in no language at all, so that what was not asked shows."""

    def gettext(self, message: str) -> str:
        """The message with other letters."""
        assert message in TEXTS, f"not marked for translation: {message!r}"
        return foreign(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """The same for numbers of things."""
        assert one in TEXTS, f"not marked for translation: {one!r}"
        return foreign(one if n == 1 else many)


def foreign(message: str) -> str:
    """All letters that are no name of a gap turned into others."""
    parts = re.split(r"(\{[^}]*\})", message)
    return "".join(part if part.startswith("{") else re.sub("[A-Za-z]", "ж", part) for part in parts)


def labels(drawn: Page) -> Iterator[Label]:
    """All texts of a page."""
    return (part for part in draw.parts(drawn) if isinstance(part, Label) and part.text)


def pages(words: Words) -> Iterator[tuple[str, Page]]:
    """All pages on which no name is longer than names are."""
    yield from (each for each in gallery.gallery(words) if each[0] not in gallery.STRANGE_NAMES)
    yield from gallery.every_ruling(words)


def test_nothing_is_said_on_any_page_but_through_the_catalogue() -> None:
    known = {
        *gallery.NAMES["en"],
        "Ana",
        "Bogdan",
        "Chiara",
        "Name",
        "Player",
        "Eve",
        "abc",
        "Ji",
        *("Google", "Pixel", "blue", "iPhone", "Galaxy", "Tab", "Active", "Android"),
        *("HD", "Pro", "Webcam", "DCF", "Arducam"),
    }  # of players, on a key, typed, of phones, of cameras
    own = {each.name for each in languages.KNOWN}
    for name, drawn in pages(Words("en", Strict())):
        for label in (each for each in labels(drawn) if each.text.removeprefix("✓ ") not in own):
            english = set(re.findall("[A-Za-z]{2,}", re.sub(r"http://\S+|WW+", "", label.text))) - known
            assert not english, f"{name}: {label.text!r}"


@pytest.mark.parametrize("code", EVERY)
def test_no_text_is_longer_than_its_box_on_any_screen_nor_when_it_is_large(code: str) -> None:
    cut = set()
    for name, drawn in pages(Words(code)):
        for label in set(labels(drawn)):
            for scale, enlarged in ((1.0, 1.0), (1.0, lettering.ENLARGED), (1024 / 800, 1.0), (1920 / 800, 1.0)):
                _, lines = lettering.fit(label.text, label, scale, enlarged)
                if " ".join(lines).split() != label.text.split():
                    cut.add(f"{name}, {scale:.2f}: {label.text!r} is shown as {lines}")
    assert not cut, "\n".join(sorted(cut))
