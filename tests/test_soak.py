"""A few minutes of an evening in fast motion; `make soak` has eight hours."""

from __future__ import annotations

from pathlib import Path

from referee.commands.house import ROOMS
from tests.soak.__main__ import table_of
from tests.soak.evening import Plan, play
from tests.soak.watching import Grown, Look, Watch


def test_a_house_in_a_hurry_plays_is_disturbed_and_every_room_is_watched(tmp_path: Path) -> None:
    evening = play(Plan(hours=0.02), tmp_path, lambda _: None)
    assert evening.trouble == "", table_of(evening)
    assert evening.hours >= 0.02
    assert tuple(evening.rooms) == ROOMS
    assert all(each.end.mb > 10 and each.end.handles > 5 for each in evening.rooms.values())
    assert evening.laid >= 1
    assert evening.faults >= 1
    assert evening.minutes * 60 < evening.hours * 3600, "its clocks are faster than ours"


def looks(*told: tuple[float, float, int]) -> list[Look]:
    return [Look(*each) for each in told]


def test_growth_counts_from_when_a_room_has_warmed_up_and_what_comes_and_goes_is_none() -> None:
    watch = Watch(warm_s=100.0)
    watch.looks["table"] = looks((0, 50, 9), (100, 80, 12), (160, 200, 30), (220, 81, 12), (280, 82, 13), (340, 81, 12))
    flat = watch.grown()["table"]
    assert (flat.start.mb, flat.warm.handles, flat.end.handles) == (50, 12, 12)
    assert flat.is_flat
    watch.looks["table"] += looks(*((400 + 60 * n, 115, 12) for n in range(9)))
    assert not watch.grown()["table"].is_flat, "30 MB are too much"
    one_more = Grown(Look(0, 50, 9), Look(100, 80, 12), Look(900, 80, 13))
    assert not one_more.is_flat, "a handle that stays open is a leak"
