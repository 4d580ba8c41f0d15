"""Suits, ranks and the winner of a trick, for every kind of trump."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games import game
from referee.moves import Trump
from referee.tiles import Tile
from referee.tricks import trick
from referee.tricks.trick import TRUMPS, Why

TILES = game("kk-moon").tiles
TRUMPS_NAMED: tuple[Trump, ...] = (*range(7), "doubles", "none")
trumps = st.sampled_from(TRUMPS_NAMED)
some_tiles = st.lists(st.sampled_from(TILES), min_size=3, max_size=3, unique=True)


def tiles(names: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, names.split()))


def winner(names: str, trump: Trump) -> tuple[str, Why]:
    played = tiles(names)
    index, why = trick.taken(played, trick.suits_of(played[0], trump)[0], trump)
    return names.split()[index], why


@pytest.mark.parametrize(
    ("trump", "names", "taken", "why"),
    [
        (2, "6-6 2-1 6-5", "2-1", Why.TRUMP),
        (2, "2-1 2-2 2-6", "2-2", Why.TRUMP),
        (2, "5-6 1-2 6-6", "1-2", Why.TRUMP),
        (3, "1-2 5-5 4-6", "1-2", Why.ALONE),
        (3, "1-2 6-6 2-4", "2-4", Why.SUIT),
        ("none", "3-5 5-6 4-5", "5-6", Why.SUIT),
        ("none", "3-5 3-3 6-6", "3-5", Why.ALONE),
        ("none", "3-5 5-5 5-6", "5-5", Why.SUIT),
        ("doubles", "5-6 1-6 0-0", "0-0", Why.TRUMP),
        ("doubles", "5-5 6-6 1-1", "6-6", Why.TRUMP),
        ("doubles", "4-6 5-6 1-5", "5-6", Why.SUIT),
        (6, "0-0 1-2 4-5", "0-0", Why.ALONE),
        (0, "1-1 0-0 1-6", "0-0", Why.TRUMP),
    ],
)
def test_the_highest_trump_takes_the_trick_else_the_highest_of_the_suit_led(
    trump: Trump, names: str, taken: str, why: Why
) -> None:
    assert winner(names, trump) == (taken, why)


def test_the_double_tops_its_suit_and_the_others_follow_by_their_other_number() -> None:
    suit = [tile for tile in TILES if 1 in tile.values]
    ranked = sorted(suit, key=lambda tile: trick.strength(tile, 1, "none"), reverse=True)
    assert ranked == list(tiles("1-1 1-6 1-5 1-4 1-3 1-2"))


def test_a_tile_with_the_trump_number_belongs_to_no_other_suit() -> None:
    assert trick.suits_of(Tile((4, 6)), 4) == (TRUMPS,)
    assert not trick.follows(Tile((4, 6)), 6, 4)


def test_doubles_leave_their_numbers_when_they_are_trumps() -> None:
    assert trick.suits_of(Tile((6, 6)), "doubles") == (TRUMPS,)
    assert trick.suits_of(Tile((6, 6)), "none") == (6,)


def test_a_mixed_tile_asks_for_its_higher_number() -> None:
    assert trick.suits_of(Tile((2, 4)), 6) == (4, 2)


@pytest.mark.parametrize(
    ("trump", "suit", "hand", "may"),
    [
        (4, 6, "4-6 1-3 1-2", "4-6 1-3 1-2"),
        (4, 6, "4-6 1-6 1-3", "1-6"),
        (4, TRUMPS, "4-6 1-5", "4-6"),
        ("doubles", 6, "6-6 1-2", "6-6 1-2"),
        ("doubles", TRUMPS, "5-6 3-5 1-1", "1-1"),
        ("none", 4, "1-4 2-2", "1-4"),
        (6, 0, "1-2 3-6", "1-2 3-6"),
        (6, None, "1-2 3-6", "1-2 3-6"),
    ],
)
def test_whoever_can_follow_must_and_whoever_cannot_may_play_anything(
    trump: Trump, suit: int | None, hand: str, may: str
) -> None:
    assert trick.playable(tiles(hand), suit, trump) == tiles(may)


@pytest.mark.parametrize("trump", TRUMPS_NAMED)
def test_no_two_tiles_of_a_suit_are_equal(trump: Trump) -> None:
    for suit in (TRUMPS, *range(7)):
        strengths = [trick.strength(tile, suit, trump) for tile in TILES if trick.follows(tile, suit, trump)]
        assert len(set(strengths)) == len(strengths)


@pytest.mark.parametrize("trump", TRUMPS_NAMED)
def test_every_tile_belongs_to_one_suit_or_two(trump: Trump) -> None:
    for tile in TILES:
        suits = trick.suits_of(tile, trump)
        assert len(suits) == (1 if trick.is_trump(tile, trump) or tile.is_uniform else 2)


@given(trump=trumps, played=some_tiles)
def test_who_follows_does_not_change_when_the_others_play_in_another_order(trump: Trump, played: list[Tile]) -> None:
    led, *others = played
    suit = trick.suits_of(led, trump)[0]
    taken = {(led, *order)[trick.taken((led, *order), suit, trump)[0]] for order in permutations(others)}
    assert len(taken) == 1


@given(trump=trumps, played=some_tiles)
def test_a_tile_of_another_suit_never_takes_a_trick(trump: Trump, played: list[Tile]) -> None:
    suit = trick.suits_of(played[0], trump)[0]
    tile = played[trick.taken(tuple(played), suit, trump)[0]]
    assert trick.is_trump(tile, trump) or trick.follows(tile, suit, trump)


def test_every_trick_goes_to_exactly_one_of_its_tiles() -> None:
    for trump in TRUMPS_NAMED:
        for led in TILES:
            suit = trick.suits_of(led, trump)[0]
            for others in combinations([tile for tile in TILES if tile != led][::4], 2):
                played = (led, *others)
                index, _ = trick.taken(played, suit, trump)
                beaten = [each for each in played if each != played[index]]
                assert all(trick.taken((played[index], each), suit, trump)[0] == 0 for each in beaten)
