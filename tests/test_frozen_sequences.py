"""How many ways there are to go on from fixed positions, one, two and three tiles deep: frozen, and counted twice.

The rules count through the list of legal placements and what they rule; the naive judge by trying all gaps of the
plane, or all ends of the row.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from referee import notation
from referee.games import Game, game, triomino
from referee.moves import Place
from referee.state import Phase, State
from referee.tiles import TRIOMINO
from tests.naive import books, dominoes, reading
from tests.naive.layouts import cell, gaps
from tests.naive.triangles import Book, is_printed, is_same_tile

FROZEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "frozen" / "sequences.json").read_text(encoding="utf-8")
)
LONG_HANDS = "2:3"  # nobody goes out within three tiles


def position(frozen: dict[str, Any]) -> tuple[Game, State]:
    """Seat A is to move on a table that was laid tile by tile, whoever opened."""
    each = game(frozen["preset"])
    options = {"opening": "any", "hands": LONG_HANDS, **frozen["options"]}
    state = each.start(each, ("Ana", "Bo"), each.vary(each.settings, options))
    state = replace(state, phase=Phase.PLAY, turn=0, hands=(20, 20))
    for line in frozen["layout"]:
        move = notation.parse(f"{'AB'[state.turn or 0]} lays {line}")
        assert isinstance(move, Place)
        ruling = each.rule(state, move)
        assert ruling.is_legal
        state = ruling.state
    return each, state


def counted(each: Game, state: State, depth: int) -> int:
    """How many sequences of so many placements the rules allow."""
    seat = state.turn or 0
    tiles = triomino.tile_set(state.settings) if each.kind == TRIOMINO else each.tiles
    found = [Place(seat, placement.tile, placement.spot) for placement in each.placements(state, tiles)]
    if depth == 1:
        return len(found)
    return sum(counted(each, each.rule(state, move).state, depth - 1) for move in found)


def triangles_counted(book: Book, table: tuple[tuple[tuple[int, int, str], reading.Tile], ...], depth: int) -> int:
    """How many sequences of triangles there are by trying all tiles in all gaps; the first lies in the cell 0,0,U."""
    every = [numbers for numbers in product(range(book.highest + 1), repeat=3) if is_printed(book, numbers)]
    free = [(a, b, c) for a, b, c in every if not any(is_same_tile((a, b, c), (x, y, z)) for _, (x, y, z) in table)]
    if table:
        found = [(gap.cell, each) for gap in gaps(book, table) for each in free if gap.takes_as_it_lies(each)]
    else:
        found = [((0, 0, "U"), each) for each in free]
    return len(found) if depth == 1 else sum(triangles_counted(book, (*table, each), depth - 1) for each in found)


def rows_counted(row: list[int], depth: int) -> int:
    """How many sequences of dominoes there are; the first lies one way only."""
    if row:
        longer = [
            next(each for each in dominoes.rows_with(row, tile, end, None) if dominoes.touching_halves_agree(each))
            for tile in dominoes.SET
            for end in ("left", "right")
            if dominoes.judge(row, tile, end, None) == "ok-place"
        ]
    else:
        longer = [list(tile) for tile in dominoes.SET]
    # nothing follows a line that is dead
    return len(longer) if depth == 1 else sum(rows_counted(each, depth - 1) for each in longer)


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda frozen: frozen["name"])
def test_the_rules_find_as_many_ways_to_go_on_as_ever(frozen: dict[str, Any]) -> None:
    each, state = position(frozen)
    assert [counted(each, state, depth) for depth in range(1, len(frozen["counts"]) + 1)] == frozen["counts"]


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda frozen: frozen["name"])
def test_a_naive_judge_finds_as_many(frozen: dict[str, Any]) -> None:
    depths = range(1, len(frozen["counts"]) + 1)
    if books.is_line(frozen["preset"]):
        row: list[int] = []
        for line in frozen["layout"]:
            tile, _, end = line.split()
            low, high = reading.tile(tile)
            rows = dominoes.rows_with(row, (low, high), end, None)
            row = next(each for each in rows if dominoes.touching_halves_agree(each))
        assert [rows_counted(row, depth) for depth in depths] == frozen["counts"]
        return
    book = books.places(books.rules_of(frozen["preset"], frozen["options"]))
    laid = [line.split(" at ") for line in frozen["layout"]]
    table = tuple((cell(place), tuple(map(int, numbers.split("-")))) for numbers, place in laid)
    assert [triangles_counted(book, table, depth) for depth in depths] == frozen["counts"]
