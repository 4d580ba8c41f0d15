"""Tiles that were found in one another are set beside each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from referee.sighting import SeenTile
from referee.tiles import Shape
from vision.beside import KNOWN_MM, apart, pushed_out
from vision.kinds import kinds
from vision.outlines import Template, overlap

TEMPLATES = {kind: Template.of(kinds()[kind], getattr(Shape, kind)()) for kind in ("domino", "triomino")}


def domino(x_mm: float, y_mm: float, angle_deg: float = 0.0) -> SeenTile:
    return SeenTile("domino", (1, 5), x_mm, y_mm, angle_deg)


def test_tiles_that_touch_stay_where_they_were_found() -> None:
    found = [domino(100.0, 100.0), domino(147.6, 100.0)]
    assert apart(TEMPLATES["domino"], found, [domino(100.0, 124.0)]) == found


def test_fixed_a_tile_found_in_the_end_of_one_that_lies_there_is_set_before_it() -> None:
    first, second = apart(
        TEMPLATES["domino"], [domino(102.4, 100.0), domino(51.0, 100.0)], [domino(147.2, 100.0, 180.0)]
    )
    assert (first.x_mm, second.x_mm) == (pytest.approx(147.2 - 48.0 + KNOWN_MM), 51.0)
    assert (first.y_mm, first.angle_deg) == (100.0, 0.0)


def test_of_two_tiles_found_in_each_other_each_gives_way_by_half() -> None:
    first, second = apart(TEMPLATES["domino"], [domino(100.0, 100.0), domino(145.0, 100.0)], [])
    assert second.x_mm - first.x_mm == pytest.approx(48.0 - KNOWN_MM)
    assert first.x_mm + second.x_mm == pytest.approx(245.0)


def test_a_tile_on_top_of_another_is_left_on_top() -> None:
    assert apart(TEMPLATES["domino"], [domino(110.0, 104.0, 30.0)], [domino(100.0, 100.0)]) == [
        domino(110.0, 104.0, 30.0)
    ]


@given(
    some.sampled_from(sorted(TEMPLATES)),
    some.floats(-30.0, 30.0),
    some.floats(-30.0, 30.0),
    some.floats(-180.0, 180.0),
)
def test_who_is_pushed_out_of_another_goes_the_shortest_way_and_reaches_in_no_more(
    kind: str, x_mm: float, y_mm: float, angle_deg: float
) -> None:
    template, pose, other = TEMPLATES[kind], np.array([x_mm, y_mm, angle_deg]), np.zeros(3)
    out = pushed_out(template, pose, [other])
    away_mm = float(np.hypot(*(out - pose)[:2]))
    assert out[2] == angle_deg
    if away_mm > 0.0:
        before, after = (overlap(template, each, other) for each in (pose, out))
        assert after < before
        again = pushed_out(template, out, [other])
        assert np.allclose(again, out, atol=1e-6)
