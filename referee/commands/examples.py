"""Translates the records of a file of rule examples (`rules-examples/1`) into states, moves and rulings.

Games of tricks have their own in `trick_examples`. An answer is made from a record without its
expectation, in the words that expectations use. A seat's tiles are known only where a record shows them.
Turn records carry no board: a small one is found on which the tiles they speak of fit as they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from referee import audit, umpire
from referee.games import Game
from referee.laying import lattice, line
from referee.laying.lattice import Cell
from referee.moves import Announce, CellSpot, Draw, LineSpot, Move, Pass, Place, ShowHand, Spot
from referee.rulings import Award, Proof, Reason, Ruling
from referee.state import Phase, Placed, State
from referee.tiles import TRIOMINO, Tile

SEATS = "ABCDEF"
FIRST_CELL = Cell(0, 0, "U")
# Five tiles round a vertex: across the gap they leave, a tile touches two of them by corners only.
OPEN_HEXAGON = (
    CellSpot(Cell(1, -1, "U"), (1, 3, 1)),
    CellSpot(Cell(1, -2, "D"), (2, 1, 1)),
    CellSpot(Cell(1, -2, "U"), (2, 1, 2)),
    CellSpot(Cell(0, -2, "D"), (2, 4, 1)),
    CellSpot(Cell(0, -1, "U"), (4, 4, 1)),
)

Fields = dict[str, Any]
# From a preset, the state and the move of a record to what our rules say, under the keys of an expectation. Raises
# KeyError, IndexError, TypeError or ValueError where a record lacks something or is not what it should be.
Answer = Callable[[Game, Fields, Fields], Fields]


def differences(expected: Fields, got: Fields) -> tuple[Fields, Fields]:
    """The parts of an expectation and of an answer in which they differ; points of zero count as absent."""
    expected = dict(expected)
    if got.get("provable_only_later"):
        expected.setdefault("provable_only_later", False)
    different = [key for key in expected if key not in got or _plain(expected[key]) != _plain(got[key])]
    return {key: expected[key] for key in different}, {key: got[key] for key in different if key in got}


def code(reason: Reason) -> str:
    """A reason as the examples write it."""
    name = reason.value.upper().replace("-", "_")
    is_bare = reason.is_legal or name.endswith("_PROVEN") or reason is Reason.TILE_COUNT_WRONG
    return name if is_bare else f"ERR_{name}"


# --- one move -----------------------------------------------------------------------------------------


def _placement(preset: Game, given: Fields, asked: Fields) -> Fields:
    seat = _seat(asked.get("seat", "A"))
    if preset.kind == TRIOMINO:
        spots: list[Spot] = [CellSpot(_cell(each["cell"]), tuple(each["cw"])) for each in given["board"]]
        layout = tuple(Placed(Tile(spot.values), spot, seat) for spot in spots if isinstance(spot, CellSpot))
        spot: Spot = CellSpot(_cell(asked["cell"]), tuple(asked["cw"]))
    else:
        layout = _chain(given["chain"], (seat,))
        spot = LineSpot(asked["end"])
    tile = Tile(tuple(asked["cw"])) if asked.get("tile") is None else Tile.parse(asked["tile"])
    before = replace(_playing(preset, seat + 1), layout=layout, turn=seat)
    ruling = preset.rule(before, Place(seat, tile, spot))
    said = _said(ruling, seat)
    if isinstance(spot, CellSpot) and ruling.is_legal:
        board = {each.spot.cell: each.spot.values for each in layout if isinstance(each.spot, CellSpot)}
        said["hexagons"] = lattice.contact(board, spot.cell, spot.values).hexagons
    elif ruling.is_legal:
        said["ends"] = list(line.ends(ruling.state.layout) or ())
    return said


def _opening(preset: Game, given: Fields, asked: Fields) -> Fields:
    hands = given.get("hands_shown_for_test_only") or given["hands"]
    seat, tile = _seat(asked["seat"]), Tile.parse(asked["tile"])
    before = _playing(preset, max(map(_seat, hands)) + 1)
    before = replace(before, known=tuple(_tiles(hands.get(SEATS[each], ())) for each in range(before.players)))
    move = Place(seat, tile, CellSpot(FIRST_CELL, tile.values) if preset.kind == TRIOMINO else LineSpot("left"))
    ruling = preset.rule(before, move)
    answers = (offer.move for offer in preset.asks(ruling.state))
    to_show = [str(answer.tile) for answer in answers if isinstance(answer, Announce) and answer.tile != tile]
    return _said(ruling, seat) | ({"must_show": to_show[0]} if len(to_show) == 1 else {})


def _turn(preset: Game, given: Fields, asked: Fields) -> Fields:
    seat = _seat(given["seat"])
    turn = _seat(given["to_move"]) if "to_move" in given else seat
    events: list[str] = asked["events"]
    names = [event.split()[1] for event in events if event.startswith("place ")]
    layout, held = _table(preset, [Tile.parse(name) for name in names], given)
    before = replace(_playing(preset, max(seat, turn) + 1), layout=layout, turn=turn, stock=given["stock"])
    before = replace(before, known=tuple(held if each == seat else None for each in range(before.players)))
    said, kept = _events(preset, before, seat, events)
    if held is None or said["legal"]:
        return said | {"provable_only_later": False}
    hidden = replace(before, known=(None,) * before.players)
    unknowing, kept = _events(preset, hidden, seat, events)
    return said | {"provable_only_later": unknowing["legal"] and kept}


def _events(preset: Game, state: State, seat: int, events: list[str]) -> tuple[Fields, bool]:
    """Rule on the events of one turn up to the first illegal one; also whether a claim was kept."""
    awards: list[Award] = []
    before = state
    for event in events:
        if event == "draw":
            move: Move = Draw(seat)
        elif event == "cannot_play":
            move = Pass(seat)
        else:
            named = [Tile.parse(event.split()[1])] if " " in event else list(preset.tiles)
            tile, spot = next((tile, spot) for tile in named for spot in preset.places(state, tile))
            move = Place(seat, tile, spot)
        ruling = preset.rule(state, move)
        awards += ruling.awards
        state = ruling.state
        if not ruling.is_legal:
            break
    said = _said(replace(ruling, awards=tuple(awards)), seat) | {"stock": state.stock}
    if isinstance(move, Place) and ruling.is_legal:
        said["code"] = "OK_PLACE"  # a turn record names the act, not how the tile lies
    return said, len(state.claims) > len(before.claims)


def _table(preset: Game, named: list[Tile], given: Fields) -> tuple[tuple[Placed, ...], tuple[Tile, ...] | None]:
    """A layout on which the first named tile fits plainly, and the one tile that the seat is known to hold."""
    if given.get("hand_only_corner_moves"):
        layout = tuple(Placed(Tile(spot.values), spot, 0) for spot in OPEN_HEXAGON)
        gaps = lattice.gaps({spot.cell: spot.values for spot in OPEN_HEXAGON})
        for tile in preset.tiles:
            sides = [
                gap.sides for gap in gaps if gap.asks.count(None) < 2 for turned in _turned(tile) if gap.takes(turned)
            ]
            if sides and not any(sides) and all(tile != placed.tile for placed in layout):
                return layout, (tile,)
    for base in preset.tiles:
        first = CellSpot(FIRST_CELL, base.values) if preset.kind == TRIOMINO else LineSpot("left")
        layout = (Placed(base, first, 0),)
        state = replace(_playing(preset, 2), layout=layout, turn=0)
        fitting = [tile for tile in preset.tiles if preset.places(state, tile)]
        if base in named or not fitting or (named and named[0] not in fitting):
            continue
        if not given.get("hand_has_legal_move"):
            return layout, None
        if others := [tile for tile in fitting if tile not in named]:
            return layout, (others[0],)
    raise ValueError("expected tiles for which some board can be found")


# --- the end of a round and of a match ----------------------------------------------------------------


def _round_end(preset: Game, given: Fields, asked: Fields) -> Fields:
    if asked["action"] == "check_fish":
        return _fish(preset, given)
    hands = given["hands"]
    out = _seat(asked["seat"]) if asked["action"] == "went_out" else None
    before = _showing(preset, max(map(_seat, hands)) + 1, hands, out)
    before = replace(before, stock=given.get("stock", before.stock), layout=_any_tile(preset, hands))
    rulings = _show_all(preset, before, hands)
    winner = rulings[-1].state.round_winner
    return {"delta": _deltas(rulings), "round_winner": None if winner is None else SEATS[winner]}


def _fish(preset: Game, given: Fields) -> Fields:
    chain, log, hands = given["chain"], given.get("play_log"), given["hands"]
    players = max(
        [given.get("players", 2), *(_seat(seat) + 1 for seat in hands), *(_seat(each[0]) + 1 for each in log or ())]
    )
    before = _playing(preset, players)
    if log is None:
        layout = _chain(chain, tuple(range(players)))
        moves = [Place(layout[-1].seat, layout[-1].tile, layout[-1].spot)]
        before = replace(before, layout=layout[:-1], turn=layout[-1].seat)
    else:
        moves = [Place(_seat(seat), Tile.parse(tile), LineSpot(end or "left")) for seat, tile, end in log]
    laid = Counter(move.seat for move in moves)
    counts = tuple(laid[seat] + (len(hands[SEATS[seat]]) if SEATS[seat] in hands else 1) for seat in range(players))
    ruling = Ruling(Reason.NOT_NOW, replace(before, hands=counts, taken=counts, stock=given["stock"]))
    for move in moves:
        ruling = preset.rule(ruling.state, move)
        if not ruling.is_legal:
            return {"blocked": False, "code": code(ruling.reason)}
    said: Fields = {"blocked": ruling.state.blocked, "code": code(ruling.reason)}
    if ruling.state.blocked:
        said["fish_maker"] = SEATS[ruling.state.layout[-1].seat]
        said["delta"] = _deltas(_show_all(preset, ruling.state, hands))
    return said


def _game_end(preset: Game, given: Fields, _: Fields) -> Fields:
    """Bring the totals about by a last move whose own points are taken off beforehand."""
    totals = given["totals"]
    players = max(map(_seat, totals)) + 1
    scores = tuple(totals.get(SEATS[seat], 0) for seat in range(players))
    move: Move
    if given.get("round_over", True):
        winner = given.get("round_winner", "A" if preset.settings.lowest_wins else None)
        out = None if winner is None else _seat(winner)
        last = next(seat for seat in range(players) if seat != out)
        before = replace(_showing(preset, players, {}, out), layout=_any_tile(preset, {}))
        before = replace(before, shown=tuple(None if seat == last else () for seat in range(players)))
        move = ShowHand(last, ())
    else:
        layout, _nothing = _table(preset, [], {})
        seat = scores.index(max(scores))
        before = replace(_playing(preset, players), layout=layout, turn=seat)
        tile, spot = next((tile, spot) for tile in preset.tiles for spot in preset.places(before, tile))
        move = Place(seat, tile, spot)
    earned = preset.rule(before, move)
    before = replace(before, scores=tuple(score - earned.points(seat) for seat, score in enumerate(scores)))
    after = preset.rule(before, move).state
    said: Fields = {"over": after.phase is Phase.OVER, "winner": None, "loser": None, "ranking": None}
    if after.ranking:
        said["ranking"] = [[SEATS[seat] for seat in group] for group in after.ranking]
        said["winner"] = said["ranking"][0][0] if len(after.ranking[0]) == 1 else None
        said["loser"] = said["ranking"][-1][0] if len(after.ranking[-1]) == 1 else None
    return said


# --- sets, deals and irregularities -------------------------------------------------------------------


def _setup(preset: Game, given: Fields, asked: Fields) -> Fields:
    if asked["action"] == "deal":
        state = preset.start(preset, tuple(SEATS[: given["players"]]), preset.settings)
        return {"hand": state.hands[0], "stock": state.stock}
    kinds = Counter(len(set(tile.values)) for tile in preset.tiles)
    said = {"count": len(preset.tiles), "sum": sum(tile.total for tile in preset.tiles)}
    if preset.kind == TRIOMINO:
        return said | {"triples": kinds[1], "doubles": kinds[2], "distinct": kinds[3]}
    return said | {"doubles": kinds[1], "distinct": kinds[2]}


def _irregularity(preset: Game, given: Fields, _: Fields) -> Fields:
    if "log" not in given:
        hands = given["hand_counts"].values()
        proof = audit.tile_count(len(preset.tiles), given["on_table"], given["stock"], hands)
        return {"proven": [] if proof is None else [_count_proof(proof)]}
    state = _playing(preset, given["players"])
    proven: list[Proof] = []
    for number, (letter, action, *rest) in enumerate(given["log"], start=1):
        seat = _seat(letter)
        move: Move
        if action == "draw":
            move = Draw(seat, rest[0])
        elif action == "pass":
            move = Pass(seat)
        else:
            spot = rest[1]
            is_cell = isinstance(spot, dict)
            where = CellSpot(_cell(spot["cell"]), tuple(spot["cw"])) if is_cell else LineSpot(spot or "left")
            move = Place(seat, Tile.parse(rest[0]), where)
        ruling = umpire.stamped(preset.rule(state, move), number)
        if not ruling.is_legal:
            return {"legal": False, "code": code(ruling.reason), "at": number}
        state = ruling.state
        proven += ruling.proven
    said = [{"code": code(each.reason), "seat": SEATS[each.seat], "at": each.entry} for each in proven]
    return {"proven": [each | {"evidence": list(proof.evidence)} for each, proof in zip(said, proven, strict=True)]}


# --- small things -------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """A value without the entries that are zero."""
    return {key: each for key, each in value.items() if each != 0} if isinstance(value, dict) else value


def _said(ruling: Ruling, seat: int) -> Fields:
    said: Fields = {"legal": ruling.is_legal, "code": code(ruling.reason)}
    if ruling.is_legal:
        parts: Counter[str] = Counter()
        for award in ruling.awards:
            parts[award.what] += award.points
        said |= {"delta": ruling.points(seat), "parts": dict(parts)}
    return said


def _deltas(rulings: list[Ruling]) -> dict[str, int]:
    players = rulings[-1].state.players
    return {SEATS[seat]: sum(ruling.points(seat) for ruling in rulings) for seat in range(players)}


def _count_proof(proof: Proof) -> Fields:
    expected, found = map(int, proof.evidence)
    return {"code": code(proof.reason), "expected": expected, "found": found}


def _seat(letter: str) -> int:
    return SEATS.index(letter)


def _tiles(names: Any) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, names))


def _cell(parts: Any) -> Cell:
    x, y, half = parts
    return Cell(x, y, half)


def _turned(tile: Tile) -> list[tuple[int, ...]]:
    return [tile.values[shift:] + tile.values[:shift] for shift in range(3)]


def _chain(chain: Any, seats: tuple[int, ...]) -> tuple[Placed, ...]:
    """A line given from left to right, as if laid in that order by these seats in turn."""
    spots = [LineSpot("left", chain[0][1]), *(LineSpot("right", inner) for inner, _ in chain[1:])]
    laid = zip(chain, spots, strict=True)
    return tuple(Placed(Tile(tuple(pair)), spot, seats[n % len(seats)]) for n, (pair, spot) in enumerate(laid))


def _any_tile(preset: Game, hands: Fields) -> tuple[Placed, ...]:
    """A layout of one tile that is in nobody's hand."""
    held = {tile for names in hands.values() for tile in _tiles(names)}
    tile = next(tile for tile in preset.tiles if tile not in held)
    return (Placed(tile, CellSpot(FIRST_CELL, tile.values) if preset.kind == TRIOMINO else LineSpot("left"), 0),)


