"""Zones of the mat: where they usually lie, and which a table cannot be played with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.seen.zones import Zone, Zones, check, usual, watched

USUAL = usual(600.0, 400.0, 40.0)


def refused(zones: Zones) -> str:
    with pytest.raises(ValueError, match="expected") as error:
        check(zones, 600.0, 400.0, 40.0, 48.0)
    return str(error.value)


def test_the_usual_zones_leave_the_middle_of_the_mat_to_the_layout() -> None:
    check(USUAL, 600.0, 400.0, 40.0, 48.0)
    assert (USUAL.boneyard, USUAL.show) == (Zone(6, 52, 100, 348), Zone(500, 52, 594, 348))
    assert not any(zone.holds(x_mm, 200.0) for zone in USUAL.both for x_mm in range(101, 500))


@given(st.floats(450, 3000), st.floats(320, 2000), st.floats(20, 60))
def test_the_usual_zones_fit_every_mat_that_has_room_for_them(width: float, height: float, marker: float) -> None:
    check(usual(width, height, marker), width, height, marker, 48.0)


def test_a_point_at_a_zones_edge_lies_in_it_and_one_beyond_only_if_that_is_allowed() -> None:
    zone = USUAL.boneyard
    assert zone.holds(100.0, 52.0)
    assert not zone.holds(100.1, 52.0)
    assert zone.holds(105.0, 47.0, 5.0)
    assert not zone.holds(105.1, 47.0, 5.0)


@pytest.mark.parametrize(
    ("zone", "says"),
    [
        (Zone(-1, 60, 90, 300), "on the mat of 600 x 400 mm, got -1 to 90 by 60 to 300 mm"),
        (Zone(520, 60, 601, 300), "on the mat"),
        (Zone(520, 60, float("nan"), 300), "on the mat"),
        (Zone(90, 60, 10, 300), "as long and wide as a tile, 48 mm"),
        (Zone(10, 60, 50, 300), "as long and wide as a tile"),
        (Zone(10, 30, 100, 300), "beside the mat's markers"),
        (Zone(10, 60, 310, 300), "beside the middle"),
    ],
)
def test_a_zone_that_cannot_be_is_refused_by_its_name(zone: Zone, says: str) -> None:
    for name, zones in (("boneyard", replace(USUAL, boneyard=zone)), ("show", replace(USUAL, show=zone))):
        told = refused(zones)
        assert says in told
        assert name in told


def test_zones_that_meet_are_refused() -> None:
    assert "apart from each other" in refused(replace(USUAL, show=Zone(95, 60, 180, 200)))


def test_what_is_watched_comes_in_one_order_whatever_was_typed() -> None:
    assert watched("hands,draws") == ("draws", "hands")
    assert watched("hands") == ("hands",)
    for text in ("", "draws,draws", "tiles", "draws, hands"):
        with pytest.raises(ValueError, match="expected draws or hands, or both with a comma"):
            watched(text)
