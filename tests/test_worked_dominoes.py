"""Worked positions of Block and All Fives: each with the sum that a person would write beside it.

The sums stand in the file as they were added up by hand (`5+5 + 0`); what they come to is left to the test.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import notation
from referee.games import game
from referee.laying import line
from referee.moves import Begin, Place, ShowHand
from referee.state import Phase, State
from referee.tiles import Tile

WORKED: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "rules" / "worked-dominoes.json").read_text(encoding="utf-8")
)
SEATS = "ABCD"


def added(text: str) -> int:
    """A sum as people write it."""
    return sum(int(sign.replace(" ", "") + number) for sign, number in re.findall(r"([+-]?\s*)(\d+)", text))


def begun(case: dict[str, Any], players: int = 2) -> State:
    """A round in which anybody may hold anything."""
    chosen = game(case["preset"])
    settings = chosen.vary(chosen.settings, case.get("options", {}))
    return chosen.rule(chosen.start(chosen, tuple(SEATS[:players]), settings), Begin()).state


def place(seat: int, text: str) -> Place:
    move = notation.parse(f"{SEATS[seat]} lays {text}")
    assert isinstance(move, Place)
    return move


@pytest.mark.parametrize("case", WORKED["places"], ids=lambda case: case["id"])
def test_a_tile_is_ruled_and_paid_as_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    state, rule = begun(case), game(case["preset"]).rule
    for text in case["laid"]:
        ruling = rule(state, place(state.turn or 0, text))
        assert ruling.is_legal, (text, ruling.reason)
        state = replace(ruling.state, scores=(0, 0), hands=(7, 7))
    ruling = rule(state, place(state.turn or 0, case["move"]))
    assert ruling.reason.value == case["reason"]
    assert ruling.points(state.turn or 0) == case["points"]
    assert (ruling.state.unclaimed or 0) == case.get("unclaimed", 0)
    if "sum" in case:
        assert line.count(ruling.state.layout) == added(case["sum"])
        assert not case["points"] or case["points"] == added(case["sum"])
    if case["points"]:
        assert f"{case['preset']} §8.3.6" in [cite.clause for cite in ruling.cites]


@pytest.mark.parametrize("case", WORKED["rounds"], ids=lambda case: case["id"])
def test_a_round_is_scored_as_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    hands = [tuple(Tile.parse(each) for each in hand.split()) for hand in case["hands"]]
    state, rule = begun(case, len(hands)), game(case["preset"]).rule
    state = rule(state, place(0, "5-5 at left")).state
    out = next((seat for seat, hand in enumerate(hands) if not hand), None)
    shown = tuple(() if seat == out else None for seat in range(len(hands)))
    state = replace(state, phase=Phase.SHOW_HANDS, turn=None, out=out, blocked=out is None, scores=(0,) * len(hands))
    state = replace(state, hands=tuple(map(len, hands)), shown=shown)
    awards = {}
    for seat, hand in enumerate(hands):
        if seat != out:
            ruling = rule(state, ShowHand(seat, hand))
            awards |= {f"{SEATS[award.seat]} {award.what}": award.points for award in ruling.awards}
            state = ruling.state
    assert awards == {what: added(points) for what, points in case["expect"].items()}
    assert state.scores == tuple(
        sum(added(points) for what, points in case["expect"].items() if what[0] == seat) for seat in SEATS[: len(hands)]
    )


def test_every_worked_position_has_a_name_of_its_own_and_says_why() -> None:
    every = [*WORKED["places"], *WORKED["rounds"]]
    assert len({case["id"] for case in every}) == len(every)
    assert all(case["why"] for case in every)
