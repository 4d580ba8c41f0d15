"""A client for a terminal: scores, whose turn it is, the last ruling; what is typed is said to the table.

It needs no window and no other device: on the table's machine it comes in by the house's own door, elsewhere as a
guest with what the QR code on the screen says.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from typing import IO

from display.guest import REFUSED, SENT_AWAY, STRANGER, GuestLink
from display.link import OTHER_PROTOCOL, Link
from display.sentences import PHASES, Words
from display.sentences.words import number
from referee.wire import Answer, Ruled, View

LOOK_S = 0.1
LONGEST_BYTES = 4096
CARRIED_OUT = ("done", "repeated", "asked")
RECONNECTING = "Reconnecting: the table is not heard, and what stands above may be old."
TROUBLES = {
    OTHER_PROTOCOL: "The table speaks another version of the protocol: use one version of the referee there and here.",
    REFUSED: "The table lets nobody in with this code: look at its screen for the code of this game. "
    "After some wrong codes everybody has to wait for a minute.",
    STRANGER: "What answers there is not the table of this invitation: its key is another one. Scan the QR code again.",
    SENT_AWAY: "This device was sent away at the table.",
    "wrong-code": "This is not the code of this game: look at the screen of the table.",
    "too-many-tries": "Too many wrong codes were tried: wait for a minute.",
    "no-such-seat": "There is no such player in this game.",
}


class Text:
    """What is printed, from the views and answers that a link brings.

    Args:
        link: the connection to the table.
        say: prints a line.
    """

    def __init__(self, link: Link, say: Callable[[str], None]) -> None:
        self._link = link
        self._say = say
        self._words = Words()
        self._told: dict[int, Ruled] = {}
        self._standing = ""
        self._was_live = True
        self._trouble = ""
        self._waiting: dict[str, str] = {}
        self._heard = False
        self._seen_from = ("", 0)
        self.refused = 0

    @property
    def waits(self) -> bool:
        """True while something that was said has no answer, or what came of it is still to be seen."""
        view, (epoch, seq) = self._link.view, self._seen_from
        return bool(self._waiting) or (self._link.live and view is not None and view.epoch == epoch and view.seq < seq)

    @property
    def trouble(self) -> str:
        """Why the table cannot be followed, as a sentence; empty when nothing is wrong."""
        code = self._link.trouble
        return TROUBLES.get(code, f"The table does not let this device in ({code}).") if code else ""

    def order(self, line: str) -> None:
        """Say a line to the table, if what it is about is not an old picture."""
        if self._link.live:
            self._waiting[self._link.order(line)] = line
        else:
            self.refused += 1
            self._say(f"! {line}: not said, the table is not heard")

    def look(self, wait_s: float = 0.0) -> None:
        """Take in what has come and print what is new."""
        self._link.poll(wait_s)
        if self.trouble != self._trouble:
            self._trouble = self.trouble
            if self.trouble:
                self._say(self.trouble)
        view = self._link.view
        if self._link.live and view is not None:
            self._heard = True
            self._tell(view)
        elif self._was_live and not self._trouble:
            self._say(RECONNECTING if self._heard else "Looking for the table ...")
        self._was_live = self._link.live
        for answer in self._link.answers():
            if line := self._waiting.pop(answer.id, ""):
                self._answered(line, answer)

    def _tell(self, view: View) -> None:
        for ruled in view.log:
            if self._told.get(ruled.entry) not in (None, ruled):
                self._say(f"~ {'undone: ' if ruled.void else ''}{self._ruling(view, ruled)}")
            elif ruled.entry not in self._told and not ruled.void and ruled == view.log[-1]:
                self._say(f"{' ' if ruled.legal else '!'} {self._ruling(view, ruled)}")
            self._told[ruled.entry] = ruled
        standing = self._now(view)
        if standing != self._standing or not self._was_live:
            self._standing = standing
            self._say(standing)

    def _ruling(self, view: View, ruled: Ruled) -> str:
        points = self._words.awards(view.seats, ruled)
        return f"{ruled.entry}: {ruled.line}. {self._words.ruling(view.seats, ruled)}{'. ' if points else ''}{points}"

    def _now(self, view: View) -> str:
        if not view.seats:
            return "No match has begun."
        scores = ", ".join(
            f"{self._words.name(view.seats, seat)} {number(each.score)}" for seat, each in enumerate(view.seats)
        )
        turn = f"{self._words.name(view.seats, view.turn)} to move" if view.turn is not None else ""
        asked = f"{len(view.questions)} open questions" if view.questions else ""
        return "= " + "; ".join(filter(None, (scores, turn or self._words.code(PHASES, view.phase), asked)))

    def _answered(self, line: str, answer: Answer) -> None:
        self._seen_from = (answer.epoch, answer.seq)
        if answer.status in CARRIED_OUT:
            self._say(f"  {line}: {'asked the others' if answer.status == 'asked' else 'done'}")
            return
        self.refused += 1
        self._say(f"! {line}: {self._words.answer(answer)}")


def follow(link: Link, say: Callable[[str], None], typed: IO[bytes]) -> int:
    """Print what happens and say what is typed until the input ends or the table lets us in no more.

    Returns:
        0, or 1 when something was refused or the table could not be followed.
    """
    text = Text(link, say)
    rest, is_open = b"", True
    lines: list[str] = []
    while is_open or lines or text.waits:
        text.look(LOOK_S)
        if is_open and select.select([typed], [], [], 0)[0]:
            piece = os.read(typed.fileno(), LONGEST_BYTES)
            is_open = bool(piece)
            *whole, rest = (rest + piece + (b"" if piece else b"\n"))[-LONGEST_BYTES:].split(b"\n")
            lines += [line for each in whole if (line := each.decode(errors="replace").strip())]
        if text.trouble:
            return 1
        is_ready = link.live and (not isinstance(link, GuestLink) or link.joined is not None)
        if lines and is_ready and not text.waits:
            text.order(lines.pop(0))
    return 1 if text.refused else 0
