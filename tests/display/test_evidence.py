"""The pictures of a ruling and the answers to a doubt, as the screen shows them and takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from display import asking, draw, outlines, photographs, theme
from display.dialogue import Dialogue, tapped
from display.pages import page
from display.screen import NOTICE_S
from display.sentences import Words
from display.widgets import Button, Label, Page, Photograph, Rect
from referee.config import Places
from referee.wire import Option
from tests.display.gallery import KEPT, moon
from tests.display.test_screen import Desk

WORDS = Words()
SIZE = (theme.WIDTH, theme.HEIGHT)


def photos(drawn: Page) -> list[Photograph]:
    return [widget for widget in drawn.widgets if isinstance(widget, Photograph)]


def orders(drawn: Page) -> dict[str, Button]:
    return {button.order: button for button in outlines.buttons(drawn)}


def texts(drawn: Page) -> str:
    return "\n".join(part.text for part in draw.parts(drawn) if isinstance(part, Label))


# --- pictures -----------------------------------------------------------------------------------------


def test_a_dispute_shows_the_picture_of_its_tile_and_a_tap_shows_both_large(scenes: Any) -> None:
    view = scenes["dispute-pictured"]
    (small,) = photos(page(view))
    assert (small.name, small.side, small.order) == ("1-21-0", "after", "@open pictures")
    opened = page(view, dialogue=tapped(Dialogue("more"), small.order, view, None))
    before, after = photos(opened)
    assert [(each.name, each.side) for each in (before, after)] == [("1-21-0", "before"), ("1-21-0", "after")]
    assert before.rect.w > 2 * small.rect.w
    assert "Before" in texts(opened)
    assert "21: Bogdan 3-4-5 · The touching sides do not match" in texts(opened)
    assert "overrule 21" in orders(opened)
    assert "Take it back" in texts(opened)


def test_a_dispute_without_pictures_or_without_room_shows_none(scenes: Any) -> None:
    assert photos(page(scenes["dispute"])) == []
    low = Rect(264, 42, 528, theme.LEAST_TARGET - 1)
    assert asking.evidence(scenes["dispute-pictured"], low, WORDS) == (low, [])


def test_a_doubt_shows_the_picture_of_its_tile_as_long_as_it_must_be_answered(scenes: Any) -> None:
    (photo,) = photos(page(scenes["doubt-pictured"]))
    assert (photo.name, photo.side, photo.order) == ("1-21-0", "after", "")
    waiting = msgspec.structs.replace(scenes["awaiting"].questions[0], evidence="1-21-0")
    assert photos(page(msgspec.structs.replace(scenes["play"], questions=(waiting,)))) == []


def test_an_earlier_move_shows_its_pictures_and_offers_nothing_besides(scenes: Any) -> None:
    ruled = scenes["dispute-pictured"].last
    change = page(scenes["play"], dialogue=Dialogue("history", entry=ruled))
    assert orders(change)["@open pictures"].text == "Pictures"
    opened = tapped(Dialogue("history", entry=ruled), "@open pictures", scenes["play"], None)
    assert len(photos(page(scenes["play"], dialogue=opened))) == 2
    assert list(orders(page(scenes["play"], dialogue=opened))) == ["@close"]
    plain = page(scenes["play"], dialogue=Dialogue("history", entry=scenes["play"].last))
    assert "@open pictures" not in orders(plain)


def painted(places: Places | None, name: str = "1-21-0") -> pygame.Surface:
    pygame.font.init()
    photo = Photograph(Rect(0, 0, 400, 300), name, "after", "There is no picture any more")
    return draw.draw(Page((photo,)), SIZE, places=places)


def test_a_picture_is_drawn_as_it_was_kept() -> None:
    drawn = painted(KEPT)
    taken = pygame.image.load(str(KEPT.picture("1-21-0", "after")))
    for x, y in ((20, 20), (160, 130), (300, 200)):
        assert drawn.get_at((round(x * 1.25), round(y * 1.25)))[:3] == pytest.approx(taken.get_at((x, y))[:3], abs=30)


@pytest.mark.parametrize("name", ["1-22-0", "../1-21-0", ""])
def test_where_a_picture_is_gone_words_say_so(name: str, tmp_path: Path) -> None:
    words = painted(None)
    for places in (KEPT, Places(tmp_path, tmp_path)):
        assert pygame.image.tobytes(painted(places, name), "RGB") == pygame.image.tobytes(words, "RGB")
    assert pygame.image.tobytes(painted(KEPT), "RGB") != pygame.image.tobytes(words, "RGB")


@pytest.mark.parametrize("data", [b"", b"no picture", None])
def test_a_picture_that_was_cut_short_harms_nothing(data: bytes | None, tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path)
    path = places.picture("1-2-a", "after")
    path.parent.mkdir()
    path.write_bytes(KEPT.picture("1-21-0", "after").read_bytes()[:2000] if data is None else data)
    taken = photographs.photograph(places, "1-2-a", "after", (400, 300))
    assert taken is None or taken.get_size() == (400, 300)
    painted(places, "1-2-a")


def test_that_pictures_cannot_be_kept_is_said_once(scenes: Any, tmp_path: Path) -> None:
    said = "Pictures of tiles cannot be kept: the card is full or broken"
    desk = Desk(msgspec.structs.replace(scenes["play"], evidence="ok"), tmp_path)
    failed = msgspec.structs.replace(scenes["play"], evidence="failed", seq=41)
    desk.table.view = failed
    desk.screen.step()
    assert said in texts(desk.screen.page)
    desk.now_s += NOTICE_S + 1.0
    for seq in (42, 43):
        desk.table.view = msgspec.structs.replace(failed, seq=seq)
        desk.screen.step()
        assert said not in texts(desk.screen.page)


def test_a_tap_on_the_picture_opens_both_and_back_leads_to_the_dispute(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["dispute-pictured"], tmp_path)
    (small,) = photos(desk.screen.page)
    desk.tap((round(small.rect.x + 20), round(small.rect.y + 20)))
    assert len(photos(desk.screen.page)) == 2
    desk.now_s += 1.0
    back = orders(desk.screen.page)["@close"].rect
    desk.tap((round(back.x + 20), round(back.y + 20)))
    assert len(photos(desk.screen.page)) == 1
    assert desk.table.said == []


# --- doubts -------------------------------------------------------------------------------------------


def test_any_tile_is_picked_by_its_numbers_and_answers_the_question(scenes: Any) -> None:
    view = scenes["which-tile"]
    assert orders(page(view))["@open any-tile"].text == "Another tile"
    now = Dialogue("more")
    for word in ("@open any-tile", "@number 4", "@number 4"):
        went_on = tapped(now, word, view, None)
        assert went_on is not None
        now = went_on
    assert "Which tile is this?" in texts(page(view, dialogue=now))
    keys = orders(page(view, dialogue=now))
    assert "answer q1 is 1-4-4" in keys
    assert "answer q1 is 4-4-5" in keys
    assert "answer q1 is 3-4-4" not in keys, "that one lies on the table"


def test_a_tile_that_was_missed_is_laid_by_hand(scenes: Any) -> None:
    view = scenes["which-tile"]
    assert orders(page(view))["@open lays"].text == "One was missed before"
    now = tapped(Dialogue("more"), "@open lays", view, None)
    assert now is not None
    assert (now.act, now.seat) == ("lays", view.turn)
    in_tricks = msgspec.structs.replace(moon(), questions=view.questions)
    assert "@open plays" in orders(page(in_tricks))


def test_a_dispute_of_a_tile_that_joins_nothing_offers_to_enter_the_missed_one(scenes: Any) -> None:
    about = scenes["dispute"].dispute
    about = msgspec.structs.replace(about, options=(*about.options, Option("", "missed-one")))
    drawn = page(msgspec.structs.replace(scenes["dispute"], dispute=about))
    assert orders(drawn)["@open lays"].text == "One was missed before"
    assert texts(drawn).count("Take it back") == 1


def test_what_was_read_and_what_else_may_be_said_stand_in_two_rows(scenes: Any) -> None:
    drawn = page(scenes["which-tile"])
    rows = {
        button.rect.y for order, button in orders(drawn).items() if order.startswith(("answer", "@open a", "@open l"))
    }
    assert len(rows) == 2
    assert asking.is_long(scenes["which-tile"].questions[0])
    assert not asking.is_long(scenes["unread"].questions[0])


def test_of_a_game_that_is_not_known_here_no_tile_is_named(scenes: Any) -> None:
    drawn = page(msgspec.structs.replace(scenes["which-tile"], game="mars-domino"))
    assert set(orders(drawn)) >= {f"answer q1 {number}" for number in range(6)}
    assert not any(order.startswith("@") for order in orders(drawn))


def test_a_question_that_is_gone_is_not_answered_any_more(scenes: Any, tmp_path: Path) -> None:
    desk = Desk(scenes["which-tile"], tmp_path)
    desk.tap(desk.centre("@open any-tile"))
    assert "Which tile is this?" in texts(desk.screen.page)
    desk.table.view = replace_questions(scenes["which-tile"])
    desk.screen.step()
    assert "Tap the numbers" not in texts(desk.screen.page)


def replace_questions(view: Any) -> Any:
    return msgspec.structs.replace(view, questions=(), seq=view.seq + 1)
