"""Where tiles may lie: frozen counts from fixed positions, and what the rules themselves say of each place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import notation, transcript
from referee.games import game, games
from referee.moves import Pass, Place
from referee.placements import legal_placements, missed
from referee.rulings import Reason
from referee.state import Phase, Placed, State
from referee.tiles import Tile

HERE = Path(__file__).parent
FROZEN: list[dict[str, Any]] = json.loads((HERE / "frozen" / "placements.json").read_text(encoding="utf-8"))
RECORDS = sorted((HERE / "records").glob("*.txt"))[::5]


def position(preset: str, layout: list[str]) -> State:
    """Seat A is to move on a table laid as the lines say, with nothing known of the hands."""
    each = game(preset)
    names = ("Ana", "Bo", "Cy")[: max(2, each.min_players)]
    state = each.start(each, names, each.settings)
    placed = []
    for line in layout:
        move = notation.parse(f"B lays {line}")
        assert isinstance(move, Place)
        placed.append(Placed(move.tile, move.spot, move.seat))
    return replace(state, phase=Phase.PLAY, turn=0, layout=tuple(placed))


def counts(state: State) -> dict[str, int]:
    """How many legal placements of all tiles that are left there are, of each kind, and their points in all."""
    laid = {placed.tile for placed in state.layout}
    found = legal_placements(state, [tile for tile in game(state.game).tiles if tile not in laid])
    kinds = {reason.value: sum(each.reason is reason for each in found) for reason in {each.reason for each in found}}
    return {"placements": len(found), "points": sum(each.points for each in found), **kinds}


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda frozen: frozen["name"])
def test_the_legal_placements_from_a_fixed_position_are_as_many_as_ever(frozen: dict[str, Any]) -> None:
    for preset, expected in frozen["counts"].items():
        assert counts(position(preset, frozen["layout"])) == expected


def test_every_game_of_laying_tiles_has_frozen_positions() -> None:
    laying = {preset for preset, each in games().items() if legal_placements(opening(preset), each.tiles)}
    assert laying == {preset for frozen in FROZEN for preset in frozen["counts"]}


def opening(preset: str) -> State:
    return position(preset, [])


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda frozen: frozen["name"])
def test_a_listed_placement_is_ruled_and_paid_as_the_list_says(frozen: dict[str, Any]) -> None:
    for preset in frozen["counts"]:
        state = position(preset, frozen["layout"])
        for each in legal_placements(state, game(preset).tiles)[::7]:
            ruling = game(preset).rule(state, Place(0, each.tile, each.spot))
            if ruling.reason is Reason.NEEDS_TRIPLE:  # where it lies is right, but it may not open
                continue
            assert ruling.is_legal
            assert ruling.reason in (each.reason, Reason.FISH)
            assert sum(award.points for award in ruling.awards if award.what not in ("out", "others")) == each.points


@pytest.mark.parametrize("preset", sorted(games()))
def test_outside_play_and_for_tiles_that_lie_nothing_is_listed(preset: str) -> None:
    each = game(preset)
    start = opening(preset)
    for phase in set(Phase) - {Phase.PLAY}:
        assert legal_placements(replace(start, phase=phase), each.tiles) == ()
    for tile in (Tile((9, 9)), Tile((9, 9, 9)), Tile((0, 2, 1))):
        assert legal_placements(start, (tile,)) == ()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_somebody_could_have_played_would_have_been_legal_and_earned_more(path: Path) -> None:
    record, _ = transcript.played(transcript.read(path.read_text(encoding="utf-8")))
    states = {1: record.rulings[0]}
    for seq, ruling in enumerate(record.rulings, start=1):
        states[seq + 1] = ruling or states[seq]
    for each in missed(record):
        before, entry = states[each.entry], record.entries[each.entry - 1].what
        assert before is not None
        assert isinstance(entry, Place | Pass)
        place = Place(each.seat, each.best.tile, each.best.spot)
        ruling = game(before.state.game).rule(before.state, place)
        assert ruling.is_legal
        assert each.best.points > each.earned


def test_after_a_round_a_better_place_for_a_tile_is_told() -> None:
    begun = "  1  match ro-trimino/manufacturer A=Ana B=Bo opening=any hands=2:2 target=20\n  2  begin\n"
    moves = ["A lays 0-1-1 at 0,0,U", "B lays 1-1-1 at 0,0,D", "A lays 0-0-1 at 0,-1,D", "B shows 1-1-5"]
    text = begun + "".join(f"  {seq}  {move}\n" for seq, move in enumerate(moves, start=3))
    record, _ = transcript.played(transcript.read(text))
    assert all(ruling is not None and ruling.is_legal for ruling in record.rulings)
    (found,) = missed(record)
    assert (found.entry, found.seat, found.earned) == (4, 1, 3)
    assert (found.best.tile, found.best.points) == (Tile((1, 1, 5)), 7)
