"""What a view tells of the round and of ways out of a dispute."""

from __future__ import annotations

import pytest

from referee import asking, umpire, views
from referee.seen.memory import Memory
from referee.tiles import Shape
from referee.umpire import Record
from tests.referee.entering import written

TRIANGLES = "match ro-trimino/manufacturer A=Ana B=Bo"
OPENED = ("begin", "A announces 5-5-5", "B announces 0-0-1", "A lays 5-5-5 at 0,0,U")
MOON = (
    *("match kk-moon A=Ana B=Bo C=Cy", "begin", "first bidder A", "A bids 4", "B passes", "C passes"),
    *("A discards hidden", "A names none"),
)


def told(record: Record) -> list[tuple[int, int]]:
    """The score of each seat, and what of it this round has brought."""
    view = views.view(record, Memory(), Shape.triomino(), views.Circumstances(), "epoch", 1)
    return [(seat.score, seat.round_points) for seat in view.seats]


def test_fixed_a_round_that_is_void_has_brought_nothing() -> None:
    record = written(TRIANGLES, *OPENED)
    assert told(record) == [(25, 25), (0, 0)]
    record = written("redeal", record=record)
    assert told(record) == [(0, 0), (0, 0)]
    record = written("begin", record=record)
    assert told(record) == [(0, 0), (0, 0)]
    assert told(written("A lays 5-5-5 at 0,0,U", record=record)) == [(25, 25), (0, 0)]


def test_fixed_of_a_void_round_its_penalties_stay() -> None:
    record = written(f"{TRIANGLES} wrong_deal_penalty=50", *OPENED, "A dealt 10")
    assert told(record) == [(-50, -50), (0, 0)]
    assert told(written("begin", record=record)) == [(-50, -50), (0, 0)]


def test_the_points_of_a_round_begin_anew_with_the_next_one_and_with_the_next_match() -> None:
    over = ("match fr-domino A=Ana B=Bo rounds=1 hands=2:1", "begin", "A lays 0-0 at left", "B shows 5-6")
    record = written(*over)
    assert told(record) == [(0, 0), (11, 11)]
    assert told(written(*over[:1], record=record)) == [(0, 0), (0, 0)]
    going_on = (over[0].replace("rounds=1", "rounds=2"), *over[1:])
    assert told(written(*going_on, "clear", "begin")) == [(0, 0), (11, 0)]


@pytest.mark.parametrize(
    ("since", "first"),
    [
        ((), "take-back"),
        (("A lays 5-5 loose",), "take-back"),
        (("A lays 5-5 loose", "B gets 1"), "take-back"),
        (("A lays 5-5 loose", "B lays 5-6 loose"), "stands"),
    ],
)
def test_fixed_a_lead_out_of_turn_is_to_be_taken_back_until_two_have_followed(
    since: tuple[str, ...], first: str
) -> None:
    record = written(*MOON, "C lays 2-4 loose", *since)
    options = asking.remedies(record, umpire.acts(record), len(MOON) + 1)
    assert next(option.what for option in options) == first
