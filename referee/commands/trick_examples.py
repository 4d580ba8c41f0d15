"""Translates the examples about games of tricks into states, moves and rulings (see `examples`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from referee.commands.examples import SEATS, Answer, Fields, code
from referee.games import Game
from referee.moves import Begin, Bid, Exchange, FirstBidder, Loose, Move, Pass, Play, Trump
from referee.rulings import Reason, Ruling
from referee.state import Phase, Placed
from referee.tiles import Tile, domino_set
from referee.tricks import trick
from referee.tricks.trick import Step, TrickState
from referee.umpire import stamped


def _setup(preset: Game, given: Fields, _: Fields) -> Fields:
    state = preset.start(preset, tuple(SEATS[: given.get("players", 3)]), preset.settings)
    removed = sorted(set(domino_set(preset.settings.max_number)) - set(preset.tiles))
    doubles = sum(tile.is_uniform for tile in preset.tiles)
    said = {"count": len(preset.tiles), "hand": state.hands[0], "centre": state.stock, "stock": state.stock}
    said |= {"sum": sum(tile.total for tile in preset.tiles), "doubles": doubles}
    return said | {"distinct": len(preset.tiles) - doubles, "removed": list(map(str, removed))}


def _bidding(preset: Game, given: Fields, asked: Fields) -> Fields:
    state = _after(preset, _begun(preset), Begin(), FirstBidder(SEATS.index(given["first"])))
    for letter, bid in given["calls"]:
        state = _after(preset, state, _call(letter, bid))
    ruling = preset.rule(state, _call(asked["seat"], asked["bid"]))
    said: Fields = {"legal": ruling.is_legal, "code": code(ruling.reason)}
    after = ruling.state
    assert isinstance(after, TrickState)
    if after.phase is Phase.DEAL:
        return said | {"next_first": _letter(after.first)}
    is_over = after.step is not Step.AUCTION
    if not is_over:
        return said | {"bidding_over": False, "next": _letter(after.turn)}
    return said | {"bidding_over": True, "declarer": _letter(after.bidder), "bid": after.bid}


def _exchange(preset: Game, given: Fields, asked: Fields) -> Fields:
    bidder = SEATS.index(given["declarer"])
    moves: list[Move] = [Begin(), FirstBidder(bidder), Bid(bidder, 4), *(Pass((bidder + n) % 3) for n in (1, 2))]
    state = _after(preset, _begun(preset), *moves)
    held = _tiles(given["hand_tiles"]) if "hand_tiles" in given else None
    state = replace(state, known=tuple(held if seat == bidder else None for seat in range(state.players)))
    discard = asked["discard"]
    tile = Tile.parse(discard) if discard[:1].isdigit() else None
    ruling = preset.rule(state, Exchange(bidder, tile))
    said = {"legal": ruling.is_legal, "code": code(ruling.reason)}
    return said | {"hand": ruling.state.hands[bidder], "centre_face_down": ruling.state.stock}


def _trick_play(preset: Game, given: Fields, asked: Fields) -> Fields:
    """Seat A has led; seat B holds the hand and plays."""
    hand = _tiles(given["hand"])
    state = _playing(preset, given["trump"], 0)
    if given.get("led"):
        state = _after(preset, state, Play(0, Tile.parse(given["led"]), given.get("named")))
    seat = state.turn
    assert seat is not None
    hands = tuple(len(hand) if each == seat else count for each, count in enumerate(state.hands))
    state = replace(state, known=tuple(hand if each == seat else None for each in range(3)), hands=hands)
    ruling = preset.rule(state, Play(seat, Tile.parse(asked["tile"])))
    said: Fields = {"legal": ruling.is_legal, "code": code(ruling.reason)}
    if ruling.reason is Reason.REVOKE and state.trump is not None:
        said["must"] = list(map(str, trick.playable(hand, trick.asked(state), state.trump)))
    return said


def _trick_result(preset: Game, given: Fields, _: Fields) -> Fields:
    plays = given["plays"]
    state = _playing(preset, given["trump"], SEATS.index(plays[0][0]))
    for letter, tile in plays:
        ruling = preset.rule(state, Play(SEATS.index(letter), Tile.parse(tile)))
        state = _state(ruling)
        if not ruling.is_legal:
            return {"legal": False, "code": code(ruling.reason)}
    return {"winner": _letter(state.won[0])}


def _deal_score(preset: Game, given: Fields, _: Fields) -> Fields:
    tricks = {SEATS.index(letter): taken for letter, taken in given["tricks"].items()}
    totals = given.get("totals_before", {})
    scores = tuple(totals.get(SEATS[seat], 0) for seat in range(3))
    ruling = _last_trick(preset, SEATS.index(given["declarer"]), given["bid"], tricks, scores)
    after = ruling.state
    said: Fields = {"delta": {SEATS[seat]: ruling.points(seat) for seat in range(3)}}
    said |= {"made": ruling.points(SEATS.index(given["declarer"])) > 0, "game_over": after.phase is Phase.OVER}
    said["totals"] = {SEATS[seat]: score for seat, score in enumerate(after.scores)}
    return said | {"winner": _letter(after.ranking[0][0]) if after.ranking else None}


def _game_end(preset: Game, given: Fields, _: Fields) -> Fields:
    """Bring the totals about by a last trick whose own points are taken off beforehand."""
    totals = tuple(given["totals"][SEATS[seat]] for seat in range(3))
    bidder = SEATS.index(given.get("declarer", "A"))
    tricks = {bidder: 5, (bidder + 1) % 3: 1, (bidder + 2) % 3: 1}
    earned = _last_trick(preset, bidder, 4, tricks, (0, 0, 0))
    before = tuple(total - earned.points(seat) for seat, total in enumerate(totals))
    after = _last_trick(preset, bidder, 4, tricks, before).state
    ranking = [[SEATS[seat] for seat in group] for group in after.ranking]
    return {
        "over": after.phase is Phase.OVER,
        "winner": ranking[0][0] if ranking else None,
        "ranking": ranking or None,
    }


def _irregularity(preset: Game, given: Fields, _: Fields) -> Fields:
    """Everything that the tricks prove; the deal is not stopped by it."""
    state = _playing(preset, given["trump"], 0)
    state = replace(state, settings=replace(state.settings, revoke_remedy="report"))
    proven: list[Fields] = []
    seq = 0
    for tiles in given["tricks"]:
        state = replace(state, turn=SEATS.index(tiles[0][0]))
        for letter, tile in tiles:
            seq += 1
            ruling = stamped(preset.rule(state, Play(SEATS.index(letter), Tile.parse(tile))), seq)
            if not ruling.is_legal:
                return {"legal": False, "code": code(ruling.reason), "at": seq}
            state = _state(ruling)
            for proof in ruling.proven:
                number = ((proof.entry or 1) - 1) // state.players + 1
                said = {"code": code(proof.reason), "seat": SEATS[proof.seat], "trick": number}
                proven.append(said | {"evidence": " ".join(proof.evidence)})
    return {"proven": proven}


# --- small things -------------------------------------------------------------------------------------


def _begun(preset: Game) -> TrickState:
    state = preset.start(preset, tuple(SEATS[:3]), preset.settings)
    assert isinstance(state, TrickState)
    return state


def _playing(preset: Game, trump: Trump, leader: int) -> TrickState:
    """The first trick of a deal in which this seat plays for the lowest bid."""
    bid = preset.settings.least_bid
    calls = ((leader, bid),)
    state = replace(_begun(preset), phase=Phase.PLAY, turn=leader, first=leader, calls=calls)
    return replace(state, step=Step.TRICKS, bidder=leader, bid=bid, trump=trump)


def _last_trick(preset: Game, bidder: int, bid: int, tricks: dict[int, int], scores: tuple[int, ...]) -> Ruling:
    """The ruling on the last tile of a deal that ends with so many tricks for each seat."""
    leader = max(tricks, key=lambda seat: tricks[seat])
    last = [Tile((6, 6)), Tile((1, 1)), Tile((2, 2))]  # the leader takes it: nobody follows
    others = [tile for tile in preset.tiles if tile not in last]
    won = list(Counter(tricks).elements())
    won.remove(leader)
    layout = [Placed(tile, Loose(), n % 3) for n, tile in enumerate(others[: 3 * len(won)])]
    seats = [(leader + step) % 3 for step in range(3)]
    layout += [Placed(tile, Loose(), seat) for tile, seat in zip(last[:2], seats[:2], strict=True)]
    state = replace(
        _playing(preset, "none", leader),
        layout=tuple(layout),
        won=tuple(won),
        suits=(0,) * len(won) + (6,),
        hands=tuple(int(seat == seats[2]) for seat in range(3)),
        bidder=bidder,
        bid=bid,
        scores=scores,
        turn=seats[2],
    )
    return preset.rule(state, Play(seats[2], last[2]))


def _after(preset: Game, state: TrickState, *moves: Move) -> TrickState:
    for move in moves:
        ruling = preset.rule(state, move)
        if not ruling.is_legal:
            raise ValueError(f"expected a legal move, got {move}: {ruling.reason}")
        state = _state(ruling)
    return state


def _state(ruling: Ruling) -> TrickState:
    assert isinstance(ruling.state, TrickState)
    return ruling.state


def _call(letter: str, bid: int | str) -> Move:
    seat = SEATS.index(letter)
    return Pass(seat) if bid == "pass" else Bid(seat, int(bid))


def _letter(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]


def _tiles(names: Sequence[str]) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, names))


KINDS: Mapping[str, Answer] = MappingProxyType(
    {
        "setup": _setup,
        "bidding": _bidding,
        "exchange": _exchange,
        "trick_play": _trick_play,
        "trick_result": _trick_result,
        "deal_score": _deal_score,
        "game_end": _game_end,
        "irregularity": _irregularity,
    }
)
