"""Every house rule of Moon can be read in the rule sheet and makes a difference in play."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from referee import houserules
from referee.rulings import Ruling
from referee.state import Phase
from tests.referee.moonplay import GAME, after, auction, does, scored, started, tricks

Outcome = tuple[object, ...]
REVOKED = ("A plays 5-6", "B plays 1-3", "C plays 1-6", "A plays 4-4")


def seen(ruling: Ruling) -> Outcome:
    state = ruling.state
    return ruling.reason, state.phase, state.turn, state.scores, state.ranking


def last(start: Callable[..., object], *lines: str) -> Callable[[dict[str, str]], Outcome]:
    """What the last of some lines leads to, by house rules."""

    def outcome(options: dict[str, str]) -> Outcome:
        state = start(**options)
        return seen(does(after(state, *lines[:-1]), lines[-1]))  # type: ignore[arg-type]  # a state

    return outcome


def made(bid: int, won: str, *scores: int) -> Callable[[dict[str, str]], Outcome]:
    """How a deal ends in which these seats have taken the tricks."""
    return lambda options: seen(scored(bid, won, scores, **options))  # type: ignore[arg-type]  # three scores


def trumps_in_twos(**options: str) -> object:
    return tricks("2", **options)


EFFECTS: dict[str, tuple[tuple[str, ...], Callable[[dict[str, str]], Outcome]]] = {
    "opening": (("any",), last(started, "begin", "B bids 4")),
    "least_bid": (("5",), last(auction, "A bids 4")),
    "all_pass": (("forced",), last(auction, "A passes", "B passes", "C passes")),
    "trump_before_widow": (("yes",), last(auction, "A bids 4", "B passes", "C passes", "A names 6")),
    "moon_made": (("points",), made(21, "AAAAAAA", -10, 19, 3)),
    "bidder_goes_out": (("yes",), made(4, "AAAAABC", 17, 21, 8)),
    "leader_names_suit": (("yes",), last(tricks, "A plays 2-4 as 2")),
    "revoke_remedy": (("report", "replay"), last(trumps_in_twos, *REVOKED, "B plays 4-6")),
    "out_of_turn_bid": (("pass",), last(auction, "B bids 5")),
    "out_of_turn_remedy": (("stays_open",), last(tricks, "B exposes 4-5 laid", "A plays 3-5", "B plays 5-5")),
    "exposed_tile_remedy": (("must_play",), last(tricks, "B exposes 4-5", "A plays 3-5", "B plays 5-5")),
    "tile_missing_remedy": (("void",), last(tricks, "stock 0")),
    "target": (("22",), made(4, "AAAAABC", 17, 0, 0)),
}
# These say together what is dealt, so none can be changed alone.
OF_THE_DEAL = {"players", "hands", "max_number"}


def default_of(name: str) -> str:
    return houserules.written(GAME.settings)[name]


def test_every_house_rule_of_moon_is_tried() -> None:
    assert set(EFFECTS) | OF_THE_DEAL == set(houserules.options(GAME.settings))
    for name, (values, _) in EFFECTS.items():
        expected = houserules.options(GAME.settings)[name]
        if re.fullmatch(r"\w+( or \w+)+", expected):
            assert {default_of(name), *values} == set(expected.split(" or "))


def check_sheets(*options: dict[str, str]) -> None:
    """The sheets are different, but the same paragraphs stand in all of them."""
    sheets = [GAME.sheet(GAME.vary(GAME.settings, each)) for each in options]
    assert len(set(sheets)) == len(sheets)
    assert len({tuple(clause for clause, _ in sheet) for sheet in sheets}) == 1


@pytest.mark.parametrize("name", EFFECTS)
def test_every_house_rule_changes_the_sheet(name: str) -> None:
    check_sheets({}, *({name: value} for value in EFFECTS[name][0]))


def test_what_is_dealt_stands_in_the_sheet() -> None:
    four = {"players": "2-4", "hands": "4:7", "max_number": "7"}
    check_sheets({}, four, {**four, "hands": "2:14"}, {"max_number": "5", "hands": "3:5"})
    # who may play but gets no tiles cannot
    assert GAME.sheet(GAME.vary(GAME.settings, four)) == GAME.sheet(
        GAME.vary(GAME.settings, {**four, "players": "3-4"})
    )


@pytest.mark.parametrize("name", EFFECTS)
def test_every_house_rule_makes_a_difference_in_play(name: str) -> None:
    values, outcome = EFFECTS[name]
    outcomes = [outcome({name: value}) for value in (default_of(name), *values)]
    assert outcomes[0] == outcome({})
    assert len(set(outcomes)) == len(outcomes)


def test_four_may_play_with_a_larger_set() -> None:
    options = {"players": "3-4", "hands": "4:7", "max_number": "7"}
    four = ("Ana", "Bo", "Cy", "Di")
    state = GAME.start(GAME, four, GAME.vary(GAME.settings, options))
    assert (state.hands, state.stock, state.phase) == ((7, 7, 7, 7), 1, Phase.DEAL)
    with pytest.raises(ValueError, match="expected 4 players"):
        GAME.start(GAME, four[:3], GAME.vary(GAME.settings, options))
    sheet = dict(GAME.sheet(GAME.vary(GAME.settings, options)))
    assert sheet["4.1"].startswith("4 players, each alone")
    assert sheet["4.2"].startswith("29 tiles")


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        ({"max_number": "5"}, "hands", "at most 5 tiles for each of 3"),
        ({"max_number": "8", "players": "4-4", "hands": "4:7"}, "hands", "leave one of 37 tiles for the centre"),
        ({"hands": "3:6"}, "hands", "leave one of 22 tiles for the centre, got 3:6"),
        ({"players": "1-3", "hands": "1:21,3:7"}, "hands", "hands of several players"),
        ({"players": "4-4"}, "hands", "expected tiles for 4 to 4 players"),
        ({"least_bid": "8"}, "least_bid", "lowest bid of at most 7, got 8"),
    ],
)
def test_house_rules_that_cannot_be_dealt_are_refused_by_name(
    options: dict[str, str], option: str, message: str
) -> None:
    with pytest.raises(houserules.HouseRuleError, match=message) as caught:
        GAME.vary(GAME.settings, options)
    assert caught.value.option == option
