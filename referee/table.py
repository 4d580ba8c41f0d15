"""The table: the one place where the record changes.

It takes sightings and orders, asks the reader and the umpire, writes the journal, and only then tells
anybody. It owns no socket, no pixels and no clock of its own, so a test can play a whole match with it.
"""

from __future__ import annotations

import random
import re
import sqlite3
from dataclasses import replace
from typing import Any, Protocol

from msgspec import structs

from referee import asking, games, notation, umpire, views, wire
from referee.chronicle import Chronicle, Here
from referee.evidence import Evidence
from referee.journal import Journal
from referee.moves import Begin, Clear, Place, Play
from referee.rulings import Reason, Ruling
from referee.seen import naming, placing, reader, resuming, tabletop
from referee.seen.memory import READ_IN_DOUBT, Choice, Doubt, Lying, Memory
from referee.seen.resuming import Ignored
from referee.seen.zonekeeper import ZoneKeeper
from referee.seen.zones import Zones
from referee.sighting import CameraStatus, Facts, SeenTile, Sighting
from referee.state import Phase
from referee.tiles import DOMINO, Shape, Tile
from referee.umpire import Act, Correct, Match, Overrule, Record, Undo
from referee.views import Circumstances

FORGET = "forget "
_NAMED = re.compile(r"answer (\S+) is (\S+)")


class Signals(Protocol):
    """What the table needs of buzzer and lamp."""

    @property
    def status(self) -> str:
        """`ok`, or in words what is missing."""

    def buzz(self) -> None:
        """Sound the buzzer once; returns at once."""

    def led(self, on: bool) -> None:
        """Light the lamp or put it out."""