def _playing(preset: Game, players: int) -> State:
    """A round in play at the first tile, with at least so many players."""
    state = preset.start(preset, tuple(SEATS[: max(players, preset.min_players, 2)]), preset.settings)
    return replace(state, phase=Phase.PLAY)


def _showing(preset: Game, players: int, hands: Fields, out: int | None) -> State:
    """A round that has ended with these hands."""
    state = _playing(preset, players)
    counts = tuple(len(hands.get(SEATS[seat], ())) for seat in range(state.players))
    shown = tuple(() if seat == out else None for seat in range(state.players))
    return replace(state, phase=Phase.SHOW_HANDS, hands=counts, taken=counts, out=out, blocked=out is None, shown=shown)


def _show_all(preset: Game, state: State, hands: Fields) -> list[Ruling]:
    """Show every hand that has not been shown yet."""
    rulings = []
    for seat, hand in enumerate(state.shown):
        if hand is None:
            rulings.append(preset.rule(state, ShowHand(seat, _tiles(hands.get(SEATS[seat], ())))))
            state = rulings[-1].state
    return rulings


KINDS: Mapping[str, Answer] = MappingProxyType(
    {
        "placement": _placement,
        "opening": _opening,
        "turn": _turn,
        "round_end": _round_end,
        "game_end": _game_end,
        "setup": _setup,
        "irregularity": _irregularity,
    }
)
