"""What a phone says to the bridge, each a message of JSON with a `type`; anything else is refused in words."""

from __future__ import annotations

from typing import Annotated

import msgspec

from referee.wire import LONGEST_LINE, Token

MOST_WORDS = 4
_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[\w-]+$")]
_Device = Annotated[str, msgspec.Meta(max_length=100)]


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """A phone tells its name and, if it has joined before, the token that it was given."""

    id: _Id
    device: _Device = ""
    token: Token = ""


class JoinIn(msgspec.Struct, frozen=True, kw_only=True, tag="join"):
    """A phone wants to take part: with the code on the screen, or, once in, to be another player."""

    id: _Id
    device: _Device = ""
    code: Annotated[str, msgspec.Meta(max_length=20)] = ""
    seat: int | None = None


class Said(msgspec.Struct, frozen=True, kw_only=True, tag="order"):
    """A line, and the view that it was said to."""

    id: _Id
    epoch: Annotated[str, msgspec.Meta(max_length=80)]
    seq: int
    line: Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)]


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag="ask"):
    """A question for what is not in a view."""

    id: _Id
    what: Annotated[str, msgspec.Meta(max_length=40)]
    args: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=80)], ...], msgspec.Meta(max_length=MOST_WORDS)] = ()


Saying = Hello | JoinIn | Said | Asked
