"""The page itself: no markup from names, no request to elsewhere, and every id that the script looks for."""

from __future__ import annotations

import json
import re

import pytest

from display.phone import bridge
from display.phone.bridge import FILES, PAGE
from display.phone.texts import PAGE_TEXTS

SCRIPTS = ("app.js", "table.js")


def text_of(name: str) -> str:
    """A file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS)
def test_names_and_texts_never_become_markup(script: str) -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function", text_of(script)
    )


@pytest.mark.parametrize("name", [file for file, _ in FILES.values()])
def test_the_page_asks_nobody_else_for_anything(name: str) -> None:
    addresses = set(re.findall(r"(?:https?:)?//[a-z][\w.]*\.\w+[\w/]*", text_of(name)))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of SVG, which is never fetched


def test_the_page_holds_no_script_or_style_that_the_policy_would_refuse() -> None:
    page = text_of("index.html")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page)


def test_every_element_that_the_script_looks_for_is_in_the_page() -> None:
    ids = re.findall(r'\bid="([\w-]+)"', text_of("index.html"))
    wanted = set(re.findall(r'\bat\("([\w-]+)"\)', text_of("app.js")))
    assert len(ids) == len(set(ids))
    assert wanted
    assert wanted <= set(ids)


def test_every_file_that_the_page_names_is_served() -> None:
    named = set(re.findall(r'(?:href|src)="([^"#]+)"', text_of("index.html")))
    named |= set(re.findall(r'from "\./([\w.]+)"', text_of("app.js")))
    named |= {icon["src"] for icon in json.loads(text_of("manifest.webmanifest"))["icons"]}
    assert {"app.js", "table.js", "style.css", "icon.svg"} <= named <= set(FILES)


def test_every_table_of_words_that_the_script_reads_is_served() -> None:
    wanted = set(re.findall(r'\bsay\("(\w+)"', text_of("app.js")))
    assert {"reasons", "awards", "questions"} <= wanted <= set(bridge.words("en"))


def test_every_text_that_the_page_asks_for_is_served_and_no_other() -> None:
    script, page = text_of("app.js"), text_of("index.html")
    asked = set(re.findall(r'data-(?:text|label)="([\w-]+)"', page))
    for call in re.findall(r"\btell\((?=([^;]*))", script):
        asked |= set(re.findall(r'"([a-z][\w-]*)"', call.partition("{")[0].partition(")")[0]))
    asked |= set(re.findall(r'\bcode = (?:view \? )?"([\w-]+)"', script))
    asked |= set(re.findall(r'\bcode = view \? "[\w-]+" : "([\w-]+)"', script))
    assert asked == set(PAGE_TEXTS)


def test_the_page_notices_a_missing_beat_within_a_second() -> None:
    silence_ms = int(re.search(r"SILENCE_MS = (\d+)", text_of("app.js"))[1])  # type: ignore[index]  # None fails the test
    assert bridge.BEAT_MS < silence_ms <= bridge.BEAT_MS + 1000
