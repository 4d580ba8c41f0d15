"""What every page owes to whoever looks at it and touches it, whichever page it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from display import draw, lettering, outlines, pages, theme
from display.sentences import Words
from display.widgets import Label, Page, Panel, Widget
from tests.display import gallery
from tests.display.test_pages import inside, texts

EVERY = tuple(gallery.gallery(Words()))


def labels(page: Page) -> Iterator[tuple[Label, tuple[Widget, ...]]]:
    """The texts of a page, and what was painted before each."""
    parts = tuple(draw.parts(page))
    for index, part in enumerate(parts):
        if isinstance(part, Label) and part.text:
            yield part, parts[:index]


def test_there_are_many_pages() -> None:
    assert len(EVERY) > 300


def test_everything_that_can_be_tapped_is_large_enough_for_a_fingertip() -> None:
    for name, page in EVERY:
        for key in outlines.buttons(page):
            assert min(key.rect.w, key.rect.h) >= theme.LEAST_TARGET - 0.01, (name, key)


def test_every_text_can_be_read_on_the_ground_that_it_stands_on() -> None:
    for name, page in EVERY:
        for label, before in labels(page):
            grounds = [part for part in before if isinstance(part, Panel) and inside(label.rect, part.rect)]
            paper = grounds[-1].look.paper if grounds else theme.ROOM.paper
            ink = label.look.soft if label.soft else label.look.ink
            assert theme.contrast(paper, ink) >= theme.LEAST_CONTRAST, (name, label)


def test_large_text_is_larger_where_there_is_room_and_nowhere_smaller_or_cut() -> None:
    larger = 0
    for name, page in EVERY:
        for label, _ in labels(page):
            usual, lines = lettering.fit(label.text, label)
            large, wrapped = lettering.fit(label.text, label, 1.0, lettering.ENLARGED)
            assert large >= usual, (name, label)
            larger += large > usual
            cut = any(line.endswith("…") for line in wrapped) and not any(line.endswith("…") for line in lines)
            assert not cut, (name, label)
    assert larger > sum(1 for _, page in EVERY for _ in labels(page)) / 2


@pytest.mark.parametrize(
    ("scores", "lowest_wins", "leads"),
    [((5, 9, 9), False, (1, 2)), ((5, 9, 7), True, (0,)), ((0, 0, 0), False, ()), ((-5, 0), True, (0,))],
)
def test_who_leads_is_told_by_a_sign_and_a_word(
    scores: tuple[int, ...], lowest_wins: bool, leads: tuple[int, ...], scenes: Any
) -> None:
    seats = tuple(msgspec.structs.replace(scenes["play"].seats[0], score=score) for score in scores)
    view = msgspec.structs.replace(scenes["play"], seats=seats, lowest_wins=lowest_wins, turn=0)
    assert pages.leaders(view) == leads
    assert texts(pages.page(view)).count("★ leads") == len(leads)
