"""The guest door of the table: what phones and other guests may say, and what only with somebody's consent.

The house's own rooms (the screen, the terminal) come in by a door of their own and may do everything. A guest is
believed nothing but its token. A player may say what is his own to say; what would change the record behind the
others' backs (an undo, letting an illegal tile stand) is put to them as a question, and done when one of them agrees.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import structs

from referee import notation, telling, umpire, wire
from referee.outside import rights
from referee.outside.doorway import Gone, Here, Join, Joined, Phone
from referee.outside.joining import GuestBook, Known, device_name
from referee.outside.rights import CONSENT, WORDS, Right
from referee.outside.seldom import Seldom
from referee.table import Table
from referee.umpire import Match, Overrule, Undo

_LOG = logging.getLogger(__name__)

AWAY_S = 3.5  # a guest that has not said for so long that it is here
LOOK_S = 0.5
MOST_SENDERS = 32
MOST_ANSWERS = 256
WISH = "w"
OPEN_TO_ALL = "sheet"  # whoever looks on may ask for it

Request = Join | Here | wire.Order | wire.Ask
Reply = Joined | Gone | wire.Answer | wire.Told


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player has asked for: the act, at which length of the record, and the question it became."""

    by: Known
    act: Undo | Overrule
    entries: int
    question: wire.Question


@dataclass(frozen=True, slots=True)
class _Present:
    """What a sender has said of who is connected, each with the guest that it is, and when."""

    heard_s: float
    phones: tuple[tuple[Phone, str], ...]