class Table:
    """The running match, what lies on the table, and what people are told.

    Args:
        journal: where entries are kept; a match that runs there is resumed.
        signals: buzzer and lamp.
        epoch: a name for this run of the process, new each time.
        shape: the size of the set's tiles, mm.
        mat_mm: the mat's width and height.
        phones: where the phone page is served, for the screen.
        chance: decides what a game leaves to the lot; by default nobody can foresee it.
        training: tell of each tile that is laid where it would have earned more.
        copies: how often the set in play has each tile; None where there is no telling.
        evidence: keeps pictures of what is ruled on; None keeps none.
        zones: where the boneyard and shown hands lie; None where the mat has no room for them.
        resumes: whether the newest match of the journal is gone on with.
    """

    def __init__(  # noqa: PLR0913  # each is a fact of its own, most have a usual value
        self,
        journal: Journal,
        signals: Signals,
        epoch: str,
        shape: Shape | None = None,
        mat_mm: tuple[float, float] = (600.0, 400.0),
        phones: str = "",
        chance: random.Random | None = None,
        *,
        training: bool = False,
        copies: int | None = 1,
        evidence: Evidence | None = None,
        zones: Zones | None = None,
        resumes: bool = True,
    ) -> None:
        self._journal = journal
        self._evidence = evidence
        self._zones = ZoneKeeper(zones)
        self._chronicle = Chronicle(journal, evidence)
        self._copies = copies
        self._signals = signals
        self._epoch = epoch
        self._memory = Memory()
        self._chance = chance or random.SystemRandom()
        self._record: Record | None = None
        self._shape = shape
        record = ("restored" if journal.is_restored else "anew") if journal.damaged else "ok"
        self._around = Circumstances(
            signals=signals.status,
            record=record,
            saved=journal.is_saved,
            phones=phones,
            mat_mm=mat_mm,
            training=training,
        )
        self._advised: Record | None = None
        self._advice = views.Advice()
        self._seq = 0
        self._record_seq = 0
        entries = journal.entries() if resumes else ()
        if entries:
            self._record = umpire.fold(entries)
            self._memory = resuming.resumed(self._record, journal.ignored())
            self._draw_lots(entries[-1].what)
            is_under_way = self._record is not None and self._record.state.phase is not Phase.OVER
            self._around = replace(self._around, resumed=is_under_way)
        self._signal()
        self._view = self._look()

    @property
    def record(self) -> Record | None:
        """The running match, None before the first."""
        return self._record

    @property
    def shape(self) -> Shape:
        """The size of the tiles in play, mm."""
        if self._shape is not None:
            return self._shape
        kind = games.game(self._record.state.game).kind if self._record else DOMINO
        return Shape.domino() if kind == DOMINO else Shape.triomino()

    @property
    def view(self) -> wire.View:
        """The newest view."""
        return self._view

    def begin(self, match: Match, by: str = "referee", order_id: str | None = None) -> Ruling:
        """Begin a match.

        Raises:
            ValueError: if the game, the number of players or an option is not possible.
        """
        ruling = umpire.judge(None, match)
        entry = self._journal.append(match, ruling.reason, by, order_id)
        self._record = umpire.append(None, entry)
        # a tile that lay there before means nothing to the new match
        lying = tuple(replace(item, status="seen", entry=None, doubt=None) for item in self._memory.lying)
        self._memory = replace(self._memory, lying=lying, begun_rest=-1)
        self._zones.begin()
        self._around = replace(self._around, saved=self._journal.is_saved, resumed=False)
        self._changed()
        return ruling

    def save_again(self) -> None:
        """Try to write what the disk has not taken; to be called about once a second."""
        if not self._journal.is_saved and self._journal.save_again():
            self._around = replace(self._around, saved=True)
            self._changed()

    def facts(self) -> Facts:
        """What the eye may know: the set and the tiles that were accepted, where they lie."""
        if self._record is None:
            return Facts(self._epoch, self._record_seq, "", "", None)
        game = games.game(self._record.state.game)
        confirmed = tuple(item.seen for item in self._memory.lying if item.status == "placed")
        tiles = game.tiles_of(self._record.state.settings)
        set_id, zones = f"{game.kind}-{len(tiles)}", self._zones.watched(self._record)
        return Facts(self._epoch, self._record_seq, set_id, game.kind, self._copies, confirmed, zones)

    def tell(self, **news: Any) -> None:
        """Tell everybody of other circumstances: who looks in, where phones find the page, what a guest asks for."""
        self._around = replace(self._around, **news)
        self._refresh()

    # --- the camera ---------------------------------------------------------------------------------

    def see(self, sighting: Sighting) -> None:
        """Take in a sighting and rule on what is new."""
        self._around = replace(self._around, busy=sighting.busy, camera=sighting.camera.value)
        if self._record is not None:
            before = self._memory
            outside = self._zones.look(self._record, before, sighting, self.shape)
            self._memory = tabletop.look(self._record, before, outside, self.shape, self._copies)
            self._follow_up(changed=self._memory is not before)
        else:
            self._refresh()

    def camera(self, status: CameraStatus) -> None:
        """The camera room has gone silent, or has come back."""
        self._around = replace(self._around, camera=status.value)
        self._refresh()

    def _follow_up(self, changed: bool) -> None:
        """Deal with everything that lies there and has no meaning yet."""
        changed |= self._follow_up_in_zones()
        while self._record is not None and not self._zones.is_waiting:
            before = self._memory
            self._memory, step = reader.next_step(self._record, self._memory, self.shape, self._copies)
            if step is not None and self._commit(step.act, "camera", None, step.seen) is not None:
                changed = True
            elif step is not None:
                break  # it could not be written: tried again when the table next comes to rest
            elif self._memory is before or not tabletop.unfinished(self._memory):
                changed |= self._memory is not before
                break
        changed |= self._follow_up_in_zones()
        if changed:
            self._changed()
        else:
            self._refresh()

    def _follow_up_in_zones(self) -> bool:
        """Journal the draws and the hands that zones show; True when there is anything new for people."""
        has_acted = False
        while self._record is not None and (step := self._zones.next_step(self._record, self._copies)) is not None:
            ruling = self._commit(step.act, "camera", None, None)
            if ruling is None:
                break  # it could not be written: what is wanting is asked about
            has_acted = True  # the buzzer is for tiles that lie there: that one has left is less certain
        return self._zones.is_news() or has_acted

    # --- people -------------------------------------------------------------------------------------

    def order(self, order: wire.Order) -> wire.Answer:
        """Carry out an order, or say why not; the answer carries the number of the newest view."""
        if self._journal.has_order(order.id):
            return self._answer(order, "repeated")
        if order.epoch != self._epoch or order.seq < self._record_seq:
            return self._answer(order, "stale", "", "the table has changed since; look again")
        try:
            if order.line.startswith(FORGET):
                return self._forgotten(order)
            if order.line.startswith("answer z"):
                return self._answered_of_zones(order)
            if order.line.startswith("answer "):
                return self._answered(order)
            is_anew = order.line.startswith("match! ")
            act = notation.parse(order.line.replace("!", "", 1) if is_anew else order.line)
            if isinstance(act, Match):
                return self._begun(order, act, is_anew)
        except ValueError as error:
            return self._answer(order, "refused", "notation", str(error))
        return self._act(order, act, None)

    def _begun(self, order: wire.Order, match: Match, is_anew: bool) -> wire.Answer:
        """A match is begun by order: not while one is under way, unless that is said to be left as it is."""
        is_under_way = self._record is not None and self._record.state.phase is not Phase.OVER
        if is_under_way and not is_anew:
            return self._answer(order, "refused", Reason.NOT_NOW.value, "a match is under way")
        if self._shape is not None and games.game(match.game).kind != self._shape.kind:
            return self._answer(order, "refused", "other-tiles", f"the table is set up for {self._shape.kind} tiles")
        if match.zones and self._zones.zones is None:
            return self._answer(order, "refused", "no-zones", "the mat has no room for a boneyard and shown hands")
        try:
            return self._answer_ruling(order, self.begin(match, order.by, order.id))
        except sqlite3.Error:
            self._around = replace(self._around, saved=False)
            self._changed()
            return self._answer(order, "refused", "not-saved", "it could not be saved, so it does not count")

    def _act(self, order: wire.Order, act: Act, seen: SeenTile | None) -> wire.Answer:
        if self._record is None:
            return self._answer(order, "refused", Reason.NOT_NOW.value, "no match has begun")
        if isinstance(act, Undo | Overrule | Correct) and not act.confirmed and umpire.reaches_far(self._record, act):
            reason = Reason.NEEDS_CONFIRMING.value if self._record.state.phase is Phase.OVER else "reaches-far"
            return structs.replace(self._answer(order, "confirm", reason), outlook=views.outlook(self._record, act))
        ruling = umpire.judge(self._record, act)
        # what people say and may not do is refused and leaves no trace; a tile on the table does
        if not ruling.is_legal and seen is None:
            refused = self._answer(order, "refused", ruling.reason.value)
            return structs.replace(refused, options=asking.ways_out(self._record, act))
        known = tabletop.anchors(self._record, self._memory)
        if seen is not None and isinstance(act, Place):
            seen = placing.aligned(known, seen, act.spot, self.shape)
        before = self._record
        committed = self._commit(act, order.by, order.id, seen)
        if committed is None:
            self._changed()
            return self._answer(order, "refused", "not-saved", "it could not be saved, so it does not count")
        if isinstance(act, Undo | Overrule | Correct):
            self._leave_out_what_is_gone(before, act.entry)
        if isinstance(act, Place | Play) and seen is None:
            entry = self._record.entries[-1].seq
            self._memory = tabletop.entered(self._memory, known, act, entry, self.shape)
        self._memory = tabletop.reconcile(self._record, self._memory)
        if isinstance(act, Begin | Clear):
            self._memory = replace(self._memory, begun_rest=self._memory.rest)
        if isinstance(act, Place | Play | Correct) and seen is None:
            self._memory = naming.reconsidered(self._record, self._memory, self.shape, self._copies)
        elif seen is None:
            self._memory = tabletop.reconsidered(self._memory)
        self._follow_up(changed=True)
        return self._answer_ruling(order, committed)

    def _leave_out_what_is_gone(self, before: Record, changed: int) -> None:
        """A tile that was refused and taken away does not come back when what it was refused for is changed."""
        assert self._record is not None
        lying = {item.entry for item in self._memory.lying}
        for each in umpire.differences(before, self._record):
            is_revived = each.before and each.after and each.after.is_legal and not each.before.is_legal
            is_seen = self._record.entries[each.entry - 1].seen is not None
            if is_revived and is_seen and each.entry not in lying and each.entry != changed:
                self._commit(Undo(each.entry, confirmed=True), "referee", None, None)

    def _answered(self, order: wire.Order) -> wire.Answer:
        """An option of a question was chosen, `answer q3 0`, or it was said which tile it is: `answer q3 is 2-3-4`."""
        if (said := _NAMED.fullmatch(order.line)) is not None:
            return self._named(order, said[1], Tile.parse(said[2]))
        found = self._choice(order.line)
        if found is None:
            return self._answer(order, "stale", "", "this question is no longer open")
        item, choice = found
        assert item.doubt is not None
        if choice.act is None:
            return self._dismissed(order, item, item.doubt)
        act = choice.act
        return self._act(order, act, naming.meant(self._memory, item, act.tile) if isinstance(act, Place) else None)

    def _answered_of_zones(self, order: wire.Order) -> wire.Answer:
        """The same where it was asked about the boneyard or a hand."""
        is_open, act = self._zones.answered(order.line)
        if not is_open:
            return self._answer(order, "stale", "", "this question is no longer open")
        if act is not None:
            return self._act(order, act, None)
        self._follow_up(changed=True)
        return self._answer(order, "done")

    def _dismissed(self, order: wire.Order, item: Lying, doubt: Doubt) -> wire.Answer:
        """A tile is no move, or lies where it is not seen: remembered beside the record, which stays as it is."""
        assert self._record is not None  # somebody was asked
        try:
            self._journal.ignore(Ignored(len(self._record.entries), item.seen, item.entry))
        except sqlite3.Error:
            self._around = replace(self._around, saved=False)
        self._memory = tabletop.reconcile(self._record, tabletop.dismissed(self._memory, doubt.id))
        self._follow_up(changed=True)
        return self._answer(order, "done")

    def _named(self, order: wire.Order, question: str, tile: Tile) -> wire.Answer:
        """It was said which tile it is that could not be read; where it lies is as it was seen."""
        found = next((item for item in self._memory.lying if item.doubt and item.doubt.id == question), None)
        if self._record is None or found is None or found.doubt is None or found.doubt.what not in READ_IN_DOUBT:
            return self._answer(order, "stale", "", "this question is no longer open")
        state = self._record.state
        if tile not in games.game(state.game).tiles_of(state.settings):
            return self._answer(order, "refused", Reason.NO_SUCH_TILE.value)
        self._memory, step = naming.named(self._record, self._memory, found, tile, self.shape, self._copies)
        if step is not None:
            return self._act(order, step.act, step.seen)
        self._follow_up(changed=True)
        return self._answer(order, "done")

    def _choice(self, line: str) -> tuple[Lying, Choice] | None:
        parts = line.split()
        if len(parts) != 3 or not parts[2].isdigit():
            raise ValueError(f"expected `answer QUESTION NUMBER` or `answer QUESTION is TILE`, got {line[:60]!r}")
        for item in self._memory.lying:
            if item.doubt and item.doubt.id == parts[1] and int(parts[2]) < len(item.doubt.choices):
                return item, item.doubt.choices[int(parts[2])]
        return None

    def ask(self, ask: wire.Ask) -> wire.Told:
        """Answer a read-only question."""
        known = tabletop.anchors(self._record, self._memory) if self._record else ()
        is_blind = self._around.camera == CameraStatus.NONE
        return self._chronicle.told(ask, Here(self._record, known, self.shape, is_blind))

    def _forgotten(self, order: wire.Order) -> wire.Answer:
        """A past match is deleted: `forget 3`."""
        number = order.line.removeprefix(FORGET)
        if not (number.isascii() and number.isdecimal()) or len(number) > 9:
            raise ValueError(f"expected `forget MATCH`, got {order.line[:40]!r}")
        if int(number) == self._journal.newest:
            return self._answer(order, "refused", "still-here", "this match is still on the table")
        try:
            self._journal.forget(int(number), order.by, order.id)
        except sqlite3.Error:
            return self._answer(order, "refused", "not-saved", "it could not be saved, so it does not count")
        if self._evidence is not None:
            self._evidence.forget(int(number))
        return self._answer(order, "done")

    # --- one change ---------------------------------------------------------------------------------

    def _commit(self, act: Act, by: str, order_id: str | None, seen: SeenTile | None) -> Ruling | None:
        """Judge, write, and only then know it; None when it could not be written: then nothing has happened."""
        ruling = umpire.judge(self._record, act)
        seen = self._with_evidence(seen)
        try:
            entry = self._journal.append(act, ruling.reason, by, order_id, seen, seen.picture or None if seen else None)
        except sqlite3.Error:
            if self._evidence is not None and seen is not None:
                self._evidence.drop(seen.picture)
            self._around = replace(self._around, saved=False)
            return None
        # a table that is empty after a restart says nothing about who has come back to it
        is_resumed = self._around.resumed and by in ("camera", "referee") and not isinstance(act, Place)
        self._around = replace(self._around, saved=self._journal.is_saved, resumed=is_resumed)
        was_in_play = self._record is not None and self._record.state.phase is Phase.PLAY
        self._record = umpire.append(self._record, entry)
        if was_in_play and self._record.state.phase is not Phase.PLAY:
            self._journal.back_up()
        if seen is not None:
            self._memory = tabletop.journaled(self._memory, seen, entry.seq, ruling.is_legal)
            if not ruling.is_legal:
                self._signals.buzz()
        if isinstance(act, Overrule) or self._record.state.phase is not Phase.PLAY:
            self._memory = tabletop.reconcile(self._record, self._memory)
        self._draw_lots(act)
        return ruling

    def _with_evidence(self, seen: SeenTile | None) -> SeenTile | None:
        """The tile that is ruled on with the name of its pictures beside the journal."""
        if seen is None or self._evidence is None:
            return None if seen is None else replace(seen, picture="")
        entry = len(self._record.entries) + 1 if self._record is not None else 1
        return replace(seen, picture=self._evidence.keep(seen.picture, self._journal.newest, entry))

    def _draw_lots(self, act: Act) -> None:
        """When play has begun and the game leaves something to chance, decide it; a drawn lot that is undone is not
        drawn again, the people decide."""
        if self._record is None or not isinstance(act, Begin):
            return
        state = self._record.state
        if lots := games.game(state.game).lots(state):
            self._commit(self._chance.choice(lots), "referee", None, None)

    def _changed(self) -> None:
        """The record or a question has changed: orders about older views are stale from now on."""
        self._seq += 1
        self._record_seq = self._seq
        self._signal()
        self._view = self._look()

    def _signal(self) -> None:
        self._signals.led(tabletop.in_dispute(self._memory) is not None)
        evidence = "off" if self._evidence is None else self._evidence.status
        self._around = replace(self._around, signals=self._signals.status, evidence=evidence)

    def _refresh(self) -> None:
        new = self._look()
        if new != self._view:
            self._seq += 1
            self._view = structs.replace(new, seq=self._seq)

    def _look(self) -> wire.View:
        if self._advised is not self._record:
            self._advised, self._advice = self._record, views.advice(self._record, self._around.training)
        around = replace(self._around, zoned=self._zones.zoned)
        return views.view(self._record, self._memory, self.shape, around, self._epoch, self._seq, self._advice)

    def _answer_ruling(self, order: wire.Order, ruling: Ruling) -> wire.Answer:
        return self._answer(order, "done" if ruling.is_legal else "refused", ruling.reason.value)

    def _answer(self, order: wire.Order, status: str, reason: str = "", message: str = "") -> wire.Answer:
        return wire.Answer(order.id, status, reason, message, self._epoch, self._view.seq)
