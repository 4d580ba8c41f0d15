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

from referee import trick
from referee.games import Game, games
from referee.lattice import Cell
from referee.moves import CellSpot, LineSpot, Place
from referee.rulings import Ruling
from referee.state import Phase, Placed, State
from referee.tiles import DOMINO, TRIOMINO, Tile, rotations
from tests.naive import dominoes, tables, triangles, tricks

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


def in_play(game: Game, layout: tuple[Placed, ...], stock: int = 5) -> State:
    """Seat 0 is to move on a table, nothing is known of anybody's hand."""
    names = ("Ana", "Bo", "Cy")[: max(2, game.min_players)]
    state = game.start(game, names, game.settings)
    return replace(state, phase=Phase.PLAY, turn=0, layout=layout, stock=stock)


def on_cell(laid: tables.Laid) -> CellSpot:
    cell, numbers = laid
    return CellSpot(Cell(*cell), numbers)


def triangle_table(game: Game, table: list[tables.Laid]) -> State:
    # the first tile is let stand, so that nobody asks whether it was the right one to open with
    layout = tuple(Placed(Tile(laid[1]), on_cell(laid), 1, overruled=at == 0) for at, laid in enumerate(table))
    return in_play(game, layout)


def earned(ruling: Ruling) -> int:
    return sum(award.points for award in ruling.awards if award.what in PER_PLACE)


def test_every_triangle_preset_has_a_naive_book() -> None:
    assert set(TRIANGLE_GAMES) <= set(triangles.BOOKS)


@pytest.mark.parametrize("preset", TRIANGLE_GAMES)
def test_both_judges_say_the_same_of_every_triangle(preset: str) -> None:
    game, book, chance = games()[preset], triangles.BOOKS[preset], random.Random(preset)
    said: Counter[str] = Counter()
    while said.total() < MOVES:
        table, moves = tables.scene(chance, book, MOVES_A_TABLE)
        state, points = triangle_table(game, table), tables.triangles(table)
        for move in moves:
            expected = triangles.judge(book, points, triangles.triangle(*move[0], move[1]))
            ruling = game.rule(state, Place(0, Tile(move[1]), on_cell(move)))
            assert (ruling.reason.value, earned(ruling)) == expected, (table, move)
            said[expected[0]] += 1
    places = {"ok-edge", "ok-bridge", "ok-two-sided", "ok-three-sided", "ok-hexagon", "ok-multi-hexagon"}
    faults = {"no-such-tile", "tile-already-played", "cell-occupied", "not-connected", "one-corner-only"}
    corners = {"ok-two-corner", "ok-three-corner"} if book.two_corners is not None else {"corner-contact-not-allowed"}
    rare = {"ok-multi-hexagon", "ok-three-sided", "ok-three-corner"} if MOVES < 5000 else set()
    every = places | faults | corners | {"edge-mismatch", "corner-mismatch"}
    assert every - rare <= set(said) <= every


@pytest.mark.parametrize("preset", TRIANGLE_GAMES)
def test_the_list_of_legal_triangles_is_complete_and_right(preset: str) -> None:
    game, book, chance = games()[preset], triangles.BOOKS[preset], random.Random(preset + "all")
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
    while said.total() < MOVES:
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


# --- tricks -----------------------------------------------------------------------------------------


def as_tile(word: str) -> Tile:
    return Tile((int(word[0]), int(word[1])))


def test_both_judges_say_the_same_of_every_trick() -> None:
    chance = random.Random("tricks")
    seen: Counter[object] = Counter()
    for _ in range(MOVES):
        trump = chance.choice((0, 1, 2, 3, 4, 5, 6, "doubles", "none"))
        words = chance.sample(tricks.SET, chance.randrange(3, 11))
        led, hand = words[0], words[1:]
        suit = trick.suits_of(as_tile(led), trump)[0]
        expected = tricks.allowed(trump, led, hand)
        assert sorted(trick.playable(map(as_tile, hand), suit, trump)) == sorted(map(as_tile, expected)), words
        winner, _ = trick.taken(tuple(map(as_tile, words[:3])), suit, trump)
        assert winner == tricks.winner(trump, words[:3]), (trump, words[:3])
        seen[trump, winner, len(expected) == len(hand)] += 1
    assert {trump for trump, _, _ in seen} == {0, 1, 2, 3, 4, 5, 6, "doubles", "none"}
    assert {winner for _, winner, _ in seen} == {0, 1, 2}
    assert {free for _, _, free in seen} == {True, False}
