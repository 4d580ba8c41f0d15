"""A small crowd at a whole house: everybody is current, and nobody who comes and goes costs memory."""

from __future__ import annotations

from pathlib import Path

from tests.load.measuring import Plan, measure, table_of


def test_a_small_crowd_is_current_in_the_end_and_costs_no_memory(tmp_path: Path) -> None:
    measured = measure(Plan(web=6, native=4, seconds=2.0, reconnects=100), tmp_path)
    assert (measured.web.clients, measured.native.clients) == (6, 4)
    assert measured.web.all_current, table_of(measured)
    assert measured.native.all_current, table_of(measured)
    assert measured.bridge_growth_mb < 20, table_of(measured)
    assert measured.table_growth_mb < 20, table_of(measured)