class Guests:
    """Everything that guests can say to the table, and what the house can say about them.

    Args:
        table: where orders and questions go that are allowed.
        book: who has joined.
        clock: monotonic seconds.

    `key` and `native` are what other programs need besides the code: the table's public key, and its address.
    """

    def __init__(self, table: Table, book: GuestBook, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._book = book
        self._clock = clock
        self.key = ""
        self.native = ""
        self._log = Seldom(_LOG, clock)
        self._present: dict[bytes, _Present] = {}
        self._sent_away: dict[bytes, set[str]] = {}
        self._answers: OrderedDict[str, wire.Answer] = OrderedDict()
        self._wish: Wish | None = None
        self._wishes = 0
        self._looked_s = float("-inf")
        self.follow()

    @property
    def code(self) -> str:
        """The code of this game, as it is now."""
        return self._book.code

    def _invitation(self, ask: wire.Ask) -> wire.Told:
        return wire.Told(ask.id, invitation=wire.Invitation(self.code, self.key, self.native))

    # --- the house ----------------------------------------------------------------------------------

    def from_house(self, request: wire.Order | wire.Ask) -> wire.Answer | wire.Told:
        """What one of the house's own rooms says: it may do everything."""
        if isinstance(request, wire.Ask):
            if request.what == "joining":
                return self._invitation(request)
            return self._table.ask(request)
        return self._carried_out(request, None)

    def _carried_out(self, order: wire.Order, who: Known | None) -> wire.Answer:
        """An order of the house or of a host."""
        if order.line.startswith(WORDS):
            return self._about_guests(order)
        if order.line.startswith(f"answer {WISH}"):
            return self._consented(order, who)
        return self._table.order(order)

    def _about_guests(self, order: wire.Order) -> wire.Answer:
        """`drop g3`, `host g3`, `new code`."""
        verb, _, guest = order.line.partition(" ")
        if verb == "new":
            self._book.renew()
            is_done = True
        elif verb == "host":
            is_done = self._book.promote(guest)
        else:
            is_done = self._sent_off(guest)
        self._look()
        if is_done:
            return self._answer(order, "done")
        return self._answer(order, "refused", "no-such-guest", f"expected a guest of the view, got {guest[:40]!r}")

    def _sent_off(self, guest: str) -> bool:
        """Send away whoever has joined, or a device that only looks in."""
        found = self._book.drop(guest)
        for sender, present in self._present.items():
            keys = {phone.key for phone, known in present.phones if guest in (known, phone.key)}
            self._sent_away.setdefault(sender, set()).update(keys)
            found |= bool(keys)
        return found

    # --- guests -------------------------------------------------------------------------------------

    def from_guest(self, request: Request, sender: bytes, source: str = "") -> Reply:
        """What a guest says, or a bridge for one of its phones.

        Args:
            request: the message.
            sender: tells one connection from another.
            source: where it comes from, if over the network: then it is not believed that, or where the phone page is.
        """
        if isinstance(request, Join):
            return self._joined(structs.replace(request, source=source) if source else request)
        if isinstance(request, Here):
            return self._heard(structs.replace(request, address="", named="") if source else request, sender)
        who = self._book.known(request.token)
        if isinstance(request, wire.Ask):
            return self._told(request, who)
        if who is None:
            self._log.note("order of somebody who has not joined", repr(request.line[:60]))
            return self._answer(request, "refused", "not-joined", "join with the code on the screen first")
        return self._ordered(request, who)

    def _joined(self, request: Join) -> Joined:
        reply = self._book.join(request)
        if reply.reason and request.code:
            self._log.note("somebody was not let in", f"{reply.reason}, {device_name(request.device)}")
        self._look()
        return structs.replace(reply, epoch=self._table.view.epoch, seq=self._table.view.seq)

    def _told(self, ask: wire.Ask, who: Known | None) -> wire.Told:
        if who is None and (ask.what, ask.args) != (OPEN_TO_ALL, ()):
            return wire.Told(ask.id, error="join with the code on the screen first")
        if who is not None and who.host and ask.what == "joining":
            return self._invitation(ask)
        return self._table.ask(ask)

    def _heard(self, here: Here, sender: bytes) -> Gone:
        """Somebody is connected; told in return who was sent away."""
        known = tuple(self._book.known(phone.token) for phone in here.phones)
        phones = tuple((phone, guest.id if guest else "") for phone, guest in zip(here.phones, known, strict=True))
        if sender not in self._present and len(self._present) >= MOST_SENDERS:
            self._log.note("too many senders", f"more than {MOST_SENDERS}")
            return Gone(here.id)
        before = self._present.get(sender)
        self._present[sender] = _Present(self._clock(), phones)
        gone = self._sent_away.pop(sender, set())
        view = self._table.view
        if here.address and (here.address, here.named) != (view.phones, view.phones_named):
            self._table.tell(phones=here.address, phones_named=here.named)
        if before is None or before.phones != phones:
            self._look()
        return Gone(here.id, tuple(sorted(gone & {phone.key for phone in here.phones})))

    # --- what a player may say ----------------------------------------------------------------------

    def _ordered(self, order: wire.Order, who: Known) -> wire.Answer:
        """An order of somebody who has joined: under a name and with an id that are his alone, and once only."""
        said = structs.replace(order, id=f"{who.id}.{order.id}", by=who.by)
        before = self._answers.get(said.id)
        if before is not None:
            status = "repeated" if before.status == "done" else before.status
            return structs.replace(before, id=order.id, status=status)
        if said.line == f"drop {who.id}":
            answer = self._left(said, who)
        else:
            answer = self._carried_out(said, who) if who.host else self._of_player(said, who)
        self._answers[said.id] = answer
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        return structs.replace(answer, id=order.id)

    def _left(self, order: wire.Order, who: Known) -> wire.Answer:
        """Somebody takes no part any more, and goes on looking."""
        self._book.drop(who.id)
        self._look()
        return self._answer(order, "done")

    def _of_player(self, order: wire.Order, who: Known) -> wire.Answer:
        if who.seat is None:
            return self._answer(order, "refused", "not-yours", "say first which player you are")
        if order.line.startswith(f"answer {WISH}"):
            return self._consented(order, who)
        try:
            right = rights.of_player(order.line, who.seat, self._table.view.questions)
        except ValueError as error:
            return self._answer(order, "refused", "notation", str(error))
        if right is Right.WISH:
            act = notation.parse(order.line)
            assert isinstance(act, Undo | Overrule)
            return self._wished(order, who, act)
        return self._table.order(order) if right is Right.YES else self._answer(order, "refused", right.value)

    # --- what needs somebody else's consent ---------------------------------------------------------

    def _wished(self, order: wire.Order, who: Known, act: Undo | Overrule) -> wire.Answer:
        """A player wants to take something of his back, or an illegal tile of his to stand."""
        record = self._table.record
        if order.epoch != self._table.view.epoch:
            return self._answer(order, "stale")
        if record is None or not 0 < act.entry <= len(record.entries):
            return self._answer(order, "refused", "no-such-entry")
        entry = record.entries[act.entry - 1]
        if getattr(entry.what, "seat", None) != who.seat:
            return self._answer(order, "refused", "not-yours")
        if umpire.reaches_far(record, act):
            return self._answer(order, "refused", "ask-the-table")
        ruling = umpire.judge(record, act)
        if not ruling.is_legal:
            return self._answer(order, "refused", ruling.reason.value)
        if self._wish is not None:
            is_mine = self._wish.by.id == who.id and self._wish.act == act
            return self._answer(order, "asked") if is_mine else self._answer(order, "refused", "already-asked")
        self._wishes += 1
        question = f"{WISH}{len(record.entries)}-{self._wishes}"
        what = CONSENT[isinstance(act, Overrule)]
        options = (
            wire.Option(f"answer {question} 0", "grant", seat=who.seat),
            wire.Option(f"answer {question} 1", "deny", seat=who.seat),
        )
        about = telling.ruled_now(record, umpire.acts(record), entry, False)
        self._wish = Wish(who, act, len(record.entries), wire.Question(question, what, options, about=about))
        self._table.tell(wish=self._wish.question)
        return self._answer(order, "asked")

    def _consented(self, order: wire.Order, who: Known | None) -> wire.Answer:
        """Somebody grants a wish, or not; who has it can only take it back."""
        wish = self._wish
        if wish is None or order.line not in {option.line for option in wish.question.options}:
            return self._answer(order, "stale", "", "this question is no longer open")
        is_granted = order.line == wish.question.options[0].line
        is_own = who is not None and (who.id == wish.by.id or (not who.host and who.seat == wish.by.seat))
        if is_granted and is_own:
            return self._answer(order, "refused", "ask-another")
        self._wish = None
        self._table.tell(wish=None)
        if not is_granted:
            return self._answer(order, "done")
        line = notation.write(wish.act)
        return self._table.order(structs.replace(order, line=line, by=f"{wish.by.by}+{order.by}"))

    # --- who is there -------------------------------------------------------------------------------

    def follow(self) -> None:
        """Notice what has changed at the table, and who has not been heard for some time."""
        record = self._table.record
        if self._wish is not None and (record is None or len(record.entries) != self._wish.entries):
            self._wish = None
            self._table.tell(wish=None)
        first = record.entries[0] if record is not None else None
        names = first.what.names if first is not None and isinstance(first.what, Match) else ()
        is_another = self._book.follow(first.utc_ms if first is not None else 0, names)
        if is_another or self._clock() - self._looked_s >= LOOK_S:
            self._look()

    def _look(self) -> None:
        """Tell who is there now: those who have joined, then those who only look in."""
        now_s = self._looked_s = self._clock()
        for sender in [each for each, said in self._present.items() if now_s - said.heard_s > AWAY_S]:
            del self._present[sender]
            self._sent_away.pop(sender, None)
        phones = [each for said in self._present.values() for each in said.phones]
        here = {known for _, known in phones}
        joined = self._book.guests
        ids = {guest.id for guest in joined}
        told = [wire.Guest(each.id, each.device, each.role, each.seat, each.id in here) for each in joined]
        told += [wire.Guest(phone.key, device_name(phone.device)) for phone, known in phones if known not in ids]
        if tuple(told[: wire.MOST_GUESTS]) != self._table.view.guests:
            self._table.tell(guests=tuple(told[: wire.MOST_GUESTS]))

    def _answer(self, order: wire.Order, status: str, reason: str = "", message: str = "") -> wire.Answer:
        view = self._table.view
        return wire.Answer(order.id, status, reason, message, view.epoch, view.seq)
