"""What a player may say from a phone: what is his own to say. The rules of the game come after that."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from referee import notation
from referee.moves import (
    Announce,
    Bid,
    CallBlock,
    ClaimPoints,
    Draw,
    Exchange,
    Expose,
    NameTrump,
    Pass,
    Place,
    Play,
    SayDrawn,
    ShowHand,
)
from referee.umpire import Act, Overrule, Undo
from referee.wire import Question

OWN = (Announce, Place, Draw, Pass, ShowHand, Bid, Exchange, NameTrump, Play, CallBlock, SayDrawn, Expose, ClaimPoints)
WORDS = ("drop ", "host ", "new code")  # about guests
CONSENT = ("undo-asked", "overrule-asked")  # what a player has asked for and another one may grant
OF_THE_TABLE = (*WORDS, "match", "forget ")


class Right(StrEnum):
    """Whether a player may say a line; where he may not, the value is the reason of the refusal."""

    YES = "yes"
    WISH = "wish"  # somebody else has to agree
    NOT_YOURS = "not-yours"
    ASK_THE_TABLE = "ask-the-table"


def of_player(line: str, seat: int, questions: Sequence[Question]) -> Right:
    """Whether the player of a seat may say this line while these questions are open.

    Raises:
        ValueError: if the line says nothing.
    """
    if line.startswith("answer "):
        return _of_answer(line, seat, questions)
    if line.startswith(OF_THE_TABLE):
        return Right.ASK_THE_TABLE
    act = notation.parse(line)
    if isinstance(act, Undo | Overrule):
        return Right.WISH
    if _is_own(act, seat):
        return Right.YES
    return Right.ASK_THE_TABLE if getattr(act, "seat", seat) == seat else Right.NOT_YOURS


def _is_own(act: Act, seat: int) -> bool:
    return isinstance(act, OWN) and act.seat == seat and not getattr(act, "overruled", False)


def _of_answer(line: str, seat: int, questions: Sequence[Question]) -> Right:
    """A question about nobody is for everybody, one about players for those; nobody answers for another."""
    words = line.split()
    asked = next((each for each in questions if [each.id] == words[1:2]), None)
    if asked is None:
        return Right.YES  # it is no longer open: the table says so
    if asked.what in CONSENT:
        is_own = any(option.line == line and option.what == "grant" and option.seat == seat for option in asked.options)
        return Right.NOT_YOURS if is_own else Right.YES
    about = {option.seat for option in asked.options if option.seat is not None}
    said_of = next((option.seat for option in asked.options if option.line == line), None)
    is_for_him = not about or seat in about
    return Right.YES if is_for_him and said_of in (None, seat) else Right.NOT_YOURS
