"""Pictures: drawn without a display, told apart without colours."""

from __future__ import annotations

from typing import Any

import msgspec
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import draw, lettering, pages, theme
from display.widgets import Button, Label, Page, Panel, Piece, Rect, Table
from referee.wire import View

SIZE = (800, 480)


def grey(picture: pygame.Surface) -> bytes:
    """The picture without its colours."""
    return pygame.image.tobytes(pygame.transform.grayscale(picture), "RGB")


def share_changed(one: pygame.Surface, other: pygame.Surface, rect: pygame.Rect, step: int = 40) -> float:
    """How much of a region differs clearly in grey, from 0 to 1."""
    a, b = (pygame.transform.grayscale(surface).subsurface(rect) for surface in (one, other))
    pixels = [(x, y) for x in range(0, rect.w, 2) for y in range(0, rect.h, 2)]
    return sum(abs(a.get_at(p)[0] - b.get_at(p)[0]) > step for p in pixels) / len(pixels)


def table_with(status: str, last: bool = False) -> pygame.Surface:
    """A felt with one tile of a status."""
    piece = Piece("triomino", (0, 1, 2), 300, 200, 30, status, "" if status in ("placed", "seen") else "word", last)
    rect = Rect(0, 0, 800, 480)
    return draw.draw(Page((Panel(rect, theme.FELT), Table(rect, (piece,), (40.0, 34.6)))), SIZE)


@pytest.mark.parametrize("size", [(800, 480), (480, 320), (1280, 720), (500, 900), (10, 10)])
def test_every_page_can_be_drawn_in_every_window(scene: View, size: tuple[int, int]) -> None:
    picture = draw.draw(pages.page(scene), size)
    assert picture.get_size() == size


def test_the_same_page_gives_the_same_picture(scene: View) -> None:
    one, other = (draw.draw(pages.page(scene), SIZE) for _ in range(2))
    assert pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")


def test_whose_turn_it_is_can_be_told_without_colours(scenes: Any) -> None:
    ana, bogdan = (draw.draw(pages.page(msgspec.structs.replace(scenes["play"], turn=turn)), SIZE) for turn in (0, 1))
    assert share_changed(ana, bogdan, pygame.Rect(8, 42, 248, 90)) > 0.5
    assert share_changed(ana, bogdan, pygame.Rect(8, 140, 248, 90)) > 0.5


def test_an_illegal_tile_can_be_told_without_colours(scenes: Any) -> None:
    view = scenes["dispute"]
    legal = (*view.layout[:-1], msgspec.structs.replace(view.layout[-1], status="placed"))
    illegal, fine = (draw.draw(pages.page(v), SIZE) for v in (view, msgspec.structs.replace(view, layout=legal)))
    assert share_changed(illegal, fine, pygame.Rect(264, 42, 528, 240)) > 0.01


def test_every_status_looks_different_without_colours() -> None:
    pictures = [table_with(s) for s in ("placed", "illegal", "doubt", "missing", "removal", "seen")]
    pictures.append(table_with("placed", last=True))
    middle = pygame.Rect(300, 140, 200, 200)
    for i, one in enumerate(pictures):
        for other in pictures[i + 1 :]:
            assert share_changed(one, other, middle) > 0.01


def test_an_old_page_is_grey_but_for_its_notice(scenes: Any) -> None:
    picture = draw.draw(pages.page(scenes["dispute"], live=False), SIZE)
    strip = pygame.Rect(264, 42, 528, 34)
    colourful = [
        (x, y) for x in range(0, 800, 3) for y in range(0, 480, 3) if len(set(tuple(picture.get_at((x, y)))[:3])) > 1
    ]
    assert colourful
    assert all(strip.collidepoint(point) for point in colourful)


def test_the_flash_lights_the_border_and_nothing_else(scenes: Any) -> None:
    page = pages.page(scenes["dispute"])
    plain, lit = draw.draw(page, SIZE), draw.draw(page, SIZE, flash=True)
    assert share_changed(plain, lit, pygame.Rect(0, 0, 800, 4)) > 0.9
    assert share_changed(plain, lit, pygame.Rect(20, 20, 760, 440)) == 0


def test_a_pressed_button_is_turned_inside_out(scenes: Any) -> None:
    page = pages.page(scenes["play"])
    button = next(widget for widget in page.widgets if isinstance(widget, Button) and widget.order == "B passes")
    plain, pressed = draw.draw(page, SIZE), draw.draw(page, SIZE, pressed=button)
    assert share_changed(plain, pressed, draw.Frame.of(SIZE).pixels(button.rect)) > 0.5


def test_a_triomino_is_drawn_in_its_pose() -> None:
    """The corner of the first number points where the angle says: right at 0 degrees, down at 90."""
    rect = Rect(0, 0, 800, 480)

    def lit(angle_deg: float, at: tuple[int, int]) -> bool:
        piece = Piece("triomino", (1, 1, 1), 0, 0, angle_deg, "placed")
        picture = draw.draw(Page((Panel(rect, theme.FELT), Table(rect, (piece,), (40.0, 34.6)))), SIZE)
        return picture.get_at(at)[0] > 200

    # the picture is centred on the tile's box, so the long way from the middle is toward its point
    assert lit(90, (400 - 50, 240 - 45))
    assert not lit(90, (400 - 50, 240 + 45))
    assert lit(0, (400 - 45, 240 - 50))
    assert not lit(0, (400 + 45, 240 - 50))


def test_the_half_of_the_first_number_lies_against_the_angle() -> None:
    rect = Rect(0, 0, 800, 480)
    piece = Piece("domino", (0, 6), 100, 100, 0, "placed")
    picture = draw.draw(Page((Panel(rect, theme.FELT), Table(rect, (piece,), (48.0, 24.0)))), SIZE)

    def dark(left: int, right: int) -> int:
        box = [(x, y) for x in range(left, right) for y in range(225, 256)]
        return sum(sum(picture.get_at(point)[:3]) < 150 for point in box)

    assert dark(350, 395) == 0
    assert dark(405, 450) > 50


@given(text=st.text(max_size=60), width=st.integers(20, 300), lines=st.integers(1, 3))
def test_any_text_is_set_within_its_box(text: str, width: int, lines: int) -> None:
    label = Label(Rect(0, 0, width, 40), text, 22, theme.CARD, lines=lines)
    size, rows = lettering.fit(text, label)
    font = draw.pieces.font(theme.REGULAR, size)
    assert len(rows) <= lines
    assert all(font.size(row)[0] <= width for row in rows)


def test_a_long_name_ends_in_an_ellipsis_and_a_short_one_does_not() -> None:
    label = Label(Rect(0, 0, 120, 30), "", 22, theme.CARD)
    assert lettering.fit("Bartholomew Featherstonehaugh", label)[1][0].endswith("…")
    assert lettering.fit("Ana", label)[1] == ["Ana"]
