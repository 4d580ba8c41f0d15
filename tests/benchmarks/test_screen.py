"""What drawing a page costs."""

import time

import pytest

from display import draw
from display.screen import Screen
from display.sentences import Words
from display.shots import Shots
from display.widgets import Page
from tests.benchmarks.yardstick import quickest_s, rounds_s
from tests.display import gallery
from tests.display.conftest import SCENES
from tests.display.test_screen import FakeTable

SIZE = (800, 480)
MOST_REDRAW, MOST_IDLE = 2.0, 0.1

pytestmark = pytest.mark.benchmark(timer=time.thread_time)


def drawing_s(page: Page, rounds: int = 7, **how: object) -> float:
    """The processor time to draw a page that has been drawn before."""

    def drawn() -> None:
        draw.draw(page, SIZE, **how)  # type: ignore[arg-type]  # passed on

    drawn()
    return quickest_s(list(rounds_s(drawn, rounds)))


def test_the_slowest_of_all_pages_is_drawn_within_its_time(benchmark, ledger) -> None:
    pages = dict(gallery.gallery(Words()))
    spent = {name: drawing_s(page) for name, page in pages.items()}
    slowest = max(spent, key=spent.__getitem__)
    benchmark.pedantic(draw.draw, (pages[slowest], SIZE), rounds=50, warmup_rounds=3)
    assert ledger.benchmark(
        "screen", f"the slowest of {len(pages)} pages drawn whole ({slowest})", benchmark, MOST_REDRAW
    )


@pytest.mark.parametrize("how", [{"is_large": True}, {"brightness": 50}, {"flash": True}])
def test_large_text_a_dim_picture_and_a_flash_cost_no_more_time_than_there_is(how: dict[str, object], ledger) -> None:
    spent = max(drawing_s(page, **how) for page in dict(gallery.gallery(Words())).values())
    told = {"is_large": "in large text", "brightness": "dimmed", "flash": "while it flashes"}[next(iter(how))]
    assert ledger.time("screen", f"the slowest page {told}", spent, MOST_REDRAW)


def test_a_frame_in_which_nothing_happens_costs_little(benchmark, ledger, tmp_path) -> None:
    import pygame

    window = pygame.Surface(SIZE)
    screen = Screen(FakeTable(SCENES["everything"]), lambda: window, Shots(tmp_path), flip=lambda: None)
    screen.step()
    assert not benchmark(screen.step)
    assert ledger.benchmark("screen", "a turn of its loop in which nothing happens", benchmark, MOST_IDLE)
