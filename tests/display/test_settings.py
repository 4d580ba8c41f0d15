"""The settings: each tap holds at once, is remembered, and a broken file harms nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import preferences, rulenames, settings
from display.aside import Desk
from display.preferences import USUAL, Preferences
from display.sentences import Words
from display.settings import Settings, turned_on
from tests.display.test_pages import buttons, texts


class Table:
    """A desk that remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[Preferences] = []

    def desk(self) -> Desk:
        return replace(Desk(remember=self.told.append), preferences=self.told[-1] if self.told else USUAL)


def test_every_setting_can_be_all_that_it_can_be_and_comes_round_again() -> None:
    for name, choices in settings._CHOICES.items():
        likes, seen = USUAL, []
        for _ in choices:
            likes = turned_on(likes, name)
            seen.append(getattr(likes, name))
        assert sorted(map(str, seen)) == sorted(map(str, choices))
        assert likes == USUAL
        msgspec.json.decode(msgspec.json.encode(likes), type=Preferences)


def test_a_tap_changes_one_setting_and_shows_it() -> None:
    table = Table()
    before = texts(Settings().page(table.desk()))
    orders = [order for order in buttons(Settings().page(table.desk())) if order.startswith("@next")]
    assert len(orders) == len(settings._CHOICES)
    for order in orders:
        assert Settings().tapped(order, table.desk()) == Settings()
        assert texts(Settings().page(table.desk())) != before
        before = texts(Settings().page(table.desk()))


def test_a_value_from_elsewhere_turns_on_to_one_that_is_offered() -> None:
    odd = msgspec.structs.replace(USUAL, turn_s=77)
    assert "77 seconds" in texts(Settings().page(replace(Desk(), preferences=odd)))
    assert turned_on(odd, "turn_s").turn_s == 0


def test_a_language_is_chosen_by_its_own_name_and_back_leads_to_the_settings() -> None:
    table = Table()
    page = Settings().tapped("@languages", table.desk())
    assert page is not None
    assert {"English", "Română", "Қазақша"} <= {
        key.text.removeprefix("✓ ") for key in buttons(page.page(table.desk())).values()
    }
    assert page.tapped("@back", table.desk()) == Settings()
    assert page.tapped("@language kk", table.desk()) == Settings()
    assert table.told[-1].language == "kk"
    assert Settings().tapped("@close", table.desk()) is None


def test_what_was_set_is_there_the_next_time(tmp_path: Path) -> None:
    file = tmp_path / preferences.FILE
    likes = msgspec.structs.replace(USUAL, language="kk", rotate_deg=90, sounds="illegal", is_large=True)
    assert preferences.load(file) == USUAL
    assert preferences.save(likes, file)
    assert preferences.load(file) == likes
    assert [path.name for path in tmp_path.iterdir()] == [preferences.FILE]


@given(st.binary(max_size=200))
def test_a_damaged_file_is_as_good_as_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("state") / preferences.FILE
    file.write_bytes(content)
    preferences.load(file)
    file.write_bytes(msgspec.json.encode(USUAL)[:-1] + content)
    preferences.load(file)


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"rotate_deg": 45}', b'{"volume": 9}', b'{"sounds": "loud"}', b'{"language": 3}', b"[]"]
)
def test_a_file_that_makes_no_sense_leaves_all_as_usual(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / preferences.FILE
    file.write_bytes(content)
    assert preferences.load(file) == USUAL


def test_a_file_nested_too_deeply_once_ended_the_screen_and_leaves_all_as_usual(tmp_path: Path) -> None:
    file = tmp_path / preferences.FILE
    file.write_bytes(b'{"a":' + b"[" * 5000)
    assert preferences.load(file) == USUAL


def test_where_nothing_can_be_written_the_old_file_stays(tmp_path: Path) -> None:
    file = tmp_path / preferences.FILE
    assert preferences.save(USUAL, file)
    (tmp_path / (preferences.FILE + ".new")).mkdir()
    assert not preferences.save(msgspec.structs.replace(USUAL, volume=3), file)
    assert preferences.load(file) == USUAL
    assert not preferences.save(USUAL, tmp_path / "no-such-folder" / preferences.FILE)


def test_a_negative_value_of_a_house_rule_has_a_proper_minus_sign() -> None:
    assert rulenames.value("-5", Words()) == "\u22125"
    assert rulenames.value("2-6", Words()) == "2-6"
    assert rulenames.value("3-3", Words()) == "3"
    assert rulenames.value("50,60,-70", Words()) == "50, 60, \u221270"
