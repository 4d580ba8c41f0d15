"""The guest book: the code of this game, and who has joined with it.

It lies in a file of its own, so that a phone stays who it is when the table or the bridge starts again. Of the tokens
it has only their hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
import time
import unicodedata
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import structs

from referee.outside.doorway import Join, Joined
from referee.wire import MOST_GUESTS, PROTOCOL
from referee.words import SEATS

_LOG = logging.getLogger(__name__)

FILE = "guests.json"
DIGITS = 6
LONGEST_NAME = 20
MINUTE_S = 60.0
MOST_TRIES = 5  # with a wrong code, of one source in a minute
MOST_TRIES_IN_ALL = 30
_LARGEST_BYTES = 100_000

Code = Annotated[str, msgspec.Meta(pattern=rf"^[0-9]{{{DIGITS}}}$")]


class Known(msgspec.Struct, frozen=True):
    """Somebody who has joined: the hash of the token, the device, whose seat it is, and whether it may do all."""

    id: str
    token: str
    device: str
    seat: int | None = None
    host: bool = False

    @property
    def role(self) -> str:
        """`host`, `player`, or `watcher` for one who has joined and only looks on."""
        return "host" if self.host else "watcher" if self.seat is None else "player"

    @property
    def by(self) -> str:
        """The author that stands in the journal."""
        letter = "guest" if self.seat is None else SEATS[self.seat]
        return f"phone:{'host' if self.host else letter}:{self.device.replace(' ', '-')}"


class Book(msgspec.Struct, frozen=True):
    """What the file holds.

    `begun_ms` and `names` are those of the match that the code is for, 0 and none before the first; `given` counts
    the guests, so that no two ever go by the same id.
    """

    code: Code
    begun_ms: int = 0
    names: tuple[str, ...] = ()
    guests: Annotated[tuple[Known, ...], msgspec.Meta(max_length=MOST_GUESTS)] = ()
    given: int = 0


class Tries:
    """Wrong codes of the last minute, by where they came from."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: deque[tuple[float, str]] = deque(maxlen=MOST_TRIES_IN_ALL)

    def are_too_many(self, source: str) -> bool:
        """Whether nobody, or not this one, is to be let in for now."""
        while self._wrong and self._wrong[0][0] < self._clock() - MINUTE_S:
            self._wrong.popleft()
        of_source = sum(each == source for _, each in self._wrong)
        return of_source >= MOST_TRIES or len(self._wrong) >= MOST_TRIES_IN_ALL

    def note(self, source: str) -> None:
        """One more."""
        self._wrong.append((self._clock(), source))


class GuestBook:
    """Lets guests in, knows them again, and sends them away.

    Args:
        path: the file; None keeps nothing. One that makes no sense is begun anew.
        clock: monotonic seconds.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._tries = Tries(clock)
        self._book = _load(path) or Book(_new_code())

    @property
    def code(self) -> str:
        """The code of this game."""
        return self._book.code

    @property
    def guests(self) -> tuple[Known, ...]:
        """All who have joined this game and were not sent away."""
        return self._book.guests

    def known(self, token: str) -> Known | None:
        """Who has been given this token."""
        if not token:
            return None
        found = _hash(token)
        return next((each for each in self._book.guests if hmac.compare_digest(each.token, found)), None)

    def join(self, request: Join) -> Joined:
        """Let a guest in who knows the code, or know it again by its token."""
        if request.protocol != PROTOCOL:
            return Joined(id=request.id, reason="protocol")
        known = self.known(request.token)
        if known is not None:
            if request.seat is not None:
                self.sit(known.id, request.seat)
            return _joined(request, self.known(request.token) or known)
        if not request.code:
            return Joined(id=request.id, reason="not-joined")
        if self._tries.are_too_many(request.source):
            return Joined(id=request.id, reason="too-many-tries")
        if not hmac.compare_digest(request.code.encode(), self._book.code.encode()):
            self._tries.note(request.source)
            return Joined(id=request.id, reason="wrong-code")
        if request.seat is not None and not 0 <= request.seat < len(self._book.names):
            return Joined(id=request.id, reason="no-such-seat")
        return self._let_in(request)

    def _let_in(self, request: Join) -> Joined:
        others = self._book.guests
        if len(others) >= MOST_GUESTS:  # many have come again with nothing to be known by: the oldest makes room
            oldest = next((each for each in others if not each.host), others[0])
            others = tuple(each for each in others if each is not oldest)
        token = secrets.token_urlsafe(24)
        given = self._book.given + 1
        new = Known(f"g{given}", _hash(token), device_name(request.device), request.seat)
        self._keep(structs.replace(self._book, guests=(*others, new), given=given))
        return structs.replace(_joined(request, new), token=token)

    def sit(self, guest: str, seat: int) -> bool:
        """A guest is this player from now on; False where there is no such guest or seat."""
        if not 0 <= seat < len(self._book.names):
            return False
        return self._change(guest, lambda known: structs.replace(known, seat=seat))

    def promote(self, guest: str) -> bool:
        """A guest may do all that the screen may, from now on; False where there is no such guest."""
        return self._change(guest, lambda known: structs.replace(known, host=True))

    def drop(self, guest: str) -> bool:
        """A guest is sent away: its token is worth nothing any more; False where there is no such guest."""
        return self._change(guest, lambda _: None)

    def renew(self) -> None:
        """Another code; whoever has joined stays."""
        self._keep(structs.replace(self._book, code=_new_code(self._book.code)))

    def follow(self, begun_ms: int, names: tuple[str, ...]) -> bool:
        """The match on the table; True when it is another one.

        It has a code of its own, except that the one shown before any match is that of the first. Those who had
        joined have to join again, unless the same people play on.
        """
        before = self._book
        if (begun_ms, names) == (before.begun_ms, before.names):
            return False
        is_first = not before.names
        stay = before.guests if is_first or names == before.names else ()
        code = before.code if is_first else _new_code(before.code)
        self._keep(Book(code, begun_ms, names, stay, before.given))
        return True

    def _change(self, guest: str, change: Callable[[Known], Known | None]) -> bool:
        if all(each.id != guest for each in self._book.guests):
            return False
        changed = (change(each) if each.id == guest else each for each in self._book.guests)
        self._keep(structs.replace(self._book, guests=tuple(each for each in changed if each is not None)))
        return True

    def _keep(self, book: Book) -> None:
        """Remember it, in the file too; where that cannot be written, as long as the table runs."""
        if book == self._book:
            return
        self._book = book
        if self._path is None:
            return
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            with open(fresh, "wb", opener=_for_us_alone) as file:  # the open of a path takes no opener
                file.write(msgspec.json.encode(book))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            _LOG.warning("%s cannot be written (%s): phones have to join again after a restart", self._path, error)


def device_name(said: str) -> str:
    """A device's name as it is shown: letters, digits and a few signs, with single blanks, not too many."""
    kept = "".join(each if unicodedata.category(each)[0] in "LN" or each in "-._'" else " " for each in said)
    return " ".join(kept.split())[:LONGEST_NAME].strip() or "phone"


def _joined(request: Join, known: Known) -> Joined:
    return Joined(id=request.id, token=request.token, guest=known.id, role=known.role, seat=known.seat)


def _new_code(before: str = "") -> str:
    """A code that nobody can foresee."""
    while (code := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") == before:
        pass
    return code


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _for_us_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _load(path: Path | None) -> Book | None:
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_LARGEST_BYTES), type=Book)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        _LOG.warning("%s cannot be used (%s): everybody has to join again", path, error)
        return None
