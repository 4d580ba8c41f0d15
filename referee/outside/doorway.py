"""What guests and the table say to each other at the door: joining, being there, being sent away.

Guests are phones, and programs that are not the house's own. The rest they say with the orders and the questions of
`referee.wire`, each with the token that joining has given them.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from referee.wire import MOST_GUESTS, PROTOCOL, Id, Token


class Join(msgspec.Struct, frozen=True, kw_only=True, tag="join"):
    """A guest wants to take part: with the `code` of the game, or once more with the `token` that it was given.

    `seat` is the player who holds the device, None for one who only looks on. `source` tells guests apart that have
    one sender (the addresses of phones behind the bridge).
    """

    id: Id
    device: Annotated[str, msgspec.Meta(max_length=100)] = ""
    code: Annotated[str, msgspec.Meta(max_length=20)] = ""
    token: Token = ""
    seat: int | None = None
    source: Annotated[str, msgspec.Meta(max_length=100)] = ""
    protocol: int = PROTOCOL


class Joined(msgspec.Struct, frozen=True, kw_only=True, tag="joined"):
    """Who a guest is from now on; where it was not let in, `reason` says why.

    `reason`: `wrong-code`, `too-many-tries`, `no-such-seat`, `protocol` (another version of it), or `not-joined` for a
    token that is worth nothing now.
    Views from `(epoch, seq)` on list the guest as long as it has not been sent away.
    """

    id: str
    token: str = ""
    guest: str = ""
    role: str = "watcher"
    seat: int | None = None
    reason: str = ""
    epoch: str = ""
    seq: int = 0


class Phone(msgspec.Struct, frozen=True):
    """A device that is connected: its key, unique as long as it is, and its token if it has joined."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    device: Annotated[str, msgspec.Meta(max_length=100)] = ""
    token: Token = ""


class Here(msgspec.Struct, frozen=True, kw_only=True, tag="here"):
    """A guest, or a bridge for its phones, is still there; the bridge also says where its page is served."""

    id: Id
    phones: Annotated[tuple[Phone, ...], msgspec.Meta(max_length=MOST_GUESTS)] = ()
    address: Annotated[str, msgspec.Meta(max_length=200)] = ""
    named: Annotated[str, msgspec.Meta(max_length=200)] = ""


class Gone(msgspec.Struct, frozen=True, tag="gone"):
    """The reply to `Here`: the keys of devices that were sent away."""

    id: str
    keys: tuple[str, ...] = ()
