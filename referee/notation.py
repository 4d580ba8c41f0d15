"""One line of text for each act, the same in the journal, on the wire and in the terminal.

    match ro-trimino/manufacturer A=Ana B=Bo target=60 opening=any
    match fr-domino A=Ana B=Bo seats=90,270      where they sit: degrees clockwise from above, 90 at the near side
    match fr-domino A=Ana B=Bo zones=draws,hands     seen by camera in zones of the mat (or one of the two alone)
    begin
    A announces 5-5-5            A announces nothing
    A lays 5-0-3 at 0,0,U        numbers clockwise, in the order of the cell's vertices
    A lays 3-5 at right          A lays 3-5 at right by 3 (the half that faces the line); an arm is `up` or `down`
    A lays 0-1-2 loose           any of these, or a play, with ` overruled` at the end
    A draws 2                    A passes
    A shows 1-2-3 0-4-5          A shows nothing
    clear
    first bidder B
    A bids 5                     A discards 1-2              A discards hidden
    A names 6                    A names doubles             A names none
    A plays 6-6                  A plays 3-5 as 3 (the number asked for, where the leader may choose)
    A exposes 3-5                A exposes 3-5 laid (out of turn, and it lies open)
    A holds 6                    stock 11 (tiles, as counted)
    A says 4 drawn               A dealt 8 (tiles, as found later)
    A claims 15                  (the points of the newest tile, where they go to whoever names them)
    stock shows 3-5              A calls block                A gets -50 (points)
    turn B                       redeal
    undo 12                      overrule 12
    correct 12: A lays 3-5 at left
    undo! 12                     `!` confirms what would change a match that is over (so does `stock! 11`),
                                 or takes a last tile for missing (`A holds! 0`)

Seats are the letters A to F. In names and values of house rules, everything but letters, digits and
`. , : _ -` is written as `%` and two hexadecimal digits for each byte of UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.laying.lattice import Cell
from referee.moves import (
    DOUBLES,
    NO_TRUMP,
    Adjust,
    Announce,
    Begin,
    Bid,
    CallBlock,
    CellSpot,
    ClaimPoints,
    Clear,
    CountDeal,
    CountStock,
    Draw,
    Exchange,
    Expose,
    ExposeStock,
    FirstBidder,
    LineSpot,
    Loose,
    Move,
    NameTrump,
    Pass,
    Place,
    Play,
    Recount,
    Redeal,
    SayDrawn,
    SetTurn,
    ShowHand,
    Spot,
    Trump,
)
from referee.seen.zones import WATCHED, watched
from referee.tiles import Tile
from referee.umpire import Act, Correct, Match, Overrule, Undo
from referee.words import SEATS, NotationError, Words, quote, unquote

PLACES, ZONES = "seats", "zones"
_DEG = r"(?:[12]?[0-9]{1,2}|3[0-5][0-9])"
_SEATS_DEG = re.compile(rf"{_DEG}(?:,{_DEG})*")

__all__ = ["SEATS", "NotationError", "parse", "write"]


def parse(line: str) -> Act:
    """Read one line.

    Raises:
        NotationError: if the line says no act.
    """
    words = Words(line)
    verb = words.peek()
    act: Act
    if verb == "match":
        act = _parse_match(words)
    elif verb.removesuffix("!") in ("undo", "overrule", "correct"):
        act = _parse_change(words)
    else:
        act = _parse_move(words)
    words.end()
    return act


def write(act: Act) -> str:
    """The line that `parse` reads as this act.

    Raises:
        NotationError: for what no line can say: a seat after F, a spot with other numbers than the tile has.
    """
    match act:
        case Match():
            seats = [f"{_letter(seat)}={quote(name)}" for seat, name in enumerate(act.names)]
            options = [f"{quote(name)}={quote(value)}" for name, value in act.options]
            where = [f"{PLACES}={','.join(map(str, act.seats_deg))}"] if act.seats_deg else []
            seen = [f"{ZONES}={','.join(act.zones)}"] if act.zones else []
            return " ".join(["match", act.game, *seats, *where, *seen, *options])
        case Undo():
            return f"undo{_confirm(act.confirmed)} {act.entry}"
        case Overrule():
            return f"overrule{_confirm(act.confirmed)} {act.entry}"
        case Correct():
            return f"correct{_confirm(act.confirmed)} {act.entry}: {_write_move(act.move)}"
    return _write_move(act)


# --- reading ----------------------------------------------------------------------------------------


def _parse_change(words: Words) -> Act:
    verb = words.take("undo, overrule or correct")
    confirmed = verb.endswith("!")
    if verb.startswith("correct"):
        return Correct(words.number("the number of an entry and a colon", ":"), _parse_move(words), confirmed)
    number = words.number("the number of an entry")
    return Undo(number, confirmed) if verb.startswith("undo") else Overrule(number, confirmed)


def _parse_match(words: Words) -> Match:
    words.take("match")
    game = words.take("a game")
    names: list[str] = []
    options: list[tuple[str, str]] = []
    seats_deg: tuple[int, ...] = ()
    zones: tuple[str, ...] = ()
    while not words.is_at_end:
        word = words.take("a name or a house rule")
        key, equals, value = word.partition("=")
        try:
            key, value = unquote(key), unquote(value)
        except ValueError:
            raise words.wrong("text with % and two hexadecimal digits for odd letters") from None
        if not equals or not key:
            raise words.wrong("a seat's name such as A=Ana or a house rule such as target=60")
        if len(key) == 1 and key in SEATS:
            if options or seats_deg or zones or len(names) >= len(SEATS) or key != SEATS[len(names)]:
                raise words.wrong("the seats in order before the house rules")
            names.append(value)
        elif key == PLACES:
            if options or seats_deg or zones or not _SEATS_DEG.fullmatch(value) or value.count(",") + 1 != len(names):
                raise words.wrong(f"degrees from 0 to 359 for each of {len(names)} seats, before the house rules")
            seats_deg = tuple(map(int, value.split(",")))
        elif key == ZONES:
            if options or zones:
                raise words.wrong("what is seen in zones once, before the house rules")
            try:
                zones = watched(value)
            except ValueError:
                raise words.wrong(f"{' or '.join(WATCHED)} to be seen in zones, or both with a comma") from None
        else:
            options.append((key, value))
    return Match(game, tuple(names), tuple(options), seats_deg, zones)


def _parse_move(words: Words) -> Move:
    word = words.take("a seat (A to F), begin or clear")
    if word == "stock!":
        return CountStock(words.number("how many tiles"), confirmed=True)
    if word in _TABLE_VERBS:
        return _TABLE_VERBS[word](words)
    if len(word) != 1 or word not in SEATS:
        others = ", ".join(sorted(_TABLE_VERBS))
        raise words.wrong(f"a seat (A to F), {others}, match, undo, overrule or correct")
    seat = SEATS.index(word)
    expected = f"one of {', '.join(sorted(_SEAT_VERBS))}"
    verb = words.take(expected)
    if verb == "holds!":
        return Recount(seat, words.number("how many tiles"), confirmed=True)
    if verb not in _SEAT_VERBS:
        raise words.wrong(expected)
    return _SEAT_VERBS[verb](words, seat)


def _parse_trump(words: Words) -> Trump:
    named = next((word for word in (DOUBLES, NO_TRUMP) if words.takes(word)), None)
    return words.number(f"a number, {DOUBLES} or {NO_TRUMP}") if named is None else named


def _parse_play(words: Words, seat: int) -> Play:
    tile = Tile(words.values())
    suit = words.number("the number that is asked for") if words.takes("as") else None
    return Play(seat, tile, suit, words.takes("overruled"))


def _parse_tiles(words: Words) -> tuple[Tile, ...]:
    tiles = [Tile(words.values())]
    while not words.is_at_end:
        tiles.append(Tile(words.values()))
    return tuple(tiles)


def _parse_place(words: Words, seat: int) -> Place:
    values = words.values()
    where = words.take("at or loose")
    spot: Spot
    if where == "loose":
        spot = Loose()
    elif where == "at":
        spot = _parse_spot(words, values)
    else:
        raise words.wrong("at or loose")
    return Place(seat, Tile(values), spot, words.takes("overruled"))


def _parse_spot(words: Words, values: tuple[int, ...]) -> Spot:
    expected = "left, right, up or down" if len(values) == 2 else "a cell such as 0,-1,D"
    word = words.take(expected)
    if len(values) == 3:
        try:
            cell = Cell.parse(word)
        except ValueError:
            raise words.wrong(expected) from None
        return CellSpot(cell, values)
    if word not in ("left", "right", "up", "down"):
        raise words.wrong(expected)
    if words.peek() != "by":
        return LineSpot(word)
    words.take("by")
    return LineSpot(word, words.number("the number on the half that faces the line"))


def _parse_stock(words: Words) -> CountStock | ExposeStock:
    if words.takes("shows"):
        return ExposeStock(Tile(words.values()))
    return CountStock(words.number("how many tiles, or shows and a tile"))


def _parse_said(words: Words, seat: int) -> SayDrawn:
    said = SayDrawn(seat, words.number("how many tiles"))
    words.after("drawn")
    return said


def _parse_call(words: Words, seat: int) -> CallBlock:
    if words.take("block") != "block":
        raise words.wrong("block")
    return CallBlock(seat)


# What the table does, and what a seat does.
_TABLE_VERBS: dict[str, Callable[[Words], Move]] = {
    "begin": lambda _: Begin(),
    "clear": lambda _: Clear(),
    "redeal": lambda _: Redeal(),
    "stock": _parse_stock,
    "turn": lambda words: SetTurn(words.seat()),
    "first": lambda words: FirstBidder(words.after("bidder").seat()),
}
_SEAT_VERBS: dict[str, Callable[[Words, int], Move]] = {
    "announces": lambda words, seat: Announce(seat, None if words.takes("nothing") else Tile(words.values())),
    "lays": _parse_place,
    "draws": lambda words, seat: Draw(seat, words.number("how many tiles")),
    "passes": lambda _, seat: Pass(seat),
    "shows": lambda words, seat: ShowHand(seat, () if words.takes("nothing") else _parse_tiles(words)),
    "bids": lambda words, seat: Bid(seat, words.number("how many tricks")),
    "discards": lambda words, seat: Exchange(seat, None if words.takes("hidden") else Tile(words.values())),
    "names": lambda words, seat: NameTrump(seat, _parse_trump(words)),
    "plays": _parse_play,
    "exposes": lambda words, seat: Expose(seat, Tile(words.values()), words.takes("laid")),
    "holds": lambda words, seat: Recount(seat, words.number("how many tiles")),
    "says": _parse_said,
    "dealt": lambda words, seat: CountDeal(seat, words.number("how many tiles")),
    "gets": lambda words, seat: Adjust(seat, words.signed("points such as 5 or -50")),
    "calls": _parse_call,
    "claims": lambda words, seat: ClaimPoints(seat, words.number("how many points")),
}


# --- writing ----------------------------------------------------------------------------------------


def _write_move(move: Move) -> str:
    match move:
        case Begin() | Clear() | Redeal() | CountStock() | ExposeStock() | SetTurn() | FirstBidder():
            return _write_of_table(move)
        case Expose() | Recount() | Adjust() | CallBlock() | SayDrawn() | CountDeal() | ClaimPoints():
            said = _write_remedy(move)
        case Bid() | Exchange() | NameTrump() | Play():
            said = _write_of_trick(move)
        case Announce():
            said = f"announces {move.tile or 'nothing'}"
        case Place():
            said = f"lays {_write_spot(move)}{' overruled' if move.overruled else ''}"
        case Draw():
            said = f"draws {move.count}"
        case Pass():
            said = "passes"
        case ShowHand():
            said = f"shows {' '.join(map(str, move.tiles)) or 'nothing'}"
    return f"{_letter(move.seat)} {said}"


def _write_of_table(move: Begin | Clear | Redeal | CountStock | ExposeStock | SetTurn | FirstBidder) -> str:
    match move:
        case CountStock():
            return f"stock{_confirm(move.confirmed)} {move.tiles}"
        case ExposeStock():
            return f"stock shows {move.tile}"
        case SetTurn():
            return f"turn {_letter(move.seat)}"
        case FirstBidder():
            return f"first bidder {_letter(move.seat)}"
    return type(move).__name__.lower()


def _write_of_trick(move: Bid | Exchange | NameTrump | Play) -> str:
    match move:
        case Bid():
            return f"bids {move.tricks}"
        case Exchange():
            return f"discards {move.discard or 'hidden'}"
        case NameTrump():
            return f"names {move.trump}"
        case Play():
            suit = "" if move.suit is None else f" as {move.suit}"
            return f"plays {move.tile}{suit}{' overruled' if move.overruled else ''}"


def _write_remedy(move: Expose | Recount | Adjust | CallBlock | SayDrawn | CountDeal | ClaimPoints) -> str:
    match move:
        case Expose():
            return f"exposes {move.tile}{' laid' if move.laid else ''}"
        case Recount():
            return f"holds{_confirm(move.confirmed)} {move.tiles}"
        case Adjust():
            return f"gets {move.points}"
        case CallBlock():
            return "calls block"
        case ClaimPoints():
            return f"claims {move.points}"
        case SayDrawn():
            return f"says {move.tiles} drawn"
        case CountDeal():
            return f"dealt {move.tiles}"


def _write_spot(move: Place) -> str:
    spot = move.spot
    if isinstance(spot, Loose):
        return f"{move.tile} loose"
    if isinstance(spot, LineSpot):
        return f"{move.tile} at {spot.end}{'' if spot.inner is None else f' by {spot.inner}'}"
    if len(spot.values) != 3 or Tile(spot.values) != move.tile:
        raise NotationError(f"the numbers of {move.tile} in a cell", "-".join(map(str, spot.values)), 3)
    return f"{'-'.join(map(str, spot.values))} at {spot.cell}"


def _confirm(confirmed: bool) -> str:
    return "!" if confirmed else ""


def _letter(seat: int) -> str:
    if not 0 <= seat < len(SEATS):
        raise NotationError(f"a seat from 0 to {len(SEATS) - 1}", str(seat), 1)
    return SEATS[seat]
