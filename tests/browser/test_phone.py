"""The phone page as people use it: join by the code, watch, act, lose the connection and find it again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from display import languages
from tests.browser.conftest import PHONE, STALE, House, Phones, becomes
from tests.serving import until

PICTURES = Path("screenshots/phone")
LANDSCAPE = {"viewport": {"width": 844, "height": 390}}


def join(page: Any, code: str, seat: str, device: str = "Pixel") -> None:
    """Type the code, say who it is, and join."""
    page.click("#join")
    page.fill("#code", code)
    page.fill("#device", device)
    page.click(f"#seat-choice [data-seat='{seat}']")
    page.click("#join-go")
    page.wait_for_selector("#joining", state="hidden")


def scores(page: Any) -> list[str]:
    """The scores as they are shown."""
    return [text.strip() for text in page.locator("#seats .score").all_inner_texts()]


def tiles(page: Any) -> int:
    """How many tiles the picture shows."""
    return int(page.locator("#table .tile").count())


def test_a_phone_that_only_looks_on_sees_a_tile_arrive_live(house: House, phones: Phones) -> None:
    page = phones.open()
    assert (scores(page), tiles(page)) == (["0", "0"], 0)
    house.say("begin")
    started_s = time.monotonic()
    house.say("A lays 3-3-3 at 0,0,U")
    becomes(page, "document.querySelectorAll('#table .tile').length === 1")
    becomes(page, "document.querySelector('#seats .score').textContent.trim() === '9'")
    assert time.monotonic() - started_s < 3.0
    assert page.locator("#acts").is_hidden(), "who has not joined has nothing to say"


def test_the_address_of_the_qr_code_opens_the_joining_with_the_code_in_it(house: House, phones: Phones) -> None:
    page = phones.open(f"#code={house.code}")
    assert page.input_value("#code") == house.code
    assert "code" not in page.url, "it is not left standing in the address"
    page.click("#seat-choice [data-seat='1']")
    page.click("#join-go")
    becomes(page, "document.querySelector('#me').textContent === 'Bogdan'")


def test_with_a_wrong_code_nobody_joins_and_the_page_says_why(house: House, phones: Phones) -> None:
    page = phones.open()
    page.click("#join")
    page.fill("#code", "000000" if house.code != "000000" else "000001")
    page.click("#seat-choice [data-seat='0']")
    page.click("#join-go")
    becomes(page, "document.querySelector('#why').textContent !== ''")
    assert page.locator("#joining").is_visible()


def test_a_player_draws_and_passes_from_his_phone_in_his_own_name(house: House, phones: Phones) -> None:
    house.say("begin")
    house.say("A lays 3-3-3 at 0,0,U")
    page = phones.open()
    join(page, house.code, "1")
    other = phones.open()
    page.click("#acts button[data-line='B draws 1']")
    becomes(other, "document.querySelectorAll('#seats .score')[1].textContent.trim() === '−5'")
    assert house.link.ask("history").lines[-1].split()[1:] == ["phone:B:Pixel", "ok-draw", "B", "draws", "1"]
    assert other.locator("#acts").is_hidden()


@pytest.mark.parametrize("room", ["phone", "table"])
def test_a_lost_connection_is_shown_at_once_and_right_again_soon_with_the_seat_kept(
    house: House, phones: Phones, room: str
) -> None:
    house.say("begin")
    page = phones.open()
    join(page, house.code, "0")
    house.end(room)
    becomes(page, STALE)
    assert page.locator("#last-known").is_visible(), "an old score is not shown as live"
    if room == "phone":
        house.say("A lays 3-3-3 at 0,0,U")  # while the phone hears nothing
        house.start_bridge()
    else:
        house.start_table()
        house.say("A lays 3-3-3 at 0,0,U")
    becomes(page, f"!{STALE}")
    becomes(page, "document.querySelector('#seats .score').textContent.trim() === '9'")
    becomes(page, "document.querySelector('#me').textContent === 'Ana'")


def test_the_phone_loses_its_network_and_finds_it_again(house: House, phones: Phones) -> None:
    house.say("begin")
    page = phones.open()
    page.context.set_offline(True)
    becomes(page, STALE)
    house.say("A lays 3-3-3 at 0,0,U")
    assert scores(page) == ["0", "0"]
    page.context.set_offline(False)
    becomes(page, f"!{STALE}")
    becomes(page, "document.querySelector('#seats .score').textContent.trim() === '9'")


def test_a_phone_can_be_sent_away_at_the_table_and_stays_away(house: House, phones: Phones) -> None:
    page = phones.open()
    join(page, house.code, "0")
    becomes(page, "document.querySelector('#me').textContent === 'Ana'")
    until(house.link, lambda: house.link.view is not None and [each.here for each in house.link.view.guests] == [True])
    house.say(f"drop {house.link.view.guests[0].id}")
    becomes(page, STALE)
    page.wait_for_timeout(1500)
    assert page.evaluate(STALE), "it does not come back by itself"


def test_every_language_fits_a_phone_upright_and_lying_by_day_and_by_night(house: House, phones: Phones) -> None:
    """Leaves the pictures in screenshots/phone, to be looked at."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    lines = ("begin", "A lays 3-3-3 at 0,0,U", "B lays 3-3-5 at 0,0,D", "A lays 3-5-5 at 1,0,U", "B draws 1")
    for line in lines:
        house.say(line)
    for number, language in enumerate(languages.available()):
        scheme = "light" if number % 2 else "dark"
        page = phones.open(locale=language.code, color_scheme=scheme)
        becomes(page, f"document.documentElement.lang === '{language.code}'")
        join(page, house.code, "1", device=f"Pixel {language.code}")
        page.wait_for_selector("#acts button")
        for name, size in (("upright", PHONE), ("lying", LANDSCAPE)):
            page.set_viewport_size(size["viewport"])
            page.wait_for_timeout(100)
            page.screenshot(path=str(PICTURES / f"{language.code}-{name}-{scheme}.png"))
            wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide <= room, f"{language.code} {name}: {wide} pixels wide where {room} are shown"
            cut = page.evaluate(CUT)
            assert cut == [], f"{language.code} {name}"


CUT = """[...document.querySelectorAll('button, h1, h2, p, li, label')]
  .filter((each) => each.offsetParent && each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).overflow !== 'visible' && getComputedStyle(each).textOverflow !== 'ellipsis')
  .map((each) => each.textContent)"""
