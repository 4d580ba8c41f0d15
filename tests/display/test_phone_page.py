"""The page itself: no markup from names, no request to elsewhere, and every id that the script looks for."""

from __future__ import annotations

import json
import re

import pytest

from display.phone import bridge
from display.phone.sayings import Saying
from display.phone.server import FILES, PAGE, SCRIPTS, TABLES, words
from display.phone.texts import PAGE_TEXTS
from display.theme import contrast
from referee.wire import PROTOCOL

TEXTS = [file for file, _ in FILES.values() if not file.endswith(".png")]


def text_of(name: str) -> str:
    """A file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")


def scripts() -> str:
    """All scripts of the page."""
    return "\n".join(map(text_of, SCRIPTS))


@pytest.mark.parametrize("script", SCRIPTS)
def test_names_and_texts_never_become_markup(script: str) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function", text_of(script)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_the_page_asks_nobody_else_for_anything(name: str) -> None:
    addresses = set(re.findall(r"(?:https?:)?//[a-z][\w.]*\.\w+[\w/]*", text_of(name)))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of SVG, which is never fetched


def test_the_page_holds_no_script_or_style_that_the_policy_would_refuse() -> None:
    page = text_of("index.html")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page)


def test_every_element_that_the_scripts_look_for_is_in_the_page() -> None:
    ids = re.findall(r'\bid="([\w-]+)"', text_of("index.html"))
    wanted = set(re.findall(r'\bat\("([\w-]+)"\)', scripts()))
    assert len(ids) == len(set(ids))
    assert len(wanted) > 20
    assert wanted <= set(ids)


def test_every_file_that_the_page_names_is_served_and_no_other() -> None:
    named = set(re.findall(r'(?:href|src)="([^"#]+)"', text_of("index.html")))
    named |= set(re.findall(r'from "\./([\w.]+)"', scripts()))
    named |= {icon["src"] for icon in json.loads(text_of("manifest.webmanifest"))["icons"]}
    assert named == set(FILES) - {""}
    assert {file.name for file in PAGE.iterdir() if file.suffix not in (".py", "")} <= {
        file for file, _ in FILES.values()
    }


def test_what_one_script_takes_from_another_is_offered_there() -> None:
    for script in SCRIPTS:
        for names, other in re.findall(r'import \{([^}]*)\} from "\./([\w.]+)"', text_of(script)):
            offered = set(re.findall(r"export (?:async )?(?:function|const|let) (\w+)", text_of(other)))
            assert {name.strip() for name in names.split(",")} <= offered, (script, other)


def test_every_table_of_words_that_the_scripts_read_is_served() -> None:
    wanted = set(re.findall(r'\bsay\("(\w+)"', scripts())) | set(re.findall(r"\bwords\??\.(\w+)\?\.\[", scripts()))
    assert {"reasons", "awards", "questions", "answers", "trumps"} <= wanted <= set(TABLES) | {"counts"}
    assert set(TABLES) <= set(words("en"))


def test_every_text_that_the_page_asks_for_is_served_and_no_other() -> None:
    asked = set(re.findall(r'data-(?:text|label)="([\w-]+)"', text_of("index.html")))
    for script in map(text_of, SCRIPTS):
        for call in re.findall(r"\btell\((?=([^;]*))", script):
            asked |= set(re.findall(r'"([a-z][\w-]*)"', call.partition("{")[0].partition(")")[0]))
        asked |= set(re.findall(r'\bcode = (?:[\w.]+ \? )?"([\w-]+)"', script))
        asked |= set(re.findall(r'\bcode = [\w.]+ \? "[\w-]+" : "([\w-]+)"', script))
        for sides in re.findall(r'\["(\w+)", "(\w+)"\]\.map\(\(side\)', script):
            asked |= set(sides)
    assert asked == set(PAGE_TEXTS)


def test_every_word_in_the_frame_of_the_page_is_the_english_one_for_its_code() -> None:
    page = text_of("index.html")
    for code, text in re.findall(r'data-text="([\w-]+)"[^>]*>([^<]+)<', page):
        assert text == PAGE_TEXTS[code]
    for text, code in re.findall(r'aria-label="([^"]+)" data-label="([\w-]+)"', page):
        assert text == PAGE_TEXTS[code]


def test_what_the_page_says_is_what_the_bridge_understands() -> None:
    understood = {kind.__struct_config__.tag for kind in Saying.__args__}  # type: ignore[attr-defined]  # of a union
    assert set(re.findall(r'\btype: "(\w+)"', scripts())) == understood


def test_the_page_notices_a_missing_beat_within_a_second() -> None:
    silence_ms = int(re.search(r"SILENCE_MS = (\d+)", text_of("wire.js"))[1])  # type: ignore[index]  # None fails the test
    assert bridge.BEAT_MS < silence_ms <= bridge.BEAT_MS + 1000


def test_the_page_stays_away_when_it_was_sent_away() -> None:
    assert f"SENT_AWAY = {bridge.SENT_AWAY}" in text_of("wire.js")


def test_the_page_speaks_the_protocol_of_the_table() -> None:
    assert f"PROTOCOL = {PROTOCOL};" in text_of("wire.js")


def test_the_icons_are_as_large_as_they_say() -> None:
    for icon in json.loads(text_of("manifest.webmanifest"))["icons"]:
        if icon["type"] == "image/png":
            data = (PAGE / icon["src"]).read_bytes()
            width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
            assert icon["sizes"] == f"{width}x{height}"


def colours(block: str) -> dict[str, tuple[int, int, int]]:
    """The named colours of a block of the style."""
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", block)
    return {name: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)) for name, code in found}


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_everything_written_can_be_read_by_day_and_by_night(scheme: str) -> None:
    style = text_of("style.css")
    dark, light = style.partition("@media (prefers-color-scheme: light)")[::2]
    named = colours(dark[: dark.index("}")])
    if scheme == "light":
        named |= colours(light[: light.index("}")])
    pairs = [
        *(("ink", "room"), ("ink", "card"), ("soft", "room"), ("soft", "card"), ("good", "card"), ("bad", "card")),
        *(("turn-ink", "turn"), ("ask-ink", "ask"), ("ask-soft", "ask"), ("key-ink", "key"), ("main-ink", "main")),
        *(("tile-ink", "tile"), ("bad", "room"), ("good", "room")),
    ]
    for ink, paper in pairs:
        assert contrast(named[ink], named[paper]) >= 4.5, (ink, paper)
    for white in ("alarm", "felt"):
        assert contrast((0xEE, 0xF6, 0xF1), named[white]) >= 4.5, white


def test_whatever_can_be_tapped_is_as_large_as_a_fingertip() -> None:
    rule = re.search(r"button, select, input \{([^}]*)\}", text_of("style.css"))
    assert rule
    assert "min-height: 2.75rem" in rule[1]
    assert "min-width: 2.75rem" in rule[1]
    smaller = re.findall(r"\}\s*([^{}]*button[^{}]*)\{[^}]*min-height: (?:[01]|2\.[0-6])", text_of("style.css"))
    assert not smaller
