"""What the referee proposes for a call or a tile that was refused in a game of tricks."""

from __future__ import annotations

import pytest

from referee import notation
from referee.games import moon
from referee.moves import Move
from referee.rulings import Offer
from referee.tricks.trick import TrickState
from tests.referee.moonplay import after, auction, known, tricks


def offered(state: TrickState, line: str, has_gone_on: bool = False) -> list[str]:
    """Each offer and the line that is entered for it."""
    found = moon.offers(state, move(line), has_gone_on)
    return [f"{each.what}: {notation.write(each.move)}" if each.move else each.what for each in found]


def move(line: str) -> Move:
    return notation.parse(line)  # type: ignore[return-value]  # a move, as the lines here are


def test_a_tile_led_out_of_turn_is_taken_back_and_stands_once_two_have_followed() -> None:
    stands = "stands: B plays 2-4 overruled"
    assert offered(tricks(), "B plays 2-4") == ["take-back", stands]
    assert offered(tricks(), "B plays 2-4", has_gone_on=True) == [stands, "take-back"]


@pytest.mark.parametrize(
    ("begun", "line", "since", "has_gone_on"),
    [
        ((), "B lays 2-4 loose", {2}, False),
        ((), "B lays 2-4 loose", {0}, False),
        ((), "B lays 2-4 loose", {1, 2}, False),
        ((), "B lays 2-4 loose", {0, 2}, True),
        (("A plays 5-6",), "C lays 2-4 loose", {0}, False),
        (("A plays 5-6",), "C lays 2-4 loose", {1}, True),
        ((), "A holds 6", {0, 1, 2}, False),
    ],
)
def test_fixed_a_lead_out_of_turn_stands_when_two_have_followed_and_any_other_tile_when_the_next_has_played(
    begun: tuple[str, ...], line: str, since: set[int], has_gone_on: bool
) -> None:
    assert moon.goes_on(after(tricks("2"), *begun), move(line), since) is has_gone_on


def test_a_call_out_of_turn_is_no_longer_void_when_the_next_seat_has_called() -> None:
    assert moon.goes_on(auction(), move("B bids 5"), {2})
    assert not moon.goes_on(auction(), move("B bids 5"), {0})


def test_a_tile_out_of_turn_that_the_camera_saw_stands_as_the_camera_saw_it() -> None:
    assert offered(tricks(), "B lays 2-4 loose", True) == ["stands: B lays 2-4 loose overruled", "take-back"]


def test_a_tile_out_of_turn_lies_open_first_of_all_where_that_is_the_house_rule() -> None:
    state = tricks(out_of_turn_remedy="stays_open")
    expected = ["stays-open: B exposes 2-4 laid", "take-back", "stands: B plays 2-4 overruled"]
    assert offered(state, "B plays 2-4") == expected
    assert offered(state, "B plays 2-4", True) == [expected[2], "take-back", expected[0]]


@pytest.mark.parametrize("line", ["B bids 5", "B passes"])
def test_a_call_out_of_turn_is_void_or_stands_when_the_turn_is_set_to_its_seat(line: str) -> None:
    assert offered(auction(), line) == ["take-back", "stands: turn B"]
    assert offered(auction(), line, True) == ["stands: turn B", "take-back"]
    assert offered(auction(out_of_turn_bid="pass"), line) == []
    assert offered(after(auction(), "turn B"), line) == []


def test_a_second_bid_is_void() -> None:
    assert offered(after(auction(), "A bids 4"), "A bids 5") == ["take-back"]


def test_a_tile_that_does_not_follow_although_one_is_known_that_does_is_taken_back_or_let_stand() -> None:
    state = known(after(tricks("2"), "A plays 5-6"), 1, "4-6 1-3")
    assert offered(state, "B plays 1-3") == ["take-back", "stands: B plays 1-3 overruled"]


@pytest.mark.parametrize("line", ["B plays 5-6", "B plays 0-6"])
def test_a_tile_that_is_there_twice_or_of_another_set_is_taken_back_or_has_the_deal_played_again(line: str) -> None:
    assert offered(after(tricks("2"), "A plays 5-6"), line) == ["take-back", "redeal: redeal"]


def test_a_second_tile_to_a_trick_can_only_be_taken_back() -> None:
    assert offered(after(tricks("2"), "A plays 5-6"), "A plays 1-1") == ["take-back"]


@pytest.mark.parametrize("line", ["A plays 5-6", "A bids 4", "A names 6", "B gets 4", "D plays 5-6"])
def test_nothing_is_offered_for_what_stands_or_is_no_call_or_tile(line: str) -> None:
    assert offered(tricks(), line) == []


def test_an_offer_says_how_it_would_be_ruled() -> None:
    offer = moon.offers(tricks(), move("B plays 2-4"), True)[0]
    assert offer.ruling is not None
    assert offer.ruling.state.turn == 2
    assert moon.offers(tricks(), move("B plays 2-4"), False)[0] == Offer("take-back")


def test_nothing_is_offered_for_a_tile_that_is_played_before_there_are_tricks() -> None:
    assert offered(auction(), "A plays 5-6") == []
