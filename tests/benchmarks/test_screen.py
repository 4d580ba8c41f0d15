"""What drawing a page costs, beside the cost of decoding one 1080p JPEG in the same run.

A limit is meant for a machine that decodes in `DECODING_S`; on a slower one it grows as decoding does.
"""

import time
from statistics import median

import pytest

from display import draw
from display.screen import Screen
from display.sentences import Words
from display.shots import Shots
from display.widgets import Page
from tests.benchmarks.test_reading import decoding_s
from tests.benchmarks.test_rules import DECODING_S
from tests.display import gallery
from tests.display.conftest import SCENES
from tests.display.test_screen import FakeTable

SIZE = (800, 480)
REDRAW_S = 0.005
IDLE_S = 0.002


def drawing_s(page: Page, rounds: int = 7, **how: object) -> float:
    """The median processor time of this thread to draw a page that has been drawn before."""
    spent = []
    draw.draw(page, SIZE, **how)  # type: ignore[arg-type]  # passed on
    for _ in range(rounds):
        started = time.thread_time()
        draw.draw(page, SIZE, **how)  # type: ignore[arg-type]  # passed on
        spent.append(time.thread_time() - started)
    return median(spent)


@pytest.mark.benchmark(timer=time.thread_time)  # others may be busy on the machine
def test_the_slowest_of_all_pages_is_drawn_within_its_time(benchmark) -> None:
    pages = dict(gallery.gallery(Words()))
    spent = {name: drawing_s(page) for name, page in pages.items()}
    slowest = max(spent, key=spent.__getitem__)
    benchmark.pedantic(draw.draw, (pages[slowest], SIZE), rounds=50, warmup_rounds=3)
    decoding = decoding_s()
    benchmark.extra_info["page"] = slowest
    benchmark.extra_info["pages"] = len(pages)
    benchmark.extra_info["jpeg_decode_1080p_s"] = decoding
    benchmark.extra_info["ratio_to_jpeg_decode"] = benchmark.stats.stats.median / decoding
    assert benchmark.stats.stats.median / decoding < REDRAW_S / DECODING_S


@pytest.mark.parametrize("how", [{"is_large": True}, {"brightness": 50}, {"flash": True}])
def test_large_text_a_dim_picture_and_a_flash_cost_no_more_time_than_there_is(how: dict[str, object]) -> None:
    spent = max(drawing_s(page, 3, **how) for page in dict(gallery.gallery(Words())).values())
    assert spent / decoding_s() < REDRAW_S / DECODING_S


@pytest.mark.benchmark(timer=time.thread_time)
def test_a_frame_in_which_nothing_happens_costs_little(benchmark, tmp_path) -> None:
    import pygame

    window = pygame.Surface(SIZE)
    screen = Screen(FakeTable(SCENES["everything"]), lambda: window, Shots(tmp_path), flip=lambda: None)
    screen.step()
    assert not benchmark(screen.step)
    assert benchmark.stats.stats.median / decoding_s() < IDLE_S / DECODING_S
