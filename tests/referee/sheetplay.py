"""Games under many house rules, to be played and measured against the words of their rule sheets."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from referee.games import Game, game
from referee.laying.lattice import Cell
from referee.laying.triangles import PRESETS
from referee.moves import Begin, CellSpot, LineSpot, Move, ShowHand
from referee.rulings import Ruling
from referee.state import Phase, Placed, State
from referee.tiles import Tile

EXAMPLES = json.loads((Path(__file__).parent.parent / "rules" / "examples.json").read_text(encoding="utf-8"))
BOARDS = {each["id"]: each for each in EXAMPLES["examples"] if each["kind"] == "placement"}
OF_TURNS = (
    *("", "draw_limit=0", "draw_limit=0 limit_extra=7 empty_stock=3", "draw_limit=2 limit_extra=7", "draw_cost=3"),
    *("draw_while_able=yes", "voluntary_pass=yes", "stock_floor=2", "empty_stock=4", "private_stock=yes"),
    *("draw_then_decline=yes", "draw_then_decline=yes draw_limit=2 limit_extra=7 empty_stock=3"),
    *("hands=2:9", "hands=2:7,4:6", "players=2-3", "players=1-1 hands=1:9", "players=3-4 hands=2:9,3:7,6:4"),
    "wrong_tile_penalty=20",
)
OF_PLACES = (
    *("", "opening=any", "open_triple=0", "open_triple=15 open_zero_total=50", "zero_choice=no", "zero_choice=yes"),
    *("hexagon=11,22,33 bridge=44 two_side=55 three_side=66", "two_corner=-6", "three_corner=8 two_corner=0"),
)
OF_ENDS = (
    *("", "rounds=3", "rounds=3 past_target=highest", "past_target=highest", "target=77", "end=at_once"),
    *("draw_limit=0", "blocked=fewest_tiles blocked_tie=nobody", "players=1-1 hands=1:9"),
    *("out_bonus=9 out_takes_others=no", "others_lose_own=yes"),
    *(
        f"blocked={who} blocked_points={how}"
        for who in ("fewest_tiles", "lowest_value", "none")
        for how in ("others_minus_own", "pairwise", "each_loses_own", "none")
    ),
)
OF_A_LINE = (
    *("", "hands=2:9", "players=2-3", "hands=2:7,4:5", "double_blank_pips=25", "fish_winner=lowest_hand", "rounds=3"),
    *("target=33", "voluntary_pass=yes", "stock_floor=2", "max_number=7", "wrong_tile_penalty=20"),
)
OF_TRICKS = ("", "least_bid=3", "target=5", "players=3-4 hands=4:7 max_number=7", "moon_made=points", "all_pass=forced")
OF_PIPS = (
    *("", "hands=2:9", "players=2-3", "hands=2:7,4:5", "rounds=3", "target=33", "voluntary_pass=yes", "max_number=7"),
    *("wrong_tile_penalty=20", "stock_floor=2", "blocked_points=differences"),
)
OF_BLOCK = (*OF_PIPS, "drawing=yes", "drawing=yes stock_floor=2")
OF_FIVES = (*OF_PIPS, "rounding=up", "rounding=down", "rounding=none", "spinner=no", "muggins=yes", "end=at_once")
GROUPS = {
    **{"triangles": tuple(PRESETS), "dominoes": ("fr-domino",), "block": ("block",), "fives": ("all-fives",)},
    "tricks": ("kk-moon",),
}
TURNS = (
    *(("triangles", options) for options in OF_TURNS),
    *(("dominoes", options) for options in OF_A_LINE),
    *(("block", options) for options in OF_BLOCK),
    *(("fives", options) for options in OF_FIVES),
)
EVERY = (
    *TURNS,
    *(("triangles", options) for options in (*OF_PLACES, *OF_ENDS)),
    *(("tricks", options) for options in OF_TRICKS),
)
SEATS = "ABCDEF"
STOCK = 20


@cache
def varied(preset: str, options: str) -> Game:
    """The preset with these house rules in force."""
    found = game(preset)
    return replace(found, settings=found.vary(found.settings, dict(each.split("=") for each in options.split())))


def group(name: str, options: str) -> list[Game]:
    return [varied(preset, options) for preset in GROUPS[name]]


@cache
def words(played: Game) -> str:
    return " ".join(text for _, text in played.sheet(played.settings))


@cache
def counts(played: Game) -> dict[int, int]:
    """Tiles dealt to each by the numbers of players that a match can really be begun with."""
    found = {}
    for players in range(1, 7):
        try:
            found[players] = played.start(played, tuple(SEATS[:players]), played.settings).hands[0]
        except ValueError:
            continue
    return found


def begun(played: Game, players: int = 0, **changes: object) -> State:
    """A round in play; with as many as there can be unless it is said how many."""
    names = tuple(SEATS[: players or max(counts(played))])
    state = played.rule(played.start(played, names, played.settings), Begin()).state
    return replace(state, **changes)  # type: ignore[arg-type]  # fields of a state


def tiles(names: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, names.split()))


def board(*rows: dict[str, object]) -> tuple[Placed, ...]:
    spots = (CellSpot(Cell(*row["cell"]), tuple(row["cw"])) for row in rows)  # type: ignore[misc,arg-type]  # as in the file
    return tuple(Placed(Tile(spot.values), spot, 0) for spot in spots)


FIRST = board({"cell": [0, 0, "U"], "cw": [3, 3, 3]})
LINE = (Placed(Tile((1, 1)), LineSpot("left"), 0), Placed(Tile((1, 5)), LineSpot("right"), 0))


def answers(played: Game, state: State, *moves: Move) -> Ruling:
    """The ruling on the last of some moves, all of which stand but perhaps the last."""
    for move in moves[:-1]:
        ruling = played.rule(state, move)
        assert ruling.is_legal, (move, ruling.reason)
        state = ruling.state
    return played.rule(state, moves[-1])


def points(ruling: Ruling) -> list[int]:
    return [ruling.points(seat) for seat in range(ruling.state.players)]


def ended(played: Game, hands: tuple[str, ...], **changes: object) -> Ruling:
    """All hands of a round shown; an empty one has gone out."""
    held = [tiles(hand) for hand in hands]
    out = next((seat for seat, hand in enumerate(held) if not hand), None)
    state = begun(played, len(hands), layout=FIRST, phase=Phase.SHOW_HANDS, turn=None, out=out, blocked=out is None)
    shown = tuple(() if seat == out else None for seat in range(len(held)))
    state = replace(state, hands=tuple(map(len, held)), shown=shown, **changes)  # type: ignore[arg-type]  # fields
    return answers(played, state, *(ShowHand(seat, hand) for seat, hand in enumerate(held) if seat != out))
