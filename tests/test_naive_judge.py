"""The rules and a deliberately naive second judge say the same, whatever lies on the table.

`make prove` compares tens of thousands of random moves; the tests here are the same with fewer.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from referee.games import Game, games
from referee.laying.lattice import Cell
from referee.moves import CellSpot, LineSpot, Loose, Place
from referee.rulings import Ruling
from referee.state import Phase, Placed, State
from referee.tiles import DOMINO, TRIOMINO, Tile, rotations
from tests.naive import books, dominoes, layouts, reading, tables, triangles

# How many random moves of each kind are compared for each preset.
MOVES = int(os.environ.get("REFEREE_PROVE", "500"))
MOVES_A_TABLE = 20
PER_PLACE = ("tile", "hexagon", "bridge", "two_side", "three_side", "two_corner", "three_corner")

TRIANGLE_GAMES = sorted(preset for preset, each in games().items() if each.kind == TRIOMINO)
LINE_GAMES = sorted(
    preset
    for preset, each in games().items()
    if each.kind == DOMINO and len(each.tiles) == 28 and each.placements is not Game.placements
)


# House rules that change the set or the places; each is tried with every preset.
VARIANTS: tuple[dict[str, str], ...] = (
    {},
    {"mirrored": "yes"},
    {"ascending": "no"},
    {"max_number": "6"},
    {"max_number": "3", "mirrored": "yes", "hexagon": "7,11,13"},
    {"two_corner": "-5", "three_corner": "none", "bridge": "0"},
    {"two_corner": "none", "three_corner": "30", "two_side": "1", "three_side": "2"},
)


def in_play(game: Game, layout: tuple[Placed, ...], stock: int = 5, options: dict[str, str] | None = None) -> State:
    """Seat 0 is to move on a table, nothing is known of anybody's hand."""
    names = ("Ana", "Bo", "Cy")[: max(2, game.min_players)]
    small = {"hands": "2:1,3:1"} if options else {}
    state = game.start(game, names, game.vary(game.settings, {**(options or {}), **small}))
    return replace(state, phase=Phase.PLAY, turn=0, layout=layout, stock=stock)


def on_cell(laid: tables.Laid) -> CellSpot:
    cell, numbers = laid
    return CellSpot(Cell(*cell), numbers)


def triangle_table(game: Game, table: list[tables.Laid], options: dict[str, str] | None = None) -> State:
    # the first tile is let stand, so that nobody asks whether it was the right one to open with
    layout = tuple(
        Placed(Tile(laid[1]), Loose() if laid[0][0] == tables.FAR_AWAY else on_cell(laid), 1, overruled=at == 0)
        for at, laid in enumerate(table)
    )
    return in_play(game, layout, options=options)


def earned(ruling: Ruling) -> int:
    return sum(award.points for award in ruling.awards if award.what in PER_PLACE)


def judged(preset: str, options: dict[str, str], moves: int) -> Counter[str]:
    """What both judges say of so many random moves, tallied by code."""
    game, chance = games()[preset], random.Random(preset + str(options))
    book = books.places(books.rules_of(preset, options))
    said: Counter[str] = Counter()
    while said.total() < moves:
        table, tried = tables.scene(chance, book, MOVES_A_TABLE)
        state, points = triangle_table(game, table, options), tables.triangles(table)
        for move in tried:
            expected = triangles.judge(book, points, triangles.triangle(*move[0], move[1]))
            ruling = game.rule(state, Place(0, Tile(move[1]), on_cell(move)))
            assert (ruling.reason.value, earned(ruling)) == expected, (table, move)
            said[expected[0]] += 1
    return said


def all_codes(book: triangles.Book) -> set[str]:
    """Every code that a triangle on a table can get."""
    places = {"ok-edge", "ok-bridge", "ok-two-sided", "ok-three-sided", "ok-hexagon", "ok-multi-hexagon"}
    faults = {"no-such-tile", "tile-already-played", "cell-occupied", "not-connected", "one-corner-only"}
    corners = {"ok-two-corner"} if book.two_corners is not None else {"corner-contact-not-allowed"}
    corners |= {"ok-three-corner"} if book.three_corners is not None else {"corner-contact-not-allowed"}
    return places | faults | corners | {"edge-mismatch", "corner-mismatch"}


