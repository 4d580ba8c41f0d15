"""Where tiles may lie: frozen counts from fixed positions, and what the rules themselves say of each place."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from display.pages import page
from display.sentences import NO_PLACE
from display.widgets import Label
from referee import notation, transcript, umpire, views
from referee.commands.narrator import Narrator
from referee.games import game, games
from referee.laying.lattice import cells_around
from referee.moves import CellSpot, Pass, Place
from referee.placements import SCORED, beside, better, legal_placements, listing, missed, worst_missed
from referee.rulings import Reason
from referee.seen.memory import Memory
from referee.state import Phase, Placed, State
from referee.tiles import Shape, Tile, rotations, triomino_set
from tests.referee.gamefiles import file_of

HERE = Path(__file__).parent
FROZEN: list[dict[str, Any]] = json.loads((HERE / "frozen" / "placements.json").read_text(encoding="utf-8"))
TRIANGLES = sorted(preset for preset, each in games().items() if each.kind == "triomino")
LINES = sorted(preset for preset, each in games().items() if each.kind == "domino" and not each.in_tricks)
RECORDS = sorted((HERE / "records").glob("*.txt"))[::5]


def is_spinner(state: State, laid: tuple[Placed, ...], move: Place) -> bool:
    """Whether arms may grow from a tile: from the first double, where the rules know such a one."""
    doubles = [placed for placed in laid if placed.tile.is_uniform]
    return getattr(state.settings, "spinner", False) and move.tile.is_uniform and not doubles


def position(preset: str, layout: list[str]) -> State:
    """Seat A is to move on a table laid as the lines say, with nothing known of the hands."""
    each = game(preset)
    names = ("Ana", "Bo", "Cy")[: max(2, each.min_players)]
    state = each.start(each, names, each.settings)
    placed = []
    for line in layout:
        move = notation.parse(f"B lays {line}")
        assert isinstance(move, Place)
        spins = is_spinner(state, tuple(placed), move)
        placed.append(Placed(move.tile, move.spot, move.seat, spins=spins))
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


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_nothing_is_told_of_a_round_before_it_has_been_scored(path: Path) -> None:
    record: umpire.Record | None = None
    told = False
    for line in transcript.read(path.read_text(encoding="utf-8")).lines:
        record = transcript.appended(record, line.act)
        found = worst_missed(record)
        assert not found or record.state.phase in SCORED
        assert len({each.seat for each in found}) == len(found)
        rounds = {ruling.state.round for each in found if (ruling := record.rulings[each.entry - 1])}
        assert rounds <= {record.state.round}
        of_all = missed(record, last_round=True) if found else ()
        for each in found:
            gains = [other.best.points - other.earned for other in of_all if other.seat == each.seat]
            assert each in of_all
            assert each.best.points - each.earned == max(gains)
        told |= bool(found)
    assert record is not None
    assert told == bool(missed(record)) or record.state.game in LINES


def walk(preset: str, options: dict[str, str], seed: int) -> Iterator[tuple[State, State, Reason]]:
    """Tiles laid at random until none fits: the state before each, after it, and the ruling."""
    each = game(preset)
    state = position(preset, [])
    state = replace(state, settings=each.vary(state.settings, {"opening": "any", **options}))
    chance = random.Random(seed)
    while places := legal_placements(replace(state, phase=Phase.PLAY, out=None, blocked=False), each.tiles):
        place = chance.choice(places)
        before = replace(state, phase=Phase.PLAY, turn=0, hands=(9,) * state.players, out=None, blocked=False)
        ruling = each.rule(before, Place(0, place.tile, place.spot))
        assert ruling.is_legal
        state = ruling.state
        yield before, state, ruling.reason


def unseen(state: State) -> list[Tile]:
    laid = {placed.tile for placed in state.layout}
    return [tile for tile in game(state.game).tiles if tile not in laid]


@given(st.integers(min_value=0, max_value=2**31), st.booleans())
@examples(max_examples=40)
def test_a_line_is_called_blocked_exactly_when_no_unseen_tile_has_a_place(seed: int, with_stock: bool) -> None:
    options = {"fish_with_stock": "yes" if with_stock else "no"}
    for _, after, reason in walk("fr-domino", options, seed):
        free = legal_placements(replace(after, phase=Phase.PLAY, out=None), unseen(after))
        assert (reason is Reason.FISH) == (not free and (with_stock or after.stock == 0))


@given(st.sampled_from([*TRIANGLES, *LINES]), st.booleans(), st.integers(min_value=0, max_value=2**31))
@examples(max_examples=40)
def test_a_seat_is_able_exactly_when_a_tile_of_its_has_a_place_that_is_a_move(
    preset: str, corners: bool, seed: int
) -> None:
    options = {"two_corner": "10", "three_corner": "none"} if corners and preset in TRIANGLES else {}
    course = file_of(preset)._course
    for at, (_, after, _) in enumerate(walk(preset, options, seed)):
        if at % 3:
            continue
        open_again = replace(after, phase=Phase.PLAY, out=None)
        free = unseen(after)
        by_corner = (Reason.OK_TWO_CORNER, Reason.OK_THREE_CORNER)
        counts = preset in LINES or after.settings.corner_move_is_move
        able = {p.tile for p in legal_placements(open_again, free) if counts or p.reason not in by_corner}
        assert course(after.settings).fitting(after.layout) & set(free) == able


def test_the_tiles_that_a_place_joins_are_those_that_share_a_side_with_it() -> None:
    state = position("ro-trimino/manufacturer", ["3-3-3 at 0,0,U", "3-3-5 at 0,0,D", "5-3-3 at 0,-1,D"])
    for line, joined in (("3-5-5 at 1,0,U", {"3-3-5"}), ("3-5-5 at 4,4,U", set()), ("3-4-4 at -1,0,D", {"3-3-3"})):
        move = notation.parse(f"A lays {line}")
        assert isinstance(move, Place)
        assert set(map(str, beside(state, move.spot))) == joined
    line_state = position("fr-domino", ["1-2 at left", "2-3 at right", "3-4 at right"])
    move = notation.parse("A lays 4-4 at right")
    assert isinstance(move, Place)
    assert list(map(str, beside(line_state, move.spot))) == ["3-4"]


def test_a_better_place_is_only_told_of_a_tile_that_was_laid_where_it_earned_less() -> None:
    begun = "  1  match ro-trimino/manufacturer A=Ana B=Bo opening=any\n  2  begin\n"
    moves = ["A lays 0-1-1 at 0,0,U", "B draws 1", "B lays 1-1-1 at 0,0,D"]
    record, _ = transcript.played(transcript.read(begun + "".join(f"  {n}  {m}\n" for n, m in enumerate(moves, 3))))
    assert better(record) is None
    wrong = transcript.appended(record, notation.parse("A lays 0-0-1 at 0,0,D"))
    found = better(wrong)
    assert found is not None
    assert (found.entry, found.seat, found.earned, found.best.points) == (6, 0, 0, 1)


def test_a_first_tile_has_no_better_place_though_its_bonus_is_no_matter_of_place() -> None:
    lines = ["match ro-trimino/manufacturer A=Ana B=Bo", "begin", "A announces 4-4-4", "B announces nothing"]
    lines += ["A lays 4-4-4 at 0,0,U"]
    text = "".join(f"  {n}  {line}\n" for n, line in enumerate(lines, start=1))
    record, _ = transcript.played(transcript.read(text))
    assert record.state.scores[0] > 12
    assert better(record) is None


def test_listed_places_are_read_by_the_notation_and_earn_what_they_say() -> None:
    state = position("fr-domino", ["1-2 at left", "2-3 at right"])
    assert listing(state, ["1-3"]) == ("0 ok-place A lays 1-3 at left", "0 ok-place A lays 1-3 at right")
    assert listing(state, ["1-3", "B"]) == ()
    with pytest.raises(ValueError, match=r"expected a tile and a seat \(A to B\), got '1-3 C'"):
        listing(state, ["1-3", "C"])


# --- dead layouts ---------------------------------------------------------------------------------------------

# Ten tiles, five to each; after the seventh nothing that is left fits, though B holds two tiles and A one.
DEAD = (
    *("match ro-trimino/manufacturer A=Ana B=Bo opening=any max_number=2 hands=2:5", "begin"),
    *("A lays 2-0-0 at 0,0,U", "B lays 2-2-0 at -1,0,D", "A lays 0-0-1 at 0,0,D", "B lays 0-1-2 at 1,0,U"),
    *("A lays 1-2-2 at -1,0,U", "B lays 1-1-2 at -1,-1,D", "A lays 0-1-1 at -1,-1,U"),
)


def lies_anywhere(state: State) -> bool:
    """Whether the rules accept any tile that is left, turned in any way, in any cell that touches the layout."""
    around = {
        cell
        for placed in state.layout
        if isinstance(placed.spot, CellSpot)
        for vertex in placed.spot.cell.vertices
        for cell in cells_around(vertex)
    }
    return any(
        game(state.game).rule(state, Place(0, tile, CellSpot(cell, values))).is_legal
        for tile in triomino_set(state.settings.max_number)
        for values in rotations(tile.values)
        for cell in around
    )


def test_a_layout_is_dead_exactly_when_the_rules_accept_no_tile_that_is_left_anywhere() -> None:
    seen = set()
    for seed in range(25):
        for _, after, _ in walk("ro-trimino/manufacturer", {"max_number": "2", "hands": "2:1"}, seed):
            state = replace(after, phase=Phase.PLAY, turn=0, out=None)
            dead = game(state.game).is_dead(state)
            assert dead != lies_anywhere(state)
            seen.add((dead, len(state.layout) < 10))
    assert seen >= {(True, True), (False, True)}


@given(st.integers(min_value=0, max_value=2**31))
@examples(max_examples=10)
def test_a_line_that_waits_for_an_empty_stock_is_dead_exactly_when_no_tile_that_is_left_fits(seed: int) -> None:
    for _, after, _ in walk("fr-domino", {"fish_with_stock": "no"}, seed):
        state = replace(after, phase=Phase.PLAY, turn=0, out=None, blocked=False)
        assert game("fr-domino").is_dead(state) == (not legal_placements(state, unseen(state)))


@pytest.mark.parametrize("preset", sorted(games()))
def test_an_empty_table_is_not_dead_and_neither_is_a_game_of_tricks(preset: str) -> None:
    state = opening(preset)
    assert not game(preset).is_dead(state)
    assert not game(preset).is_dead(replace(state, phase=Phase.DEAL))


def test_a_dead_layout_is_announced_in_the_view_in_words_and_does_not_end_the_round() -> None:
    text = "".join(f"  {number}  {line}\n" for number, line in enumerate(DEAD, start=1))
    record, _ = transcript.played(transcript.read(text))
    assert record.state.phase is Phase.PLAY
    passed = transcript.appended(record, notation.parse("B passes"))
    assert all(ruling is not None and ruling.is_legal for ruling in passed.rulings)
    said: list[str] = []
    narrator = Narrator(said.append)
    before = transcript.played(transcript.read("\n".join(text.splitlines()[:-1]) + "\n"))[0]
    for each, dead in ((before, False), (record, True), (passed, True)):
        view = views.view(each, Memory(), Shape.triomino(), views.Circumstances(), "epoch", 1)
        assert view.dead is dead
        narrator.hear(view)
        texts = [widget.text for widget in page(view).widgets if isinstance(widget, Label)]
        assert (NO_PLACE in texts) is dead
    assert sum(NO_PLACE in line for line in said) == 1
