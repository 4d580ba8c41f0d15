"""What one guest may say now, told to its phone: the acts of its seat, and which answers are its to give."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from display.keys import undoable
from display.sentences import letter
from referee.games import game, games
from referee.outside import rights
from referee.outside.rights import Right
from referee.wire import Guest, Question, View

COUNTS = range(5, 40, 5)  # what open ends can score at once
HIGHEST = 6  # as long as the game is not known
PICKED = "{tile}"  # where the tile that is picked on the page goes


class Act(msgspec.Struct, frozen=True):
    """Something that can be said: an action's code, its line (with `{tile}` for one to be picked), a number or name.

    `asks` when somebody else has to agree first.
    """

    what: str
    line: str
    value: str = ""
    asks: bool = False


class Mine(msgspec.Struct, frozen=True, tag="seat"):
    """All that a phone has to know of its own part.

    `may` are the lines of answers that it may give, `wishes` those of them that somebody else has to agree to. `kind`
    and `highest` say which tiles there are.
    """

    guest: str = ""
    role: str = "watcher"
    seat: int | None = None
    acts: tuple[Act, ...] = ()
    may: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    kind: str = ""
    highest: int = HIGHEST


def mine(view: View, guest: Guest | None) -> Mine:
    """What a guest may say to a view; None for one that only looks on."""
    if guest is None:
        return Mine()
    known = games().get(view.game)
    kind = known.kind if known else ""
    highest = max((max(tile.values) for tile in game(view.game).tiles), default=HIGHEST) if known else HIGHEST
    whole = Mine(guest.id, guest.role, guest.seat, kind=kind, highest=highest)
    if guest.role == "watcher":
        return whole
    is_host = guest.role == "host"
    answers = dict(_answers(view, guest.seat, is_host))
    wishes = tuple(line for line, right in answers.items() if right is Right.WISH)
    acts = tuple(_acts(view, guest.seat, is_host))
    return msgspec.structs.replace(whole, acts=acts, may=tuple(answers), wishes=wishes)


def _acts(view: View, seat: int | None, is_host: bool) -> Iterator[Act]:
    """What there are keys for: the moves of the seat to move, naming tiles, the course of the round, an undo."""
    if view.phase == "play" and view.turn is not None and (is_host or view.turn == seat):
        yield from _moves(view, view.turn)
    if "announces" in view.actions and seat is not None:
        yield Act("announces", f"{letter(seat)} announces {PICKED}")
    if is_host:
        yield from (Act(action, action) for action in ("begin", "clear") if action in view.actions)
    if is_host and view.tricks is not None and "first" in view.actions:
        for index in range(len(view.seats)):
            yield Act("first", f"first bidder {letter(index)}", view.seats[index].name)
    if "claims" in view.actions and seat is not None:
        yield from (Act("claims", f"{letter(seat)} claims {each}", str(each)) for each in COUNTS)
    last = undoable(view)
    if "undo" in view.actions and last is not None and (is_host or last.seat == seat):
        yield Act("undo", f"undo {last.entry}", asks=not is_host)


def _moves(view: View, seat: int) -> Iterator[Act]:
    who = letter(seat)
    if "draws" in view.actions:
        yield Act("draws", f"{who} draws 1")
    if view.tricks is not None and "bids" in view.actions:
        yield from (Act("bids", f"{who} bids {bid}", bid) for bid in view.tricks.choices)
    if "passes" in view.actions and (view.tricks is None or "bids" in view.actions):
        yield Act("passes", f"{who} passes")
    if "discards" in view.actions:
        yield Act("discards", f"{who} discards hidden")
    if view.tricks is not None and "names" in view.actions:
        yield from (Act("names", f"{who} names {name}", name) for name in view.tricks.choices)
    if "plays" in view.actions:
        yield Act("plays", f"{who} plays {PICKED}")


def _answers(view: View, seat: int | None, is_host: bool) -> Iterator[tuple[str, Right]]:
    """The answers on the page that a guest may give."""
    for asked in view.questions:
        for option in asked.options:
            right = _right(option.line, seat, is_host, view.questions)
            if right is Right.YES or (right is Right.WISH and asked.about and asked.about.seat == seat):
                yield option.line, right
    if view.dispute is not None:
        for option in view.dispute.options:
            right = _right(option.line, seat, is_host, view.questions)
            if right is Right.YES or (right is Right.WISH and view.dispute.seat == seat):
                yield option.line, right


def _right(line: str, seat: int | None, is_host: bool, questions: tuple[Question, ...]) -> Right | None:
    if not line:
        return None  # it is done on the table
    if is_host:
        return Right.YES
    try:
        return None if seat is None else rights.of_player(line, seat, questions)
    except ValueError:
        return None  # a newer table has words that are not known here