@pytest.mark.parametrize("preset", TRIANGLE_GAMES)
def test_both_judges_say_the_same_of_every_triangle(preset: str) -> None:
    said = judged(preset, {}, MOVES)
    every = all_codes(books.places(books.rules_of(preset, {})))
    rare = {"ok-multi-hexagon", "ok-three-sided", "ok-three-corner"} if MOVES < 5000 else set()
    assert every - rare <= set(said) <= every


@pytest.mark.parametrize("options", VARIANTS[1:], ids=",".join)
def test_both_judges_say_the_same_by_house_rules(options: dict[str, str]) -> None:
    said: Counter[str] = Counter()
    every: set[str] = set()
    for preset in TRIANGLE_GAMES:
        said += judged(preset, options, MOVES // 4)
        every |= all_codes(books.places(books.rules_of(preset, options)))
    rare = {"ok-multi-hexagon", "ok-three-sided", "ok-two-corner", "ok-three-corner"} if MOVES < 5000 else set()
    assert every - rare <= set(said) <= every


@pytest.mark.parametrize("preset", TRIANGLE_GAMES)
def test_the_list_of_legal_triangles_is_complete_and_right(preset: str) -> None:
    game, chance = games()[preset], random.Random(preset + "all")
    book = books.places(books.rules_of(preset, {}))
    for _ in range(max(2, MOVES // 500)):
        table = tables.grown(chance, book, chance.choice((2, 9, 17)))
        points = tables.triangles(table)
        cells = {
            (x + i, y + j, half) for (x, y, _), _ in table for i in range(-2, 3) for j in range(-2, 3) for half in "UD"
        }
        every = {(cell, turned) for cell in cells for tile in game.tiles for turned in set(rotations(tile.values))}
        judged = {move: triangles.judge(book, points, triangles.triangle(*move[0], move[1])) for move in every}
        listed = {
            ((place.spot.cell.x, place.spot.cell.y, place.spot.cell.half), place.spot.values): (
                place.reason.value,
                place.points,
            )
            for place in game.placements(triangle_table(game, table), game.tiles)
            if isinstance(place.spot, CellSpot)
        }
        assert listed == {move: verdict for move, verdict in judged.items() if verdict[0].startswith("ok-")}


# --- dominoes ---------------------------------------------------------------------------------------


def random_row(chance: random.Random) -> list[int]:
    """A legal row of halves, laid from left to right."""
    tiles = list(dominoes.SET)
    chance.shuffle(tiles)
    row = list(tiles.pop())
    for _ in range(chance.choice((0, 2, 6, 12, 20, 27))):
        fitting = next((tile for tile in tiles if row[-1] in tile), None)
        if fitting is None:
            break
        tiles.remove(fitting)
        row += fitting if fitting[0] == row[-1] else fitting[::-1]
    return row


def line_table(game: Game, row: list[int]) -> State:
    pairs = [(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    first, *others = (Placed(Tile(pair), LineSpot("right", pair[0]), 1, overruled=True) for pair in pairs)
    return in_play(game, (first, *others))


@pytest.mark.parametrize("preset", LINE_GAMES)
def test_both_judges_say_the_same_of_every_domino(preset: str) -> None:
    game, chance = games()[preset], random.Random(preset)
    said: Counter[str] = Counter()
    while said.total() < MOVES or ("fish" not in said and said.total() < 20 * MOVES):
        row = random_row(chance)
        state = line_table(game, row)
        for _ in range(MOVES_A_TABLE):
            tile = (chance.randrange(7), chance.randrange(7)) if chance.random() < 0.97 else (7, chance.randrange(7))
            end, inner = chance.choice(("left", "right")), chance.choice((None, None, *tile))
            expected = dominoes.judge(row, tile, end, inner)
            if expected == "ok-place":
                longer = next(r for r in dominoes.rows_with(row, tile, end, inner) if dominoes.touching_halves_agree(r))
                expected = "fish" if dominoes.nobody_can_move(longer) else expected
            ruling = game.rule(state, Place(0, Tile(tile), LineSpot(end, inner)))
            assert ruling.reason.value == expected, (row, tile, end, inner)
            said[expected] += 1
    assert set(said) >= {"ok-place", "end-mismatch", "tile-already-played", "no-such-tile", "fish"}, said


@pytest.mark.parametrize("preset", LINE_GAMES)
def test_the_list_of_legal_dominoes_is_complete_and_right(preset: str) -> None:
    game, chance = games()[preset], random.Random(preset + "all")
    for _ in range(max(10, MOVES // 100)):
        row = random_row(chance)
        every = {(tile, end) for tile in dominoes.SET for end in ("left", "right")}
        listed = {
            (place.tile.values, place.spot.end)
            for place in game.placements(line_table(game, row), game.tiles)
            if isinstance(place.spot, LineSpot)
        }
        assert listed == {move for move in every if dominoes.judge(row, *move, None) == "ok-place"}


def test_a_row_is_legal_only_where_halves_that_touch_are_equal() -> None:
    chance = random.Random(1)
    for _ in range(50):
        row = random_row(chance)
        assert all(a == b for at, (a, b) in enumerate(pairwise(row)) if at % 2)


def crossed(game: Game, chance: random.Random) -> tuple[State, list[layouts.Laid]]:
    """A line with arms, grown by the rules for as far as chance has it, and the same as the naive judge has it."""
    state = in_play(game, (), options={"opening": "any"})
    state = replace(state, hands=(9,) * state.players)
    table: list[layouts.Laid] = []
    for _ in range(chance.choice((0, 1, 2, 4, 8, 16))):
        found = game.placements(state, game.tiles)
        if not found or state.phase is not Phase.PLAY:
            break
        doubles = [place for place in found if place.tile.is_uniform]
        place = chance.choice(doubles if doubles and chance.random() < 0.4 else found)
        assert isinstance(place.spot, LineSpot)
        after = game.rule(state, Place(0, place.tile, place.spot)).state
        state = replace(after, turn=0, hands=(9,) * after.players)
        values = place.tile.values
        table.append(layouts.Laid(0, values, values, place.spot.end, None, 0, is_overruled=False))
    return state, table


@pytest.mark.parametrize("options", [{}, {"spinner": "no"}, {"muggins": "yes"}], ids=str)
def test_both_judges_count_and_rule_every_domino_on_a_line_with_arms_alike(options: dict[str, str]) -> None:
    chosen, chance = games()["all-fives"], random.Random(str(options))
    game = replace(chosen, settings=chosen.vary(chosen.settings, options))
    naive = layouts.Line(books.rules_of("all-fives", options), counts_ends=True)
    said: Counter[str] = Counter()
    while said.total() < MOVES:
        state, table = crossed(game, chance)
        if state.phase is not Phase.PLAY:
            continue
        assert chosen.counts(state) == (None if "muggins" in options else naive.count(table))
        for _ in range(MOVES_A_TABLE):
            tile = Tile((chance.randrange(7), chance.randrange(7)))
            if any(laid.tile == tile.values for laid in table):
                continue
            end, inner = chance.choice(("left", "right", "up", "down")), chance.choice((None, None, *tile.values))
            act = reading.Act("lays", 0, (tile.values,), tile.values, end, inner)
            expected = naive.lies(table, act, 0)
            ruling = game.rule(state, Place(0, tile, LineSpot(end, inner)))
            reason = "ok-place" if ruling.reason.value == "fish" else ruling.reason.value
            assert reason == expected.code, (table, tile, end, inner)
            assert ruling.points(0) == expected.points["ends"]
            assert not ruling.is_legal or ruling.state.unclaimed == expected.points["unclaimed"]
            said[f"{expected.code}{' paid' * bool(sum(expected.points.values()))}"] += 1
    every = {"ok-opening", "ok-opening paid", "ok-place", "ok-place paid", "end-mismatch"}
    assert set(said) == every | ({"not-connected"} if "spinner" in options else {"not-connected", "arm-closed"})
