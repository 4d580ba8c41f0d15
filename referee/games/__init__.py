"""The games the referee knows: one file per game, presets are values of its settings.

`game(preset)` is the only way in. A game is a value with three pure functions; nothing outside this
folder asks which game is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee import nearest
from referee.moves import Move, Spot
from referee.rulings import Offer, Reason, Ruling
from referee.state import Placed, State
from referee.tiles import Tile


@dataclass(frozen=True, slots=True)
class Placement:
    """A spot where a tile may lie, what kind of place that is and what the tile would earn there."""

    tile: Tile
    spot: Spot
    reason: Reason
    points: int


def _next_has_acted(state: State, move: Move, since: Collection[int]) -> bool:
    seat = getattr(move, "seat", None)
    return seat is not None and (seat + 1) % state.players in since


@dataclass(frozen=True, slots=True)
class Game:
    """A preset of a game.

    Attributes:
        id: the preset's name, such as `ro-trimino/manufacturer`.
        kind: the kind of tile it is played with.
        tiles: the whole set of the preset.
        settings: the game's frozen settings with this preset's numbers.
        min_players, max_players: how many may play.
        start: names and settings to the state before the first deal.
            Raises ValueError for a wrong number of players.
        rule: a state and a move to a ruling; total, never raises for a player's mistake.
        places: all spots where a tile could be laid legally now, whoever lays it.
        vary: settings with house rules changed (`{"target": "60", "opening": "any"}`).
            Raises ValueError naming the option, what was expected and what came.
        asks: what has to be asked about the state as it stands: what players may answer, () when nothing is.
        sheet: the rules in words: paragraph numbers, as rulings cite them, and sentences with the
            numbers of the settings.
        rank: how good a tile is to open with; the highest of a hand is the one to announce.
        tiles_of: the whole set that settings play with, house rules included.
        in_tricks: tiles are played to tricks, and nothing is joined to anything.
        lies: the tiles played in this round that still have to lie there; those of a finished trick may.
        offers: what can be done about a refused placement, the remedy of the rules first; True when play has
            gone on since.
        goes_on: whether play has gone on after a refused placement, by the seats that have acted since.
        lots: the moves of which the table draws one by lot now, () when chance has no say.
        placements: all that `places` lists for these tiles, with what each would earn.
        counts: what the open ends count together, where the game counts them and it is no secret.
        calls: what the seat to move may bid, or name as trumps, lowest first; () when nothing is called.
        is_dead: whether tiles are joined to a layout that no tile left can join: then every pass is honest.
    """

    id: str
    kind: str
    tiles: tuple[Tile, ...]
    settings: Any
    min_players: int
    max_players: int
    start: Callable[[Game, tuple[str, ...], Any], State]
    rule: Callable[[State, Move], Ruling]
    places: Callable[[State, Tile], tuple[Spot, ...]]
    vary: Callable[[Any, dict[str, str]], Any]
    sheet: Callable[[Any], tuple[tuple[str, str], ...]]
    rank: Callable[[Tile], tuple[int, ...]]
    tiles_of: Callable[[Any], Collection[Tile]]
    placements: Callable[[State, Collection[Tile]], tuple[Placement, ...]] = lambda _state, _tiles: ()
    is_dead: Callable[[State], bool] = lambda _state: False
    asks: Callable[[State], tuple[Offer, ...]] = lambda _state: ()
    lots: Callable[[State], tuple[Move, ...]] = lambda _state: ()
    offers: Callable[[State, Move, bool], tuple[Offer, ...]] = lambda _state, _move, _has_gone_on: ()
    goes_on: Callable[[State, Move, Collection[int]], bool] = _next_has_acted
    in_tricks: bool = False
    lies: Callable[[State], tuple[Placed, ...]] = lambda state: state.layout
    counts: Callable[[State], int | None] = lambda _state: None
    calls: Callable[[State], tuple[str, ...]] = lambda _state: ()


def games() -> dict[str, Game]:
    """All presets by id."""
    return dict(_games())


@cache
def _games() -> dict[str, Game]:
    from referee.games import block, fives, goat, moon, triomino

    return {preset.id: preset for module in (triomino, goat, block, fives, moon) for preset in module.GAMES}


def layout_game(preset: str) -> Game:
    """The preset with this id, of a game in which tiles are joined to a layout.

    Raises:
        ValueError: if there is none, or it is played in tricks.
    """
    found = game(preset)
    if found.in_tricks:
        raise ValueError(
            f"expected a game whose tiles are joined to a layout, got {preset!r}, which is played in tricks"
        )
    return found


def game(preset: str) -> Game:
    """The preset with this id.

    Raises:
        ValueError: if there is none; the message lists those there are.
    """
    known = _games()
    if preset not in known:
        hint = nearest.meant(preset, known)
        raise ValueError(f"expected a game ({', '.join(sorted(known))}), got {preset!r}{hint}")
    return known[preset]
