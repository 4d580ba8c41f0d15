"""The way in for phones: the code of this game as digits and to be scanned, and who is there, to be sent away.

The code is in no view, so the page asks the table for it when it is opened and when another one is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from urllib.parse import urlencode

from display import theme
from display.aside import Aside, Desk
from display.felt import open_address
from display.heading import BODY, heading
from display.sentences import Words
from display.widgets import GAP, Button, Code, Label, Page, Panel, Rect, Widget
from referee.wire import Answer, Guest, Invitation, View

ROWS = 5
LEFT = Rect(BODY.x, BODY.y, 330, BODY.h)
RIGHT = Rect(LEFT.right + GAP, BODY.y, BODY.w - LEFT.w - GAP, BODY.h)
KEY_W = 116.0


@dataclass(frozen=True, slots=True)
class Joining(Aside):
    """The page of the phones; `names` are the players that the invitation is for, `leaf` is the part of the list."""

    invitation: Invitation | None = None
    names: tuple[str, ...] = ()
    leaf: int = 0

    def page(self, desk: Desk) -> Page:
        """The way in on the left, who is there on the right."""
        words, view = desk.words, desk.view
        keys = ((words.say("New code"), "new code"),) if self.invitation else ()
        head = heading(words, words.say("Play along on your phone"), desk.notice, keys)
        if view is None:
            return Page(tuple(head))
        return Page((*head, *self._way_in(view, words), *self._guests(view, words)))

    def tapped(self, word: str, desk: Desk) -> Joining | None:  # noqa: ARG002  # as every aside
        """Leaf, or close."""
        return replace(self, leaf=self.leaf + 1) if word == "@further" else None

    def done(self, answer: Answer, desk: Desk) -> Joining:  # noqa: ARG002  # as every aside
        """Another code was made, or somebody sent away."""
        return replace(opened(desk), leaf=self.leaf)

    def is_over(self, view: View) -> bool:
        """Another match has another code."""
        return _names(view) != self.names

    def _way_in(self, view: View, words: Words) -> Iterator[Widget]:
        """The code to be scanned, the addresses and the digits; or why there is no way in."""
        yield Panel(LEFT, theme.CARD)
        room = LEFT.inset(12, 8)
        if not view.phones or self.invitation is None:
            text = words.say("The page for phones is not running.")
            yield Label(room, text, 22, theme.CARD, lines=3, align="centre")
            return
        is_open = bool(open_address(view.phones))
        side = 208.0 if is_open else 0.0
        if is_open:
            square = Rect(room.x + (room.w - side) / 2, room.y, side, side)
            yield Code(square, link(view.phones, self.invitation))
        else:
            text = words.say("Phones cannot look: the page is for this machine only. Start with --lan to let them in.")
            yield Label(Rect(room.x, room.y, room.w, 120), text, 19, theme.CARD, lines=5)
            side = 120.0
        y = room.y + side + 6
        for address in filter(None, (view.phones, view.phones_named if is_open else "")):
            yield Label(Rect(room.x, y, room.w, 26), address, 19, theme.CARD, align="centre")
            y += 28
        yield Label(
            Rect(room.x, y + 2, room.w, 24), words.say("Code of this game"), 17, theme.CARD, soft=True, align="centre"
        )
        code = f"{self.invitation.code[:3]} {self.invitation.code[3:]}"
        yield Label(Rect(room.x, y + 26, room.w, room.bottom - y - 26), code, 50, theme.CARD, bold=True, align="centre")

    def _guests(self, view: View, words: Words) -> Iterator[Widget]:
        """A row for each phone, with keys to make it a host and to send it away."""
        yield Panel(RIGHT, theme.CARD)
        room = RIGHT.inset(8, 8)
        if not view.guests:
            text = words.say("No phone is there yet")
            yield Label(room, text, 22, theme.CARD, soft=True, align="centre")
            return
        shown = ROWS if len(view.guests) <= ROWS else ROWS - 1
        leaf = self.leaf % ceil(len(view.guests) / shown)
        rows = room.rows(ROWS, GAP)
        for row, guest in zip(rows, view.guests[leaf * shown :][:shown], strict=False):
            yield from _guest(view, guest, row, words)
        if len(view.guests) > shown:
            yield Button(rows[-1], words.say("More phones"), "@further", theme.KEY)


def opened(desk: Desk) -> Joining:
    """The page with the code as it is now."""
    return Joining(desk.ask("joining").invitation, _names(desk.view) if desk.view else ())


def link(address: str, invitation: Invitation) -> str:
    """What is scanned: the address of the page, and behind it what is needed to join, which no server is sent."""
    known = {"code": invitation.code, "key": invitation.key, "native": invitation.native}
    return f"{address}#{urlencode({name: value for name, value in known.items() if value})}"


def _guest(view: View, guest: Guest, row: Rect, words: Words) -> Iterator[Widget]:
    """Who it is and by which device, and what can be done about it."""
    drop = Rect(row.right - KEY_W, row.y, KEY_W, row.h)
    yield Button(drop, words.say("Send away"), f"drop {guest.id}", theme.KEY, size=18)
    right = drop.x - GAP
    if guest.role == "player":
        promote = Rect(right - KEY_W, row.y, KEY_W, row.h)
        yield Button(promote, words.say("Make host"), f"host {guest.id}", theme.KEY, size=18)
        right = promote.x - GAP
    roles = {"host": words.say("host"), "player": words.name(view.seats, guest.seat)}
    role = roles.get(guest.role, words.say("looks on"))
    text = Rect(row.x + 4, row.y + 4, right - row.x - 8, row.h / 2)
    yield Label(text, role, 20, theme.CARD, bold=guest.role != "watcher")
    device = guest.device if guest.here else f"{guest.device} ({words.say('asleep')})"
    yield Label(Rect(text.x, text.bottom, text.w, row.h / 2 - 8), device, 16, theme.CARD, soft=True)


def _names(view: View) -> tuple[str, ...]:
    return tuple(seat.name for seat in view.seats)
